//! The network.

use crate::{Fetch, FetchError};
use std::io::Read;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The largest answer to [`Fetch::get`] that is read, bytes. The longest index page has four million.
const LARGEST: u64 = 64 << 20;
/// How often a request is tried when the server is busy or the connection fails.
const TRIES: u32 = 4;

/// Requests to real servers, one at a time.
///
/// Certificates are checked against those that the system trusts, so that it works behind a company's proxy;
/// `HTTPS_PROXY` and `NO_PROXY` are followed.
pub struct Live {
    agent: ureq::Agent,
    pause: Duration,
    last: Mutex<Option<Instant>>,
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Live {
    /// A client that waits `pause` between two requests. An importer waits; somebody who asks for one file need not.
    pub fn new(pause: Duration) -> Live {
        let tls = ureq::tls::TlsConfig::builder().root_certs(ureq::tls::RootCerts::PlatformVerifier).build();
        let config = ureq::Agent::config_builder()
            .tls_config(tls)
            .user_agent(concat!("kb/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(Duration::from_secs(20)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .timeout_recv_body(Some(Duration::from_secs(300)))
            .http_status_as_error(false)
            .build();
        Live {
            agent: config.into(),
            pause,
            last: Mutex::new(None),
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// How many requests were made, and how many bytes of answers they brought.
    pub fn traffic(&self) -> (u64, u64) {
        (self.requests.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    fn ask(&self, url: &str, accept: &str, range: Option<&Range<u64>>) -> Result<Vec<u8>, FetchError> {
        let mut wait = Duration::from_secs(1);
        let mut tries = 1;
        loop {
            match self.once(url, accept, range) {
                Err(e) if e.is_passing() && tries < TRIES => {
                    std::thread::sleep(wait);
                    wait *= 4;
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    fn once(&self, url: &str, accept: &str, range: Option<&Range<u64>>) -> Result<Vec<u8>, FetchError> {
        // Held while the request runs: one at a time, whoever asks.
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(left) = last.and_then(|l| self.pause.checked_sub(l.elapsed())) {
            std::thread::sleep(left);
        }
        let answer = self.send(url, accept, range);
        *last = Some(Instant::now());
        if let Ok(bytes) = &answer {
            self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        answer
    }

    fn send(&self, url: &str, accept: &str, range: Option<&Range<u64>>) -> Result<Vec<u8>, FetchError> {
        let unreachable = |why: &dyn std::fmt::Display| FetchError::Unreachable {
            url: url.to_owned(),
            why: why.to_string(),
        };
        let mut request = self.agent.get(url).header("accept", accept);
        if let Some(range) = range {
            request = request
                .header("range", format!("bytes={}-{}", range.start, range.end.saturating_sub(1)))
                .header("accept-encoding", "identity");
        }
        self.requests.fetch_add(1, Ordering::Relaxed);
        let response = request.call().map_err(|e| unreachable(&e))?;
        let (status, wanted) = (response.status().as_u16(), if range.is_some() { 206 } else { 200 });
        match status {
            s if s == wanted => {}
            404 | 410 => return Err(FetchError::NotFound(url.to_owned())),
            200 => {
                let why = "the server does not serve ranges".to_owned();
                return Err(FetchError::Answer { url: url.to_owned(), why });
            }
            status => return Err(FetchError::Status { url: url.to_owned(), status }),
        }
        let most = range.map_or(LARGEST, |r| r.end.saturating_sub(r.start));
        let mut bytes = Vec::with_capacity(usize::try_from(range.map_or(0, |_| most)).unwrap_or(0));
        let mut body = response.into_body().into_reader().take(most.saturating_add(1));
        body.read_to_end(&mut bytes).map_err(|e| unreachable(&e))?;
        match range {
            Some(_) if (bytes.len() as u64) < most => Err(unreachable(&"the connection ended early")),
            _ if bytes.len() as u64 > most => {
                let why = format!("more than {most} bytes");
                Err(FetchError::Answer { url: url.to_owned(), why })
            }
            _ => Ok(bytes),
        }
    }
}

impl Fetch for Live {
    fn get(&self, url: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
        self.ask(url, accept, None)
    }
    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(url, "*/*", Some(&range))
    }
}
