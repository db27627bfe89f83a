//! Loads a data directory and prints what is wrong with it.
use std::path::Path;
fn main() {
    let root = std::env::args().nth(1).unwrap_or_else(|| "kb-data/data".to_owned());
    let start = std::time::Instant::now();
    let tree = match kb_data::tree::DataTree::from_dir(Path::new(&root)) {
        Ok(tree) => tree,
        Err(error) => return eprintln!("{root}: {error}"),
    };
    let read = start.elapsed();
    let (kb, diagnostics) = kb_data::authoring::load(&tree);
    let loaded = start.elapsed();
    for d in &diagnostics {
        println!("{d}\n");
    }
    eprintln!("{} files, {} facts, {} diagnostics; read {read:?}, loaded {:?}", tree.len(), kb.fact_count(), diagnostics.len(), loaded - read);
}
