//! What a command installs: pip, uv, conda, poetry, pixi and their like. What is not read is said.

mod installer;
mod options;
#[cfg(test)]
mod tests;

use super::found::{Found, LeftOut, Sentence};
use super::marker::Environment;
use super::requirements::{At, requirement};
use super::shell::{Command, Word, commands};
use super::variables::Variables;
use super::{conda, poetry};
use installer::{Installer, installer, program};
pub(super) use installer::{is_shell, mentions, verb_of};
use options::{Argument, CONDA_VALUES, PIP_VALUES, POETRY_VALUES, options};

/// How deep `sh -c` may stand in `sh -c`.
const DEEPEST: usize = 4;
/// Parts of the chain as Linux distributions name their packages.
const SYSTEM_PARTS: [&str; 8] =
    ["cuda", "libcudnn", "cudnn", "nvidia-", "libnvidia", "libnccl", "libnvinfer", "tensorrt"];

/// Reads what commands install.
pub(super) struct Installs<'a> {
    pub(super) environment: &'a Environment,
    pub(super) found: &'a mut Found,
    /// The file, and the line where the commands begin.
    pub(super) path: &'a str,
    pub(super) line: usize,
    /// Where the commands run on this machine, the files of requirements that they name.
    pub(super) files: Option<&'a mut Vec<String>>,
}

