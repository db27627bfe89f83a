//! Reads what is installed in a directory: one listing for all packages, and a few small files of each that has to do
//! with GPUs.

use super::report::{DistReport, SiteReport, Unread};
use crate::machine::{Family, Kind, Machine, Refusal};
use crate::place;
use artifact::installed::{is_info, is_inside, is_of_family, is_required, name_and_version};
use artifact::library::is_library;
use artifact::stated;
use artifact::wheel::{Metadata, Record, RecordRow, WheelFile};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a file whose contents are compared; of larger ones the size alone.
const SMALL: u64 = 64 << 10;

/// Bytes of a distribution's libraries that are compared at most.
const COMPARED: u64 = 128 << 10;

/// Directories of frameworks that are found without a distribution when an uninstallation did not end.
const TOPS: [&str; 10] = [
    "bitsandbytes",
    "cupy",
    "jaxlib",
    "onnxruntime",
    "paddle",
    "tensorflow",
    "torch",
    "torchvision",
    "triton",
    "xformers",
];

/// Reads a directory of packages.
///
/// # Errors
/// If it is none, or may not be listed.
pub(crate) fn read_site(machine: &dyn Machine, site: &str) -> Result<SiteReport, Refusal> {
    let wanted = |n: &str| is_info(n) || n.starts_with('~') || TOPS.contains(&n);
    let (infos, others): (Vec<String>, Vec<String>) =
        machine.list(site, &wanted)?.into_iter().partition(|n| is_info(n));
    let mut out = SiteReport::default();
    let mut reader = Reader { machine, site, listed: BTreeSet::new(), homes: BTreeMap::new(), all: false };
    for info in infos {
        let (name, version) = name_and_version(&info);
        if is_of_family(name) {
            match reader.distribution(&info) {
                Some(report) => out.packages.push(report),
                None => {
                    out.remains.push(info);
                    continue;
                }
            }
        } else if version.is_none() {
            out.packages.extend(reader.named(&info));
        }
        out.installed.push(info);
    }
    let (left, tops): (Vec<String>, Vec<String>) = others.into_iter().partition(|n| n.starts_with('~'));
    out.remains.extend(left);
    out.remains.extend(reader.orphans(tops, &out.installed));
    reader.unlisted(&mut out);
    Ok(out)
}

struct Reader<'m> {
    machine: &'m dyn Machine,
    site: &'m str,
    /// Files of the distributions that were looked into: libraries, and one below each of [`TOPS`].
    listed: BTreeSet<String>,
    /// Directories in which a distribution has libraries: which distribution.
    homes: BTreeMap<String, String>,
    /// There is a distribution of which it is not known which files it has.
    all: bool,
}

