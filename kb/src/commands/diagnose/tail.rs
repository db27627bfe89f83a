//! What comes from a file that grows, or from a pipe, as events: a thread reads and the others need not wait.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// Read at once.
const CHUNK: usize = 1 << 16;

/// Pieces that wait for whoever takes them.
const WAITING: usize = 16;

/// How often a file is looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// What is read.
#[derive(Debug)]
pub(super) enum Source {
    /// It ends.
    Pipe(Box<dyn ReadAny>),
    /// It does not: it grows, is deleted, and another one gets its name.
    File(File, PathBuf),
}

/// Anything that can be read in a thread.
pub(super) trait ReadAny: Read + Send + std::fmt::Debug {}
impl<T: Read + Send + std::fmt::Debug> ReadAny for T {}

impl Source {
    /// Opens what a path names; `-` is standard input.
    pub(super) fn open(path: &Path) -> io::Result<Source> {
        if path.as_os_str() == "-" {
            return Ok(Source::Pipe(Box::new(io::stdin())));
        }
        let file = File::open(path)?;
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a directory"));
        }
        // A named pipe ends when the last who writes to it closes it.
        Ok(if kind.is_file() { Source::File(file, path.to_owned()) } else { Source::Pipe(Box::new(file)) })
    }

    pub(super) fn ends(&self) -> bool {
        matches!(self, Source::Pipe(_))
    }

    /// Reads in a thread of its own.
    pub(super) fn start(self) -> Receiver<io::Result<Vec<u8>>> {
        let (give, take) = sync_channel(WAITING);
        std::thread::spawn(move || {
            let end = match self {
                Source::Pipe(mut pipe) => drain(&mut pipe, &give).map(|_| ()),
                Source::File(file, path) => grow(file, &path, &give),
            };
            if let Err(error) = end {
                // Whoever took the pieces may have gone.
                drop(give.send(Err(error)));
            }
        });
        take
    }
}

/// Gives everything up to the end; `false` if nobody takes it any more.
fn drain(from: &mut dyn Read, give: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<bool> {
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(true),
            Ok(count) => {
                if give.send(Ok(buffer[..count].to_vec())).is_err() {
                    return Ok(false);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Gives what a file gets, and what the file gets that takes its name, for ever.
fn grow(mut file: File, path: &Path, give: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<()> {
    loop {
        if !drain(&mut file, give)? {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
        let own = file.metadata()?;
        // While nothing has that name, the old one may still grow.
        let Ok(named) = std::fs::metadata(path) else { continue };
        if !same(&own, &named) {
            // What was written to the old one before the new one came.
            if !drain(&mut file, give)? {
                return Ok(());
            }
            if let Ok(new) = File::open(path) {
                file = new;
            }
        } else if own.len() < file.stream_position()? {
            // It was emptied and is written anew.
            file.seek(SeekFrom::Start(0))?;
        }
    }
}

/// Are these the same file?
fn same(one: &Metadata, other: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        one.dev() == other.dev() && one.ino() == other.ino()
    }
    #[cfg(not(unix))]
    {
        // The day of creation is what tells files of one name apart.
        one.created().ok() == other.created().ok()
    }
}
