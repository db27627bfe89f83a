//! Nothing that can be pasted makes the decoder panic, and canonical forms stay as they are.

use super::{fixture, table};
use crate::decode::{LONGEST, decode};
use crate::kb::Kb;
use proptest::prelude::*;
use std::sync::LazyLock;

static KB: LazyLock<Kb> = LazyLock::new(fixture::kb);

/// Decoding a canonical form gives a reading of the same kind with the same canonical form.
fn settles(name: &str) -> Result<(), TestCaseError> {
    for kb in [&*KB, &Kb::default()] {
        for reading in decode(kb, name) {
            let Some(canonical) = &reading.canonical else { continue };
            let again = decode(kb, canonical);
            prop_assert!(
                again.iter().any(|a| a.kind == reading.kind && a.canonical.as_ref() == Some(canonical)),
                "{name:?} as {} gives {canonical:?}, which gives {again:?}",
                reading.kind
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        decode(&KB, &text);
    }

    #[test]
    fn any_of_the_letters(text in "[a-zA-Z0-9_.+=:/@() -]{0,60}") {
        decode(&KB, &text);
        decode(&Kb::default(), &text);
    }

    #[test]
    fn pieces_of_names(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "cuda", "cudnn", "lib", "64", "_", "-", ".", "12", "8.5.0.96", "cu124", ".so", ".dll", "windows", "post",
                "==", "+", ":", "sm_", "120", "a", "f", "tensorrt", ".whl", "cp312", "-any", "py3", "none", "é", " ", "(1)",
                "R570", "nvidia", "/", "18446744073709551616", "archive", "nvidia-linux-", "cudaerror", "cuda-repo-",
                "manylinux_2_28_x86_64", "paddlepaddle/paddle", "gpu", "_amd64.deb", ".run", ".exe", "win",
            ]),
            0..12,
        )
    ) {
        decode(&KB, &pieces.concat());
        decode(&Kb::default(), &pieces.concat());
    }

    #[test]
    fn changed_names(
        row in 0..table::ROWS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<char>()), 0..5),
    ) {
        let mut text: Vec<char> = table::ROWS[row].0.chars().collect();
        for (at, what, c) in edits {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match what {
                0 => { text.remove(at); }
                1 => text.insert(at, c),
                2 => text[at] = c,
                _ => text.truncate(at),
            }
        }
        let text: String = text.into_iter().collect();
        settles(&text)?;
    }
}

#[test]
fn canonical_forms_settle() {
    for name in table::ROWS.iter().map(|r| r.0).chain(table::MORE.iter().copied()) {
        settles(name).expect(name);
    }
}

#[test]
fn too_long_is_not_recognised() {
    let long = format!("{}/cudnn64_8.dll", "a".repeat(LONGEST));
    assert!(decode(&KB, &long).is_empty());
    for text in ["(", "-", "cu1", "1.", "{\"", "..", "é"] {
        decode(&KB, &text.repeat(LONGEST / text.len()));
    }
}
