//! An answer as text: first what, then why, what limits it, how to install it, and the sources.

use super::evidence::{cited, disputes, numbers, source_list};
use super::{Ink, Screen, truths};
use kb_card::truths::{Behind, Known};
use kb_core::answer::serde_value::Plain;
use kb_core::answer::{
    Answer, Attempt, Component, Conflict, DisputeRef, DriverNeed, Install, Item, SourceRef, Step, Verdict,
};
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::request::resolve::{self, GpuMatch};

/// How many steps are shown without `--why`.
const STEPS: usize = 10;

/// Of how many builds `kb why` says how their values are known.
const BUILDS: usize = 6;

/// What an answer is shown with.
#[derive(Debug)]
pub struct Context<'a> {
    /// The facts, for the sources of a step.
    pub kb: &'a Kb,
    /// The question, as typed.
    pub raw: &'a RawRequest,
    /// All steps, not only the first ten.
    pub why: bool,
    /// What the engine understood.
    pub understood: &'a Answer,
    /// How the values of the builds behind it are known, where that is told.
    pub(crate) behind: Option<Behind>,
}

/// Prints an answer. A question without wants has its own form, [`super::overview`].
pub fn print(screen: &mut Screen<'_>, context: &Context<'_>, answer: &Answer) {
    let Some((first, rest)) = answer.answers.split_first() else {
        headline(screen, context, &answer.command, answer.verdict, "", None);
        if let Some(conflict) = &answer.conflict {
            conflict_text(screen, context, conflict);
        }
        return;
    };
    let joined = together(first, rest);
    full(
        screen,
        context,
        joined.as_ref().unwrap_or(first),
        answer.conflict.as_ref().or(first.conflict.as_ref()),
    );
    for item in rest {
        if item.want == first.want {
            continue;
        }
        screen.blank();
        let (ink, id) = verdict_word(item.verdict);
        let label = screen.say(id, &[]);
        screen.verdict(ink, &label, &screen.say("ui-alone", &[("what", named(item))]));
        if let Some(step) = item.conflict.as_ref().and_then(|c| c.core.first()) {
            screen.item(2, "x", Ink::Bad, &clean(&step.says), Ink::Plain);
        }
    }
}

/// What several packages together ask of the driver and of Python, where each of them is chosen as it is on its own.
fn together(first: &Item, rest: &[Item]) -> Option<Item> {
    if first.verdict != Verdict::Fits || first.want != "*" || first.driver.is_some() {
        return None;
    }
    let mut out = first.clone();
    let mut driver: Option<DriverNeed> = None;
    let mut python: Option<Vec<String>> = None;
    for part in first.stack.iter().filter(|p| p.channel.is_some()) {
        let alone = rest.iter().find(|i| i.stack.contains(part))?;
        if let Some(need) = &alone.driver {
            driver = Some(match driver.take() {
                Some(other) => stricter(other, need),
                None => need.clone(),
            });
        }
        if let Some(accepts) = alone.stack.iter().find_map(|p| p.accepts.as_ref()) {
            python = Some(match python.take() {
                Some(other) => other.into_iter().filter(|v| accepts.contains(v)).collect(),
                None => accepts.clone(),
            });
        }
    }
    out.driver = driver;
    if let Some(accepts) =
        python.filter(|p| !p.is_empty() && !first.stack.iter().any(|c| c.component == "python"))
    {
        out.stack.push(Component {
            component: "python".to_owned(),
            version: accepts.last().cloned(),
            accepts: Some(accepts),
            ..Component::default()
        });
    }
    Some(out)
}

/// Of two needs what satisfies both.
fn stricter(a: DriverNeed, b: &DriverNeed) -> DriverNeed {
    let newer = |a: Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => {
            let parsed = |t: &str| t.parse::<kb_core::version::DriverVersion>();
            match (parsed(&a), parsed(b)) {
                (Ok(x), Ok(y)) if x.0.cmp_number(&y.0).is_lt() => Some(b.clone()),
                _ => Some(a),
            }
        }
        (a, b) => a.or_else(|| b.clone()),
    };
    let weight = |path: Option<&str>| match path {
        Some("forward-package") => 3,
        Some("minor-version") => 2,
        Some(_) => 1,
        None => 0,
    };
    DriverNeed {
        path: if weight(b.path) > weight(a.path) { b.path } else { a.path },
        minimum: newer(a.minimum, &b.minimum),
        native: newer(a.native, &b.native),
        below: a.below.or_else(|| b.below.clone()),
        have: a.have.or_else(|| b.have.clone()),
    }
}

