//! environment.yml: the small part of YAML that conda's files use, read by lines.

use super::Found;
use super::marker::Environment;
use super::requirements::requirement;
use kb_core::diag::{Diagnostic, Place};

/// Reads the dependencies, conda's and pip's.
///
/// # Errors
/// If this is no YAML, or none of an environment.
pub(super) fn read(path: &str, text: &str, environment: &Environment) -> Result<Found, Diagnostic> {
    shape(path, text)?;
    let mut found = Found::default();
    let mut key = String::new();
    let mut pip = false;
    let mut pip_lines = String::new();
    for line in text.lines() {
        let bare = line.split(" #").next().unwrap_or(line);
        let trimmed = bare.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = bare.len() - bare.trim_start().len();
        let Some(entry) = trimmed.strip_prefix('-').filter(|e| e.starts_with([' ', '\t'])) else {
            if indent == 0 {
                let (name, inline) = trimmed.split_once(':').unwrap_or((trimmed, ""));
                name.clone_into(&mut key);
                pip = false;
                let list =
                    inline.trim().strip_prefix('[').and_then(|l| l.strip_suffix(']')).unwrap_or_default();
                for entry in
                    list.split(',').map(|e| e.trim().trim_matches(['"', '\''])).filter(|e| !e.is_empty())
                {
                    match name {
                        "channels" => found.indexes.push(entry.to_owned()),
                        "dependencies" => conda_spec(entry, environment, &mut found),
                        _ => {}
                    }
                }
            }
            continue;
        };
        let entry = entry.trim().trim_matches(['"', '\'']);
        match key.as_str() {
            "channels" => found.indexes.push(entry.to_owned()),
            "dependencies" if entry == "pip:" => pip = true,
            "dependencies" if pip && indent > 2 => pip_lines.push_str(&format!("{entry}\n")),
            "dependencies" => {
                pip = false;
                conda_spec(entry, environment, &mut found);
            }
            _ => {}
        }
    }
    let mut reader = super::requirements::Reader::new(environment);
    reader.read(path, &pip_lines, 0);
    let from_pip = reader.found;
    let any_pip = !from_pip.requirements.is_empty();
    // Lines of the list, not of the file.
    found.requirements.extend(from_pip.requirements.into_iter().map(|r| super::Asked::from(r.text)));
    found.indexes.extend(from_pip.indexes);
    found.left_out.extend(from_pip.left_out.into_iter().map(|l| super::LeftOut { line: None, ..l }));
    found.kept.extend(from_pip.kept);
    found.mistakes.extend(from_pip.mistakes);
    // `defaults` is Anaconda's own channel, which no fact is about.
    found.indexes.retain(|i| i != "defaults" && i != "nodefaults");
    found.replaces = !any_pip;
    Ok(found)
}

/// Says what keeps this from being an environment: the first line that no such file has, or a list that is none.
fn shape(path: &str, text: &str) -> Result<(), Diagnostic> {
    let wrong = |number: usize, line: &str, what: &str| {
        let place = Place {
            path: path.to_owned(),
            line: number,
            column: 1,
            text: line.chars().take(400).collect(),
            length: line.chars().count().clamp(1, 400),
        };
        Diagnostic::error("bad-file", what)
            .at(place)
            .help("an environment.yml has `dependencies:` and below it a list, one `- name=version` a line")
    };
    let mut dependencies = None;
    for (index, line) in text.lines().enumerate() {
        let (number, trimmed) = (index + 1, line.trim());
        if trimmed.is_empty() || trimmed.starts_with('#') || matches!(trimmed, "---" | "...") {
            continue;
        }
        if line.starts_with('\t') {
            return Err(wrong(number, line, "this is not YAML: a line is indented with a tab"));
        }
        let top = !line.starts_with(' ');
        if top
            && !trimmed.starts_with("- ")
            && trimmed != "-"
            && !trimmed.contains(':')
            && !"]}".contains(trimmed)
        {
            return Err(wrong(number, line, "this is not YAML: a line without `key:` or `- `"));
        }
        if top && let Some(rest) = trimmed.strip_prefix("dependencies:") {
            let rest = rest.split(" #").next().unwrap_or(rest).trim();
            if !rest.is_empty() && !rest.starts_with('[') {
                return Err(wrong(number, line, "`dependencies` is a list, not a text"));
            }
            dependencies = Some(line);
        } else if let Some(head) = dependencies.take() {
            if !trimmed.starts_with('-') && !head.contains('[') && !top {
                return Err(wrong(number, line, "`dependencies` is a list: its lines start with `- `"));
            }
            return Ok(());
        }
    }
    if dependencies.is_some() {
        return Ok(());
    }
    let what = format!("{path}: this is no environment of conda: it has no `dependencies:`");
    Err(Diagnostic::error("bad-file", what)
        .help("name an environment.yml; kb also reads requirements.txt, uv.lock, pylock.toml and Dockerfile"))
}

