//! `kb diagnose` beside other programs and other people: it runs a command, follows a log, hides names, writes a report.

mod bundle;
mod pages;
mod redact;

#[cfg(unix)]
mod follow;
#[cfg(unix)]
mod run;

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a program says when the driver is too old.
const TOO_OLD: &str = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver";

/// The program in a fixed environment.
fn kb(arguments: &[&str]) -> Command {
    let mut command = Command::new(kb_tests::program().expect("the program is built"));
    command
        .args(arguments)
        .env("LANG", "C")
        .env_remove("LC_ALL")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A directory of a test's own, taken away at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("kb-beside-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("made");
        Scratch(dir)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
