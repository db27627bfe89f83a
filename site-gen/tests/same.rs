//! What a site is made from decides what it is.

mod common;

use common::{options, pages, site, small, tags};
use site_gen::{Options, counts};

#[test]
fn two_builds_are_identical() {
    let (one, other) = (site(&small(), &options()), site(&small(), &options()));
    assert!(one == other);
}

#[test]
fn under_another_path_every_link_is_below_it() {
    let site = site(&small(), &Options { base_path: "docs/kb".to_owned(), ..options() });
    for (path, html) in pages(&site) {
        for link in tags(html).iter().flat_map(|t| [t.get("href"), t.get("src")]).flatten() {
            let own = link.starts_with("/docs/kb/") || link.starts_with('#') || link == "data:,";
            assert!(own || link.starts_with("http"), "{path}: {link}");
        }
    }
    let map = String::from_utf8_lossy(&site["sitemap.xml"]).into_owned();
    assert!(map.contains("<loc>https://kb.example/docs/kb/zh/</loc>"));
}

#[test]
fn without_a_host_there_is_no_sitemap() {
    let site = site(&small(), &Options::new("2026-12-01"));
    assert!(!site.contains_key("sitemap.xml") && site.contains_key("robots.txt"));
    assert_eq!(counts(&site).get("gpu"), Some(&10), "four GPUs and their list, in two languages");
}

#[test]
fn one_language_is_a_site_too() {
    let mut options = options();
    options.languages.truncate(1);
    let site = site(&small(), &options);
    assert!(!site.keys().any(|path| path.starts_with("zh/")));
}
