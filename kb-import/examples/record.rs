//! Records what an import reads of some releases, for tests: `record DIR NAME==VERSION…`.
//!
//! The index page is cut down to these releases and to one wheel for each platform.

use index::{Fetch, Live, PYPI, Recording};
use kb_import::{Package, Source, packages};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("record DIR NAME==VERSION…")?;
    let mut wanted: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for argument in arguments {
        let (name, version) = argument.split_once("==").ok_or("NAME==VERSION")?;
        wanted.entry(index::normalised(name)).or_default().push(version.to_owned());
    }
    let directory = Path::new(&directory);
    let cache = std::env::temp_dir().join(format!("kb-record-{}", std::process::id()));
    for (name, versions) in wanted {
        let all = packages::all()?;
        let package: &Package = all.iter().find(|p| p.name == name).ok_or("not in packages.toml")?;
        let source = Source::new(
            Recording::new(Live::new(Duration::from_millis(200)), directory),
            &cache,
            Duration::ZERO,
        );
        let mut keep = Vec::new();
        for release in source.releases(package)? {
            if versions.contains(&release.version.to_string()) {
                for (_, wheel) in release.chosen() {
                    source.read(wheel)?;
                    keep.push(wheel.file.name.clone());
                }
            }
        }
        let url = format!("{PYPI}{name}/");
        let page = source.fetch().get(&url, "application/vnd.pypi.simple.v1+json")?;
        let mut page: Value = serde_json::from_slice(&page)?;
        if let Some(files) = page["files"].as_array_mut() {
            files.retain(|f| f["filename"].as_str().is_some_and(|n| keep.iter().any(|k| k == n)));
        }
        if let Some(page) = page.as_object_mut() {
            page.retain(|key, _| matches!(key.as_str(), "files" | "name" | "meta"));
        }
        std::fs::write(directory.join(format!("{name}.json")), serde_json::to_string_pretty(&page)? + "\n")?;
    }
    Ok(())
}
