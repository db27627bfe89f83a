//! Tables of packages: `pip list`, `uv pip list`, `poetry show`, conda's and its relatives' `list`.

use super::found::Found;
use super::package::{self, Package};
use super::readers::Reader;
use super::{number, page::Page};

pub(super) const READER: Reader = Reader {
    tool: "pip list",
    words: &["Package", "Version", "pip list", "pip3 list", "conda", "Build", "poetry", "  "],
    read,
};

/// What kind of table lines belong to.
#[derive(Clone, Copy, PartialEq)]
enum Table {
    /// Name and version, perhaps a place.
    Pip,
    /// Name, version, build and channel.
    Conda,
    /// Name, version and a description.
    Described,
}

/// Reads the tables of a text.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut table: Option<Table> = None;
    let mut misses = 0;
    let mut list: Vec<Package> = Vec::new();
    let mut commands = page.commands.iter().peekable();
    let mut last_number = 0;
    for (at, line, text) in page.all() {
        if let Some(command) = commands.next_if(|c| c.at == at) {
            close(&mut list, found);
            table = listing(command.text);
            misses = 0;
            continue;
        }
        if line > last_number + 1 {
            misses += 1;
        }
        last_number = line;
        if let Some(kind) = heading(text) {
            close(&mut list, found);
            table = Some(kind);
            misses = 0;
            found.by(if kind == Table::Conda { "conda list" } else { "pip list" });
            continue;
        }
        if let Some(rest) = text.trim_start().strip_prefix("[conda] ") {
            if let Some(row) = row(rest, Some(Table::Conda)) {
                found.by("collect_env");
                conda(found, &row, line);
            }
            continue;
        }
        let cells = cells(text);
        let text = cells.as_deref().unwrap_or(text);
        let row = row(text, table).or_else(|| beside(page, at, text, table));
        let Some(row) = row else {
            let nothing = text.trim().trim_matches(['-', '─', ' ', '#']).is_empty();
            if !(nothing && list.is_empty()) && table.is_some() {
                misses += 1;
                if misses > 3 {
                    table = None;
                }
            }
            if text.trim().is_empty() {
                close(&mut list, found);
            }
            continue;
        };
        misses = 0;
        found.by(if table == Some(Table::Conda) { "conda list" } else { "pip list" });
        list.push(if table == Some(Table::Conda) || row.build.is_some() {
            conda(found, &row, line)
        } else {
            package::see(found, row.name, row.version, line)
        });
    }
    close(&mut list, found);
}

fn close(list: &mut Vec<Package>, found: &mut Found) {
    package::conflicts(list, found);
    list.clear();
}

/// The table that a command prints.
fn listing(command: &str) -> Option<Table> {
    let conda = ["conda list", "mamba list", "micromamba list", "pixi list"];
    if conda.iter().any(|c| command.contains(c)) {
        Some(Table::Conda)
    } else if command.contains("pip list") || command.contains("pip3 list") || command.contains("pdm list") {
        Some(Table::Pip)
    } else if command.contains("poetry show") {
        Some(Table::Described)
    } else {
        None
    }
}

fn heading(text: &str) -> Option<Table> {
    let mut words = text.trim().trim_start_matches(['#', '|', '│']).split_whitespace();
    let mut words = words.by_ref().filter(|w| !matches!(*w, "|" | "│"));
    match (words.next()?, words.next()?, words.next()) {
        ("Name", "Version", Some("Build")) | ("Package", "Version", Some("Build")) => Some(Table::Conda),
        ("Package", "Version", None | Some("Editable" | "Location" | "Latest" | "Installer")) => {
            Some(Table::Pip)
        }
        _ => None,
    }
}

/// A row of a table with bars, as Markdown and `pdm list` have, with blanks for its bars.
fn cells(text: &str) -> Option<String> {
    let text = text.trim();
    let inside = text.strip_prefix(['|', '│']).and_then(|t| t.strip_suffix(['|', '│']))?;
    (text.len() < 300 && inside.contains(['|', '│'])).then(|| inside.trim().replace(['|', '│'], "   "))
}

/// Without heading and command: a row in the columns of a neighbour that cannot be anything but a package.
fn beside<'a>(page: &Page<'a>, at: usize, text: &'a str, table: Option<Table>) -> Option<Row<'a>> {
    if table.is_some() || !text.contains("  ") {
        return None;
    }
    // `loss     0.25` may stand in any column; three numbers are a version.
    let candidate = row(text, Some(Table::Pip)).filter(|r| r.version.matches('.').count() >= 2)?;
    let column = |text: &str, row: &Row<'_>| row.version.as_ptr() as usize - text.as_ptr() as usize;
    let own = column(text, &candidate);
    let neighbours = at.saturating_sub(2)..(at + 3).min(page.lines.len());
    let fits = neighbours.filter(|i| *i != at).any(|i| {
        let other = page.lines[i].text.as_ref();
        row(other, None).is_some_and(|r| r.build.is_none() && column(other, &r) == own)
    });
    fits.then_some(candidate)
}

struct Row<'a> {
    name: &'a str,
    version: &'a str,
    build: Option<&'a str>,
}

