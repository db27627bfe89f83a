//! What runs on a GPU: the engine is asked for each main framework, and its answers are kept as they are.

use crate::language::Language;
use kb_core::answer::{Answer, Item, Verdict};
use kb_core::request::RawRequest;
use kb_core::world::World;

/// The systems that are asked for.
pub(crate) const SYSTEMS: [&str; 2] = ["linux", "windows"];

/// The engine's answer for a GPU, a framework and a system.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Index in the catalogue.
    pub(crate) framework: usize,
    /// The package that is installed: of a family one of its members.
    pub(crate) package: Option<String>,
    pub(crate) os: &'static str,
    pub(crate) verdict: Verdict,
    pub(crate) version: Option<String>,
    pub(crate) channel: Option<String>,
    pub(crate) cuda: Option<String>,
    /// `sass 8.6`.
    pub(crate) how: Option<String>,
    /// The least driver, and the branch beyond which there is none.
    pub(crate) least: Option<String>,
    pub(crate) below: Option<String>,
    pub(crate) grade: Option<&'static str>,
    pub(crate) command: Option<String>,
    /// Why nothing fits or is known, in the order of the languages that were asked for.
    pub(crate) why: Vec<String>,
}

/// The main frameworks, in their order.
pub(crate) fn frameworks(world: &World<'_>) -> Vec<usize> {
    let packages = &world.kb.packages;
    let mut out: Vec<usize> = (0..packages.len()).filter(|i| packages[*i].main.is_some()).collect();
    out.sort_by_key(|i| packages[*i].main);
    out
}

/// Asks for every framework and system.
pub(crate) fn of(world: &World<'_>, gpu: usize, languages: &[Language], today: &str) -> Vec<Run> {
    let mut out = Vec::new();
    for framework in frameworks(world) {
        for os in SYSTEMS {
            out.push(run(world, gpu, framework, os, languages, today));
        }
    }
    out
}

fn run(
    world: &World<'_>,
    gpu: usize,
    framework: usize,
    os: &'static str,
    languages: &[Language],
    today: &str,
) -> Run {
    let ask = |language: Language| {
        let gpu = &world.kb.gpus[gpu];
        let request = RawRequest {
            command: "solve".to_owned(),
            wants: vec![world.kb.packages[framework].id.to_string()],
            gpus: vec![gpu.id.to_string()],
            os: Some(os.to_owned()),
            arch: Some(gpu.processor.map_or("x86_64", |arch| arch.word()).to_owned()),
            lang: Some(language.tag().to_owned()),
            today: Some(today.to_owned()),
            ..RawRequest::default()
        };
        kb_core::ask(world, &request)
    };
    let mut run = Run {
        framework,
        package: None,
        os,
        verdict: Verdict::Unknown,
        version: None,
        channel: None,
        cuda: None,
        how: None,
        least: None,
        below: None,
        grade: None,
        command: None,
        why: Vec::new(),
    };
    for (index, language) in languages.iter().enumerate() {
        match ask(*language) {
            Ok(answer) => {
                let Some(item) = answer.answers.first() else { continue };
                if index == 0 {
                    fill(&mut run, item);
                }
                if item.verdict == Verdict::Fits {
                    break;
                }
                run.why.push(why(&answer, item));
            }
            Err(mistakes) => run.why.push(mistakes.first().map(|d| d.message.clone()).unwrap_or_default()),
        }
    }
    run
}

fn fill(run: &mut Run, item: &Item) {
    run.verdict = item.verdict;
    run.grade = item.grade;
    if let Some(part) = item.stack.first().filter(|_| item.verdict == Verdict::Fits) {
        run.package = Some(part.component.clone());
        run.version = part.version.clone();
        run.channel = part.channel.clone();
        run.cuda = part.cuda.clone();
    }
    run.how = item.device_code.as_ref().and_then(|code| code.runs.clone());
    if let Some(driver) = &item.driver {
        run.least = driver.minimum.clone();
        run.below = driver.below.clone();
    }
    run.command = item.install.first().map(|line| line.command.clone());
}

/// The links that rule everything out; where nothing is ruled out, what the answer says.
fn why(answer: &Answer, item: &Item) -> String {
    let conflict = item.conflict.as_ref().or(answer.conflict.as_ref());
    match conflict.filter(|c| !c.core.is_empty()) {
        Some(conflict) => conflict.core.iter().map(|step| &*step.says).collect::<Vec<_>>().join("; "),
        None => item.says.clone(),
    }
}
