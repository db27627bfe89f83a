//! Packages, their releases and builds, and channels.

use crate::Card;
use crate::truths;
use crate::{about, system};
use kb_core::diag::Diagnostic;
use kb_core::pep::Version;
use kb_core::request::resolve;
use kb_core::value::{Kind, Value};
use kb_core::world::{Build, BuildKind, World};
use serde_json::{Value as Json, json};

/// The cards of a package's or a channel's name.
pub fn find(world: &World<'_>, id: &str) -> Vec<Card> {
    let mut out: Vec<Card> = resolve::package(world.kb, id).map(|p| package(world, p)).into_iter().collect();
    out.extend(resolve::channel(world.kb, id).unwrap_or_default().into_iter().map(|c| channel(world, c)));
    out
}

/// A release: `torch==2.9.1`, `torch==2.9.1+cu126`, `cudnn==8.9.7`, `cuda==12.4`, `nvidia-driver==535.104.05`.
///
/// # Errors
/// If there is no such package or release; near ones are named.
pub fn pinned(world: &World<'_>, name: &str, version: &str) -> Result<Vec<Card>, Diagnostic> {
    let kb = world.kb;
    let name = name.split('[').next().unwrap_or(name);
    let package = resolve::package(kb, name).map_err(|near| {
        let out = Diagnostic::error("unknown-package", format!("no package is called `{name}`"));
        if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) }
            .help("`kb list packages` shows all")
    })?;
    let id = &*kb.packages[package].id;
    let system = match id {
        "cudnn" => Some(system::cudnn(world, version)),
        "cuda-toolkit" | "cuda" => Some(system::cuda(world, version)),
        "nvidia-driver" => Some(system::driver(world, version)),
        _ => None,
    };
    if let Some(cards) = system {
        return if cards.is_empty() { Err(unknown(id, version, &[])) } else { Ok(cards) };
    }
    let (plain, label) = version.split_once('+').map_or((version, None), |(v, l)| (v, Some(l)));
    let releases = &world.package(package, None).releases;
    let wanted: Option<Version> = plain.parse().ok();
    let Some(at) = wanted.as_ref().and_then(|w| releases.iter().position(|r| r.version() == w)) else {
        let near = match &wanted {
            Some(w) => {
                let at = releases.partition_point(|r| r.version() < w);
                releases[at.saturating_sub(2)..releases.len().min(at + 2)]
                    .iter()
                    .map(|r| r.text.to_string())
                    .collect()
            }
            None => Vec::new(),
        };
        return Err(unknown(id, version, &near));
    };
    Ok(vec![release(world, package, at, label)?])
}

/// The releases that a set of versions has in it: `torch>=2`, `cudnn>=9,<10`; `None` for what is no such set.
///
/// # Errors
/// If there is no such package, or no release in the set.
pub fn matching(world: &World<'_>, id: &str) -> Result<Option<Vec<Card>>, Diagnostic> {
    if !id.contains(['<', '>', '~', '!', '*', ',']) {
        return Ok(None);
    }
    let kb = world.kb;
    let Ok(requirement) = id.parse::<kb_core::pep::Requirement>() else { return Ok(None) };
    if requirement.versions().is_none() {
        return Ok(None);
    }
    let Ok(package) = resolve::package(kb, &requirement.name) else { return Ok(None) };
    let package_id = &*kb.packages[package].id;
    let system: Option<Vec<String>> = match package_id {
        "cudnn" => {
            Some(world.cudnn.releases.iter().map(|r| r.full.unwrap_or(r.version).to_string()).collect())
        }
        "cuda-toolkit" | "cuda" => Some(world.toolkit.releases.iter().map(|(v, _)| v.to_string()).collect()),
        _ => None,
    };
    let accepted = |text: &str| text.parse::<Version>().is_ok_and(|v| requirement.accepts(&v));
    let list: Vec<String> = match system {
        Some(all) => all.into_iter().rev().filter(|v| accepted(v)).collect(),
        None => {
            let releases = world.package(package, None).releases.iter().rev();
            releases.filter(|r| requirement.accepts(r.version())).map(|r| r.text.to_string()).collect()
        }
    };
    if list.is_empty() {
        return Err(unknown(package_id, &requirement.specifier, &[]));
    }
    let mut card = Card::new("package", format!("{package_id}{}", requirement.specifier), "");
    card.list("releases", list);
    Ok(Some(vec![card]))
}

