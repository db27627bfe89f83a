//! How often what is looked for is among the first ten, and how often the first, for the ways in which people look.

#[allow(dead_code, reason = "each test uses a part of the corpus")]
mod corpus;

use corpus::{Dice, pages};
use kb_search::tokens::{has_digit, is_cjk_word, words};
use kb_search::{Document, Index, Query, Scope};
use std::collections::{BTreeMap, BTreeSet};

type Asked<'d> = (&'static str, &'d Document, String);

/// A word with one error: two letters change places, one is missing, one is doubled.
fn mistype(word: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + dice.roll(letters.len() - 2);
    match dice.roll(3) {
        0 if letters[at] != letters[at - 1] => letters.swap(at, at - 1),
        1 => letters.insert(at, letters[at]),
        _ => drop(letters.remove(at)),
    }
    letters.into_iter().collect()
}

/// A word of the text that can bear an error.
fn long_word(text: &str) -> Option<&str> {
    text.split(' ').find(|w| w.is_ascii() && w.len() > 5 && !has_digit(w))
}

fn han_run(text: &str, length: usize, skip: usize) -> Option<String> {
    let run: Vec<char> = text.chars().skip(skip).take(length).collect();
    run.iter().all(|c| is_cjk_word(&c.to_string())).then(|| run.into_iter().collect())
}

fn queries(documents: &[Document]) -> Vec<Asked<'_>> {
    let mut dice = Dice(11);
    let mut asked: Vec<Asked<'_>> = Vec::new();
    for document in documents {
        let title = &document.title;
        asked.push(("title", document, title.clone()));
        let version = document.text.split_whitespace().find(|w| w.len() >= 8 && w.matches('.').count() == 2);
        if let Some(version) = version {
            asked.push(("version in the text", document, version.trim_matches('，').into()));
        }
        match document.kind.as_str() {
            "release" | "cuda" => {
                asked.push(("name and version", document, title.to_lowercase()));
                asked.push(("name and version", document, title.to_lowercase().replace(' ', "")));
            }
            "gpu" => {
                asked.push(("name and version", document, document.aliases[0].to_lowercase()));
                asked.push(("name and version", document, document.aliases[1].clone()));
            }
            "error" => {
                let line = document.text.split("RuntimeError").nth(1).unwrap_or_default();
                asked.push(("error", document, format!("RuntimeError{line}")));
                asked.push(("error", document, document.aliases[0].clone()));
                asked.push(("error in a traceback", document, traceback(&format!("RuntimeError{line}"))));
            }
            "zh" => {
                let (_, own) = title.split_once('：').unwrap_or_default();
                asked.push(("zh phrase", document, own.to_owned()));
                asked.push(("two Han", document, own.chars().take(2).collect()));
                asked.push(("zh and Latin", document, title.replace('：', " ")));
                if let Some(run) = han_run(&document.text, 4, dice.roll(25)) {
                    asked.push(("four Han of a text", document, run));
                }
            }
            _ => {}
        }
        if document.language == "en" {
            if let Some(word) = long_word(title) {
                let wrong = mistype(word, &mut dice);
                asked.push(("typo in a title", document, title.replace(word, &wrong)));
                asked.push(("typo alone", document, wrong));
            }
            let keep = title.chars().count() - 1;
            asked.push(("beginning", document, title.chars().take(keep).collect()));
        }
    }
    asked
}

fn traceback(error: &str) -> String {
    let frame = |n: usize| {
        format!(
            "  File \"/opt/env/lib/python3.11/site-packages/torch/nn/modules/module.py\", line {n}, in _call_impl\n    return self._call_impl(*args, **kwargs)\n"
        )
    };
    format!("Traceback (most recent call last):\n{}{error}\n", (0..20).map(frame).collect::<String>())
}

/// The documents that are as good an answer: for a word alone those that have the word, else the one that was meant and
/// those with its title.
fn answers<'d>(documents: &'d [Document], (group, meant, query): &Asked<'d>) -> BTreeSet<&'d str> {
    let same = |d: &&Document| match *group {
        "typo alone" => {
            let word = long_word(&meant.title).unwrap_or_default();
            words(&d.title)
                .iter()
                .any(|w| w.text == word.to_lowercase() || w.parts.contains(&word.to_lowercase()))
        }
        "two Han" | "zh phrase" | "four Han of a text" => d.text.contains(query) || d.title.contains(query),
        "beginning" => d.title.starts_with(query.as_str()),
        _ => d.title == meant.title,
    };
    documents.iter().filter(same).map(|d| d.address.as_str()).collect()
}

#[derive(Default)]
struct Rate {
    asked: usize,
    first: usize,
    ten: usize,
}

