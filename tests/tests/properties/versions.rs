//! What is printed reads as what it was, and sets agree with counting.

use super::runner::values;
use kb_core::pep::Requirement;
use kb_core::value::Branch;
use kb_core::version::{
    ComputeCapability, ComputeTarget, CudaVersion, CudnnVersion, Dotted, DriverVersion, NcclVersion,
    PythonVersion, Suffix, VersionSet,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// `parse(display(x)) == x`, and a canonical text is printed as it was.
fn round<T: FromStr + Display + PartialEq + Debug>(text: &str) -> Result<T, String>
where
    T::Err: Debug,
{
    let read = text.parse::<T>().map_err(|e| format!("{text}: {e:?}"))?;
    let shown = read.to_string();
    if shown != text {
        return Err(format!("{text} is printed as {shown}"));
    }
    match shown.parse::<T>() {
        Ok(again) if again == read => Ok(read),
        other => Err(format!("{shown} reads as {other:?}")),
    }
}

/// One to four parts, leading zeros included.
fn dotted() -> impl Strategy<Value = String> {
    vec("[0-9]{1,9}", 1..=4).prop_map(|p| p.join("."))
}

#[test]
fn dotted_versions() {
    values("dotted versions", dotted(), |text| {
        round::<Dotted>(text)?;
        round::<CudaVersion>(text)?;
        round::<CudnnVersion>(text)?;
        round::<NcclVersion>(text)?;
        round::<PythonVersion>(text)?;
        round::<DriverVersion>(text)?;
        Ok(())
    });
}

#[test]
fn dotted_versions_order_as_their_numbers() {
    values("order of dotted versions", (dotted(), dotted()), |(a, b)| {
        let numbers = |t: &str| {
            let mut n: Vec<u64> = t.split('.').map(|p| p.parse().unwrap()).collect();
            n.resize(4, 0);
            n
        };
        let (x, y): (Dotted, Dotted) = (a.parse().unwrap(), b.parse().unwrap());
        if x.cmp_number(&y) != numbers(a).cmp(&numbers(b)) {
            return Err(format!("{a} and {b} compare as {:?}", x.cmp_number(&y)));
        }
        // The total order agrees with equality, and with the numbers where those differ.
        let agrees =
            (x.cmp(&y).is_eq() == (x == y)) && (x.cmp_number(&y).is_eq() || x.cmp(&y) == x.cmp_number(&y));
        if agrees { Ok(()) } else { Err(format!("{a} and {b} order as {:?}", x.cmp(&y))) }
    });
}

#[test]
fn compute_targets() {
    let suffix = prop_oneof![Just(Suffix::None), Just(Suffix::A), Just(Suffix::F)];
    values("compute targets", (1u8..=99, 0u8..=9, suffix), |(major, minor, suffix)| {
        let letter = match suffix {
            Suffix::None => "",
            Suffix::A => "a",
            Suffix::F => "f",
        };
        let target: ComputeTarget = round(&format!("{major}.{minor}{letter}"))?;
        for spelling in [
            format!("sm_{major}{minor}{letter}"),
            format!("compute_{major}{minor}{letter}"),
            format!("SM{major}{minor}{letter}"),
        ] {
            if spelling.parse() != Ok(target) {
                return Err(format!("{spelling} reads as {:?}", spelling.parse::<ComputeTarget>()));
            }
        }
        if *suffix == Suffix::None {
            round::<ComputeCapability>(&format!("{major}.{minor}"))?;
        }
        Ok(())
    });
}

#[test]
fn branches() {
    values("branches", 100u16.., |number| round::<Branch>(&format!("R{number}")).map(drop));
}

/// A part of a version set as text, canonical, from small numbers so that sets meet.
fn interval() -> impl Strategy<Value = String> {
    let version =
        || vec(0u32..4, 1..=3).prop_map(|p| p.iter().map(ToString::to_string).collect::<Vec<_>>().join("."));
    prop_oneof![
        Just("*".to_owned()),
        version(),
        version().prop_map(|v| format!("{v}.*")),
        (prop_oneof![Just(">"), Just(">="), Just("<"), Just("<=")], version())
            .prop_map(|(op, v)| format!("{op}{v}")),
        (prop_oneof![Just(">"), Just(">=")], version(), prop_oneof![Just("<"), Just("<=")], version())
            .prop_map(|(a, v, b, w)| format!("{a}{v}, {b}{w}")),
    ]
}

fn set_text() -> impl Strategy<Value = String> {
    vec(interval(), 1..=3).prop_map(|p| p.join(" || "))
}

/// Every version of up to three parts with small numbers.
fn universe() -> Vec<Vec<u32>> {
    let mut out = Vec::new();
    for a in 0..6 {
        for b in 0..6 {
            for c in 0..6 {
                out.push(vec![a, b, c]);
            }
        }
    }
    out
}

/// Does a text mean a set that a version is in? Read clause by clause, compared number by number.
fn naive(text: &str, version: &[u32]) -> bool {
    let numbers = |t: &str| {
        let mut n: Vec<u32> = t.split('.').map(|p| p.parse().unwrap()).collect();
        n.resize(3, 0);
        n
    };
    text.split(" || ").any(|part| {
        part.split(", ").all(|clause| {
            let version = version.to_vec();
            if clause == "*" {
                true
            } else if let Some(prefix) = clause.strip_suffix(".*") {
                let parts: Vec<u32> = prefix.split('.').map(|p| p.parse().unwrap()).collect();
                version.starts_with(&parts)
            } else if let Some(v) = clause.strip_prefix(">=") {
                version >= numbers(v)
            } else if let Some(v) = clause.strip_prefix("<=") {
                version <= numbers(v)
            } else if let Some(v) = clause.strip_prefix('>') {
                version > numbers(v)
            } else if let Some(v) = clause.strip_prefix('<') {
                version < numbers(v)
            } else {
                version == numbers(clause)
            }
        })
    })
}

#[test]
fn version_sets() {
    values("version sets", set_text(), |text| {
        // What holds nothing is refused.
        let Ok(set) = text.parse::<VersionSet>() else {
            let empty = text
                .split(" || ")
                .any(|part| part.contains(", ") && !universe().iter().any(|v| naive(part, v)));
            // Bounds between which no version of three parts lies may still hold one of four.
            return if empty || text.contains(", ") { Ok(()) } else { Err(format!("{text} is refused")) };
        };
        let shown = set.to_string();
        if shown.parse::<VersionSet>().as_ref() != Ok(&set) {
            return Err(format!(
                "{text} is printed as {shown}, which reads as {:?}",
                shown.parse::<VersionSet>()
            ));
        }
        for version in universe() {
            let text_of = Dotted::new(&version);
            if set.contains(&text_of) != naive(text, &version) {
                return Err(format!("{text} contains {text_of}: {}", set.contains(&text_of)));
            }
        }
        Ok(())
    });
}

#[test]
fn version_sets_overlap_as_their_versions() {
    values("overlaps", (set_text(), set_text()), |(a, b)| {
        let (Ok(x), Ok(y)) = (a.parse::<VersionSet>(), b.parse::<VersionSet>()) else { return Ok(()) };
        // `<0` holds nothing and is read all the same.
        if [a, b].iter().any(|t| t.split(" || ").any(|part| !universe().iter().any(|v| naive(part, v)))) {
            return Ok(());
        }
        let shared = universe().iter().any(|v| naive(a, v) && naive(b, v));
        // Versions are dense: two sets may share one that has more parts than were tried, never the other way round.
        if shared && !x.overlaps(&y) {
            return Err(format!("{a} and {b} share a version and do not overlap"));
        }
        if x.overlaps(&y) != y.overlaps(&x) {
            return Err(format!("{a} and {b} overlap in one direction"));
        }
        if x.overlaps(&y) && !shared {
            // Then they meet between two neighbours: one starts above and one ends below the same version.
            let strict = |t: &str| t.contains(['>', '<', '*']);
            if !(strict(a) && strict(b)) {
                return Err(format!("{a} and {b} share no version and overlap"));
            }
        }
        Ok(())
    });
}

#[test]
fn requirements() {
    let name = "[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,4}){0,2}";
    let extras = vec("[a-z][a-z0-9]{0,4}", 0..3);
    let version =
        vec(0u32..30, 1..=3).prop_map(|p| p.iter().map(ToString::to_string).collect::<Vec<_>>().join("."));
    let clause = (prop_oneof![Just("=="), Just(">="), Just("<="), Just("<"), Just(">"), Just("!=")], version)
        .prop_map(|(o, v)| format!("{o}{v}"));
    values("requirements", (name, extras, vec(clause, 0..3)), |(name, extras, clauses)| {
        let list = if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) };
        let text = format!("{name}{list}{}", clauses.join(","));
        let read: Requirement = text.parse().map_err(|e| format!("{text}: {e}"))?;
        let list =
            if read.extras.is_empty() { String::new() } else { format!("[{}]", read.extras.join(",")) };
        let shown = format!("{}{list}{}", read.name, read.specifier);
        let again: Requirement = shown.parse().map_err(|e| format!("{shown}: {e}"))?;
        let mut sorted = extras.clone();
        sorted.sort();
        sorted.dedup();
        if again != read || read.name != *name || read.extras != sorted || read.specifier != clauses.join(",")
        {
            return Err(format!("{text} reads as {read:?}"));
        }
        // Spellings of one name.
        let spelled = text.replacen(name.as_str(), &name.to_ascii_uppercase().replace('-', "_."), 1);
        match spelled.parse::<Requirement>() {
            Ok(other) if other == read => Ok(()),
            other => Err(format!("{spelled} reads as {other:?}")),
        }
    });
}
