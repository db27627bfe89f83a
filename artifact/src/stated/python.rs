//! Assignments of literals in a Python file, without running it.

/// A literal.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// Text.
    Text(String),
    /// A number, as written.
    Number(String),
    /// `True` or `False`.
    Bool(bool),
    /// `None`.
    Nothing,
    /// A list, a tuple or a set.
    List(Vec<Value>),
    /// A dictionary.
    Dict(Vec<(Value, Value)>),
}

impl Value {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    /// The value of a key in a dictionary, or in a list of pairs.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Dict(pairs) => pairs.iter().rev().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v),
            Value::List(items) => items.iter().rev().find_map(|item| match item {
                Value::List(pair) => match pair.as_slice() {
                    [k, v] if k.text() == Some(key) => Some(v),
                    _ => None,
                },
                _ => None,
            }),
            _ => None,
        }
    }
}

/// Brackets in brackets that are followed.
const DEEPEST: usize = 16;

/// Names that one statement gives a value. Version files have one.
const MOST_NAMES: usize = 8;

/// All assignments at the beginning of a line, in order; a name can come several times, and the last one counts.
///
/// Reads `a = 1`, `a: Optional[str] = '1'`, `a = b = '1'`, `a = collections.OrderedDict([…])`. Others are passed over.
pub(super) fn assignments(bytes: &[u8]) -> Vec<(String, Value)> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}') };
    let mut out = Vec::new();
    while !reader.rest.is_empty() {
        reader.statement(&mut out);
        reader.pass_line();
    }
    out
}

