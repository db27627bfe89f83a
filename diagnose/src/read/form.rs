//! The forms that issues are written in: a heading, and what was filled in on the next lines.
//!
//! `### OS Version` and, below it, `Ubuntu 22.04`: together they are what other reports write as `OS Version: Ubuntu 22.04`.

use super::found::Found;
use super::label;
use super::labelled;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "issue form",
    words: &[
        "##",
        "**",
        "OS Version",
        "Operating System",
        "Python version",
        "PyTorch Version",
        "TensorFlow version",
        "Runtime Version or",
        "GPU model and",
    ],
    read,
};

/// More lines than this between a heading and what belongs to it are no form.
const REACH: usize = 3;

/// The lines of a section about the environment.
const LONGEST: usize = 30;

/// Headings that count without marks, where the page's own text was copied.
const PLAIN: [&str; 9] = [
    "OS Version",
    "Operating System",
    "Python version",
    "Python Version",
    "PyTorch Version",
    "TensorFlow version",
    "ONNX Runtime Version or Commit ID",
    "OS platform and distribution",
    "GPU model and memory",
];

/// Reads headings with the first line below them.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut answers = labelled::Answers::default();
    // Where the section begins in which labels and values stand side by side.
    let mut environment: Option<usize> = None;
    for (at, number, text) in page.all() {
        let Some((name, marked)) = heading(text) else {
            if environment.is_some_and(|from| at < from + LONGEST)
                && let Some(pair) = words(text)
            {
                answers.answer(page, at, number, pair, found);
            }
            continue;
        };
        environment = (name.contains("Environment") || name.contains("环境")).then_some(at);
        // Without marks there is nothing between a heading and its line.
        let reach = if marked { REACH } else { 1 };
        let below = (at + 1..=at + reach).filter_map(|i| Some((i, page.line(i)?)));
        let value =
            below.map(|(i, (line, text))| (i, line, text.trim())).find(|(_, _, text)| !text.is_empty());
        let Some((at, line, value)) = value else { continue };
        let value = value.trim_start_matches(['-', '*', '`', ' ']).trim_end_matches('`');
        if heading(value).is_some() || value.len() > 120 || label::is_nothing(value) || value.starts_with('_')
        {
            continue;
        }
        answers.answer(page, at, line, (name, value), found);
    }
}

/// PaddleOCR's form sets labels and values side by side: `OS windows 10`, `PaddleOCR 2.7.3`, `GPU NVIDIA …`.
fn words(text: &str) -> Option<(&str, &str)> {
    const LABELS: [&str; 7] = ["OS", "Python", "PaddleOCR", "PaddlePaddle", "PaddleX", "Paddle", "GPU"];
    let (name, value) = text.trim().split_once(' ')?;
    LABELS.contains(&name).then_some((name, value.trim())).filter(|(_, value)| value.len() < 80)
}

/// The words of `### OS Version`, `**OS Version**`, or of a known heading alone; were they marked?
fn heading(text: &str) -> Option<(&str, bool)> {
    let text = text.trim();
    if PLAIN.contains(&text) {
        return Some((text, false));
    }
    let words = match text.strip_prefix("##") {
        Some(rest) => rest.trim_start_matches('#').strip_prefix(' ')?,
        None => text.strip_prefix("**")?.strip_suffix("**")?,
    };
    let words = words.trim().trim_end_matches([':', '*', '?', ' ']);
    let fits = !words.is_empty() && words.len() < 80 && !words.contains(": ");
    fits.then_some((words, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("form");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn values_stand_below_their_headings() {
        assert_eq!(
            of(
                "### OS Version\n\nUbuntu 22.04\n\n### ONNX Runtime Version or Commit ID\n\n1.17.0\n\n### Execution Provider\n\nCUDA\n"
            ),
            ["os=Ubuntu 22.04@3", "package:onnxruntime=1.17.0@7"]
        );
        assert_eq!(
            of(
                "### TensorFlow version\n\n2.12.0\n\n### OS platform and distribution\n\nLinux Ubuntu 20.04\n\n### Python version\n\n3.10.6\n\n### CUDA/cuDNN version\n\n_No response_\n\n### GPU model and memory\n\nNVIDIA GeForce RTX 3090, 24GB"
            ),
            [
                "package:tensorflow=2.12.0@3",
                "os=Linux Ubuntu 20.04@7",
                "python=3.10.6@11",
                "gpu=NVIDIA GeForce RTX 3090@19"
            ]
        );
        assert_eq!(
            of(
                "### 🏃 Environment (运行环境)\n\n```bash\nOS windows 10\nPython 3.9.13\nPaddleOCR 2.7.3\nGPU NVIDIA GeForce RTX 3060\n```"
            ),
            [
                "os=windows 10@4",
                "python=3.9.13@5",
                "package:paddleocr=2.7.3@6",
                "gpu=NVIDIA GeForce RTX 3060@7"
            ]
        );
        assert_eq!(of("OS Version\nWindows 11\nPlatform\nWindows"), ["os=Windows 11@2"]);
    }

    #[test]
    fn an_empty_field_takes_nothing_from_the_next() {
        assert_eq!(of("### OS Version\n\n### Python version\n\n3.9.1"), ["python=3.9.1@5"]);
        assert_eq!(of("### Python version\n\n\n\n\n3.9.1"), [""; 0]);
    }
}
