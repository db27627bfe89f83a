//! Which packages are imported: `packages.toml`.

use pep440_rs::Version;
use serde::Deserialize;

/// The list that is compiled in.
const LIST: &str = include_str!("../packages.toml");

/// A package that is imported.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its normalised name; also its id in the catalogue.
    pub name: String,
    /// Its wheels have device code of their own.
    #[serde(default)]
    pub code: bool,
    /// The release from which on its builds are judged by what they were made with.
    #[serde(default)]
    pub builds: Option<Version>,
    /// Versions whose code is measured first.
    #[serde(default)]
    pub measure: Vec<String>,
    /// Releases before this day are left out.
    #[serde(default = "since")]
    pub since: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    package: Vec<Package>,
}

fn since() -> String {
    "2020-01-01".to_owned()
}

/// All packages, in the order in which they are imported.
///
/// # Errors
/// If the list is not what it should be: a mistake in `packages.toml`.
pub fn all() -> Result<Vec<Package>, String> {
    toml::from_str::<List>(LIST).map(|l| l.package).map_err(|e| format!("packages.toml: {e}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_read_and_names_nothing_twice() {
        let mut names: Vec<String> = super::all().unwrap().into_iter().map(|p| p.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert!(count > 50 && names.len() == count);
    }
}
