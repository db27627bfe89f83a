//! All that was observed of one machine, and questions about it.

use kb_core::observe::Observation;
use std::collections::HashSet;

/// Observations in the order of the text, each value of a line once.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    all: Vec<Observation>,
    known: HashSet<(String, String, Option<usize>, Option<String>)>,
}

/// More observations than this are no report of a machine: a log that repeats itself.
const MOST: usize = 20_000;

impl Seen {
    /// Adds an observation that is not there yet.
    pub fn push(&mut self, new: Observation) {
        if self.all.len() >= MOST {
            return;
        }
        let key = (new.what.clone(), new.value.clone(), new.line, new.place.clone());
        if self.known.insert(key) {
            self.all.push(new);
        }
    }

    /// Everything, in the order of the lines; what was given by hand comes first.
    pub fn all(&self) -> &[Observation] {
        &self.all
    }

    /// Sorts by line, keeping the order of what stands on one.
    pub fn sort(&mut self) {
        self.all.sort_by(|a, b| (&a.place, a.line).cmp(&(&b.place, b.line)));
    }

    /// The observations of a name, which may end with `*`.
    pub fn of<'a>(&'a self, what: &'a str) -> impl DoubleEndedIterator<Item = &'a Observation> + 'a {
        self.all.iter().filter(move |o| glob(what, &o.what))
    }

    /// The first value of a name.
    pub fn first(&self, what: &str) -> Option<&Observation> {
        self.all.iter().find(|o| o.what == what)
    }

    /// Does a value match?
    pub fn find(&self, what: &str, value: Option<&str>) -> Option<&Observation> {
        self.all.iter().find(|o| glob(what, &o.what) && value.is_none_or(|v| glob(v, &o.value)))
    }

    /// The version of an installed package: its first observation, names compared as PEP 503 does.
    pub fn package(&self, name: &str) -> Option<&Observation> {
        let wanted = kb_core::pep::normal_name(name);
        self.packages().find(|(n, _)| kb_core::pep::normal_name(n) == wanted).map(|(_, o)| o)
    }

    /// Installed packages: name and observation.
    pub fn packages(&self) -> impl Iterator<Item = (&str, &Observation)> {
        self.all.iter().filter_map(|o| Some((o.what.strip_prefix("package:")?, o)))
    }
}

/// Is it the text, with `*` for any, whatever the case of ASCII letters?
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    // The usual way: go back to the last star when what follows it does not fit.
    let (mut p, mut t, mut star, mut from) = (0, 0, None, 0);
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some(p);
                from = t;
                p += 1;
            }
            Some(c) if c.eq_ignore_ascii_case(&text[t]) => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some(at) => {
                    from += 1;
                    p = at + 1;
                    t = from;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, text) in [
            ("*cudnn64_8*", r"C:\CUDA\bin\cudnn64_8.dll"),
            ("WDDM", "wddm"),
            ("package:*", "package:torch"),
            ("2.*+cpu", "2.3.1+cpu"),
            ("*", ""),
            ("a*b*c", "a-b-b-c"),
        ] {
            assert!(glob(pattern, text), "{pattern} {text}");
        }
        assert!(!glob("*cudnn64_8*", "cudnn64_7.dll") && !glob("", "x") && !glob("a*b", "a"));
    }
}
