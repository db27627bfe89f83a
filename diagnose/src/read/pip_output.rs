//! What pip says while it works, and `pip show`.

use super::found::Found;
use super::number;
use super::package;
use super::page::{Command, Page};
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "pip",
    words: &[
        "Successfully installed",
        "already satisfied",
        "Looking in indexes",
        ".whl",
        "Name: ",
        "\"version\"",
        "pip show",
        "pip3 show",
        "index-url",
        "INDEX_URL",
        "--index",
        "find-links",
        " -i http",
        " -f http",
    ],
    read,
};

/// Reads installed versions, wheels and indexes.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix("Successfully installed ") {
            let mut list = Vec::new();
            for word in rest.split_whitespace() {
                if let Some((name, version)) = name_and_version(word) {
                    list.push(package::see(found, name, version, line));
                }
            }
            package::conflicts(&list, found);
        } else if let Some(rest) = text.strip_prefix("Requirement already satisfied: ") {
            if let Some((name, version)) = satisfied(rest) {
                package::see(found, name, version, line);
            }
        } else if let Some(rest) = text.strip_prefix("Looking in indexes: ") {
            for index in rest.split(',') {
                found.see("index", index.trim(), line);
            }
        } else if let Some(wheel) = wheel(text) {
            found.see("wheel", wheel, line);
        } else if text.contains("http") && text.len() < 4000 {
            indexes(text).for_each(|index| found.see("index", index, line));
        }
    }
    show(page, found);
    json(page, found);
}

/// Addresses behind the options and settings that name an index or a page of links.
fn indexes(text: &str) -> impl Iterator<Item = &str> {
    const OPTIONS: [&str; 10] = [
        "--index-url",
        "--extra-index-url",
        "--default-index",
        "--index",
        "-i",
        "-f",
        "--find-links",
        "PIP_INDEX_URL",
        "PIP_EXTRA_INDEX_URL",
        "index-url",
    ];
    let words =
        text.split([' ', '=', '\t']).map(|w| w.trim_matches(['"', '\'', '`'])).filter(|w| !w.is_empty());
    let mut open = false;
    words.filter(move |word| {
        // pip's settings have their section in front: `global.index-url`.
        let is_option = OPTIONS.contains(word) || word.ends_with(".index-url");
        let taken = open && word.starts_with("http");
        open = is_option;
        taken
    })
}

/// `nvidia-cudnn-cu11-8.5.0.96`: the version stands behind the last hyphen before a digit.
fn name_and_version(word: &str) -> Option<(&str, &str)> {
    let (at, _) = word
        .match_indices('-')
        .find(|(at, _)| number::is_release(&word[at + 1..]) && !word[at + 1..].contains('-'))?;
    let (name, version) = (&word[..at], &word[at + 1..]);
    package::is_name(name).then_some((name, version))
}

/// `torch>=1.8 in /usr/lib/… (from x) (2.0.1)`.
fn satisfied(rest: &str) -> Option<(&str, &str)> {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')))?;
    let (_, last) = rest.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    (package::is_name(&rest[..end]) && number::is_release(last)).then_some((&rest[..end], last))
}

/// The name of a wheel on a line: what pip downloads, or was told to install.
fn wheel(text: &str) -> Option<&str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | '<' | '>' | ','))
        .find_map(|word| {
            let address = word.split(['#', '?']).next()?;
            let file = address.rsplit(['/', '\\', '=']).next()?;
            let parts = file.strip_suffix(".whl")?.split('-').count();
            (parts == 5 || parts == 6).then_some(file)
        })
}

/// `pip list --format=json` on one line, `conda list --json` on several.
fn json(page: &Page<'_>, found: &mut Found) {
    let quoted = |text: &'_ str, key: &str| -> Option<(usize, usize)> {
        let at = text.find(key)? + key.len();
        let rest = text[at..].trim_start_matches([':', ' ']);
        let from = text.len() - rest.len() + 1;
        let end = rest.strip_prefix('"')?.find('"')?;
        Some((from, from + end))
    };
    let mut name: Option<(&str, usize)> = None;
    for (at, line, text) in page.all() {
        let mut rest = text;
        // Each step goes on behind what it read.
        while let Some(key) = rest.find('"') {
            if !rest[key..].starts_with("\"name\"") && !rest[key..].starts_with("\"version\"") {
                rest = &rest[key + 1..];
                continue;
            }
            rest = &rest[key..];
            let is_name = rest.starts_with("\"name\"");
            let Some((from, to)) = quoted(rest, if is_name { "\"name\"" } else { "\"version\"" }) else {
                break;
            };
            let value = &rest[from..to];
            if is_name {
                name = Some((value, at));
            } else if let Some((package, _)) =
                name.take().filter(|(n, from)| at <= from + 3 && package::is_name(n))
                && number::is_release(value)
            {
                package::see(found, package, value, line);
            }
            rest = &rest[to..];
        }
    }
}

