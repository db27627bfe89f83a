//! Commands for the Python of one environment: `python` and `pip` are whatever a shell finds first.

use std::borrow::Cow;

/// The command with the path of an interpreter where it says `python` or begins with `pip`.
pub(crate) fn run_by(command: &str, interpreter: &str) -> String {
    // Only Windows' paths have a backslash or a drive; its shell takes a quoted path for a text unless it is called.
    let windows = interpreter.contains('\\') || interpreter.as_bytes().get(1) == Some(&b':');
    let plain = |c: char| c.is_alphanumeric() || "/\\:._-+~".contains(c);
    let named: Cow<'_, str> = match (interpreter.chars().all(plain), windows) {
        (true, _) => interpreter.into(),
        (false, true) => format!("& '{}'", interpreter.replace('\'', "''")).into(),
        (false, false) => format!("'{}'", interpreter.replace('\'', r"'\''")).into(),
    };
    let mut out = String::with_capacity(command.len() + interpreter.len());
    let mut rest = command;
    let mut starts = true;
    while !rest.is_empty() {
        let after = |word: &str| rest.strip_prefix(word).filter(|r| r.starts_with(' '));
        let word = after("python").or_else(|| after("python3"));
        if starts
            && let Some(behind) = word
            && !names_packages(&out)
        {
            out.push_str(&named);
            rest = behind;
        } else if starts
            && let Some(behind) = after("pip")
            && begins(&out)
        {
            out.push_str(&named);
            out.push_str(" -m pip");
            rest = behind;
        }
        let Some(c) = rest.chars().next() else { break };
        starts = matches!(c, ' ' | '(' | '\n');
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Does a new command begin behind this?
fn begins(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    before.is_empty() || before.ends_with(['\n', ';', '&', '|', '('])
}

/// Is what follows the name of a package for another manager?
fn names_packages(before: &str) -> bool {
    let statement = before.rsplit(['\n', ';', '&', '|']).next().unwrap_or(before);
    statement
        .split_whitespace()
        .any(|word| matches!(word, "conda" | "mamba" | "micromamba" | "apt" | "apt-get"))
}

#[cfg(test)]
mod tests {
    use super::run_by;

    #[test]
    fn the_interpreter_of_the_environment_is_named() {
        let linux = |command| run_by(command, "/srv/my-env/bin/python");
        assert_eq!(linux("pip install torch==2.5.1"), "/srv/my-env/bin/python -m pip install torch==2.5.1");
        assert_eq!(linux("python -m pip list"), "/srv/my-env/bin/python -m pip list");
        assert_eq!(
            linux("env -u X python -c 'import torch'"),
            "env -u X /srv/my-env/bin/python -c 'import torch'"
        );
        assert_eq!(
            linux("a; pip install b && pip list"),
            format!("a; {0} -m pip install b && {0} -m pip list", "/srv/my-env/bin/python")
        );
        assert_eq!(linux("ldconfig -p | grep cudnn"), "ldconfig -p | grep cudnn");
        // Words of other commands.
        assert_eq!(linux("conda install pip python=3.11"), "conda install pip python=3.11");
        assert_eq!(linux("conda install python -y"), "conda install python -y");
        assert_eq!(linux(r#"$(python -c 'import glob')"#), r#"$(/srv/my-env/bin/python -c 'import glob')"#);
    }

    #[test]
    fn a_path_with_spaces_is_quoted_as_the_shell_wants_it() {
        assert_eq!(run_by("pip list", "/home/a b/python"), "'/home/a b/python' -m pip list");
        assert_eq!(
            run_by("python -m pip list", r"C:\Program Files\Python\python.exe"),
            r"& 'C:\Program Files\Python\python.exe' -m pip list"
        );
        assert_eq!(run_by("python -V", r"C:\venv\Scripts\python.exe"), r"C:\venv\Scripts\python.exe -V");
    }
}
