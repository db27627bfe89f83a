//! What Python's `platform` module prints: `Linux-6.8.0-1017-aws-x86_64-with-glibc2.35`.

use super::found::Found;

/// Reads kernel, processor and glibc of a platform text. Windows' says `Windows-10` for Windows 11, so it is not read as
/// a name.
pub(super) fn see(text: &str, line: usize, found: &mut Found) {
    let text = text.trim().trim_matches(['\'', '"']);
    let text = text.split_whitespace().next().unwrap_or("");
    if let Some(build) =
        text.strip_prefix("Windows-").and_then(|r| r.split('-').find(|p| p.matches('.').count() == 2))
    {
        found.weak("os", build, text, "platform", line);
    }
    let Some(rest) = text.strip_prefix("Linux-") else { return };
    let (machine, libc) = match rest.split_once("-with-") {
        Some((machine, libc)) => (machine, Some(libc)),
        None => (rest, None),
    };
    let arch = ["x86_64", "aarch64", "ppc64le"].into_iter().find(|a| machine.ends_with(a));
    if let Some(arch) = arch {
        found.see("arch", arch, line);
    }
    let kernel = arch.and_then(|a| machine.strip_suffix(a)).map_or(machine, |k| k.trim_end_matches('-'));
    see_kernel(kernel, line, found);
    if let Some(version) =
        libc.and_then(|l| l.strip_prefix("glibc")).filter(|v| v.starts_with(|c: char| c.is_ascii_digit()))
    {
        found.see("glibc", version, line);
    }
}

/// A kernel's release, and the WSL that it tells of.
pub(super) fn see_kernel(kernel: &str, line: usize, found: &mut Found) {
    // Windows' build is no kernel's release.
    if !kernel.starts_with(|c: char| c.is_ascii_digit())
        || !kernel.contains('.')
        || kernel.starts_with("10.0.")
    {
        return;
    }
    found.see("kernel", kernel, line);
    if kernel.contains("microsoft-standard") || kernel.contains("WSL2") {
        found.made("wsl", "2", kernel, line);
    } else if kernel.ends_with("-Microsoft") {
        found.made("wsl", "1", kernel, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_stands_before_the_processor() {
        let mut found = Found::of("test");
        see("Linux-6.4.3-0_fbk15_zion_2630_gf27365f948db-x86_64-with-glibc2.34", 1, &mut found);
        see("Linux-5.15.90.1-microsoft-standard-WSL2-x86_64-with-Ubuntu-18.04-bionic", 2, &mut found);
        see("Windows-10-10.0.22621-SP0", 3, &mut found);
        assert_eq!(
            found.shown(),
            [
                "arch=x86_64@1",
                "kernel=6.4.3-0_fbk15_zion_2630_gf27365f948db@1",
                "glibc=2.34@1",
                "arch=x86_64@2",
                "kernel=5.15.90.1-microsoft-standard-WSL2@2",
                "wsl=2@2",
                "os=10.0.22621@3"
            ]
        );
    }
}
