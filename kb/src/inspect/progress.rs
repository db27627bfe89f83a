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
    #[cfg(feature = "remote")]
    total: Arc<AtomicU64>,
    teller: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins; `text` says what is read.
    pub(crate) fn start(text: &str) -> Progress {
        let (bytes, total) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let teller = std::io::stderr().is_terminal().then(|| {
            let (end, ended) = channel();
            let text = shown(text).replace('\n', " ");
            let (count, total) = (Arc::clone(&bytes), Arc::clone(&total));
            let thread = std::thread::spawn(move || {
                let mut told = false;
                while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    told = true;
                    let (bytes, total) = (count.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
                    let of = if total > 0 { format!("/{}", total / 1_000_000) } else { String::new() };
                    write_err(&format!("\r\x1b[K{text} {}{of} MB", bytes / 1_000_000));
                }
                if told {
                    write_err("\r\x1b[K");
                }
            });
            (end, thread)
        });
        Progress {
            bytes,
            #[cfg(feature = "remote")]
            total,
            teller,
        }
    }

    /// So many bytes there are in all.
    #[cfg(feature = "remote")]
    pub(super) fn total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
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
