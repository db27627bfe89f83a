//! What `kb inspect` found, as the document.

use super::texts;
use crate::commands::{Shown, Verdict};
use crate::inspect::{
    Carried, Cudnn, Declared, Fault, Found, Inspected, Recorded, Run, Site, Wrong, differs,
};
use crate::output::Screen;
use artifact::bundled::How;
use serde_json::{Value, json};

/// The document of one file.
pub(crate) fn document(screen: &Screen<'_>, shown: &Shown) -> Value {
    let about = &shown.about;
    let first = |what: &str| about.stated.iter().find(|(w, ..)| *w == what).map(|(_, version, _)| version);
    let stated = about
        .stated
        .iter()
        .map(|(what, value, member)| json!({ "what": what, "value": value, "member": member }));
    let (dominant, looked) = (about.dominant(), !about.no_code);
    let says = |v: &Verdict| v.says.iter().map(|(id, values)| screen.say(id, values)).collect::<Vec<_>>();
    let run = |run: Run| match run {
        Run::Yes => "runs",
        Run::No => "runs-not",
        Run::Unknown => "unknown",
    };
    let gpus = shown.verdicts.iter().map(|v| {
        json!({ "gpu": v.gpu.label, "capability": v.gpu.capability.to_string(), "verdict": run(v.run), "says": says(v) })
    });
    json!({
        "schema": 1,
        "command": "inspect",
        "file": about.file,
        "kind": about.kind,
        "url": about.url,
        "bytes": about.bytes,
        "sha256": about.sha256,
        "yanked": about.yanked,
        "name": about.name,
        "version": about.version,
        "made_with": { "cuda": first("cuda"), "cudnn": first("cudnn") },
        "stated": stated.collect::<Vec<_>>(),
        "device_code": looked.then(|| dominant.map_or_else(|| json!({ "library": null, "sass": [], "ptx": [] }), library)),
        "libraries": looked.then(|| about.libraries.iter().map(library).collect::<Vec<_>>()),
        "declared": about.declared.iter().map(|d| declared(about, d)).collect::<Vec<_>>(),
        "cudnn": shown.cudnn.as_ref().map(cudnn),
        "bundles": (about.unlisted == 0).then(|| about.bundles.iter().map(carried).collect::<Vec<_>>()),
        "needs": (!about.no_tables).then_some(&about.needs),
        "glibc": about.glibc.map(|(major, minor)| format!("{major}.{minor}")),
        "python": about.python,
        "requires_python": about.requires_python,
        "platform": about.platform,
        "requires": about.requires,
        "record": about.recorded.as_ref().map(recorded),
        "fetched": about.fetched.map(|(bytes, requests)| json!({ "bytes": bytes, "requests": requests })),
        "gpus": gpus.collect::<Vec<_>>(),
        "not_read": about.not_read.iter().map(|(what, why)| json!({ "what": what, "why": why })).collect::<Vec<_>>(),
        "notes": about.notes.iter().map(|(id, n)| screen.say(id, &[("count", n.to_string())])).collect::<Vec<_>>(),
    })
}

fn library(library: &Found) -> Value {
    json!({
        "library": library.path,
        "bundled": library.bundled,
        "variant": library.variant,
        "sass": texts(&library.sass()),
        "ptx": texts(&library.ptx()),
        "few": { "sass": texts(&library.few_sass()), "ptx": texts(&library.few_ptx()) },
    })
}

/// What a directory of packages is, beside the documents of those that have to do with GPUs.
pub(crate) fn site_document(site: &Site, packages: usize) -> Value {
    json!({ "directory": site.directory, "packages": packages + site.others.len(), "others": site.others })
}

fn carried(carried: &Carried) -> Value {
    let (version, how) = carried.version.as_ref().map(|(v, how)| (v, word(*how))).unzip();
    json!({
        "file": carried.path,
        "library": carried.library,
        "version": version,
        "how": how,
        "linked_in": carried.linked_in,
    })
}

/// How a version is known, as a word.
fn word(how: How) -> &'static str {
    match how {
        How::Constant => "constant",
        How::Resource => "resource",
        How::Text => "text",
        How::FileName => "file-name",
        How::AbiName => "abi-name",
    }
}

fn declared(about: &Inspected, declared: &Declared) -> Value {
    let differs = differs(about, declared).map(|d| {
        json!({
            "only_declared": { "sass": texts(&d.no_sass), "ptx": texts(&d.no_ptx) },
            "only_measured": { "sass": texts(&d.more_sass), "ptx": texts(&d.more_ptx) },
            "same": d.is_empty(),
        })
    });
    json!({
        "member": declared.member,
        "sass": texts(&declared.sass),
        "ptx": texts(&declared.ptx),
        "unread": declared.unread,
        "measured": differs,
    })
}

fn cudnn(cudnn: &Cudnn) -> Value {
    let versions = cudnn.versions.iter().map(
        |(version, file, how)| json!({ "version": version, "file": file, "how": how.map_or("header", word) }),
    );
    // Of a mixture there is no version.
    let one = if let [(version, ..)] = cudnn.versions.as_slice() { Some(version) } else { None };
    json!({
        "version": one,
        "versions": versions.collect::<Vec<_>>(),
        "major": cudnn.major,
        "named": cudnn.named,
        "cuda": cudnn.cuda,
        "os": cudnn.os,
        "complete": (!cudnn.listed.is_empty()).then_some(cudnn.missing.is_empty()),
        "missing": cudnn.missing,
    })
}

fn recorded(recorded: &Recorded) -> Value {
    json!({
        "files": recorded.files,
        "verified": recorded.verified,
        "wrong": recorded.wrong.iter().map(wrong).collect::<Vec<_>>(),
    })
}

fn wrong(wrong: &Wrong) -> Value {
    let (what, bytes, says) = match &wrong.fault {
        Fault::Missing => ("missing", None, None),
        Fault::Size { is, says } => ("size", Some(is), Some(says)),
        Fault::Contents => ("contents", None, None),
        Fault::Unread(_) => ("unread", None, None),
    };
    json!({ "file": wrong.path, "what": what, "bytes": bytes, "recorded": says, "also": wrong.also })
}
