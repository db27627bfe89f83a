//! What programs print of a machine: every value that a careful reader finds, none that a careless one makes up.

use crate::corpus;
use kb_tests::logs::Doctor;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Expected {
    what: String,
    value: String,
    line: usize,
}

#[derive(Deserialize)]
struct Absent {
    what: String,
    value: Option<String>,
    why: String,
}

#[derive(Deserialize)]
struct Report {
    id: String,
    #[serde(default)]
    encoding: Option<String>,
    expect: Vec<Expected>,
    #[serde(default)]
    absent: Vec<Absent>,
    input: String,
}

#[derive(Deserialize)]
struct File {
    report: Vec<Report>,
}

impl Report {
    fn bytes(&self) -> Vec<u8> {
        match self.encoding.as_deref() {
            Some("gbk") => encoding_rs::GBK.encode(&self.input).0.into_owned(),
            Some("utf-16le-bom") => {
                std::iter::once(0xfeff).chain(self.input.encode_utf16()).flat_map(u16::to_le_bytes).collect()
            }
            _ => self.input.clone().into_bytes(),
        }
    }
}

fn reports(directory: &Path) -> Vec<Report> {
    let mut files: Vec<_> =
        std::fs::read_dir(directory).into_iter().flatten().flatten().map(|f| f.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("can be read");
        toml::from_str::<File>(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).report
    };
    files.iter().flat_map(read).collect()
}

/// Values found, of all; values that were made up.
fn scored(directory: &Path) -> (usize, usize, Vec<String>) {
    let doctor = Doctor::default();
    let (mut found, mut all, mut made_up) = (0, 0, Vec::new());
    for report in reports(directory) {
        let seen = doctor.diagnose(&report.bytes()).observations;
        for expected in &report.expect {
            all += 1;
            // The same value on another line is right as well.
            if seen.iter().any(|o| o.what == expected.what && o.value == expected.value) {
                found += 1;
            } else {
                let have: Vec<_> =
                    seen.iter().filter(|o| o.what == expected.what).map(|o| &*o.value).collect();
                println!(
                    "{}: {} {} (line {}): {have:?}",
                    report.id, expected.what, expected.value, expected.line
                );
            }
        }
        for absent in &report.absent {
            let bad = seen
                .iter()
                .find(|o| o.what == absent.what && absent.value.as_ref().is_none_or(|v| *v == o.value));
            if let Some(bad) = bad {
                made_up.push(format!("{}: {} {}: {}", report.id, bad.what, bad.value, absent.why));
            }
        }
    }
    println!("{found} of {all} values, {} made up", made_up.len());
    (found, all, made_up)
}

#[test]
fn values_of_reports_are_found_and_none_is_made_up() {
    let other = std::env::var_os("KB_REPORTS").map(std::path::PathBuf::from);
    let (found, all, made_up) = scored(other.as_deref().unwrap_or(&corpus("reports")));
    assert!(made_up.is_empty(), "{}", made_up.join("\n"));
    assert!(all > 100 && found * 100 >= all * 97, "{found} of {all}");
}

#[test]
fn values_of_further_reports_are_found_and_none_is_made_up() {
    let (found, all, made_up) = scored(&corpus("reports-more"));
    assert!(made_up.is_empty(), "{}", made_up.join("\n"));
    assert!(all > 200 && found * 100 >= all * 90, "{found} of {all}");
}
