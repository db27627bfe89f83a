//! New files from templates: what `kb new` writes.
//!
//! The templates are the commented `_template.*` files in the data directory; a test loads each of them, with its
//! optional lines too.

// One diagnostic for a mistyped command.
#![allow(clippy::result_large_err)]

use kb_core::diag::Diagnostic;
use kb_core::fact::Relation;
use kb_core::kb::Kb;
use kb_core::value::{ColumnType, Kind};

/// A file to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFile {
    /// Relative to the data directory.
    pub path: String,
    /// Its text.
    pub content: String,
    /// What to add at the end instead, if the file is already there (files that hold several things).
    pub append: Option<String>,
}

/// What can be made, with the arguments each wants.
pub const KINDS: [(&str, &str); 14] = [
    ("gpu", "ID ARCHITECTURE"),
    ("source", "ID"),
    ("relation", "ID"),
    ("fact", "RELATION SOURCE"),
    ("release", "PACKAGE VERSION SOURCE"),
    ("dispute", "RELATION NAME"),
    ("advisory", "ID"),
    ("claim", "ARTICLE"),
    ("channel", "ID"),
    ("package", "ID"),
    ("topic", "ID"),
    ("rule", "ID"),
    ("signature", "ID"),
    ("cause", "ID"),
];

/// The relations that a new release of a framework has rows in.
const RELEASE_RELATIONS: [&str; 3] = ["release", "build-made-with", "build-device-code"];

/// The files for something new. `today` is the date to write, `YYYY-MM-DD`.
///
/// What only a person can know is left as `SOURCE` or as an example, and the loader says so until it is filled in.
///
/// # Errors
///
/// A diagnostic if the kind is unknown, an argument is missing or no id, or a relation does not exist.
pub fn scaffold(kb: &Kb, kind: &str, arguments: &[&str], today: &str) -> Result<Vec<NewFile>, Diagnostic> {
    let Some((_, wants)) = KINDS.iter().find(|(k, _)| *k == kind) else {
        let known = KINDS.map(|(k, _)| k).join(", ");
        return Err(Diagnostic::error("unknown-kind", format!("nothing new is called `{kind}`"))
            .note(format!("known: {known}")));
    };
    if arguments.len() != wants.split(' ').count() {
        let message = format!("`kb new {kind}` wants {wants}");
        return Err(Diagnostic::error("missing-argument", message));
    }
    for (argument, name) in arguments.iter().zip(wants.split(' ')) {
        if name != "VERSION" {
            crate::authoring::check_id(argument)?;
        }
    }
    let name = arguments.first().copied().unwrap_or_default();
    let second = arguments.get(1).copied().unwrap_or_default();
    let plain = |path: String, template: &str| {
        let content = template.replace("NAME", name).replace("TODAY", today);
        vec![NewFile { path, content, append: None }]
    };
    Ok(match kind {
        "gpu" => {
            let block = include_str!("../data/catalog/gpus/_template.toml");
            let content = block.replace("NAME", name).replace("ARCHITECTURE", &capital(second));
            let append = Some(format!("\n{content}"));
            vec![NewFile { path: format!("catalog/gpus/{second}.toml"), content, append }]
        }
        "source" => plain(format!("sources/{name}.toml"), include_str!("../data/sources/_template.toml")),
        "relation" => plain(format!("relations/{name}.md"), include_str!("../data/relations/_template.md")),
        "advisory" => plain(format!("advisories/{name}.md"), include_str!("../data/advisories/_template.md")),
        "channel" => plain(
            format!("catalog/channels/{name}.toml"),
            include_str!("../data/catalog/channels/_template.toml"),
        ),
        "package" => plain(
            format!("catalog/packages/{name}.toml"),
            include_str!("../data/catalog/packages/_template.toml"),
        ),
        "topic" => plain(format!("topics/{name}.md"), include_str!("../data/topics/_template.md")),
        "rule" => plain(format!("rules/{name}.md"), include_str!("../data/rules/_template.md")),
        "signature" => {
            plain(format!("signatures/{name}.md"), include_str!("../data/signatures/_template.md"))
        }
        "cause" => plain(format!("causes/{name}.md"), include_str!("../data/causes/_template.md")),
        "claim" => {
            let claim = include_str!("../data/claims/_template-claim.toml").replace("NAME", name);
            let article = include_str!("../data/claims/_template.toml").replace("NAME", name);
            let content = article.replace("CLAIM\n", &claim);
            vec![NewFile { path: format!("claims/{name}.toml"), content, append: Some(format!("\n{claim}")) }]
        }
        "dispute" => {
            let relation = relation(kb, name)?;
            let columns = relation.columns.iter().filter(|(n, c)| relation.key.contains(n) && !c.optional);
            let key: Vec<String> = columns.map(|(n, c)| format!("{n} = {}", example(*c))).collect();
            let template = include_str!("../data/disputes/_template.md");
            let content =
                template.replace("RELATION", name).replace("TODAY", today).replace("KEY", &key.join(", "));
            vec![NewFile { path: format!("disputes/{name}/{second}.md"), content, append: None }]
        }
        "fact" => vec![table(relation(kb, name)?, second, "", &[], today)],
        // The last kind: a release.
        _ => {
            let source = arguments.get(2).copied().unwrap_or_default();
            let part = format!("--{name}-{second}").to_lowercase().replace(['+', '!', '_'], "-");
            if !kb.packages.iter().any(|p| &*p.id == name) {
                let mistake = Diagnostic::error("dangling-package", format!("no package is called `{name}`"));
                return Err(mistake.help(format!("write it first: kb new package {name}")));
            }
            crate::authoring::check_version(second)?;
            let exact = format!("=={second}");
            let known = [("package", name), ("version", second), ("versions", &exact)];
            let there = RELEASE_RELATIONS.iter().filter_map(|id| relation(kb, id).ok());
            let files: Vec<NewFile> = there.map(|r| table(r, source, &part, &known, today)).collect();
            if files.is_empty() {
                relation(kb, RELEASE_RELATIONS[0])?;
            }
            files
        }
    })
}

