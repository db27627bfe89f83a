//! Lists with one `name==version` a line: `pip freeze`, collect_env's `[pip3]`, uv's `+` lines, conda's `name=version=build`.

use super::found::Found;
use super::number;
use super::package::{self, Package};
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader =
    Reader { tool: "pip freeze", words: &["==", ".whl", "_", "[required: "], read };

/// Reads pinned names. A line must hold nothing else.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut list: Vec<Package> = Vec::new();
    let mut last = 0;
    let (mut removing, mut planned) = (false, false);
    for (_, line, text) in page.all() {
        let text = text.trim();
        if text.starts_with("Uninstalled ") || text.starts_with("Installed ") || text.starts_with("Prepared ")
        {
            // uv writes what it took away as `- name==version`.
            removing = true;
            planned = false;
        } else if text.starts_with("Would ") {
            // What a dry run lists is not there.
            planned = true;
        }
        if planned && text.starts_with(['+', '-', '~']) {
            continue;
        }
        let pins = pins(text, removing);
        if pins.is_empty() {
            continue;
        }
        if line > last + 2 {
            package::conflicts(&list, found);
            list.clear();
        }
        last = line;
        for (name, version) in pins {
            list.push(package::see(found, name, version, line));
        }
    }
    package::conflicts(&list, found);
}

fn pins(text: &str, removing: bool) -> Vec<(&str, &str)> {
    let rest = text
        .strip_prefix("[pip3]")
        .or_else(|| text.strip_prefix("[pip]"))
        .or_else(|| text.strip_prefix("[uv]"));
    let rest = match rest {
        Some(rest) => rest.trim(),
        None if removing && text.starts_with("- ") => return Vec::new(),
        None => text
            .strip_prefix("- ")
            .or_else(|| text.strip_prefix("+ "))
            .or_else(|| text.strip_prefix("~ "))
            .unwrap_or(text)
            .trim(),
    };
    if let Some(found) = tree(rest) {
        return vec![found];
    }
    if !rest.contains('=') {
        return reference(rest).into_iter().collect();
    }
    let rest = rest.split_once(" #").map_or(rest, |(pin, _)| pin);
    let rest = rest.split_once(';').map_or(rest, |(pin, _)| pin);
    let rest = rest.split_once(" --hash").map_or(rest, |(pin, _)| pin).trim_end_matches(['\\', ',', ' ']);
    let words: Vec<&str> = rest.split_whitespace().map(|w| w.trim_matches(['"', '\''])).collect();
    let out: Vec<_> = words.iter().filter_map(|w| pin(w)).collect();
    // A list that lost its line breaks may have other things between the pins; a command with two of them is no list.
    if out.len() == words.len() || (out.len() > 4 && out.len() * 3 > words.len() * 2) {
        out
    } else {
        Vec::new()
    }
}

/// pipdeptree's `- filelock [required: Any, installed: 3.9.0]`.
fn tree(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(" [required: ")?;
    let version = rest.split_once("installed: ")?.1.strip_suffix(']')?;
    let name = name.trim_start_matches(['├', '└', '─', '│', ' ']);
    (package::is_name(name) && number::is_release(version)).then_some((name, version))
}

fn pin(word: &str) -> Option<(&str, &str)> {
    if let Some((name, version)) = word.split_once("==") {
        return (package::is_name(name) && number::is_release(version)).then_some((name, version));
    }
    // conda's export.
    let (name, rest) = word.split_once('=')?;
    let (version, build) = rest.split_once('=')?;
    let built = build.contains('_') && !build.contains(['/', '"', ',']);
    (built && package::is_name(name) && number::is_release(version)).then_some((name, version))
}

/// `torch @ https://…/torch-2.1.0%2Bcu121-cp310-cp310-linux_x86_64.whl`: the file's name has the version.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (name, address) = text.split_once(" @ ")?;
    let file = address.split(['#', '?']).next()?.rsplit('/').next()?;
    let version = file.strip_suffix(".whl")?.split('-').nth(1)?;
    (package::is_name(name) && number::is_release(version)).then_some((name, version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("pip freeze");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn a_line_is_a_pin_or_is_not_read() {
        assert_eq!(
            of(
                "numpy==1.26.4 ; python_version < '3.12' \\\nnvmath-python @ file:///src/nvmath\n  [pip3] torchaudio==2.0.2\npip install torch==2.3.1\nx = 1"
            ),
            ["package:numpy=1.26.4@1", "package:torchaudio=2.0.2@3"]
        );
        assert_eq!(
            of("Uninstalled 1 package in 3ms\n - torch==2.4.0\n + torch==2.5.1"),
            ["package:torch=2.5.1@3"]
        );
        assert_eq!(
            of("  - pytorch=2.0.1=py3.10_cuda11.8_0\n  - numpy==1.2.3"),
            ["package:pytorch=2.0.1@1", "package:numpy=1.2.3@2"]
        );
        assert_eq!(of("Would install 1 package\n + torch==2.4.0"), [""; 0]);
        assert_eq!(
            of("torch==2.0.1\n  - filelock [required: Any, installed: 3.9.0]"),
            ["package:torch=2.0.1@1", "package:filelock=3.9.0@2"]
        );
        assert_eq!(of("a==1.0 b==2.0"), ["package:a=1.0@1", "package:b=2.0@1"]);
        assert_eq!(
            of("torch @ https://x.org/whl/torch-2.1.0-cp310-cp310-linux_x86_64.whl"),
            ["package:torch=2.1.0@1"]
        );
    }
}
