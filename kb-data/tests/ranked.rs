//! Where a relation ranks truths, two sources of different ones need no dispute; two of the same one do.

mod common;

use common::{FILES, shown, sound, with};
use kb_core::kb::Kb;
use kb_core::world::World;
use kb_data::authoring::load;
use kb_data::tree::DataTree;

const FATBINS: (&str, &str) =
    ("sources/fatbins.toml", "title = 'Code'\npublisher = 'Index'\nkind = 'device-code'\n");

/// The relation `build-made-with` of the small world, with ranked truths.
fn relation() -> String {
    let (_, text) = FILES.iter().find(|(p, _)| *p == "relations/build-made-with.md").expect("it is there");
    text.replacen("[columns]", "ranked = true\n[columns]", 1)
}

/// A table of one row: torch 2.8 from PyPI was made with a CUDA release.
fn table(source: &str, cuda: &str) -> String {
    format!(
        "source = '{source}'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversions = '==2.8.0'\nchannel = 'pypi'\ncuda = '{cuda}'\n"
    )
}

/// The small world, whose maker documents CUDA 12.6, with what others say.
fn ranked(more: &[(&str, &str)]) -> DataTree {
    let relation = relation();
    let mut files = vec![FATBINS, ("relations/build-made-with.md", &*relation)];
    files.extend(more);
    with(&files)
}

/// The CUDA release that is followed, and the facts against it.
fn followed(kb: &Kb) -> (String, Vec<String>) {
    let world = World::new(kb);
    let torch = world.package(kb.package("torch").expect("it is there"), None);
    let release = torch.releases.iter().position(|r| r.text == "2.8.0").expect("it is there");
    let build = torch.builds.iter().find(|b| b.release as usize == release).expect("it is there");
    let cuda = build.cuda.as_ref().expect("it is stated");
    (cuda.value.to_string(), cuda.against.iter().map(|f| kb.fact_name(*f)).collect())
}

#[test]
fn the_stronger_truth_is_followed_without_a_dispute() {
    let declared = table("index", "12.8");
    let kb = sound(&ranked(&[("facts/build-made-with/index.toml", &declared)]));
    assert_eq!(
        followed(&kb),
        ("12.8".to_owned(), vec!["build-made-with/maker#torch,==2.8.*,pypi".to_owned()])
    );
    let measured = table("fatbins", "12.9");
    let kb = sound(&ranked(&[
        ("facts/build-made-with/index.toml", &declared),
        ("facts/build-made-with/fatbins.toml", &measured),
    ]));
    let against = ["build-made-with/index#torch,==2.8.0,pypi", "build-made-with/maker#torch,==2.8.*,pypi"]
        .map(String::from);
    assert_eq!(followed(&kb), ("12.9".to_owned(), against.to_vec()));
}

#[test]
fn one_truth_that_contradicts_itself_needs_a_dispute() {
    let other = table("other", "12.8");
    let (_, found) = load(&ranked(&[("facts/build-made-with/other.toml", &other)]));
    assert_eq!(found.len(), 1, "{}", shown(&found));
    assert_eq!(found[0].code, "unresolved-dispute");
}

#[test]
fn without_ranks_every_contradiction_needs_a_dispute() {
    let declared = table("index", "12.8");
    let (_, found) = load(&with(&[("facts/build-made-with/index.toml", &declared)]));
    assert_eq!(found.len(), 1, "{}", shown(&found));
    assert_eq!(found[0].code, "unresolved-dispute");
}

#[test]
fn a_dispute_may_explain_and_is_stale_where_nobody_disagrees() {
    let dispute = (
        "disputes/build-made-with/torch.md",
        "+++\nkey = { package = 'torch', versions = '==2.8.0', channel = 'pypi' }\nprefer = 'maker'\nover = ['index']\nsince = '2026-11-30'\n+++\nThe maker knows.\n",
    );
    let (differs, agrees) = (table("index", "12.8"), table("index", "12.6"));
    let kb = sound(&ranked(&[dispute, ("facts/build-made-with/index.toml", &differs)]));
    assert_eq!(
        followed(&kb),
        ("12.6".to_owned(), vec!["build-made-with/index#torch,==2.8.0,pypi".to_owned()])
    );
    let (_, found) = load(&ranked(&[dispute, ("facts/build-made-with/index.toml", &agrees)]));
    assert_eq!(found.len(), 1, "{}", shown(&found));
    assert_eq!(found[0].code, "stale-dispute");
}
