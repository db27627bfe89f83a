//! Libraries that any program says it did not find. Frameworks' own sentences are for the signatures; here is what
//! loaders and Windows' dialogs say.

use super::found::Found;
use super::library;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "loader",
    words: &[
        "not found",
        "is missing from",
        "cannot open shared",
        "找不到",
        "丢失",
        "to load",
        "annot load",
        "wc -l",
    ],
    read,
};

/// What follows the name of a library that is missing.
const AFTER: [&str; 6] = [
    " was not found",
    " is not found",
    " not found",
    " is missing from",
    ": cannot open shared object file",
    "，无法继续执行代码",
];

/// What stands before it.
const BEFORE: [&str; 7] = [
    "由于找不到",
    "找不到",
    "计算机中丢失",
    "ailed to load",
    "annot load",
    "annot load library",
    "nable to load",
];

/// Reads lines that name a library of the stack together with such words.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        if !text.contains(".so") && !text.contains(".dll") {
            continue;
        }
        let said = AFTER.iter().chain(&BEFORE).any(|words| text.contains(words));
        // ldd's lines have a reader of their own; a loader's trace says "not found" of every place it tries.
        if !said || text.len() > 2000 || text.contains("=>") {
            continue;
        }
        let apart =
            |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '`' | '(' | ')' | ';' | '，' | ':' | ',');
        for word in text.split(apart).filter(|w| library::is_gpu_library(w)) {
            // The words are parts of the text.
            let from = word.as_ptr() as usize - text.as_ptr() as usize;
            let after = text[from + word.len()..].trim_start_matches(['\'', '"', '`']);
            let before = text[..from].trim_end_matches(['\'', '"', '`', ' ']);
            if AFTER.iter().any(|a| after.starts_with(a)) || BEFORE.iter().any(|b| before.ends_with(b)) {
                found.see("library-missing", word, line);
            }
        }
    }
    counts(page, found);
}

/// `find / -name 'libcudnn*' | wc -l` with 0 below it: the line that asks and the line that answers.
fn counts(page: &Page<'_>, found: &mut Found) {
    for command in page.commands.iter().filter(|c| c.text.contains("wc -l")) {
        let Some((_, answer_line, answer)) = page.first_output(command) else { continue };
        let Some((asked_line, _)) = page.line(command.at) else { continue };
        if answer.trim() != "0" {
            continue;
        }
        let words = command.text.split_whitespace().map(|w| w.trim_matches(['\'', '"', '|']));
        let asked = words.filter(|w| w.starts_with("lib") || w.ends_with(".dll")).find(|w| {
            let stem = w.trim_end_matches('*').trim_end_matches(".so");
            library::is_gpu_library(&format!("{stem}.so"))
        });
        if let Some(name) = asked {
            found.see("library-missing", name, asked_line);
            found.made("library-missing", name, answer.trim(), answer_line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("loader");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn what_loaders_and_dialogs_say() {
        assert_eq!(
            of(
                "The code execution cannot proceed because cudart64_110.dll was not found. Reinstalling\n由于找不到 cublas64_11.dll，无法继续执行代码。\ndlopen: libcuda.so.1 not found\nOSError: cannot load library 'libnvrtc.so.12': x\nFailed to load libcudart.so.11.0"
            ),
            [
                "library-missing=cudart64_110.dll@1",
                "library-missing=cublas64_11.dll@2",
                "library-missing=libcuda.so.1@3",
                "library-missing=libnvrtc.so.12@4",
                "library-missing=libcudart.so.11.0@5"
            ]
        );
        // What could not be loaded for want of another is there.
        assert_eq!(
            of(
                "Failed to load library libonnxruntime_providers_cuda.so with error: libcudnn.so.8: cannot open shared object file"
            ),
            ["library-missing=libcudnn.so.8@1"]
        );
        assert_eq!(of("libcuda.so.1 => not found\nlibcudnn.so.8 was found"), [""; 0]);
    }

    #[test]
    fn a_count_of_none() {
        assert_eq!(
            of(
                "$ find / -name 'libcudnn*' 2>/dev/null | wc -l\n0\n$ ldconfig -p | grep libcublas | wc -l\n4"
            ),
            ["library-missing=libcudnn*@1", "library-missing=libcudnn*@2"]
        );
    }
}
