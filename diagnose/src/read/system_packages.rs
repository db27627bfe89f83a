//! Packages of Linux distributions: `dpkg -l`, `apt list`, `apt policy`, `rpm -qa`, `yum list`, `pacman -Q`.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "packages of the system",
    words: &[
        "libcudnn",
        "libnvidia",
        "nvidia-",
        "cuda-",
        "libnvinfer",
        "tensorrt",
        "libnccl",
        "libcublas",
        "cudnn",
        "Installed:",
    ],
    read,
};

/// Reads packages of the driver, of CUDA and of its libraries.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut listing = false;
    let mut policy: Option<&str> = None;
    let mut commands = page.commands.iter().peekable();
    for (at, line, text) in page.all() {
        if let Some(command) = commands.next_if(|c| c.at == at) {
            listing = ["rpm -q", "yum list", "dnf list", "pacman -Q", "apt list", "dpkg"]
                .iter()
                .any(|c| command.text.contains(c));
            continue;
        }
        let words: Vec<&str> = text.split_whitespace().take(6).collect();
        match words.as_slice() {
            // Installed; `rc` is what was left of a removed one.
            ["ii" | "hi", name, version, ..] => {
                see(name.split(':').next().unwrap_or(name), version, line, found)
            }
            [first, version, _, rest @ ..]
                if first.contains('/') && (text.contains("[installed") || rest.contains(&"[installed]")) =>
            {
                see(first.split('/').next().unwrap_or(first), version, line, found);
            }
            ["Installed:", version] => {
                if let Some(name) = policy.take() {
                    see(name, version, line, found);
                }
            }
            [name] if name.ends_with(':') && !name.contains('/') => policy = Some(name.trim_end_matches(':')),
            // `libcudnn8.x86_64    8.9.2.26-1.cuda12.1    @cuda-rhel8`
            [name, version, place] if place.starts_with('@') || place.starts_with("installed") => {
                see(name.rsplit_once('.').map_or(*name, |(n, _)| n), version, line, found);
            }
            [one]
                if listing
                    || one.ends_with(".x86_64")
                    || one.ends_with(".noarch")
                    || one.ends_with(".aarch64") =>
            {
                rpm(one, line, found)
            }
            [name, version] if listing && version.contains('-') => see(name, version, line, found),
            _ => {}
        }
    }
}

/// `nvidia-driver-535.104.05-1.el8.x86_64`: name, version, release.
fn rpm(text: &str, line: usize, found: &mut Found) {
    let mut parts = text.rsplitn(3, '-');
    let (Some(release), Some(version), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return;
    };
    if version.starts_with(|c: char| c.is_ascii_digit()) && !release.is_empty() {
        see(name, version, line, found);
    }
}

fn is_ours(name: &str) -> bool {
    [
        "nvidia-",
        "libnvidia-",
        "cuda-",
        "libcudnn",
        "cudnn",
        "libnvinfer",
        "tensorrt",
        "libnccl",
        "libcublas",
        "libcuda",
        "libcufft",
        "libcusparse",
        "libcusolver",
        "libcurand",
        "kmod-nvidia",
        "linux-modules-nvidia",
        "akmod-nvidia",
        "xorg-x11-drv-nvidia",
        "nvidia-container",
        "libnvonnxparsers",
    ]
    .iter()
    .any(|p| name.starts_with(p))
        || matches!(name, "cuda" | "nvidia" | "nvidia-dkms" | "nvidia-utils")
}

fn see(name: &str, version: &str, line: usize, found: &mut Found) {
    if !is_ours(name) || !version.starts_with(|c: char| c.is_ascii_digit()) {
        return;
    }
    found.see(&format!("package:{name}"), version, line);
    // An epoch stands before a colon: `1:535.104.05-1`.
    let plain = version.split_once(':').map_or(version, |(_, v)| v);
    let Some(upstream) = number::version(plain) else { return };
    let library = name.starts_with("libcudnn") || name == "cudnn";
    if library && !name.contains("-dev") && !name.contains("-samples") {
        found.made("cudnn", upstream, version, line);
    }
    let of_driver = name.starts_with("libnvidia-")
        && !name.starts_with("libnvidia-container")
        && !name.starts_with("libnvidia-egl")
        || [
            "nvidia-driver",
            "nvidia-utils",
            "nvidia-compute-utils",
            "nvidia-smi",
            "nvidia-kernel",
            "kmod-nvidia",
            "nvidia-dkms",
            "nvidia-open",
            "nvidia-headless",
        ]
        .iter()
        .any(|p| name.starts_with(p))
        || name == "nvidia";
    if of_driver && number::is_driver(upstream) {
        found.made("driver-library", upstream, version, line);
    }
    if name.starts_with("cuda-nvcc-") || name == "nvidia-cuda-toolkit" {
        found.made("cuda-toolkit", upstream, version, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("dpkg");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn packages_of_the_distributions() {
        assert_eq!(
            of(
                "ii  libcudnn8   8.9.2.26-1+cuda12.1   amd64   cuDNN runtime libraries\nrc  libcudnn7  7.6.5.32-1+cuda10.2  amd64  x"
            ),
            ["package:libcudnn8=8.9.2.26-1+cuda12.1@1", "cudnn=8.9.2.26@1"]
        );
        assert_eq!(
            of("ii  libnvidia-compute-535:amd64  535.104.05-0ubuntu0.22.04.1 amd64  x"),
            ["package:libnvidia-compute-535=535.104.05-0ubuntu0.22.04.1@1", "driver-library=535.104.05@1"]
        );
        assert_eq!(
            of("cuda-nvcc-12-2-12.2.140-1.x86_64"),
            ["package:cuda-nvcc-12-2=12.2.140@1", "cuda-toolkit=12.2.140@1"]
        );
        assert_eq!(
            of("libnvinfer8.x86_64  8.6.1.6-1.cuda12.0  @cuda-rhel8"),
            ["package:libnvinfer8=8.6.1.6-1.cuda12.0@1"]
        );
    }
}
