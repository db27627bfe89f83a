//! The diagnosis of one or several texts, as it is shown and written.

use crate::case::Case;
use crate::check::{self, Finding};
use crate::fix::{self, Solved, Step, Values};
use crate::interpreter::run_by;
use crate::machine::Judged;
use crate::needles::Needles;
use crate::reason::{self, Certainty, Found};
use crate::seen::Seen;
use crate::sift::{Excerpt, around};
use crate::{Hit, Line, normal, read};
use kb_core::kb::Kb;
use kb_core::observe::Observation;
use kb_core::record::{Never, Sought};
use kb_core::world::World;
use regex::Regex;
use serde::Serialize;
use std::borrow::Cow;

/// What is in a text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Diagnosis {
    /// 1.
    pub schema: u32,
    /// `diagnose`.
    pub command: &'static str,
    /// `found` or `nothing-known`.
    pub verdict: &'static str,
    /// Best first.
    pub causes: Vec<CauseFound>,
    /// What was seen.
    pub observations: Vec<Observation>,
    /// What the engine would install instead, where a step says so.
    pub stack: Option<Solved>,
    /// What the engine says of the packages of a machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judged: Vec<Judged>,
    /// Messages that are known to be harmless, with their lines.
    pub harmless: Vec<Harmless>,
    /// How many lines were read.
    pub lines: usize,
}

/// A cause.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CauseFound {
    /// Its id.
    pub cause: String,
    /// One line.
    pub title: String,
    /// What kind of thing is wrong: `driver`, `package`, `residue` …
    pub family: String,
    /// The failure is not about compatibility.
    pub negative: bool,
    /// `confirmed`, `likely`, `possible`.
    pub certainty: &'static str,
    /// What is wrong here.
    pub says: String,
    /// Lines that show it.
    pub lines: Vec<usize>,
    /// The same as `file:line`, where several texts were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Those of them that say most.
    #[serde(skip)]
    pub main: Vec<usize>,
    /// What they say.
    pub quotes: Vec<String>,
    /// Ids of facts that prove it.
    pub facts: Vec<String>,
    /// Ids of the messages that speak for it.
    pub signatures: Vec<String>,
    /// How to mend it.
    pub fix: Vec<Step>,
    /// A command whose output would decide, where it is not sure.
    pub decides: Option<String>,
    /// What must not be done.
    pub never: Vec<String>,
    /// Its page.
    pub page: String,
}

/// A message that looks like a failure and is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Harmless {
    /// Id of the signature.
    pub signature: String,
    /// What it says.
    pub title: String,
    /// Where it stands.
    pub lines: Vec<usize>,
}

/// Somebody chose the lines of a text this short: what is in it is meant.
const SHORT: usize = 12;

/// Of one cause not more lines are shown.
const MOST_LINES: usize = 16;

/// So many of them are the first to be shown.
const MAIN: usize = 8;

/// Of a longer line about so many characters are quoted.
const LONGEST_QUOTE: usize = 600;

/// What is diagnosed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Of {
    /// A text in which something failed.
    #[default]
    Text,
    /// A machine: what is wrong with it counts, whether something failed or not.
    Machine,
}

/// Everything about a text but its words.
#[derive(Debug)]
pub struct Findings {
    /// What was seen.
    pub seen: Seen,
    /// What was read.
    pub excerpt: Excerpt,
    /// What it was read of.
    pub of: Of,
}

/// Everything that is seen in an excerpt: what readers find, and the values in messages. `given` was said by hand.
pub fn observe(needles: &Needles<'_>, mut excerpt: Excerpt, given: Vec<Observation>) -> Findings {
    let mut seen = Seen::default();
    for observation in given {
        seen.push(observation);
    }
    for observation in read::read(&excerpt.lines) {
        seen.push(observation);
    }
    if excerpt.total > SHORT && !is_about_gpus(needles, &excerpt, &seen) {
        excerpt.hits.retain(|h| !needles.signatures[h.signature].generic);
    }
    values(needles, &excerpt, &mut seen);
    named_releases(needles, &mut seen);
    errors(needles, &excerpt, &mut seen);
    seen.sort();
    Findings { seen, excerpt, of: Of::Text }
}

