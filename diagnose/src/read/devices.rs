//! Lists of devices and of execution providers, as Python prints them: does the framework see a GPU?

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "python",
    words: &["ExecutionProvider", "PhysicalDevice(", "LogicalDevice(", "Device(id="],
    read,
};

/// Reads lists that say by themselves what they are.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        let names = text.contains("Device(")
            || text.contains("ExecutionProvider")
            || text.contains("physical_device:");
        if !names || text.len() > 2000 {
            continue;
        }
        let Some(list) = providers(text).or_else(|| list(text)) else { continue };
        if let Some(answer) = answer(list) {
            found.made("cuda-available", answer, list, line);
        }
    }
}

/// What a list says: `True` where a GPU or CUDA's provider is in it, `False` where only others are; none where a text is
/// no such list.
pub(super) fn answer(list: &str) -> Option<&'static str> {
    const DEVICES: [&str; 5] =
        ["PhysicalDevice(", "LogicalDevice(", "Device(id=", "ExecutionProvider", "physical_device:"];
    const GPUS: [&str; 7] = [
        "device_type='GPU'",
        ":GPU:",
        "CudaDevice(",
        "GpuDevice(",
        "cuda(id=",
        "CUDAExecutionProvider",
        "TensorrtExecutionProvider",
    ];
    let is_list = DEVICES.iter().any(|d| list.contains(d));
    is_list.then(|| if GPUS.iter().any(|g| list.contains(g)) { "True" } else { "False" })
}

/// A list that is all of a line, or stands behind a label.
fn list(text: &str) -> Option<&str> {
    let text = text.trim();
    let text =
        if text.starts_with('[') { text } else { text.split_once(": ").map(|(_, rest)| rest.trim())? };
    (text.starts_with('[') && text.ends_with(']')).then_some(text)
}

/// ONNX Runtime's own sentences: `Available providers: 'AzureExecutionProvider, CPUExecutionProvider'`, `This ORT build
/// has ['CUDAExecutionProvider', …] enabled`, InsightFace's `Applied providers: […], with options: …`.
fn providers(text: &str) -> Option<&str> {
    const WORDS: [&str; 5] = [
        "vailable providers: ",
        "ORT build has ",
        "pplied providers: ",
        "vailable providers are ",
        "in available provider names.Available providers: ",
    ];
    let (_, rest) = WORDS.iter().find_map(|w| text.split_once(w))?;
    let end = if rest.starts_with('[') { rest.find(']').map(|at| at + 1)? } else { rest.len() };
    rest[..end].contains("ExecutionProvider").then(|| rest[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("python");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn lists_say_whether_a_gpu_is_seen() {
        assert_eq!(of("['CPUExecutionProvider']"), ["cuda-available=False@1"]);
        assert_eq!(
            of("Out[2]: ['CUDAExecutionProvider', 'CPUExecutionProvider']"),
            ["cuda-available=True@1"]
        );
        assert_eq!(
            of(
                "[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]\n[CpuDevice(id=0)]\n[CudaDevice(id=0)]"
            ),
            ["cuda-available=False@1", "cuda-available=False@2", "cuda-available=True@3"]
        );
        assert_eq!(
            of(
                "UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names.Available providers: 'AzureExecutionProvider, CPUExecutionProvider'"
            ),
            ["cuda-available=False@1"]
        );
        assert_eq!(
            of("Applied providers: ['CPUExecutionProvider'], with options: {'CPUExecutionProvider': {}}"),
            ["cuda-available=False@1"]
        );
    }

    #[test]
    fn what_code_asks_for_is_no_answer() {
        assert_eq!(
            of("sess = ort.InferenceSession(m, providers=['CUDAExecutionProvider'])\n['a', 'b']\n[]"),
            [""; 0]
        );
    }
}
