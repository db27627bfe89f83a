//! `build-made-with`: with which CUDA a build was made and where its libraries come from, as the wheel states it.

use crate::bundled;
use crate::group::runs;
use crate::held::Held;
use crate::markers::{Holds, Required};
use crate::read::Reading;
use crate::write::{Row, Table};
use pep440_rs::Version;

pub(super) fn table(held: &Held) -> Table {
    let mut rows: Vec<Row> = Vec::new();
    if let Some(from) = &held.package.builds {
        for platform in held.platforms() {
            let says = |version: &Version| {
                let reading = held.readings.get(&(version.clone(), platform)).filter(|_| version >= from)?;
                says(reading, platform)
            };
            for (versions, said) in runs(&held.order(), says) {
                let mut row: Row = vec![
                    ("package", held.name().into()),
                    ("versions", versions.into()),
                    ("channel", "pypi".into()),
                    ("platform", platform.into()),
                ];
                row.extend(said);
                rows.push(row);
            }
        }
    }
    Table {
        locator: Some("files that state versions, requirements, file list"),
        ..Table::of(held, "build-made-with", "pypi-wheels", rows)
    }
}

/// `None` where the wheel does not say whether it is for GPUs.
fn says(reading: &Reading, platform: &str) -> Option<Row> {
    let value = |pick: fn(&artifact::stated::Stated) -> Option<&artifact::stated::Said>| {
        reading.stated(|s| pick(s).map(|said| said.value.clone()))
    };
    let cuda = value(|s| s.cuda.as_ref());
    let kind = match (reading.stated(|s| s.gpu), value(|s| s.rocm.as_ref())) {
        (_, Some(_)) => "rocm",
        (Some(true), None) => "cuda",
        (Some(false), None) => "cpu",
        (None, None) if cuda.is_some() => "cuda",
        (None, None) => return None,
    };
    let mut row: Row = vec![("kind", kind.into())];
    if kind == "cuda" {
        let mut add =
            |column: &'static str, value: Option<String>| row.extend(value.map(|v| (column, v.into())));
        // `10` alone, or `9`, would be read as a release of its own.
        let whole = |v: &String| v.contains('.');
        // One wheel for all of CUDA 12, as CuPy's: what it states of cuDNN is what it would load.
        if cuda.as_ref().is_some_and(whole) {
            add("cuda", cuda);
            add("cudnn", value(|s| s.cudnn.as_ref()).filter(whole));
            add("nccl", value(|s| s.nccl.as_ref()));
            add("tensorrt", value(|s| s.tensorrt.as_ref()));
        }
        add("libraries", Some(libraries(reading, platform).to_owned()));
    }
    Some(row)
}

/// Where its CUDA libraries come from: pip pulls them, they are in the wheel, or the machine must have them.
fn libraries(reading: &Reading, platform: &str) -> &'static str {
    let pulls = reading.metadata.requires_dist.iter().filter_map(|t| Required::parse(t)).any(|r| {
        let name = r.name();
        (name.starts_with("nvidia-cuda-runtime") || name == "cuda-toolkit")
            && r.holds(platform, None, |_| true) != Holds::Never
    });
    let carries = bundled::libraries(&reading.files);
    if pulls {
        "nvidia-wheels"
    } else if carries.iter().any(|l| l.starts_with("cudart")) {
        "bundled"
    } else {
        "system"
    }
}
