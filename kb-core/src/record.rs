//! What is kept beside the facts: disputes, topics, advisories, claims, pages, words.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Two sources that say different things under one key, and which one is followed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dispute {
    /// `<relation>/<file name>`.
    pub id: Box<str>,
    /// Index of the relation.
    pub relation: u16,
    /// Column and value, as text.
    pub key: Vec<(Box<str>, Box<str>)>,
    /// Index of the preferred source; `None` means that neither is to be followed.
    pub prefer: Option<u16>,
    /// Indexes of the sources that are not followed.
    pub over: Vec<u16>,
    /// Since when it is settled so.
    pub since: Box<str>,
    /// What it is called elsewhere.
    pub names: Vec<Box<str>>,
    /// Who says what, why this one, what would settle it (Markdown).
    pub prose: Box<str>,
}

/// A question on which guides and vendors disagree, with its resolution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Topic {
    /// File name in `topics/`.
    pub id: Box<str>,
    /// The question.
    pub title: Box<str>,
    /// What it is called elsewhere, such as `K03`.
    pub names: Vec<Box<str>>,
    /// Who says what.
    pub positions: Vec<Box<str>>,
    /// What holds.
    pub resolution: Box<str>,
    /// What follows for the data.
    pub rule: Option<Box<str>>,
    /// Ids of claims.
    pub claims: Vec<Box<str>>,
    /// Ids of facts.
    pub facts: Vec<Box<str>>,
    /// Markdown.
    pub prose: Box<str>,
}

/// How bad an advisory's combination is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// It does not work.
    Breaks,
    /// It works badly.
    Degrades,
    /// Worth knowing.
    Note,
}

/// A place where something can be looked at again: index of the source, where in it, when it was read.
pub type Evidence = (u16, Option<Box<str>>, Option<Box<str>>);

/// A combination known to be bad: all conditions must hold.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advisory {
    /// File name in `advisories/`.
    pub id: Box<str>,
    /// One line.
    pub title: Box<str>,
    /// How bad.
    pub severity: Severity,
    /// Package id (or `gpu-compute`, `os`, `channel`, `python`) and the versions or value.
    pub when: Vec<(Box<str>, Box<str>)>,
    /// What happens.
    pub finding: Box<str>,
    /// What to do.
    pub fix: Box<str>,
    /// Where it is known from.
    pub evidence: Vec<Evidence>,
    /// Markdown.
    pub prose: Box<str>,
}

/// A guide whose claims were checked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Article {
    /// File name in `claims/`.
    pub id: Box<str>,
    /// What it is about.
    pub title: Box<str>,
    /// `zh-Hans`, `zh-Hant`, `en`.
    pub language: Option<Box<str>>,
    /// What it covers.
    pub scope: Option<Box<str>>,
    /// What it says.
    pub claims: Vec<Claim>,
}

/// One statement of a guide and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// `A001`.
    pub id: Box<str>,
    /// What is claimed, in our words.
    pub statement: Box<str>,
    /// `version-binding`, `driver-minimum` …
    pub kind: Box<str>,
    /// `confirmed`, `refuted`, `partly`, `disputed`, `unverifiable`.
    pub verdict: Box<str>,
    /// Why.
    pub evidence: Box<str>,
    /// What holds instead.
    pub correct: Option<Box<str>>,
    /// What it is about: os, framework, version, cuda, cudnn, driver, python, gpu.
    pub subject: Vec<(Box<str>, Box<str>)>,
    /// Indexes of sources.
    pub sources: Vec<u16>,
    /// Ids of other articles that say the same.
    pub also_in: Vec<Box<str>>,
}

/// When an importer last looked at a package.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Checked {
    /// Directory name in `imported/`.
    pub importer: Box<str>,
    /// Id of the package.
    pub package: Box<str>,
    /// The day, `YYYY-MM-DD`.
    pub on: Box<str>,
}

/// The page of a way of reasoning. One file in `rules/`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RulePage {
    /// File name in `rules/`, the same as the rule's id.
    pub id: Box<str>,
    /// One line.
    pub title: Box<str>,
    /// Relations it reads.
    pub reads: Vec<Box<str>>,
    /// Markdown.
    pub prose: Box<str>,
}

