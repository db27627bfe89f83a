//! RECORD: the files a wheel installs.

use std::borrow::Cow;

/// Rows that are kept. The largest real wheels have 20,000.
const MOST_ROWS: usize = 1 << 18;

/// RECORD. Source: the binary distribution format's specification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// A row for each file.
    pub rows: Vec<RecordRow>,
    /// Lines that are not rows, or come behind so many that they are not kept.
    pub unread: u64,
}

/// A row of RECORD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordRow {
    /// The file, with `/`.
    pub path: String,
    /// `sha256=…`, URL-safe base64 without padding; RECORD itself has none.
    pub hash: Option<String>,
    /// Bytes; RECORD itself has none.
    pub size: Option<u64>,
}

impl Record {
    /// Reads the lines. Never fails: what is not a row is counted.
    pub fn parse(bytes: &[u8]) -> Record {
        Record::parse_some(bytes, |_| true)
    }

    /// The same of those lines alone that are wanted: of most files of a large package nobody wants to know.
    pub fn parse_some(bytes: &[u8], mut wanted: impl FnMut(&str) -> bool) -> Record {
        let mut out = Record::default();
        // Text that has to be replaced is looked for byte by byte, which costs more than all else that is done here.
        let text = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
        for line in text.lines().filter(|l| !l.trim().is_empty() && wanted(l)) {
            match row(line).filter(|_| out.rows.len() < MOST_ROWS) {
                Some(row) => out.rows.push(row),
                None => out.unread += 1,
            }
        }
        out
    }
}

/// CSV of three fields, of which only the first is ever quoted.
fn row(line: &str) -> Option<RecordRow> {
    let (path, rest) = match line.strip_prefix('"') {
        Some(quoted) => {
            let mut path = String::new();
            let mut rest = quoted;
            loop {
                let (part, after) = rest.split_once('"')?;
                path.push_str(part);
                // Two quotes are one that belongs to the name.
                match after.strip_prefix('"') {
                    Some(after) => {
                        path.push('"');
                        rest = after;
                    }
                    None => break (path, after.strip_prefix(',')?),
                }
            }
        }
        None => {
            let (path, rest) = line.split_once(',')?;
            (path.to_owned(), rest)
        }
    };
    let (hash, size) = rest.split_once(',')?;
    let size = match size.trim() {
        "" => None,
        digits => Some(digits.parse().ok()?),
    };
    Some(RecordRow { path, hash: (!hash.is_empty()).then(|| hash.to_owned()), size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let read =
            Record::parse(b"a/b.py,sha256=abc,12\n\"a,\"\"b\"\".py\",sha256=x,3\na/RECORD,,\n\nnonsense\n");
        assert_eq!(read.unread, 1);
        let many = Record::parse(&b"a,,\n".repeat(MOST_ROWS + 3));
        assert_eq!((many.rows.len(), many.unread), (MOST_ROWS, 3));
        let paths: Vec<_> = read.rows.iter().map(|r| (r.path.as_str(), r.size)).collect();
        assert_eq!(paths, [("a/b.py", Some(12)), ("a,\"b\".py", Some(3)), ("a/RECORD", None)]);
    }
}
