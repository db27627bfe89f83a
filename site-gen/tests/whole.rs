//! The site of the real data.

mod common;

use common::{options, pages, tags};
use kb_core::kb::Kb;
use kb_core::world::World;
use rayon::prelude::*;
use site_gen::Site;
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

fn kb() -> &'static Kb {
    static KB: OnceLock<Kb> = OnceLock::new();
    KB.get_or_init(kb_data::builtin_full)
}

/// Made once for all tests: it takes long without optimisation.
fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let world: World<'static> = kb_data::world(kb());
        site_gen::generate(&world, &options()).unwrap_or_else(|m| panic!("{}", m[0]))
    })
}

#[test]
fn everything_has_a_page_in_both_languages_and_a_document() {
    let kb = kb();
    let mut wanted: Vec<(&str, String)> = Vec::new();
    wanted.extend(kb.gpus.iter().map(|x| ("gpu", format!("gpu/{}", x.id))));
    wanted.extend(kb.packages.iter().map(|x| ("package", format!("package/{}", x.id))));
    wanted.extend(kb.channels.iter().map(|x| ("channel", format!("channel/{}", x.id))));
    wanted.extend(kb.accelerators.iter().map(|x| ("accelerator", format!("accelerator/{}", x.id))));
    wanted.extend(kb.signatures.iter().map(|x| ("signature", format!("errors/{}", x.id))));
    wanted.extend(kb.causes.iter().map(|x| ("cause", format!("causes/{}", x.id))));
    wanted.extend(kb.rules.iter().map(|x| ("rule", format!("rules/{}", x.id))));
    wanted.extend(kb.relations.iter().map(|x| ("relation", format!("tables/{}", x.id))));
    wanted.extend(kb.topics.iter().map(|x| ("topic", format!("topics/{}", x.id))));
    wanted.extend(kb.advisories.iter().map(|x| ("advisory", format!("advisories/{}", x.id))));
    wanted.extend(kb.sources.iter().map(|x| ("source", format!("sources/{}", x.id))));
    wanted.extend(kb.disputes.iter().map(|x| ("dispute", format!("disputes/{}", x.id))));
    for (kind, address) in ["8.6", "12.0"].map(|x| ("capability", format!("capability/{x}"))) {
        wanted.push((kind, address));
    }
    for branch in ["470", "570"] {
        wanted.push(("branch", format!("driver/r{branch}")));
    }
    wanted.extend(["12.4", "12.4.1"].map(|x| ("cuda", format!("cuda/{x}"))));
    wanted.push(("cudnn", "cudnn/9.1.0".to_owned()));
    wanted.push(("release", "package/torch/2.9.1".to_owned()));
    for (kind, address) in &wanted {
        let address = address.to_lowercase();
        for path in [format!("{address}/index.html"), format!("zh/{address}/index.html")] {
            assert!(site().contains_key(&path), "{path}");
        }
        let inner = address.split_once('/').map_or("", |(_, inner)| inner);
        let path = format!("api/v1/{kind}/{inner}.json");
        let bytes = site().get(&path).unwrap_or_else(|| panic!("{path}"));
        let document: serde_json::Value = serde_json::from_slice(bytes).expect("a document is JSON");
        assert_eq!((document["schema"].as_u64(), document["kind"].as_str()), (Some(1), Some(*kind)));
        assert_eq!(document["generated_at"], "2026-12-01");
    }
    for path in [
        "index.html",
        "zh/index.html",
        "404.html",
        "matrix/index.html",
        "zh/myths/index.html",
        "sitemap.xml",
        "robots.txt",
    ] {
        assert!(site().contains_key(path), "{path}");
    }
    assert!(site().len() < 15_000, "hosts limit the number of files: {}", site().len());
}

#[test]
fn every_link_and_every_fragment_leads_somewhere() {
    let read: BTreeMap<&String, Vec<common::Tag>> =
        pages(site()).collect::<Vec<_>>().into_par_iter().map(|(path, html)| (path, tags(html))).collect();
    let ids: BTreeMap<&String, HashSet<&str>> =
        read.iter().map(|(path, tags)| (*path, tags.iter().filter_map(|t| t.get("id")).collect())).collect();
    let mut broken = Vec::new();
    for (path, tags) in &read {
        for link in tags.iter().flat_map(|t| [t.get("href"), t.get("src")]).flatten() {
            if link.starts_with("https://") || link.starts_with("http://") || link == "data:," {
                continue;
            }
            let (target, fragment) = link.split_once('#').map_or((link, None), |(a, b)| (a, Some(b)));
            let target = match target.strip_prefix('/') {
                Some(inner) if inner.is_empty() || inner.ends_with('/') => format!("{inner}index.html"),
                Some(inner) => inner.to_owned(),
                None => (*path).clone(),
            };
            let there = site().contains_key(&target)
                && fragment.is_none_or(|f| ids.get(&target).is_some_and(|ids| ids.contains(f)));
            if !there {
                broken.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{} broken: {:?}", broken.len(), &broken[..broken.len().min(9)]);
}

#[test]
fn pages_are_well_made() {
    let wrong: Vec<String> = pages(site())
        .collect::<Vec<_>>()
        .into_par_iter()
        .filter_map(|(path, html)| {
            let tags = tags(html);
            let count = |name: &str| tags.iter().filter(|t| t.name == name).count();
            let language = tags.iter().find(|t| t.name == "html").and_then(|t| t.get("lang"));
            let expected = if path.starts_with("zh/") { "zh-Hans" } else { "en" };
            let mut ids = HashSet::new();
            let twice = tags.iter().filter_map(|t| t.get("id")).find(|id| !ids.insert(*id));
            let description = tags.iter().any(|t| {
                t.get("name") == Some("description") && t.get("content").is_some_and(|c| c.len() > 10)
            });
            let well = language == Some(expected)
                && (count("h1"), count("title"), count("main"), count("script")) == (1, 1, 1, 1)
                && description
                && twice.is_none()
                && count("style") == 0
                && !tags.iter().any(|t| t.get("style").is_some());
            (!well).then(|| path.clone())
        })
        .collect();
    assert!(wrong.is_empty(), "{:?}", &wrong[..wrong.len().min(9)]);
}

#[test]
fn pages_say_where_what_they_say_is_from() {
    let text = |path: &str| String::from_utf8_lossy(&site()[path]).into_owned();
    let gpu = text("gpu/rtx-3090/index.html");
    for piece in [
        "CUDA GPU Compute Capability",
        "confirmed",
        "read 2026-11-30",
        "href=\"/package/torch/",
        "pip install torch==",
    ] {
        assert!(gpu.contains(piece), "{piece}");
    }
    let old = text("zh/gpu/gtx-1080-ti/index.html");
    assert!(old.contains("class=\"fits\"") && old.contains("lang=\"zh-Hans\""));
    let error = text("zh/errors/cudnn-not-initialized/index.html");
    assert!(error.contains("cuDNN 未能初始化") && error.contains("/zh/causes/driver-too-old/"));
    let myths = text("myths/index.html");
    assert!(myths.contains("Does not hold"));
}
