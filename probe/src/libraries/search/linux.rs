//! The order of glibc's loader.
//!
//! From <https://man7.org/linux/man-pages/man8/ld.so.8.html>: RPATH of the library that asks, of those that loaded it and
//! of the program, all of it only where the library that asks has no RUNPATH; LD_LIBRARY_PATH; RUNPATH of the library
//! that asks; the cache; the default directories. dlopen looks as the library that calls it.
//!
//! What frameworks do beyond that is in their sources: `torch/__init__.py` loads the libraries of NVIDIA's wheels where
//! they were not found; `paddle/__init__.py` sets `FLAGS_cudnn_dir` and its like to those of the wheels if Paddle was
//! built for them, and `paddle/phi/backends/dynload/dynamic_loader.cc` asks the directory in the flag, then the loader,
//! then `/usr/local/cuda/lib64`.

use super::{Rule, Step};
use crate::libraries::look::Look;
use crate::libraries::requester::Requester;
use crate::machine::Family::Linux;
use crate::place;

pub(super) fn steps(look: &Look<'_>, requester: &Requester<'_>, library: &str) -> Vec<Step> {
    let mut out = Vec::new();
    let mut step = |rule: Rule, directory: String| out.push(Step { rule, directory: Some(directory) });
    let package = requester.package();
    if package == "paddle"
        && let Some((rule, directory)) = paddle(look, requester, library)
    {
        step(rule, directory);
    }
    let facts = &requester.facts;
    let runpath = !facts.rpath && !facts.search.is_empty();
    if !runpath {
        if let (Some(path), true) = (&requester.library, facts.rpath) {
            for directory in directories(path, &facts.search) {
                step(Rule::Rpath(place::name(Linux, path).to_owned()), directory);
            }
        }
        for (program, directory) in of_program(look, requester) {
            step(Rule::Rpath(program), directory);
        }
    }
    for directory in place::entries(Linux, &look.variable("LD_LIBRARY_PATH").unwrap_or_default()) {
        step(Rule::LdLibraryPath, directory);
    }
    if let (Some(path), true) = (&requester.library, runpath) {
        for directory in directories(path, &facts.search) {
            step(Rule::Runpath(place::name(Linux, path).to_owned()), directory);
        }
    }
    out.push(Step { rule: Rule::LoaderCache, directory: None });
    let mut step = |rule: Rule, directory: String| out.push(Step { rule, directory: Some(directory) });
    for directory in default(&look.arch) {
        step(Rule::Default, directory);
    }
    match package {
        "torch" => {
            let sites = requester.environment.map(|e| e.sites.as_slice()).unwrap_or_default();
            for directory in sites.iter().flat_map(|s| look.wheels(s).to_vec()) {
                step(Rule::BuiltIn(package.to_owned()), directory);
            }
        }
        "paddle" if library.eq_ignore_ascii_case("cudnn") => {
            step(Rule::BuiltIn(package.to_owned()), "/usr/local/cuda/lib64".to_owned());
        }
        _ => {}
    }
    out
}

/// What RPATH or RUNPATH of a library name, whole. `$LIB` and `$PLATFORM` are not taken apart: no framework has them.
fn directories(library: &str, search: &[String]) -> Vec<String> {
    let origin = place::parent(Linux, library).unwrap_or("/");
    search
        .iter()
        .map(|s| place::normal(Linux, &s.replace("$ORIGIN", origin).replace("${ORIGIN}", origin)))
        .filter(|d| place::is_absolute(Linux, d) && !d.contains('$'))
        .collect()
}

/// RPATH of the interpreter, by which conda's find what is in their environment.
fn of_program(look: &Look<'_>, requester: &Requester<'_>) -> Vec<(String, String)> {
    let Some(environment) = requester.environment else { return Vec::new() };
    // Of a program the loader takes the path behind links.
    let Some(program) = look.resolved(&environment.interpreter) else { return Vec::new() };
    let facts = look.library(&program).filter(|f| f.rpath);
    let found = facts.map(|f| directories(&program, &f.search)).unwrap_or_default();
    found.into_iter().map(|d| (place::name(Linux, &program).to_owned(), d)).collect()
}

/// Paddle's flags, by the library that is asked for.
fn paddle(look: &Look<'_>, requester: &Requester<'_>, library: &str) -> Option<(Rule, String)> {
    let lower = library.to_ascii_lowercase();
    let (flag, folder) = match lower.as_str() {
        "cudnn" => ("cudnn", "cudnn"),
        "cublas" | "cublaslt" => ("cublas", "cublas"),
        "nccl" => ("nccl", "nccl"),
        "nvinfer" => ("tensorrt", ""),
        "curand" | "cusolver" | "cusparse" => (&*lower, &*lower),
        _ => return None,
    };
    let flag = format!("FLAGS_{flag}_dir");
    if requester.wheels && !folder.is_empty() {
        // The package overwrites what the variable says.
        let directory = place::join(Linux, &requester.site, &format!("nvidia/{folder}/lib"));
        return Some((Rule::Variable(flag), directory));
    }
    look.variable(&flag).map(|directory| (Rule::Variable(flag), directory))
}

/// Directories that the loader knows: Debian's and its descendants', then those of others.
fn default(arch: &str) -> Vec<String> {
    ["/lib/{}-linux-gnu", "/usr/lib/{}-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"]
        .map(|d| d.replace("{}", arch))
        .into()
}
