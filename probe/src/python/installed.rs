//! What is installed in environments, as observations.

use super::Environment;
use super::report::{DistReport, Installed, SiteReport};
use crate::{Sink, Wanted, place};
use artifact::installed::is_of_family;
use artifact::stated;
use std::collections::BTreeSet;

/// Packages beside those of the GPU families that decide whether a framework can be imported or installed.
const ALSO: [&str; 6] = ["numpy", "opencv-", "pip", "protobuf", "setuptools", "wheel"];

/// Looks at each directory of packages once, whichever environments it belongs to.
pub(super) fn observe(sink: &mut Sink<'_>, wanted: &Wanted, environments: &[Environment]) {
    let family = sink.machine.family();
    let mut seen = BTreeSet::new();
    for site in environments.iter().flat_map(|e| &e.sites) {
        if seen.insert(place::key(family, site)) {
            let result = sink.machine.distributions(site);
            if let Some(report) = sink.tried("environment", "list", site, result) {
                packages(sink, wanted, site, &report);
            }
        }
    }
}

fn packages(sink: &mut Sink<'_>, wanted: &Wanted, site: &str, report: &SiteReport) {
    for found in report.distributions() {
        let family = is_of_family(&found.name);
        if !family && !wanted.all_packages && !is_also(&found.name) {
            continue;
        }
        let what = format!("package:{}", found.name);
        match found.version {
            Some(version) => sink.see(what, version, found.method, Some(site)),
            None => sink.fail(&what, found.method, Some(site), "its version is not stated"),
        }
        if let Some(report) = found.report {
            files(sink, site, &found, report);
        }
        if family {
            stated_versions(sink, site, &found.name);
        }
    }
    for name in &report.remains {
        sink.see("package-remains", &**name, "list", Some(site));
    }
}

fn is_also(name: &str) -> bool {
    ALSO.iter().any(|a| if a.ends_with('-') { name.starts_with(a) } else { name == *a })
}

fn files(sink: &mut Sink<'_>, site: &str, found: &Installed<'_>, report: &DistReport) {
    let lists = [
        ("package-file-missing", &report.missing),
        ("package-file-changed", &report.changed),
        ("package-file-unlisted", &report.unlisted),
    ];
    for (what, list) in lists {
        for path in list {
            sink.see(what, format!("{}: {path}", found.name), "RECORD", Some(site));
        }
    }
    for unread in &report.unread {
        let place = place::join(sink.machine.family(), site, &unread.file);
        sink.fail(&format!("package:{}", found.name), "file", Some(&place), &unread.says);
    }
}

/// What the files of a framework state about what it was built with.
fn stated_versions(sink: &mut Sink<'_>, site: &str, name: &str) {
    let family = sink.machine.family();
    for member in stated::expected(name) {
        let path = place::join(family, site, member);
        let result = sink.machine.read(&path);
        let Some(bytes) = sink.tried("framework-cuda", "file", &path, result) else { continue };
        let Some(said) = stated::read(member, &bytes) else { continue };
        let top = member.split('/').next().unwrap_or(member);
        let package = place::join(family, site, top);
        for (what, value) in [("framework-cuda", &said.cuda), ("framework-cudnn", &said.cudnn)] {
            if let Some(value) = value {
                sink.see(what, &*value.value, "file", Some(&package));
            }
        }
        if let Some(targets) = &said.targets {
            let list: Vec<String> =
                targets.sass.iter().chain(&targets.ptx).map(ToString::to_string).collect();
            if !list.is_empty() {
                sink.see("framework-arches", list.join(" "), "file", Some(&package));
            }
        }
    }
}
