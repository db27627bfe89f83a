//! The version resource of a DLL.

/// Both versions, four numbers each.
pub(super) struct Versions {
    pub(super) file: String,
    pub(super) product: String,
}

/// At the beginning of the fixed part.
const SIGNATURE: [u8; 4] = 0xFEEF_04BDu32.to_le_bytes();

/// Reads the fixed part of `VS_VERSIONINFO`. The texts beside it are for people and differ between publishers.
pub(super) fn read(bytes: &[u8]) -> Option<Versions> {
    let at = memchr::memmem::find(bytes, &SIGNATURE)?;
    let number = |offset: usize| {
        let pair: [u8; 2] = bytes.get(at + offset..at + offset + 2)?.try_into().ok()?;
        Some(u16::from_le_bytes(pair))
    };
    // Two words of 32 bits each, the high half first in meaning and second in place.
    let version = |offset: usize| {
        let parts = [number(offset + 2)?, number(offset)?, number(offset + 6)?, number(offset + 4)?];
        Some(parts.map(|n| n.to_string()).join("."))
    };
    Some(Versions { file: version(8)?, product: version(16)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_in_order() {
        let mut bytes = vec![0, 0, 0, 0];
        bytes.extend(SIGNATURE);
        bytes.extend([0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0x83, 0x2b, 2, 0, 1, 0, 4, 0, 3, 0]);
        let read = read(&bytes).unwrap();
        assert_eq!((read.file.as_str(), read.product.as_str()), ("6.0.11139.0", "1.2.3.4"));
        assert!(super::read(&bytes[..20]).is_none());
    }
}
