//! A wheel or a library.

use super::part::Part;
use super::{Inspected, Progress, Wanted, unread, wheel};
use artifact::{Bytes, Error, Options};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::path::Path;

/// Bytes that are hashed at a time.
const CHUNK: usize = 1 << 16;

pub(super) fn read(path: &Path, wanted: Wanted, progress: &Progress) -> Result<Inspected, Error> {
    let code = wanted.code;
    let file = Counted { file: File::open(path).map_err(Error::Io)?, progress };
    let size = file.size().map_err(Error::Io)?;
    if size == 0 {
        return Err(Error::Format("the file is empty".to_owned()));
    }
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut magic = [0; 4];
    let is_zip = file.read_exact_at(0, &mut magic).is_ok() && magic.starts_with(b"PK");
    let mut out = if is_zip || name.to_ascii_lowercase().ends_with(".whl") {
        if code { wheel::whole(&file, &name, &Options::default())? } else { wheel::stated(&file, &name)? }
    } else {
        library(&file, code, &name)?
    };
    (out.bytes, out.sha256) = (Some(size), Some(sum(&file).map_err(Error::Io)?));
    Ok(out)
}

fn library(file: &Counted<'_>, code: bool, name: &str) -> Result<Inspected, Error> {
    // Alone it decides, wherever it was made.
    let part = Part { bundled: false, ..Part::read(file, name, name, code) };
    if let (Some(why), true) = (unread(&part.tables), part.code.get().is_none_or(|c| c.entries() == 0)) {
        return Err(Error::Format(why));
    }
    let mut out = Inspected { kind: "library", no_code: !code, ..Inspected::default() };
    out.library_and_texts(&part);
    // It does not carry itself: that it is one of CUDA's, and which, is its name and version.
    let own = out.bundles.iter().position(|c| !c.linked_in).map(|at| out.bundles.remove(at));
    if let Some(tables) = part.tables.get() {
        let resource = tables.file_version_text.clone().or_else(|| tables.file_version.clone());
        out.name = tables.soname.clone();
        out.version = own.as_ref().and_then(|c| c.exact().map(str::to_owned)).or(resource);
        out.platform = vec![format!("{} {}", tables.format, tables.machine)];
    }
    Ok(out)
}

fn sum(file: &Counted<'_>) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    let mut at = 0;
    loop {
        let read = file.read_at(at, &mut buffer)?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
        at += read as u64;
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A file that tells how much of it was read.
struct Counted<'p> {
    file: File,
    progress: &'p Progress,
}

impl Bytes for Counted<'_> {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(offset, buffer)?;
        self.progress.step(read as u64);
        Ok(read)
    }
}