impl Installs<'_> {
    /// Reads a script; what it sets is known to its later commands.
    pub(super) fn script(&mut self, script: &str, variables: &mut Variables, depth: usize) {
        for command in commands(script, variables) {
            self.command(&command, variables, depth);
        }
    }

    /// Reads one command.
    pub(super) fn command(&mut self, command: &Command, variables: &mut Variables, depth: usize) {
        let Some(first) = command.words.first().map(|w| program(&w.text)) else { return };
        if matches!(first, "echo" | "printf" | ":") {
            return;
        }
        let script = command.words.iter().position(|w| is_shell(&w.text));
        if let Some(at) = script
            && installer(&command.words[..at]).is_none()
            && self.nested(&command.words[at + 1..], variables, depth)
        {
            return;
        }
        let Some((installer, arguments)) = installer(&command.words) else {
            let hides = |w: &&Word| w.text.contains(char::is_whitespace) && mentions(&w.text);
            if let Some(text) = command.words.iter().find(hides) {
                self.leave(&text.written, Sentence::new("left-text"));
            } else if first.ends_with(".sh") && command.words[0].text.contains('/') {
                self.leave(&command.words[0].written, Sentence::new("left-script"));
            }
            return;
        };
        let all = command.words.iter().map(|w| &*w.written).collect::<Vec<_>>().join(" ");
        if !command.certain && installer != Installer::System {
            self.leave(&all, Sentence::new("left-condition"));
            return;
        }
        for cut in &command.cut {
            self.leave(cut, Sentence::new("left-redirection"));
        }
        if installer.takes_requirements() && arguments.iter().all(|w| w.text.starts_with('-')) {
            self.leave(&all, Sentence::new("left-nothing-written"));
        }
        match installer {
            Installer::Pip => self.pip(arguments, &command.own, variables),
            Installer::Conda | Installer::Pixi => self.conda(arguments, installer),
            Installer::Poetry => self.poetry(arguments),
            Installer::System => self.system(arguments),
            Installer::Configure => self.configure(arguments),
            Installer::Project => self.leave(&all, Sentence::new("left-project")),
            Installer::EnvironmentFile => self.leave(&all, Sentence::new("left-file-of-image")),
            Installer::Tool => self.leave(&all, Sentence::new("left-own-environment")),
        }
    }

    /// `sh -c TEXT`, `bash FILE`: gives whether that is what the words are.
    fn nested(&mut self, arguments: &[Word], variables: &mut Variables, depth: usize) -> bool {
        let option = |w: &Word| w.text.starts_with('-');
        let runs_text = |w: &Word| option(w) && !w.text.starts_with("--") && w.text.contains('c');
        if let Some(at) = arguments.iter().position(runs_text) {
            let Some(text) = arguments.get(at + 1) else { return true };
            if depth < DEEPEST && text.open.is_none() {
                self.script(&text.text, variables, depth + 1);
            } else if mentions(&text.written) {
                self.leave(&text.written, Sentence::new("left-text"));
            }
            return true;
        }
        let file = arguments.iter().find(|w| !option(w));
        if let Some(file) = file.filter(|f| f.text.ends_with(".sh")) {
            self.leave(&file.written, Sentence::new("left-script"));
        }
        file.is_some()
    }

    fn leave(&mut self, text: &str, why: Sentence) {
        let line = Some(self.line);
        self.found.left_out.push(LeftOut { line, ..LeftOut::new(text, why) });
    }

    /// An address that packages come from.
    fn index(&mut self, value: Option<Word>) {
        let Some(word) = value else { return };
        match word.open {
            // uv writes `name=address`.
            None => {
                let named = word.text.split_once('=').filter(|(name, _)| !name.contains(['/', ':']));
                self.found.indexes.push(named.map_or(&*word.text, |(_, address)| address).to_owned());
            }
            Some(open) => {
                self.found.open_index = true;
                self.leave(&word.written, open.why());
            }
        }
    }

    /// A channel of conda.
    fn channel(&mut self, value: Option<Word>) {
        let Some(word) = value else { return };
        match word.open {
            None => self.found.conda_channels.push(word.text),
            Some(open) => self.leave(&word.written, open.why()),
        }
    }

    fn wanted(&mut self, word: &Word) {
        match &word.open {
            Some(open) => self.leave(&word.written, open.why()),
            None => {
                let at = At { path: self.path, line: self.line, text: &word.text };
                requirement(&word.text, Some(at), self.environment, self.found);
            }
        }
    }

    fn pip(&mut self, arguments: &[Word], own: &Variables, variables: &Variables) {
        let mut chosen = false;
        for argument in options(arguments, PIP_VALUES) {
            match argument {
                Argument::Plain(word) => self.wanted(word),
                Argument::Option(name, value) => match &*name {
                    "-i" | "--index-url" | "--index" | "--default-index" => {
                        self.found.replaces |= name != "--index";
                        chosen = true;
                        self.index(value);
                    }
                    "--extra-index-url" | "-f" | "--find-links" => self.index(value),
                    // `auto` looks at the machine; `cu126` is an index of PyTorch.
                    "--torch-backend" if value.as_ref().is_some_and(|v| v.text == "auto") => {
                        self.found.open_index = true;
                    }
                    "--torch-backend" => self.index(value),
                    "-r" | "--requirement" | "--requirements" => {
                        self.file(&name, value, "left-file-of-image");
                    }
                    "-c" | "--constraint" | "--constraints" | "--override" | "--overrides" => {
                        self.file(&name, value, "left-constraints");
                    }
                    "-e" | "--editable" => self.file(&name, value, "left-editable"),
                    _ => {}
                },
            }
        }
        // What pip and uv take from the environment where nothing is typed.
        let set = |name: &str| own.known(name).or_else(|| variables.known(name)).map(str::to_owned);
        for name in ["PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"] {
            if let Some(address) = set(name).filter(|_| !chosen) {
                self.found.replaces = true;
                self.found.indexes.push(address);
            }
        }
        for name in ["PIP_EXTRA_INDEX_URL", "UV_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_FIND_LINKS"] {
            let list = set(name).unwrap_or_default();
            self.found.indexes.extend(list.split_whitespace().map(str::to_owned));
        }
    }

    fn file(&mut self, option: &str, value: Option<Word>, why: &'static str) {
        if let (Some(files), Some(value), "left-file-of-image") = (&mut self.files, &value, why) {
            files.push(value.text.clone());
            return;
        }
        let name = value.map(|v| v.written).unwrap_or_default();
        self.leave(&format!("{option} {name}"), Sentence::new(why));
    }

    fn conda(&mut self, arguments: &[Word], installer: Installer) {
        let pip = installer == Installer::Pixi && arguments.iter().any(|w| w.text == "--pypi");
        for argument in options(arguments, CONDA_VALUES) {
            match argument {
                Argument::Plain(word) if pip => self.wanted(word),
                Argument::Plain(word) => match &word.open {
                    Some(open) => self.leave(&word.written, open.why()),
                    None => {
                        let at = At { path: self.path, line: self.line, text: &word.text };
                        conda::spec(&word.text, Some(at), self.environment, self.found);
                    }
                },
                Argument::Option(name, value) => match &*name {
                    "-c" | "--channel" => self.channel(value),
                    "--file" => self.file(&name, value, "left-file-of-image"),
                    "-f" if installer == Installer::Conda => self.file(&name, value, "left-file-of-image"),
                    _ => {}
                },
            }
        }
    }

    fn poetry(&mut self, arguments: &[Word]) {
        for argument in options(arguments, POETRY_VALUES) {
            let word = match argument {
                Argument::Plain(word) => word,
                // The project's file has its address.
                Argument::Option(name, _) => {
                    self.found.open_index |= name == "--source";
                    continue;
                }
            };
            match poetry::requirement(&word.text).filter(|_| word.open.is_none()) {
                Some(text) => self.wanted(&Word::from(text)),
                None if word.open.is_some() => self.wanted(word),
                None => self.leave(&word.written, Sentence::new("left-spec")),
            }
        }
    }

    /// `conda config --add channels NAME`, `pip config set global.index-url ADDRESS`.
    fn configure(&mut self, arguments: &[Word]) {
        for pair in arguments.windows(2) {
            let key = pair[0].text.rsplit('.').next().unwrap_or_default();
            match key {
                "index-url" => self.found.replaces = true,
                "extra-index-url" | "find-links" => {}
                "channels" => {
                    self.channel(Some(pair[1].clone()));
                    continue;
                }
                _ => continue,
            }
            self.index(Some(pair[1].clone()));
        }
    }

    /// Only what belongs to the chain is worth a word: every image installs packages of its distribution.
    fn system(&mut self, arguments: &[Word]) {
        for argument in options(arguments, &["-t", "-o", "-c", "--repository"]) {
            if let Argument::Plain(word) = argument
                && SYSTEM_PARTS.iter().any(|p| word.text.starts_with(p))
            {
                self.leave(&word.written, Sentence::new("left-system-package"));
            }
        }
    }
}
