//! `--facts FILE`: what `kb probe --json` printed, on whichever machine.

use crate::Failure;
use crate::spelling::os;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::request::resolve::{self, GpuMatch};
use std::io::Read;
use std::path::Path;

/// More than any probe prints.
pub(crate) const LARGEST: u64 = 16 << 20;

/// What was observed, and its value; else what is wrong with the document.
fn observations(document: &serde_json::Value) -> Result<Vec<(String, String)>, String> {
    use serde_json::Value;
    let Value::Object(keys) = document else {
        return Err(format!("is not what kb probe prints: it is {}, not an object", json_type(document)));
    };
    let list = match keys.get("observations") {
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("has {} as `observations`, not a list", json_type(other))),
        None => return Err("is not what kb probe prints: it has no `observations`".to_owned()),
    };
    if list.is_empty() {
        return Err("holds no observation".to_owned());
    }
    let mut out = Vec::with_capacity(list.len());
    for (index, entry) in list.iter().enumerate() {
        let number = index + 1;
        let Some(what) = entry.get("what").and_then(Value::as_str) else {
            return Err(format!("has an observation (number {number}) without a text `what`"));
        };
        let Some(value) = entry.get("value") else {
            return Err(format!("has an observation (number {number}, `{what}`) without `value`"));
        };
        out.extend(text_of(value).map(|text| (what.to_owned(), text)));
    }
    Ok(out)
}

fn json_type(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "true or false",
        serde_json::Value::Number(_) => "a number",
        serde_json::Value::String(_) => "a text",
        serde_json::Value::Array(_) => "a list",
        serde_json::Value::Object(_) => "an object",
    }
}

/// Fills what was not typed. Gives the toolkit on that machine, which is judged beside the packages of the question.
///
/// # Errors
/// If the file cannot be read or is not such a document.
pub(crate) fn fill(kb: &Kb, raw: &mut RawRequest, path: &Path) -> Result<Option<String>, Failure> {
    let text = read_text(path, "--facts")?;
    let help = "save what `kb probe --json` prints, and name that file";
    let wrong = |what: String| {
        Diagnostic::error("bad-facts", format!("--facts {}: the file {what}", path.display())).help(help)
    };
    let document: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| wrong(format!("is not JSON: {error}")))?;
    let observed = observations(&document).map_err(wrong)?;
    let all =
        |what: &str| observed.iter().filter(|(w, _)| w == what).map(|(_, v)| v.clone()).collect::<Vec<_>>();
    let first = |what: &str| all(what).into_iter().next();
    let mut drivers = all("driver");
    drivers.sort();
    drivers.dedup();
    if raw.driver.is_none() && drivers.len() > 1 {
        let message = format!("--facts {}: it has two drivers: {}", path.display(), drivers.join(", "));
        return Err(Diagnostic::error("contradiction", message)
            .help("save the facts of one machine, or say --driver")
            .into());
    }
    if let (None, None, Some(text)) = (&raw.os, first("wsl"), first("os"))
        && os(&text).is_none()
    {
        return Err(wrong(format!("is of a system that kb does not know: `{text}`"))
            .help("say --os linux, windows, wsl2 or macos")
            .into());
    }
    if raw.os.is_none() {
        let wsl = first("wsl").is_some();
        raw.os =
            if wsl { Some("wsl2".to_owned()) } else { first("os").and_then(|t| os(&t)).map(str::to_owned) };
        note(raw.os.is_some(), "os", &mut raw.assumed);
    }
    if raw.gpus.is_empty() {
        raw.gpus = gpus(kb, &all("gpu"), &all("compute-capability"));
        note(!raw.gpus.is_empty(), "gpu", &mut raw.assumed);
    }
    for (slot, name, what) in [
        (&mut raw.driver, "driver", "driver"),
        (&mut raw.arch, "arch", "arch"),
        (&mut raw.glibc, "glibc", "glibc"),
        (&mut raw.cuda, "cuda", "cuda"),
        (&mut raw.cudnn, "cudnn", "cudnn"),
        (&mut raw.python, "python", "python"),
    ] {
        if slot.is_none() {
            *slot = first(what).map(|v| if what == "python" { major_minor(&v) } else { v });
            note(slot.is_some(), name, &mut raw.assumed);
        }
    }
    // A toolkit on the machine is not the release that a build was made with.
    Ok(first("cuda-toolkit"))
}

