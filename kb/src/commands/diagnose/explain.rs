//! What was read → the diagnosis, on a screen, as the document, in a bundle.

use super::{bundle, given};
use crate::Failure;
use crate::args::Diagnose;
use crate::commands::Session;
use crate::output::{Screen, diagnosis as writer, json};
use diagnose::diagnosis::{self, Diagnosis};
use diagnose::needles::Needles;
use diagnose::redact::Redactor;
use diagnose::sift::Excerpt;
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;
use kb_core::observe::Observation;
use kb_core::world::World;
use std::cell::OnceCell;

/// Where a diagnosis goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stream {
    /// Standard output.
    Out,
    /// Standard error: standard output has the text of another program.
    Err,
}

impl Stream {
    /// As messages call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Stream::Out => "standard output",
            Stream::Err => "standard error",
        }
    }
}

/// What turns texts into diagnoses.
pub(super) struct Explainer<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) args: &'a Diagnose,
    pub(super) needles: &'a Needles<'a>,
    world: OnceCell<&'a World<'a>>,
    given: Vec<Observation>,
}

/// A diagnosis, and the same as others may see it.
pub(super) struct Explained {
    /// As it is shown.
    pub(super) found: Diagnosis,
    /// For the bundle: without private names, with the text that it is about.
    public: Option<(Diagnosis, Excerpt)>,
}

impl<'a> Explainer<'a> {
    /// # Errors
    /// If something that was said by hand is unknown.
    pub(super) fn new(
        session: &'a Session<'a>,
        args: &'a Diagnose,
        needles: &'a Needles<'a>,
    ) -> Result<Self, Failure> {
        let world = OnceCell::new();
        let given = given::observations(session.kb, args, || *world.get_or_init(|| session.world()))?;
        Ok(Explainer { session, args, needles, world, given })
    }

    /// The causes behind a text.
    pub(super) fn explain(&self, excerpt: Excerpt) -> Explained {
        let world = *self.world.get_or_init(|| self.session.world());
        let findings = diagnosis::observe(self.needles, excerpt, self.given.clone());
        let found = diagnosis::diagnose(world, &findings, self.session.language);
        if !self.args.redact && self.args.bundle.is_none() {
            return Explained { found, public: None };
        }
        let mut redactor = Redactor::new(self.session.kb);
        let mut excerpt = findings.excerpt;
        redactor.learn_excerpt(&excerpt);
        let mut public = found.clone();
        redactor.diagnosis(&mut public);
        let found = if self.args.redact { public.clone() } else { found };
        redactor.excerpt(&mut excerpt);
        Explained { found, public: Some((public, excerpt)) }
    }

    /// Writes the diagnosis to a stream.
    pub(super) fn print(&self, explained: &Explained, stream: Stream) {
        let (json, all) = (self.session.global.json, self.args.all);
        match stream {
            Stream::Out if json => json::print(&explained.found),
            Stream::Err if json => json::print_err(&explained.found),
            Stream::Out => {
                let mut screen = self.session.screen();
                writer::print(&mut screen, &explained.found, all);
                screen.print();
            }
            Stream::Err => {
                let mut screen = self.screen();
                writer::print(&mut screen, &explained.found, all);
                screen.print_err();
            }
        }
    }

    /// A screen for standard error.
    pub(super) fn screen(&self) -> Screen<'a> {
        Screen::for_err(Speaker::new(self.session.kb, self.session.language), self.session.global.color)
    }

    /// Writes the bundle, where one is wanted.
    ///
    /// # Errors
    /// If it cannot be written, or would replace something that is no bundle.
    pub(super) fn bundle(&self, explained: &Explained) -> Result<(), Diagnostic> {
        let (Some(path), Some((found, excerpt))) = (&self.args.bundle, &explained.public) else {
            return Ok(());
        };
        let speaker = Speaker::new(self.session.kb, self.session.language);
        bundle::write(path, &bundle::text(&speaker, &self.session.kb.version, found, excerpt))?;
        if self.session.global.json {
            // A document may be there, and nothing else.
            return Ok(());
        }
        let mut screen = self.screen();
        screen.para(0, &screen.say("ui-diag-bundle-written", &[("path", path.display().to_string())]));
        screen.print_err();
        Ok(())
    }
}
