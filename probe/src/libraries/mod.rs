//! CUDA's libraries wherever a process would find them, and which copy it would load.

mod copies;
mod header;
mod look;
mod name;
mod parts;
mod requester;
mod search;
#[cfg(test)]
mod tests;
mod version;
mod which;

pub use parts::FileSet;
pub use search::{Candidate, Rule, Search, Step};
pub use which::{Which, which};

use crate::machine::Family;
use crate::python::Environment;
use crate::{Sink, Wanted};
pub(crate) use look::Look;
use requester::Requester;
use std::collections::BTreeSet;

/// Looks for libraries as the frameworks of an environment find them, or a process without one.
///
/// `look` is of the same machine; what it knows already is not asked again.
pub(crate) fn observe(
    sink: &mut Sink<'_>,
    look: &Look<'_>,
    environment: Option<&Environment>,
    wanted: &Wanted,
) {
    if sink.machine.family() == Family::Macos {
        return;
    }
    let environments = environment.map_or(&[][..], std::slice::from_ref);
    let requesters = match environment {
        None => vec![Requester::plain(None)],
        Some(environment) => requester::frameworks(look, environment),
    };
    let copies = copies::all(look, &requesters, environments, &|n| name::known(n).is_some());
    for copy in &copies {
        let asks = Some(&*copy.asks).filter(|a| !a.is_empty());
        sink.see("library-found", &*copy.path, &copy.rule.to_string(), asks);
        let what = name::known(crate::place::name(look.family, &copy.path)).and_then(name::observation);
        if let Some(what) = what {
            for known in version::versions(look, &copy.path) {
                sink.see(what, known.value, known.method, Some(&known.place));
            }
        }
        for (file, directory) in parts::missing(look, copy, &wanted.file_sets) {
            sink.see("library-part-missing", file, "file", Some(&directory));
        }
    }
    header::observe(sink, look, &copies);
    for requester in &requesters {
        first(sink, look, requester, &copies);
    }
    for (place, why) in look.refused() {
        sink.fail("library-first", "search", Some(&place), why);
    }
}

/// The copies that `requester` would load, and those that it needs and would not find.
fn first(sink: &mut Sink<'_>, look: &Look<'_>, requester: &Requester<'_>, copies: &[copies::Copy]) {
    for (library, _) in name::KNOWN {
        for name in names(look, requester, library, copies) {
            let found = search::search(look, requester, &name);
            let needed = requester.facts.needed.iter().any(|n| look.same(n, &name));
            if let Some(first) = found.first() {
                sink.see("library-first", &*first.path, &first.rule.to_string(), Some(&found.asks));
            } else if needed {
                sink.see("library-missing", name, "search", Some(&found.asks));
            }
        }
    }
}

/// The file names by which `requester` asks for a library: those that it needs, else all that there are if it asks by
/// name.
fn names(
    look: &Look<'_>,
    requester: &Requester<'_>,
    library: &str,
    copies: &[copies::Copy],
) -> BTreeSet<String> {
    let is = |n: &str| name::parsed(n).is_some_and(|p| p.library.eq_ignore_ascii_case(library));
    let needed: BTreeSet<String> = requester.facts.needed.iter().filter(|n| is(n)).cloned().collect();
    let by_name = requester.framework.is_none_or(|f| f.by_name || look.family == Family::Windows);
    if !needed.is_empty() || !by_name {
        return needed;
    }
    let found = copies.iter().map(|c| crate::place::name(look.family, &c.path)).filter(|n| is(n));
    // A name with the whole version is none that programs ask for, nor is one with a checksum in it.
    found.filter(|n| name::parsed(n).is_some_and(|p| !p.whole)).map(|n| lower(look, n)).collect()
}

/// A file name in one form: Windows does not tell cases apart.
fn lower(look: &Look<'_>, name: &str) -> String {
    if look.family == Family::Windows { name.to_ascii_lowercase() } else { name.to_owned() }
}
