//! The reports of `tests/corpus/reports`.

use serde::Deserialize;
use std::path::Path;

/// A file of reports.
#[derive(Deserialize)]
pub struct File {
    pub report: Vec<Report>,
}

/// One text and what a correct reader finds in it.
#[derive(Deserialize)]
#[allow(dead_code)]
pub struct Report {
    pub id: String,
    pub encoding: Option<String>,
    #[serde(default)]
    pub expect: Vec<Fact>,
    #[serde(default)]
    pub absent: Vec<Fact>,
    pub input: String,
}

/// A fact that must, or must not, be found.
#[derive(Deserialize)]
#[allow(dead_code)]
pub struct Fact {
    pub what: String,
    pub value: Option<String>,
    pub line: Option<usize>,
    pub why: Option<String>,
}

impl Report {
    /// The bytes that are pasted.
    pub fn bytes(&self) -> Vec<u8> {
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
pub fn all() -> Vec<(String, File)> {
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
