//! `causes/<id>.md`: why something fails, and how it is mended.

use super::fields::{Fields, Item, Text, unknown_word};
use super::near::near;
use super::role::Role;
use super::scalar::placeholders;
use super::{Loader, Spot, check, put};
use kb_core::diag::Diagnostic;
use kb_core::observe;
use kb_core::record::{CHECKS, Cause, Condition, FAMILIES, Fix, Never, Said, Sign, Sought, Test};
use toml::de::DeValue;

/// What a text of a signature or a cause points to.
pub(super) enum Named {
    /// A cause.
    Cause(Box<str>),
    /// A signature; one that ends with `*` stands for all that begin so.
    Signature(Box<str>),
}

/// Where the page in Simplified Chinese begins.
const CHINESE: &str = "<!-- zh-Hans -->";

/// The systems for which there can be a command or a step.
const COMMAND_SYSTEMS: [&str; 4] = ["linux", "windows", "wsl", "any"];
const STEP_SYSTEMS: [&str; 5] = ["linux", "windows", "wsl", "docker", "jetson"];

impl Loader<'_, '_> {
    pub(super) fn read_causes(&mut self) {
        let mut found = Vec::new();
        let mut named = Vec::new();
        self.each(
            |role| if let Role::Cause(id) = role { Some(*id) } else { None },
            |id, file, f| {
                let mut named = |what: Named, text: &Text<'_>| {
                    named.push((what, Spot { file, span: text.span.clone() }));
                };
                let title = f.text("title", "\"The driver is too old for the CUDA release of the build\"");
                let families = FAMILIES.map(|f| (f, f));
                let family = f.word("family", &families);
                let checks = f.texts("checks");
                for text in &checks {
                    if !CHECKS.contains(&text.text) {
                        f.report(text.span.clone(), unknown_word("checks", text.text, &CHECKS));
                    }
                }
                let says = f.texts("says");
                if says.is_empty() {
                    let out = Diagnostic::error("missing-key", "the key `says` is missing or empty");
                    f.report(f.span(), out.help("write says = [\"…\"]; the last sentence has no place"));
                }
                for text in &says {
                    self.places(f, text);
                }
                if let Some(last) = says.last()
                    && placeholders(last.text).is_ok_and(|p| !p.is_empty())
                {
                    let out = Diagnostic::error("unknown-placeholder", "the last sentence has a place in it");
                    f.report(last.span.clone(), out.help("add a sentence that can always be said"));
                }
                let cites = f.texts("cites");
                for text in &cites {
                    let name = text.text.strip_suffix('*').map_or(text.text.to_owned(), |t| format!("{t}x"));
                    if !observe::is_name(&name) {
                        f.report(text.span.clone(), unknown_observation(text.text));
                    }
                }
                let over = f.texts("over");
                over.iter().for_each(|text| named(Named::Cause(text.boxed()), text));
                let mut signs = [Vec::new(), Vec::new()];
                for (slot, key) in signs.iter_mut().zip(["sign", "against"]) {
                    for block in f.tables(key) {
                        let when = self.when(&block, &mut named);
                        let weight = block.number("weight", 1, 100);
                        block.finish();
                        match (when, weight) {
                            (Some(when), Some(weight)) if !when.is_empty() => {
                                slot.push(Sign { when, weight: u8::try_from(weight).unwrap_or(100) });
                            }
                            (Some(_), Some(_)) => block.report(
                                block.span(),
                                Diagnostic::error("missing-key", "a sign without a condition")
                                    .help("write when = [\"message:…\", \"seen:…\"]"),
                            ),
                            _ => {}
                        }
                    }
                }
                let [signs, against] = signs;
                let fixes = f.tables("fix").iter().filter_map(|block| self.fix(block, &mut named)).collect();
                let decides = self.decides(f);
                let never = never(f);
                let (mut zh_title, mut zh_says, mut zh_never) = (None, Vec::new(), Vec::new());
                if let Some(zh) = f.table("zh") {
                    zh_title = zh.boxed_opt("title");
                    zh_says = zh.texts("says");
                    zh_never = zh.texts("never");
                    for (key, here, there) in
                        [("says", zh_says.len(), says.len()), ("never", zh_never.len(), never.len())]
                    {
                        if here != 0 && here != there {
                            let message = format!("`zh.{key}` has {here} texts, `{key}` has {there}");
                            zh.report(zh.span(), Diagnostic::error("unequal-lists", message));
                        }
                    }
                    for text in &zh_says {
                        self.places(&zh, text);
                    }
                    zh.finish();
                }
                let (Some(title), Some(family)) = (title, family) else { return };
                found.push(Cause {
                    id: id.into(),
                    title: Said { en: title.boxed(), zh: zh_title },
                    family: family.into(),
                    names: f.boxed_list("names"),
                    checks: checks.iter().map(Text::boxed).collect(),
                    says: both(&says, &zh_says),
                    cites: cites.iter().map(Text::boxed).collect(),
                    over: over.iter().map(Text::boxed).collect(),
                    signs,
                    against,
                    fixes,
                    decides,
                    never: in_chinese(never, &zh_never),
                    prose: split_prose(f.file.prose),
                });
            },
        );
        for cause in found {
            put(&mut self.kb.causes, cause, |c| &c.id);
        }
        self.seen.diagnosis.append(&mut named);
    }

    /// A command for every system, or a table of them.
    fn decides(&self, f: &Fields<'_, '_>) -> Vec<(Box<str>, Box<str>)> {
        match f.get("decides").map(|value| value.get_ref()) {
            None => Vec::new(),
            Some(DeValue::Table(_)) => {
                f.table("decides").map(|table| commands(f, &table)).unwrap_or_default()
            }
            Some(_) => f.boxed_opt("decides").into_iter().map(|command| ("any".into(), command)).collect(),
        }
    }

    fn fix(&self, f: &Fields<'_, '_>, named: &mut impl FnMut(Named, &Text<'_>)) -> Option<Fix> {
        let says = f.text("says", "\"Update the driver to {driver-needed} or newer\"");
        let zh = f.text_opt("zh");
        for text in says.iter().chain(&zh) {
            self.places(f, text);
        }
        let commands = f.table("command").map(|table| commands(f, &table)).unwrap_or_default();
        let systems = STEP_SYSTEMS.map(|s| (s, s));
        let os = f.text_opt("os").and_then(|text| f.one_of("os", &text, &systems));
        let when = self.when(f, named);
        let solve = f.text_opt("solve").and_then(|text| f.one_of("solve", &text, &Sought::WORDS));
        let proves = f.boxed_opt("proves");
        let (undo, undo_zh) = (f.text_opt("undo"), f.text_opt("undo-zh"));
        for text in undo.iter().chain(&undo_zh) {
            self.places(f, text);
        }
        f.finish();
        Some(Fix {
            says: Said { en: says?.boxed(), zh: zh.map(|z| z.boxed()) },
            commands,
            os: os.map(Into::into),
            when: when?,
            solve,
            proves,
            undo: undo.map(|u| Said { en: u.boxed(), zh: undo_zh.map(|z| z.boxed()) }),
        })
    }

    /// The conditions of a block; `None` if one is faulty.
    fn when(&self, f: &Fields<'_, '_>, named: &mut impl FnMut(Named, &Text<'_>)) -> Option<Vec<Condition>> {
        let mut out = Some(Vec::new());
        for text in f.texts("when") {
            let Some(condition) = Condition::parse(text.text) else {
                let message = format!("`{}` is no condition", text.text);
                let help = "write message:<signature>, seen:<observation>, seen:<observation>=<value>, check:<check>, \
                            refuted:<check> or cause:<cause>, perhaps with ! in front";
                f.report(text.span.clone(), Diagnostic::error("unknown-condition", message).help(help));
                out = None;
                continue;
            };
            match &condition.test {
                Test::Message(id) => named(Named::Signature(id.clone()), &text),
                Test::Cause(id) => named(Named::Cause(id.clone()), &text),
                Test::Check(id) | Test::Refuted(id) => {
                    if !CHECKS.contains(&&**id) {
                        f.report(text.span.clone(), unknown_word("check", id, &CHECKS));
                    }
                }
                Test::Seen(what, _) => {
                    if !observe::is_name(&what.replace('*', "x")) {
                        f.report(text.span.clone(), unknown_observation(what));
                    }
                }
            }
            if let Some(out) = &mut out {
                out.push(condition);
            }
        }
        out
    }

    /// The places of a sentence are observations.
    fn places(&self, f: &Fields<'_, '_>, text: &Text<'_>) {
        for name in check(f, text, placeholders(text.text)).unwrap_or_default() {
            if !observe::is_name(name) {
                f.report(text.span.clone(), unknown_observation(name));
            }
        }
    }

    /// Do the causes and signatures exist that others name?
    pub(super) fn check_causes(&self) {
        for (named, spot) in &self.seen.diagnosis {
            let (kind, id, good, all): (_, &str, bool, Vec<&str>) = match named {
                Named::Cause(id) => {
                    let all: Vec<&str> = self.kb.causes.iter().map(|c| &*c.id).collect();
                    ("cause", id, all.contains(&&**id), all)
                }
                Named::Signature(id) => {
                    let all: Vec<&str> = self.kb.signatures.iter().map(|s| &*s.id).collect();
                    let good = match id.strip_suffix('*') {
                        Some(start) => all.iter().any(|s| s.starts_with(start)),
                        None => all.contains(&&**id),
                    };
                    ("signature", id, good, all)
                }
            };
            if !good {
                let out = Diagnostic::error("dangling-id", format!("no {kind} is called `{id}`"));
                let near = near(id, all);
                let out = if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) };
                self.log.push(out.at(self.place(spot)));
            }
        }
    }
}

