//! Pages that answer in the browser: with modules they have a form, without them they are pages to read.

mod common;

use common::{options, site, small, tags};
use kb_core::world::World;
use site_gen::{Modules, Options};

const NAMES: [&str; 6] =
    ["engine.wasm", "diagnose.wasm", "core.bin", "libraries.bin", "words.bin", "diagnosis.bin"];
const PAGES: [&str; 3] = ["solve", "check", "diagnose"];

fn modules() -> Modules {
    NAMES.map(|name| (name.to_owned(), name.as_bytes().to_vec())).into()
}

#[test]
fn without_modules_the_pages_lead_to_others_and_load_nothing() {
    let site = site(&small(), &options());
    for page in PAGES.iter().flat_map(|p| [format!("{p}/index.html"), format!("zh/{p}/index.html")]) {
        let tags = tags(&site[&page]);
        assert!(tags.iter().all(|t| t.name != "form"), "{page}");
        let scripts: Vec<_> = tags.iter().filter_map(|t| t.get("src")).collect();
        assert_eq!(scripts, ["/static/site.js"], "{page}");
    }
    assert!(!site.keys().any(|p| p.starts_with("static/engine") || p == "static/solve.js"));
}

#[test]
fn with_modules_each_page_has_a_form_that_is_hidden_until_its_script_is_there() {
    let site =
        site(&small(), &Options { base_path: "/kb/".to_owned(), modules: Some(modules()), ..options() });
    for name in NAMES {
        assert_eq!(site[&format!("static/engine/{name}")], name.as_bytes());
    }
    for (page, script) in PAGES.iter().zip(["solve", "solve", "paste"]) {
        for path in [format!("{page}/index.html"), format!("zh/{page}/index.html")] {
            let tags = tags(&site[&path]);
            let form = tags.iter().find(|t| t.name == "form").unwrap_or_else(|| panic!("{path}"));
            assert!(form.get("hidden").is_some(), "{path}: it does nothing without its script");
            assert_eq!(form.get("data-command"), Some(*page));
            let source = format!("/kb/static/{script}.js");
            assert!(tags.iter().any(|t| t.get("src") == Some(&source)), "{path}");
            let words: serde_json::Value =
                serde_json::from_str(form.get("data-words").unwrap_or_default()).expect("words are JSON");
            for (id, word) in words.as_object().expect("words have ids") {
                assert_ne!(word.as_str(), Some(&**id), "{path}: there is no such word");
            }
            // Everything that can be typed or chosen has a name for those who do not see it.
            for id in tags.iter().filter(|t| ["input", "select", "textarea"].contains(&&*t.name)) {
                let labelled = |i: &str| tags.iter().any(|t| t.name == "label" && t.get("for") == Some(i));
                let named = id.get("type") == Some("checkbox") || id.get("aria-label").is_some();
                assert!(named || id.get("id").is_some_and(labelled), "{path}: {:?}", id.get("name"));
            }
        }
    }
}

#[test]
fn another_build_of_the_modules_is_asked_for_by_another_name() {
    let version = |modules: Modules| {
        let site = site(&small(), &Options { modules: Some(modules), ..options() });
        let tags = tags(&site["solve/index.html"]);
        tags.iter().find_map(|t| t.get("data-version").map(str::to_owned)).expect("a form has a version")
    };
    let mut other = modules();
    other.insert("core.bin".to_owned(), b"newer".to_vec());
    assert_ne!(version(modules()), version(other));
}

#[test]
fn a_module_that_is_missing_is_told_with_how_to_build_it() {
    let kb = small();
    let mut modules = modules();
    modules.remove("words.bin");
    let options = Options { modules: Some(modules), ..options() };
    let mistakes = site_gen::generate(&World::new(&kb), &options).expect_err("a part of the data is missing");
    assert!(mistakes[0].message.contains("words.bin"));
    assert!(mistakes[0].to_string().contains("scripts/wasm.sh"), "{}", mistakes[0]);
}
