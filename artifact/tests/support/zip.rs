//! Zips, honest and other.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// A member, with everything that the directory says of it free to be a lie.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: Vec<u8>,
    /// Bytes in the archive.
    pub packed: Vec<u8>,
    pub method: u16,
    pub crc: u32,
    pub size: u64,
    pub packed_size: u64,
    pub flags: u16,
    /// Unix mode, 0 for none.
    pub mode: u32,
    /// Where the directory says the local header is; `None` for where it is.
    pub offset: Option<u64>,
    /// Bytes of extra fields that the local header says to have, and has not.
    pub local_extra: u16,
    /// Write sizes and offset as zip64 extra fields.
    pub zip64: bool,
}

pub fn stored(name: &str, data: &[u8]) -> Item {
    let mut crc = flate2::Crc::new();
    crc.update(data);
    Item {
        name: name.into(),
        packed: data.to_vec(),
        method: 0,
        crc: crc.sum(),
        size: data.len() as u64,
        packed_size: data.len() as u64,
        flags: 0,
        mode: 0o100_644,
        offset: None,
        local_extra: 0,
        zip64: false,
    }
}

pub fn deflated(name: &str, data: &[u8]) -> Item {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    let packed = encoder.finish().unwrap();
    Item { packed_size: packed.len() as u64, packed, method: 8, ..stored(name, data) }
}

/// The archive.
pub fn zip(items: &[Item]) -> Vec<u8> {
    zip_with(items, items.len() as u16, b"")
}

/// The archive with a number of members in its end record, and a comment.
pub fn zip_with(items: &[Item], count: u16, comment: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for item in items {
        let at = out.len() as u64;
        let narrow = |n: u64| if item.zip64 { u32::MAX } else { n as u32 };
        let mut common = Vec::new();
        common.extend(if item.zip64 { 45u16 } else { 20 }.to_le_bytes());
        common.extend(item.flags.to_le_bytes());
        common.extend(item.method.to_le_bytes());
        common.extend([0, 0, 0x21, 0]);
        common.extend(item.crc.to_le_bytes());
        common.extend(narrow(item.packed_size).to_le_bytes());
        common.extend(narrow(item.size).to_le_bytes());
        common.extend((item.name.len() as u16).to_le_bytes());
        let mut extra = Vec::new();
        if item.zip64 {
            extra.extend([1, 0, 24, 0]);
            extra.extend(item.size.to_le_bytes());
            extra.extend(item.packed_size.to_le_bytes());
            extra.extend(item.offset.unwrap_or(at).to_le_bytes());
        }

        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(item.local_extra.to_le_bytes());
        out.extend(&item.name);
        out.extend(&item.packed);

        directory.extend(b"PK\x01\x02");
        directory.extend([20, 3]); // made on Unix
        directory.extend(&common);
        directory.extend((extra.len() as u16).to_le_bytes());
        directory.extend([0; 6]);
        directory.extend((item.mode << 16).to_le_bytes());
        directory.extend(narrow(item.offset.unwrap_or(at)).to_le_bytes());
        directory.extend(&item.name);
        directory.extend(extra);
    }
    let at = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend((comment.len() as u16).to_le_bytes());
    out.extend(comment);
    out
}
