//! The documents say what is there: every file and case they show, every rule, kind of table, message, exit code and
//! JSON key. `KB_BLESS=1` rewrites the parts that are made from cases and data.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The repository.
fn repository() -> PathBuf {
    kb_tests::root().parent().map(Path::to_owned).expect("the crate is in the repository")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).replace("\r\n", "\n")
}

fn blessed() -> bool {
    std::env::var_os("KB_BLESS").is_some_and(|v| v == "1")
}

/// All files below a directory with one of these endings, sorted.
fn files(dir: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files(&path, endings));
        } else if path.extension().is_some_and(|e| endings.iter().any(|w| e == *w)) {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn chapters() -> Vec<PathBuf> {
    files(&repository().join("book/src"), &["md"])
}

fn page(name: &str) -> String {
    read(&repository().join("book/src").join(name))
}

/// The texts between two marks, without them.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside).collect()
}

/// Text with blocks of code taken out.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The words in code quotes, also inside longer ones.
fn quoted(text: &str) -> BTreeSet<String> {
    let words = |code: &&str| {
        code.split(|c: char| !c.is_alphanumeric() && !"-_".contains(c)).map(str::to_owned).collect::<Vec<_>>()
    };
    let text = prose(text);
    let codes: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    codes.iter().flat_map(words).collect()
}

