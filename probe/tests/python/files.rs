//! Environments made of files.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A virtual environment in a directory that vanishes with it.
pub(crate) struct Venv {
    /// The directory around it.
    _around: tempfile::TempDir,
    /// Its own.
    pub(crate) root: PathBuf,
    /// Its packages.
    pub(crate) site: PathBuf,
}

impl Venv {
    pub(crate) fn new() -> Venv {
        let around = tempfile::tempdir().expect("a directory for the test");
        let root = around.path().canonicalize().expect("it exists").join("env");
        let (program, site) = match cfg!(windows) {
            true => ("Scripts/python.exe", root.join("Lib").join("site-packages")),
            false => ("bin/python", root.join("lib").join("python3.12").join("site-packages")),
        };
        write(&root.join(program), b"not run");
        write(&root.join("pyvenv.cfg"), b"home = /opt/base/bin\nversion = 3.12.4\n");
        fs::create_dir_all(&site).expect("a directory can be made");
        Venv { _around: around, root, site }
    }

    pub(crate) fn path(&self) -> &str {
        self.root.to_str().expect("a path that is text")
    }

    /// Unpacks a wheel of these files, as installers do.
    pub(crate) fn install(&self, name: &str, version: &str, files: &[(&str, &str)]) {
        self.install_by("pip", name, version, files);
    }

    pub(crate) fn install_by(&self, installer: &str, name: &str, version: &str, files: &[(&str, &str)]) {
        let info = format!("{}-{version}.dist-info", name.replace('-', "_"));
        let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nText\n");
        let mut record = String::new();
        let own =
            [("METADATA", &*metadata), ("WHEEL", "Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n")];
        let own = own.into_iter().chain([("INSTALLER", installer)]);
        let own: Vec<(String, &str)> = own.map(|(n, text)| (format!("{info}/{n}"), text)).collect();
        let all = files.iter().map(|(p, t)| ((*p).to_owned(), *t)).chain(own);
        for (path, text) in all {
            write(&self.site.join(&path), text.as_bytes());
            let hash = BASE64URL_NOPAD.encode(&Sha256::digest(text));
            writeln!(record, "{path},sha256={hash},{}", text.len()).expect("a text can be written to");
        }
        writeln!(record, "{info}/RECORD,,").expect("a text can be written to");
        write(&self.site.join(&info).join("RECORD"), record.as_bytes());
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        write(&self.site.join(path), text.as_bytes());
    }

    pub(crate) fn remove(&self, path: &str) {
        let path = self.site.join(path);
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.expect("what was made can be removed");
    }
}

fn write(path: &Path, bytes: &[u8]) {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).expect("a directory can be made");
    }
    fs::write(path, bytes).expect("a file can be written");
}
