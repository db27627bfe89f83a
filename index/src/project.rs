//! What an index lists of a project: the simple API in JSON. Source: PEP 691, PEP 700.

use crate::address::authorized;
use crate::html;
use crate::{Fetch, FetchError, public};
use pep440_rs::Version;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::str::FromStr;

/// The media types that are read: JSON, and HTML where there is no JSON.
const JSON: &str = "application/vnd.pypi.simple.v1+json, text/html;q=0.1";

/// A project of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    /// Its normalised name.
    pub name: String,
    /// Its files, in the order of the index.
    pub files: Vec<File>,
}

/// A file, as the index lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub url: String,
    /// Its size in bytes, if the index says.
    pub size: Option<u64>,
    /// Its checksum, in hexadecimal digits, if the index says.
    pub sha256: Option<String>,
    /// When it was uploaded, `2025-11-12T15:22:17Z`; not every index says.
    pub uploaded: Option<String>,
    /// Withdrawn by its publisher.
    pub yanked: bool,
    /// What it asks of the interpreter.
    pub requires_python: Option<String>,
}

#[derive(Deserialize)]
struct Page {
    name: String,
    files: Vec<Listed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Listed {
    filename: String,
    url: String,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    hashes: BTreeMap<String, String>,
    #[serde(default)]
    upload_time: Option<String>,
    /// `true`, `false` or the reason.
    #[serde(default)]
    yanked: Option<serde_json::Value>,
    #[serde(default)]
    requires_python: Option<String>,
}

impl Project {
    /// Asks an index for a project. `index` is the address of its list of projects: [`PYPI`](crate::PYPI).
    ///
    /// # Errors
    /// [`FetchError`] if the index has no such project, gives no answer, or answers with a page that lists no file.
    pub fn fetch(fetch: &impl Fetch, index: &str, name: &str) -> Result<Project, FetchError> {
        let url = format!("{}/{}/", index.trim_end_matches('/'), normalised(name));
        let shown = public(&url);
        let bytes = match fetch.get(&url, JSON) {
            // Nothing in the format that was asked for.
            Err(FetchError::Status { status: 406, .. }) => return Err(FetchError::Html(shown)),
            other => other?,
        };
        if is_html(&bytes) {
            // A page without a file is one of somebody else: a proxy's, a login.
            let files = html::files(&bytes, &url);
            let name = normalised(name);
            return if files.is_empty() { Err(FetchError::Html(shown)) } else { Ok(Project { name, files }) };
        }
        let answer = |why| FetchError::Answer { url: shown.clone(), why };
        let project = Project::parse(&bytes, &url).map_err(&answer)?;
        if project.name != normalised(name) {
            return Err(answer(format!("the page of another project, `{}`", project.name)));
        }
        Ok(project)
    }

    /// Reads an index page; `url` is where it came from, for addresses that are relative to it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(bytes: &[u8], url: &str) -> Result<Project, String> {
        if is_html(bytes) {
            return Err("a page in HTML; an index is read in JSON (PEP 691)".to_owned());
        }
        let page: Page = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        let files = page.files.into_iter().map(|f| File {
            url: authorized(url, &absolute(url, &f.url)),
            size: f.size,
            sha256: f.hashes.get("sha256").cloned(),
            uploaded: f.upload_time,
            yanked: !matches!(
                f.yanked,
                None | Some(serde_json::Value::Bool(false) | serde_json::Value::Null)
            ),
            requires_python: f.requires_python,
            name: f.filename,
        });
        Ok(Project { files: files.collect(), name: normalised(&page.name) })
    }
}

impl File {
    /// The version that its name states, without looking into it; `None` for names that state none.
    pub fn version(&self) -> Option<Version> {
        if let Some(wheel) = artifact::wheel::FileName::parse(&self.name) {
            return Some(wheel.version);
        }
        let stem = [".tar.gz", ".zip", ".tar.bz2", ".tgz"].iter().find_map(|e| self.name.strip_suffix(e))?;
        // `tensorrt-10.0.1`, `opencv-python-4.5.1.48`: the version is behind the last dash that a number follows.
        Version::from_str(stem.rsplit_once('-')?.1).ok()
    }

    /// The day of its upload, `YYYY-MM-DD`.
    pub fn day(&self) -> Option<&str> {
        self.uploaded.as_deref().and_then(|u| u.get(..10))
    }
}

fn is_html(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"<")
}

