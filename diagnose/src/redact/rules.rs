//! Where a name's place tells what it is.

use super::kind::Kind;
use super::public::Public;
use super::variables::Variables;
use super::{Span, addresses, secrets};
use regex::Regex;
use std::ops::Range;
use std::sync::OnceLock;

/// A name in a path.
const IN_PATH: &str = r#"[^\\/:*?<>|"'`\s,;()\[\]{}]{1,64}"#;

/// Places of names. The group's name is the kind: `user`, `host`. What comes first has precedence.
const PLACES: [&str; 27] = [
    // C:\Users\Jane Doe\…: with a space only where the path goes on.
    r#"(?i)[a-z]:\\{1,2}Users\\{1,2}(?<user>[^\\/:*?<>|"'\r\n]{1,40}?)(?:\\|>|")"#,
    r#"(?i)[\\/]Users[\\/]{1,2}(?<user>IN_PATH)"#,
    r#"(?i)[\\/]home[\\/]{1,2}(?<user>IN_PATH)"#,
    r#"(?i)[\\/](?:run[\\/])?media[\\/]{1,2}(?<user>IN_PATH)[\\/]"#,
    r#"(?:^|[\s:='"])~(?<user>[A-Za-z_][\w.-]{0,31})/"#,
    r#"(?i)\b(?:sudo_)?(?:user(?:_?name)?|logname)["']?\s?=\s?["']?(?<user>[^\s"',;&)]{1,64})"#,
    r#"(?i)^\s*(?:user ?name|current user|logged in as|registered owner)\s*:\s*(?<user>\S{1,64})"#,
    r#"\buid=\d{1,10}\((?<user>[^()\s]{1,64})\)"#,
    r#"\bgid=\d{1,10}\((?<user>[^()\s]{1,64})\)"#,
    r#"\bfor user (?<user>[\w.-]{1,64})"#,
    r#"\bsudo:\s{1,8}(?<user>[\w.-]{1,64}) :"#,
    // ls -l
    r#"^\s*[-dlcbps][-rwxsStT]{9}[.+@]?\s+\d+\s+(?<user>\S{1,64})\s"#,
    r#"^\s*[-dlcbps][-rwxsStT]{9}[.+@]?\s+\d+\s+\S{1,64}\s+(?<user>\S{1,64})\s"#,
    // Prompts: (base) jane@box:~$, [jane@box dir]$, ┌──(jane㉿box)-[~]
    r#"^\s*(?:\([^()\r\n]{0,80}\)\s*|┌──\(|\[|➜\s*|[#>$]\s*)*(?<user>[\w.][\w.+-]{0,63})[@㉿](?<host>\w[\w.-]{0,252})(?:[:\s\])>%$#~]|$)"#,
    r#"\b(?:ssh|scp|sftp|rsync|ssh-copy-id)\s(?:[^\r\n@]{0,120}\s)?(?<user>[\w.-]{1,64})@(?<host>\w[\w.-]{0,252})"#,
    r#"(?<user>[\w.-]{1,64})@(?<host>\w[\w.-]{0,252})'s password"#,
    // uname -a
    r#"\b(?:Linux|Darwin|FreeBSD)\s(?<host>\w[\w.-]{0,252})\s\d+\.\d+[\w.+~-]*\s(?:#\d|Darwin|FreeBSD)"#,
    r#"\bnode=["'](?<host>[^"'\r\n]{1,63})["']"#,
    r#"(?i)\b(?:host[ _-]?name|computer[ _-]?name|node[ _-]?name|fqdn)["']?\s*[:=]\s*["']?(?<host>\w[\w.-]{0,252})"#,
    r#"(?i)<host_?name>(?<host>[^<\s]{1,63})<"#,
    r#"^\s+host\s*:\s*(?<host>\w[\w.-]{0,252})\s*$"#,
    // syslog
    r#"^\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?\s(?<host>\w[\w.-]{0,252})\s[\w.@/()-]{1,64}(?:\[\d+\])?:"#,
    r#"^\s*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)\s(?<host>\w[\w.-]{0,252})\s[\w.@/()-]{1,64}(?:\[\d+\])?:"#,
    r#"(?:^|\s)(?<host>[A-Za-z][\w.-]{0,63}):\d{1,7}:\d{1,7} \[\d+\] NCCL "#,
    r#"(?:\bON |\b(?:srun|slurmstepd): error: )(?<host>[A-Za-z][\w.-]{0,63})(?: CANCELLED|:\s)"#,
    r#"(?:^|[\s'"(=])\\\\(?<host>[A-Za-z][\w.$-]{1,62})\\"#,
    r#"(?i)\b(?:master_addr["']?\s*[=:]\s*["']?|connect to host )(?<host>[A-Za-z][\w.-]{0,63})"#,
];

