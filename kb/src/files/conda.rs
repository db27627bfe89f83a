//! environment.yml: the small part of YAML that conda's files use, read by lines.

use super::Found;
use super::requirements::requirement;

/// Reads the dependencies, conda's and pip's.
pub(super) fn read(text: &str) -> Found {
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
                        "dependencies" => conda_spec(entry, &mut found),
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
                conda_spec(entry, &mut found);
            }
            _ => {}
        }
    }
    let from_pip = super::requirements::read(&pip_lines);
    let any_pip = !from_pip.requirements.is_empty();
    found.requirements.extend(from_pip.requirements);
    found.indexes.extend(from_pip.indexes);
    found.skipped.extend(from_pip.skipped);
    // `defaults` is Anaconda's own channel, which no fact is about.
    found.indexes.retain(|i| i != "defaults" && i != "nodefaults");
    found.replaces = !any_pip;
    found
}

/// `channel::name=1.2=build`, `name>=1.2`: conda's way to write a requirement.
fn conda_spec(entry: &str, found: &mut Found) {
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
            requirement(&format!("{name}=={exact}{stars}"), found);
        }
        _ => requirement(&entry, found),
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
    use super::read;

    #[test]
    fn conda_and_pip_parts() {
        let found = read(
            "name: x\nchannels:\n  - pytorch\n  - defaults\ndependencies:\n  - python=3.11\n  - pytorch=2.4.1\n  - pytorch-cuda=12.4\n  - pip\n  - pip:\n    - jax[cuda12]==0.9.0  # new\n",
        );
        assert_eq!(found.requirements, ["python==3.11", "pytorch==2.4.1", "jax[cuda12]==0.9.0"]);
        assert_eq!(found.cuda.as_deref(), Some("12.4"));
        assert_eq!(found.indexes, ["pytorch"]);
    }
}
