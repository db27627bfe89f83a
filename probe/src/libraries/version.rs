//! Which version a copy of a library is.

use super::look::Look;
use super::name::{self, parsed};
use crate::library::LibraryFacts;
use crate::machine::Family;
use crate::place;
use artifact::bundled::{Resource, resource_version};

/// A version, and how it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The version, as far as it goes.
    pub value: String,
    /// `library`: its own code or data; `version resource`; `file name`.
    pub method: &'static str,
    /// The file that says it.
    pub place: String,
}

/// Parts of cuDNN that state the version where the main library only asks them.
const STATING: [&str; 4] = ["cudnn_graph", "cudnn_ops", "cudnn_ops_infer", "cudnn_cnn_infer"];

/// What is known of the version of the library at `path`, the most exact first.
pub(super) fn versions(look: &Look<'_>, path: &str) -> Vec<Known> {
    let real = look.resolved(path).unwrap_or_else(|| path.to_owned());
    let mut out = Vec::new();
    let Some(name) =
        parsed(place::name(look.family, path)).or_else(|| parsed(place::name(look.family, &real)))
    else {
        // Not one of CUDA's: what Windows says of it.
        let facts = look.library(path).filter(|_| look.family == Family::Windows);
        let value = facts.and_then(|f| f.version.clone());
        return value
            .map(|value| Known { value, method: "version resource", place: real })
            .into_iter()
            .collect();
    };
    match look.family {
        Family::Windows => {
            let facts = look.library(path).unwrap_or_default();
            let value = of_resource(&name.library, &facts);
            out.extend(value.map(|value| Known { value, method: "version resource", place: real.clone() }));
        }
        Family::Linux | Family::Macos => out.extend(stated(look, &real, &name.library)),
    }
    // The name behind links says more: `libcudnn.so.9.1.0`.
    let names = [place::name(look.family, &real), place::name(look.family, path)];
    let by_name = || names.iter().filter_map(|n| name::parsed(n)).filter_map(|n| Some((n.version?, n.whole)));
    let whole = by_name().find(|(_, whole)| *whole);
    let version = if out.is_empty() { whole.or_else(|| by_name().next()) } else { whole };
    out.extend(version.map(|(v, _)| Known { value: v.value, method: "file name", place: real.clone() }));
    out
}

/// What an ELF library states of itself, or of cuDNN a part beside it.
fn stated(look: &Look<'_>, real: &str, library: &str) -> Option<Known> {
    let of = |path: &str| {
        let value = look.library(path)?.version.clone()?;
        Some(Known { value, method: "library", place: path.to_owned() })
    };
    // Others state nothing that can be read.
    if !["cudnn", "cudart", "nccl"].iter().any(|l| library.starts_with(l)) {
        return None;
    }
    of(real).or_else(|| {
        let directory = place::parent(look.family, real).filter(|_| library == "cudnn")?;
        let major = |n: &str| parsed(n)?.version.and_then(|v| Some(v.value.split('.').next()?.to_owned()));
        let own = major(place::name(look.family, real))?;
        let names = look.names(directory);
        let part = |p: &&str| {
            let is =
                |n: &&String| parsed(n).is_some_and(|x| x.library == **p) && major(n) == Some(own.clone());
            names.iter().find(is).cloned()
        };
        STATING.iter().filter_map(part).find_map(|n| of(&place::join(look.family, directory, &n)))
    })
}

fn of_resource(library: &str, facts: &LibraryFacts) -> Option<String> {
    let resource = Resource {
        description: facts.description.as_deref(),
        product_text: None,
        product: facts.version.as_deref(),
        file: facts.file_version.as_deref().or(facts.version.as_deref()),
    };
    resource_version(library, &resource).map(|v| v.value)
}
