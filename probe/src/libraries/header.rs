//! Versions in the headers that stand beside libraries.

use super::copies::Copy;
use super::look::Look;
use crate::machine::Family;
use crate::{Sink, place};
use std::collections::BTreeSet;

/// A header, the observation that its version is, and the macros that have it; those of cuDNN are artifact's to read.
/// Of cuDNN there are two: the second is that of cuDNN 7 and older.
const HEADERS: [(&str, &str, [&str; 3]); 4] = [
    ("cudnn_version.h", "cudnn", [""; 3]),
    ("cudnn.h", "cudnn", [""; 3]),
    ("nccl.h", "nccl", ["NCCL_MAJOR", "NCCL_MINOR", "NCCL_PATCH"]),
    ("NvInferVersion.h", "tensorrt", ["NV_TENSORRT_MAJOR", "NV_TENSORRT_MINOR", "NV_TENSORRT_PATCH"]),
];

/// Reads the headers that belong to copies and to toolkits.
pub(super) fn observe(sink: &mut Sink<'_>, look: &Look<'_>, copies: &[Copy]) {
    let family = look.family;
    let mut directories: Vec<String> = copies
        .iter()
        .flat_map(|c| beside(look, place::parent(family, &c.path).unwrap_or_default()))
        .collect();
    directories.extend(look.toolkits().iter().map(|r| place::join(family, &r.resolved, "include")));
    if family == Family::Linux {
        directories.extend(system(&look.arch));
    }
    let mut seen = BTreeSet::new();
    for directory in directories {
        let Some(real) = look.resolved(&directory).filter(|r| seen.insert(place::key(family, r))) else {
            continue;
        };
        let is_one = |n: &str| HEADERS.iter().any(|(h, ..)| *h == n);
        let names = look.machine.list(&real, &is_one).unwrap_or_default();
        let has = |name: &str| names.iter().any(|n| n == name);
        for (header, what, macros) in HEADERS {
            if !has(header) || (header == "cudnn.h" && has("cudnn_version.h")) {
                continue;
            }
            let path = place::join(family, &real, header);
            let text = sink.text(what, &path).unwrap_or_default();
            let version = match what {
                "cudnn" => artifact::stated::read(&format!("include/{header}"), text.as_bytes())
                    .and_then(|s| Some(s.cudnn?.value)),
                _ => version(&text, macros),
            };
            if let Some(version) = version {
                sink.see(what, version, "header", Some(&path));
            }
        }
    }
}

/// Where the headers of a library are: `include` beside or above its directory.
fn beside(look: &Look<'_>, directory: &str) -> Vec<String> {
    let family = look.family;
    let up = place::parent(family, directory);
    let upper = up.and_then(|u| place::parent(family, u));
    let mut out: Vec<String> = up.map(|u| place::join(family, u, "include")).into_iter().collect();
    // `bin\12.6` and `targets/x86_64-linux/lib` stand one deeper.
    if family == Family::Windows {
        out.extend(upper.map(|u| place::join(family, u, "include")));
    }
    out
}

fn system(arch: &str) -> [String; 2] {
    ["/usr/include".to_owned(), format!("/usr/include/{arch}-linux-gnu")]
}

/// `9.1.0` of three macros. TensorRT 10 has them by way of others.
fn version(text: &str, macros: [&str; 3]) -> Option<String> {
    let defined = |name: &str| {
        text.lines().find_map(|line| {
            let mut words = line.trim().strip_prefix('#')?.split_whitespace();
            (words.next() == Some("define") && words.next() == Some(name)).then(|| words.next())?
        })
    };
    let number = |text: &&str| text.len() < 6 && text.bytes().all(|b| b.is_ascii_digit());
    let parts: Option<Vec<&str>> = macros
        .iter()
        .map(|name| {
            let value = defined(name)?;
            Some(value).filter(number).or_else(|| defined(value).filter(number))
        })
        .collect();
    parts.map(|p| p.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros() {
        let text = "#define TRT_MAJOR_ENTERPRISE 10\n#define NV_TENSORRT_MAJOR TRT_MAJOR_ENTERPRISE\n\
            #define NV_TENSORRT_MINOR 3 //!< minor\n # define NV_TENSORRT_PATCH 0\n";
        assert_eq!(version(text, HEADERS[3].2).as_deref(), Some("10.3.0"));
        assert_eq!(version(text, HEADERS[0].2), None);
    }
}
