//! Interpreter, ABI and C library: which files a build has decides which Python can install it.

use super::{Context, Sink, one};
use crate::kb::Kb;
use crate::reason::{Reason, RuleId};
use crate::version::PythonVersion;
use crate::world::{Build, PackageWorld, PythonFacts};
use std::cmp::Ordering;

pub(super) fn apply<'w>(
    context: &Context<'w>,
    _package: &'w PackageWorld,
    build: &'w Build,
    out: &mut Sink<'_, 'w>,
) {
    if let Some(python) = context.request.python {
        self::python(python, context.world.kb, build, out);
    }
    if let Some(have) = context.request.glibc {
        match build.glibc {
            Some((needs, fact)) if have.cmp_number(&needs).is_lt() => {
                out.fail(RuleId::BuildPlatform, Reason::GlibcTooOld { have, needs }, one(fact));
            }
            Some((needs, fact)) => {
                out.pass(RuleId::BuildPlatform, Reason::GlibcFits { have, needs }, one(fact))
            }
            None => out.unknown(RuleId::BuildPlatform, Reason::GlibcUnknown { have }, build.facts.clone()),
        }
    }
}

/// What the files of one package say of an interpreter.
struct Found<'w> {
    /// Of the build's package, not of one that it pins.
    mine: bool,
    /// From the build's own channel.
    own_channel: bool,
    fits: bool,
    files: &'w PythonFacts,
}

impl Found<'_> {
    fn better_than(&self, other: &Self, kb: &Kb) -> bool {
        match (self.fits, &other.files.tags).cmp(&(other.fits, &self.files.tags)) {
            Ordering::Equal => kb.fact_name(self.files.fact) < kb.fact_name(other.files.fact),
            order => order.is_gt(),
        }
    }
}

fn python<'w>(python: PythonVersion, kb: &Kb, build: &'w Build, out: &mut Sink<'_, 'w>) {
    let id = &*kb.packages[usize::from(build.package)].id;
    // One file that fits is enough for each package; what is told does not hang on the order of the rows.
    let mut found: Vec<Found<'w>> = Vec::new();
    for files in &build.python {
        let mine = &*files.package == id;
        let fits = files.tags.iter().any(|t| accepts(t, python));
        let own_channel = mine && files.own_channel;
        let new = Found { mine, own_channel, fits, files };
        match found.iter_mut().find(|f| f.files.package == files.package && f.own_channel == own_channel) {
            Some(known) if new.better_than(known, kb) => *known = new,
            Some(_) => {}
            None => found.push(new),
        }
    }
    let against = found.iter().filter(|f| !f.fits && (f.own_channel || !f.mine));
    if let Some(Found { files, .. }) = against.min_by_key(|f| (!f.mine, &f.files.package)) {
        let reason = Reason::PythonNoFile { python, package: &files.package, tags: &files.tags };
        out.fail(RuleId::BuildPlatform, reason, one(files.fact));
        return;
    }
    let own = found.iter().find(|f| f.own_channel).map(|f| f.files);
    let sibling = found.iter().find(|f| f.mine && !f.own_channel).map(|f| (f.fits, f.files));
    // A wheel for one interpreter settles it. One that any Python 3 accepts is held to what its metadata asks for.
    let exact = own.filter(|files| files.tags.iter().any(|t| t.starts_with("cp") && !t.ends_with("abi3")));
    let documented = build.python_documented.as_ref().filter(|_| exact.is_none());
    if let Some(documented) = documented {
        if documented.value.contains(&python.prefix(2)) {
            out.pass(RuleId::BuildPlatform, Reason::PythonFits { python }, documented.facts.clone());
        } else {
            let reason = Reason::PythonOutside { python, range: &documented.value };
            out.fail(RuleId::BuildPlatform, reason, documented.facts.clone());
        }
        return;
    }
    // The same release on another channel is built for the same interpreters. What a pinned package has files for can
    // only rule an interpreter out.
    match (own, sibling) {
        (Some(files), _) | (None, Some((true, files))) => {
            out.pass(RuleId::BuildPlatform, Reason::PythonFits { python }, one(files.fact));
        }
        (None, Some((false, files))) => {
            let reason = Reason::PythonNoFile { python, package: &files.package, tags: &files.tags };
            out.fail(RuleId::BuildPlatform, reason, one(files.fact));
        }
        (None, None) => {
            out.unknown(RuleId::BuildPlatform, Reason::PythonUnknown { python }, build.facts.clone());
        }
    }
}

/// Can this interpreter install a file with this tag? `cp312` exactly, `cp38-abi3` from there on, `py3` any.
pub(crate) fn accepts(tag: &str, python: PythonVersion) -> bool {
    let (interpreter, abi) = tag.split_once('-').unwrap_or((tag, ""));
    let number = |digits: &str| -> Option<(u32, u32)> {
        let (major, minor) = digits.split_at_checked(1)?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    let have = (python.major(), python.minor());
    if let Some(digits) = interpreter.strip_prefix("cp") {
        return match number(digits) {
            Some(built) if abi == "abi3" => have.0 == built.0 && have >= built,
            Some(built) => built == have,
            None => false,
        };
    }
    match interpreter.strip_prefix("py") {
        Some("3") => python.major() == 3,
        Some("2") => python.major() == 2,
        Some(digits) => number(digits).is_some_and(|built| built.0 == have.0 && have >= built),
        None => false,
    }
}

/// The Python versions that a list of tags accepts, as far as the tags name them.
pub(crate) fn versions(tags: &[impl AsRef<str>]) -> Vec<PythonVersion> {
    let mut out: Vec<PythonVersion> = tags
        .iter()
        .filter_map(|tag| {
            let digits = tag.as_ref().split('-').next()?.strip_prefix("cp")?;
            let (major, minor) = digits.split_at_checked(1)?;
            Some(PythonVersion::new(&[major.parse().ok()?, minor.parse().ok()?]))
        })
        .collect();
    out.sort();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        let v = |t: &str| t.parse::<PythonVersion>().expect(t);
        for (tag, python, fits) in [
            ("cp312", "3.12", true),
            ("cp312", "3.12.4", true),
            ("cp312", "3.11", false),
            ("cp38-abi3", "3.13", true),
            ("cp38-abi3", "3.7", false),
            ("py3", "3.14", true),
            ("cp313t", "3.13", false),
            ("", "3.13", false),
            ("py", "3.13", false),
        ] {
            assert_eq!(accepts(tag, v(python)), fits, "{tag} {python}");
        }
    }
}
