//! CUDA toolkits: where they are, of which release, which compiler comes first.

mod version;

use crate::Sink;
use crate::machine::{Family, Machine, is_directory, is_file, variable};
use crate::place;
use std::collections::BTreeSet;

/// Where Windows keeps what the installers of toolkits left.
const REGISTRY: &str = r"HKLM\SOFTWARE\NVIDIA Corporation\GPU Computing Toolkit\CUDA";

/// Debian's package puts the compiler here, and the rest into the directories of the system.
const DEBIAN: &str = "/usr/lib/nvidia-cuda-toolkit";

/// A directory that may be a toolkit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Root {
    /// The directory, as it was come by.
    pub path: String,
    /// The same without links.
    pub resolved: String,
}

/// Looks for toolkits.
pub(crate) fn observe(sink: &mut Sink<'_>) {
    let machine = sink.machine;
    registry(sink);
    for root in roots(machine) {
        // Containers with the runtime alone have such a directory as well; a toolkit has a compiler.
        if is_file(machine, &compiler(machine.family(), &root.path)) {
            version::observe(sink, &root);
        }
    }
    if let Some(prefix) = variable(machine, "CONDA_PREFIX").filter(|p| !p.is_empty()) {
        version::of_conda(sink, &prefix);
    }
    compilers(sink);
}

/// Directories that may be toolkits, each once: those of installers, then those that variables and PATH name.
pub(crate) fn roots(machine: &dyn Machine) -> Vec<Root> {
    let family = machine.family();
    let mut paths: Vec<String> = match family {
        Family::Linux => {
            let list = machine.list("/usr/local", &|n| n.starts_with("cuda")).unwrap_or_default();
            let mut out: Vec<String> = list.iter().map(|n| place::join(family, "/usr/local", n)).collect();
            // The link `cuda` last: what it points to has a name that says more.
            out.reverse();
            out.extend(["/opt/cuda", "/usr/lib/cuda", DEBIAN].map(str::to_owned));
            out
        }
        Family::Windows => {
            let base = place::join(family, &programs(machine), r"NVIDIA GPU Computing Toolkit\CUDA");
            let list = machine.list(&base, &|n| n.starts_with(['v', 'V'])).unwrap_or_default();
            let mut out: Vec<String> = list.iter().map(|n| place::join(family, &base, n)).collect();
            out.extend(registered(machine).into_iter().map(|(_, directory)| directory));
            out
        }
        Family::Macos => Vec::new(),
    };
    let names_one = |name: &str| {
        let upper = name.to_ascii_uppercase();
        let names = ["CUDA_PATH", "CUDA_HOME", "CUDA_ROOT", "CONDA_PREFIX"];
        names.contains(&&*upper) || upper.starts_with("CUDA_PATH_V")
    };
    paths.extend(machine.variables(&names_one).into_values().map(|v| place::trim(family, &v).to_owned()));
    for compiler in on_path(machine) {
        let real = machine.resolved(&compiler).unwrap_or(compiler);
        let up = place::parent(family, &real).and_then(|bin| place::parent(family, bin));
        paths.extend(up.map(str::to_owned));
    }
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for path in paths.into_iter().filter(|p| place::is_absolute(family, p)) {
        let Ok(resolved) = machine.resolved(&path) else { continue };
        if is_directory(machine, &resolved) && seen.insert(place::key(family, &resolved)) {
            out.push(Root { path, resolved });
        }
    }
    out
}

/// Where the libraries of a toolkit are.
pub(crate) fn library_directories(machine: &dyn Machine, root: &str) -> Vec<String> {
    let family = machine.family();
    let below: Vec<String> = match family {
        Family::Windows => ["bin", r"bin\x64"].map(str::to_owned).into(),
        _ => vec!["lib64".into(), format!("targets/{}-linux/lib", machine.arch())],
    };
    below.iter().map(|b| place::join(family, root, b)).collect()
}

/// `C:\Program Files`.
pub(crate) fn programs(machine: &dyn Machine) -> String {
    variable(machine, "ProgramFiles").filter(|p| !p.is_empty()).unwrap_or_else(|| r"C:\Program Files".into())
}

fn compiler(family: Family, root: &str) -> String {
    let name = if family == Family::Windows { r"bin\nvcc.exe" } else { "bin/nvcc" };
    place::join(family, root, name)
}

/// Compilers as PATH finds them, and those of toolkits that it does not lead to.
fn compilers(sink: &mut Sink<'_>) {
    let machine = sink.machine;
    let family = machine.family();
    let mut seen = BTreeSet::new();
    let mut new =
        |path: &str| seen.insert(place::key(family, &machine.resolved(path).unwrap_or(path.to_owned())));
    for path in on_path(machine) {
        if new(&path) {
            sink.see("program-found", path, "PATH", None);
        }
    }
    for root in roots(machine) {
        let path = compiler(family, &root.path);
        if is_file(machine, &path) && new(&path) {
            sink.see("program-found", path, "toolkit", Some(&root.path));
        }
    }
}

/// Compilers in the directories of PATH, in their order.
fn on_path(machine: &dyn Machine) -> Vec<String> {
    let family = machine.family();
    let name = if family == Family::Windows { "nvcc.exe" } else { "nvcc" };
    let entries = place::entries(family, &variable(machine, "PATH").unwrap_or_default());
    let paths = entries.iter().map(|e| place::join(family, e, name));
    paths.filter(|p| place::is_absolute(family, p) && is_file(machine, p)).collect()
}

/// Directories that the registry names, with the key.
fn registered(machine: &dyn Machine) -> Vec<(String, String)> {
    let below = machine.registry(REGISTRY).map(|k| k.keys).unwrap_or_default();
    let keys = below.into_iter().map(|name| format!(r"{REGISTRY}\{name}"));
    keys.filter_map(|key| {
        let directory = machine.registry(&key).ok()?.value("InstallDir")?.to_owned();
        Some((key, place::trim(Family::Windows, &directory).to_owned()))
    })
    .collect()
}

