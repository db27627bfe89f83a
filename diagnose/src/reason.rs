//! From what was seen to causes: signatures suggest, signs add, checks prove or refute.
//!
//! Points are a sum of what is independent, not a probability: the strongest sign counts whole, further ones a little.
//! Only a check makes a cause certain, and a refuted one is not named unless something else states it.

use crate::case::Case;
use crate::check::{Finding, Outcome};
use crate::diagnosis::Of;
use kb_core::record::{Cause, Condition, Sign, Test};
use std::collections::BTreeMap;

/// How sure a cause is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Certainty {
    /// It may be.
    Possible,
    /// What was seen points to it.
    Likely,
    /// A check on the facts proves it, or the program that failed found it out itself.
    Confirmed,
}

impl Certainty {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Certainty::Possible => "possible",
            Certainty::Likely => "likely",
            Certainty::Confirmed => "confirmed",
        }
    }
}

/// A cause that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Its index in [`kb_core::kb::Kb::causes`].
    pub cause: usize,
    /// How sure it is.
    pub certainty: Certainty,
    /// For the order.
    pub points: i32,
    /// No message is about it: it is true of the machine.
    pub beside: bool,
    /// Lines that show it.
    pub lines: Vec<usize>,
    /// The checks that it rests on, by position in the list of findings.
    pub findings: Vec<usize>,
    /// Signatures that speak for it, strongest first.
    pub signatures: Vec<usize>,
}

/// What a message that names its cause is worth.
const STATED: i32 = 70;

/// What a message is worth for the causes that it suggests, by their place.
const SUGGESTED: [i32; 5] = [40, 25, 15, 10, 8];

/// What a check is worth.
const PROVED: i32 = 60;
const POINTS_THERE: i32 = 30;
const REFUTED: i32 = -60;

/// Each further sign.
const FURTHER: i32 = 5;

/// From here on a cause is likely.
const LIKELY: i32 = 45;

/// Below this nothing is said.
const LEAST: i32 = 15;

/// A cause so far behind the best one is not a second cause but a weaker reading of the same lines.
const BEHIND: i32 = 45;

/// A cause that another follows from stands before it, even with so many points less.
const DEEPER: i32 = 35;

/// No more than this are named.
const MOST: usize = 5;

/// The causes of a log, best first.
pub fn causes(case: &Case<'_>, findings: &[Finding]) -> Vec<Found> {
    let kb = case.kb();
    let mut scores: BTreeMap<usize, Score> = BTreeMap::new();
    suggest(case, &mut scores);
    for (index, cause) in kb.causes.iter().enumerate() {
        weigh(case, findings, &[], cause, index, &mut scores);
    }
    // Signs that hang on other causes are looked at when those are known.
    let likely: Vec<usize> = scores.iter().filter(|(_, s)| s.total() >= LIKELY).map(|(c, _)| *c).collect();
    for (index, cause) in kb.causes.iter().enumerate() {
        let hangs = |sign: &Sign| sign.when.iter().any(|c| matches!(c.test, Test::Cause(_)));
        if cause.signs.iter().chain(&cause.against).any(hangs) {
            if let Some(score) = scores.get_mut(&index) {
                score.reset_signs();
            }
            weigh(case, findings, &likely, cause, index, &mut scores);
        }
    }
    // What is true of the machine explains a failure only where no message does; else it is a second cause at most.
    // Of a machine just that is asked.
    let machine = case.of == Of::Machine;
    let told = !machine && scores.values().any(|s| !s.messages.is_empty() && s.total() >= LEAST);
    if machine {
        scores.values_mut().for_each(|s| s.bare = false);
    } else if told {
        scores.retain(|_, s| !s.bare || s.checks > 0);
    } else if works(case) {
        scores.retain(|_, s| s.checks == 0);
    }
    let mut out: Vec<Found> = scores.into_iter().filter_map(|(i, score)| score.found(i, told)).collect();
    out.sort_by(|a, b| b.points.cmp(&a.points).then_with(|| a.first_line().cmp(&b.first_line())));
    deeper_first(kb, &mut out);
    if machine {
        return out;
    }
    negatives(kb, &mut out);
    if let Some(best) = out.iter().map(|f| f.points).max() {
        let near = |f: &Found| f.points > best - BEHIND || f.points >= LIKELY;
        out.retain(|f| f.beside || f.certainty == Certainty::Confirmed || near(f));
    }
    out.truncate(MOST);
    out
}

/// The points of a cause while they are gathered.
#[derive(Default)]
struct Score {
    /// Points of messages, one for each signature, strongest counted first.
    messages: Vec<(i32, usize)>,
    signs: Vec<i32>,
    against: i32,
    checks: i32,
    proved: bool,
    refuted: bool,
    stated: bool,
    /// Only checks speak for it.
    bare: bool,
    lines: Vec<usize>,
    findings: Vec<usize>,
}