/// Every sentence the program says, in one language: id → template.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Words {
    /// `en`, `zh-Hans`, `zh-Hant`.
    pub language: Box<str>,
    /// Sentence id → template with `{value}` places.
    pub sentences: BTreeMap<Box<str>, Box<str>>,
}

/// A text in English and, where somebody wrote it, in Simplified Chinese.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Said {
    /// English.
    pub en: Box<str>,
    /// Simplified Chinese.
    pub zh: Option<Box<str>>,
}

impl Said {
    /// The text in a language, English where there is none: `zh-Hans` and `zh-Hant` are Chinese.
    pub fn in_language(&self, language: &str) -> &str {
        self.zh.as_deref().filter(|_| language.starts_with("zh")).unwrap_or(&self.en)
    }
}

/// A message that programs print. One file in `signatures/`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    /// File name in `signatures/`.
    pub id: Box<str>,
    /// The message as people know it.
    pub title: Said,
    /// Fixed texts of which one stands on the line, whatever the case of its ASCII letters.
    pub needles: Vec<Box<str>>,
    /// A regular expression that the line must match as well, for what is general or has values in it.
    pub pattern: Option<Box<str>>,
    /// Name of a capture → name of the observation that it is.
    pub captures: Vec<(Box<str>, Box<str>)>,
    /// Ids of packages, or names of other programs that print it.
    pub emitted_by: Vec<Box<str>>,
    /// Releases of the first of them that print it.
    pub versions: Option<Box<str>>,
    /// It is no cause of anything.
    pub harmless: bool,
    /// Other software prints it as well: in a long text it counts only where that is about GPUs otherwise.
    pub generic: bool,
    /// The cause that the message names by itself.
    pub states: Option<Box<str>>,
    /// What the observation `error` is called where a message is one by itself: `smi-no-driver`.
    pub error: Option<Box<str>>,
    /// Causes that print it, likeliest first.
    pub suggests: Vec<Box<str>>,
    /// Lines that must match.
    pub matches: Vec<Box<str>>,
    /// Lines that look alike and must not match.
    pub passes: Vec<Box<str>>,
    /// Where the message can be looked at: `owner/repository path`, `owner/repository#number`, an address.
    pub seen_in: Vec<Box<str>>,
    /// What the message means (Markdown).
    pub prose: Said,
}

/// Something that holds or does not hold of a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Condition {
    /// It must not hold.
    pub not: bool,
    /// What is asked.
    pub test: Test,
}

/// What a condition asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Test {
    /// A message was printed: id of a signature; one that ends with `*` stands for all that begin so.
    Message(Box<str>),
    /// A value was observed: its name, and perhaps what it must be, with `*` for any text.
    Seen(Box<str>, Option<Box<str>>),
    /// A check proved it on the facts.
    Check(Box<str>),
    /// A check refuted it on the facts.
    Refuted(Box<str>),
    /// Another cause is likely already.
    Cause(Box<str>),
}

/// Conditions that together speak for or against a cause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sign {
    /// All of them must hold.
    pub when: Vec<Condition>,
    /// How far they decide: 20 a hint, 50 likely, 80 nearly certain.
    pub weight: u8,
}

/// One way to mend what a cause broke.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fix {
    /// What to do, with `{observation}` places.
    pub says: Said,
    /// Commands by system: `linux`, `windows`, `wsl`, `any`.
    pub commands: Vec<(Box<str>, Box<str>)>,
    /// Only on this system: `linux`, `windows`, `wsl`, `docker`, `jetson`.
    pub os: Option<Box<str>>,
    /// Only where all of these hold.
    pub when: Vec<Condition>,
    /// The engine finds a build of the framework for what was observed, and its command stands here.
    pub solve: Option<Sought>,
    /// A command whose output shows that it is mended.
    pub proves: Option<Box<str>>,
    /// How to go back to what was before.
    pub undo: Option<Said>,
}

/// Which build of the framework a step means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Sought {
    /// One that fits, near to the release that is installed.
    Near,
    /// One that fits, also the one that is installed.
    Again,
    /// One that brings its CUDA libraries along.
    Brings,
    /// One for the toolkit of the machine.
    ForToolkit,
    /// The newest that fits.
    Any,
}