/// The values in messages.
pub(crate) fn values(needles: &Needles<'_>, excerpt: &Excerpt, seen: &mut Seen) {
    for hit in &excerpt.hits {
        let signature = &needles.signatures[hit.signature];
        let Some(pattern) = needles.pattern(hit.signature) else { continue };
        let text = with_next_line(excerpt, hit, pattern);
        let Some(found) = pattern.captures(&text) else { continue };
        for (name, what) in &signature.captures {
            let Some(text) = found.name(name) else { continue };
            // Paddle names candidates: one value for each.
            for part in text.as_str().split(';') {
                if let Some(value) = normal::normal(what, part) {
                    let method = format!("message {}", signature.id);
                    let new = Observation::on_line(&**what, &value, method, hit.line);
                    seen.push(if value == part { new } else { new.from_text(part) });
                }
            }
        }
    }
}

/// The line of a message, or with the next one where the message goes on there with another value.
fn with_next_line<'h>(excerpt: &Excerpt, hit: &'h Hit, pattern: &Regex) -> Cow<'h, str> {
    let values = |text: &str| pattern.captures(text).map_or(0, |c| c.iter().skip(1).flatten().count());
    let names = pattern.captures_len() - 1;
    let next = excerpt.lines.binary_search_by_key(&(hit.line + 1), |l| l.number);
    match next {
        Ok(next) if names > 0 && values(&hit.text) < names => {
            let both = format!("{} {}", hit.text.trim_end(), excerpt.lines[next].text.trim_start());
            if values(&both) > values(&hit.text) { both.into() } else { (&*hit.text).into() }
        }
        _ => (&*hit.text).into(),
    }
}

/// Is there anything about the GPU stack in the text, beside messages that other software prints as well?
fn is_about_gpus(needles: &Needles<'_>, excerpt: &Excerpt, seen: &Seen) -> bool {
    const ABOUT: [&str; 8] = [
        "gpu",
        "driver",
        "cuda-driver-level",
        "cuda-toolkit",
        "framework-cuda",
        "cudnn",
        "cuda-available",
        "compute-capability",
    ];
    let frameworks = needles.kb.packages.iter().filter(|p| p.main.is_some());
    let modules: Vec<&str> = frameworks.filter_map(|p| p.import_name.as_deref()).collect();
    let named = |text: &str| modules.iter().any(|module| text.starts_with(module));
    excerpt.hits.iter().any(|h| !needles.signatures[h.signature].generic)
        || ABOUT.iter().any(|what| seen.first(what).is_some())
        || seen.packages().any(|(name, _)| named(name))
        || excerpt.lines.iter().any(|l| {
            let marks = ["site-packages", "dist-packages", "import ", "install "];
            marks.iter().any(|mark| {
                l.text.split(mark).skip(1).any(|rest| {
                    let rest = rest.trim_start_matches(['/', '\\', ' ']);
                    named(rest)
                })
            })
        })
}

/// Before CUDA 11 the name of a library that a framework asks for tells the release that it was built with.
fn named_releases(needles: &Needles<'_>, seen: &mut Seen) {
    let mut new = Vec::new();
    for o in seen.of("library-missing") {
        if let Some(release) = normal::cuda_release(needles.kb, &o.value)
            && normal::cuda_major(needles.kb, &o.value).is_some_and(|major| major < 11)
            && let Some(line) = o.line
        {
            new.push(
                Observation::on_line("framework-cuda", release, o.method.clone(), line).from_text(&o.value),
            );
        }
    }
    new.into_iter().for_each(|o| seen.push(o));
}

