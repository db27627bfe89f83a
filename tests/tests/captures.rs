//! Captured machines: what the probe sees of each, and what the doctor finds.

use kb_core::observe::is_name;
use probe::machine::{CAPTURE_FILE, Capture, Recorder, Replay};
use probe::{Wanted, observe};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is expected of a machine: `expected.toml`.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Expected {
    /// Where its facts are from: reports as `owner/repository#number`, or `composed` of documented layouts.
    sources: Vec<String>,
    /// Neither causes nor residue.
    healthy: bool,
    /// The cause that comes first.
    first: Option<String>,
    /// All causes that the doctor names.
    findings: BTreeSet<String>,
    /// All residue that the doctor names.
    residue: BTreeSet<String>,
    /// What is seen.
    observations: Vec<Wish>,
    /// What is not seen.
    absent: Vec<Wish>,
}

/// An observation.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Wish {
    what: String,
    /// Any, where there is none.
    value: Option<String>,
    /// Any, where there is none.
    place: Option<String>,
}

impl Wish {
    fn is(&self, what: &str, value: &str, place: Option<&str>) -> bool {
        self.what == what
            && self.value.as_deref().is_none_or(|v| v == value)
            && self.place.as_deref().is_none_or(|p| Some(p) == place)
    }
}

/// A captured machine.
struct Machine {
    name: String,
    directory: PathBuf,
    text: String,
    capture: Capture,
    expected: Expected,
}

fn machines() -> Vec<Machine> {
    let root = kb_tests::root().join("captures");
    let entries = std::fs::read_dir(&root).expect("there are captures").flatten().map(|e| e.path());
    let mut directories: Vec<PathBuf> = entries.filter(|p| p.is_dir()).collect();
    directories.sort();
    directories.into_iter().map(machine).collect()
}

fn machine(directory: PathBuf) -> Machine {
    let name = directory.file_name().expect("it has a name").to_string_lossy().into_owned();
    let read = |file: &str| {
        std::fs::read_to_string(directory.join(file)).unwrap_or_else(|e| panic!("{name}/{file}: {e}"))
    };
    let text = read(CAPTURE_FILE);
    let capture = Capture::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let expected =
        toml::from_str(&read("expected.toml")).unwrap_or_else(|e| panic!("{name}/expected.toml: {e}"));
    Machine { name, directory, text, capture, expected }
}

fn program(arguments: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(kb_tests::program().expect("the program is built"));
    command.args(arguments).arg("--from").arg(directory).env_clear().env("LANG", "C").stdin(Stdio::null());
    command
}

/// The document that the doctor prints, and its exit code.
fn doctor(directory: &Path) -> (Value, Option<i32>) {
    let out = program(&["doctor", "--json"], directory).output().expect("it starts");
    let text = String::from_utf8_lossy(&out.stdout);
    let document = serde_json::from_str(&text).unwrap_or_else(|e| {
        panic!("{}: {e}: {text}{}", directory.display(), String::from_utf8_lossy(&out.stderr))
    });
    (document, out.status.code())
}

fn causes(document: &Value, list: &str) -> Vec<String> {
    let all = document[list].as_array().into_iter().flatten();
    all.filter_map(|c| c["cause"].as_str().map(str::to_owned)).collect()
}

/// What is not as it is expected of a machine.
fn wrong(machine: &Machine) -> Vec<String> {
    let expected = &machine.expected;
    let (document, code) = doctor(&machine.directory);
    let mut out = Vec::new();
    let seen: Vec<&Value> = document["observations"].as_array().into_iter().flatten().collect();
    let has = |wish: &&Wish| {
        let text = |o: &Value, name: &str| o[name].as_str().unwrap_or_default().to_owned();
        seen.iter().any(|o| wish.is(&text(o, "what"), &text(o, "value"), o["place"].as_str()))
    };
    out.extend(expected.observations.iter().filter(|w| !has(w)).map(|w| format!("not seen: {w:?}")));
    out.extend(expected.absent.iter().filter(|w| has(w)).map(|w| format!("seen: {w:?}")));
    let (found, residue) = (causes(&document, "causes"), causes(&document, "residue"));
    if found.iter().cloned().collect::<BTreeSet<_>>() != expected.findings {
        out.push(format!("causes {found:?}, expected {:?}", expected.findings));
    }
    if expected.first.as_ref() != found.first() {
        out.push(format!("first {:?}, expected {:?}", found.first(), expected.first));
    }
    if residue.iter().cloned().collect::<BTreeSet<_>>() != expected.residue {
        out.push(format!("residue {residue:?}, expected {:?}", expected.residue));
    }
    let quiet = document["verdict"] == "nothing-wrong" && code != Some(1);
    if expected.findings.is_empty() != quiet {
        out.push(format!("verdict {}, exit code {code:?}", document["verdict"]));
    }
    out
}

