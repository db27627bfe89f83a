//! What guides claim, put to the engine: `tests/claims.toml`.

use kb_core::request::RawRequest;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    question: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    recorded: String,
    about: String,
    args: String,
    expected: String,
}

fn questions() -> Vec<Question> {
    let text = std::fs::read_to_string(kb_tests::root().join("claims.toml")).expect("claims.toml is there");
    toml::from_str::<File>(&text).unwrap_or_else(|e| panic!("claims.toml: {e}")).question
}

/// The words of a command line as a request. Requirements come first, options after them.
fn request(args: &str) -> RawRequest {
    let mut raw = RawRequest::default();
    let mut words = args.split_whitespace();
    raw.command = words.next().unwrap_or_default().to_owned();
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            raw.wants.push(word.to_owned());
            continue;
        }
        let value = words.next().unwrap_or_else(|| panic!("{args}: {word} has no value")).to_owned();
        match word {
            "--os" => raw.os = Some(value),
            "--python" => raw.python = Some(value),
            "--channel" => raw.channels.push(value),
            "--cuda" => raw.cuda = Some(value),
            "--cudnn" => raw.cudnn = Some(value),
            "--driver" => raw.driver = Some(value),
            "--gpu" => raw.gpus.push(value),
            other => panic!("{args}: {other} is not known here"),
        }
    }
    raw
}

#[test]
fn every_claim_is_there_with_its_verdict() {
    let kb = kb_data::builtin_full();
    let claims: Vec<_> = kb.articles.iter().flat_map(|a| &a.claims).collect();
    let mut ids: Vec<&str> = Vec::new();
    let questions = questions();
    for question in &questions {
        let Some(claim) = claims.iter().find(|c| *c.id == *question.id) else {
            panic!("there is no claim {}", question.id)
        };
        assert_eq!(*claim.verdict, *question.recorded, "{}: the data says otherwise", question.id);
        ids.push(&question.id);
    }
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.len() >= 25, "{} claims are asked about", ids.len());
}

#[test]
fn the_engine_agrees() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let mut wrong = Vec::new();
    for question in questions() {
        let said = match kb_core::ask(&world, &request(&question.args)) {
            Ok(answer) => {
                let verdict = serde_json::to_value(answer.verdict).expect("a word");
                let verdict = verdict.as_str().unwrap_or_default().to_owned();
                if verdict == question.expected {
                    continue;
                }
                let why: Vec<String> =
                    answer.conflict.iter().flat_map(|c| &c.core).map(|s| s.says.clone()).collect();
                let missing: Vec<String> = answer.answers.iter().flat_map(|i| i.missing.clone()).collect();
                format!("{verdict}: {}", [why, missing].concat().join("; "))
            }
            Err(mistakes) => mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        };
        wrong.push(format!(
            "{} ({}): {}\n  kb {}\n  expected {}, got {said}",
            question.id, question.recorded, question.about, question.args, question.expected
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
