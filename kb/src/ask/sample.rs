//! STUB: an answer made by hand, to see the writers work before the engine is there.

use kb_core::answer::{Answer, Component, DriverNeed, Install, Item, KbInfo, Limit, Runs, SourceRef, Step, Verdict};
use kb_core::request::RawRequest;
use std::collections::BTreeMap;

pub(super) fn answer(raw: &RawRequest) -> Answer {
    let gpu = raw.gpus.first().cloned().unwrap_or_default();
    let wants = if raw.wants.is_empty() { vec!["torch".to_owned(), "paddlepaddle-gpu".to_owned()] } else { raw.wants.clone() };
    Answer {
        schema: 1,
        command: raw.command.clone(),
        verdict: Verdict::Fits,
        request: BTreeMap::new(),
        answers: wants.iter().map(|w| item(w, &gpu)).collect(),
        conflict: None,
        kb: KbInfo { version: "sample".to_owned(), facts: 0, newest_fact: "2026-11-28".to_owned() },
    }
}

fn item(want: &str, gpu: &str) -> Item {
    let text = |t: &str| Some(t.to_owned());
    Item {
        want: want.to_owned(),
        verdict: Verdict::Fits,
        grade: Some("primary"),
        says: format!("{want} fits"),
        stack: vec![
            Component { component: want.to_owned(), version: text("2.9.1+cu126"), channel: text("pytorch-cu126"), kind: text("cuda"), cuda: text("12.6"), cudnn: text("9.10.2.21"), libraries: text("nvidia-wheels"), ..Component::default() },
            Component { component: "python".to_owned(), version: text("3.12"), accepts: Some(["3.10", "3.11", "3.12", "3.13"].map(str::to_owned).to_vec()), ..Component::default() },
        ],
        device_code: Some(Runs { gpu: text(gpu), compute_capability: "8.6".to_owned(), runs: text("sass 8.6") }),
        driver: Some(DriverNeed { minimum: text("525.60.13"), native: text("560.28.03"), path: Some("minor-version"), below: None, have: None }),
        limits: vec![Limit { by: "nvidia-driver".to_owned(), have: None, needs: None, would_allow: "torch 2.15.0".to_owned(), says: "torch 2.15.0 would be possible, but driver 535.104.05 is older than 580.65.06".to_owned() }],
        steps: vec![Step { says: format!("{gpu} has compute capability 8.6; {want} 2.9.1+cu126 has machine code (SASS) for 8.6, which runs on it"), outcome: "pass", facts: vec!["cuda-minimum-driver/nv-compat-guide#12.*,linux".to_owned()], rule: Some("device-code") }],
        install: vec![Install { tool: "pip".to_owned(), shell: "any".to_owned(), command: format!("pip install {want}==2.9.1 --index-url https://download.pytorch.org/whl/cu126") }],
        sources: vec![SourceRef { id: "sample".to_owned(), title: "CUDA Toolkit release notes".to_owned(), kind: "vendor-document", locator: text("Table 2"), read_on: text("2026-11-02"), address: text("https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/") }],
        disputes: Vec::new(),
        missing: Vec::new(),
        also_fits: Vec::new(),
        conflict: None,
    }
}
