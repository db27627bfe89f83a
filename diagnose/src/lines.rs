//! Bytes of one stream, as they come → whole lines of text.
//!
//! Two streams of a program are read at once, each perhaps in an encoding of its own; only whole lines of them can be
//! put behind each other.

use crate::stream::Decoder;

/// So many bytes decide in which encoding a stream is written.
const ENOUGH: usize = 64;

/// A longer line is given in pieces: what draws its progress on one line never ends it.
const LONGEST: usize = 1 << 16;

/// Of less it cannot be told whether it is text.
const SMALLEST_BINARY: usize = 512;

/// The state between two pieces of a stream.
#[derive(Debug, Default)]
pub struct Lines {
    /// Once it is known how the stream is written.
    decoder: Option<Decoder>,
    /// The first bytes, until then.
    start: Vec<u8>,
    /// The beginning of a line whose end has not come.
    rest: String,
}

impl Lines {
    /// The next piece: `give` gets the lines that are whole with it, each with its end.
    pub fn push(&mut self, bytes: &[u8], give: &mut dyn FnMut(&str)) {
        match &self.decoder {
            Some(decoder) if is_binary(bytes) && !decoder.name().starts_with("UTF-16") => {}
            Some(_) => self.decode(bytes, false),
            None => {
                self.start.extend_from_slice(bytes);
                // A whole line is enough too: it may be all that comes for an hour.
                if self.start.len() >= ENOUGH || self.start.ends_with(b"\n") {
                    self.begin();
                }
            }
        }
        let end = memchr::memrchr(b'\n', self.rest.as_bytes()).map_or(0, |i| i + 1);
        if end > 0 {
            give(&self.rest[..end]);
            self.rest.drain(..end);
        }
        if self.rest.len() > LONGEST {
            self.close(give);
        }
    }

    /// The end of the stream: what is left is a line too.
    pub fn finish(mut self, give: &mut dyn FnMut(&str)) {
        self.begin();
        self.decode(&[], true);
        if self.rest.ends_with('\n') {
            give(&self.rest);
        } else if !self.rest.is_empty() {
            self.close(give);
        }
    }

    fn begin(&mut self) {
        if self.decoder.is_none() {
            let start = std::mem::take(&mut self.start);
            self.decoder = Some(Decoder::of(&start));
            self.decode(&start, false);
        }
    }

    fn decode(&mut self, bytes: &[u8], last: bool) {
        let rest = &mut self.rest;
        if let Some(decoder) = &mut self.decoder {
            decoder.feed(bytes, last, |text| rest.push_str(text));
        }
    }

    /// Ends the line here, so that nothing of another stream gets into it.
    fn close(&mut self, give: &mut dyn FnMut(&str)) {
        self.rest.push('\n');
        give(&self.rest);
        self.rest.clear();
    }
}

/// Pictures, videos and archives that pass through have no messages in them, and reading them as text is slow.
fn is_binary(bytes: &[u8]) -> bool {
    // Of text hardly a byte is one of these; of what is compressed one in ten.
    let control = |b: &&u8| matches!(b, 0..=7 | 14..=26 | 28..=31);
    bytes.len() >= SMALLEST_BINARY && bytes.iter().filter(control).count() * 25 > bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pieces: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        let mut give = |text: &str| out.push(text.to_owned());
        for piece in pieces {
            lines.push(piece, &mut give);
        }
        lines.finish(&mut give);
        out
    }

    #[test]
    fn only_whole_lines_are_given() {
        assert_eq!(given(&[b"one\n", b"tw", b"o\nthree\nfo", b"ur"]), ["one\n", "two\nthree\n", "four\n"]);
        assert_eq!(given(&[b"a\r\n", b"\r\n"]), ["a\r\n", "\r\n"]);
        assert!(given(&[b"", b""]).is_empty());
    }

    #[test]
    fn a_stream_in_utf16_is_text_all_the_same() {
        let bytes: Vec<u8> = "first\nsecond".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(given(&[&bytes]).concat(), "first\nsecond\n");
    }

    #[test]
    fn what_is_no_text_is_passed_over() {
        let binary: Vec<u8> = (0..=255).cycle().take(4096).collect();
        let utf16: Vec<u8> = "text\n".repeat(200).encode_utf16().flat_map(u16::to_le_bytes).collect();
        let before = vec![b'x'; ENOUGH];
        assert_eq!(given(&[&before, b"\n", &binary, b"end\n"])[1..], ["end\n"]);
        assert_eq!(given(&[&utf16, &utf16]).concat(), "text\n".repeat(400));
    }

    #[test]
    fn a_line_without_an_end_is_given_in_pieces() {
        let piece = vec![b'x'; LONGEST];
        let all = given(&[&piece, &piece, b"\n"]);
        assert!(all.iter().all(|line| line.ends_with('\n')), "{}", all.len());
        assert_eq!(all.concat().matches('x').count(), 2 * LONGEST);
    }
}
