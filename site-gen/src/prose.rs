//! Markdown of data files as HTML. Data comes from anybody: no HTML of its own passes, no image is loaded, and links lead
//! to the web or nowhere.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The text as HTML, with its highest heading as second level.
pub(crate) fn html(text: &str) -> String {
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let highest = events.iter().filter_map(|e| match e {
        Event::Start(Tag::Heading { level, .. }) => Some(*level as usize),
        _ => None,
    });
    let shift = highest.min().map_or(0, |level| 2 - isize::try_from(level).unwrap_or(2));
    let mut out = String::with_capacity(text.len() * 3 / 2);
    // Links that lead nowhere stay as their text.
    let mut dropped: Vec<bool> = Vec::new();
    let kept = events.into_iter().filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { link_type, dest_url, .. }) => {
            dropped.push(!safe(&dest_url));
            safe(&dest_url)
                .then(|| Event::Start(Tag::Link { link_type, dest_url, title: "".into(), id: "".into() }))
        }
        Event::End(TagEnd::Link) => (!dropped.pop().unwrap_or(false)).then_some(Event::End(TagEnd::Link)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::HtmlBlock) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::HtmlBlock) => Some(Event::End(TagEnd::Paragraph)),
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(Tag::Heading {
            level: moved(level, shift),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        })),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(moved(level, shift)))),
        // What scrolls can be reached with the keyboard.
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented)) => {
            Some(Event::Html("<pre tabindex=\"0\"><code>".into()))
        }
        Event::End(TagEnd::CodeBlock) => Some(Event::Html("</code></pre>\n".into())),
        other => Some(other),
    });
    html::push_html(&mut out, kept);
    out.replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
}

fn safe(address: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme)))
}

fn moved(level: HeadingLevel, shift: isize) -> HeadingLevel {
    let wanted = isize::try_from(level as usize).unwrap_or(2) + shift;
    HeadingLevel::try_from(usize::try_from(wanted.clamp(2, 6)).unwrap_or(2)).unwrap_or(HeadingLevel::H2)
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn nothing_of_a_text_becomes_a_tag() {
        let text = "# A <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![b](https://x/y.png) [c](../../x) [d](https://example.org/\"onclick=x)\n\n```\n</code><script>\n```\n";
        let out = html(text);
        for tag in ["<script", "<img", "javascript:", "href=\"..", "\"onclick"] {
            assert!(!out.contains(tag), "{tag} in {out}");
        }
        assert!(out.contains("<h2>A &lt;script&gt;"));
        assert!(out.contains("href=\"https://example.org/"));
    }

    #[test]
    fn headings_start_at_the_second_level() {
        assert!(html("## Why\n\n### How\n").starts_with("<h2>Why</h2>\n<h3>How</h3>"));
        assert!(html("# Why\n\n## How\n").starts_with("<h2>Why</h2>\n<h3>How</h3>"));
    }
}
