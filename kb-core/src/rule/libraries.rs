//! Where a build's CUDA libraries come from: in the wheel, pulled as NVIDIA's wheels, or from a toolkit on the machine.
//! "provides" and "requires" hang on builds, never on frameworks.

use super::{Context, Sink, join};
use crate::reason::{Outcome, Reason, RuleId};
use crate::version::CudaVersion;
use crate::world::{Build, BuildKind, Libraries};

pub(super) fn apply<'w>(context: &Context<'w>, build: &'w Build, out: &mut Sink<'_, 'w>) {
    if build.kind != BuildKind::Cuda {
        return;
    }
    let request = context.request;
    let libraries = build.libraries.as_ref();
    let facts = join(libraries.iter().map(|l| &l.facts).chain(build.cuda.iter().map(|c| &c.facts)));
    if let Some((text, _)) = &request.toolkit {
        match libraries.map(|l| l.value) {
            Some(Libraries::System) => system(build, out.hand.toolkit, out),
            Some(value) => out.pass(
                RuleId::Libraries,
                Reason::ToolkitNotUsed { have: text.clone(), libraries: value },
                facts.clone(),
            ),
            None => {}
        }
    }
    if let Some(asked) = &request.cuda {
        match libraries.map(|l| l.value) {
            Some(Libraries::System) => {
                system(build, out.hand.cuda, out);
                return;
            }
            // The release is part of the build: the question asks for a build of that release.
            _ => match &build.cuda {
                Some(made) => {
                    let two = crate::version::VersionSet::starting_with(made.value.prefix(2));
                    let meant =
                        asked.contains(&made.value.0) || made.value.len() <= 2 && asked.overlaps(&two);
                    if !meant {
                        let reason = Reason::OtherCuda {
                            asked: asked.to_string().trim_end_matches(".*").to_owned(),
                            made: made.value,
                        };
                        out.fail(RuleId::Libraries, reason, made.facts.clone());
                        return;
                    }
                }
                None => match &build.accepts_cuda {
                    Some(accepted) if !accepted.value.overlaps(asked) => {
                        if let Some(have) = out.hand.cuda {
                            out.fail(
                                RuleId::Libraries,
                                Reason::SystemOutside { have, range: &accepted.value },
                                accepted.facts.clone(),
                            );
                        }
                        return;
                    }
                    Some(_) => {}
                    None => {
                        out.unknown(
                            RuleId::Libraries,
                            Reason::LibrariesUnknown { asked: asked.to_string() },
                            facts,
                        );
                        return;
                    }
                },
            },
        }
    }
    match libraries.map(|l| l.value) {
        Some(Libraries::System) => {
            if let Some(made) = &build.cuda {
                let reason =
                    Reason::NeedsSystem { cuda: made.value, cudnn: build.cudnn.as_ref().map(|c| c.value) };
                out.pass(RuleId::Libraries, reason, facts);
            }
        }
        Some(value) => {
            let reason =
                Reason::BringsLibraries { libraries: value, cuda: build.cuda.as_ref().map(|c| c.value) };
            out.pass(RuleId::Libraries, reason, facts);
        }
        None => {}
    }
}

/// A build that takes the toolkit on the machine: same major (before CUDA 11 the same release), not older.
fn system<'w>(build: &'w Build, have: Option<CudaVersion>, out: &mut Sink<'_, 'w>) {
    let Some((have, outcome)) = have.and_then(|have| Some((have, serves(build, have)?))) else { return };
    if let Some(accepted) = &build.accepts_cuda {
        if outcome == Outcome::Pass {
            if let Some(made) = &build.cuda {
                out.pass(
                    RuleId::Libraries,
                    Reason::SystemFits { have, made: made.value },
                    join([&accepted.facts, &made.facts]),
                );
            }
        } else {
            out.fail(
                RuleId::Libraries,
                Reason::SystemOutside { have, range: &accepted.value },
                accepted.facts.clone(),
            );
        }
        return;
    }
    let Some(made) = &build.cuda else { return };
    let reason = match outcome {
        Outcome::Fail => Reason::SystemOtherMajor { have, made: made.value },
        Outcome::Unknown => Reason::SystemOlder { have, made: made.value },
        Outcome::Pass => Reason::SystemFits { have, made: made.value },
    };
    out.put(RuleId::Libraries, outcome, reason, made.facts.clone());
}

/// Does a toolkit on the machine serve a build that takes one from there? Nothing can be said of a build of which no
/// CUDA release is recorded.
pub(super) fn serves(build: &Build, have: CudaVersion) -> Option<Outcome> {
    if let Some(accepted) = &build.accepts_cuda {
        let two = crate::version::VersionSet::starting_with(have.prefix(2));
        let inside = accepted.value.contains(&have.0) || have.len() <= 2 && accepted.value.overlaps(&two);
        return Some(if inside { Outcome::Pass } else { Outcome::Fail });
    }
    let made = build.cuda.as_ref()?.value;
    // Releases of one family share their file names: the major from CUDA 11 on, before that the release itself.
    let family = |v: CudaVersion| v.prefix(if v.major() >= 11 { 1 } else { 2 });
    Some(if family(have).cmp_number(&family(made)).is_ne() {
        Outcome::Fail
    } else if have.prefix(2).cmp_number(&made.prefix(2)).is_lt() {
        Outcome::Unknown
    } else {
        Outcome::Pass
    })
}
