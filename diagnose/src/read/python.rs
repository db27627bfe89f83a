//! Which Python: `python --version`, the banner of the interpreter, and, where nothing better is found, paths.

use super::collect_env::python;
use super::found::Found;
use super::page::Page;

/// `Python 3.7.3`, `Python 3.10.8 | packaged by conda-forge | (main, …`, `Python 3.10.6 (tags/v3.10.6:9c7b4bd, …`.
pub(super) fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        // `pip 23.0 from /… (python 3.10)`
        if text.starts_with("pip ")
            && let Some(version) = text.split_once("(python ").and_then(|(_, r)| python(r))
        {
            found.see("python", version, line);
        } else if let Some(rest) = text.trim().strip_prefix("Python ")
            && let Some(version) = python(rest)
        {
            let after = rest[version.len()..].trim_start();
            if after.is_empty() || after.starts_with(['(', '|', ':', ',']) {
                found.see("python", version, line);
            }
        }
    }
}

/// The first path that names a version.
pub(super) fn read_paths(page: &Page<'_>, found: &mut Found) {
    let path =
        page.all().find_map(|(_, line, text)| of_path(text).map(|(version, raw)| (version, raw, line)));
    if let Some((version, raw, line)) = path {
        found.weak("python", &version, raw, "path", line);
    }
}

/// `…/lib/python3.10/site-packages/…`, `…\Python310\Lib\…`.
fn of_path(text: &str) -> Option<(String, &str)> {
    if let Some(at) = text.find("/python3.") {
        let raw = &text[at + 1..];
        let end = raw.find('/')?;
        let version = python(&raw[6..end])?;
        return (version.len() == end - 6).then(|| (version.to_owned(), &raw[..end]));
    }
    let at = text.find("\\Python3")?;
    let raw = &text[at + 1..];
    let end = raw.find(['\\', '"'])?;
    let digits = &raw[7..end];
    let fine = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    fine.then(|| (format!("3.{digits}"), &raw[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("python");
        read(&Page::of(&lines), &mut found);
        read_paths(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn banners_and_paths() {
        assert_eq!(
            of(
                "Python 3.10.8 | packaged by conda-forge | (main, Nov 22 2022, 08:23:14) [GCC 10.4.0] on linux"
            ),
            ["python=3.10.8@1"]
        );
        assert_eq!(of("Python 3 is needed\nPython 3.9 or newer"), [""; 0]);
        assert_eq!(
            of("  File \"/opt/venv/lib/python3.10/site-packages/paddle/base/core.py\", line 267"),
            ["python=3.10@1"]
        );
        assert_eq!(
            of("  File \"C:\\Users\\user\\AppData\\Local\\Programs\\Python\\Python312\\Lib\\x.py\""),
            ["python=3.12@1"]
        );
    }
}
