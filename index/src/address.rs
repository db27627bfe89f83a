//! Addresses as they may be shown.

/// An address without the name and the password that may stand in it: what is printed can end up in a log.
pub fn public(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest.get(..end).and_then(|authority| authority.rfind('@')) {
        Some(at) => format!("{scheme}://{}", rest.get(at + 1..).unwrap_or_default()),
        None => url.to_owned(),
    }
}

/// The server in an address: `pypi.org`, `127.0.0.1:8080`.
pub fn host(url: &str) -> String {
    let url = public(url);
    let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_not_shown() {
        for (url, shown, server) in [
            ("https://a:b@c.d:1/e@f?g#h", "https://c.d:1/e@f?g#h", "c.d:1"),
            ("https://token@c.d", "https://c.d", "c.d"),
            ("https://a@b:c@d/", "https://d/", "d"),
            ("https://c.d/e@f", "https://c.d/e@f", "c.d"),
            ("c.d/e", "c.d/e", "c.d"),
            ("", "", ""),
        ] {
            assert_eq!((public(url).as_str(), host(url).as_str()), (shown, server), "{url}");
        }
    }
}
