//! Messages about questions and data: what, where, how to fix.

use std::fmt;

/// How much a message matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Nothing can be answered with this.
    Error,
    /// Answers are possible; somebody should look.
    Warning,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, relative to the data directory, with `/` between parts.
    pub path: String,
    /// Counted from 1; 0 when the whole file is meant.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The line's text, to be shown.
    pub text: String,
    /// How many characters are meant.
    pub length: usize,
}

/// One message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// A word, not a number: `unknown-gpu`.
    pub code: &'static str,
    /// How much it matters.
    pub level: Level,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, for data files.
    pub place: Option<Place>,
    /// What is near, what else is known.
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            level: Level::Error,
            message: message.into(),
            place: None,
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { level: Level::Warning, ..Self::error(code, message) }
    }

    /// Adds the place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds how to fix it.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    /// The message as people see it, without colour and without a final line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        write!(f, "{level}[{}]: {}", self.code, self.message)?;
        let mut margin = 2;
        if let Some(place) = &self.place {
            if place.line == 0 {
                write!(f, "\n  --> {}", place.path)?;
            } else {
                let number = place.line.to_string();
                margin = number.len();
                let pad = " ".repeat(margin);
                write!(f, "\n{pad}--> {}:{}:{}", place.path, place.line, place.column)?;
                let before: String = place
                    .text
                    .chars()
                    .take(place.column.saturating_sub(1))
                    .map(|c| if c == '\t' { '\t' } else { ' ' })
                    .collect();
                write!(
                    f,
                    "\n{pad} |\n{number} | {}\n{pad} | {before}{}",
                    place.text,
                    "^".repeat(place.length.max(1))
                )?;
            }
        }
        let pad = " ".repeat(margin);
        for note in &self.notes {
            write!(f, "\n{pad} = {note}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n{pad} = help: {help}")?;
        }
        Ok(())
    }
}
