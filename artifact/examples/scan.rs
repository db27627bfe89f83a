//! Looks for device code and prints how much there is, for measuring: `scan library|stream|member FILE [MEMBER]`.
//!
//! `library` reads a library at the places that matter, `stream` reads all of it, `member` unpacks one of a wheel.

use artifact::code::{DeviceCode, scan_stream};
use artifact::wheel::Archive;
use artifact::{Bytes, Cursor, Error, Limits, describe_library};
use std::fs::File;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [how, name, member @ ..] = arguments.as_slice() else {
        return Err(Error::Format("scan library|stream|member FILE [MEMBER]".into()));
    };
    let file = File::open(name)?;
    let code: DeviceCode = match (how.as_str(), member) {
        ("library", []) => describe_library(&file).0.get().cloned().unwrap_or_default(),
        ("stream", []) => scan_stream(&mut Cursor::new(&file), Some(file.size()?))?,
        ("member", [member]) => {
            let archive = Archive::open(&file, Limits::default())?;
            let entry = archive.entry(member).ok_or_else(|| Error::Missing(member.clone()))?;
            scan_stream(&mut archive.read(entry)?, Some(entry.size))?
        }
        _ => return Err(Error::Format(format!("no way to read `{how}`"))),
    };
    println!("{} containers, {} entries", code.containers, code.entries());
    Ok(())
}
