//! A home directory of one test, and what is in it.

use kb_tests::cases::Output;
pub(crate) use kb_tests::package::Package;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory that stands for everything a user has; taken away at the end.
pub(crate) struct Desk {
    root: PathBuf,
}

impl Desk {
    /// An empty one. There is no management library until [`Desk::gpus`].
    pub(crate) fn new(name: &str) -> Desk {
        let root = std::env::temp_dir().join(format!("kb-machine-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&root).expect("there is room");
        // Of a path with links in it kb says the other one.
        Desk { root: root.canonicalize().expect("it is there") }
    }

    /// Something in it.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// Writes a file and the directories it stands in.
    pub(crate) fn file(&self, below: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("there is room");
        std::fs::write(&path, contents).expect("there is room");
        path
    }

    /// What the management library answers.
    pub(crate) fn gpus(&self, world: &str) {
        self.file("nvml.toml", world);
    }

    /// The command; nothing of the caller's environment is in it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(kb_tests::program().expect("the program is built"));
        command.args(arguments);
        self.surround(&mut command);
        command
    }

    /// Gives a command the environment of this user.
    pub(crate) fn surround(&self, command: &mut Command) {
        let world = self.path("nvml.toml");
        let library = match world.is_file() {
            true => fake_nvml::library().expect("it is built"),
            false => self.path("no-library.so"),
        };
        command
            .env_clear()
            .envs([("LANG", "C"), ("COLUMNS", "100"), ("PATH", "/usr/bin:/bin")])
            .env("HOME", &self.root)
            .env("KB_NVML", library)
            .env("FAKE_NVML", world)
            .current_dir(&self.root)
            .stdin(Stdio::null());
    }

    /// Runs kb.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        output(&mut self.command(arguments))
    }

    /// Runs kb for its document.
    pub(crate) fn json(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let out = self.run(&[arguments, &["--json"]].concat());
        (out.exit, document(&out))
    }

    /// A virtual environment, made by Python's own module, with these packages; its directory. `None`, and a line on
    /// standard error, where there is no Python.
    pub(crate) fn venv(&self, name: &str, packages: &[Package<'_>]) -> Option<PathBuf> {
        let path = self.path(name);
        let mut python = Command::new("python3");
        let made = python.args(["-m", "venv", "--without-pip"]).arg(&path).output();
        if !made.as_ref().is_ok_and(|m| m.status.success()) {
            not_checked(&format!("environments: python3 -m venv: {made:?}"));
            return None;
        }
        let site = site(&path);
        packages.iter().for_each(|p| p.install(&site));
        Some(path)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.root));
    }
}

/// The directory of packages of an environment.
pub(crate) fn site(environment: &Path) -> PathBuf {
    let below = std::fs::read_dir(environment.join("lib")).expect("it has one").flatten();
    let python = below.map(|e| e.path()).find(|p| p.to_string_lossy().contains("python"));
    python.expect("it has one").join("site-packages")
}

/// What is said where something cannot be tried, seen even where the output of tests is captured.
pub(crate) fn not_checked(why: &str) {
    drop(std::io::stderr().write_all(format!("\nNOT CHECKED, {why}\n").as_bytes()));
}

/// Runs a command. Whatever happens kb does not panic, and ends with a code that it documents.
pub(crate) fn output(command: &mut Command) -> Output {
    let out = command.output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let out = Output { stdout: text(&out.stdout), stderr: text(&out.stderr), exit: out.status.code() };
    assert!(!out.stderr.contains("panicked at"), "{command:?}: {out:?}");
    assert!(matches!(out.exit, Some(0..=3)), "{command:?}: {out:?}");
    out
}

/// The document that kb wrote.
pub(crate) fn document(out: &Output) -> Value {
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

/// Values of an observation, in their order.
pub(crate) fn values(probe: &Value, what: &str) -> Vec<String> {
    by(probe, what, None)
}

/// The same of one method.
pub(crate) fn by(probe: &Value, what: &str, method: Option<&str>) -> Vec<String> {
    let all = probe["observations"].as_array().expect("a list").iter();
    all.filter(|o| o["what"] == what && method.is_none_or(|m| o["method"] == m))
        .map(|o| o["value"].as_str().expect("text").to_owned())
        .collect()
}

/// What could not be looked at: the observation that is missing, and why.
pub(crate) fn failures(probe: &Value, method: &str) -> Vec<String> {
    let all = probe["failures"].as_array().expect("a list").iter();
    let text = |f: &Value, name: &str| f[name].as_str().unwrap_or_default().to_owned();
    all.filter(|f| f["method"] == method).map(|f| text(f, "what") + ": " + &text(f, "says")).collect()
}

/// Causes that the doctor names, the first one first.
pub(crate) fn causes(doctor: &Value) -> Vec<String> {
    let all = doctor["causes"].as_array().expect("a list").iter();
    all.map(|c| c["cause"].as_str().expect("an id").to_owned()).collect()
}
