//! Does the device code run on a GPU? Which code runs where is kb-core's to say; here only the libraries are gone through.

use super::{Found, Inspected};
use kb_core::request::GpuTarget;
use kb_core::version::ComputeTarget;

/// Does it run there?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// That cannot be said.
    Unknown,
}

/// A sentence with its values.
pub(crate) type Says = (&'static str, Vec<(&'static str, String)>);

/// Whether what decides runs on a GPU, and why.
pub(crate) fn runs_on(about: &Inspected, gpu: &GpuTarget) -> (Run, Vec<Says>) {
    let deciding = about.deciding();
    let of = about.name.clone().unwrap_or_else(|| about.file.clone());
    if deciding.is_empty() {
        let id = if about.code_unread { "ui-inspect-unread-on" } else { "ui-inspect-no-code-on" };
        return (Run::Unknown, vec![(id, vec![("build", of), ("gpu", gpu.label.clone())])]);
    }
    let (runs, mut says): (Vec<Run>, Vec<Says>) = deciding.into_iter().map(|l| library(l, gpu)).unzip();
    if about.code_unread {
        says.insert(0, ("ui-inspect-part-unread", vec![("build", of)]));
        return (Run::Unknown, says);
    }
    let first = runs.first().copied().unwrap_or(Run::Unknown);
    if runs.iter().all(|r| *r == first) {
        // Most code may be in a part of its own, as flash_attn_3 in xFormers, beside a package that runs without it.
        let beside = |l: &&Found| {
            let (own, deciding) = (directory(&l.path), about.deciding().first().map(|d| directory(&d.path)));
            deciding.is_some_and(|d| d.len() > own.len() && d.starts_with(own) && !own.is_empty())
        };
        let other = about
            .own()
            .filter(|_| first == Run::No)
            .filter(beside)
            .find(|l| matches!(self::library(l, gpu).0, Run::Yes));
        return match other {
            Some(other) => {
                let values = vec![("build", of), ("library", other.path.clone()), ("gpu", gpu.label.clone())];
                says.insert(0, ("ui-inspect-libraries-on", values));
                (Run::Unknown, says)
            }
            None => (first, says),
        };
    }
    says.insert(0, ("ui-inspect-variants-on", vec![("build", of)]));
    (Run::Unknown, says)
}

/// The directory of a library, with the `/` at its end.
fn directory(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default()
}

fn library(library: &Found, gpu: &GpuTarget) -> (Run, Says) {
    let (sass, ptx) = (library.sass(), library.ptx());
    let runs_sass = |t: &&ComputeTarget| t.sass_runs_on(gpu.capability);
    let runs_ptx = |t: &&ComputeTarget| t.ptx_runs_on(gpu.capability);
    let mut values = vec![
        ("gpu", gpu.label.clone()),
        ("capability", gpu.capability.to_string()),
        ("build", library.path.clone()),
        ("sass", list(&sass)),
        ("ptx", list(&ptx)),
    ];
    if let Some(by) = sass.iter().rev().find(runs_sass) {
        values.push(("by", by.to_string()));
        return (Run::Yes, ("runs-sass", values));
    }
    if let Some(by) = ptx.iter().rev().find(runs_ptx) {
        values.push(("by", by.to_string()));
        return (Run::Yes, (if sass.is_empty() { "ui-inspect-runs-ptx-only" } else { "runs-ptx" }, values));
    }
    let (few_sass, few_ptx) = (library.few_sass(), library.few_ptx());
    let some = few_sass.iter().rev().find(runs_sass).or_else(|| few_ptx.iter().rev().find(runs_ptx));
    if let Some(by) = some {
        values.push(("by", by.to_string()));
        return (Run::Unknown, ("ui-inspect-few-on", values));
    }
    let id = match (sass.is_empty(), ptx.is_empty()) {
        (true, _) => "ui-inspect-old-ptx-only",
        (_, true) => "no-code",
        _ => "no-code-old-ptx",
    };
    (Run::No, (id, values))
}

/// Targets as they are read.
fn list(targets: &[ComputeTarget]) -> String {
    targets.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