fn rates(documents: &[Document], scope: Scope) -> BTreeMap<&'static str, Rate> {
    let bytes = Index::build(documents.to_vec(), scope);
    let index = Index::open(&bytes).expect("what was written can be read");
    let mut rates: BTreeMap<&str, Rate> = BTreeMap::new();
    for asked in queries(documents) {
        let answers = answers(documents, &asked);
        let hits = index.search(&asked.2, 10);
        let position = hits.iter().position(|hit| answers.contains(hit.document.address));
        if position.is_none_or(|at| at > 0) && std::env::var_os("SHOW_MISSES").is_some() {
            println!(
                "{}: {:?} for {:?}: {position:?}, first {:?}",
                asked.0,
                asked.2,
                asked.1.title,
                hits.first()
            );
        }
        let rate = rates.entry(asked.0).or_default();
        rate.asked += 1;
        rate.first += usize::from(position == Some(0));
        rate.ten += usize::from(position.is_some());
    }
    for (group, rate) in &rates {
        let percent = |n: usize| 100.0 * n as f64 / rate.asked as f64;
        println!(
            "{group:22} {:5} asked, first {:5.1} %, ten {:5.1} %",
            rate.asked,
            percent(rate.first),
            percent(rate.ten)
        );
    }
    rates
}

#[test]
fn what_is_looked_for_is_found() {
    let documents = pages(300);
    for (group, rate) in rates(&documents, Scope::Full) {
        assert!(rate.ten * 100 >= rate.asked * 99, "{group}: {} of {} among ten", rate.ten, rate.asked);
        if ["title", "name and version", "error", "error in a traceback"].contains(&group) {
            assert!(rate.first * 100 >= rate.asked * 95, "{group}: {} of {} first", rate.first, rate.asked);
        }
    }
}

#[test]
fn names_are_enough_for_names() {
    let documents = pages(300);
    let rates = rates(&documents, Scope::Names);
    for group in ["title", "name and version", "typo in a title", "typo alone", "beginning", "zh phrase"] {
        let rate = &rates[group];
        assert!(rate.ten * 100 >= rate.asked * 99, "{group}: {} of {} among ten", rate.ten, rate.asked);
    }
}

#[test]
fn a_version_is_never_another_one() {
    let page = |version: &str| Document {
        address: format!("/{version}/"),
        title: format!("CUDA {version}"),
        text: format!("Toolkit {version}, released in spring. libcudart.so.{version}"),
        ..Document::default()
    };
    let bytes = Index::build(
        ["12.1", "12.2", "12.10", "12.1.105", "2.12.1", "1.12.1"].map(page).to_vec(),
        Scope::Full,
    );
    let index = Index::open(&bytes).expect("what was written can be read");
    let found =
        |text: &str| index.search(text, 10).iter().map(|h| h.document.address.to_owned()).collect::<Vec<_>>();
    assert_eq!(found("12.1"), ["/12.1/", "/12.1.105/"]);
    assert_eq!(found("12.2"), ["/12.2/"]);
    assert_eq!(found("12.3"), Vec::<String>::new());
    assert_eq!(found("2"), ["/2.12.1/"], "the beginning of a version that is being typed");
    assert_eq!(found("cuda 12.10")[0], "/12.10/");
}

#[test]
fn the_readers_language_comes_first() {
    let page = |language: &str, title: &str| Document {
        address: format!("/{language}/{title}/"),
        title: title.into(),
        language: language.into(),
        text: "CUDA out of memory 显存不足".into(),
        ..Document::default()
    };
    let pages =
        vec![page("en", "Out of memory"), page("zh", "显存不足"), page("en", "CUDA"), page("zh", "CUDA")];
    let bytes = Index::build(pages, Scope::Full);
    let index = Index::open(&bytes).expect("what was written can be read");
    let found = |text: &str, language: &str| {
        let hits = index.find(&Query { text, language: Some(language), limit: 10 });
        hits.iter().map(|h| h.document.address.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("cuda memory", "zh")[..2], ["/zh/CUDA/", "/zh/显存不足/"]);
    assert_eq!(found("cuda memory", "en")[..2], ["/en/CUDA/", "/en/Out of memory/"]);
    assert_eq!(found("cuda memory", "en").len(), 4, "those in other languages come after");
    assert_eq!(found("CUDA", "zh")[..2], ["/zh/CUDA/", "/en/CUDA/"]);
}

#[test]
fn spellings_of_a_gpu_find_each_other() {
    for title in ["RTX3090", "RTX 3090", "RTX-3090"] {
        for text in [true, false] {
            let mut page =
                Document { address: "/gpu/".into(), title: "A card".into(), ..Document::default() };
            *(if text { &mut page.text } else { &mut page.title }) = title.into();
            let bytes = Index::build(vec![page], Scope::Full);
            let index = Index::open(&bytes).expect("what was written can be read");
            for query in ["rtx3090", "rtx 3090", "RTX-3090", "RTX_3090", "3090"] {
                assert_eq!(index.search(query, 1).len(), 1, "{query} in {title}");
            }
        }
    }
}
