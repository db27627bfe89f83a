//! The cuDNN that is there against the one that is needed.

use super::{Finding, Outcome};
use crate::case::{At, Case};
use crate::diagnosis::Of;
use crate::machine;
use kb_core::fact::FactId;
use kb_core::observe::Observation;
use kb_core::version::CudnnVersion;
use kb_core::world::Libraries;

/// What is needed, with what tells it: by a message, by the builds that take cuDNN from outside, by the name of the file
/// that was not found.
fn wanted(case: &Case<'_>) -> Vec<(At<CudnnVersion>, Vec<FactId>)> {
    let mut out: Vec<(At<CudnnVersion>, Vec<FactId>)> = Vec::new();
    for what in ["framework-cudnn", "cudnn-needed"] {
        out.extend(case.parsed(what).map(|found| (found, Vec::new())));
    }
    if !out.is_empty() {
        return out;
    }
    for (name, o) in case.seen.packages() {
        let Some(index) = case.kb().package(name) else { continue };
        let Some(build) = case.build_of_version(index, &o.value) else { continue };
        let bundled = build.libraries.as_ref().is_some_and(|l| l.value == Libraries::Bundled);
        if let Some(stated) = build.cudnn.as_ref().filter(|_| !bundled) {
            let at = At { value: stated.value, lines: o.line.into_iter().collect() };
            out.push((at, stated.facts.to_vec()));
        }
    }
    out.extend(case.seen.of("library-missing").find_map(|o| {
        let value = major_of(&o.value)?.parse().ok()?;
        Some((At { value, lines: o.line.into_iter().collect() }, Vec::new()))
    }));
    out
}

/// `cudnn64_8.dll`, `libcudnn.so.8`, `cudnn_ops_infer64_8.dll` → `8`.
fn major_of(file: &str) -> Option<&str> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let lower = name.to_ascii_lowercase();
    if !lower.contains("cudnn") {
        return None;
    }
    let digits = if lower.ends_with(".dll") {
        name[..name.len() - 4].rsplit('_').next()?
    } else {
        lower.find(".so.").map(|at| name[at + 4..].split('.').next().unwrap_or(""))?
    };
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// The cuDNN releases that were found: printed, installed by pip or conda, or told by a file's name.
fn found(case: &Case<'_>) -> Vec<At<CudnnVersion>> {
    let at = |value: CudnnVersion, line: Option<usize>| At { value, lines: line.into_iter().collect() };
    let mut out: Vec<At<CudnnVersion>> =
        case.seen.of("cudnn").filter_map(|o| Some(at(o.value.parse().ok()?, o.line))).collect();
    for (name, o) in case.seen.packages() {
        if name.starts_with("nvidia-cudnn") || name == "cudnn" || name.starts_with("libcudnn") {
            let version = o.value.split(['-', '+']).next().unwrap_or(&o.value);
            out.extend(version.parse().ok().map(|v| at(v, o.line)));
        }
    }
    for o in case.seen.of("library-found") {
        out.extend(major_of(&o.value).and_then(|m| m.parse().ok()).map(|v| at(v, o.line)));
    }
    out
}

/// `cudnn-older`: is there another major, or an older release, than the build was made with? That one of several fits
/// refutes it, unless a message says which one was taken.
pub(super) fn older(case: &Case<'_>) -> Option<Finding> {
    let found = found(case);
    let bad = |have: CudnnVersion, want: CudnnVersion| {
        have.major() != want.major()
            || (have.len() > 1 && want.len() > 1 && have.prefix(2).cmp_number(&want.prefix(2)).is_lt())
    };
    let compared = case.seen.first("framework-cudnn").zip(case.seen.first("cudnn"));
    let one_line = compared.is_some_and(|(want, have)| want.line == have.line);
    let mut fits = None;
    for (want, facts) in wanted(case) {
        let bad_one = found.iter().find(|f| bad(f.value, want.value));
        let good_one = found.iter().find(|f| !bad(f.value, want.value));
        let (have, outcome) = match (bad_one, good_one) {
            (Some(have), None) => (have, Outcome::Proved),
            (Some(have), Some(_)) if one_line => (have, Outcome::Proved),
            (None, Some(have)) => (have, Outcome::Refuted),
            _ => continue,
        };
        let out = Finding::new("cudnn-older", outcome).shown_by(&want).shown_by(have).from(facts);
        let out = out.with("cudnn", have.value).with("framework-cudnn", want.value);
        if outcome == Outcome::Proved {
            return Some(out);
        }
        fits = Some(out);
    }
    fits
}

