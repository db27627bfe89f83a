//! How a cause is mended here: the steps of its page that fit, with what was observed in them, and a build that the
//! engine found.

use crate::case::Case;
use crate::check::Finding;
use crate::reason::all_hold;
use kb_core::answer::words::Speaker;
use kb_core::record::{Cause, Fix, Sought};
use serde::Serialize;

mod solve;

pub use solve::{Solved, solve};
pub(crate) use solve::{newest_of_level, question};

/// A step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// What to do.
    pub says: String,
    /// A command for the system of the log.
    pub command: Option<String>,
    /// A command whose output shows that it is mended.
    pub proves: Option<String>,
    /// How to go back to what was before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<String>,
}

/// Values for sentences.
pub(crate) struct Values<'a> {
    pub(crate) case: &'a Case<'a>,
    pub(crate) findings: Vec<&'a Finding>,
    /// Is the framework named with its release?
    pub(crate) of_release: bool,
}

impl<'a> Values<'a> {
    /// The value of a place: of the checks first, then the first that was observed.
    fn get(&self, name: &str) -> Option<String> {
        let checked = self.findings.iter().flat_map(|f| &f.values).find(|(n, _)| *n == name);
        if let Some((_, value)) = checked {
            return Some(value.clone());
        }
        match name {
            "framework" => self.case.subject_id().map(|id| self.with_version(id)),
            "os" => self.case.system.os.map(|os| os.word().to_owned()),
            "compute-capability" => self.case.capability().map(|c| c.value.to_string()),
            "framework-cuda" => self.case.framework_cuda().map(|c| c.value.to_string()),
            _ => self.case.seen.first(name).map(|o| o.value.clone()),
        }
    }

    fn with_version(&self, id: &str) -> String {
        match self.case.version_of(id).filter(|_| self.of_release) {
            Some(version) => format!("{id} {}", version.value),
            None => id.to_owned(),
        }
    }

    /// The sentence with its places filled; `None` if one is not known.
    pub(crate) fn fill(&self, template: &str) -> Option<String> {
        let mut out = String::with_capacity(template.len() + 32);
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let close = open + rest[open..].find('}')?;
            out.push_str(&self.get(&rest[open + 1..close])?);
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        Some(out)
    }
}

/// The steps of a cause.
pub(crate) fn steps(
    values: &Values<'_>,
    all: &[Finding],
    cause: &Cause,
    language: &str,
    solved: &mut dyn FnMut(Sought) -> Option<Solved>,
) -> Vec<Step> {
    let case = values.case;
    let words = case.system.words();
    let mut out = Vec::new();
    for fix in &cause.fixes {
        let fits = fix.os.as_deref().is_none_or(|os| words.contains(&os) || words.is_empty());
        if !fits || all_hold(case, all, &[], &fix.when).is_none() {
            continue;
        }
        // Where another release is looked for, that of now says nothing.
        let named = Values { case, findings: values.findings.clone(), of_release: fix.solve.is_none() };
        let Some(says) = named.fill(fix.says.in_language(language)) else { continue };
        let mut step = Step {
            says,
            command: of_system(&fix.commands, &words),
            proves: proof(cause, fix, case),
            undo: fix.undo.as_ref().and_then(|u| values.fill(u.in_language(language))),
        };
        if let Some(command) = &step.command {
            // A command with a place that is not known would not run.
            step.command = values.fill(command);
        }
        if let Some(sought) = fix.solve
            && let Some(solved) = solved(sought)
        {
            let stack = match solved.limit {
                Some(limit) => format!("{}; {limit}", solved.says),
                None => solved.says,
            };
            let parts = [("step", step.says), ("stack", stack)];
            step.says = Speaker::new(case.kb(), language).say("ui-diag-stack", &parts);
            step.command = solved.command.or(step.command);
        }
        out.push(step);
    }
    out
}

/// The command of the system that the words tell.
pub(crate) fn of_system(commands: &[(Box<str>, Box<str>)], words: &[&str]) -> Option<String> {
    let find = |word: &str| commands.iter().find(|(system, _)| &**system == word);
    let found = words.iter().find_map(|w| find(w)).or_else(|| find("any"));
    // Nothing tells the system: what is there for Linux is better than nothing.
    let found = found.or_else(|| if words.is_empty() { find("linux") } else { None });
    found.map(|(_, command)| command.to_string())
}

/// A command that shows whether it is mended: the step's own, else whether the framework sees the GPU.
fn proof(cause: &Cause, fix: &Fix, case: &Case<'_>) -> Option<String> {
    if let Some(proves) = &fix.proves {
        return Some(proves.to_string());
    }
    if cause.negative() {
        return None;
    }
    let code = case.kb().packages[case.package?].gpu_check.as_deref()?;
    Some(format!("python -c \"{code}\""))
}