/// Messages that name their cause, or that have a short name of their own, are observations too.
pub(crate) fn errors(needles: &Needles<'_>, excerpt: &Excerpt, seen: &mut Seen) {
    for hit in &excerpt.hits {
        let signature = &needles.signatures[hit.signature];
        let method = || format!("message {}", signature.id);
        let raw = || {
            let lower = hit.text.to_ascii_lowercase();
            let needle = signature.needles.iter().find(|n| lower.contains(&n.to_ascii_lowercase()));
            needle.map_or_else(|| hit.text.clone(), |n| n.to_string())
        };
        let mut push = |value: &str| {
            seen.push(Observation::on_line("error", value, method(), hit.line).from_text(raw()));
        };
        match (&signature.error, &signature.states) {
            (Some(name), _) => push(&filled(needles, hit, name)),
            (None, Some(cause)) => push(cause),
            (None, None) => {}
        }
    }
}

/// A name with values of the message in it: `xid-{xid}`.
fn filled(needles: &Needles<'_>, hit: &crate::Hit, name: &str) -> String {
    let Some((before, rest)) = name.split_once('{') else { return name.to_owned() };
    let (capture, after) = rest.split_once('}').unwrap_or((rest, ""));
    let found = needles.pattern(hit.signature).and_then(|p| p.captures(&hit.text));
    let value = found.and_then(|c| Some(c.name(capture)?.as_str().to_owned())).unwrap_or_default();
    format!("{before}{value}{after}")
}

/// The causes, in words.
pub fn diagnose(world: &World<'_>, findings: &Findings, language: &str) -> Diagnosis {
    let kb = world.kb;
    let lines: Vec<Line<'_>> =
        (findings.excerpt.lines.iter()).map(|l| Line { number: l.number, text: (&*l.text).into() }).collect();
    let case =
        Case { of: findings.of, ..Case::new(world.view(), &findings.seen, &findings.excerpt.hits, &lines) };
    let checked = check::all(&case);
    let found = reason::causes(&case, &checked);
    let mut solved: Vec<(Sought, Option<Solved>)> = Vec::new();
    let judged = match findings.of {
        Of::Text => Vec::new(),
        Of::Machine => crate::machine::judge(world, &case, language),
    };
    let causes: Vec<CauseFound> = found
        .iter()
        .map(|f| {
            let mut solve = |sought| {
                if let Some((_, known)) = solved.iter().find(|(s, _)| *s == sought) {
                    return known.clone();
                }
                let found = fix::solve(world, &case, language, sought);
                solved.push((sought, found.clone()));
                found
            };
            in_words(kb, &case, &checked, f, language, &mut solve)
        })
        .collect();
    let (mut causes, mut observations) = (causes, findings.seen.all().to_vec());
    let mut stack = solved.into_iter().find_map(|(_, found)| found);
    stack.iter_mut().flat_map(|s| &mut s.command).for_each(|command| name_python(&case, command));
    if findings.excerpt.files.len() > 1 {
        name_files(&findings.excerpt, &mut causes, &mut observations);
    }
    Diagnosis {
        schema: 1,
        command: "diagnose",
        verdict: if causes.is_empty() { "nothing-known" } else { "found" },
        causes,
        observations,
        stack,
        judged,
        harmless: harmless(kb, &findings.excerpt, language),
        lines: findings.excerpt.total,
    }
}

/// Of a machine it is known which Python a command is for.
fn name_python(case: &Case<'_>, command: &mut String) {
    if case.of == Of::Machine
        && let Some(python) = case.seen.first("interpreter")
    {
        *command = run_by(command, &python.value);
    }
}

