//! Paths as text, in the manner of the machine that is looked at, which need not be the one the program runs on.

use crate::machine::Family;
use std::collections::BTreeSet;

/// Joins a directory and what is below it.
pub fn join(family: Family, directory: &str, rest: &str) -> String {
    let separator = family.separator();
    if directory.is_empty() {
        return rest.to_owned();
    }
    let rest = if family == Family::Windows { rest.replace('/', "\\") } else { rest.to_owned() };
    match directory.ends_with(['/', separator]) {
        true => format!("{directory}{rest}"),
        false => format!("{directory}{separator}{rest}"),
    }
}

/// The directory that a path is in; `None` at the top.
pub fn parent(family: Family, path: &str) -> Option<&str> {
    let path = trim(family, path);
    let at = path.rfind(|c| is_separator(family, c))?;
    // `/usr` is in `/`, `C:\Windows` in `C:\`.
    let root = at == 0 || (family == Family::Windows && path[..at].ends_with(':'));
    let parent = if root { &path[..=at] } else { &path[..at] };
    (parent.len() < path.len()).then_some(parent)
}

/// The last part of a path.
pub fn name(family: Family, path: &str) -> &str {
    let path = trim(family, path);
    path.rsplit(|c| is_separator(family, c)).next().unwrap_or(path)
}

/// Without separators at the end, and without quotes around it, as entries of PATH are sometimes written.
pub fn trim(family: Family, path: &str) -> &str {
    let path = path.trim().trim_matches('"');
    let short = path.trim_end_matches(|c| is_separator(family, c));
    match short.is_empty() || (family == Family::Windows && short.ends_with(':')) {
        true => path,
        false => short,
    }
}

/// One form for what is one path to the system: Windows does not tell `c:/CUDA/bin/` from `C:\cuda\bin`.
pub fn key(family: Family, path: &str) -> String {
    let path = trim(family, path);
    match family {
        Family::Windows => path.replace('/', "\\").to_lowercase(),
        Family::Linux | Family::Macos => path.to_owned(),
    }
}

/// Is it a whole path, not one from some directory on?
pub fn is_absolute(family: Family, path: &str) -> bool {
    match family {
        Family::Windows => {
            let bytes = path.as_bytes();
            path.starts_with("\\\\")
                || (bytes.len() >= 3
                    && bytes[0].is_ascii_alphabetic()
                    && bytes[1] == b':'
                    && matches!(bytes[2], b'\\' | b'/'))
        }
        Family::Linux | Family::Macos => path.starts_with('/'),
    }
}

/// The entries of a variable like PATH, in order, each once, without empty ones.
pub fn entries(family: Family, variable: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    variable
        .split(family.list_separator())
        .map(|e| trim(family, e))
        .filter(|e| !e.is_empty() && seen.insert(key(family, e)))
        .map(str::to_owned)
        .collect()
}

/// Without `.` and `..`, whatever is a link.
pub fn normal(family: Family, path: &str) -> String {
    let separator = family.separator();
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', separator]) {
        match part {
            "." => {}
            ".." if parts.len() > 1 => drop(parts.pop()),
            // Above the top there is nothing.
            ".." if parts.first().is_some_and(|top| top.is_empty() || top.ends_with(':')) => {}
            "" if !parts.is_empty() => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join(&separator.to_string());
    match parts.as_slice() {
        // `/`, and `C:\` on Windows.
        [""] => separator.to_string(),
        [drive] if drive.ends_with(':') && family == Family::Windows => format!("{drive}{separator}"),
        // `\\server\share` begins with two.
        _ if path.starts_with(r"\\") && family == Family::Windows => format!("{separator}{joined}"),
        _ => joined,
    }
}

fn is_separator(family: Family, c: char) -> bool {
    c == '/' || (family == Family::Windows && c == '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_manners() {
        use Family::{Linux, Windows};
        assert_eq!(join(Linux, "/usr/", "lib"), "/usr/lib");
        assert_eq!(join(Windows, r"C:\CUDA", "bin/nvcc.exe"), r"C:\CUDA\bin\nvcc.exe");
        assert_eq!((parent(Linux, "/usr"), parent(Linux, "/")), (Some("/"), None));
        assert_eq!(parent(Windows, r"C:\Windows\System32\"), Some(r"C:\Windows"));
        assert_eq!((parent(Windows, r"C:\Windows"), parent(Windows, r"C:\")), (Some(r"C:\"), None));
        assert_eq!((name(Windows, r"C:\a/b.dll"), name(Linux, "/a/b/")), ("b.dll", "b"));
        assert_eq!(key(Windows, "\"C:/CUDA/Bin/\""), r"c:\cuda\bin");
        assert_eq!(entries(Windows, r#"C:\a;;"C:\b c\" "#), [r"C:\a", r"C:\b c"]);
        assert_eq!(entries(Windows, r"C:\a;c:/A/;C:\b"), [r"C:\a", r"C:\b"]);
        assert_eq!((&*normal(Linux, "/a/./b/../c"), &*normal(Linux, "/..")), ("/a/c", "/"));
        assert_eq!(normal(Windows, r"C:\a\..\"), r"C:\");
        assert_eq!(normal(Windows, r"\\server\share\.\x"), r"\\server\share\x");
        assert!(is_absolute(Windows, "d:/x") && !is_absolute(Windows, r"\x") && is_absolute(Linux, "/"));
    }
}
