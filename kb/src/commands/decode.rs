//! `kb decode`: what names say.

use super::Session;
use crate::Outcome;
use crate::args::Decode;
use crate::output::{Ink, Screen, json};
use crate::spelling;
use kb_core::decode::{Decoded, decode};
use serde_json::{Map, Value, json};

/// Decodes each name; exit code 3 if one is not recognised or nothing is known of it.
pub(super) fn run(session: &Session<'_>, args: &Decode) -> Outcome {
    let mut screen = session.screen();
    let mut documents = Vec::new();
    let mut all_known = true;
    for name in &args.names {
        let readings = decode(session.kb, &spelling::plain(name));
        all_known &= readings.iter().any(|r| !r.without_entry());
        documents.push(document(&screen, name, &readings));
        screen.blank();
        screen.item(0, "", Ink::Plain, name, Ink::Head);
        if readings.is_empty() {
            let text = screen.say("ui-decode-nothing", &[]);
            screen.item(2, "?", Ink::Doubt, &text, Ink::Plain);
        }
        for reading in &readings {
            print(&mut screen, reading);
        }
    }
    if session.global.json {
        let one = (documents.len() == 1).then(|| documents.remove(0));
        json::print(&one.unwrap_or_else(|| json!({ "schema": 1, "command": "decode", "names": documents })));
    } else {
        screen.print();
    }
    Ok(if all_known { 0 } else { 3 })
}

fn sentences(screen: &Screen<'_>, reading: &Decoded) -> Vec<String> {
    let first = (reading.sentence, &reading.values);
    std::iter::once(first)
        .chain(reading.notes.iter().map(|(id, values)| (*id, values)))
        .map(|(id, v)| screen.say(id, v))
        .collect()
}

fn print(screen: &mut Screen<'_>, reading: &Decoded) {
    for (index, sentence) in sentences(screen, reading).iter().enumerate() {
        if index == 0 {
            screen.para(2, sentence);
        } else {
            screen.item(4, "-", Ink::Faint, sentence, Ink::Plain);
        }
    }
}

/// The document of one name: the best reading, and the others under `also`.
fn document(screen: &Screen<'_>, name: &str, readings: &[Decoded]) -> Value {
    let mut out = Map::new();
    out.insert("schema".to_owned(), json!(1));
    out.insert("command".to_owned(), json!("decode"));
    out.insert("name".to_owned(), json!(name));
    match readings.split_first() {
        Some((best, rest)) => {
            out.extend(reading(screen, best));
            let rest: Vec<Value> = rest.iter().map(|r| Value::Object(reading(screen, r))).collect();
            out.insert("also".to_owned(), Value::Array(rest));
        }
        None => {
            out.insert("kind".to_owned(), Value::Null);
            out.insert("means".to_owned(), json!({}));
            out.insert("canonical".to_owned(), Value::Null);
            out.insert("says".to_owned(), json!(screen.say("ui-decode-nothing", &[])));
            out.insert("also".to_owned(), json!([]));
        }
    }
    Value::Object(out)
}

fn reading(screen: &Screen<'_>, reading: &Decoded) -> Map<String, Value> {
    let says = sentences(screen, reading);
    let mut out = Map::new();
    out.insert("kind".to_owned(), json!(reading.kind));
    out.insert("means".to_owned(), json!(reading.means));
    out.insert("canonical".to_owned(), json!(reading.canonical));
    out.insert("says".to_owned(), json!(says.first()));
    out.insert("notes".to_owned(), json!(says.get(1..).unwrap_or_default()));
    out
}
