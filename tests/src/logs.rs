//! Logs with known causes: `corpus/diagnose`, and what `kb diagnose` makes of them.

use diagnose::diagnosis::{self, CauseFound, Diagnosis};
use diagnose::needles::Needles;
use diagnose::sift::sift;
use kb_core::kb::Kb;
use kb_core::world::World;
use serde::Deserialize;
use std::path::Path;

/// One log.
#[derive(Debug, Deserialize, Clone)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// The cause that comes first.
    pub cause: String,
    /// A second cause that must be named too.
    #[serde(default)]
    pub also: Vec<String>,
    /// Pieces of the text that a diagnosis has to cite.
    pub evidence: Vec<String>,
    /// `linux`, `windows`, `wsl2`, `docker`, `jetson`.
    #[serde(default)]
    pub os: String,
    /// The text.
    pub input: String,
    /// What is known of the machine.
    #[serde(default)]
    pub facts: Facts,
}

/// What the report of a case says of its machine.
#[derive(Debug, Deserialize, Clone, Default)]
pub struct Facts {
    /// The GPU.
    pub gpu: Option<String>,
    /// The driver, with words around it.
    pub driver: Option<String>,
    /// The interpreter.
    pub python: Option<String>,
}

#[derive(Debug, Deserialize)]
struct File {
    #[serde(default, rename = "case")]
    cases: Vec<Case>,
}

/// All cases of a directory, by file and place.
pub fn cases(directory: &Path) -> Vec<Case> {
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        toml::from_str::<File>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).cases
    };
    files.iter().flat_map(read).collect()
}

/// The facts, ready to diagnose.
#[derive(Debug)]
pub struct Doctor {
    /// The facts.
    pub kb: &'static Kb,
    /// The rules' view of them.
    pub world: World<'static>,
    /// The needles.
    pub needles: Needles<'static>,
}

impl Default for Doctor {
    fn default() -> Self {
        let kb: &'static Kb = Box::leak(Box::new(kb_data::builtin_for_diagnosis("en")));
        Doctor { kb, world: kb_data::world(kb), needles: Needles::new(kb, &diagnose::read::ANCHORS) }
    }
}

impl Doctor {
    /// The diagnosis of a text as it comes.
    pub fn diagnose(&self, bytes: &[u8]) -> Diagnosis {
        let excerpt = sift(&self.needles, &mut &*bytes).expect("memory can be read");
        let findings = diagnosis::observe(&self.needles, excerpt, Vec::new());
        diagnosis::diagnose(&self.world, &findings, "en")
    }
}

/// How a diagnosis of a case did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// The first cause is right.
    pub first: bool,
    /// The right one is among the first three.
    pub three: bool,
    /// The second cause is there, or none is wanted.
    pub both: bool,
    /// Pieces of evidence that the right cause cites, of all.
    pub cited: (usize, usize),
    /// Causes about compatibility where there is none.
    pub false_causes: Vec<String>,
    /// Pieces that were not cited.
    pub not_cited: Vec<String>,
}

/// Holds a diagnosis against a case.
pub fn score(case: &Case, found: &Diagnosis) -> Score {
    let place = |id: &str| found.causes.iter().position(|c| c.cause == id);
    let right = place(&case.cause);
    let mut out = Score {
        first: right == Some(0),
        three: right.is_some_and(|p| p < 3),
        both: case.also.iter().all(|id| place(id).is_some()),
        ..Score::default()
    };
    let named: Vec<&CauseFound> = right
        .into_iter()
        .chain(case.also.iter().filter_map(|id| place(id)))
        .map(|p| &found.causes[p])
        .collect();
    for piece in &case.evidence {
        out.cited.1 += 1;
        if named.iter().any(|c| cites(&case.input, c, piece)) {
            out.cited.0 += 1;
        } else {
            out.not_cited.push(piece.clone());
        }
    }
    if case.cause.starts_with("not-compat") {
        let wrong = found.causes.iter().filter(|c| !c.negative);
        out.false_causes = wrong.map(|c| c.cause.clone()).collect();
    }
    out
}

/// Does a cause cite a piece: in its quotes, or by the numbers of all lines that the piece stands on?
fn cites(input: &str, cause: &CauseFound, piece: &str) -> bool {
    if cause.quotes.iter().any(|q| q.contains(piece)) {
        return true;
    }
    let lines: Vec<&str> = input.lines().collect();
    let wanted: Vec<&str> = piece.lines().collect();
    (0..lines.len().saturating_sub(wanted.len() - 1)).any(|at| {
        let all_there = wanted.iter().enumerate().all(|(i, w)| lines[at + i].contains(w.trim()));
        all_there && (0..wanted.len()).all(|i| cause.lines.contains(&(at + i + 1)))
    })
}
