//! `topics/<id>.md`: questions on which guides and vendors disagree.

use super::links::Pointer;
use super::role::Role;
use super::{Loader, Spot, put};
use kb_core::record::Topic;

impl Loader<'_, '_> {
    pub(super) fn read_topics(&mut self) {
        let mut found = Vec::new();
        let mut pointers = Vec::new();
        self.each(
            |role| if let Role::Topic(id) = role { Some(*id) } else { None },
            |id, file, f| {
                let title = f.text("title", "\"Which driver does CUDA 12 need?\"");
                let resolution = f.text("resolution", "\"what holds\"");
                let names = f.boxed_list("names");
                let positions = f.boxed_list("positions");
                let rule = f.boxed_opt("rule");
                let (claims, facts) = (f.texts("claims"), f.texts("facts"));
                for text in &claims {
                    pointers.push((Pointer::Claim(text.boxed()), Spot { file, span: text.span.clone() }));
                }
                for text in &facts {
                    pointers.push((Pointer::Fact(text.boxed()), Spot { file, span: text.span.clone() }));
                }
                let (Some(title), Some(resolution)) = (title, resolution) else { return };
                found.push(Topic {
                    id: id.into(),
                    title: title.boxed(),
                    names,
                    positions,
                    resolution: resolution.boxed(),
                    rule,
                    claims: claims.iter().map(|t| t.boxed()).collect(),
                    facts: facts.iter().map(|t| t.boxed()).collect(),
                    prose: f.file.prose.into(),
                });
            },
        );
        self.seen.pointers.extend(pointers);
        for topic in found {
            put(&mut self.kb.topics, topic, |t| &t.id);
        }
    }
}
