//! The compact form: what the build script writes and the program reads at its start.
//!
//! Two parts, so that a question pays only for what an answer needs: the *core* has the names, the sources, the
//! disputes and the tables that rules read; the *rest* has the other tables and everything that only people read.

use kb_core::fact::Table;
use kb_core::kb::Kb;
use kb_core::record::{Article, Topic};
use serde::{Deserialize, Serialize};

/// The relations whose tables are in the core.
pub const REASONING_RELATIONS: [&str; 32] = [
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

/// The two parts as bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Blobs {
    /// Enough for every answer.
    pub core: Vec<u8>,
    /// What [`join`] adds to it.
    pub rest: Vec<u8>,
}

/// What the core leaves out. Prose stands in the order of the core's lists.
#[derive(Serialize, Deserialize, Default)]
struct Rest {
    tables: Vec<Table>,
    topics: Vec<Topic>,
    articles: Vec<Article>,
    relations: Vec<Box<str>>,
    disputes: Vec<Box<str>>,
    advisories: Vec<Box<str>>,
    rules: Vec<Box<str>>,
}

/// Writes a Kb in two parts.
///
/// # Errors
///
/// Never for a Kb that the loader made: the format has no limits that one could reach.
pub fn write(mut kb: Kb) -> Result<Blobs, postcard::Error> {
    let mut rest = Rest {
        topics: std::mem::take(&mut kb.topics),
        articles: std::mem::take(&mut kb.articles),
        ..Rest::default()
    };
    let reasoning: Vec<bool> = kb.relations.iter().map(|r| REASONING_RELATIONS.contains(&&*r.id)).collect();
    (kb.tables, rest.tables) =
        std::mem::take(&mut kb.tables).into_iter().partition(|t| reasoning[usize::from(t.relation)]);
    rest.relations = kb.relations.iter_mut().map(|r| std::mem::take(&mut r.prose)).collect();
    rest.disputes = kb.disputes.iter_mut().map(|d| std::mem::take(&mut d.prose)).collect();
    rest.advisories = kb.advisories.iter_mut().map(|a| std::mem::take(&mut a.prose)).collect();
    rest.rules = kb.rules.iter_mut().map(|r| std::mem::take(&mut r.prose)).collect();
    Ok(Blobs { core: postcard::to_allocvec(&kb)?, rest: postcard::to_allocvec(&rest)? })
}

/// Reads the core.
///
/// # Errors
///
/// If the bytes are not a core written by this version.
pub fn read_core(core: &[u8]) -> Result<Kb, postcard::Error> {
    postcard::from_bytes(core)
}

/// Adds the rest to its core. Handles of facts stay valid: the tables of the rest come after those of the core.
///
/// # Errors
///
/// If the bytes are not a rest written by this version.
pub fn join(mut kb: Kb, rest: &[u8]) -> Result<Kb, postcard::Error> {
    let rest: Rest = postcard::from_bytes(rest)?;
    kb.tables.extend(rest.tables);
    kb.topics = rest.topics;
    kb.articles = rest.articles;
    kb.relations.iter_mut().zip(rest.relations).for_each(|(r, prose)| r.prose = prose);
    kb.disputes.iter_mut().zip(rest.disputes).for_each(|(d, prose)| d.prose = prose);
    kb.advisories.iter_mut().zip(rest.advisories).for_each(|(a, prose)| a.prose = prose);
    kb.rules.iter_mut().zip(rest.rules).for_each(|(r, prose)| r.prose = prose);
    Ok(kb)
}