impl Reader<'_> {
    fn path(&self, below: &str) -> String {
        place::join(self.machine.family(), self.site, below)
    }

    /// A distribution of which only the name and the version are wanted.
    fn named(&self, info: &str) -> Option<DistReport> {
        let bytes = ["METADATA", "PKG-INFO"].iter().find_map(|f| self.read_below(info, f).ok())?;
        let metadata = Metadata::parse(&bytes);
        Some(DistReport {
            info: info.to_owned(),
            name: metadata.name,
            version: metadata.version,
            ..DistReport::default()
        })
    }

    /// Old `.egg-info` are files, not directories.
    fn read_below(&self, info: &str, file: &str) -> Result<Vec<u8>, Refusal> {
        match self.machine.read(&self.path(&format!("{info}/{file}"))) {
            Err(why) if file == "PKG-INFO" => self.machine.read(&self.path(info)).map_err(|_| why),
            other => other,
        }
    }

    /// A distribution that has to do with GPUs. `None` if it is none: without METADATA installers leave it out.
    fn distribution(&mut self, info: &str) -> Option<DistReport> {
        let egg = info.ends_with(".egg-info");
        let mut out = DistReport { info: info.to_owned(), ..DistReport::default() };
        match self.read_below(info, if egg { "PKG-INFO" } else { "METADATA" }) {
            Ok(bytes) => {
                let metadata = Metadata::parse(&bytes);
                (out.name, out.version) = (metadata.name, metadata.version);
                out.requires = metadata.requires_dist.into_iter().filter(|r| is_required(r)).collect();
            }
            Err(why) if why.is_absence() && !egg => return None,
            Err(why) => out.unread(info, if egg { "PKG-INFO" } else { "METADATA" }, why),
        }
        let record = match self.read_below(info, "RECORD") {
            Ok(bytes) if !egg => Some(bytes),
            Err(why) if !egg && !why.is_absence() => {
                out.unread(info, "RECORD", why);
                None
            }
            _ => None,
        };
        let Some(record) = record else {
            self.all = true;
            return Some(out);
        };
        if let Ok(bytes) = self.read_below(info, "WHEEL") {
            out.tags = WheelFile::parse(&bytes).tags.iter().map(ToString::to_string).collect();
        }
        if let Ok(bytes) = self.read_below(info, "INSTALLER") {
            out.installer = Some(String::from_utf8_lossy(&bytes).trim().to_owned()).filter(|t| !t.is_empty());
        }
        self.files(&mut out, &record);
        Some(out)
    }

    /// Compares what RECORD lists with what is there.
    fn files(&mut self, out: &mut DistReport, record: &[u8]) {
        let mut count = 0;
        let mut direct = false;
        let mut tops: BTreeSet<&str> = BTreeSet::new();
        // Rows of one directory follow each other: which it is need be found out once.
        let mut last = String::new();
        let rows = Record::parse_some(record, |line| {
            count += 1;
            let end = memchr::memchr(b',', line.as_bytes()).unwrap_or(line.len());
            let path = line[..end].trim_matches('"');
            direct |= path.ends_with("direct_url.json");
            if let Some(at) = memchr::memchr(b'/', path.as_bytes())
                && path[..at] != last
            {
                path[..at].clone_into(&mut last);
                tops.extend(TOPS.iter().find(|t| **t == last));
            }
            is_relevant(path)
        })
        .rows;
        out.files = Some(count);
        self.listed.extend(tops.into_iter().map(|t| format!("{t}/")));
        if direct {
            self.direct(out);
        }
        let rows: Vec<RecordRow> = rows.into_iter().filter(|r| is_inside(&r.path)).collect();
        // conda changes files after their RECORD was written.
        if out.installer.as_deref() == Some("conda") {
            self.listed.extend(rows.into_iter().map(|r| r.path));
            return;
        }
        let mut left = COMPARED;
        for row in rows {
            match self.fault(&row, &mut left) {
                Ok(None) => {}
                Ok(Some(Fault::Missing)) => out.missing.push(row.path.clone()),
                Ok(Some(Fault::Changed)) => out.changed.push(row.path.clone()),
                Err(why) => out.unread.push(Unread { file: row.path.clone(), says: why }),
            }
            if is_library(&row.path) {
                if let Some((home, _)) = row.path.rsplit_once('/') {
                    self.homes.entry(home.to_owned()).or_insert_with(|| out.info.clone());
                }
                self.listed.insert(row.path);
            }
        }
    }

    /// What is wrong with a file, if anything is.
    fn fault(&self, row: &RecordRow, left: &mut u64) -> Result<Option<Fault>, Refusal> {
        let path = self.path(&row.path);
        let about = match self.machine.about(&path) {
            Ok(about) if about.kind == Kind::File => about,
            Ok(_) => return Ok(Some(Fault::Missing)),
            Err(why) if why.is_absence() => return Ok(Some(Fault::Missing)),
            Err(why) => return Err(why),
        };
        // RECORD has no size of what Python compiled, nor of itself.
        let Some(size) = row.size else { return Ok(None) };
        if about.bytes != size {
            return Ok(Some(Fault::Changed));
        }
        let hash = row.hash.as_deref().and_then(|h| h.strip_prefix("sha256="));
        let Some(hash) = hash.filter(|_| size <= SMALL) else { return Ok(None) };
        if is_library(&row.path) {
            let Some(rest) = left.checked_sub(size) else { return Ok(None) };
            *left = rest;
        }
        let found = BASE64URL_NOPAD.encode(&Sha256::digest(self.machine.read(&path)?));
        Ok((found != hash).then_some(Fault::Changed))
    }

    /// `direct_url.json`: from where it was installed, if not from an index.
    fn direct(&self, out: &mut DistReport) {
        let Ok(bytes) = self.read_below(&out.info, "direct_url.json") else { return };
        let Ok(read) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return };
        out.url = read.get("url").and_then(|u| u.as_str()).map(without_user);
        out.editable = read.pointer("/dir_info/editable").and_then(serde_json::Value::as_bool) == Some(true);
    }

    /// Directories of frameworks that no distribution has.
    fn orphans(&self, tops: Vec<String>, installed: &[String]) -> Vec<String> {
        // A source tree that was put on the path has such directories and no distribution.
        let site = place::name(self.machine.family(), self.site);
        if self.all || !["site-packages", "dist-packages"].contains(&site) {
            return Vec::new();
        }
        let unclaimed: Vec<String> =
            tops.into_iter().filter(|t| !self.listed.contains(&format!("{t}/"))).collect();
        let unclaimed = self.in_no_record(unclaimed, "/", installed);
        let is_directory = |t: &String| crate::machine::is_directory(self.machine, &self.path(t));
        unclaimed.into_iter().filter(is_directory).collect()
    }

    /// Libraries beside those of the distributions that no RECORD lists.
    fn unlisted(&self, out: &mut SiteReport) {
        let mut found: Vec<(String, &str)> = Vec::new();
        for (home, info) in &self.homes {
            let Ok(names) = self.machine.list(&self.path(home), &is_library) else { continue };
            let paths = names.into_iter().map(|n| format!("{home}/{n}"));
            found.extend(paths.filter(|p| !self.is_listed(p)).map(|p| (p, &**info)));
        }
        if found.is_empty() {
            return;
        }
        let paths = found.iter().map(|(p, _)| p.clone()).collect();
        let free: BTreeSet<String> = self.in_no_record(paths, ",", &out.installed).into_iter().collect();
        for (path, info) in found.into_iter().filter(|(p, _)| free.contains(p)) {
            if let Some(report) = out.packages.iter_mut().find(|r| r.info == info) {
                report.unlisted.push(path);
            }
        }
    }

    fn is_listed(&self, path: &str) -> bool {
        self.listed.contains(path)
            || (self.machine.family() == Family::Windows
                && self.listed.iter().any(|l| l.eq_ignore_ascii_case(path)))
    }

    /// Those of `paths` that no RECORD has, `end` behind them, of the distributions that were not looked into.
    fn in_no_record(&self, mut paths: Vec<String>, end: &str, installed: &[String]) -> Vec<String> {
        for info in installed.iter().filter(|i| !is_of_family(name_and_version(i).0)) {
            if paths.is_empty() {
                break;
            }
            let Ok(record) = self.read_below(info, "RECORD") else { continue };
            paths.retain(|path| {
                let needle = format!("{path}{end}");
                !memchr::memmem::find_iter(&record, &needle)
                    .any(|at| at == 0 || matches!(record.get(at - 1), Some(b'\n' | b'"')))
            });
        }
        paths
    }
}

enum Fault {
    Missing,
    Changed,
}

impl DistReport {
    fn unread(&mut self, info: &str, file: &str, says: Refusal) {
        self.unread.push(Unread { file: format!("{info}/{file}"), says });
    }
}

/// Files that are compared: libraries, those that state versions, and the one without which nothing can be imported.
fn is_relevant(path: &str) -> bool {
    let top = || path.strip_suffix("/__init__.py").is_some_and(|top| !top.contains('/'));
    is_library(path) || stated::is_known(path) || top()
}

/// `https://user:password@host/…` without what is before the host.
fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}
