//! What is compiled in is what the text says.

use kb_core::platform::Platform;
use kb_core::world::World;
use kb_data::authoring::load;
use kb_data::tree::DataTree;
use std::path::Path;

fn data() -> DataTree {
    DataTree::from_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../kb-data/data"))
        .expect("the data is there")
}

#[test]
fn builtin_is_the_text() {
    let (mut loaded, diagnostics) = load(&data());
    assert!(diagnostics.iter().all(|d| d.level != kb_core::diag::Level::Error), "the data has mistakes");
    let mut full = kb_data::builtin_full();
    full.tables.sort_by(|a, b| (a.relation, &a.stem).cmp(&(b.relation, &b.stem)));
    assert!(full == loaded, "builtin_full differs from the text");
    // The part that answers need is the same without what only people read.
    let mut core = kb_data::builtin();
    core.tables.sort_by(|a, b| (a.relation, &a.stem).cmp(&(b.relation, &b.stem)));
    let relations = kb_data::blob::REASONING_RELATIONS;
    loaded.tables.retain(|t| relations.contains(&&*loaded.relations[usize::from(t.relation)].id));
    assert!(core.tables == loaded.tables, "the core's tables differ from the text");
    assert!(core.gpus == loaded.gpus && core.packages == loaded.packages && core.channels == loaded.channels);
    assert!(core.sources == loaded.sources && core.accelerators == loaded.accelerators);
    // Words of other languages are read when an answer wants them; the whole above has them all.
    loaded.words.retain(|w| &*w.language == "en");
    let reading = |id: &str| {
        let mut elsewhere = kb_data::blob::READING_WORDS.iter().chain(&kb_data::blob::DIAGNOSIS_WORDS);
        elsewhere.any(|start| id.starts_with(start))
    };
    loaded.words.iter_mut().for_each(|w| w.sentences.retain(|id, _| !reading(id)));
    assert!(core.words == loaded.words);
}

#[test]
fn joined_packages_are_those_of_a_fresh_join() {
    let kb = kb_data::builtin();
    let (before, fresh) = (kb_data::world(&kb), World::new(&kb));
    let mut compared = 0;
    for (index, package) in kb.packages.iter().enumerate() {
        for platform in Platform::WORDS.iter().filter_map(|w| Platform::parse(w)) {
            let (a, b) = (before.package(index, Some(platform)), fresh.package(index, Some(platform)));
            assert!(a == b, "{} on {platform} differs", package.id);
            assert!(
                a.releases
                    .iter()
                    .zip(&b.releases)
                    .all(|(x, y)| x.prerelease == y.prerelease && x.version() == y.version())
            );
            // The joins of one platform are those of all platforms without the others' builds. (A build for any platform
            // can have what only one platform's rows say, so it is left out.)
            let count = |w: &kb_core::world::PackageWorld| {
                w.builds.iter().filter(|x| x.platform == Some(platform)).count()
            };
            assert_eq!(count(a), count(fresh.package(index, None)), "{} on {platform}", package.id);
            compared += a.builds.len();
        }
    }
    println!("{compared} builds compared");
    assert!(compared > 1000);
}
