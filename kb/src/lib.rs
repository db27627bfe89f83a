//! The command line of kb: arguments → request → library → writer → exit code.
//!
//! No rule of compatibility is here. [`run`] is the whole program; [`raw_request`] gives the request that a command
//! line means, for tests that ask the library directly.

// A diagnostic is made once, when a command ends.
#![allow(clippy::result_large_err)]

pub mod args;
mod ask;
mod clock;
mod commands;
mod data;
mod facts;
mod files;
mod inspect;
mod interrupt;
mod language;
mod library_files;
mod machine;
mod nvml;
pub mod output;
mod request;
mod spelling;

use args::Cli;
use clap::{CommandFactory, FromArgMatches, Parser};
use kb_core::diag::Diagnostic;
use std::ffi::OsString;
use std::process::ExitCode;

/// Why a command could not answer.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong with the question or the data.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Failure { diagnostics: vec![diagnostic] }
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Failure { diagnostics }
    }
}

/// What a command gives: its exit code, or what is wrong.
pub(crate) type Outcome = Result<u8, Failure>;

/// The exit code for a wrong question or wrong data.
const WRONG: u8 = 2;

/// Runs the program with its arguments, the first of which is its name.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let code = answered(&arguments);
    ExitCode::from(if output::unwritten() { WRONG } else { code })
}

fn answered(arguments: &[OsString]) -> u8 {
    let cli = match parse(arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(arguments, &error),
    };
    if cli.version {
        return commands::version(&cli.global);
    }
    let Some(command) = &cli.command else {
        return usage(
            arguments,
            &Cli::command()
                .error(clap::error::ErrorKind::MissingSubcommand, "say what to do: kb solve, kb check …"),
        );
    };
    match commands::run(&cli.global, command) {
        Ok(code) => code,
        Err(failure) => {
            if cli.global.json {
                output::json::print(&output::diagnostics::document(command.name(), &failure.diagnostics));
            } else {
                output::diagnostics::print(&failure.diagnostics, cli.global.color);
            }
            WRONG
        }
    }
}

/// Parses the arguments; help speaks the language that is asked for.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let colour = before(arguments, "--color");
    let choice = match colour.as_deref() {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    };
    let mut command = Cli::command().color(choice);
    let joined = joined(arguments);
    let arguments = joined.as_slice();
    let matches = match command.try_get_matches_from_mut(arguments) {
        Ok(matches) => matches,
        Err(error) if is_help(&error) => {
            let spoken = language::choose(before(arguments, "--lang").as_deref()).unwrap_or_default();
            return match language::localize(Cli::command().color(choice), &spoken) {
                Some(mut localized) => {
                    Err(localized.try_get_matches_from_mut(arguments).err().unwrap_or(error))
                }
                None => Err(error),
            };
        }
        Err(error) => return Err(error),
    };
    Cli::from_arg_matches(&matches).map_err(|e| e.format(&mut command))
}

/// The arguments with an install command that was pasted behind a question made one argument of it.
fn joined(arguments: &[OsString]) -> Vec<OsString> {
    let texts: Option<Vec<String>> = arguments.iter().map(|a| a.to_str().map(str::to_owned)).collect();
    let Some(texts) = texts.filter(|t| t.len() > 3 && !t.iter().any(|a| a == "--")) else {
        return arguments.to_vec();
    };
    let mut program = Cli::command();
    program.build();
    let question = ["solve", "check", "why"].iter().find_map(|name| {
        let command = program.find_subcommand(name)?;
        let called = |t: &String| t == name || command.get_all_aliases().any(|alias| alias == t);
        texts[1..].iter().any(called).then_some(command)
    });
    let Some(question) = question else { return arguments.to_vec() };
    let own = |word: &str| {
        let option = question.get_arguments().find(|a| match word.strip_prefix("--") {
            // pip has files of requirements as well, and they are read the same way.
            Some("requirement") | None => {
                let short = word.strip_prefix('-').filter(|s| s.len() == 1).and_then(|s| s.chars().next());
                short.is_some_and(|s| "gdpwh".contains(s) && a.get_short() == Some(s))
            }
            Some(long) => {
                a.get_long() == Some(long) || a.get_all_aliases().is_some_and(|all| all.contains(&long))
            }
        })?;
        Some(option.get_action().takes_values())
    };
    files::joined(texts, own).into_iter().map(OsString::from).collect()
}

fn is_help(error: &clap::Error) -> bool {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand};
    matches!(error.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand)
}

/// The value of an option, looked up before the arguments are parsed.
fn before(arguments: &[OsString], option: &str) -> Option<String> {
    let texts: Vec<&str> = arguments.iter().filter_map(|a| a.to_str()).collect();
    texts.iter().enumerate().find_map(|(i, text)| {
        let rest = text.strip_prefix(option)?;
        if rest.is_empty() {
            texts.get(i + 1).map(|t| (*t).to_owned())
        } else {
            rest.strip_prefix('=').map(str::to_owned)
        }
    })
}

/// The command among the arguments, before they are parsed.
fn named(arguments: &[OsString]) -> &str {
    let mut names = arguments.iter().skip(1).filter_map(|a| a.to_str());
    names.find(|a| Cli::command().find_subcommand(a).is_some()).unwrap_or("kb")
}

/// What clap has to say: help on standard output, mistakes on standard error or, with `--json`, as the document.
fn usage(arguments: &[OsString], error: &clap::Error) -> u8 {
    if error.use_stderr() && arguments.iter().any(|a| a == "--json") {
        let text = error.render().to_string();
        let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
        let message = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let mut diagnostic = Diagnostic::error("usage", message);
        for line in lines {
            diagnostic = match line.strip_prefix("tip: ") {
                Some(tip) => diagnostic.help(tip),
                None => diagnostic.note(line),
            };
        }
        output::json::print(&output::diagnostics::document(named(arguments), &[diagnostic]));
        return WRONG;
    }
    if !error.use_stderr() && arguments.iter().any(|a| a == "--json") {
        let text = error.render().to_string();
        output::json::print(&serde_json::json!({ "schema": 1, "command": named(arguments), "help": text }));
        return 0;
    }
    let escaped = arguments.iter().filter_map(|a| a.to_str()).any(|a| a.contains(char::is_control));
    if error.use_stderr() && escaped {
        output::write_err(&output::shown(&error.render().to_string()));
        return WRONG;
    }
    // A closed standard output is no error, a full disk is.
    if let Err(why) = error.print()
        && why.kind() != std::io::ErrorKind::BrokenPipe
    {
        output::write_err(&format!("error[unwritable]: the text cannot be written: {why}\n"));
        return WRONG;
    }
    u8::try_from(error.exit_code()).unwrap_or(WRONG)
}

/// The request that the arguments of `kb solve` or `kb check` mean, without this machine's part: `arguments` is what
/// follows `kb`.
///
/// # Errors
/// What clap or the reading of a file says.
pub fn raw_request(arguments: &[String]) -> Result<kb_core::request::RawRequest, String> {
    let all: Vec<OsString> =
        std::iter::once("kb").chain(arguments.iter().map(String::as_str)).map(OsString::from).collect();
    let cli = Cli::try_parse_from(joined(&all)).map_err(|e| e.render().to_string())?;
    let Some(command) = &cli.command else { return Err("no command".to_owned()) };
    let kb = kb_data::builtin();
    request::of(&kb, command)
        .map(|(raw, _)| raw)
        .map_err(|f| f.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
