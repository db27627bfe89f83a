//! Where a page stands: parts of addresses from ids, which come from data and may be anything.

use kb_core::diag::Diagnostic;
use sha2::{Digest, Sha256};

/// The longest part of an address that is made from an id, in bytes.
const LONGEST: usize = 100;

/// An id as one part of an address and of a file's name: lower case, nothing but ASCII letters, digits and `._+-`, no
/// two dots in a row, none at its ends. `None` where nothing is left.
pub(crate) fn slug(id: &str) -> Option<String> {
    let mut out = String::with_capacity(id.len());
    for c in id.chars() {
        let c = c.to_ascii_lowercase();
        match c {
            'a'..='z' | '0'..='9' | '_' | '+' => out.push(c),
            '.' if !out.ends_with('.') => out.push('.'),
            _ if !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    let trimmed = out.trim_matches(['.', '-']);
    if trimmed.len() > LONGEST {
        return Some(format!("{}-{}", trimmed[..LONGEST - 13].trim_end_matches(['.', '-']), digest(id)));
    }
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// Twelve hexadecimal digits that tell texts apart.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(6).map(|b| format!("{b:02x}")).collect()
}

/// The path that the site is served under, with a `/` at both ends.
///
/// # Errors
/// If it is no path of plain names.
pub(crate) fn base(path: &str) -> Result<String, Diagnostic> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '~' | '-' | '/');
    let inner = path.trim_matches('/');
    if !path.chars().all(plain)
        || inner.split('/').any(|part| part.is_empty() || part == "." || part == "..") && !inner.is_empty()
    {
        return Err(Diagnostic::error(
            "base-path",
            format!("`{path}` is no path that a site can stand under"),
        )
        .help("write it as /kb/, with letters, digits and ._~- between slashes"));
    }
    Ok(if inner.is_empty() { "/".to_owned() } else { format!("/{inner}/") })
}

#[cfg(test)]
mod tests {
    use super::{base, slug};

    #[test]
    fn ids_become_harmless_parts() {
        for (id, expected) in [
            ("rtx-3090", Some("rtx-3090")),
            ("R570", Some("r570")),
            ("2.9.1+cu126", Some("2.9.1+cu126")),
            ("paddlepaddle/paddle:3.2.0-gpu", Some("paddlepaddle-paddle-3.2.0-gpu")),
            ("../../etc/passwd", Some("etc-passwd")),
            ("a/../b", Some("a-.-b")),
            ("..", None),
            ("", None),
            ("显卡", None),
            ("<script>", Some("script")),
            ("a\\b\0c", Some("a-b-c")),
        ] {
            assert_eq!(slug(id).as_deref(), expected, "{id:?}");
        }
        let long = slug(&"a".repeat(5000)).expect("something is left");
        assert!(long.len() <= 100 && long != slug(&"a".repeat(5001)).expect("something is left"));
    }

    #[test]
    fn bases_are_plain_paths() {
        for (path, expected) in [("", "/"), ("/", "/"), ("kb", "/kb/"), ("/a/b/", "/a/b/")] {
            assert_eq!(base(path).ok().as_deref(), Some(expected), "{path}");
        }
        for wrong in ["/../x/", "/a//b/", "/a b/", "\"><script>", "https://example.org/"] {
            assert!(base(wrong).is_err(), "{wrong}");
        }
    }
}
