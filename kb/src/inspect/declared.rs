//! Targets that a package declares, beside those that were measured in its device code.

use super::Inspected;
use kb_core::version::{ComputeTarget, Suffix};

/// A list of targets, as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    /// The file that says it.
    pub member: String,
    /// Machine code for these.
    pub sass: Vec<ComputeTarget>,
    /// PTX for these.
    pub ptx: Vec<ComputeTarget>,
    /// Words that are not targets.
    pub unread: Vec<String>,
}

/// Where a declaration and the measured code part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Differs {
    /// Machine code that is declared, and in no kernel of what decides.
    pub no_sass: Vec<ComputeTarget>,
    /// The same of PTX.
    pub no_ptx: Vec<ComputeTarget>,
    /// Machine code that most kernels have, and nobody declares.
    pub more_sass: Vec<ComputeTarget>,
    /// The same of PTX.
    pub more_ptx: Vec<ComputeTarget>,
}

impl Differs {
    /// Is declared what was measured?
    pub(crate) fn is_empty(&self) -> bool {
        *self == Differs::default()
    }
}

/// Compares a declaration with the code that decides. `None` if nothing was measured, or not everything: then a target
/// that was not found may be in what was not read.
pub(crate) fn differs(about: &Inspected, declared: &Declared) -> Option<Differs> {
    let deciding = about.deciding();
    if about.code_unread || deciding.is_empty() || !declared.unread.is_empty() {
        return None;
    }
    let all = |code: fn(&super::Found) -> Vec<ComputeTarget>| -> Vec<ComputeTarget> {
        deciding.iter().flat_map(|l| code(l)).collect()
    };
    let (sass, ptx) = (all(super::Found::sass), all(super::Found::ptx));
    let (few_sass, few_ptx) = (all(super::Found::few_sass), all(super::Found::few_ptx));
    Some(Differs {
        no_sass: without(&declared.sass, &[&sass, &few_sass]),
        no_ptx: without(&declared.ptx, &[&ptx, &few_ptx]),
        more_sass: without(&sass, &[&declared.sass]),
        more_ptx: without(&ptx, &[&declared.ptx]),
    })
}

/// Those that are in none of the lists, each once.
fn without(these: &[ComputeTarget], lists: &[&[ComputeTarget]]) -> Vec<ComputeTarget> {
    let mut out: Vec<ComputeTarget> =
        these.iter().filter(|t| !lists.iter().any(|l| l.iter().any(|u| same(**t, *u)))).copied().collect();
    out.sort();
    out.dedup();
    out
}

/// Of most containers it cannot be told whether their code is family-specific or general.
fn same(a: ComputeTarget, b: ComputeTarget) -> bool {
    let general = |t: ComputeTarget| if t.suffix == Suffix::F { Suffix::None } else { t.suffix };
    a.capability == b.capability && general(a) == general(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Found;
    use artifact::code::{Count, DeviceCode};

    fn targets(text: &str) -> Vec<ComputeTarget> {
        text.split(' ').filter(|t| !t.is_empty()).map(|t| t.parse().expect("a target")).collect()
    }

    #[test]
    fn only_what_was_measured_whole_is_compared() {
        let mut code = DeviceCode { containers: 10, ..DeviceCode::default() };
        for (target, containers) in [("8.0", 10), ("9.0", 10), ("12.0", 1)] {
            let count = Count { entries: containers, containers, bytes: 1 };
            code.sass.extend(targets(target).into_iter().map(|t| (t, count)));
        }
        let found = Found { path: "a.so".to_owned(), bundled: false, variant: None, code };
        let mut about = Inspected { libraries: vec![found], ..Inspected::default() };
        let declared = |sass: &str| Declared {
            member: "list".to_owned(),
            sass: targets(sass),
            ptx: Vec::new(),
            unread: Vec::new(),
        };
        assert_eq!(differs(&about, &declared("8.0 9.0 12.0")), Some(Differs::default()));
        // Few kernels are enough for what is declared; what most have should be declared.
        let found = differs(&about, &declared("7.5 8.0")).expect("comparable");
        assert_eq!((found.no_sass, found.more_sass), (targets("7.5"), targets("9.0")));
        let unread = Declared { unread: vec!["native".to_owned()], ..declared("8.0") };
        assert_eq!(differs(&about, &unread), None);
        about.code_unread = true;
        assert_eq!(differs(&about, &declared("8.0")), None);
    }

    #[test]
    fn what_is_missing_from_a_list() {
        let missing = |these: &str, list: &str| without(&targets(these), &[&targets(list)]);
        assert_eq!(missing("8.0 9.0a 9.0a", "8.0"), targets("9.0a"));
        assert_eq!(missing("12.0f 8.6", "12.0 8.6"), targets(""));
        assert_eq!(missing("9.0", "9.0a"), targets("9.0"));
    }
}