#[test]
fn the_doctor_finds_what_is_wrong_with_each() {
    let machines = machines();
    let check = |m: &Machine| {
        let wrong = wrong(m);
        (!wrong.is_empty()).then(|| format!("{}\n  {}", m.name, wrong.join("\n  ")))
    };
    let (one, two) = machines.split_at(machines.len() / 2);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let other = scope.spawn(|| one.iter().filter_map(check).collect::<Vec<_>>());
        let mut own: Vec<String> = two.iter().filter_map(check).collect();
        own.extend(other.join().expect("it ends"));
        own
    });
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), machines.len(), failed.join("\n"));
}

#[test]
fn there_are_enough_of_all_kinds_and_each_says_where_it_is_from() {
    let machines = machines();
    assert!(machines.len() >= 25, "{}", machines.len());
    for start in ["linux-", "windows-", "wsl2", "container", "jetson-"] {
        assert!(machines.iter().any(|m| m.name.starts_with(start)), "none of {start}");
    }
    assert!(machines.iter().any(|m| m.expected.healthy));
    for m in &machines {
        let expected = &m.expected;
        assert!(!m.capture.about.is_empty(), "{}", m.name);
        assert_eq!(m.capture.sources, expected.sources, "{}", m.name);
        assert!(!expected.sources.is_empty(), "{}", m.name);
        let of_report = |s: &String| {
            s.split_once('#').is_some_and(|(repository, number)| {
                repository.split('/').count() == 2 && number.bytes().all(|b| b.is_ascii_digit())
            })
        };
        assert!(expected.sources.iter().all(|s| s == "composed" || of_report(s)), "{}", m.name);
        let nothing = expected.findings.is_empty() && expected.residue.is_empty();
        assert!(!expected.healthy || nothing, "{} is healthy", m.name);
        assert!(!expected.observations.is_empty(), "{}", m.name);
    }
}

#[test]
fn a_capture_is_read_as_it_is_written() {
    for m in machines() {
        let text = m.capture.to_text().unwrap_or_else(|e| panic!("{}: {e}", m.name));
        let again = Capture::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", m.name));
        assert_eq!(again, m.capture, "{}", m.name);
        assert_eq!(Capture::parse(&m.text).as_ref(), Ok(&m.capture), "{}", m.name);
    }
}

#[test]
fn the_same_is_seen_whenever_it_is_looked_at_and_of_a_capture_of_the_capture() {
    let wanted = Wanted { all_pythons: true, all_packages: true, ..Wanted::default() };
    for m in machines() {
        let replay = Replay::new(m.capture);
        let bytes = |machine: &dyn probe::machine::Machine| {
            serde_json::to_vec(&observe(machine, &wanted)).unwrap_or_else(|e| panic!("{}: {e}", m.name))
        };
        let first = bytes(&replay);
        assert_eq!(bytes(&replay), first, "{}", m.name);
        let recorder = Recorder::new(&replay);
        assert_eq!(bytes(&recorder), first, "{}", m.name);
        assert_eq!(bytes(&Replay::new(recorder.capture())), first, "{}: captured again", m.name);
    }
}

#[test]
fn the_names_of_observations_are_those_that_are_documented() {
    for m in machines() {
        let seen = observe(&Replay::new(m.capture), &Wanted::default()).observations;
        let unknown: Vec<&str> = seen.iter().filter(|o| !is_name(&o.what)).map(|o| &*o.what).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", m.name);
    }
}

#[test]
fn what_the_machine_is_like_that_it_is_looked_at_on_does_not_matter() {
    for m in machines() {
        let plain = program(&["probe", "--json"], &m.directory).output().expect("it starts");
        let other = program(&["probe", "--json"], &m.directory)
            .current_dir(std::env::temp_dir())
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", "/nothing")
            .env("VIRTUAL_ENV", "/nothing/venv")
            .env("CUDA_PATH", "/nothing/cuda")
            .env("CUDA_VISIBLE_DEVICES", "-1")
            .env("LD_LIBRARY_PATH", "/nothing/lib")
            .env("KB_NVML", "/nothing/nvml.so")
            .output()
            .expect("it starts");
        assert!(plain.status.success(), "{}: {plain:?}", m.name);
        assert!(plain.stdout == other.stdout && plain.status == other.status, "{}", m.name);
    }
}