impl Sought {
    /// All, with the word used in data.
    pub const WORDS: [(&'static str, Sought); 5] = [
        ("near", Sought::Near),
        ("again", Sought::Again),
        ("brings-libraries", Sought::Brings),
        ("for-toolkit", Sought::ForToolkit),
        ("newest", Sought::Any),
    ];
}

/// What must not be done, in logs that are not known to be from elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Never {
    /// What guides advise.
    pub says: Said,
    /// Only of this system: `linux`, `windows`, `wsl`, `docker`, `jetson`.
    pub os: Option<Box<str>>,
    /// Only of a package: an id of the catalogue; one that ends with `*` stands for all that begin so.
    pub framework: Option<Box<str>>,
}

impl Never {
    /// Is it about a package, by its id?
    pub fn is_about(&self, package: &str) -> bool {
        self.framework.as_deref().is_none_or(|id| match id.strip_suffix('*') {
            Some(start) => package.starts_with(start),
            None => package == id,
        })
    }
}

/// Why something fails. One file in `causes/`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cause {
    /// File name in `causes/`.
    pub id: Box<str>,
    /// One line.
    pub title: Said,
    /// `driver`, `wsl`, `package`, `gpu`, `library`, `os`, `container`, `residue` (breaks nothing by itself), `negative`.
    pub family: Box<str>,
    /// What it is called elsewhere, such as `T11`.
    pub names: Vec<Box<str>>,
    /// Checks on the facts that prove or refute it.
    pub checks: Vec<Box<str>>,
    /// Sentences with `{observation}` places; the first whose places are all known is said.
    pub says: Vec<Said>,
    /// Observations whose lines are evidence.
    pub cites: Vec<Box<str>>,
    /// Causes that are only its consequence.
    pub over: Vec<Box<str>>,
    /// What speaks for it.
    pub signs: Vec<Sign>,
    /// What speaks against it.
    pub against: Vec<Sign>,
    /// How to mend it, best first.
    pub fixes: Vec<Fix>,
    /// The command whose output would decide, by system: `linux`, `windows`, `wsl`, `any`.
    pub decides: Vec<(Box<str>, Box<str>)>,
    /// What guides advise and must not be done.
    pub never: Vec<Never>,
    /// Why, how to see it, how to fix it, what not to do (Markdown).
    pub prose: Said,
}

impl Cause {
    /// Is the failure not about compatibility?
    pub fn negative(&self) -> bool {
        &*self.family == "negative"
    }
}

/// Families of causes.
pub const FAMILIES: [&str; 9] =
    ["driver", "wsl", "package", "gpu", "library", "os", "container", "residue", "negative"];

/// Checks on the facts that causes can name.
pub const CHECKS: [&str; 27] = [
    "driver-floor",
    "device-code-newer",
    "device-code-older",
    "cpu-build",
    "both-distributions",
    "cudnn-older",
    "cuda-other-major",
    "right-library-on-disk",
    "module-library-differ",
    "plugin-core-differ",
    "python-no-wheel",
    "native-windows",
    "glibc-floor",
    "ptx-floor",
    "extension-build",
    "container-floor",
    "cudnn-wheel-missing",
    "two-cudnn",
    "older-cudnn-first",
    "incomplete-cudnn-first",
    "engine-version",
    "wrong-platform",
    "gpu-driver",
    "toolkit-target",
    "capability-dropped",
    "driver-packages",
    "library-copies",
];

impl Condition {
    /// Reads `message:torch-cuda-oom`, `seen:driver-model=TCC`, `check:driver-floor`, `refuted:…`, `cause:…`, each with a
    /// `!` in front for its contrary.
    pub fn parse(text: &str) -> Option<Condition> {
        let (not, rest) = match text.trim().strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text.trim()),
        };
        let (kind, what) = rest.split_once(':')?;
        let what = what.trim();
        let test = match kind {
            _ if what.is_empty() => return None,
            "message" => Test::Message(what.into()),
            "check" => Test::Check(what.into()),
            "refuted" => Test::Refuted(what.into()),
            "cause" => Test::Cause(what.into()),
            "seen" => match what.split_once('=') {
                Some((name, value)) => Test::Seen(name.into(), Some(value.into())),
                None => Test::Seen(what.into(), None),
            },
            _ => return None,
        };
        Some(Condition { not, test })
    }
}
