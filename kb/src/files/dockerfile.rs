//! Dockerfile: the base image and what `pip install` lines ask for.

use super::marker::Environment;
use super::{Asked, Found, LeftOut};
use kb_core::decode::{Meaning, decode};
use kb_core::kb::Kb;

/// Reads FROM and RUN lines.
pub(super) fn read(kb: &Kb, text: &str, environment: &Environment) -> Found {
    let mut found = Found::default();
    // The last stage is the one that runs; what earlier ones install may be copied into it.
    let mut base = Vec::new();
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        let Some((word, rest)) = line.split_once(char::is_whitespace) else { continue };
        match word.to_ascii_uppercase().as_str() {
            "FROM" => base = from(kb, rest.trim(), &mut found).unwrap_or(base),
            "RUN" => {
                for command in rest.split(['&', ';', '|']) {
                    pip(command.trim(), environment, &mut found);
                }
            }
            _ => {}
        }
    }
    found.requirements.splice(0..0, base.into_iter().map(Asked::from));
    found
}

/// What a base image brings; `None` for an image that says nothing, and for an earlier stage.
fn from(kb: &Kb, rest: &str, found: &mut Found) -> Option<Vec<String>> {
    let image = rest.split_whitespace().find(|w| !w.starts_with("--"))?;
    let readings = decode(kb, image);
    let Some(reading) = readings.iter().find(|r| r.kind == "docker-tag") else {
        found.left_out.push(skipped(format!("FROM {image}"), "nothing is known of this image"));
        return None;
    };
    let text = |key: &str| match reading.means.get(key) {
        Some(Meaning::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let mut out = Vec::new();
    if let (Some(package), Some(version)) = (text("package").filter(|p| p != "cuda-toolkit"), text("version"))
    {
        out.push(format!("{package}=={version}"));
    }
    out.extend(text("cuda").filter(|c| c.contains('.')).map(|cuda| format!("cuda-toolkit=={cuda}")));
    out.extend(text("cudnn").filter(|c| c.contains('.')).map(|cudnn| format!("cudnn=={cudnn}")));
    Some(out)
}

/// Options of pip that take a value of no interest here.
const WITH_VALUE: [&str; 8] =
    ["-t", "--target", "--prefix", "--root", "--cache-dir", "--python", "--trusted-host", "--timeout"];

fn skipped(text: String, why: &str) -> LeftOut {
    LeftOut { file: None, line: None, text, why: why.to_owned() }
}

fn pip(command: &str, environment: &Environment, found: &mut Found) {
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some(at) = words
        .windows(2)
        .position(|w| w[0].rsplit('/').next().is_some_and(|p| p.starts_with("pip")) && w[1] == "install")
    else {
        return;
    };
    let mut rest = words[at + 2..].iter().map(|w| w.trim_matches(['"', '\'']));
    while let Some(word) = rest.next() {
        match word {
            "-i" | "--index-url" | "--index" | "--default-index" => {
                found.replaces = true;
                found.indexes.extend(rest.next().map(str::to_owned));
            }
            "--extra-index-url" | "-f" | "--find-links" => {
                found.indexes.extend(rest.next().map(str::to_owned))
            }
            "-r" | "--requirement" | "-c" | "--constraint" | "-e" | "--editable" => {
                let text = format!("{word} {}", rest.next().unwrap_or_default());
                found.left_out.push(skipped(text, "a file of the image is not read"));
            }
            option if WITH_VALUE.contains(&option) => drop(rest.next()),
            option if option.starts_with('-') => {
                if let Some((name, value)) = option.split_once('=')
                    && matches!(name, "--index-url" | "--extra-index-url" | "--find-links")
                {
                    found.replaces |= name == "--index-url";
                    found.indexes.push(value.to_owned());
                }
            }
            requirement => super::requirements::requirement(requirement, None, environment, found),
        }
    }
}