/// Of several texts each line is told with the name of its own.
fn name_files(excerpt: &Excerpt, causes: &mut [CauseFound], observations: &mut [Observation]) {
    for cause in causes {
        let place = |line: &usize| excerpt.place(*line).map(|(file, line)| format!("{file}:{line}"));
        cause.places = cause.lines.iter().filter_map(place).collect();
    }
    for observation in observations {
        if let Some((file, line)) = observation.line.and_then(|l| excerpt.place(l)) {
            observation.place = Some(file.to_owned());
            observation.line = Some(line);
        }
    }
}

fn in_words<'a>(
    kb: &Kb,
    case: &'a Case<'a>,
    checked: &'a [Finding],
    found: &Found,
    language: &str,
    solve: &mut dyn FnMut(Sought) -> Option<Solved>,
) -> CauseFound {
    let cause = &kb.causes[found.cause];
    let used: Vec<&Finding> = found.findings.iter().map(|f| &checked[*f]).collect();
    let values = Values { case, findings: used, of_release: true };
    // What is only possible is not stated as a fact, unless values from the text are in it.
    let sure = found.certainty > Certainty::Possible;
    let sayable = |s: &&kb_core::record::Said| sure || s.en.contains('{');
    let says = cause.says.iter().filter(sayable).find_map(|s| values.fill(s.in_language(language)));
    let mut lines = cited(case, found, cause);
    let main = lines.iter().copied().take(MAIN).collect();
    lines.sort_unstable();
    let quotes = lines.iter().filter_map(|n| quote(case, *n)).collect();
    let mut facts: Vec<String> = Vec::new();
    for fact in values.findings.iter().flat_map(|f| &f.facts) {
        let name = kb.fact_name(*fact);
        if !facts.contains(&name) {
            facts.push(name);
        }
    }
    let mut fix = fix::steps(&values, checked, cause, language, solve);
    let mut decides = (found.certainty < Certainty::Confirmed)
        .then(|| fix::of_system(&cause.decides, &case.system.words()))
        .flatten()
        .and_then(|command| values.fill(&command));
    let commands = fix.iter_mut().flat_map(|step| step.command.iter_mut().chain(&mut step.proves));
    commands.chain(&mut decides).for_each(|command| name_python(case, command));
    CauseFound {
        cause: cause.id.to_string(),
        title: cause.title.in_language(language).to_owned(),
        family: cause.family.to_string(),
        negative: cause.negative(),
        certainty: found.certainty.word(),
        says: says.unwrap_or_else(|| cause.title.in_language(language).to_owned()),
        lines,
        places: Vec::new(),
        main,
        quotes,
        facts,
        signatures: found.signatures.iter().map(|s| kb.signatures[*s].id.to_string()).collect(),
        fix,
        decides,
        never: (cause.never.iter())
            .filter(|n| concerns(case, n))
            .map(|n| n.says.in_language(language).to_owned())
            .collect(),
        page: format!("causes/{}/", cause.id),
    }
}

/// Is it about the system and the framework of the log, as far as both are known?
fn concerns(case: &Case<'_>, never: &Never) -> bool {
    let here = |os: &str| case.system.os.is_none() || case.system.words().contains(&os);
    let of_system = never.os.as_deref().is_none_or(here);
    of_system && case.subject_id().is_none_or(|id| never.is_about(id))
}

