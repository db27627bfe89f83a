//! Every report of the corpus: what must be found, and what must not.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;

use corpus::Fact;
use diagnose::{read, text};
use kb_core::observe::Observation;

/// A fact is found on its line, or on another line on which the same value of the same fact stands.
fn is_found(fact: &Fact, found: &[Observation], all: &[Fact]) -> bool {
    let same = |o: &&Observation| o.what == fact.what && Some(&o.value) == fact.value.as_ref();
    if found.iter().filter(same).any(|o| o.line == fact.line) {
        return true;
    }
    // Facts that repeat come once for each GPU: there the line decides.
    let repeats = all.iter().filter(|f| f.what == fact.what && f.value == fact.value).count() > 1;
    !repeats && found.iter().any(|o| same(&o))
}

#[test]
fn reports_are_read() {
    let (mut expected, mut missed, mut wrong, mut errors, mut errors_found) = (0, 0, 0, 0, 0);
    for (name, file) in corpus::all() {
        let (mut file_expected, mut file_missed) = (0, 0);
        for report in &file.report {
            let decoded = text::decode(&report.bytes());
            let lines = text::lines(&decoded.text);
            let found = read::read(&lines);
            if std::env::var("SHOW").is_ok_and(|id| id == report.id || id == "all") {
                println!("== {}", report.id);
                for o in &found {
                    println!("    {:?} {} = {}  [{:?}] {}", o.line, o.what, o.value, o.raw, o.method);
                }
            }
            for fact in &report.expect {
                let hit = is_found(fact, &found, &report.expect);
                if fact.what == "error" {
                    errors += 1;
                    errors_found += usize::from(hit);
                    continue;
                }
                file_expected += 1;
                if !hit {
                    file_missed += 1;
                    println!(
                        "  {}: missed {} = {:?} on line {:?}",
                        report.id, fact.what, fact.value, fact.line
                    );
                }
            }
            for fact in &report.absent {
                for o in found.iter().filter(|o| {
                    o.what == fact.what && fact.value.as_ref().is_none_or(|value| *value == o.value)
                }) {
                    wrong += 1;
                    println!(
                        "  {}: {} = {} on line {:?}, but {:?}",
                        report.id, o.what, o.value, o.line, fact.why
                    );
                }
            }
        }
        println!("{name}: {} of {file_expected}", file_expected - file_missed);
        expected += file_expected;
        missed += file_missed;
    }
    println!(
        "{} of {expected} facts, {wrong} made up; {errors_found} of {errors} errors are the readers'",
        expected - missed
    );
    assert_eq!(wrong, 0, "values that no reader may make up");
    assert!((expected - missed) * 100 >= expected * 97, "{missed} of {expected} facts were not found");
}

/// Every value stands on its line as it is, or was made from a part of it.
#[test]
fn values_can_be_traced_to_their_lines() {
    for (_, file) in corpus::all() {
        for report in &file.report {
            let decoded = text::decode(&report.bytes());
            let lines = text::lines(&decoded.text);
            for o in read::read(&lines) {
                assert!(kb_core::observe::is_name(&o.what), "{}: {o:?}", report.id);
                let part = o.raw.as_ref().unwrap_or(&o.value);
                let number = o.line.unwrap();
                // A row that a console broke stands on two lines.
                let text: String = lines
                    .iter()
                    .filter(|l| (number..number + 2).contains(&l.number))
                    .map(|l| l.text.as_ref())
                    .collect::<Vec<_>>()
                    .join("\n");
                assert!(text.contains(part.as_str()), "{}: {o:?} in {text:?}", report.id);
            }
        }
    }
}
