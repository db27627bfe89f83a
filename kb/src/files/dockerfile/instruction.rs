//! The instructions of a Dockerfile: comments, continued lines, here-documents.

/// An instruction with its texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Instruction {
    /// Where it begins, counted from 1.
    pub line: usize,
    /// `FROM`, `RUN`, in capitals.
    pub word: String,
    /// What follows, in one line.
    pub rest: String,
    /// The here-documents behind it.
    pub documents: Vec<String>,
}

/// All instructions of a file.
pub(super) fn instructions(text: &str) -> Vec<Instruction> {
    let escape = escape(text);
    let mut out = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if skipped(line) {
            continue;
        }
        let mut whole = String::new();
        let mut piece = line;
        // A comment or an empty line does not end what the line before it continues.
        while let Some(continued) = piece.trim_end().strip_suffix(escape) {
            whole.push_str(continued);
            whole.push(' ');
            match lines.find(|(_, l)| !skipped(l)) {
                Some((_, next)) => piece = next,
                None => {
                    piece = "";
                    break;
                }
            }
        }
        whole.push_str(piece);
        let (word, rest) = whole.trim().split_once(char::is_whitespace).unwrap_or((whole.trim(), ""));
        let mut instruction = Instruction {
            line: index + 1,
            word: word.to_ascii_uppercase(),
            rest: rest.trim().to_owned(),
            documents: Vec::new(),
        };
        if matches!(&*instruction.word, "RUN" | "COPY" | "ADD") {
            for (name, tabs) in delimiters(&instruction.rest) {
                let mut document = String::new();
                for (_, line) in lines.by_ref() {
                    let line = if tabs { line.trim_start_matches('\t') } else { line };
                    if line == name {
                        break;
                    }
                    document.push_str(line);
                    document.push('\n');
                }
                instruction.documents.push(document);
            }
        }
        out.push(instruction);
    }
    out
}

fn skipped(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// What continues a line: a backslash, unless the comments at the top say otherwise, as they do for Windows.
fn escape(text: &str) -> char {
    let top = text.lines().map_while(|l| l.trim_start().strip_prefix('#'));
    let value = top
        .filter_map(|l| l.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("escape"))
        .and_then(|(_, value)| value.trim().chars().next());
    value.unwrap_or('\\')
}

/// The ends of the here-documents that a line opens (`<<EOF`, `<<-"EOF"`), and whether their tabs are dropped.
fn delimiters(line: &str) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("<<") {
        let after = &rest[at + 2..];
        if after.starts_with('<') {
            rest = after.trim_start_matches('<');
            continue;
        }
        let (after, tabs) = after.strip_prefix('-').map_or((after, false), |a| (a, true));
        let bare = after.trim_start_matches(['"', '\'']);
        let length = crate::files::variables::name_length(bare);
        if length > 0 {
            out.push((bare[..length].to_owned(), tabs));
        }
        rest = &bare[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_documents() {
        let all = instructions(
            "# syntax=docker/dockerfile:1\nfrom a\n\nRUN x \\\n  # why\n\n  && y\nRUN <<EOF cat <<-'B'\nFROM z\nEOF\n\tlast\n\tB\nRUN $((1<<2)) <<<w\ncmd",
        );
        let shown: Vec<String> =
            all.iter().map(|i| format!("{} {} {} {:?}", i.line, i.word, i.rest, i.documents)).collect();
        assert_eq!(
            shown,
            [
                "2 FROM a []",
                "4 RUN x    && y []",
                "8 RUN <<EOF cat <<-'B' [\"FROM z\\n\", \"last\\n\"]",
                "13 RUN $((1<<2)) <<<w []",
                "14 CMD  []"
            ]
        );
        let windows = instructions("# escape=`\nFROM a\nRUN x `\n y c:\\\nRUN z");
        assert_eq!(windows.len(), 3);
        assert_eq!(instructions("RUN a \\").len(), 1);
        assert_eq!(instructions("RUN <<A\nx")[0].documents, ["x\n"]);
    }
}
