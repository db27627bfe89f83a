//! Are the files of an installed package those that its RECORD lists? Mostly they are not where two distributions have
//! written the same file.

use super::Progress;
use artifact::installed::is_inside;
use artifact::wheel::RecordRow;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that are hashed at a time.
const CHUNK: usize = 1 << 16;

/// What comparing gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Recorded {
    /// Files that were compared.
    pub files: usize,
    /// Also by their contents.
    pub verified: bool,
    /// Those that are not as they should be.
    pub wrong: Vec<Wrong>,
}

/// A file that is not as RECORD says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wrong {
    /// Its path, as RECORD has it.
    pub path: String,
    /// What is wrong.
    pub fault: Fault,
    /// Other distributions that list it too.
    pub also: Vec<String>,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It is not there.
    Missing,
    /// It has another size.
    Size {
        /// Bytes that it has.
        is: u64,
        /// Bytes that RECORD says.
        says: u64,
    },
    /// It has other contents.
    Contents,
    /// It could not be read.
    Unread(String),
}

/// Compares the files of `rows` below `root`. Those that are elsewhere (scripts in `bin`) and those without a size
/// (RECORD itself, what Python compiled) are left out.
pub(super) fn check<'r>(
    root: &Path,
    rows: impl Iterator<Item = &'r RecordRow>,
    also: impl Fn(&str) -> Vec<String>,
    verify: bool,
    progress: &Progress,
) -> Recorded {
    let mut out = Recorded { verified: verify, ..Recorded::default() };
    for row in rows.filter(|row| is_inside(&row.path)) {
        let Some(says) = row.size else { continue };
        out.files += 1;
        let path = root.join(&row.path);
        let fault = match std::fs::metadata(&path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Some(Fault::Missing),
            Err(why) => Some(Fault::Unread(why.to_string())),
            Ok(about) if about.is_file() && about.len() == says => row
                .hash
                .as_deref()
                .and_then(|hash| hash.strip_prefix("sha256="))
                .filter(|_| verify)
                .and_then(|hash| contents(&path, hash, progress)),
            Ok(about) if about.is_file() => Some(Fault::Size { is: about.len(), says }),
            Ok(_) => Some(Fault::Missing),
        };
        out.wrong.extend(fault.map(|fault| Wrong { path: row.path.clone(), fault, also: also(&row.path) }));
    }
    out
}

fn contents(path: &Path, hash: &str, progress: &Progress) -> Option<Fault> {
    match sum(path, progress) {
        Ok(found) if found == hash => None,
        Ok(_) => Some(Fault::Contents),
        Err(why) => Some(Fault::Unread(why.to_string())),
    }
}

fn sum(path: &Path, progress: &Progress) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(base64(&hash.finalize())),
            Ok(read) => {
                progress.step(read as u64);
                hash.update(&buffer[..read]);
            }
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
}

/// URL-safe, without padding, as RECORD has it.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            let letter = number >> (18 - 6 * place) & 63;
            out.push(char::from(LETTERS[letter as usize]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters() {
        assert_eq!(base64(b"\xfb\xff"), "-_8");
        assert_eq!(base64(&Sha256::digest(b"")), "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }
}
