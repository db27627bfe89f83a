//! What a directory of installed packages holds, as far as observations need it.

use crate::machine::Refusal;
use artifact::installed::name_and_version;
use artifact::wheel::normalised;
use serde::{Deserialize, Serialize};

/// What is installed in a directory: `site-packages`, `dist-packages`.
///
/// That a distribution is there costs no more than its name; only those that have to do with GPUs are looked into, and
/// those whose name tells no version.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SiteReport {
    /// Names of the descriptions, in order: `torch-2.5.1+cu124.dist-info`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub installed: Vec<String>,
    /// What an uninstallation left: `~orch`, `torch` without a description, a description without METADATA.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remains: Vec<String>,
    /// The distributions that were looked into.
    #[serde(rename = "package", skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<DistReport>,
}

/// An installed distribution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DistReport {
    /// The name of its description: `torch-2.5.1+cu124.dist-info`.
    pub info: String,
    /// `Name` of METADATA.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `Version` of METADATA.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The program that installed it: `pip`, `uv`, `conda`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installer: Option<String>,
    /// It was not installed from an index: the address, without what may stand in it as user and password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// It is an editable installation: its files are elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub editable: bool,
    /// Tags of the wheel: `cp312-cp312-linux_x86_64`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Requirements that have to do with GPUs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// How many files RECORD lists; `None` without RECORD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Libraries and version files of RECORD that are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Those that have another size, or other contents, than RECORD says. Contents of small files only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Libraries beside its own that no RECORD lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unlisted: Vec<String>,
    /// Files of it that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
}

/// A file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unread {
    /// The file, from the directory of packages on.
    pub file: String,
    /// Why.
    pub says: Refusal,
}

/// A distribution's name and version, and where the version is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installed<'r> {
    /// Normalised: `nvidia-cudnn-cu12`.
    pub name: String,
    /// With the local label; `None` if nothing tells it.
    pub version: Option<&'r str>,
    /// `METADATA` or `dist-info`: the file, or the name of the directory alone.
    pub method: &'static str,
    /// What is known of it beyond its name.
    pub report: Option<&'r DistReport>,
}

impl SiteReport {
    /// The distributions.
    pub fn distributions(&self) -> impl Iterator<Item = Installed<'_>> {
        self.installed.iter().map(|info| {
            let report = self.packages.iter().find(|p| p.info == *info);
            let (name, version) = name_and_version(info);
            let stated = report.and_then(|r| r.name.as_deref()).unwrap_or(name);
            let name = normalised(stated).unwrap_or_else(|| stated.to_ascii_lowercase());
            match report.and_then(|r| r.version.as_deref()) {
                Some(version) => Installed { name, version: Some(version), method: "METADATA", report },
                None => Installed { name, version, method: "dist-info", report },
            }
        })
    }
}
