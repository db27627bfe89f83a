//! What a file is, told by its path.

use super::scalar;
use crate::tree::whole_file;
use kb_core::diag::Diagnostic;

/// The kinds of file, with the ids that the path gives.
pub(super) enum Role<'t> {
    Source(&'t str),
    Relation(&'t str),
    Gpus,
    Ambiguous,
    Package(&'t str),
    Channel(&'t str),
    Accelerator(&'t str),
    Facts {
        relation: &'t str,
        stem: &'t str,
    },
    Imported {
        importer: &'t str,
        relation: &'t str,
        name: &'t str,
    },
    Checked {
        importer: &'t str,
    },
    Dispute {
        relation: &'t str,
        name: &'t str,
    },
    Topic(&'t str),
    Claims(&'t str),
    Advisory(&'t str),
    Rule(&'t str),
    Signature(&'t str),
    Cause(&'t str),
    Words(&'t str),
    /// README.md, for people.
    Ignored,
}

/// The patterns of paths, for messages.
const KNOWN: [&str; 18] = [
    "sources/<id>.toml",
    "relations/<id>.md",
    "catalog/gpus/<architecture>.toml",
    "catalog/gpus/ambiguous.toml",
    "catalog/packages/<id>.toml",
    "catalog/channels/<id>.toml",
    "catalog/accelerators/<id>.toml",
    "facts/<relation>/<source>.toml",
    "imported/<importer>/<relation>/<name>.toml",
    "imported/<importer>/checked.toml",
    "disputes/<relation>/<name>.md",
    "topics/<id>.md",
    "claims/<article>.toml",
    "advisories/<id>.md",
    "rules/<id>.md",
    "signatures/<id>.md",
    "causes/<id>.md",
    "words/<language>.toml",
];

/// The role of a path.
pub(super) fn of(path: &str) -> Result<Role<'_>, Diagnostic> {
    let parts: Vec<&str> = path.split('/').collect();
    if parts.last().is_some_and(|name| name.eq_ignore_ascii_case("README.md")) {
        return Ok(Role::Ignored);
    }
    let toml = |name: &'_ str| name.len().checked_sub(5).filter(|_| name.ends_with(".toml"));
    let stem =
        |name: &'_ str| toml(name).or_else(|| name.len().checked_sub(3).filter(|_| name.ends_with(".md")));
    let Some(end) = parts.last().copied().and_then(stem) else { return Err(unknown(path)) };
    let is_toml = path.ends_with(".toml");
    let role = match (is_toml, parts.as_slice()) {
        (true, ["sources", f]) => Role::Source(&f[..end]),
        (false, ["relations", f]) => Role::Relation(&f[..end]),
        (true, ["catalog", "gpus", "ambiguous.toml"]) => Role::Ambiguous,
        (true, ["catalog", "gpus", _]) => Role::Gpus,
        (true, ["catalog", "packages", f]) => Role::Package(&f[..end]),
        (true, ["catalog", "channels", f]) => Role::Channel(&f[..end]),
        (true, ["catalog", "accelerators", f]) => Role::Accelerator(&f[..end]),
        (true, ["facts", relation, f]) => Role::Facts { relation, stem: &f[..end] },
        (true, ["imported", importer, relation, f]) => Role::Imported { importer, relation, name: &f[..end] },
        (true, ["imported", importer, "checked.toml"]) => Role::Checked { importer },
        (false, ["disputes", relation, f]) => Role::Dispute { relation, name: &f[..end] },
        (false, ["topics", f]) => Role::Topic(&f[..end]),
        (true, ["claims", f]) => Role::Claims(&f[..end]),
        (false, ["advisories", f]) => Role::Advisory(&f[..end]),
        (false, ["rules", f]) => Role::Rule(&f[..end]),
        (false, ["signatures", f]) => Role::Signature(&f[..end]),
        (false, ["causes", f]) => Role::Cause(&f[..end]),
        // A language tag has capitals: zh-Hans.
        (true, ["words", f]) => return Ok(Role::Words(&f[..end])),
        _ => return Err(unknown(path)),
    };
    for part in &parts[..parts.len() - 1] {
        scalar::id(part).map_err(|d| d.at(whole_file(path)))?;
    }
    let name = parts.last().map_or("", |f| &f[..end]);
    // These are named after key values, and platforms have an underscore: linux-x86_64.
    let plain = match role {
        Role::Dispute { .. } | Role::Imported { .. } => &*name.replace('_', "-"),
        _ => name,
    };
    scalar::id(plain).map_err(|d| d.at(whole_file(path)))?;
    Ok(role)
}

fn unknown(path: &str) -> Diagnostic {
    let first = path.split('/').next().unwrap_or(path);
    let mut near: Vec<&str> = KNOWN.iter().copied().filter(|k| k.split('/').next() == Some(first)).collect();
    if near.is_empty() {
        near = super::near::near(first, KNOWN.iter().filter_map(|k| k.split('/').next()));
    }
    let out = Diagnostic::error("unknown-file", "no kind of file has this path").at(whole_file(path));
    if near.is_empty() {
        out.help(format!("the known ones: {}", KNOWN.join(", ")))
    } else {
        out.help(format!("files like it: {}", near.join(", ")))
    }
}
