//! A channel that builds are recorded for says that it serves their package.

use super::{file, table_file};
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::value::{Kind, Value};
use std::collections::BTreeSet;

pub(super) fn check(kb: &Kb, out: &mut Vec<Diagnostic>) {
    for package in &kb.packages {
        for id in package.channel_order.iter().filter(|id| &***id != "*") {
            if !serves(kb, id, &package.id) {
                out.push(
                    message(id, &package.id, "is in `channel-order`")
                        .at(file(format!("catalog/packages/{}.toml", package.id))),
                );
            }
        }
    }
    for table in &kb.tables {
        let relation = &kb.relations[usize::from(table.relation)];
        let column = |kind| relation.columns.iter().position(|(_, c)| c.kind == kind && !c.list);
        let (Some(package), Some(channel)) = (column(Kind::Package), column(Kind::Channel)) else { continue };
        let pairs: BTreeSet<(&str, &str)> = table
            .rows
            .iter()
            .filter_map(|row| match (&row.cells[channel], &row.cells[package]) {
                (Some(Value::Text(channel)), Some(Value::Text(package))) => Some((&**channel, &**package)),
                _ => None,
            })
            .collect();
        for (channel, package) in pairs {
            if !serves(kb, channel, package) {
                out.push(message(channel, package, "has rows here").at(table_file(kb, table)));
            }
        }
    }
}

/// A channel without a list of packages serves anything, as PyPI does.
fn serves(kb: &Kb, channel: &str, package: &str) -> bool {
    let Some(index) = kb.channel(channel) else { return true };
    let packages = &kb.channels[index].packages;
    packages.is_empty() || packages.iter().any(|p| &**p == package)
}

fn message(channel: &str, package: &str, where_from: &str) -> Diagnostic {
    Diagnostic::warning("not-served", format!("`{channel}` {where_from} and does not list `{package}`")).help(
        format!("add `{package}` to `packages` in catalog/channels/{channel}.toml, or correct the channel"),
    )
}
