//! Containers of device code.

/// An entry: its kind (1 PTX, 2 SASS), the capability times ten, flags, payload size.
#[derive(Clone, Debug)]
pub struct Entry {
    pub kind: u16,
    pub number: u32,
    pub flags: u64,
    pub payload: usize,
}

pub const SASS: u16 = 2;
pub const PTX: u16 = 1;
/// On architecture-specific code.
pub const SPECIFIC: u64 = 1 << 20;

pub fn entry(kind: u16, number: u32) -> Entry {
    Entry { kind, number, flags: 0x11, payload: 100 }
}

/// On family-specific code.
pub const FAMILY: u64 = 1 << 21;

/// A container of these entries, with headers of 64 bytes.
pub fn container(entries: &[Entry]) -> Vec<u8> {
    let mut body = Vec::new();
    for e in entries {
        let mut header = [0u8; 64];
        header[0..2].copy_from_slice(&e.kind.to_le_bytes());
        header[2..4].copy_from_slice(&0x101u16.to_le_bytes());
        header[4..8].copy_from_slice(&64u32.to_le_bytes());
        header[8..16].copy_from_slice(&(e.payload as u64).to_le_bytes());
        header[28..32].copy_from_slice(&e.number.to_le_bytes());
        header[40..48].copy_from_slice(&e.flags.to_le_bytes());
        body.extend(header);
        body.extend(super::noise(e.payload, u64::from(e.number)));
    }
    let mut out = header(body.len() as u64);
    out.extend(body);
    out
}

/// The header of a container whose entries have this size.
pub fn header(size: u64) -> Vec<u8> {
    let mut out = vec![0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0];
    out.extend(size.to_le_bytes());
    out
}
