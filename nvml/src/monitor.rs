//! Readings within a time: the library is asked in a thread of its own.

use crate::places::places;
use crate::reader::{Progress, lock, open, read as read_all};
use crate::report::{Extent, Failure, Hang, NvmlReport};
use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How to read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The library to load; without it those of [`places`], whichever is there.
    pub library: Option<OsString>,
    /// How long one reading may take, loading and initialisation included.
    pub deadline: Duration,
    /// How much of each device is read.
    pub extent: Extent,
}

impl Default for Options {
    fn default() -> Self {
        Options { library: None, deadline: Duration::from_secs(5), extent: Extent::All }
    }
}

/// Reads once.
pub fn read(options: &Options) -> NvmlReport {
    Monitor::new(options).read()
}

/// A library that stays loaded, for several readings.
#[derive(Debug)]
pub struct Monitor {
    deadline: Duration,
    progress: Arc<Mutex<Progress>>,
    /// `None` if there is no thread.
    requests: Option<Sender<()>>,
    done: Receiver<()>,
    /// A request has no answer yet.
    pending: bool,
}

impl Monitor {
    /// Nothing is loaded before the first reading.
    pub fn new(options: &Options) -> Self {
        let progress = Arc::new(Mutex::new(Progress::default()));
        let (requests, asked) = channel();
        let (answer, done) = channel();
        let places = options.library.clone().map_or_else(places, |library| vec![library]);
        let (extent, shared) = (options.extent, Arc::clone(&progress));
        let work = move || work(&shared, &places, extent, &asked, &answer);
        let started = std::thread::Builder::new().name("nvml".to_owned()).spawn(work).is_ok();
        Monitor {
            deadline: options.deadline,
            progress,
            requests: started.then_some(requests),
            done,
            pending: false,
        }
    }

    /// Reads everything once more. If a call of an earlier reading has not come back yet, that one is waited for.
    ///
    /// The first reading loads and starts the library; a later one does so too if the one before it
    /// failed as a whole.
    pub fn read(&mut self) -> NvmlReport {
        let end = Instant::now() + self.deadline;
        if self.pending && !self.answered(end) {
            return self.unfinished();
        }
        let sent = self.requests.as_ref().is_some_and(|requests| requests.send(()).is_ok());
        self.pending = sent;
        if sent && self.answered(end) { lock(&self.progress).report.clone() } else { self.unfinished() }
    }

    fn answered(&mut self, end: Instant) -> bool {
        match self.done.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(()) => self.pending = false,
            Err(RecvTimeoutError::Timeout) => {}
            // The thread is gone.
            Err(RecvTimeoutError::Disconnected) => self.requests = None,
        }
        !self.pending
    }

    /// What was read so far, and what it is waiting for.
    fn unfinished(&self) -> NvmlReport {
        let now = lock(&self.progress);
        let mut report = now.report.clone();
        if self.requests.is_none() {
            let call = (!now.call.is_empty()).then(|| now.call.to_owned());
            report.error = Some(Failure { field: "thread".to_owned(), call, error: "ended".to_owned() });
        } else {
            let deadline_ms = u64::try_from(self.deadline.as_millis()).unwrap_or(u64::MAX);
            report.hung = Some(Hang { call: now.call.to_owned(), device: now.device, deadline_ms });
        }
        report
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.requests = None;
        // A program that ends while the library shuts down would take it away under its feet.
        if !self.pending {
            let end = Instant::now() + self.deadline;
            while self.done.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {}
        }
    }
}

/// The thread: answers requests until there is nobody to ask.
fn work(
    progress: &Mutex<Progress>,
    places: &[OsString],
    extent: Extent,
    asked: &Receiver<()>,
    answer: &Sender<()>,
) {
    let mut library = None;
    while asked.recv().is_ok() {
        if library.is_none() {
            library = open(progress, places);
        }
        if let Some(started) = &library {
            read_all(progress, started, extent);
            if lock(progress).report.error.is_some() {
                // A driver that was loaded anew is found by a library that is started anew.
                lock(progress).call = "nvmlShutdown";
                drop(started.shutdown());
                library = None;
            }
        }
        if answer.send(()).is_err() {
            break;
        }
    }
    if let Some(library) = &library {
        lock(progress).call = "nvmlShutdown";
        // Whatever it says, there is nothing more to do.
        drop(library.shutdown());
    }
}
