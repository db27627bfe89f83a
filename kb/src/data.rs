//! The facts: the built-in ones, with a directory laid over.

use crate::Failure;
use crate::args::Global;
use kb_core::diag::{Diagnostic, Level};
use kb_core::kb::Kb;
use kb_core::world::World;
use kb_data::tree::DataTree;

/// How much of the data a command needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// Enough for an answer.
    Core,
    /// The same, with signatures and causes.
    Diagnosis,
    /// Everything, also what only people read.
    Full,
}

/// Loads the facts.
///
/// # Errors
/// What is wrong in the directory that is laid over.
pub(crate) fn load(global: &Global, need: Need, language: &str, today: Option<&str>) -> Result<Kb, Failure> {
    let Some(dir) = &global.data else {
        return Ok(match need {
            Need::Core => kb_data::builtin_in(language),
            Need::Diagnosis => kb_data::builtin_for_diagnosis(language),
            Need::Full => kb_data::builtin_full(),
        });
    };
    let tree = DataTree::from_dir(dir).map_err(|error| {
        Diagnostic::error("unreadable", format!("--data {}: {error}", dir.display()))
            .help("name a directory laid out like kb-data/data")
    })?;
    if tree.is_empty() && !tree.troubles().is_empty() {
        return Err(tree.troubles().to_vec().into());
    }
    if tree.is_empty() {
        return Err(Diagnostic::error(
            "no-data",
            format!("--data {}: there is no data file in it", dir.display()),
        )
        .help("name a directory laid out like kb-data/data, with facts/, sources/ …")
        .into());
    }
    let (kb, diagnostics) = kb_data::authoring::load_over(kb_data::builtin_full(), &tree);
    let later = today.into_iter().flat_map(|today| kb_data::lint::read_later(&tree, today));
    let diagnostics = diagnostics.into_iter().chain(later);
    let (errors, warnings): (Vec<_>, Vec<_>) = diagnostics.partition(|d| d.level == Level::Error);
    if !errors.is_empty() {
        return Err(errors.into());
    }
    if !warnings.is_empty() {
        crate::output::diagnostics::print(&warnings, global.color);
    }
    Ok(kb)
}

/// The rules' view of what [`load`] gave: the built-in packages were joined before.
pub(crate) fn world<'kb>(global: &Global, kb: &'kb Kb) -> World<'kb> {
    if global.data.is_some() { World::new(kb) } else { kb_data::world(kb) }
}

/// The facts for writing something new: a directory that is empty, not there yet or has mistakes in it is no obstacle.
pub(crate) fn load_for_new(global: &Global) -> Kb {
    let base = kb_data::builtin_full();
    let dir = crate::commands::directory(global.data.as_deref(), "").ok();
    match dir.and_then(|dir| DataTree::from_dir(&dir).ok()) {
        Some(tree) => kb_data::authoring::load_over(base, &tree).0,
        None => base,
    }
}
