//! Shell text as far as it can be read without being run: commands, their words, and what stays open.

use super::variables::{Open, Variables, name_length};

/// A word of a command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Word {
    /// With its variables filled in and without quotes.
    pub text: String,
    /// As written.
    pub written: String,
    /// Why the text is not all of it.
    pub open: Option<Open>,
}

impl From<String> for Word {
    fn from(text: String) -> Word {
        Word { written: text.clone(), text, open: None }
    }
}

/// A command with its words.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// Does it run whatever the others give? Not inside `if`, behind `||`, behind a test.
    pub certain: bool,
    /// `torch>=2.0` without quotes: the shell takes the second half for a file.
    pub cut: Vec<String>,
    /// Variables set for it alone.
    pub own: Variables,
}

/// Commands whose result is asked for, not their work.
const TESTS: [&str; 8] = ["[", "[[", "test", "grep", "command", "which", "type", "hash"];
/// Words that open and that close a part which may run or not, or more than once.
const OPENING: [&str; 6] = ["if", "while", "until", "for", "case", "select"];
const CLOSING: [&str; 3] = ["fi", "done", "esac"];
/// Words in front of a command that change nothing about what it installs.
const LEADING: [&str; 6] = ["then", "do", "else", "elif", "{", "!"];

/// The commands of a script; what it sets is known to those that follow.
pub(super) fn commands(script: &str, variables: &mut Variables) -> Vec<Command> {
    let mut reader = Reader::new(variables, true);
    reader.read(script);
    reader.command("\n");
    reader.commands
}

/// The words of an instruction's line: quotes and variables, but no operators.
pub(super) fn words(line: &str, variables: &mut Variables) -> Vec<Word> {
    let mut reader = Reader::new(variables, false);
    reader.read(line);
    reader.word();
    reader.words
}

struct Reader<'a> {
    variables: &'a mut Variables,
    /// Do `;`, `|`, `>` and their like mean something?
    operators: bool,
    commands: Vec<Command>,
    words: Vec<Word>,
    cut: Vec<String>,
    /// The word that is being read.
    current: Option<Word>,
    /// A redirection whose file comes next: what stood directly in front of it and it itself.
    redirection: Option<Option<String>>,
    depth: usize,
    /// Does what follows hang on the result of what came before?
    hanging: bool,
}

impl<'a> Reader<'a> {
    fn new(variables: &'a mut Variables, operators: bool) -> Self {
        Reader {
            variables,
            operators,
            commands: Vec::new(),
            words: Vec::new(),
            cut: Vec::new(),
            current: None,
            redirection: None,
            depth: 0,
            hanging: false,
        }
    }