/// A value that nobody recorded is not shown as a release.
pub(super) fn clean(says: &str) -> String {
    says.replace("CUDA ?", "CUDA").replace("cuDNN ?", "cuDNN")
}

/// The weakest link of an answer whose evidence is inferred.
fn weakest<'a>(kb: &Kb, item: &'a Item) -> Option<&'a Step> {
    let grade = item.grade.filter(|g| *g == "inferred")?;
    let weak =
        |s: &&Step| s.facts.iter().filter_map(|f| kb.find_fact(f)).any(|f| kb.grade(f).word() == grade);
    item.steps.iter().filter(|s| s.outcome == "pass").find(weak)
}

/// One item with everything.
pub fn full(screen: &mut Screen<'_>, context: &Context<'_>, item: &Item, conflict: Option<&Conflict>) {
    let mut sources = item.sources.clone();
    for source in conflict.into_iter().flat_map(|c| &c.sources) {
        if !sources.contains(source) {
            sources.push(source.clone());
        }
    }
    let conflict_shown = conflict.filter(|_| item.verdict == Verdict::Conflict);
    let shown: Vec<&Step> = match conflict_shown {
        Some(conflict) => {
            let chain = if context.why { &*item.steps } else { &[] };
            conflict.core.iter().chain(first(&conflict.also, context.why)).chain(chain).collect()
        }
        None => first(&item.steps, context.why),
    };
    cited(context.kb, &shown, &mut sources);
    headline(screen, context, &item.want, item.verdict, &named(item), item.grade);
    if let Some(step) = weakest(context.kb, item) {
        screen.item(4, ">", Ink::Doubt, &clean(&step.says), Ink::Faint);
    }
    if item.verdict == Verdict::Fits {
        stack(screen, item);
        install(screen, item, context.raw);
    }
    match conflict_shown {
        Some(conflict) => {
            steps(screen, context, "ui-in-the-way", &conflict.core, &sources, true);
            steps(screen, context, "ui-also-in-the-way", &conflict.also, &sources, context.why);
            attempts(screen, &conflict.attempts);
            if context.why {
                steps(screen, context, "ui-why", &item.steps, &sources, true);
            }
        }
        None => steps(screen, context, "ui-why", &item.steps, &sources, context.why),
    }
    if !item.missing.is_empty() {
        screen.head(&screen.say("ui-missing", &[]));
        for missing in &item.missing {
            screen.item(2, "?", Ink::Doubt, &clean(missing), Ink::Plain);
        }
    }
    if conflict_shown.is_none() {
        attempts(screen, &item.attempts);
    }
    if !item.limits.is_empty() {
        screen.head(&screen.say("ui-limits", &[]));
        for limit in &item.limits {
            screen.item(2, "-", Ink::Doubt, &clean(&limit.says), Ink::Plain);
        }
    }
    also_fits(screen, item, context.why);
    if item.verdict == Verdict::Unknown {
        install(screen, item, context.raw);
    }
    let known = context.behind.as_ref().map(known).unwrap_or_default();
    truths::print(screen, context.kb, &known, BUILDS);
    // What stands there is not said twice.
    let untold: Vec<_> =
        item.disputes.iter().filter(|d| known.is_empty() || !ranked(context.kb, d)).collect();
    disputes(screen, context.kb, &untold);
    source_list(screen, &sources);
}

/// The builds behind an answer, by name.
fn known(behind: &Behind) -> Vec<Known> {
    let chosen = behind.chosen.iter().map(|(part, columns)| {
        let channel = part.channel.as_deref().unwrap_or_default();
        (format!("{}, {channel}", component(part)), columns.clone())
    });
    let differing = behind.differing.iter().map(|group| (group.name(), group.columns.clone()));
    chosen.chain(differing).collect()
}

/// Is it about a file, where the truths are ranked?
fn ranked(kb: &Kb, dispute: &DisputeRef) -> bool {
    dispute.followed.iter().filter_map(|f| kb.find_fact(f)).any(|f| kb.relation(f).ranked)
}

fn conflict_text(screen: &mut Screen<'_>, context: &Context<'_>, conflict: &Conflict) {
    let mut sources = conflict.sources.clone();
    let shown: Vec<&Step> = conflict.core.iter().chain(first(&conflict.also, context.why)).collect();
    cited(context.kb, &shown, &mut sources);
    steps(screen, context, "ui-in-the-way", &conflict.core, &sources, true);
    steps(screen, context, "ui-also-in-the-way", &conflict.also, &sources, context.why);
    attempts(screen, &conflict.attempts);
    source_list(screen, &sources);
}

