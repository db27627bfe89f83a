//! Where a build's CUDA libraries come from: in the wheel, pulled as NVIDIA's wheels, or from a toolkit on the machine.
//! "provides" and "requires" hang on builds, never on frameworks.

use super::{Context, Sink, join};
use crate::reason::{Reason, RuleId};
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
            Some(Libraries::System) => {
                system(build, request.toolkit.as_ref().and_then(|(t, _)| t.parse().ok()), out)
            }
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
                system(build, request.cuda_exact(), out);
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
                        if let Some(have) = request.cuda_exact() {
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
    let Some(have) = have else { return };
    if let Some(accepted) = &build.accepts_cuda {
        let two = crate::version::VersionSet::starting_with(have.prefix(2));
        if accepted.value.contains(&have.0) || have.len() <= 2 && accepted.value.overlaps(&two) {
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
    // Releases of one family share their file names: the major from CUDA 11 on, before that the release itself.
    let family = |v: CudaVersion| v.prefix(if v.major() >= 11 { 1 } else { 2 });
    let same_family = family(have).cmp_number(&family(made.value)).is_eq();
    if !same_family {
        out.fail(RuleId::Libraries, Reason::SystemOtherMajor { have, made: made.value }, made.facts.clone());
    } else if have.prefix(2).cmp_number(&made.value.prefix(2)).is_lt() {
        out.unknown(RuleId::Libraries, Reason::SystemOlder { have, made: made.value }, made.facts.clone());
    } else {
        out.pass(RuleId::Libraries, Reason::SystemFits { have, made: made.value }, made.facts.clone());
    }
}
