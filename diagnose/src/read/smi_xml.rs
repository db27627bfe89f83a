//! `nvidia-smi -q -x`.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const READER: Reader = Reader {
    tool: "nvidia-smi -q -x",
    words: &["<driver_version>", "<product_name>", "<cuda_version>", "<attached_gpus>"],
    read,
};

/// Reads elements line by line, as the tool writes them.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut in_instance = false;
    let mut in_memory = false;
    for (_, line, text) in page.all() {
        let text = text.trim();
        match text {
            "<mig_devices>" => in_instance = true,
            "</mig_devices>" => in_instance = false,
            "<fb_memory_usage>" => in_memory = true,
            "</fb_memory_usage>" => in_memory = false,
            _ => {}
        }
        let Some((name, value)) = element(text) else { continue };
        if in_instance || (label::is_nothing(value) && name != "current_mig") {
            continue;
        }
        match name {
            "driver_version" | "kmd_version" => {
                if let Some(version) = number::driver(value) {
                    found.see("driver", version, line);
                }
            }
            "cuda_version" | "cuda_umd_version" => {
                if let Some(version) = number::cuda(value) {
                    found.see("cuda-driver-level", version, line);
                }
            }
            "attached_gpus" => found.see("gpu-count", value, line),
            "product_name" => found.see("gpu", value, line),
            "current_mig" if matches!(value, "Enabled" | "Disabled") => found.see("mig", value, line),
            "current_dm" if matches!(value, "WDDM" | "TCC" | "MCDM") => {
                found.see("driver-model", value, line)
            }
            "total" if in_memory => {
                if let Some(total) = value.strip_suffix(" MiB") {
                    found.see("memory-mib", total, line);
                }
            }
            _ => {}
        }
    }
}

/// `<name>value</name>`.
fn element(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.strip_prefix('<')?.split_once('>')?;
    let (value, end) = rest.split_once("</")?;
    (end.trim_end_matches('>') == name).then(|| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    #[test]
    fn elements_are_read() {
        let text = "<nvidia_smi_log>\n\t<driver_version>535.104.05</driver_version>\n<cuda_version>12.2</cuda_version>\n<attached_gpus>1</attached_gpus>\n<product_name>NVIDIA A100</product_name>\n<mig_devices>\n<fb_memory_usage>\n<total>4864 MiB</total>\n</fb_memory_usage>\n</mig_devices>\n<fb_memory_usage>\n<total>40960 MiB</total>\n</fb_memory_usage>";
        let lines = Line::all(text);
        let mut found = Found::of("nvidia-smi -q -x");
        read(&Page::of(&lines), &mut found);
        assert_eq!(
            found.shown(),
            [
                "driver=535.104.05@2",
                "cuda-driver-level=12.2@3",
                "gpu-count=1@4",
                "gpu=NVIDIA A100@5",
                "memory-mib=40960@12"
            ]
        );
    }
}