impl Score {
    fn total(&self) -> i32 {
        let mut all: Vec<i32> = self.messages.iter().map(|m| m.0).chain(self.signs.iter().copied()).collect();
        all.push(self.checks.max(0));
        all.sort_unstable_by(|a, b| b.cmp(a));
        let further = all.iter().skip(1).filter(|p| **p > 0).take(4);
        // A proof beside a message is more than a further sign.
        let checked = if self.checks > 0 && all.first() != Some(&self.checks) { self.checks / 2 } else { 0 };
        all.first().copied().unwrap_or(0)
            + further.map(|p| FURTHER.min(*p)).sum::<i32>()
            + checked
            // What a program found out itself is not undone by what is read from its words.
            + self.checks.clamp(if self.stated { REFUTED / 3 } else { REFUTED }, 0)
            - self.against
    }

    fn reset_signs(&mut self) {
        self.signs.clear();
        self.against = 0;
        self.checks = 0;
        self.findings.clear();
    }

    fn found(mut self, cause: usize, told: bool) -> Option<Found> {
        let beside = self.bare && told;
        let points = if beside { self.total().min(LIKELY - 1) } else { self.total() };
        if points < LEAST || (self.messages.is_empty() && self.signs.is_empty() && !self.proved) {
            return None;
        }
        let certainty = match points {
            // A fact of the machine where nothing failed.
            _ if self.bare => {
                Certainty::Likely.min(if points >= LIKELY { Certainty::Likely } else { Certainty::Possible })
            }
            _ if self.proved && points >= LIKELY => Certainty::Confirmed,
            _ if self.stated && !self.refuted && points >= STATED => Certainty::Confirmed,
            LIKELY.. => Certainty::Likely,
            _ => Certainty::Possible,
        };
        self.lines.sort_unstable();
        self.lines.dedup();
        self.messages.sort_by_key(|m| std::cmp::Reverse(m.0));
        Some(Found {
            cause,
            certainty,
            points,
            beside,
            lines: self.lines,
            findings: self.findings,
            signatures: self.messages.into_iter().map(|m| m.1).collect(),
        })
    }
}

impl Found {
    fn first_line(&self) -> usize {
        self.lines.first().copied().unwrap_or(usize::MAX)
    }
}

/// Points for the causes that messages name or suggest.
fn suggest(case: &Case<'_>, scores: &mut BTreeMap<usize, Score>) {
    let kb = case.kb();
    for hit in case.hits {
        let signature = &kb.signatures[hit.signature];
        if signature.harmless {
            continue;
        }
        let stated = signature.states.iter().map(|id| (&**id, STATED, true));
        let suggested = signature.suggests.iter().zip(SUGGESTED).map(|(id, points)| (&**id, points, false));
        for (id, points, stated) in stated.chain(suggested) {
            let Some(cause) = kb.cause(id) else { continue };
            let score = scores.entry(cause).or_default();
            score.stated |= stated;
            if !score.messages.iter().any(|m| m.1 == hit.signature) {
                score.messages.push((points, hit.signature));
            }
            score.lines.push(hit.line);
        }
    }
}

/// Signs, contrary signs and checks of a cause.
fn weigh(
    case: &Case<'_>,
    findings: &[Finding],
    likely: &[usize],
    cause: &Cause,
    index: usize,
    scores: &mut BTreeMap<usize, Score>,
) {
    let mut signs = Vec::new();
    let mut lines = Vec::new();
    // A fact of the machine that no message is about.
    let mut bare = true;
    for sign in &cause.signs {
        if let Some(shown) = all_hold(case, findings, likely, &sign.when) {
            signs.push(i32::from(sign.weight));
            lines.extend(shown);
            bare &= sign.when.iter().all(|c| is_state(&c.test));
        }
    }
    let named = scores.contains_key(&index);
    let mut proofs: Vec<(usize, Outcome)> = Vec::new();
    for check in &cause.checks {
        for (at, finding) in findings.iter().enumerate().filter(|(_, f)| f.check == &**check) {
            proofs.push((at, finding.outcome));
        }
    }
    // A check alone is worth a word only where something failed: a log without a message of it shows a fact, no failure.
    if signs.is_empty() && !named {
        return;
    }
    let score = scores.entry(index).or_default();
    score.bare = bare && !named && !signs.is_empty();
    score.signs.extend(signs);
    score.lines.extend(lines);
    for (at, outcome) in proofs {
        let points = match outcome {
            Outcome::Proved => PROVED,
            Outcome::Likely => POINTS_THERE,
            Outcome::Refuted => REFUTED,
        };
        // One proof outweighs what another check did not find.
        if points > score.checks || score.checks == 0 {
            score.checks = points;
        }
        score.proved |= outcome == Outcome::Proved;
        if outcome != Outcome::Refuted {
            score.findings.push(at);
            score.lines.extend(&findings[at].lines);
        }
    }
    score.refuted = score.checks < 0;
    for sign in &cause.against {
        if all_hold(case, findings, likely, &sign.when).is_some() {
            score.against += i32::from(sign.weight);
        }
    }
}

