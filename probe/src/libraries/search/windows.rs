//! The order of Windows' loader, and what frameworks do to it.
//!
//! From <https://learn.microsoft.com/en-us/windows/win32/dlls/dynamic-link-library-search-order>: a DLL that is asked for
//! by name is looked for in the directory of the program, System32, System, Windows, the current directory, PATH. With
//! the flags that Python uses since 3.8 for extension modules
//! (<https://docs.python.org/3/library/os.html#os.add_dll_directory>), what they need is looked for in the directory of
//! the module, of the program, the directories that were added, System32, and not in PATH. With
//! LOAD_WITH_ALTERED_SEARCH_PATH the directory of the DLL that is loaded stands in place of that of the program. The
//! current directory of a process is not known beforehand, and left out. Of packaged programs the order has no PATH.
//!
//! | framework | what it does, by its sources |
//! | --- | --- |
//! | torch | `torch/__init__.py` adds `torch\lib`, `Library\bin` of the environment and of its base, and the toolkit of its release if none of these has a runtime; loads each DLL of `torch\lib` by its whole path, and tries again with PATH if something that it needs is missing |
//! | Paddle | `paddle/base/core.py` puts `paddle\base` and `paddle\libs` before PATH; `paddle/__init__.py` of builds for NVIDIA's wheels loads all their DLLs; `dynamic_loader.cc` asks the directory in a flag, then LoadLibrary by name |
//! | ONNX Runtime | loads its provider with LOAD_WITH_ALTERED_SEARCH_PATH |
//! | TensorFlow | loads libraries by name |

use super::{Rule, Step};
use crate::libraries::look::Look;
use crate::libraries::requester::Requester;
use crate::machine::Family::Windows;
use crate::python::Environment;
use crate::{place, toolkit};

pub(super) fn steps(look: &Look<'_>, requester: &Requester<'_>, library: &str) -> Vec<Step> {
    let package = requester.package();
    let beside = requester.library.as_deref().and_then(|l| place::parent(Windows, l)).unwrap_or_default();
    let mut out = Vec::new();
    let mut step = |rule: Rule, directory: String| out.push(Step { rule, directory: Some(directory) });
    let of = || package.to_owned();
    match package {
        "torch" => step(Rule::Loaded(of()), beside.to_owned()),
        "paddle" => {
            if requester.wheels {
                step(Rule::Loaded(of()), place::join(Windows, &requester.site, r"paddle\libs"));
                for directory in look.wheels(&requester.site).to_vec() {
                    step(Rule::Loaded(of()), directory);
                }
            }
            let flag = match library.to_ascii_lowercase().as_str() {
                "cudnn" => "FLAGS_cudnn_dir",
                "nvinfer" => "FLAGS_tensorrt_dir",
                _ => "FLAGS_cuda_dir",
            };
            if let Some(directory) = look.variable(flag) {
                step(Rule::Variable(flag.to_owned()), directory);
            }
        }
        "onnxruntime" => {
            let name = requester.library.as_deref().map(|l| place::name(Windows, l)).unwrap_or_default();
            step(Rule::Beside(name.to_owned()), beside.to_owned());
        }
        _ => {}
    }
    if let Some(environment) = requester.environment.filter(|_| package != "onnxruntime") {
        // A virtual environment's python.exe starts that of its base.
        step(Rule::Application, environment.base.clone());
    }
    if package == "torch" && requester.is_modern() {
        for directory in added_by_torch(look, requester) {
            step(Rule::Added(of()), directory);
        }
    }
    let root = look.variable("SystemRoot").unwrap_or_else(|| r"C:\Windows".to_owned());
    step(Rule::System32, place::join(Windows, &root, "System32"));
    step(Rule::Windows, place::join(Windows, &root, "System"));
    step(Rule::Windows, root);
    if package == "paddle" {
        step(Rule::BeforePath(of()), beside.to_owned());
        step(Rule::BeforePath(of()), place::join(Windows, &requester.site, r"paddle\libs"));
    }
    // A packaged program, as a Python of the Store is one, does not look there.
    if !requester.environment.is_some_and(is_of_store) {
        for directory in place::entries(Windows, &look.variable("PATH").unwrap_or_default()) {
            step(Rule::Path, directory);
        }
    }
    out
}

/// Is it a Python of the Store, or made of one?
fn is_of_store(environment: &Environment) -> bool {
    let base = place::key(Windows, &environment.base);
    environment.kind == "store" || base.contains(r"\windowsapps\pythonsoftwarefoundation.python.")
}

/// Directories that torch adds, `torch\lib` apart.
fn added_by_torch(look: &Look<'_>, requester: &Requester<'_>) -> Vec<String> {
    let Some(environment) = requester.environment else { return Vec::new() };
    let mut out = vec![place::join(Windows, &environment.root, r"Library\bin")];
    if place::key(Windows, &environment.base) != place::key(Windows, &environment.root) {
        out.push(place::join(Windows, &environment.base, r"Library\bin"));
    }
    let own = place::join(Windows, &requester.site, r"torch\lib");
    let runtime = |d: &String| look.names(d).iter().any(|n| n.to_ascii_lowercase().starts_with("cudart64"));
    if !out.iter().chain([&own]).any(runtime)
        && let Some(release) = release_of_torch(look, requester)
    {
        let named = look.variable(&format!("CUDA_PATH_V{}", release.replace('.', "_")));
        let below = format!(r"NVIDIA GPU Computing Toolkit\CUDA\v{release}");
        let root = named.unwrap_or_else(|| place::join(Windows, &toolkit::programs(look.machine), &below));
        out.push(place::join(Windows, &root, "bin"));
    }
    out
}

/// `12.4` of torch's `version.py`.
fn release_of_torch(look: &Look<'_>, requester: &Requester<'_>) -> Option<String> {
    let path = place::join(Windows, &requester.site, "torch/version.py");
    let read = artifact::stated::read("torch/version.py", &look.machine.read(&path).ok()?)?;
    Some(read.cuda?.value)
}