fn row(text: &str, table: Option<Table>) -> Option<Row<'_>> {
    let text = text.trim();
    if text.len() > 300 || !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let mut words = text.split_whitespace();
    let (name, mut version) = (words.next()?, words.next()?);
    if version == "(!)" {
        version = words.next()?;
    }
    // pip before 9 puts versions into brackets: `numpy (1.15.4)`.
    let bracketed = version.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
    let version = bracketed.unwrap_or(version);
    if !package::is_name(name)
        || !number::is_release(version)
        || !version.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let wide = text[name.len()..].starts_with("  ") || text[name.len()..].starts_with('\t');
    let third = words.next();
    let more = words.clone().count();
    let build = third.filter(|b| is_build(b));
    let fits = match table {
        Some(Table::Described) => true,
        Some(Table::Conda) => third.is_none() || more <= 3,
        Some(Table::Pip) => (wide || version.contains('.')) && (third.is_none() || more <= 1),
        // Without heading and command only what cannot be something else.
        None => {
            (bracketed.is_some() && third.is_none() && package::is_known(&package::normal(name)))
                || wide
                    && ((third.is_none()
                        && version.contains('.')
                        && package::is_known(&package::normal(name)))
                        || (build.is_some() && more <= 2 && version.contains(['.', '0', '1', '2'])))
        }
    };
    fits.then_some(Row { name, version, build: if table == Some(Table::Pip) { None } else { build } })
}

/// conda's builds: `py37h90e4bf4_5`, `h94faf87_0`, `pypi_0`, `<pip>`.
fn is_build(word: &str) -> bool {
    word == "<pip>"
        || word == "pypi"
        || (word.len() < 60
            && word.contains('_')
            && word.ends_with(|c: char| c.is_ascii_digit())
            && !word.contains(['/', '('])
            && word.bytes().any(|b| b.is_ascii_alphabetic()))
}

fn conda(found: &mut Found, row: &Row<'_>, line: usize) -> Package {
    let seen = package::see(found, row.name, row.version, line);
    if seen.name == "python" && super::collect_env::python(row.version) == Some(row.version) {
        found.see("python", row.version, line);
    }
    // `py3.10_cuda11.8_cudnn8.7.0_0`, `cuda118_py310h…`.
    if let Some(build) = row.build
        && matches!(
            seen.name.as_str(),
            "pytorch"
                | "libtorch"
                | "pytorch-gpu"
                | "tensorflow"
                | "tensorflow-base"
                | "jaxlib"
                | "libtensorflow-cc"
                | "onnxruntime"
                | "paddlepaddle-gpu"
                | "cupy-core"
        )
    {
        for part in build.split('_') {
            if let Some(rest) = part.strip_prefix("cudnn") {
                if let Some(version) = number::version(rest) {
                    found.made("framework-cudnn", version, part, line);
                }
            } else if let Some(rest) = part.strip_prefix("cuda") {
                let version = number::version(rest).map(str::to_owned).or_else(|| number::cuda_tag(part));
                if let Some(version) = version {
                    found.made("framework-cuda", &version, part, line);
                }
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("pip list");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn tables_have_a_heading_or_a_command() {
        assert_eq!(
            of(
                "Package    Version\n---------- -------\nopt_einsum 3.3.0\nfoo 1\nvllm       0.5.4   /src\n\nstep 3 of 4"
            ),
            ["package:opt-einsum=3.3.0@3", "package:vllm=0.5.4@5"]
        );
        assert_eq!(of("$ pip list | grep torch\ntorch 2.9.0\n$ ls\n"), ["package:torch=2.9.0@2"]);
        assert_eq!(
            of("paddlepaddle-gpu    2.1.1\npaddleslim          2.1.0\nloss       0.25\ntorch (1.4.0)"),
            ["package:paddlepaddle-gpu=2.1.1@1", "package:paddleslim=2.1.0@2", "package:torch=1.4.0@4"]
        );
        assert_eq!(
            of("| Package | Version |\n|---------|---------|\n| torch   | 2.1.0   |\n| einops  | 0.7.0   |"),
            ["package:torch=2.1.0@3", "package:einops=0.7.0@4"]
        );
        assert_eq!(of("torch    2.9.0\nloss     0.25\nstep 100\n"), ["package:torch=2.9.0@1"]);
    }

    #[test]
    fn builds_of_conda_say_what_they_were_made_with() {
        assert_eq!(
            of(
                "$ conda list | egrep '^(mkl|pytorch) '\nmkl                       2024.1\npytorch                   2.0.1   py3.10_cuda11.8_cudnn8.7.0_0\n"
            ),
            [
                "package:mkl=2024.1@2",
                "package:pytorch=2.0.1@3",
                "framework-cuda=11.8@3",
                "framework-cudnn=8.7.0@3"
            ]
        );
        assert_eq!(
            of("[conda] mkl-service               1.1.2            py37h90e4bf4_5  "),
            ["package:mkl-service=1.1.2@1"]
        );
    }

    #[test]
    fn both_distributions_in_one_list_are_a_conflict() {
        let text = "Package Version\n------- -------\npaddlepaddle 2.3.2\npaddlepaddle-gpu 2.3.2\n";
        assert!(of(text).contains(&"error=conflicting-packages@4".to_owned()));
        assert!(
            !of("$ pip list\npaddlepaddle 2.3.2\n$ pip list\npaddlepaddle-gpu 2.3.2\n")
                .iter()
                .any(|f| f.starts_with("error"))
        );
    }
}
