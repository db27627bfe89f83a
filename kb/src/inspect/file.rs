//! A wheel or a library.

use super::{Inspected, Progress, family, unread};
use artifact::wheel::Tag;
use artifact::{Bytes, Error, Options, describe_library, describe_wheel};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::path::Path;

/// Bytes that are hashed at a time.
const CHUNK: usize = 1 << 16;

pub(super) fn read(path: &Path, progress: &Progress) -> Result<Inspected, Error> {
    let file = Counted { file: File::open(path).map_err(Error::Io)?, progress };
    let size = file.size().map_err(Error::Io)?;
    if size == 0 {
        return Err(Error::Format("the file is empty".to_owned()));
    }
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mut magic = [0; 4];
    let is_zip = file.read_exact_at(0, &mut magic).is_ok() && magic.starts_with(b"PK");
    let mut out = if is_zip || name.to_ascii_lowercase().ends_with(".whl") {
        wheel(&file, &name)?
    } else {
        library(&file, &name)?
    };
    out.sum = Some((size, sum(&file).map_err(Error::Io)?));
    Ok(out)
}

fn wheel(file: &Counted<'_>, name: &str) -> Result<Inspected, Error> {
    let wheel = describe_wheel(file, name, &Options::default())?;
    let mut out = Inspected { kind: "wheel", not_read: wheel.not_read.clone(), ..Inspected::default() };
    if let Some(file_name) = &wheel.file_name {
        out.name = Some(file_name.package.clone());
        out.version = Some(file_name.version.to_string());
        tags(&mut out, &file_name.tags);
    } else if let Some(about) = &wheel.wheel {
        tags(&mut out, &about.tags);
    }
    if let Some(metadata) = &wheel.metadata {
        out.name = out.name.or_else(|| metadata.name.clone());
        out.version = out.version.or_else(|| metadata.version.clone());
        out.requires_python.clone_from(&metadata.requires_python);
        out.requires = metadata.requires_dist.iter().filter(|r| family::is_required(r)).cloned().collect();
    }
    for (member, stated) in &wheel.stated {
        out.state(member, stated);
    }
    for l in &wheel.libraries {
        out.library(&l.path, l.bundled, l.variant.as_ref(), &l.code, &l.tables);
    }
    if !wheel.problems.is_empty() {
        out.notes.push(("ui-inspect-odd", wheel.problems.len()));
    }
    Ok(out)
}

fn tags(out: &mut Inspected, tags: &[Tag]) {
    for tag in tags {
        for (list, value) in [(&mut out.python, &tag.python), (&mut out.platform, &tag.platform)] {
            if !list.contains(value) {
                list.push(value.clone());
            }
        }
    }
}

fn library(file: &Counted<'_>, name: &str) -> Result<Inspected, Error> {
    let (code, tables) = describe_library(file);
    if let (Some(why), true) = (unread(&tables), code.get().is_none_or(|c| c.entries() == 0)) {
        return Err(Error::Format(why));
    }
    let mut out = Inspected { kind: "library", ..Inspected::default() };
    if let Some(tables) = tables.get() {
        out.name = tables.soname.clone();
        out.version = tables.file_version_text.clone().or_else(|| tables.file_version.clone());
        out.platform = vec![format!("{} {}", tables.format, tables.machine)];
    }
    let variant = artifact::stated::variant(name);
    out.library(name, false, variant.as_ref(), &code, &tables);
    out.bundles.clear();
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
