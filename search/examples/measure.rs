//! What an index of made-up pages costs: `cargo run --release -p kb-search --example measure [PAGES [DIRECTORY]]`.
//!
//! Prints the time of building, opening and querying, and writes the two indexes where they can be compressed.

#[path = "../tests/corpus/mod.rs"]
mod corpus;

use corpus::{Dice, pages};
use kb_search::{Index, Query, Scope};
use std::time::{Duration, Instant};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(5_000);
    let directory = arguments.next().map_or_else(std::env::temp_dir, Into::into);
    let documents = pages(count);
    let words: usize = documents.iter().map(|d| d.text.split_whitespace().count()).sum();
    println!("{count} pages of {} words", words / count.max(1));
    for scope in [Scope::Names, Scope::Full] {
        let given = documents.clone();
        let start = Instant::now();
        let bytes = Index::build(given, scope);
        let built = start.elapsed();
        let start = Instant::now();
        let Ok(index) = Index::open(&bytes) else { continue };
        let opened = start.elapsed();
        println!("{scope:?}: built in {built:.1?}, {} bytes, opened in {opened:.1?}", bytes.len());
        std::fs::write(directory.join(format!("{scope:?}.index").to_lowercase()), &bytes)?;

        let mut dice = Dice(3);
        let mut groups: Vec<(&str, Vec<String>)> =
            ["title", "typos", "beginning", "text", "traceback"].map(|g| (g, vec![])).into();
        for _ in 0..500 {
            let document = &documents[dice.roll(documents.len())];
            let title = &document.title;
            let line = document.text.lines().next().unwrap_or_default();
            groups[0].1.push(title.clone());
            groups[1]
                .1
                .push(title.replacen(|c: char| c.is_ascii_lowercase(), "", 1) + " compatiblity instalation");
            groups[2].1.push(title.chars().take(1 + dice.roll(8)).collect());
            groups[3].1.push(line.chars().take(60).collect());
            let frame = format!(
                "  File \"/opt/env/lib/python3.11/site-packages/torch/x.py\", line {}, in forward\n",
                dice.roll(900)
            );
            groups[4].1.push(format!("Traceback:\n{}RuntimeError: {title} {line}", frame.repeat(40)));
        }
        for (group, queries) in &groups {
            // The first asks for the tables of typing errors.
            let start = Instant::now();
            index.search(&queries[0], 10);
            let first = start.elapsed();
            // The shortest of five: what else runs on the machine is not measured.
            let once = |text: &String| {
                let start = Instant::now();
                std::hint::black_box(index.find(&Query { text, language: Some("en"), limit: 10 }));
                start.elapsed()
            };
            let mut times: Vec<Duration> =
                queries.iter().filter_map(|text| (0..5).map(|_| once(text)).min()).collect();
            times.sort();
            println!(
                "  {group:10} first {first:.0?}, half {:.0?}, 95 % {:.0?}",
                times[times.len() / 2],
                times[times.len() * 95 / 100]
            );
        }
    }
    Ok(())
}
