//! What the search box is given.

mod common;

use common::{options, site, small};
use flate2::read::GzDecoder;
use kb_search::Index;
use site_gen::{Options, Site};
use std::io::Read as _;

fn with_search() -> Site {
    // What is in the modules is not looked at here.
    let names = [
        "search.wasm",
        "engine.wasm",
        "diagnose.wasm",
        "core.bin",
        "libraries.bin",
        "words.bin",
        "diagnosis.bin",
    ];
    let modules = names.map(|name| (name.to_owned(), name.as_bytes().to_vec())).into();
    site(&small(), &Options { modules: Some(modules), ..options() })
}

fn index(site: &Site, name: &str) -> Index<'static> {
    let mut bytes = Vec::new();
    GzDecoder::new(&*site[name]).read_to_end(&mut bytes).expect("it is compressed");
    Index::open(Vec::leak(bytes)).expect("an index")
}

#[test]
fn a_name_brings_its_page_in_the_language_of_the_index() {
    let site = with_search();
    let kb = small();
    let gpu = &kb.gpus[0];
    for scope in ["names", "full"] {
        for (language, prefix) in [("en", ""), ("zh-Hans", "/zh")] {
            let index = index(&site, &format!("search/{language}.{scope}.gz"));
            let first = index.search(&gpu.name, 5).first().map(|hit| hit.document.address.to_owned());
            assert_eq!(first.as_deref(), Some(&*format!("{prefix}/gpu/{}/", gpu.id)), "{language} {scope}");
        }
    }
}

#[test]
fn every_hit_is_a_page_of_the_site() {
    let site = with_search();
    let index = index(&site, "search/en.full.gz");
    for text in ["gpu", "driver", "torch", "table"] {
        for hit in index.search(text, 50) {
            let path = format!("{}index.html", hit.document.address.trim_start_matches('/'));
            assert!(site.contains_key(&path), "{text}: {path}");
        }
    }
}

#[test]
fn without_the_module_there_is_no_box() {
    let without = site(&small(), &options());
    assert!(!without.keys().any(|path| path.starts_with("search/")));
    let home = |site: &Site| String::from_utf8_lossy(&site["index.html"]).contains("data-search");
    assert!(!home(&without) && home(&with_search()));
}
