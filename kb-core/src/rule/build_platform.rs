//! Interpreter, ABI and C library: which files a build has decides which Python can install it.

use super::{Context, Sink, join, one};
use crate::kb::Kb;
use crate::reason::{Reason, RuleId};
use crate::version::PythonVersion;
use crate::world::{Build, Facts, Interpreters, PackageWorld, PythonFacts, PythonLimit};

pub(super) fn apply<'w>(
    context: &Context<'w>,
    _package: &'w PackageWorld,
    build: &'w Build,
    out: &mut Sink<'_, 'w>,
) {
    match context.request.python {
        Some(python) => self::python(python, context.world.kb, build, out),
        None if build.interpreters.is_empty() => no_python(context.world.kb, build, out),
        None => {}
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

fn python<'w>(python: PythonVersion, kb: &Kb, build: &'w Build, out: &mut Sink<'_, 'w>) {
    let id = &*kb.packages[usize::from(build.package)].id;
    // One file that fits is enough for each package; the files stand in the order of their facts' names. What is not
    // asked for with this interpreter needs no file for it.
    let mut found: Vec<Found<'w>> = Vec::new();
    for files in build.python.iter().filter(|files| files.when.contains(python)) {
        let mine = &*files.package == id;
        let fits = Interpreters::of_tags(&files.tags).contains(python);
        let own_channel = mine && files.own_channel;
        let new = Found { mine, own_channel, fits, files };
        let same = |f: &&mut Found<'w>| {
            (&f.files.package, f.files.when, f.own_channel) == (&files.package, files.when, own_channel)
        };
        match found.iter_mut().find(same) {
            Some(known) if fits && !known.fits => *known = new,
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
    let fits = Reason::PythonFits { python };
    match (own, documented, sibling) {
        // Without files of the channel, documents and the files of another channel have to agree.
        (None, Some(documented), Some((there, files)))
            if there != documented.value.contains(&python.prefix(2)) =>
        {
            let reason =
                Reason::PythonElsewhere { python, tags: &files.tags, range: Some(&documented.value) };
            out.unknown(RuleId::BuildPlatform, reason, join([&documented.facts, &one(files.fact)]));
        }
        (_, Some(documented), _) if documented.value.contains(&python.prefix(2)) => {
            let seen: Facts = own.or(sibling.map(|(_, files)| files)).map(|f| f.fact).into_iter().collect();
            let reason = if own.is_some() { fits } else { Reason::PythonDocumented { python } };
            out.pass(RuleId::BuildPlatform, reason, join([&documented.facts, &seen]));
        }
        (_, Some(documented), _) => {
            let reason = Reason::PythonOutside { python, range: &documented.value };
            out.fail(RuleId::BuildPlatform, reason, documented.facts.clone());
        }
        // The same release on another channel is built for the same interpreters, and perhaps for others.
        (Some(files), None, _) | (None, None, Some((true, files))) => {
            out.pass(RuleId::BuildPlatform, fits, one(files.fact));
        }
        (None, None, Some((false, files))) => {
            let reason = Reason::PythonElsewhere { python, tags: &files.tags, range: None };
            out.unknown(RuleId::BuildPlatform, reason, one(files.fact));
        }
        (None, None, None) => {
            out.unknown(RuleId::BuildPlatform, Reason::PythonUnknown { python }, build.facts.clone());
        }
    }
}

/// No interpreter was named, and none would do: what the build pins has no file for any that it has one for itself.
fn no_python<'w>(kb: &'w Kb, build: &'w Build, out: &mut Sink<'_, 'w>) {
    let id = &*kb.packages[usize::from(build.package)].id;
    let limits = build.python_limits(id);
    let named = |open: bool| -> Vec<(String, Interpreters)> {
        let set = |l: &PythonLimit<'_>| if open { l.fits.or(l.open) } else { l.fits };
        limits.iter().map(|l| (l.package.to_owned(), set(l))).collect()
    };
    let nobody = no_common_python(&named(true));
    // With those about which somebody knows, what it requires may clash.
    let involved = nobody.clone().or_else(|| no_common_python(&named(false))).unwrap_or_else(|| named(false));
    let is_involved = |f: &&PythonFacts| involved.iter().any(|(package, _)| **package == *f.package);
    let mut facts: Facts = build.python.iter().filter(is_involved).map(|f| f.fact).collect();
    facts.extend(build.python_documented.iter().flat_map(|d| d.facts.iter().copied()));
    match nobody {
        Some(needed) => out.fail(RuleId::BuildPlatform, Reason::NoCommonPython { needed }, facts),
        None => out.unknown(RuleId::BuildPlatform, Reason::CommonPythonUnknown, facts),
    }
}

/// Those of several that together leave no interpreter, none of which can be left out.
pub(crate) fn no_common_python(limits: &[(String, Interpreters)]) -> Option<Vec<(String, Interpreters)>> {
    let common =
        |l: &[(String, Interpreters)]| l.iter().fold(Interpreters::ALL, |set, (_, own)| set.and(*own));
    let mut needed = limits.to_vec();
    if !common(&needed).is_empty() {
        return None;
    }
    for at in (0..needed.len()).rev() {
        let left_out = needed.remove(at);
        if !common(&needed).is_empty() {
            needed.insert(at, left_out);
        }
    }
    Some(needed)
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
