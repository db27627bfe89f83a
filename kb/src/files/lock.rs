//! uv.lock, poetry.lock, pylock.toml and pyproject.toml: what is locked, or what is asked for.

use super::marker::Environment;
use super::requirements::requirement;
use super::{Asked, Found};
use kb_core::diag::Diagnostic;
use toml::{Table, Value};

/// Reads a TOML file of one of these kinds.
///
/// # Errors
/// If it is not TOML.
pub(super) fn read(path: &str, text: &str, environment: &Environment) -> Result<Found, Diagnostic> {
    let document: Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(0, |s| text[..s.start.min(text.len())].matches('\n').count() + 1);
        Diagnostic::error("bad-file", format!("{path}:{line}: this is not TOML: {}", error.message()))
    })?;
    let mut found = Found::default();
    let wrong = |what: String| {
        Diagnostic::error("bad-file", format!("{path}: {what}"))
            .help("name the file as uv, poetry or pip wrote it")
    };
    // uv.lock and poetry.lock call the list `package`, pylock.toml (PEP 751) `packages`.
    for key in ["package", "packages"] {
        let list = match document.get(key) {
            None => continue,
            Some(Value::Array(list)) => list,
            Some(other) => {
                return Err(wrong(format!("`{key}` is a list of tables, not {}", type_word(other))));
            }
        };
        for (index, package) in list.iter().enumerate() {
            locked(package, &mut found)
                .map_err(|what| wrong(format!("`{key}` number {}: {what}", index + 1)))?;
        }
    }
    let project = document.get("project").and_then(|p| p.get("dependencies"));
    match project {
        None => {}
        Some(Value::Array(list)) => {
            for line in list {
                let Some(line) = line.as_str() else {
                    return Err(wrong(format!("`dependencies` holds texts, not {}", type_word(line))));
                };
                requirement(line, None, environment, &mut found);
            }
        }
        Some(other) => {
            return Err(wrong(format!("`dependencies` is a list of texts, not {}", type_word(other))));
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

fn locked(package: &Value, found: &mut Found) -> Result<(), String> {
    if !package.is_table() {
        return Err(format!("a package is a table, not {}", type_word(package)));
    }
    let text = |key: &str| match package.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => Err(format!("`{key}` is a text, not {}", type_word(other))),
    };
    // The project itself has no version in uv.lock.
    let (Some(name), Some(version)) = (text("name")?, text("version")?) else { return Ok(()) };
    found.requirements.push(Asked::from(format!("{name}=={version}")));
    let registry = package.get("source").and_then(|s| s.get("registry")).and_then(Value::as_str);
    if let Some(index) = registry.or(text("index")?).filter(|i| !i.contains("pypi.org")) {
        found.indexes.push(index.to_owned());
    }
    Ok(())
}

fn type_word(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::Environment;
    use kb_core::request::RawRequest;

    fn read(path: &str, text: &str) -> Result<super::Found, super::Diagnostic> {
        super::read(path, text, &Environment::of(&RawRequest::default()))
    }

    #[test]
    fn a_uv_lock_is_read() {
        let found = read(
            "uv.lock",
            "version = 1\n[[package]]\nname = \"torch\"\nversion = \"2.9.1+cu126\"\nsource = { registry = \"https://download.pytorch.org/whl/cu126\" }\n\
             [[package]]\nname = \"app\"\nsource = { editable = \".\" }\n",
        );
        let found = found.expect("is TOML");
        let texts: Vec<&str> = found.requirements.iter().map(|r| &*r.text).collect();
        assert_eq!(texts, ["torch==2.9.1+cu126"]);
        assert_eq!(found.indexes, ["https://download.pytorch.org/whl/cu126"]);
        assert!(read("uv.lock", "[[").is_err());
        let wrong = read("uv.lock", "package = 3").expect_err("a number");
        assert!(wrong.message.contains("a list of tables, not a number"), "{}", wrong.message);
        let wrong = read("uv.lock", "[[package]]\nname = 'torch'\nversion = 2.9\n").expect_err("a number");
        assert!(wrong.message.contains("`version` is a text"), "{}", wrong.message);
    }
}
