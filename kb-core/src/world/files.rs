//! Wheels by release: their platforms, interpreters and the C library that they need.

use super::read::rows;
use crate::fact::FactId;
use crate::kb::Kb;
use crate::platform::Platform;
use crate::version::Dotted;

/// A wheel's file: who can install it.
#[derive(Clone, Debug)]
pub(super) struct File<'kb> {
    pub(super) channel: &'kb str,
    pub(super) platform: Option<Platform>,
    pub(super) python: std::sync::Arc<[&'kb str]>,
    pub(super) glibc: Option<Dotted>,
    pub(super) fact: FactId,
}

/// All files, by package and version.
#[derive(Clone, Debug, Default)]
pub(super) struct Files<'kb> {
    by_release: std::collections::HashMap<&'kb str, std::collections::HashMap<&'kb str, Vec<File<'kb>>>>,
}

impl<'kb> Files<'kb> {
    pub(super) fn read(kb: &'kb Kb) -> Self {
        let mut files = Files::default();
        for (fact, row) in
            rows(kb, "wheel-files", ["package", "versions", "channel", "platform", "python", "glibc"])
        {
            let (Some(package), Some(channel)) = (row.text(0), row.text(2)) else { continue };
            let platform = row.text(3).and_then(Platform::parse);
            let file = File { channel, platform, python: row.texts(4).into(), glibc: row.version(5), fact };
            let releases = files.by_release.entry(package).or_default();
            for version in row.texts(1) {
                releases.entry(version).or_default().push(file.clone());
            }
        }
        files
    }

    pub(super) fn of(&self, package: &str, version: &str) -> &[File<'kb>] {
        self.by_release.get(package).and_then(|v| v.get(version)).map(Vec::as_slice).unwrap_or_default()
    }
}
