//! uv.lock, poetry.lock, pylock.toml and pyproject.toml: what is locked, or what is asked for.

use super::Found;
use super::requirements::requirement;
use kb_core::diag::Diagnostic;
use toml::{Table, Value};

/// Reads a TOML file of one of these kinds.
///
/// # Errors
/// If it is not TOML.
pub(super) fn read(path: &str, text: &str) -> Result<Found, Diagnostic> {
    let document: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(0, |s| text[..s.start.min(text.len())].matches('\n').count() + 1);
        Diagnostic::error("bad-file", format!("{path}:{line}: this is not TOML: {}", error.message()))
    })?;
    let mut found = Found::default();
    // uv.lock and poetry.lock call the list `package`, pylock.toml (PEP 751) `packages`.
    for key in ["package", "packages"] {
        for package in document.get(key).and_then(Value::as_array).into_iter().flatten() {
            locked(package, &mut found);
        }
    }
    let project = document.get("project").and_then(Value::as_table);
    for line in project.and_then(|p| p.get("dependencies")).and_then(Value::as_array).into_iter().flatten() {
        if let Some(line) = line.as_str() {
            requirement(line, &mut found);
        }
    }
    // [[tool.uv.index]] url = "…"
    let uv =
        document.get("tool").and_then(|t| t.get("uv")).and_then(|u| u.get("index")).and_then(Value::as_array);
    for index in uv.into_iter().flatten() {
        found.indexes.extend(index.get("url").and_then(Value::as_str).map(str::to_owned));
    }
    found.indexes.sort();
    found.indexes.dedup();
    Ok(found)
}

fn locked(package: &Value, found: &mut Found) {
    let text = |key: &str| package.get(key).and_then(Value::as_str);
    let (Some(name), Some(version)) = (text("name"), text("version")) else { return };
    found.requirements.push(format!("{name}=={version}"));
    let registry = package.get("source").and_then(|s| s.get("registry")).and_then(Value::as_str);
    if let Some(index) = registry.or(text("index")).filter(|i| !i.contains("pypi.org")) {
        found.indexes.push(index.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_uv_lock_is_read() {
        let found = read(
            "uv.lock",
            "version = 1\n[[package]]\nname = \"torch\"\nversion = \"2.9.1+cu126\"\nsource = { registry = \"https://download.pytorch.org/whl/cu126\" }\n\
             [[package]]\nname = \"app\"\nsource = { editable = \".\" }\n",
        );
        let found = found.expect("is TOML");
        assert_eq!(found.requirements, ["torch==2.9.1+cu126"]);
        assert_eq!(found.indexes, ["https://download.pytorch.org/whl/cu126"]);
        assert!(read("uv.lock", "[[").is_err());
    }
}