/// `cudnn-wheel-missing`: is the file that was not found in a wheel that pip installs beside the build? What is installed
/// has to have been seen for a proof.
pub(super) fn wheel_missing(case: &Case<'_>) -> Option<Finding> {
    let (missing, major) = case.seen.of("library-missing").find_map(|o| Some((o, major_of(&o.value)?)))?;
    let build = case.build()?;
    let (wheel, fact) = build.value.requires.iter().find(|(r, _)| r.name.starts_with("nvidia-cudnn"))?;
    let version = wheel.exact()?;
    if version.to_string().split('.').next() != Some(major) {
        return None;
    }
    if let Some(installed) = case.seen.package(&wheel.name) {
        return Some(Finding::decided("cudnn-wheel-missing", false).on(installed.line).from([*fact]));
    }
    // NVIDIA's wheels stand in a list of what is installed, if it is a whole one.
    let listed = case.seen.packages().any(|(name, _)| name.starts_with("nvidia-"));
    let outcome = if listed { Outcome::Proved } else { Outcome::Likely };
    let out = Finding::new("cudnn-wheel-missing", outcome).on(missing.line).shown_by(&build).from([*fact]);
    Some(out.with("cudnn-wheel", format!("{}=={version}", wheel.name)))
}

/// `two-cudnn`: do two installed frameworks bring cuDNN of different releases?
pub(super) fn two(case: &Case<'_>) -> Option<Finding> {
    let mut brought: Vec<(CudnnVersion, Option<usize>, Vec<FactId>)> = Vec::new();
    for (name, o) in case.seen.packages() {
        let Some(index) = case.kb().package(name) else { continue };
        let Some(build) = case.build_of_version(index, &o.value) else { continue };
        if let Some(cudnn) = &build.cudnn {
            brought.push((cudnn.value, o.line, cudnn.facts.to_vec()));
        }
    }
    let (first, rest) = brought.split_first()?;
    let other = rest.iter().find(|(v, ..)| !v.prefix(2).cmp_number(&first.0.prefix(2)).is_eq())?;
    // They may never be in one process.
    let out = Finding::new("two-cudnn", Outcome::Likely).on(first.1).on(other.1);
    Some(out.from(first.2.iter().copied()).from(other.2.iter().copied()))
}

/// `older-cudnn-first`: would a framework of the machine load an older cuDNN than it was made for, under the same name?
pub(super) fn older_first(case: &Case<'_>) -> Option<Finding> {
    if case.of != Of::Machine {
        return None;
    }
    let made_for = made_for(case);
    let mut fits = None;
    for first in case.seen.of("library-first").filter(|o| major_of(&o.value).is_some()) {
        // What any other process would load says nothing of a framework.
        if machine::place(case, first).is_none_or(|asks| asks == "process") {
            continue;
        }
        let Some(have) = version_beside(case, &first.value) else { continue };
        // Of another major the file has another name, and nobody takes the one for the other.
        let wants = made_for.iter().filter(|w| w.value.major() == have.value.major());
        // Of several wheels of one name it is not known for which the framework was made: the oldest counts.
        let Some(want) = wants.min_by(|a, b| a.value.cmp_number(&b.value)) else { continue };
        let older = have.value.len() > 1 && have.value.prefix(2).cmp_number(&want.value.prefix(2)).is_lt();
        let out = Finding::decided("older-cudnn-first", older).on(first.line).shown_by(&have);
        let out = out.shown_by(want).with("cudnn", have.value).with("framework-cudnn", want.value);
        if older {
            return Some(out.with("library-first", &first.value));
        }
        fits = Some(out);
    }
    fits
}

