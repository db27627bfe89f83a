//! Questions to the facts: which releases, files and builds are known.

use crate::fact::FactId;
use crate::kb::Kb;
use crate::value::Value;
use crate::version::Dotted;
use pep440_rs::{Version, VersionSpecifiers};
use std::str::FromStr;

/// A cell as text.
pub(super) fn text(kb: &Kb, id: FactId, column: &str) -> Option<String> {
    kb.cell(id, column).map(Value::to_string)
}

/// A cell as a dotted version, also when the column holds text.
pub(super) fn version(kb: &Kb, id: FactId, column: &str) -> Option<Dotted> {
    match kb.cell(id, column)? {
        Value::Version(v) => Some(*v),
        Value::Text(t) => t.parse().ok(),
        _ => None,
    }
}

/// A cell as texts: the items of a list, or the one value.
pub(super) fn list(kb: &Kb, id: FactId, column: &str) -> Vec<String> {
    match kb.cell(id, column) {
        Some(Value::List(items)) => items.iter().map(Value::to_string).collect(),
        Some(value) => vec![value.to_string()],
        None => Vec::new(),
    }
}

/// A cell as a whole number.
pub(super) fn integer(kb: &Kb, id: FactId, column: &str) -> Option<u64> {
    match kb.cell(id, column)? {
        Value::Integer(i) => u64::try_from(*i).ok(),
        other => other.to_string().parse().ok(),
    }
}

/// Adds a text that is not there yet.
pub(super) fn add(to: &mut Vec<String>, text: String) {
    if !to.contains(&text) {
        to.push(text);
    }
}

/// What is known of a cuDNN release.
pub(super) struct CudnnRelease {
    /// With its build number.
    pub(super) full: Option<String>,
    /// Names of its archives.
    pub(super) archives: Vec<String>,
}

/// The cuDNN release with the first three parts of `wanted` (relation `cudnn-release`).
pub(super) fn cudnn_release(kb: &Kb, wanted: &Dotted) -> Option<CudnnRelease> {
    let wanted = wanted.prefix(3);
    let mut found: Option<CudnnRelease> = None;
    for (id, _) in kb.facts_of("cudnn-release") {
        if version(kb, id, "cudnn").is_some_and(|v| v.prefix(3).cmp_number(&wanted).is_eq()) {
            let entry = found.get_or_insert(CudnnRelease { full: None, archives: Vec::new() });
            entry.full = entry.full.take().or_else(|| text(kb, id, "full"));
            for name in list(kb, id, "archives") {
                add(&mut entry.archives, name);
            }
        }
    }
    found
}

/// Does any fact of a relation have, in a column, a version that starts with `wanted`?
pub(super) fn has_version(kb: &Kb, relation: &str, column: &str, wanted: &Dotted) -> bool {
    kb.facts_of(relation).any(|(id, _)| {
        version(kb, id, column).is_some_and(|v| v.starts_with(wanted) || v.cmp_number(wanted).is_eq())
    })
}

/// Does the knowledge base have facts of a relation at all?
pub(super) fn has_any(kb: &Kb, relation: &str) -> bool {
    kb.facts_of(relation).next().is_some()
}

/// What a build was made with (relation `build-made-with`), over all rows that fit.
#[derive(Default)]
pub(super) struct Made {
    /// CUDA releases.
    pub(super) cuda: Vec<String>,
    /// cuDNN releases.
    pub(super) cudnn: Vec<String>,
    /// Channels that serve it.
    pub(super) channels: Vec<String>,
}

/// Looks up builds of a package's version; with a label only those of the channel that carries it, without one only
/// channels whose builds carry none.
pub(super) fn made_with(
    kb: &Kb,
    package: &str,
    version: &Version,
    label: Option<&str>,
    os: Option<&str>,
) -> Made {
    let public = version.clone().without_local();
    let base = version.only_release().with_pre(version.pre());
    let mut made = Made::default();
    for (id, _) in kb.facts_of("build-made-with") {
        if text(kb, id, "package").as_deref() != Some(package) {
            continue;
        }
        let channel = text(kb, id, "channel").unwrap_or_default();
        let own = text(kb, id, "local-label");
        let fits = match label {
            Some(label) => {
                own.as_deref() == Some(label) || channel == label || channel.rsplit('-').next() == Some(label)
            }
            None => own.is_none() && !channel.contains("-post"),
        };
        let platform = text(kb, id, "platform").unwrap_or_default();
        if !fits || os.is_some_and(|os| platform != "any" && !platform.starts_with(os)) {
            continue;
        }
        let Some(versions) = text(kb, id, "versions") else { continue };
        let inside = versions.split("||").any(|set| {
            VersionSpecifiers::from_str(set.trim()).is_ok_and(|s| s.contains(&public) || s.contains(&base))
        });
        if inside {
            text(kb, id, "cuda").into_iter().for_each(|v| add(&mut made.cuda, v));
            text(kb, id, "cudnn").into_iter().for_each(|v| add(&mut made.cudnn, v));
            add(&mut made.channels, channel);
        }
    }
    made
}

/// Channels of the catalogue that a label names: by id, alias, local label, or the last part of the id.
pub(super) fn channels_for(kb: &Kb, label: &str) -> Vec<String> {
    kb.channels
        .iter()
        .filter(|c| {
            c.id.eq_ignore_ascii_case(label)
                || c.aliases.iter().any(|a| a.eq_ignore_ascii_case(label))
                || c.local_label.as_deref().is_some_and(|l| l.eq_ignore_ascii_case(label))
                || c.id.rsplit('-').next().is_some_and(|l| l.eq_ignore_ascii_case(label))
        })
        .map(|c| c.id.to_string())
        .collect()
}
