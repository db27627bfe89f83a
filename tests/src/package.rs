//! Packages as an installer leaves them.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use std::path::Path;

/// A package with what its wheel would have.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// Its name, as its project writes it.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
    /// What it requires.
    pub requires: &'a [&'a str],
    /// Its files.
    pub files: &'a [(&'a str, &'a str)],
}

impl Package<'_> {
    /// Puts it into a directory of packages; files that are there are overwritten, as by pip.
    pub fn install(&self, site: &Path) {
        let info = format!("{}-{}.dist-info", self.name.replace('-', "_"), self.version);
        let requires: String = self.requires.iter().map(|r| format!("Requires-Dist: {r}\n")).collect();
        let metadata =
            format!("Metadata-Version: 2.1\nName: {}\nVersion: {}\n{requires}", self.name, self.version);
        let wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-manylinux_2_28_x86_64\n";
        let own = [("METADATA", &*metadata), ("WHEEL", wheel), ("INSTALLER", "pip\n")];
        let own = own.map(|(name, text)| (format!("{info}/{name}"), text));
        let files = self.files.iter().map(|(path, text)| ((*path).to_owned(), *text)).chain(own);
        let mut record = String::new();
        for (path, text) in files {
            let file = site.join(&path);
            std::fs::create_dir_all(file.parent().expect("it has one")).expect("there is room");
            std::fs::write(&file, text).expect("there is room");
            let hash = BASE64URL_NOPAD.encode(&Sha256::digest(text));
            record += &format!("{path},sha256={hash},{}\n", text.len());
        }
        record += &format!("{info}/RECORD,,\n");
        std::fs::write(site.join(&info).join("RECORD"), record).expect("there is room");
    }
}
