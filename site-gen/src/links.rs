//! Every link inside the site leads somewhere.

use crate::Site;
use kb_core::diag::Diagnostic;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// The links of a page to this site that lead nowhere, of all pages; and ids that a page has twice.
///
/// The pages were written by templates that quote every attribute with `"` and escape every value, so attributes are
/// found as text.
pub(crate) fn check(site: &Site, base: &str) -> Vec<Diagnostic> {
    let pages: Vec<(&String, &str)> = site
        .iter()
        .filter(|(path, _)| path.ends_with(".html"))
        .filter_map(|(path, bytes)| Some((path, std::str::from_utf8(bytes).ok()?)))
        .collect();
    let ids: HashMap<&str, HashSet<&str>> =
        pages.par_iter().map(|(path, html)| (path.as_str(), values(html, " id=\"").collect())).collect();
    let mut out: Vec<Diagnostic> = pages
        .par_iter()
        .flat_map_iter(|(path, html)| {
            let mut out = Vec::new();
            let all = values(html, " id=\"").count();
            let own = ids.get(path.as_str()).map_or(0, HashSet::len);
            if own < all {
                out.push(Diagnostic::error(
                    "id-twice",
                    format!("/{path}: {} ids stand there more than once", all - own),
                ));
            }
            for link in values(html, " href=\"").chain(values(html, " src=\"")) {
                if let Some(why) = broken(site, &ids, base, path, link) {
                    out.push(Diagnostic::error("broken-link", format!("/{path}: {link}: {why}")));
                }
            }
            out
        })
        .collect();
    out.sort_by(|a, b| a.message.cmp(&b.message));
    out.dedup();
    out
}

/// The values of an attribute, as they are written. A `<` or `>` that is no tag's is escaped everywhere.
fn values<'h>(html: &'h str, attribute: &'static str) -> impl Iterator<Item = &'h str> {
    let finder = memchr::memmem::Finder::new(attribute);
    let tags = html.split('<').skip(1).filter_map(|part| part.split('>').next());
    tags.filter_map(move |tag| {
        let rest = tag.get(finder.find(tag.as_bytes())? + attribute.len()..)?;
        rest.find('"').map(|end| &rest[..end])
    })
}

fn broken(
    site: &Site,
    ids: &HashMap<&str, HashSet<&str>>,
    base: &str,
    page: &str,
    link: &str,
) -> Option<&'static str> {
    if ["https://", "http://", "data:,"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (path, fragment) =
        link.split_once('#').map_or((link, None), |(path, fragment)| (path, Some(fragment)));
    let target = if path.is_empty() {
        page.to_owned()
    } else {
        let Some(inner) = path.strip_prefix(base) else { return Some("it is outside of the site") };
        if inner.is_empty() || inner.ends_with('/') { format!("{inner}index.html") } else { inner.to_owned() }
    };
    if !site.contains_key(&target) {
        return Some("there is no such page");
    }
    match (fragment, ids.get(target.as_str())) {
        (Some(fragment), Some(known)) if !known.contains(fragment) => Some("the page has no such fragment"),
        (Some(_), None) => Some("what is there has no fragments"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::Site;

    #[test]
    fn a_broken_link_is_told_with_page_and_target() {
        let mut site = Site::new();
        site.insert(
            "index.html".to_owned(),
            b"<a href=\"/kb/a/#x\">a</a><a href=\"/kb/b/\">b</a><a href=\"/c/\">c</a>".to_vec(),
        );
        site.insert(
            "a/index.html".to_owned(),
            b"<p id=\"x\"></p><p id=\"x\"></p><a href=\"#y\">y</a><a href=\"https://x/\">z</a>".to_vec(),
        );
        let found: Vec<String> = check(&site, "/kb/").into_iter().map(|d| d.message).collect();
        assert_eq!(
            found,
            [
                "/a/index.html: #y: the page has no such fragment",
                "/a/index.html: 1 ids stand there more than once",
                "/index.html: /c/: it is outside of the site",
                "/index.html: /kb/b/: there is no such page",
            ]
        );
    }
}
