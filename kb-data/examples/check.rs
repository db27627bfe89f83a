//! Loads a data directory and prints what is wrong with it: `check DIR [--lint]`.
use kb_data::{authoring, lint, tree::DataTree};
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| "kb-data/data".to_owned());
    let start = Instant::now();
    let tree = match DataTree::from_dir(Path::new(&root)) {
        Ok(tree) => tree,
        Err(error) => return eprintln!("{root}: {error}"),
    };
    let read = start.elapsed();
    let (kb, mut diagnostics) = authoring::load(&tree);
    let loaded = start.elapsed() - read;
    if arguments.next().as_deref() == Some("--lint") {
        diagnostics.extend(lint::lint_kb(&kb));
    }
    for diagnostic in &diagnostics {
        println!("{diagnostic}\n");
    }
    let (files, facts, count) = (tree.len(), kb.fact_count(), diagnostics.len());
    eprintln!("{files} files, {facts} facts, {count} diagnostics; read in {read:?}, loaded in {loaded:?}");
}