/// `Name:` and `Version:` below each other; of `pip show x | findstr Version` the name is in the command.
fn show(page: &Page<'_>, found: &mut Found) {
    let mut name: Option<(&str, usize)> = None;
    for (at, line, text) in page.all() {
        if let Some(rest) = text.strip_prefix("Name: ") {
            name = Some((rest.trim(), at));
        } else if let Some(rest) = text.strip_prefix("Version: ")
            && let Some((package, _)) =
                name.take().filter(|(name, from)| at <= from + 2 && package::is_name(name))
            && number::is_release(rest.trim())
        {
            package::see(found, package, rest.trim(), line);
        }
    }
    for command in &page.commands {
        let Some(package) = shown(command) else { continue };
        for (_, line, text) in page.output(command).take(3) {
            if let Some(rest) = text.strip_prefix("Version: ").map(str::trim)
                && number::is_release(rest)
            {
                package::see(found, package, rest, line);
                break;
            }
        }
    }
}

/// The package of `pip show NAME | …Version`.
fn shown<'a>(command: &Command<'a>) -> Option<&'a str> {
    let (_, rest) = command.text.split_once("pip show ").or_else(|| command.text.split_once("pip3 show "))?;
    let (names, filter) = rest.split_once('|')?;
    let name = names.split_whitespace().next()?;
    (filter.contains("ersion") && package::is_name(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("pip");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn what_was_installed_is_read() {
        assert_eq!(
            of(
                "Successfully installed nvidia-cudnn-cu11-8.5.0.96 torch-2.0.0+cu117 ultralytics-8.0.89\n  Successfully uninstalled nvidia-cudnn-cu11-8.6.0.163"
            ),
            [
                "package:nvidia-cudnn-cu11=8.5.0.96@1",
                "package:torch=2.0.0+cu117@1",
                "framework-cuda=11.7@1",
                "package:ultralytics=8.0.89@1"
            ]
        );
        assert_eq!(
            of("Requirement already satisfied: torch>=1.8 in /usr/lib (from x) (2.0.1)"),
            ["package:torch=2.0.1@1"]
        );
        assert_eq!(of("Name: torch\nVersion: 2.0.1\nSummary: x"), ["package:torch=2.0.1@2"]);
        assert_eq!(
            of("C:\\Users\\user>pip show nvgpu | findstr Version\nVersion: 0.8.0"),
            ["package:nvgpu=0.8.0@2"]
        );
    }

    #[test]
    fn lists_in_json() {
        assert_eq!(
            of(
                "[{\"name\": \"torch\", \"version\": \"2.0.1\"}, {\"name\": \"numpy\", \"version\": \"1.26.4\"}]"
            ),
            ["package:torch=2.0.1@1", "package:numpy=1.26.4@1"]
        );
        assert_eq!(
            of("    \"name\": \"pytorch\",\n    \"platform\": \"linux-64\",\n    \"version\": \"2.0.1\""),
            ["package:pytorch=2.0.1@3"]
        );
        assert_eq!(of("\"cuda\" : {\n \"name\" : \"CUDA SDK\",\n \"version\" : \"11.4.2\"\n}"), [""; 0]);
    }

    #[test]
    fn wheels_and_indexes_are_named() {
        assert_eq!(
            of(
                "Looking in indexes: https://pypi.org/simple, https://download.pytorch.org/whl/cu121\n  Using cached https://x/torch-2.3.1-cp310-cp310-win_amd64.whl (159.8 MB)"
            ),
            [
                "index=https://pypi.org/simple@1",
                "index=https://download.pytorch.org/whl/cu121@1",
                "wheel=torch-2.3.1-cp310-cp310-win_amd64.whl@2"
            ]
        );
        assert_eq!(
            of(
                "RUN pip install torch==2.1.0 -f https://download.pytorch.org/whl/torch_stable.html -i https://pypi.org/simple\nglobal.index-url='https://mirror.org/simple'\nsee -v https://x.org"
            ),
            [
                "index=https://download.pytorch.org/whl/torch_stable.html@1",
                "index=https://pypi.org/simple@1",
                "index=https://mirror.org/simple@2"
            ]
        );
    }
}
