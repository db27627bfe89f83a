//! Questions to the engine, and names.

use crate::{reply, text, told};
use kb_core::answer::words::Speaker;
use kb_core::answer::{Answer, Verdict};
use kb_core::decode::{Decoded, Meaning, decode as readings};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_core::world::World;
use kb_data::blob;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The parts of the data in the order in which they are put together; see `kb_data::blob::Blobs`.
const PARTS: [&str; 4] = ["core", "libraries", "words", "diagnosis"];

thread_local! {
    static DATA: RefCell<Data> = const { RefCell::new(Data { parts: [None; 4], world: None }) };
}

struct Data {
    parts: [Option<&'static [u8]>; 4],
    /// Made when something is asked; packages that were joined for one question are there for the next.
    world: Option<World<'static>>,
}

impl Data {
    fn world(&mut self) -> Result<&World<'static>, String> {
        if self.world.is_none() {
            self.world = Some(World::new(Box::leak(Box::new(self.kb()?))));
        }
        self.world.as_ref().ok_or_else(|| "no data is loaded".to_owned())
    }

    fn kb(&self) -> Result<Kb, String> {
        let [core, libraries, words, diagnosis] = self.parts;
        let mut kb = blob::read_core(core.ok_or("no data is loaded")?).map_err(|e| e.to_string())?;
        if let Some(tables) = libraries {
            blob::add_tables(&mut kb, tables);
        }
        if let Some(words) = words {
            blob::add_words(&mut kb, words);
        }
        if let Some(diagnosis) = diagnosis {
            blob::add_diagnosis(&mut kb, diagnosis);
        }
        Ok(kb)
    }
}

/// Asks something of the data that is loaded.
pub(crate) fn with_world(
    ask: impl FnOnce(&World<'static>) -> Result<String, String>,
) -> Result<String, String> {
    DATA.with_borrow_mut(|data| ask(data.world()?))
}

/// Adds a part of the data: 0 core (enough for one framework, in English), 1 libraries (for several packages), 2 words (the
/// other languages), 3 diagnosis. Block: the part. Result: its name.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn load(part: usize, block: *const u8) -> *const u8 {
    reply(block, |bytes| {
        let name = PARTS.get(part).ok_or("there is no such part")?;
        DATA.with_borrow_mut(|data| {
            // The data is read where it lies, until the page is closed.
            data.parts[part] = Some(Box::leak(bytes));
            data.world = None;
            // The others may come before the core, which alone shows whether it is one.
            if part == 0 {
                data.world()?;
            }
            told(&json!({ "loaded": name }))
        })
    })
}

/// An answer as a page gets it.
#[derive(Serialize)]
struct Answered<'a> {
    answer: &'a Answer,
    label: String,
}

/// Asks a question. Block: a `RawRequest`. Result: `{"answer": …, "label": …}`, the document of `kb --json` and its verdict
/// in a word of the reader's language; or `{"mistakes": [{"code", "message", "notes", "help"}, …]}`.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn ask(question: *const u8) -> *const u8 {
    reply(question, |block| {
        let raw: RawRequest = serde_json::from_slice(&block).map_err(|e| e.to_string())?;
        with_world(|world| match kb_core::ask(world, &raw) {
            Ok(answer) => {
                let speaker = Speaker::new(world.kb, raw.lang.as_deref().unwrap_or("en"));
                let label = match answer.verdict {
                    Verdict::Fits => "ui-fits",
                    Verdict::Conflict => "ui-conflict",
                    Verdict::Unknown => "ui-unknown",
                };
                told(&Answered { answer: &answer, label: speaker.say(label, &[]) })
            }
            Err(mistakes) => told(&json!({ "mistakes": mistakes.iter().map(mistake).collect::<Vec<_>>() })),
        })
    })
}

fn mistake(mistake: &Diagnostic) -> Value {
    json!({ "code": mistake.code, "message": mistake.message, "notes": mistake.notes, "help": mistake.help })
}

/// Sentences to be said, each with the values of its places.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    language: String,
    sentences: Vec<(String, BTreeMap<String, String>)>,
}

/// Says sentences of the tables of words, so that a page writes them as the program does. Block: `{"language": …,
/// "sentences": [["ui-fits", {}], …]}`. Result: a list of texts.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn say(sentences: *const u8) -> *const u8 {
    reply(sentences, |block| {
        let Said { language, sentences } = serde_json::from_slice(&block).map_err(|e| e.to_string())?;
        with_world(|world| {
            let speaker = Speaker::new(world.kb, &language);
            let one = |(id, values): &(String, BTreeMap<String, String>)| {
                let values: Vec<(&str, String)> =
                    values.iter().map(|(k, v)| (k.as_str(), v.clone())).collect();
                speaker.say(id, &values)
            };
            told(&sentences.iter().map(one).collect::<Vec<_>>())
        })
    })
}

/// Says what a name tells. Block: the language and the name, with a line break between. Result: `{"name", "readings":
/// [{"kind", "means", "canonical", "says": […]}, …]}`, the best first.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn decode(name: *const u8) -> *const u8 {
    reply(name, |block| {
        let (language, name) = text(&block)?.split_once('\n').ok_or("a language and a name are wanted")?;
        with_world(|world| {
            let speaker = Speaker::new(world.kb, language);
            let readings = readings(world.kb, name.trim());
            let readings: Vec<Reading<'_>> = readings.iter().map(|r| reading(&speaker, r)).collect();
            told(&Names { name: name.trim(), readings })
        })
    })
}

fn reading<'d>(speaker: &Speaker<'_>, decoded: &'d Decoded) -> Reading<'d> {
    let first = (decoded.sentence, &decoded.values);
    let notes = decoded.notes.iter().map(|(id, values)| (*id, values));
    let says = [first].into_iter().chain(notes).map(|(id, values)| speaker.say(id, values)).collect();
    Reading { kind: decoded.kind, means: &decoded.means, canonical: decoded.canonical.as_deref(), says }
}

/// What a name tells.
#[derive(Serialize)]
struct Names<'d> {
    name: &'d str,
    readings: Vec<Reading<'d>>,
}

#[derive(Serialize)]
struct Reading<'d> {
    kind: &'d str,
    means: &'d BTreeMap<&'static str, Meaning>,
    canonical: Option<&'d str>,
    says: Vec<String>,
}
