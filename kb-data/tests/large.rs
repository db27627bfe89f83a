//! A table of a hundred thousand rows loads, whatever its keys are.

mod common;

use common::{shown, with};
use kb_data::authoring::load;
use std::fmt::Write;
use std::time::{Duration, Instant};

const ROWS: usize = 100_000;

fn loads(path: &str, source: &str, row: impl Fn(&mut String, usize)) {
    let mut text = format!("source = '{source}'\nread-on = '2026-11-30'\n");
    for index in 0..ROWS {
        text.push_str("[[row]]\n");
        row(&mut text, index);
    }
    let tree = with(&[(path, &text)]);
    let start = Instant::now();
    let (kb, diagnostics) = load(&tree);
    let errors: Vec<_> = diagnostics.into_iter().filter(|d| d.code != "stale-dispute").collect();
    assert!(errors.is_empty(), "{}", shown(&errors[..errors.len().min(3)]));
    assert!(kb.tables.iter().any(|t| t.rows.count() == ROWS));
    // Comparing every two rows takes many minutes; this takes seconds, also on a busy machine.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn equal_values_under_different_sets() {
    loads("facts/cuda-minimum-driver/maker--big.toml", "maker", |text, i| {
        writeln!(text, "toolkit = '20.{i}'\nos = 'linux'\ndriver = '600.01'").expect("written");
    });
}

#[test]
fn different_values_under_sets_that_do_not_meet() {
    loads("facts/cuda-minimum-driver/maker--big.toml", "maker", |text, i| {
        writeln!(text, "toolkit = '20.{i}'\nos = 'linux'\ndriver = '600.{i}'").expect("written");
    });
}

#[test]
fn different_values_under_python_versions() {
    loads("facts/build-made-with/maker--big.toml", "maker", |text, i| {
        writeln!(text, "package = 'torch'\nversions = '==30.{i}'\nchannel = 'pypi'\ncuda = '12.{}'", i % 7)
            .expect("written");
    });
}
