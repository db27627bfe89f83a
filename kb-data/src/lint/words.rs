//! Every language has every sentence, with the same places.

use super::file;
use crate::authoring::placeholders;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use std::collections::BTreeSet;

/// The language the others are compared with.
pub(super) const FIRST: &str = "en";

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let Some(first) = kb.words.iter().find(|w| &*w.language == FIRST) else { return };
    for words in kb.words.iter().filter(|w| &*w.language != FIRST) {
        let place = || file(format!("words/{}.toml", words.language));
        for (id, sentence) in &first.sentences {
            let Some(translated) = words.sentences.get(id) else {
                let message = format!("the sentence `{id}` is missing in {}", words.language);
                out.push(
                    Diagnostic::error("missing-sentence", message)
                        .at(place())
                        .help(format!("in English: {sentence}")),
                );
                continue;
            };
            let (wanted, found) = (places(sentence), places(translated));
            if wanted != found {
                out.push(
                    Diagnostic::error(
                        "unequal-places",
                        format!("the sentence `{id}` has other places than in English"),
                    )
                    .at(place())
                    .note(format!("English: {}", shown(&wanted)))
                    .note(format!("{}: {}", words.language, shown(&found))),
                );
            }
        }
        for id in words.sentences.keys().filter(|id| !first.sentences.contains_key(*id)) {
            let message = format!("the sentence `{id}` is there in {} and not in English", words.language);
            out.push(Diagnostic::error("missing-sentence", message).at(place()));
        }
    }
}

fn places(template: &str) -> BTreeSet<&str> {
    placeholders(template).unwrap_or_default().into_iter().collect()
}

fn shown(places: &BTreeSet<&str>) -> String {
    if places.is_empty() {
        return "none".to_owned();
    }
    places.iter().map(|p| format!("{{{p}}}")).collect::<Vec<_>>().join(" ")
}
