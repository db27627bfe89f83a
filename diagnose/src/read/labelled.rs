//! Environment reports that are lists of labels and values: SGLang's and MMCV's, `transformers-cli env`,
//! `accelerate env`, cupy.show_config, numba -s, xformers.info, JAX's, OpenMMLab's, web UIs at their start.
//!
//! They name the same few things; what a label means does not depend on the program, except where its neighbours are
//! looked at below.

use super::collect_env::python;
use super::found::Found;
use super::gpu_name::is_gpu_name;
use super::page::Page;
use super::readers::Reader;
use super::{label, number, package, platform_text};

pub(super) const READER: Reader = Reader { tool: "environment report", words: &[":", "："], read };

/// Reads labelled lines.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut context = Context::default();
    for (at, line, text) in page.all() {
        let Some((name, value)) = label::split(text) else {
            context.pass(text, at);
            continue;
        };
        let name = name.trim_matches(['*', '`', ' ', '"']);
        one(page, at, line, (name, value), &mut context, found);
    }
}

/// Labels and values that stand in a form, not on one line.
#[derive(Default)]
pub(super) struct Answers(Context);

impl Answers {
    /// Reads a value that belongs to a label; `at` and `line` are the value's.
    pub(super) fn answer(
        &mut self,
        page: &Page<'_>,
        at: usize,
        line: usize,
        pair: (&str, &str),
        found: &mut Found,
    ) {
        one(page, at, line, pair, &mut self.0, found);
    }
}

/// What was seen before a line.
#[derive(Default)]
struct Context {
    /// Last line that stated a framework's version.
    framework: Option<usize>,
    /// Last line of SGLang's report that begins the list of its packages.
    packages: Option<usize>,
    /// In a section about CUDA (Lightning's report).
    cuda_section: bool,
}

impl Context {
    fn pass(&mut self, text: &str, at: usize) {
        let text = text.trim();
        if text.is_empty() {
            self.packages = None;
        }
        // A framework on a line of its own: `TORCH 2.6.0+cu124`.
        let mut words = text.split_whitespace();
        if let (Some(name), Some(version), None) = (words.next(), words.next(), words.next())
            && framework(name).is_some()
            && number::is_release(version)
        {
            self.framework = Some(at);
        }
    }
}

