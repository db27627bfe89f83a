//! The cache of Linux' loader, `/etc/ld.so.cache`, in the form that glibc writes since 2.2.
//!
//! <https://sourceware.org/git/?p=glibc.git;a=blob;f=sysdeps/generic/dl-cache.h> describes it.

/// Where it is.
pub const PATH: &str = "/etc/ld.so.cache";

const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// Before it there may be a part in an older form.
const OLD_MAGIC: &[u8] = b"ld.so-1.7.0\0";
const OLD_ENTRY: usize = 12;
const HEADER: usize = 48;
const ENTRY: usize = 24;

/// Names and paths of the libraries for a processor, in the order of the file.
///
/// # Errors
/// What is wrong, if it is no such file.
pub fn read(bytes: &[u8], arch: &str) -> Result<Vec<(String, String)>, &'static str> {
    // What glibc calls FLAG_X8664_LIB64 and FLAG_AARCH64_LIB64, with FLAG_ELF_LIBC6.
    let wanted = match arch {
        "x86_64" => 0x0303,
        "aarch64" => 0x0a03,
        _ => return Err("not of a processor that is known here"),
    };
    let bytes = match bytes.strip_prefix(OLD_MAGIC) {
        Some(rest) => {
            let count = number(rest, 0).ok_or("cut off")?;
            let end = OLD_MAGIC.len() + 4 + count.saturating_mul(OLD_ENTRY);
            bytes.get(end.next_multiple_of(8)..).ok_or("cut off")?
        }
        None => bytes,
    };
    if !bytes.starts_with(MAGIC) {
        return Err("not in a form that is known here");
    }
    let count = number(bytes, MAGIC.len()).ok_or("cut off")?;
    if bytes.len() < HEADER || count > (bytes.len() - HEADER) / ENTRY {
        return Err("cut off");
    }
    let text = |at: usize| {
        let rest = bytes.get(at..)?;
        let end = memchr::memchr(0, rest)?;
        Some(String::from_utf8_lossy(&rest[..end]).into_owned())
    };
    let mut out = Vec::new();
    for index in 0..count {
        let at = HEADER + index * ENTRY;
        if number(bytes, at) != Some(wanted) {
            continue;
        }
        let (name, path) = (number(bytes, at + 4).and_then(text), number(bytes, at + 8).and_then(text));
        if let (Some(name), Some(path)) = (name, path) {
            out.push((name, path));
        }
    }
    Ok(out)
}

/// A number of four bytes, in the order of the processors that are known here.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(entries: &[(u32, &str, &str)]) -> Vec<u8> {
        let mut head = MAGIC.to_vec();
        head.extend(u32::try_from(entries.len()).unwrap_or(0).to_le_bytes());
        head.resize(HEADER, 0);
        let mut texts = Vec::new();
        let start = HEADER + entries.len() * ENTRY;
        for (flags, name, path) in entries {
            head.extend(flags.to_le_bytes());
            for text in [name, path] {
                head.extend(u32::try_from(start + texts.len()).unwrap_or(0).to_le_bytes());
                texts.extend(text.bytes());
                texts.push(0);
            }
            head.extend([0; 12]);
        }
        head.extend(texts);
        head
    }

    #[test]
    fn libraries_of_one_processor() {
        let bytes = cache(&[
            (0x0303, "libcuda.so.1", "/a/libcuda.so.1"),
            (0x0003, "libcuda.so.1", "/b/libcuda.so.1"),
        ]);
        assert_eq!(read(&bytes, "x86_64"), Ok(vec![("libcuda.so.1".into(), "/a/libcuda.so.1".into())]));
        assert_eq!(read(&bytes, "aarch64"), Ok(vec![]));
    }

    #[test]
    fn what_is_broken_is_told() {
        let bytes = cache(&[(0x0303, "libcuda.so.1", "/a/libcuda.so.1")]);
        for end in 0..bytes.len() {
            // Never a panic; a text without its end is left out.
            let _ = read(&bytes[..end], "x86_64");
        }
        assert!(read(b"", "x86_64").is_err() && read(&bytes[..30], "x86_64").is_err());
        let mut many = bytes;
        many[MAGIC.len()..MAGIC.len() + 4].fill(0xff);
        assert!(read(&many, "x86_64").is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_one_of_this_machine() {
        let Ok(bytes) = std::fs::read(PATH) else { return };
        let entries = read(&bytes, std::env::consts::ARCH).unwrap_or_default();
        assert!(
            entries.iter().any(|(name, path)| name == "libc.so.6" && path.ends_with("/libc.so.6")),
            "{entries:?}"
        );
    }
}
