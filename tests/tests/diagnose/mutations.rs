//! The same failure, told differently: with noise, cut, from another machine, pasted in other ways. The cause stays.

use crate::corpus;
use crate::unrelated::NOISE;
use kb_tests::logs::{Case, Doctor, cases};

/// A text that was changed, as bytes.
type Mutation = (&'static str, fn(&Case) -> Vec<u8>);

const MUTATIONS: [Mutation; 12] = [
    ("noise between the lines", |c| noisy(c).into_bytes()),
    ("other lines cut", |c| cut(c).into_bytes()),
    ("another user", |c| c.input.replace("user", "wangwei").replace("/home/", "/export/home/").into_bytes()),
    ("Windows line ends", |c| c.input.replace('\n', "\r\n").into_bytes()),
    ("quoted", |c| c.input.lines().map(|l| format!("> {l}\n")).collect::<String>().into_bytes()),
    ("in a fence", |c| format!("Hi, what is this?\n\n```\n{}\n```\nThanks!\n", c.input).into_bytes()),
    ("HTML", |c| {
        let text =
            c.input.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        format!("<pre><code>{}</code></pre>\n", text.replace('\'', "&#39;")).into_bytes()
    }),
    ("coloured", |c| {
        c.input.lines().map(|l| format!("\u{1b}[1m\u{1b}[31m{l}\u{1b}[0m\n")).collect::<String>().into_bytes()
    }),
    ("UTF-16", |c| {
        std::iter::once(0xfeff).chain(c.input.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    }),
    ("GBK", |c| encoding_rs::GBK.encode(&c.input).0.into_owned()),
    ("time stamps in front", |c| {
        let stamp =
            |(i, l): (usize, &str)| format!("2026-11-30T08:{:02}:{:02}.123Z {l}\n", i / 60 % 60, i % 60);
        c.input.lines().enumerate().map(stamp).collect::<String>().into_bytes()
    }),
    ("blocks in other order", |c| turned(c).into_bytes()),
];

/// Unrelated lines between all others.
fn noisy(case: &Case) -> String {
    let mut out = String::new();
    for (index, line) in case.input.lines().enumerate() {
        // Tables and the like stay together.
        let inside = line.starts_with('|') || line.starts_with('+') || line.starts_with(' ');
        if !inside {
            out.push_str(NOISE[index % NOISE.len()]);
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Only lines with evidence, their neighbours, and what begins a table are left.
fn cut(case: &Case) -> String {
    let lines: Vec<&str> = case.input.lines().collect();
    let pieces: Vec<&str> = case.evidence.iter().flat_map(|e| e.lines()).map(str::trim).collect();
    let wanted = |line: &str| pieces.iter().any(|p| line.contains(p));
    let near = |i: usize| (i.saturating_sub(2)..(i + 3).min(lines.len())).any(|j| wanted(lines[j]));
    let head =
        |line: &str| line.starts_with(['|', '+', '$', '#']) || line.contains("Version") || line.contains(':');
    (0..lines.len()).filter(|i| near(*i) || head(lines[*i])).map(|i| format!("{}\n", lines[i])).collect()
}

/// What was typed at prompts, last first.
fn turned(case: &Case) -> String {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in case.input.lines() {
        let prompt = line.starts_with("$ ") || line.starts_with("PS C:") || line.starts_with("# ");
        if prompt {
            blocks.push(Vec::new());
        }
        blocks.last_mut().expect("there is one").push(line);
    }
    blocks.reverse();
    blocks.concat().join("\n") + "\n"
}

#[test]
fn the_cause_stays_however_it_is_told() {
    let doctor = Doctor::default();
    let cases = cases(&corpus("diagnose"));
    let mut lost = Vec::new();
    let mut all = 0;
    for case in &cases {
        let plain = doctor.diagnose(case.input.as_bytes());
        let Some(first) = plain.causes.first().filter(|c| c.cause == case.cause) else { continue };
        for (name, mutate) in MUTATIONS {
            all += 1;
            let found = doctor.diagnose(&mutate(case));
            if found.causes.first().is_none_or(|c| c.cause != first.cause) {
                let named: Vec<&str> = found.causes.iter().map(|c| &*c.cause).collect();
                lost.push(format!("{}: {name}: {named:?} instead of {}", case.id, first.cause));
            }
        }
    }
    println!("{}", lost.join("\n"));
    println!("{} of {all} changed texts keep the cause", all - lost.len());
    assert!(lost.len() * 100 <= all * 2, "{} of {all} lose it", lost.len());
}
