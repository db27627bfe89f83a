//! Which system: /etc/os-release, lsb_release, Windows' banner, systeminfo, dxdiag.

use super::found::Found;
use super::label;
use super::page::Page;

/// Reads names and versions of systems.
pub(super) fn read(page: &Page<'_>, found: &mut Found) {
    for (at, line, text) in page.all() {
        let text = text.trim();
        if let Some(name) = text.strip_prefix("PRETTY_NAME=") {
            found.see("os", name.trim_matches(['"', '\'']), line);
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

fn near(page: &Page<'_>, at: usize, words: &[&str]) -> bool {
    page.lines[at.saturating_sub(2)..(at + 3).min(page.lines.len())]
        .iter()
        .any(|l| words.iter().any(|w| l.text.trim_start_matches(['#', ' ', '\t']).starts_with(w)))
}

/// `CentOS Linux release 7.9.2009 (Core)`, `Red Hat Enterprise Linux release 8.6 (Ootpa)`.
fn is_release_file(text: &str) -> bool {
    const NAMES: [&str; 9] = [
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
    fn names_of_systems() {
        assert_eq!(of("NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 22.04.3 LTS\""), ["os=Ubuntu 22.04.3 LTS@2"]);
        assert_eq!(
            of("Distributor ID:\tUbuntu\nDescription:\tUbuntu 20.04.6 LTS\nRelease:\t20.04"),
            ["os=Ubuntu 20.04.6 LTS@2"]
        );
        assert_eq!(of("CentOS Linux release 7.9.2009 (Core)"), ["os=CentOS Linux release 7.9.2009 (Core)@1"]);
        assert_eq!(of("Microsoft Windows [版本 10.0.18363.836]"), ["os=10.0.18363.836@1"]);
        assert_eq!(of("OS 名称:          Microsoft Windows 10 专业版"), ["os=Microsoft Windows 10 专业版@1"]);
    }
}
