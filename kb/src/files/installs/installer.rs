//! Which installer a command runs, if any.

use crate::files::shell::Word;

/// Programs that run a text as a script.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "zsh", "ksh"];
/// Who installs, and how its words are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Installer {
    /// Requirements as pip takes them.
    Pip,
    /// conda's specs.
    Conda,
    /// conda's specs, or pip's behind `--pypi`.
    Pixi,
    /// `name@constraint`.
    Poetry,
    /// What a project's own files say.
    Project,
    /// conda's file of an environment.
    EnvironmentFile,
    /// A program with an environment of its own.
    Tool,
    /// The distribution's packages.
    System,
    /// Nothing yet: settings for what follows.
    Configure,
}

impl Installer {
    pub(super) fn takes_requirements(self) -> bool {
        matches!(self, Installer::Pip | Installer::Conda | Installer::Pixi | Installer::Poetry)
    }
}

/// The file's name of a program's path.
pub(super) fn program(text: &str) -> &str {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Does a text run one of the installers?
pub(in crate::files) fn mentions(text: &str) -> bool {
    let plain =
        |t: &str| Word::from(t.trim_matches(['"', '\'', ';', '(', ')', '`', '$', '[', ',', ']']).to_owned());
    text.lines().any(|line| {
        let words: Vec<Word> = line.split_whitespace().map(plain).filter(|w| !w.text.is_empty()).collect();
        installer(&words).is_some_and(|(which, _)| which != Installer::System)
    })
}

/// Where the words behind an installer's verb begin, if it takes requirements.
pub(in crate::files) fn verb_of(words: &[String]) -> Option<usize> {
    let read: Vec<Word> = words.iter().map(|w| Word::from(w.clone())).collect();
    let (which, rest) = installer(&read)?;
    which.takes_requirements().then(|| read.len() - rest.len())
}

/// Is this a shell's program?
pub(in crate::files) fn is_shell(text: &str) -> bool {
    SHELLS.contains(&program(text))
}

/// The installer among the words, and the words behind its verb. It may stand behind others: `sudo`, `python -m`,
/// `conda run`.
pub(super) fn installer(words: &[Word]) -> Option<(Installer, &[Word])> {
    (0..words.len()).find_map(|at| {
        let name = program(&words[at].text);
        let rest = &words[at + 1..];
        let version = name.trim_start_matches("pip").trim_start_matches("python");
        let numbered = version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if name.starts_with("python")
            && numbered
            && rest.first().is_some_and(|w| program(&w.text) == "setup.py")
        {
            let does = rest.iter().any(|w| matches!(&*w.text, "install" | "develop"));
            return does.then_some((Installer::Project, rest));
        }
        let kind = match name {
            "conda" | "mamba" | "micromamba" | "poetry" | "uv" | "pixi" | "pdm" | "pipenv" | "rye"
            | "pipx" | "pip-sync" | "easy_install" | "apt-get" | "apt" | "aptitude" | "yum" | "dnf"
            | "microdnf" | "tdnf" | "zypper" | "apk" => name,
            _ if name.starts_with("pip") && numbered => "pip",
            _ => return None,
        };
        let values: &[&str] = match kind {
            "conda" | "mamba" | "micromamba" => &["-n", "--name", "-p", "--prefix", "-r", "--root-prefix"],
            "uv" | "poetry" | "pdm" => &["--directory", "--project", "-C", "-p", "--python", "--color"],
            "pip" => &["--python", "--log", "--proxy", "--cache-dir", "--timeout"],
            _ => &[],
        };
        let verb = verb(rest, values, 0)?;
        let second = || verb_at(rest, values, verb);
        let (word, tail) = (&*rest[verb].text, &rest[verb + 1..]);
        let which = match (kind, word) {
            ("easy_install", _) => return Some((Installer::Pip, rest)),
            ("pip-sync", _) => return Some((Installer::Project, rest)),
            ("pip", "install") | ("pdm" | "rye", "add") => Installer::Pip,
            ("pipenv", "install") if tail.iter().any(|w| !w.text.starts_with('-')) => Installer::Pip,
            ("uv", "add") => Installer::Pip,
            ("uv", "pip") => match second() {
                Some((at, "install")) => return Some((Installer::Pip, &rest[at + 1..])),
                Some((_, "sync")) => Installer::Project,
                _ => return None,
            },
            ("uv", "tool") => match second() {
                Some((_, "install")) => Installer::Tool,
                _ => return None,
            },
            ("pixi", "global") | ("pipx", "install") => Installer::Tool,
            ("conda" | "mamba" | "micromamba", "env") => match second() {
                Some((_, "create" | "update")) => Installer::EnvironmentFile,
                _ => return None,
            },
            ("conda" | "mamba" | "micromamba", "install" | "create" | "update") => Installer::Conda,
            ("conda" | "mamba" | "micromamba" | "pip", "config") => Installer::Configure,
            ("pixi", "add") => Installer::Pixi,
            ("poetry", "add") => Installer::Poetry,
            ("poetry" | "pdm" | "pipenv" | "pixi", "install")
            | ("poetry" | "uv" | "pdm" | "rye" | "pipenv", "sync") => Installer::Project,
            ("apt-get" | "apt" | "aptitude" | "yum" | "dnf" | "microdnf" | "tdnf" | "zypper", "install")
            | ("apk", "add") => Installer::System,
            _ => return None,
        };
        Some((which, tail))
    })
}

/// Where the first word stands that is no option.
fn verb(words: &[Word], values: &[&str], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(word) = words.get(at) {
        if !word.text.starts_with('-') {
            return Some(at);
        }
        at += if values.contains(&&*word.text) { 2 } else { 1 };
    }
    None
}

/// The verb behind a verb: `uv pip install`.
fn verb_at<'a>(words: &'a [Word], values: &[&str], first: usize) -> Option<(usize, &'a str)> {
    let at = verb(words, values, first + 1)?;
    Some((at, &*words[at].text))
}
