//! `kb site`: the website.

use super::Session;
use crate::args::{Site, SiteAction, SiteBuild};
use crate::output::{json, write_err};
use crate::{Outcome, clock};
use kb_core::diag::Diagnostic;
use serde_json::json;
use site_gen::{Modules, Options, counts, generate, write};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long nothing is said.
const PAUSE: Duration = Duration::from_secs(1);

/// Makes the site and writes it.
pub(super) fn run(session: &Session<'_>, args: &Site) -> Outcome {
    let SiteAction::Build(args) = &args.action;
    build(session, args)
}

fn build(session: &Session<'_>, args: &SiteBuild) -> Outcome {
    let today = args.today.clone().unwrap_or_else(clock::today);
    kb_data::lint::day(&today).map_err(|d| Diagnostic { message: format!("--today: {}", d.message), ..d })?;
    let mut options = Options::new(today);
    options.base_path = args.base_path.clone().unwrap_or(options.base_path);
    options.origin = args.origin.clone().unwrap_or_default();
    options.modules = args.modules.as_deref().map(modules).transpose()?;
    let start = Instant::now();
    let making = session.screen().say("ui-site-making", &[]);
    let (site, written) = patient(&making, || {
        let site = generate(session.world(), &options)?;
        let written = write(&site, &args.out)?;
        Ok::<_, crate::Failure>((site, written))
    })?;
    let kinds = counts(&site);
    let pages: usize = kinds.values().sum();
    if session.global.json {
        json::print(&json!({
            "schema": 1,
            "command": "site",
            "out": args.out.display().to_string(),
            "pages": kinds,
            "files": written.files,
            "bytes": written.bytes,
        }));
        return Ok(0);
    }
    let mut screen = session.screen();
    #[allow(clippy::cast_precision_loss)]
    let values = [
        ("out", args.out.display().to_string()),
        ("pages", pages.to_string()),
        ("files", written.files.to_string()),
        ("size", format!("{:.1}", written.bytes as f64 / 1e6)),
        ("seconds", format!("{:.1}", start.elapsed().as_secs_f64())),
    ];
    screen.para(0, &screen.say("ui-site-written", &values));
    for (kind, count) in &kinds {
        screen.para(2, &format!("{kind} {count}"));
    }
    screen.print();
    Ok(0)
}

/// The modules and the parts of the data in a directory, by name.
#[allow(clippy::result_large_err)]
fn modules(dir: &Path) -> Result<Modules, Diagnostic> {
    let read = || -> io::Result<Modules> {
        let mut out = Modules::new();
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            let wanted = path.extension().is_some_and(|e| e == "wasm" || e == "bin");
            if let Some(name) = path.file_name().and_then(|n| n.to_str()).filter(|_| wanted) {
                out.insert(name.to_owned(), fs::read(&path)?);
            }
        }
        Ok(out)
    };
    read().map_err(|error| {
        let message = format!("--modules {}: it cannot be read: {error}", dir.display());
        Diagnostic::error("no-modules", message)
            .help("scripts/wasm.sh DIR builds the modules into a directory")
    })
}

/// Does something, and says what on a terminal if it takes long.
fn patient<T>(says: &str, work: impl FnOnce() -> T) -> T {
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let late = matches!(wait.recv_timeout(PAUSE), Err(RecvTimeoutError::Timeout));
            if late && std::io::stderr().is_terminal() {
                write_err(&format!("{says}\n"));
            }
        });
        let out = work();
        drop(done);
        out
    })
}