/// What must not be done: a text, or a text with the system or the packages that it is about.
fn never(f: &Fields<'_, '_>) -> Vec<Never> {
    let systems = STEP_SYSTEMS.map(|s| (s, s));
    let read = |item: Item<'_, '_>| match item {
        Item::Text(says) => Some(Never { says: Said { en: says.boxed(), zh: None }, ..Never::default() }),
        Item::Table(block) => {
            let says = block.text("says", "\"what must not be done\"");
            let os = block.text_opt("os").and_then(|text| block.one_of("os", &text, &systems));
            let framework = block.boxed_opt("framework");
            block.finish();
            Some(Never { says: Said { en: says?.boxed(), zh: None }, os: os.map(Into::into), framework })
        }
    };
    f.texts_or_tables("never").into_iter().filter_map(read).collect()
}

fn in_chinese(mut never: Vec<Never>, zh: &[Text<'_>]) -> Vec<Never> {
    for (never, zh) in never.iter_mut().zip(zh) {
        never.says.zh = Some(zh.boxed());
    }
    never
}

/// Commands by system.
fn commands(f: &Fields<'_, '_>, table: &Fields<'_, '_>) -> Vec<(Box<str>, Box<str>)> {
    let mut out = Vec::new();
    for (key, value) in table.in_order() {
        table.get(key.text);
        if !COMMAND_SYSTEMS.contains(&key.text) {
            f.report(key.span.clone(), unknown_word("command", key.text, &COMMAND_SYSTEMS));
        }
        if let Some(command) = table.as_text(key.text, value, "\"…\"") {
            out.push((key.boxed(), command.boxed()));
        }
    }
    out
}

/// The message about a name that no observation has.
pub(super) fn unknown_observation(name: &str) -> Diagnostic {
    let out = Diagnostic::error("unknown-observation", format!("no observation is called `{name}`"));
    match near(name, observe::NAMES).first() {
        Some(first) => out.help(format!("did you mean `{first}`?")),
        None => out.help("kb-core/src/observe.rs has their names"),
    }
}

/// A page in one or two languages.
pub(super) fn split_prose(prose: &str) -> Said {
    match prose.split_once(CHINESE) {
        Some((en, zh)) => Said { en: en.trim().into(), zh: Some(zh.trim().into()) },
        None => Said { en: prose.trim().into(), zh: None },
    }
}

fn both(en: &[Text<'_>], zh: &[Text<'_>]) -> Vec<Said> {
    en.iter().enumerate().map(|(i, en)| Said { en: en.boxed(), zh: zh.get(i).map(Text::boxed) }).collect()
}
