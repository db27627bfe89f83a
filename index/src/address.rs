//! Addresses as they may be shown.

/// An address without the name and the password that may stand in it: what is printed can end up in a log.
///
/// Also where it is mistyped: `https//name:password@host/`, `name:password@host`. What follows a `?` may be a token.
pub fn public(url: &str) -> String {
    let (front, rest) = parts(url);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let rest = match rest.get(..end).and_then(|authority| authority.rfind('@')) {
        Some(at) => rest.get(at + 1..).unwrap_or_default(),
        None => rest,
    };
    match rest.split_once('?') {
        Some((path, _)) => format!("{front}{path}?…"),
        None => format!("{front}{rest}"),
    }
}

/// An address up to where the server begins, and the rest.
fn parts(url: &str) -> (&str, &str) {
    let at = url.find("//").map_or(0, |at| at + 2);
    url.split_at_checked(at).unwrap_or(("", url))
}

/// The address of a file on the same server as its index, with the name and the password that the index was asked with.
/// Another server never gets them.
pub(crate) fn authorized(index: &str, url: &str) -> String {
    let secret = |url: &str| {
        let (_, rest) = parts(url);
        let authority = rest.split(['/', '?', '#']).next()?.to_owned();
        authority.rsplit_once('@').map(|(secret, _)| secret.to_owned())
    };
    let scheme = |url: &str| parts(url).0.to_ascii_lowercase();
    match secret(index) {
        Some(secret) if secret_free(url) && host(url) == host(index) && scheme(url) == scheme(index) => {
            let (front, rest) = parts(url);
            format!("{front}{secret}@{rest}")
        }
        _ => url.to_owned(),
    }
}

fn secret_free(url: &str) -> bool {
    !parts(url).1.split(['/', '?', '#']).next().unwrap_or_default().contains('@')
}

/// The server in an address: `pypi.org`, `127.0.0.1:8080`.
pub fn host(url: &str) -> String {
    let url = public(url);
    parts(&url).1.split(['/', '?', '#']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_is_not_shown() {
        for (url, shown, server) in [
            ("https://a:b@c.d:1/e@f?token=g", "https://c.d:1/e@f?…", "c.d:1"),
            ("https//a:b@c.d/e", "https//c.d/e", "c.d"),
            ("a:b@c.d", "c.d", "c.d"),
            ("torch @ http://a:b@h/x.whl", "torch @ http://h/x.whl", "h"),
            ("https://token@c.d", "https://c.d", "c.d"),
            ("https://a@b:c@d/", "https://d/", "d"),
            ("https://c.d/e@f", "https://c.d/e@f", "c.d"),
            ("c.d/e", "c.d/e", "c.d"),
            ("", "", ""),
        ] {
            assert_eq!((public(url).as_str(), host(url).as_str()), (shown, server), "{url}");
        }
    }

    #[test]
    fn only_the_same_server_gets_the_password() {
        let index = "https://a:b@c.d/simple/";
        for (url, asked) in [
            ("https://c.d/x.whl", "https://a:b@c.d/x.whl"),
            ("https://e.f/x.whl", "https://e.f/x.whl"),
            ("http://c.d/x.whl", "http://c.d/x.whl"),
            ("https://g@c.d/x.whl", "https://g@c.d/x.whl"),
        ] {
            assert_eq!(authorized(index, url), asked);
        }
        assert_eq!(authorized("https://c.d/simple/", "https://c.d/x.whl"), "https://c.d/x.whl");
    }
}