/// The word of a verdict, and its colour.
pub fn verdict_word(verdict: Verdict) -> (Ink, &'static str) {
    match verdict {
        Verdict::Fits => (Ink::Good, "ui-fits"),
        Verdict::Conflict => (Ink::Bad, "ui-conflict"),
        Verdict::Unknown => (Ink::Doubt, "ui-unknown"),
    }
}

/// What an item is about: the build that was chosen, else what was asked.
pub fn named(item: &Item) -> String {
    let chosen = item.stack.iter().filter(|c| c.component != "python").map(component).collect::<Vec<_>>();
    if item.verdict == Verdict::Conflict || chosen.is_empty() {
        item.want.clone()
    } else {
        chosen.join(" + ")
    }
}

/// `torch 2.9.1+cu126`, `jax[cuda12] 0.9.0`.
fn component(part: &Component) -> String {
    let extra = part.extra.as_deref().map(|e| format!("[{e}]")).unwrap_or_default();
    match &part.version {
        Some(version) => format!("{}{extra} {version}", part.component),
        None => format!("{}{extra}", part.component),
    }
}

fn headline(
    screen: &mut Screen<'_>,
    context: &Context<'_>,
    want: &str,
    verdict: Verdict,
    what: &str,
    grade: Option<&str>,
) {
    let (ink, id) = verdict_word(verdict);
    let label = screen.say(id, &[]);
    let place = place(screen, context);
    let what = match what {
        "" | "*" if context.raw.wants.is_empty() && want != "*" => want.to_owned(),
        // A question about the machine alone: GPU and driver.
        "" | "*" if context.raw.wants.is_empty() => String::new(),
        "" | "*" => context.raw.wants.join(" + "),
        other => other.to_owned(),
    };
    let text = match (what.is_empty(), place.is_empty()) {
        (true, _) => place,
        (false, true) => what,
        (false, false) => screen.say("ui-what-where", &[("what", what), ("where", place)]),
    };
    screen.verdict(ink, &label, &text);
    assumed(screen, context);
    if let Some(grade) = grade {
        let word = screen.say(&format!("ui-grade-{grade}"), &[]);
        screen.item(2, "", Ink::Plain, &screen.say("ui-grade", &[("grade", word)]), Ink::Faint);
    }
}

/// `rtx-3090, linux, driver 535.104.05, Python 3.12`.
pub fn place(screen: &Screen<'_>, context: &Context<'_>) -> String {
    let raw = context.raw;
    let mut parts = Vec::new();
    if !raw.gpus.is_empty() {
        let id = if raw.gpus_mode.as_deref() == Some("any") { "ui-or" } else { "ui-and" };
        let joiner = screen.say(id, &[]);
        let none = |g: &String| matches!(resolve::gpu(context.kb, g), GpuMatch::None);
        let names = raw.gpus.iter().map(|g| if none(g) { screen.say("ui-no-gpu", &[]) } else { g.clone() });
        let list = names.collect::<Vec<_>>().join(&format!(" {joiner} "));
        parts.push(match about(context) {
            Some(gpu) => screen.say("ui-one-of", &[("gpu", gpu), ("list", list)]),
            None => list,
        });
    }
    parts.extend(raw.os.clone());
    parts.extend(raw.arch.clone().filter(|a| a != "x86_64"));
    for (id, value) in [
        ("ui-driver-of", &raw.driver),
        ("ui-cuda-of", &raw.cuda),
        ("ui-cudnn-of", &raw.cudnn),
        ("ui-python-of", &raw.python),
    ] {
        if let Some(value) = value {
            parts.push(screen.say(id, &[("version", value.clone())]));
        }
    }
    parts.join(&screen.say("ui-comma", &[]))
}

/// Of several GPUs of which one is enough, the one that the answer is about, as it was typed.
fn about(context: &Context<'_>) -> Option<String> {
    let Some(Plain::One(label)) = context.understood.request.get("gpu") else { return None };
    let is = |g: &&String| match resolve::gpu(context.kb, g) {
        GpuMatch::Gpu(index) => *context.kb.gpus[index].id == **label,
        _ => false,
    };
    Some(context.raw.gpus.iter().find(is).unwrap_or(label).clone())
}