fn one(
    page: &Page<'_>,
    at: usize,
    line: usize,
    (name, value): (&str, &str),
    context: &mut Context,
    found: &mut Found,
) {
    let lower = name.to_ascii_lowercase();
    let near_framework = context.framework.is_some_and(|f| at <= f + 4);
    match lower.as_str() {
        "python"
        | "python version"
        | "python_version"
        | "build.python_version"
        | "python executable version" => {
            if let Some(version) = python(value.trim_start_matches("Python ")) {
                found.see("python", version, line);
            }
        }
        "pytorch version (gpu?)"
        | "pytorch version"
        | "pytorch"
        | "torch"
        | "torch version"
        | "pytorch.version"
        | "pytorch_version" => {
            if let Some(version) = number::release(value).filter(|v| v.contains('.')) {
                if lower != "pytorch version" {
                    package::see(found, "torch", version, line);
                } else if !page.lines.get(at + 1).is_some_and(|l| l.text.contains("debug build")) {
                    // Web UIs print the same label as collect_env.
                    package::see(found, "torch", version, line);
                }
                context.framework = Some(at);
                context.packages = (lower == "pytorch").then_some(at);
            }
            if lower == "pytorch version (gpu?)"
                && let Some((_, truth)) = value.rsplit_once('(')
                && let Some(truth) = label::truth(truth)
            {
                found.see("cuda-available", truth, line);
            }
        }
        "tensorflow version (gpu?)" | "tensorflow version" | "tensorflow" | "tf version" => {
            package_line("tensorflow", value, at, line, context, found)
        }
        "jax version" | "jax" => package_line("jax", value, at, line, context, found),
        "jaxlib version" | "jaxlib" => package_line("jaxlib", value, at, line, context, found),
        "ort"
        | "ort version"
        | "onnxruntime"
        | "onnxruntime version"
        | "onnx runtime version"
        | "onnx runtime version or commit id"
        | "onnxruntime version (you are using)" => {
            package_line("onnxruntime", value, at, line, context, found)
        }
        "paddle version" | "paddle" | "paddlepaddle version" | "paddlepaddle" => {
            package_line("paddlepaddle", value, at, line, context, found)
        }
        "cupy version" | "cupy" => package_line("cupy", value, at, line, context, found),
        "cuda available"
        | "pytorch cuda available"
        | "gpu available"
        | "paddle with cuda"
        | "cuda is available"
        | "torch.cuda.is_available()"
        | "torch.cuda.is_available"
        | "is cuda available?"
        | "cuda_available"
        | "paddle compiled with cuda"
        | "built with cuda"
        | "compiled with cuda"
        | "tensorflow built with cuda"
        | "tf built with cuda"
        | "is built with cuda"
        | "torch.cuda.available"
        | "cuda support"
        | "gpu support" => {
            if let Some(truth) = label::truth(value) {
                found.made("cuda-available", truth, value, line);
            }
        }
        "gpus"
        | "gpu devices"
        | "gpus available"
        | "available gpus"
        | "num gpus available"
        | "num gpus"
        | "number of gpus available"
        | "gpu count"
        | "device count"
        | "cuda device count"
        | "torch.cuda.device_count()"
        | "physical gpus"
        | "gpu list" => {
            if let Some(truth) = any_gpu(value) {
                found.made("cuda-available", truth, value, line);
            }
        }
        "cuda_home" | "cuda_path" | "cuda root" => {
            if !label::is_nothing(value) && value.contains(['/', '\\']) {
                found.see("cuda-path", value, line);
            }
        }
        "cuda driver version" => driver_version(value, line, found),
        "nvidia driver" | "gpu driver version" | "gpu driver" | "驱动版本" | "显卡驱动" | "驱动程序版本"
        | "显卡驱动版本" | "驅動版本" => {
            if let Some(version) = number::driver(value) {
                found.see("driver", version, line);
            }
        }
        // People sum up what the tools said.
        "driver" if number::driver(value).is_some_and(|v| value.trim_end_matches('.') == v) => {
            found.see("driver", value.trim_end_matches('.'), line);
        }
        "nvcc" if number::cuda(value) == Some(value) => found.see("cuda-toolkit", value, line),
        "driver model" if matches!(value.trim_end_matches('.'), "WDDM" | "TCC" | "MCDM") => {
            found.see("driver-model", value.trim_end_matches('.'), line);
        }
        "cuda build version" => {
            if let Some(version) = number::cuda_integer(value.split_whitespace().next().unwrap_or("")) {
                found.made("framework-cuda", &version, value, line);
            }
        }
        "cudnn build version" => cudnn("framework-cudnn", value, line, found),
        "cudnn version"
        | "cudnn"
        | "torch cudnn"
        | "cudnn runtime version"
        | "torch.backends.cudnn.version()" => {
            // collect_env's own reader takes its line.
            if lower != "cudnn version" || !value.is_empty() {
                cudnn("cudnn", value, line, found);
            }
        }
        "cuda"
        | "cuda version"
        | "torch cuda"
        | "torch cuda version"
        | "torch.version.cuda"
        | "cuda (torch)"
        | "pytorch cuda version"
        | "pytorch cuda"
        | "torch_cuda"
            if near_framework || lower.contains("torch") =>
        {
            if let Some(version) = number::cuda(value.trim_start_matches('v')) {
                found.see("framework-cuda", version, line);
            }
        }
        "version" if context.cuda_section => {
            if let Some(version) = number::cuda(value) {
                found.see("framework-cuda", version, line);
            }
        }
        "build.cuda_version" => {
            // xFormers writes 1108 for 11.8.
            if let Ok(code) = value.trim().parse::<u32>()
                && (900..=9999).contains(&code)
            {
                found.made("framework-cuda", &format!("{}.{}", code / 100, code % 100), value, line);
            }
        }
        "device revision number"
        | "gpu.compute_capability"
        | "compute capability"
        | "gpu compute capability"
        | "cuda arch bin"
        | "cuda capability major/minor version number" => {
            if let Some(capability) = number::dotted_capability(value) {
                found.see("compute-capability", capability, line);
            }
        }
        "gpu.name" | "device name" | "gpu type" | "gpu name" | "cuda device name" | "显卡" | "显示适配器"
        | "顯示卡" => {
            if let Some(name) = gpu(value) {
                found.see("gpu", name, line);
            }
        }
        "gpu" | "gpu model" => {
            if let Some(name) = gpu(value).filter(|n| is_gpu_name(n)) {
                found.see("gpu", name, line);
            }
        }
        "os"
        | "os version"
        | "operating system"
        | "operating system (os)"
        | "os platform"
        | "os type"
        | "操作系统"
        | "操作系统版本"
        | "系统"
        | "系统版本"
        | "系统环境"
        | "系统环境/system environment"
        | "system environment"
        | "distribution"
        | "distro"
            if is_system(value) =>
        {
            found.see("os", value, line)
        }
        _ if lower.starts_with("os platform and distribution") && is_system(value) => {
            found.see("os", value, line)
        }
        _ if lower.starts_with("tensorflow version (") => {
            // `v2.4.0-49-g85c8b2a817f 2.4.1`: what git says, then the release.
            if let Some(version) =
                value.split_whitespace().last().and_then(number::release).filter(|v| v.contains('.'))
            {
                package::see(found, "tensorflow", version, line);
            }
        }
        "gpu model and memory" | "gpu models" => {
            let name = value.split([',', '(', ';']).next().unwrap_or(value).trim();
            if let Some(name) = gpu(name) {
                found.see("gpu", name, line);
            }
        }
        "版本号/version" | "版本号" => versions(value, line, found),
        "vram total" => {
            // ComfyUI counts bytes.
            if let Ok(bytes) = value.parse::<u64>()
                && bytes > 1 << 28
            {
                found.made("memory-mib", &(bytes >> 20).to_string(), value, line);
            }
        }
        "virtual packages" => virtual_packages(page, at, found),
        "platform" | "platform name" => platform_text::see(value, line, found),
        "platform release" | "kernel" | "kernel release" => {
            platform_text::see_kernel(value.trim_start_matches("Linux "), line, found);
        }
        "os" if value.starts_with("Linux-") => platform_text::see(value, line, found),
        "xformers version" | "xformers" => package_line("xformers", value, at, line, context, found),
        _ => named(name, value, at, line, context, found),
    }
    context.cuda_section = matches!(lower.as_str(), "cuda") && value.is_empty()
        || (context.cuda_section
            && (text_is_indented(page, at) || value.is_empty())
            && lower != "packages"
            && lower != "lightning");
    device(&lower, value, line, found);
}