#[test]
fn every_included_file_is_there() {
    let mut wrong = Vec::new();
    for chapter in chapters() {
        let text = read(&chapter);
        for what in between(&text, "{{#include ", "}}") {
            let mut parts = what.trim().split(':');
            let path = chapter.parent().expect("it is in a directory").join(parts.next().unwrap_or_default());
            let Ok(included) = std::fs::read_to_string(&path) else {
                wrong.push(format!("{}: {what} is not there", chapter.display()));
                continue;
            };
            let lines: Vec<&str> = included.lines().collect();
            for (at, number) in parts.enumerate() {
                match number.parse::<usize>() {
                    Ok(number) if !(1..=lines.len()).contains(&number) => {
                        wrong.push(format!("{}: {what}: there are {} lines", chapter.display(), lines.len()));
                    }
                    // A part of an output ends where a paragraph does.
                    Ok(number) if at == 1 && lines.get(number).is_some_and(|l| !l.is_empty()) => {
                        wrong.push(format!(
                            "{}: {what}: the next line is {:?}",
                            chapter.display(),
                            lines[number]
                        ));
                    }
                    Ok(_) => {}
                    Err(_) if included.contains(&format!("ANCHOR: {number}")) => {}
                    Err(_) => wrong.push(format!("{}: {what}: no such anchor", chapter.display())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_chapter_is_in_the_summary() {
    let src = repository().join("book/src");
    let summary = read(&src.join("SUMMARY.md"));
    let named: BTreeSet<PathBuf> = between(&summary, "](", ")").into_iter().map(|l| src.join(l)).collect();
    let there: BTreeSet<PathBuf> = chapters().into_iter().filter(|p| !p.ends_with("SUMMARY.md")).collect();
    assert_eq!(named, there);
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let mut documents = chapters();
    let others = [
        "README.md",
        "README.zh.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "kb-data/data/README.md",
    ];
    documents.extend(others.map(|d| root.join(d)));
    let mut wrong = Vec::new();
    for document in documents {
        for link in between(&prose(&read(&document)), "](", ")") {
            let path = link.split('#').next().unwrap_or_default();
            if path.is_empty() || link.contains("://") {
                continue;
            }
            if !document.parent().expect("it is in a directory").join(path).exists() {
                wrong.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every block below `<!-- case: NAME -->` is that case: what is typed and what comes back; with `NAME until WORD` up to
/// the paragraph that begins with the word.
#[test]
fn the_readme_shows_cases() {
    for name in ["README.md", "README.zh.md"] {
        let path = repository().join(name);
        let text = read(&path);
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("<!-- case: ") {
            let (what, after) = after.split_once(" -->\n```text\n").expect("a block follows the mark");
            let (_, after) = after.split_once("```").expect("the block ends");
            out.push_str(&format!("{before}<!-- case: {what} -->\n```text\n{}```", shown(what)));
            rest = after;
        }
        out.push_str(rest);
        rewrite(&path, &text, &out);
    }
}

/// A case as a terminal shows it.
fn shown(what: &str) -> String {
    let (name, until) = what.split_once(" until ").map_or((what, None), |(n, u)| (n, Some(u)));
    let case = kb_tests::root().join("cases").join(name);
    let typed = kb_tests::cases::typed(&case).expect("the case is there");
    let word =
        |a: &String| if a.contains([' ', '>', '<', '[', '*', '#']) { format!("'{a}'") } else { a.clone() };
    let command: Vec<String> = typed.args.iter().map(word).collect();
    let output = read(&case.join("stdout"));
    let kept =
        until.and_then(|u| output.split_once(&format!("\n\n{u}"))).map_or(output.trim_end(), |(k, _)| k);
    format!("$ kb {}\n{kept}\n", command.join(" "))
}

/// Compares a document with what it has to be, or writes it.
fn rewrite(path: &Path, found: &str, wanted: &str) {
    if found == wanted {
        return;
    }
    assert!(blessed(), "{} is not up to date: KB_BLESS=1 cargo test -p kb-tests --test book", path.display());
    std::fs::write(path, wanted).expect("it can be written");
}

/// The tables of rules and of kinds of table are made from the data.
#[test]
fn generated_tables() {
    let kb = kb_data::builtin_full();
    let mut rules = "| rule | question | reads |\n| --- | --- | --- |\n".to_owned();
    for id in kb_core::reason::RuleId::ALL.map(kb_core::reason::RuleId::word) {
        let page = kb.rules.iter().find(|r| &*r.id == id).unwrap_or_else(|| panic!("{id} has a page"));
        let reads: Vec<String> = page.reads.iter().map(|r| format!("`{r}`")).collect();
        rules.push_str(&format!("| `{id}` | {} | {} |\n", page.title, reads.join(", ")));
    }
    let mut relations =
        "| relation | columns (key first) | what a row says |\n| --- | --- | --- |\n".to_owned();
    for relation in &kb.relations {
        let name =
            |c: &str| if relation.key.iter().any(|k| **k == *c) { format!("**{c}**") } else { c.to_owned() };
        let (key, other): (Vec<&str>, Vec<&str>) =
            relation.columns.iter().map(|(c, _)| &**c).partition(|c| relation.key.iter().any(|k| **k == **c));
        let columns: Vec<String> = key.into_iter().chain(other).map(name).collect();
        relations.push_str(&format!("| `{}` | {} | {} |\n", relation.id, columns.join(", "), relation.title));
    }
    for (name, table) in [("rules", rules), ("relations", relations)] {
        let path = repository().join(format!("book/src/reference/{name}.md"));
        let text = read(&path);
        let mark = format!("<!-- generated: {name} -->\n");
        let (before, after) = text.split_once(&mark).expect("the mark is there");
        let (_, after) = after.split_once("<!-- end -->").expect("the end is there");
        rewrite(&path, &text, &format!("{before}{mark}{table}<!-- end -->{after}"));
    }
}

#[test]
fn every_exit_code_is_explained() {
    let explained = quoted(&page("reference/exit-codes.md"));
    for code in ["0", "1", "2", "3"] {
        assert!(explained.contains(code), "exit code {code}");
    }
    for case in kb_tests::cases::all() {
        let code = read(&case.join("exit"));
        assert!(explained.contains(code.trim()), "{}: exit code {code}", case.display());
    }
}

/// Every code that a message is made with is in the book, and every code in the book is in the program.
#[test]
fn every_message_is_listed() {
    let mut sources = String::new();
    for crate_dir in ["kb-core/src", "kb-data/src", "card/src", "site-gen/src", "kb/src"] {
        for file in files(&repository().join(crate_dir), &["rs"]) {
            sources.push_str(&read(&file));
        }
    }
    let text = page("reference/diagnostics.md");
    let listed: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split(" | ").next())
        .flat_map(|cell| cell.split(", ").map(|c| c.trim_matches('`').to_owned()).collect::<Vec<_>>())
        .collect();
    let mut made = BTreeSet::new();
    for maker in ["Diagnostic::error(", "Diagnostic::warning("] {
        for rest in sources.split(maker).skip(1) {
            if let Some(code) = rest.trim_start().strip_prefix('"').and_then(|r| r.split('"').next()) {
                made.insert(code.to_owned());
            }
        }
    }
    let missing: Vec<&String> = made.difference(&listed).collect();
    assert!(missing.is_empty(), "add to book/src/reference/diagnostics.md: {missing:?}");
    let gone: Vec<&String> = listed.iter().filter(|c| !sources.contains(&format!("\"{c}\""))).collect();
    assert!(gone.is_empty(), "no message has these codes: {gone:?}");
}

/// Every key of an answer is in the book.
#[test]
fn every_key_of_an_answer_is_listed() {
    let program = kb_tests::program().expect("the program is built");
    let listed = quoted(&page("reference/json.md"));
    let mut keys = BTreeSet::new();
    for case in kb_tests::cases::all() {
        let mut typed = kb_tests::cases::typed(&case).expect("a case can be read");
        let asks = typed.args.first().is_some_and(|a| a == "solve" || a == "check");
        if !asks || typed.args.iter().any(|a| a == "--help" || a == "--json") {
            continue;
        }
        typed.args.push("--json".to_owned());
        let found = kb_tests::cases::run(&program, &case, &typed).expect("it starts");
        let document = serde_json::from_str(&found.stdout).expect("one document");
        gather(&document, &mut keys);
    }
    let missing: Vec<&String> = keys.difference(&listed).collect();
    assert!(missing.is_empty(), "add to book/src/reference/json.md: {missing:?}");
}

fn gather(value: &serde_json::Value, keys: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                keys.insert(key.clone());
                gather(value, keys);
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|v| gather(v, keys)),
        _ => {}
    }
}

/// Every long option of every command is in the book.
#[test]
fn every_option_is_listed() {
    let program = kb_tests::program().expect("the program is built");
    let case = kb_tests::root().join("cases/help/main");
    let text = page("reference/options.md");
    let mut listed: String = text.clone();
    for what in between(&text, "{{#include ../../../", "}}") {
        listed.push_str(&read(&repository().join(what.split(':').next().unwrap_or_default())));
    }
    let commands = [
        "solve",
        "check",
        "show",
        "list",
        "why",
        "explain",
        "decode",
        "watch",
        "lint",
        "new",
        "completions",
        "man",
    ];
    for command in commands {
        let typed = kb_tests::cases::Typed {
            args: vec![command.to_owned(), "--help".to_owned()],
            ..kb_tests::cases::typed(&case).expect("the case is there")
        };
        let help = kb_tests::cases::run(&program, &case, &typed).expect("it starts").stdout;
        let usage = help.split("Examples:").next().unwrap_or_default();
        for line in usage.lines().map(str::trim_start).filter(|l| l.starts_with('-')) {
            let Some(option) = line.split_whitespace().find(|w| w.starts_with("--")) else { continue };
            assert!(listed.contains(option), "kb {command} {option}");
        }
    }
}

/// The commands that `.ci/run` reads from README.md are there.
#[test]
fn the_readme_has_its_commands() {
    let text = read(&repository().join("README.md"));
    for (name, start) in [("solve", "cargo run --release -p kb -- solve"), ("test", "cargo test --workspace")]
    {
        let mark = format!("<!-- command: {name} -->\n```sh\n");
        let (_, after) = text.split_once(&mark).unwrap_or_else(|| panic!("no command `{name}`"));
        assert!(after.starts_with(start), "{name}");
    }
}
