//! JAX's own check of CUDA's components: which version it was built against, needs, and found.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader =
    Reader { tool: "jax", words: &["built against: ", "Minimum supported: ", "Installed version: "], read };

/// `Outdated cuDNN installation found.` and, below it, three labelled integers.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut cudnn_at: Option<usize> = None;
    for (at, line, text) in page.all() {
        if text.contains("nstallation found") || text.contains("component") && text.contains("version") {
            cudnn_at = text.contains("cuDNN").then_some(at);
        }
        // Other components count their integers in other ways.
        if cudnn_at.is_none_or(|c| at > c + 5) {
            continue;
        }
        for (label, what) in [
            ("built against: ", "framework-cudnn"),
            ("Minimum supported: ", "cudnn-needed"),
            ("Installed version: ", "cudnn"),
        ] {
            if let Some((_, rest)) = text.split_once(label)
                && let Some((raw, version)) = number::cudnn(rest.trim()).or_else(|| nine(rest.trim()))
            {
                found.made(what, &version, raw, line);
            }
        }
    }
}

/// JAX asks for 9.1.0 as 9100, in the form that cuDNN left with 9.0.
fn nine(text: &str) -> Option<(&str, String)> {
    let raw = number::dotted(text).filter(|n| n.len() == 4 && n.starts_with('9'))?;
    let number: u32 = raw.parse().ok()?;
    Some((raw, format!("9.{}.{}", number % 1000 / 100, number % 100)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("jax");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn three_versions_of_cudnn() {
        assert_eq!(
            of(
                "Outdated cuDNN installation found.\nVersion JAX was built against: 8907\nMinimum supported: 9100\nInstalled version: 8907"
            ),
            ["framework-cudnn=8.9.7@2", "cudnn-needed=9.1.0@3", "cudnn=8.9.7@4"]
        );
        assert_eq!(of("Outdated cuBLAS installation found.\nInstalled version: 8907"), [""; 0]);
    }
}
