//! What an argument of `kb diagnose` is: a file, standard input, or the text itself.

use super::explain::Explainer;
use std::io::{self, IsTerminal};
use std::path::Path;

/// How the names of files end that are texts: `my train.log` is a file that is not there.
const FILES: [&str; 10] = [".log", ".txt", ".out", ".err", ".json", ".md", ".csv", ".html", ".yaml", ".yml"];

/// The message that was pasted as an argument, where no file is called so.
pub(super) fn message(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let sentence = text.contains(": ");
    let words = text.split_whitespace().count() > 1 || text.contains(['\n', '\u{3000}']);
    let file = FILES.iter().any(|end| text.to_ascii_lowercase().ends_with(end));
    ((sentence || (words && !file)) && !path.exists()).then_some(text)
}

/// At a terminal somebody may wonder why nothing happens.
pub(super) fn tell_waiting(explainer: &Explainer<'_>) {
    if !io::stdin().is_terminal() {
        return;
    }
    let end = if cfg!(windows) { "Ctrl-Z, Enter" } else { "Ctrl-D" };
    let mut screen = explainer.screen();
    screen.para(0, &screen.say("ui-diag-stdin", &[("end", end.to_owned())]));
    screen.print_err();
}

#[cfg(test)]
mod tests {
    use super::message;
    use std::path::Path;

    #[test]
    fn a_sentence_is_no_file() {
        for (argument, is_message) in [
            ("RuntimeError: CUDA error: no kernel image", true),
            ("KeyError: 'x'", true),
            ("CUDA out of memory", true),
            ("error.log", false),
            ("my train.log", false),
            ("-", false),
            ("nowhere", false),
            ("C:\\logs\\x", false),
            ("src/commands", false),
        ] {
            assert_eq!(message(Path::new(argument)).is_some(), is_message, "{argument}");
        }
    }
}
