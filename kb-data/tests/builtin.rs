//! The data compiled in: how large it is, how fast it is read, and that its two parts fit together.

use kb_data::authoring::load;
use kb_data::tree::DataTree;
use kb_data::{builtin, builtin_full, sizes};
use std::path::Path;
use std::time::Instant;

#[test]
fn the_parts_fit_together() {
    let start = Instant::now();
    let core = builtin();
    let core_time = start.elapsed();
    let start = Instant::now();
    let full = builtin_full();
    let (core_size, rest_size) = sizes();
    println!("core: {core_size} bytes, {} facts, read in {core_time:?}", core.fact_count());
    println!("rest: {rest_size} bytes, {} facts in all, read in {:?}", full.fact_count(), start.elapsed());

    assert_eq!(
        full.tables[..core.tables.len()],
        core.tables[..],
        "handles of the core are valid in the whole"
    );
    let tree =
        DataTree::from_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data")).expect("the data is there");
    let (mut loaded, diagnostics) = load(&tree);
    let errors: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    assert_eq!(loaded.fact_count(), full.fact_count());
    let mut tables = full.tables.clone();
    tables.sort_by(|a, b| (a.relation, &a.stem).cmp(&(b.relation, &b.stem)));
    assert!(tables == loaded.tables, "the same tables");
    loaded.tables = full.tables.clone();
    assert!(loaded == full, "the same beside the tables");
}

/// A page that has not fetched the tables of libraries yet answers about one framework as one that has.
#[test]
fn one_framework_needs_no_table_of_a_library() {
    let blobs = kb_data::blob::write(builtin_full()).expect("written");
    let core = kb_data::blob::read_core(Box::leak(blobs.core.into_boxed_slice())).expect("read");
    let mut whole = core.clone();
    kb_data::blob::add_tables(&mut whole, Box::leak(blobs.libraries.into_boxed_slice()));
    assert!(whole.tables.len() > core.tables.len() + 100);
    let (core, whole) = (kb_core::world::World::new(&core), kb_core::world::World::new(&whole));
    for gpu in ["rtx-5090", "rtx-3090", "gtx-1080", "h100", "v100"] {
        for os in ["linux", "windows"] {
            let raw = kb_core::request::RawRequest {
                command: "solve".into(),
                gpus: vec![gpu.into()],
                os: Some(os.into()),
                ..Default::default()
            };
            let shown = |world| {
                let answer = kb_core::ask(world, &raw).expect("answered");
                answer
                    .answers
                    .iter()
                    .map(|i| format!("{:?} {:?} {:?}", i.verdict, i.says, i.stack))
                    .collect::<Vec<_>>()
            };
            assert_eq!(shown(&core), shown(&whole), "{gpu} {os}");
        }
    }
}

#[test]
fn sizes_as_sent_over_a_net() {
    use std::io::Write;
    let kb = builtin_full();
    let blobs = kb_data::blob::write(kb).expect("written");
    for (name, bytes) in [("core", blobs.core), ("libraries", blobs.libraries), ("rest", blobs.rest)] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&bytes).expect("written");
        println!("{name}: {} bytes, {} gzip", bytes.len(), gzip.finish().expect("closed").len());
    }
}

#[test]
fn every_relation_has_a_working_template() {
    let kb = builtin_full();
    for relation in &kb.relations {
        let files = kb_data::scaffold::scaffold(&kb, "fact", &[&relation.id, "a-source"], "2026-11-30")
            .expect("made");
        let source = "title = 't'\npublisher = 'p'\nkind = 'report'\n";
        let tree = DataTree::from_texts([
            (files[0].path.as_str(), files[0].content.as_str()),
            ("sources/a-source.toml", source),
        ]);
        let (_, diagnostics) = kb_data::authoring::load_over(kb.clone(), &tree);
        let told: Vec<String> = diagnostics
            .iter()
            // The examples name things and may contradict what is known.
            .filter(|d| !d.code.starts_with("dangling") && d.code != "unresolved-dispute")
            .map(ToString::to_string)
            .collect();
        assert!(told.is_empty(), "{}:\n{}", relation.id, told.join("\n\n"));
    }
}