fn unknown(id: &str, version: &str, near: &[String]) -> Diagnostic {
    let out = Diagnostic::error("unknown-release", format!("{id} has no release {version}"));
    let out = if near.is_empty() { out } else { out.note(format!("near: {}", near.join(", "))) };
    out.help(format!("`kb list releases {id}` shows all"))
}

/// The card of a package, by its index in the catalogue.
pub fn package(world: &World<'_>, index: usize) -> Card {
    let kb = world.kb;
    let package = &kb.packages[index];
    let known = world.package(index, None);
    let mut card = Card::new("package", &*package.id, &*package.name);
    card.put("type", json!(package.kind));
    card.list("aliases", &package.aliases);
    card.text("import_name", package.import_name.as_deref());
    card.list("members", &package.members);
    card.text("gpu_package", package.gpu_package.as_deref());
    if let Some(newest) = known.releases.iter().rev().find(|r| !r.yanked && !r.prerelease) {
        card.put("newest", newest.text.to_string());
    }
    let mut channels: Vec<&str> =
        known.builds.iter().filter_map(|b| kb.channels.get(usize::from(b.channel))).map(|c| &*c.id).collect();
    channels.sort_unstable();
    channels.dedup();
    card.list("channels", channels);
    card.list("releases", known.releases.iter().rev().map(|r| &r.text));
    card.facts = about::named(kb, Kind::Package, &package.id);
    card.disputes = about::disputes(kb, &package.id);
    let differing = truths::groups(kb, known, |_| true);
    card.truths = differing.iter().map(|g| (g.name(), g.columns.clone())).collect();
    card.unprinted.push(("sources_differ", differing.iter().map(|g| g.json(kb)).collect()));
    card
}

/// The card of a release: a package by its index, the place among its releases, and a label if only its builds are meant.
///
/// # Errors
/// If no build of the release has the label.
pub fn release(
    world: &World<'_>,
    package: usize,
    at: usize,
    label: Option<&str>,
) -> Result<Card, Diagnostic> {
    let kb = world.kb;
    let known = world.package(package, None);
    let release = &known.releases[at];
    let id = format!("{}=={}", kb.packages[package].id, release.text);
    let of_release = || known.builds.iter().filter(|b| b.release as usize == at);
    let builds: Vec<&Build> = of_release()
        .filter(|b| label.is_none_or(|l| b.label.as_deref().is_some_and(|x| x.eq_ignore_ascii_case(l))))
        .collect();
    if let (Some(label), true) = (label, builds.is_empty()) {
        let mut labels: Vec<&str> = of_release().filter_map(|b| b.label.as_deref()).collect();
        labels.sort_unstable();
        labels.dedup();
        return Err(Diagnostic::error(
            "unknown-release",
            format!("{id} has no build with the label +{label}"),
        )
        .note(format!(
            "its labels: {}",
            if labels.is_empty() { "none".to_owned() } else { labels.join(", ") }
        )));
    }
    let mut card = Card::new("release", &*id, "");
    card.put("package", &*kb.packages[package].id);
    card.put("version", release.text.to_string());
    if release.yanked {
        card.put("yanked", json!(true));
    }
    let columns: Vec<Vec<truths::Column>> = builds.iter().map(|b| truths::columns(kb, known, b)).collect();
    let listed = builds.iter().zip(&columns).map(|(b, columns)| build(world, package, b, columns));
    card.put("builds", listed.collect::<Vec<_>>());
    let wheels = about::of_release(kb, &kb.packages[package].id, release.version());
    card.put(
        "wheels",
        wheels.iter().filter_map(|f| about::cells(kb, *f, "wheel-states")).collect::<Vec<_>>(),
    );
    // Of builds that are judged it stands beside what is declared and documented.
    let judged = builds.iter().any(|b| b.device_code.is_some());
    let code = |f: &&kb_core::fact::FactId| !judged && *kb.relation(**f).id == *"build-device-code";
    card.put(
        "device_code",
        wheels
            .iter()
            .filter(code)
            .filter_map(|f| about::cells(kb, *f, "build-device-code"))
            .collect::<Vec<_>>(),
    );
    let mut facts: Vec<_> =
        release.fact.into_iter().chain(builds.iter().flat_map(|b| all_facts(b))).chain(wheels).collect();
    facts.sort();
    facts.dedup();
    card.facts = facts;
    card.truths = builds.iter().map(|b| name(world, package, b)).zip(columns).collect();
    Ok(card)
}

