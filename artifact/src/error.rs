//! What can go wrong, and what is only odd.

use std::fmt;
use std::io;

/// Why a file, or a part of it, could not be read.
#[derive(Debug)]
pub enum Error {
    /// The source itself failed.
    Io(io::Error),
    /// The file is not the kind of file that was asked for; the text says what is wrong.
    Format(String),
    /// The file is larger, or has more of something, than [`Limits`](crate::Limits) allow.
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// What the file says.
        found: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// The archive has no such member.
    Missing(String),
    /// The member is compressed or encrypted in a way that is not read.
    Unsupported {
        /// Its path.
        path: String,
        /// The method, in words.
        method: String,
    },
    /// The archive contradicts itself about this member: two members share a name or bytes, sizes or checksum differ.
    Untrusted {
        /// Its path.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(e) => write!(f, "{e}"),
            Error::Format(what) => write!(f, "{what}"),
            Error::Limit { what, found, allowed } => {
                write!(f, "{found} {what}, more than the {allowed} that are read")
            }
            Error::Missing(path) => write!(f, "no member `{path}`"),
            Error::Unsupported { path, method } => write!(f, "`{path}` is {method}, which is not read"),
            Error::Untrusted { path, why } => write!(f, "`{path}`: {why}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(e) => Some(e),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(e: io::Error) -> Self {
        Error::Io(e)
    }
}

/// How much of a file is believed and read. Whoever made the file may have lied.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Members of an archive. Paddle's wheels have 2,500, torch's 13,000.
    pub members: u64,
    /// Bytes of a zip's central directory, which is held as a list.
    pub directory: u64,
    /// Bytes of a file that is read into memory: METADATA, RECORD, a version file.
    pub text: u64,
    /// Bytes of one member that is read as a stream.
    pub member: u64,
    /// Bytes of all members of an archive that are read as streams, counted unpacked.
    pub total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { members: 200_000, directory: 64 << 20, text: 16 << 20, member: 16 << 30, total: 64 << 30 }
    }
}
