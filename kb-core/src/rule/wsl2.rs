//! WSL2: the Windows driver is the only driver, so its numbers count (the other rules ask for the Windows column), and
//! not every GPU can be used.

use super::{Context, Sink, one};
use crate::platform::Os;
use crate::reason::{Reason, RuleId};
use crate::request::GpuTarget;
use crate::world::read::rows;

pub(super) fn apply<'w>(context: &Context<'w>, target: &'w GpuTarget, out: &mut Sink<'_, 'w>) {
    if context.request.os != Os::Wsl2 {
        return;
    }
    let kb = context.world.kb;
    let Some(index) = target.gpu else { return };
    let architecture = &*kb.gpus[index].architecture;
    for (fact, row) in rows(kb, "wsl-support", ["architecture", "supported", "from"]) {
        if row.text(0) != Some(architecture) {
            continue;
        }
        if row.flag(1) {
            out.pass(RuleId::Wsl2, Reason::WslFits { gpu: &target.label }, one(fact));
        } else {
            let reason =
                Reason::WslNotSupported { gpu: &target.label, architecture, from: row.text(2).unwrap_or("") };
            out.fail(RuleId::Wsl2, reason, one(fact));
        }
    }
}
