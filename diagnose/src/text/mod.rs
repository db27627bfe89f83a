//! stub
use crate::Line;
use std::borrow::Cow;
pub struct Decoded {
    pub text: String,
    pub encoding: &'static str,
}
pub fn decode(bytes: &[u8]) -> Decoded {
    Decoded { text: String::from_utf8_lossy(bytes).into_owned(), encoding: "utf-8" }
}
pub fn clean(line: &str) -> Cow<'_, str> {
    line.into()
}
pub fn lines(text: &str) -> Vec<Line<'_>> {
    Line::all(text)
}
pub fn joined<'a>(_: &[Line<'a>]) -> Vec<Line<'a>> {
    Vec::new()
}
