//! What other programs rely on, for every case: one JSON document with `--json`, and quiet ends.

use kb_tests::cases::{all, run, typed};
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn json_is_exactly_one_document() {
    let program = kb_tests::program().expect("the program is built");
    for case in all() {
        let mut question = typed(&case).expect("a case can be read");
        let other = ["--help", "--svg", "--dot"];
        if question.args.is_empty() || question.args.iter().any(|a| other.contains(&a.as_str())) {
            continue;
        }
        if !question.args.iter().any(|a| a == "--json") {
            question.args.push("--json".to_owned());
        }
        let found = run(&program, &case, &question).expect("it starts");
        let document: Result<serde_json::Value, _> = serde_json::from_str(&found.stdout);
        let document = document.unwrap_or_else(|e| panic!("{}: {e}: {}", case.display(), found.stdout));
        assert_eq!(document["schema"], 1, "{}", case.display());
        assert!(document["command"].is_string(), "{}", case.display());
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = kb_tests::program().expect("the program is built");
    let mut child = Command::new(program)
        .args(["list", "facts"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut few = [0; 64];
    let mut output = child.stdout.take().expect("it is piped");
    output.read_exact(&mut few).expect("it writes something");
    drop(output);
    let end = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&end.stderr), "");
    assert_eq!(end.status.code(), Some(0));
}
