//! Each spelling of a GPU names one product, or is listed as naming several; no alias repeats what is known anyway.

use super::file;
use kb_core::catalog::{Gpu, normal_form};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use std::collections::{BTreeMap, BTreeSet};

/// Words that people leave out.
const BRANDS: [&str; 3] = ["geforce", "tesla", "quadro"];

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let listed: BTreeSet<String> = kb.ambiguous.iter().map(|a| normal_form(&a.spelling)).collect();
    let (mut full, mut short) = (BTreeMap::new(), BTreeMap::new());
    for gpu in &kb.gpus {
        let names = std::iter::once(&gpu.name).chain(&gpu.driver_names);
        let given: BTreeSet<String> = names.map(|n| normal_form(n)).collect();
        let cut: BTreeSet<String> = given.iter().filter_map(|n| without_brand(n)).collect();
        for alias in &gpu.aliases {
            let normal = normal_form(alias);
            if given.contains(&normal) || cut.contains(&normal) && !listed.contains(&normal) {
                out.push(
                    Diagnostic::warning(
                        "needless-alias",
                        format!("`{}` answers to `{alias}` without that alias", gpu.id),
                    )
                    .at(place(gpu))
                    .help("take it out: case, spaces, and a leading brand do not matter"),
                );
            }
        }
        for spelling in given.into_iter().chain(gpu.aliases.iter().map(|a| normal_form(a))) {
            note(&mut full, spelling, gpu);
        }
        cut.into_iter().for_each(|spelling| note(&mut short, spelling, gpu));
    }
    let mut told = BTreeSet::new();
    report(&full, |spelling| listed.contains(spelling), &mut told, out);
    // A full spelling is tried before one without its brand.
    report(&short, |spelling| listed.contains(spelling) || full.contains_key(spelling), &mut told, out);
}

fn without_brand(normal: &str) -> Option<String> {
    BRANDS
        .iter()
        .find_map(|brand| normal.strip_prefix(brand))
        .filter(|rest| !rest.is_empty())
        .map(str::to_owned)
}

fn note<'k>(spellings: &mut BTreeMap<String, Vec<&'k Gpu>>, spelling: String, gpu: &'k Gpu) {
    let gpus = spellings.entry(spelling).or_default();
    if !gpus.iter().any(|g| g.id == gpu.id) {
        gpus.push(gpu);
    }
}

/// One message for each group of GPUs.
fn report<'k>(
    spellings: &BTreeMap<String, Vec<&'k Gpu>>,
    excused: impl Fn(&str) -> bool,
    told: &mut BTreeSet<Vec<&'k str>>,
    out: &mut Vec<Diagnostic>,
) {
    for (spelling, gpus) in spellings {
        if gpus.len() < 2 || excused(spelling) {
            continue;
        }
        let ids: Vec<&str> = gpus.iter().map(|g| &*g.id).collect();
        if !told.insert(ids.clone()) {
            continue;
        }
        out.push(
            Diagnostic::error(
                "ambiguous-spelling",
                format!("`{spelling}` names {} GPUs: {}", ids.len(), ids.join(", ")),
            )
            .at(place(gpus[0]))
            .help(
                "take the alias out where it is wrong, or list the spelling in catalog/gpus/ambiguous.toml",
            ),
        );
    }
}

fn place(gpu: &Gpu) -> kb_core::diag::Place {
    file(format!("catalog/gpus/{}.toml", gpu.architecture.to_lowercase().replace(' ', "-")))
}
