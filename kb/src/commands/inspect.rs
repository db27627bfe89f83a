//! `kb inspect`: what wheels, libraries and directories hold, here or in an index.

use super::Session;
use crate::Outcome;
use crate::args::Inspect;
#[cfg(feature = "remote")]
use crate::inspect::remote::{self, Remote, Typed};
use crate::inspect::{
    Cudnn, Inspected, Inspection, Progress, Run, Says, Site, Target, Wanted, cudnn, inspect, runs_on,
};
use crate::output::{Screen, inspect as writer, json};
use crate::spelling;
use artifact::Error;
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;
use kb_core::request::{GpuTarget, RawRequest, Request};
use serde_json::{Value, json};
#[cfg(feature = "remote")]
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// What is said about one GPU.
pub(crate) struct Verdict {
    /// The GPU.
    pub gpu: GpuTarget,
    /// Does it run there?
    pub run: Run,
    /// Why.
    pub says: Vec<Says>,
}

/// What is shown of one file, package or directory.
pub(crate) struct Shown {
    /// What was read.
    pub about: Inspected,
    /// What is said about each GPU.
    pub verdicts: Vec<Verdict>,
    /// cuDNN in it.
    pub cudnn: Option<Cudnn>,
}

impl Shown {
    /// Does it hold device code, or may it in what could not be read?
    pub(crate) fn may_hold_code(&self) -> bool {
        self.about.code_unread || !self.about.libraries.is_empty()
    }
}

