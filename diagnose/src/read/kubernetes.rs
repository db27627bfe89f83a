//! Labels of Kubernetes nodes that GPU Feature Discovery writes: JSON, YAML, a Go map, `describe node`, `--show-labels`.

use super::found::Found;
use super::page::Page;
use super::platform_text;
use super::readers::Reader;

pub(super) const READER: Reader =
    Reader { tool: "node labels", words: &["nvidia.com/", "feature.node.kubernetes.io/"], read };

/// More labels than any node has.
const MOST: usize = 400;

/// Reads labels and joins the ones that hold parts of a version.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut node = Node::default();
    let mut last = 0;
    for (_, line, text) in page.all() {
        let labels = labels(text);
        if labels.is_empty() {
            continue;
        }
        if line > last + 60 {
            std::mem::take(&mut node).finish(found);
        }
        last = line;
        for label in labels {
            // A key that comes again begins another node.
            if node.labels.len() > MOST || node.get(label.key).is_some() {
                std::mem::take(&mut node).finish(found);
            }
            found.made(
                &format!("label:{}", label.key),
                label.value,
                if is_short(label.value) { label.raw } else { label.value },
                line,
            );
            node.labels.push((label, line));
        }
    }
    node.finish(found);
}

fn is_short(value: &str) -> bool {
    value.len() < 3 || value == "true" || value == "false"
}

#[derive(Clone, Copy)]
struct Label<'a> {
    key: &'a str,
    value: &'a str,
    /// Key and value as they stand there.
    raw: &'a str,
}

/// All `nvidia.com/… : value` of a line; resources such as `nvidia.com/gpu: 8` are none.
fn labels(text: &str) -> Vec<Label<'_>> {
    const OWNERS: [&str; 2] = ["nvidia.com/", "feature.node.kubernetes.io/"];
    let mut out = Vec::new();
    for owner in OWNERS {
        let mut from = 0;
        while let Some(at) = text[from..].find(owner).map(|i| from + i) {
            from = at + owner.len();
            let quoted = at > 0 && matches!(text.as_bytes()[at - 1], b'"' | b'\'');
            // `feature.node.kubernetes.io/nvidia.com/…` is one key.
            let preceded = at > 0
                && (text.as_bytes()[at - 1].is_ascii_alphanumeric()
                    || matches!(text.as_bytes()[at - 1], b'.' | b'/' | b'-'));
            if preceded {
                continue;
            }
            let rest = &text[at..];
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/')))
                .unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            let after = after.strip_prefix(['"', '\'']).unwrap_or(after);
            let Some(after) = after.strip_prefix([':', '=']) else { continue };
            let value = after.trim_start();
            // YAML quotes numbers and truths, with either sign; `{"spec":{"key":"value"}}` may be quoted once more.
            let value = match value.strip_prefix(['"', '\'']) {
                Some(inner) => inner.split(['"', '\'']).next().unwrap_or(inner),
                None => value.split([' ', ',', ']', '}', '\t', '"', '\'']).next().unwrap_or(value),
            };
            if !key[owner.len()..].contains('.') && owner == "nvidia.com/"
                || value.is_empty()
                || value.contains(['{', '[', '('])
                || (after.starts_with(' ') && value.is_empty())
            {
                continue;
            }
            let stop = value.as_ptr() as usize - text.as_ptr() as usize + value.len();
            let start = if quoted { at - 1 } else { at };
            let stop = if text[stop..].starts_with(['"', '\'']) { stop + 1 } else { stop };
            out.push(Label { key, value, raw: &text[start..stop] });
        }
    }
    out
}

/// The labels of one node.
#[derive(Default)]
struct Node<'a> {
    labels: Vec<(Label<'a>, usize)>,
}

impl<'a> Node<'a> {
    fn get(&self, key: &str) -> Option<(Label<'a>, usize)> {
        self.labels.iter().find(|(l, _)| l.key == key).copied()
    }

    fn finish(self, found: &mut Found) {
        self.version(
            "driver",
            &["nvidia.com/cuda.driver-version.full"],
            &["nvidia.com/cuda.driver-version", "nvidia.com/cuda.driver"],
            &["major", "minor", "revision", "rev"],
            found,
        );
        self.version(
            "cuda-driver-level",
            &["nvidia.com/cuda.runtime-version.full"],
            &["nvidia.com/cuda.runtime-version", "nvidia.com/cuda.runtime"],
            &["major", "minor"],
            found,
        );
        self.version("compute-capability", &[], &["nvidia.com/gpu.compute"], &["major", "minor"], found);
        self.system(found);
        let product = self.get("nvidia.com/gpu.product");
        // With one strategy for all, the labels of the GPU describe its instances.
        let instance = product.and_then(|(l, _)| l.value.split_once("-MIG-"));
        if let Some((label, line)) = product {
            let name = label.value.split("-MIG-").next().unwrap_or(label.value);
            let name = name.strip_suffix("-SHARED").unwrap_or(name);
            found.see("gpu", name, line);
            if let Some((_, profile)) = instance {
                found.see("mig", profile.strip_suffix("-SHARED").unwrap_or(profile), line);
            }
        }
        for (label, line) in &self.labels {
            if let Some(profile) =
                label.key.strip_prefix("nvidia.com/mig-").and_then(|k| k.strip_suffix(".count"))
                && label.value != "0"
            {
                found.see("mig", profile, *line);
            }
        }
        if instance.is_some() || self.is_all_instances() {
            return;
        }
        for (key, what) in [("nvidia.com/gpu.count", "gpu-count"), ("nvidia.com/gpu.memory", "memory-mib")] {
            if let Some((label, line)) = self.get(key)
                && label.value.bytes().all(|b| b.is_ascii_digit())
            {
                let raw = if label.value.len() < 3 { label.raw } else { label.value };
                found.made(what, label.value, raw, line);
            }
        }
    }

