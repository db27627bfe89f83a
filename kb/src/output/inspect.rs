//! What `kb inspect` found, as text and as the document.

mod document;
mod sections;

pub(crate) use document::{document, site_document};

use super::{Ink, Screen};
use crate::commands::Shown;
use crate::inspect::{Found, Inspected, Run, Site};
use kb_core::version::ComputeTarget;

/// Lines of a list in text; all of it is in the document.
const SHOWN: usize = 12;

/// Characters of one entry in text: what a file says can be of any length.
const LONGEST: usize = 300;

/// Prints what packages of a directory follow.
pub(crate) fn print_site(screen: &mut Screen<'_>, site: &Site, packages: usize) {
    screen.blank();
    let all = packages + site.others.len();
    let values = [("directory", site.directory.clone()), ("count", all.to_string())];
    let text = screen.say("ui-inspect-site", &values);
    screen.item(0, "", Ink::Plain, &text, Ink::Head);
    if !site.others.is_empty() {
        let values = [("count", site.others.len().to_string())];
        screen.item(2, "", Ink::Plain, &screen.say("ui-inspect-site-others", &values), Ink::Plain);
    }
}

/// Prints what is not read of any package, behind all of them.
pub(crate) fn print_limits(screen: &mut Screen<'_>, packages: &[Shown]) {
    if packages.iter().any(|p| !p.about.no_code) {
        screen.blank();
        screen.item(0, "", Ink::Plain, &screen.say("ui-inspect-limits", &[]), Ink::Faint);
    }
}

/// Prints one file; alone, or one of several packages.
pub(crate) fn print(screen: &mut Screen<'_>, shown: &Shown, alone: bool) {
    let about = &shown.about;
    screen.blank();
    screen.item(0, "", Ink::Plain, &about.file, Ink::Head);
    // Beside others, one without device code runs none, which is no doubt.
    let asked = alone || shown.may_hold_code();
    for verdict in shown.verdicts.iter().filter(|_| asked) {
        let (ink, id) = match verdict.run {
            Run::Yes => (Ink::Good, "ui-inspect-runs"),
            Run::No => (Ink::Bad, "ui-inspect-runs-not"),
            Run::Unknown => (Ink::Doubt, "ui-unknown"),
        };
        let mut says = verdict.says.iter().map(|(id, values)| screen.say(id, values)).collect::<Vec<_>>();
        let first = if says.is_empty() { String::new() } else { says.remove(0) };
        let label = screen.say(id, &[]);
        screen.item(2, &label, ink, &cut(&first), Ink::Plain);
        for more in says.iter().take(SHOWN) {
            screen.item(4, "-", Ink::Faint, &cut(more), Ink::Plain);
        }
    }
    let fields = fields(screen, shown);
    let column = fields.iter().map(|(label, _)| super::wrap::width(label)).max().unwrap_or(0);
    for (label, lines) in fields {
        list(screen, &label, column, &lines);
    }
    for (path, why) in about.not_read.iter().take(SHOWN) {
        let text = screen.say("ui-inspect-not-read", &[("what", path.clone()), ("why", why.clone())]);
        screen.item(2, "?", Ink::Doubt, &cut(&text), Ink::Plain);
    }
    more(screen, 4, about.not_read.len());
    for (id, count) in &about.notes {
        let text = screen.say(id, &[("count", count.to_string())]);
        screen.item(2, "!", Ink::Doubt, &text, Ink::Plain);
    }
    if about.yanked == Some(true) {
        screen.item(2, "!", Ink::Doubt, &screen.say("ui-inspect-yanked", &[]), Ink::Plain);
    }
    if about.unlisted > 0 {
        let text = screen.say("ui-inspect-unlisted", &[("bytes", about.unlisted.to_string())]);
        screen.item(2, "", Ink::Plain, &text, Ink::Faint);
    }
    if alone && !about.no_code {
        screen.item(2, "", Ink::Plain, &screen.say("ui-inspect-limits", &[]), Ink::Faint);
    }
    if let Some((bytes, requests)) = about.fetched {
        let values = [("bytes", bytes.to_string()), ("requests", requests.to_string())];
        screen.item(2, "", Ink::Plain, &screen.say("ui-inspect-fetched", &values), Ink::Faint);
    }
}

