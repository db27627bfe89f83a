//! Which system: /etc/os-release, lsb_release, Windows' banner, systeminfo, dxdiag.

use super::found::Found;
use super::label;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "system",
    words: &[
        "PRETTY_NAME",
        "DISTRIB_DESCRIPTION",
        "NAME=",
        "Edition",
        "版本",
        "\\n \\l",
        " release ",
        "Microsoft Windows",
        "ldd (",
        "Description",
        "OS Name",
        "OS 名",
        "Betriebssystem",
        "Operating System",
        "操作系统",
        "作業系統",
        "オペレーティング",
        "OsName",
        "WindowsProductName",
        "OS Image",
        "osImage",
        "Kernel Version",
        "kernelVersion",
        "Nom du syst",
        "Nombre del sistema",
        "Architecture",
        "macOS",
        "MacBook",
    ],
    read,
};

/// What people write of their Mac: `MacBook Pro M2, macOS 14.4`. Files and wheels are called after macOS as well, but have
/// no version behind a space.
fn mac(text: &str) -> Option<&str> {
    // What runs where is told with the names of other systems.
    let lower = text.to_ascii_lowercase();
    if ["linux", "windows", "ubuntu", "debian", " or "].iter().any(|other| lower.contains(other)) {
        return None;
    }
    if let Some(at) = text.find("macOS ") {
        let version = &text[at + 6..];
        let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
        let number = version[..end].trim_end_matches('.');
        // `macOS 10.15+` is what something needs.
        return (!number.is_empty() && !version[end..].starts_with('+'))
            .then(|| &text[at..at + 6 + number.len()]);
    }
    (text.len() < 60 && text.starts_with("MacBook")).then_some("macOS")
}

/// Reads names and versions of systems.
fn read(page: &Page<'_>, found: &mut Found) {
    for (at, line, text) in page.all() {
        let text = text.trim();
        if let Some(name) =
            text.strip_prefix("PRETTY_NAME=").or_else(|| text.strip_prefix("DISTRIB_DESCRIPTION="))
        {
            found.see("os", name.trim_matches(['"', '\'']), line);
        } else if text.starts_with("NAME=") {
            release_without_pretty_name(page, at, line, found);
        } else if let Some(name) = edition(text) {
            found.see("os", name, line);
        } else if text.ends_with("\\n \\l") && text.bytes().any(|b| b.is_ascii_digit()) {
            // /etc/issue
            found.see("os", text.trim_end_matches("\\n \\l").trim_end(), line);
        } else if is_release_file(text) {
            found.see("os", text, line);
        } else if let Some(build) = windows_banner(text) {
            found.see("os", build, line);
        } else if let Some((_, version)) = text.split_once("ldd (").and_then(|(_, r)| r.rsplit_once(' ')) {
            // `ldd (Ubuntu GLIBC 2.35-0ubuntu3.1) 2.35`
            if version.starts_with("2.") && super::number::dotted(version) == Some(version) {
                found.see("glibc", version, line);
            }
        } else if let Some((name, value)) = label::split(text) {
            labelled(page, at, line, name.trim_start_matches(['#', ' ']), value, found);
        } else if let Some(mac) = mac(text) {
            found.see("os", mac, line);
        } else if text.starts_with("Microsoft Windows 1") && text.len() < 60 && !text.contains('[') {
            found.see("os", text, line);
        }
    }
}

fn labelled(page: &Page<'_>, at: usize, line: usize, name: &str, value: &str, found: &mut Found) {
    let windows = value.contains("Windows");
    match name {
        "Description" if near(page, at, &["Distributor ID", "No LSB modules", "Release", "Codename"]) => {
            found.see("os", value, line)
        }
        "OS Name"
        | "OS 名称"
        | "OS 名稱"
        | "OS 名"
        | "Betriebssystemname"
        | "Nom du système d'exploitation"
        | "Nombre del sistema operativo"
            if windows =>
        {
            found.see("os", value, line);
        }
        "Operating System" | "操作系统" | "作業系統" | "オペレーティング システム" | "Betriebssystem"
            if value.bytes().any(|b| b.is_ascii_digit()) =>
        {
            // dxdiag adds the branch that the system was built from.
            let name = value.split_once(") (").map_or(value, |(name, _)| &value[..=name.len()]);
            found.see("os", name, line);
        }
        "WindowsProductName" | "OsName" if windows => found.see("os", value, line),
        "Caption" if value.starts_with("Microsoft Windows") => found.see("os", value, line),
        "OS Image" | "osImage" => found.see("os", value, line),
        "Kernel Version" | "kernelVersion" => super::platform_text::see_kernel(value, line, found),
        "Architecture" if matches!(value, "x86_64" | "aarch64" | "ppc64le") => found.see("arch", value, line),
        _ => {}
    }
}

