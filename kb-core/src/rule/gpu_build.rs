//! A build must hold GPU code at all: PyPI's torch on Windows does not.

use super::{Context, Sink};
use crate::reason::{Reason, RuleId};
use crate::request::Hardware;
use crate::world::{Build, BuildKind, PackageWorld};

pub(super) fn apply<'w>(
    context: &Context<'w>,
    package: &'w PackageWorld,
    build: &'w Build,
    out: &mut Sink<'_, 'w>,
) {
    let facts = || build.facts.clone();
    match (&context.request.hardware, build.kind) {
        (Hardware::None, _) => out.pass(RuleId::GpuBuild, Reason::CpuIsEnough, facts()),
        (Hardware::Unstated, BuildKind::Cuda) | (Hardware::Gpus { .. }, BuildKind::Cuda) => {}
        (Hardware::Unstated | Hardware::Gpus { .. }, BuildKind::Cpu) => {
            // Without a word about hardware a CPU build is a sound build; with a driver or a GPU it is not what was meant.
            if context.request.means_gpu() {
                out.fail(RuleId::GpuBuild, cpu(context, package, build), facts());
            } else {
                out.pass(RuleId::GpuBuild, Reason::CpuIsEnough, facts());
            }
        }
        (_, BuildKind::Plain) => {}
        (_, BuildKind::Rocm) => out.fail(RuleId::GpuBuild, Reason::RocmBuild, facts()),
    }
}

/// A CPU build, and where the GPU builds are: in another channel, or in older releases.
fn cpu<'w>(context: &Context<'w>, package: &'w PackageWorld, build: &'w Build) -> Reason<'w> {
    let gpu = || package.builds.iter().filter(|b| b.kind == BuildKind::Cuda && b.platform == build.platform);
    let platform = build.platform.or(Some(context.request.platform()));
    let mut same = gpu().filter(|b| b.release == build.release);
    if let Some(other) = same.clone().find(|b| b.extra.is_some() && b.channel == build.channel) {
        return Reason::CpuBuildExtra {
            platform,
            with: crate::answer::sentence::build_name(context.world, other),
        };
    }
    if let Some(other) = same.next() {
        let channel = &*context.world.kb.channels[usize::from(other.channel)].id;
        return Reason::CpuBuildElsewhere { platform, channel };
    }
    match gpu().map(|b| b.release).filter(|r| *r < build.release).max() {
        Some(last) => Reason::CpuBuildSince { platform, last: &package.releases[last as usize].text },
        None => Reason::CpuBuild { platform },
    }
}
