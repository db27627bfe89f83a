//! An install command, pasted as an argument or as several: `pip install torch==2.9.1 --index-url …`.

use super::found::Found;
use super::installs::{Installs, verb_of};
use super::known::{self, Read};
use super::marker::Environment;
use super::variables::Variables;
use crate::Failure;
use crate::request::Notes;
use kb_core::kb::Kb;

/// What a prompt or a notebook puts in front of a command.
const PROMPTS: [char; 5] = ['$', '>', '!', '%', ' '];
/// Words in front of an installer that say only who runs it.
const RUNNERS: [&str; 8] = ["sudo", "-H", "-m", "py", "uv", "!", "$", "%"];

/// Is this argument a command that installs something?
pub(crate) fn is_command(text: &str) -> bool {
    let words: Vec<String> = bare(text).split_whitespace().map(str::to_owned).collect();
    words.len() > 1 && verb_of(&words).is_some()
}

fn bare(text: &str) -> &str {
    text.trim_start_matches(PROMPTS)
}

/// What a pasted command asks for. The files that it names with `-r` are on this machine and are read by the caller.
///
/// # Errors
/// If a line in it is wrong.
pub(crate) fn command(
    kb: &Kb,
    text: &str,
    environment: &Environment,
    notes: &mut Notes,
) -> Result<(Read, Vec<String>), Failure> {
    let mut found = Found::default();
    let mut files = Vec::new();
    let mut reader = Installs { environment, found: &mut found, path: "", line: 1, files: Some(&mut files) };
    reader.script(bare(text), &mut Variables::default(), 0);
    if !found.mistakes.is_empty() {
        return Err(found.mistakes.into());
    }
    let texts: Vec<String> = found.requirements.iter().map(|r| r.text.clone()).collect();
    let mut own = Notes::default();
    let mut read = known::known(kb, bare(text), found, &mut own)?;
    for line in &mut read.left_out {
        (line.file, line.line) = (None, None);
    }
    if read.wants.is_empty() && !texts.is_empty() && !read.any_package {
        // Nothing in it is known: each name is answered as if it had been typed alone.
        return Ok((Read { wants: texts, places: read.places, ..Read::default() }, files));
    }
    notes.said.extend(own.said);
    Ok((read, files))
}

/// The arguments of kb with an install command among them made one argument. What the command does not know as its own
/// and kb does, stays kb's.
pub(crate) fn joined(arguments: Vec<String>, own: impl Fn(&str) -> Option<bool>) -> Vec<String> {
    let Some(verb) = verb_of(&arguments) else { return arguments };
    // The last place from which the installer is still seen is its own.
    let Some(at) = (0..verb).rev().find(|i| verb_of(&arguments[*i..]).is_some()) else { return arguments };
    let runs = |word: &String| RUNNERS.contains(&&**word) || word.starts_with("python");
    let start = arguments[..at].iter().rposition(|w| !runs(w)).map_or(0, |i| i + 1);
    let mut before = arguments[..start].to_vec();
    let mut command: Vec<String> = arguments[at..verb].to_vec();
    let mut words = arguments[verb..].iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        match own(name) {
            Some(takes_value) => {
                before.push(word.clone());
                if takes_value && !word.contains('=') {
                    before.extend(words.next().cloned());
                }
            }
            None => command.push(quoted(word)),
        }
    }
    before.push(command.join(" "));
    before
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=+,@%~".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_among_arguments_is_one() {
        let own = |name: &str| match name {
            "--gpu" | "-d" => Some(true),
            "--why" => Some(false),
            _ => None,
        };
        for (typed, expected) in [
            (
                "check pip install torch==2.9.1 --index-url https://a/cu126 --gpu rtx3090 -U",
                vec!["check", "--gpu", "rtx3090", "pip install torch==2.9.1 --index-url https://a/cu126 -U"],
            ),
            (
                "check --gpu=rtx3090 python -m pip install --why jax[cuda12]>=0.9",
                vec!["check", "--gpu=rtx3090", "--why", "pip install 'jax[cuda12]>=0.9'"],
            ),
            ("check uv pip install torch -d 535", vec!["check", "-d", "535", "pip install torch"]),
            (
                "check conda install pytorch=2.5.1 -c pytorch",
                vec!["check", "conda install pytorch=2.5.1 -c pytorch"],
            ),
            ("check torch --gpu rtx3090", vec!["check", "torch", "--gpu", "rtx3090"]),
            ("show pip", vec!["show", "pip"]),
        ] {
            let typed = typed.split(' ').map(str::to_owned).collect();
            assert_eq!(joined(typed, own), expected);
        }
    }

    #[test]
    fn commands_are_told_from_requirements() {
        for text in [
            "pip install torch",
            "$ pip3 install -U torch",
            "!pip install torch",
            "uv add torch",
            "python -m pip install -r requirements.txt",
        ] {
            assert!(is_command(text), "{text}");
        }
        for text in ["torch", "torch 2.5.1", "pip", "apt install cuda", "requirements.txt", "pip freeze"] {
            assert!(!is_command(text), "{text}");
        }
    }
}
