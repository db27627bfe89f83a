//! Who asks for CUDA's libraries: frameworks in Python environments, and processes without one.

use super::look::Look;
use crate::library::LibraryFacts;
use crate::machine::{Family, is_file};
use crate::place;
use crate::python::Environment;
use std::rc::Rc;

/// A framework, and which of its libraries asks for those of CUDA.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Framework {
    /// The package as it is imported.
    pub package: &'static str,
    /// Its library on Linux, below the directory of packages; the first that is there counts.
    linux: &'static [&'static str],
    /// On Windows.
    windows: &'static [&'static str],
    /// Are libraries asked for by name at run time, so that its headers need not name them?
    pub by_name: bool,
    /// A file that says whether it was built with CUDA.
    states: Option<&'static str>,
}

const FRAMEWORKS: [Framework; 5] = [
    Framework {
        package: "torch",
        linux: &["torch/lib/libtorch_cuda.so"],
        windows: &["torch/lib/torch_cuda.dll"],
        by_name: false,
        states: None,
    },
    Framework {
        package: "paddle",
        linux: &[
            "paddle/libs/libphi_core.so",
            "paddle/libs/libphi.so",
            "paddle/base/libpaddle.so",
            "paddle/fluid/libpaddle.so",
            "paddle/fluid/core_avx.so",
        ],
        windows: &["paddle/base/libpaddle.pyd", "paddle/fluid/libpaddle.pyd", "paddle/fluid/core_avx.pyd"],
        by_name: true,
        states: Some("paddle/version/__init__.py"),
    },
    Framework {
        package: "tensorflow",
        linux: &["tensorflow/libtensorflow_cc.so.2", "tensorflow/python/_pywrap_tensorflow_internal.so"],
        windows: &["tensorflow/python/_pywrap_tensorflow_internal.pyd"],
        by_name: true,
        states: Some("tensorflow/python/platform/build_info.py"),
    },
    Framework {
        package: "jax",
        linux: &["jax_plugins/xla_cuda13/xla_cuda_plugin.so", "jax_plugins/xla_cuda12/xla_cuda_plugin.so"],
        windows: &[],
        by_name: true,
        states: None,
    },
    Framework {
        package: "onnxruntime",
        linux: &["onnxruntime/capi/libonnxruntime_providers_cuda.so"],
        windows: &["onnxruntime/capi/onnxruntime_providers_cuda.dll"],
        by_name: false,
        states: None,
    },
];

/// Who asks for a library.
#[derive(Clone, Debug)]
pub(super) struct Requester<'e> {
    /// The framework; `None`: any other code.
    pub framework: Option<&'static Framework>,
    /// The environment; `None`: a process without Python.
    pub environment: Option<&'e Environment>,
    /// The library that asks.
    pub library: Option<String>,
    /// The directory of packages that the framework is in.
    pub site: String,
    /// What that library says of itself.
    pub facts: Rc<LibraryFacts>,
    /// Does it use the libraries of NVIDIA's wheels by its own setting? Paddle alone has one.
    pub wheels: bool,
}

impl<'e> Requester<'e> {
    /// Any process: with an interpreter or without.
    pub(super) fn plain(environment: Option<&'e Environment>) -> Self {
        Requester {
            framework: None,
            environment,
            library: None,
            site: String::new(),
            facts: Rc::default(),
            wheels: false,
        }
    }

    /// Whom a library is found for: the library that asks, else the interpreter (of packages without one their directory),
    /// else `process`.
    pub(super) fn name(&self) -> String {
        let interpreter = || {
            let environment = self.environment?;
            let known = !environment.interpreter.is_empty();
            Some(if known { environment.interpreter.clone() } else { environment.root.clone() })
        };
        self.library.clone().or_else(interpreter).unwrap_or_else(|| "process".to_owned())
    }

    /// The package that asks, or nothing.
    pub(super) fn package(&self) -> &'static str {
        self.framework.map_or("", |f| f.package)
    }

    /// Is it Python 3.8 or newer, or unknown?
    pub(super) fn is_modern(&self) -> bool {
        let version = self.environment.and_then(|e| e.version.as_deref()).unwrap_or("3");
        let mut parts = version.split('.').map(|p| p.parse::<u32>().unwrap_or(0));
        (parts.next(), parts.next().unwrap_or(99)) >= (Some(3), 8)
    }
}

/// The frameworks of an environment that have code for GPUs.
pub(super) fn frameworks<'e>(look: &Look<'_>, environment: &'e Environment) -> Vec<Requester<'e>> {
    FRAMEWORKS.iter().filter_map(|f| framework(look, environment, f)).collect()
}

fn framework<'e>(
    look: &Look<'_>,
    environment: &'e Environment,
    framework: &'static Framework,
) -> Option<Requester<'e>> {
    let below = if look.family == Family::Windows { framework.windows } else { framework.linux };
    let (site, library) = environment.sites.iter().find_map(|site| {
        let path = below.iter().map(|b| place::join(look.family, site, b));
        path.into_iter().find(|p| is_file(look.machine, p)).map(|p| (site.clone(), p))
    })?;
    let mut wheels = false;
    if let Some(states) = framework.states {
        let path = place::join(look.family, &site, states);
        let bytes = look.machine.read(&path).unwrap_or_default();
        // The build for processors alone has the same files and asks for nothing.
        if artifact::stated::read(states, &bytes).is_some_and(|s| s.gpu == Some(false)) {
            return None;
        }
        wheels = uses_wheels(&String::from_utf8_lossy(&bytes));
    }
    let facts = look.library(&library).unwrap_or_else(|| {
        look.unread(&library);
        Rc::default()
    });
    Some(Requester {
        framework: Some(framework),
        environment: Some(environment),
        library: Some(library),
        site,
        facts,
        wheels,
    })
}

/// Paddle's `with_pip_cuda_libraries = 'ON'`.
fn uses_wheels(text: &str) -> bool {
    let value = text.lines().find_map(|l| l.trim().strip_prefix("with_pip_cuda_libraries")?.split_once('='));
    value.is_some_and(|(_, v)| v.trim().trim_matches(['\'', '"']) == "ON")
}

/// Directories of libraries in NVIDIA's wheels below a directory of packages: `nvidia/cudnn/lib`.
pub(super) fn wheel_directories(look: &Look<'_>, site: &str) -> Vec<String> {
    let base = place::join(look.family, site, "nvidia");
    let Some(real) = look.resolved(&base) else { return Vec::new() };
    let plain = |n: &str| n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !n.starts_with("__");
    let names = look.machine.list(&real, &plain).unwrap_or_default();
    let below: &[&str] = if look.family == Family::Windows { &["bin", "bin/x86_64"] } else { &["lib"] };
    let directories = names.iter().flat_map(|n| below.iter().map(move |b| format!("{n}/{b}")));
    directories.map(|d| place::join(look.family, &base, &d)).filter(|d| look.resolved(d).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_of_paddle() {
        assert!(uses_wheels("a = 1\nwith_pip_cuda_libraries = 'ON'\n"));
        assert!(!uses_wheels("with_pip_cuda_libraries = 'OFF'") && !uses_wheels(""));
    }
}
