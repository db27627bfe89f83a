//! A build that a diagnosis offers is one that the engine, asked about it alone, calls sound for the machine of the log.

use crate::corpus;
use kb_core::answer::Verdict;
use kb_core::request::RawRequest;
use kb_tests::logs::{Case, Doctor, cases};

/// Steps that do harm, however they are worded.
const NEVER: [&str; 7] =
    ["setx path", "setx /m", "system32", "ren cudnn", "mv cudnn64", "filerepository", "rmdir /s c:\\windows"];

#[test]
fn builds_that_are_offered_are_sound() {
    let doctor = Doctor::default();
    let mut sound = Vec::new();
    let mut wrong = Vec::new();
    for case in cases(&corpus("diagnose")) {
        let found = doctor.diagnose(case.input.as_bytes());
        let Some(stack) = &found.stack else { continue };
        let question = question(&case, stack);
        match kb_core::ask(&doctor.world, &question) {
            Ok(answer) if answer.verdict == Verdict::Fits => sound.push(case.id.clone()),
            Ok(answer) => wrong.push(format!(
                "{}: {} is {:?}: {}\n  {question:?}",
                case.id, stack.requirement, answer.verdict, answer.answers[0].says
            )),
            Err(mistakes) => wrong.push(format!("{}: {mistakes:?}", case.id)),
        }
    }
    println!("{} builds, all sound for their machines: {}", sound.len(), sound.join(", "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(sound.len() >= 20, "a build is offered for {} cases only", sound.len());
}

/// What the log shows, and what the report says of the machine beyond it.
fn question(case: &Case, stack: &diagnose::fix::Solved) -> RawRequest {
    let mut out = RawRequest {
        command: "check".to_owned(),
        wants: vec![stack.requirement.clone()],
        channels: stack.channel.iter().cloned().collect(),
        ..stack.question.clone()
    };
    if let Some(gpu) = &case.facts.gpu
        && out.gpus.is_empty()
        && !gpu.contains('(')
    {
        out.gpus = vec![gpu.clone()];
    }
    out
}

#[test]
fn no_step_does_harm() {
    let full = kb_data::builtin_full();
    for cause in &full.causes {
        assert!(!cause.fixes.is_empty(), "{} has no step", cause.id);
        for fix in &cause.fixes {
            let texts = std::iter::once(&*fix.says.en)
                .chain(fix.says.zh.as_deref())
                .chain(fix.commands.iter().map(|(_, c)| &**c));
            for text in texts {
                let lower = text.to_lowercase();
                let bad = NEVER.iter().find(|n| lower.contains(**n));
                // A step may say what is not to be touched.
                let warned = lower.contains("do not") || lower.contains("不要");
                assert!(bad.is_none() || warned, "{}: {text}", cause.id);
            }
        }
    }
}
