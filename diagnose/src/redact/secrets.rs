//! Passwords, tokens, keys; serial numbers and ids of machines.

use super::Span;
use super::kind::Kind;
use super::rules::compiled;
use regex::Regex;

/// Values that are told by themselves or by their place; the group `x` is what is private.
const PATTERNS: [(Kind, &str); 27] = [
    (Kind::Credentials, r"[A-Za-z][A-Za-z0-9+.-]{1,20}://(?<x>[^\s/@'\x22<>]{1,200})@"),
    (Kind::Token, r"\b(?<x>hf_[A-Za-z0-9]{16,})"),
    (Kind::Token, r"\b(?<x>gh[pousr]_[A-Za-z0-9]{16,})"),
    (Kind::Token, r"\b(?<x>github_pat_[A-Za-z0-9_]{16,})"),
    (Kind::Token, r"\b(?<x>glpat-[A-Za-z0-9_-]{16,})"),
    (Kind::Token, r"\b(?<x>sk-[A-Za-z0-9_-]{16,})"),
    (Kind::Token, r"\b(?<x>(?:AKIA|ASIA)[0-9A-Z]{16})\b"),
    (Kind::Token, r"\b(?<x>AIza[0-9A-Za-z_-]{30,})"),
    (Kind::Token, r"\b(?<x>xox[abprs]-[0-9A-Za-z-]{10,})"),
    (Kind::Token, r"\b(?<x>(?:pypi|npm|nvapi|dckr_pat|wandb_v1)[-_][A-Za-z0-9_-]{24,})"),
    (Kind::Token, r"\b(?<x>eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"),
    (
        Kind::Token,
        r"(?i)\b(?:bearer|authorization:\s*basic|authorization:\s*token)\s+(?<x>[A-Za-z0-9+/=_.~-]{8,})",
    ),
    (Kind::Token, r"(?i)\bwandb\b[^\r\n]{0,80}?\b(?<x>[0-9a-f]{40})\b"),
    (
        Kind::Token,
        r#"(?i)\b[\w-]*(?:password|passwd|passphrase|pwd)["']?\s?[=:]\s?["']?(?<x>[^\s"'/\\,;&]{3,256})"#,
    ),
    (
        Kind::Token,
        r#"(?i)\s--?(?:password|passwd|token|api-key|secret)[ =]["']?(?<x>[^\s"'-][^\s"']{5,255})"#,
    ),
    // .netrc
    (Kind::Token, r"\blogin\s+\S{1,80}\s+password\s+(?<x>\S{1,256})"),
    (Kind::Token, r"(?:密码|密碼|口令)\s?[:=：]\s?(?<x>\S{2,256})"),
    // A product key, and what is called a licence.
    (Kind::Token, r"\b(?<x>[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4})\b"),
    (Kind::Token, r#"(?i)\blicen[cs]e[ _-]?(?:key|id|code)["']?\s?[=:]\s?["']?(?<x>[^\s"',;]{6,256})"#),
    (Kind::Uuid, r"\b(?<x>[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})\b"),
    (
        Kind::Serial,
        r#"(?i)(?:\b(?:serial(?:[ _-]?(?:number|no\.?))?|s/n|service ?tag|asset ?tag)|序列号|序列號|序號)["']?\s*[:=：]\s*["']?(?<x>[A-Za-z0-9][A-Za-z0-9_./-]{3,63})"#,
    ),
    (Kind::Serial, r"(?i)<(?:chassis_|board_|module_)?serial(?:_number)?>(?<x>[^<\s]{4,63})<"),
    (
        Kind::Serial,
        r"(?i)\b(?:machine|boot|product|device)[ _-]?id\s*[:=]\s*(?<x>[0-9A-Fa-f]{32}|\d{5}-\d{5}-\d{5}-[A-Z0-9]{5})\b",
    ),
    (Kind::Serial, r"^\s*(?<x>[0-9a-f]{32})\s*$"),
    (Kind::Serial, r"(?i)\bSerialNumber\s+(?<x>[A-Z0-9]{6,40})\b"),
    (
        Kind::Serial,
        r"(?i)\b(?:node|port|system image|sys_image)[ _]?guid:?\s+(?<x>(?:0x)?[0-9a-f:]{16,23})\b",
    ),
    (Kind::Serial, r"(?i)\bimei\s*[:=]\s*(?<x>\d{14,16})\b"),
];

/// Where a value is private if it looks as if nobody made it up.
const NAMED: &str = r#"(?i)[\w-]*(?:key|token|secret|credential|auth|signature|sig)["']?\s?[=:]\s?["']?(?<x>[A-Za-z0-9+/=_.~-]{16,512})"#;

/// A serial number without a colon, as people write it and tables have it.
const SERIAL: &str = r#"(?i)(?:\b(?:serial(?:[ _-]?(?:number|num|no\.?|nr\.?))?|s/n|sn)|序列号|序列號|序號)["']?[\s:=#|*：]{1,40}(?:is\s)?["'`]?(?<x>[A-Za-z0-9]{6,40})"#;

/// Passwords that are none.
const NO_PASSWORD: [&str; 8] = ["none", "null", "true", "false", "required", "incorrect", "str", "optional"];

#[derive(Debug)]
pub(super) struct Secrets {
    patterns: Vec<(Kind, Regex)>,
    named: Regex,
    serial: Regex,
}

impl Secrets {
    pub(super) fn new() -> Self {
        Secrets {
            patterns: PATTERNS.iter().map(|(kind, pattern)| (*kind, compiled(pattern))).collect(),
            named: compiled(NAMED),
            serial: compiled(SERIAL),
        }
    }

    pub(super) fn find(&self, line: &str, out: &mut Vec<Span>) {
        for (kind, pattern) in &self.patterns {
            for found in pattern.captures_iter(line) {
                let Some(x) = found.name("x") else { continue };
                let text = x.as_str();
                let none = match kind {
                    Kind::Uuid => text.starts_with("00000000-0000-0000-0000-"),
                    Kind::Token => NO_PASSWORD.iter().any(|n| text.eq_ignore_ascii_case(n)),
                    // Of the place of a package, not of anybody: git+ssh://git@github.com.
                    Kind::Credentials => text == "git",
                    _ => false,
                };
                if !none {
                    out.push((x.range(), *kind));
                }
            }
        }
        for found in self.serial.captures_iter(line) {
            // `serial 8250` is a chip, `serial port` no number.
            if let Some(x) = found.name("x")
                && x.as_str().bytes().filter(u8::is_ascii_digit).count() >= 6
            {
                out.push((x.range(), Kind::Serial));
            }
        }
        for found in self.named.captures_iter(line) {
            if let Some(x) = found.name("x")
                && is_random(x.as_str())
            {
                out.push((x.range(), Kind::Token));
            }
        }
    }
}

/// Letters and numbers that change places often are no word, no path and no version.
fn is_random(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = bytes.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let kind = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase(), b.is_ascii_lowercase());
    let changes = bytes.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    digits >= 2 && letters >= 4 && changes * 5 >= bytes.len() && !text.contains("..") && !text.contains("//")
}

/// Does the block of a private key begin on this line?
pub(super) fn key_begins(line: &str) -> bool {
    line.contains("-----BEGIN ") && line.contains("PRIVATE KEY")
}

/// Does it end on this line?
pub(super) fn key_ends(line: &str) -> bool {
    line.contains("-----END ")
}