/// Is it about what the machine is like, rather than about something that failed?
fn is_state(test: &Test) -> bool {
    match test {
        Test::Check(_) | Test::Refuted(_) => true,
        Test::Seen(what, _) => {
            what.starts_with("package:")
                || matches!(
                    &**what,
                    "mig"
                        | "os"
                        | "arch"
                        | "python"
                        | "l4t"
                        | "wheel"
                        | "index"
                        | "gpu"
                        | "driver"
                        | "framework"
                )
        }
        Test::Message(_) | Test::Cause(_) => false,
    }
}

/// Do all conditions hold? The lines that show it.
pub(crate) fn all_hold(
    case: &Case<'_>,
    findings: &[Finding],
    likely: &[usize],
    when: &[Condition],
) -> Option<Vec<usize>> {
    let mut lines = Vec::new();
    for condition in when {
        let shown = holds(case, findings, likely, &condition.test);
        match (condition.not, shown) {
            (false, Some(more)) => lines.extend(more),
            (true, None) => {}
            _ => return None,
        }
    }
    Some(lines)
}

fn holds(case: &Case<'_>, findings: &[Finding], likely: &[usize], test: &Test) -> Option<Vec<usize>> {
    match test {
        Test::Message(id) => {
            let lines: Vec<usize> = case.message(id).map(|h| h.line).take(3).collect();
            (!lines.is_empty()).then_some(lines)
        }
        Test::Seen(what, value) => {
            let found = match (&**what, value) {
                // What system it is, is not always printed as a value.
                ("os", Some(value)) => return system_is(case, value),
                ("wsl", None) => return system_is(case, "wsl"),
                ("container", None) => return system_is(case, "docker"),
                ("framework", Some(value)) => {
                    let id = case.subject_id()?;
                    return crate::seen::glob(value, id).then(Vec::new);
                }
                (what, value) => case.seen.find(what, value.as_deref())?,
            };
            Some(found.line.into_iter().collect())
        }
        Test::Check(name) => {
            let found = findings.iter().find(|f| f.check == &**name && f.outcome != Outcome::Refuted)?;
            Some(found.lines.clone())
        }
        Test::Refuted(name) => {
            let found = findings.iter().find(|f| f.check == &**name && f.outcome == Outcome::Refuted)?;
            Some(found.lines.clone())
        }
        Test::Cause(id) => {
            let cause = case.kb().cause(id)?;
            likely.contains(&cause).then(Vec::new)
        }
    }
}

/// `seen:os=windows`, `seen:wsl`, `seen:container`: what the log as a whole tells counts.
fn system_is(case: &Case<'_>, value: &str) -> Option<Vec<usize>> {
    let wanted = value.trim_matches('*').to_ascii_lowercase();
    let words = case.system.words();
    if words.iter().any(|w| *w == wanted || (*w == "wsl" && wanted == "wsl2")) {
        return Some(case.system.line.into_iter().collect());
    }
    let found = case.seen.find("os", Some(value))?;
    Some(found.line.into_iter().collect())
}

/// Nothing failed, and the GPU is used.
fn works(case: &Case<'_>) -> bool {
    let says = |value| case.seen.find("cuda-available", Some(value)).is_some();
    says("True") && !says("False")
}

/// A cause that others follow from stands before them, if it is likely itself.
fn deeper_first(kb: &kb_core::kb::Kb, found: &mut [Found]) {
    // The list is short, and each move goes forward: as many rounds as there are causes are enough.
    for _ in 0..found.len() {
        let mut moved = false;
        for low in 1..found.len() {
            let over = &kb.causes[found[low].cause].over;
            let sure = found[low].certainty;
            let place = (0..low).find(|high| {
                let id = &*kb.causes[found[*high].cause].id;
                let close =
                    sure >= found[*high].certainty || found[low].points + DEEPER >= found[*high].points;
                over.iter().any(|o| &**o == id) && sure > Certainty::Possible && close
            });
            if let Some(place) = place {
                found[place..=low].rotate_right(1);
                moved = true;
                break;
            }
        }
        if !moved {
            return;
        }
    }
}

/// Where the failure is not about compatibility, vague readings of the same lines are left out; where a cause is proved, a
/// vague "not about compatibility" is.
fn negatives(kb: &kb_core::kb::Kb, found: &mut Vec<Found>) {
    let Some(first) = found.first() else { return };
    let negative = kb.causes[first.cause].negative();
    let sure = first.certainty;
    if sure == Certainty::Possible {
        return;
    }
    found.retain(|f| kb.causes[f.cause].negative() == negative || f.certainty >= Certainty::Likely);
}
