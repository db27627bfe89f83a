//! Files in TOML: locks of uv, poetry and pdm, pylock.toml, pyproject.toml.

use super::found::{Asked, Found, LeftOut, Sentence};
use super::marker::{Applies, Environment};
use super::{pylock, pyproject, uv};
use kb_core::diag::Diagnostic;
use toml::{Table, Value};

/// Reads a TOML file of one of these kinds.
///
/// # Errors
/// If it is not TOML, or no such file.
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
    let packages = packages(&document, "package").map_err(wrong)?;
    // uv names what each package needs, with markers; poetry and pdm put the markers on the packages themselves.
    if packages.iter().any(|p| p.table.get("source").is_some_and(Value::is_table) && !p.says_itself()) {
        uv::read(&packages, environment, &mut found).map_err(wrong)?;
    } else {
        for package in &packages {
            by_itself(package, environment, &mut found).map_err(wrong)?;
        }
    }
    pylock::read(&document, environment, &mut found).map_err(wrong)?;
    pyproject::read(&document, environment, &mut found).map_err(wrong)?;
    found.indexes.sort();
    found.indexes.dedup();
    Ok(found)
}

/// A package of a lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Package<'a> {
    pub(super) table: &'a Table,
    pub(super) name: &'a str,
    /// A project has none.
    pub(super) version: Option<&'a str>,
}

impl Package<'_> {
    /// `torch==2.9.1`.
    pub(super) fn text(&self) -> String {
        self.version.map_or_else(|| self.name.to_owned(), |version| format!("{}=={version}", self.name))
    }

    /// Does it carry its markers itself, as poetry and pdm write them?
    fn says_itself(&self) -> bool {
        ["marker", "markers", "optional", "groups", "python-versions"]
            .iter()
            .any(|k| self.table.contains_key(*k))
    }

    /// Is it a project of the lock's own, not something that is installed from elsewhere?
    pub(super) fn is_project(&self) -> bool {
        let source = self.table.get("source").and_then(Value::as_table);
        source.is_some_and(|s| s.contains_key("editable") || s.contains_key("virtual"))
    }

    /// Counts it, with the index that it comes from.
    pub(super) fn counts(&self, applies: Applies, found: &mut Found) {
        if self.version.is_none() || self.is_project() {
            return;
        }
        found.requirements.push(Asked { open: applies == Applies::Open, ..Asked::from(self.text()) });
        let source = self.table.get("source");
        // poetry calls its own kind of source `legacy`.
        let registry =
            source.and_then(|s| s.get("registry").or_else(|| s.get("url"))).and_then(Value::as_str);
        let index = registry.or_else(|| self.table.get("index").and_then(Value::as_str));
        found.names_pypi |= index.is_some_and(|i| i.contains("pypi.org"));
        found.indexes.extend(index.filter(|i| !i.contains("pypi.org")).map(str::to_owned));
    }
}

/// The packages of a list of tables; uv.lock and poetry.lock call it `package`, pylock.toml (PEP 751) `packages`.
pub(super) fn packages<'a>(document: &'a Table, key: &str) -> Result<Vec<Package<'a>>, String> {
    let list = match document.get(key) {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("`{key}` is a list of tables, not {}", type_word(other))),
    };
    let mut out = Vec::with_capacity(list.len());
    for (index, package) in list.iter().enumerate() {
        let wrong = |what: String| format!("`{key}` number {}: {what}", index + 1);
        let Value::Table(table) = package else {
            return Err(wrong(format!("a package is a table, not {}", type_word(package))));
        };
        let name = text(table, "name").map_err(wrong)?;
        let version = text(table, "version").map_err(wrong)?;
        out.extend(name.map(|name| Package { table, name, version }));
    }
    Ok(out)
}

/// A text of a table.
pub(super) fn text<'a>(table: &'a Table, key: &str) -> Result<Option<&'a str>, String> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("`{key}` is a text, not {}", type_word(other))),
    }
}

