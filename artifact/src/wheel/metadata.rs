//! METADATA and WHEEL: what the package says to installers.

use super::Tag;

/// METADATA: the fields that say what goes with what. Source: core metadata specifications.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// `Name`, as written.
    pub name: Option<String>,
    /// `Version`, as written: index labels like `+cu124` can be missing here and stand in the file name, and the
    /// other way round.
    pub version: Option<String>,
    /// `Requires-Python`: `>=3.9`.
    pub requires_python: Option<String>,
    /// `Requires-Dist`, in order: `nvidia-cudnn-cu12==9.1.0.70; platform_system == "Linux"`.
    pub requires_dist: Vec<String>,
    /// `Provides-Extra`, in order.
    pub provides_extra: Vec<String>,
    /// `Classifier`, in order: `Environment :: GPU :: NVIDIA CUDA :: 12`.
    pub classifiers: Vec<String>,
}

/// WHEEL: how the file was made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WheelFile {
    /// `Generator`.
    pub generator: Option<String>,
    /// `Build`: the build tag.
    pub build: Option<String>,
    /// `Tag`, in order. These are what was built; the file name is what installers look at.
    pub tags: Vec<Tag>,
}

impl Metadata {
    /// Reads the header of METADATA. Never fails: what is not there is missing.
    pub fn parse(bytes: &[u8]) -> Metadata {
        let mut out = Metadata::default();
        for (name, value) in fields(bytes) {
            match name.to_ascii_lowercase().as_str() {
                "name" => out.name = Some(value),
                "version" => out.version = Some(value),
                "requires-python" => out.requires_python = Some(value),
                "requires-dist" => out.requires_dist.push(value),
                "provides-extra" => out.provides_extra.push(value),
                "classifier" => out.classifiers.push(value),
                _ => {}
            }
        }
        out
    }
}

impl WheelFile {
    /// Reads WHEEL. Never fails: what is not there is missing.
    pub fn parse(bytes: &[u8]) -> WheelFile {
        let mut out = WheelFile::default();
        for (name, value) in fields(bytes) {
            match name.to_ascii_lowercase().as_str() {
                "generator" => out.generator = Some(value),
                "build" => out.build = Some(value),
                "tag" => out.tags.extend(Tag::parse(&value)),
                _ => {}
            }
        }
        out
    }
}

/// Fields of an e-mail header, up to the empty line; continued lines are joined.
fn fields(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(bytes);
    let mut out: Vec<(String, String)> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        if line.is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = out.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            out.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata() {
        let text = "Metadata-Version: 2.1\r\nName: torch\r\nVersion: 2.5.1\r\nRequires-Dist: numpy (>=1.0)\r\n\
            Requires-Dist: nvidia-cudnn-cu12==9.1.0.70;\r\n  platform_system == \"Linux\"\r\n\r\nName: not this";
        let read = Metadata::parse(text.as_bytes());
        assert_eq!((read.name.as_deref(), read.version.as_deref()), (Some("torch"), Some("2.5.1")));
        assert_eq!(read.requires_dist[1], "nvidia-cudnn-cu12==9.1.0.70; platform_system == \"Linux\"");
        assert_eq!(Metadata::parse(&[0xff, 0, b':', b'\n']), Metadata::default());
    }

    #[test]
    fn wheel() {
        let read =
            WheelFile::parse(b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\nTag: nonsense\nBuild: 1\n");
        assert_eq!((read.tags.len(), read.build.as_deref()), (1, Some("1")));
    }
}
