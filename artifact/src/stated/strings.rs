//! What texts compiled into a library state: torch's list of targets, NCCL's version.

use super::{Declared, Said, Stated};
use crate::library::is_library;
use memchr::memmem::Finder;
use std::io::{self, Read};

/// A text that begins with a needle and ends with a zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// What `torch.cuda.get_arch_list()` takes apart: `sm_80 sm_90 compute_90`, the whole string.
    Targets,
    /// What NCCL prints on its start: `NCCL version 2.20.5+cuda12.4`, the whole string or the beginning of a line.
    Nccl,
}

/// Beginnings, with how many of their bytes belong to the text itself. The list of targets is a string of its own, so
/// that a zero must stand before it; that tells it from options and messages in which targets occur.
const BEGINNINGS: [(Kind, &[u8], usize); 3] =
    [(Kind::Targets, b"\0sm_", 3), (Kind::Targets, b"\0compute_", 8), (Kind::Nccl, b"NCCL version ", 0)];
/// Bytes that are kept between pieces: one less than the longest beginning.
const KEPT: usize = 12;
/// The longest text that is believed. torch's longest list has 120 characters.
const LONGEST: usize = 1024;
/// Bytes of a stream that are read at a time.
const CHUNK: usize = 256 << 10;
/// Different texts of one kind that are kept. A library that has more states nothing anyway.
const MOST: usize = 8;

/// Finds texts that state something in the bytes of a library, which come in any pieces.
///
/// Only for libraries that [`strings`] knows: elsewhere the same texts can mean something else. What is found depends
/// only on the bytes, not on how they were cut; memory is a few kilobytes.
#[derive(Clone, Debug)]
pub struct Strings {
    wanted: Vec<(Kind, Finder<'static>, usize)>,
    /// The last bytes, in which a beginning may have been cut.
    kept: [u8; KEPT],
    filled: usize,
    /// A text that has begun.
    open: Option<(Kind, Vec<u8>)>,
    found: Vec<(Kind, Vec<u8>)>,
}

/// A reader for the texts of a library, by its path; `None` if a library of this name is not known to have any.
///
/// torch keeps its list of targets in `libtorch_python.so` and `torch_python.dll`. NCCL's version is in NCCL, and in
/// what NCCL is linked into: torch's and TensorFlow's main libraries.
pub fn strings(path: &str) -> Option<Strings> {
    kinds(path).map(Strings::new)
}

/// Is this a library whose texts state for which targets a package was built?
pub fn states_targets(path: &str) -> bool {
    kinds(path).is_some_and(|kinds| kinds.contains(&Kind::Targets))
}

fn kinds(path: &str) -> Option<&'static [Kind]> {
    const LINKED_WITH_NCCL: [&str; 5] =
        ["nccl", "torch_cuda", "tensorflow_cc", "tensorflow_framework", "_pywrap_tensorflow"];
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.strip_prefix("lib").unwrap_or(&name);
    // `libtorch_cuda.so`, `torch_cuda_cpp.dll`; `libnccl-3cdd5ffb.so.2`
    let is = |start: &str| stem.strip_prefix(start).is_some_and(|rest| rest.starts_with(['.', '_', '-']));
    if !is_library(&name) {
        None
    } else if is("torch_python") {
        Some(&[Kind::Targets])
    } else if LINKED_WITH_NCCL.into_iter().any(is) {
        Some(&[Kind::Nccl])
    } else {
        None
    }
}

impl Strings {
    fn new(kinds: &[Kind]) -> Strings {
        let wanted = BEGINNINGS
            .into_iter()
            .filter(|(kind, _, _)| kinds.contains(kind))
            .map(|(kind, needle, own)| (kind, Finder::new(needle), own))
            .collect();
        // The beginning of a file is like one after a zero.
        Strings { wanted, kept: [0; KEPT], filled: 1, open: None, found: Vec::new() }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() {
            let used = if self.open.is_some() { self.collect(chunk) } else { self.search(chunk) };
            chunk = chunk.get(used..).unwrap_or_default();
        }
    }