fn text_is_indented(page: &Page<'_>, at: usize) -> bool {
    page.line(at).is_some_and(|(_, text)| text.starts_with([' ', '\t']))
}

fn package_line(name: &str, value: &str, at: usize, line: usize, context: &mut Context, found: &mut Found) {
    if let Some(version) =
        number::release(value.trim_matches(['\'', '"'])).filter(|v| v.contains('.') && !v.contains('_'))
    {
        package::see(found, name, version, line);
        // Paddle's report prints nvcc's release under `CUDA version`.
        context.framework = (name != "paddlepaddle").then_some(at);
    }
}

/// `numpy: 1.26.4` in a list of packages, `` `transformers` version: 4.41.2 ``.
fn named(name: &str, value: &str, at: usize, line: usize, context: &mut Context, found: &mut Found) {
    let of_list = context.packages.is_some_and(|p| at == p + 1);
    if of_list {
        context.packages = Some(at);
        if value == "Module Not Found" {
            return;
        }
    }
    let stated =
        name.strip_suffix(" version").or_else(|| name.strip_suffix(" Version")).map(|n| n.trim_matches('`'));
    let subject = stated.unwrap_or(name);
    if !package::is_name(subject) || !number::is_release(value) || !value.contains('.') {
        return;
    }
    let normal = package::normal(subject);
    let known = package::is_known(&normal)
        || matches!(
            normal.as_str(),
            "numpy" | "scipy" | "safetensors" | "huggingface-hub" | "datasets" | "ray" | "peft"
        );
    if of_list
        || (known
            && normal != "cudnn"
            && normal != "tensorrt"
            && !normal.starts_with("cuda-")
            && normal != "nvidia-smi")
    {
        package::see(found, subject, value, line);
    }
}

