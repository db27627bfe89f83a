//! A text without private names has the same causes as the text with them.

use super::{Scratch, kb, text};
use diagnose::case::Case;
use diagnose::diagnosis::{self, Findings};
use diagnose::redact::Redactor;
use diagnose::sift::sift;
use diagnose::{check, reason};
use kb_tests::logs::{self, Doctor};

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
const IN_WORDS: usize = 6;

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

#[test]
fn every_text_of_the_corpus_keeps_its_causes() {
    let doctor = Doctor::default();
    let cases = logs::cases(&kb_tests::root().join("corpus/diagnose"));
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let private = injected(&case.input);
        let public = Redactor::new(doctor.kb).text(&private);
        let findings = observed(&doctor, &private);
        let (before, after) = (causes(&doctor, &findings), causes(&doctor, &observed(&doctor, &public)));
        if before != after {
            wrong.push(format!("{}: {before:?}\n  redacted {after:?}", case.id));
        }
        let mut shown = public.to_lowercase();
        if number % IN_WORDS == 0 {
            let mut found = diagnosis::diagnose(&doctor.world, &findings, "en");
            let mut redactor = Redactor::new(doctor.kb);
            redactor.learn(&private);
            redactor.diagnosis(&mut found);
            shown += &serde_json::to_string(&found).expect("it is JSON").to_lowercase();
        }
        for secret in SECRETS.map(str::to_lowercase).iter().filter(|secret| shown.contains(*secret)) {
            wrong.push(format!("{}: {secret} is still there", case.id));
        }
    }
    assert!(cases.len() >= 50, "only {} texts", cases.len());
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), cases.len(), wrong.join("\n"));
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