    /// Takes a stream to its end.
    ///
    /// # Errors
    /// What the stream reports.
    pub fn read(&mut self, stream: &mut (impl Read + ?Sized)) -> io::Result<()> {
        let mut buffer = vec![0; CHUNK];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => self.push(buffer.get(..n).unwrap_or_default()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// What was found. A kind of which there are several different texts states nothing: which of them counts is not
    /// known.
    pub fn finish(self) -> Stated {
        let mut out = Stated::default();
        let targets: Vec<Declared> = self.texts(Kind::Targets).filter_map(Declared::flags).collect();
        // One target alone can be any constant; a list of several is what it seems. Builds for a single GPU have no
        // other text than that one.
        let several: Vec<&Declared> = targets.iter().filter(|t| t.sass.len() + t.ptx.len() > 1).collect();
        out.targets = match (several.as_slice(), targets.as_slice()) {
            ([one], _) => Some((*one).clone()),
            ([], [one]) => Some(one.clone()),
            _ => None,
        };
        let mut versions = self.texts(Kind::Nccl).filter_map(nccl);
        out.nccl = versions.next().filter(|_| versions.next().is_none());
        out
    }

    fn texts(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.found.iter().filter(move |(k, _)| *k == kind).filter_map(|(_, t)| std::str::from_utf8(t).ok())
    }

    /// Looks for a beginning and says how many bytes are done with.
    fn search(&mut self, chunk: &[u8]) -> usize {
        let before = self.filled;
        // A beginning that was cut: the kept bytes and as many new ones as could complete it.
        let mut joint = [0u8; 2 * KEPT];
        let new = chunk.len().min(KEPT);
        joint[..before].copy_from_slice(&self.kept[..before]);
        joint[before..before + new].copy_from_slice(&chunk[..new]);
        let joint = &joint[..before + new];
        if let Some((at, kind, length, own)) = self.first(joint).filter(|(at, ..)| *at < before) {
            self.begin(kind, &joint[at + length - own..at + length]);
            return at + length - before;
        }
        if let Some((at, kind, length, own)) = self.first(chunk) {
            self.begin(kind, &chunk[at + length - own..at + length]);
            return at + length;
        }
        let last = if chunk.len() < KEPT { joint } else { chunk };
        let last = &last[last.len() - last.len().min(KEPT)..];
        self.kept[..last.len()].copy_from_slice(last);
        self.filled = last.len();
        chunk.len()
    }

    /// The first beginning in `bytes`: its place, kind, length, and how much of it belongs to the text.
    fn first(&self, bytes: &[u8]) -> Option<(usize, Kind, usize, usize)> {
        self.wanted
            .iter()
            .filter_map(|(kind, finder, own)| Some((finder.find(bytes)?, *kind, finder.needle().len(), *own)))
            .min_by_key(|found| found.0)
    }

    fn begin(&mut self, kind: Kind, text: &[u8]) {
        self.open = Some((kind, text.to_vec()));
        self.filled = 0;
    }

    /// Takes bytes of the text that has begun, without the one that ends it: that may begin another.
    fn collect(&mut self, chunk: &[u8]) -> usize {
        let Some((kind, text)) = &mut self.open else { return 0 };
        let kind = *kind;
        let belongs = |b: &u8| match kind {
            Kind::Targets => b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b' ' | b'_'),
            Kind::Nccl => b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+'),
        };
        let end = chunk.iter().position(|b| !belongs(b)).unwrap_or(chunk.len());
        let room = LONGEST.saturating_sub(text.len());
        text.extend_from_slice(&chunk[..end.min(room)]);
        let whole = end <= room;
        let Some(last) = chunk.get(end) else {
            if !whole {
                self.open = None;
            }
            return end;
        };
        let ends = match kind {
            Kind::Targets => *last == 0,
            Kind::Nccl => matches!(last, 0 | b'\n' | b' '),
        };
        let found = self.open.take();
        if ends && whole && self.found.iter().filter(|(k, _)| *k == kind).count() < MOST {
            self.found.extend(found.filter(|f| !self.found.contains(f)));
        }
        end
    }
}

/// `2.20.5` of `2.20.5+cuda12.4`. The CUDA release is the one that NCCL was compiled with, not the package.
fn nccl(text: &str) -> Option<Said> {
    let version = text.split('+').next().unwrap_or(text);
    let parts: Vec<&str> = version.split('.').collect();
    let number = |p: &&str| !p.is_empty() && p.len() < 4 && p.bytes().all(|b| b.is_ascii_digit());
    ((2..=4).contains(&parts.len()) && parts.iter().all(number))
        .then(|| Said { value: version.to_owned(), written: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, bytes: &[u8], piece: usize) -> Stated {
        let mut strings = strings(path).unwrap();
        bytes.chunks(piece).for_each(|chunk| strings.push(chunk));
        strings.finish()
    }

    fn targets(bytes: &[u8]) -> Option<String> {
        let whole = found("torch/lib/libtorch_python.so", bytes, bytes.len().max(1)).targets;
        for piece in 1..30 {
            assert_eq!(found("torch_python.dll", bytes, piece).targets, whole, "pieces of {piece}");
        }
        whole.map(|t| format!("{:?} {:?}", t.sass, t.ptx))
    }

    #[test]
    fn the_list_of_torch() {
        let list = b"x\0sm_37 sm_50 sm_60 sm_70\0y";
        assert_eq!(targets(list).unwrap(), "[3.7, 5.0, 6.0, 7.0] []");
        let list = b"\0sm_75 sm_90a sm_120 compute_120\0";
        assert_eq!(targets(list).unwrap(), "[7.5, 9.0a, 12.0] [12.0]");
        assert_eq!(targets(b"sm_86\0").unwrap(), "[8.6] []");
        assert_eq!(targets(b"\0compute_70 sm_80\0sm_75\0").unwrap(), "[8.0] [7.0]");
        // The same list twice is one list; `\0sm_90` alone beside it is another constant.
        assert_eq!(targets(b"\0sm_80 sm_90\0sm_90\0sm_80 sm_90\0").unwrap(), "[8.0, 9.0] []");
    }

    #[test]
    fn what_only_looks_like_it() {
        for bytes in [
            &b"-arch=sm_80 sm_90\0"[..],
            b"\0sm_80 sm_90",
            b"\0sm_80 sm_90\n\0",
            b"\0sm_80  sm_90\0",
            b"\0sm_80 sm_90 \0",
            b"\0sm_80 or later\0",
            b"\0sm_8000\0",
            b"\0sm_\0",
            b"\0sm_80 sm_90\0sm_70 sm_80\0",
            b"\0sm_80\0sm_90\0",
            b"",
        ] {
            assert_eq!(targets(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
        let mut long = b"\0sm_80".to_vec();
        long.extend(b" sm_80".repeat(200));
        long.push(0);
        assert_eq!(targets(&long), None);
        long.extend(b"sm_70 sm_80\0");
        assert_eq!(targets(&long).unwrap(), "[7.0, 8.0] []");
    }

    #[test]
    fn the_version_of_nccl() {
        for (text, version) in [
            ("a\0NCCL version 2.20.5+cuda12.4\0", Some("2.20.5")),
            ("NCCL version 2.7.8+cuda11.0\n\0", Some("2.7.8")),
            ("NCCL version : %d\0", None),
            ("NCCL version 2.20.5+cuda12.4", None),
            ("NCCL version 2\0", None),
            ("NCCL version 2.1.1\0NCCL version 2.1.2\0", None),
        ] {
            for piece in 1..40 {
                let said = found("torch/lib/libtorch_cuda.so", text.as_bytes(), piece);
                assert_eq!(said.nccl.map(|s| s.value).as_deref(), version, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn only_where_the_texts_are() {
        for path in
            ["libtorch_python.so", "a/torch_python.dll", "libnccl-3cdd5ffb.so.2", "torch_cuda_cpp.dll"]
        {
            assert!(strings(path).is_some(), "{path}");
        }
        for path in
            ["libnvrtc.so.12", "torch_pythonic.dll", "libtorch_cpu.so", "libncclx.so", "libnccl.py", ""]
        {
            assert!(strings(path).is_none(), "{path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn however_it_is_cut(text in "[\0s smc_\0NCL 0-9.\n]{0,60}(\0sm_80 sm_90\0)?.{0,9}", cut in 1usize..40) {
            let kinds = [Kind::Targets, Kind::Nccl];
            let (mut whole, mut pieces) = (Strings::new(&kinds), Strings::new(&kinds));
            whole.push(text.as_bytes());
            text.as_bytes().chunks(cut).for_each(|chunk| pieces.push(chunk));
            proptest::prop_assert_eq!(whole.finish(), pieces.finish());
        }
    }
}