/// A package of poetry.lock or pdm.lock. poetry writes one marker, or one for each group.
fn by_itself(package: &Package<'_>, environment: &Environment, found: &mut Found) -> Result<(), String> {
    let markers: Vec<&str> = match package.table.get("markers").or_else(|| package.table.get("marker")) {
        Some(Value::String(marker)) => vec![marker],
        Some(Value::Table(groups)) => groups.values().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let applies = environment.any_applies(markers).map_err(|why| format!("{}: {why}", package.text()))?;
    if package.table.get("optional").and_then(Value::as_bool) == Some(true) {
        found.left_out.push(LeftOut::new(package.text(), Sentence::new("left-extra")));
    } else if found.judge(applies, &package.text(), environment) {
        package.counts(applies, found);
    }
    Ok(())
}

pub(super) fn type_word(value: &Value) -> &'static str {
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

    fn read_on(os: &str, text: &str) -> Result<super::Found, super::Diagnostic> {
        let raw = RawRequest { os: Some(os.to_owned()), ..RawRequest::default() };
        super::read("uv.lock", text, &Environment::of(&raw))
    }

    fn texts(os: &str, text: &str) -> Vec<String> {
        let found = read_on(os, text).expect("is a lock");
        let mark = |a: super::Asked| if a.open { format!("{}?", a.text) } else { a.text };
        found.requirements.into_iter().map(mark).collect()
    }

    #[test]
    fn a_uv_lock_is_read() {
        let found = read_on(
            "linux",
            "version = 1\n[[package]]\nname = \"torch\"\nversion = \"2.9.1+cu126\"\nsource = { registry = \"https://download.pytorch.org/whl/cu126\" }\n\
             [[package]]\nname = \"app\"\nsource = { editable = \".\" }\n",
        );
        let found = found.expect("is TOML");
        let texts: Vec<&str> = found.requirements.iter().map(|r| &*r.text).collect();
        assert_eq!(texts, ["torch==2.9.1+cu126"]);
        assert_eq!(found.indexes, ["https://download.pytorch.org/whl/cu126"]);
        assert!(read_on("linux", "[[").is_err());
        let wrong = read_on("linux", "package = 3").expect_err("a number");
        assert!(wrong.message.contains("a list of tables, not a number"), "{}", wrong.message);
        let wrong = read_on("linux", "[[package]]\nname = 'torch'\nversion = 2.9\n").expect_err("a number");
        assert!(wrong.message.contains("`version` is a text"), "{}", wrong.message);
        assert!(read_on("linux", "[[packages]]\nname = 'a'\nversion = '1'\nmarker = 'banana'").is_err());
    }

    #[test]
    fn forks_and_needs_of_uv() {
        let text = r#"
            [[package]]
            name = "torch"
            version = "2.9.1"
            source = { registry = "https://pypi.org/simple" }
            resolution-markers = ["sys_platform == 'win32'"]
            [[package]]
            name = "torch"
            version = "2.9.1+cu126"
            source = { registry = "https://download.pytorch.org/whl/cu126" }
            resolution-markers = ["sys_platform == 'linux'", "sys_platform == 'darwin'"]
            dependencies = [{ name = "triton", marker = "sys_platform == 'linux'" }]
            [[package]]
            name = "triton"
            version = "3.5.1"
            source = { registry = "https://pypi.org/simple" }
            [[package]]
            name = "jax"
            version = "0.9.0"
            source = { registry = "https://pypi.org/simple" }
            [package.optional-dependencies]
            cuda12 = [{ name = "jax-cuda12-plugin" }]
            [[package]]
            name = "jax-cuda12-plugin"
            version = "0.9.0"
            source = { registry = "https://pypi.org/simple" }
            [[package]]
            name = "tomli"
            version = "2.0.0"
            source = { registry = "https://pypi.org/simple" }
            [[package]]
            name = "onnxruntime-gpu"
            version = "1.20.0"
            source = { registry = "https://pypi.org/simple" }
            [[package]]
            name = "app"
            version = "0.1.0"
            source = { editable = "." }
            dependencies = [
                { name = "torch", version = "2.9.1", source = { registry = "https://pypi.org/simple" }, marker = "sys_platform == 'win32'" },
                { name = "torch", version = "2.9.1+cu126", source = { registry = "https://download.pytorch.org/whl/cu126" }, marker = "sys_platform != 'win32'" },
                { name = "jax", extra = ["cuda12"] },
                { name = "tomli", marker = "python_full_version < '3.11'" },
            ]
            [package.optional-dependencies]
            serve = [{ name = "onnxruntime-gpu" }]
        "#;
        assert_eq!(
            texts("linux", text),
            [
                "torch==2.9.1+cu126",
                "triton==3.5.1",
                "jax==0.9.0",
                "jax-cuda12-plugin==0.9.0",
                "tomli==2.0.0?"
            ]
        );
        assert_eq!(
            texts("windows", text),
            ["torch==2.9.1", "jax==0.9.0", "jax-cuda12-plugin==0.9.0", "tomli==2.0.0?"]
        );
        let windows = read_on("windows", text).expect("is a lock");
        assert!(windows.indexes.is_empty() && windows.names_pypi);
    }

    #[test]
    fn markers_of_the_other_locks() {
        let pylock = "default-groups = ['main']\n[[packages]]\nname = 'torch'\nversion = '2.9.1'\nmarker = \"sys_platform == 'linux'\"\n\
             [[packages]]\nname = 'torch'\nversion = '2.8.0'\nmarker = \"sys_platform == 'win32'\"\n\
             [[packages]]\nname = 'jax'\nversion = '1'\nmarker = \"'gpu' in extras or 'main' in dependency_groups\"\n\
             [[packages]]\nname = 'cupy'\nversion = '1'\nmarker = \"'gpu' in extras and os_name == 'posix'\"\n";
        assert_eq!(texts("linux", pylock), ["torch==2.9.1", "jax==1"]);
        assert_eq!(texts("windows", pylock), ["torch==2.8.0", "jax==1"]);
        let poetry = "[[package]]\nname = 'torch'\nversion = '2.9.1'\noptional = false\nmarkers = \"sys_platform == 'linux'\"\n\
             [[package]]\nname = 'jax'\nversion = '1'\noptional = true\n\
             [[package]]\nname = 'cupy'\nversion = '2'\n[package.markers]\nmain = \"os_name == 'nt'\"\ndev = \"os_name == 'posix'\"\n";
        assert_eq!(texts("linux", poetry), ["torch==2.9.1", "cupy==2"]);
        let project = "[project]\ndependencies = [\"torch==2.9.1; os_name == 'nt'\"]\n[tool.poetry.dependencies]\npython = '^3.11'\n\
             jax = { version = '~0.9', extras = ['cuda12'] }\ncupy = { version = '1', optional = true }\nmine = { path = '../x' }\n\
             tensorflow = { version = '2.9.1', markers = \"os_name == 'nt'\" }\n";
        assert_eq!(texts("linux", project), ["jax[cuda12]>=0.9,<0.10"]);
        let sources = "[project]\ndependencies = ['torch']\n[[tool.uv.index]]\nname = 'a'\nurl = 'https://a'\nexplicit = true\n\
             [[tool.uv.index]]\nname = 'b'\nurl = 'https://b'\nexplicit = true\n[[tool.uv.index]]\nurl = 'https://c'\n\
             [tool.uv.sources]\ntorch = [{ index = 'a', marker = \"os_name == 'nt'\" }, { index = 'b' }]\n";
        assert_eq!(read_on("linux", sources).expect("is a project").indexes, ["https://b", "https://c"]);
    }

    #[test]
    fn sources_of_projects() {
        let project = "[project]\ndependencies = ['torch']\n";
        let poetry = "[tool.poetry.dependencies]\ntorch = { version = '2', source = 'a' }\n[[tool.poetry.source]]\nname = 'a'\nurl = 'https://a'\n";
        let explicit = format!("{poetry}priority = 'explicit'\n");
        let other = format!(
            "{explicit}[[tool.poetry.source]]\nname = 'b'\nurl = 'https://b'\npriority = 'explicit'\n"
        );
        for (text, indexes, replaces) in [
            (project.to_owned(), &[][..], false),
            (
                format!("{project}[tool.uv]\nindex-url = 'https://a'\nextra-index-url = ['https://b']\n"),
                &["https://a", "https://b"],
                true,
            ),
            (
                format!("{project}[[tool.uv.index]]\nurl = 'https://a'\ndefault = true\n"),
                &["https://a"],
                true,
            ),
            (format!("{project}[tool.uv.pip]\ntorch-backend = 'cu124'\n"), &["cu124"], false),
            (format!("{project}[[tool.pdm.source]]\nname = 'a'\nurl = 'https://a'\n"), &["https://a"], false),
            (poetry.to_owned(), &["https://a"], true),
            (other, &["https://a"], false),
        ] {
            let found = read_on("linux", &text).expect("is a project");
            assert_eq!(found.indexes, indexes, "{text}");
            assert_eq!(found.replaces, replaces, "{text}");
        }
        let auto = format!("{project}[tool.uv.pip]\ntorch-backend = 'auto'\n");
        assert!(read_on("linux", &auto).expect("is a project").open_index);
    }
}
