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

#[test]
fn sizes_as_sent_over_a_net() {
    use std::io::Write;
    let kb = builtin_full();
    let blobs = kb_data::blob::write(kb).expect("written");
    for (name, bytes) in [("core", blobs.core), ("rest", blobs.rest)] {
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
