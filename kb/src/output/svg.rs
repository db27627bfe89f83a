//! The chain as a picture: boxes from top to bottom, the deciding link with a thick frame. Plain SVG, made here.

use super::chain::{Chain, colour};
use super::shown;
use super::wrap::wrap;

const WIDTH: usize = 680;
const LINE: usize = 20;
const PADDING: usize = 12;
const GAP: usize = 28;
/// Columns of text in a box: about 7.6 units a column at this size of type.
const COLUMNS: usize = 80;

struct Box<'a> {
    lines: Vec<String>,
    frame: &'a str,
    fill: &'a str,
    thick: bool,
    tag: String,
}

/// The picture. `decides` is the word beside the deciding link.
pub fn svg(chain: &Chain, decides: &str) -> String {
    let verdict = match chain.verdict {
        kb_core::answer::Verdict::Fits => "pass",
        kb_core::answer::Verdict::Conflict => "fail",
        kb_core::answer::Verdict::Unknown => "unknown",
    };
    let end = |text: &str, frame| Box {
        lines: wrap(text, COLUMNS),
        frame,
        fill: "#eef2f7",
        thick: false,
        tag: String::new(),
    };
    let mut boxes = vec![end(&chain.start, "#5b6b7f")];
    boxes.extend(chain.links.iter().map(|link| {
        let decides = shown(decides);
        let tags = [link.rule.unwrap_or_default(), if link.decides { &*decides } else { "" }];
        let tag = tags.into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" · ");
        Box {
            lines: wrap(&link.says, COLUMNS),
            frame: colour(link.outcome),
            fill: "#ffffff",
            thick: link.decides,
            tag,
        }
    }));
    boxes.push(end(&chain.end, colour(verdict)));
    let height = boxes.iter().map(|b| tall(b) + GAP).sum::<usize>() + 20 - GAP;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"14\">\n<title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escape(&chain.end)
    );
    let mut y = 10;
    for (index, item) in boxes.iter().enumerate() {
        draw(&mut out, item, y);
        y += tall(item);
        if index + 1 < boxes.len() {
            let (x, tip) = (WIDTH / 2, y + GAP);
            out.push_str(&format!(
                "<path d=\"M{x} {y}V{}M{} {}L{x} {tip}L{} {}\" stroke=\"#5b6b7f\" fill=\"none\"/>\n",
                tip - 1,
                x - 4,
                tip - 6,
                x + 4,
                tip - 6
            ));
        }
        y += GAP;
    }
    out + "</svg>\n"
}

fn tall(item: &Box<'_>) -> usize {
    (item.lines.len() + usize::from(!item.tag.is_empty())) * LINE + PADDING
}

fn draw(out: &mut String, item: &Box<'_>, y: usize) {
    let stroke = if item.thick { 4 } else { 1 };
    out.push_str(&format!(
        "<rect x=\"20\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{stroke}\"/>\n",
        WIDTH - 40,
        tall(item),
        item.fill,
        item.frame
    ));
    let mut baseline = y + LINE;
    for line in &item.lines {
        out.push_str(&format!("<text x=\"34\" y=\"{baseline}\" fill=\"#1b2430\">{}</text>\n", escape(line)));
        baseline += LINE;
    }
    if !item.tag.is_empty() {
        out.push_str(&format!(
            "<text x=\"34\" y=\"{baseline}\" fill=\"{}\" font-size=\"12\">{}</text>\n",
            item.frame,
            escape(&item.tag)
        ));
    }
}

fn escape(text: &str) -> String {
    shown(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::chain::Link;
    use kb_core::answer::Verdict;

    #[test]
    fn a_picture_is_well_formed_whatever_it_holds() {
        let odd: String =
            (0..0x300).chain([0x202e, 0xfeff, 0xfffe, 0xffff, 0x1_fffe]).filter_map(char::from_u32).collect();
        let says = format!("]]>{odd}<!--");
        let link = Link { says: says.clone(), outcome: "fail", rule: None, decides: true };
        let chain =
            Chain { start: says.clone(), links: vec![link], end: says.clone(), verdict: Verdict::Conflict };
        let picture = svg(&chain, &odd);
        // https://www.w3.org/TR/xml/#charsets
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(picture.chars().all(allowed));
        // Every `<` begins a tag made here.
        let tags = ["<svg ", "</svg>", "<title>", "</title>", "<rect ", "<text ", "</text>", "<path "];
        for (at, _) in picture.match_indices('<') {
            assert!(tags.iter().any(|tag| picture[at..].starts_with(tag)), "{}", &picture[at..]);
        }
        assert!(
            !picture
                .replace("&amp;", "")
                .replace("&lt;", "")
                .replace("&gt;", "")
                .replace("&quot;", "")
                .contains('&')
        );
        let dot = chain.dot();
        assert!(!dot.contains('\0') && dot.chars().all(allowed));
    }
}