/// The lines of a cause: its messages and checks first, then what its page says to look at.
fn cited(case: &Case<'_>, found: &Found, cause: &kb_core::record::Cause) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    let mut add = |line: usize| {
        if out.len() < MOST_LINES && !out.contains(&line) {
            out.push(line);
        }
    };
    // Each message once, then all of its places as long as there is room.
    for signature in &found.signatures {
        if let Some(hit) = case.hits.iter().find(|h| h.signature == *signature) {
            add(hit.line);
        }
    }
    found.lines.iter().take(MOST_LINES / 2).for_each(|l| add(*l));
    // Of a machine everything is known: what a check rests on says it, the rest would stand below every cause.
    if case.of == Of::Machine && !found.lines.is_empty() {
        found.lines.iter().for_each(|l| add(*l));
        return out;
    }
    for what in &cause.cites {
        let of_stack = |name: &str| {
            case.kb().package(name).is_some()
                || ["nvidia-", "cuda", "cudnn", "lib"].iter().any(|s| name.starts_with(s))
        };
        let meant = |o: &&Observation| o.what.strip_prefix("package:").is_none_or(of_stack);
        for o in case.seen.of(what).filter(meant).take(4) {
            let Some(line) = o.line else { continue };
            // What a prompt answers means nothing without what was asked.
            let asked = line.checked_sub(1).filter(|l| case.line(*l).is_some_and(is_prompt));
            asked.filter(|_| &**what == "cuda-available").into_iter().for_each(&mut add);
            add(line);
        }
    }
    found.lines.iter().for_each(|l| add(*l));
    // Of a machine everything is known, and these lines would stand below every cause.
    if case.of == Of::Machine {
        return out;
    }
    // What else somebody would look at: the chain of the machine.
    for what in CHAIN {
        for o in case.seen.of(what).take(2) {
            o.line.into_iter().for_each(&mut add);
        }
    }
    if let Some(version) = case.subject_id().and_then(|id| case.version_of(id)) {
        version.lines.into_iter().for_each(&mut add);
    }
    out
}

/// What belongs to the chain of a machine, from the GPU to the package.
const CHAIN: [&str; 20] = [
    "gpu",
    "driver",
    "cuda-driver-level",
    "cuda-toolkit",
    "framework-cuda",
    "cudnn",
    "cuda-available",
    "library-found",
    "library-loaded",
    "search-path",
    "kernel",
    "os",
    // Nobody pastes these by accident.
    "kernel-module",
    "device-node",
    "service",
    "limit",
    "program-found",
    "cpu",
    "arch",
    "mig",
];

fn is_prompt(line: &str) -> bool {
    [">>> ", "$ ", "In ["].iter().any(|mark| line.trim_start().starts_with(mark))
}

/// A line as it is quoted: of a long one what stands around the message.
fn quote(case: &Case<'_>, number: usize) -> Option<String> {
    let line = case.line(number)?.trim();
    if line.len() <= LONGEST_QUOTE || line.chars().count() <= LONGEST_QUOTE {
        return Some(line.to_owned());
    }
    // Of a very long line only the beginning was kept, and with the message what is around it.
    let place = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let here = case.hits.iter().filter(|h| h.line == number);
        let needles = here.flat_map(|h| &case.kb().signatures[h.signature].needles);
        needles.filter_map(|n| lower.find(&n.to_ascii_lowercase())).min()
    };
    let kept =
        || case.hits.iter().filter(|h| h.line == number).find_map(|h| Some((&*h.text, place(&h.text)?)));
    let (text, at, whole) = match place(line) {
        Some(at) => (line, at, true),
        None => kept().map_or((line, 0, true), |(text, at)| (text, at, false)),
    };
    let bytes = LONGEST_QUOTE * text.len() / text.chars().count().max(1);
    let piece = around(text, at, bytes);
    let before = if whole && piece.start == 0 { "" } else { "…" };
    let after = if whole && piece.end == text.len() { "" } else { "…" };
    Some(format!("{before}{}{after}", text[piece].trim()))
}

fn harmless(kb: &Kb, excerpt: &Excerpt, language: &str) -> Vec<Harmless> {
    let mut out: Vec<Harmless> = Vec::new();
    for hit in &excerpt.hits {
        let signature = &kb.signatures[hit.signature];
        if !signature.harmless {
            continue;
        }
        match out.iter_mut().find(|h| h.signature == *signature.id) {
            Some(known) if known.lines.len() < MOST_LINES => known.lines.push(hit.line),
            Some(_) => {}
            None => out.push(Harmless {
                signature: signature.id.to_string(),
                title: signature.title.in_language(language).to_owned(),
                lines: vec![hit.line],
            }),
        }
    }
    out
}
