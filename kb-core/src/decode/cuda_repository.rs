//! Local package repositories of the CUDA toolkit: `cuda-repo-ubuntu2204-12-4-local_12.4.1-550.54.15-1_amd64.deb`.
//!
//! Source: the names that NVIDIA's download page prints; the driver stands behind the toolkit's version.

use super::Decoded;
use super::name::Name;
use super::text::{Cuda, digits};
use crate::version::Dotted;

/// Reads a deb or rpm name.
pub(super) fn read(name: &Name) -> Option<Decoded> {
    let rest = name.lower.strip_prefix("cuda-repo-")?;
    let (rest, deb) = match rest.strip_suffix(".deb").or_else(|| rest.strip_suffix("-deb")) {
        Some(r) => (r, true),
        None => (rest.strip_suffix(".rpm")?, false),
    };
    let (rest, arch) = match deb {
        true => rest.rsplit_once('_')?,
        false => rest.rsplit_once('.')?,
    };
    let arch = match arch {
        "amd64" | "x86_64" => "x86_64",
        "arm64" | "aarch64" | "sbsa" => "aarch64",
        "ppc64el" | "ppc64le" => "ppc64le",
        _ => return None,
    };
    let mut distribution = Vec::new();
    let (mut version, mut driver): (Option<Dotted>, Option<Dotted>) = (None, None);
    for token in rest.split(['-', '_']).filter(|t| !t.is_empty()) {
        let dotted = token.contains('.').then(|| token.parse::<Dotted>().ok()).flatten();
        match dotted {
            Some(v) if v.major() >= 100 => driver = Some(v),
            Some(v) if version.is_none() && (5..=39).contains(&v.major()) => version = Some(v),
            Some(_) => return None,
            // 12, 4, local, and the package's revision.
            None if digits(token) || token == "local" => {}
            None if version.is_none() => distribution.push(token),
            None => return None,
        }
    }
    let version = version?.to_string();
    let mut out = Decoded::new("cuda-repository", "decode-cuda-repository");
    out.say("version", version.as_str());
    out.mean("cuda", version.as_str());
    out.mean("cuda_major", Cuda::Release(version).major());
    out.say("distribution", distribution.join("-"));
    out.mean("os", if distribution.contains(&"wsl") { "wsl2" } else { "linux" });
    out.mean("arch", arch);
    out.mean("format", if deb { "deb" } else { "rpm" });
    match driver {
        Some(driver) => {
            out.mean("driver", driver.to_string());
            out.note("decode-bundled-driver", "driver", driver.to_string());
        }
        None => out.notes.push(("decode-repository-no-driver", Vec::new())),
    }
    out.spelled(name.lower.clone(), &name.file);
    Some(out)
}