/// `channel::name=1.2=build`, `name>=1.2`: conda's way to write a requirement.
fn conda_spec(entry: &str, environment: &Environment, found: &mut Found) {
    let entry = entry.rsplit("::").next().unwrap_or(entry).replace(' ', "");
    let end = entry.find(['=', '<', '>', '~', '!']).unwrap_or(entry.len());
    let (name, spec) = entry.split_at(end);
    // `name=1.2=build`: the build string is no part of a version.
    let single = spec.strip_prefix('=').filter(|s| !s.starts_with('='));
    let (spec, build) = match single {
        Some(rest) => rest.split_once('=').map_or((rest, ""), |(v, b)| (v, b)),
        None => (spec.strip_prefix("==").unwrap_or(""), ""),
    };
    let exact = spec.trim_end_matches(".*");
    match name {
        "pytorch-cuda" | "cudatoolkit" | "cuda-version" | "cuda-toolkit" | "cuda" if !exact.is_empty() => {
            found.cuda = found.cuda.take().or_else(|| Some(exact.to_owned()));
        }
        "pip" => {}
        _ if !spec.is_empty() => {
            let stars = if single.is_some() && exact.matches('.').count() < 2 && name != "python" {
                ".*"
            } else {
                ""
            };
            requirement(&format!("{name}=={exact}{stars}"), None, environment, found);
        }
        _ => requirement(&entry, None, environment, found),
    }
    if found.cuda.is_none()
        && let Some(digits) =
            build.split(['_', '-']).find_map(|p| p.strip_prefix("cuda").filter(|d| d.contains('.')))
    {
        found.cuda = Some(digits.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::Environment;
    use kb_core::request::RawRequest;

    fn read(text: &str) -> Result<super::Found, super::Diagnostic> {
        super::read("environment.yml", text, &Environment::of(&RawRequest::default()))
    }

    #[test]
    fn other_files_are_told() {
        for (text, piece) in [
            ("torch==2.9.1\n", "not YAML"),
            ("name: x\n", "no `dependencies:`"),
            ("dependencies: torch\n", "not a text"),
            ("dependencies:\n  torch: 2.9\n", "start with `- `"),
            ("name: x\ndependencies:\n\t- torch\n", "tab"),
        ] {
            let wrong = read(text).expect_err(text);
            assert!(wrong.message.contains(piece), "{}", wrong.message);
        }
    }

    #[test]
    fn conda_and_pip_parts() {
        let found = read(
            "name: x\nchannels:\n  - pytorch\n  - defaults\ndependencies:\n  - python=3.11\n  - pytorch=2.4.1\n  - pytorch-cuda=12.4\n  - pip\n  - pip:\n    - jax[cuda12]==0.9.0  # new\n",
        )
        .expect("is an environment");
        let texts: Vec<&str> = found.requirements.iter().map(|r| &*r.text).collect();
        assert_eq!(texts, ["python==3.11", "pytorch==2.4.1", "jax[cuda12]==0.9.0"]);
        assert_eq!(found.cuda.as_deref(), Some("12.4"));
        assert_eq!(found.indexes, ["pytorch"]);
    }
}