/// The last value of a name.
pub(super) fn last<'a>(all: &'a [(String, Value)], name: &str) -> Option<&'a Value> {
    all.iter().rev().find(|(n, _)| n == name).map(|(_, v)| v)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Reads an assignment if one stands here; leaves `rest` somewhere before the end of the statement.
    fn statement(&mut self, out: &mut Vec<(String, Value)>) {
        let mut names = Vec::new();
        loop {
            let before = self.rest;
            let Some(name) = self.name() else { break };
            self.spaces();
            if self.rest.starts_with(':') {
                self.annotation();
            }
            if self.rest.starts_with('=') && !self.rest.starts_with("==") {
                self.rest = &self.rest[1..];
                self.spaces();
                names.push(name);
            } else {
                self.rest = before;
                break;
            }
        }
        // Each name gets a value of its own, so that many names and a long value are memory with their product.
        if names.is_empty() || names.len() > MOST_NAMES {
            return;
        }
        let before = self.rest;
        match self.value(0).filter(|_| self.at_end()) {
            Some(value) => out.extend(names.into_iter().map(|n| (n, value.clone()))),
            // Passed over from its beginning, so that strings are seen whole.
            None => self.rest = before,
        }
    }

    /// After the literal the statement has to end: `'a' + b` is not a literal.
    fn at_end(&self) -> bool {
        let rest = self.rest.trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with(['\n', '#', ';'])
    }

    fn name(&mut self) -> Option<String> {
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = rest;
        Some(name.to_owned())
    }

    fn spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// `: Optional[str]`, up to the equals sign on the same line.
    fn annotation(&mut self) {
        let end = self.rest.find(['=', '\n', '#', '\'', '"']).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    /// White space, comments and line ends, as between brackets.
    fn gaps(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n', '\\']);
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let first = self.rest.chars().next()?;
        match first {
            '\'' | '"' => self.texts(depth).map(Value::Text),
            '[' => self.items(']', depth).map(Value::List),
            '(' => {
                // One value in parentheses is that value; a comma makes a tuple.
                let mut items = self.items(')', depth)?;
                Some(if items.len() == 1 { items.remove(0) } else { Value::List(items) })
            }
            '{' => self.dict(depth),
            '0'..='9' | '-' | '+' | '.' => self.number(),
            _ => self.word(depth),
        }
    }

    /// Strings that follow each other are one.
    fn texts(&mut self, depth: usize) -> Option<String> {
        let mut text = self.text()?;
        loop {
            let before = self.rest;
            if depth > 0 {
                self.gaps();
            } else {
                self.spaces();
            }
            if !self.rest.starts_with(['\'', '"']) {
                self.rest = before;
                return Some(text);
            }
            text.push_str(&self.text()?);
        }
    }

    fn text(&mut self) -> Option<String> {
        let quote = &self.rest[..1];
        let triple = if quote == "'" { "'''" } else { "\"\"\"" };
        let end = if self.rest.starts_with(triple) { triple } else { quote };
        self.rest = &self.rest[end.len()..];
        let mut text = String::new();
        loop {
            if let Some(rest) = self.rest.strip_prefix(end) {
                self.rest = rest;
                return Some(text);
            }
            let mut chars = self.rest.chars();
            match chars.next()? {
                '\n' if end.len() == 1 => return None,
                // Escapes that paths and names have; others stay as they are.
                '\\' => match chars.next()? {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    '\n' => {}
                    c @ ('\\' | '\'' | '"') => text.push(c),
                    c => text.extend(['\\', c]),
                },
                c => text.push(c),
            }
            self.rest = chars.as_str();
        }
    }

    fn items(&mut self, close: char, depth: usize) -> Option<Vec<Value>> {
        self.rest = &self.rest[1..];
        let mut items = Vec::new();
        loop {
            self.gaps();
            if let Some(rest) = self.rest.strip_prefix(close) {
                self.rest = rest;
                return Some(items);
            }
            items.push(self.value(depth + 1)?);
            self.gaps();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.starts_with(close) => {}
                None => return None,
            }
        }
    }

    fn dict(&mut self, depth: usize) -> Option<Value> {
        self.rest = &self.rest[1..];
        let mut pairs = Vec::new();
        loop {
            self.gaps();
            if let Some(rest) = self.rest.strip_prefix('}') {
                self.rest = rest;
                return Some(Value::Dict(pairs));
            }
            let key = self.value(depth + 1)?;
            self.gaps();
            self.rest = self.rest.strip_prefix(':')?;
            self.gaps();
            pairs.push((key, self.value(depth + 1)?));
            self.gaps();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.starts_with('}') => {}
                None => return None,
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+')))
            .unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.contains(|c: char| c.is_ascii_digit()).then(|| Value::Number(number.to_owned()))
    }

    /// `True`, `None`, a string with a prefix, or a call of a container with one literal.
    fn word(&mut self, depth: usize) -> Option<Value> {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            "None" => Some(Value::Nothing),
            "u" | "r" if rest.starts_with(['\'', '"']) => self.texts(depth).map(Value::Text),
            "collections.OrderedDict" | "OrderedDict" | "dict" | "list" | "tuple"
                if rest.starts_with('(') =>
            {
                let mut items = self.items(')', depth)?;
                if items.len() == 1 { items.pop() } else { None }
            }
            _ => None,
        }
    }

    /// To the beginning of the next line that is not inside a string.
    fn pass_line(&mut self) {
        while let Some(at) = self.rest.find(['\n', '\'', '"', '#', '\\']) {
            let found = self.rest.as_bytes()[at];
            self.rest = &self.rest[at..];
            match found {
                b'\n' => {
                    self.rest = &self.rest[1..];
                    return;
                }
                // What follows a backslash begins no string; without this, broken files take time with their square.
                b'\\' => {
                    let mut chars = self.rest.chars();
                    chars.nth(1);
                    self.rest = chars.as_str();
                }
                b'#' => self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]),
                _ => {
                    let before = self.rest;
                    if self.text().is_none() {
                        // Not a string after all; its line is.
                        self.rest = before.find('\n').map_or("", |end| &before[end..]);
                    }
                }
            }
        }
        self.rest = "";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Option<Value> {
        last(&assignments(text.as_bytes()), "a").cloned()
    }

    #[test]
    fn literals() {
        assert_eq!(one("a = '1'"), Some(Value::Text("1".into())));
        assert_eq!(one("a: Optional[str] = \"1\" # x"), Some(Value::Text("1".into())));
        assert_eq!(one("x = 'y'\r\na = b = True\r\n"), Some(Value::Bool(true)));
        assert_eq!(one("a = None\n"), Some(Value::Nothing));
        assert_eq!(one("a = ('x'\n 'y')"), Some(Value::Text("xy".into())));
        assert_eq!(
            one("a = collections.OrderedDict([('k', [1, 2])])").unwrap().get("k"),
            Some(&Value::List(vec![Value::Number("1".into()), Value::Number("2".into())]))
        );
        assert_eq!(one("a = {'k': 'v', # c\n}").unwrap().get("k").and_then(Value::text), Some("v"));
    }

    #[test]
    fn what_is_not_an_assignment_of_a_literal() {
        for text in [
            "a == '1'",
            " a = '1'",
            "a = f()",
            "a = 'x' + y",
            "\"\"\"\na = '1'\n\"\"\"",
            "# a = 1",
            "a = 'x",
            "x = '''\na = 'q'\n'''",
            "a = [1, 2",
            "a",
        ] {
            assert_eq!(one(text), None, "{text}");
        }
        assert_eq!(one(&format!("a = {}", "[".repeat(100_000))), None);
    }

    #[test]
    fn broken_files_take_no_time() {
        for line in ["\\'''\n", "a = '''\n", "a = ['\n", "a = [1,\n", "\"\"\"'''\n", "a = {1:[\n", "a=b=c=\n"]
        {
            assignments(line.repeat(50_000).as_bytes());
        }
    }

    #[test]
    fn many_names_of_a_long_value_take_no_memory() {
        let text = format!("{}[{}]\nb = 1\n", "a = ".repeat(100_000), "1, ".repeat(100_000));
        assert_eq!(assignments(text.as_bytes()), [("b".to_owned(), Value::Number("1".into()))]);
        assert_eq!(one("x = y = a = 'v'"), Some(Value::Text("v".into())));
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read_without_a_panic(text in "[ab='\"\\[\\](){}:,#\n\\\\ .0-9é]{0,80}", bytes: Vec<u8>) {
            assignments(text.as_bytes());
            assignments(&bytes);
        }
    }
}
