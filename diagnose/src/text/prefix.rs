//! What log collectors write before every line: `docker logs -t`, `kubectl logs --timestamps`, `docker compose`.

/// How the lines of a text begin, where nearly all of them begin so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `2026-11-30T08:00:01.123Z `.
    Stamp,
    /// `trainer-1  | `.
    Service,
}

/// Of fewer lines nothing can be told.
const FEWEST: usize = 4;

/// The length of the prefix of each line of a text, or nothing: it must be on nine of ten lines.
pub(super) fn of<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Option<fn(&str) -> &str> {
    for kind in [Kind::Stamp, Kind::Service] {
        let (mut all, mut with) = (0, 0);
        for line in lines.clone().filter(|l| !l.trim().is_empty()) {
            all += 1;
            with += usize::from(length(kind, line).is_some());
        }
        if all >= FEWEST && with * 10 >= all * 9 {
            return Some(match kind {
                Kind::Stamp => |line| without(Kind::Stamp, line),
                Kind::Service => |line| without(Kind::Service, line),
            });
        }
    }
    None
}

fn without(kind: Kind, line: &str) -> &str {
    length(kind, line).map_or(line, |end| &line[end..])
}

fn length(kind: Kind, line: &str) -> Option<usize> {
    match kind {
        Kind::Stamp => stamp(line),
        Kind::Service => service(line),
    }
}

/// A date and a time, set apart by a blank. TensorFlow's own stamps have a colon behind them and stay.
fn stamp(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let shape = b"dddd-dd-dd?dd:dd:dd";
    if bytes.len() < shape.len() + 1 {
        return None;
    }
    let fits = shape.iter().zip(bytes).all(|(s, b)| match s {
        b'd' => b.is_ascii_digit(),
        b'?' => matches!(b, b'T' | b' '),
        other => other == b,
    });
    let rest = &line[if fits { shape.len() } else { return None }..];
    let end = rest.find(' ')?;
    let zone = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | 'Z' | '+' | '-' | ':');
    let tail = &rest[..end];
    (tail.chars().all(zone) && !tail.ends_with(':')).then_some(shape.len() + end + 1)
}

/// A name and a bar.
fn service(line: &str) -> Option<usize> {
    let bar = line.find('|')?;
    let name = line[..bar].trim_end();
    let named = !name.is_empty()
        && name.len() <= 40
        && name.ends_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let end = bar + 1;
    named.then(|| if line[end..].starts_with(' ') { end + 1 } else { end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> Vec<&str> {
        let strip = of(text.lines()).unwrap_or(|l| l);
        text.lines().map(strip).collect()
    }

    #[test]
    fn what_every_line_begins_with_is_taken_away() {
        let text = "2026-11-30T08:00:01.123Z $ pip list\n2026-11-30T08:00:01Z torch 2.9.1\n\
                    2026-11-30T08:00:02+00:00 x\n2026-11-30 08:00:03 y";
        assert_eq!(stripped(text), ["$ pip list", "torch 2.9.1", "x", "y"]);
        let text = "gpu-1  | one\ngpu-1  | two\nweb-12 | three\ngpu-1  |   four";
        assert_eq!(stripped(text), ["one", "two", "three", "  four"]);
    }

    #[test]
    fn what_some_lines_begin_with_stays() {
        let text = "2024-03-09 19:15:45.018171: I tensorflow/core\n".repeat(5);
        assert_eq!(stripped(&text)[0], "2024-03-09 19:15:45.018171: I tensorflow/core");
        let text = "2026-11-30T08:00:01Z a\nb\nc\nd\ne";
        assert_eq!(stripped(text)[0], "2026-11-30T08:00:01Z a");
    }
}
