//! Driver versions, branches and installers: `573.76` (Windows), `535.104.05` (Linux), `R570`, `32.0.15.7376`.
//!
//! Source: relations `driver-release` and `driver-branch`. A Linux version starts with its branch's number; a Windows
//! one does not, so its branch is looked up and never read off the number.

use super::name::Name;
use super::{Decoded, lookup, text};
use crate::kb::Kb;
use crate::value::{Branch, Value};
use crate::version::Dotted;

/// What the facts know of a driver on one system.
#[derive(Default)]
struct Known {
    listed: bool,
    branches: Vec<String>,
    cuda: Option<String>,
    paired: Option<String>,
    date: Option<String>,
}

/// Reads a version or a branch, also behind the word `driver`.
pub(super) fn read(kb: &Kb, name: &Name) -> Vec<Decoded> {
    let lower = name.text.to_ascii_lowercase();
    let mut rest = lower.as_str();
    let mut said = false;
    for word in ["nvidia", "game ready", "studio", "driver", "version", ":", "-", "="] {
        let after = rest.trim_start_matches([' ', '-', ':', '=']);
        if let Some(r) = after.strip_prefix(word) {
            rest = r;
            said |= word == "driver";
        } else {
            rest = after;
        }
    }
    let rest = rest.trim();
    if let Some(digits) = rest.strip_prefix('r').filter(|d| text::digits(d)) {
        return branch(kb, digits, true).into_iter().collect();
    }
    let Ok(version) = rest.parse::<Dotted>() else { return Vec::new() };
    match version.len() {
        1 => branch(kb, rest, said).into_iter().collect(),
        2 | 3 if (100..=999).contains(&version.major()) => versions(kb, &version),
        4 => windows_file_version(kb, rest, &version).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Both systems' readings of a number with dots, those that facts know first; only these, if there are any.
fn versions(kb: &Kb, version: &Dotted) -> Vec<Decoded> {
    let windows_shape =
        version.len() == 2 && version.to_string().split('.').nth(1).is_some_and(|m| m.len() == 2);
    let mut readings: Vec<(bool, Decoded)> = Vec::new();
    for os in ["windows", "linux"] {
        if os == "windows" && !windows_shape {
            continue;
        }
        let known = known(kb, os, version);
        readings.push((known.listed, one(os, version, known)));
    }
    if readings.iter().any(|(listed, _)| *listed) {
        readings.retain(|(listed, _)| *listed);
    } else if readings.len() == 2 {
        // A Windows number whose family belongs to another branch is no Linux number: there is no R573.
        let family_known = readings[0].1.means.contains_key("branch");
        let branch_known = branch_number(kb, version.major());
        if family_known && !branch_known {
            readings.truncate(1);
        } else if !family_known && branch_known {
            readings.remove(0);
        }
    }
    readings.into_iter().map(|(_, reading)| reading).collect()
}

fn known(kb: &Kb, os: &str, version: &Dotted) -> Known {
    let mut out = Known::default();
    for (id, _) in kb.facts_of("driver-release") {
        if lookup::text(kb, id, "os").as_deref() == Some(os)
            && lookup::version(kb, id, "driver").is_some_and(|v| v.cmp_number(version).is_eq())
        {
            out.listed = true;
            lookup::text(kb, id, "branch").into_iter().for_each(|b| lookup::add(&mut out.branches, b));
            out.cuda = out.cuda.or_else(|| lookup::text(kb, id, "cuda"));
            out.paired = out.paired.or_else(|| lookup::text(kb, id, "paired-with"));
            out.date = out.date.or_else(|| lookup::text(kb, id, "date"));
        }
    }
    if out.branches.is_empty() {
        out.branches =
            if os == "linux" { vec![format!("R{}", version.major())] } else { family(kb, version.major()) };
    }
    if out.cuda.is_none()
        && let [branch] = out.branches.as_slice()
    {
        out.cuda = branch_cuda(kb, branch);
    }
    out
}

/// Branches that have Windows versions starting with a number.
fn family(kb: &Kb, major: u32) -> Vec<String> {
    let mut out = Vec::new();
    for (id, _) in kb.facts_of("driver-branch") {
        if lookup::list(kb, id, "windows-families").iter().any(|f| *f == major.to_string()) {
            lookup::text(kb, id, "branch").into_iter().for_each(|b| lookup::add(&mut out, b));
        }
    }
    out
}

fn branch_cuda(kb: &Kb, branch: &str) -> Option<String> {
    kb.facts_of("driver-branch")
        .filter(|(id, _)| lookup::text(kb, *id, "branch").as_deref() == Some(branch))
        .find_map(|(id, _)| lookup::text(kb, id, "cuda"))
}

fn branch_number(kb: &Kb, major: u32) -> bool {
    kb.facts_of("driver-branch").any(
        |(id, _)| matches!(kb.cell(id, "branch"), Some(Value::Branch(Branch(n))) if u32::from(*n) == major),
    )
}

fn one(os: &'static str, version: &Dotted, known: Known) -> Decoded {
    let windows = os == "windows";
    let mut out =
        Decoded::new("driver", if windows { "decode-driver-windows" } else { "decode-driver-linux" });
    out.say("version", version.to_string());
    out.mean("driver", version.to_string());
    out.mean("os", os);
    out.mean("known", known.listed);
    if !known.branches.is_empty() {
        out.note("decode-driver-branch", "branch", known.branches.join(", "));
        out.mean("branch", known.branches);
    }
    if let Some(cuda) = known.cuda {
        out.note("decode-driver-cuda", "cuda", cuda.clone());
        out.mean("cuda", cuda);
    }
    if let Some(paired) = known.paired {
        out.note(
            if windows { "decode-driver-paired-linux" } else { "decode-driver-paired-windows" },
            "driver",
            paired.clone(),
        );
        out.mean("paired_with", paired);
    }
    if let Some(date) = known.date {
        out.mean("date", date);
    }
    out.canonical = Some(version.to_string());
    out
}

/// A branch; a bare number only when it is known.
fn branch(kb: &Kb, digits: &str, said: bool) -> Option<Decoded> {
    let branch: Branch = digits.parse().ok().filter(|b: &Branch| (300..=999).contains(&b.0))?;
    let known = branch_number(kb, u32::from(branch.0));
    if !known && !said {
        return None;
    }
    let mut out = Decoded::new("driver-branch", "decode-branch");
    out.say("branch", branch.to_string());
    out.mean("known", known);
    for (id, _) in kb.facts_of("driver-branch") {
        if lookup::text(kb, id, "branch").is_some_and(|b| b == branch.to_string()) {
            if let Some(cuda) = lookup::text(kb, id, "cuda").filter(|_| !out.means.contains_key("cuda")) {
                out.note("decode-driver-cuda", "cuda", cuda.clone());
                out.mean("cuda", cuda);
            }
            let families = lookup::list(kb, id, "windows-families");
            if !families.is_empty() && !out.means.contains_key("windows_families") {
                out.note("decode-branch-families", "families", families.join(", "));
                out.mean("windows_families", super::Meaning::List(families));
            }
        }
    }
    out.canonical = Some(branch.to_string());
    Some(out)
}

/// `32.0.15.7376`, as Windows shows it: the last five digits are 573.76.
fn windows_file_version(kb: &Kb, given: &str, version: &Dotted) -> Option<Decoded> {
    let mut parts = given.split('.');
    let (third, fourth) = (parts.nth(2)?, parts.next()?);
    if !(20..=40).contains(&version.major()) || version.minor() != 0 || fourth.len() != 4 || third.len() != 2
    {
        return None;
    }
    let five = format!("{}{fourth}", &third[1..]);
    let driver: Dotted = format!("{}.{}", &five[..3], &five[3..]).parse().ok()?;
    if driver.major() < 100 {
        return None;
    }
    let mut out = one("windows", &driver, known(kb, "windows", &driver));
    out.kind = "driver-file-version";
    out.sentence = "decode-driver-file-version";
    out.values = vec![("version", driver.to_string()), ("number", given.to_owned())];
    out.canonical = Some(given.to_owned());
    Some(out)
}

/// Installers: `NVIDIA-Linux-x86_64-535.104.05.run`, `573.76-desktop-win10-win11-64bit-international-dch-whql.exe`.
pub(super) fn installer(kb: &Kb, name: &Name) -> Option<Decoded> {
    let lower = name.lower.as_str();
    let (version, os, arch) = if let Some(rest) = lower.strip_prefix("nvidia-linux-") {
        let rest = rest.strip_suffix(".run").unwrap_or(rest);
        let (arch, rest) = rest.split_once('-')?;
        let arch = match arch {
            "x86_64" => "x86_64",
            "aarch64" => "aarch64",
            "ppc64le" => "ppc64le",
            _ => return None,
        };
        (text::leading_version(rest)?.0, "linux", Some(arch))
    } else {
        let stem = lower.strip_suffix(".exe")?;
        let (version, rest) = text::leading_version(stem)?;
        if !rest.starts_with('-') || !rest.contains("win") {
            return None;
        }
        (version, "windows", rest.contains("64bit").then_some("x86_64"))
    };
    if !(100..=999).contains(&version.major()) || version.len() < 2 {
        return None;
    }
    let mut out = one(os, &version, known(kb, os, &version));
    out.kind = "driver-installer";
    out.sentence = "decode-driver-installer";
    out.values.push(("os", os.to_owned()));
    if let Some(arch) = arch {
        out.mean("arch", arch);
    }
    out.canonical = match (os, arch) {
        ("linux", Some(arch)) => {
            let rest = lower.strip_suffix(".run").unwrap_or(lower);
            let tail = rest.split(&version.to_string()).nth(1).unwrap_or("").to_owned();
            Some(format!("NVIDIA-Linux-{arch}-{version}{tail}.run"))
        }
        _ => Some(lower.to_owned()),
    };
    Some(out)
}
