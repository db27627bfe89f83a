//! environment.yml: the small part of YAML that conda's files use, read by lines.

use super::found::{Asked, Found, LeftOut, Origin, Sentence};
use super::marker::Environment;
use super::requirements::{At, requirement};
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
                        "channels" => found.conda_channels.push(entry.to_owned()),
                        "dependencies" => spec(entry, None, environment, &mut found),
                        _ => {}
                    }
                }
            }
            continue;
        };
        let entry = entry.trim().trim_matches(['"', '\'']);
        match key.as_str() {
            "channels" => found.conda_channels.push(entry.to_owned()),
            "dependencies" if entry == "pip:" => pip = true,
            "dependencies" if pip && indent > 2 => pip_lines.push_str(&format!("{entry}\n")),
            "dependencies" => {
                pip = false;
                spec(entry, None, environment, &mut found);
            }
            _ => {}
        }
    }
    let mut reader = super::requirements::Reader::new(environment);
    reader.read(path, &pip_lines, 0);
    let from_pip = reader.found;
    // Lines of the list, not of the file.
    found.requirements.extend(from_pip.requirements.into_iter().map(|r| Asked { line: None, ..r }));
    found.indexes.extend(from_pip.indexes);
    found.replaces |= from_pip.replaces;
    found.left_out.extend(from_pip.left_out.into_iter().map(|l| LeftOut { line: None, ..l }));
    found.mistakes.extend(from_pip.mistakes);
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

/// `channel::name=1.2=build`, `name>=1.2`, `name 1.2`: conda's ways to write a requirement.
pub(super) fn spec(entry: &str, at: Option<At<'_>>, environment: &Environment, found: &mut Found) {
    if entry.contains('[') {
        let line = at.map(|a| a.line);
        found.left_out.push(LeftOut { line, ..LeftOut::new(entry, Sentence::new("left-spec")) });
        return;
    }
    let (channel, entry) = entry.rsplit_once("::").map_or((None, entry), |(c, e)| (Some(c), e.trim()));
    found.conda_channels.extend(channel.map(|c| c.trim().to_owned()));
    let before = found.requirements.len();
    // `name 1.2 build` is `name=1.2=build`, where no operator stands between them.
    let parts: Vec<&str> = entry.split_whitespace().collect();
    let operator = |t: &&str| t.contains(['=', '<', '>', '~', '!']);
    let entry = if parts.iter().any(operator) { parts.concat() } else { parts.join("=") };
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
        _ if spec == "*" => requirement(name, at, environment, found),
        _ if !spec.is_empty() => {
            let stars = if single.is_some() && exact.matches('.').count() < 2 && name != "python" {
                ".*"
            } else {
                ""
            };
            requirement(&format!("{name}=={exact}{stars}"), at, environment, found);
        }
        _ => requirement(&entry, at, environment, found),
    }
    if found.cuda.is_none()
        && let Some(digits) =
            build.split(['_', '-']).find_map(|p| p.strip_prefix("cuda").filter(|d| d.contains('.')))
    {
        found.cuda = Some(digits.to_owned());
    }
    found.requirements[before..].iter_mut().for_each(|r| r.origin = Origin::Conda);
}

#[cfg(test)]
mod tests {
    use super::{Environment, Origin};
    use kb_core::request::RawRequest;

    fn read(text: &str) -> Result<super::Found, kb_core::diag::Diagnostic> {
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
    fn specs_of_all_kinds() {
        for (entry, text, cuda) in [
            ("pytorch=1.5", "pytorch==1.5.*", None),
            ("pytorch 2.5.1", "pytorch==2.5.1", None),
            ("pytorch 2.5.* py3.11_cuda12.1_0", "pytorch==2.5.*", Some("12.1")),
            ("pytorch >=2.5, <3", "pytorch>=2.5,<3", None),
            ("conda-forge::pytorch=*=cuda*", "pytorch", None),
        ] {
            let mut found = super::Found::default();
            super::spec(entry, None, &Environment::of(&RawRequest::default()), &mut found);
            assert_eq!(found.requirements.first().map(|r| &*r.text), Some(text), "{entry}");
            assert_eq!(found.cuda.as_deref(), cuda, "{entry}");
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
        let origins: Vec<_> = found.requirements.iter().map(|r| r.origin).collect();
        assert_eq!(origins, [Origin::Conda, Origin::Conda, Origin::Index]);
        assert_eq!(found.conda_channels, ["pytorch", "defaults"]);
        assert!(found.indexes.is_empty());
    }
}
