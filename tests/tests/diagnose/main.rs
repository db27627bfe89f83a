//! `kb diagnose` on real failures: which cause comes first, and which lines it shows for it.

mod fixes;
mod messages;
mod mutations;
mod overlaps;
mod reports;
mod unrelated;

use kb_tests::logs::{Doctor, Score, cases, score};
use std::path::Path;

pub(crate) fn corpus(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}

/// The score is printed; what is wrong is listed. `cargo test -p kb-tests --test diagnose -- --nocapture` shows it.
#[test]
fn causes_of_real_failures_are_named() {
    let doctor = Doctor::default();
    // Another set may be tried: its scores are printed.
    let other = std::env::var_os("KB_CASES").map(std::path::PathBuf::from);
    let cases = cases(other.as_deref().unwrap_or(&corpus("diagnose")));
    assert!(cases.len() >= 20, "the corpus is there");
    let mut scores: Vec<(String, Score)> = Vec::new();
    for case in &cases {
        let found = doctor.diagnose(case.input.as_bytes());
        let score = score(case, &found);
        let fine = score.first && score.both && score.not_cited.is_empty() && score.false_causes.is_empty();
        if !fine {
            let named: Vec<String> =
                found.causes.iter().map(|c| format!("{} ({})", c.cause, c.certainty)).collect();
            println!("{}: wanted {} {:?}, found {}", case.id, case.cause, case.also, named.join(", "));
            for piece in &score.not_cited {
                println!("    not cited: {piece}");
            }
        }
        scores.push((case.id.clone(), score));
    }
    let count = |test: fn(&Score) -> bool| scores.iter().filter(|(_, s)| test(s)).count();
    let (first, three, both) = (count(|s| s.first), count(|s| s.three), count(|s| s.both));
    let clean = count(|s| s.false_causes.is_empty());
    let cited: usize = scores.iter().map(|(_, s)| s.cited.0).sum();
    let pieces: usize = scores.iter().map(|(_, s)| s.cited.1).sum();
    let all = scores.len();
    println!(
        "first {first}/{all}, among three {three}/{all}, both causes {both}/{all}, negatives clean {clean}/{all}, \
         evidence {cited}/{pieces}"
    );
    assert!(first * 60 >= all * 57, "the first cause is right in {first} of {all}");
    assert_eq!((both, clean), (all, all), "both causes; negatives without a false cause");
    assert!(cited * 10 >= pieces * 9, "cited {cited} of {pieces}");
}
