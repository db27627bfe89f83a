//! Lists of GPUs, one a line: `nvidia-smi -L`, PyTorch's and SGLang's reports.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader =
    Reader { tool: "nvidia-smi -L", words: &["GPU 0", "GPU 1", "GPU 2", "GPU 3", "MIG "], read };

/// `GPU 0: NVIDIA TITAN V (UUID: …)`, `GPU 0,1: …`, and the MIG instances below.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut list = List::default();
    for (at, line, text) in page.all() {
        let text = text.trim();
        if let Some(profile) = instance(text) {
            found.see("mig", profile, line);
            continue;
        }
        // The first may stand behind the label of the list.
        let behind = ["configuration: ", "configuration : "]
            .iter()
            .find_map(|l| text.split_once(l))
            .map(|(_, rest)| rest);
        let entry = entry(behind.unwrap_or(text).trim_start_matches(['*', '-', ' ']));
        let Some(entry) = entry else {
            list.close(found, text.is_empty() || at + 1 < page.lines.len());
            continue;
        };
        if entry.capability {
            if let Some(value) = number::dotted_capability(entry.name) {
                found.see("compute-capability", value, line);
            }
            continue;
        }
        let Some(name) = name(entry.name) else { continue };
        found.see("gpu", name, line);
        if entry.indexes.first() == Some(&0) {
            list.close(found, true);
            list = List::default();
        }
        list.add(&entry, line);
    }
    list.close(found, true);
}

struct Entry<'a> {
    /// `GPU 0,1:`
    raw: &'a str,
    indexes: Vec<u32>,
    name: &'a str,
    /// The line states a compute capability, not a name.
    capability: bool,
}

fn entry(text: &str) -> Option<Entry<'_>> {
    let rest = text.strip_prefix("GPU ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | ' '))?;
    // `GPU 00000000:0C:00.0` is a place on the bus.
    let index = |n: &str| n.trim().parse().ok().filter(|_| n.trim().len() <= 3);
    let indexes: Vec<u32> = rest[..end].split(',').map(index).collect::<Option<_>>()?;
    let capability =
        ["Compute Capability", "compute capability"].iter().find_map(|l| rest[end..].strip_prefix(l));
    let value = capability.unwrap_or(&rest[end..]).strip_prefix(':')?;
    let raw = &text[..text.len() - value.len()];
    Some(Entry { raw, indexes, name: value.trim(), capability: capability.is_some() })
}

/// The name before the UUID; none where the line holds no name.
fn name(text: &str) -> Option<&str> {
    let text = text.split_once(" (UUID").map_or(text, |(name, _)| name).trim();
    let letters = text.chars().any(|c| c.is_ascii_alphabetic());
    let message = text.len() > 80
        || text.starts_with("0x")
        || text.starts_with("NVRM")
        || text.contains(" has ")
        || text.contains(": ")
        || text.ends_with('.') && !text.ends_with("...")
        || text.contains('%')
        // A size, not a name.
        || text.starts_with(|c: char| c.is_ascii_digit());
    (letters && !message && text != "N/A" && !text.starts_with("00000")).then_some(text)
}

/// The profile of `MIG 1g.5gb Device 0: (UUID: …)`.
fn instance(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("MIG ")?;
    let profile = rest.split_whitespace().next()?;
    (profile.contains("g.") && rest.contains("Device")).then_some(profile)
}

/// One list: how many GPUs it names, if it begins at 0 and leaves none out.
#[derive(Default)]
struct List {
    indexes: Vec<u32>,
    last: Option<(String, usize)>,
    closed: bool,
}

impl List {
    fn add(&mut self, entry: &Entry<'_>, line: usize) {
        self.closed = false;
        self.indexes.extend(&entry.indexes);
        self.last = Some((entry.raw.trim().to_owned(), line));
    }

    fn close(&mut self, found: &mut Found, whole: bool) {
        if self.closed || !whole {
            return;
        }
        self.closed = true;
        if let Some((raw, line)) = &self.last
            && self.indexes.iter().zip(0..).all(|(gpu, n)| *gpu == n)
        {
            found.made("gpu-count", &self.indexes.len().to_string(), raw, *line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("nvidia-smi -L");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn instances_are_no_gpus() {
        assert_eq!(
            of(
                "GPU 0: NVIDIA A100 (UUID: GPU-1)\n  MIG 1g.5gb     Device  0: (UUID: MIG-1)\nGPU 1: NVIDIA A100 (UUID: GPU-2)\n"
            ),
            ["gpu=NVIDIA A100@1", "mig=1g.5gb@2", "gpu=NVIDIA A100@3", "gpu-count=2@3"]
        );
    }

    #[test]
    fn one_line_may_stand_for_many() {
        assert_eq!(
            of("GPU 0,1,2,3: NVIDIA H100\nGPU 0,1,2,3 Compute Capability: 9.0\n"),
            ["gpu=NVIDIA H100@1", "compute-capability=9.0@2", "gpu-count=4@1"]
        );
        assert_eq!(of("GPU 00000000:0C:00.0\nGPU 0000:03:00.0: GPU is lost"), [""; 0]);
        assert_eq!(of("GPU 0 has 3.2 GiB free: GPU 1: x has a total capacity of 4 GiB."), [""; 0]);
    }
}
