//! What `kb diagnose` says is there in English and in Chinese.

use kb_core::diag::{Diagnostic, Place};
use kb_core::record::Said;

/// Has the title both languages?
pub(super) fn title(title: &Said, place: &dyn Fn() -> Place, out: &mut Vec<Diagnostic>) {
    if title.zh.as_deref().is_none_or(|zh| zh.trim().is_empty()) {
        out.push(
            Diagnostic::warning("missing-translation", "the title is not there in Chinese")
                .at(place())
                .help("write title = \"…\" below [zh]"),
        );
    }
}

/// Has the page both languages, and a sentence in each?
pub(super) fn page(page: &Said, place: &dyn Fn() -> Place, out: &mut Vec<Diagnostic>) {
    if !has_sentence(&page.en) {
        out.push(
            Diagnostic::error("missing-page", "there is no sentence below the keys")
                .at(place())
                .help("say what it means, for somebody who has just read it on a screen"),
        );
    }
    match page.zh.as_deref() {
        Some(zh) if has_sentence(zh) => {}
        _ => out.push(
            Diagnostic::warning("missing-translation", "the page is not there in Chinese")
                .at(place())
                .help("write it below a line <!-- zh-Hans -->"),
        ),
    }
}

/// Is there a line that is no heading, and ends as a sentence does?
fn has_sentence(page: &str) -> bool {
    page.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .any(|line| line.contains(['.', '。', '：', ':', '；', '！', '？', '?']))
}
