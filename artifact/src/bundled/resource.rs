//! The version in a DLL's version resource.

use crate::library::{Library, cuda_release};
use crate::stated::Said;

/// The version of `library`, as its resource has it.
///
/// CUDA's libraries have it in the description: `NVIDIA CUDA Runtime, Version 12.4.127`. Their four numbers are
/// `6.14.11.12040` over all libraries, and 12040 is the release, which is the version of the runtime alone. Others have
/// it where it belongs, in ProductVersion.
pub(super) fn version(library: &str, tables: &Library) -> Option<Said> {
    let of_cuda = |text: &&str| text.starts_with("6.14.11.");
    let described = tables.description.as_deref().and_then(described);
    let product = || tables.product_version_text.as_deref().filter(|t| !of_cuda(t)).and_then(plain);
    let number = || match tables.file_version.as_deref().filter(of_cuda) {
        Some(text) if library.eq_ignore_ascii_case("cudart") => {
            let value = cuda_release(text.rsplit('.').next()?.parse().ok()?)?;
            Some(Said { value, written: text.to_owned() })
        }
        Some(_) => None,
        None => tables.product_version.as_deref().and_then(plain),
    };
    described.or_else(product).or_else(number)
}

/// `12.4.127` of `NVIDIA CUDA Runtime, Version 12.4.127`.
fn described(text: &str) -> Option<Said> {
    let (_, version) = text.rsplit_once("ersion ")?;
    plain(version).map(|version| Said { value: version.value, written: text.to_owned() })
}

/// Two numbers and more, not all zero.
fn plain(text: &str) -> Option<Said> {
    let text = text.trim();
    let parts: Vec<&str> = text.split('.').collect();
    let number = |p: &&str| !p.is_empty() && p.len() < 8 && p.bytes().all(|b| b.is_ascii_digit());
    let some = text.bytes().any(|b| matches!(b, b'1'..=b'9'));
    (parts.len() >= 2 && parts.iter().all(number) && some).then(|| Said::plain(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let said = described("NVIDIA CUDA Runtime, Version 12.4.127 ").unwrap();
        assert_eq!(said.value, "12.4.127");
        for text in
            ["NVIDIA CUDA Runtime", "Version", "Version x", "Version 6,14,11,12040", "Version 0.0.0.0"]
        {
            assert_eq!(described(text), None, "{text}");
        }
    }
}
