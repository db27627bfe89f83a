//! `kb diagnose -- COMMAND`: the command does not notice it.

use super::{Scratch, TOO_OLD, kb, text};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn through(script: &str) -> Output {
    kb(&["diagnose", "--", "sh", "-c", script]).output().expect("it starts")
}

/// The same without kb.
fn alone(script: &str) -> Output {
    Command::new("sh").args(["-c", script]).stdin(Stdio::null()).output().expect("it starts")
}

fn same(script: &str) -> Output {
    let (with, without) = (through(script), alone(script));
    assert_eq!(with.stdout.len(), without.stdout.len(), "{script}");
    assert!(with.stdout == without.stdout, "standard output of {script}");
    assert!(with.stderr.starts_with(&without.stderr), "standard error of {script}");
    assert_eq!(with.status.code(), without.status.code(), "{script}");
    with
}

#[test]
fn output_is_the_same_byte_for_byte() {
    let scratch = Scratch::new("bytes");
    // Five megabytes that are no text, and end without a line end.
    let mut state = 7_u32;
    let bytes: Vec<u8> = (0..5_000_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    let file = scratch.file("bytes");
    std::fs::write(&file, &bytes).expect("written");
    let file = file.display();
    same(&format!("cat {file}"));
    let part = format!("head -c 300001 {file}");
    same(&format!("{part} >&2"));
    same(&format!("{part} & {part} >&2; wait; exit 3"));
    same("printf 'no end'; printf 'none either' >&2");
    same(r"printf '\000\377\r\n\r\033[31mred\033[0m\n'");
    same("i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done");
}

#[test]
fn of_an_unknown_failure_one_line_is_said() {
    let out = through("exit 3");
    assert_eq!(out.status.code(), Some(3));
    assert!(out.stdout.is_empty());
    assert_eq!(text(&out.stderr), "\nkb: the command ended with 3; nothing in its output is known.\n");
}

#[test]
fn the_exit_code_is_kept() {
    for code in [0, 1, 3, 42, 255] {
        assert_eq!(through(&format!("exit {code}")).status.code(), Some(code));
    }
    for (signal, code) in [("KILL", 137), ("SEGV", 139), ("TERM", 143)] {
        assert_eq!(through(&format!("kill -{signal} $$")).status.code(), Some(code), "{signal}");
    }
    let none = kb(&["diagnose", "--", "no-such-program-of-anybody"]).output().expect("it starts");
    assert_eq!(none.status.code(), Some(127));
    assert!(text(&none.stderr).contains("there is no such command"), "{}", text(&none.stderr));
    let scratch = Scratch::new("not-run");
    std::fs::write(scratch.file("script"), "echo x\n").expect("written");
    let script = scratch.file("script").display().to_string();
    let refused = kb(&["diagnose", "--", &script]).output().expect("it starts");
    assert_eq!(refused.status.code(), Some(126));
    let json = kb(&["diagnose", "--json", "--", "no-such-program-of-anybody"]).output().expect("it starts");
    let document: serde_json::Value = serde_json::from_slice(&json.stderr).expect("a document");
    assert_eq!((json.status.code(), &document["error"][0]["code"]), (Some(127), &"command-not-found".into()));
}

#[test]
fn a_failure_is_explained_behind_an_empty_line() {
    let out = through(&format!("echo '{TOO_OLD}' >&2; exit 1"));
    let said = text(&out.stderr);
    let explained = said.strip_prefix(&format!("{TOO_OLD}\n\n")).expect("an empty line");
    assert!(explained.starts_with("certain: "), "{said}");
    assert!(explained.contains("What to do"), "{said}");
    assert_eq!(out.stdout, b"");
    // Of a message on standard output too, and where nothing is known that is said.
    assert!(text(&through(&format!("echo '{TOO_OLD}'; exit 1")).stderr).contains("certain: "));
    assert!(text(&through("echo x; exit 1").stderr).contains("nothing in its output is known"));
    let json = kb(&["diagnose", "--json", "--", "sh", "-c", &format!("echo '{TOO_OLD}'; exit 9")]);
    let json = { json }.output().expect("it starts");
    let document: serde_json::Value = serde_json::from_slice(&json.stderr).expect("a document");
    assert_eq!((json.status.code(), &document["causes"][0]["cause"]), (Some(9), &"driver-too-old".into()));
}

#[test]
fn what_a_program_gets_over_is_told_in_few_lines() {
    let warning = format!("UserWarning: CUDA initialization: {}", &TOO_OLD["RuntimeError: ".len()..]);
    let out = through(&format!("echo '{warning}' >&2; echo went on"));
    let said = text(&out.stderr);
    let told = said.strip_prefix(&format!("{warning}\n\n")).expect("an empty line");
    assert!(told.contains("kb explain driver-too-old"), "{told}");
    assert!(told.lines().count() <= 6, "{told}");
    assert_eq!((text(&out.stdout).as_str(), out.status.code()), ("went on\n", Some(0)));
    assert_eq!(through("echo fine; echo fine >&2").stderr, b"fine\n");
}

#[test]
fn standard_input_reaches_the_program() {
    let mut child = kb(&["diagnose", "--", "cat"]).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || input.write_all(&[b'x'; 300_000]));
    let out = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("it reads all");
    assert_eq!(out.stdout.len(), 300_000);
}

