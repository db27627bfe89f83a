//! `catalog/accelerators/<id>.toml`: what is not CUDA, and what exists for it.

use super::role::Role;
use super::{Loader, put, source_list};
use kb_core::catalog::{Accelerator, Offer};

impl Loader<'_, '_> {
    pub(super) fn read_accelerators(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Accelerator(id) = role { Some(*id) } else { None },
            |id, _, f| {
                let name = f.text("name", "\"Huawei Ascend\"");
                let kind = f.text("kind", "\"npu\"");
                let aliases = f.boxed_list("aliases");
                let note = f.boxed_opt("note");
                let mut offers = Vec::new();
                for block in f.tables("offer") {
                    let package = block.text("package", "\"paddle-custom-npu\"");
                    let framework = block.text("framework", "\"paddlepaddle\"");
                    let needs = block.boxed_opt("needs");
                    let place = block.boxed_opt("where");
                    let chips = block.boxed_list("chips");
                    let sources = source_list(&self.names, &block, &block.texts("sources"));
                    let note = block.boxed_opt("note");
                    block.finish();
                    if let (Some(package), Some(framework)) = (package, framework) {
                        let (package, framework) = (package.boxed(), framework.boxed());
                        offers.push(Offer { framework, package, needs, place, chips, sources, note });
                    }
                }
                let (Some(name), Some(kind)) = (name, kind) else { return };
                found.push(Accelerator {
                    id: id.into(),
                    name: name.boxed(),
                    aliases,
                    kind: kind.boxed(),
                    offers,
                    note,
                });
            },
        );
        for accelerator in found {
            put(&mut self.kb.accelerators, accelerator, |a| &a.id);
        }
    }
}
