//! Which pages there are: every thing with its address, every fact with its row.

use crate::Options;
use crate::address::{self, digest, slug};
use crate::kind::Kind;
use crate::language::Language;
use kb_card::{Card, diagnosis, gpu, image, package, pages, records, system};
use kb_core::diag::Diagnostic;
use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::reason::RuleId;
use kb_core::value::Branch;
use kb_core::version::ComputeCapability;
use kb_core::world::World;
use std::collections::{BTreeMap, HashMap};

/// Nodes of the document that one page of a table may have, and rows.
const NODES: usize = 9_000;
const ROWS: usize = 1_000;

/// A thing with a page.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    /// Its page below the language, with a slash at the end.
    pub(crate) address: String,
    pub(crate) at: At,
}

/// How its card is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// By its place in the catalogue.
    Index(usize),
    /// A release by its package and its place there.
    Release(usize, usize),
    Capability(ComputeCapability),
    Branch(Branch),
    /// By its id.
    Id,
}

/// A row of a table.
#[derive(Clone, Debug)]
struct Spot {
    /// 1 for the first page of the table.
    page: usize,
    fragment: String,
}

/// All pages of things and all rows.
pub(crate) struct Book<'w, 'k> {
    pub(crate) world: &'w World<'k>,
    pub(crate) kb: &'k Kb,
    pub(crate) base: String,
    pub(crate) things: Vec<Thing>,
    pub(crate) images: BTreeMap<String, Vec<FactId>>,
    by_id: HashMap<(Kind, String), usize>,
    spots: HashMap<FactId, Spot>,
    /// The facts of each relation, in the order of its pages.
    rows: Vec<Vec<FactId>>,
}

impl<'w, 'k> Book<'w, 'k> {
    /// Finds all things and gives each an address.
    ///
    /// # Errors
    /// Ids that leave no address, and two things with one address.
    pub(crate) fn new(world: &'w World<'k>, options: &Options) -> Result<Self, Vec<Diagnostic>> {
        let base = address::base(&options.base_path).map_err(|d| vec![d])?;
        let mut book = Book {
            world,
            kb: world.kb,
            base,
            things: Vec::new(),
            images: image::tags(world.kb),
            by_id: HashMap::new(),
            spots: HashMap::new(),
            rows: Vec::new(),
        };
        let mut mistakes = Vec::new();
        let mut taken: HashMap<String, String> = HashMap::new();
        for (kind, id, at) in things(world, &book.images) {
            let Some(address) = place(kind, &id) else {
                mistakes.push(
                    Diagnostic::error(
                        "no-address",
                        format!("the {} `{}` has no address", kind.word(), short(&id)),
                    )
                    .help("an id needs a letter or a digit of ASCII"),
                );
                continue;
            };
            let name = format!("{} `{}`", kind.word(), short(&id));
            if let Some(other) = taken.insert(address.clone(), name.clone()) {
                mistakes.push(Diagnostic::error(
                    "one-address",
                    format!("the {other} and the {name} have the same address, /{address}"),
                ));
                continue;
            }
            book.by_id.insert((kind, id.clone()), book.things.len());
            book.things.push(Thing { kind, id, address, at });
        }
        mistakes.extend(book.place_rows());
        if mistakes.is_empty() { Ok(book) } else { Err(mistakes) }
    }

    /// Gives every fact its row; two facts of a relation with one name share one.
    fn place_rows(&mut self) -> Vec<Diagnostic> {
        let kb = self.kb;
        self.rows = vec![Vec::new(); kb.relations.len()];
        for (t, table) in kb.tables.iter().enumerate() {
            let Some(rows) = self.rows.get_mut(usize::from(table.relation)) else { continue };
            for r in 0..table.rows.len() {
                if let (Ok(table), Ok(row)) = (u16::try_from(t), u32::try_from(r)) {
                    rows.push(FactId { table, row });
                }
            }
        }
        let mut mistakes = Vec::new();
        for (relation, rows) in self.rows.iter_mut().enumerate() {
            rows.sort_by_cached_key(|f| (kb.table(*f).stem.clone(), f.row));
            let mut taken: HashMap<String, String> = HashMap::new();
            let mut repeated: HashMap<String, usize> = HashMap::new();
            let size = page_size(kb, relation);
            for (index, fact) in rows.iter().enumerate() {
                let name = kb.fact_name(*fact);
                let count = repeated.entry(name.clone()).or_default();
                let fragment = match *count {
                    0 => format!("f{}", digest(&name)),
                    // A withdrawn row may stand beside the one that replaced it.
                    n => format!("f{}-{n}", digest(&name)),
                };
                *count += 1;
                if let Some(other) = taken.insert(fragment.clone(), name.clone()) {
                    mistakes.push(Diagnostic::error(
                        "one-address",
                        format!("the facts `{}` and `{}` share a fragment", short(&other), short(&name)),
                    ));
                }
                self.spots.insert(*fact, Spot { page: index / size + 1, fragment });
            }
        }
        mistakes
    }

