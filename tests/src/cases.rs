//! Cases: `cases/<command>/<name>/command.toml` says what is typed, `stdout`, `stderr` and `exit` what comes back.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is typed. Files beside `command.toml` can be named as arguments: the case's directory is the current one.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// What follows `kb`.
    pub args: Vec<String>,
    /// Standard input.
    #[serde(default)]
    pub stdin: String,
    /// The width of the terminal; 100 without it.
    pub columns: Option<u16>,
    /// The locale; C without it.
    pub lang: Option<String>,
    /// Why the case is there.
    #[serde(default)]
    pub why: String,
}

/// What comes back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code; `None` if a signal ended it.
    pub exit: Option<i32>,
}

impl Output {
    /// The same with the ends of lines that Unix has.
    pub fn with_unix_lines(self) -> Output {
        let lines = |text: String| text.replace("\r\n", "\n");
        Output { stdout: lines(self.stdout), stderr: lines(self.stderr), exit: self.exit }
    }
}

/// All cases, sorted by path.
pub fn all() -> Vec<PathBuf> {
    let mut out = Vec::new();
    gather(&crate::root().join("cases"), &mut out);
    out.sort();
    out
}

fn gather(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, out);
        } else if path.file_name().is_some_and(|n| n == "command.toml") {
            out.extend(path.parent().map(Path::to_owned));
        }
    }
}

/// Reads what is typed in a case.
///
/// # Errors
/// If the file cannot be read.
pub fn typed(case: &Path) -> Result<Typed, String> {
    let path = case.join("command.toml");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The fixed environment of a case.
pub fn environment(typed: &Typed) -> [(&'static str, String); 3] {
    [
        ("LANG", typed.lang.clone().unwrap_or_else(|| "C".to_owned())),
        ("NO_COLOR", "1".to_owned()),
        ("COLUMNS", typed.columns.unwrap_or(100).to_string()),
    ]
}

/// Runs the program in a fixed environment.
///
/// # Errors
/// If it cannot be started.
pub fn run(program: &Path, case: &Path, typed: &Typed) -> Result<Output, String> {
    use std::io::Write;
    let mut child = Command::new(program)
        .args(&typed.args)
        .current_dir(case)
        .env_clear()
        .envs(environment(typed))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    if let Some(mut input) = child.stdin.take() {
        // A program that does not read its input closes it: no error.
        drop(input.write_all(typed.stdin.as_bytes()));
    }
    let out = child.wait_with_output().map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let out = Output { stdout: text(&out.stdout), stderr: text(&out.stderr), exit: out.status.code() };
    Ok(out.with_unix_lines())
}

/// Compares a case with its files and tells what differs; writes them where `bless` is set.
///
/// # Errors
/// What differs, with the first line that does.
pub fn compare(case: &Path, found: &Output, bless: bool) -> Result<(), String> {
    let exit = found.exit.map_or_else(|| "signal".to_owned(), |c| c.to_string()) + "\n";
    let mut wrong = Vec::new();
    for (name, text) in [("stdout", &found.stdout), ("stderr", &found.stderr), ("exit", &exit)] {
        let path = case.join(name);
        let wanted = std::fs::read_to_string(&path).map(|t| t.replace("\r\n", "\n"));
        if bless {
            let same = wanted.is_ok_and(|w| w == *text);
            if !same {
                std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
            }
            continue;
        }
        match wanted {
            Ok(wanted) if wanted == *text => {}
            Ok(wanted) => wrong.push(format!("{name}, {}", difference(&wanted, text))),
            Err(error) => wrong.push(format!("{name} is missing ({error}); it would be:\n{text}")),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The first line that differs, with the one before it.
fn difference(wanted: &str, found: &str) -> String {
    let (mut w, mut f) = (wanted.split_inclusive('\n'), found.split_inclusive('\n'));
    let mut before = "";
    let mut line = 1;
    loop {
        match (w.next(), f.next()) {
            (Some(a), Some(b)) if a == b => before = a,
            (None, None) => return "no difference".to_owned(),
            (a, b) => {
                let shown = |t: Option<&str>| t.map_or("(the end)".to_owned(), |t| format!("{t:?}"));
                return format!(
                    "line {line}\n    after   {before:?}\n    wanted  {}\n    found   {}",
                    shown(a),
                    shown(b)
                );
            }
        }
        line += 1;
    }
}

/// Runs and compares all cases; the texts of those that differ.
///
/// # Errors
/// If the program is not there.
pub fn differing(bless: bool) -> Result<(usize, Vec<String>), String> {
    let program = crate::program()?;
    let cases = all();
    let mut wrong = Vec::new();
    for case in &cases {
        let result = typed(case).and_then(|t| {
            let found = run(&program, case, &t)?;
            if found.stderr.contains("panicked at") || found.exit.is_none_or(|c| c > 3) {
                return Err(format!("it must never end like this: exit {:?}\n{}", found.exit, found.stderr));
            }
            compare(case, &found, bless)
        });
        if let Err(why) = result {
            let name = case.strip_prefix(crate::root()).unwrap_or(case);
            wrong.push(format!("{}\n  {}", name.display(), why.replace('\n', "\n  ")));
        }
    }
    Ok((cases.len(), wrong))
}
