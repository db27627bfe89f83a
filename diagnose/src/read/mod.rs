//! Readers of what programs print about a machine: one file for each program.
//!
//! Each is a function over the lines of a text; it knows a program's layout in all its versions and nothing of the other
//! readers. [`read`] runs those whose words stand in the text and puts together what they find.

mod collect_env;
mod container;
mod cuda_components;
mod device_nodes;
mod devices;
mod environment;
mod files;
mod form;
mod found;
mod gpu_list;
mod gpu_name;
mod gpustat;
mod jax_info;
mod jetson;
mod kernel;
mod kubernetes;
mod label;
mod labelled;
mod library;
mod limit;
mod loader;
mod messages;
mod missing;
mod number;
mod nvcc;
mod package;
mod paddle;
mod page;
mod pci;
mod pins;
mod pip_list;
mod pip_output;
mod platform_text;
mod processor;
mod programs;
mod python;
mod python_prints;
mod sections;
mod service;
mod smi_csv;
mod smi_mig;
mod smi_query;
mod smi_table;
mod smi_xml;
mod system;
mod system_packages;
mod tensorflow;
mod together;
mod tools;
mod torch_config;
mod unwrapped;
mod version_lines;
mod windows;

use crate::Line;
use aho_corasick::AhoCorasick;
use found::Found;
use kb_core::observe::Observation;
use page::Page;
use std::sync::LazyLock;

/// A reader: whose output it reads, words without one of which there is nothing to read, and the function.
struct Reader {
    tool: &'static str,
    words: &'static [&'static str],
    read: fn(&Page<'_>, &mut Found),
}

