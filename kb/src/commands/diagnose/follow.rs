//! `kb diagnose --follow`: a log passes through while it is written, and is explained when it has said why it fails.

use super::explain::{Explained, Explainer, Stream};
use super::tail::Source;
use super::{input, shown, unreadable};
use crate::{Outcome, interrupt, output};
use diagnose::follow::Follower;
use kb_core::diag::Diagnostic;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// After a message so much silence is the end of what belongs to it.
const SILENCE: Duration = Duration::from_secs(2);

/// What never pauses is explained so long after the message.
const LATEST: Duration = Duration::from_secs(5);

/// How often somebody looks whether Ctrl-C came.
const TICK: Duration = Duration::from_millis(50);

/// Follows one text to its end; 1 if it says why something failed.
pub(super) fn run(explainer: &Explainer<'_>) -> Outcome {
    let stdin = PathBuf::from("-");
    let path = match &explainer.args.files[..] {
        [] => &stdin,
        [one] => one,
        [_, second, ..] => return Err(one_only(second).into()),
    };
    if path.as_os_str() == "-" {
        input::tell_waiting(explainer);
    }
    let source = Source::open(path).map_err(|error| unreadable(path, &error))?;
    interrupt::listen();
    let ends = source.ends();
    let pieces = source.start();
    let mut follower = Follower::new(explainer.needles);
    let mut told: Vec<(String, &'static str)> = Vec::new();
    let (mut last, mut news) = (Instant::now(), None);
    loop {
        match pieces.recv_timeout(TICK) {
            Ok(Ok(piece)) => {
                last = Instant::now();
                follower.push(&piece);
                let mut out = std::io::stdout().lock();
                if let Err(error) = out.write_all(&piece).and_then(|()| out.flush()) {
                    // Whoever read it wants no more, or the disk is full.
                    output::tell_unwritten("standard output", &error);
                    break;
                }
            }
            Ok(Err(error)) => {
                let mistake = unreadable(path, &error);
                output::diagnostics::print(&[mistake], explainer.session.global.color);
                break;
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                // What writes into a pipe got Ctrl-C too, and may have a last word.
                if interrupt::came() && (!ends || last.elapsed() >= SILENCE) {
                    break;
                }
            }
        }
        if follower.news() {
            let since = *news.get_or_insert_with(Instant::now);
            if last.elapsed() >= SILENCE || since.elapsed() >= LATEST {
                tell(explainer, &explainer.explain(follower.look()), &mut told);
                news = None;
            }
        }
    }
    let explained = explainer.explain(follower.finish());
    if told.is_empty() && explained.found.causes.is_empty() {
        output::write_err("\n");
        explainer.print(&explained, Stream::Err);
    } else {
        tell(explainer, &explained, &mut told);
    }
    explainer.bundle(&explained)?;
    Ok(u8::from(!explained.found.causes.is_empty()))
}

/// Prints a diagnosis with causes that were not told yet, or not as surely.
fn tell(explainer: &Explainer<'_>, explained: &Explained, told: &mut Vec<(String, &'static str)>) {
    let causes = explained.found.causes.iter().map(|c| (c.cause.clone(), c.certainty));
    let new: Vec<_> = causes.filter(|cause| !told.contains(cause)).collect();
    if new.is_empty() {
        return;
    }
    told.extend(new);
    output::write_err("\n");
    explainer.print(explained, Stream::Err);
}

fn one_only(second: &Path) -> Diagnostic {
    Diagnostic::error("usage", format!("--follow is for one file, and {} is another", shown(second)))
        .help("join them: tail -f FILE FILE | kb diagnose --follow")
}
