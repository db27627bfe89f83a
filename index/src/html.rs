//! What an index lists of a project: the simple API in HTML, which some indexes alone speak. Source: PEP 503, PEP 592.

use crate::File;
use crate::address::authorized;
use crate::project::absolute;
use html5gum::{StartTag, Token, Tokenizer};

/// The files that a page links to, in its order; links to anything else are left out.
pub(crate) fn files(bytes: &[u8], url: &str) -> Vec<File> {
    let mut out = Vec::new();
    // The link that is open, and its text so far.
    let mut open: Option<(StartTag<()>, Vec<u8>)> = None;
    for Ok(token) in Tokenizer::new(bytes) {
        match token {
            Token::StartTag(tag) if *tag.name == b"a" => open = Some((tag, Vec::new())),
            Token::String(text) => {
                if let Some((_, name)) = &mut open {
                    name.extend_from_slice(&text);
                }
            }
            Token::EndTag(tag) if *tag.name == b"a" => {
                out.extend(open.take().and_then(|(tag, name)| file(&tag, &name, url)));
            }
            _ => {}
        }
    }
    out
}

fn file(tag: &StartTag<()>, text: &[u8], page: &str) -> Option<File> {
    let attribute = |name: &str| {
        tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value).trim().to_owned())
    };
    let link = attribute("href")?;
    let (address, fragment) = link.split_once('#').unwrap_or((&link, ""));
    let name = String::from_utf8_lossy(text).trim().to_owned();
    let is_file = [".whl", ".tar.gz", ".zip", ".tar.bz2", ".tgz"].iter().any(|end| name.ends_with(end));
    is_file.then(|| File {
        url: authorized(page, &absolute(page, address)),
        size: None,
        sha256: fragment.strip_prefix("sha256=").map(str::to_owned),
        uploaded: None,
        // The attribute alone says it; its value is the reason.
        yanked: attribute("data-yanked").is_some(),
        requires_python: attribute("data-requires-python"),
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_as_an_index_writes_it() {
        let page = br#"<!DOCTYPE html><html><body><h1>Links for torch</h1>
          <a href="/whl/cu126/torch-2.9.1%2Bcu126-cp312-cp312-win_amd64.whl#sha256=ab" data-requires-python="&gt;=3.10"
             data-dist-info-metadata="sha256=cd">torch-2.9.1+cu126-cp312-cp312-win_amd64.whl</a><br/>
          <A HREF='../torch-1.0.tar.gz' data-yanked="">torch-1.0.tar.gz
          </A><a href="https://x/">home</a><a>no address.whl</a><a href="q.whl">cut off.whl"#;
        let files = files(page, "https://a:b@i.example/whl/cu126/torch/");
        let [wheel, source] = &files[..] else { panic!("{files:?}") };
        assert_eq!(wheel.name, "torch-2.9.1+cu126-cp312-cp312-win_amd64.whl");
        assert_eq!(
            wheel.url,
            "https://a:b@i.example/whl/cu126/torch-2.9.1%2Bcu126-cp312-cp312-win_amd64.whl"
        );
        assert_eq!((wheel.sha256.as_deref(), wheel.requires_python.as_deref()), (Some("ab"), Some(">=3.10")));
        assert!(!wheel.yanked && source.yanked);
        assert_eq!(source.url, "https://a:b@i.example/whl/cu126/torch-1.0.tar.gz");
    }
}
