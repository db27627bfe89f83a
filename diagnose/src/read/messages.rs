//! Versions that frameworks' messages compare. What a message means is for the signatures; here are its numbers.

use super::found::Found;
use super::number;
use super::page::Page;

/// PyTorch on cuDNN: `compiled against 7102 but linked against 7301`,
/// `compiled  against (8, 5, 0) but found runtime version (8, 4, 1)`. The kernel module: `API mismatch`.
pub(super) fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        if text.contains("cuDNN version") && text.contains("against") {
            let text = text.split_once("compiled").map_or(text, |(_, rest)| rest);
            pair("framework-cudnn", "against", text, line, found);
            if let Some((_, rest)) = text.split_once("linked") {
                pair("cudnn", "against", rest, line, found);
            }
            pair("cudnn", "found runtime version", text, line, found);
        }
    }
}

fn pair(what: &str, words: &str, text: &str, line: usize, found: &mut Found) {
    let Some((_, rest)) = text.split_once(words) else { return };
    let rest = rest.trim_start();
    if let Some((inside, _)) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
        let version: Vec<&str> = inside.split(',').map(str::trim).collect();
        if version.len() == 3
            && version.iter().all(|p| !p.is_empty() && p.len() < 4 && p.bytes().all(|b| b.is_ascii_digit()))
        {
            found.made(what, &version.join("."), &format!("({inside})"), line);
        }
    } else if let Some((raw, version)) = number::cudnn(rest) {
        found.made(what, &version, raw, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("torch");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn both_sides_are_read() {
        assert_eq!(
            of(
                "RuntimeError: cuDNN version mismatch: PyTorch was compiled against 7102 but linked against 7301"
            ),
            ["framework-cudnn=7.1.2@1", "cudnn=7.3.1@1"]
        );
        assert_eq!(
            of(
                "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (8, 5, 0) but found runtime version (8, 4, 1). PyTorch"
            ),
            ["framework-cudnn=8.5.0@1", "cudnn=8.4.1@1"]
        );
    }
}