/// A name as indexes compare it: lower case, runs of `-`, `_` and `.` as one dash. Source: PEP 503.
pub fn normalised(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.trim().chars() {
        match c {
            '-' | '_' | '.' if out.ends_with('-') => {}
            '-' | '_' | '.' => out.push('-'),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

/// An address that may be relative to the page's.
pub(crate) fn absolute(page: &str, link: &str) -> String {
    if link.contains("://") {
        return link.to_owned();
    }
    let host = page.find("://").map_or(0, |at| at + 3);
    let end = page.get(host..).and_then(|rest| rest.find('/')).map_or(page.len(), |at| host + at);
    if let Some(rest) = link.strip_prefix("//") {
        return format!("{}//{rest}", page.get(..host.saturating_sub(2)).unwrap_or("https:"));
    }
    if link.starts_with('/') {
        return format!("{}{link}", page.get(..end).unwrap_or_default());
    }
    let mut base: Vec<&str> = page.trim_end_matches('/').split('/').collect();
    if !page.ends_with('/') {
        base.pop();
    }
    for part in link.split('/') {
        match part {
            ".." => drop(base.pop()),
            "." => {}
            part => base.push(part),
        }
    }
    base.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_as_the_index_writes_it() {
        let page = br#"{"files":[
          {"filename":"torch-2.9.1-cp312-cp312-win_amd64.whl","hashes":{"sha256":"ab"},"requires-python":">=3.10","size":12,
           "upload-time":"2025-11-12T15:21:18.689167Z","url":"../../files/t.whl","yanked":false},
          {"filename":"torch-0.1.2.tar.gz","hashes":{},"url":"https://x/y.tar.gz","yanked":"broken"}],
          "meta":{"api-version":"1.3"},"name":"Torch"}"#;
        let project = Project::parse(page, "https://i.example/simple/torch/").unwrap();
        assert_eq!(project.name, "torch");
        let [wheel, source] = &project.files[..] else { panic!() };
        assert_eq!(wheel.url, "https://i.example/files/t.whl");
        assert_eq!(wheel.day(), Some("2025-11-12"));
        assert_eq!(wheel.version().unwrap().to_string(), "2.9.1");
        assert!(!wheel.yanked && source.yanked);
        assert_eq!(source.version().unwrap().to_string(), "0.1.2");
        assert_eq!(source.size, None);
    }

    #[test]
    fn html_and_nonsense_are_named() {
        assert!(Project::parse(b"<!DOCTYPE html>", "u").unwrap_err().contains("HTML"));
        assert!(Project::parse(b"{}", "u").is_err());
    }

    struct One(Result<Vec<u8>, FetchError>);

    impl Fetch for One {
        fn get(&self, _: &str, accept: &str) -> Result<Vec<u8>, FetchError> {
            assert_eq!(accept, JSON);
            self.0.clone()
        }
        fn range(&self, url: &str, _: std::ops::Range<u64>) -> Result<Vec<u8>, FetchError> {
            Err(FetchError::NoRanges(url.to_owned()))
        }
    }

    #[test]
    fn an_index_that_speaks_no_json() {
        let of = |answer| Project::fetch(&One(answer), "https://a:b@i.example/simple", "X_y").unwrap_err();
        let html = FetchError::Html("https://i.example/simple/x-y/".to_owned());
        assert_eq!(of(Ok(b" <html>".to_vec())), html);
        let status = |status| Err(FetchError::Status { url: String::new(), status });
        assert_eq!(of(status(406)), html);
        assert!(matches!(of(status(500)), FetchError::Status { .. }));
        assert!(matches!(of(Ok(b"[]".to_vec())), FetchError::Answer { url, .. } if !url.contains("a:b")));
    }

    #[test]
    fn the_page_of_another_project_is_refused() {
        let page = |name: &str| format!(r#"{{"name":"{name}","files":[]}}"#).into_bytes();
        let of = |bytes| Project::fetch(&One(Ok(bytes)), "https://i.example/simple", "X_y");
        assert_eq!(of(page("X.Y")).unwrap().name, "x-y");
        assert!(matches!(of(page("other")), Err(FetchError::Answer { why, .. }) if why.contains("other")));
    }

    #[test]
    fn addresses() {
        for (link, whole) in [
            ("https://a/b", "https://a/b"),
            ("/p/q.whl", "https://i.example/p/q.whl"),
            ("q.whl", "https://i.example/simple/torch/q.whl"),
            ("//c/d", "https://c/d"),
        ] {
            assert_eq!(absolute("https://i.example/simple/torch/", link), whole);
        }
        assert_eq!(normalised(" Paddle_Paddle..GPU"), "paddle-paddle-gpu");
    }
}
