//! Addresses of machines and people: e-mail, IPv4, IPv6, network cards.
//!
//! `8.9.7.29` is a version of cuDNN and might be a machine: four numbers are an address only where something beside them
//! says so, or where no version begins like that.

use super::Span;
use super::kind::Kind;
use super::rules::compiled;
use regex::Regex;
use std::net::{Ipv4Addr, Ipv6Addr};

#[derive(Debug)]
pub(super) struct Addresses {
    mail: Regex,
    four: Regex,
    /// What stands directly before an address.
    before: Regex,
    /// What stands directly behind one.
    after: Regex,
    six: Regex,
    mac: Regex,
}

/// Above this no version begins; driver branches have three parts at most.
const NO_VERSION: u8 = 40;

/// The longest text before an address that is looked at, in bytes.
const LOOK_BACK: usize = 32;

impl Addresses {
    pub(super) fn new() -> Self {
        Addresses {
            mail: compiled(
                r"[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.(?<tld>[A-Za-z]{2,24})",
            ),
            four: compiled(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}"),
            before: compiled(
                r#"(?i)(?:://|@|\binet |\binet addr:|addr(?:ess)?["']?\s?[=:]?\s?["']?|\bip["']?\s?[=:]?\s?["']?|\bhost["']?\s?[=:]?\s?["']?|\b(?:eth|ens|eno|enp|ib|bond|wlan|docker|br)[\w-]*:|\bconnect(?:ed|ing)? to |\bpeer |\btcp |\bssh )$"#,
            ),
            after: compiled(r"^(?::\d{2,5}\b|/\d{1,2}\b|<\d{1,5}>| port \d| - - \[)"),
            six: compiled(r"[0-9A-Fa-f:]{2,39}(?:%\w{1,15})?"),
            mac: compiled(r"(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}|(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}"),
        }
    }

    pub(super) fn find(&self, line: &str, out: &mut Vec<Span>) {
        if line.contains('@') {
            for found in self.mail.captures_iter(line) {
                let Some(whole) = found.get(0) else { continue };
                let text = whole.as_str();
                // Units of systemd, and what everybody clones from.
                let unit = matches!(&found["tld"], "service" | "socket" | "mount" | "slice" | "target");
                if !unit && !text.starts_with("git@") && !text.ends_with("@example.com") {
                    out.push((whole.range(), Kind::Mail));
                }
            }
        }
        for found in self.four.find_iter(line) {
            if let Ok(address) = found.as_str().parse::<Ipv4Addr>()
                && whole(line, found.start(), found.end())
                && is_private(address)
                && self.is_address(line, found.start(), found.end(), address)
            {
                out.push((found.range(), Kind::Ip4));
            }
        }
        if line.bytes().filter(|b| *b == b':').take(2).count() == 2 {
            for found in self.six.find_iter(line) {
                if is_six(found.as_str()) && whole(line, found.start(), found.end()) {
                    out.push((found.range(), Kind::Ip6));
                }
            }
        }
        for found in self.mac.find_iter(line) {
            let text = found.as_str();
            // Six numbers with dashes may be a time.
            let sure = text.contains(':') || text.bytes().any(|b| b.is_ascii_alphabetic());
            let given = text.to_ascii_lowercase().replace('-', ":").starts_with("00:00:5e:00:53:");
            if sure && !given && whole(line, found.start(), found.end()) {
                out.push((found.range(), Kind::Mac));
            }
        }
    }

    fn is_address(&self, line: &str, start: usize, end: usize, address: Ipv4Addr) -> bool {
        if address.octets()[0] >= NO_VERSION {
            return true;
        }
        let from = (start.saturating_sub(LOOK_BACK)..=start).find(|i| line.is_char_boundary(*i));
        let before = &line[from.unwrap_or(start)..start];
        self.before.is_match(before) || self.after.is_match(&line[end..])
    }
}

/// Is there neither a letter nor a number at its ends, nor what joins it to a version?
fn whole(line: &str, start: usize, end: usize) -> bool {
    let before = line[..start].chars().next_back();
    let mut rest = line[end..].chars();
    let (after, next) = (rest.next(), rest.next());
    let joined = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'))
        || line[..start].ends_with("==");
    let goes_on = after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        // The end of a sentence is none of the address.
        || (matches!(after, Some('.' | '-' | '+')) && next.is_some_and(char::is_alphanumeric));
    !joined && !goes_on
}

/// Is it not everybody's, as 127.0.0.1 is, nor one for documents?
fn is_private(address: Ipv4Addr) -> bool {
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_documentation()
        || address.octets()[0] == 255)
}

fn is_six(text: &str) -> bool {
    let text = text.split('%').next().unwrap_or(text);
    let Ok(address) = text.parse::<Ipv6Addr>() else { return false };
    // Two parts (`c10::add`) are a name in C++ rather, unless it begins as addresses do.
    let parts = text.split(':').filter(|part| !part.is_empty()).count();
    let first = address.segments()[0];
    let begins = (first & 0xffc0) == 0xfe80 || (first & 0xfe00) == 0xfc00 || (first & 0xe000) == 0x2000;
    let document = address.segments()[..2] == [0x2001, 0xdb8];
    !address.is_loopback() && !document && (parts > 2 || (parts == 2 && begins))
}
