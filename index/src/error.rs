//! What can go wrong on the way to an index.

use std::fmt;

/// Why an address could not be read. Addresses are without passwords.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FetchError {
    /// The server says that there is no such thing.
    NotFound(String),
    /// The server answers with another status.
    Status {
        /// What was asked for.
        url: String,
        /// The status.
        status: u16,
    },
    /// No answer.
    Unreachable {
        /// What was asked for.
        url: String,
        /// At which point it ended.
        cause: Cause,
        /// What the connection says.
        why: String,
    },
    /// The answer is a page in HTML that lists no file.
    Html(String),
    /// The server gives out whole files only.
    NoRanges(String),
    /// The file has another size than the index says, or than it had a moment ago.
    Size {
        /// What was asked for.
        url: String,
        /// What it should have, bytes.
        stated: u64,
        /// What it has, bytes.
        found: u64,
    },
    /// An answer that is not what was asked for.
    Answer {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        why: String,
    },
}

/// At which point a request ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// There is no address for the host's name: no network, no name server, a wrong name.
    Name,
    /// The server's certificate is not trusted.
    Certificate,
    /// The proxy refuses, or its address is none.
    Proxy,
    /// Nothing came in time.
    Time,
    /// The connection was refused, or broke.
    Connection,
}

impl FetchError {
    /// Would the same request perhaps work a moment later?
    pub fn is_passing(&self) -> bool {
        match self {
            FetchError::Unreachable { cause, .. } => *cause != Cause::Certificate,
            FetchError::Status { status, .. } => *status == 429 || *status >= 500,
            _ => false,
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::NotFound(url) => write!(f, "{url} does not exist"),
            FetchError::Status { url, status } => write!(f, "{url} answers with status {status}"),
            FetchError::Unreachable { url, why, .. } => write!(f, "{url} cannot be reached: {why}"),
            FetchError::Html(url) => {
                write!(f, "{url} answers with a page in HTML that lists no file")
            }
            FetchError::NoRanges(url) => write!(f, "{url}: the server does not serve ranges"),
            FetchError::Size { url, stated, found } => {
                write!(f, "{url} has {found} bytes where {stated} were stated")
            }
            FetchError::Answer { url, why } => write!(f, "{url} answers with something else: {why}"),
        }
    }
}

impl std::error::Error for FetchError {}

impl From<FetchError> for std::io::Error {
    fn from(e: FetchError) -> Self {
        let kind = match &e {
            FetchError::NotFound(_) => std::io::ErrorKind::NotFound,
            FetchError::Unreachable { .. } => std::io::ErrorKind::NotConnected,
            _ => std::io::ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, e)
    }
}
