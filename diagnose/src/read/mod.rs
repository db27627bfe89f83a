//! Readers of what programs print about a machine: one file for each program.
//!
//! Each is a function over the lines of a text; it knows a program's layout in all its versions and nothing of the other
//! readers. [`read`] runs those whose words stand in the text and puts together what they find.

mod collect_env;
mod found;
mod gpu_list;
mod gpustat;
mod label;
mod labelled;
mod number;
mod nvcc;
mod package;
mod page;
mod pins;
mod pip_list;
mod pip_output;
mod platform_text;
mod smi_csv;
mod smi_query;
mod smi_table;
mod smi_xml;
mod version_lines;

mod together;

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
    Reader { tool: "environment report", words: &[":"], read: labelled::read },
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
    Reader { tool: "pip freeze", words: &["==", ".whl", "_"], read: pins::read },
    Reader {
        tool: "pip",
        words: &[
            "Successfully installed",
            "already satisfied",
            "Looking in indexes",
            ".whl",
            "Name: ",
            "pip show",
            "pip3 show",
            "index-url",
        ],
        read: pip_output::read,
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
    let wanted = wanted(lines);
    if !wanted.contains(&true) {
        return Vec::new();
    }
    let page = Page::of(lines);
    let mut found = Found::of("text");
    for (reader, _) in READERS.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        found.by(reader.tool);
        (reader.read)(&page, &mut found);
    }
    together::put(found.list)
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
