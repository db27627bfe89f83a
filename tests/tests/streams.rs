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

/// What a shell makes of `-r <(pip freeze)` is a pipe with a name.
#[cfg(unix)]
#[test]
fn a_pipe_is_read_like_a_file() {
    use std::io::Write;
    let program = kb_tests::program().expect("the program is built");
    for file in [["-r", "/dev/stdin"].as_slice(), &["/dev/stdin"]] {
        let mut child = Command::new(&program)
            .args(["check", "--os", "linux"])
            .args(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(b"torch==2.9.1\n").expect("it reads");
        drop(input);
        let end = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&end.stdout);
        assert!(text.starts_with("Fits: torch 2.9.1 on linux"), "{text}");
    }
}

/// The time goes with the number of lines, not with its square: this took minutes.
#[test]
fn thousands_of_lines_are_no_matter() {
    use std::fmt::Write;
    let dir = std::env::temp_dir().join(format!("kb-lines-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("there is room");
    let mut lines = "torch==2.9.1\n".to_owned();
    for number in 0..20_000 {
        writeln!(lines, "torch!=1.{number}.0\npackage-{number}==1.0\nnumpy>=1.26").expect("it is text");
    }
    std::fs::write(dir.join("requirements.txt"), lines).expect("there is room");
    let program = kb_tests::program().expect("the program is built");
    let start = std::time::Instant::now();
    let end = Command::new(program)
        .args(["check", "requirements.txt", "--os", "linux", "--gpu", "h100", "--json"])
        .current_dir(&dir)
        .output()
        .expect("it starts");
    assert!(end.status.code().is_some_and(|c| c != 2), "{}", String::from_utf8_lossy(&end.stderr));
    assert!(start.elapsed().as_secs() < 40, "{:?}", start.elapsed());
    std::fs::remove_dir_all(&dir).expect("it is ours");
}