fn all_facts<'b>(build: &'b Build) -> impl Iterator<Item = kb_core::fact::FactId> + 'b {
    build
        .facts
        .iter()
        .copied()
        .chain(build.device_code.iter().flat_map(|d| d.facts.iter().chain(&d.against).copied()))
        .chain(build.python.iter().map(|p| p.fact))
        .chain(build.requires.iter().map(|r| r.1))
}

/// A build's version with its label.
fn version(world: &World<'_>, package: usize, build: &Build) -> String {
    let version = &world.package(package, None).release(build).text;
    build.label.as_ref().map_or_else(|| version.to_string(), |l| format!("{version}+{l}"))
}

/// What tells a build of a release from the others.
fn name(world: &World<'_>, package: usize, build: &Build) -> String {
    let extra = build.extra.as_ref().map(|e| format!("[{e}]")).unwrap_or_default();
    let channel = world.kb.channels.get(usize::from(build.channel)).map_or("", |c| &c.id);
    let platform = build.platform.map_or_else(|| "any".to_owned(), |p| p.to_string());
    format!("{}{extra}, {channel}, {platform}", version(world, package, build))
}

/// A build, with the keys of the contract.
fn build(world: &World<'_>, package: usize, build: &Build, columns: &[truths::Column]) -> Json {
    let kb = world.kb;
    let version = version(world, package, build);
    let code = build.device_code.as_ref().map(|d| {
        let texts = |list: &[kb_core::version::ComputeTarget]| {
            list.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        json!({ "sass": texts(&d.value.sass), "ptx": d.value.ptx.as_deref().map(texts) })
    });
    let mut tags: Vec<&str> = build.python.iter().flat_map(|p| p.tags.iter().map(|t| &**t)).collect();
    let mut seen = std::collections::BTreeSet::new();
    tags.retain(|t| seen.insert(*t));
    let mut facts: Vec<_> = all_facts(build).collect();
    facts.sort();
    facts.dedup();
    json!({
        "version": version,
        "channel": kb.channels.get(usize::from(build.channel)).map(|c| &c.id),
        "platform": build.platform.map_or_else(|| "any".to_owned(), |p| p.to_string()),
        "extra": build.extra,
        "kind": match build.kind { BuildKind::Cuda => "cuda", BuildKind::Cpu => "cpu", BuildKind::Rocm => "rocm", BuildKind::Plain => "plain" },
        "made_with": { "cuda": build.cuda.as_ref().map(|c| c.value.to_string()), "cudnn": build.cudnn.as_ref().map(|c| c.value.to_string()) },
        "libraries": build.libraries.as_ref().map(|l| l.value.word()),
        "device_code": code,
        "truths": columns.iter().map(|c| c.json(kb)).collect::<Vec<_>>(),
        "python": tags,
        "requires": build.requires.iter().map(|(r, _)| r.to_string()).collect::<Vec<_>>(),
        "facts": facts.iter().map(|f| kb.fact_name(*f)).collect::<Vec<_>>(),
    })
}

/// The card of a channel, by its index in the catalogue.
pub fn channel(world: &World<'_>, index: usize) -> Card {
    let kb = world.kb;
    let channel = &kb.channels[index];
    let mut card = Card::new("channel", &*channel.id, &*channel.name);
    card.put("type", &*channel.kind);
    card.text("address", channel.address.as_deref());
    card.text("local_label", channel.local_label.as_deref());
    card.list("aliases", &channel.aliases);
    card.list("packages", &channel.packages);
    card.put(
        "install",
        channel
            .install
            .iter()
            .map(|l| json!({ "tool": l.tool, "shell": l.shell, "command": l.command }))
            .collect::<Vec<_>>(),
    );
    card.sources.clone_from(&channel.sources);
    card.facts = about::facts(kb, &[Kind::Channel], |v| matches!(v, Value::Text(t) if **t == *channel.id));
    card
}
