//! Every sentence that the command line says is in the word table of every language.

use clap::{Arg, Command, CommandFactory};
use kb_cli::args::Cli;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The ids in a source text: `"ui-…"` as a whole literal.
fn ids(text: &str, out: &mut BTreeSet<String>) {
    for part in text.split('"') {
        let plain = part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if part.starts_with("ui-") && plain && !part.ends_with('-') {
            out.insert(part.to_owned());
        }
    }
}

fn walk(dir: &Path, out: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(dir).expect("src can be listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
        } else {
            ids(&std::fs::read_to_string(&path).expect("a source file is text"), out);
        }
    }
}

#[test]
fn every_sentence_is_there() {
    let mut wanted = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for crate_of_words in [root.join("src"), root.join("../card/src"), root.join("../site-gen/src")] {
        walk(&crate_of_words, &mut wanted);
    }
    assert!(wanted.len() > 50, "the ids were found");
    let kb = kb_data::builtin_full();
    let mut missing = Vec::new();
    for words in &kb.words {
        for id in wanted.iter().filter(|id| !words.sentences.contains_key(id.as_str())) {
            missing.push(format!("{}: {id}", words.language));
        }
    }
    assert!(missing.is_empty(), "merge WORDS-ui-*.toml into kb-data/data/words: {missing:?}");
}

/// The program and its commands, with the id of their help.
fn commands() -> Vec<(String, Command)> {
    let mut program = Cli::command();
    program.build();
    let inner = program.get_subcommands().filter(|c| c.get_name() != "help");
    let mut out: Vec<(String, Command)> =
        inner.map(|c| (format!("ui-help-{}", c.get_name()), c.clone())).collect();
    let below: Vec<(String, Command)> = out
        .iter()
        .flat_map(|(id, c)| c.get_subcommands().map(move |s| (format!("{id}-{}", s.get_name()), s.clone())))
        .filter(|(_, c)| c.get_name() != "help")
        .collect();
    out.extend(below);
    out.push(("ui-help-kb".to_owned(), program));
    out
}

fn name(argument: &Arg) -> String {
    argument.get_id().as_str().replace('_', "-")
}

/// Every command, option, heading, example and exit code has its words; an option that means another thing than that of
/// the same name elsewhere has its own.
#[test]
fn every_help_text_is_there() {
    let mut wanted: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut meanings: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (id, command) in commands() {
        wanted.insert(vec![id.clone()]);
        for argument in command.get_arguments() {
            let name = name(argument);
            wanted.insert(vec![format!("{id}-arg-{name}"), format!("ui-help-arg-{name}")]);
            if let Some(heading) = argument.get_help_heading() {
                wanted.insert(vec![format!("ui-help-head-{}", heading.to_lowercase())]);
            }
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            meanings.entry(name).or_default().insert(id.clone(), help);
        }
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let mut parts = after.split("\n\n");
        let examples = parts.next().unwrap_or_default().lines().filter_map(|l| l.strip_prefix("  "));
        for (index, _) in examples.enumerate().filter(|(_, example)| example.contains("  ")) {
            wanted.insert(vec![format!("{id}-example-{}", index + 1)]);
        }
        for part in parts {
            let question = part == "Exit codes: 0 fits, 1 does not fit, 2 the question is wrong, 3 unknown.";
            let name = if part.starts_with("Exit codes:") { "exit-codes" } else { "prose" };
            wanted.extend((!question).then(|| vec![format!("{id}-{name}")]));
        }
    }
    assert!(wanted.len() > 60, "the help texts were found");
    let kb = kb_data::builtin_full();
    for words in &kb.words {
        let has = |id: &String| words.sentences.contains_key(id.as_str());
        let missing: Vec<_> = wanted.iter().filter(|ids| !ids.iter().any(has)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", words.language);
        for (name, helps) in meanings.iter().filter(|(name, _)| *name != "help") {
            let shared = helps.iter().filter(|(id, _)| !has(&format!("{id}-arg-{name}")));
            let texts: BTreeSet<&String> = shared.map(|(_, help)| help).collect();
            assert!(texts.len() <= 1, "{}: ui-help-arg-{name} is said of {texts:?}", words.language);
        }
    }
}
