//! Single lines: the samples of the signatures, and further ones from the programs' sources and their users' reports.

use crate::corpus;
use kb_tests::logs::Doctor;
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    text: String,
    cause: String,
    source: String,
}

#[derive(Deserialize)]
struct File {
    line: Vec<Line>,
}

/// Each line alone leads to its cause, among the first three.
#[test]
fn further_messages_lead_to_their_causes() {
    let doctor = Doctor::default();
    let (mut all, mut first, mut three) = (0, 0, 0);
    let mut files: Vec<_> =
        std::fs::read_dir(corpus("messages")).expect("the corpus is there").flatten().collect();
    files.sort_by_key(|f| f.path());
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("can be read");
        let lines: File = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.path().display()));
        for line in lines.line {
            assert!(
                doctor.kb.cause(&line.cause).is_some(),
                "no cause is called {}: {}",
                line.cause,
                line.text
            );
            let found = doctor.diagnose(line.text.as_bytes());
            let place = found.causes.iter().position(|c| c.cause == line.cause);
            all += 1;
            first += usize::from(place == Some(0));
            three += usize::from(place.is_some_and(|p| p < 3));
            if place.is_none_or(|p| p >= 3) {
                let named: Vec<&str> = found.causes.iter().map(|c| &*c.cause).collect();
                println!("{} ({}): found {named:?}\n    {}", line.cause, line.source, line.text.trim());
            }
        }
    }
    println!("{all} lines: first {first}, among three {three}");
    assert!(all >= 100, "{all} lines");
    assert!(three * 100 >= all * 95, "{three} of {all}");
}

/// Samples of signatures: each is found in its own, on each line of it, and not in what looks alike.
#[test]
fn samples_are_found_and_lookalikes_are_not() {
    let doctor = Doctor::default();
    let full = kb_data::builtin_full();
    let mut wrong = Vec::new();
    for (index, signature) in full.signatures.iter().enumerate() {
        let hit = |text: &str| {
            let excerpt =
                diagnose::sift::sift(&doctor.needles, &mut text.as_bytes()).expect("memory can be read");
            excerpt.hits.iter().any(|h| h.signature == index)
        };
        for sample in signature.matches.iter().filter(|s| !hit(s)) {
            wrong.push(format!("{} does not find {sample}", signature.id));
        }
        for sample in signature.passes.iter().filter(|s| hit(s)) {
            wrong.push(format!("{} finds {sample}", signature.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(full.signatures.len() >= 250, "{} signatures", full.signatures.len());
}