fn cudnn(what: &str, value: &str, line: usize, found: &mut Found) {
    // Also the archive's name: `cudnn-windows-x86_64-8.6.0.163_cuda11-archive`.
    let value = value.split_once("x86_64-").map_or(value, |(_, rest)| rest);
    if let Some((raw, version)) = number::cudnn(value) {
        found.made(what, &version, raw, line);
    }
}

/// Is a value the name of a system with its version?
fn is_system(value: &str) -> bool {
    const NAMES: [&str; 30] = [
        "Linux Mint",
        "Amazon Linux",
        "Oracle Linux",
        "SUSE",
        "SLES",
        "Manjaro",
        "Pop!_OS",
        "openEuler",
        "Anolis",
        "Kylin",
        "NixOS",
        "Kali",
        "WIN1",
        "Win1",
        "win1",
        "windows",
        "debian",
        "Ubuntu",
        "ubuntu",
        "Debian",
        "CentOS",
        "Centos",
        "Red Hat",
        "RHEL",
        "Rocky",
        "Fedora",
        "Windows",
        "openSUSE",
        "AlmaLinux",
        "macOS",
    ];
    value.len() < 80 && value.bytes().any(|b| b.is_ascii_digit()) && NAMES.iter().any(|n| value.contains(n))
}

/// conda's: `__cuda=12.2=0` is what the driver serves, `__glibc=2.31=0` the system's library; one a line.
fn virtual_packages(page: &Page<'_>, at: usize, found: &mut Found) {
    for (line, text) in (at..at + 10).filter_map(|i| page.line(i)) {
        for (name, what) in [("__cuda=", "cuda-driver-level"), ("__glibc=", "glibc")] {
            if let Some(version) = text.split_once(name).and_then(|(_, r)| number::version(r)) {
                found.see(what, version, line);
            }
        }
    }
}

/// SGLang prints the NVIDIA driver, CuPy an integer and Numba a CUDA release under this label.
fn driver_version(value: &str, line: usize, found: &mut Found) {
    let tuple = value.trim_matches(['(', ')']).replace(", ", ".");
    if let Some(version) = number::driver(value) {
        found.see("driver", version, line);
    } else if let Some(version) = number::cuda_integer(value.split_whitespace().next().unwrap_or("")) {
        found.made("cuda-driver-level", &version, value, line);
    } else if let Some(version) = number::cuda(&tuple) {
        found.made("cuda-driver-level", version, if tuple == value { version } else { value }, line);
    }
}

/// CuPy's `Device 0 Name`, `Device 0 Compute Capability`; ComfyUI's `Device: cuda:0 NVIDIA … : native`.
fn device(label: &str, value: &str, line: usize, found: &mut Found) {
    if let Some(rest) = label.strip_prefix("device ")
        && let Some((number, kind)) = rest.split_once(' ')
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        match kind {
            "name" => found.see("gpu", value, line),
            "compute capability" => {
                if let Some(capability) = number::capability(value) {
                    found.made("compute-capability", &capability, value, line);
                }
            }
            _ => {}
        }
    } else if matches!(label, "device" | "name")
        && let Some(rest) = value.strip_prefix("cuda:")
        && let Some((_, name)) = rest.split_once(' ')
    {
        let name = name.rsplit_once(" : ").map_or(name, |(name, _)| name).trim();
        if is_gpu_name(name) {
            found.see("gpu", name, line);
        }
    }
}

/// PaddleOCR's form has several on one line: `Paddle：2.4.2 PaddleOCR：2.6.1`.
fn versions(value: &str, line: usize, found: &mut Found) {
    for word in value.split([' ', ',', '，', ';']) {
        let Some((name, version)) = word.split_once(['：', ':']) else { continue };
        let name = framework(name).unwrap_or(name);
        if package::is_name(name) && number::is_release(version) && version.contains('.') {
            package::see(found, name, version, line);
        }
    }
}

/// Does a list or a count hold a GPU? `[]` and `0` say no.
fn any_gpu(value: &str) -> Option<&'static str> {
    match value {
        "[]" | "0" | "None" => Some("False"),
        _ if value.starts_with('[') => super::devices::answer(value),
        _ => value.parse::<u16>().ok().map(|_| "True"),
    }
}