/// Says what was not typed, and what stands for a driver of which only the branch was said.
pub fn assumed(screen: &mut Screen<'_>, context: &Context<'_>) {
    let raw = context.raw;
    if let Some((branch, version)) = branch_driver(context) {
        let values = [("branch", branch), ("version", version)];
        screen.item(2, "", Ink::Plain, &screen.say("ui-driver-branch", &values), Ink::Faint);
    }
    let told = |name: &str| match name {
        "os" => raw.os.clone(),
        "arch" => raw.arch.clone(),
        "glibc" => raw.glibc.clone(),
        "driver" => raw.driver.clone(),
        "cuda" => raw.cuda.clone(),
        "cudnn" => raw.cudnn.clone(),
        "python" => raw.python.clone(),
        "gpu" => Some(raw.gpus.join(", ")),
        // Others beside it are named in a file.
        "channel" => raw.channels.first().cloned(),
        _ => None,
    };
    let parts: Vec<String> = raw.assumed.iter().filter_map(|n| Some(format!("{n} {}", told(n)?))).collect();
    if !parts.is_empty() {
        let list = parts.join(&screen.say("ui-comma", &[]));
        screen.item(2, "", Ink::Plain, &screen.say("ui-assumed", &[("list", list)]), Ink::Faint);
    }
}

/// A bare branch as it was typed, `535`, and the driver it was read as.
fn branch_driver(context: &Context<'_>) -> Option<(String, String)> {
    let of = context.raw.wants.iter().find_map(|w| w.split_once("driver==").map(|(_, version)| version));
    let typed = of.or(context.raw.driver.as_deref())?.trim();
    match context.understood.request.get("driver") {
        Some(Plain::One(read)) if !typed.contains('.') && read != typed => {
            Some((typed.to_owned(), read.clone()))
        }
        _ => None,
    }
}

fn stack(screen: &mut Screen<'_>, item: &Item) {
    screen.head(&screen.say("ui-stack", &[]));
    let labels = ["ui-from", "ui-cuda", "ui-cudnn", "ui-libraries", "ui-python", "ui-driver", "ui-code"]
        .map(|id| screen.say(id, &[]));
    let column = labels.iter().map(|l| super::wrap::width(l)).max().unwrap_or(0);
    let [from, cuda, cudnn, libraries, python, driver, code] = labels;
    for part in &item.stack {
        if part.component == "python" {
            let accepts = part.accepts.as_deref().unwrap_or_default().join(", ");
            let version = part.version.clone().unwrap_or_default();
            let text = match (version.is_empty(), accepts.is_empty()) {
                (false, false) => screen.say("ui-accepts", &[("version", version), ("list", accepts)]),
                (false, true) => version,
                (true, _) => accepts,
            };
            if !text.is_empty() {
                screen.field(2, &python, column, &text);
            }
            continue;
        }
        screen.item(2, "", Ink::Plain, &component(part), Ink::Head);
        for (label, value) in [(&from, &part.channel), (&cuda, &part.cuda), (&cudnn, &part.cudnn)] {
            if let Some(value) = value.as_ref().filter(|v| *v != "?") {
                screen.field(2, label, column, value);
            }
        }
        if let Some(word) = &part.libraries {
            let text = screen.say(&format!("ui-libraries-{word}"), &[]);
            screen.field(2, &libraries, column, &text);
        }
    }
    if let Some(need) = &item.driver {
        let mut parts = Vec::new();
        for (id, value) in [
            ("ui-driver-least", &need.minimum),
            ("ui-driver-native", &need.native.clone().filter(|n| Some(n) != need.minimum.as_ref())),
            ("ui-driver-below", &need.below),
            ("ui-driver-have", &need.have),
        ] {
            if let Some(value) = value {
                parts.push(screen.say(id, &[("version", value.clone())]));
            }
        }
        if let Some(path) = need.path {
            parts.push(screen.say(&format!("ui-path-{path}"), &[]));
        }
        if !parts.is_empty() {
            let text = parts.join(&screen.say("ui-semicolon", &[]));
            screen.field(2, &driver, column, &text);
        }
    }
    if let Some(runs) = item.device_code.as_ref().filter(|r| r.runs.is_some()) {
        let said = runs.runs.as_deref().unwrap_or_default();
        let (kind, by) = said.split_once(' ').unwrap_or((said, ""));
        let values = [("by", by.to_owned()), ("capability", runs.compute_capability.clone())];
        let text = screen.say(&format!("ui-runs-{kind}"), &values);
        screen.field(2, &code, column, &text);
    }
}

