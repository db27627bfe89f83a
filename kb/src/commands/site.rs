//! `kb site`: the website.

use super::Session;
use crate::args::{Site, SiteAction, SiteBuild};
use crate::output::{json, write_err};
use crate::{Outcome, clock};
use kb_core::diag::Diagnostic;
use serde_json::json;
use site_gen::{Options, counts, generate, write};
use std::collections::BTreeMap;
use std::io::IsTerminal;
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
    if let Some(directory) = &args.modules {
        options.modules = modules(directory)?;
    }
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

/// The modules and data for browsers in a directory.
fn modules(directory: &Path) -> Result<BTreeMap<String, Vec<u8>>, Diagnostic> {
    let fail = |why: String| {
        Diagnostic::error("unreadable", format!("--modules {}: {why}", directory.display()))
            .help("name the directory that scripts/wasm.sh wrote")
    };
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(directory).map_err(|e| fail(e.to_string()))? {
        let path = entry.map_err(|e| fail(e.to_string()))?.path();
        let wanted = path.extension().is_some_and(|e| e == "wasm" || e == "bin");
        let name = path.file_name().and_then(|n| n.to_str()).filter(|_| wanted && path.is_file());
        if let Some(name) = name {
            out.insert(name.to_owned(), std::fs::read(&path).map_err(|e| fail(e.to_string()))?);
        }
    }
    if out.is_empty() { Err(fail("there is no module in it".to_owned())) } else { Ok(out) }
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
