//! The main frameworks have an order without ties.

use super::file;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use std::collections::BTreeMap;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    let mut taken: BTreeMap<u8, &str> = BTreeMap::new();
    for package in &kb.packages {
        let Some(number) = package.main else { continue };
        if let Some(first) = taken.insert(number, &package.id) {
            out.push(
                Diagnostic::error(
                    "equal-order",
                    format!("`{first}` and `{}` both have main = {number}", package.id),
                )
                .at(file(format!("catalog/packages/{}.toml", package.id)))
                .help("give one of them another number"),
            );
        }
    }
}