/// `incomplete-cudnn-first`: does the cuDNN that a framework of the machine would load lack some of its files?
pub(super) fn incomplete_first(case: &Case<'_>) -> Option<Finding> {
    if case.of != Of::Machine {
        return None;
    }
    let missing = || case.seen.of("library-part-missing");
    // What any other process would load says nothing of a framework.
    let of_framework = |o: &&Observation| machine::place(case, o).is_some_and(|asks| asks != "process");
    for first in case.seen.of("library-first").filter(of_framework) {
        let Some(directory) = major_of(&first.value).and_then(|_| directory_of(&first.value)) else {
            continue;
        };
        let beside = |o: &&Observation| {
            machine::place(case, o).is_some_and(|place| place.eq_ignore_ascii_case(directory))
        };
        if let Some(part) = missing().find(beside) {
            let out = Finding::new("incomplete-cudnn-first", Outcome::Proved).on(part.line).on(first.line);
            let out = out.with("library-part-missing", &part.value).with("library-first", &first.value);
            return Some(match wheel_in(case, directory) {
                Some(wheel) => out.with("cudnn-wheel", wheel),
                None => out,
            });
        }
    }
    None
}

/// The wheel of NVIDIA's that a directory of an environment is from, where only one is installed: those of several CUDA
/// majors lie in the same place.
fn wheel_in(case: &Case<'_>, directory: &str) -> Option<String> {
    let lower = directory.replace('\\', "/").to_ascii_lowercase();
    let mut wheels = case.seen.packages().filter(|(name, _)| name.starts_with("nvidia-cudnn"));
    let (name, o) = wheels.next().filter(|_| lower.contains("-packages/nvidia/cudnn"))?;
    wheels.all(|(other, _)| other == name).then(|| format!("{name}=={}", o.value))
}

/// What the frameworks of a machine were made for: what they state, and the wheels that they were installed with.
fn made_for(case: &Case<'_>) -> Vec<At<CudnnVersion>> {
    let mut out: Vec<At<CudnnVersion>> = case.parsed("framework-cudnn").into_iter().collect();
    if out.is_empty() {
        let wheels = case.seen.packages().filter(|(name, _)| name.starts_with("nvidia-cudnn"));
        out.extend(wheels.filter_map(|(_, o)| {
            Some(At { value: o.value.parse().ok()?, lines: o.line.into_iter().collect() })
        }));
    }
    out
}

/// The version of the cuDNN that a file belongs to: what was read of a file in the same directory.
fn version_beside(case: &Case<'_>, file: &str) -> Option<At<CudnnVersion>> {
    let directory = directory_of(file)?;
    case.seen.of("cudnn").find_map(|o| {
        let same = directory_of(machine::place(case, o)?)?.eq_ignore_ascii_case(directory);
        let value = o.value.parse().ok().filter(|_| same)?;
        Some(At { value, lines: o.line.into_iter().collect() })
    })
}

fn directory_of(path: &str) -> Option<&str> {
    path.rfind(['/', '\\']).map(|at| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::major_of;

    #[test]
    fn the_major_stands_in_the_file_name() {
        assert_eq!(major_of("libcudnn.so.8"), Some("8"));
        assert_eq!(major_of(r"C:\x\cudnn_ops_infer64_8.dll"), Some("8"));
        assert_eq!(major_of("/usr/lib/libcudnn.so.8.1.1"), Some("8"));
        assert_eq!(major_of("libcudnn.so"), None);
        assert_eq!(major_of("cublas64_12.dll"), None);
    }
}
