//! What good data is, beyond what can be loaded.
use crate::tree::DataTree;
use kb_core::diag::Diagnostic;
/// Loads a tree and adds what the lints say.
pub fn lint(tree: &DataTree) -> Vec<Diagnostic> {
    crate::authoring::load(tree).1
}
