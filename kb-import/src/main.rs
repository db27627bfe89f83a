//! `kb-import`: the command line.

use clap::{Parser, Subcommand};
use index::Live;
use kb_import::{Package, Plan, Report, Source, check, packages, run};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Fills kb-data/data/imported from package indexes. For maintainers; kb itself never needs it.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "Examples:
  kb-import check                     what is new at the index, as a diff, with the answers that would change
  kb-import run torch                 import one package
  kb-import run --measure 12          import all, and download up to 12 GB to measure device code
  kb-import coverage                  how many final releases are held, by package

Exit codes: 0 nothing to do or done, 1 `check` found changes, 2 an error."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
    /// Where answers of the index and ranges of wheels are kept, so that nothing is asked for twice
    #[arg(long, global = true, default_value = "target/import", value_name = "DIR")]
    cache: PathBuf,
    /// The facts
    #[arg(long, global = true, default_value = "kb-data/data", value_name = "DIR")]
    data: PathBuf,
    /// Where the ledger of measured wheels is
    #[arg(long, global = true, default_value = "kb-import/ledger", value_name = "DIR")]
    ledger: PathBuf,
    /// Milliseconds between two requests
    #[arg(long, global = true, default_value_t = 100, value_name = "MS")]
    pause: u64,
    /// Hours for which an index page from the cache is believed; 0 asks again
    #[arg(long, global = true, default_value_t = 12, value_name = "HOURS")]
    max_age: u64,
    /// The day to write, YYYY-MM-DD; today unless given
    #[arg(long, global = true, value_name = "DAY")]
    today: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Read indexes and wheels, and write what they state
    Run {
        /// Packages; all of packages.toml unless some are named
        packages: Vec<String>,
        /// Write even if a package loses many of its releases
        #[arg(long)]
        accept_losses: bool,
        /// Measure device code as well, with at most so many GB of downloads
        #[arg(long, value_name = "GB", default_value_t = 0.0)]
        measure: f64,
    },
    /// Show what an import would change, and which answers would flip; change nothing
    Check {
        /// Packages; all of packages.toml unless some are named
        packages: Vec<String>,
        /// Write the diff to a file as well
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// The table whose questions are asked of the old and the new facts
        #[arg(long, value_name = "FILE", default_value = "tests/golden/headline.tsv")]
        headlines: PathBuf,
    },
    /// How many of the index's final releases the facts have, by package
    Coverage {
        /// Packages; all of packages.toml unless some are named
        packages: Vec<String>,
    },
}

fn main() -> ExitCode {
    match start(&Args::parse()) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn start(args: &Args) -> Result<ExitCode, String> {
    let live = Live::new(Duration::from_millis(args.pause));
    let source = Source::new(live, &args.cache, Duration::from_secs(args.max_age.saturating_mul(3600)));
    let today = match &args.today {
        Some(day) => {
            kb_data::lint::day(day).map_err(|d| format!("--today: {}", d.message))?;
            day.clone()
        }
        None => jiff::Zoned::now().with_time_zone(jiff::tz::TimeZone::UTC).date().to_string(),
    };
    let plan = |names: &[String], gigabytes: f64| {
        Ok::<_, String>(Plan {
            packages: chosen(names)?,
            data: &args.data,
            ledger: &args.ledger,
            today: &today,
            budget: (gigabytes.max(0.0) * 1e9) as u64,
        })
    };
    if !args.data.join("catalog/packages").is_dir() {
        return Err(format!(
            "{} holds no facts; run it in the repository, or say where they are with --data",
            args.data.display()
        ));
    }
    let say = |line: &str| eprintln!("{line}");
    let mut report = Report::default();
    let code = match &args.command {
        Command::Run { packages, accept_losses, measure } => {
            let plan = plan(packages, *measure)?;
            let held = run::read(&source, &plan.packages, &mut report, say)?;
            let losses = run::losses(&held, &args.data);
            if !losses.is_empty() && !accept_losses {
                let losses = losses.join(", ");
                return Err(format!(
                    "many releases are gone from the index: {losses}; nothing was written, --accept-losses writes it"
                ));
            }
            if plan.budget > 0 {
                run::measure(&source, &held, &plan, &mut report, say)?;
            }
            let mut tables = run::tables(&held, &plan)?;
            if packages.is_empty() {
                // Pairs of packages: only with all of them at hand.
                tables.push(run::shared_paths(&held));
            }
            run::write(&tables, &held, &plan, &mut report)?;
            print(&report.changed.iter().map(|file| format!("{file}\n")).collect::<String>())?;
            ExitCode::SUCCESS
        }
        Command::Check { packages, out, headlines } => {
            let plan = plan(packages, 0.0)?;
            let held = run::read(&source, &plan.packages, &mut report, say)?;
            let all = packages.is_empty().then(|| run::shared_paths(&held));
            let found = check::compare(&held, all, &plan, headlines)?;
            print(&found.text())?;
            if let Some(out) = out {
                std::fs::write(out, &found.diff).map_err(|e| format!("{}: {e}", out.display()))?;
            }
            if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Command::Coverage { packages } => {
            let packages = chosen(packages)?;
            let mut all = (0, 0);
            let mut text = String::new();
            for package in &packages {
                let releases = source.releases(package)?;
                let held = run::held_of(&releases, &package.name, &args.data);
                all = (all.0 + releases.len(), all.1 + held);
                text.push_str(&format!("{}\t{held}\t{}\n", package.name, releases.len()));
            }
            print(&format!("{text}all\t{}\t{}\n", all.1, all.0))?;
            ExitCode::SUCCESS
        }
    };
    for failure in &report.failures {
        eprintln!("not read: {failure}");
    }
    if report.measured.0 + report.not_measured > 0 {
        let (count, bytes) = report.measured;
        eprintln!(
            "measured {count} wheels, {:.2} GB; {} left for want of budget",
            bytes as f64 / 1e9,
            report.not_measured
        );
    }
    let (requests, bytes) = source.fetch().traffic();
    eprintln!("{requests} requests, {} MB", bytes >> 20);
    Ok(code)
}

/// Writes to standard output. Who reads no further has seen enough.
fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("standard output: {e}")),
        _ => Ok(()),
    }
}

/// The packages that are named, or all.
fn chosen(names: &[String]) -> Result<Vec<Package>, String> {
    let all = packages::all()?;
    if let Some(unknown) = names.iter().find(|n| !all.iter().any(|p| p.name == index::normalised(n))) {
        return Err(format!("`{unknown}` is not in kb-import/packages.toml"));
    }
    Ok(all
        .into_iter()
        .filter(|p| names.is_empty() || names.iter().any(|n| index::normalised(n) == p.name))
        .collect())
}
