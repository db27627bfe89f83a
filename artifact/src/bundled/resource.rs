//! The version in a DLL's version resource.

use crate::library::cuda_release;
use crate::stated::Said;

/// What the resource of a DLL says of its version.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resource<'t> {
    /// FileDescription: `NVIDIA CUDA Runtime, Version 12.4.127`.
    pub description: Option<&'t str>,
    /// ProductVersion as text.
    pub product_text: Option<&'t str>,
    /// ProductVersion: four numbers.
    pub product: Option<&'t str>,
    /// FileVersion: four numbers.
    pub file: Option<&'t str>,
}

/// The version of `library` (`cudart`, `cudnn`), as its resource has it.
///
/// CUDA's libraries have it in the description: `NVIDIA CUDA Runtime, Version 12.4.127`. Their four numbers are
/// `6.14.11.12040` over all libraries, and 12040 is the release, which is the version of the runtime alone. Others have
/// it where it belongs, in ProductVersion.
pub fn resource_version(library: &str, resource: &Resource<'_>) -> Option<Said> {
    let of_cuda = |text: &&str| text.starts_with("6.14.11.");
    let described = resource.description.and_then(described);
    let product = || resource.product_text.filter(|t| !of_cuda(t)).and_then(plain);
    let number = || match resource.file.filter(of_cuda) {
        Some(text) if library.eq_ignore_ascii_case("cudart") => {
            let value = cuda_release(text.rsplit('.').next()?.parse().ok()?)?;
            Some(Said { value, written: text.to_owned() })
        }
        Some(_) => None,
        None => resource.product.and_then(plain),
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
