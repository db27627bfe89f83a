//! Driver branches and versions, CUDA and cuDNN releases.

use crate::Card;
use crate::about;
use kb_core::platform::Os;
use kb_core::value::{Branch, Kind, Value};
use kb_core::version::{CudaVersion, Dotted, DriverVersion};
use kb_core::world::World;
use serde_json::json;

/// The cards of a bare number or of a branch: all that it can be.
pub fn find(world: &World<'_>, id: &str) -> Vec<Card> {
    let id = id.trim();
    if id.starts_with(['R', 'r']) || id.parse::<u16>().is_ok_and(|n| (300..1000).contains(&n)) {
        return id.parse::<Branch>().ok().and_then(|b| branch(world, b)).into_iter().collect();
    }
    let lower = id.to_lowercase();
    if let Some(rest) = lower.strip_prefix("cudnn") {
        return cudnn(world, rest.trim_matches([' ', '-', '_']));
    }
    if let Some(rest) = lower.strip_prefix("cuda") {
        return cuda(world, rest.trim_matches([' ', '-', '_']));
    }
    let mut out = driver(world, id);
    out.extend(cuda(world, id));
    out.extend(cudnn(world, id));
    out
}

/// The card of a driver branch, if it is known.
pub fn branch(world: &World<'_>, number: Branch) -> Option<Card> {
    let found = world.driver.branch(number)?;
    let mut card = Card::new("branch", number.to_string(), "");
    card.text("cuda", found.cuda.map(|c| c.to_string()).as_deref());
    for (key, os) in [("first_linux", Os::Linux), ("first_windows", Os::Windows)] {
        card.text(key, world.driver.first_of_branch(number, os).map(|v| v.to_string()).as_deref());
    }
    card.list("windows_families", &found.windows_families);
    card.facts = about::facts(world.kb, &[Kind::Branch], |v| matches!(v, Value::Branch(b) if *b == number));
    card.disputes = about::disputes(world.kb, &number.to_string());
    Some(card)
}

/// A driver version, where its branch is known; a number of two parts may be a Windows driver's.
pub fn driver(world: &World<'_>, text: &str) -> Vec<Card> {
    let Ok(version) = text.parse::<DriverVersion>() else { return Vec::new() };
    if version.major() < 300 {
        return Vec::new();
    }
    let mut out = Vec::new();
    for os in [Os::Linux, Os::Windows] {
        if version.len() == 3 && os == Os::Windows {
            continue;
        }
        let info = world.driver.info(version, os);
        let known = info.branch.is_some_and(|b| world.driver.branch(b).is_some());
        let mut listed = about::facts(
            world.kb,
            &[Kind::Dotted],
            |v| matches!(v, Value::Version(d) if d.cmp_number(&version.0).is_eq()),
        );
        let of_other = |f: &kb_core::fact::FactId| matches!(world.kb.cell(*f, "os"), Some(Value::Text(t)) if **t != *os.word());
        listed.retain(|f| !of_other(f));
        // A fact that names the number as another system's pair is no release of this one.
        let own = version.to_string();
        let released = |f: &kb_core::fact::FactId| world.kb.key_text(*f).split(',').any(|k| k == own);
        if !known && !listed.iter().any(released) {
            continue;
        }
        let mut card = Card::new("driver", version.to_string(), "");
        card.put("os", os.word());
        card.text("branch", info.branch.map(|b| b.to_string()).as_deref());
        card.text("cuda", info.cuda.filter(|c| !c.at_least).map(|c| c.cuda.to_string()).as_deref());
        card.text("paired_linux", info.linux_pair.map(|d| d.to_string()).as_deref());
        card.list("runs_cuda", runs(world, version, os));
        card.facts = listed;
        for fact in info.facts {
            if !card.facts.contains(&fact) {
                card.facts.push(fact);
            }
        }
        out.push(card);
    }
    out
}

