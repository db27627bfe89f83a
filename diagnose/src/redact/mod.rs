//! Private names in texts → placeholders: what is left can be shown to anybody, and has the same cause.
//!
//! A name is learned where its place tells what it is (`/home/NAME`, a prompt, `Bearer …`), and replaced wherever it
//! stands. One value has one placeholder. Versions, libraries' paths behind a home directory, PCI addresses and what
//! programs are called stay. A text that was redacted once is not changed again.

mod addresses;
mod domains;
mod kind;
mod public;
mod rules;
mod secrets;
mod variables;

use crate::diagnosis::Diagnosis;
use crate::sift::Excerpt;
use aho_corasick::{AhoCorasick, MatchKind};
use kb_core::kb::Kb;
use kind::Kind;
use public::Public;
use rules::Rules;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// What was learned, and how it is found.
#[derive(Debug)]
pub struct Redactor {
    rules: &'static Rules,
    public: Public,
    /// Kind and value in lower-case letters → number of the placeholder.
    numbers: HashMap<(Kind, String), usize>,
    /// How many of each kind there are.
    counts: HashMap<Kind, usize>,
    /// Values that are replaced wherever they stand.
    values: Vec<(Kind, String)>,
    /// The same as one automaton; `None` if values came since it was built.
    automaton: Option<AhoCorasick>,
    /// Inside the block of a private key.
    in_key: bool,
    /// The next line has the value of a secret variable.
    named: bool,
}

/// A place in a line, and what stands there.
type Span = (Range<usize>, Kind);

impl Redactor {
    /// Nothing is learned yet. Words of known messages and packages are never private by themselves.
    pub fn new(kb: &Kb) -> Self {
        Redactor {
            rules: Rules::get(),
            public: Public::new(kb),
            numbers: HashMap::new(),
            counts: HashMap::new(),
            values: Vec::new(),
            automaton: None,
            in_key: false,
            named: false,
        }
    }

    /// Learns the names in a text.
    pub fn learn(&mut self, text: &str) {
        for line in text.lines() {
            self.learn_line(line);
        }
    }

    /// Learns the names in everything that was kept of a log.
    pub fn learn_excerpt(&mut self, excerpt: &Excerpt) {
        for line in &excerpt.lines {
            self.learn_line(&line.text);
        }
        for hit in &excerpt.hits {
            self.learn_line(&hit.text);
        }
        for (name, _) in &excerpt.files {
            self.learn_line(name);
        }
    }