#[test]
fn streams_may_close_early() {
    let out = through("exec >&-; sleep 0.2; echo late >&2; exit 5");
    assert_eq!(out.status.code(), Some(5));
    assert!(out.stderr.starts_with(b"late\n"));
    // Whoever reads may go away: the program learns it as from any pipe.
    let mut child = kb(&["diagnose", "--", "yes"]).spawn().expect("it starts");
    let mut few = [0; 8];
    let mut output = child.stdout.take().expect("it is piped");
    output.read_exact(&mut few).expect("it writes");
    drop(output);
    let end = child.wait_with_output().expect("it ends");
    assert_eq!((end.status.code(), text(&end.stderr).as_str()), (Some(141), ""));
}

#[test]
fn output_comes_as_it_is_written() {
    let mut child =
        kb(&["diagnose", "--", "sh", "-c", "printf now; sleep 5; echo later"]).spawn().expect("it starts");
    let start = Instant::now();
    let mut few = [0; 3];
    child.stdout.take().expect("it is piped").read_exact(&mut few).expect("it writes");
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    end(child);
}

/// A program in a group of its own, as a shell starts one; returns when it says `ready`.
fn in_front(script: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = kb(&["diagnose", "--", "sh", "-c", script]).process_group(0).spawn().expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it writes");
    assert_eq!(line, "ready\n");
    (child, output)
}

/// What a terminal does at Ctrl-C: the signal goes to the whole group.
fn to_group(child: &Child, signal: &str) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} -{}", child.id())]).status();
    assert!(sent.expect("it starts").success());
}

fn end(mut child: Child) {
    // Its own child may live on where it was not in a group.
    drop(child.kill());
    drop(child.wait());
}

#[test]
fn ctrl_c_ends_the_program_and_is_explained() {
    let script =
        format!("trap 'echo \"{TOO_OLD}\" >&2; exit 7' INT; echo ready; while :; do sleep 0.05; done");
    let (child, _output) = in_front(&script);
    to_group(&child, "INT");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.code(), Some(7));
    assert!(text(&out.stderr).contains("certain: "), "{}", text(&out.stderr));
    // Without anything known there is nothing to say: somebody stopped it.
    let (child, _output) = in_front("echo ready; exec sleep 30");
    to_group(&child, "INT");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!((out.status.code(), text(&out.stderr).as_str()), (Some(130), ""));
}

