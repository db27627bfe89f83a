//! Libraries that are looked for against those that are there.

use super::{Finding, Outcome};
use crate::case::{At, Case};
use crate::normal::cuda_major;
use kb_core::version::{CudaVersion, Dotted};

/// The file name at the end of a path of any system.
pub(super) fn base(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `cuda-other-major`: are there CUDA libraries, but of another major than the build asks for?
pub(super) fn other_major(case: &Case<'_>) -> Option<Finding> {
    let kb = case.kb();
    let missing = case
        .seen
        .of("library-missing")
        .find_map(|o| Some(At { value: cuda_major(kb, &o.value)?, lines: o.line.into_iter().collect() }));
    let needed = || {
        let at = case.parsed::<CudaVersion>("cuda-needed")?;
        Some(At { value: at.value.major(), lines: at.lines })
    };
    let of_build = || {
        let at = case.framework_cuda()?;
        Some(At { value: at.value.major(), lines: at.lines })
    };
    let want = missing.or_else(needed).or_else(of_build)?;
    let mut have: Vec<At<u32>> = Vec::new();
    let mut add =
        |value: u32, line: Option<usize>| have.push(At { value, lines: line.into_iter().collect() });
    for o in case.seen.of("cuda-toolkit") {
        if let Ok(version) = o.value.parse::<CudaVersion>() {
            add(version.major(), o.line);
        }
    }
    for what in ["library-found", "library-loaded"] {
        for o in case.seen.of(what) {
            if let Some(major) = cuda_major(kb, base(&o.value)) {
                add(major, o.line);
            }
        }
    }
    for (name, o) in case.seen.packages() {
        let of_name = name.rsplit_once("-cu").and_then(|(_, n)| n.parse().ok());
        let of_version = || {
            let plain =
                matches!(name, "cudatoolkit" | "nvidia-cuda-runtime" | "cuda-runtime" | "cuda-cudart");
            o.value.split('.').next().filter(|_| plain)?.parse().ok()
        };
        if let Some(major) = of_name.filter(|_| name.starts_with("nvidia-")).or_else(of_version) {
            add(major, o.line);
        }
    }
    let name = "cuda-other-major";
    if let Some(same) = have.iter().find(|h| h.value == want.value) {
        return Some(Finding::new(name, Outcome::Refuted).shown_by(same).shown_by(&want));
    }
    let other = have.first()?;
    let out = Finding::new(name, Outcome::Proved).shown_by(&want).shown_by(other);
    Some(out.with("cuda-needed", want.value).with("cuda-toolkit", other.value))
}

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
