//! Whatever a file holds, the loader says something about it and does not fall.

mod common;

use common::{FILES, world};
use kb_data::authoring::{load, load_over};
use kb_data::lint::lint_kb;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(path in 0..FILES.len(), bytes in vec(any::<u8>(), 0..200)) {
        let mut tree = world();
        tree.insert(FILES[path].0, bytes);
        let (kb, diagnostics) = load(&tree);
        lint_kb(&kb);
        diagnostics.iter().for_each(|d| drop(d.to_string()));
    }

    #[test]
    fn mangled_texts(edits in vec((0..FILES.len(), any::<prop::sample::Index>(), 0usize..12, "[\\PC\n]{0,8}"), 1..6)) {
        let mut tree = world();
        let mut texts: Vec<String> = FILES.iter().map(|f| f.1.to_owned()).collect();
        for (file, at, length, insert) in edits {
            let text = &mut texts[file];
            if text.is_empty() { continue }
            let mut start = at.index(text.len());
            while !text.is_char_boundary(start) { start -= 1 }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) { end += 1 }
            text.replace_range(start..end, &insert);
            tree.insert(FILES[file].0, text.as_bytes());
        }
        let (kb, diagnostics) = load(&tree);
        lint_kb(&kb);
        diagnostics.iter().for_each(|d| drop(d.to_string()));
        // The value is whole: it can be written and laid under another.
        prop_assert!(kb_data::blob::write(kb.clone()).is_ok());
        load_over(kb, &tree);
    }

    #[test]
    fn swapped_values(from in 0..FILES.len(), value in "'[ -&(-~]{0,20}'|[0-9]{1,22}|\\[\\]|\\{\\}|true|1e400|nan|-0|0x7fffffffffffffffff|1979-05-27", line in any::<prop::sample::Index>()) {
        let (path, text) = FILES[from];
        let lines: Vec<&str> = text.lines().collect();
        let chosen = line.index(lines.len());
        let swapped: Vec<String> = lines.iter().enumerate().map(|(i, l)| match l.split_once(" = ") {
            Some((key, _)) if i == chosen => format!("{key} = {value}"),
            _ => (*l).to_owned(),
        }).collect();
        let mut tree = world();
        tree.insert(path, swapped.join("\n"));
        let (kb, _) = load(&tree);
        lint_kb(&kb);
    }
}
