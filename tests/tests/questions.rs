//! The examination: at least 95 of 100 questions of each verdict are answered rightly.

use kb_tests::questions::{all, ask, scores};

#[test]
fn examination() {
    let kb = kb_data::builtin();
    let world = kb_core::world::World::new(&kb);
    let questions = all().expect("the questions can be read");
    let graded: Vec<_> = questions.iter().map(|q| ask(&world, q)).collect();
    let scores = scores(&graded);
    println!("verdict   right   all");
    for (verdict, score) in &scores {
        println!("{verdict:<9} {:>5} {:>5}", score.right, score.all);
    }
    for wrong in graded.iter().filter(|g| !g.right) {
        let q = &wrong.question;
        println!(
            "\n{}: wanted {}, given {}\n  kb check {}\n  because: {}\n  said: {}",
            q.id,
            q.verdict,
            wrong.given,
            q.args.join(" "),
            q.why,
            wrong.said.replace('\n', "\n        ")
        );
    }
    let low: Vec<&String> = scores.iter().filter(|(_, s)| !s.reaches(95)).map(|(v, _)| v).collect();
    assert!(low.is_empty(), "below 95 %: {low:?}");
}
