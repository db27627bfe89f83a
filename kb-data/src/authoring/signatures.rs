//! `signatures/<id>.md`: messages that programs print.

use super::causes::{Named, split_prose};
use super::fields::{Fields, Text};
use super::role::Role;
use super::{Loader, Spot, check, put};
use kb_core::diag::Diagnostic;
use kb_core::observe;
use kb_core::record::{Said, Signature};
use regex::Regex;

/// Who prints messages, beside packages of the catalogue.
pub(super) const EMITTERS: [&str; 43] = [
    "cuda-runtime",
    "cuda-driver",
    "cudnn",
    "cublas",
    "nvml",
    "nvidia-smi",
    "nvidia-kernel-module",
    "nvidia-fabricmanager",
    "nvidia-persistenced",
    "nvidia-installer",
    "nvidia-container-toolkit",
    "docker",
    "podman",
    "kubernetes",
    "wsl",
    "windows",
    "linux",
    "loader",
    "dkms",
    "systemd",
    "apt",
    "python",
    "pip",
    "uv",
    "conda",
    "poetry",
    "nvcc",
    "ptxas",
    "cmake",
    "gcc",
    "msvc",
    "opencv",
    "julia",
    "jittor",
    "llama-cpp",
    "ctranslate2",
    "ascend",
    "cambricon",
    "kunlun",
    "rocm",
    "iluvatar",
    "thrust",
    "program",
];

/// A needle shorter than this is found everywhere; one with a pattern beside it may be as short as the second.
const SHORTEST: [usize; 2] = [8, 4];

/// Patterns are compiled with this limit at run time too.
const LARGEST_PATTERN: usize = 1 << 20;

impl Loader<'_, '_> {
    pub(super) fn read_signatures(&mut self) {
        let mut found = Vec::new();
        let mut named = Vec::new();
        self.each(
            |role| if let Role::Signature(id) = role { Some(*id) } else { None },
            |id, file, f| {
                let title = f.text("title", "\"no kernel image is available for execution on the device\"");
                let needles = f.texts("needle");
                if needles.is_empty() {
                    f.report(
                        f.span(),
                        Diagnostic::error("missing-key", "the key `needle` is missing or empty")
                            .help("write needle = [\"the rarest fixed piece of the message\"]"),
                    );
                }
                let pattern = f.text_opt("pattern");
                for needle in &needles {
                    check(f, needle, needle_is_long(needle.text, pattern.is_some()));
                }
                let regex = pattern.as_ref().and_then(|p| check(f, p, compile(p.text)));
                let captures = self.captures(f, regex.as_ref());
                let emitted_by = f.texts("emitted-by");
                for text in &emitted_by {
                    if !EMITTERS.contains(&text.text) && self.names.package(text.text).is_err() {
                        let out = super::fields::unknown_word("emitted-by", text.text, &EMITTERS)
                            .note("packages of the catalogue are known too");
                        f.report(text.span.clone(), out);
                    }
                }
                let versions = f.boxed_opt("versions");
                let harmless = f.flag("harmless");
                let generic = f.flag("generic");
                let states = f.text_opt("states");
                let suggests = f.texts("suggests");
                for text in states.iter().chain(&suggests) {
                    named.push((Named::Cause(text.boxed()), Spot { file, span: text.span.clone() }));
                }
                let (matches, passes) = (f.boxed_list("matches"), f.boxed_list("passes"));
                if matches.is_empty() {
                    f.report(
                        f.span(),
                        Diagnostic::error("missing-key", "there is no sample of a line that matches")
                            .help("write matches = ['''a whole line as it is printed''']"),
                    );
                }
                let seen_in = f.texts("seen-in");
                if seen_in.is_empty() {
                    let out = Diagnostic::error(
                        "missing-source",
                        "nothing says where this message can be looked at",
                    );
                    f.report(f.span(), out.help("write seen-in = [\"owner/repository path\"]"));
                }
                for text in &seen_in {
                    check(f, text, is_place(text.text));
                }
                let zh = f.table("zh").and_then(|zh| {
                    let title = zh.text("title", "\"…\"");
                    zh.finish();
                    title.map(|t| t.boxed())
                });
                let Some(title) = title else { return };
                found.push(Signature {
                    id: id.into(),
                    title: Said { en: title.boxed(), zh },
                    needles: needles.iter().map(Text::boxed).collect(),
                    pattern: pattern.map(|p| p.boxed()),
                    captures,
                    emitted_by: emitted_by.iter().map(Text::boxed).collect(),
                    versions,
                    harmless,
                    generic,
                    error: f.boxed_opt("error"),
                    states: states.map(|s| s.boxed()),
                    suggests: suggests.iter().map(Text::boxed).collect(),
                    matches,
                    passes,
                    seen_in: seen_in.iter().map(Text::boxed).collect(),
                    prose: split_prose(f.file.prose),
                });
            },
        );
        for signature in found {
            put(&mut self.kb.signatures, signature, |s| &s.id);
        }
        self.seen.diagnosis.append(&mut named);
    }

    fn captures(&self, f: &Fields<'_, '_>, regex: Option<&Regex>) -> Vec<(Box<str>, Box<str>)> {
        let Some(table) = f.table("captures") else { return Vec::new() };
        let mut out = Vec::new();
        for (key, value) in table.in_order() {
            table.get(key.text);
            let Some(what) = table.as_text(key.text, value, "\"compute-capability\"") else { continue };
            if !observe::is_name(what.text) {
                f.report(what.span.clone(), super::causes::unknown_observation(what.text));
            }
            if let Some(regex) = regex
                && !regex.capture_names().flatten().any(|name| name == key.text)
            {
                let message = format!("the pattern captures nothing called `{}`", key.text);
                f.report(
                    key.span.clone(),
                    Diagnostic::error("unknown-placeholder", message)
                        .help(format!("write (?<{}>…) in the pattern", key.text)),
                );
            }
            out.push((key.boxed(), what.boxed()));
        }
        out
    }
}

fn compile(text: &str) -> Result<Regex, Diagnostic> {
    regex::RegexBuilder::new(text).size_limit(LARGEST_PATTERN).build().map_err(|error| {
        let error = error.to_string();
        let last = error.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("").trim().to_owned();
        Diagnostic::error("bad-pattern", format!("this is no pattern: {last}"))
            .help("the syntax is that of Rust's regex: no look-around, no back references")
    })
}

fn needle_is_long(text: &str, has_pattern: bool) -> Result<(), Diagnostic> {
    let least = SHORTEST[usize::from(has_pattern)];
    if text.len() >= least && !text.contains('\n') {
        return Ok(());
    }
    Err(Diagnostic::error("short-needle", format!("`{text}` is found in too many texts"))
        .help(format!("a needle has at least {least} bytes and stands on one line")))
}

/// `owner/repository path`, `owner/repository#123`, `https://…`.
fn is_place(text: &str) -> Result<(), Diagnostic> {
    let repository = |text: &str| {
        text.split_once('/').is_some_and(|(owner, name)| {
            !owner.is_empty() && !name.is_empty() && !name.contains('/') && !owner.contains(' ')
        })
    };
    let good = text.starts_with("https://")
        || text.split_once('#').is_some_and(|(r, n)| repository(r) && n.bytes().all(|b| b.is_ascii_digit()))
        || text.split_once(' ').is_some_and(|(r, path)| repository(r) && !path.trim().is_empty());
    if good {
        return Ok(());
    }
    Err(Diagnostic::error("unknown-place", format!("`{text}` says no place"))
        .help("write owner/repository path, owner/repository#number or an https address"))
}
