//! What builds require: read from their metadata, lent by builds that are alike, and followed through what is pinned.

use super::build::{Build, BuildKind, Libraries};
use super::package::{PackageWorld, Ranges, Release, read_releases};
use super::read::rows;
use super::{Facts, Interpreters, Stated};
use crate::fact::FactId;
use crate::kb::Kb;
use crate::pep::{self, Requirement, Version};
use crate::platform::Platform;
use compact_str::CompactString;
use std::sync::Arc;

impl PackageWorld {
    pub(super) fn read_requires<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        let uses_cudnn = rows(kb, "build-requires", ["package", "requires"]).any(|(_, row)| {
            row.text(0) == Some(id) && row.texts(1).iter().any(|t| t.starts_with("nvidia-cudnn-cu"))
        });
        for (fact, row) in
            rows(kb, "build-requires", ["package", "versions", "channel", "platform", "extra", "requires"])
        {
            if row.text(0) != Some(id) || self.elsewhere(row.text(3)) {
                continue;
            }
            let mut scope = self.scope(kb, ranges, &row);
            let extra = scope.extra.take();
            let parsed: Vec<Requirement> = row.texts(5).iter().filter_map(|t| t.parse().ok()).collect();
            // An extra that brings CUDA libraries makes a build of its own.
            let mut additions = Vec::new();
            for build in &mut self.builds {
                if !scope.covers(build) {
                    continue;
                }
                match extra {
                    None => {
                        build.requires_known = true;
                        Arc::make_mut(&mut build.requires).extend(parsed.iter().map(|r| (r.clone(), fact)));
                    }
                    Some(extra) if build.extra.as_deref() == Some(extra) => {
                        build.requires_known = true;
                        Arc::make_mut(&mut build.requires).extend(parsed.iter().map(|r| (r.clone(), fact)));
                    }
                    Some(extra) => {
                        // One that brings cuDNN alone still leaves CUDA to the system, and the other way round where
                        // some other extra of the package brings cuDNN.
                        let any = |test: fn(&str) -> bool| parsed.iter().any(|r| test(&r.name));
                        let brings = any(|n| n.starts_with("nvidia-cuda-runtime") || n == "cuda-toolkit")
                            && (!uses_cudnn || any(|n| n.starts_with("nvidia-cudnn-cu")));
                        if brings && build.extra.is_none() && build.kind == BuildKind::Cuda {
                            additions.push((build.release, build.channel, build.platform, extra));
                        }
                    }
                }
            }
            for (release, channel, platform, extra) in additions {
                let exists = self.builds.iter().any(|b| {
                    b.release == release
                        && b.channel == channel
                        && b.platform == platform
                        && b.extra.as_deref() == Some(extra)
                });
                let base = self.builds.iter().find(|b| {
                    b.release == release
                        && b.channel == channel
                        && b.platform == platform
                        && b.extra.is_none()
                });
                if let (false, Some(base)) = (exists, base) {
                    let mut build = base.clone();
                    build.extra = Some(extra.into());
                    build.requires_known = true;
                    build.libraries = Some(Stated {
                        value: Libraries::NvidiaWheels,
                        facts: std::iter::once(fact).collect(),
                        against: Facts::new(),
                        dispute: None,
                    });
                    Arc::make_mut(&mut build.requires).extend(parsed.iter().map(|r| (r.clone(), fact)));
                    self.builds.push(build);
                }
            }
        }
    }

    /// One release of a plain package asks for the same on all platforms, its markers aside: where the metadata of a
    /// platform's wheel has not been read, that of another one's stands.
    pub(super) fn share_requires<'kb>(&mut self, kb: &'kb Kb, ranges: &Ranges<'kb>, id: &str) {
        for (fact, row) in
            rows(kb, "build-requires", ["package", "versions", "channel", "platform", "extra", "requires"])
        {
            if row.text(0) != Some(id) || row.text(4).is_some() {
                continue;
            }
            let mut scope = self.scope(kb, ranges, &row);
            scope.platform = None;
            for build in self.builds.iter_mut().filter(|b| !b.requires_known && scope.covers(b)) {
                build.requires_known = true;
                Arc::make_mut(&mut build.requires)
                    .extend(row.texts(5).iter().filter_map(|t| Some((t.parse().ok()?, fact))));
            }
        }
    }

    /// One release made with one CUDA release for one platform asks for the same wherever it is served: a project
    /// uploads one file to several channels. Where the metadata of one of them was read, it stands for the others.
    pub(super) fn lend_requires(&mut self) {
        let alike = |a: &Build, b: &Build| {
            let cuda = |x: &Build| x.cuda.as_ref().map(|c| c.value.prefix(2));
            let cudnn = |x: &Build| x.cudnn.as_ref().map(|c| c.value);
            (a.release, a.platform, &a.extra) == (b.release, b.platform, &b.extra)
                && cuda(a).is_some()
                && cuda(a) == cuda(b)
                && (cudnn(a).is_none() || cudnn(b).is_none() || cudnn(a) == cudnn(b))
        };
        for at in 0..self.builds.len() {
            let build = &self.builds[at];
            if build.requires_known || build.kind != BuildKind::Cuda {
                continue;
            }
            let lender = self.builds.iter().find(|b| b.requires_known && alike(b, build));
            if let Some(requires) = lender.map(|b| b.requires.clone()) {
                self.builds[at].requires_known = true;
                self.builds[at].requires = requires;
            }
        }
    }

    /// What exactly pinned packages require in turn: `jax[cuda12]` pins its plugin, which asks for the libraries.
    pub(super) fn follow_pins(&mut self, kb: &Kb, id: &str) {
        let mut all: std::collections::HashMap<&str, Vec<_>> = std::collections::HashMap::new();
        for (fact, row) in
            rows(kb, "build-requires", ["package", "versions", "platform", "extra", "requires"])
        {
            let versions = std::cell::OnceCell::<Vec<pep440_rs::VersionSpecifiers>>::new();
            all.entry(row.text(0).unwrap_or_default()).or_default().push((fact, row, versions));
        }
        let mut releases = std::collections::HashMap::new();
        for build in &mut self.builds {
            let mut at = 0;
            while at < build.requires.len() {
                at += 1;
                let Some(rows) = all.get(&*build.requires[at - 1].0.name) else { continue };
                let requirement = build.requires[at - 1].0.clone();
                let Some(version) = requirement.exact() else { continue };
                for (fact, row, versions) in rows {
                    let versions =
                        versions.get_or_init(|| pep::alternatives(row.text(1).unwrap_or_default()));
                    let platform =
                        row.text(2).is_none_or(|p| p == "any" || Platform::parse(p) == build.platform);
                    let extra = row.text(3).is_none_or(|e| requirement.extras.iter().any(|x| x == e));
                    if !platform || !extra || !pep::contains(versions, version) {
                        continue;
                    }
                    for mut further in row.texts(4).iter().filter_map(|t| t.parse::<Requirement>().ok()) {
                        further.when = further.when.and(requirement.when);
                        let said = |(r, _): &(Requirement, FactId)| further.repeats(r);
                        if !further.when.is_empty() && !build.requires.iter().any(said) {
                            Arc::make_mut(&mut build.requires).push((further, *fact));
                        }
                    }
                }
            }
            let own = self.releases[build.release as usize].version();
            build.requires_clashes = clashes(kb, id, own, &build.requires, &mut releases);
        }
    }

    /// An extra's build has its base's requirements as well.
    pub(super) fn add_extras(&mut self) {
        let bases: Vec<Build> = self.builds.iter().filter(|b| b.extra.is_none()).cloned().collect();
        for build in self.builds.iter_mut().filter(|b| b.extra.is_some()) {
            let base = bases.iter().find(|b| {
                b.release == build.release && b.channel == build.channel && b.platform == build.platform
            });
            for (requirement, fact) in base.into_iter().flat_map(|b| b.requires.iter()) {
                if !build.requires.iter().any(|(r, f)| f == fact && r.name == requirement.name) {
                    Arc::make_mut(&mut build.requires).push((requirement.clone(), *fact));
                }
            }
        }
    }
}

/// The first requirement that rules out the build itself, or two that no release of their package satisfies at once;
/// further ones for interpreters for which those before them do not clash.
fn clashes(
    kb: &Kb,
    id: &str,
    own: &Version,
    requires: &[(Requirement, FactId)],
    releases: &mut std::collections::HashMap<CompactString, Vec<Release>>,
) -> smallvec::SmallVec<[(u16, u16); 1]> {
    let mut out = smallvec::SmallVec::new();
    let mut clashing = Interpreters::NONE;
    for (i, (first, _)) in requires.iter().enumerate() {
        if first.name == id && !first.when.within(clashing) && !first.accepts(own) {
            out.push((i as u16, i as u16));
            clashing = clashing.or(first.when);
        }
        let later = requires.iter().enumerate().skip(i + 1);
        for (j, (second, _)) in later.filter(|(_, (r, _))| r.name == first.name) {
            let when = first.when.and(second.when);
            if when.within(clashing) {
                continue;
            }
            let known = releases.entry(first.name.clone()).or_insert_with(|| read_releases(kb, &first.name));
            if !first.meets(second, known.iter().map(Release::version)) {
                out.push((i as u16, j as u16));
                clashing = clashing.or(when);
            }
        }
    }
    out
}