    fn read(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = self.step(c, rest).max(c.len_utf8());
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    /// Reads what stands at the beginning of `rest`; gives its length.
    fn step(&mut self, c: char, rest: &str) -> usize {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let next = after.chars().next();
                if let Some(next) = next.filter(|n| *n != '\n') {
                    self.push(next, &rest[..1 + next.len_utf8()]);
                }
                1 + next.map_or(0, char::len_utf8)
            }
            '\'' => {
                let end = after.find('\'').unwrap_or(after.len());
                self.add(&after[..end], &rest[..(end + 2).min(rest.len())]);
                end + 2
            }
            '"' => self.double_quoted(after),
            '`' => {
                let end = after.find('`').unwrap_or(after.len());
                self.leave_open(Open::Output, &rest[..(end + 2).min(rest.len())]);
                end + 2
            }
            '$' => self.dollar(rest, false),
            '#' if self.operators && self.current.is_none() => rest.find('\n').unwrap_or(rest.len()),
            '\n' if self.operators => {
                self.command("\n");
                1
            }
            c if c.is_whitespace() => {
                self.word();
                c.len_utf8()
            }
            '<' | '>' if self.operators => self.redirect(rest),
            '&' if self.operators && after.starts_with('>') => {
                self.word();
                1
            }
            ';' | '&' | '|' | '(' | ')' if self.operators => {
                let double = after.starts_with(c) && c != '(' && c != ')';
                self.command(&rest[..1 + usize::from(double)]);
                1 + usize::from(double)
            }
            c => {
                self.push(c, &rest[..c.len_utf8()]);
                c.len_utf8()
            }
        }
    }

    fn push(&mut self, c: char, written: &str) {
        self.add(c.encode_utf8(&mut [0; 4]), written);
    }

    fn add(&mut self, text: &str, written: &str) {
        let word = self.current.get_or_insert_default();
        word.text.push_str(text);
        word.written.push_str(written);
    }

    fn leave_open(&mut self, open: Open, written: &str) {
        let word = self.current.get_or_insert_default();
        word.open.get_or_insert(open);
        word.written.push_str(written);
    }

    fn double_quoted(&mut self, inside: &str) -> usize {
        self.add("", "\"");
        let mut rest = inside;
        while let Some(c) = rest.chars().next() {
            let length = match c {
                '"' => {
                    self.add("", "\"");
                    return 2 + inside.len() - rest.len();
                }
                '\\' if rest[1..].starts_with(['$', '`', '"', '\\']) => {
                    self.add(&rest[1..2], &rest[..2]);
                    2
                }
                '$' => self.dollar(rest, true),
                '`' => {
                    let end = rest[1..].find('`').map_or(rest.len(), |e| e + 2);
                    self.leave_open(Open::Output, &rest[..end]);
                    end
                }
                c => {
                    self.push(c, &rest[..c.len_utf8()]);
                    c.len_utf8()
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        1 + inside.len()
    }

    /// A variable, or the output of a command.
    fn dollar(&mut self, rest: &str, quoted: bool) -> usize {
        let after = &rest[1..];
        if after.starts_with('(') {
            let end = 1 + parenthesis(after);
            self.leave_open(Open::Output, &rest[..end]);
            return end;
        }
        let Some((value, length)) = self.variables.parameter(after) else {
            self.add("$", "$");
            return 1;
        };
        let written = &rest[..=length];
        match value {
            Err(open) => self.leave_open(open, written),
            // Without quotes the shell makes words of it.
            Ok(value) if self.operators && !quoted && value.contains(char::is_whitespace) => {
                for piece in value.split_inclusive(char::is_whitespace) {
                    if !piece.trim().is_empty() {
                        self.add(piece.trim(), piece.trim());
                    }
                    if piece.ends_with(char::is_whitespace) {
                        self.word();
                    }
                }
            }
            Ok(value) => self.add(&value, written),
        }
        1 + length
    }

    fn redirect(&mut self, rest: &str) -> usize {
        // `<(…)` and `>(…)` are files with what a command prints.
        if rest[1..].starts_with('(') {
            let end = 1 + parenthesis(&rest[1..]);
            self.leave_open(Open::Output, &rest[..end]);
            return end;
        }
        let length = rest.find(|c| !matches!(c, '<' | '>' | '&' | '|' | '-')).unwrap_or(rest.len());
        let glued = match self.current.take() {
            // 2>&1: the number is part of the redirection.
            Some(word) if !word.text.is_empty() && word.text.bytes().all(|b| b.is_ascii_digit()) => None,
            Some(word) => {
                let front = format!("{}{}", word.written, &rest[..length]);
                self.current = Some(word);
                Some(front)
            }
            None => None,
        };
        self.word();
        self.redirection = Some(glued);
        length
    }

    /// Ends the word.
    fn word(&mut self) {
        let Some(word) = self.current.take() else { return };
        match self.redirection.take() {
            Some(glued) => {
                self.cut.extend(glued.map(|front| format!("{front}{}", word.written)));
            }
            None if word.text.is_empty() && word.open.is_none() && word.written.starts_with('$') => {}
            None => self.words.push(word),
        }
    }

    /// Ends the command; `operator` is what stands behind it.
    fn command(&mut self, operator: &str) {
        self.word();
        self.redirection = None;
        let mut words = std::mem::take(&mut self.words);
        let mut command = Command { cut: std::mem::take(&mut self.cut), ..Command::default() };
        while let Some(first) = words.first().map(|w| w.written.as_str()) {
            if OPENING.contains(&first) {
                self.depth += 1;
            } else if CLOSING.contains(&first) {
                self.depth = self.depth.saturating_sub(1);
            } else if !LEADING.contains(&first) {
                break;
            }
            let heads_list = matches!(first, "for" | "case" | "select");
            words.remove(0);
            if heads_list {
                words.clear();
            }
        }
        command.certain = self.depth == 0 && !self.hanging;
        let exports = words.first().is_some_and(|w| matches!(&*w.text, "export" | "declare" | "local"));
        let assignments = words.iter().skip(usize::from(exports)).take_while(|w| assignment(w).is_some());
        let count = usize::from(exports) + assignments.count();
        let alone = count == words.len();
        for word in words.drain(..count) {
            let Some((name, value)) = assignment(&word) else { continue };
            let value = match word.open.clone() {
                Some(open) => Err(open),
                None if command.certain => Ok(value.to_owned()),
                // Set on one of several ways.
                None => Err(Open::Variable(name.to_owned())),
            };
            if alone { &mut *self.variables } else { &mut command.own }.set(name, value);
        }
        let tests = words.first().is_some_and(|w| TESTS.contains(&&*w.text));
        self.hanging = match operator {
            "&&" => self.hanging || tests,
            "||" => true,
            _ => false,
        };
        if !words.is_empty() {
            command.words = words;
            self.commands.push(command);
        }
    }
}

/// `NAME=value`.
fn assignment(word: &Word) -> Option<(&str, &str)> {
    let length = name_length(&word.written);
    let is = length > 0 && word.written[length..].starts_with('=');
    is.then(|| word.text.split_once('=')).flatten()
}

/// The length of a text in parentheses that begins here, with those inside it.
fn parenthesis(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> Vec<(String, bool)> {
        let mut variables = Variables::default();
        variables.set("TORCH", Ok("2.9.1".to_owned()));
        variables.set("BOTH", Ok("a==1 b==2".to_owned()));
        let join = |c: Command| {
            let words: Vec<String> = c.words.into_iter().map(|w| w.text).collect();
            (words.join("|"), c.certain)
        };
        commands(script, &mut variables).into_iter().map(join).collect()
    }

    fn one(script: &str) -> String {
        let all = read(script);
        assert_eq!(all.len(), 1, "{all:?}");
        all[0].0.clone()
    }

    #[test]
    fn words_as_a_shell_makes_them() {
        assert_eq!(one("pip install torch==$TORCH"), "pip|install|torch==2.9.1");
        assert_eq!(one("pip install 'torch==$TORCH' \"x>=${TORCH}\""), "pip|install|torch==$TORCH|x>=2.9.1");
        assert_eq!(one("pip install $BOTH \"$BOTH\" # and"), "pip|install|a==1|b==2|a==1 b==2");
        assert_eq!(one("pip install a 2>&1 >/dev/null"), "pip|install|a");
        assert_eq!(one("X=3.1 pip install \\\n a"), "pip|install|a");
        assert_eq!(one("V=3; pip install a==$V\\ b"), "pip|install|a==3 b");
        assert_eq!(one("pip install \"é$TORCH"), "pip|install|é2.9.1");
        let cut = commands("pip install torch>=2.0 x", &mut Variables::default());
        assert_eq!(cut[0].cut, ["torch>=2.0"]);
        let open = commands("pip install a==$(cat v) b==$NONE", &mut Variables::default());
        assert_eq!(open[0].words[2].open, Some(Open::Output));
        assert_eq!(open[0].words[3].open, Some(Open::Variable("NONE".to_owned())));
    }

    #[test]
    fn what_may_not_run_is_not_certain() {
        let certain = |script: &str| read(script).iter().map(|c| c.1).collect::<Vec<_>>();
        assert_eq!(certain("a && b; c | d & e\nf"), [true; 6]);
        assert_eq!(certain("a || b && c; d"), [true, false, false, true]);
        assert_eq!(certain("[ x ] && b; c"), [true, false, true]);
        assert_eq!(certain("if a; then b; else c; fi; d"), [false, false, false, true]);
        assert_eq!(certain("for x in a b; do c; done && d"), [false, true]);
        assert_eq!(certain("(a; b) && c"), [true, true, true]);
    }

    #[test]
    fn nothing_breaks_it() {
        for script in ["$", "${", "$(", "'", "\"", "\\", "`", "<", "a<(", ">é", "\"\\", "\"`é", "fi", "&>x é"]
        {
            read(script);
        }
    }
}
