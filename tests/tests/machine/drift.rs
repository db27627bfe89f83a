//! A snapshot, and what has changed since.

use crate::desk::{Desk, Package, site};
use serde_json::Value;

const OLD: &str = "driver = \"550.54.14\"\nnvml = \"12.550.54.14\"\ncuda = 12040\n[[device]]\n";

fn torch(version: &'static str, stated: &'static str) -> [(&'static str, &'static str); 3] {
    [("torch/__init__.py", ""), ("torch/version.py", stated), ("VERSION", version)]
}

/// The files of an installation of torch; what was there before is taken away, as an installer does.
fn install(site: &std::path::Path, version: &'static str, stated: &'static str) {
    for entry in std::fs::read_dir(site).expect("listed").flatten() {
        if entry.file_name().to_string_lossy().starts_with("torch") {
            std::fs::remove_dir_all(entry.path()).expect("it is ours");
        }
    }
    Package { name: "torch", version, requires: &[], files: &torch(version, stated) }.install(site);
}

fn drift<'v>(found: &'v Value, what: &str) -> &'v Value {
    let all = found["drifts"].as_array().expect("a list");
    all.iter().find(|d| d["what"] == what).unwrap_or(&Value::Null)
}

#[test]
fn what_breaks_is_told_from_what_does_not() {
    let desk = Desk::new("drift");
    desk.gpus(OLD);
    let plain = Package { name: "filelock", version: "3.13.1", requires: &[], files: &[("filelock.py", "")] };
    let Some(environment) = desk.venv("env", &[plain]) else { return };
    let site = site(&environment);
    let python = environment.to_str().expect("text");
    install(&site, "2.5.1+cu124", "cuda: Optional[str] = '12.4'\n");
    let lock = desk.path("kb-lock.toml");
    let lock = lock.to_str().expect("text");
    let written = desk.run(&["snapshot", "-o", lock, "--python", python]);
    assert_eq!(written.exit, Some(0), "{written:?}");
    let text = std::fs::read_to_string(lock).expect("it was written");
    for wanted in ["2.5.1+cu124", "550.54.14", "8.6"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let check = || desk.json(&["snapshot", "--check", lock, "--python", python]);

    let (exit, same) = check();
    assert_eq!((exit, &same["verdict"]), (Some(0), &"same".into()), "{same}");

    // A package beside the chain.
    std::fs::remove_dir_all(site.join("filelock-3.13.1.dist-info")).expect("it is ours");
    Package { version: "3.16.0", ..plain }.install(&site);
    let (exit, harmless) = check();
    assert_eq!(exit, Some(0), "{harmless}");
    assert_ne!(harmless["verdict"], "found");

    // The build without CUDA takes the place of the one with it.
    install(&site, "2.5.1+cpu", "cuda: Optional[str] = None\n");
    let (exit, broken) = check();
    assert_eq!(exit, Some(1), "{broken}");
    let changed = drift(&broken, "package:torch");
    assert_eq!((&changed["was"], &changed["is"]), (&"2.5.1+cu124".into(), &"2.5.1+cpu".into()), "{broken}");
    assert_eq!(changed["effect"], "breaks", "{broken}");
    assert!(changed["causes"].to_string().contains("cpu-only-package"), "{broken}");
    let people = desk.run(&["snapshot", "--check", lock, "--python", python]);
    assert!(people.exit == Some(1) && people.stdout.contains("2.5.1+cpu"), "{people:?}");

    // Back again, and another driver: one that is too old, then a newer one.
    install(&site, "2.5.1+cu124", "cuda: Optional[str] = '12.4'\n");
    desk.gpus("driver = \"470.256.02\"\nnvml = \"11.470.256.02\"\ncuda = 11040\n[[device]]\n");
    let (exit, broken) = check();
    assert_eq!(exit, Some(1), "{broken}");
    let changed = drift(&broken, "driver");
    assert_eq!((&changed["was"], &changed["is"]), (&"550.54.14".into(), &"470.256.02".into()), "{broken}");
    assert_eq!(changed["effect"], "breaks", "{broken}");
    desk.gpus("driver = \"580.82.07\"\nnvml = \"13.580.82.07\"\ncuda = 13000\n[[device]]\n");
    let (exit, newer) = check();
    assert_eq!(exit, Some(0), "{newer}");
    assert_eq!(drift(&newer, "driver")["effect"], "changes", "{newer}");
}

#[test]
fn what_is_no_snapshot_is_said_to_be_none() {
    let desk = Desk::new("no-lock");
    desk.file("mine.txt", "my notes\n");
    let other = desk.file("capture.toml", "schema = 1\nfamily = \"linux\"\narch = \"x86_64\"\n");
    for path in ["mine.txt", "nothing.toml", ".", other.to_str().expect("text")] {
        let out = desk.run(&["snapshot", "--check", path]);
        assert!(out.exit == Some(2) && out.stderr.contains(path), "{path}: {out:?}");
    }
    // A file of the user's own is never replaced.
    let out = desk.run(&["snapshot", "-o", "mine.txt"]);
    assert_eq!(out.exit, Some(2), "{out:?}");
    assert_eq!(std::fs::read_to_string(desk.path("mine.txt")).expect("it is there"), "my notes\n");
    let out = desk.run(&["snapshot", "-o", "no/such/directory.toml"]);
    assert_eq!(out.exit, Some(2), "{out:?}");
}
