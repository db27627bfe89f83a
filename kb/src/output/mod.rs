//! From values to what a terminal or a program reads. Text is collected and written at once.

pub mod answer;
pub mod card;
pub mod chain;
pub(crate) mod diagnosis;
pub(crate) mod diagnosis_brief;
pub mod diagnostics;
pub(crate) mod doctor;
mod evidence;
pub(crate) mod inspect;
pub mod json;
pub mod overview;
pub(crate) mod probe;
pub(crate) mod snapshot;

pub mod svg;
pub mod table;
pub(crate) mod truths;
pub(crate) mod watch;
pub mod wrap;

use crate::args::Color;
use anstyle::{AnsiColor, Style};
use kb_core::answer::words::Speaker;
use std::io::{IsTerminal, Write};

/// The least and the greatest width that text is laid out for.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=120;

/// Where text goes before it is written: a language, a width, with or without colour.
#[derive(Debug)]
pub struct Screen<'k> {
    /// The language.
    pub speaker: Speaker<'k>,
    /// Columns.
    pub width: usize,
    colour: bool,
    out: String,
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Text.
    Plain,
    /// A heading.
    Head,
    /// Something good.
    Good,
    /// Something bad.
    Bad,
    /// Something unknown, a warning.
    Doubt,
    /// Less important.
    Faint,
    /// A command to copy.
    Code,
}

impl Ink {
    fn style(self) -> Style {
        match self {
            Ink::Plain => Style::new(),
            Ink::Head => Style::new().bold(),
            Ink::Good => AnsiColor::Green.on_default().bold(),
            Ink::Bad => AnsiColor::Red.on_default().bold(),
            Ink::Doubt => AnsiColor::Yellow.on_default().bold(),
            Ink::Faint => Style::new().dimmed(),
            Ink::Code => AnsiColor::Cyan.on_default(),
        }
    }
}

impl<'k> Screen<'k> {
    /// A screen for standard output.
    pub fn new(speaker: Speaker<'k>, color: Color) -> Self {
        Screen {
            speaker,
            width: columns(),
            colour: coloured(color, std::io::stdout().is_terminal()),
            out: String::new(),
        }
    }

    /// A screen for standard error, where standard output has something else.
    pub fn for_err(speaker: Speaker<'k>, color: Color) -> Self {
        Screen { colour: coloured(color, std::io::stderr().is_terminal()), ..Screen::new(speaker, color) }
    }

    /// A screen of a given width without colour, for tests.
    pub fn plain(speaker: Speaker<'k>, width: usize) -> Self {
        Screen { speaker, width, colour: false, out: String::new() }
    }

    /// A sentence of the word tables.
    pub fn say(&self, id: &str, values: &[(&str, String)]) -> String {
        self.speaker.say(id, values)
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.out
    }

    fn ink(&self, ink: Ink, text: &str) -> String {
        if !self.colour || ink == Ink::Plain || text.is_empty() {
            return text.to_owned();
        }
        let style = ink.style();
        format!("{style}{text}{style:#}")
    }

    /// An empty line, never two, never at the start.
    pub fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// A line that is not broken, such as a command.
    pub fn raw(&mut self, indent: usize, ink: Ink, text: &str) {
        let text = self.ink(ink, &shown(text));
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(&text);
        self.out.push('\n');
    }

    /// Where something is: a web address is never broken, a path in a repository is.
    pub fn address(&mut self, indent: usize, text: &str) {
        if text.starts_with("http") {
            self.raw(indent, Ink::Faint, text);
        } else {
            self.item(indent, "", Ink::Plain, text, Ink::Faint);
        }
    }

    /// A heading after an empty line.
    pub fn head(&mut self, text: &str) {
        self.blank();
        self.raw(0, Ink::Head, text);
    }

    /// A paragraph: a mark, then text that is broken and aligned behind the mark.
    pub fn item(&mut self, indent: usize, mark: &str, mark_ink: Ink, text: &str, ink: Ink) {
        let (mark, text) = (&*shown(mark), &*shown(text));
        // A full-width colon brings its own space.
        let gap = usize::from(!mark.is_empty() && !mark.ends_with('：'));
        let hang = indent + wrap::width(mark) + gap;
        let room = self.width.saturating_sub(hang).max(16);
        for (number, line) in wrap::wrap(text, room).iter().enumerate() {
            let line = self.ink(ink, line);
            if number == 0 && !mark.is_empty() {
                let mark = self.ink(mark_ink, mark);
                self.out.push_str(&format!("{:indent$}{mark}{:gap$}{line}\n", "", ""));
            } else {
                self.out.push_str(&format!("{:hang$}{line}\n", ""));
            }
        }
    }

