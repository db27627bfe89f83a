//! From what people type or paste to documents in their order.
//!
//! Each word of the query becomes a [`Want`]: the terms of the index that it may mean, exactly or nearly. Documents
//! collect what the wants give them. First come documents that are called like the query, then those that have more of it,
//! of these the ones in the reader's language, and then those with the higher score.

use crate::document::Listing;
use crate::index::{Index, Stored};
use crate::postings::Place;
use crate::tokens::{Word, has_digit, is_cjk_word, leads, name_key, words};
use crate::write::NAME;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

/// With more different words than this a query was pasted: words are taken as they stand, and the rare ones decide.
const PASTED: usize = 16;
/// How many words of a pasted text are looked for.
const RAREST: usize = 24;
/// Of a longer text its beginning and its end are read, half of this many bytes each: errors are named at the end.
const LONGEST_QUERY: usize = 16 * 1024;
/// For how many words of a query typing errors are thought of.
const MOST_TYPOS: usize = 4;
/// How many terms a beginning may stand for.
const MOST_BEGUN: usize = 2_000;
/// How many names are looked at that begin like the query.
const MOST_NAMES: usize = 256;
/// Below this many characters a word that others follow stands for itself alone.
const SHORT: usize = 3;
/// How finely it is seen how much of the query a document has.
const STEPS: f32 = 10.0;

/// What a term is worth that is exactly a word of the query; everything else is a part of it.
const EXACT: f32 = 1.0;
const BEGUN: f32 = 0.6;
const ONE_ERROR: f32 = 0.35;
const TWO_ERRORS: f32 = 0.25;
/// Letters and number joined.
const JOINT: f32 = 0.5;
/// A shorter version.
const LEAD: f32 = 0.35;
/// All parts of a word together.
const PARTS: f32 = 0.3;
/// A name that begins with the query.
const NAME_BEGUN: f32 = 1.5;
/// How much better a document of the reader's language is as the answer to a pasted text.
const OWN_LANGUAGE: f32 = 1.25;

/// A question to an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query<'q> {
    /// What was typed or pasted: a name, words, an error line, a whole traceback.
    pub text: &'q str,
    /// The reader's language: of documents that have the same words, those in it come first.
    pub language: Option<&'q str>,
    /// How many hits at most.
    pub limit: usize,
}

/// A document that was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit<'i> {
    /// Which.
    pub document: Listing<'i>,
    /// Comparable within one answer only.
    pub score: f32,
    /// What it has of the query.
    pub why: Why,
}

/// Why a document was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The query is its title or one of its aliases.
    Name,
    /// What it has of the query is in its title and aliases.
    Title,
    /// Some of it is in the text.
    Text,
    /// Some of it is there only if the query has a typing error.
    Similar,
}

impl Why {
    /// The word for it, as written in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Why::Name => "name",
            Why::Title => "title",
            Why::Text => "text",
            Why::Similar => "similar",
        }
    }
}

/// Terms that a word may stand for, all worth the same.
struct Reading {
    terms: Vec<Range<usize>>,
    worth: f32,
    similar: bool,
}

impl Reading {
    fn of(term: Range<usize>, worth: f32) -> Self {
        Reading { terms: vec![term], worth, similar: false }
    }
}

/// What one word of the query looks for.
struct Want {
    readings: Vec<Reading>,
    /// Is it a word of the query, not just one that speaks for a document?
    counts: bool,
}

