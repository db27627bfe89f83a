//! A want without a build that could be judged: is it known that there is none, or has nobody recorded one?

use crate::graph::{accepted, labelled, runs_on};
use crate::reason::{Edge, Outcome, Reason, RuleId};
use crate::request::{Want, family};
use crate::rule::Context;
use crate::world::Facts;

/// Why there is no build. `None` when it is not known that there is none.
///
/// Who records builds of a release for some platforms has looked at all of them, and who records builds of a package in
/// a channel has looked at its releases there. Where neither was done, nobody knows.
pub(crate) fn of<'w>(context: &Context<'w>, want: &Want) -> Option<Edge<'w>> {
    let request = context.request;
    let kb = context.world.kb;
    let mut platforms: Vec<String> = Vec::new();
    let mut channels: Vec<usize> = Vec::new();
    let mut looked_at: Vec<usize> = Vec::new();
    let mut withheld: Vec<&str> = Vec::new();
    let mut some_open = false;
    let mut elsewhere = false;
    let world = context.world.everywhere();
    for member in family(world, want.package) {
        let package = world.package(member);
        let accepted = accepted(want, package);
        for (release, _) in package.releases.iter().zip(&accepted).filter(|(_, open)| !**open) {
            if want.requirement.accepts(release.version()) {
                withheld.push(&*release.text);
            }
        }
        some_open |= accepted.contains(&true);
        for build in &package.builds {
            looked_at.push(usize::from(build.channel));
            if !accepted[build.release as usize] || !labelled(kb, want, build) {
                continue;
            }
            if runs_on(build, request) {
                channels.push(usize::from(build.channel));
            } else {
                elsewhere = true;
            }
            platforms.extend(build.platform.map(|p| p.to_string()));
        }
    }
    platforms.sort();
    platforms.dedup();
    let what = want.text.clone();
    let reason = if !some_open && !withheld.is_empty() {
        Reason::OnlyWithheld { what, releases: withheld.join(", ") }
    } else if channels.is_empty() {
        if !elsewhere {
            return None;
        }
        let platform = request.platform().to_string();
        Reason::NoBuild { what, platform, others: platforms.join(", ") }
    } else {
        // Builds for here that are no answer are containers or plans.
        request.channels.iter().find(|c| looked_at.contains(c))?;
        let mut others: Vec<&str> = channels.iter().map(|c| &*kb.channels[*c].id).collect();
        others.sort_unstable();
        others.dedup();
        let asked: Vec<&str> = request.channels.iter().map(|c| &*kb.channels[*c].id).collect();
        Reason::NotInChannel { what, channel: asked.join(", "), others: others.join(", ") }
    };
    Some(Edge { rule: RuleId::BuildPlatform, outcome: Outcome::Fail, reason, facts: Facts::new() })
}