/// CUDA releases (major and minor) whose least driver this one reaches.
fn runs(world: &World<'_>, version: DriverVersion, os: Os) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (cuda, _) in &world.toolkit.releases {
        let short = cuda.prefix(2).to_string();
        let enough =
            world.driver.floor(world.kb, *cuda, os).is_some_and(|f| version.0.cmp_number(&f.value.0).is_ge());
        if enough && !out.contains(&short) {
            out.push(short);
        }
    }
    out
}

/// The CUDA releases behind a number; `12.4` stands for all of its updates.
pub fn cuda(world: &World<'_>, text: &str) -> Vec<Card> {
    let Ok(version) = text.trim_start_matches('=').parse::<CudaVersion>() else { return Vec::new() };
    let releases: Vec<&(CudaVersion, _)> =
        world.toolkit.releases.iter().filter(|(v, _)| v.starts_with(&version.0)).collect();
    if releases.is_empty() {
        return Vec::new();
    }
    let mut card = Card::new("cuda", version.to_string(), "");
    card.list("releases", releases.iter().map(|(v, _)| v));
    let drivers: Vec<_> = [Os::Linux, Os::Windows]
        .into_iter()
        .map(|os| {
            let least = world.driver.floor(world.kb, version, os).map(|f| f.value.to_string());
            let native = world.driver.native(version, os).map(|f| f.value.to_string());
            json!({ "title": os.word(), "minimum": least, "native": native })
        })
        .collect();
    card.put("drivers", drivers);
    if let Some((_, targets, _)) =
        world.toolkit.targets.iter().rev().find(|(v, ..)| v.starts_with(&version.prefix(2)))
    {
        card.list("targets", targets);
    }
    card.facts = dotted(world, &version.0, &["toolkit", "cuda"]);
    card.disputes = about::disputes(world.kb, &version.to_string());
    vec![card]
}

/// The cuDNN releases behind a number.
pub fn cudnn(world: &World<'_>, text: &str) -> Vec<Card> {
    let Ok(version) = text.trim_start_matches('=').parse::<Dotted>() else { return Vec::new() };
    let fits = |v: &Dotted| v.starts_with(&version) || (version.len() == 4 && v.cmp_number(&version).is_eq());
    let found: Vec<_> = world
        .cudnn
        .releases
        .iter()
        .filter(|r| fits(&r.version.0) || r.full.is_some_and(|f| fits(&f.0)))
        .collect();
    if found.is_empty() || version.len() < 2 {
        return Vec::new();
    }
    let mut card = Card::new("cudnn", version.to_string(), "");
    card.list("releases", found.iter().map(|r| r.full.unwrap_or(r.version)));
    let mut builds: Vec<&str> = found.iter().flat_map(|r| r.cuda_builds.iter().copied()).collect();
    builds.sort_unstable();
    builds.dedup();
    card.list("cuda_builds", builds);
    let pairs: Vec<_> = world
        .cudnn
        .pairs
        .iter()
        .filter(|p| found.iter().any(|r| p.cudnn.contains(&r.version.0)))
        .map(|p| json!({ "cuda": p.cuda.to_string(), "build": p.build, "compute": p.compute.map(ToString::to_string) }))
        .collect();
    card.put("support", pairs);
    card.facts = dotted(world, &version, &["cudnn", "version", "full"]);
    card.facts.extend(found.iter().map(|r| r.fact));
    card.facts.sort();
    card.facts.dedup();
    card.disputes = about::disputes(world.kb, &version.to_string());
    vec![card]
}

/// Facts with this version in a column of one of these names.
fn dotted(world: &World<'_>, version: &Dotted, columns: &[&str]) -> Vec<kb_core::fact::FactId> {
    let all =
        about::facts(world.kb, &[Kind::Dotted], |v| matches!(v, Value::Version(d) if d.starts_with(version)));
    let kb = world.kb;
    all.into_iter()
        .filter(|f| {
            columns
                .iter()
                .any(|c| matches!(kb.cell(*f, c), Some(Value::Version(d)) if d.starts_with(version)))
        })
        .collect()
}
