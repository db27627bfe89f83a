//! A line of a text.

/// A line as it is read: without colour codes, marks of a quotation, HTML entities and the line end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Counted from 1 in the decoded text.
    pub number: usize,
    /// What it says.
    pub text: std::borrow::Cow<'a, str>,
}

impl<'a> Line<'a> {
    /// The lines of a text, as they are.
    pub fn all(text: &'a str) -> Vec<Line<'a>> {
        text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text: text.into() }).collect()
    }
}
