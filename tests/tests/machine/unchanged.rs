//! Whatever looks at a machine changes nothing on it.

use crate::desk::{Desk, Package, output};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const TORCH: Package<'_> = Package {
    name: "torch",
    version: "2.5.1+cpu",
    requires: &[],
    files: &[("torch/__init__.py", ""), ("torch/version.py", "cuda: Optional[str] = None\n")],
};

/// By path: kind, permissions, size, time of change and contents.
fn state(root: &Path) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(path) = open.pop() {
        let about = path.symlink_metadata().expect("it is there");
        let contents = if about.is_symlink() {
            format!("-> {}", std::fs::read_link(&path).expect("a link").display())
        } else if about.is_dir() {
            open.extend(std::fs::read_dir(&path).expect("listed").flatten().map(|e| e.path()));
            String::new()
        } else {
            format!("{:x}", Sha256::digest(std::fs::read(&path).expect("read")))
        };
        let (time, parts) = (about.mtime(), about.mtime_nsec());
        let text = format!("{:o} {} bytes {time}.{parts:09} {contents}", about.mode(), about.size());
        out.insert(path.display().to_string(), text);
    }
    out
}

/// A home with environments of several kinds, settings, and a management library.
fn home(name: &str) -> Option<Desk> {
    let desk = Desk::new(name);
    desk.gpus("[[device]]\ntemperature = [40]\n");
    desk.venv("work/venv", &[TORCH])?;
    desk.venv(".virtualenvs/other", &[])?;
    desk.file(".pyenv/version", "3.11.7\n");
    desk.file(".pyenv/versions/3.11.7/bin/python3.11", "");
    desk.file(
        ".local/lib/python3.11/site-packages/nobody-1.0.dist-info/METADATA",
        "Name: nobody\nVersion: 1.0\n",
    );
    desk.file(".condarc", "channels: [conda-forge]\n");
    desk.file(".config/pip/pip.conf", "[global]\nindex-url = https://pypi.org/simple\n");
    desk.file("train.log", "RuntimeError: CUDA error\n");
    // What a program could be tempted to write when it starts.
    for directory in [".cache", ".config", ".local/share", ".nv"] {
        std::fs::create_dir_all(desk.path(directory)).expect("there is room");
    }
    Some(desk)
}

#[test]
fn looking_changes_nothing() {
    let Some(desk) = home("unchanged") else { return };
    let venv = desk.path("work/venv").display().to_string();
    let lock = desk.file("kb-lock.toml", desk.run(&["snapshot", "--python", &venv]).stdout);
    let lock = lock.display().to_string();
    let before = state(&desk.path(""));
    for arguments in [
        &["probe"][..],
        &["probe", "--all-pythons", "--json"],
        &["probe", "--python", &venv, "--all"],
        &["probe", "--as-service"],
        &["doctor"],
        &["doctor", "--python", &venv, "--all"],
        &["doctor", "--quick", "--all-pythons"],
        &["which", "libcudnn.so.9", "nvcc"],
        &["which", "cudnn", "--python", &venv],
        &["snapshot"],
        &["snapshot", "--check", &lock, "--python", &venv],
        &["watch", "--count", "2", "--every", "50ms"],
        &["watch", "--count", "1", "--format", "prometheus"],
    ] {
        desk.run(arguments);
        assert_eq!(before, state(&desk.path("")), "{arguments:?}");
    }
}

/// Only the directory that is named is written.
#[test]
fn a_capture_is_all_that_is_written() {
    let Some(desk) = home("capture") else { return };
    let target = desk.path("captured");
    let before = state(&desk.path("work"));
    let all = state(&desk.path(""));
    let (exit, seen) = desk.json(&["probe", "--all-pythons", "--capture", target.to_str().expect("text")]);
    assert_eq!(exit, Some(0));
    let mut after = state(&desk.path(""));
    let new: Vec<String> = after.keys().filter(|path| !all.contains_key(*path)).cloned().collect();
    assert_eq!(new, [target.display().to_string(), target.join("capture.toml").display().to_string()]);
    new.iter().for_each(|path| drop(after.remove(path)));
    // The directory that it stands in has one entry more.
    let own = desk.path("").display().to_string();
    let outside = |state: BTreeMap<String, String>| -> Vec<_> {
        state.into_iter().filter(|(path, _)| *path != own.trim_end_matches('/') && *path != own).collect()
    };
    assert_eq!(outside(all), outside(after));
    assert_eq!(before, state(&desk.path("work")));
    // What was captured gives what was seen, wherever it is looked at.
    let elsewhere = Desk::new("capture-elsewhere");
    let (exit, again) = elsewhere.json(&["probe", "--all-pythons", "--from", target.to_str().expect("text")]);
    assert_eq!(exit, Some(0));
    assert_eq!(seen, again);
}

/// Variables hold secrets: those that say nothing of GPUs, Python or where things are stay where they are.
#[test]
fn a_capture_has_no_variable_of_others() {
    let desk = Desk::new("secrets");
    let secret = "tGfR7-not-for-others";
    let mut command = desk.command(&["probe", "--all-pythons", "--capture", "captured"]);
    for name in ["MY_NOTE", "DB_PASSWORD", "API_KEY", "HTTPS_PROXY", "PIP_INDEX_URL", "SSH_AUTH_SOCK"] {
        command.env(name, secret);
    }
    command.env("CUDA_VISIBLE_DEVICES", "1").env("LD_LIBRARY_PATH", "/opt/libraries");
    assert_eq!(output(&mut command).exit, Some(0));
    let text = std::fs::read_to_string(desk.path("captured/capture.toml")).expect("it was written");
    assert!(!text.contains(secret) && !text.contains("MY_NOTE"), "{text}");
    assert!(text.contains("CUDA_VISIBLE_DEVICES") && text.contains("/opt/libraries"), "{text}");
}