    /// The page of a thing below the language.
    pub(crate) fn address(&self, kind: Kind, id: &str) -> Option<&str> {
        self.by_id.get(&(kind, id.to_owned())).map(|i| &*self.things[*i].address)
    }

    /// The link to a thing, if it has a page.
    pub(crate) fn href(&self, language: Language, kind: Kind, id: &str) -> Option<String> {
        self.address(kind, id).map(|address| self.link(language, address))
    }

    /// The link to an address below the language.
    pub(crate) fn link(&self, language: Language, address: &str) -> String {
        format!("{}{}{address}", self.base, language.prefix())
    }

    /// The link to a fact's row.
    pub(crate) fn fact(&self, language: Language, fact: FactId) -> Option<String> {
        let spot = self.spots.get(&fact)?;
        let table = self.href(language, Kind::Relation, &self.kb.relation(fact).id)?;
        Some(match spot.page {
            1 => format!("{table}#{}", spot.fragment),
            page => format!("{table}{page}/#{}", spot.fragment),
        })
    }

    /// The fragment of a fact's row.
    pub(crate) fn fragment(&self, fact: FactId) -> Option<&str> {
        self.spots.get(&fact).map(|s| &*s.fragment)
    }

    /// The rows of a relation, page by page; at least one page.
    pub(crate) fn table_pages(&self, relation: usize) -> Vec<&[FactId]> {
        let rows = self.rows.get(relation).map_or(&[][..], Vec::as_slice);
        if rows.is_empty() { vec![rows] } else { rows.chunks(page_size(self.kb, relation)).collect() }
    }

    /// What is known of a thing, in a language.
    pub(crate) fn card(&self, thing: &Thing, language: Language) -> Option<Card> {
        let (world, kb, id) = (self.world, self.kb, &*thing.id);
        let of_kind =
            |cards: Vec<Card>| cards.into_iter().find(|c| c.kind == thing.kind.word() && c.id == id);
        match (thing.kind, thing.at) {
            (Kind::Gpu, At::Index(i)) => Some(gpu::gpu(world, i)),
            (Kind::Accelerator, At::Index(i)) => Some(gpu::accelerator(world, i)),
            (Kind::Package, At::Index(i)) => Some(package::package(world, i)),
            (Kind::Channel, At::Index(i)) => Some(package::channel(world, i)),
            (Kind::Release, At::Release(package, at)) => package::release(world, package, at, None).ok(),
            (Kind::Capability, At::Capability(c)) => gpu::capability_cards(world, c).pop(),
            (Kind::Branch, At::Branch(b)) => system::branch(world, b),
            (Kind::Cuda, _) => system::cuda(world, id).pop(),
            (Kind::Cudnn, _) => system::cudnn(world, id).pop(),
            (Kind::Image, _) => self.images.get(id).map(|facts| image::card(kb, id, facts)),
            (Kind::Signature, At::Index(i)) => {
                kb.signatures.get(i).map(|s| diagnosis::signature(s, language.tag()))
            }
            (Kind::Cause, At::Index(i)) => kb.causes.get(i).map(|c| diagnosis::cause(kb, c, language.tag())),
            (Kind::Source | Kind::Dispute, _) => of_kind(records::find(kb, id)),
            _ => of_kind(pages::find(kb, id)),
        }
    }
}

/// A text that may be anything, cut to what a message can hold.
fn short(text: &str) -> String {
    let mut out: String =
        text.chars().take(80).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(80).is_some() {
        out.push('…');
    }
    out
}

/// How many rows of a relation stand on one page.
fn page_size(kb: &Kb, relation: usize) -> usize {
    let columns = kb.relations.get(relation).map_or(0, |r| r.columns.len());
    // A row, its cells, and the links in about half of them.
    (NODES / (1 + (columns + 4) * 3 / 2)).min(ROWS)
}

