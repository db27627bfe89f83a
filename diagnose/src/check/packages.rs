//! Installed packages: which builds they are, and whether they go together.

use super::{Finding, Outcome};
use crate::case::Case;
use kb_core::catalog::PackageKind;
use kb_core::pep;
use kb_core::platform::{Os, Platform};
use kb_core::value::Value;
use kb_core::world::BuildKind;

/// `cpu-build`: does the installed build compute on the CPU alone?
pub(super) fn cpu_build(case: &Case<'_>) -> Option<Finding> {
    let name = "cpu-build";
    let package = case.package?;
    let kb = case.kb();
    let id = &*kb.packages[package].id;
    let version = case.version_of(id);
    // The program says so itself: `torch.version.cuda` is None, is_compiled_with_cuda() is False.
    let says_none = case.seen.find("framework-cuda", Some("None"));
    if let Some(version) = &version {
        let label = version.value.split_once('+').map(|(_, label)| label);
        if let Some(label) = label {
            let cpu = label.starts_with("cpu");
            if cpu || label.starts_with("cu") {
                let out = Finding::decided(name, cpu).shown_by(version);
                return Some(out.with("framework", id));
            }
        }
        // conda writes into the build's name what it was built with: py3.8_cpu_0, py3.10_cuda11.8_cudnn8.7.0_0
        let row = version.lines.first().and_then(|l| case.line(*l)).unwrap_or("");
        let of_conda = row.split_whitespace().skip(2).find(|t| t.contains("cpu") || t.contains("cuda"));
        if let Some(build) =
            of_conda.filter(|b| b.starts_with("py") || b.starts_with("cpu") || b.starts_with("cuda"))
        {
            let out = Finding::decided(name, build.contains("cpu")).shown_by(version);
            return Some(out.with("framework", id));
        }
        let named = kb.packages[package].gpu_package.is_none() || is_distribution(case, id);
        if let Some(build) = case.build().filter(|_| named) {
            let cpu = build.value.kind == BuildKind::Cpu;
            if cpu || build.value.kind == BuildKind::Cuda {
                let mut out = Finding::decided(name, cpu).shown_by(version);
                if cpu {
                    out = out.on(says_none.and_then(|o| o.line));
                } else if let Some(none) = says_none {
                    // The facts speak of the usual build, the program of the one that is there.
                    return Some(Finding::new(name, Outcome::Likely).shown_by(version).on(none.line));
                }
                return Some(out.from(build.value.facts.iter().copied()).with("framework", id));
            }
        }
    }
    if let Some(none) = says_none {
        return Some(Finding::new(name, Outcome::Proved).on(none.line).with("framework", id));
    }
    // A package that has a sibling with GPU code is the one without. What a module prints of itself does not tell which of
    // the two it is from.
    let sibling = kb.packages[package].gpu_package.as_deref()?;
    let version = version.filter(|_| is_distribution(case, id))?;
    let gpu_there = case.seen.package(sibling).is_some();
    (!gpu_there).then(|| Finding::new(name, Outcome::Proved).shown_by(&version).with("framework", id))
}

/// Was the name of a distribution seen, as an installer lists it, and not only that of a module?
fn is_distribution(case: &Case<'_>, id: &str) -> bool {
    case.seen.package(id).is_some_and(|o| {
        ["pip", "conda", "uv", "poetry", "list", "freeze"].iter().any(|tool| o.method.contains(tool))
    })
}

/// `both-distributions`: are two distributions of one import package installed?
pub(super) fn both_distributions(case: &Case<'_>) -> Option<Finding> {
    let kb = case.kb();
    let installed = |id: &str| case.seen.package(id).map(|o| o.line);
    // Pairs of which one is the GPU form of the other, and those that install one module.
    for package in &kb.packages {
        let partners = kb.packages.iter().filter(|other| {
            other.id > package.id
                && other.kind != PackageKind::NvidiaWheel
                && package.kind != PackageKind::NvidiaWheel
                && (package.gpu_package.as_deref() == Some(&*other.id)
                    || other.gpu_package.as_deref() == Some(&*package.id)
                    || (package.import_name.is_some() && package.import_name == other.import_name))
        });
        for other in partners {
            if let (Some(a), Some(b)) = (installed(&package.id), installed(&other.id))
                && !requires(case, &package.id, &other.id)
                && !requires(case, &other.id, &package.id)
            {
                let facts = facts_of_pair(case, &package.id, &other.id);
                let out = Finding::new("both-distributions", Outcome::Proved).on(a).on(b).from(facts);
                return Some(out);
            }
        }
    }
    shared_paths(case)
}

