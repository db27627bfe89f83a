//! The kernel and its modules: /proc/driver/nvidia/version, dmesg, lsmod, modinfo, mokutil, uname.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{number, platform_text};

pub(super) const READER: Reader = Reader {
    tool: "kernel",
    words: &[
        "NVIDIA UNIX",
        "for UNIX",
        "has the version",
        "SecureBoot",
        "Secure boot",
        "nvidia",
        "nouveau",
        "nvgpu",
        "uname",
        "GNU/Linux",
        "Linux version",
        "Default Version",
        "默认版本",
        "預設版本",
        "Standardversion",
        "wsl",
        " SMP",
        "dpkg --print",
        "AER:",
        "Bus Error",
        "Surprise Down",
    ],
    read,
};

/// Reads the kernel module's version and what is loaded.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        // `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.144.03  Release Build  (user@host) …`,
        // `NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.104.05 …`
        if text.contains("NVIDIA UNIX") || text.contains("Kernel Mode Setting Driver for UNIX") {
            let rest = ["Kernel Module", "platforms", "UNIX"]
                .iter()
                .find_map(|w| text.split_once(w))
                .map_or("", |(_, r)| r);
            if let Some(version) = rest.split_whitespace().take(4).find(|w| number::is_driver(w)) {
                found.see("driver", version, line);
            }
        } else if text.contains("the client has the version")
            || text.contains("kernel module has the version")
            || text.contains("kernel module but")
        {
            mismatch(text, line, found);
        } else if text.trim_start().starts_with("SecureBoot ") {
            if let Some(state) =
                text.split_whitespace().nth(1).filter(|s| matches!(*s, "enabled" | "disabled"))
            {
                found.see("secure-boot", state, line);
            }
        } else if text.contains("ecure boot enabled") || text.contains("ecure boot disabled") {
            let state = if text.contains("boot enabled") { "enabled" } else { "disabled" };
            found.see("secure-boot", state, line);
        } else if let Some((_, rest)) = text
            .split_once("Linux version ")
            .filter(|(b, _)| b.is_empty() || b.ends_with("] ") || b.ends_with("kernel: "))
        {
            platform_text::see_kernel(rest.split_whitespace().next().unwrap_or(""), line, found);
        } else if let Some((_, generation)) = super::label::split(text).filter(|(name, generation)| {
            // `wsl --status`
            matches!(*name, "Default Version" | "默认版本" | "預設版本" | "Standardversion")
                && matches!(*generation, "1" | "2")
        }) {
            found.made("wsl", generation, text.trim(), line);
        } else if let Some(name) = module(text).or_else(|| module_file(text)).or_else(|| dkms(text)) {
            found.see("kernel-module", name, line);
        } else if text.contains("AER:")
            || text.contains("PCIe Bus Error")
            || text.contains(" Error    (First)")
        {
            bus_error(text, line, found);
        }
    }
    for command in &page.commands {
        commands(page, command, found);
    }
    for (_, line, text) in page.all() {
        // `uname -a`, wherever it was pasted.
        let mut words = text.trim_start_matches(['#', ' ']).split_whitespace();
        if words.next() == Some("Linux")
            && text.contains(" #")
            && (text.contains("GNU/Linux") || text.contains(" SMP"))
        {
            let kernel = words.find(|w| w.starts_with(|c: char| c.is_ascii_digit()) && w.contains('.'));
            if let Some(kernel) = kernel {
                platform_text::see_kernel(kernel, line, found);
            }
            if let Some(arch) =
                text.split_whitespace().find(|w| matches!(*w, "x86_64" | "aarch64" | "ppc64le"))
            {
                found.see("arch", arch, line);
            }
        }
    }
}

/// `the client has the version 535.54.03, but this kernel module has the version 525.105.17`, on one or two lines.
fn mismatch(text: &str, line: usize, found: &mut Found) {
    for (words, what) in
        [("client has the version", "driver-library"), ("kernel module has the version", "driver")]
    {
        if let Some(version) = text.split_once(words).and_then(|(_, r)| number::driver(r.trim_start())) {
            found.see(what, version, line);
        }
    }
}

/// A row of lsmod about NVIDIA's modules or nouveau.
fn module(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    let (name, size, used) = (words.next()?, words.next()?, words.next()?);
    let gpu = name == "nvidia" || name == "nouveau" || name == "nvgpu" || name.starts_with("nvidia_");
    let numbers = [size, used].iter().all(|n| n.bytes().all(|b| b.is_ascii_digit()));
    (gpu && numbers && !text.starts_with(' ')).then_some(name)
}

/// A module that lies on the disk: a line of `find`, `ls` or `locate`, `filename:` of modinfo. Its path tells for which
/// kernel it was built.
fn module_file(text: &str) -> Option<&str> {
    let text = text.trim();
    let path = text.strip_prefix("filename:").map_or(text, str::trim);
    let path = if text.starts_with("-r") { path.rsplit(' ').next()? } else { path };
    let name = path.rsplit('/').next()?;
    let stem =
        ["", ".xz", ".zst", ".gz"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix(".ko"))?;
    let gpu = stem.starts_with("nvidia") || matches!(stem, "nouveau" | "nvgpu");
    (path.starts_with("/lib/modules/")
        || path.starts_with("/usr/lib/modules/")
        || path.starts_with("/var/lib/dkms/"))
    .then_some(path)
    .filter(|p| gpu && !p.contains([' ', '*', ':']))
}

