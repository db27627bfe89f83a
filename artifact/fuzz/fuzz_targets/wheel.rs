//! Archives and wheels: the first byte of the input says how the source gives its bytes.
#![no_main]

use artifact::wheel::Archive;
use artifact::{Blocks, Bytes, Limits, Options, Wheel, describe_wheel};
use libfuzzer_sys::fuzz_target;
use std::io::Read;

/// Gives at most seven bytes at a time.
struct Slow<'a>(&'a [u8]);

impl Bytes for Slow<'_> {
    fn size(&self) -> std::io::Result<u64> {
        self.0.size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(7);
        self.0.read_at(offset, &mut buffer[..most])
    }
}

fn options() -> Options {
    let limits =
        Limits { members: 1000, directory: 1 << 20, text: 1 << 20, member: 4 << 20, total: 16 << 20 };
    Options { limits, ..Options::default() }
}

fn shown(wheel: &Wheel) -> String {
    format!("{:?} {:?} {:?} {:?}", wheel.metadata, wheel.stated, wheel.libraries, wheel.bundled())
}

fuzz_target!(|data: &[u8]| {
    let Some((way, bytes)) = data.split_first() else { return };
    let name = "torch-2.5.1+cu124-cp312-cp312-win_amd64.whl";
    let options = options();
    let plain = describe_wheel(bytes, name, &options);
    // However the bytes come, the wheel is the same.
    let other = match way % 3 {
        0 => describe_wheel(&Blocks::new(bytes.to_vec()), name, &options),
        1 => describe_wheel(&Slow(bytes), name, &options),
        _ => describe_wheel(bytes, name, &Options { passes: 1, tables: false, ..options })
            .map(|_| plain_again(bytes)),
    };
    if let (Ok(a), Ok(b)) = (&plain, &other) {
        assert_eq!(shown(a), shown(b));
    }
    assert_eq!(plain.is_ok(), other.is_ok());
    // A member never gives more than it states.
    let Ok(archive) = Archive::open(bytes, options.limits) else { return };
    for entry in archive.entries() {
        let Ok(mut member) = archive.read(entry) else { continue };
        let mut out = Vec::new();
        let _ = member.read_to_end(&mut out);
        assert!(out.len() as u64 <= entry.size);
    }
});

fn plain_again(bytes: &[u8]) -> Wheel {
    describe_wheel(bytes, "torch-2.5.1+cu124-cp312-cp312-win_amd64.whl", &options()).expect("read before")
}
