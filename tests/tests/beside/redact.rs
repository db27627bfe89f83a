//! A text without private names has the same causes as the text with them.

use super::{Scratch, kb, text};
use diagnose::diagnosis::{self, Diagnosis};
use diagnose::needles::Needles;
use diagnose::redact::Redactor;
use diagnose::sift::sift;
use kb_core::world::World;

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

fn diagnosed(needles: &Needles<'_>, world: &World<'_>, input: &str) -> Diagnosis {
    let excerpt = sift(needles, &mut input.as_bytes()).expect("it is in memory");
    diagnosis::diagnose(world, &diagnosis::observe(needles, excerpt, Vec::new()), "en")
}

#[test]
fn every_text_of_the_corpus_keeps_its_causes() {
    let kb = kb_data::builtin_for_diagnosis("en");
    let world = kb_data::world(&kb);
    let needles = Needles::new(&kb, &diagnose::read::ANCHORS);
    let mut files: Vec<_> = std::fs::read_dir(kb_tests::root().join("corpus/diagnose"))
        .expect("listed")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        let table: toml::Table =
            std::fs::read_to_string(&file).expect("read").parse().expect("the corpus can be read");
        for case in table["case"].as_array().expect("cases") {
            let (id, input) = (case["id"].as_str().expect("an id"), case["input"].as_str().expect("a text"));
            count += 1;
            let private = injected(input);
            let public = Redactor::new(&kb).text(&private);
            let (before, after) =
                (diagnosed(&needles, &world, &private), diagnosed(&needles, &world, &public));
            let causes = |found: &Diagnosis| -> Vec<_> {
                found.causes.iter().map(|c| (c.cause.clone(), c.certainty, c.lines.clone())).collect()
            };
            if causes(&before) != causes(&after) {
                wrong.push(format!("{id}: {:?}\n  redacted {:?}", causes(&before), causes(&after)));
            }
            let mut shown = before;
            let mut redactor = Redactor::new(&kb);
            redactor.learn(&private);
            redactor.diagnosis(&mut shown);
            let shown = serde_json::to_string(&shown).expect("it is JSON").to_lowercase();
            let lower = public.to_lowercase();
            for secret in
                SECRETS.map(str::to_lowercase).iter().filter(|s| lower.contains(*s) || shown.contains(*s))
            {
                wrong.push(format!("{id}: {secret} is still there"));
            }
        }
    }
    assert!(count > 20, "only {count} texts");
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
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