fn relation<'k>(kb: &'k Kb, id: &str) -> Result<&'k Relation, Diagnostic> {
    kb.relations.iter().find(|r| &*r.id == id).ok_or_else(|| {
        let known: Vec<&str> = kb.relations.iter().map(|r| &*r.id).collect();
        Diagnostic::error("dangling-relation", format!("no relation is called `{id}`"))
            .note(format!("known: {}", known.join(", ")))
    })
}

/// A table with one row: the columns of its relation, the optional ones as comments.
fn table(relation: &Relation, source: &str, part: &str, known: &[(&str, &str)], today: &str) -> NewFile {
    let mut row = format!("# {}\n[[row]]\n", relation.says);
    for (name, column) in &relation.columns {
        let given = known.iter().find(|(n, _)| *n == &**name).map(|(_, text)| format!("\"{text}\""));
        let (mark, value) = match given {
            Some(value) => ("", value),
            None if column.optional => ("# ", example(*column)),
            None => ("", example(*column)),
        };
        row.push_str(&format!("{mark}{name} = {value}\n"));
    }
    let template = include_str!("../data/facts/_template.toml");
    let content = template
        .replace("ROW\n", &row)
        .replace("RELATION", &relation.title)
        .replace("SOURCE", source)
        .replace("TODAY", today);
    NewFile {
        path: format!("facts/{}/{source}{part}.toml", relation.id),
        content,
        append: Some(format!("\n{row}")),
    }
}

fn example(column: ColumnType) -> String {
    let one = crate::authoring::example_of(column.kind);
    match column.list {
        true if column.kind == Kind::Text => "[\"…\"]".to_owned(),
        true => format!("[{one}]"),
        false => one.to_owned(),
    }
}

/// `ada-lovelace` is written `Ada Lovelace`.
fn capital(id: &str) -> String {
    let word = |w: &str| {
        let mut letters = w.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    id.split('-').map(word).collect::<Vec<String>>().join(" ")
}
