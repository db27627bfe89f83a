//! `--facts FILE`: what was observed, on whichever machine.

use crate::Failure;
use crate::request::{Notes, Origin};
use crate::spelling::os;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::request::resolve::{self, GpuMatch};
use std::io::Read;
use std::path::Path;

/// More than any probe prints.
pub(crate) const LARGEST: u64 = 16 << 20;

/// What kb takes from such a document.
const NAMES: [&str; 11] = [
    "gpu",
    "compute-capability",
    "driver",
    "os",
    "wsl",
    "arch",
    "glibc",
    "cuda",
    "cudnn",
    "python",
    "cuda-toolkit",
];

/// What was observed.
#[derive(Debug, Default)]
struct Observations {
    /// Names with their values.
    values: Vec<(String, String)>,
    /// Names that were observed without a value.
    empty: Vec<&'static str>,
}

/// What was observed, and its value; else what is wrong with the document.
fn observations(document: &serde_json::Value) -> Result<Observations, String> {
    use serde_json::Value;
    let Value::Object(keys) = document else {
        return Err(format!("is no list of observations: it is {}, not an object", json_type(document)));
    };
    match keys.get("schema") {
        None => {}
        Some(schema) if schema.as_u64() == Some(1) => {}
        Some(schema) => return Err(format!("has the schema {schema}; this kb reads schema 1")),
    }
    match keys.get("command") {
        None => {}
        Some(Value::String(command)) if command == "probe" => {}
        Some(command) => return Err(format!("is no list of observations: its `command` is {command}")),
    }
    let list = match keys.get("observations") {
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("has {} as `observations`, not a list", json_type(other))),
        None => return Err("is no list of observations: it has no `observations`".to_owned()),
    };
    if list.is_empty() {
        return Err("holds no observation".to_owned());
    }
    let mut out = Observations::default();
    let mut methods: std::collections::HashMap<&str, &str> = std::collections::HashMap::new();
    for (index, entry) in list.iter().enumerate() {
        let number = index + 1;
        let Some(what) = entry.get("what").and_then(Value::as_str) else {
            return Err(format!("has an observation (number {number}) without a text `what`"));
        };
        let Some(value) = entry.get("value") else {
            return Err(format!("has an observation (number {number}, `{what}`) without `value`"));
        };
        // What else was observed takes no part; its value may be anything.
        let Some(name) = NAMES.into_iter().find(|n| *n == what) else { continue };
        // A probe asks in several ways: those of the first that answered are the machine's, others repeat them.
        if let Some(method) = entry.get("method").and_then(Value::as_str)
            && matches!(what, "gpu" | "driver" | "compute-capability" | "cudnn")
            && methods.entry(name).or_insert(method) != &method
        {
            continue;
        }
        match (value, text_of(value)) {
            (Value::Bool(is), _) if name == "wsl" => {
                out.values.extend(is.then(|| (what.to_owned(), "2".to_owned())));
            }
            (_, Some(text)) => out.values.push((what.to_owned(), text)),
            (Value::Null | Value::String(_), None) => out.empty.push(name),
            (other, None) => {
                return Err(format!(
                    "has an observation (number {number}, `{what}`) whose value is {}, not a text",
                    json_type(other)
                ));
            }
        }
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
pub(crate) fn fill(
    kb: &Kb,
    raw: &mut RawRequest,
    path: &Path,
    notes: &mut Notes,
) -> Result<Option<String>, Failure> {
    let text = read_text(path, "--facts")?;
    let help = r#"write {"observations": [{"what": "gpu", "value": "rtx-3090"}, {"what": "driver", "value": "535.104.05"}]}"#;
    let wrong = |what: String| {
        Diagnostic::error("bad-facts", format!("--facts {}: the file {what}", path.display())).help(help)
    };
    let document: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| wrong(format!("is not JSON: {error}")))?;
    let observed = observations(&document).map_err(wrong)?;
    let place = format!("--facts {}", path.display());
    for name in &observed.empty {
        // A GPU that nobody could name is there all the same: without it the answer would be for a machine without one.
        if *name == "gpu" && raw.gpus.is_empty() {
            return Err(wrong("has a GPU without a name".to_owned()).help("say --gpu").into());
        }
        notes.push("ui-facts-empty", vec![("place", place.clone()), ("name", (*name).to_owned())]);
    }
    let all = |what: &str| {
        observed.values.iter().filter(|(w, _)| w == what).map(|(_, v)| v.clone()).collect::<Vec<_>>()
    };
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
    let wsl = first("wsl").filter(|t| !matches!(&*t.to_ascii_lowercase(), "false" | "no" | "none" | "0"));
    if let (None, None, Some(text)) = (&raw.os, &wsl, first("os"))
        && os(&text).is_none()
    {
        return Err(wrong(format!("is of a system that kb does not know: `{text}`"))
            .help("say --os linux, windows, wsl2 or macos")
            .into());
    }
    let mut filled: Vec<&'static str> = Vec::new();
    if raw.os.is_none() {
        let wsl = wsl.is_some();
        raw.os =
            if wsl { Some("wsl2".to_owned()) } else { first("os").and_then(|t| os(&t)).map(str::to_owned) };
        filled.extend(raw.os.is_some().then_some("os"));
    }
    if raw.gpus.is_empty() {
        raw.gpus = gpus(kb, &all("gpu"), &all("compute-capability"));
        filled.extend((!raw.gpus.is_empty()).then_some("gpu"));
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
            filled.extend(slot.is_some().then_some(name));
        }
    }
    // A toolkit on the machine is not the release that a build was made with.
    let toolkit = first("cuda-toolkit");
    raw.assumed.extend(filled.iter().map(|f| (*f).to_owned()));
    filled.extend(toolkit.is_some().then_some("cuda-toolkit"));
    notes.origins.extend(filled.into_iter().map(|option| Origin { option, place: place.clone() }));
    Ok(toolkit)
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
        let known = !matches!(resolve::gpu(kb, name), GpuMatch::Unknown);
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
        // Opened like any file, a pipe gives what is written into it (`-r <(pip freeze)`), and a device that never ends
        // is cut off below.
        if path.is_dir() {
            return Err(Diagnostic::error("unreadable", format!("{option} {shown}: this is a directory"))
                .help("name a file"));
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
    fn documents_that_are_none_are_told() {
        let read = |text: &str| {
            observations(&serde_json::from_str(text).expect("is JSON")).map(|o| (o.values.len(), o.empty))
        };
        let probe =
            |rest: &str| format!("{{\"schema\": 1, \"command\": \"probe\", \"observations\": [{rest}]}}");
        for (text, piece) in [
            ("{\"schema\": 9, \"observations\": [1]}", "schema 9"),
            ("{\"schema\": \"1\", \"observations\": [1]}", "schema \"1\""),
            ("{\"command\": \"solve\", \"observations\": [1]}", "`command` is \"solve\""),
            (&*probe("{\"what\": \"gpu\", \"value\": [1]}"), "whose value is a list"),
            (&*probe(""), "holds no observation"),
        ] {
            let wrong = read(text).expect_err(text);
            assert!(wrong.contains(piece), "{wrong}");
        }
        let gpu = probe("{\"what\": \"gpu\", \"value\": null}, {\"what\": \"driver\", \"value\": \" \"}");
        assert_eq!(read(&gpu), Ok((0, vec!["gpu", "driver"])));
        let twice = probe(
            "{\"what\": \"gpu\", \"value\": \"A\", \"method\": \"nvml\"}, {\"what\": \"gpu\", \"value\": \"A\", \"method\": \"nvml\"}, \
             {\"what\": \"gpu\", \"value\": \"A [x]\", \"method\": \"proc\"}",
        );
        assert_eq!(read(&twice), Ok((2, vec![])));
        let wsl = probe("{\"what\": \"wsl\", \"value\": false}, {\"what\": \"mine\", \"value\": {}}");
        assert_eq!(read(&wsl), Ok((0, vec![])));
    }

    #[test]
    fn bytes_that_are_no_text_are_told_apart() {
        assert!(encoding_help(b"t\0o\0r\0c\0h\0").contains("UTF-16"));
        assert!(encoding_help(b"\x7fELF\0\x01\x01\x01\xff\xfe").contains("binary"));
        assert!(encoding_help(&[0xC4, 0xE3, 0xBA, 0xC3]).contains("GBK"));
        assert_eq!(major_minor("3.11.7 | packaged by conda"), "3.11");
    }
}
