//! A text without private names has the same causes as the text with them.

use super::{Scratch, kb, text};
use diagnose::case::Case;
use diagnose::diagnosis::{self, Findings};
use diagnose::redact::Redactor;
use diagnose::sift::sift;
use diagnose::{check, reason};
use kb_tests::logs::Doctor;

/// What must not be seen.
const SECRETS: [&str; 10] = [
    "zebulon",
    "quistbox",
    "quist.example.org",
    "geheim99",
    "hf_AbCdEfGhIjKlMnOpQrSt",
    "8f1c2d3e-1111-2222-3333-444455556666",
    "10.77.66.55",
    "3c:ec:ef:12:34:56",
    "1563221001873",
    "sk-proj-abcdefghijklmnop",
];

/// A text as somebody pastes it who does not think of names.
fn injected(input: &str) -> String {
    let mut text = input.to_owned();
    for (from, to) in [
        (r"C:\Users\user", r"C:\Users\zebulon"),
        (r"C:\\Users\\user", r"C:\\Users\\zebulon"),
        ("/home/user", "/home/zebulon"),
        ("/Users/user", "/Users/zebulon"),
        ("user@host", "zebulon@quistbox"),
    ] {
        text = text.replace(from, to);
    }
    format!(
        "(base) zebulon@quistbox:~/run$ export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrSt\n\
         Looking in indexes: https://zebulon:geheim99@pypi.example.com/simple\n\
         inet 10.77.66.55/24 link/ether 3c:ec:ef:12:34:56\n\
         GPU UUID : GPU-8f1c2d3e-1111-2222-3333-444455556666\n\
         Serial Number : 1563221001873\n\
         {text}\n\
         (base) zebulon@quistbox:~/run$ # zebulon@quist.example.org, sk-proj-abcdefghijklmnop\n"
    )
}

/// Of so many texts one is put into words as well, which takes longer.
const IN_WORDS: usize = 12;

fn observed(doctor: &Doctor, input: &str) -> Findings {
    let excerpt = sift(&doctor.needles, &mut input.as_bytes()).expect("it is in memory");
    diagnosis::observe(&doctor.needles, excerpt, Vec::new())
}

/// The causes, how sure they are, and their lines.
fn causes(doctor: &Doctor, findings: &Findings) -> Vec<(String, &'static str, Vec<usize>)> {
    let case =
        Case::new(doctor.world.view(), &findings.seen, &findings.excerpt.hits, &findings.excerpt.lines);
    let found = reason::causes(&case, &check::all(&case));
    let named = |cause: usize| doctor.kb.causes[cause].id.to_string();
    found.into_iter().map(|f| (named(f.cause), f.certainty.word(), f.lines)).collect()
}

/// All texts of the corpus, with their names.
fn texts() -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (directory, table, key, id) in [
        ("diagnose", "case", "input", "id"),
        ("reports", "report", "input", "id"),
        ("messages", "line", "text", "source"),
    ] {
        let mut files: Vec<_> = std::fs::read_dir(kb_tests::root().join("corpus").join(directory))
            .expect("the corpus is there")
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("it can be read");
            let read: toml::Table = text.parse().expect("it is TOML");
            for entry in read[table].as_array().expect("a list") {
                let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
                out.push((format!("{directory} {}", text(id)), text(key)));
            }
        }
    }
    out
}

/// Redacting a text and then reading it gives what reading it and then redacting the result gives.
#[test]
fn every_text_of_the_corpus_keeps_its_causes() {
    let doctor = Doctor::default();
    let texts = texts();
    let mut wrong = Vec::new();
    for (number, (id, text)) in texts.iter().enumerate() {
        let private = injected(text);
        let mut redactor = Redactor::new(doctor.kb);
        let public = redactor.text(&private);
        let (findings, after) = (observed(&doctor, &private), observed(&doctor, &public));
        let named = [causes(&doctor, &findings), causes(&doctor, &after)];
        if named[0] != named[1] {
            wrong.push(format!("{id}: {:?}\n  redacted {:?}", named[0], named[1]));
        }
        let values = |findings: &Findings, change: &mut dyn FnMut(&str) -> String| -> Vec<String> {
            let all = findings.seen.all().iter();
            let mut all: Vec<_> =
                all.map(|o| format!("{} {} {:?}", o.what, change(&o.value), o.line)).collect();
            all.sort();
            all
        };
        let seen = [
            values(&findings, &mut |value| redactor.text(value)),
            values(&after, &mut |value| value.to_owned()),
        ];
        for lost in seen[0].iter().filter(|o| !seen[1].contains(o)) {
            wrong.push(format!("{id}: only in the text with names: {lost}"));
        }
        for new in seen[1].iter().filter(|o| !seen[0].contains(o)) {
            wrong.push(format!("{id}: only in the text without: {new}"));
        }
        let mut shown = public.to_lowercase();
        if number % IN_WORDS == 0 {
            let mut found = diagnosis::diagnose(&doctor.world, &findings, "en");
            redactor.diagnosis(&mut found);
            shown += &serde_json::to_string(&found).expect("it is JSON").to_lowercase();
        }
        for secret in SECRETS.map(str::to_lowercase).iter().filter(|secret| shown.contains(*secret)) {
            wrong.push(format!("{id}: {secret} is still there"));
        }
    }
    assert!(texts.len() > 150, "only {} texts", texts.len());
    assert!(wrong.is_empty(), "{} of {} texts\n{}", wrong.len(), texts.len(), wrong.join("\n"));
}

#[test]
fn the_program_hides_names_in_text_and_document() {
    let scratch = Scratch::new("redact");
    let log = injected(&format!("/home/user/x.py: {}", super::TOO_OLD));
    std::fs::write(scratch.file("zebulon.log"), &log).expect("written");
    std::fs::write(scratch.file("other.log"), "driver 470.57\n").expect("written");
    for json in [&["--json"][..], &[]] {
        let arguments = [&["diagnose", "zebulon.log", "other.log", "--all", "--redact"], json].concat();
        let out = kb(&arguments).current_dir(&scratch.0).output().expect("it starts");
        assert_eq!(out.status.code(), Some(1));
        let said = text(&out.stdout);
        for secret in SECRETS {
            assert!(!said.contains(secret), "{secret} is in\n{said}");
        }
        assert!(said.contains("/home/user1/x.py"), "{said}");
    }
}
