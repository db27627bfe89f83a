//! Builds of several releases whose sources differ in the same way, as one.

use super::{Column, columns};
use kb_core::kb::Kb;
use kb_core::world::{Build, PackageWorld};
use serde_json::{Value as Json, json};

/// Builds of one channel, platform and extra, of releases that follow each other, about which the same is said.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Oldest first.
    pub releases: Vec<String>,
    /// Where they come from.
    pub channel: String,
    /// `linux-x86_64`, `any`.
    pub platform: String,
    /// The extra that makes it this build.
    pub extra: Option<String>,
    /// Columns in which sources differ.
    pub columns: Vec<Column>,
}

impl Group {
    /// An element of `sources_differ`.
    pub fn json(&self, kb: &Kb) -> Json {
        json!({
            "releases": self.releases,
            "channel": self.channel,
            "platform": self.platform,
            "extra": self.extra,
            "truths": self.columns.iter().map(|c| c.json(kb)).collect::<Vec<_>>(),
        })
    }

    /// `2.11.0–2.14.1, pypi, linux-x86_64`.
    pub fn name(&self) -> String {
        let extra = self.extra.as_ref().map(|e| format!("[{e}]")).unwrap_or_default();
        let releases = match self.releases.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [first, .., last] => format!("{first}–{last}"),
        };
        format!("{releases}{extra}, {}, {}", self.channel, self.platform)
    }
}

/// The builds that are wanted and of which sources differ, newest first.
pub fn groups(kb: &Kb, package: &PackageWorld, wanted: impl Fn(&Build) -> bool) -> Vec<Group> {
    let place = |b: &Build| (b.channel, b.platform.map(|p| p.to_string()), b.extra.clone());
    let mut builds: Vec<&Build> = package.builds.iter().filter(|b| wanted(b)).collect();
    builds.sort_by_key(|b| (place(b), b.release));
    let mut out: Vec<(u32, Group)> = Vec::new();
    let mut before: Option<&Build> = None;
    for build in builds {
        let columns: Vec<Column> = columns(kb, package, build).into_iter().filter(Column::differs).collect();
        let follows = before.is_some_and(|b| place(b) == place(build));
        before = Some(build);
        let text = package.release(build).text.to_string();
        match out.last_mut() {
            Some((newest, last)) if follows && last.columns == columns => {
                *newest = build.release;
                last.releases.push(text);
            }
            _ => out.push((
                build.release,
                Group {
                    releases: vec![text],
                    channel: kb.channels.get(usize::from(build.channel)).map_or("", |c| &c.id).to_owned(),
                    platform: build.platform.map_or_else(|| "any".to_owned(), |p| p.to_string()),
                    extra: build.extra.as_ref().map(ToString::to_string),
                    columns,
                },
            )),
        }
    }
    // Builds without a difference were kept until here: they end a group.
    out.retain(|(_, group)| !group.columns.is_empty());
    out.sort_by_key(|(newest, _)| std::cmp::Reverse(*newest));
    out.into_iter().map(|(_, group)| group).collect()
}
