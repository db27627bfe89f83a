//! Any bytes, and damaged reports: no panic, values that stand in the text, time that grows with the length.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;

use diagnose::{read, text};
use proptest::prelude::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn everything(bytes: &[u8]) -> usize {
    let decoded = text::decode(bytes);
    let lines = text::lines(&decoded.text);
    let count = decoded.text.lines().count().max(decoded.text.split('\r').count());
    for line in &lines {
        assert!((1..=count + 1).contains(&line.number), "line {} of {count}", line.number);
    }
    assert!(lines.is_sorted_by_key(|l| l.number));
    for line in text::joined(&lines) {
        assert!((1..=count + 1).contains(&line.number));
    }
    let found = read::read(&lines);
    for o in &found {
        assert!(kb_core::observe::is_name(&o.what), "{o:?}");
        assert!(lines.iter().any(|l| Some(l.number) == o.line), "{o:?}");
    }
    assert!(found.is_sorted_by_key(|o| o.line));
    found.len()
}

fn reports() -> &'static [String] {
    static REPORTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        corpus::all().into_iter().flat_map(|(_, file)| file.report).map(|report| report.input).collect()
    });
    &REPORTS
}

fn bytes() -> &'static [Vec<u8>] {
    static BYTES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        corpus::all().iter().flat_map(|(_, file)| &file.report).map(corpus::Report::bytes).collect()
    });
    &BYTES
}

/// What happens to a paste.
#[derive(Clone, Debug)]
enum Damage {
    Cut(usize),
    CutFront(usize),
    Double(usize),
    Swap(usize, usize),
    Insert(usize, String),
    JoinLines,
    Collapse,
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        any::<usize>().prop_map(Damage::Cut),
        any::<usize>().prop_map(Damage::CutFront),
        any::<usize>().prop_map(Damage::Double),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (any::<usize>(), "\\PC{0,12}").prop_map(|(at, text)| Damage::Insert(at, text)),
        Just(Damage::JoinLines),
        Just(Damage::Collapse),
    ]
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn damaged(text: &str, damage: &Damage) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    match damage {
        Damage::Cut(at) => text[..boundary(text, *at)].to_owned(),
        Damage::CutFront(at) => text[boundary(text, *at)..].to_owned(),
        Damage::Double(at) if !lines.is_empty() => {
            let at = at % lines.len();
            lines.insert(at, lines[at]);
            lines.join("\n")
        }
        Damage::Swap(a, b) if !lines.is_empty() => {
            let (a, b) = (a % lines.len(), b % lines.len());
            lines.swap(a, b);
            lines.join("\n")
        }
        Damage::Insert(at, more) => {
            let at = boundary(text, *at);
            format!("{}{more}{}", &text[..at], &text[at..])
        }
        Damage::JoinLines => lines.join(" "),
        Damage::Collapse => lines
            .iter()
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
            .join("\n"),
        Damage::Double(_) | Damage::Swap(..) => text.to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        everything(&bytes);
    }

    #[test]
    fn any_text_is_read(text in "(\\PC|\n|\r|\u{1b}|[|+>:=@$#]){0,300}") {
        everything(text.as_bytes());
    }

    #[test]
    fn damaged_reports_are_read(pick in any::<prop::sample::Index>(), damages in prop::collection::vec(damage(), 1..6)) {
        let mut text = pick.get(reports()).clone();
        for damage in &damages {
            text = damaged(&text, damage);
        }
        everything(text.as_bytes());
    }

    #[test]
    fn bytes_of_reports_may_be_damaged(pick in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..30)) {
        let mut bytes = pick.get(bytes()).clone();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        everything(&bytes);
    }
}

#[test]
fn a_part_of_a_report_has_no_other_values() {
    // What is read of excerpts must be what is read of the whole, as far as it goes: no line changes its meaning only
    // because others are gone, except where a list's end or a heading decides.
    for report in reports() {
        let lines = text::lines(report);
        let head: Vec<_> = lines.iter().take(lines.len() / 2).cloned().collect();
        let whole = read::read(&lines);
        for o in read::read(&head) {
            if matches!(o.what.as_str(), "gpu" | "gpu-count" | "python" | "os") {
                continue;
            }
            assert!(whole.iter().any(|w| w.what == o.what && w.value == o.value), "{o:?}");
        }
    }
}

#[test]
fn time_grows_with_the_length() {
    let all = reports().join("\n");
    let measure = |times: usize| {
        let text = all.repeat(times);
        let start = Instant::now();
        everything_timed(&text);
        start.elapsed()
    };
    measure(1);
    let (small, large) = (measure(4), measure(32));
    assert!(large < small * 24 + Duration::from_millis(200), "{small:?} for one part, {large:?} for eight");
    // One endless line, and endless short ones.
    for text in [
        "| 0 GPU 0: NVIDIA ".repeat(60_000),
        "GPU 0: x\n".repeat(60_000),
        "[pip3] a==1 ".repeat(60_000),
        ">>> print(".repeat(60_000),
        "\u{1b}[".repeat(200_000),
        "> ".repeat(60_000),
        "\"name\": ".repeat(60_000),
        "nvidia.com/gpu.count=1,".repeat(60_000),
        (0..60_000).map(|i| format!("nvidia.com/a.b{i}=1,")).collect(),
        "$ nvidia-smi --query-gpu=name\nname\n".repeat(30_000),
        "|   0  NVIDIA GeForce ...  Off  | 00000000:01:00.0 Off |\n".repeat(30_000),
        "print(torch.__version__)\n".repeat(30_000),
        ">>> torch.__version__\n".repeat(30_000),
    ] {
        let start = Instant::now();
        everything_timed(&text);
        assert!(start.elapsed() < Duration::from_secs(12), "{:?} for {:?}", start.elapsed(), &text[..20]);
    }
}

fn everything_timed(text: &str) {
    let decoded = text::decode(text.as_bytes());
    let lines = text::lines(&decoded.text);
    let _ = text::joined(&lines);
    let _ = read::read(&lines);
}