/// `NAME="Ubuntu"` and `VERSION="18.04.3 LTS (Bionic Beaver)"` of /etc/os-release, where its pretty name was cut off.
fn release_without_pretty_name(page: &Page<'_>, at: usize, line: usize, found: &mut Found) {
    let inside = |i: &usize| page.lines.get(*i).is_some_and(|l| l.text.trim().contains('='));
    let unquoted = |text: &str| text.trim_matches(['"', '\'']).to_owned();
    let mut version = None;
    for text in (at..at + 20).take_while(inside).map(|i| page.lines[i].text.trim()) {
        if text.starts_with("PRETTY_NAME=") {
            return;
        }
        if let Some(value) = text.strip_prefix("VERSION=") {
            version = Some(unquoted(value));
        }
    }
    // It may stand before the name.
    let before = page.lines[at.saturating_sub(12)..at].iter().any(|l| l.text.contains("PRETTY_NAME="));
    if let (Some(version), false) = (version.filter(|v| !v.is_empty()), before) {
        let raw = page.lines[at].text.trim();
        let name = unquoted(raw.trim_start_matches("NAME="));
        found.made("os", &format!("{name} {version}"), raw, line);
    }
}

/// `Edition  Windows 11 Pro`, as the settings show it.
fn edition(text: &str) -> Option<&str> {
    let name = ["Edition", "版本"].iter().find_map(|l| text.strip_prefix(l))?;
    let name = name.strip_prefix([' ', '\t', ':', '：']).map(str::trim)?;
    (name.starts_with("Windows 1") && name.len() < 50).then_some(name)
}

fn near(page: &Page<'_>, at: usize, words: &[&str]) -> bool {
    page.lines[at.saturating_sub(2)..(at + 3).min(page.lines.len())]
        .iter()
        .any(|l| words.iter().any(|w| l.text.trim_start_matches(['#', ' ', '\t']).starts_with(w)))
}

/// `CentOS Linux release 7.9.2009 (Core)`, `Red Hat Enterprise Linux release 8.6 (Ootpa)`.
fn is_release_file(text: &str) -> bool {
    const NAMES: [&str; 10] = [
        "Amazon Linux",
        "CentOS",
        "Red Hat",
        "Rocky Linux",
        "AlmaLinux",
        "Fedora",
        "Oracle Linux",
        "Scientific Linux",
        "openEuler",
        "Anolis OS",
    ];
    text.len() < 80
        && NAMES.iter().any(|n| text.starts_with(n))
        && text.split_once(" release ").is_some_and(|(_, v)| v.starts_with(|c: char| c.is_ascii_digit()))
}

/// The build in `Microsoft Windows [Version 10.0.19045.3693]`, in any language.
fn windows_banner(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("Microsoft Windows [")?;
    let inside = rest.split(']').next()?;
    let at = inside.find(|c: char| c.is_ascii_digit())?;
    super::number::version(&inside[at..]).filter(|v| v.split('.').count() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("system");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn a_mac_is_what_somebody_has_and_not_what_something_needs() {
        assert_eq!(of("MacBook Pro M2, macOS 14.4"), ["os=macOS 14.4@1"]);
        assert_eq!(of("MacBook Air"), ["os=macOS@1"]);
        for needs in
            ["Requires macOS 12 or Linux", "Tested on macOS 13, Windows 11", "macOS 10.15+", "macOS support"]
        {
            assert_eq!(of(needs), Vec::<String>::new(), "{needs}");
        }
    }

    #[test]
    fn names_of_systems() {
        assert_eq!(of("NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 22.04.3 LTS\""), ["os=Ubuntu 22.04.3 LTS@2"]);
        assert_eq!(
            of("Distributor ID:\tUbuntu\nDescription:\tUbuntu 20.04.6 LTS\nRelease:\t20.04"),
            ["os=Ubuntu 20.04.6 LTS@2"]
        );
        assert_eq!(
            of("DISTRIB_RELEASE=20.04\nDISTRIB_DESCRIPTION=\"Ubuntu 20.04.1 LTS\""),
            ["os=Ubuntu 20.04.1 LTS@2"]
        );
        assert_eq!(
            of("NAME=\"Ubuntu\"\nVERSION=\"18.04.3 LTS (Bionic Beaver)\""),
            ["os=Ubuntu 18.04.3 LTS (Bionic Beaver)@1"]
        );
        assert_eq!(of("Edition\tWindows 11 Pro\nVersion\t23H2"), ["os=Windows 11 Pro@1"]);
        assert_eq!(of("Debian GNU/Linux 12 \\n \\l"), ["os=Debian GNU/Linux 12@1"]);
        assert_eq!(of("CentOS Linux release 7.9.2009 (Core)"), ["os=CentOS Linux release 7.9.2009 (Core)@1"]);
        assert_eq!(of("Microsoft Windows [版本 10.0.18363.836]"), ["os=10.0.18363.836@1"]);
        assert_eq!(of("OS 名称:          Microsoft Windows 10 专业版"), ["os=Microsoft Windows 10 专业版@1"]);
    }
}
