//! What is being read, on standard error, if it takes more than a second and somebody looks.

use crate::output::{shown, write_err};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two lines, and before the first.
const PAUSE: Duration = Duration::from_secs(1);

/// Counts bytes while something is read, and tells them. Dropping it clears the line.
pub(crate) struct Progress {
    bytes: Arc<AtomicU64>,
    teller: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins; `text` says what is read.
    pub(crate) fn start(text: &str) -> Progress {
        let bytes = Arc::new(AtomicU64::new(0));
        let teller = std::io::stderr().is_terminal().then(|| {
            let (end, ended) = channel();
            let (text, count) = (shown(text).replace('\n', " "), Arc::clone(&bytes));
            let thread = std::thread::spawn(move || {
                let mut told = false;
                while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    told = true;
                    write_err(&format!("\r\x1b[K{text} {} MB", count.load(Ordering::Relaxed) / 1_000_000));
                }
                if told {
                    write_err("\r\x1b[K");
                }
            });
            (end, thread)
        });
        Progress { bytes, teller }
    }

    /// So many bytes more were read.
    pub(super) fn step(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.teller.take() {
            drop(end);
            drop(thread.join());
        }
    }
}
