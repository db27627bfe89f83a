//! The reports of `tests/corpus/reports`.

use serde::Deserialize;
use std::path::Path;

/// A file of reports.
#[derive(Deserialize)]
pub(crate) struct File {
    pub(crate) report: Vec<Report>,
}

/// One text and what a correct reader finds in it.
#[derive(Deserialize)]
#[allow(dead_code)]
pub(crate) struct Report {
    pub(crate) id: String,
    pub(crate) encoding: Option<String>,
    #[serde(default)]
    pub(crate) expect: Vec<Fact>,
    #[serde(default)]
    pub(crate) absent: Vec<Fact>,
    pub(crate) input: String,
}

/// A fact that must, or must not, be found.
#[derive(Deserialize)]
#[allow(dead_code)]
pub(crate) struct Fact {
    pub(crate) what: String,
    pub(crate) value: Option<String>,
    pub(crate) line: Option<usize>,
    pub(crate) why: Option<String>,
}

impl Report {
    /// The bytes that are pasted.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self.encoding.as_deref() {
            Some("gbk") => encoding_rs::GBK.encode(&self.input).0.into_owned(),
            Some("utf-16le-bom") => {
                [0xff, 0xfe].into_iter().chain(self.input.encode_utf16().flat_map(u16::to_le_bytes)).collect()
            }
            _ => self.input.clone().into_bytes(),
        }
    }
}

/// All files, by name.
pub(crate) fn all() -> Vec<(String, File)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/reports");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the corpus is in the repository")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let text = std::fs::read_to_string(&path).expect("readable");
            (name.clone(), toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}")))
        })
        .collect()
}
