//! From what was read to tables: one file for each relation, pure functions of [`Held`].

mod build_device_code;
mod build_made_with;
mod build_requires;
mod release;
mod shared_paths;
mod wheel_files;
mod wheel_requires;
mod wheel_states;

pub(crate) use shared_paths::{Lists, shared_paths};

use crate::held::Held;
use crate::ledger::Measured;
use crate::write::Table;
use std::collections::BTreeSet;

/// The tables of one package. `catalogue` has the ids of the packages that reasoning knows.
pub(crate) fn of(held: &Held, measured: &[Measured], catalogue: &BTreeSet<String>) -> Vec<Table> {
    vec![
        release::table(held),
        wheel_files::table(held),
        build_requires::table(held, catalogue),
        wheel_requires::table(held),
        wheel_states::table(held),
        build_made_with::table(held),
        build_device_code::table(held, measured),
        build_device_code::declared(held, measured),
    ]
}
