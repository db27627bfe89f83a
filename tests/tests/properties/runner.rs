//! Runs a property on many cases, and keeps those that fail.

use super::model::Case;
use kb_core::answer::{Answer, Verdict};
use kb_core::kb::Kb;
use kb_core::world::World;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use std::path::{Path, PathBuf};

/// How many cases each property tries.
pub fn cases() -> u32 {
    std::env::var("KB_PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(64)
}

fn seed() -> u64 {
    std::env::var("KB_PROPTEST_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_261_130)
}

fn config() -> Config {
    Config {
        cases: cases(),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed()),
        max_shrink_iters: 4096,
        max_global_rejects: 1 << 20,
        ..Config::default()
    }
}

/// What a property says of a value: nothing, or what is wrong.
pub type Said = Result<(), String>;

/// Tries a property on values that are not worlds.
pub fn values<S: Strategy>(name: &str, strategy: S, property: impl Fn(&S::Value) -> Said)
where
    S::Value: std::fmt::Debug,
{
    let mut runner = TestRunner::new(config());
    let result = runner.run(&strategy, |value| property(&value).map_err(TestCaseError::fail));
    println!("{name}: {} cases, seed {}", cases(), seed());
    if let Err(error) = result {
        panic!("{name}: {error}");
    }
}

/// Tries a property on made-up worlds: first those that failed before, then new ones.
pub fn worlds(name: &str, strategy: impl Strategy<Value = Case>, property: impl Fn(&Case) -> Said) {
    let before = saved(name);
    for (path, case) in &before {
        if let Err(why) = property(case) {
            panic!("{name}: {} fails again: {why}", path.display());
        }
    }
    let property = |case: Case| match property(&case) {
        // A question about a capability that its world never mentions is refused, not answered: another case instead.
        Err(why) if why.contains("error[unknown-capability]") => Err(TestCaseError::reject(why)),
        other => other.map_err(TestCaseError::fail),
    };
    let mut runner = TestRunner::new(config());
    let result = runner.run(&strategy, property);
    println!("{name}: {} cases, seed {}, and {} kept ones", cases(), seed(), before.len());
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, case)) => {
            let text = serde_json::to_string_pretty(&case).expect("numbers and lists");
            let mut hash = 0xcbf2_9ce4_8422_2325_u64;
            text.bytes().for_each(|b| hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
            let path = dir().join(format!("{name}-{hash:016x}.json"));
            std::fs::write(&path, text + "\n").expect("written");
            panic!("{name}: {why}\nThe smallest case is kept in {}", path.display());
        }
        Err(other) => panic!("{name}: {other}"),
    }
}

fn dir() -> PathBuf {
    kb_tests::root().join("worlds")
}

/// Cases that failed before.
fn saved(name: &str) -> Vec<(PathBuf, Case)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir())
        .expect("tests/worlds is there")
        .map(|e| e.expect("listed").path())
        .filter(|p| {
            let stem = p.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
            p.extension().is_some_and(|e| e == "json")
                && stem.rsplit_once('-').is_some_and(|(head, _)| head == name)
        })
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|p| {
            let case = read(&p);
            (p, case)
        })
        .collect()
}

fn read(path: &Path) -> Case {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Loads a case's world and asks its question. `Ok(None)` when the question is refused, which only one that is badly
/// asked may be.
pub fn ask(case: &Case) -> Result<Option<Answer>, String> {
    let kb = super::render::kb(&case.world)?;
    ask_in(&kb, case)
}

pub fn ask_in(kb: &Kb, case: &Case) -> Result<Option<Answer>, String> {
    let raw = super::render::request(&case.world, &case.question);
    match kb_core::ask(&World::new(kb), &raw) {
        Ok(answer) => Ok(Some(answer)),
        Err(_) if !super::oracle::asked_well(case) => Ok(None),
        Err(mistakes) => Err(format!(
            "refused: {}",
            mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        )),
    }
}

pub fn value(verdict: Verdict) -> super::oracle::V {
    use super::oracle::V;
    match verdict {
        Verdict::Fits => V::Yes,
        Verdict::Unknown => V::Unknown,
        Verdict::Conflict => V::No,
    }
}
