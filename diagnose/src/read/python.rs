//! Which Python: `python --version`, the banner of the interpreter, and, where nothing better is found, paths.

use super::collect_env::python;
use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const PATHS: Reader =
    Reader { tool: "python", words: &["python3.", "\\Python3"], read: read_paths };

pub(super) const READER: Reader = Reader {
    tool: "python",
    words: &["Python ", "(python ", "CPython", "version_info", "python3 (", "python3."],
    read,
};

/// `Python 3.7.3`, `Python 3.10.8 | packaged by conda-forge | (main, …`, `Python 3.10.6 (tags/v3.10.6:9c7b4bd, …`.
fn read(page: &Page<'_>, found: &mut Found) {
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
        } else if let Some((raw, version)) = installer(text.trim()) {
            found.made("python", &version, raw, line);
        }
    }
}

/// Words of uv, poetry, pipenv, virtualenv and pip before the version of the Python that they run with.
const INSTALLERS: [&str; 9] = [
    "Using CPython ",
    "Using Python ",
    "Using cpython-",
    "current Python version (",
    "Current Python version (",
    "activated Python version ",
    "created virtual environment CPython",
    "requires a different Python: ",
    "You're using CPython ",
];

/// `Using CPython 3.12.8`, `Using /usr/bin/python3 (3.8.10) to create virtualenv`, `sys.version_info(major=3, minor=10, …`.
fn installer(text: &str) -> Option<(&str, String)> {
    // virtualenv adds the state of the release: `3.8.10.final.0-64`.
    let of = |rest| python(rest).or_else(|| python(number::version(rest)?));
    let version = INSTALLERS.iter().find_map(|words| text.split_once(words).and_then(|(_, r)| of(r)));
    if let Some(version) = version {
        return Some((version, version.to_owned()));
    }
    if let Some((_, rest)) = text.strip_prefix("Using ").and_then(|r| r.split_once("python3"))
        && let Some((_, inside)) = rest.split_once(" (")
        && let Some(version) = python(inside)
    {
        return Some((version, version.to_owned()));
    }
    let (_, rest) = text.split_once("sys.version_info(major=")?;
    let number = |name: &str| rest.split_once(name)?.1.split([',', ')']).next();
    let version = format!("{}.{}.{}", rest.split(',').next()?, number("minor=")?, number("micro=")?);
    (python(&version) == Some(version.as_str())).then_some((text, version))
}

/// The first path that names a version.
fn read_paths(page: &Page<'_>, found: &mut Found) {
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
        for (text, version) in [
            ("Using CPython 3.12.8", "3.12.8"),
            ("Using CPython 3.11.4 interpreter at: /usr/bin/python3.11", "3.11.4"),
            ("Using Python 3.10.12 environment at: .venv", "3.10.12"),
            ("Using /usr/bin/python3 (3.8.10) to create virtualenv...", "3.8.10"),
            ("created virtual environment CPython3.9.16.final.0-64 in 341ms", "3.9.16"),
            (
                "The currently activated Python version 3.12.1 is not supported by the project (^3.8).",
                "3.12.1",
            ),
            ("ERROR: Package 'x' requires a different Python: 3.7.3 not in '>=3.8'", "3.7.3"),
            ("sys.version_info(major=3, minor=10, micro=6, releaselevel='final', serial=0)", "3.10.6"),
        ] {
            let lines = Line::all(text);
            let mut found = Found::of("python");
            read(&Page::of(&lines), &mut found);
            assert_eq!(found.shown(), [format!("python={version}@1")], "{text}");
        }
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
