//! The index for pubgrub.

use crate::Index;
use pubgrub::{OfflineDependencyProvider, Ranges, resolve};

/// What pubgrub asks.
pub type Provider = OfflineDependencyProvider<String, Ranges<u32>>;

const ROOT: &str = "root";

fn ranges(versions: &[u32]) -> Ranges<u32> {
    let mut out = Ranges::empty();
    // Neighbours become one range, as a person would write them.
    let mut at = 0;
    while at < versions.len() {
        let mut end = at;
        while end + 1 < versions.len() && versions[end + 1] == versions[end] + 1 {
            end += 1;
        }
        out = out.union(&Ranges::between(versions[at], versions[end] + 1));
        at = end + 1;
    }
    out
}

/// The index as pubgrub reads it.
pub fn provider(index: &Index) -> Provider {
    let mut out = Provider::new();
    let needs = |needs: &[crate::Need]| -> Vec<(String, Ranges<u32>)> {
        // One range per package: two needs of one package meet.
        let mut list: Vec<(String, Ranges<u32>)> = Vec::new();
        for (name, versions) in needs {
            let mut versions = versions.clone();
            versions.sort_unstable();
            let range = ranges(&versions);
            match list.iter_mut().find(|(n, _)| n == name) {
                Some((_, old)) => *old = old.intersection(&range),
                None => list.push((name.clone(), range)),
            }
        }
        list
    };
    for (name, versions) in &index.packages {
        for (version, list) in versions {
            out.add_dependencies(name.clone(), *version, needs(list));
        }
    }
    out.add_dependencies(ROOT.to_owned(), 0u32, needs(&index.root));
    out
}

/// How many packages the first answer installs; `None` when there is none.
pub fn solve(provider: &Provider) -> Option<usize> {
    resolve(provider, ROOT.to_owned(), 0u32).ok().map(|found| found.iter().count())
}