#[test]
fn what_a_supervisor_sends_to_kb_reaches_the_program() {
    let to_kb = |child: &Child| {
        let sent = Command::new("sh").args(["-c", &format!("kill -TERM {}", child.id())]).status();
        assert!(sent.expect("it starts").success());
    };
    let (child, mut output) =
        in_front("trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.05; done");
    to_kb(&child);
    let out = child.wait_with_output().expect("it ends");
    let mut last = String::new();
    output.read_to_string(&mut last).expect("it writes");
    assert_eq!((out.status.code(), last.as_str()), (Some(9), "bye\n"), "{}", text(&out.stderr));
    let (child, _output) = in_front("echo ready; exec sleep 30");
    to_kb(&child);
    let out = child.wait_with_output().expect("it ends");
    assert_eq!((out.status.code(), text(&out.stderr).as_str()), (Some(143), ""));
}

/// A disk that is full, where the system has one.
fn full() -> Option<Stdio> {
    let file = std::fs::OpenOptions::new().write(true).open("/dev/full");
    file.ok().map(Stdio::from)
}

#[test]
fn output_that_is_lost_is_told() {
    let Some(disk) = full() else { return };
    let out = kb(&["diagnose", "--", "echo", "x"]).stdout(disk).output().expect("it starts");
    let said = text(&out.stderr);
    assert_eq!(
        (out.status.code(), said.matches("standard output cannot be written").count()),
        (Some(2), 1),
        "{said}"
    );
    // The program's own failure is still its own.
    let Some(disk) = full() else { return };
    let out = kb(&["diagnose", "--", "sh", "-c", "echo x; exit 7"]).stdout(disk).output().expect("it starts");
    assert_eq!(out.status.code(), Some(7));
    let Some(disk) = full() else { return };
    let log = format!("{TOO_OLD}\n");
    let mut child =
        kb(&["diagnose", "--follow"]).stdin(Stdio::piped()).stdout(disk).spawn().expect("it starts");
    child.stdin.take().expect("it is piped").write_all(log.as_bytes()).expect("it reads");
    let out = child.wait_with_output().expect("it ends");
    let said = text(&out.stderr);
    assert!(said.contains("standard output cannot be written") && said.contains("certain: "), "{said}");
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn a_second_ctrl_c_ends_kb() {
    let (mut child, _output) = in_front("trap '' INT; echo ready; sleep 30");
    let start = Instant::now();
    to_group(&child, "INT");
    std::thread::sleep(Duration::from_millis(300));
    to_group(&child, "INT");
    let code = child.wait().expect("it ends").code();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(code, Some(130));
    // The program that did not listen is still there.
    to_group(&child, "KILL");
}

#[test]
fn what_is_left_running_delays_no_explanation() {
    let start = Instant::now();
    let mut child =
        kb(&["diagnose", "--", "sh", "-c", "(sleep 4; echo late) & exit 5"]).spawn().expect("it starts");
    let mut error = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut lines = String::new();
    for _ in 0..2 {
        error.read_line(&mut lines).expect("it writes");
    }
    assert!(lines.contains("nothing in its output is known"), "{lines}");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let out = child.wait_with_output().expect("it ends");
    assert_eq!((out.status.code(), text(&out.stdout).as_str()), (Some(5), "late\n"));
}

/// At a terminal somebody is told that standard input is read. `script` gives kb a terminal.
#[test]
fn at_a_terminal_the_end_is_told() {
    let program = kb_tests::program().expect("the program is built");
    let mut script = Command::new("script");
    let line = format!("{} diagnose", program.display());
    script.args(["-qec", &line, "/dev/null"]).env("LANG", "C").env("NO_COLOR", "1").env_remove("LC_ALL");
    let Ok(mut child) = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        // Not everywhere.
        return;
    };
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"CUDA out of memory. Tried to allocate 2 GiB\n\x04\x04").expect("written");
    let out = child.wait_with_output().expect("it ends");
    drop(input);
    let said = text(&out.stdout);
    assert!(said.contains("Standard input is read") && said.contains("Ctrl-D"), "{said}");
    let piped = kb(&["diagnose"]).output().expect("it starts");
    assert!(!text(&piped.stderr).contains("Ctrl-"), "only at a terminal");
}
