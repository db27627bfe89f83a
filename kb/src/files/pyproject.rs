//! pyproject.toml: what a project asks for, as PEP 621 and as poetry write it, and uv's indexes.

use super::found::{Found, LeftOut, Sentence};
use super::lock::type_word;
use super::marker::{Applies, Environment};
use super::poetry;
use super::requirements::requirement;
use std::collections::HashSet;
use toml::{Table, Value};

/// Reads the dependencies of the project, if the document has any.
pub(super) fn read(document: &Table, environment: &Environment, found: &mut Found) -> Result<(), String> {
    match document.get("project").and_then(|p| p.get("dependencies")) {
        None => {}
        Some(Value::Array(list)) => {
            for line in list {
                let Some(line) = line.as_str() else {
                    return Err(format!("`dependencies` holds texts, not {}", type_word(line)));
                };
                requirement(line, None, environment, found);
            }
        }
        Some(other) => return Err(format!("`dependencies` is a list of texts, not {}", type_word(other))),
    }
    let tool = |name: &str| document.get("tool").and_then(|t| t.get(name));
    let by_poetry = tool("poetry").and_then(|p| p.get("dependencies")).and_then(Value::as_table);
    for (name, value) in by_poetry.into_iter().flatten() {
        by_name(name, value, environment, found);
    }
    if let Some(uv) = tool("uv") {
        indexes(uv, environment, found)?;
        options(uv, found);
        uv.get("pip").into_iter().for_each(|pip| options(pip, found));
    }
    for (tool, default) in [(tool("poetry"), "primary"), (tool("pdm"), "supplemental")] {
        let named = by_poetry.into_iter().flatten().flat_map(|(_, value)| source_of(value)).collect();
        sources(tool.and_then(|t| t.get("source")), default, &named, found);
    }
    Ok(())
}

/// `index-url` and its like of `[tool.uv]` and `[tool.uv.pip]`.
fn options(table: &Value, found: &mut Found) {
    let text = |key: &str| table.get(key).and_then(Value::as_str);
    let list = |key: &str| table.get(key).and_then(Value::as_array).into_iter().flatten();
    found.replaces |= text("index-url").is_some();
    found.indexes.extend(text("index-url").map(str::to_owned));
    for key in ["extra-index-url", "find-links"] {
        found.indexes.extend(list(key).filter_map(Value::as_str).map(str::to_owned));
    }
    match text("torch-backend") {
        Some("auto") => found.open_index = true,
        backend => found.indexes.extend(backend.map(str::to_owned)),
    }
}

/// The sources that a dependency of poetry names.
fn source_of(value: &Value) -> Vec<&str> {
    let list = value.as_array().map_or(std::slice::from_ref(value), |list| list);
    list.iter().filter_map(|v| v.get("source").and_then(Value::as_str)).collect()
}

/// `[[tool.poetry.source]]` and `[[tool.pdm.source]]`. A primary one stands in PyPI's place, an explicit one is only for
/// those that name it.
fn sources(list: Option<&Value>, default: &str, named: &HashSet<&str>, found: &mut Found) {
    for source in list.and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| source.get(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default();
        let priority = text("priority").unwrap_or(default);
        if priority == "explicit" && !named.contains(name) {
            continue;
        }
        let pypi = name.eq_ignore_ascii_case("pypi");
        found.names_pypi |= pypi && text("url").is_none();
        found.replaces |= matches!(priority, "primary" | "default") || pypi && text("url").is_some();
        found.indexes.extend(text("url").map(str::to_owned));
    }
}

/// `torch = "^2.6"` and `torch = { version = "^2.6", markers = "…", extras = […] }`.
fn by_name(name: &str, value: &Value, environment: &Environment, found: &mut Found) {
    // What a project accepts is no statement about the machine.
    if name == "python" {
        return;
    }
    for value in value.as_array().map_or(std::slice::from_ref(value), |list| list) {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let version = value.as_str().or_else(|| text("version"));
        let extras = value.get("extras").and_then(Value::as_array).into_iter().flatten();
        let extras = extras.filter_map(Value::as_str).collect::<Vec<_>>().join(",");
        let extras = if extras.is_empty() { extras } else { format!("[{extras}]") };
        let optional = value.get("optional").and_then(Value::as_bool) == Some(true);
        let read = version.and_then(|v| poetry::requirement(&format!("{name}{extras}@{v}")));
        let why = match &read {
            _ if optional => "left-extra",
            None if version.is_none() => "left-address",
            None => "left-spec",
            Some(read) => {
                let marker = text("markers").map(|m| format!(" ; {m}")).unwrap_or_default();
                requirement(&format!("{read}{marker}"), None, environment, found);
                continue;
            }
        };
        found.left_out.push(LeftOut::new(read.unwrap_or_else(|| name.to_owned()), Sentence::new(why)));
    }
}

/// `[[tool.uv.index]]`: one that is `explicit` only counts for packages that name it, where their marker says so.
fn indexes(uv: &Value, environment: &Environment, found: &mut Found) -> Result<(), String> {
    let mut named = HashSet::new();
    for source in uv.get("sources").and_then(Value::as_table).into_iter().flatten().map(|(_, s)| s) {
        for source in source.as_array().map_or(std::slice::from_ref(source), |list| list) {
            let marker = source.get("marker").and_then(Value::as_str);
            if environment.any_applies(marker)? != Applies::No && source.get("extra").is_none() {
                named.extend(source.get("index").and_then(Value::as_str));
            }
        }
    }
    for index in uv.get("index").and_then(Value::as_array).into_iter().flatten() {
        let explicit = index.get("explicit").and_then(Value::as_bool) == Some(true);
        let name = index.get("name").and_then(Value::as_str);
        if !explicit || name.is_some_and(|n| named.contains(n)) {
            found.replaces |= index.get("default").and_then(Value::as_bool) == Some(true);
            found.indexes.extend(index.get("url").and_then(Value::as_str).map(str::to_owned));
        }
    }
    Ok(())
}
