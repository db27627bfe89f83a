//! Measures the compact form of a data directory: sizes, gzip sizes, reading times.
use std::io::Write;
use std::path::Path;
use std::time::Instant;

fn main() {
    let root = std::env::args().nth(1).unwrap_or_else(|| "kb-data/data".to_owned());
    let Ok(tree) = kb_data::tree::DataTree::from_dir(Path::new(&root)) else {
        return eprintln!("{root} cannot be listed");
    };
    let start = Instant::now();
    let (kb, diagnostics) = kb_data::authoring::load(&tree);
    println!("loaded {} facts in {:?}, {} diagnostics", kb.fact_count(), start.elapsed(), diagnostics.len());
    let Ok(blobs) = kb_data::blob::write(kb.clone()) else { return };
    for (name, bytes) in [("core", &blobs.core), ("libraries", &blobs.libraries), ("rest", &blobs.rest)] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let size = gzip.write_all(bytes).and_then(|()| gzip.finish()).map_or(0, |b| b.len());
        println!("{name}: {} bytes, {size} gzip", bytes.len());
    }
    for _ in 0..5 {
        let start = Instant::now();
        let Ok(mut core) = kb_data::blob::read_core(Box::leak(blobs.core.clone().into_boxed_slice())) else {
            return;
        };
        kb_data::blob::add_tables(&mut core, Box::leak(blobs.libraries.clone().into_boxed_slice()));
        let read = start.elapsed();
        let facts = core.fact_count();
        let start = Instant::now();
        let Ok(full) = kb_data::blob::join(core, Box::leak(blobs.rest.clone().into_boxed_slice())) else {
            return;
        };
        println!(
            "core read in {read:?} ({facts} facts), rest in {:?} ({})",
            start.elapsed(),
            full.fact_count()
        );
    }
    // What each relation weighs.
    let mut weights: Vec<(usize, String)> = kb
        .relations
        .iter()
        .enumerate()
        .map(|(i, r)| {
            let tables: Vec<_> = kb.tables.iter().filter(|t| usize::from(t.relation) == i).cloned().collect();
            let one = kb_core::kb::Kb { tables, ..Default::default() };
            let rows = one.fact_count();
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            let bytes = postcard::to_allocvec(&one).unwrap_or_default();
            let size = gzip.write_all(&bytes).and_then(|()| gzip.finish()).map_or(0, |b| b.len());
            (size, format!("{} {rows} rows {} bytes", r.id, bytes.len()))
        })
        .collect();
    weights.sort_by(|a, b| b.cmp(a));
    for (size, text) in weights.iter().take(12) {
        println!("{size:8} {text}");
    }
}
