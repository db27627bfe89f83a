//! What holds for every library.

use artifact::library::{Passes, read};
use artifact::{Error, bundled, describe_library};

/// Reads a library whose first bytes are overwritten with `magic`.
pub fn check(data: &[u8], magic: &[u8]) {
    let mut bytes = data.to_vec();
    let n = magic.len().min(bytes.len());
    bytes[..n].copy_from_slice(&magic[..n]);
    let bytes = bytes.as_slice();
    let (code, tables) = describe_library(bytes);
    assert!(code.get().is_some(), "memory does not fail");
    for name in ["libcudart-0a1b2c3d.so.12", "cudnn64_8.dll"] {
        bundled::versions(name, tables.get(), None);
    }
    let mut passes = Passes::new(bytes.len() as u64, 4);
    passes.first(&mut &bytes[..]).expect("memory does not fail");
    match (read(bytes), passes.library(|| Ok(bytes))) {
        (Ok(a), Ok(b)) => assert_eq!(a, b),
        (Err(_), Err(_)) | (Ok(_), Err(Error::Limit { .. })) => {}
        (a, b) => panic!("{a:?} {b:?}"),
    }
}
