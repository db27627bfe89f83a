//! Version numbers as other programs print them. `None` where the text stays as it is.

use kb_core::decode::{Meaning, decode};
use kb_core::kb::Kb;
use kb_core::value::Value;
use kb_core::version::Dotted;

/// `glibc 2.35`, `2.35-0ubuntu3.4`, `ldd (Ubuntu GLIBC 2.35-0ubuntu3.4) 2.35`.
pub(super) fn glibc(_: &Kb, text: &str) -> Option<String> {
    let last = text.split_whitespace().next_back()?;
    let number = last.split('-').next().unwrap_or(last);
    dotted(number).then(|| number.to_owned())
}

/// `R535`, `nvidia-driver-535`, `Driver Version: 535.104.05`, and Windows' own number for a driver, `31.0.15.3623`.
pub(super) fn driver(_: &Kb, text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let said = lower.split("driver version:").nth(1).unwrap_or(&lower).split_whitespace().next()?;
    let said = said.strip_prefix("nvidia-driver-").unwrap_or(said);
    let said = said.strip_prefix('r').filter(|n| n.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(said);
    // What a distribution adds: 535.104.05-0ubuntu1, 535-server.
    let number = said.split('-').next().unwrap_or(said);
    let number = number.trim_end_matches(['x', '*']).trim_end_matches('.');
    if !dotted(number) {
        return said_in_words(&lower);
    }
    Some(windows(number).unwrap_or_else(|| number.to_owned()))
}

/// `NVIDIA 572.83`, `GeForce Game Ready Driver 572.83 WHQL`, `driver 535`: the one number among words that is a driver's.
fn said_in_words(lower: &str) -> Option<String> {
    if lower.contains(['<', '>', '~', '!', '*']) {
        return None;
    }
    let words = lower.split(|c: char| c.is_whitespace() || ":=,;|()".contains(c));
    let numbers = words.map(|w| w.trim_start_matches(['r', 'v'])).filter(|w| dotted(w));
    let driver = |number: &&str| {
        let first = number.split('.').next().unwrap_or(number);
        windows(number).is_some() || first.len() == 3 && !first.starts_with('0')
    };
    let mut found: Vec<&str> = numbers.filter(driver).collect();
    found.dedup();
    // A whole release says more than the number of a branch.
    if found.iter().any(|n| n.contains('.')) {
        found.retain(|n| n.contains('.'));
    }
    match found.as_slice() {
        [one] => Some(windows(one).unwrap_or_else(|| (*one).to_owned())),
        _ => None,
    }
}

/// Windows numbers a driver by its own scheme, whose last five digits are NVIDIA's number: 31.0.15.3623 is 536.23.
fn windows(number: &str) -> Option<String> {
    let parts: Vec<&str> = number.split('.').collect();
    let [model, _, third, fourth] = parts.as_slice() else { return None };
    // The first part is the version of Windows' driver model, far below any number of NVIDIA's.
    model.parse::<u32>().ok().filter(|n| *n < 100)?;
    let fourth: u32 = fourth.parse().ok().filter(|n| *n < 10_000)?;
    let last = third.bytes().next_back()?;
    let digits = format!("{}{fourth:04}", char::from(last));
    let (whole, rest) = digits.split_at(3);
    Some(format!("{whole}.{rest}"))
}

/// `12040` as the libraries return it, `release 12.4, V12.4.131` as nvcc prints it, `CUDA Version: 12.4`.
pub(super) fn cuda(kb: &Kb, text: &str) -> Option<String> {
    if let Some(version) = integer(kb, text, "cuda-integer", "cuda") {
        return Some(version);
    }
    let lower = text.to_ascii_lowercase();
    let said = lower.split("release ").nth(1).or_else(|| lower.split("cuda version:").nth(1));
    let said = said.unwrap_or(&lower).trim();
    let bare = said.strip_prefix("cuda").unwrap_or(said);
    let bare = bare.strip_prefix("-toolkit").unwrap_or(bare).trim_start_matches([' ', '-', '_']);
    let number = bare.split([',', ' ']).next().unwrap_or(bare);
    let number = number.strip_prefix('v').unwrap_or(number);
    // Packages of distributions have a dash: cuda-toolkit-12-4.
    let undashed = number.replace('-', ".");
    let number = if bare.len() < said.len() { &undashed } else { number };
    if !dotted(number) || said.contains(['<', '>']) {
        return None;
    }
    let parts: Vec<&str> = number.split('.').collect();
    // No release has so many updates: 12.4.131 is the build of nvcc in CUDA 12.4. Older releases are called after it.
    match parts.as_slice() {
        [major, minor, build] if build.parse::<u32>().is_ok_and(|n| n >= 20) && !is_release(kb, number) => {
            Some(format!("{major}.{minor}"))
        }
        _ => (number != text).then(|| number.to_owned()),
    }
}

/// Is it the name of a CUDA release, as 10.1.243 is?
fn is_release(kb: &Kb, number: &str) -> bool {
    let Ok(wanted) = number.parse::<Dotted>() else { return false };
    kb.facts_of("cuda-release").any(
        |(id, _)| matches!(kb.cell(id, "toolkit"), Some(Value::Version(v)) if v.cmp_number(&wanted).is_eq()),
    )
}

/// `8907` as `cudnnGetVersion` returns it, `cudnn8`, `cuDNN 8.9.7`.
pub(super) fn cudnn(kb: &Kb, text: &str) -> Option<String> {
    if let Some(version) = integer(kb, text, "cudnn-integer", "cudnn") {
        return Some(version);
    }
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix("cudnn")?.trim_start_matches([' ', '-', '_', '=', 'v']);
    dotted(rest).then(|| rest.to_owned())
}

/// A whole number of four digits or more that a library returns for its version.
fn integer(kb: &Kb, text: &str, kind: &str, key: &str) -> Option<String> {
    if text.len() < 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    decode(kb, text).into_iter().find(|r| r.kind == kind).and_then(|r| match r.means.get(key) {
        Some(Meaning::Text(version)) => Some(version.clone()),
        _ => None,
    })
}

/// Numbers with dots between them.
fn dotted(text: &str) -> bool {
    text.split('.').all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_are_understood() {
        let kb = kb_data::builtin();
        let check = |read: fn(&Kb, &str) -> Option<String>, list: &[(&str, Option<&str>)]| {
            for (text, expected) in list {
                assert_eq!(read(&kb, text).as_deref(), *expected, "{text}");
            }
        };
        check(
            driver,
            &[
                ("R535", Some("535")),
                ("535.x", Some("535")),
                ("535.xx", Some("535")),
                ("nvidia-driver-535", Some("535")),
                ("535.104.05-0ubuntu1", Some("535.104.05")),
                ("31.0.15.3623", Some("536.23")),
                ("32.0.15.6094", Some("560.94")),
                ("27.21.14.5671", Some("456.71")),
                ("30.0.15.123", Some("501.23")),
                ("NVIDIA-SMI 535.104.05  Driver Version: 535.104.05  CUDA Version: 12.2", Some("535.104.05")),
                ("NVIDIA 572.83", Some("572.83")),
                ("Driver Version: 572.83", Some("572.83")),
                ("driver version 572.83", Some("572.83")),
                ("GeForce Game Ready Driver 572.83 WHQL", Some("572.83")),
                ("NVIDIA driver R535", Some("535")),
                ("NVIDIA 32.0.15.7283", Some("572.83")),
                (
                    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19",
                    Some("535.104.05"),
                ),
                ("NVIDIA 535.104.05 or 550.54.14", None),
                ("RTX 3090", None),
                (">= 535", None),
                (">=535", None),
                ("535.104.05.01", Some("535.104.05.01")),
                ("rtx", None),
            ],
        );
        check(
            cuda,
            &[
                ("12040", Some("12.4")),
                ("V12.4.131", Some("12.4")),
                ("v11.8", Some("11.8")),
                ("Cuda compilation tools, release 12.4, V12.4.131", Some("12.4")),
                ("CUDA Version: 12.2", Some("12.2")),
                ("12.4.1", None),
                ("10.1.243", None),
                ("9.0.176", None),
                (">=12.4, <13", None),
                ("cu124", None),
                ("CUDA 12.4", Some("12.4")),
                ("cuda-toolkit-12-4", Some("12.4")),
                ("12-4", None),
            ],
        );
        check(
            cudnn,
            &[("8907", Some("8.9.7")), ("90100", Some("9.1.0")), ("cudnn8", Some("8")), ("8.9.7", None)],
        );
        check(glibc, &[("glibc 2.35", Some("2.35")), ("2.35-0ubuntu3.4", Some("2.35")), ("abc", None)]);
    }
}