pub(crate) fn find<'i>(index: &'i Index<'_>, query: &Query<'_>) -> Vec<Hit<'i>> {
    if query.limit == 0 || index.is_empty() {
        return Vec::new();
    }
    let lines = ends(query.text).into_iter().flat_map(str::lines).filter(|line| !is_frame(line));
    let mut asked = lines.flat_map(words).collect::<Vec<_>>();
    let mut seen = HashSet::new();
    asked.retain(|word| seen.insert((word.text.clone(), word.parts.clone())));
    let pasted = asked.len() > PASTED;
    if pasted {
        // Lines, addresses and counts are numbers too, and would be the rarest words.
        asked.retain(|word| word.text.is_empty() || word.text.bytes().any(|b| !b.is_ascii_digit()));
    }
    let open = !query.text.ends_with(char::is_whitespace);

    let mut tally = Tally::new(index, if pasted { 2 } else { 1 });
    let wants = if pasted { rarest(index, &asked) } else { Typed::new(index).wants(&asked, open) };
    wants.iter().for_each(|want| tally.add(want));
    // The name of a document is no longer than a term.
    let key = if query.text.len() <= LONGEST_QUERY { name_key(query.text) } else { String::new() };
    tally.names(&key);
    tally.hits(query, pasted)
}

/// A text, or the two ends of a long one.
fn ends(text: &str) -> Vec<&str> {
    if text.len() <= LONGEST_QUERY {
        return vec![text];
    }
    let first = text.floor_char_boundary(LONGEST_QUERY / 2);
    let last = text.ceil_char_boundary(text.len() - LONGEST_QUERY / 2);
    vec![&text[..first], &text[last..]]
}

/// A frame of Python's traceback: where it happened, not what.
fn is_frame(line: &str) -> bool {
    line.trim_start().starts_with("File \"") && line.contains("\", line ")
}

/// Words of a pasted text: as they stand, those in the fewest documents.
fn rarest(index: &Index<'_>, asked: &[Word]) -> Vec<Want> {
    let mut seen = HashSet::new();
    let mut known: Vec<(usize, Range<usize>)> = Vec::new();
    let mut look = |word: &str| {
        let Some(term) = index.dictionary.find(word) else { return false };
        if seen.insert(term.start) {
            known.push((index.postings(&term).count, term));
        }
        true
    };
    for word in asked {
        if !look(&word.text) {
            word.parts.iter().chain(&word.joints).for_each(|part| {
                look(part);
            });
        }
    }
    known.sort_by_key(|(count, _)| *count);
    known.truncate(RAREST);
    let want = |(_, term)| Want { readings: vec![Reading::of(term, EXACT)], counts: true };
    known.into_iter().map(want).collect()
}

/// Words of a typed query: as they stand, begun, with typing errors, in parts.
struct Typed<'i, 'a> {
    index: &'i Index<'a>,
    typos: usize,
    wants: Vec<Want>,
}

