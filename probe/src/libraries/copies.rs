//! All copies of libraries, wherever a process would find them or people put them.

use super::look::Look;
use super::name;
use super::requester::Requester;
use super::search::{Rule, paths, steps};
use crate::machine::Family;
use crate::python::Environment;
use crate::{place, toolkit};
use std::collections::BTreeSet;

/// A copy of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Copy {
    /// The file, under the name that programs ask for where it has several.
    pub path: String,
    /// The file behind links.
    pub resolved: String,
    /// By which rule it is found first.
    pub rule: Rule,
    /// For whom; empty where nobody looks.
    pub asks: String,
}

/// Copies of libraries whose file name is wanted, each once.
pub(super) fn all(
    look: &Look<'_>,
    requesters: &[Requester<'_>],
    environments: &[Environment],
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<Copy> {
    let mut out = Gathered { look, wanted, seen: BTreeSet::new(), copies: Vec::new() };
    for requester in requesters {
        let asks = requester.name();
        // Steps differ by library for Paddle's flags alone.
        let libraries: &[&str] = match requester.package() {
            "paddle" => &["cudnn", "cublas", "nccl", "nvinfer"],
            _ => &[""],
        };
        for step in libraries.iter().flat_map(|l| steps(look, requester, l)) {
            match &step.directory {
                Some(directory) => out.directory(directory, &step.rule, &asks),
                None => {
                    let names: BTreeSet<&String> =
                        look.cache().iter().map(|(n, _)| n).filter(|n| wanted(n)).collect();
                    for path in names.into_iter().flat_map(|n| paths(look, &step, n)) {
                        out.file(path, &step.rule, &asks);
                    }
                }
            }
        }
    }
    for (rule, directory) in elsewhere(look, environments) {
        out.directory(&directory, &rule, "");
    }
    out.copies
}

struct Gathered<'a, 'm> {
    look: &'a Look<'m>,
    wanted: &'a dyn Fn(&str) -> bool,
    seen: BTreeSet<String>,
    copies: Vec<Copy>,
}

impl Gathered<'_, '_> {
    fn directory(&mut self, directory: &str, rule: &Rule, asks: &str) {
        let names = self.look.names(directory);
        let mut names: Vec<&String> = names.iter().filter(|n| (self.wanted)(n)).collect();
        // Of the names of one file that by which programs ask comes first: with a version, but not all of it.
        names.sort_by_key(|n| match name::parsed(n) {
            Some(parsed) if parsed.version.is_some() => parsed.whole,
            _ => true,
        });
        for name in names {
            self.file(place::join(self.look.family, directory, name), rule, asks);
        }
    }

    fn file(&mut self, path: String, rule: &Rule, asks: &str) {
        let Some(resolved) = self.look.resolved(&path) else { return };
        if self.seen.insert(place::key(self.look.family, &resolved)) {
            self.copies.push(Copy { path, resolved, rule: rule.clone(), asks: asks.to_owned() });
        }
    }
}

/// Directories where libraries are put and nobody looks by himself.
fn elsewhere(look: &Look<'_>, environments: &[Environment]) -> Vec<(Rule, String)> {
    let family = look.family;
    let mut out = Vec::new();
    for environment in environments {
        for site in &environment.sites {
            out.extend(look.wheels(site).iter().map(|d| (Rule::WheelFolder, d.clone())));
            out.push((Rule::WheelFolder, place::join(family, site, "tensorrt_libs")));
        }
        if environment.kind == "conda" {
            let below = if family == Family::Windows { r"Library\bin" } else { "lib" };
            out.push((Rule::Conda, place::join(family, &environment.root, below)));
        }
    }
    for root in look.toolkits() {
        let directories = toolkit::library_directories(look.machine, &root.path);
        out.extend(directories.into_iter().map(|d| (Rule::Toolkit, d)));
    }
    if family == Family::Windows {
        out.extend(installed_cudnn(look).into_iter().map(|d| (Rule::CudnnInstaller, d)));
    }
    out
}

/// `C:\Program Files\NVIDIA\CUDNN\v9.5\bin\12.6`.
fn installed_cudnn(look: &Look<'_>) -> Vec<String> {
    let family = look.family;
    let base = place::join(family, &toolkit::programs(look.machine), r"NVIDIA\CUDNN");
    let list = |directory: &str, wanted: &dyn Fn(&str) -> bool| {
        let names = look.machine.list(directory, wanted).unwrap_or_default();
        names.iter().map(|n| place::join(family, directory, n)).collect::<Vec<_>>()
    };
    let mut out = Vec::new();
    for version in list(&base, &|n| n.starts_with(['v', 'V'])) {
        let bin = place::join(family, &version, "bin");
        for cuda in list(&bin, &|n| n.starts_with(|c: char| c.is_ascii_digit())) {
            out.push(cuda.clone());
            out.push(place::join(family, &cuda, "x64"));
        }
        out.push(bin);
    }
    out
}
