//! The entries of each list.

use super::{Entry, imports};
use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::world::World;
use serde_json::json;
use std::collections::BTreeMap;

/// The entries of a list.
pub fn of(kb: &Kb, what: &str, language: &str) -> Vec<Entry> {
    match what {
        "gpus" => gpus(kb),
        "branches" => branches(kb),
        "packages" => packages(kb),
        "releases" => releases(kb),
        "channels" => kb
            .channels
            .iter()
            .map(|c| {
                Entry::new(&*c.id, &*c.name)
                    .with("kind", json!(c.kind))
                    .with("address", json!(c.address))
                    .of(&c.kind)
            })
            .collect(),
        "facts" => facts(kb),
        "relations" => kb
            .relations
            .iter()
            .map(|r| Entry::new(&*r.id, &*r.title).with("facts", json!(rows_of(kb, &r.id))))
            .collect(),
        "sources" => kb
            .sources
            .iter()
            .map(|s| {
                Entry::new(&*s.id, &*s.title)
                    .with("kind", json!(s.kind))
                    .with("publisher", json!(s.publisher))
                    .with("address", json!(s.address))
                    .of(&s.publisher)
            })
            .collect(),
        "disputes" => kb
            .disputes
            .iter()
            .map(|d| {
                Entry::new(&*d.id, relation_title(kb, d.relation)).with("since", json!(d.since)).of(d
                    .id
                    .split('/')
                    .next()
                    .unwrap_or_default())
            })
            .collect(),
        "topics" => {
            kb.topics.iter().map(|t| Entry::new(&*t.id, &*t.title).with("names", json!(t.names))).collect()
        }
        "advisories" => kb
            .advisories
            .iter()
            .map(|a| Entry::new(&*a.id, &*a.title).with("severity", json!(a.severity)))
            .collect(),
        "causes" => causes(kb, language),
        "signatures" => signatures(kb, language),
        "claims" => claims(kb),
        "rules" => rules(kb),
        "accelerators" => {
            kb.accelerators.iter().map(|a| Entry::new(&*a.id, &*a.name).with("kind", json!(a.kind))).collect()
        }
        _ => kb.words.iter().map(|w| Entry::new(&*w.language, format!("{}", w.sentences.len()))).collect(),
    }
}

/// How many there are, without making them where that is costly.
pub fn count(kb: &Kb, what: &str) -> usize {
    match what {
        "facts" => kb.fact_count(),
        "gpus" => kb.gpus.len(),
        "packages" => kb.packages.len(),
        "claims" => kb.articles.iter().map(|a| a.claims.len()).sum(),
        "causes" => kb.causes.len(),
        "signatures" => kb.signatures.len(),
        _ => of(kb, what, "en").len(),
    }
}

fn rows_of(kb: &Kb, relation: &str) -> usize {
    kb.facts_of(relation).count()
}

fn relation_title(kb: &Kb, index: u16) -> &str {
    kb.relations.get(usize::from(index)).map_or("", |r| &r.title)
}

fn gpus(kb: &Kb) -> Vec<Entry> {
    let world = World::new(kb);
    let entries = kb.gpus.iter().zip(&world.gpus).map(|(gpu, facts)| {
        let capability = facts.capability.as_ref().map(|c| c.value.to_string());
        Entry::new(&*gpu.id, &*gpu.name)
            .with("architecture", json!(gpu.architecture))
            .with("compute_capability", json!(capability))
            .with("segment", json!(gpu.segment))
            .of(&gpu.architecture)
    });
    entries.collect()
}

fn branches(kb: &Kb) -> Vec<Entry> {
    let world = World::new(kb);
    let entries = world.driver.branches.iter().map(|b| {
        let cuda = b.cuda.map(|c| c.to_string());
        let title = cuda.as_ref().map(|c| format!("CUDA {c}")).unwrap_or_default();
        Entry::new(b.branch.to_string(), title)
            .with("cuda", json!(cuda))
            .with("fact", json!(kb.fact_name(b.fact)))
    });
    entries.collect()
}

