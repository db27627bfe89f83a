//! The compact form: what the build script writes and the program reads at its start.
//!
//! Parts, so that a question pays only for what an answer needs: the *core* has the names, the sources, the disputes and
//! the tables that rules read; *libraries* has those of the packages beside the frameworks, which the browser fetches
//! when a question names several packages; the *rest* has the other tables and everything that only people read.

use kb_core::catalog::{Package, PackageKind};
use kb_core::fact::{Coverage, Row, Rows, Table};
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::platform::Platform;
use kb_core::record::{Article, Cause, Checked, Said, Signature, Topic, Words};
use kb_core::value::Value;
use kb_core::world::{PackageWorld, World};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::BTreeSet;

/// The relations whose tables are in the core.
pub const REASONING_RELATIONS: [&str; 33] = [
    "gpu-compute-capability",
    "arch-toolkit",
    "toolkit-targets",
    "arch-info",
    "arch-driver",
    "capability-driver",
    "gpu-driver",
    "open-kernel-branch",
    "driver-branch",
    "driver-release",
    "cuda-minimum-driver",
    "cuda-toolkit-driver",
    "cuda-release",
    "toolkit-ptx",
    "cuda-forward",
    "cuda-forward-class",
    "cudnn-release",
    "cudnn-cuda",
    "cudnn-compute",
    "cudnn-files",
    "release",
    "wheel-files",
    "wsl-support",
    "package-python",
    "build-made-with",
    "build-device-code",
    "build-requires",
    "package-compute",
    "package-cuda",
    "build-driver-advice",
    "image",
    "shared-paths",
    "import-name",
];

/// How the ids of sentences begin that are said of facts and files themselves, in cards and lists: no answer says them.
pub const READING_WORDS: [&str; 10] = [
    "ui-f-",
    "ui-help-",
    "ui-inspect-",
    "ui-k-",
    "ui-l-",
    "ui-list-",
    "ui-remote-",
    "ui-site-",
    "ui-stale",
    "ui-truth",
];

/// How the ids of sentences begin that only `diagnose`, `doctor` and their kin say.
pub const DIAGNOSIS_WORDS: [&str; 3] = ["ui-diag-", "ui-doctor-", "ui-snap-"];

/// The parts as bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Blobs {
    /// Enough for every answer.
    pub core: Vec<u8>,
    /// What [`add_tables`] adds to it: imported tables of libraries and of NVIDIA's wheels.
    pub libraries: Vec<u8>,
    /// What [`join`] adds to both.
    pub rest: Vec<u8>,
    /// The words of every language but English, which is in the core and the rest.
    pub words: Vec<u8>,
    /// What [`add_diagnosis`] adds: signatures and causes without their pages and samples.
    pub diagnosis: Vec<u8>,
    /// Every package joined for every platform, to be read by [`joined`].
    pub packages: Vec<u8>,
}

/// What the core leaves out. Prose stands in the order of the core's lists.
#[derive(Serialize, Deserialize, Default)]
struct Rest {
    topics: Vec<Topic>,
    articles: Vec<Article>,
    checked: Vec<Checked>,
    /// English; other languages are whole in [`Blobs::words`].
    sentences: BTreeMap<Box<str>, Box<str>>,
    relations: Vec<Box<str>>,
    disputes: Vec<Box<str>>,
    advisories: Vec<Box<str>>,
    rules: Vec<Box<str>>,
    signatures: Vec<SignaturePage>,
    causes: Vec<Said>,
}

/// What only people and tests read of a signature.
#[derive(Serialize, Deserialize, Default)]
struct SignaturePage {
    matches: Vec<Box<str>>,
    passes: Vec<Box<str>>,
    seen_in: Vec<Box<str>>,
    prose: Said,
}

/// A table whose rows are bytes, to be read when they are looked at.
#[derive(Serialize, Deserialize)]
struct PackedTable<'a> {
    relation: u16,
    source: u16,
    stem: Box<str>,
    locator: Option<Box<str>>,
    read_on: Option<Box<str>>,
    coverage: Coverage,
    imported_by: Option<Box<str>>,
    count: usize,
    #[serde(borrow)]
    rows: Cow<'a, [u8]>,
}

impl PackedTable<'static> {
    fn open(self) -> Table {
        let rows = match self.rows {
            Cow::Borrowed(bytes) => Rows::packed(bytes, self.count, unpack),
            Cow::Owned(bytes) => unpack(&bytes).into(),
        };
        Table {
            relation: self.relation,
            source: self.source,
            stem: self.stem,
            locator: self.locator,
            read_on: self.read_on,
            coverage: self.coverage,
            imported_by: self.imported_by,
            rows,
        }
    }
}

/// The rows of a packed table. Bytes that are not what [`write`] wrote give no rows.
fn unpack(bytes: &[u8]) -> Vec<Row> {
    postcard::from_bytes(bytes).unwrap_or_default()
}