const READERS: &[Reader] = &[
    Reader {
        tool: "nvidia-smi",
        words: &["NVIDIA-SMI", "NVITOP", "Persistence-M", "TCC/WDDM", "Driver Version:", "MiB |"],
        read: smi_table::read,
    },
    Reader {
        tool: "nvidia-smi -q",
        words: &[
            "NVSMI LOG",
            "Driver Version",
            "KMD Version",
            "CUDA UMD",
            "Attached GPUs",
            "Product Name",
            "FB Memory Usage",
            "NVML ",
        ],
        read: smi_query::read,
    },
    Reader {
        tool: "nvidia-smi -q -x",
        words: &["<driver_version>", "<product_name>", "<cuda_version>", "<attached_gpus>"],
        read: smi_xml::read,
    },
    Reader {
        tool: "nvidia-smi -L",
        words: &["GPU 0", "GPU 1", "GPU 2", "GPU 3", "MIG "],
        read: gpu_list::read,
    },
    Reader {
        tool: "nvidia-smi --query-gpu",
        words: &[
            "--query-gpu",
            "driver_version",
            "memory.total",
            "compute_cap",
            "name, ",
            ", name",
            " MiB",
            "NVIDIA ",
            "Tesla ",
            "GeForce ",
            "Quadro ",
            "TITAN ",
        ],
        read: smi_csv::read,
    },
    Reader { tool: "gpustat", words: &["[0] "], read: gpustat::read },
    Reader {
        tool: "nvcc",
        words: &[
            "Cuda compilation tools",
            "Build cuda_",
            "CUDA compiler identification",
            "Found CUDA",
            "version.txt",
            "CUDA NVCC",
        ],
        read: nvcc::read,
    },
    Reader { tool: "cudnn_version.h", words: &["#define CUDNN_MAJOR"], read: nvcc::read_header },
    Reader {
        tool: "collect_env",
        words: &[
            "PyTorch",
            "CUDA runtime version",
            "driver version",
            "cuDNN version",
            "Is CUDA available",
            "Libc version",
            "Python platform",
            "vLLM Version",
        ],
        read: collect_env::read,
    },
    Reader { tool: "environment report", words: &[":", "："], read: labelled::read },
    Reader {
        tool: "version",
        words: &[
            "torch",
            "ORT ",
            "tensorflow",
            "paddle",
            "jax",
            "cupy",
            "xformers",
            "onnxruntime",
            "vllm",
            "tf ",
        ],
        read: version_lines::read,
    },
    Reader {
        tool: "pip list",
        words: &["Package", "Version", "pip list", "pip3 list", "conda", "Build", "poetry", "  "],
        read: pip_list::read,
    },
    Reader { tool: "pip freeze", words: &["==", ".whl", "_", "[required: "], read: pins::read },
    Reader {
        tool: "pip",
        words: &[
            "Successfully installed",
            "already satisfied",
            "Looking in indexes",
            ".whl",
            "Name: ",
            "\"version\"",
            "pip show",
            "pip3 show",
            "index-url",
            "INDEX_URL",
            "--index",
            "find-links",
            " -i http",
            " -f http",
        ],
        read: pip_output::read,
    },
    Reader {
        tool: "paddle",
        words: &[
            "Driver API Version",
            "package was compiled for",
            "Please NOTE",
            "cuDNN Version",
            "Paddle version",
            "Paddle With CUDA",
            "Runtime API Version",
            "found in runtime",
        ],
        read: paddle::read,
    },
    Reader {
        tool: "tensorflow",
        words: &[
            "name: ",
            "StreamExecutor device",
            "uccessfully opened",
            "Loaded cuDNN",
            "Loaded runtime CuDNN",
            "reported version is",
            "DSO version",
            "cuda_version",
        ],
        read: tensorflow::read,
    },
    Reader {
        tool: "torch.__config__",
        words: &["CUDA Runtime", "CuDNN ", "architecture flags", "Build settings"],
        read: torch_config::read,
    },
    Reader {
        tool: "environment report",
        words: &["* CUDA", "GPU available  ", "(arch=", "CUDA_HOME  ", "PyTorch   ", "Driver version "],
        read: sections::read,
    },
    Reader {
        tool: "message",
        words: &[
            "cuDNN version",
            "(you have ",
            "CUDA capability sm_",
            "supports CUDA capabilities",
            "too old (found version",
            "was linked against cuDNN",
            "ompute Capability",
            "compute capability among",
            "highest_compute",
            "cannot open shared",
            "dynamic library",
            "ould not find 'cud",
        ],
        read: messages::read,
    },
    Reader {
        tool: "jax.print_environment_info",
        words: &["jax.devices", "device info: ", "uname_result"],
        read: jax_info::read,
    },
    Reader {
        tool: "python",
        words: &["__version__", "print(", "torch.", "paddle.", "tf.", "sys.version", "platform.", "cupy."],
        read: python_prints::read,
    },
    Reader {
        tool: "python",
        words: &["Python ", "(python ", "CPython", "version_info", "python3 (", "python3."],
        read: python::read,
    },
    Reader { tool: "python", words: &["python3.", "\\Python3"], read: python::read_paths },
    Reader {
        tool: "ldd",
        words: &[
            "=>",
            "trying file=",
            "calling init",
            "r-xp",
            "r--p",
            "following dependencies",
            "delay load",
            "NEEDED",
        ],
        read: loader::read,
    },
    Reader { tool: "files", words: &[".so", ".dll"], read: files::read },
    Reader {
        tool: "kernel",
        words: &[
            "NVIDIA UNIX",
            "for UNIX",
            "has the version",
            "SecureBoot",
            "Secure boot",
            "nvidia",
            "nouveau",
            "nvgpu",
            "uname",
            "GNU/Linux",
            "Linux version",
            "Default Version",
            "默认版本",
            "預設版本",
            "Standardversion",
            "wsl",
            " SMP",
            "dpkg --print",
            "AER:",
            "Bus Error",
            "Surprise Down",
        ],
        read: kernel::read,
    },
    Reader {
        tool: "lspci",
        words: &["NVIDIA Corporation", "Kernel driver in use", "Device-", "product: "],
        read: pci::read,
    },
    Reader {
        tool: "environment",
        words: &[
            "CUDA_PATH",
            "CUDA_HOME",
            "CUDA_VISIBLE_DEVICES",
            "LD_LIBRARY_PATH",
            "PATH",
            "REQUIRE_CUDA",
            "ld.so.conf",
        ],
        read: environment::read,
    },
    Reader {
        tool: "system",
        words: &[
            "PRETTY_NAME",
            "DISTRIB_DESCRIPTION",
            "NAME=",
            "Edition",
            "版本",
            "\\n \\l",
            " release ",
            "Microsoft Windows",
            "ldd (",
            "Description",
            "OS Name",
            "OS 名",
            "Betriebssystem",
            "Operating System",
            "操作系统",
            "作業系統",
            "オペレーティング",
            "OsName",
            "WindowsProductName",
            "OS Image",
            "osImage",
            "Kernel Version",
            "kernelVersion",
            "Nom du syst",
            "Nombre del sistema",
            "Architecture",
        ],
        read: system::read,
    },
    Reader {
        tool: "windows",
        words: &[
            "DriverVersion",
            "AdapterRAM",
            "VideoController",
            "Card name",
            "Driver Version",
            "驱动",
            "驅動",
            "ドライバー",
            "Treiber",
            "显示适配器",
            "顯示介面卡",
            "Name",
            "Caption",
            "VideoProcessor",
            "pilote",
        ],
        read: windows::read,
    },
    Reader {
        tool: "container",
        words: &[
            "root@",
            "docker",
            "podman",
            "singularity",
            "apptainer",
            "FROM ",
            "Runtimes",
            "NVRM version",
            "Device Index",
            "Server Version",
        ],
        read: container::read,
    },
    Reader {
        tool: "node labels",
        words: &["nvidia.com/", "feature.node.kubernetes.io/"],
        read: kubernetes::read,
    },
    Reader {
        tool: "jetson",
        words: &["REVISION:", "L4T", "nvidia-l4t-core", "Jetpack", "CUDA Arch BIN", "-tegra"],
        read: jetson::read,
    },
    Reader {
        tool: "packages of the system",
        words: &[
            "libcudnn",
            "libnvidia",
            "nvidia-",
            "cuda-",
            "libnvinfer",
            "tensorrt",
            "libnccl",
            "libcublas",
            "cudnn",
            "Installed:",
        ],
        read: system_packages::read,
    },
    Reader {
        tool: "program",
        words: &[
            "Device ",
            "id 0",
            "id 1",
            "library=cuda",
            "CUDA-version: ",
            "compute_capability = ",
            "Runtime Version",
            "global memory",
            "Total VRAM",
            "NVIDIA CUDA:",
            "cuDNN:",
            "GPU arch",
            "CUDA architectures",
            "NVIDIA driver",
            "CUDA driver",
            "CUDA runtime",
            "CUDA toolkit",
            " (sm_",
        ],
        read: programs::read,
    },
    Reader {
        tool: "issue form",
        words: &[
            "##",
            "**",
            "OS Version",
            "Operating System",
            "Python version",
            "PyTorch Version",
            "TensorFlow version",
            "Runtime Version or",
            "GPU model and",
        ],
        read: form::read,
    },
    Reader {
        tool: "python",
        words: &["ExecutionProvider", "PhysicalDevice(", "LogicalDevice(", "Device(id="],
        read: devices::read,
    },
    Reader {
        tool: "cpu",
        words: &[
            "model name",
            "Modellname",
            "型号名",
            "nom de mod",
            "nombre del modelo",
            "モデル名",
            "flags",
            "wmic cpu",
            "Win32_Processor",
            "machdep.cpu",
        ],
        read: processor::read,
    },
    Reader { tool: "nvidia-smi mig", words: &["using profile MIG", "instances:"], read: smi_mig::read },
    Reader { tool: "systemctl", words: &[".service -", "is-active"], read: service::read },
    Reader {
        tool: "ulimit",
        words: &["open files", "max locked memory", "max user processes", "/dev/shm", "ulimit"],
        read: limit::read,
    },
    Reader {
        tool: "device nodes",
        words: &["/dev/nvidia", "/dev/dxg", "/dev/nvhost", "/dev/dri"],
        read: device_nodes::read,
    },
    Reader {
        tool: "which",
        words: &["nvcc", "ptxas", "nvidia-smi", "nvidia-c", "python", "where", "which"],
        read: tools::read,
    },
    Reader {
        tool: "loader",
        words: &[
            "not found",
            "is missing from",
            "cannot open shared",
            "找不到",
            "丢失",
            "to load",
            "annot load",
            "wc -l",
        ],
        read: missing::read,
    },
    Reader {
        tool: "jax",
        words: &["built against: ", "Minimum supported: ", "Installed version: "],
        read: cuda_components::read,
    },
];

