//! Names of wheels, of their tags and of libraries.
#![no_main]

use artifact::wheel::{FileName, Tag};
use artifact::{bundled, code, library, stated};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Some(name) = FileName::parse(&text) {
        assert!(!name.tags.is_empty() && !name.package.is_empty());
        for tag in &name.tags {
            let again = Tag::parse(&tag.to_string()).expect("a tag is a tag");
            assert_eq!(&again, tag);
        }
        let _ = (name.glibc(), name.local());
    }
    if let Some(name) = bundled::name(&text) {
        assert!(library::is_library(&text));
        assert!(!name.whole || name.version.is_some());
    }
    let _ = (Tag::parse(&text), stated::variant(&text), code::is_bundled(&text), stated::is_known(&text));
});
