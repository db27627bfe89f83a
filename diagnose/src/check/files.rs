//! Libraries that are looked for against those that are there.

use super::{Finding, Outcome};
use crate::case::{At, Case};
use crate::normal::{cuda_major, cuda_release};
use kb_core::kb::Kb;
use kb_core::version::{CudaVersion, Dotted};
use kb_core::world::Libraries;

/// The file name at the end of a path of any system.
pub(super) fn base(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `cuda-other-major`: are there CUDA libraries, but of another release than the build asks for? From CUDA 11 on the
/// major decides, before it each release has its own names.
pub(super) fn other_major(case: &Case<'_>) -> Option<Finding> {
    let kb = case.kb();
    let at = |value: Release, line: Option<usize>| At { value, lines: line.into_iter().collect() };
    let missing =
        case.seen.of("library-missing").find_map(|o| Some(at(Release::of_library(kb, &o.value)?, o.line)));
    let of = |found: At<CudaVersion>| At { value: Release::of(found.value), lines: found.lines };
    let needed = || case.parsed::<CudaVersion>("cuda-needed").map(of);
    // A build that brings its libraries along does not care what else is there.
    let brings = case.build().and_then(|b| b.value.libraries.as_ref().map(|l| l.value != Libraries::System));
    let of_build = || case.framework_cuda().filter(|_| brings != Some(true)).map(of);
    let want = missing.or_else(needed).or_else(of_build)?;
    let mut have: Vec<At<Release>> = Vec::new();
    for o in case.seen.of("cuda-toolkit") {
        have.extend(o.value.parse().ok().map(|v| at(Release::of(v), o.line)));
    }
    for what in ["library-found", "library-loaded"] {
        for o in case.seen.of(what) {
            have.extend(Release::of_library(kb, base(&o.value)).map(|r| at(r, o.line)));
        }
    }
    for (name, o) in case.seen.packages() {
        let of_name = name.rsplit_once("-cu").and_then(|(_, n)| n.parse().ok());
        let plain = matches!(name, "cudatoolkit" | "nvidia-cuda-runtime" | "cuda-runtime" | "cuda-cudart");
        let found = match of_name.filter(|_| name.starts_with("nvidia-")) {
            Some(major) => Some(Release { major, minor: None }),
            None if plain => o.value.parse().ok().map(Release::of),
            None => None,
        };
        have.extend(found.map(|r| at(r, o.line)));
    }
    let name = "cuda-other-major";
    if let Some(same) = have.iter().find(|h| h.value.serves(&want.value)) {
        return Some(Finding::new(name, Outcome::Refuted).shown_by(same).shown_by(&want));
    }
    let other = have.first()?;
    let out = Finding::new(name, Outcome::Proved).shown_by(&want).shown_by(other);
    Some(out.with("cuda-needed", want.value).with("cuda-toolkit", other.value))
}

/// A CUDA release as far as names of libraries tell it apart.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Release {
    major: u32,
    /// Before CUDA 11, where it is known.
    minor: Option<u32>,
}

impl Release {
    fn of(version: CudaVersion) -> Release {
        let old = version.major() < FIRST_WITH_MAJOR_NAMES && version.len() > 1;
        Release { major: version.major(), minor: old.then(|| version.minor()) }
    }

    fn of_library(kb: &Kb, file: &str) -> Option<Release> {
        let major = cuda_major(kb, file)?;
        let exact = cuda_release(kb, file).and_then(|r| r.parse().ok()).map(Release::of);
        Some(exact.filter(|r| r.major == major).unwrap_or(Release { major, minor: None }))
    }

    fn serves(&self, wanted: &Release) -> bool {
        self.major == wanted.major
            && (self.minor.is_none() || wanted.minor.is_none() || self.minor == wanted.minor)
    }
}

impl std::fmt::Display for Release {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.minor {
            Some(minor) => write!(f, "{}.{minor}", self.major),
            None => write!(f, "{}", self.major),
        }
    }
}

/// The first major whose libraries carry only the major in their names.
const FIRST_WITH_MAJOR_NAMES: u32 = 11;

/// `right-library-on-disk`: is the file that the loader misses on the machine, under this name or with its full number?
pub(super) fn on_disk(case: &Case<'_>) -> Option<Finding> {
    for missing in case.seen.of("library-missing") {
        // Paddle names the candidates: cublas64_118.dll;cublas64_11.dll
        for name in missing.value.split(';') {
            let wanted = base(name.trim()).to_ascii_lowercase();
            let found = case.seen.of("library-found").find(|o| {
                let have = base(&o.value).to_ascii_lowercase();
                have == wanted
                    || (wanted.ends_with(".so") && have.starts_with(&format!("{wanted}.")))
                    || (wanted.contains(".so.") && have.starts_with(&format!("{wanted}.")))
            });
            if let Some(found) = found {
                let out =
                    Finding::new("right-library-on-disk", Outcome::Proved).on(missing.line).on(found.line);
                return Some(out.with("library-missing", &wanted).with("library-found", &found.value));
            }
        }
    }
    None
}

/// `glibc-floor`: is the C library older than what a file asks for?
pub(super) fn glibc_floor(case: &Case<'_>) -> Option<Finding> {
    let have = case.parsed::<Dotted>("glibc")?;
    let needed = case.parsed::<Dotted>("glibc-needed");
    let (want, facts) = match needed {
        Some(at) => (at, None),
        None => {
            let build = case.build()?;
            let (glibc, fact) = build.value.glibc?;
            (At { value: glibc, lines: build.lines }, Some(fact))
        }
    };
    let holds = have.value.cmp_number(&want.value).is_lt();
    let out = Finding::decided("glibc-floor", holds).shown_by(&have).shown_by(&want).from(facts);
    Some(out.with("glibc", have.value).with("glibc-needed", want.value))
}

/// `library-copies`: are there copies of one library of different releases?
pub(super) fn copies(case: &Case<'_>) -> Option<Finding> {
    for what in ["cudnn", "cuda-runtime", "cublas", "nccl", "zlibwapi"] {
        let all: Vec<&kb_core::observe::Observation> = case.seen.of(what).collect();
        let Some(first) = all.first() else { continue };
        if all.iter().any(|o| o.value != first.value) {
            let mut out = Finding::decided("library-copies", true);
            for o in &all {
                out = out.on(o.line);
            }
            return Some(out);
        }
    }
    None
}
