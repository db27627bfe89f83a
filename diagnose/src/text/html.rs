//! Tags and entities of a page that was saved or copied as its source.

use std::borrow::Cow;

/// Is a text the source of a page?
pub(super) fn is_html(text: &str) -> bool {
    const MARKS: [&str; 13] = [
        "&lt;", "&gt;", "&amp;", "&quot;", "&nbsp;", "&#39;", "&#x27;", "&#34;", "<br", "<pre", "<code",
        "<span", "</pre>",
    ];
    memchr::memchr2_iter(b'&', b'<', text.as_bytes())
        .any(|at| MARKS.iter().any(|mark| text[at..].starts_with(mark)))
}

/// Tags that only lay a text out. Others stay: `<frozen runpy>` and `<module>` are no tags.
const TAGS: [&str; 13] =
    ["pre", "code", "span", "p", "div", "b", "i", "strong", "em", "font", "samp", "details", "summary"];

/// A line without tags, its entities as characters; a `<br>` becomes a line break.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '&']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((text, after)) = entity(rest) {
            out.push(text);
            rest = after;
        } else if let Some((is_break, after)) = tag(rest) {
            if is_break {
                out.push('\n');
            }
            rest = after;
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn entity(text: &str) -> Option<(char, &str)> {
    let body = text.strip_prefix('&')?;
    let end = body.bytes().take(10).position(|b| b == b';')?;
    let (name, after) = (&body[..end], &body[end + 1..]);
    let found = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code).filter(|c| !c.is_control())?
        }
    };
    Some((found, after))
}

/// Whether a tag breaks the line, and what follows it.
fn tag(text: &str) -> Option<(bool, &str)> {
    let body = text.strip_prefix('<')?;
    let end = body.bytes().take(200).position(|b| b == b'>')?;
    let (inside, after) = (&body[..end], &body[end + 1..]);
    let name = inside.trim_start_matches('/').split([' ', '/']).next()?.to_ascii_lowercase();
    if name == "br" {
        return Some((true, after));
    }
    let attributes = inside.contains(' ');
    let plain = !attributes || inside.contains('=');
    (plain && TAGS.contains(&name.as_str())).then_some((false, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_entities_become_what_they_show() {
        assert_eq!(unescape("&gt;&gt;&gt; print(&quot;x&quot;)&nbsp;&#39;&#x41;"), ">>> print(\"x\") 'A");
        assert_eq!(unescape("<pre><code class=\"x\">a<br/>b</code></pre>"), "a\nb");
        assert_eq!(
            unescape("<module> <frozen runpy> a & b < c &unknown; &"),
            "<module> <frozen runpy> a & b < c &unknown; &"
        );
    }
}
