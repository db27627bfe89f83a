//! A build must hold GPU code at all: PyPI's torch on Windows does not.

use super::{Context, Sink};
use crate::reason::{Reason, RuleId};
use crate::request::Hardware;
use crate::world::{Build, BuildKind};

pub(super) fn apply<'w>(context: &Context<'w>, build: &'w Build, out: &mut Sink<'_, 'w>) {
    let facts = build.facts.clone();
    match (&context.request.hardware, build.kind) {
        (Hardware::None, _) => out.pass(RuleId::GpuBuild, Reason::CpuIsEnough, facts),
        (Hardware::Unstated, BuildKind::Cuda) | (Hardware::Gpus { .. }, BuildKind::Cuda) => {}
        (Hardware::Unstated | Hardware::Gpus { .. }, BuildKind::Cpu) => {
            // Without a word about hardware a CPU build is a sound build; with a driver or a GPU it is not what was meant.
            let meant = matches!(context.request.hardware, Hardware::Gpus { .. })
                || context.driver.is_some()
                || context.request.cuda.is_some();
            if meant {
                out.fail(RuleId::GpuBuild, Reason::CpuBuild { platform: build.platform }, facts);
            } else {
                out.pass(RuleId::GpuBuild, Reason::CpuIsEnough, facts);
            }
        }
        (_, BuildKind::Rocm) => out.fail(RuleId::GpuBuild, Reason::RocmBuild, facts),
    }
}
