//! What happens to a text on its way must not change what is read of it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;

use corpus::{Fact, Report};
use diagnose::{read, text};
use encoding_rs::{BIG5, EUC_KR, SHIFT_JIS, WINDOWS_1252};

/// How many of the expected facts are found, on their lines where `lines` says so; and the ones that are not.
fn score(report: &Report, bytes: &[u8], exact: bool) -> (usize, Vec<String>, Vec<String>) {
    let decoded = text::decode(bytes);
    let found = read::read(&text::lines(&decoded.text));
    let mut missed = Vec::new();
    let mut hits = 0;
    for fact in report.expect.iter().filter(|f| f.what != "error") {
        let hit = found.iter().any(|o| {
            o.what == fact.what
                && Some(&o.value) == fact.value.as_ref()
                && (!exact || o.line == fact.line || !repeats(fact, report))
        });
        if hit {
            hits += 1;
        } else {
            missed.push(format!("{} = {}", fact.what, fact.value.as_deref().unwrap_or("")));
        }
    }
    let wrong = report
        .absent
        .iter()
        .filter(|f| found.iter().any(|o| o.what == f.what && f.value.as_ref().is_none_or(|v| *v == o.value)))
        .map(|f| format!("{} = {}", f.what, f.value.as_deref().unwrap_or("*")))
        .collect();
    (hits, missed, wrong)
}

fn repeats(fact: &Fact, report: &Report) -> bool {
    report.expect.iter().filter(|f| f.what == fact.what && f.value == fact.value).count() > 1
}

/// Checks a shape on all reports: the part of the facts that must be found, in percent.
fn check(shape: &str, exact: bool, percent: usize, change: impl Fn(&Report) -> Option<Vec<u8>>) {
    let (mut all, mut hits, mut wrong) = (0, 0, 0);
    for (_, file) in corpus::all() {
        for report in &file.report {
            let Some(bytes) = change(report) else { continue };
            let (found, missed, made_up) = score(report, &bytes, exact);
            all += found + missed.len();
            hits += found;
            wrong += made_up.len();
            if !missed.is_empty() || !made_up.is_empty() {
                println!("  {shape} {}: missed {missed:?}, made up {made_up:?}", report.id);
            }
        }
    }
    println!("{shape}: {hits} of {all}, {wrong} made up");
    assert!(hits * 100 >= all * percent, "{shape}: {hits} of {all}");
    assert_eq!(wrong, 0, "{shape}");
}

fn plain(report: &Report) -> bool {
    report.encoding.is_none()
}

#[test]
fn encodings() {
    check("as it is", true, 100, |r| Some(r.bytes()));
    check("utf-16le with a mark", true, 100, |r| {
        Some([0xff, 0xfe].into_iter().chain(r.input.encode_utf16().flat_map(u16::to_le_bytes)).collect())
    });
    check("utf-16le without", true, 100, |r| {
        Some(r.input.encode_utf16().flat_map(u16::to_le_bytes).collect())
    });
    check("utf-16be", true, 100, |r| Some(r.input.encode_utf16().flat_map(u16::to_be_bytes).collect()));
    check("utf-8 with a mark", true, 100, |r| Some(["\u{feff}", &r.input].concat().into_bytes()));
    for (page, line) in [
        (BIG5, "'nvcc' 不是內部或外部命令、可執行的程式或批次檔。\n"),
        (SHIFT_JIS, "'nvcc' は、内部コマンドまたは外部コマンドとして認識されていません。\n"),
        (EUC_KR, "'nvcc'은(는) 내부 또는 외부 명령이 아닙니다.\n"),
        (WINDOWS_1252, "Der Befehl \"nvcc\" ist für diesen Ort nicht gefunden über\n"),
    ] {
        check("with a line of a console", false, 100, |r| {
            plain(r).then(|| [r.input.as_bytes(), &page.encode(line).0].concat())
        });
    }
}

#[test]
fn line_ends() {
    check("crlf", true, 100, |r| Some(r.input.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()));
    check("cr", true, 100, |r| Some(r.input.replace("\r\n", "\n").replace('\n', "\r").into_bytes()));
}

fn each_line(report: &Report, change: impl Fn(&str) -> String) -> Option<Vec<u8>> {
    let lines: Vec<String> = report.input.lines().map(change).collect();
    Some(lines.join("\n").into_bytes())
}

#[test]
fn what_is_put_around_lines() {
    check("quoted", true, 100, |r| each_line(r, |l| format!("> {l}")));
    check("quoted twice", true, 100, |r| each_line(r, |l| format!("> > {l}")));
    check("indented", true, 98, |r| each_line(r, |l| format!("    {l}")));
    check("indented by a tab", true, 98, |r| each_line(r, |l| format!("\t{l}")));
    check("coloured", true, 100, |r| each_line(r, |l| format!("\u{1b}[32m{l}\u{1b}[0m")));
    check("numbered", true, 98, |r| {
        let lines: Vec<String> = r.input.lines().enumerate().map(|(i, l)| format!("{}:{l}", i + 1)).collect();
        Some(lines.join("\n").into_bytes())
    });
    check("with blanks behind", true, 100, |r| each_line(r, |l| format!("{l}   ")));
    check("trimmed", true, 100, |r| each_line(r, |l| l.trim_end().to_owned()));
    check("fenced", false, 100, |r| Some(format!("```\n{}\n```\n", r.input).into_bytes()));
}

#[test]
fn pages() {
    let escaped = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    check("html-escaped", true, 100, |r| Some(format!("{}\n&gt;", escaped(&r.input)).into_bytes()));
    check("html with breaks", false, 99, |r| {
        Some(format!("<pre>{}</pre>", escaped(&r.input).replace('\n', "<br>")).into_bytes())
    });
    check("typographic", true, 100, |r| {
        Some(r.input.replace("  ", "\u{a0} ").replace('\'', "\u{2019}").into_bytes())
    });
}

/// What a narrow console does to its lines.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let chars: Vec<char> = line.trim_end().chars().collect();
        for part in chars.chunks(width) {
            out.extend(part);
            out.push('\n');
        }
        if chars.is_empty() {
            out.push('\n');
        }
    }
    out
}

#[test]
fn narrow_consoles_and_lost_line_breaks() {
    check("wrapped at 80", false, 95, |r| Some(wrapped(&r.input, 80).into_bytes()));
    check("collapsed blanks", false, 98, |r| {
        each_line(r, |l| l.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" "))
    });
    check("run together", false, 75, |r| {
        let lines: Vec<&str> = r.input.lines().map(str::trim_end).collect();
        Some(lines.join(" ").into_bytes())
    });
}
