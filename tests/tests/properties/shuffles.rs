//! The order in which facts are written does not matter, nor how often one asks.

use super::model::Case;
use super::runner::{ask_in, worlds};
use super::{generate, render};
use kb_core::world::World;

/// A small generator of its own, so that the order depends on the case alone.
fn shuffle<T>(items: &mut [T], state: &mut u64) {
    for i in (1..items.len()).rev() {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(i, (*state >> 33) as usize % (i + 1));
    }
}

fn json(case: &Case, files: &[render::File]) -> Result<Option<String>, String> {
    let kb = render::load_files(files)?;
    let Some(answer) = ask_in(&kb, case)? else { return Ok(None) };
    let text = serde_json::to_string_pretty(&answer).map_err(|e| e.to_string())?;
    // Asked twice, in the same world and in a new one.
    let raw = render::request(&case.world, &case.question);
    let world = World::new(&kb);
    for _ in 0..2 {
        let again = kb_core::ask(&world, &raw).map_err(|_| "refused the second time")?;
        if serde_json::to_string_pretty(&again).map_err(|e| e.to_string())? != text {
            return Err("asked again it answers otherwise".into());
        }
    }
    Ok(Some(text))
}

#[test]
fn shuffled_facts_give_the_same_bytes() {
    worlds("shuffled", generate::case(false), |case| {
        let mut files = render::files(&case.world);
        let Some(first) = json(case, &files)? else { return Ok(()) };
        let mut state = first.len() as u64;
        for _ in 0..3 {
            shuffle(&mut files, &mut state);
            for file in &mut files {
                shuffle(&mut file.rows, &mut state);
            }
            let again = json(case, &files)?.ok_or("refused when shuffled")?;
            if let Some((a, b)) = first.lines().zip(again.lines()).find(|(a, b)| a != b) {
                return Err(format!("in another order of rows\n  {a}\nbecomes\n  {b}"));
            }
            if first != again {
                return Err(format!("another length:\n{first}\n{again}"));
            }
        }
        Ok(())
    });
}
