//! `release`: the final releases, with the day of the first upload.

use crate::held::Held;
use crate::write::{Cell, Row, Table};

pub(super) fn table(held: &Held) -> Table {
    let rows = held.releases.iter().map(|release| {
        let mut row: Row =
            vec![("package", held.name().into()), ("version", release.version.to_string().into())];
        row.extend(release.day.clone().map(|day| ("date", day.into())));
        if release.yanked {
            row.push(("yanked", Cell::Flag(true)));
        }
        row
    });
    Table { complete: true, ..Table::of(held, "release", "pypi-index", rows.collect()) }
}
