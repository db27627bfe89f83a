//! The scanner over files and streams.

use super::{DeviceCode, Scanner};
use crate::Bytes;
use std::io::{self, Read};
use std::ops::Range;

/// The size of the pieces in which a stream is read.
const CHUNK: usize = 256 << 10;
/// The first read behind a payload: headers, most likely.
const FIRST: usize = 4 << 10;

/// Scans a stream from its present place to its end, in constant memory. `size` is the number of bytes, if known.
///
/// # Errors
/// What the stream reports.
pub fn scan_stream(stream: &mut (impl Read + ?Sized), size: Option<u64>) -> io::Result<DeviceCode> {
    let mut scanner = Scanner::new(size);
    let mut buffer = vec![0; CHUNK];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(scanner.finish()),
            Ok(n) => scanner.push(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Scans parts of a file, jumping over payloads: of a library of 1.8 GB some megabytes are read. No `parts` means all of
/// it. The same as [`scan_stream`] over each part; parts that overlap are one.
///
/// # Errors
/// What the source reports.
pub fn scan(bytes: &(impl Bytes + ?Sized), parts: &[Range<u64>]) -> io::Result<DeviceCode> {
    let size = bytes.size()?;
    let all = 0..size;
    let parts = if parts.is_empty() { vec![all] } else { joined(parts) };
    let mut found = DeviceCode::default();
    let mut buffer = vec![0; CHUNK];
    for part in parts {
        let end = part.end.min(size);
        let mut at = part.start;
        let mut scanner = Scanner::new(Some(end.saturating_sub(at)));
        let mut length = CHUNK;
        while at < end {
            let skipped = scanner.skip(end - at);
            if skipped > 0 {
                at += skipped;
                length = FIRST;
                continue;
            }
            let n = usize::try_from(end - at).map_or(length, |left| left.min(length));
            let n = bytes.read_at(at, &mut buffer[..n])?;
            if n == 0 {
                break;
            }
            scanner.push(&buffer[..n]);
            at += n as u64;
            // No payload in sight: read more at a time.
            length = length.saturating_mul(4).min(CHUNK);
        }
        found.add(&scanner.finish());
    }
    Ok(found)
}

/// The parts in order, overlapping ones joined: a library may name the same bytes a thousand times.
fn joined(parts: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut sorted: Vec<Range<u64>> = parts.iter().filter(|p| p.start < p.end).cloned().collect();
    sorted.sort_by_key(|p| p.start);
    let mut out: Vec<Range<u64>> = Vec::new();
    for part in sorted {
        match out.last_mut() {
            Some(last) if part.start < last.end => last.end = last.end.max(part.end),
            _ => out.push(part),
        }
    }
    out
}
