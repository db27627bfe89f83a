//! The libraries of the driver, by their names and resources: they are not loaded here.

use super::number;
use crate::Sink;
use crate::machine::{Family, Kind, variable};
use crate::place;
use std::collections::BTreeSet;

/// A library of the driver.
struct Library {
    /// Before `.so.1`.
    linux: &'static str,
    /// Below the directory of Windows.
    windows: &'static [&'static str],
    /// What its version is.
    what: &'static str,
}

const LIBRARIES: [Library; 2] = [
    Library { linux: "libcuda", windows: &[r"System32\nvcuda.dll"], what: "driver-library" },
    Library { linux: "libnvidia-ml", windows: &[r"System32\nvml.dll"], what: "nvml-version" },
];

/// Where drivers before R430 have the management library on Windows.
const OLD_NVML: &str = r"NVIDIA Corporation\NVSMI\nvml.dll";

/// Where distributions, installers and engines of containers put them.
const DIRECTORIES: [&str; 9] = [
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib64/nvidia",
    "/usr/lib/wsl/lib",
    "/usr/local/nvidia/lib64",
    "/run/opengl-driver/lib",
    "/usr/local/cuda/compat",
    "/usr/lib/nvidia",
    "/usr/lib/nvidia/current",
];

/// Looks for them.
pub(super) fn observe(sink: &mut Sink<'_>) {
    match sink.machine.family() {
        Family::Linux => linux(sink),
        Family::Windows => windows(sink),
        Family::Macos => {}
    }
}

fn linux(sink: &mut Sink<'_>) {
    // As the loader looks: the variable, its cache, then the directories that a driver may be in all the same.
    let own = variable(sink.machine, "LD_LIBRARY_PATH").unwrap_or_default();
    let mut own = place::entries(Family::Linux, &own);
    // An entry that is no whole path means another directory for every process.
    own.retain(|d| place::is_absolute(Family::Linux, d));
    let cache = sink.machine.loader_cache().unwrap_or_default();
    let arch = sink.machine.arch();
    let multiarch = [format!("/usr/lib/{arch}-linux-gnu"), format!("/usr/lib/{arch}-linux-gnu/nvidia")];
    let tegra = (arch == "aarch64").then(|| format!("/usr/lib/{arch}-linux-gnu/tegra"));
    for library in &LIBRARIES {
        let soname = format!("{}.so.1", library.linux);
        let mut paths: Vec<String> = own.iter().map(|d| place::join(Family::Linux, d, &soname)).collect();
        paths.extend(cache.iter().filter(|(name, _)| *name == soname).map(|(_, path)| path.clone()));
        let directories = multiarch.iter().chain(&tegra).map(String::as_str).chain(DIRECTORIES);
        paths.extend(directories.map(|d| place::join(Family::Linux, d, &soname)));
        let mut seen = BTreeSet::new();
        for path in paths {
            file(sink, library, &path, &mut seen);
        }
    }
}

/// A file under the library's name, and others of the same library beside it.
fn file(sink: &mut Sink<'_>, library: &Library, path: &str, seen: &mut BTreeSet<String>) {
    // What a toolkit has to link against is no driver's.
    if path.split('/').any(|part| part == "stubs") {
        return;
    }
    let about = sink.machine.about(path);
    let Some(about) = sink.tried(library.what, "file-name", path, about) else { return };
    let Ok(behind) = sink.machine.resolved(path) else { return };
    if about.kind != Kind::File || !seen.insert(behind.clone()) {
        return;
    }
    if about.bytes == 0 {
        // What an image keeps of a library that was mounted while it was made.
        return sink.fail(library.what, "file-name", Some(path), "the file is empty");
    }
    // NVIDIA's compatibility package holds a library of another driver, for programs that ask for it.
    let compat =
        behind.split('/').any(|part| part == "compat") || path.split('/').any(|part| part == "compat");
    match number::of_file(place::name(Family::Linux, &behind), library.linux) {
        Some(version) if !compat => sink.see(library.what, version, "file-name", Some(path)),
        // WSL's and Jetson's libraries have no version in their names.
        _ => return sink.see("library-found", path, "file-name", None),
    }
    let Some(directory) = place::parent(Family::Linux, &behind) else { return };
    let listed = sink.machine.list(directory, &|n| number::of_file(n, library.linux).is_some());
    for name in sink.tried(library.what, "file-name", directory, listed).unwrap_or_default() {
        let beside = place::join(Family::Linux, directory, &name);
        let Some(version) = number::of_file(&name, library.linux) else { continue };
        if seen.insert(beside.clone()) {
            sink.see(library.what, version, "file-name", Some(&beside));
        }
    }
}

fn windows(sink: &mut Sink<'_>) {
    let root = super::windows::root(sink.machine);
    let programs = variable(sink.machine, "ProgramW6432").or_else(|| variable(sink.machine, "ProgramFiles"));
    let programs = programs.unwrap_or_else(|| r"C:\Program Files".to_owned());
    for library in &LIBRARIES {
        let mut paths: Vec<String> =
            library.windows.iter().map(|rest| place::join(Family::Windows, &root, rest)).collect();
        if library.what == "nvml-version" {
            paths.push(place::join(Family::Windows, &programs, OLD_NVML));
        }
        for path in paths {
            resource(sink, library.what, &path);
        }
    }
}

/// The version in the resource of a file.
fn resource(sink: &mut Sink<'_>, what: &str, path: &str) {
    let facts = sink.machine.library(path);
    let Some(facts) = sink.tried(what, "version-resource", path, facts) else { return };
    let stated = [facts.file_version.as_deref(), facts.version.as_deref()];
    // `NVIDIA CUDA Driver, Version 581.80`
    let described =
        facts.description.as_deref().and_then(|d| d.rsplit_once("Version ")).map(|(_, v)| v.trim());
    let found =
        stated.into_iter().chain([described]).flatten().find_map(|t| Some((number::of_windows(t)?, t)));
    match found {
        Some((version, raw)) => sink.made(what, version, raw, "version-resource", Some(path)),
        None => sink.see("library-found", path, "file-name", None),
    }
}
