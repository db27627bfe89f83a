//! An import: read, measure, write.

use crate::held::Held;
use crate::ledger::{self, Measured};
use crate::measure::{self, Wanted};
use crate::packages::Package;
use crate::releases::Release;
use crate::source::{NotRead, Source};
use crate::tables::{self, Lists};
use crate::write::{BY, Table, versions};
use artifact::Error;
use index::Fetch;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What an import may do.
pub struct Plan<'p> {
    /// The packages.
    pub packages: Vec<Package>,
    /// The directory of the facts: `kb-data/data`.
    pub data: &'p Path,
    /// The directory of the ledger.
    pub ledger: &'p Path,
    /// The day, `YYYY-MM-DD`.
    pub today: &'p str,
    /// Bytes that may be downloaded to measure device code; 0 measures nothing.
    pub budget: u64,
}

/// What an import did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Wheels measured in this run, and bytes downloaded for them.
    pub measured: (usize, u64),
    /// Wheels that would have been measured with a larger budget.
    pub not_measured: usize,
    /// Files that changed, below the data directory.
    pub changed: Vec<String>,
    /// What went wrong, one line each; nothing follows from what could not be read.
    pub failures: Vec<String>,
}

/// Wheels of one release and platform that are tried.
const CANDIDATES: usize = 3;

/// Reads all packages. An index page or a wheel that cannot be had ends it: to leave it out would look as if it had
/// vanished. A wheel that is not what a wheel is, as some old ones, is a failure in the report.
///
/// # Errors
/// If an index page or a wheel cannot be had.
pub fn read<F: Fetch>(
    source: &Source<F>,
    packages: &[Package],
    report: &mut Report,
    mut say: impl FnMut(&str),
) -> Result<Vec<Held>, String> {
    let mut out = Vec::new();
    for package in packages {
        let releases = source.releases(package)?;
        let mut readings = BTreeMap::new();
        let mut failed = 0;
        for release in releases.iter().rev() {
            for (platform, wheels) in release.candidates() {
                let mut why = String::new();
                let mut first = None;
                for wheel in wheels.iter().take(CANDIDATES) {
                    match source.read(wheel) {
                        Ok(reading) => {
                            first = Some(reading);
                            break;
                        }
                        Err(NotRead::Content(what)) => why = format!("{}: {what}", wheel.file.name),
                        Err(NotRead::Unreachable(what)) => {
                            return Err(format!("{}: {what}; nothing was written", wheel.file.name));
                        }
                    }
                }
                match first {
                    Some(reading) => drop(readings.insert((release.version.clone(), platform), reading)),
                    None => {
                        failed += 1;
                        report.failures.push(why);
                    }
                }
            }
        }
        say(&format!(
            "{}: {} releases, {} wheels read, {failed} not",
            package.name,
            releases.len(),
            readings.len()
        ));
        out.push(Held { package: package.clone(), releases, readings });
    }
    Ok(out)
}

/// Measures device code, what is named first and then the newest, until the budget is spent. The ledger is written after
/// every wheel, so that an import can be stopped at any time.
///
/// # Errors
/// If the ledger cannot be read or written, or the bytes of a wheel cannot be had.
pub fn measure<F: Fetch>(
    source: &Source<F>,
    held: &[Held],
    plan: &Plan<'_>,
    report: &mut Report,
    mut say: impl FnMut(&str),
) -> Result<(), String> {
    let mut wanted: Vec<Wanted<'_>> = held.iter().flat_map(measure::wanted).collect();
    wanted.sort_by_key(|w| w.rank);
    for want in &wanted {
        let mut lines = ledger::read(plan.ledger, &want.package.name)?;
        if lines.iter().any(|l| l.file == want.wheel.file.name && l.sha256 == want.wheel.file.sha256) {
            continue;
        }
        let size = want.wheel.file.size.unwrap_or(u64::MAX);
        if report.measured.1.saturating_add(size) > plan.budget {
            report.not_measured += 1;
            continue;
        }
        say(&format!("measuring {} ({} MB)", want.wheel.file.name, size >> 20));
        let remote = source.remote(want.wheel)?;
        match measure::libraries(&remote) {
            Ok((libraries, read)) => {
                report.measured.0 += 1;
                report.measured.1 += read;
                lines.push(want.line(libraries, read, plan.today));
                ledger::write(plan.ledger, &want.package.name, &lines).map_err(|e| e.to_string())?;
            }
            // What was measured before is in the ledger.
            Err(Error::Io(why)) => return Err(format!("{}: {why}", want.wheel.file.name)),
            Err(why) => report.failures.push(format!("{}: {why}", want.wheel.file.name)),
        }
    }
    Ok(())
}