fn pack(tables: &[Table]) -> Result<Vec<PackedTable<'static>>, postcard::Error> {
    let one = |t: &Table| {
        Ok(PackedTable {
            relation: t.relation,
            source: t.source,
            stem: t.stem.clone(),
            locator: t.locator.clone(),
            read_on: t.read_on.clone(),
            coverage: t.coverage,
            imported_by: t.imported_by.clone(),
            count: t.rows.count(),
            rows: postcard::to_allocvec(&*t.rows)?.into(),
        })
    };
    tables.iter().map(one).collect()
}

/// The package that an imported table is about.
fn package_of<'kb>(kb: &'kb Kb, table: &Table) -> Option<&'kb Package> {
    let importer = table.imported_by.as_deref()?;
    let name = table.stem.strip_prefix(importer).and_then(|s| s.strip_prefix('-')).unwrap_or(&table.stem);
    kb.package(name.split("--").next().unwrap_or(name)).map(|p| &kb.packages[p])
}

/// Packages that releases of frameworks require: which interpreters those have files for limits the framework too.
fn required(kb: &Kb) -> BTreeSet<String> {
    let of_frameworks = kb.tables.iter().filter(|t| {
        let named = package_of(kb, t).is_some_and(|p| p.kind == PackageKind::Framework);
        named && &*kb.relations[usize::from(t.relation)].id == "build-requires"
    });
    let texts = of_frameworks.flat_map(|t| t.rows.iter()).flat_map(|row| row.cells.iter().flatten());
    let lists = texts.filter_map(|cell| if let Value::List(list) = cell { Some(list) } else { None });
    lists
        .flatten()
        .filter_map(|value| value.to_string().parse::<Requirement>().ok())
        .map(|requirement| requirement.name.to_string())
        .collect()
}

/// Is it a table of a package that nobody asks about alone: a library that no framework requires, a wheel of NVIDIA's?
fn beside(kb: &Kb, required: &BTreeSet<String>, table: &Table) -> bool {
    package_of(kb, table).is_some_and(|p| match p.kind {
        PackageKind::NvidiaWheel => true,
        PackageKind::Library => !required.contains(&*p.id),
        _ => false,
    })
}

/// Writes a Kb in parts.
///
/// # Errors
///
/// Never for a Kb that the loader made: the format has no limits that one could reach.
pub fn write(mut kb: Kb) -> Result<Blobs, postcard::Error> {
    let mut rest = Rest {
        topics: std::mem::take(&mut kb.topics),
        articles: std::mem::take(&mut kb.articles),
        checked: std::mem::take(&mut kb.checked),
        ..Rest::default()
    };
    let required = required(&kb);
    let reasoning: Vec<bool> = kb.relations.iter().map(|r| REASONING_RELATIONS.contains(&&*r.id)).collect();
    let (tables, others): (Vec<Table>, Vec<Table>) =
        std::mem::take(&mut kb.tables).into_iter().partition(|t| reasoning[usize::from(t.relation)]);
    rest.relations = kb.relations.iter_mut().map(|r| std::mem::take(&mut r.prose)).collect();
    rest.disputes = kb.disputes.iter_mut().map(|d| std::mem::take(&mut d.prose)).collect();
    rest.advisories = kb.advisories.iter_mut().map(|a| std::mem::take(&mut a.prose)).collect();
    rest.rules = kb.rules.iter_mut().map(|r| std::mem::take(&mut r.prose)).collect();
    rest.signatures = (kb.signatures.iter_mut())
        .map(|s| SignaturePage {
            matches: std::mem::take(&mut s.matches),
            passes: std::mem::take(&mut s.passes),
            seen_in: std::mem::take(&mut s.seen_in),
            prose: std::mem::take(&mut s.prose),
        })
        .collect();
    rest.causes = kb.causes.iter_mut().map(|c| std::mem::take(&mut c.prose)).collect();
    let (english, others_words): (Vec<Words>, Vec<Words>) =
        std::mem::take(&mut kb.words).into_iter().partition(|w| &*w.language == "en");
    kb.words = english;
    let mut diagnosis_words: BTreeMap<Box<str>, Box<str>> = BTreeMap::new();
    for words in &mut kb.words {
        let (reading, answers): (_, BTreeMap<Box<str>, Box<str>>) = std::mem::take(&mut words.sentences)
            .into_iter()
            .partition(|(id, _)| READING_WORDS.iter().any(|start| id.starts_with(start)));
        let (diagnosing, answers): (BTreeMap<_, _>, BTreeMap<_, _>) =
            answers.into_iter().partition(|(id, _)| DIAGNOSIS_WORDS.iter().any(|w| id.starts_with(w)));
        words.sentences = answers;
        rest.sentences = reading;
        diagnosis_words = diagnosing;
    }
    let diagnosis = postcard::to_allocvec(&(&kb.signatures, &kb.causes, &diagnosis_words))?;
    let words = postcard::to_allocvec(&others_words)?;
    let (libraries, mut tables): (Vec<Table>, Vec<Table>) =
        tables.into_iter().partition(|t| beside(&kb, &required, t));
    let core = postcard::to_allocvec(&(&kb, pack(&tables)?))?;
    let rest = postcard::to_allocvec(&(&rest, pack(&others)?))?;
    let packed = postcard::to_allocvec(&pack(&libraries)?)?;
    // Handles of facts in the joined packages are those of core and libraries: their tables come first.
    tables.extend(libraries);
    kb.tables = tables;
    Ok(Blobs { core, libraries: packed, rest, words, diagnosis, packages: join_packages(&kb)? })
}

