//! How a cause is mended here: the steps of its page that fit, with what was observed in them, and a build that the
//! engine found.

use crate::case::Case;
use crate::check::Finding;
use crate::reason::all_hold;
use kb_core::answer::Verdict;
use kb_core::answer::words::Speaker;
use kb_core::platform::Os;
use kb_core::record::{Cause, Fix};
use kb_core::request::RawRequest;
use kb_core::world::World;
use serde::Serialize;

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

/// What the engine would install on the machine of the log.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solved {
    /// The requirement: `torch==2.9.1`, with the extra that it takes.
    pub requirement: String,
    /// The channel that it comes from.
    pub channel: Option<String>,
    /// What fits, as a sentence.
    pub says: String,
    /// What another driver would allow, as a sentence.
    pub limit: Option<String>,
    /// The command.
    pub command: Option<String>,
    /// The question that it answers: what was observed.
    pub question: RawRequest,
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
    solved: &mut dyn FnMut() -> Option<Solved>,
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
        let named = Values { case, findings: values.findings.clone(), of_release: !fix.solve };
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
        if fix.solve
            && let Some(solved) = solved()
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

/// Asks the engine for a build of the package that the log is about, for the machine that it shows.
pub fn solve(world: &World<'_>, case: &Case<'_>, language: &str) -> Option<Solved> {
    let kb = case.kb();
    // No CUDA there, or builds of a kind that no channel of the catalogue has.
    if case.system.os == Some(Os::Macos) || case.system.jetson {
        return None;
    }
    let package = &kb.packages[case.package?];
    // The form with GPU code is wanted.
    let want = package.gpu_package.as_deref().unwrap_or(&package.id);
    let mut request = question(case, language);
    request.wants = vec![want.to_owned()];
    // What cannot be understood is left out, one thing after the other, rather than giving no answer at all.
    let relax: [fn(&mut RawRequest); 4] =
        [|r| r.glibc = None, |r| r.python = None, |r| r.arch = None, |r| r.driver = None];
    let mut answer = kb_core::ask(world, &request).ok();
    for drop in relax {
        if answer.is_some() {
            break;
        }
        drop(&mut request);
        answer = kb_core::ask(world, &request).ok();
    }
    let mut answer = answer?;
    // Of this release there may be none for the interpreter: another one is easier to have than another machine.
    if answer.verdict != Verdict::Fits && request.python.is_some() {
        request.python = None;
        answer = kb_core::ask(world, &request).ok()?;
    }
    if answer.verdict != Verdict::Fits {
        return None;
    }
    let item = answer.answers.into_iter().next()?;
    let shell = if case.system.os == Some(Os::Windows) { "powershell" } else { "bash" };
    let install = (item.install.iter().find(|i| i.tool == "pip" && i.shell == shell))
        .or_else(|| item.install.iter().find(|i| i.tool == "pip"))
        .or(item.install.first());
    let chosen = item.stack.iter().find(|c| c.component == want)?;
    let extra = chosen.extra.as_ref().map(|e| format!("[{e}]")).unwrap_or_default();
    Some(Solved {
        requirement: format!("{want}{extra}=={}", chosen.version.as_deref()?),
        channel: chosen.channel.clone(),
        says: item.says,
        limit: limit(&item.limits),
        command: install.map(|i| i.command.clone()),
        question: request,
    })
}

/// The machine as a question to the engine, without what is wanted.
pub(crate) fn question(case: &Case<'_>, language: &str) -> RawRequest {
    let mut request =
        RawRequest { command: "solve".to_owned(), lang: Some(language.to_owned()), ..RawRequest::default() };
    request.os = case.system.os.map(|os| os.word().to_owned());
    request.arch = case.system.arch.map(|a| a.word().to_owned());
    // Where only the CUDA level of the driver is told: the newest driver that has it.
    let of_level = || Some(newest_of_level(case, case.level()?.value)?.to_string());
    request.driver = case.driver().map(|d| d.value.to_string()).or_else(of_level);
    request.python = case.seen.first("python").map(|o| {
        let number = o.value.split_whitespace().next().unwrap_or(&o.value);
        number.split('.').take(2).collect::<Vec<_>>().join(".")
    });
    request.glibc = case.seen.first("glibc").map(|o| o.value.clone());
    let mut gpus: Vec<String> = Vec::new();
    for o in case.seen.of("gpu") {
        if case.gpu(&o.value).is_some() && !gpus.contains(&o.value) {
            gpus.push(o.value.clone());
        }
    }
    if gpus.is_empty()
        && let Some(capability) = case.capability()
    {
        gpus.push(format!("cc{}", capability.value));
    }
    request.gpus = gpus;
    request
}

/// What the driver keeps away: of several the one that asks for least.
fn limit(limits: &[kb_core::answer::Limit]) -> Option<String> {
    let of_driver = limits.iter().rev().find(|l| l.by == "nvidia-driver")?;
    Some(of_driver.says.clone())
}

/// The newest recorded driver of the branches with a CUDA level.
pub(crate) fn newest_of_level(
    case: &Case<'_>,
    level: kb_core::version::CudaVersion,
) -> Option<kb_core::version::DriverVersion> {
    let (driver, os) = (&case.world.driver, case.os());
    let of_level = |b: &&kb_core::world::BranchFacts| {
        b.cuda.is_some_and(|c| c.prefix(2).cmp_number(&level.prefix(2)).is_eq())
    };
    let branches = driver.branches.iter().filter(of_level);
    branches.filter_map(|b| driver.newest_of_branch(b.branch, os)).max_by(|a, b| a.cmp_number(b))
}