/// What is shown, by its label. Empty lists are left out.
fn fields(screen: &Screen<'_>, shown: &Shown) -> Vec<(String, Vec<String>)> {
    let about = &shown.about;
    let mut out: Vec<(&str, Vec<String>)> = Vec::new();
    let package = [&about.name, &about.version].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    out.push(("ui-inspect-package", Some(package).filter(|p| !p.is_empty()).into_iter().collect()));
    out.push(("ui-inspect-python", joined(&about.python)));
    out.push(("ui-inspect-platform", joined(&about.platform)));
    let made = about.stated.iter().map(|(what, version, member)| {
        let values = [("what", name(what)), ("version", version.clone()), ("member", member.clone())];
        screen.say("ui-inspect-stated", &values)
    });
    out.push(("ui-inspect-made-with", made.collect()));
    let deciding = about.deciding();
    let code = match deciding.as_slice() {
        _ if about.no_code => vec![screen.say("ui-inspect-not-asked", &[])],
        [] => vec![screen.say("ui-inspect-no-code", &[])],
        several => several.iter().flat_map(|l| code(screen, l)).collect(),
    };
    out.push(("ui-inspect-code", code));
    out.push(("ui-inspect-others", others(about, &deciding).flat_map(|l| code_line(screen, l)).collect()));
    out.push(("ui-inspect-declared", sections::declared(screen, about)));
    out.push(("ui-inspect-cudnn", sections::cudnn(screen, shown.cudnn.as_ref())));
    out.push(("ui-inspect-bundles", about.bundles.iter().map(|c| sections::carried(screen, c)).collect()));
    let mut needs: Vec<String> = joined(&about.needs.iter().cloned().collect::<Vec<_>>());
    needs
        .extend(about.glibc.map(|(a, b)| screen.say("ui-inspect-glibc", &[("version", format!("{a}.{b}"))])));
    let range = |r: &String| screen.say("ui-inspect-requires-python", &[("range", r.clone())]);
    needs.extend(about.requires_python.as_ref().map(range));
    out.push(("ui-inspect-needs", needs));
    out.push(("ui-inspect-requires", about.requires.clone()));
    out.push(("ui-inspect-record", sections::recorded(screen, about.recorded.as_ref())));
    let sum = about.bytes.map(|bytes| match &about.sha256 {
        Some(sum) => {
            let id = if about.url.is_some() { "ui-inspect-sum-stated" } else { "ui-inspect-sum" };
            screen.say(id, &[("bytes", bytes.to_string()), ("sha256", sum.clone())])
        }
        None => screen.say("ui-inspect-size", &[("bytes", bytes.to_string())]),
    });
    out.push(("ui-inspect-file", sum.into_iter().chain(about.url.clone()).collect()));
    out.into_iter().filter(|(_, l)| !l.is_empty()).map(|(id, l)| (screen.say(id, &[]), l)).collect()
}

/// Libraries whose code is another than that of those that decide; the package's own first.
fn others<'a>(about: &'a Inspected, deciding: &[&'a Found]) -> impl Iterator<Item = &'a Found> {
    let same =
        |l: &Found| deciding.iter().any(|d| d.path == l.path || d.sass() == l.sass() && d.ptx() == l.ptx());
    let mut out: Vec<&Found> = about.libraries.iter().filter(|l| !same(l)).collect();
    out.sort_by_key(|l| l.bundled);
    out.into_iter()
}

fn code(screen: &Screen<'_>, library: &Found) -> Vec<String> {
    let mut out = code_line(screen, library);
    let few: Vec<String> = texts(&library.few_sass())
        .into_iter()
        .map(|t| format!("SASS {t}"))
        .chain(texts(&library.few_ptx()).into_iter().map(|t| format!("PTX {t}")))
        .collect();
    if !few.is_empty() {
        out.push(screen.say("ui-inspect-few", &[("targets", few.join(", "))]));
    }
    out
}

fn code_line(screen: &Screen<'_>, library: &Found) -> Vec<String> {
    let or_none = |targets: Vec<String>| {
        if targets.is_empty() { screen.say("ui-inspect-none", &[]) } else { targets.join(" ") }
    };
    let name = match &library.variant {
        Some(variant) => format!("{variant}, {}", library.path),
        None => library.path.clone(),
    };
    let values = [
        ("library", name),
        ("sass", or_none(texts(&library.sass()))),
        ("ptx", or_none(texts(&library.ptx()))),
    ];
    vec![screen.say("ui-inspect-library", &values)]
}

fn list(screen: &mut Screen<'_>, label: &str, column: usize, lines: &[String]) {
    for (index, line) in lines.iter().take(SHOWN).enumerate() {
        match index {
            0 => screen.field(2, label, column, &cut(line)),
            _ if screen.width < 60 => screen.para(4, &cut(line)),
            _ => screen.field(2, "", column, &cut(line)),
        }
    }
    more(screen, column + 3, lines.len());
}

fn more(screen: &mut Screen<'_>, indent: usize, count: usize) {
    if count > SHOWN {
        let text = screen.say("ui-more", &[("count", (count - SHOWN).to_string())]);
        screen.item(indent, "", Ink::Plain, &text, Ink::Faint);
    }
}

fn joined(list: &[String]) -> Vec<String> {
    if list.is_empty() { Vec::new() } else { vec![list.join(" ")] }
}

fn cut(text: &str) -> String {
    let mut out: String = text.chars().take(LONGEST).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

fn name(what: &str) -> String {
    match what {
        "cuda" => "CUDA",
        "cudnn" => "cuDNN",
        "nccl" => "NCCL",
        "tensorrt" => "TensorRT",
        "rocm" => "ROCm",
        other => other,
    }
    .to_owned()
}

fn texts(targets: &[ComputeTarget]) -> Vec<String> {
    targets.iter().map(ToString::to_string).collect()
}
