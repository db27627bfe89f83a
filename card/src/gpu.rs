//! GPUs, compute capabilities, accelerators of other makers.

use crate::Card;
use crate::about;
use kb_core::catalog::normal_form;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::resolve::{self, GpuMatch};
use kb_core::value::{Kind, Value};
use kb_core::version::ComputeCapability;
use kb_core::world::{ArchRange, World};
use serde_json::json;

/// The cards of a GPU's spelling: one, or all that share it.
pub fn find(world: &World<'_>, id: &str) -> Vec<Card> {
    match resolve::gpu(world.kb, id) {
        GpuMatch::Gpu(index) => vec![gpu(world, index)],
        GpuMatch::Ambiguous(several) => several.into_iter().map(|i| gpu(world, i)).collect(),
        GpuMatch::Capability(capability) => capability_cards(world, capability),
        GpuMatch::Accelerator(index) => vec![accelerator(world, index)],
        GpuMatch::None | GpuMatch::Unknown => Vec::new(),
    }
}

/// What to say of a spelling that several GPUs share.
pub fn ambiguous(kb: &Kb, id: &str) -> Option<Diagnostic> {
    let GpuMatch::Ambiguous(several) = resolve::gpu(kb, id) else { return None };
    let ids: Vec<&str> = several.iter().map(|i| &*kb.gpus[*i].id).collect();
    Some(
        Diagnostic::warning("ambiguous-gpu", format!("`{id}` names more than one GPU: {}", ids.join(", ")))
            .help("each is shown; name the one that is meant"),
    )
}

/// Is this exactly the name of an accelerator of another maker?
pub fn is_named(kb: &Kb, id: &str) -> bool {
    let wanted = normal_form(id);
    let named = |a: &kb_core::catalog::Accelerator| {
        std::iter::once(&a.id).chain([&a.name]).chain(&a.aliases).any(|n| normal_form(n) == wanted)
    };
    kb.accelerators.iter().any(named)
}

/// The card of a GPU, by its index in the catalogue.
pub fn gpu(world: &World<'_>, index: usize) -> Card {
    let (gpu, facts) = (&world.kb.gpus[index], &world.gpus[index]);
    let mut card = Card::new("gpu", &*gpu.id, &*gpu.name);
    card.put("architecture", &*gpu.architecture);
    if let Some(capability) = &facts.capability {
        card.put("compute_capability", capability.value.to_string());
    }
    card.list("memory_mib", &gpu.memory_mib);
    card.put("segment", &*gpu.segment);
    range(&mut card, &facts.range);
    card.list(
        "listed_by_branches",
        facts.listed.iter().map(|(branch, since)| match since {
            Some(since) => format!("{branch} ({since})"),
            None => branch.to_string(),
        }),
    );
    card.list("chips", &gpu.chips);
    card.list("aliases", &gpu.aliases);
    card.list("pci_ids", &gpu.pci_ids);
    card.text("note", gpu.note.as_deref());
    card.sources.clone_from(&gpu.sources);
    card.facts = about::named(world.kb, Kind::Gpu, &gpu.id);
    card.disputes = about::disputes(world.kb, &gpu.id);
    card
}

fn range(card: &mut Card, range: &ArchRange) {
    if let Some(first) = &range.first {
        card.put("first_branch", first.value.to_string());
    }
    if let Some(last) = &range.last {
        card.put("last_branch", last.value.to_string());
    }
}

/// A capability, if anything is known of it.
pub fn capability_cards(world: &World<'_>, capability: ComputeCapability) -> Vec<Card> {
    let kb = world.kb;
    let facts =
        about::facts(kb, &[Kind::Compute], |v| matches!(v, Value::Compute(c) if c.capability == capability));
    let gpus: Vec<&str> = kb
        .gpus
        .iter()
        .zip(&world.gpus)
        .filter(|(_, f)| f.capability.as_ref().is_some_and(|c| c.value == capability))
        .map(|(g, _)| &*g.id)
        .collect();
    if facts.is_empty() && gpus.is_empty() {
        return Vec::new();
    }
    let mut card = Card::new("capability", capability.to_string(), "");
    range(&mut card, &world.driver.range_of(capability));
    let mut compilers: Vec<String> = world
        .toolkit
        .targets
        .iter()
        .filter(|(_, t, _)| t.iter().any(|t| t.capability == capability))
        .map(|(v, ..)| v.to_string())
        .collect();
    compilers.dedup();
    card.list("toolkits", compilers);
    card.put("gpus", gpus.iter().map(|g| json!(g)).collect::<Vec<_>>());
    card.facts = facts;
    card.disputes = about::disputes(kb, &capability.to_string());
    vec![card]
}

/// The card of an accelerator of another maker, by its index in the catalogue.
pub fn accelerator(world: &World<'_>, index: usize) -> Card {
    let found = &world.kb.accelerators[index];
    let mut card = Card::new("accelerator", &*found.id, &*found.name);
    card.put("type", &*found.kind);
    card.list("aliases", &found.aliases);
    card.text("note", found.note.as_deref());
    let offers: Vec<_> = found
        .offers
        .iter()
        .map(|o| json!({ "framework": o.framework, "package": o.package, "needs": o.needs, "place": o.place, "chips": o.chips, "note": o.note }))
        .collect();
    card.put("offers", offers);
    for source in found.offers.iter().flat_map(|o| &o.sources) {
        if !card.sources.contains(source) {
            card.sources.push(*source);
        }
    }
    card
}
