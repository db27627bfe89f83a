//! Variables that have to do with GPUs, and what they point to.

use crate::Sink;
use crate::machine::Family;
use crate::place;
use kb_core::observe::SECRET_WORDS;

/// Names of single variables.
const NAMES: [&str; 11] = [
    "LD_PRELOAD",
    "CONDA_PREFIX",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONNOUSERSITE",
    "TORCH_CUDA_ARCH_LIST",
    "XLA_FLAGS",
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "HSA_OVERRIDE_GFX_VERSION",
    "PYTORCH_ALLOC_CONF",
];

/// Beginnings of names.
const PREFIXES: [&str; 9] = [
    "CUDA_",
    "CUDNN",
    "NVIDIA_",
    "NCCL_",
    "FLAGS_",
    "NVCUDASAMPLES",
    "PYTORCH_CUDA",
    "TENSORRT",
    "XLA_PYTHON",
];

/// Looks at the variables of the process.
pub(crate) fn observe(sink: &mut Sink<'_>) {
    let family = sink.machine.family();
    let is = |a: &str, b: &str| if family == Family::Windows { a.eq_ignore_ascii_case(b) } else { a == b };
    let is_list = |name: &str| match family {
        Family::Windows => is("PATH", name),
        Family::Linux | Family::Macos => name == "LD_LIBRARY_PATH" || name == "DYLD_LIBRARY_PATH",
    };
    let known = |name: &str| {
        let upper = name.to_ascii_uppercase();
        let compared = if family == Family::Windows { &*upper } else { name };
        NAMES.iter().any(|n| is(n, name)) || PREFIXES.iter().any(|p| compared.starts_with(p))
    };
    let secret = |name: &str| SECRET_WORDS.iter().any(|word| name.to_ascii_lowercase().contains(word));
    let wanted = |name: &str| (known(name) && !secret(name)) || is_list(name) || is("PATH", name);
    for (name, value) in sink.machine.variables(&wanted) {
        if is("CUDA_PATH", &name) || is("CUDA_HOME", &name) {
            sink.see("cuda-path", &*value, "variable", Some(&name));
        } else if is("CUDA_VISIBLE_DEVICES", &name) {
            sink.see("cuda-visible-devices", &*value, "variable", Some(&name));
        }
        let list = is_list(&name);
        if list || is("PATH", &name) {
            sink.see("search-path", &*value, "variable", Some(&name));
        } else {
            sink.see(format!("variable:{name}"), &*value, "variable", None);
        }
        missing(sink, &name, &value, list);
    }
}

/// What a variable points to and what is not there. Of lists only entries that have to do with GPUs.
fn missing(sink: &mut Sink<'_>, name: &str, value: &str, list: bool) {
    const ABOUT: [&str; 5] = ["cuda", "cudnn", "nvidia", "tensorrt", "paddle"];
    let family = sink.machine.family();
    let about = |path: &str| {
        let lower = path.to_ascii_lowercase();
        ABOUT.iter().any(|a| lower.contains(a))
    };
    let entries = if list || name.eq_ignore_ascii_case("PATH") {
        place::entries(family, value).into_iter().filter(|e| about(e)).collect()
    } else {
        vec![place::trim(family, value).to_owned()]
    };
    for entry in entries.into_iter().filter(|e| place::is_absolute(family, e)) {
        if let Err(crate::machine::Refusal::NotFound) = sink.machine.about(&entry) {
            sink.see("path-missing", entry, "variable", Some(name));
        }
    }
}