    /// A paragraph without a mark.
    pub fn para(&mut self, indent: usize, text: &str) {
        self.item(indent, "", Ink::Plain, text, Ink::Plain);
    }

    /// A label and its value, the labels aligned at `column`; below the label where the screen is narrow.
    pub fn field(&mut self, indent: usize, label: &str, column: usize, value: &str) {
        if self.width < 60 || wrap::width(label) > column {
            self.item(indent, "", Ink::Plain, &format!("{label}: {value}"), Ink::Plain);
        } else {
            let mark = wrap::pad(label, column);
            self.item(indent, &mark, Ink::Faint, value, Ink::Plain);
        }
    }

    /// A line of words with its own colour for the first part.
    pub fn verdict(&mut self, ink: Ink, label: &str, text: &str) {
        self.item(0, label, ink, text, Ink::Head);
    }

    /// Writes everything to standard output. A reader that has gone away is no error.
    pub fn print(self) {
        write_out(self.out.as_bytes(), self.colour);
    }

    /// Writes everything to standard error.
    pub fn print_err(self) {
        if self.colour {
            // Older consoles of Windows do not know the codes; anstream does what they understand.
            let choice = anstream::ColorChoice::AlwaysAnsi;
            let mut stream = anstream::AutoStream::new(std::io::stderr().lock(), choice);
            drop(stream.write_all(self.out.as_bytes()).and_then(|()| stream.flush()));
        } else {
            write_err(&self.out);
        }
    }

    /// Leaves so many lines, and takes the others away.
    pub fn keep(&mut self, lines: usize) {
        let end = self.out.split_inclusive('\n').take(lines).map(str::len).sum();
        self.out.truncate(end);
    }
}

/// Writes bytes to standard output, locked and at once. A reader that has gone away is no error; a full disk is, which
/// [`unwritten`] tells.
pub fn write_out(bytes: &[u8], colour: bool) {
    let choice = if colour { anstream::ColorChoice::AlwaysAnsi } else { anstream::ColorChoice::Never };
    let result = if colour {
        let mut stream = anstream::AutoStream::new(std::io::stdout().lock(), choice);
        stream.write_all(bytes).and_then(|()| stream.flush())
    } else {
        let mut stream = std::io::stdout().lock();
        stream.write_all(bytes).and_then(|()| stream.flush())
    };
    if let Err(error) = result
        && !tell_unwritten("standard output", &error)
    {
        UNREAD.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Says that a stream could not be written, and remembers it for the exit code. `false` for a reader that has gone away:
/// it wanted no more.
pub fn tell_unwritten(stream: &str, error: &std::io::Error) -> bool {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return false;
    }
    write_err(&format!("error[unwritable]: {stream} cannot be written: {error}\n"));
    UNWRITTEN.store(true, std::sync::atomic::Ordering::Relaxed);
    true
}

static UNWRITTEN: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

static UNREAD: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Has whoever read standard output gone away?
pub(crate) fn unread() -> bool {
    UNREAD.load(std::sync::atomic::Ordering::Relaxed)
}

/// Was there output that could not be written?
pub fn unwritten() -> bool {
    UNWRITTEN.load(std::sync::atomic::Ordering::Relaxed)
}

/// What was typed or read may hold what moves a terminal's cursor or hides text: that is shown escaped.
pub fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    let moves = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            // No characters at all, which XML refuses.
            || (c as u32) & 0xfffe == 0xfffe
            || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if !text.contains(moves) {
        return text.into();
    }
    text.chars().map(|c| if moves(c) { format!("\\u{{{:x}}}", c as u32) } else { c.to_string() }).collect()
}

/// Writes a line to standard error; a closed one is no error.
pub fn write_err(text: &str) {
    let mut stream = std::io::stderr().lock();
    drop(stream.write_all(text.as_bytes()).and_then(|()| stream.flush()));
}

/// Is output coloured? `--color` first, then NO_COLOR and CLICOLOR_FORCE, then whether it is a terminal.
pub fn coloured(color: Color, terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
            // As clap does it for help and usage.
            let forced =
                set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
            if forced && !set("NO_COLOR") {
                return true;
            }
            terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
        }
    }
}

/// The terminal's width: COLUMNS, else what the terminal says, else 100.
fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|c| c.trim().parse::<usize>().ok()).filter(|c| *c > 0);
    let found = said.or_else(|| terminal_size::terminal_size().map(|(w, _)| usize::from(w.0)));
    found.unwrap_or(100).clamp(*WIDTHS.start(), *WIDTHS.end())
}
