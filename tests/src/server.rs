//! A package index on the loopback interface: what a real client needs of a real one, and what goes wrong with them.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What an index lists and serves, and how it misbehaves.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Files as they are listed, by project.
    pub projects: BTreeMap<String, Vec<Value>>,
    /// Files as they are served, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Whole files only.
    pub no_ranges: bool,
    /// Pages in HTML that are no index: a proxy's, a login.
    pub html: bool,
    /// Index pages in HTML only, as PEP 503 has them.
    pub links: bool,
    /// Pages without compression.
    pub plain: bool,
    /// Every answer has this status.
    pub status: Option<u16>,
    /// Connections that are closed instead of an answer, after the first two answers.
    pub dropped: usize,
}

impl Site {
    /// Adds a file of a project, listed as it is.
    pub fn file(mut self, project: &str, name: &str, bytes: &[u8]) -> Self {
        let sum = format!("{:064x}", name.len());
        let listed = json!({ "filename": name, "url": format!("../../files/{name}"), "size": bytes.len(),
            "hashes": { "sha256": sum }, "yanked": false });
        self.projects.entry(project.to_owned()).or_default().push(listed);
        self.files.insert(format!("/files/{name}"), bytes.to_vec());
        self
    }

    /// Changes how the last file of a project is listed.
    pub fn listed(mut self, project: &str, key: &str, value: Value) -> Self {
        if let Some(last) = self.projects.get_mut(project).and_then(|files| files.last_mut()) {
            last[key] = value;
        }
        self
    }

    /// Takes a file away that stays listed.
    pub fn missing(mut self, name: &str) -> Self {
        self.files.remove(&format!("/files/{name}"));
        self
    }

    /// Begins to serve.
    ///
    /// # Panics
    /// If there is no loopback interface.
    pub fn serve(self) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let log = Arc::new(Log { dropped: Mutex::new(self.dropped), ..Log::default() });
        let (site, told) = (Arc::new(self), Arc::clone(&log));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if told.ended.load(Ordering::Relaxed) {
                    break;
                }
                let (site, log) = (Arc::clone(&site), Arc::clone(&told));
                std::thread::spawn(move || drop(converse(&site, &log, stream)));
            }
        });
        Server { address, log }
    }

    fn answer(&self, request: &Request) -> Answer {
        if let Some(status) = self.status {
            return Answer::new(status, "text/plain", b"no".to_vec());
        }
        if let Some(project) = request.path.strip_prefix("/simple/") {
            return match self.projects.get(project.trim_end_matches('/')) {
                Some(_) if self.html => {
                    Answer::new(200, "text/html", b"<!DOCTYPE html><html></html>".to_vec())
                }
                Some(files) if self.links => Answer::new(200, "text/html", links(files)),
                Some(files) => self.page(project.trim_end_matches('/'), files),
                None => Answer::new(404, "text/plain", b"no such project".to_vec()),
            };
        }
        let Some(file) = self.files.get(&request.path) else {
            return Answer::new(404, "text/plain", b"no such file".to_vec());
        };
        let Some((start, end)) = request.range.filter(|_| !self.no_ranges) else {
            return Answer::new(200, "application/octet-stream", file.clone());
        };
        let end = end.min(file.len().saturating_sub(1));
        if start > end {
            let mut out = Answer::new(416, "text/plain", Vec::new());
            out.headers.push(format!("content-range: bytes */{}", file.len()));
            return out;
        }
        let mut out = Answer::new(206, "application/octet-stream", file[start..=end].to_vec());
        out.headers.push(format!("content-range: bytes {start}-{end}/{}", file.len()));
        out
    }

    fn page(&self, project: &str, files: &[Value]) -> Answer {
        let page = json!({ "meta": { "api-version": "1.1" }, "name": project, "files": files }).to_string();
        let kind = "application/vnd.pypi.simple.v1+json";
        if self.plain {
            return Answer::new(200, kind, page.into_bytes());
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(page.as_bytes()).expect("memory");
        let mut out = Answer::new(200, kind, packed.finish().expect("memory"));
        out.headers.push("content-encoding: gzip".to_owned());
        out
    }
}

/// An index page as it was before there was JSON.
fn links(files: &[Value]) -> Vec<u8> {
    let text = |file: &Value, key: &str| file[key].as_str().unwrap_or_default().replace('+', "%2B");
    let link = |file: &Value| {
        let name = file["filename"].as_str().unwrap_or_default();
        let sum = file["hashes"]["sha256"].as_str().unwrap_or_default();
        let yanked = if file["yanked"] == false { "" } else { " data-yanked=\"broken\"" };
        format!("<a href=\"{}#sha256={sum}\"{yanked}>{name}</a><br/>\n", text(file, "url"))
    };
    format!("<!DOCTYPE html><html><body>{}</body></html>", files.iter().map(link).collect::<String>())
        .into_bytes()
}

/// A running index.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    log: Arc<Log>,
}

#[derive(Debug, Default)]
struct Log {
    asked: Mutex<Vec<String>>,
    sent: Mutex<u64>,
    dropped: Mutex<usize>,
    ended: AtomicBool,
}

impl Server {
    /// The address of its list of projects.
    pub fn index(&self) -> String {
        format!("http://{}/simple/", self.address)
    }

    /// The address of a file.
    pub fn file(&self, name: &str) -> String {
        format!("http://{}/files/{name}", self.address)
    }

    /// `127.0.0.1:port`.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The paths that were asked for.
    pub fn asked(&self) -> Vec<String> {
        self.log.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Bytes of bodies that were sent.
    pub fn sent(&self) -> u64 {
        *self.log.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.log.ended.store(true, Ordering::Relaxed);
        // The listener waits: one more connection wakes it.
        drop(TcpStream::connect(self.address));
    }
}

struct Request {
    path: String,
    /// First and last byte.
    range: Option<(usize, usize)>,
}

struct Answer {
    status: u16,
    headers: Vec<String>,
    body: Vec<u8>,
}

impl Answer {
    fn new(status: u16, kind: &str, body: Vec<u8>) -> Answer {
        Answer { status, headers: vec![format!("content-type: {kind}")], body }
    }
}

/// Answers the requests of one connection.
fn converse(site: &Site, log: &Log, stream: TcpStream) -> std::io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader)? {
        let asked = {
            let mut asked = log.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.push(request.path.clone());
            asked.len()
        };
        let mut dropped = log.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        if *dropped > 0 && asked > 2 {
            *dropped -= 1;
            return Ok(());
        }
        drop(dropped);
        let answer = site.answer(&request);
        let head = format!(
            "HTTP/1.1 {} X\r\n{}\r\ncontent-length: {}\r\n\r\n",
            answer.status,
            answer.headers.join("\r\n"),
            answer.body.len()
        );
        *log.sent.lock().unwrap_or_else(PoisonError::into_inner) += answer.body.len() as u64;
        writer.write_all(head.as_bytes())?;
        writer.write_all(&answer.body)?;
        writer.flush()?;
    }
    Ok(())
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let target = line.split_whitespace().nth(1).unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default().to_owned();
    let mut range = None;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(Some(Request { path, range }));
        }
        let lower = line.trim().to_ascii_lowercase();
        if let Some((start, end)) = lower.strip_prefix("range: bytes=").and_then(|r| r.split_once('-')) {
            range = start.parse().ok().zip(end.parse().ok());
        }
    }
}
