//! Where packages are installed: `site-packages` itself, or a virtual environment around it.

use super::dist::{file_name, infos};
use std::path::{Path, PathBuf};

/// The directories of installed packages inside a virtual environment, or another directory laid out as one.
pub(super) fn environment(root: &Path) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    // As they are listed: where case does not count, `lib` would be found as well where `Lib` is its name.
    let entries = std::fs::read_dir(root).into_iter().flatten().filter_map(Result::ok).map(|e| e.path());
    let mut libs: Vec<PathBuf> =
        entries.filter(|p| ["lib", "lib64", "Lib"].contains(&&*file_name(p))).collect();
    libs.sort();
    for lib in libs {
        let versions = std::fs::read_dir(&lib).into_iter().flatten().filter_map(Result::ok);
        let versions = versions.map(|e| e.path()).filter(|p| file_name(p).starts_with("python"));
        let mut homes: Vec<PathBuf> = versions.chain([lib.clone()]).collect();
        homes.sort();
        for (home, name) in homes.iter().flat_map(|h| ["site-packages", "dist-packages"].map(|n| (h, n))) {
            let place = home.join(name);
            // `lib64` is mostly a link to `lib`.
            let known = |p: &PathBuf| p.canonicalize().ok() == place.canonicalize().ok();
            if place.is_dir() && !infos(&place).is_empty() && !out.iter().any(known) {
                out.push(place);
            }
        }
    }
    out
}

/// The directory of installed packages around `path`, as it is typed where `path` was typed with its name in it.
pub(super) fn shown(root: &Path, path: &Path, prefix: &str) -> PathBuf {
    match path.ancestors().nth(prefix.split('/').count()) {
        Some(typed) if path.ends_with(prefix) => typed.to_owned(),
        _ => root.to_owned(),
    }
}

/// The directory of installed packages around a directory, and what the path is called there: `nvidia/nccl`.
pub(super) fn around(path: &Path) -> Option<(PathBuf, String)> {
    /// Directories that are looked at, from the inside.
    const STEPS: usize = 4;
    let whole = dunce::canonicalize(path).ok()?;
    let root = whole.ancestors().skip(1).take(STEPS).find(|p| !infos(p).is_empty())?;
    let inside = whole.strip_prefix(root).ok()?;
    let parts: Vec<String> = inside.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    Some((root.to_owned(), parts.join("/")))
}

/// A path that was put together, as it is shown: on Windows with one kind of separators.
pub(super) fn text(path: &Path) -> String {
    if cfg!(windows) {
        return path.components().collect::<PathBuf>().display().to_string();
    }
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around() {
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/inspect/files");
        let places = environment(&files.join("env"));
        assert_eq!(places, [files.join("env/lib/python3.12/site-packages")]);
        assert!(environment(&files).is_empty());
        let (root, prefix) = around(&places[0].join("nvidia/nccl")).expect("packages around it");
        assert_eq!((file_name(&root), &*prefix), ("site-packages".to_owned(), "nvidia/nccl"));
        assert_eq!(around(&files.join("nothing")), None);
    }

    #[test]
    fn as_it_is_typed() {
        let root = Path::new("/s");
        let of = |path: &str| shown(root, Path::new(path), "nvidia/nccl").display().to_string();
        assert_eq!(of("a/s/nvidia/nccl"), "a/s");
        assert_eq!(of("nvidia/nccl/"), "");
        assert_eq!(of("."), "/s");
        assert_eq!(of("nccl"), "/s");
    }
}