/// `nvidia/535.104.05, 5.15.0-83-generic, x86_64: installed`, `nvidia, 460.32.03: added`.
fn dkms(text: &str) -> Option<&str> {
    let text = text.trim();
    let (what, state) = text.split_once(": ")?;
    let known = ["added", "built", "installed", "broken"].iter().any(|s| state.starts_with(s));
    let ours = text.starts_with("nvidia/") || text.starts_with("nvidia,") || text.starts_with("nvidia-");
    (known && ours && text.len() < 160 && what.bytes().any(|b| b.is_ascii_digit())).then_some(text)
}

/// A fatal error of the bus, as the kernel reports it: nothing that a version would mend.
fn bus_error(text: &str, line: usize, found: &mut Found) {
    for words in ["Uncorrected (Fatal)", "Uncorrectable (Fatal)", "Surprise Down Error"] {
        if text.contains(words) {
            found.made("error", "pcie-uncorrected-error", words, line);
            return;
        }
    }
}

fn commands(page: &Page<'_>, command: &super::page::Command<'_>, found: &mut Found) {
    let text = command.bare();
    if text.contains("uname -") || text.starts_with("arch") || text.contains("--print-architecture") {
        // Several commands may share the line.
        for (_, line, row) in page.output(command).take(6) {
            let row = row.trim();
            if text.contains("uname -r") && !row.contains(' ') && row.contains('-') {
                platform_text::see_kernel(row, line, found);
            } else if matches!(row, "x86_64" | "aarch64" | "ppc64le") {
                found.see("arch", row, line);
            }
        }
    } else if text.contains("/sys/module/nvidia/version") {
        if let Some((_, line, version)) = page.first_output(command)
            && number::is_driver(version.trim())
        {
            found.see("driver", version.trim(), line);
        }
    } else if text.contains("modinfo") && text.contains("nvidia") {
        for (_, line, row) in page.output(command) {
            if let Some(version) = row.strip_prefix("version:").map(str::trim)
                && number::is_driver(version)
            {
                // The module on the disk; the loaded one counts where both are shown.
                found.weak("driver", version, row.trim(), "pasted modinfo", line);
            }
        }
    } else if text.starts_with("wsl") && (text.contains("-l") || text.contains("--list")) {
        // `* Ubuntu-22.04    Running         2`; the default is marked.
        for (_, line, row) in page.output(command) {
            if row.trim_start().starts_with('*')
                && let Some(generation) = row.split_whitespace().last().filter(|g| matches!(*g, "1" | "2"))
            {
                found.made("wsl", generation, row.trim(), line);
            }
        }
    } else if text.contains("/proc/driver/nvidia/gpus") {
        for (_, line, row) in page.output(command) {
            if let Some(name) =
                row.strip_prefix("Model:").map(str::trim).filter(|n| !n.is_empty() && *n != "Unknown")
            {
                found.see("gpu", name, line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("kernel");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn module_lines_of_all_generations() {
        assert_eq!(
            of("NVRM version: NVIDIA UNIX x86_64 Kernel Module  384.130  Wed Mar 21 03:37:26 PDT 2018"),
            ["driver=384.130@1"]
        );
        assert_eq!(
            of(
                "NVRM version:  NVIDIA UNIX Open Kernel Module for x86_64  515.57  Release Build Mi 20. Jul 11:53:35 CEST 2022"
            ),
            ["driver=515.57@1"]
        );
        assert_eq!(
            of(
                "[   12.1] NVRM: API mismatch: the client has the version 535.54.03, but\nNVRM: this kernel module has the version 525.105.17.  Please"
            ),
            ["driver-library=535.54.03@1", "driver=525.105.17@2"]
        );
    }

    #[test]
    fn wsl_states_its_generation() {
        assert_eq!(of("默认分发: Ubuntu\n默认版本: 2"), ["wsl=2@2"]);
        assert_eq!(of("PS C:\\> wsl -l -v\n  NAME  STATE  VERSION\n* Ubuntu  Running  2"), ["wsl=2@3"]);
    }

    #[test]
    fn modules_on_the_disk() {
        assert_eq!(
            of(
                "/lib/modules/3.13.0-88-generic/kernel/drivers/video/nvidia.ko\n/lib/modules/3.13.0-88-generic/kernel/drivers/net/ethernet/nvidia\nfilename:       /lib/modules/6.5.0/updates/dkms/nvidia.ko.zst\nnvidia/535.104.05, 5.15.0-83-generic, x86_64: installed\nnvidia: module license 'NVIDIA' taints kernel."
            ),
            [
                "kernel-module=/lib/modules/3.13.0-88-generic/kernel/drivers/video/nvidia.ko@1",
                "kernel-module=/lib/modules/6.5.0/updates/dkms/nvidia.ko.zst@3",
                "kernel-module=nvidia/535.104.05, 5.15.0-83-generic, x86_64: installed@4"
            ]
        );
    }

    #[test]
    fn modules_and_kernels() {
        assert_eq!(
            of(
                "$ uname -r\n5.15.90.1-microsoft-standard-WSL2\nnvidia_uvm           4898816  0\nLinux host 5.15.0-83-generic #92~20.04.1-Ubuntu SMP Mon x86_64 x86_64 GNU/Linux\nSecureBoot enabled"
            ),
            [
                "kernel-module=nvidia_uvm@3",
                "secure-boot=enabled@5",
                "kernel=5.15.90.1-microsoft-standard-WSL2@2",
                "wsl=2@2",
                "kernel=5.15.0-83-generic@4",
                "arch=x86_64@4"
            ]
        );
    }
}
