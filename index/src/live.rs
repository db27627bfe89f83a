//! The network.

use crate::{Cause, Fetch, FetchError, public};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use ureq::http::Response;

/// The largest answer to [`Fetch::get`] that is read, bytes. The longest index page has four million.
const LARGEST: u64 = 64 << 20;
/// How often a request is tried when the server is busy or the connection fails.
const TRIES: u32 = 4;

/// Requests to real servers, one at a time.
///
/// Certificates are checked against those that the system trusts, so that it works behind a company's proxy;
/// `HTTPS_PROXY` and `NO_PROXY` are followed. Nothing of that is set up before the first request.
pub struct Live {
    agent: ureq::Agent,
    pause: Duration,
    /// Try again also before anything has worked.
    patient: bool,
    worked: AtomicBool,
    last: Mutex<Option<Instant>>,
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Live {
    /// A client that waits `pause` between two requests, as an importer does.
    pub fn new(pause: Duration) -> Live {
        let tls = ureq::tls::TlsConfig::builder()
            .root_certs(ureq::tls::RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
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
            patient: true,
            worked: AtomicBool::new(false),
            last: Mutex::new(None),
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// A client for somebody who waits: no pauses, and what fails at once is said at once. What fails later, when
    /// there have been answers, is tried again.
    pub fn prompt() -> Live {
        Live { patient: false, ..Live::new(Duration::ZERO) }
    }

    /// How many requests were made, and how many bytes of answers they brought, as they were sent.
    pub fn traffic(&self) -> (u64, u64) {
        (self.requests.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    /// The size of a file that is read by ranges, in bytes, from the answer to a request for its first byte.
    ///
    /// # Errors
    /// As [`Fetch::range`].
    pub fn size(&self, url: &str) -> Result<u64, FetchError> {
        let (_, size) = self.ask(url, "*/*", Some(&(0..1)))?;
        let why = "a part of a file that does not say how large the whole is".to_owned();
        size.ok_or_else(|| FetchError::Answer { url: public(url), why })
    }

    fn ask(&self, url: &str, accept: &str, range: Option<&Range<u64>>) -> Result<Answer, FetchError> {
        let mut wait = Duration::from_secs(1);
        let mut tries = 1;
        loop {
            let again = tries < TRIES && (self.patient || self.worked.load(Ordering::Relaxed));
            match self.once(url, accept, range) {
                Err(e) if again && e.is_passing() => {
                    std::thread::sleep(wait);
                    wait *= 4;
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    fn once(&self, url: &str, accept: &str, range: Option<&Range<u64>>) -> Result<Answer, FetchError> {
        // Held while the request runs: one at a time, whoever asks.
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(left) = last.and_then(|l| self.pause.checked_sub(l.elapsed())) {
            std::thread::sleep(left);
        }
        let answer = self.send(url, accept, range);
        *last = Some(Instant::now());
        self.worked.fetch_or(answer.is_ok(), Ordering::Relaxed);
        answer
    }

    fn send(&self, url: &str, accept: &str, range: Option<&Range<u64>>) -> Result<Answer, FetchError> {
        let mut request = self.agent.get(url).header("accept", accept);
        request = match range {
            Some(range) => request
                .header("range", format!("bytes={}-{}", range.start, range.end.saturating_sub(1)))
                .header("accept-encoding", "identity"),
            None => request.header("accept-encoding", "gzip"),
        };
        self.requests.fetch_add(1, Ordering::Relaxed);
        let response = request.call().map_err(|e| self.by_proxy(url, unreachable(url, &e)))?;
        match (response.status().as_u16(), range) {
            (206, Some(range)) => self.part(url, response, range),
            (200, None) => self.whole(url, response),
            (200, Some(_)) => Err(FetchError::NoRanges(public(url))),
            (404 | 410, _) => Err(FetchError::NotFound(public(url))),
            // There is nothing at this place of the file: it ends before.
            (416, Some(range)) => {
                let found = content_range(&response).map_or(0, |(_, size)| size);
                Err(FetchError::Size { url: public(url), stated: range.end, found })
            }
            (status, _) => Err(FetchError::Status { url: public(url), status }),
        }
    }

    /// Who did not answer is the proxy, where there is one.
    fn by_proxy(&self, url: &str, error: FetchError) -> FetchError {
        let proxy = self.agent.config().proxy().filter(|p| {
            let uri = url.parse::<ureq::http::Uri>();
            uri.is_ok_and(|uri| !p.is_no_proxy(&uri))
        });
        match (proxy, error) {
            (
                Some(proxy),
                FetchError::Unreachable { url, cause: Cause::Name | Cause::Connection | Cause::Time, why },
            ) => {
                let why = format!("{why} (proxy {}:{})", proxy.host(), proxy.port());
                FetchError::Unreachable { url, cause: Cause::Proxy, why }
            }
            (_, error) => error,
        }
    }

    fn whole(&self, url: &str, response: Response<ureq::Body>) -> Result<Answer, FetchError> {
        let encoding = response.headers().get("content-encoding").map(|v| v.as_bytes().to_ascii_lowercase());
        let sent = self.body(url, response, LARGEST)?;
        let bytes = match encoding.as_deref() {
            Some(b"gzip" | b"x-gzip") => {
                let mut bytes = Vec::new();
                let mut unpacked = flate2::read::MultiGzDecoder::new(sent.as_slice()).take(LARGEST + 1);
                let answer = |e: io::Error| FetchError::Answer { url: public(url), why: e.to_string() };
                unpacked.read_to_end(&mut bytes).map_err(answer)?;
                bytes
            }
            _ => sent,
        };
        if bytes.len() as u64 > LARGEST {
            let why = format!("more than {LARGEST} bytes");
            return Err(FetchError::Answer { url: public(url), why });
        }
        Ok((bytes, None))
    }

    fn part(
        &self,
        url: &str,
        response: Response<ureq::Body>,
        range: &Range<u64>,
    ) -> Result<Answer, FetchError> {
        let said = content_range(&response);
        let length = range.end.saturating_sub(range.start);
        match &said {
            // The file ends inside.
            Some((part, size)) if part.end == *size && part.end < range.end => {
                return Err(FetchError::Size { url: public(url), stated: range.end, found: *size });
            }
            Some((part, _)) if part != range => {
                let why = format!("bytes {part:?} where {range:?} were asked for");
                return Err(FetchError::Answer { url: public(url), why });
            }
            _ => {}
        }
        let bytes = self.body(url, response, length)?;
        match (bytes.len() as u64).cmp(&length) {
            std::cmp::Ordering::Equal => Ok((bytes, said.map(|(_, size)| size))),
            std::cmp::Ordering::Less => {
                Err(unreachable(url, &ureq::Error::Io(io::ErrorKind::UnexpectedEof.into())))
            }
            std::cmp::Ordering::Greater => {
                let why = format!("more than {length} bytes");
                Err(FetchError::Answer { url: public(url), why })
            }
        }
    }

    /// The bytes that are sent, one more than `most` at most.
    fn body(&self, url: &str, response: Response<ureq::Body>, most: u64) -> Result<Vec<u8>, FetchError> {
        let most = most.saturating_add(1);
        let stated = response.body().content_length().unwrap_or(0).min(most);
        let mut bytes = Vec::with_capacity(usize::try_from(stated).unwrap_or(0));
        let mut body = response.into_body().into_reader().take(most);
        let read = body.read_to_end(&mut bytes);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        read.map_err(|e| unreachable(url, &e.into()))?;
        Ok(bytes)
    }
}

/// Bytes, and the size of the file of which they are a part.
type Answer = (Vec<u8>, Option<u64>);

/// `bytes 0-99/1000`, the end as ranges have it; for `bytes */1000` the range is empty.
fn content_range(response: &Response<ureq::Body>) -> Option<(Range<u64>, u64)> {
    parse_content_range(response.headers().get("content-range")?.to_str().ok()?)
}

fn parse_content_range(text: &str) -> Option<(Range<u64>, u64)> {
    let (part, size) = text.trim().strip_prefix("bytes")?.trim().split_once('/')?;
    let size = size.parse().ok()?;
    if part == "*" {
        return Some((0..0, size));
    }
    let (start, end) = part.split_once('-')?;
    let end: u64 = end.parse().ok()?;
    Some((start.parse().ok()?..end.checked_add(1)?, size))
}

/// What ended a request, in one of a few words.
fn unreachable(url: &str, error: &ureq::Error) -> FetchError {
    let why = error.to_string();
    let why = why.strip_prefix("io: ").unwrap_or(&why).to_owned();
    let cause = match error {
        // No address that could be asked, or an answer that leads nowhere: the same again in a moment.
        ureq::Error::BadUri(_)
        | ureq::Error::Http(_)
        | ureq::Error::TooManyRedirects
        | ureq::Error::RedirectFailed
        | ureq::Error::LargeResponseHeader(..) => return FetchError::Answer { url: public(url), why },
        ureq::Error::HostNotFound => Cause::Name,
        ureq::Error::ConnectProxyFailed(_) | ureq::Error::InvalidProxyUrl => Cause::Proxy,
        ureq::Error::Timeout(_) => Cause::Time,
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::Pem(_) => Cause::Certificate,
        // What the handshake says comes as an error of reading.
        ureq::Error::Io(e) if e.kind() == io::ErrorKind::InvalidData && why.contains("certificate") => {
            Cause::Certificate
        }
        ureq::Error::Io(e) if e.kind() == io::ErrorKind::TimedOut => Cause::Time,
        // The words of getaddrinfo; of Windows; of macOS.
        ureq::Error::Io(_)
            if ["lookup address", "No such host", "nodename"].iter().any(|w| why.contains(w)) =>
        {
            Cause::Name
        }
        _ => Cause::Connection,
    };
    FetchError::Unreachable { url: public(url), cause, why }
}

impl Fetch for Live {
    fn get(&self, url: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
        self.ask(url, accept, None).map(|(bytes, _)| bytes)
    }
    fn range(&self, url: &str, range: Range<u64>) -> Result<Vec<u8>, FetchError> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(url, "*/*", Some(&range)).map(|(bytes, _)| bytes)
    }
    fn range_of(&self, url: &str, range: Range<u64>, size: u64) -> Result<Vec<u8>, FetchError> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        match self.ask(url, "*/*", Some(&range)) {
            Ok((_, Some(found))) if found != size => {
                Err(FetchError::Size { url: public(url), stated: size, found })
            }
            Err(FetchError::Size { url, found, .. }) => Err(FetchError::Size { url, stated: size, found }),
            other => other.map(|(bytes, _)| bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_say_where_they_are() {
        for (text, expected) in [
            ("bytes 0-99/1000", Some((0..100, 1000))),
            ("bytes */1000", Some((0..0, 1000))),
            ("bytes 0-99/*", None),
            ("bytes 0-18446744073709551615/1", None),
            ("lines 0-1/2", None),
            ("", None),
        ] {
            assert_eq!(parse_content_range(text), expected, "{text}");
        }
    }

    #[test]
    fn errors_have_a_cause() {
        let cause = |e: ureq::Error| match unreachable("https://a:b@c/", &e) {
            FetchError::Unreachable { url, cause, .. } if url == "https://c/" => cause,
            other => panic!("{other}"),
        };
        assert_eq!(cause(ureq::Error::HostNotFound), Cause::Name);
        assert_eq!(cause(ureq::Error::ConnectProxyFailed("407".into())), Cause::Proxy);
        let text = "invalid peer certificate: UnknownIssuer";
        assert_eq!(cause(io::Error::new(io::ErrorKind::InvalidData, text).into()), Cause::Certificate);
        let text = "failed to lookup address information: Name or service not known";
        assert_eq!(cause(io::Error::other(text).into()), Cause::Name);
        assert_eq!(cause(io::Error::from(io::ErrorKind::ConnectionRefused).into()), Cause::Connection);
    }
}