/// Joins every package for every platform; pieces of their own, so that a question reads those it asks about.
fn join_packages(kb: &Kb) -> Result<Vec<u8>, postcard::Error> {
    let world = World::new(kb);
    let mut pieces: Vec<Cow<'_, [u8]>> = Vec::new();
    for package in 0..kb.packages.len() {
        for platform in platforms() {
            pieces.push(postcard::to_allocvec(world.package(package, Some(platform)))?.into());
        }
    }
    postcard::to_allocvec(&pieces)
}

fn platforms() -> impl Iterator<Item = Platform> {
    Platform::WORDS.iter().filter_map(|w| Platform::parse(w))
}

/// A package as it was joined for a platform; `None` if the bytes hold none.
pub fn joined(packages: &'static [u8], package: usize, platform: Platform) -> Option<PackageWorld> {
    let count = platforms().count();
    let at = package * count + platforms().position(|p| p == platform)?;
    let piece = piece(packages, at)?;
    postcard::from_bytes(piece).ok()
}

/// The piece at a position in a sequence of byte strings, without reading the ones before it.
fn piece(bytes: &'static [u8], at: usize) -> Option<&'static [u8]> {
    let (count, mut rest): (usize, &[u8]) = postcard::take_from_bytes(bytes).ok()?;
    if at >= count {
        return None;
    }
    for _ in 0..at {
        let (length, after): (usize, &[u8]) = postcard::take_from_bytes(rest).ok()?;
        rest = after.get(length..)?;
    }
    let (length, after): (usize, &[u8]) = postcard::take_from_bytes(rest).ok()?;
    after.get(..length)
}

/// Adds the words of the other languages. Bytes that are not what [`write()`] wrote add none.
pub fn add_words(kb: &mut Kb, words: &[u8]) {
    kb.words.extend(postcard::from_bytes::<Vec<Words>>(words).unwrap_or_default());
    kb.words.sort_by(|a, b| a.language.cmp(&b.language));
}

/// Reads the core.
///
/// # Errors
///
/// If the bytes are not a core written by this version.
pub fn read_core(core: &'static [u8]) -> Result<Kb, postcard::Error> {
    let (mut kb, tables): (Kb, Vec<PackedTable<'static>>) = postcard::from_bytes(core)?;
    kb.tables = tables.into_iter().map(PackedTable::open).collect();
    Ok(kb)
}

/// Adds tables to a core: [`Blobs::libraries`]. Bytes that are not what [`write()`] wrote add none.
pub fn add_tables(kb: &mut Kb, tables: &'static [u8]) {
    let tables: Vec<PackedTable<'static>> = postcard::from_bytes(tables).unwrap_or_default();
    kb.tables.extend(tables.into_iter().map(PackedTable::open));
}

/// Adds signatures and causes, without pages and samples. Bytes that are not what [`write()`] wrote add none.
pub fn add_diagnosis(kb: &mut Kb, bytes: &[u8]) {
    type Part = (Vec<Signature>, Vec<Cause>, BTreeMap<Box<str>, Box<str>>);
    let (signatures, causes, mut sentences): Part = postcard::from_bytes(bytes).unwrap_or_default();
    kb.signatures = signatures;
    kb.causes = causes;
    if let Some(english) = kb.words.iter_mut().find(|w| &*w.language == "en") {
        english.sentences.append(&mut sentences);
    }
}

/// Adds the rest to its core. Handles of facts stay valid: the tables of the rest come after those of the core.
///
/// # Errors
///
/// If the bytes are not a rest written by this version.
pub fn join(mut kb: Kb, rest: &'static [u8]) -> Result<Kb, postcard::Error> {
    let (mut rest, tables): (Rest, Vec<PackedTable<'static>>) = postcard::from_bytes(rest)?;
    kb.tables.extend(tables.into_iter().map(PackedTable::open));
    kb.topics = rest.topics;
    kb.articles = rest.articles;
    kb.checked = rest.checked;
    if let Some(english) = kb.words.iter_mut().find(|w| &*w.language == "en") {
        english.sentences.append(&mut rest.sentences);
    }
    kb.relations.iter_mut().zip(rest.relations).for_each(|(r, prose)| r.prose = prose);
    kb.disputes.iter_mut().zip(rest.disputes).for_each(|(d, prose)| d.prose = prose);
    kb.advisories.iter_mut().zip(rest.advisories).for_each(|(a, prose)| a.prose = prose);
    kb.rules.iter_mut().zip(rest.rules).for_each(|(r, prose)| r.prose = prose);
    for (signature, page) in kb.signatures.iter_mut().zip(rest.signatures) {
        signature.matches = page.matches;
        signature.passes = page.passes;
        signature.seen_in = page.seen_in;
        signature.prose = page.prose;
    }
    kb.causes.iter_mut().zip(rest.causes).for_each(|(c, prose)| c.prose = prose);
    Ok(kb)
}
