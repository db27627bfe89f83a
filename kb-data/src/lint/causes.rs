//! A cause has a page that can be acted upon, in both languages.

use super::{bilingual, file};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;

/// The parts of a page, by language.
const HEADINGS: [(&str, [&str; 4]); 2] = [
    ("English", ["## Why", "## How to see it", "## How to fix it", "## Do not"]),
    ("Chinese", ["## 为什么", "## 怎么确认", "## 怎么解决", "## 不要做"]),
];

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    for cause in &kb.causes {
        let place = || file(format!("causes/{}.md", cause.id));
        bilingual::title(&cause.title, &place, out);
        bilingual::page(&cause.prose, &place, out);
        for never in cause.never.iter().filter(|n| !kb.packages.iter().any(|p| n.is_about(&p.id))) {
            let id = never.framework.as_deref().unwrap_or_default();
            let message = format!("no package is called `{id}`");
            out.push(Diagnostic::error("dangling-package", message).at(place()));
        }
        let pages = [Some(&*cause.prose.en), cause.prose.zh.as_deref()];
        for ((language, headings), page) in HEADINGS.iter().zip(pages) {
            let Some(page) = page else { continue };
            let there = |heading: &&&str| page.lines().any(|line| line.trim_end() == **heading);
            let missing: Vec<&str> = headings.iter().filter(|h| !there(h)).copied().collect();
            if !missing.is_empty() {
                out.push(
                    Diagnostic::error(
                        "missing-heading",
                        format!("the {language} page has no {}", missing.join(", no ")),
                    )
                    .at(place())
                    .help("every page of a cause has the same four parts"),
                );
            }
        }
    }
}
