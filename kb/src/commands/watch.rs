//! `kb watch`: the GPUs of this machine, read again and again.

use super::Session;
use crate::args::Watch;
use crate::output::watch::{Reading, Writer, nothing, summary};
use crate::{Outcome, clock, interrupt, nvml, output};
use nvml_report::{Extent, Monitor, NvmlReport};
use settings::Settings;
use std::time::{Duration, Instant};

mod notices;
mod seen;
mod settings;

/// How often somebody looks whether Ctrl-C came.
const TICK: Duration = Duration::from_millis(50);

/// Reads until the count is reached, Ctrl-C comes or nobody reads any more.
pub(super) fn run(session: &Session<'_>, args: &Watch) -> Outcome {
    let settings = Settings::of(session.global, args)?;
    interrupt::listen();
    let mut monitor = Monitor::new(&nvml::options(Extent::Changing));
    let start = Instant::now();
    let mut report = monitor.read();
    if report.devices.is_empty() {
        nothing::print(session, settings.format, &report);
        return Ok(3);
    }
    let mut watch = Watching {
        session,
        settings: &settings,
        writer: Writer::new(session, settings.format, settings.digits()),
        notices: notices::Notices::default(),
        seen: seen::Seen::default(),
        summary: summary::Summary::default(),
        wrong: false,
    };
    let mut count = 0;
    loop {
        watch.take(report);
        count += 1;
        if output::unread() || output::unwritten() {
            return Ok(u8::from(watch.wrong));
        }
        if settings.count == Some(count) || !wait(start, settings.every) {
            break;
        }
        report = monitor.read();
        if interrupt::came() {
            break;
        }
    }
    // Of a single reading everything was said.
    if count > 1 {
        watch.summary.print(session);
    }
    Ok(u8::from(watch.wrong))
}

/// Waits for the next whole multiple of the time since the start; `false` if Ctrl-C came.
///
/// A reading that took longer than that leaves one out.
fn wait(start: Instant, every: Duration) -> bool {
    let late = start.elapsed().as_nanos() % every.as_nanos().max(1);
    let rest = u64::try_from(every.as_nanos().saturating_sub(late)).unwrap_or(u64::MAX);
    let end = Instant::now() + Duration::from_nanos(rest);
    loop {
        if interrupt::came() {
            return false;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(TICK));
    }
}

/// What goes on from reading to reading.
struct Watching<'a> {
    session: &'a Session<'a>,
    settings: &'a Settings,
    writer: Writer<'a>,
    notices: notices::Notices,
    seen: seen::Seen,
    summary: summary::Summary,
    /// A limit was crossed, a GPU was lost, or the library failed.
    wrong: bool,
}

impl Watching<'_> {
    fn take(&mut self, mut report: NvmlReport) {
        let time = clock::time(self.settings.digits());
        self.seen.complete(&mut report);
        let crossed = report.devices.iter().flat_map(|device| self.settings.limits.crossed(device)).collect();
        let reading = Reading { time, report, crossed };
        let unread = reading.report.error.is_some() || reading.report.hung.is_some();
        self.wrong |= unread || !reading.crossed.is_empty() || reading.report.devices.iter().any(seen::gone);
        self.summary.add(&reading);
        self.writer.write(&reading);
        self.notices.tell(self.session, &reading);
    }
}