/// One pass over the text finds which readers have anything to do.
static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = READERS.iter().flat_map(|r| r.words.iter());
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(aho_corasick::AhoCorasickKind::ContiguousNFA))
        .build(words)
        .ok()
});

/// Everything that the readers find, in the order of the lines.
pub fn read(lines: &[Line<'_>]) -> Vec<Observation> {
    let mut found = Found::of("text");
    once(lines, &mut found);
    // What a console cut in two is read again in one piece; nothing is taken back.
    if let Some(whole) = unwrapped::undo(lines) {
        once(&whole, &mut found);
    }
    // A name that was cut off says nothing; a variable may be empty.
    let says = |o: &Observation| {
        // A package without a name is none.
        kb_core::observe::is_name(&o.what)
            && (!o.value.trim().is_empty()
                || matches!(&*o.what, "search-path" | "cuda-visible-devices" | "cuda-path"))
    };
    found.list.retain(says);
    together::put(found.list)
}

fn once(lines: &[Line<'_>], found: &mut Found) {
    let wanted = wanted(lines);
    if !wanted.contains(&true) {
        return;
    }
    let page = Page::of(lines);
    for (reader, _) in READERS.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        found.by(reader.tool);
        (reader.read)(&page, found);
    }
}

/// Which readers have a word in the text.
fn wanted(lines: &[Line<'_>]) -> Vec<bool> {
    let mut wanted = vec![false; READERS.len()];
    let Some(words) = WORDS.as_ref() else { return vec![true; READERS.len()] };
    let owners: Vec<usize> =
        READERS.iter().enumerate().flat_map(|(i, r)| std::iter::repeat_n(i, r.words.len())).collect();
    let mut missing = READERS.len();
    for line in lines {
        for hit in words.find_overlapping_iter(line.text.as_ref()) {
            let owner = owners[hit.pattern().as_usize()];
            if !wanted[owner] {
                wanted[owner] = true;
                missing -= 1;
            }
        }
        if missing == 0 {
            break;
        }
    }
    wanted
}

/// Texts at which a reader starts, and how many lines it may want from there on. In a log of many megabytes only what
/// follows them is kept for the readers.
pub const ANCHORS: [(&str, u16); 24] = [
    ("NVIDIA-SMI ", 120),
    ("NVSMI LOG", 400),
    ("Collecting environment information", 400),
    ("PyTorch version:", 300),
    ("Cuda compilation tools", 1),
    ("NVRM version:", 1),
    ("Versions of relevant libraries", 100),
    ("# packages in environment at", 400),
    ("[pip3] ", 1),
    ("[conda] ", 1),
    ("CUDA_PATH=", 1),
    ("CUDA_HOME=", 1),
    ("CUDA_VISIBLE_DEVICES", 1),
    ("LD_LIBRARY_PATH=", 1),
    ("Successfully installed ", 1),
    ("Please NOTE: device", 2),
    ("Created device /job", 1),
    ("Created TensorFlow device", 1),
    ("Kernel driver in use: ", 1),
    ("nv_tegra_release", 2),
    ("microsoft-standard-WSL2", 1),
    ("torch.__version__", 2),
    ("nvidia-container-cli", 4),
    ("kubectl describe node", 200),
];