/// What the registry says that is not there.
fn registry(sink: &mut Sink<'_>) {
    if sink.machine.family() != Family::Windows {
        return;
    }
    let result = sink.machine.registry(REGISTRY);
    sink.tried("cuda-toolkit", "registry", REGISTRY, result);
    for (key, directory) in registered(sink.machine) {
        if sink.machine.about(&directory).is_err_and(|why| why.is_absence()) {
            sink.see("path-missing", directory, "registry", Some(&key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Capture, Replay};

    fn seen(capture: &str) -> Vec<String> {
        let machine = Replay::new(Capture::parse(capture).expect("is a capture"));
        let mut sink = Sink::new(&machine);
        observe(&mut sink);
        assert_eq!(sink.failures, []);
        let line = |o: &kb_core::observe::Observation| {
            format!("{} {} ({}, {})", o.what, o.value, o.method, o.place.as_deref().unwrap_or("-"))
        };
        sink.observations.iter().map(line).collect()
    }

    #[test]
    fn several_on_linux_and_which_comes_first() {
        let seen = seen(
            r##"
            schema = 1
            family = "linux"
            arch = "x86_64"
            [variables]
            PATH = "/usr/local/cuda/bin:/usr/bin"
            CUDA_HOME = "/usr/local/cuda"
            [[path]]
            at = "/usr/local/cuda"
            link = "cuda-12.4"
            [[path]]
            at = "/usr/local/cuda-12.4/bin/nvcc"
            [[path]]
            at = "/usr/local/cuda-12.4/version.json"
            text = '{"cuda": {"version": "12.4.1"}, "cuda_nvcc": {"version": "12.4.131"}}'
            [[path]]
            at = "/usr/local/cuda-10.2/bin/nvcc"
            [[path]]
            at = "/usr/local/cuda-10.2/version.txt"
            text = "CUDA Version 10.2.89"
            [[path]]
            at = "/usr/local/cuda-11.8/lib64/libcudart.so.11.8.89"
            [[path]]
            at = "/usr/lib/nvidia-cuda-toolkit/bin/nvcc"
            [[path]]
            at = "/usr/bin/nvcc"
            link = "/usr/lib/nvidia-cuda-toolkit/bin/nvcc"
            [[path]]
            at = "/usr/include/cuda.h"
            text = "#define CUDA_VERSION 11050"
            "##,
        );
        assert_eq!(
            seen,
            [
                "cuda-toolkit 12.4.131 (version.json, /usr/local/cuda-12.4)",
                "cuda-toolkit 12.4 (folder name, /usr/local/cuda-12.4)",
                "cuda-toolkit 10.2.89 (version.txt, /usr/local/cuda-10.2)",
                "cuda-toolkit 10.2 (folder name, /usr/local/cuda-10.2)",
                "cuda-toolkit 11.5 (header, /usr/lib/nvidia-cuda-toolkit)",
                "program-found /usr/local/cuda/bin/nvcc (PATH, -)",
                "program-found /usr/bin/nvcc (PATH, -)",
                "program-found /usr/local/cuda-10.2/bin/nvcc (toolkit, /usr/local/cuda-10.2)",
            ]
        );
    }

    #[test]
    fn windows_folders_registry_and_variables() {
        let seen = seen(
            r##"
            schema = 1
            family = "windows"
            arch = "x86_64"
            [variables]
            Path = 'D:\CUDA\v12.1\bin;C:\Windows'
            CUDA_PATH = 'D:\CUDA\v12.1'
            [[path]]
            at = 'C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8\bin\nvcc.exe'
            [[path]]
            at = 'C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8\version.json'
            text = '{"cuda": {"version": "11.8.20220929"}}'
            [[path]]
            at = 'D:\CUDA\v12.1\bin\nvcc.exe'
            [[registry]]
            key = 'HKLM\SOFTWARE\NVIDIA Corporation\GPU Computing Toolkit\CUDA\v10.2'
            values = { InstallDir = 'C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v10.2\' }
            "##,
        );
        assert_eq!(
            seen,
            [
                r"path-missing C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v10.2 (registry, HKLM\SOFTWARE\NVIDIA Corporation\GPU Computing Toolkit\CUDA\v10.2)",
                r"cuda-toolkit 11.8 (version.json, C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8)",
                r"cuda-toolkit 11.8 (folder name, C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8)",
                r"cuda-toolkit 12.1 (folder name, D:\CUDA\v12.1)",
                r"program-found D:\CUDA\v12.1\bin\nvcc.exe (PATH, -)",
                r"program-found C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8\bin\nvcc.exe (toolkit, C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8)",
            ]
        );
    }

    #[test]
    fn a_compiler_of_conda() {
        let seen = seen(
            r##"
            schema = 1
            family = "linux"
            arch = "x86_64"
            [variables]
            PATH = "/opt/conda/envs/a/bin"
            CONDA_PREFIX = "/opt/conda/envs/a"
            [[path]]
            at = "/opt/conda/envs/a/bin/nvcc"
            [[path]]
            at = "/opt/conda/envs/a/conda-meta/cuda-nvcc-12.4.131-0.json"
            [[path]]
            at = "/opt/conda/envs/a/conda-meta/cuda-nvcc-tools-12.4.131-he02047a_0.json"
            "##,
        );
        assert_eq!(
            seen,
            [
                "cuda-toolkit 12.4.131 (conda-meta, /opt/conda/envs/a)",
                "program-found /opt/conda/envs/a/bin/nvcc (PATH, -)",
            ]
        );
    }
}
