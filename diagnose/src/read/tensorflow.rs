//! TensorFlow's log lines about devices, libraries and the driver, and its build information.

use super::found::Found;
use super::library;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
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
    read,
};

/// Device lines of TensorFlow 1 and 2 and of XLA. Their memory figures are what is left, not what the GPU has.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut devices = Devices::default();
    for (at, line, text) in page.all() {
        if let Some((_, rest)) = text.split_once("StreamExecutor device (") {
            if let Some((_, rest)) = rest.split_once("): ")
                && let Some((name, capability)) = rest.rsplit_once(", Compute Capability ")
                && devices.is_new(name, None)
            {
                found.see("gpu", name, line);
                capability_of(capability, line, found);
            }
        } else if text.contains(" name: ") || text.trim_start().starts_with("name: ") {
            device_line(page, at, line, text, &mut devices, found);
        } else if text.contains("uccessfully opened ")
            && let Some((_, rest)) = text.split_once("library ")
        {
            let file = rest.split_whitespace().next().unwrap_or("").trim_end_matches(',');
            library::see_found(file, line, found);
        } else if let Some((_, rest)) = text.split_once("Loaded cuDNN version ")
            && let Some((raw, version)) = number::cudnn(rest)
        {
            found.made("cudnn", &version, raw, line);
        } else if let Some((_, rest)) = text.split_once("Loaded runtime CuDNN library: ") {
            // Until TensorFlow 1.4 both were integers: `7005 (compatibility version 7000)`.
            if let Some((raw, version)) = number::cudnn(rest) {
                found.made("cudnn", &version, raw, line);
            }
            if let Some((_, rest)) = text.split_once("compiled with")
                && let Some((raw, version)) = number::cudnn(rest.trim_start_matches([':', ' ']))
            {
                found.made("framework-cudnn", &version, raw, line);
            }
        } else if let Some((_, rest)) = text.split_once("kernel reported version is: ") {
            if let Some(version) = number::driver(rest) {
                found.see("driver", version, line);
            }
        } else if let Some((_, rest)) = text.split_once("libcuda reported version is: ") {
            if let Some(version) = number::driver(rest) {
                found.see("driver-library", version, line);
            }
        } else if let Some((_, rest)) =
            text.split_once("kernel version ").filter(|_| text.contains("does not match DSO version"))
        {
            if let Some(version) = number::driver(rest) {
                found.see("driver", version, line);
            }
            if let Some(version) = text.split_once("DSO version ").and_then(|(_, r)| number::driver(r)) {
                found.see("driver-library", version, line);
            }
        }
        if text.contains("cuda_version") && (text.contains("cudnn_version") || text.contains("is_cuda_build"))
        {
            build_info(text, line, found);
        }
    }
}

/// GPUs that were named, each once: several lines name the same.
#[derive(Default)]
struct Devices<'a> {
    known: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Devices<'a> {
    /// Is this a GPU that no line has named yet? The place on the bus tells equal ones apart.
    fn is_new(&mut self, name: &'a str, bus: Option<&'a str>) -> bool {
        let full = self.known.len() > 256;
        let same =
            self.known.iter_mut().find(|(n, b)| *n == name && (bus.is_none() || b.is_none() || *b == bus));
        match same {
            Some(known) => {
                known.1 = known.1.or(bus);
                false
            }
            // More than any machine has is a log that repeats itself.
            None if full => false,
            None => {
                self.known.push((name, bus));
                true
            }
        }
    }
}

/// A place on the bus behind a label.
fn bus(text: &str) -> Option<&str> {
    let (_, rest) = text
        .split_once("pci bus id: ")
        .or_else(|| text.split_once("pciBusID: "))
        .or_else(|| text.split_once("pciBusID "))?;
    rest.split([',', ' ']).next()
}

fn capability_of(text: &str, line: usize, found: &mut Found) {
    if let Some(value) = number::dotted_capability(text.trim_start()) {
        found.see("compute-capability", value, line);
    }
}

/// `… name: NVIDIA GeForce GTX 1060 6GB, pci bus id: 0000:01:00.0, compute capability: 6.1`,
/// `name: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.7335`,
/// `pciBusID: 0000:01:00.0 name: NVIDIA GeForce RTX 3080 computeCapability: 8.6`.
fn device_line<'a>(
    page: &Page<'a>,
    at: usize,
    line: usize,
    text: &'a str,
    devices: &mut Devices<'a>,
    found: &mut Found,
) {
    let Some((_, rest)) = text.split_once("name: ") else { return };
    let next = |n: usize| page.line(at + n).map_or("", |(_, text)| text);
    let ends = [", pci bus id", " major:", " computeCapability", ", compute capability"];
    // TensorFlow 1.0 breaks the line behind the name.
    let broken = next(1).contains("major: ") && next(1).contains("minor: ");
    let Some(end) = ends.iter().filter_map(|e| rest.find(e)).min().or(broken.then_some(rest.len())) else {
        return;
    };
    let name = rest[..end].trim();
    let place = bus(text).or_else(|| bus(next(1))).or_else(|| bus(next(2)));
    if name.is_empty() || name.len() > 70 || !devices.is_new(name, place) {
        return;
    }
    found.see("gpu", name, line);
    if let Some((_, capability)) =
        rest.split_once("compute capability: ").or_else(|| rest.split_once("computeCapability: "))
    {
        capability_of(capability, line, found);
        return;
    }
    let (number, of) =
        if rest.contains("major: ") { (line, rest) } else { page.line(at + 1).unwrap_or((line, rest)) };
    let part =
        |label: &str| of.split_once(label).and_then(|(_, r)| number::dotted(r)).filter(|d| !d.contains('.'));
    if let (Some(major), Some(minor)) = (part("major: "), part("minor: ")) {
        let raw = format!("major: {major} minor: {minor}");
        let raw = if of.contains(&raw) { raw } else { format!("major: {major}") };
        found.made("compute-capability", &format!("{major}.{minor}"), &raw, number);
    }
}

