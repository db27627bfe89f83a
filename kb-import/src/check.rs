//! What an import would change: the diff of the tables, and the answers that would flip. Nothing is written.

use crate::held::Held;
use crate::run::{self, Plan};
use crate::write::{Table, versions};
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::world::World;
use kb_data::authoring;
use kb_data::tree::DataTree;
use similar::TextDiff;
use std::fs;
use std::path::Path;

/// What is new.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Releases that the facts do not have: package and version.
    pub releases: Vec<(String, String)>,
    /// Releases that the facts have and the index has not: withdrawn with all their files.
    pub vanished: Vec<(String, String)>,
    /// The tables that would change, as a unified diff.
    pub diff: String,
    /// Headline answers that would be others: the question, the answer now, the answer then.
    pub flips: Vec<(String, String, String)>,
    /// Mistakes that the loader would find in the new tables, contradictions among them.
    pub mistakes: Vec<String>,
}

impl Changes {
    /// Would an import change nothing?
    pub fn is_empty(&self) -> bool {
        self.diff.is_empty()
    }

    /// For a person to read.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.is_empty() {
            return "nothing new\n".to_owned();
        }
        let mut list = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                out.push_str(&format!("{title}\n"));
                lines.iter().for_each(|l| out.push_str(&format!("  {l}\n")));
                out.push('\n');
            }
        };
        let pair = |(package, version): &(String, String)| format!("{package} {version}");
        list("New releases", self.releases.iter().map(pair).collect());
        list("Vanished releases", self.vanished.iter().map(pair).collect());
        list(
            "Answers that would change",
            self.flips.iter().map(|(q, a, b)| format!("{q}: {a} → {b}")).collect(),
        );
        list("Mistakes to settle before that", self.mistakes.clone());
        out.push_str(&self.diff);
        out
    }
}

/// Compares what was read with the facts; `all` is the table over all packages, if all were read.
///
/// # Errors
/// If the facts cannot be read.
pub fn compare(
    held: &[Held],
    all: Option<Table>,
    plan: &Plan<'_>,
    headlines: &Path,
) -> Result<Changes, String> {
    let mut tables = run::tables(held, plan)?;
    tables.extend(all);
    let old = DataTree::from_dir(plan.data).map_err(|e| format!("{}: {e}", plan.data.display()))?;
    let mut new = old.clone();
    let mut out = Changes::default();
    for table in &tables {
        let path = table.path();
        let before = old.get(&path).map(|b| String::from_utf8_lossy(b).into_owned()).unwrap_or_default();
        let after = table.updated(&before, plan.today);
        if after == before {
            continue;
        }
        let diff = TextDiff::from_lines(&before, &after);
        out.diff.push_str(&diff.unified_diff().context_radius(3).header(&path, &path).to_string());
        if table.relation == "release" {
            let (had, has) = (versions(&before), versions(&after));
            let named = |v: &&str| (table.name.clone(), (*v).to_owned());
            out.releases.extend(has.difference(&had).map(named));
            out.vanished.extend(had.difference(&has).map(named));
        }
        if after.is_empty() {
            new.remove(&path);
        } else {
            new.insert(path, after);
        }
    }
    if out.is_empty() {
        return Ok(out);
    }
    let (before, _) = authoring::load(&old);
    let (after, found) = authoring::load(&new);
    let error = |d: &&kb_core::diag::Diagnostic| d.level == kb_core::diag::Level::Error;
    out.mistakes = found.iter().filter(error).map(|d| d.message.clone()).collect();
    out.flips = flips(&before, &after, &gpus(headlines)?);
    Ok(out)
}

/// The GPUs of the headline table, in its order.
fn gpus(headlines: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(headlines).map_err(|e| format!("{}: {e}", headlines.display()))?;
    let mut out: Vec<String> = Vec::new();
    for gpu in text.lines().skip(1).filter_map(|l| l.split('\t').next()) {
        if out.last().map(String::as_str) != Some(gpu) {
            out.push(gpu.to_owned());
        }
    }
    Ok(out)
}

/// The overview of every GPU on Linux and Windows, asked of both.
fn flips(before: &Kb, after: &Kb, gpus: &[String]) -> Vec<(String, String, String)> {
    let (before, after) = (World::new(before), World::new(after));
    let mut out = Vec::new();
    for gpu in gpus {
        for os in ["linux", "windows"] {
            let (old, new) = (answers(&before, gpu, os), answers(&after, gpu, os));
            for (package, then) in &new {
                let now = old.iter().find(|(p, _)| p == package).map_or("nothing", |(_, a)| a);
                if now != then {
                    out.push((format!("{gpu} {os} {package}"), now.to_owned(), then.clone()));
                }
            }
        }
    }
    out
}

/// For each framework the verdict, the release and the channel.
fn answers(world: &World<'_>, gpu: &str, os: &str) -> Vec<(String, String)> {
    let raw = RawRequest {
        command: "solve".into(),
        gpus: vec![gpu.into()],
        os: Some(os.into()),
        ..RawRequest::default()
    };
    let Ok(answer) = kb_core::ask(world, &raw) else { return Vec::new() };
    let one = |item: &kb_core::answer::Item| {
        let first = item.stack.first();
        let version = first.and_then(|c| c.version.as_deref()).unwrap_or("-");
        let channel = first.and_then(|c| c.channel.as_deref()).unwrap_or("-");
        (item.want.to_string(), format!("{} {version} {channel}", verdict(item.verdict)))
    };
    answer.answers.iter().map(one).collect()
}

fn verdict(verdict: kb_core::answer::Verdict) -> &'static str {
    match verdict {
        kb_core::answer::Verdict::Fits => "fits",
        kb_core::answer::Verdict::Conflict => "conflict",
        kb_core::answer::Verdict::Unknown => "unknown",
    }
}
