//! `wheel-states`: what a wheel states of itself, whatever the package.

use crate::bundled;
use crate::group::runs;
use crate::held::Held;
use crate::read::Reading;
use crate::write::{Row, Table};
use artifact::stated::Said;
use pep440_rs::Version;

pub(super) fn table(held: &Held) -> Table {
    let order = held.order();
    let mut rows: Vec<Row> = Vec::new();
    for platform in held.platforms() {
        let says = |version: &Version| held.readings.get(&(version.clone(), platform)).map(says);
        for (versions, said) in runs(&order, says) {
            let mut row: Row = vec![
                ("package", held.name().into()),
                ("versions", versions.into()),
                ("platform", platform.into()),
            ];
            row.extend(said);
            rows.push(row);
        }
    }
    Table {
        locator: Some("METADATA, files that state versions, file list"),
        ..Table::of(held, "wheel-states", "pypi-wheels", rows)
    }
}

fn says(reading: &Reading) -> Row {
    let mut row = Row::new();
    let text = |said: &Said| said.value.clone();
    let mut add = |column: &'static str, value: Option<String>| row.extend(value.map(|v| (column, v.into())));
    let label =
        reading.stated(|s| s.version.as_ref().and_then(|v| Some(v.value.split_once('+')?.1.to_owned())));
    add("label", label);
    add("requires-python", reading.metadata.requires_python.clone());
    add("cuda", reading.stated(|s| s.cuda.as_ref().map(text)));
    add("cudnn", reading.stated(|s| s.cudnn.as_ref().map(text)));
    add("nccl", reading.stated(|s| s.nccl.as_ref().map(text)));
    add("tensorrt", reading.stated(|s| s.tensorrt.as_ref().map(text)));
    add("rocm", reading.stated(|s| s.rocm.as_ref().map(text)));
    add("torch", reading.stated(|s| s.torch.as_ref().map(text)));
    if let Some(targets) = reading.stated(|s| s.targets.clone()) {
        let list = |targets: &[kb_core::version::ComputeTarget]| {
            targets.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        row.push(("sass", list(&targets.sass).into()));
        row.push(("ptx", list(&targets.ptx).into()));
    }
    let bundled = bundled::libraries(&reading.files);
    if !bundled.is_empty() {
        row.push(("bundled", bundled.into()));
    }
    row
}
