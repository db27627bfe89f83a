//! `kb-import`: fills `kb-data/data/imported` from package indexes. For maintainers; `kb` itself never needs it.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod packages;
mod read;
mod releases;
mod source;

use clap::{Parser, Subcommand};
use packages::Package;
use source::Source;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Fills kb-data/data/imported from package indexes
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
    /// Where answers of the index and ranges of wheels are kept, so that nothing is asked for twice
    #[arg(long, global = true, default_value = "target/import", value_name = "DIR")]
    cache: PathBuf,
    /// Milliseconds between two requests
    #[arg(long, global = true, default_value_t = 100, value_name = "MS")]
    pause: u64,
}

#[derive(Subcommand)]
enum Command {
    /// Read indexes and wheels into the cache, and write nothing else
    Fetch {
        /// Packages; all of packages.toml unless some are named
        packages: Vec<String>,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let live = index::Live::new(Duration::from_millis(args.pause));
    match &args.command {
        Command::Fetch { packages } => {
            let source = Source::new(live, &args.cache, false);
            for package in chosen(packages)? {
                let releases = source.releases(&package)?;
                let (mut read, mut failed) = (0, 0);
                for (platform, wheel) in releases.iter().rev().flat_map(|r| r.chosen()) {
                    match source.read(wheel) {
                        Ok(_) => read += 1,
                        Err(why) => {
                            failed += 1;
                            eprintln!("{platform} {}: {why}", wheel.file.name);
                        }
                    }
                }
                let (requests, bytes) = source.fetch().traffic();
                eprintln!(
                    "{}: {} releases, {read} wheels read, {failed} not; {requests} requests, {} MB so far",
                    package.name,
                    releases.len(),
                    bytes >> 20
                );
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The packages that are named, or all.
fn chosen(names: &[String]) -> Result<Vec<Package>, String> {
    let all = packages::all()?;
    let unknown = names.iter().find(|n| !all.iter().any(|p| p.name == index::normalised(n)));
    if let Some(unknown) = unknown {
        return Err(format!("`{unknown}` is not in kb-import/packages.toml"));
    }
    Ok(all.into_iter().filter(|p| names.is_empty() || names.iter().any(|n| index::normalised(n) == p.name)).collect())
}
