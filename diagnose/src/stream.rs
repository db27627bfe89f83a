//! Bytes that come in pieces → text, whatever they were written in.

use crate::text;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Decodes piece by piece. What it is written in is decided by its beginning.
#[derive(Default)]
pub(crate) struct Decoder {
    /// Another encoding than UTF-8.
    other: Option<encoding_rs::Decoder>,
    name: Option<&'static str>,
    /// The beginning of a line whose end has not come.
    rest: Vec<u8>,
    /// Where decoded text of other encodings is made.
    buffer: String,
}

/// A line longer than this is cut.
const LONGEST: usize = 1 << 16;

impl Decoder {
    /// Decides by the beginning of a text.
    pub(crate) fn of(start: &[u8]) -> Self {
        let mut out = Decoder::default();
        if let Some(encoding) = wide(start) {
            out.name = Some(encoding.name());
            out.other = Some(encoding.new_decoder_with_bom_removal());
        }
        out
    }

    /// What it was written in.
    pub(crate) fn name(&self) -> &'static str {
        self.name.unwrap_or("UTF-8")
    }

    /// Decodes a piece; whole lines are given away, except for one that grows too long.
    pub(crate) fn feed(&mut self, bytes: &[u8], last: bool, mut give: impl FnMut(&str)) {
        if let Some(decoder) = &mut self.other {
            self.buffer.clear();
            self.buffer.reserve(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len() * 3 + 16));
            // There is room for all of it, and what is no character becomes U+FFFD.
            let _ = decoder.decode_to_string(bytes, &mut self.buffer, last);
            give(&self.buffer);
            return;
        }
        let mut bytes = bytes;
        if !self.rest.is_empty() {
            let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |i| i + 1);
            self.rest.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end..];
            if !(last || self.rest.ends_with(b"\n") || self.rest.len() > LONGEST) {
                return;
            }
            let line = std::mem::take(&mut self.rest);
            self.lines(&line, &mut give);
        }
        let end = if last { bytes.len() } else { memchr::memrchr(b'\n', bytes).map_or(0, |i| i + 1) };
        self.lines(&bytes[..end], &mut give);
        self.rest.extend_from_slice(&bytes[end..]);
    }

    /// Lines of UTF-8; those that are not are in the code page of a console.
    fn lines(&mut self, bytes: &[u8], give: &mut impl FnMut(&str)) {
        if bytes.is_empty() {
            return;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => give(text),
            // No text at all: which code page it is in is no question.
            Err(_) if is_no_text(bytes) => give(&String::from_utf8_lossy(bytes)),
            Err(_) => {
                let decoded = text::decode(bytes);
                self.name.get_or_insert(decoded.encoding);
                give(&decoded.text);
            }
        }
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Bytes of a program or an archive: of text hardly a byte is a control character, of those one in ten.
fn is_no_text(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(4096)];
    let control = sample.iter().filter(|b| matches!(b, 0..=7 | 14..=26 | 28..=31)).count();
    sample.len() >= 64 && control * 25 > sample.len()
}

/// UTF-16, told by its mark or by the zeros of its ASCII letters; a marked UTF-8 as well.
fn wide(start: &[u8]) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return (encoding != UTF_8).then_some(encoding);
    }
    let pairs = start.chunks_exact(2).take(512);
    let (mut count, mut low, mut high) = (0, 0, 0);
    for pair in pairs {
        count += 1;
        high += usize::from(pair[0] == 0 && pair[1] != 0);
        low += usize::from(pair[1] == 0 && pair[0] != 0);
    }
    match count {
        0..4 => None,
        _ if low * 2 > count => Some(UTF_16LE),
        _ if high * 2 > count => Some(UTF_16BE),
        _ => None,
    }
}

/// Text in which a message stands as it was printed: colour codes, HTML entities and typographic quotes are resolved
/// where there are any.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !is_marked(text.as_bytes()) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        out.push_str(&text::clean(line));
        out.push_str(end);
    }
    out.into()
}

/// Is there anything in it that is not printed so? Most text is plain, and each pass over it takes its time.
fn is_marked(bytes: &[u8]) -> bool {
    let entities: [&[u8]; 5] = [b"&#", b"&quot;", b"&lt;", b"&gt;", b"&amp;"];
    let marked = |at: usize| bytes[at] == 0x1b || entities.iter().any(|e| bytes[at..].starts_with(e));
    if memchr::memchr2_iter(0x1b, b'&', bytes).any(marked) {
        return true;
    }
    let quotes = ["\u{2018}", "\u{2019}", "\u{201c}", "\u{201d}"];
    let quoted = |at: usize| quotes.iter().any(|quote| bytes[at..].starts_with(quote.as_bytes()));
    !bytes.is_ascii()
        && (memchr::memmem::find_iter(bytes, b"\xe2\x80").any(quoted)
            || memchr::memmem::find(bytes, "\u{a0}".as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], piece: usize) -> String {
        let mut decoder = Decoder::of(bytes);
        let mut out = String::new();
        for piece in bytes.chunks(piece) {
            decoder.feed(piece, false, |t| out.push_str(t));
        }
        decoder.feed(&[], true, |t| out.push_str(t));
        out
    }

    #[test]
    fn pieces_give_the_same_text_as_the_whole() {
        let text = "第一行\nsecond line\n没有结尾";
        let utf16: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for piece in [1, 2, 3, 7, 1000] {
            assert_eq!(decoded(text.as_bytes(), piece), text);
            assert_eq!(decoded(&utf16, piece), text);
        }
    }
}