fn packages(kb: &Kb) -> Vec<Entry> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for release in releases(kb) {
        *counts.entry(release.group).or_default() += 1;
    }
    let imported = imports::last(kb);
    let entries = kb.packages.iter().map(|p| {
        Entry::new(&*p.id, &*p.name)
            .with("kind", json!(p.kind))
            .with("main", json!(p.main))
            .with("releases", json!(counts.get(&*p.id).copied().unwrap_or(0)))
            .with("last_import", json!(imported.get(&*p.id)))
    });
    entries.collect()
}

/// Adds when a release was published and when somebody read that, as the fact says that lists it.
fn dated(kb: &Kb, entry: Entry, fact: Option<FactId>) -> Entry {
    let published = fact.and_then(|f| kb.cell(f, "date")).map(ToString::to_string);
    let read = fact.and_then(|f| kb.table(f).read_on.as_deref());
    entry.with("date", json!(published)).with("read_on", json!(read))
}

fn releases(kb: &Kb) -> Vec<Entry> {
    let world = World::new(kb);
    let mut out = Vec::new();
    for (index, package) in kb.packages.iter().enumerate() {
        for release in &world.package(index, None).releases {
            let id = format!("{}=={}", package.id, release.text);
            let entry = Entry::new(&*id, &*id)
                .with("package", json!(package.id))
                .with("version", json!(release.text.to_string()))
                .with("yanked", json!(release.yanked))
                .of(&package.id);
            out.push(dated(kb, entry, release.fact));
        }
    }
    let mut system = |name: &str, version: String, fact: FactId| {
        let id = format!("{name}=={version}");
        let entry = Entry::new(&*id, &*id)
            .with("package", json!(name))
            .with("version", json!(version))
            .with("yanked", json!(false))
            .of(name);
        out.push(dated(kb, entry, Some(fact)));
    };
    world.toolkit.releases.iter().for_each(|(v, fact)| system("cuda-toolkit", v.to_string(), *fact));
    let cudnn = world.cudnn.releases.iter();
    cudnn.for_each(|r| system("cudnn", r.full.unwrap_or(r.version).to_string(), r.fact));
    out
}

fn facts(kb: &Kb) -> Vec<Entry> {
    let mut out = Vec::with_capacity(kb.fact_count());
    for (t, table) in kb.tables.iter().enumerate() {
        for row in 0..table.rows.len() {
            let (Ok(table), Ok(row)) = (u16::try_from(t), u32::try_from(row)) else { continue };
            let fact = FactId { table, row };
            let says = crate::sentence(kb, fact);
            out.push(
                Entry::new(kb.fact_name(fact), says)
                    .with("grade", json!(kb.grade(fact).word()))
                    .of(&kb.relation(fact).id),
            );
        }
    }
    out
}

/// The pages of rules, and the rules of the program that have none in this data.
fn rules(kb: &Kb) -> Vec<Entry> {
    let mut out: Vec<Entry> =
        kb.rules.iter().map(|r| Entry::new(&*r.id, &*r.title).with("reads", json!(r.reads))).collect();
    for rule in kb_core::reason::RuleId::ALL {
        if !kb.rules.iter().any(|r| &*r.id == rule.word()) {
            out.push(Entry::new(rule.word(), "").with("reads", json!([])));
        }
    }
    out
}

fn causes(kb: &Kb, language: &str) -> Vec<Entry> {
    let entries = kb.causes.iter().map(|c| {
        Entry::new(&*c.id, c.title.in_language(language))
            .with("family", json!(c.family))
            .with("names", json!(c.names))
            .of(&c.family)
    });
    entries.collect()
}

fn signatures(kb: &Kb, language: &str) -> Vec<Entry> {
    let entries = kb.signatures.iter().map(|s| {
        Entry::new(&*s.id, s.title.in_language(language))
            .with("emitted_by", json!(s.emitted_by))
            .with("states", json!(s.states))
            .with("suggests", json!(s.suggests))
            .with("harmless", json!(s.harmless))
            .of(s.emitted_by.first().map_or("", |e| e))
    });
    entries.collect()
}

fn claims(kb: &Kb) -> Vec<Entry> {
    let all = kb.articles.iter().flat_map(|a| a.claims.iter().map(move |c| (a, c)));
    all.map(|(article, claim)| {
        Entry::new(&*claim.id, &*claim.statement)
            .with("article", json!(article.id))
            .with("verdict", json!(claim.verdict))
            .of(&claim.verdict)
    })
    .collect()
}
