//! Which file a command's name means.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What Windows tries behind a name where PATHEXT says nothing.
const ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// The program to start. On Unix the system finds it; on Windows it would find no `.bat` and no `.cmd` (conda, npm),
/// which a console finds.
pub(super) fn program(name: &OsStr) -> OsString {
    if !cfg!(windows) {
        return name.to_owned();
    }
    let directories: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let endings = std::env::var("PATHEXT").unwrap_or_default();
    find(name, &directories, &endings, &|path| path.is_file()).map_or_else(|| name.to_owned(), Into::into)
}

/// The first file of that name with one of the endings, by directory and then by ending as a console does it. A name
/// with a directory or an ending needs no search.
fn find(
    name: &OsStr,
    directories: &[PathBuf],
    endings: &str,
    is_file: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let path = Path::new(name);
    let endings = if endings.trim().is_empty() { ENDINGS } else { endings };
    let endings: Vec<&str> = endings.split(';').map(str::trim).filter(|e| e.starts_with('.')).collect();
    let known = path
        .extension()
        .and_then(OsStr::to_str)
        .is_some_and(|own| endings.iter().any(|ending| ending[1..].eq_ignore_ascii_case(own)));
    if known {
        return None;
    }
    let with_directory = path.components().count() > 1;
    let own = [PathBuf::new()];
    let directories = if with_directory { &own[..] } else { directories };
    directories.iter().find_map(|directory| {
        endings.iter().find_map(|ending| {
            let mut file = directory.join(path).into_os_string();
            file.push(ending);
            let file = PathBuf::from(file);
            is_file(&file).then_some(file)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_a_console_finds_them() {
        let there = ["a/conda.BAT", "b/conda.EXE", "b/python.EXE", "tools/run.CMD"];
        let find = |name: &str, endings: &str| {
            let directories = [PathBuf::from("a"), PathBuf::from("b")];
            let is_file = |path: &Path| there.iter().any(|t| Path::new(t) == path);
            find(OsStr::new(name), &directories, endings, &is_file).map(|p| p.display().to_string())
        };
        assert_eq!(find("conda", "").as_deref(), Some("a/conda.BAT"));
        assert_eq!(find("python", ".EXE;.CMD").as_deref(), Some("b/python.EXE"));
        assert_eq!(find("tools/run", "").as_deref(), Some("tools/run.CMD"));
        assert_eq!(find("python.exe", ""), None, "the system finds it");
        assert_eq!(find("nothing", ""), None);
    }
}
