//! `kb diagnose` on real failures: which cause comes first, and which lines it shows for it.

mod fixes;
mod messages;
mod mutations;
mod overlaps;
mod quotes;
mod reports;
mod unrelated;

use kb_tests::logs::{Doctor, Score, cases, score};
use std::path::Path;

pub(crate) fn corpus(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}

/// What a set of logs came to.
struct Sum {
    all: usize,
    first: usize,
    three: usize,
    both: usize,
    clean: usize,
    cited: usize,
    pieces: usize,
}

/// Scores a set; what is wrong is printed. `cargo test -p kb-tests --test diagnose -- --nocapture` shows it.
fn scored(directory: &Path) -> Sum {
    let doctor = Doctor::default();
    let cases = cases(directory);
    let mut scores: Vec<Score> = Vec::new();
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
        scores.push(score);
    }
    let count = |test: fn(&Score) -> bool| scores.iter().filter(|s| test(s)).count();
    let sum = Sum {
        all: scores.len(),
        first: count(|s| s.first),
        three: count(|s| s.three),
        both: count(|s| s.both),
        clean: count(|s| s.false_causes.is_empty()),
        cited: scores.iter().map(|s| s.cited.0).sum(),
        pieces: scores.iter().map(|s| s.cited.1).sum(),
    };
    println!(
        "first {}/{}, among three {}/{}, both causes {}/{}, negatives clean {}/{}, evidence {}/{}",
        sum.first, sum.all, sum.three, sum.all, sum.both, sum.all, sum.clean, sum.all, sum.cited, sum.pieces
    );
    sum
}

#[test]
fn causes_of_real_failures_are_named() {
    // Another set may be tried: its scores are printed.
    let other = std::env::var_os("KB_CASES").map(std::path::PathBuf::from);
    let sum = scored(other.as_deref().unwrap_or(&corpus("diagnose")));
    assert!(sum.all >= 20, "the corpus is there");
    assert!(sum.first * 60 >= sum.all * 57, "the first cause is right in {} of {}", sum.first, sum.all);
    assert_eq!((sum.both, sum.clean), (sum.all, sum.all), "both causes; negatives without a false cause");
    assert!(sum.cited * 10 >= sum.pieces * 9, "cited {} of {}", sum.cited, sum.pieces);
}

/// Further failures: some of them may be read in two ways.
#[test]
fn causes_of_further_failures_are_named() {
    let sum = scored(&corpus("diagnose-more"));
    assert!(sum.all >= 80, "the corpus is there");
    assert!(sum.first * 100 >= sum.all * 92, "the first cause is right in {} of {}", sum.first, sum.all);
    assert!(sum.three * 100 >= sum.all * 97, "among three in {} of {}", sum.three, sum.all);
    assert_eq!(sum.clean, sum.all, "negatives without a false cause");
    assert!(sum.cited * 100 >= sum.pieces * 80, "cited {} of {}", sum.cited, sum.pieces);
}
