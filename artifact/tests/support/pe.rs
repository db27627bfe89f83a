//! A DLL with imports, delay-load imports, a version resource and a section for device code.

const SECTIONS: u32 = 0x1000;

/// The file: headers in the first 0x400 bytes, then `.rdata` (0x600), `.rsrc` (0x200) and `.nv_fatb`.
pub fn dll(imports: &[&str], delayed: &[&str], version: [u16; 4], device_code: &[u8]) -> Vec<u8> {
    let rdata_at = SECTIONS;
    let rsrc_at = SECTIONS + 0x1000;
    let code_at = SECTIONS + 0x2000;
    let (rdata, delay_at) = rdata(rdata_at, imports, delayed);
    assert!(rdata.len() <= 0x600);
    let rsrc = rsrc(rsrc_at, version);
    let mut out = vec![0; 0x400];
    out[0..2].copy_from_slice(b"MZ");
    put32(&mut out, 0x3c, 0x80);
    out[0x80..0x84].copy_from_slice(b"PE\0\0");
    put16(&mut out, 0x84, 0x8664);
    put16(&mut out, 0x86, 3);
    put16(&mut out, 0x94, 0xf0); // size of the optional header
    put16(&mut out, 0x96, 0x2022); // a DLL
    let optional = 0x98;
    put16(&mut out, optional, 0x20b);
    put32(&mut out, optional + 24, 0x8000_0000);
    put32(&mut out, optional + 28, 1); // image base 0x180000000
    put32(&mut out, optional + 32, 0x1000);
    put32(&mut out, optional + 36, 0x200);
    put32(&mut out, optional + 108, 16);
    let directories = optional + 112;
    put32(&mut out, directories + 8, rdata_at);
    put32(&mut out, directories + 12, 20 * (imports.len() as u32 + 1));
    put32(&mut out, directories + 16, rsrc_at);
    put32(&mut out, directories + 20, rsrc.len() as u32);
    put32(&mut out, directories + 8 * 13, delay_at);
    put32(&mut out, directories + 8 * 13 + 4, 32 * (delayed.len() as u32 + 1));
    let code_size = (device_code.len() as u32).next_multiple_of(0x200);
    let sections = [
        (".rdata", rdata_at, 0x600, 0x400),
        (".rsrc", rsrc_at, 0x200, 0xa00),
        (".nv_fatb", code_at, code_size, 0xc00),
    ];
    for (i, (name, address, size, offset)) in sections.into_iter().enumerate() {
        let at = optional + 0xf0 + 40 * i;
        out[at..at + name.len()].copy_from_slice(name.as_bytes());
        put32(&mut out, at + 8, size);
        put32(&mut out, at + 12, address);
        put32(&mut out, at + 16, size);
        put32(&mut out, at + 20, offset);
    }
    out.extend(&rdata);
    out.resize(0xa00, 0);
    out.extend(&rsrc);
    out.resize(0xc00, 0);
    out.extend(device_code);
    out.resize(0xc00 + code_size as usize, 0);
    out
}

/// Import descriptors, delay-load descriptors, names.
fn rdata(base: u32, imports: &[&str], delayed: &[&str]) -> (Vec<u8>, u32) {
    let delay_at = 20 * (imports.len() + 1);
    let mut name_at = delay_at + 32 * (delayed.len() + 1);
    let mut out = vec![0; name_at];
    let mut name = |out: &mut Vec<u8>, name: &str| {
        out.extend(name.as_bytes());
        out.push(0);
        let at = name_at;
        name_at = out.len();
        base + at as u32
    };
    for (i, import) in imports.iter().enumerate() {
        let address = name(&mut out, import);
        put32(&mut out, 20 * i + 12, address);
        put32(&mut out, 20 * i + 16, address);
    }
    for (i, import) in delayed.iter().enumerate() {
        let address = name(&mut out, import);
        put32(&mut out, delay_at + 32 * i, 1);
        put32(&mut out, delay_at + 32 * i + 4, address);
    }
    (out, base + delay_at as u32)
}

/// Three tables with one entry each, and the fixed part of a version resource.
fn rsrc(base: u32, version: [u16; 4]) -> Vec<u8> {
    let mut out = vec![0; 0x200];
    for (table, id, next) in [(0, 16, 0x18 | 1 << 31), (0x18, 1, 0x30 | 1 << 31), (0x30, 0x409, 0x48)] {
        put16(&mut out, table + 14, 1);
        put32(&mut out, table + 16, id);
        put32(&mut out, table + 20, next);
    }
    put32(&mut out, 0x48, base + 0x60);
    put32(&mut out, 0x4c, 0x80);
    put32(&mut out, 0x60 + 40, 0xFEEF_04BD);
    for field in [8, 16] {
        for (place, n) in [(2, 0), (0, 1), (6, 2), (4, 3)] {
            put16(&mut out, 0x60 + 40 + field + place, version[n]);
        }
    }
    out
}

fn put16(out: &mut [u8], at: usize, n: u16) {
    out[at..at + 2].copy_from_slice(&n.to_le_bytes());
}

fn put32(out: &mut [u8], at: usize, n: u32) {
    out[at..at + 4].copy_from_slice(&n.to_le_bytes());
}