impl<'i, 'a> Typed<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        Typed { index, typos: MOST_TYPOS, wants: Vec::new() }
    }

    /// `open`: is the last word perhaps not finished?
    fn wants(mut self, asked: &[Word], open: bool) -> Vec<Want> {
        for (at, word) in asked.iter().enumerate() {
            let last = open && at + 1 == asked.len();
            let readings = self.readings(&word.text, last);
            let known = !readings.is_empty();
            self.push(readings, true);
            for (at, part) in word.parts.iter().enumerate() {
                if known {
                    self.extra(part, PARTS / word.parts.len() as f32);
                } else {
                    let readings = self.readings(part, last && at + 1 == word.parts.len());
                    self.push(readings, true);
                }
            }
            word.joints.iter().for_each(|joint| self.extra(joint, JOINT));
            leads(&word.text).for_each(|lead| self.extra(lead, LEAD));
        }
        self.wants
    }

    fn push(&mut self, readings: Vec<Reading>, counts: bool) {
        if !readings.is_empty() {
            self.wants.push(Want { readings, counts });
        }
    }

    fn extra(&mut self, word: &str, worth: f32) {
        if let Some(term) = self.index.dictionary.find(word) {
            self.push(vec![Reading::of(term, worth)], false);
        }
    }

    fn readings(&mut self, word: &str, last: bool) -> Vec<Reading> {
        if word.is_empty() {
            return Vec::new();
        }
        let mut readings = Vec::new();
        let exact = self.index.dictionary.find(word);
        let known = exact.is_some();
        readings.extend(exact.map(|term| Reading::of(term, EXACT)));
        readings.extend(self.begun(word, known, last));
        if readings.is_empty() && self.typos > 0 {
            self.with_errors(word, &mut readings);
        }
        readings
    }

    /// Terms that begin with a word. A number goes on only behind a dot, `12.1` with `12.1.105` and not with `12.10`, unless
    /// it is still being typed and is none yet.
    fn begun(&self, word: &str, known: bool, last: bool) -> Option<Reading> {
        let mut start = word.to_owned();
        let letters = word.chars().count();
        if is_cjk_word(word) {
            // A single character is the beginning of pairs.
            (letters == 1).then_some(())?;
        } else if has_digit(word) {
            if known || !last {
                start.push('.');
            }
        } else if !last && (known || letters < SHORT) {
            return None;
        }
        let mut terms = Vec::new();
        self.index.dictionary.beginning(&start, MOST_BEGUN, |term, place| {
            if term.len() > word.len() {
                terms.push(place);
            }
        });
        (!terms.is_empty()).then_some(Reading { terms, worth: BEGUN, similar: false })
    }

    fn with_errors(&mut self, word: &str, readings: &mut Vec<Reading>) {
        let Some(near) = self.index.typos.near(word) else { return };
        self.typos -= 1;
        let mut found = [(ONE_ERROR, Vec::new()), (TWO_ERRORS, Vec::new())];
        // Words begin behind the names.
        self.index.dictionary.near(&near, " ", |term, errors, place| {
            // A number is exactly what it is, on this side too.
            if !term.iter().any(u8::is_ascii_digit)
                && let Some((_, terms)) = found.get_mut(usize::from(errors.saturating_sub(1)))
            {
                terms.push(place);
            }
        });
        let [one, two] = found.map(|(worth, terms)| Reading { terms, worth, similar: true });
        // Two errors are thought of where one explains nothing.
        readings.extend([one, two].into_iter().find(|reading| !reading.terms.is_empty()));
    }
}

/// What a document has of the query.
#[derive(Clone, Copy, Default)]
struct Score {
    total: f32,
    /// The weight of the words it has.
    covered: f32,
    /// How many words are in its title.
    titled: u8,
    /// Has it a word in its text alone?
    text: bool,
    similar: bool,
    /// Is the query its name, and where does that stand?
    name: Option<Place>,
}

/// What one want gives a document.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    place: Place,
    similar: bool,
}

struct Tally<'i, 'a> {
    index: &'i Index<'a>,
    /// How much a rare word counts more than a common one.
    power: i32,
    scores: Vec<Score>,
    /// The weight of all words that any document has.
    whole: f32,
    best: Vec<Option<Best>>,
    touched: Vec<usize>,
}

impl<'i, 'a> Tally<'i, 'a> {
    fn new(index: &'i Index<'a>, power: i32) -> Self {
        let count = index.len();
        Tally {
            index,
            power,
            scores: vec![Score::default(); count],
            whole: 0.0,
            best: vec![None; count],
            touched: Vec::new(),
        }
    }

    /// What it tells to have a term that so many documents have.
    fn rarity(&self, documents: usize) -> f32 {
        (1.0 + self.index.len() as f32 / documents.max(1) as f32).ln().powi(self.power)
    }

    fn add(&mut self, want: &Want) {
        let mut weight: f32 = 0.0;
        for reading in &want.readings {
            // Many terms that stand for one word are together as common as they are.
            let documents = reading.terms.iter().map(|term| self.index.postings(term).count).sum();
            let rarity = self.rarity(documents);
            weight = weight.max(rarity);
            for term in &reading.terms {
                for (document, place) in self.index.postings(term) {
                    let score = reading.worth * rarity * value(place);
                    let Some(best) = self.best.get_mut(document) else { continue };
                    if best.is_none() {
                        self.touched.push(document);
                    }
                    if best.is_none_or(|best| best.score < score) {
                        *best = Some(Best { score, place, similar: reading.similar });
                    }
                }
            }
        }
        if want.counts {
            self.whole += weight;
        }
        for document in self.touched.drain(..) {
            let Some(best) = self.best.get_mut(document).and_then(Option::take) else { continue };
            let Some(score) = self.scores.get_mut(document) else { continue };
            score.total += best.score;
            if want.counts {
                score.covered += weight;
                score.titled = score.titled.saturating_add(u8::from(best.place == Place::Title));
                score.text |= best.place < Place::Alias;
                score.similar |= best.similar;
            }
        }
    }

