//! The version resource of a DLL.

/// What it says: four numbers each, and the texts beside them.
pub(super) struct Versions {
    pub(super) file: String,
    pub(super) product: String,
    pub(super) file_text: Option<String>,
    pub(super) product_text: Option<String>,
    pub(super) description: Option<String>,
}

/// At the beginning of the fixed part.
const SIGNATURE: [u8; 4] = 0xFEEF_04BDu32.to_le_bytes();
/// Characters of a text at most.
const LONGEST: usize = 256;

/// Reads `VS_VERSIONINFO`. The numbers are for installers; publishers often write the version that people know into the
/// texts only.
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
    Some(Versions {
        file: version(8)?,
        product: version(16)?,
        file_text: text(bytes, "FileVersion"),
        product_text: text(bytes, "ProductVersion"),
        description: text(bytes, "FileDescription"),
    })
}

/// The text behind a key. Both are UTF-16 and end with a zero; the text begins at a multiple of four bytes.
fn text(bytes: &[u8], key: &str) -> Option<String> {
    let key: Vec<u8> = key.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
    let end = memchr::memmem::find(bytes, &key)? + key.len();
    let value = bytes.get(end.next_multiple_of(4)..)?;
    let units = value.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let units: Vec<u16> = units.take_while(|u| *u != 0).take(LONGEST).collect();
    let text = String::from_utf16_lossy(&units).trim().to_owned();
    (!text.is_empty()).then_some(text)
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

    #[test]
    fn the_texts_begin_at_a_multiple_of_four() {
        for (key, padding) in [("FileVersion", 0), ("ProductVersion", 2)] {
            let mut bytes = vec![0; 4];
            bytes.extend(key.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
            bytes.extend(vec![0; padding]);
            bytes.extend("8.6.0\0x".encode_utf16().flat_map(u16::to_le_bytes));
            assert_eq!(text(&bytes, key).as_deref(), Some("8.6.0"), "{key}");
            assert_eq!(text(&bytes[..bytes.len() - 15], key).as_deref(), None, "{key}");
        }
    }
}
