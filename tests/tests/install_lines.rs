//! kb understands what it says: install lines of its answers are given back to `check`, and fit the same machine; so
//! are the values of the stack.
#![allow(missing_docs)]

use kb_core::answer::{Answer, Verdict};
use kb_core::request::RawRequest;
use kb_core::world::World;

/// The requirements of a pip or uv line.
fn requirements(command: &str) -> Vec<String> {
    let Some((_, rest)) = command.split_once(" install ") else { return Vec::new() };
    let mut words = rest.split_whitespace();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "-f" | "-i" | "--find-links" | "--index-url" | "--extra-index-url" => {
                words.next();
            }
            _ if word.starts_with('-') => {}
            _ => out.push(word.trim_matches(['\'', '"']).to_owned()),
        }
    }
    out
}

/// Drivers, systems, interpreters and GPUs that lead to many different channels.
fn grid() -> Vec<RawRequest> {
    let packages =
        ["torch", "paddlepaddle-gpu", "tensorflow", "jax", "onnxruntime-gpu", "cupy", "paddlepaddle"];
    let machines = [
        ("rtx-3090", "linux", None, None),
        ("rtx-5090", "linux", None, None),
        ("v100", "linux", Some("470.57.02"), None),
        ("t4", "wsl2", Some("472.50"), None),
        ("h100", "wsl2", Some("552.22"), Some("3.8")),
        ("h100", "windows", Some("573.76"), Some("3.12")),
        ("h200", "linux", None, None),
        ("gtx-1080", "linux", Some("535.104.05"), Some("3.12")),
        ("gtx-1080", "windows", Some("528.33"), None),
        ("a100-80gb", "linux", Some("450.80.02"), Some("3.9")),
    ];
    let mut out = Vec::new();
    let mut add = |wants: &[&str], gpu: &str, os: &str, driver: Option<&str>, python: Option<&str>| {
        out.push(RawRequest {
            command: "solve".into(),
            wants: wants.iter().map(ToString::to_string).collect(),
            gpus: vec![gpu.into()],
            os: Some(os.into()),
            driver: driver.map(Into::into),
            python: python.map(Into::into),
            ..RawRequest::default()
        });
    };
    for wants in packages.map(|p| vec![p]).into_iter().chain([vec!["torch", "jax"]]) {
        for (gpu, os, driver, python) in machines {
            add(&wants, gpu, os, driver, python);
        }
    }
    for package in packages {
        for gpu in ["rtx-3090", "rtx-5090", "v100", "h100", "p100", "b200", "titan-xp"] {
            for (os, drivers) in [
                ("linux", ["418.87.00", "470.57.02", "525.60.13", "550.54.14", "580.95.05"]),
                ("windows", ["472.50", "528.33", "552.22", "573.76", "581.29"]),
                ("wsl2", ["472.50", "528.33", "552.22", "573.76", "581.29"]),
            ] {
                for (driver, python) in
                    drivers.into_iter().zip([None, Some("3.8"), Some("3.11"), None, Some("3.12")])
                {
                    add(&[package], gpu, os, Some(driver), python);
                }
            }
        }
    }
    out
}

fn ask(world: &World<'_>, raw: &RawRequest) -> Result<Answer, String> {
    kb_core::ask(world, raw).map_err(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

#[test]
fn what_kb_prints_it_understands() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let mut wrong = Vec::new();
    let mut lines = 0;
    let mut back = |from: &RawRequest, what: &str, raw: RawRequest| {
        lines += 1;
        match ask(&world, &raw) {
            Ok(answer) if answer.verdict == Verdict::Fits => {}
            Ok(answer) => wrong.push(format!("{from:?}\n  {what}: {:?} for {raw:?}", answer.verdict)),
            Err(why) => wrong.push(format!("{from:?}\n  {what}: {why}")),
        }
    };
    for raw in grid() {
        let answer = ask(&world, &raw).expect("the grid is well asked");
        let check = |wants: Vec<String>| RawRequest { command: "check".into(), wants, ..raw.clone() };
        let Some(item) = answer.answers.first().filter(|i| i.verdict == Verdict::Fits) else {
            // A proposal may have any wording, but its command is one that can be checked.
            let tries = answer.conflict.iter().flat_map(|c| &c.attempts);
            for command in tries.filter_map(|t| t.command.as_deref()) {
                let refused = ask(&world, &check(requirements(command))).err();
                assert!(refused.is_none(), "{raw:?}\n  {command}: {}", refused.unwrap_or_default());
            }
            continue;
        };
        let together = item.want == "*";
        let tool = |i: &&kb_core::answer::Install| matches!(&*i.tool, "pip" | "uv");
        let commands: Vec<&str> = item.install.iter().filter(tool).map(|i| &*i.command).collect();
        let groups: Vec<Vec<&str>> =
            if together { vec![commands] } else { commands.into_iter().map(|c| vec![c]).collect() };
        for group in groups {
            let wants: Vec<String> = group.iter().flat_map(|c| requirements(c)).collect();
            assert!(!wants.is_empty(), "{group:?}");
            back(&raw, &group.join("; "), check(wants.clone()));
            // The values that stand beside them.
            let value = |of: &str| item.stack.iter().find(|c| c.component == of)?.version.clone();
            let stated = RawRequest {
                cuda: value("cuda-toolkit"),
                cudnn: value("cudnn"),
                driver: raw.driver.clone().or(item.driver.as_ref().and_then(|d| d.minimum.clone())),
                ..check(wants)
            };
            back(&raw, "with all values", stated);
        }
    }
    println!("{lines} questions");
    assert!(lines > 100, "{lines}");
    assert!(wrong.is_empty(), "{} of {lines}\n{}", wrong.len(), wrong.join("\n"));
}
