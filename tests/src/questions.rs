//! Examination questions: what `kb check` must say, written from the reference material alone.

use kb_core::answer::{Answer, Verdict};
use kb_core::world::World;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One question; see the head of `questions/check.toml`.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// What follows `kb check`.
    pub args: Vec<String>,
    /// `fits`, `conflict`, `unknown`.
    pub verdict: String,
    /// What the sentences of a conflict must contain.
    #[serde(default)]
    pub says: Vec<String>,
    /// The record it rests on.
    #[serde(default)]
    pub why: String,
}

#[derive(Deserialize)]
struct File {
    question: Vec<Question>,
}

/// All questions of all files, sorted by file.
///
/// # Errors
/// If a file cannot be read.
pub fn all() -> Result<Vec<Question>, String> {
    let dir = crate::root().join("questions");
    let mut paths: Vec<_> = std::fs::read_dir(&dir)
        .map_err(|e| format!("{}: {e}", dir.display()))?
        .flatten()
        .map(|e| e.path())
        .collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file: File = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        out.extend(file.question);
    }
    Ok(out)
}

/// What became of a question.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The question.
    pub question: Question,
    /// The verdict that was given, or `error`.
    pub given: String,
    /// Everything that was said to it.
    pub said: String,
    /// Is it right?
    pub right: bool,
}

/// Asks a question through the library, with the program's own reading of arguments.
pub fn ask(world: &World<'_>, question: &Question) -> Graded {
    let mut arguments = vec!["check".to_owned()];
    arguments.extend(question.args.iter().cloned());
    let answer = kb_cli::raw_request(&arguments).and_then(|mut raw| {
        raw.lang = Some("en".to_owned());
        kb_core::ask(world, &raw)
            .map_err(|d| d.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    });
    let (given, said, right) = match &answer {
        Ok(answer) => {
            let given = word(answer.verdict);
            let core = core(answer);
            let lower = core.to_lowercase();
            let missing: Vec<&str> = question
                .says
                .iter()
                .filter(|s| !lower.contains(&s.to_lowercase()))
                .map(String::as_str)
                .collect();
            let right = given == question.verdict && (given != "conflict" || missing.is_empty());
            let mut said = if core.is_empty() { steps(answer) } else { core };
            if given == question.verdict && !missing.is_empty() {
                said.push_str(&format!("\nnot said: {}", missing.join(", ")));
            }
            (given.to_owned(), said, right)
        }
        Err(error) => ("error".to_owned(), error.clone(), false),
    };
    Graded { question: question.clone(), given, said, right }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Fits => "fits",
        Verdict::Conflict => "conflict",
        Verdict::Unknown => "unknown",
    }
}

/// The sentences of the conflict's core.
fn core(answer: &Answer) -> String {
    let first = answer.answers.first().and_then(|i| i.conflict.as_ref());
    let conflict = answer.conflict.as_ref().or(first);
    conflict.into_iter().flat_map(|c| &c.core).map(|s| s.says.as_str()).collect::<Vec<_>>().join("\n")
}

/// The steps, for a question that was wrongly answered.
fn steps(answer: &Answer) -> String {
    let items = answer.answers.iter().take(1);
    items
        .flat_map(|i| {
            i.steps
                .iter()
                .map(|s| format!("{}: {}", s.outcome, s.says))
                .chain(i.missing.iter().map(|m| format!("missing: {m}")))
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Right and wrong answers of one verdict class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Right answers.
    pub right: usize,
    /// All of them.
    pub all: usize,
}

impl Score {
    /// Is at least this percentage right?
    pub fn reaches(self, percent: usize) -> bool {
        self.right * 100 >= self.all * percent
    }
}

/// The scores by the verdict that is wanted.
pub fn scores(graded: &[Graded]) -> BTreeMap<String, Score> {
    let mut out: BTreeMap<String, Score> = BTreeMap::new();
    for one in graded {
        let score = out.entry(one.question.verdict.clone()).or_default();
        score.all += 1;
        score.right += usize::from(one.right);
    }
    out
}