/// Everything that finds private values by their place.
#[derive(Debug)]
pub(super) struct Rules {
    secrets: secrets::Secrets,
    variables: Variables,
    places: Vec<Regex>,
    addresses: addresses::Addresses,
}

impl Rules {
    /// The rules; compiling them takes some milliseconds.
    pub(super) fn get() -> &'static Self {
        static RULES: OnceLock<Rules> = OnceLock::new();
        RULES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let places = PLACES.iter().map(|place| compiled(&place.replace("IN_PATH", IN_PATH))).collect();
        Rules {
            secrets: secrets::Secrets::new(),
            variables: Variables::new(),
            places,
            addresses: addresses::Addresses::new(),
        }
    }

    /// What is private in a line, what has precedence first.
    pub(super) fn spans(&self, line: &str, public: &Public) -> Vec<Span> {
        let mut out = Vec::new();
        // A value that is named is longer than what is found in it.
        let mut values = Vec::new();
        self.variables.find(line, &mut values);
        self.secrets.find(line, &mut out);
        for place in &self.places {
            for found in place.captures_iter(line) {
                // `package@1.2.3` is a release.
                if found.name("host").is_some_and(|host| is_version(host.as_str())) {
                    continue;
                }
                for (name, kind) in [("user", Kind::User), ("host", Kind::Host)] {
                    if let Some(name) = found.name(name) {
                        // The dot behind a host ends the sentence.
                        let text = if kind == Kind::Host {
                            name.as_str().trim_end_matches(['.', '-'])
                        } else {
                            name.as_str()
                        };
                        out.push((name.start()..name.start() + text.len(), kind));
                    }
                }
            }
        }
        self.addresses.find(line, &mut out);
        // The first word of a pass phrase is no name to look for elsewhere.
        out.retain(|(range, _)| !values.iter().any(|v| v.start <= range.start && range.end <= v.end));
        out.splice(0..0, values.into_iter().map(|range| (range, Kind::Token)));
        out.retain(|(range, kind)| !public.is_nobody(*kind, &line[range.clone()]));
        out
    }
}

impl Rules {
    /// Does the next line have the value of a variable that is named here?
    pub(super) fn names_next(&self, line: &str) -> bool {
        self.variables.names_next(line)
    }

    /// That value.
    pub(super) fn next_value(&self, line: &str) -> Option<Range<usize>> {
        self.variables.next_value(line)
    }
}

fn is_version(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// A pattern of this module. Letters, numbers and spaces are those of ASCII where a class names them: what programs
/// print between names is, and classes of all scripts make large automata.
pub(super) fn compiled(pattern: &str) -> Regex {
    let classes = [(r"\w", "[0-9A-Za-z_]"), (r"\d", "[0-9]"), (r"\s", r"[\t ]"), (r"\S", r"[^\t\r\n ]")];
    let pattern = classes.iter().fold(pattern.to_owned(), |text, (class, ascii)| text.replace(class, ascii));
    Regex::new(&pattern).expect("the patterns are constants, and a test compiles them")
}