    /// A text without its private names.
    pub fn text(&mut self, text: &str) -> String {
        self.learn(text);
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let (line, end) = match line.strip_suffix('\n') {
                Some(line) => (line, "\n"),
                None => (line, ""),
            };
            out.push_str(&self.replaced(line));
            out.push_str(end);
        }
        out
    }

    /// What comes next is another text: a block or a variable that the last one began does not go on in it.
    pub fn begin(&mut self) {
        self.in_key = false;
        self.named = false;
    }

    /// Replaces names in what a diagnosis took from the text.
    pub fn diagnosis(&mut self, found: &mut Diagnosis) {
        // What is learned from one string is replaced in those before it as well.
        each(found, &mut |text| self.learn(text));
        each(found, &mut |text| *text = self.text(text));
    }

    /// Replaces names in what was kept of a log.
    pub fn excerpt(&mut self, excerpt: &mut Excerpt) {
        self.learn_excerpt(excerpt);
        for line in &mut excerpt.lines {
            line.text = Cow::Owned(self.replaced(&line.text));
        }
        for hit in &mut excerpt.hits {
            hit.text = self.replaced(&hit.text);
        }
        for (name, _) in &mut excerpt.files {
            *name = self.replaced(name);
        }
    }

    fn learn_line(&mut self, line: &str) {
        let (begins, ends) = (secrets::key_begins(line), secrets::key_ends(line));
        if self.in_key && !ends && line.trim().len() >= SHORTEST_KEY {
            self.number(Kind::Token, line.trim());
        }
        self.in_key = (self.in_key || begins) && !ends;
        if self.named
            && let Some(range) = self.rules.next_value(line)
        {
            self.number(Kind::Token, &line[range]);
        }
        self.named = self.rules.names_next(line);
        for (range, kind) in self.rules.spans(line, &self.public) {
            self.number(kind, &line[range.clone()]);
            if kind == Kind::Host {
                self.learn_domains(&line[range]);
            }
        }
    }

    /// What a machine's name tells of its network, and its name within that.
    fn learn_domains(&mut self, host: &str) {
        for domain in domains::of(host) {
            if !self
                .values
                .iter()
                .any(|(kind, value)| *kind == Kind::Domain && value.eq_ignore_ascii_case(domain))
            {
                self.values.push((Kind::Domain, domain.to_owned()));
                self.automaton = None;
            }
        }
        if let Some((name, _)) = host.split_once('.')
            && !self.public.is_nobody(Kind::Host, name)
        {
            self.number(Kind::Host, name);
        }
    }

    /// The number of a value; a new one is remembered.
    fn number(&mut self, kind: Kind, value: &str) -> usize {
        let key = (kind, value.to_lowercase());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.number_of_short(kind, &key.1).unwrap_or_else(|| {
            let count = self.counts.entry(kind).or_default();
            *count += 1;
            *count
        });
        // In Chinese two characters are a whole name.
        let length = value.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
        if length >= kind.shortest() && !self.public.is_word(value) {
            self.values.push((kind, value.to_owned()));
            self.automaton = None;
        }
        self.numbers.insert(key, number);
        number
    }

    /// A machine with its domain and without is one, unless its name is a word as `login` is.
    fn number_of_short(&self, kind: Kind, value: &str) -> Option<usize> {
        if kind != Kind::Host {
            return None;
        }
        let short = value.split('.').next().filter(|name| !self.public.is_word(name))?;
        let of_machine = |(of, known): &(Kind, String)| {
            *of == Kind::Host && known.split('.').next() == Some(short) && (known == short || value == short)
        };
        self.numbers.iter().filter(|(key, _)| of_machine(key)).map(|(_, number)| *number).min()
    }

    /// A line whose names were learned, without them.
    fn replaced(&mut self, line: &str) -> String {
        let mut taken = Taken::new(line);
        for span in self.rules.spans(line, &self.public) {
            taken.take(span);
        }
        if self.automaton.is_none() && !self.values.is_empty() {
            let values = self.values.iter().map(|(_, value)| value);
            let automaton = AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::LeftmostLongest)
                .build(values);
            self.automaton = automaton.ok();
        }
        if let Some(automaton) = &self.automaton {
            for found in automaton.find_iter(line) {
                let (kind, _) = &self.values[found.pattern().as_usize()];
                if !stands_alone(line, found.range(), *kind) {
                    continue;
                }
                match kind {
                    Kind::Domain | Kind::Host => {
                        let start = match kind {
                            Kind::Domain => domains::start(line, found.start()),
                            _ => found.start(),
                        };
                        let range = start..domains::end(line, found.end());
                        if !domains::is_public(&line[range.clone()]) {
                            taken.take((range, Kind::Host));
                        }
                    }
                    _ => taken.take((found.range(), *kind)),
                }
            }
        }
        let mut out = String::with_capacity(line.len());
        let mut at = 0;
        for (range, kind) in taken.sorted() {
            out.push_str(&line[at..range.start]);
            let value = &line[range.clone()];
            // The same text may have been learned as another kind, which is as good.
            let number = self.number(kind, value);
            out.push_str(&kind.placeholder(number, value));
            at = range.end;
        }
        out.push_str(&line[at..]);
        out
    }
}

/// Lines of a private key that are shorter are its end at most.
const SHORTEST_KEY: usize = 16;

/// The spans of a line that are replaced: none lies over another.
struct Taken {
    bytes: Vec<bool>,
    spans: Vec<Span>,
}

impl Taken {
    fn new(line: &str) -> Self {
        Taken { bytes: vec![false; line.len()], spans: Vec::new() }
    }

    /// The first one that comes has its place.
    fn take(&mut self, (range, kind): Span) {
        let free = self.bytes.get(range.clone()).is_some_and(|bytes| bytes.iter().all(|taken| !taken));
        if free && !range.is_empty() {
            self.bytes[range.clone()].fill(true);
            self.spans.push((range, kind));
        }
    }

    fn sorted(mut self) -> Vec<Span> {
        self.spans.sort_by_key(|(range, _)| range.start);
        self.spans
    }
}

/// Is this a word of its own, not a part of another one?
fn stands_alone(line: &str, range: Range<usize>, kind: Kind) -> bool {
    let value = &line[range.clone()];
    let before = line[..range.start].chars().next_back();
    let after = line[range.end..].chars().next();
    if kind.is_number() {
        // Else a part of a version would do.
        let part =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '=' | '-' | '_'));
        return !part(before) && !after.is_some_and(|c| c.is_alphanumeric());
    }
    // Names in Chinese stand between other characters without a space.
    !value.is_ascii()
        || (!before.is_some_and(|c| c.is_ascii_alphanumeric())
            && !after.is_some_and(|c| c.is_ascii_alphanumeric()))
}

/// Every string of a diagnosis that has something of the text in it.
fn each(found: &mut Diagnosis, change: &mut dyn FnMut(&mut String)) {
    for cause in &mut found.causes {
        change(&mut cause.says);
        cause.quotes.iter_mut().chain(&mut cause.places).for_each(&mut *change);
        for step in &mut cause.fix {
            change(&mut step.says);
            step.command.iter_mut().chain(&mut step.proves).chain(&mut step.undo).for_each(&mut *change);
        }
        cause.decides.iter_mut().for_each(&mut *change);
    }
    for observation in &mut found.observations {
        change(&mut observation.value);
        observation.raw.iter_mut().chain(&mut observation.place).for_each(&mut *change);
    }
}

#[cfg(test)]
mod tests;
