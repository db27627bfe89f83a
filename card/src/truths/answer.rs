//! The builds behind an answer, and how their values are known.

use super::{Column, Group, columns, groups};
use kb_core::answer::serde_value::Plain;
use kb_core::answer::{Answer, Component, Conflict, Item};
use kb_core::fact::FactId;
use kb_core::pep::Requirement;
use kb_core::platform::{Os, Platform};
use kb_core::request::resolve;
use kb_core::world::{Build, World};
use serde_json::{Value as Json, json};

/// What stands behind the answer for one want.
#[derive(Debug, Default)]
pub struct Behind {
    /// The builds that were chosen: version and place, and their columns.
    pub chosen: Vec<(Component, Vec<Column>)>,
    /// After a conflict, builds whose code or libraries are in the way and of which sources differ.
    pub differing: Vec<Group>,
}

impl Behind {
    /// The keys that `kb why` adds to an answer.
    pub fn json(&self, kb: &kb_core::kb::Kb) -> [(&'static str, Json); 2] {
        let chosen = self.chosen.iter().map(|(part, columns)| {
            json!({
                "component": part.component,
                "version": part.version,
                "channel": part.channel,
                "truths": columns.iter().map(|c| c.json(kb)).collect::<Vec<_>>(),
            })
        });
        [("known", chosen.collect()), ("sources_differ", self.differing.iter().map(|g| g.json(kb)).collect())]
    }
}

/// What stands behind an answer, for each of its items.
pub fn behind(world: &World<'_>, answer: &Answer) -> Vec<Behind> {
    let platform = platform(answer);
    let one = |item: &Item| Behind {
        chosen: item
            .stack
            .iter()
            .filter_map(|part| Some((part.clone(), of_component(world, part, platform)?)))
            .collect(),
        differing: match item.conflict.as_ref().or(answer.conflict.as_ref()) {
            Some(conflict) if item.stack.is_empty() => in_the_way(world, item, conflict, platform),
            _ => Vec::new(),
        },
    };
    answer.answers.iter().map(one).collect()
}

/// The platform whose builds were judged.
fn platform(answer: &Answer) -> Option<Platform> {
    let said = |key: &str| match answer.request.get(key) {
        Some(Plain::One(text)) => Some(text.as_str()),
        _ => None,
    };
    let os: Os = said("os")?.parse().ok()?;
    Platform::parse(&format!("{}-{}", os.build_os().word(), said("arch")?))
}

/// The columns of the build that a part of a stack names.
fn of_component(world: &World<'_>, part: &Component, platform: Option<Platform>) -> Option<Vec<Column>> {
    let kb = world.kb;
    let package = world.package(kb.package(&part.component)?, platform);
    let channel = kb.channel(part.channel.as_deref()?)?;
    let named = |build: &&Build| {
        let version = package.release(build).version();
        let version = match build.label.as_deref().filter(|_| build.extra.is_none()) {
            Some(label) => format!("{version}+{label}"),
            None => version.to_string(),
        };
        usize::from(build.channel) == channel
            && build.extra.as_deref() == part.extra.as_deref()
            && Some(&*version) == part.version.as_deref()
    };
    Some(columns(kb, package, package.builds.iter().find(named)?))
}

/// Builds that the want accepts and on whose facts the conflict rests.
fn in_the_way(world: &World<'_>, item: &Item, conflict: &Conflict, platform: Option<Platform>) -> Vec<Group> {
    let kb = world.kb;
    let Ok(requirement) = item.want.parse::<Requirement>() else { return Vec::new() };
    let Ok(package) = resolve::package(kb, &requirement.name) else { return Vec::new() };
    let cited: Vec<FactId> =
        conflict.core.iter().flat_map(|step| &step.facts).filter_map(|name| kb.find_fact(name)).collect();
    let package = world.package(package, platform);
    groups(kb, package, |build| {
        let stated = [
            build.cuda.as_ref().map(|s| &s.facts),
            build.cudnn.as_ref().map(|s| &s.facts),
            build.device_code.as_ref().map(|s| &s.facts),
        ];
        requirement.accepts(package.release(build).version())
            && stated.into_iter().flatten().flatten().any(|fact| cited.contains(fact))
    })
}
