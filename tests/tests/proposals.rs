//! What `check` proposes repairs the question: each proposal is put in, word for word, and asked again.
#![allow(missing_docs)]

use kb_core::answer::{Attempt, Verdict};
use kb_core::request::RawRequest;

/// The question with one change made; `None` for changes that are no part of a question.
fn with(raw: &RawRequest, change: &str) -> Option<RawRequest> {
    let mut out = raw.clone();
    if let Some(bounds) = change.strip_prefix("nvidia-driver") {
        out.driver = Some(bounds.split(',').find_map(|b| b.strip_prefix(">="))?.to_owned());
    } else if let Some(python) = change.strip_prefix("python==") {
        out.python = Some(python.to_owned());
    } else if let Some(cuda) = change.strip_prefix("cuda==") {
        out.cuda = Some(cuda.to_owned());
    } else if let Some(cudnn) = change.strip_prefix("cudnn==") {
        out.cudnn = Some(cudnn.to_owned());
    } else if matches!(change, "linux" | "wsl2") {
        out.os = Some(change.to_owned());
        out.driver = out.driver.filter(|_| change == "wsl2");
    } else {
        let (requirement, channel) = match change.split_once(" from ") {
            Some((requirement, channel)) => (requirement, Some(channel)),
            None => (change, None),
        };
        let name = |text: &str| text.split(['[', '=', '<', '>']).next().unwrap_or_default().to_owned();
        let at = out.wants.iter().position(|w| name(w) == name(requirement))?;
        out.wants[at] = requirement.to_owned();
        if channel.is_some() {
            out.channels.clear();
        }
    }
    Some(out)
}

fn applied(raw: &RawRequest, attempt: &Attempt) -> Option<RawRequest> {
    attempt.change.split(" and ").try_fold(raw.clone(), |raw, change| with(&raw, change))
}

/// Pairs of frameworks with a CUDA or a cuDNN that does not go with one of them.
fn grid() -> Vec<RawRequest> {
    let line = |text: &str| {
        let mut raw = RawRequest { command: "check".into(), ..RawRequest::default() };
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let value = |words: &mut std::str::SplitWhitespace<'_>| words.next().map(str::to_owned);
            match word {
                "--gpu" => raw.gpus.extend(value(&mut words)),
                "--os" => raw.os = value(&mut words),
                "--driver" => raw.driver = value(&mut words),
                "--python" => raw.python = value(&mut words),
                "--cuda" => raw.cuda = value(&mut words),
                "--cudnn" => raw.cudnn = value(&mut words),
                _ => raw.wants.push(word.to_owned()),
            }
        }
        raw
    };
    let mut out = vec![
        line("torch==2.12.0 cupy-cuda12x==11.6.0 --gpu cc8.6 --os windows --python 3.10 --cuda 10.2"),
        line(
            "torch==2.7.0 cupy-cuda11x==13.1.0 --gpu cc8.6 --os windows --driver 552.22 --python 3.10 --cudnn 8.9.7",
        ),
        line(
            "paddlepaddle-gpu==2.5.2 torch==1.11.0 --gpu v100 --os windows --driver 528.33 --python 3.10 --cuda 12.1",
        ),
        line("torch==2.1.1 jax==0.4.35 --gpu p100 --os windows --driver 573.76 --cuda 12.1"),
        line("tensorflow==2.2.2 jax==0.6.0 --gpu rtx5090 --os linux --python 3.10 --cuda 11.8"),
    ];
    let frameworks = [
        "torch==2.1.1",
        "torch==2.9.1",
        "tensorflow==2.13.1",
        "tensorflow==2.21.0",
        "jax==0.4.35",
        "paddlepaddle-gpu==2.6.2",
        "cupy-cuda12x==13.1.0",
        "onnxruntime-gpu==1.18.0",
    ];
    let libraries =
        ["--cuda 11.8", "--cuda 12.1", "--cudnn 8.9.7", "--cudnn 9.1.0", "--cuda 12.4 --cudnn 8.6"];
    let machines =
        ["--gpu v100 --os linux", "--gpu rtx3090 --os windows --python 3.10", "--gpu rtx5090 --os linux"];
    for (i, first) in frameworks.iter().enumerate() {
        for second in std::iter::once(&"").chain(&frameworks[i + 1..]) {
            for machine in machines {
                for library in libraries {
                    out.push(line(&format!("{first} {second} {machine} {library}")));
                }
            }
        }
    }
    out
}

#[test]
fn proposals_repair_the_question() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let (mut tried, mut wrong) = (0, Vec::new());
    for raw in grid() {
        let Ok(answer) = kb_core::ask(&world, &raw) else { continue };
        for attempt in answer.conflict.iter().flat_map(|c| &c.attempts) {
            let Some(repaired) = applied(&raw, attempt) else { continue };
            tried += 1;
            let verdict = kb_core::ask(&world, &repaired).map(|a| a.verdict);
            if !matches!(verdict, Ok(Verdict::Fits)) {
                wrong.push(format!("{raw:?}\n  {}: {verdict:?}", attempt.says));
            }
        }
    }
    println!("{tried} proposals");
    assert!(tried > 100, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}\n{}", wrong.len(), wrong.join("\n"));
}
