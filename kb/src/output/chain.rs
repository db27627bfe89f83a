//! The chain behind an answer: from the hardware, link by link, to the verdict; as a value and as Graphviz text.

use super::shown;
use kb_core::answer::{Answer, Item, Step, Verdict};
use kb_core::request::RawRequest;

/// A link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// As a sentence.
    pub says: String,
    /// `pass`, `unknown`, `fail`.
    pub outcome: &'static str,
    /// The rule behind it.
    pub rule: Option<&'static str>,
    /// Does this link decide the answer?
    pub decides: bool,
}

/// A chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// The question.
    pub start: String,
    /// Link by link.
    pub links: Vec<Link>,
    /// The verdict.
    pub end: String,
    /// The verdict as a word.
    pub verdict: Verdict,
}

impl Chain {
    /// The chain of an answer's first item. `end` is the verdict in words.
    pub fn of(answer: &Answer, raw: &RawRequest, end: String) -> Chain {
        let item = answer.answers.first();
        let steps = steps(answer, item);
        let decisive = ["fail", "unknown"].iter().find_map(|o| steps.iter().position(|s| s.outcome == *o));
        // In a fit the last link is the one that had to hold.
        let decisive = decisive.or(steps.len().checked_sub(1));
        let links = steps
            .iter()
            .enumerate()
            .map(|(i, s)| Link {
                says: shown(&s.says).into_owned(),
                outcome: s.outcome,
                rule: s.rule,
                decides: Some(i) == decisive && s.outcome != "pass",
            })
            .collect();
        let mut start: Vec<String> = raw.gpus.clone();
        start.extend(raw.os.clone());
        start.extend(raw.driver.as_ref().map(|d| format!("driver {d}")));
        start.extend(raw.wants.iter().cloned());
        let (start, end) = (shown(&start.join(", ")).into_owned(), shown(&end).into_owned());
        Chain { start, links, end, verdict: answer.verdict }
    }

    /// Graphviz text.
    pub fn dot(&self) -> String {
        let mut out = String::from(
            "digraph kb {\n  rankdir=TB;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n",
        );
        out.push_str(&format!("  start [label={}, fillcolor=\"#eef2f7\"];\n", quoted(&self.start)));
        for (index, link) in self.links.iter().enumerate() {
            let rule = link.rule.map(|r| format!("\\n({r})")).unwrap_or_default();
            let label = format!("\"{}{rule}\"", escaped(&super::wrap::wrap(&link.says, 48).join("\n")));
            let (colour, width) = (colour(link.outcome), if link.decides { 3 } else { 1 });
            out.push_str(&format!("  n{index} [label={label}, color=\"{colour}\", penwidth={width}];\n"));
        }
        out.push_str(&format!(
            "  end [label={}, fillcolor=\"#eef2f7\", shape=box, penwidth=2];\n",
            quoted(&self.end)
        ));
        let names: Vec<String> = std::iter::once("start".to_owned())
            .chain((0..self.links.len()).map(|i| format!("n{i}")))
            .chain(["end".to_owned()])
            .collect();
        out.push_str(&format!("  {};\n}}\n", names.join(" -> ")));
        out
    }
}

/// The links of an item: its steps, or, where none of them says why not, the core of the conflict as well.
fn steps<'a>(answer: &'a Answer, item: Option<&'a Item>) -> Vec<&'a Step> {
    let mut out: Vec<&Step> = item.map(|i| i.steps.iter().collect()).unwrap_or_default();
    let conflict = answer.conflict.as_ref().or(item.and_then(|i| i.conflict.as_ref()));
    for step in conflict.into_iter().flat_map(|c| &c.core) {
        if !out.iter().any(|s| s.says == step.says) {
            out.push(step);
        }
    }
    out
}

/// The colour of an outcome.
pub(super) fn colour(outcome: &str) -> &'static str {
    match outcome {
        "pass" => "#2e7d32",
        "fail" => "#c62828",
        _ => "#b26a00",
    }
}

fn escaped(text: &str) -> String {
    shown(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(&super::wrap::wrap(text, 48).join("\n")))
}