    /// Is every GPU cut into instances of one size, which the labels then describe? With mixed sizes each has labels of
    /// its own.
    fn is_all_instances(&self) -> bool {
        let value = |key: &str| self.get(key).map(|(l, _)| l.value);
        let mixed = value("nvidia.com/mig.strategy") == Some("mixed")
            || self.labels.iter().any(|(l, _)| l.key.starts_with("nvidia.com/mig-"));
        let config = value("nvidia.com/mig.config").filter(|c| c.starts_with("all-"));
        config.is_some_and(|c| c != "all-disabled") && !mixed
    }

    /// Kernel and system, which Node Feature Discovery labels.
    fn system(&self, found: &mut Found) {
        const OF: &str = "feature.node.kubernetes.io/";
        if let Some((label, line)) = self.get(&format!("{OF}kernel-version.full")) {
            platform_text::see_kernel(label.value, line, found);
        }
        let id = self.get(&format!("{OF}system-os_release.ID"));
        let version = self.get(&format!("{OF}system-os_release.VERSION_ID"));
        if let (Some((id, line)), Some((version, _))) = (id, version) {
            found.made("os", &format!("{} {}", id.value, version.value), id.raw, line);
        }
    }

    /// A version that stands whole in one label, or in one for each part.
    fn version(&self, what: &str, whole: &[&str], prefixes: &[&str], parts: &[&str], found: &mut Found) {
        for key in whole {
            if let Some((label, line)) = self.get(key) {
                found.see(what, label.value, line);
                return;
            }
        }
        for prefix in prefixes {
            let values: Vec<(Label<'a>, usize)> = parts
                .iter()
                .filter_map(|p| self.get(&format!("{prefix}.{p}")))
                .filter(|(l, _)| !l.value.is_empty())
                .collect();
            if values.len() < 2 {
                continue;
            }
            let version = values.iter().map(|(l, _)| l.value).collect::<Vec<_>>().join(".");
            // The first of them in the text, whichever part it holds.
            let Some((first, line)) = values.iter().min_by_key(|(_, line)| *line) else { continue };
            let line = *line;
            found.made(what, &version, first.raw, line);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("kubectl");
        read(&Page::of(&lines), &mut found);
        found.shown().into_iter().filter(|f| !f.starts_with("label:")).collect()
    }

    #[test]
    fn parts_are_joined_in_all_spellings() {
        let parts = [
            "nvidia.com/cuda.driver.major=515",
            "nvidia.com/cuda.driver.minor=105",
            "nvidia.com/cuda.driver.rev=01",
        ];
        assert_eq!(of(&parts.join("\n")), ["driver=515.105.01@1"]);
        assert_eq!(of(&parts.join(",")), ["driver=515.105.01@1"]);
        assert_eq!(
            of(
                "    nvidia.com/gpu.compute.major: \"8\"\n    nvidia.com/gpu.compute.minor: \"6\"\n  nvidia.com/gpu: 4"
            ),
            ["compute-capability=8.6@1"]
        );
    }

    #[test]
    fn quotes_are_no_part_of_values() {
        let text = "labels:\n    nvidia.com/cuda.runtime.minor: '4'\n    nvidia.com/cuda.runtime.major: '12'\n    feature.node.kubernetes.io/kernel-version.full: 5.14.0-284.el9.x86_64\n    feature.node.kubernetes.io/system-os_release.ID: ubuntu\n    feature.node.kubernetes.io/system-os_release.VERSION_ID: '22.04'";
        assert_eq!(
            of(text),
            ["cuda-driver-level=12.4@2", "kernel=5.14.0-284.el9.x86_64@4", "os=ubuntu 22.04@5"]
        );
        assert_eq!(
            of("{'nvidia.com/gpu.compute.major': '8', 'nvidia.com/gpu.compute.minor': '6'}"),
            ["compute-capability=8.6@1"]
        );
    }

    #[test]
    fn instances_of_one_size_have_the_labels_of_the_gpu() {
        assert_eq!(of("nvidia.com/mig.config: all-1g.5gb\nnvidia.com/gpu.memory: '4864'"), [""; 0]);
        assert_eq!(
            of("nvidia.com/mig.config: all-disabled\nnvidia.com/gpu.memory: '40960'"),
            ["memory-mib=40960@2"]
        );
    }

    #[test]
    fn instances_are_not_counted_as_gpus() {
        assert_eq!(
            of(
                "nvidia.com/gpu.count=7\nnvidia.com/gpu.memory=4864\nnvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"
            ),
            ["gpu=NVIDIA-A100-SXM4-40GB@3", "mig=1g.5gb@3"]
        );
    }
}
