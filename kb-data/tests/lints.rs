//! What lints say beyond the loader.

mod common;

use common::{edited, shown, with, world};
use kb_data::lint::{lint, rule_pages};
use kb_data::tree::DataTree;

fn one(tree: &DataTree, code: &str, piece: &str) {
    let all = lint(tree);
    assert_eq!(all.len(), 1, "{}", shown(&all));
    assert_eq!(all[0].code, code);
    assert!(all[0].to_string().contains(piece), "{}", all[0]);
}

#[test]
fn the_world_passes() {
    let all = lint(&world());
    assert!(all.is_empty(), "{}", shown(&all));
}

#[test]
fn pages() {
    one(&edited("relations/release.md", "\n\nNot more.", ""), "missing-page", "two paragraphs");
    one(
        &edited("disputes/cuda-minimum-driver/12-linux.md", "The maker knows.\n", ""),
        "missing-page",
        "no text",
    );
}

#[test]
fn spellings() {
    let gpu = |id: &str, name: &str, alias: &str| {
        format!(
            "[[gpu]]\nid = '{id}'\nname = '{name}'\narchitecture = 'Sred'\nsegment = 'geforce'\naliases = [{alias}]\n"
        )
    };
    one(
        &with(&[("catalog/gpus/sred.toml", &gpu("red-1x", "GeForce Red-1", ""))]),
        "ambiguous-spelling",
        "`geforcered1` names 2 GPUs: red-1, red-1x",
    );
    one(
        &with(&[("catalog/gpus/sred.toml", &gpu("red-7", "Quadro RED 7", "'Red 7'"))]),
        "needless-alias",
        "`red-7` answers to `Red 7`",
    );
    // Without the brands the names are equal, which must be listed.
    let both = gpu("red-7", "Quadro RED 7", "") + &gpu("red-7-tesla", "Tesla RED 7", "");
    one(&with(&[("catalog/gpus/sred.toml", &both)]), "ambiguous-spelling", "`red7` names 2 GPUs");
    let listed = "[[ambiguous]]\nspelling = 'RED 7'\ncandidates = ['red-7', 'red-7-tesla']\n";
    let all = lint(&with(&[("catalog/gpus/sred.toml", &both), ("catalog/gpus/ambiguous.toml", listed)]));
    assert!(all.is_empty(), "{}", shown(&all));
}

#[test]
fn words() {
    let english = ("words/en.toml", "[verdict]\nfits = '{package} fits'\nfails = 'no'\n");
    one(
        &with(&[english, ("words/zh-Hans.toml", "[verdict]\nfits = '{package} 可用'\n")]),
        "missing-sentence",
        "`verdict.fails` is missing in zh-Hans",
    );
    one(
        &with(&[english, ("words/zh-Hant.toml", "[verdict]\nfits = '可用'\nfails = '否'\n")]),
        "unequal-places",
        "English: {package}",
    );
}

#[test]
fn sources() {
    let source = |kind: &str| format!("title = 't'\npublisher = 'p'\nkind = '{kind}'\n");
    one(&with(&[("sources/idle.toml", &source("report"))]), "unused-source", "nothing is taken from `idle`");
    let table = "source = 'ours'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversion = '2.8.0'\n";
    one(
        &with(&[("sources/ours.toml", &source("derived")), ("facts/release/ours.toml", table)]),
        "unexplained-inference",
        "1 inferred rows",
    );
}

#[test]
fn packages_and_channels() {
    one(
        &edited("catalog/packages/torch-cpu.toml", "gpu-package", "main = 1\ngpu-package"),
        "equal-order",
        "both have main = 1",
    );
    one(
        &edited("catalog/packages/cuda-toolkit.toml", "kind", "channel-order = ['pypi']\nkind"),
        "not-served",
        "does not list `cuda-toolkit`",
    );
    one(
        &edited("facts/build-made-with/maker.toml", "==2.8.*", "==2.8.7"),
        "empty-range",
        "no known release of `torch` is in `==2.8.7`",
    );
    // Beyond the newest release nobody knows.
    assert!(lint(&edited("facts/build-made-with/maker.toml", "==2.8.*", "==7.*")).is_empty());
}

#[test]
fn rules_have_pages() {
    let kb = kb_data::authoring::load(&with(&[(
        "rules/old.md",
        "+++\ntitle = 't'\nreads = ['release']\n+++\nText.\n",
    )]))
    .0;
    let codes: Vec<&str> = rule_pages(&kb, &["new"]).iter().map(|d| d.code).collect();
    assert_eq!(codes, ["missing-page", "unknown-rule"]);
}
