//! What search engines are told.

use crate::Site;

/// Adds `robots.txt`, and where the host is known `sitemap.xml`, whose addresses are whole.
pub(crate) fn add(site: &mut Site, base: &str, origin: &str) {
    let mut robots = "User-agent: *\nAllow: /\n".to_owned();
    if !origin.is_empty() {
        robots.push_str(&format!("Sitemap: {origin}{base}sitemap.xml\n"));
        let mut map = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n".to_owned();
        for path in site.keys().filter_map(|p| p.strip_suffix("index.html")) {
            // Paths are made of characters that need no escape.
            map.push_str(&format!("<url><loc>{origin}{base}{path}</loc></url>\n"));
        }
        map.push_str("</urlset>\n");
        site.insert("sitemap.xml".to_owned(), map.into_bytes());
    }
    site.insert("robots.txt".to_owned(), robots.into_bytes());
}
