//! `kb diagnose --follow`: a log passes through, and is explained once it has said why.

use super::{Scratch, TOO_OLD, kb, text};
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A stream that is read in a thread.
#[derive(Clone)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    fn of(mut from: impl Read + Send + 'static) -> Self {
        let heard = Heard(Arc::default());
        let into = heard.0.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                into.lock().expect("no panic").extend_from_slice(&buffer[..count]);
            }
        });
        heard
    }

    fn text(&self) -> String {
        text(&self.0.lock().expect("no panic"))
    }

    fn wait_for(&self, what: &str) {
        let start = Instant::now();
        while !self.text().contains(what) {
            assert!(start.elapsed() < Duration::from_secs(20), "no {what:?} in {:?}", self.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn started(arguments: &[&str], stdin: Stdio) -> (Child, Heard, Heard) {
    let mut child = kb(arguments).stdin(stdin).spawn().expect("it starts");
    let out = Heard::of(child.stdout.take().expect("it is piped"));
    let err = Heard::of(child.stderr.take().expect("it is piped"));
    (child, out, err)
}

fn add(path: &Path, line: &str) {
    let mut file = OpenOptions::new().append(true).create(true).open(path).expect("opened");
    file.write_all(line.as_bytes()).expect("written");
}

fn interrupt(child: &mut Child) -> Option<i32> {
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(sent.expect("it starts").success());
    child.wait().expect("it ends").code()
}

#[test]
fn a_file_is_followed_until_ctrl_c() {
    let scratch = Scratch::new("follow");
    let log = scratch.file("train.log");
    add(&log, "start\n");
    let path = log.display().to_string();
    let (mut child, out, err) = started(&["diagnose", &path, "--follow"], Stdio::null());
    out.wait_for("start\n");
    add(&log, &format!("{TOO_OLD}\n"));
    err.wait_for("certain: ");
    // It was told: the same is not told again.
    let told = err.text();
    add(&log, "and so on\n");
    out.wait_for("and so on\n");
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(err.text(), told);
    // Another cause is news.
    add(&log, "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n");
    err.wait_for("memory is full");
    assert_eq!(interrupt(&mut child), Some(1));
    assert!(out.text().ends_with("2.00 GiB\n"), "{}", out.text());
}

#[test]
fn a_file_that_is_replaced_or_emptied_is_followed_on() {
    let scratch = Scratch::new("rotated");
    let log = scratch.file("train.log");
    add(&log, "one\n");
    let path = log.display().to_string();
    let (mut child, out, err) = started(&["diagnose", "-f", &path], Stdio::null());
    out.wait_for("one\n");
    std::fs::rename(&log, scratch.file("train.log.1")).expect("renamed");
    add(&scratch.file("train.log.1"), "last word\n");
    out.wait_for("last word\n");
    add(&log, "two\n");
    out.wait_for("two\n");
    std::fs::remove_file(&log).expect("removed");
    std::thread::sleep(Duration::from_millis(500));
    add(&log, "three\n");
    out.wait_for("three\n");
    std::fs::write(&log, "").expect("emptied");
    std::thread::sleep(Duration::from_millis(500));
    add(&log, "4\n");
    out.wait_for("4\n");
    assert_eq!(interrupt(&mut child), Some(0));
    assert_eq!(out.text(), "one\nlast word\ntwo\nthree\n4\n");
    err.wait_for("No known cause");
}

#[test]
fn a_pipe_is_followed_to_its_end() {
    let (mut child, out, err) = started(&["diagnose", "--follow"], Stdio::piped());
    let mut input = child.stdin.take().expect("it is piped");
    let bytes = [b"\xff\x00 no text, ", TOO_OLD.as_bytes(), b"\nno end"].concat();
    input.write_all(&bytes).expect("it reads");
    out.wait_for("no end");
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    err.wait_for("certain: ");
    assert_eq!(*out.0.lock().expect("no panic"), bytes);
    // Without a cause all is well.
    let (mut child, _, _) = started(&["diagnose", "--follow"], Stdio::piped());
    child.stdin.take().expect("it is piped").write_all(b"fine\n").expect("it reads");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn what_never_pauses_is_explained_all_the_same() {
    let (mut child, _out, err) = started(&["diagnose", "--follow"], Stdio::piped());
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(format!("{TOO_OLD}\n").as_bytes()).expect("it reads");
    let start = Instant::now();
    while !err.text().contains("certain: ") {
        assert!(start.elapsed() < Duration::from_secs(30), "no cause in {:?}", err.text());
        input.write_all(b"step\n").expect("it reads");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn what_cannot_be_followed_is_said() {
    let two = kb(&["diagnose", "--follow", "a", "b"]).output().expect("it starts");
    assert_eq!(two.status.code(), Some(2));
    assert!(text(&two.stderr).contains("--follow is for one file"), "{}", text(&two.stderr));
    let none = kb(&["diagnose", "--follow", "/no/such/file"]).output().expect("it starts");
    assert_eq!(none.status.code(), Some(2));
}
