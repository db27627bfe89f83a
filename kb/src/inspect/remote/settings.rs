//! Which index is asked.

use index::PYPI;

/// Variables that other installers read, in the order in which they are looked at.
const VARIABLES: [&str; 3] = ["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"];

/// An index, and who names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Index {
    /// Its address.
    pub(super) url: String,
    /// `--index-url`, or a variable.
    pub(super) from: &'static str,
}

/// The index that is named in the arguments, else in the environment, else PyPI. The error is what is no address.
pub(super) fn index(typed: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> Result<Index, Index> {
    let set = VARIABLES.iter().find_map(|name| {
        let value = variable(name).filter(|v| !v.trim().is_empty())?;
        Some(Index { url: value.trim().to_owned(), from: name })
    });
    let typed = typed.map(|url| Index { url: url.trim().to_owned(), from: "--index-url" });
    let Some(mut named) = typed.or(set) else {
        return Ok(Index { url: PYPI.to_owned(), from: "" });
    };
    // uv names its indexes: `internal=https://…`.
    if let Some((name, url)) = named.url.split_once('=')
        && !name.contains(['/', ':'])
    {
        named.url = url.trim().to_owned();
    }
    let lower = named.url.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    let is_address =
        rest.is_some_and(|r| !r.is_empty() && !r.starts_with('/')) && !lower.contains(char::is_whitespace);
    if is_address { Ok(named) } else { Err(named) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_wins_and_the_environment_comes_next() {
        let of = |typed: Option<&str>, set: &[(&str, &str)]| {
            let get = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
            index(typed, get).map(|i| (i.url, i.from)).map_err(|i| (i.url, i.from))
        };
        let ok = |url: &str, from| Ok((url.to_owned(), from));
        assert_eq!(of(None, &[]), ok(PYPI, ""));
        let set = [
            ("UV_INDEX_URL", "https://c/"),
            ("UV_DEFAULT_INDEX", "in-house=https://b/x=y"),
            ("PIP_INDEX_URL", " "),
        ];
        assert_eq!(of(None, &set), ok("https://b/x=y", "UV_DEFAULT_INDEX"));
        assert_eq!(of(Some("http://a/simple"), &set), ok("http://a/simple", "--index-url"));
        assert_eq!(
            of(None, &[("PIP_INDEX_URL", "https://a/?x=https://b")]),
            ok("https://a/?x=https://b", "PIP_INDEX_URL")
        );
        for wrong in ["a", "file:///x", "https://", "https:///x", "https://a b"] {
            assert_eq!(of(Some(wrong), &[]), Err((wrong.to_owned(), "--index-url")), "{wrong}");
        }
    }
}
