//! Combinations known to be bad: all conditions of an advisory hold.

use super::{Context, OnHand, Sink};
use crate::reason::{Outcome, Reason, RuleId};
use crate::record::Severity;
use crate::version::VersionSet;
use crate::world::{Build, Facts, PackageWorld};

pub(super) fn apply<'w>(
    context: &Context<'w>,
    package: &'w PackageWorld,
    build: &'w Build,
    out: &mut Sink<'_, 'w>,
) {
    let kb = context.world.kb;
    let id = &*kb.packages[usize::from(build.package)].id;
    for (index, advisory) in kb.advisories.iter().enumerate() {
        if advisory.severity == Severity::Note || !advisory.when.iter().any(|(k, _)| **k == *id) {
            continue;
        }
        // The build's own version last: it is read anew for each build, and the others mostly settle it.
        let about = |own: bool| advisory.when.iter().filter(move |(k, _)| (**k == *id) == own);
        let mut conditions = about(false).chain(about(true));
        let hand = out.hand;
        if conditions.all(|(what, value)| holds(context, package, build, id, hand, what, value)) {
            let outcome = if advisory.severity == Severity::Breaks { Outcome::Fail } else { Outcome::Pass };
            out.put(
                RuleId::Advisory,
                outcome,
                Reason::Advisory { index, version: package.release(build).text.to_string() },
                Facts::new(),
            );
        }
    }
}

/// Does one condition hold? What the question leaves open does not hold.
fn holds(
    context: &Context<'_>,
    package: &PackageWorld,
    build: &Build,
    id: &str,
    hand: OnHand,
    what: &str,
    value: &str,
) -> bool {
    let kb = context.world.kb;
    let request = context.request;
    match what {
        _ if what == id => {
            let release = package.release(build).version();
            let (versions, extra) = match value.split_once('[') {
                Some((v, e)) => (v.trim(), e.trim_end_matches(']')),
                None => (value, ""),
            };
            (extra.is_empty() || build.extra.as_deref() == Some(extra))
                && (versions == "*" || crate::pep::contains(&crate::pep::alternatives(versions), release))
        }
        "os" => request.os.word() == value,
        "channel" => value.split("||").any(|c| *kb.channels[usize::from(build.channel)].id == *c.trim()),
        "gpu" => request.gpus().iter().any(|g| g.gpu.is_some_and(|i| *kb.gpus[i].id == *value)),
        "gpu-compute" => value.parse::<VersionSet>().is_ok_and(|set| {
            request.gpus().iter().any(|g| {
                set.contains(&crate::version::Dotted::new(&[
                    u32::from(g.capability.major),
                    u32::from(g.capability.minor),
                ]))
            })
        }),
        "python" => {
            value.parse::<VersionSet>().is_ok_and(|set| request.python.is_some_and(|p| set.contains(&p.0)))
        }
        "cudnn" => {
            value.parse::<VersionSet>().is_ok_and(|set| hand.cudnn.is_some_and(|c| set.contains(&c.0)))
        }
        "cuda-toolkit" => {
            value.parse::<VersionSet>().is_ok_and(|set| hand.cuda.is_some_and(|c| set.contains(&c.0)))
        }
        "driver-branch" => {
            let numbers = value.replace(['R', 'r'], "");
            let set = numbers.parse::<VersionSet>();
            let branch = context.driver.as_ref().and_then(|d| d.branch);
            branch.is_some_and(|b| {
                set.is_ok_and(|s| s.contains(&crate::version::Dotted::new(&[u32::from(b.0)])))
            })
        }
        other => request.wants.iter().any(|want| {
            want.requirement.name == other
                && want
                    .requirement
                    .exact()
                    .is_some_and(|v| crate::pep::contains(&crate::pep::alternatives(value), v))
        }),
    }
}