fn note(filled: bool, name: &str, assumed: &mut Vec<String>) {
    if filled {
        assumed.push(name.to_owned());
    }
}

fn text_of(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::String(text) => Some(text.trim().to_owned()).filter(|t| !t.is_empty()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// `3.11.7` and `3.11.7 | packaged by conda` are 3.11.
fn major_minor(text: &str) -> String {
    let number = text.split_whitespace().next().unwrap_or(text);
    number.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// Names that the catalogue has; for others the capability that was observed beside them, if there is one.
fn gpus(kb: &Kb, names: &[String], capabilities: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let known = !matches!(resolve::gpu(kb, name), GpuMatch::Unknown(_));
        let beside = capabilities.get(index).or(capabilities.first().filter(|_| capabilities.len() == 1));
        out.push(match beside {
            Some(capability) if !known => format!("cc{capability}"),
            _ => name.clone(),
        });
    }
    if names.is_empty() {
        out.extend(capabilities.iter().map(|c| format!("cc{c}")));
    }
    // Equal GPUs are one question.
    let mut seen = std::collections::BTreeSet::new();
    out.retain(|g| seen.insert(g.clone()));
    out
}

/// Reads a text file of a reasonable size; `-` is standard input.
///
/// # Errors
/// If it cannot be read, is empty, too large or not text.
pub(crate) fn read_text(path: &Path, option: &str) -> Result<String, Diagnostic> {
    let shown = path.display();
    let fail = |error: std::io::Error| {
        Diagnostic::error("unreadable", format!("{option} {shown}: the file cannot be read: {error}"))
    };
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes).map_err(fail)?;
    } else {
        // Looked at before it is opened: opening a pipe blocks, and a device never ends.
        let meta = std::fs::metadata(path).map_err(fail)?;
        if !meta.is_file() {
            let (what, help) = if meta.is_dir() {
                ("a directory", "name a file")
            } else {
                ("a pipe, a socket or a device, no file", "name a file, or `-` for standard input")
            };
            return Err(
                Diagnostic::error("unreadable", format!("{option} {shown}: this is {what}")).help(help)
            );
        }
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(fail)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(Diagnostic::error(
            "too-large",
            format!("{option} {shown}: the file is larger than 16 MiB"),
        )
        .help("name the file itself; none of the kinds that kb reads is as large"));
    }
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(&bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => text,
        _ => {
            return Err(Diagnostic::error(
                "not-text",
                format!("{option} {shown}: the file is not UTF-8 text"),
            )
            .help(encoding_help(bytes)));
        }
    };
    if text.trim().is_empty() {
        return Err(Diagnostic::error("empty-file", format!("{option} {shown}: the file is empty"))
            .help("a command that fails leaves an empty file behind its `>`"));
    }
    Ok(text.to_owned())
}

/// What to do about bytes that are not UTF-8 text.
fn encoding_help(bytes: &[u8]) -> &'static str {
    let marked = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    let nuls = bytes.iter().filter(|b| **b == 0).count();
    // UTF-16 of ASCII has a NUL in every second byte.
    if marked || nuls * 5 > bytes.len() * 2 {
        "it is UTF-16, as PowerShell's `>` writes it; use `| Out-File -Encoding utf8`"
    } else if nuls > 0 {
        "it is a binary file; name a text file"
    } else {
        "it may be GBK or another older encoding; save it as UTF-8"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_told_apart() {
        assert!(encoding_help(b"t\0o\0r\0c\0h\0").contains("UTF-16"));
        assert!(encoding_help(b"\x7fELF\0\x01\x01\x01\xff\xfe").contains("binary"));
        assert!(encoding_help(&[0xC4, 0xE3, 0xBA, 0xC3]).contains("GBK"));
        assert_eq!(major_minor("3.11.7 | packaged by conda"), "3.11");
    }
}