fn gpu(value: &str) -> Option<&str> {
    let value = value.trim().trim_matches(['\'', '"']);
    (!label::is_nothing(value)
        && value.len() < 70
        && value.chars().any(|c| c.is_ascii_alphabetic())
        && is_gpu_name(value))
    .then_some(value)
}

/// The package of a framework's name as people and programs write it.
pub(super) fn framework(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "torch" | "pytorch" => "torch",
        "tensorflow" | "tf" => "tensorflow",
        "paddle" | "paddlepaddle" => "paddlepaddle",
        "ort" | "onnxruntime" => "onnxruntime",
        "jax" => "jax",
        "jaxlib" => "jaxlib",
        "cupy" => "cupy",
        "xformers" => "xformers",
        "torchvision" => "torchvision",
        "torchaudio" => "torchaudio",
        "vllm" => "vllm",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("report");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn transformers_and_accelerate() {
        assert_eq!(
            of(
                "- `transformers` version: 4.41.2\n- Platform: Linux-5.15.0-105-generic-x86_64-with-glibc2.35\n- Python version: 3.10.12\n- PyTorch version (GPU?): 2.3.0+cu121 (True)\n- Tensorflow version (GPU?): not installed (NA)\n- GPU type: NVIDIA A100-SXM4-80GB"
            ),
            [
                "package:transformers=4.41.2@1",
                "arch=x86_64@2",
                "kernel=5.15.0-105-generic@2",
                "glibc=2.35@2",
                "python=3.10.12@3",
                "package:torch=2.3.0+cu121@4",
                "framework-cuda=12.1@4",
                "cuda-available=True@4",
                "gpu=NVIDIA A100-SXM4-80GB@6"
            ]
        );
    }

    #[test]
    fn lists_and_counts_of_gpus() {
        assert_eq!(
            of("Built with CUDA: False\nGPUs: []\nNum GPUs Available:  0\nNum GPUs Available:  2"),
            [
                "cuda-available=False@1",
                "cuda-available=False@2",
                "cuda-available=False@3",
                "cuda-available=True@4"
            ]
        );
        assert_eq!(of("GPUs: 4x A100"), [""; 0]);
    }

    #[test]
    fn cupy_numba_and_xformers() {
        assert_eq!(
            of(
                "CuPy Version                 : 11.2.0\nCUDA Build Version           : 11070\nCUDA Driver Version          : 11080\ncuDNN Build Version          : 8401\ncuDNN Version                : 8600\nDevice 0 Name                : NVIDIA GeForce RTX 3090\nDevice 0 Compute Capability  : 86"
            ),
            [
                "package:cupy=11.2.0@1",
                "framework-cuda=11.7@2",
                "cuda-driver-level=11.8@3",
                "framework-cudnn=8.4.1@4",
                "cudnn=8.6.0@5",
                "gpu=NVIDIA GeForce RTX 3090@6",
                "compute-capability=8.6@7"
            ]
        );
        assert_eq!(of("CUDA Driver Version                           : 11.2"), ["cuda-driver-level=11.2@1"]);
        assert_eq!(
            of(
                "build.cuda_version:                                1108\ngpu.compute_capability:                            8.6"
            ),
            ["framework-cuda=11.8@1", "compute-capability=8.6@2"]
        );
    }

    #[test]
    fn what_people_sum_up() {
        assert_eq!(
            of("Driver: 591.86\nDriver model: WDDM\nnvcc: 12.8.61"),
            ["driver=591.86@1", "driver-model=WDDM@2", "cuda-toolkit=12.8.61@3"]
        );
        assert_eq!(
            of("Driver Model: WDDM 3.1\nnvcc: NVIDIA (R) Cuda compiler driver\nDriver: Intel 591.86"),
            [""; 0]
        );
    }

    #[test]
    fn a_bare_cuda_version_belongs_to_the_framework_above_it() {
        assert_eq!(of("CUDA: 12.4"), [""; 0]);
        assert_eq!(
            of("TORCH 2.6.0+cu124\nCUDA: 12.4\ncuDNN: 90100"),
            ["framework-cuda=12.4@2", "cudnn=9.1.0@3"]
        );
    }
}
