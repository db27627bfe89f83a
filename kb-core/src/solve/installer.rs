//! What an installer takes for a name without a version.
//!
//! In a check of several packages whose index is named such a name means what pip would install: the newest release that the machine leaves
//! possible and that meets what the packages require of each other. The other clashes that are judged here pip does not
//! see, so it does not step back to an older release for them.

use super::Solved;
use super::classes::{Class, Required, classes};
use crate::pep::Version;
use crate::reason::Outcome;
use crate::request::{Intent, Want};
use crate::rule::Context;
use crate::rule::one_environment::installer_refuses;
use std::collections::HashMap;

/// For each want the release that is taken; `None` where the question leaves the choice to the search.
pub(super) fn takes<'w>(
    context: &Context<'w>,
    solved: &[Solved<'w>],
    required: &Required<'_>,
) -> Vec<Option<Version>> {
    let request = context.request;
    let indexes = request.intent == Intent::Check && !request.channels.is_empty();
    if !indexes || !solved.iter().any(|s| bare(&s.want)) {
        return vec![None; solved.len()];
    }
    let all = solved.iter().map(|s| {
        let mut classes = classes(context, s, required, None);
        classes.retain(|c| c.outcome != Outcome::Fail);
        classes
    });
    let all: Vec<Vec<Class<'w>>> = all.collect();
    let mut resolution = Resolution { context, classes: &all, refused: HashMap::new() };
    let mut chosen = Vec::with_capacity(all.len());
    // Without a resolution the newest of each is shown, and how they clash.
    let resolved = resolution.extend(&mut chosen);
    let version = |want: usize| {
        let at = if resolved { chosen[want] } else { 0 };
        all[want].get(at)?.pick.version.clone()
    };
    (0..solved.len()).map(|want| if bare(&solved[want].want) { version(want) } else { None }).collect()
}

/// Does a want name no version?
fn bare(want: &Want) -> bool {
    want.requirement.versions().is_none() && want.label.is_none()
}

struct Resolution<'a, 'w> {
    context: &'a Context<'w>,
    classes: &'a [Vec<Class<'w>>],
    refused: HashMap<(usize, usize, usize, usize), bool>,
}

impl Resolution<'_, '_> {
    /// Depth first, newest first.
    fn extend(&mut self, chosen: &mut Vec<usize>) -> bool {
        let at = chosen.len();
        if at == self.classes.len() {
            return true;
        }
        for index in 0..self.classes[at].len() {
            if (0..at).any(|before| self.refuses(before, chosen[before], at, index)) {
                continue;
            }
            chosen.push(index);
            if self.extend(chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }

    fn refuses(&mut self, i: usize, a: usize, j: usize, b: usize) -> bool {
        let (first, second) = (&self.classes[i][a].pick, &self.classes[j][b].pick);
        let context = self.context;
        *self.refused.entry((i, a, j, b)).or_insert_with(|| installer_refuses(context, first, second))
    }
}
