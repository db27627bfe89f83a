//! What can go wrong on the way to an index.

use std::fmt;

/// Why an address could not be read.
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
    /// No answer: no network, no such host, a certificate that is not trusted, a time-out.
    Unreachable {
        /// What was asked for.
        url: String,
        /// What the connection says.
        why: String,
    },
    /// An answer that is not what was asked for.
    Answer {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        why: String,
    },
}

impl FetchError {
    /// Would the same request perhaps work a moment later?
    pub fn is_passing(&self) -> bool {
        match self {
            FetchError::Unreachable { .. } => true,
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
            FetchError::Unreachable { url, why } => write!(f, "{url} cannot be reached: {why}"),
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
