//! Archives of TensorRT: `TensorRT-10.0.1.6.Linux.x86_64-gnu.cuda-12.4.tar.gz`.
//!
//! Source: relation `tensorrt-release`, column `archives`.

use super::Decoded;
use super::lookup;
use super::name::Name;
use super::text::{self, Cuda};
use crate::kb::Kb;
use crate::version::Dotted;

/// Reads an archive's name in any of the three ways it was written.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let rest = name.lower.strip_prefix("tensorrt")?.trim_start_matches(['-', '_', ' ', '.']);
    let rest = rest.strip_prefix("enterprise").map_or(rest, |r| r.trim_start_matches(['-', '_', ' ']));
    let (version, rest) = text::leading_version(rest)?;
    if !(3..=4).contains(&version.len()) {
        return None;
    }
    let os =
        ["windows", "win10", "linux", "ubuntu", "centos", "red-hat"].iter().find(|w| rest.contains(**w))?;
    let os = if os.starts_with("win") { "windows" } else { "linux" };
    let cuda = after(rest, "cuda").and_then(|v| text::cuda(&v.to_string()))?;
    let arch = if rest.contains("aarch64") || rest.contains("sbsa") {
        Some("aarch64")
    } else if rest.contains("ppc64le") {
        Some("ppc64le")
    } else if os == "windows" || rest.contains("x86_64") || rest.contains("amd64") || rest.contains("x86-64")
    {
        // All archives for Windows are for 64-bit x86, also where the name does not say so.
        Some("x86_64")
    } else {
        None
    };
    let cudnn = after(rest, "cudnn");

    let mut out = Decoded::new("tensorrt-archive", "decode-tensorrt-archive");
    out.say("version", version.to_string());
    out.mean("tensorrt", version.to_string());
    out.mean("os", os);
    out.cuda(&cuda);
    if let Some(arch) = arch {
        out.mean("arch", arch);
        out.note("decode-for-platform", "platform", format!("{os}-{arch}"));
    }
    if let Some(cudnn) = &cudnn {
        out.mean("cudnn", cudnn.to_string());
        out.note("decode-with-cudnn", "cudnn", cudnn.to_string());
    }
    known(kb, &mut out, &version);
    if let (Cuda::Release(cuda), Some(arch)) = (&cuda, arch)
        && version.len() == 4
        && let Some(canonical) = canonical(&version, os, arch, cuda, cudnn)
    {
        out.spelled(canonical, &name.file);
    }
    Some(out)
}

/// The version right behind a word, with or without a separator.
fn after(text: &str, word: &str) -> Option<Dotted> {
    let at = text.find(word)? + word.len();
    let rest = text[at..].strip_prefix(['-', '_', ' ']).unwrap_or(&text[at..]);
    text::leading_version(rest).map(|(v, _)| v)
}

/// Says whether the release and its build number are known.
fn known(kb: &Kb, out: &mut Decoded, version: &Dotted) {
    let mut full = None;
    for (id, _) in kb.facts_of("tensorrt-release") {
        if lookup::version(kb, id, "tensorrt")
            .is_some_and(|v| v.prefix(3).cmp_number(&version.prefix(3)).is_eq())
        {
            full = lookup::version(kb, id, "full").or(full);
            out.mean("known", true);
        }
    }
    if let Some(full) = full.filter(|f| version.len() == 4 && f.cmp_number(version).is_ne()) {
        out.mean("known", false);
        out.mean("known_version", full.to_string());
        out.notes.push((
            "decode-tensorrt-build-unknown",
            vec![("version", version.to_string()), ("known", full.to_string())],
        ));
    }
}

fn canonical(v: &Dotted, os: &str, arch: &str, cuda: &str, cudnn: Option<Dotted>) -> Option<String> {
    let cudnn = cudnn.map(|c| format!(".cudnn{c}")).unwrap_or_default();
    match (os, arch, v.major()) {
        ("linux", "x86_64", 11..) => {
            Some(format!("TensorRT-Enterprise-{v}-Linux-x86_64-cuda-{cuda}-Release-external.tar.zst"))
        }
        ("windows", _, 11..) => {
            Some(format!("TensorRT-Enterprise-{v}-Windows-amd64-cuda-{cuda}-Release-external.zip"))
        }
        ("linux", "x86_64", 8..) => Some(format!("TensorRT-{v}.Linux.x86_64-gnu.cuda-{cuda}{cudnn}.tar.gz")),
        ("windows", _, 10) => Some(format!("TensorRT-{v}.Windows.win10.cuda-{cuda}.zip")),
        ("windows", _, 8) => Some(format!("TensorRT-{v}.Windows10.x86_64.cuda-{cuda}{cudnn}.zip")),
        _ => None,
    }
}
