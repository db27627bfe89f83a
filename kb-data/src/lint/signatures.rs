//! A signature finds its own samples, and nothing else that was thought of.

use super::{bilingual, file};
use kb_core::diag::{Diagnostic, Place};
use kb_core::kb::Kb;
use kb_core::record::Signature;
use regex::{Regex, RegexBuilder};

/// As the loader allows it.
const LARGEST_PATTERN: usize = 1 << 20;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    for signature in &kb.signatures {
        let place = || file(format!("signatures/{}.md", signature.id));
        samples(signature, &place, out);
        if signature.pattern.is_none() && !signature.captures.is_empty() {
            out.push(
                Diagnostic::error(
                    "idle-captures",
                    "there are captures, and no pattern that captures anything",
                )
                .at(place())
                .help("write pattern = '…(?<name>…)…', or take them out"),
            );
        }
        bilingual::title(&signature.title, &place, out);
        bilingual::page(&signature.prose, &place, out);
    }
}

fn samples(signature: &Signature, place: &dyn Fn() -> Place, out: &mut Vec<Diagnostic>) {
    let pattern = signature.pattern.as_deref();
    // A pattern that cannot be compiled was reported when it was read.
    let regex = pattern.and_then(|p| RegexBuilder::new(p).size_limit(LARGEST_PATTERN).build().ok());
    if pattern.is_some() && regex.is_none() {
        return;
    }
    for sample in &signature.matches {
        let message = match found(signature, regex.as_ref(), sample) {
            Found::Yes => continue,
            Found::NoNeedle => "no needle is in the sample",
            Found::NoPattern => "the pattern does not match the sample",
        };
        out.push(
            Diagnostic::error("unmatched-sample", format!("{message} `{}`", short(sample)))
                .at(place())
                .help("compare it with the message as it is printed"),
        );
    }
    for sample in signature.passes.iter().filter(|s| found(signature, regex.as_ref(), s) == Found::Yes) {
        out.push(
            Diagnostic::error("matched-contrast", format!("`{}` must pass, and is found", short(sample)))
                .at(place())
                .help("make the pattern narrower"),
        );
    }
}

#[derive(PartialEq, Eq)]
enum Found {
    Yes,
    NoNeedle,
    NoPattern,
}

/// As it is found in a log: line by line, and where a console broke a line, with the next.
fn found(signature: &Signature, regex: Option<&Regex>, sample: &str) -> Found {
    let lines: Vec<&str> = sample.lines().collect();
    let joined = lines.windows(2).flat_map(|pair| [pair.concat(), pair.join(" ")]);
    let texts: Vec<String> = lines.iter().map(|l| (*l).to_owned()).chain(joined).collect();
    let has_needle = |text: &&String| {
        let lower = text.to_ascii_lowercase();
        signature.needles.iter().any(|needle| lower.contains(&needle.to_ascii_lowercase()))
    };
    let candidates: Vec<&String> = texts.iter().filter(has_needle).collect();
    match regex {
        _ if candidates.is_empty() => Found::NoNeedle,
        Some(regex) if !candidates.iter().any(|text| regex.is_match(text)) => Found::NoPattern,
        _ => Found::Yes,
    }
}

fn short(sample: &str) -> String {
    match sample.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &sample[..end]),
        None => sample.to_owned(),
    }
}