/// Two that are there write to the same paths, as the wheels of these releases were found to: those of cuDNN for two
/// CUDA majors.
fn shared_paths(case: &Case<'_>) -> Option<Finding> {
    let kb = case.kb();
    let texts = |fact, column| match kb.cell(fact, column) {
        Some(Value::List(list)) => list.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    kb.facts_of("shared-paths").find_map(|(fact, _)| {
        let (packages, versions) = (texts(fact, "packages"), texts(fact, "versions"));
        let shares = |at: usize, version: &str| match (versions.get(at), version.parse()) {
            (Some(range), Ok(version)) => pep::contains(&pep::alternatives(range), &version),
            (Some(_), Err(_)) => false,
            (None, _) => true,
        };
        let found = packages.iter().enumerate().filter_map(|(at, name)| {
            let there = case.seen.package(name)?;
            shares(at, &there.value).then_some(there.line)
        });
        let lines: Vec<Option<usize>> = found.take(2).collect();
        let [a, b] = lines[..] else { return None };
        Some(Finding::new("both-distributions", Outcome::Proved).on(a).on(b).from([fact]))
    })
}

/// Does the installed release of a package ask for the other one? Then they are made to be together.
fn requires(case: &Case<'_>, id: &str, other: &str) -> bool {
    let build = case.kb().package(id).and_then(|p| case.build_of(p));
    build.is_some_and(|b| b.value.requires.iter().any(|(r, _)| r.name == other))
}

fn facts_of_pair(case: &Case<'_>, one: &str, other: &str) -> Vec<kb_core::fact::FactId> {
    let kb = case.kb();
    let named = |id, column: &str, wanted: &str| match kb.cell(id, column) {
        Some(Value::List(list)) => list.iter().any(|v| v.to_string() == wanted),
        Some(value) => value.to_string() == wanted,
        None => false,
    };
    let shared = kb
        .facts_of("shared-paths")
        .filter(|(id, _)| named(*id, "packages", one) && named(*id, "packages", other))
        .map(|(id, _)| id);
    let modules = kb
        .facts_of("import-name")
        .filter(|(id, _)| named(*id, "package", one) || named(*id, "package", other))
        .map(|(id, _)| id);
    shared.chain(modules).take(4).collect()
}

/// `native-windows`: does the release have GPU builds, but none for Windows?
pub(super) fn native_windows(case: &Case<'_>) -> Option<Finding> {
    if case.os() != Os::Windows {
        return None;
    }
    let package = case.package?;
    let id = &*case.kb().packages[package].id;
    let version = case.version_of(id)?;
    let wanted: kb_core::pep::Version = version.value.split('+').next()?.parse().ok()?;
    let has_cuda = |platform: Platform| {
        let world = case.world.from(platform).package(package);
        let release = world.releases.iter().position(|r| *r.version() == wanted)?;
        let of_release = |b: &&kb_core::world::Build| b.release as usize == release;
        let found = world.builds.iter().filter(of_release).find(|b| b.kind == BuildKind::Cuda);
        Some(found.map(|b| b.facts.to_vec()))
    };
    let here = case.platform();
    let windows = has_cuda(here)?;
    let linux = has_cuda(Platform { os: Os::Linux, ..here }).flatten();
    let holds = windows.is_none() && linux.is_some();
    if windows.is_none() && !holds {
        return None;
    }
    let out = Finding::decided("native-windows", holds).shown_by(&version).on(case.system.line);
    Some(out.from(linux.or(windows).unwrap_or_default()).with("framework", id).with("os", "Windows"))
}

/// `wrong-platform`: was a wheel taken that is for other machines than this one?
pub(super) fn wrong_platform(case: &Case<'_>) -> Option<Finding> {
    let name = "wrong-platform";
    // A package that has files for other systems and none for this one.
    if let (Some(os), Some((package, line))) = (case.system.os, super::python::wanted_package(case)) {
        let here = case.platform();
        let other =
            Platform { os: if os.build_os() == Os::Windows { Os::Linux } else { Os::Windows }, ..here };
        let builds = |platform| case.world.from(platform).package(package).builds.as_slice();
        if builds(here).is_empty()
            && let Some(there) = builds(other).first()
        {
            let out = Finding::new(name, Outcome::Proved).on(Some(line)).on(case.system.line);
            return Some(out.from(there.facts.iter().copied()).with("os", os.word()));
        }
    }
    let wheel = case.seen.of("wheel").find(|o| {
        let (windows, linux) = (o.value.contains("-win"), o.value.contains("linux"));
        let (arm, x86) =
            (o.value.contains("aarch64"), o.value.contains("x86_64") || o.value.contains("amd64"));
        let os = case.system.os.map(Os::build_os);
        (os == Some(Os::Linux) && windows)
            || (os == Some(Os::Windows) && linux)
            || (case.system.arch.is_some() && case.platform().arch == kb_core::platform::Arch::Aarch64 && x86)
            // Jetson has wheels of its own, named linux_aarch64.
            || (case.system.jetson && arm && o.value.contains("manylinux"))
    })?;
    let outcome = if case.system.jetson { Outcome::Likely } else { Outcome::Proved };
    let out = Finding::new(name, outcome).on(wheel.line).on(case.system.line);
    Some(out.with("wheel", &wheel.value))
}

/// `plugin-core-differ`: are plugin and core of one framework of different versions?
pub(super) fn plugin_core(case: &Case<'_>) -> Option<Finding> {
    let name = "plugin-core-differ";
    let (plugin, core) = (case.seen.first("plugin-version"), case.seen.first("core-version"));
    let pair = plugin.zip(core).or_else(|| {
        let plugin =
            case.seen.packages().find(|(n, _)| n.starts_with("jax-cuda") && n.ends_with("plugin"))?.1;
        Some((plugin, case.seen.package("jaxlib")?))
    });
    let (plugin, core) = pair?;
    let out = Finding::decided(name, plugin.value != core.value).on(plugin.line).on(core.line);
    Some(out.with("plugin-version", &plugin.value).with("core-version", &core.value))
}