/// The address of a thing below the language.
fn place(kind: Kind, id: &str) -> Option<String> {
    let parts = match kind {
        Kind::Release => id.split_once("=="),
        Kind::Dispute => id.split_once('/'),
        _ => None,
    };
    let inner = match parts {
        Some((first, second)) => format!("{}/{}", slug(first)?, slug(second)?),
        None => slug(id)?,
    };
    Some(format!("{}/{inner}/", kind.segment()))
}

/// Everything that has a page.
fn things(world: &World<'_>, images: &BTreeMap<String, Vec<FactId>>) -> Vec<(Kind, String, At)> {
    let kb = world.kb;
    let mut out: Vec<(Kind, String, At)> = Vec::new();
    let mut all = |kind, ids: Vec<String>| {
        out.extend(ids.into_iter().enumerate().map(|(i, id)| (kind, id, At::Index(i))));
    };
    all(Kind::Gpu, kb.gpus.iter().map(|g| g.id.to_string()).collect());
    all(Kind::Package, kb.packages.iter().map(|p| p.id.to_string()).collect());
    all(Kind::Channel, kb.channels.iter().map(|c| c.id.to_string()).collect());
    all(Kind::Accelerator, kb.accelerators.iter().map(|a| a.id.to_string()).collect());
    all(Kind::Signature, kb.signatures.iter().map(|s| s.id.to_string()).collect());
    all(Kind::Cause, kb.causes.iter().map(|c| c.id.to_string()).collect());
    let mut named = |kind, ids: Vec<String>| out.extend(ids.into_iter().map(|id| (kind, id, At::Id)));
    named(Kind::Cuda, cuda(world));
    named(Kind::Cudnn, cudnn(world));
    named(Kind::Image, images.keys().cloned().collect());
    named(Kind::Rule, rules(kb));
    named(Kind::Relation, kb.relations.iter().map(|r| r.id.to_string()).collect());
    named(Kind::Dispute, kb.disputes.iter().map(|d| d.id.to_string()).collect());
    named(Kind::Topic, kb.topics.iter().map(|t| t.id.to_string()).collect());
    named(Kind::Advisory, kb.advisories.iter().map(|a| a.id.to_string()).collect());
    named(Kind::Source, kb.sources.iter().map(|s| s.id.to_string()).collect());
    out.extend(capabilities(world).into_iter().map(|c| (Kind::Capability, c.to_string(), At::Capability(c))));
    let branches = world.driver.branches.iter().map(|b| b.branch);
    out.extend(branches.map(|b| (Kind::Branch, b.to_string(), At::Branch(b))));
    for (index, package) in kb.packages.iter().enumerate() {
        for (at, release) in world.package(index, None).releases.iter().enumerate() {
            out.push((Kind::Release, format!("{}=={}", package.id, release.text), At::Release(index, at)));
        }
    }
    out.sort_by_key(|(kind, ..)| *kind);
    out
}

/// Capabilities of GPUs, of driver tables and of toolkits.
fn capabilities(world: &World<'_>) -> Vec<ComputeCapability> {
    let mut out = world.driver.capabilities();
    out.extend(world.gpus.iter().filter_map(|g| g.capability.as_ref()).map(|c| c.value));
    out.extend(world.toolkit.targets.iter().flat_map(|(_, targets, _)| targets.iter().map(|t| t.capability)));
    out.sort();
    out.dedup();
    out.retain(|c| !gpu::capability_cards(world, *c).is_empty());
    out
}

/// Releases, and the two numbers that stand for all of a release's updates.
fn cuda(world: &World<'_>) -> Vec<String> {
    let mut out: Vec<_> = world.toolkit.releases.iter().flat_map(|(v, _)| [v.prefix(2), v.0]).collect();
    out.sort();
    out.dedup_by_key(|v| v.to_string());
    out.iter().map(ToString::to_string).collect()
}

fn cudnn(world: &World<'_>) -> Vec<String> {
    let mut out: Vec<_> = world.cudnn.releases.iter().map(|r| r.version.0).collect();
    out.sort();
    out.dedup_by_key(|v| v.to_string());
    out.iter().map(ToString::to_string).collect()
}

/// The pages of rules, and the rules of the program that have none in this data.
fn rules(kb: &Kb) -> Vec<String> {
    let mut out: Vec<String> = kb.rules.iter().map(|r| r.id.to_string()).collect();
    for rule in RuleId::ALL {
        if !out.iter().any(|id| id == rule.word()) {
            out.push(rule.word().to_owned());
        }
    }
    out
}
