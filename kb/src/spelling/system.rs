//! Names of systems, and platforms as package managers write them: `Ubuntu 22.04`, `WSL 2`, `linux-aarch64`.

use kb_core::platform::Os;

/// Processors as they stand in platforms; the word of `--arch` behind them. The longer ones come first.
const PROCESSORS: [(&str, &str); 7] = [
    ("x86_64", "x86_64"),
    ("x86-64", "x86_64"),
    ("amd64", "x86_64"),
    ("x64", "x86_64"),
    ("aarch64", "aarch64"),
    ("arm64", "aarch64"),
    ("sbsa", "aarch64"),
];

/// How words begin that name a system built on Linux.
const LINUX: [&str; 25] = [
    "linux",
    "manylinux",
    "ubuntu",
    "debian",
    "centos",
    "redhat",
    "rhel",
    "rocky",
    "alma",
    "fedora",
    "suse",
    "opensuse",
    "sles",
    "archlinux",
    "amazon",
    "nixos",
    "mint",
    "kali",
    "kylin",
    "openeuler",
    "deepin",
    "uos",
    "麒麟",
    "统信",
    "乌班图",
];

/// The system and, where it is said, the processor.
pub(crate) fn platform(text: &str) -> Option<(&'static str, Option<&'static str>)> {
    if let Ok(os) = text.parse::<Os>() {
        return Some((os.word(), None));
    }
    let lower = text.to_lowercase();
    let arch = known(&lower);
    // The processor's own letters name no system.
    let rest = arch.map_or_else(|| lower.clone(), |(word, _)| lower.replace(word, " "));
    Some((os(&rest)?, arch.map(|(_, word)| *word)))
}

/// The processor in a text, as the word of `--arch`.
#[cfg(feature = "remote")]
pub(crate) fn processor(text: &str) -> Option<&'static str> {
    known(&text.to_lowercase()).map(|(_, word)| *word)
}

fn known(lower: &str) -> Option<&'static (&'static str, &'static str)> {
    PROCESSORS.iter().find(|(word, _)| lower.contains(word))
}

/// The system behind a printed name: `Ubuntu 22.04.4 LTS`, `Microsoft Windows 11 Pro`.
pub(crate) fn os(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let has = |starts: &[&str]| words.iter().any(|w| starts.iter().any(|s| w.starts_with(s)));
    if let Some(at) = words.iter().position(|w| w.starts_with("wsl")) {
        // WSL 1 has no GPU: it is another system, which kb does not know.
        let first = words[at] == "wsl1" || words[at] == "wsl" && words.get(at + 1) == Some(&"1");
        return (!first).then_some("wsl2");
    }
    if lower.contains("subsystem for linux") {
        return Some("wsl2");
    }
    let win = |w: &&str| w.strip_prefix("win").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    if has(&["darwin", "macos", "osx"]) || lower.contains("mac os") {
        Some("macos")
    } else if has(&["windows", "microsoft", "视窗"]) || words.iter().any(win) {
        Some("windows")
    } else if has(&LINUX) || lower.contains("red hat") || words.contains(&"arch") {
        Some("linux")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_and_platforms_are_understood() {
        for (text, expected) in [
            ("Ubuntu 22.04", Some(("linux", None))),
            ("Ubuntu 22.04.4 LTS (x86_64)", Some(("linux", Some("x86_64")))),
            ("Windows 11", Some(("windows", None))),
            ("Microsoft Windows 10 Pro", Some(("windows", None))),
            ("WSL 2", Some(("wsl2", None))),
            ("WSL 1", None),
            ("linux-aarch64", Some(("linux", Some("aarch64")))),
            ("linux/arm64", Some(("linux", Some("aarch64")))),
            ("linux-64", Some(("linux", None))),
            ("win_amd64", Some(("windows", Some("x86_64")))),
            ("win-64", Some(("windows", None))),
            ("manylinux_2_28_x86_64", Some(("linux", Some("x86_64")))),
            ("macos-arm64", Some(("macos", Some("aarch64")))),
            ("Arch", Some(("linux", None))),
            ("银河麒麟", None),
            ("麒麟 V10", Some(("linux", None))),
            ("TempleOS", None),
            ("search", None),
            ("windowz", None),
        ] {
            assert_eq!(platform(text), expected, "{text}");
        }
    }
}
