//! `--bundle`: a report that can be shown to anybody.

use super::{Scratch, TOO_OLD, kb, text};
use std::fmt::Write;

/// A log with names in it, and with what would end a fence.
fn log() -> String {
    let mut log = "(base) zebulon@quistbox:~$ python /home/zebulon/train.py\n".to_owned();
    for number in 0..900 {
        writeln!(log, "step {number}").expect("it is text");
    }
    writeln!(log, "a ```` b\n| a | b |\n{TOO_OLD} https://zebulon:geheim9@quist.example.org/x")
        .expect("it is text");
    log + "python 3.10\n"
}

#[test]
fn a_bundle_has_everything_but_names() {
    let scratch = Scratch::new("bundle");
    std::fs::write(scratch.file("error.log"), log()).expect("written");
    let run = |more: &[&str]| {
        let arguments = [&["diagnose", "error.log", "--bundle", "report.md"], more].concat();
        kb(&arguments).current_dir(&scratch.0).output().expect("it starts")
    };
    let out = run(&[]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("report.md"), "{}", text(&out.stderr));
    let report = std::fs::read_to_string(scratch.file("report.md")).expect("written");
    for name in ["zebulon", "quistbox", "geheim9"] {
        assert!(!report.contains(name), "{name} is in\n{report}");
    }
    for part in ["kb 0.", "(data ", "driver-too-old", "lines left out", "cuda-driver-level", "\n`````text\n"]
    {
        assert!(report.contains(part), "no {part:?} in\n{report}");
    }
    let excerpt = report.split("`````text\n").nth(1).expect("there is a fence");
    assert!(excerpt.ends_with("`````\n"), "{excerpt}");
    assert!(excerpt.lines().count() < 410);
    assert!(excerpt.contains("[… 8"), "{excerpt}");
    // Its own it replaces, somebody's file it does not; nothing is left beside it.
    assert_eq!(run(&["--lang", "zh-Hans"]).status.code(), Some(1));
    std::fs::write(scratch.file("report.md"), "# mine\n").expect("written");
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no bundle of kb"), "{}", text(&refused.stderr));
    assert_eq!(std::fs::read_to_string(scratch.file("report.md")).expect("there"), "# mine\n");
    assert_eq!(std::fs::read_dir(&scratch.0).expect("listed").count(), 2);
}

/// The excerpt of a report has the same cause as the text it is from.
#[test]
fn a_bundle_can_be_diagnosed() {
    let scratch = Scratch::new("again");
    std::fs::write(scratch.file("error.log"), log()).expect("written");
    let cause = |file: &str, more: &[&str]| {
        let arguments = [&["diagnose", "--json", file], more].concat();
        let out = kb(&arguments).current_dir(&scratch.0).output().expect("it starts");
        let document: serde_json::Value = serde_json::from_slice(&out.stdout).expect("a document");
        document["causes"][0]["cause"].clone()
    };
    assert_eq!(cause("error.log", &["--bundle", "report.md"]), cause("report.md", &[]));
}

#[cfg(unix)]
#[test]
fn a_command_can_have_a_bundle() {
    let scratch = Scratch::new("command");
    let report = scratch.file("report.md").display().to_string();
    let script = format!("echo '{TOO_OLD}'; exit 4");
    let out = kb(&["diagnose", "--bundle", &report, "--", "sh", "-c", &script]).output().expect("it starts");
    assert_eq!(out.status.code(), Some(4));
    assert_eq!(text(&out.stdout), format!("{TOO_OLD}\n"));
    assert!(std::fs::read_to_string(&report).expect("written").contains("driver-too-old"));
}
