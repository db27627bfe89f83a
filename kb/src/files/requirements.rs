//! requirements.txt: one requirement a line, with comments, continuation lines, options, hashes and markers.

use super::Found;

/// Reads the lines of a requirements file.
pub(super) fn read(text: &str) -> Found {
    let mut found = Found::default();
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines() {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        if line.starts_with('-') {
            option(line, &mut found);
        } else {
            requirement(line, &mut found);
        }
    }
    found
}

/// A comment starts at a `#` at the line's start or after a space.
fn without_comment(line: &str) -> &str {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        if c == '#' && before.is_whitespace() {
            return &line[..at];
        }
        before = c;
    }
    line
}

/// `--index-url URL`, `-f URL` and their like; others say nothing about versions.
fn option(line: &str, found: &mut Found) {
    let (name, value) = line.split_once(['=', ' ']).unwrap_or((line, ""));
    let value = value.trim().trim_matches(['"', '\'']);
    match name {
        "-i" | "--index-url" | "--index" | "--default-index" => {
            found.replaces = true;
            found.indexes.push(value.to_owned());
        }
        "--extra-index-url" | "-f" | "--find-links" => found.indexes.push(value.to_owned()),
        "-r" | "--requirement" | "-c" | "--constraint" | "-e" | "--editable" => {
            found.skipped.push(line.to_owned())
        }
        _ => {}
    }
}

/// One requirement, without hashes and with its marker cut off; a marker for another interpreter or system is not
/// evaluated, and the line counts.
pub(super) fn requirement(line: &str, found: &mut Found) {
    let line = line.split(" --").next().unwrap_or(line).trim();
    let body = line.split(';').next().unwrap_or(line).trim();
    if body.contains("://") || body.starts_with(['.', '/']) {
        found.skipped.push(line.to_owned());
        return;
    }
    if !body.is_empty() {
        found.requirements.push(body.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn lines_of_all_kinds() {
        let found = read(
            "# the stack\n--extra-index-url https://download.pytorch.org/whl/cu126\ntorch==2.9.1+cu126  # pinned\n\
             numpy>=1.26 ; python_version < '3.13' \\\n  --hash=sha256:00\n-r other.txt\njax[cuda12]==0.9.0\n\
             git+https://github.com/a/b\n",
        );
        assert_eq!(found.requirements, ["torch==2.9.1+cu126", "numpy>=1.26", "jax[cuda12]==0.9.0"]);
        assert_eq!(found.indexes, ["https://download.pytorch.org/whl/cu126"]);
        assert!(!found.replaces);
        assert_eq!(found.skipped.len(), 2);
    }
}