/// The tables of all packages, and the one over all of them.
///
/// # Errors
/// If the ledger or the catalogue cannot be read.
pub fn tables(held: &[Held], plan: &Plan<'_>) -> Result<Vec<Table>, String> {
    let catalogue = catalogue(plan.data)?;
    let mut out = Vec::new();
    for package in held {
        let measured: Vec<Measured> = ledger::read(plan.ledger, package.name())?;
        out.extend(tables::of(package, &measured, &catalogue));
    }
    Ok(out)
}

/// Packages that would lose many of their releases: an index that is broken, rather than a vendor that withdraws them.
pub fn losses(held: &[Held], data: &Path) -> Vec<String> {
    let losing = |h: &&Held| {
        let had = versions(&release_table(h.name(), data)).len();
        had >= 3 && held_of(&h.releases, h.name(), data) * 5 < had * 4
    };
    held.iter().filter(losing).map(|h| h.name().to_owned()).collect()
}

/// Writes tables, and for each package the day on which it was compared.
///
/// # Errors
/// If a file cannot be written.
pub fn write(tables: &[Table], held: &[Held], plan: &Plan<'_>, report: &mut Report) -> Result<(), String> {
    let path = plan.data.join("imported").join(BY).join("checked.toml");
    let old = match fs::read_to_string(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        other => other.map_err(|e| format!("{}: {e}", path.display()))?,
    };
    let mut days =
        checked(&old).map_err(|e| format!("{}: {e}; delete it, and import all packages", path.display()))?;
    for table in tables {
        if table
            .write(plan.data, plan.today)
            .map_err(|e| format!("{}/{}: {e}", table.relation, table.name))?
        {
            report.changed.push(table.path());
        }
    }
    for package in held {
        days.insert(package.name().to_owned(), plan.today.to_owned());
    }
    let mut text = format!("# When the importer last compared a package with its index.\nby = \"{BY}\"\n");
    for (package, on) in &days {
        text.push_str(&format!("\n[[row]]\npackage = \"{package}\"\non = \"{on}\"\n"));
    }
    if text != old {
        index::write(&path, text.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
        report.changed.push(format!("imported/{BY}/checked.toml"));
    }
    Ok(())
}

/// The lists of files of all packages, for the table over all of them.
pub fn shared_paths(held: &[Held]) -> Table {
    let lists: Vec<Lists> = held.iter().map(Lists::of).collect();
    tables::shared_paths(&lists)
}

/// The ids of packages in the catalogue.
fn catalogue(data: &Path) -> Result<BTreeSet<String>, String> {
    let directory = data.join("catalog/packages");
    let names = fs::read_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let ids =
        names.flatten().filter_map(|e| e.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned));
    Ok(ids.filter(|id| !id.starts_with('_')).collect())
}

/// The days in `checked.toml`.
fn checked(text: &str) -> Result<BTreeMap<String, String>, String> {
    #[derive(serde::Deserialize)]
    struct File {
        #[serde(default)]
        row: Vec<Day>,
    }
    #[derive(serde::Deserialize)]
    struct Day {
        package: String,
        on: String,
    }
    let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
    Ok(file.row.into_iter().map(|d| (d.package, d.on)).collect())
}

/// How many of these releases the facts have.
pub fn held_of(releases: &[Release], package: &str, data: &Path) -> usize {
    let text = release_table(package, data);
    let known = versions(&text);
    releases.iter().filter(|r| known.contains(&*r.version.to_string())).count()
}

/// The text of a package's table of releases; empty if there is none.
fn release_table(package: &str, data: &Path) -> String {
    let path = data.join("imported").join(BY).join("release").join(format!("{package}.toml"));
    fs::read_to_string(path).unwrap_or_default()
}
