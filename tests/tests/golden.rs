//! The headline table: popular GPUs, the main frameworks, Linux and Windows. A change of data or engine that flips an
//! answer shows here, line by line; `KB_BLESS=1 cargo test -p kb-tests --test golden` writes the table anew.

use kb_core::answer::{Item, Verdict};
use kb_core::request::RawRequest;
use std::fmt::Write;

const HEAD: &str = "gpu\tos\tpackage\tverdict\tversion\tchannel\truns\tleast driver";

/// By sales, by clouds, by what people ask about.
const GPUS: [&str; 60] = [
    "rtx-5090",
    "rtx-5080",
    "rtx-5070-ti",
    "rtx-5070",
    "rtx-5060-ti",
    "rtx-5060",
    "rtx-4090",
    "rtx-4080-super",
    "rtx-4080",
    "rtx-4070-ti",
    "rtx-4070",
    "rtx-4060-ti",
    "rtx-4060",
    "rtx-3090-ti",
    "rtx-3090",
    "rtx-3080-ti",
    "rtx-3080",
    "rtx-3070",
    "rtx-3060-ti",
    "rtx-3060",
    "rtx-3050",
    "rtx-2080-ti",
    "rtx-2080",
    "rtx-2070",
    "rtx-2060",
    "gtx-1660-super",
    "gtx-1660",
    "gtx-1650",
    "gtx-1080-ti",
    "gtx-1080",
    "gtx-1070",
    "gtx-1060",
    "gtx-1050-ti",
    "gtx-980-ti",
    "gtx-970",
    "gtx-780-ti",
    "titan-rtx",
    "titan-v",
    "titan-xp",
    "rtx-pro-6000-blackwell-workstation-edition",
    "rtx-6000-ada",
    "rtx-a6000",
    "rtx-a5000",
    "rtx-a4000",
    "quadro-rtx-8000",
    "quadro-p4000",
    "b200",
    "gb200",
    "h200",
    "h100",
    "h20",
    "a100",
    "a40",
    "a30",
    "a10",
    "l40s",
    "l4",
    "t4",
    "v100",
    "p100",
];

fn line(gpu: &str, os: &str, item: &Item) -> String {
    let verdict = match item.verdict {
        Verdict::Fits => "fits",
        Verdict::Conflict => "conflict",
        Verdict::Unknown => "unknown",
    };
    let first = item.stack.first();
    let text = |t: Option<&str>| t.unwrap_or("-").to_owned();
    let version = first.and_then(|c| c.version.as_deref());
    let extra = first.and_then(|c| c.extra.as_deref()).map(|e| format!("[{e}]")).unwrap_or_default();
    let package = first.map_or(&*item.want, |c| &*c.component);
    let runs = item.device_code.as_ref().and_then(|d| d.runs.as_deref());
    let least = item.driver.as_ref().and_then(|d| d.minimum.as_deref());
    let channel = first.and_then(|c| c.channel.as_deref());
    format!(
        "{gpu}\t{os}\t{package}{extra}\t{verdict}\t{}\t{}\t{}\t{}",
        text(version),
        text(channel),
        text(runs),
        text(least)
    )
}

fn table() -> String {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let mut out = format!("{HEAD}\n");
    for gpu in GPUS {
        for os in ["linux", "windows"] {
            let raw = RawRequest {
                command: "solve".into(),
                gpus: vec![gpu.into()],
                os: Some(os.into()),
                ..RawRequest::default()
            };
            match kb_core::ask(&world, &raw) {
                Ok(answer) => {
                    for item in &answer.answers {
                        let _ = writeln!(out, "{}", line(gpu, os, item));
                    }
                }
                Err(mistakes) => {
                    let codes: Vec<&str> = mistakes.iter().map(|d| d.code).collect();
                    panic!(
                        "{gpu} is refused: {}; {:?}",
                        codes.join(", "),
                        mistakes.iter().flat_map(|m| &m.notes).collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    out
}

#[test]
fn headline() {
    let path = kb_tests::root().join("golden/headline.tsv");
    let now = table();
    if std::env::var_os("KB_BLESS").is_some() {
        std::fs::write(&path, &now).expect("written");
        return;
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let key = |l: &str| l.splitn(4, '\t').take(3).collect::<Vec<_>>().join("\t");
    let mut flipped = String::new();
    for l in before.lines().filter(|l| !now.lines().any(|n| n == *l)) {
        let _ = writeln!(flipped, "- {l}");
        if let Some(n) = now.lines().find(|n| key(n) == key(l)) {
            let _ = writeln!(flipped, "+ {n}");
        }
    }
    for n in now.lines().filter(|n| !before.lines().any(|l| key(l) == key(n))) {
        let _ = writeln!(flipped, "+ {n}");
    }
    assert!(
        before == now,
        "the headline table changed; if that is meant, write it anew with KB_BLESS=1\n{HEAD}\n{flipped}"
    );
}