/// Inspects each file; with GPUs the exit code is that of the worst answer.
pub(super) fn run(session: &Session<'_>, args: &Inspect) -> Outcome {
    let (gpus, reader) = (gpus(session, &args.gpu)?, Reader::new(session, args));
    let mut told =
        Told { session, gpus, screen: session.screen(), files: Vec::new(), sites: Vec::new(), code: 0 };
    let mut mistakes = Vec::new();
    for path in &joined(&args.files) {
        match reader.read(path) {
            Ok(parts) => parts.into_iter().for_each(|part| told.part(part)),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let code = told.code;
    if !session.global.json {
        // What could be read is shown all the same.
        told.screen.print();
    } else if mistakes.is_empty() {
        json::print(&document(told.files, told.sites));
    }
    if mistakes.is_empty() { Ok(code) } else { Err(mistakes.into()) }
}

/// What was told so far.
struct Told<'s, 'a> {
    session: &'s Session<'a>,
    gpus: Vec<GpuTarget>,
    screen: Screen<'a>,
    files: Vec<Value>,
    sites: Vec<Value>,
    code: u8,
}

impl Told<'_, '_> {
    fn part(&mut self, part: Inspection) {
        match part {
            Inspection::One(about) => {
                let shown = self.shown(*about);
                self.code = shown.verdicts.iter().map(|v| exit(v.run)).fold(self.code, worse);
                self.show(&shown, true);
            }
            Inspection::Site(site) => self.site(site),
        }
    }

    fn site(&mut self, mut site: Site) {
        let packages: Vec<Shown> =
            std::mem::take(&mut site.packages).into_iter().map(|about| self.shown(about)).collect();
        // A package without device code runs none: it has no part in the answer, unless nothing else is there.
        let asked = |p: &&Shown| p.may_hold_code();
        let codes: Vec<u8> =
            packages.iter().filter(asked).flat_map(|p| &p.verdicts).map(|v| exit(v.run)).collect();
        let none = if self.gpus.is_empty() { 0 } else { exit(Run::Unknown) };
        self.code = worse(self.code, codes.into_iter().reduce(worse).unwrap_or(none));
        if self.session.global.json {
            self.sites.push(writer::site_document(&site, packages.len()));
        } else {
            writer::print_site(&mut self.screen, &site, packages.len());
        }
        for shown in &packages {
            self.show(shown, false);
        }
        if !self.session.global.json {
            writer::print_limits(&mut self.screen, &packages);
        }
    }

    fn show(&mut self, shown: &Shown, alone: bool) {
        if self.session.global.json {
            self.files.push(writer::document(&self.screen, shown));
        } else {
            writer::print(&mut self.screen, shown, alone);
        }
    }

    fn shown(&self, about: Inspected) -> Shown {
        let verdicts = verdicts(&about, &self.gpus);
        Shown { verdicts, cudnn: cudnn(self.session.kb, &about), about }
    }
}

/// The arguments; of a name and a version in two of them, as `pip list` prints them, one is made.
fn joined(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    for path in &around_equals(files) {
        let both = out.last().and_then(|last| {
            let elsewhere =
                |p: &PathBuf| p.to_str().filter(|_| p.symlink_metadata().is_err()).map(str::to_owned);
            let one = spelling::requirements(&[elsewhere(last)?, elsewhere(path)?]);
            <[String; 1]>::try_from(one).ok()
        });
        match (both, out.last_mut()) {
            (Some([text]), Some(last)) => *last = text.into(),
            _ => out.push(path.clone()),
        }
    }
    out
}

/// `torch == 2.9.1` in three arguments, or `torch ==2.9.1` in two, as one.
fn around_equals(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = Vec::new();
    for path in files {
        let text = path.to_str().unwrap_or_default();
        let open = out.last().and_then(|p| p.to_str()).is_some_and(|last| last.ends_with("=="));
        match out.last_mut() {
            Some(last) if (open || text.starts_with("==")) && path.symlink_metadata().is_err() => {
                last.as_mut_os_string().push(text);
            }
            _ => out.push(path.clone()),
        }
    }
    out
}

/// Reads what is named, wherever it is.
struct Reader<'s, 'a> {
    #[cfg(feature = "remote")]
    session: &'s Session<'a>,
    speaker: Speaker<'a>,
    args: &'s Inspect,
    #[cfg(feature = "remote")]
    remote: OnceCell<Remote>,
}

impl<'s, 'a> Reader<'s, 'a> {
    fn new(session: &'s Session<'a>, args: &'s Inspect) -> Self {
        Reader {
            #[cfg(feature = "remote")]
            session,
            speaker: Speaker::new(session.kb, session.language),
            args,
            #[cfg(feature = "remote")]
            remote: OnceCell::new(),
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<Inspection>, Diagnostic> {
        let shown = path.display().to_string();
        let progress = Progress::start(&self.speaker.say("ui-inspect-reading", &[("file", shown)]));
        match Target::of(path) {
            Target::Local => {
                let wanted = Wanted { code: !self.args.no_code, verify: self.args.verify };
                inspect(path, wanted, &progress).map_err(|e| mistake(path, &e))
            }
            Target::Open(text) => {
                #[cfg(feature = "remote")]
                let text = index::public(&text);
                let text = [("text", text)];
                Err(Diagnostic::error("bad-requirement", self.speaker.say("ui-remote-open", &text))
                    .help(self.speaker.say("ui-remote-open-help", &[])))
            }
            elsewhere => {
                let about = self.elsewhere(&elsewhere, &progress)?;
                Ok(vec![Inspection::One(Box::new(about))])
            }
        }
    }

    #[cfg(feature = "remote")]
    fn elsewhere(&self, target: &Target, progress: &Progress) -> Result<Inspected, Diagnostic> {
        let said = |problem| remote::diagnostic(self.session.kb, &self.speaker, &problem);
        let remote = match self.remote.get() {
            Some(remote) => remote,
            None => {
                let typed = Typed {
                    platform: self.args.platform.as_deref(),
                    python: self.args.wheel_python.as_deref(),
                    index_url: self.args.index_url.as_deref(),
                    code: !self.args.no_code,
                };
                let made = Remote::new(&typed).map_err(said)?;
                self.remote.get_or_init(|| made)
            }
        };
        let read = match target {
            Target::Address(url) => remote.address(url, progress),
            Target::Project { name, version } => remote.project(name, version.as_deref(), progress),
            Target::Local | Target::Open(_) => return Err(Diagnostic::error("unreadable", "")),
        };
        read.map_err(said)
    }

    /// Without a network there is only this machine.
    #[cfg(not(feature = "remote"))]
    fn elsewhere(&self, _: &Target, _: &Progress) -> Result<Inspected, Diagnostic> {
        Err(Diagnostic::error("no-network", self.speaker.say("ui-remote-no-network", &[]))
            .help(self.speaker.say("ui-remote-no-ranges-help", &[])))
    }
}

fn verdicts(about: &Inspected, gpus: &[GpuTarget]) -> Vec<Verdict> {
    let one = |gpu: &GpuTarget| {
        let (run, says) = runs_on(about, gpu);
        Verdict { gpu: gpu.clone(), run, says }
    };
    gpus.iter().map(one).collect()
}

/// One document, or a list of several. Of directories of installed packages it is always a list, however many of them
/// have to do with GPUs.
fn document(mut files: Vec<Value>, sites: Vec<Value>) -> Value {
    if sites.is_empty() && files.len() == 1 {
        return files.remove(0);
    }
    let mut out = json!({ "schema": 1, "command": "inspect", "files": files });
    if !sites.is_empty() {
        out["sites"] = Value::Array(sites);
    }
    out
}

/// The GPUs of `--gpu`, understood as everywhere.
fn gpus(session: &Session<'_>, typed: &[String]) -> Result<Vec<GpuTarget>, crate::Failure> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let gpus = typed.iter().map(|t| spelling::gpu(session.kb, &spelling::plain(t))).collect();
    let raw = RawRequest { command: "check".to_owned(), gpus, ..RawRequest::default() };
    let request = Request::parse(session.world(), &raw)?;
    if request.gpus().is_empty() {
        return Err(Diagnostic::error("usage", "--gpu: no GPU is named")
            .help("leave --gpu out to see what the file holds")
            .into());
    }
    Ok(request.gpus().to_vec())
}

fn mistake(path: &Path, error: &Error) -> Diagnostic {
    let out = Diagnostic::error("unreadable", format!("{}: {error}", path.display()));
    if path.exists() {
        out.help("kb inspect reads wheels, 64-bit ELF and PE libraries, and directories with them")
    } else {
        out
    }
}

fn exit(run: Run) -> u8 {
    match run {
        Run::Yes => 0,
        Run::No => 1,
        Run::Unknown => 3,
    }
}

/// Of two exit codes the worse one: no, then unknown, then yes.
fn worse(a: u8, b: u8) -> u8 {
    match (a, b) {
        (1, _) | (_, 1) => 1,
        _ => a.max(b),
    }
}