/// Steps with a mark each and the numbers of their sources; without `all`, the ten that matter most.
fn steps(
    screen: &mut Screen<'_>,
    context: &Context<'_>,
    head: &str,
    steps: &[Step],
    sources: &[SourceRef],
    all: bool,
) {
    if steps.is_empty() {
        return;
    }
    screen.head(&screen.say(head, &[]));
    let shown = first(steps, all);
    for step in &shown {
        let (mark, ink) = match step.outcome {
            "pass" => ("+", Ink::Good),
            "fail" => ("x", Ink::Bad),
            _ => ("?", Ink::Doubt),
        };
        let numbers = numbers(context.kb, &step.facts, sources);
        screen.item(2, mark, ink, &format!("{}{numbers}", clean(&step.says)), Ink::Plain);
    }
    if shown.len() < steps.len() {
        let more = (steps.len() - shown.len()).to_string();
        screen.item(2, "", Ink::Plain, &screen.say("ui-more-steps", &[("count", more)]), Ink::Faint);
    }
    if all && context.why {
        rules(screen, &shown);
    }
}

/// The steps that are shown: those that fail, those that are unknown, then the others; without `all`, ten.
fn first(steps: &[Step], all: bool) -> Vec<&Step> {
    let mut order: Vec<&Step> = steps.iter().collect();
    order.sort_by_key(|s| match s.outcome {
        "fail" => 0,
        "unknown" => 1,
        _ => 2,
    });
    order.truncate(if all { usize::MAX } else { STEPS });
    order
}

fn rules(screen: &mut Screen<'_>, steps: &[&Step]) {
    let mut rules: Vec<&str> = steps.iter().filter_map(|s| s.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    if !rules.is_empty() {
        screen.item(
            2,
            "",
            Ink::Plain,
            &screen.say("ui-rules-used", &[("list", rules.join(", "))]),
            Ink::Faint,
        );
    }
}

fn attempts(screen: &mut Screen<'_>, attempts: &[Attempt]) {
    if attempts.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-try", &[]));
    for attempt in attempts {
        screen.item(2, ">", Ink::Good, &clean(&attempt.says), Ink::Plain);
        if let Some(command) = &attempt.command {
            screen.raw(4, Ink::Code, command);
        }
    }
}

fn also_fits(screen: &mut Screen<'_>, item: &Item, all: bool) {
    if item.also_fits.is_empty() {
        return;
    }
    let shown = if all { item.also_fits.len() } else { item.also_fits.len().min(5) };
    let mut names: Vec<String> = item.also_fits[..shown]
        .iter()
        .map(|c| match &c.channel {
            Some(channel) => format!("{} ({channel})", component(c)),
            None => component(c),
        })
        .collect();
    if shown < item.also_fits.len() {
        names.push(screen.say("ui-more", &[("count", (item.also_fits.len() - shown).to_string())]));
    }
    screen.head(&screen.say("ui-also-fits", &[]));
    screen.para(2, &names.join(", "));
}

/// The shell whose commands are shown for a question.
pub fn shell(raw: &RawRequest) -> &'static str {
    let windows = raw.os.as_deref().is_some_and(|o| o.to_ascii_lowercase().starts_with("win"));
    if windows { "powershell" } else { "bash" }
}

/// The commands for the question's system, one for each tool and text.
pub fn commands<'a>(install: &'a [Install], raw: &RawRequest) -> Vec<&'a Install> {
    let shell = shell(raw);
    let mut out: Vec<&Install> = Vec::new();
    for line in install {
        let fits = line.shell == shell || line.shell == "any";
        if fits && !out.iter().any(|o| o.command == line.command) {
            out.push(line);
        }
    }
    out
}

fn install(screen: &mut Screen<'_>, item: &Item, raw: &RawRequest) {
    let commands = commands(&item.install, raw);
    if commands.is_empty() {
        return;
    }
    screen.head(&screen.say("ui-install", &[("shell", shell(raw).to_owned())]));
    // The package of the system comes before those of Python.
    for package in forward_packages(item) {
        let text = format!("{package} ({})", screen.say("ui-path-forward-package", &[]));
        screen.item(2, "!", Ink::Doubt, &text, Ink::Plain);
    }
    for line in commands {
        screen.raw(2, Ink::Code, &line.command);
    }
}

/// Forward-compatibility packages that the steps name.
fn forward_packages(item: &Item) -> Vec<&str> {
    if item.driver.as_ref().and_then(|d| d.path) != Some("forward-package") {
        return Vec::new();
    }
    let other = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
    let words = item.steps.iter().filter(|s| s.outcome == "pass").flat_map(|s| s.says.split(other));
    let mut out: Vec<&str> = words.filter(|w| w.starts_with("cuda-compat-")).collect();
    out.sort_unstable();
    out.dedup();
    out
}