    /// Documents that are called like the query, and those whose names begin with it.
    fn names(&mut self, key: &str) {
        if key.is_empty() {
            return;
        }
        let start = format!("{NAME}{key}");
        let mut found = Vec::new();
        self.index.dictionary.beginning(&start, MOST_NAMES, |term, place| found.push((term.len(), place)));
        let rarest = self.rarity(1);
        for (length, term) in found {
            let share = start.len() as f32 / length.max(1) as f32;
            for (document, place) in self.index.postings(&term) {
                let Some(score) = self.scores.get_mut(document) else { continue };
                if length == start.len() {
                    score.name = score.name.max(Some(place));
                    score.total = score.total.max(f32::MIN_POSITIVE);
                } else if score.total > 0.0 {
                    score.total += NAME_BEGUN * share * rarest;
                }
            }
        }
    }

    fn hits(self, query: &Query<'_>, pasted: bool) -> Vec<Hit<'i>> {
        let whole = self.whole.max(f32::MIN_POSITIVE);
        let mut ranked: Vec<Ranked<'i>> = Vec::new();
        for (number, (score, stored)) in self.scores.iter().zip(&self.index.documents).enumerate() {
            if score.total <= 0.0 {
                continue;
            }
            let own = query.language.is_some_and(|language| language == stored.listing.language);
            let mut points = points(score, stored);
            let covered = (score.covered / whole * STEPS).round() as u8;
            let order = match score.name {
                Some(place) => (true, u8::from(own), place as u8),
                None if pasted => {
                    points *= if own { OWN_LANGUAGE } else { 1.0 };
                    (false, 0, 0)
                }
                None => (false, covered, u8::from(own)),
            };
            ranked.push(Ranked { order, points, number, hit: hit(score, stored, points) });
        }
        let before = |a: &Ranked<'_>, b: &Ranked<'_>| {
            (Reverse(a.order).cmp(&Reverse(b.order)))
                .then(b.points.total_cmp(&a.points))
                .then(a.number.cmp(&b.number))
        };
        if ranked.len() > query.limit {
            ranked.select_nth_unstable_by(query.limit, before);
            ranked.truncate(query.limit);
        }
        ranked.sort_unstable_by(before);
        ranked.into_iter().map(|ranked| ranked.hit).collect()
    }
}

struct Ranked<'i> {
    order: (bool, u8, u8),
    points: f32,
    number: usize,
    hit: Hit<'i>,
}

fn value(place: Place) -> f32 {
    match place {
        Place::Text => 1.0,
        Place::Often => 1.4,
        Place::Alias => 3.0,
        Place::Title => 4.0,
    }
}

/// A short title of which the query says all is meant more than a long one.
fn points(score: &Score, stored: &Stored<'_>) -> f32 {
    let said = f32::from(score.titled.min(stored.title_words)) / f32::from(stored.title_words.max(1));
    score.total * (1.0 + said) * f32::from(stored.weight.max(1)) / 100.0
}

fn hit<'i>(score: &Score, stored: &Stored<'i>, points: f32) -> Hit<'i> {
    let why = match score {
        Score { name: Some(_), .. } => Why::Name,
        Score { similar: true, .. } => Why::Similar,
        Score { text: false, covered, .. } if *covered > 0.0 => Why::Title,
        _ => Why::Text,
    };
    Hit { document: stored.listing, score: points, why }
}
