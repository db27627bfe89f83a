//! Versions and extras that one channel spells in its own way.

use super::Want;
use crate::catalog::ExtraName;
use crate::pep::{Requirement, normal_name};
use crate::world::View;

/// `2.6.2.post120` of Paddle's old index is not a release of its own but 2.6.2 from the channel called post120.
pub(super) fn channel(world: View<'_>, want: &mut Want) {
    let Some(version) = want.requirement.exact() else { return };
    let Some(post) = version.post() else { return };
    let everywhere = world.everywhere();
    let package = everywhere.package(want.package);
    if package.releases.iter().any(|r| r.version() == version) {
        return;
    }
    let tag = format!("post{post}");
    let base = version.clone().with_post(None);
    let found = package.builds.iter().find(|b| {
        let channel = &world.kb.channels[usize::from(b.channel)];
        *package.release(b).version() == base && channel.aliases.iter().any(|a| **a == *tag)
    });
    let Some(build) = found else { return };
    let extras: Vec<&str> = want.requirement.extras.iter().map(|e| &**e).collect();
    let extras = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
    let text = package.release(build).version();
    if let Ok(requirement) = format!("{}{extras}=={text}", want.requirement.name).parse() {
        want.channel = Some(usize::from(build.channel));
        want.requirement = requirement;
    }
}

/// Puts the usual name of an extra in place of one that only some releases have; those releases are meant then.
pub(super) fn extras(world: View<'_>, want: &mut Want) {
    let kb = world.kb;
    let id = &kb.packages[want.package].id;
    let serving = kb.channels.iter().filter(|c| c.packages.contains(id));
    let names: Vec<&ExtraName> = serving.flat_map(|c| &c.extras).collect();
    for name in names {
        let spelling = normal_name(&name.spelling);
        let Some(at) = want.requirement.extras.iter().position(|e| **e == *spelling) else { continue };
        let own: Vec<&str> = [Some(&*want.requirement.specifier), name.versions.as_deref()]
            .into_iter()
            .flatten()
            .filter(|s| !s.is_empty())
            .collect();
        let mut extras = want.requirement.extras.clone();
        extras[at] = (&*name.extra).into();
        let text = format!("{}[{}]{}", want.requirement.name, extras.join(","), own.join(","));
        let Ok(requirement) = text.parse::<Requirement>() else { continue };
        // A release that dropped the spelling has no such extra.
        if world.package(want.package).releases.iter().any(|r| requirement.accepts(r.version())) {
            want.requirement = requirement;
        }
    }
}
