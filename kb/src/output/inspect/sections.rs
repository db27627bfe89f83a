//! Lines of the text about libraries that are carried, cuDNN, declared targets and RECORD.

use super::{cut, texts};
use crate::inspect::{Carried, Cudnn, Fault, Inspected, Recorded, differs};
use crate::output::Screen;
use artifact::bundled::How;
use kb_core::version::ComputeTarget;

/// A library that is carried: its path, and its version with how that is known.
pub(super) fn carried(screen: &Screen<'_>, carried: &Carried) -> String {
    let (Some(library), Some((version, how))) = (&carried.library, &carried.version) else {
        return carried.path.clone();
    };
    let values = [
        ("path", carried.path.clone()),
        ("library", library.clone()),
        ("version", version.clone()),
        ("how", known(screen, *how)),
    ];
    screen.say(if carried.linked_in { "ui-inspect-carried-in" } else { "ui-inspect-carried" }, &values)
}

fn known(screen: &Screen<'_>, how: How) -> String {
    let id = match how {
        How::Constant => "ui-inspect-how-constant",
        How::Resource => "ui-inspect-how-resource",
        How::Text => "ui-inspect-how-text",
        How::FileName => "ui-inspect-how-file-name",
        How::AbiName => "ui-inspect-how-abi-name",
    };
    screen.say(id, &[])
}

/// cuDNN: its version, for which CUDA it is, and whether it is complete.
pub(super) fn cudnn(screen: &Screen<'_>, cudnn: Option<&Cudnn>) -> Vec<String> {
    let Some(cudnn) = cudnn else { return Vec::new() };
    let mut out: Vec<String> = cudnn
        .versions
        .iter()
        .map(|(version, file, how)| {
            let how = how.map_or_else(|| screen.say("ui-inspect-how-header", &[]), |how| known(screen, how));
            let values = [("version", version.clone()), ("file", file.clone()), ("how", how)];
            screen.say("ui-inspect-cudnn-version", &values)
        })
        .collect();
    if cudnn.versions.len() > 1 {
        out.push(screen.say("ui-inspect-cudnn-mixed", &[]));
    }
    let id = match (&cudnn.named, &cudnn.cuda) {
        (Some(_), Some(_)) => Some("ui-inspect-cudnn-named"),
        (Some(_), None) => Some("ui-inspect-cudnn-named-only"),
        (None, Some(_)) => Some("ui-inspect-cudnn-cuda"),
        (None, None) => None,
    };
    out.extend(id.map(|id| {
        let value = |text: &Option<String>| text.clone().unwrap_or_default();
        screen.say(id, &[("version", value(&cudnn.named)), ("cuda", value(&cudnn.cuda))])
    }));
    if let Some(major) = cudnn.major.filter(|_| !cudnn.listed.is_empty()) {
        let values = [
            ("major", major.to_string()),
            ("count", cudnn.listed.len().to_string()),
            ("missing", cudnn.missing.join(", ")),
        ];
        let whole = cudnn.missing.is_empty();
        out.push(
            screen.say(if whole { "ui-inspect-cudnn-whole" } else { "ui-inspect-cudnn-missing" }, &values),
        );
    }
    out
}

/// Targets that are declared, each with how that compares with what was measured.
pub(super) fn declared(screen: &Screen<'_>, about: &Inspected) -> Vec<String> {
    let mut out = Vec::new();
    for declared in &about.declared {
        let none = || screen.say("ui-inspect-none", &[]);
        let list = |targets: &[ComputeTarget]| {
            if targets.is_empty() { none() } else { texts(targets).join(" ") }
        };
        let values = [
            ("library", declared.member.clone()),
            ("sass", list(&declared.sass)),
            ("ptx", list(&declared.ptx)),
        ];
        out.push(screen.say("ui-inspect-library", &values));
        if !declared.unread.is_empty() {
            let words = [("words", declared.unread.join(" "))];
            out.push(screen.say("ui-inspect-declared-unread", &words));
        }
        let Some(differs) = differs(about, declared) else { continue };
        if differs.is_empty() {
            out.push(screen.say("ui-inspect-declared-same", &[]));
        }
        for (id, sass, ptx) in [
            ("ui-inspect-declared-only", &differs.no_sass, &differs.no_ptx),
            ("ui-inspect-measured-only", &differs.more_sass, &differs.more_ptx),
        ] {
            let kinds = [("SASS", sass), ("PTX", ptx)];
            let some = kinds.iter().filter(|(_, targets)| !targets.is_empty());
            let shown: Vec<String> = some.map(|(kind, t)| format!("{kind} {}", texts(t).join(" "))).collect();
            if !shown.is_empty() {
                out.push(screen.say(id, &[("targets", shown.join(", "))]));
            }
        }
    }
    out
}

/// How installed files compare with RECORD.
pub(super) fn recorded(screen: &Screen<'_>, recorded: Option<&Recorded>) -> Vec<String> {
    let Some(recorded) = recorded else { return Vec::new() };
    let count = recorded.files.to_string();
    if recorded.wrong.is_empty() {
        let id = if recorded.verified { "ui-inspect-record-contents" } else { "ui-inspect-record-sizes" };
        return vec![screen.say(id, &[("count", count)])];
    }
    let values = [("wrong", recorded.wrong.len().to_string()), ("count", count)];
    let mut out = vec![screen.say("ui-inspect-record-wrong", &values)];
    for wrong in &recorded.wrong {
        let path = ("path", wrong.path.clone());
        let text = match &wrong.fault {
            Fault::Missing => screen.say("ui-inspect-record-missing", &[path]),
            Fault::Size { is, says } => {
                let values = [path, ("is", is.to_string()), ("says", says.to_string())];
                screen.say("ui-inspect-record-size", &values)
            }
            Fault::Contents => screen.say("ui-inspect-record-other", &[path]),
            Fault::Unread(why) => {
                screen.say("ui-inspect-not-read", &[("what", wrong.path.clone()), ("why", why.clone())])
            }
        };
        out.push(if wrong.also.is_empty() {
            text
        } else {
            let values = [("what", text), ("packages", cut(&wrong.also.join(", ")))];
            screen.say("ui-inspect-record-also", &values)
        });
    }
    out
}
