//! Wheels that are elsewhere: found by an index or an address, read by ranges, kept nowhere.

mod choose;
mod interpreter;
mod platform;
mod problem;
mod settings;
mod source;

use super::{Inspected, Progress, wheel};
use artifact::{Blocks, Error, Options};
use choose::{Choice, Wish, choose};
use index::{FetchError, File, Live, Project, RemoteFile, public};
use interpreter::Interpreter;
use pep440_rs::Version;
use platform::Platform;
use settings::Index;
use source::Watched;
use std::cell::OnceCell;

pub(crate) use problem::diagnostic;

/// Passes over a compressed library: every one would fetch it again, and most need no second one.
const PASSES: u32 = 1;

/// What is wanted, as it is understood.
pub(crate) struct Remote {
    platform: Platform,
    python: Option<Interpreter>,
    index: Index,
    /// Look for device code.
    code: bool,
    /// Made when it is needed first.
    live: OnceCell<Live>,
}

/// Why a wheel that is elsewhere was not read.
#[derive(Debug)]
pub(crate) enum Problem {
    /// `--platform` names none.
    Platform(String),
    /// `--python` names none.
    Python(String),
    /// Not the address of an index, and who names it.
    Index(Index),
    /// Not a version.
    Version(String),
    /// Not the address of a wheel.
    Address(String),
    /// The index has no such project.
    NoProject {
        /// Its name.
        name: String,
        /// The index.
        index: String,
    },
    /// The index has the project, and not what is wanted of it.
    Refused {
        /// The project.
        name: String,
        /// What was wanted.
        wanted: String,
        /// Why not.
        why: Box<choose::Refusal>,
        /// For which platform.
        platform: String,
        /// For which Python.
        python: String,
    },
    /// It could not be fetched.
    Fetch(FetchError),
    /// It was fetched and cannot be understood.
    Read(String, Error),
}

impl From<FetchError> for Problem {
    fn from(e: FetchError) -> Self {
        Problem::Fetch(e)
    }
}

/// What was typed about wheels that are elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed<'a> {
    /// `--platform`.
    pub(crate) platform: Option<&'a str>,
    /// `--python`.
    pub(crate) python: Option<&'a str>,
    /// `--index-url`.
    pub(crate) index_url: Option<&'a str>,
    /// Whether device code is wanted.
    pub(crate) code: bool,
}

impl Remote {
    /// Understands what was typed. Nothing is asked for yet.
    pub(crate) fn new(typed: &Typed<'_>) -> Result<Remote, Problem> {
        let platform = match typed.platform {
            Some(text) => Platform::parse(text).ok_or_else(|| Problem::Platform(text.to_owned()))?,
            None => Platform::here(),
        };
        let python = |text: &str| Interpreter::parse(text).ok_or_else(|| Problem::Python(text.to_owned()));
        Ok(Remote {
            platform,
            python: typed.python.map(python).transpose()?,
            index: settings::index(typed.index_url, |name| std::env::var(name).ok())
                .map_err(Problem::Index)?,
            code: typed.code,
            live: OnceCell::new(),
        })
    }

    /// Inspects a wheel of a release.
    pub(crate) fn project(
        &self,
        name: &str,
        version: Option<&str>,
        progress: &Progress,
    ) -> Result<Inspected, Problem> {
        let wanted =
            version.map(|v| v.parse::<Version>().map_err(|_| Problem::Version(v.to_owned()))).transpose()?;
        let before = self.live().traffic();
        let project = Project::fetch(self.live(), &self.index.url, name).map_err(|e| match e {
            FetchError::NotFound(_) => {
                Problem::NoProject { name: name.to_owned(), index: public(&self.index.url) }
            }
            other => Problem::Fetch(other),
        })?;
        let wish = Wish { version: wanted.as_ref(), platform: &self.platform, python: self.python };
        let Choice { file, python } = choose(&project, &wish).map_err(|why| Problem::Refused {
            name: project.name.clone(),
            wanted: version.unwrap_or_default().to_owned(),
            why: Box::new(why),
            platform: self.platform.to_string(),
            python: self.python.map(|p| p.to_string()).unwrap_or_default(),
        })?;
        let mut out = self.read(&file, progress, before)?;
        out.python = python;
        out.yanked = Some(file.yanked);
        Ok(out)
    }

    /// Inspects the wheel at an address, behind which a checksum may stand.
    pub(crate) fn address(&self, url: &str, progress: &Progress) -> Result<Inspected, Problem> {
        let (address, fragment) = url.split_once('#').unwrap_or((url, ""));
        let path = address.split('?').next().unwrap_or(address);
        let name = path.rsplit('/').next().unwrap_or(path).replace("%2B", "+").replace("%2b", "+");
        if !name.to_ascii_lowercase().ends_with(".whl") {
            return Err(Problem::Address(public(url)));
        }
        let sum = fragment.split('&').find_map(|part| part.strip_prefix("sha256="));
        let file = File {
            name,
            url: address.to_owned(),
            size: None,
            sha256: sum.map(str::to_owned),
            uploaded: None,
            yanked: false,
            requires_python: None,
        };
        self.read(&file, progress, self.live().traffic())
    }

    fn read(&self, file: &File, progress: &Progress, before: (u64, u64)) -> Result<Inspected, Problem> {
        let live = self.live();
        let size = match file.size {
            Some(size) => size,
            None => live.size(&file.url)?,
        };
        if self.code {
            progress.total(size);
        }
        let source = Watched::new(RemoteFile::new(live, &*file.url, size), progress);
        let read = if self.code {
            let options = Options { passes: PASSES, ..Options::default() };
            wheel::whole(&Blocks::new(&source), &file.name, &options)
        } else {
            wheel::stated(&Blocks::small(&source), &file.name)
        };
        if let Some(failure) = source.failure() {
            return Err(failure.into());
        }
        let mut out = read.map_err(|e| Problem::Read(public(&file.url), e))?;
        out.file.clone_from(&file.name);
        out.url = Some(public(&file.url));
        out.bytes = Some(size);
        out.sha256.clone_from(&file.sha256);
        let (requests, bytes) = live.traffic();
        out.fetched = Some((bytes - before.1, requests - before.0));
        Ok(out)
    }

    fn live(&self) -> &Live {
        self.live.get_or_init(Live::prompt)
    }
}