/// `tf.sysconfig.get_build_info()`: a dict or an OrderedDict.
fn build_info(text: &str, line: usize, found: &mut Found) {
    let value = |key: &str| {
        let (_, rest) = text.split_once(&format!("'{key}'"))?;
        let rest = rest.trim_start_matches([':', ',', ' ']);
        let rest = rest.strip_prefix('\'')?;
        rest.split('\'').next()
    };
    if let Some(version) = value("cuda_version").map(|v| v.trim_start_matches("64_")) {
        if let Some(version) = number::dotted(version).filter(|v| v.contains('.')) {
            found.see("framework-cuda", version, line);
        } else if let Some(version) = number::cuda_tag(&format!("cu{version}")) {
            // Windows builds name the number in the libraries' names: `64_112`.
            found.made("framework-cuda", &version, value("cuda_version").unwrap_or(""), line);
        }
    }
    if let Some(raw) = value("cudnn_version")
        && let Some(version) = number::dotted(raw.trim_start_matches("64_"))
    {
        found.made("framework-cudnn", version, raw, line);
    }
    if let Some((_, rest)) = text.split_once("cuda_compute_capabilities")
        && let Some((list, _)) = rest.split_once(']')
        && let Some(arches) = number::arches(list)
    {
        found.made("framework-arches", &arches, list.trim_start_matches(['\'', ':', ',', ' ', '[']), line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("tensorflow");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn device_lines_of_all_releases() {
        assert_eq!(
            of(
                "Created device /job:localhost/replica:0/task:0/device:GPU:0 with 4719 MB memory:  -> device: 0, name: NVIDIA GeForce GTX 1060 6GB, pci bus id: 0000:01:00.0, compute capability: 6.1\n  StreamExecutor device (0): NVIDIA GeForce GTX 1060 6GB, Compute Capability 6.1"
            ),
            ["gpu=NVIDIA GeForce GTX 1060 6GB@1", "compute-capability=6.1@1"]
        );
        assert_eq!(
            of(
                "name: GeForce GTX 1080 major: 6 minor: 1 memoryClockRate(GHz): 1.7335\ntotalMemory: 7.92GiB freeMemory: 7.80GiB"
            ),
            ["gpu=GeForce GTX 1080@1", "compute-capability=6.1@1"]
        );
        assert_eq!(
            of("pciBusID: 0000:01:00.0 name: NVIDIA GeForce RTX 3080 computeCapability: 8.6"),
            ["gpu=NVIDIA GeForce RTX 3080@1", "compute-capability=8.6@1"]
        );
        assert_eq!(
            of("name: GeForce GTX 970\nmajor: 5 minor: 2 memoryClockRate (GHz) 1.1775"),
            ["gpu=GeForce GTX 970@1", "compute-capability=5.2@2"]
        );
    }

    #[test]
    fn equal_gpus_are_told_apart_by_their_place() {
        let line = |n: u8| {
            format!("device: {n}, name: NVIDIA L4, pci bus id: 0000:0{n}:00.0, compute capability: 8.9")
        };
        let text = format!("{}\n{}\n{}\n", line(1), line(2), line(1));
        assert_eq!(
            of(&text),
            ["gpu=NVIDIA L4@1", "compute-capability=8.9@1", "gpu=NVIDIA L4@2", "compute-capability=8.9@2"]
        );
    }

    #[test]
    fn libraries_and_builds() {
        assert_eq!(
            of(
                "E tensorflow/stream_executor/cuda/cuda_dnn.cc:362] Loaded runtime CuDNN library: 8.0.5 but source was compiled with: 8.1.0.  CuDNN library"
            ),
            ["cudnn=8.0.5@1", "framework-cudnn=8.1.0@1"]
        );
        assert_eq!(
            of(
                "OrderedDict([('cuda_compute_capabilities', ['sm_35', 'compute_80']), ('cuda_version', '11.2'), ('cudnn_version', '8'), ('is_cuda_build', True)])"
            ),
            ["framework-cuda=11.2@1", "framework-cudnn=8@1", "framework-arches=3.5@1"]
        );
    }
}
