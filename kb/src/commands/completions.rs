//! `kb completions`.

use crate::args::{Cli, Completions, Global};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};

/// Prints the script; it is made in memory first, so that a closed pipe does no harm.
pub(super) fn run(global: &Global, args: &Completions) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut offering(Cli::command()), "kb", &mut script);
    super::text(global, "completions", &script);
    0
}

/// The command line with the words that a shell may offer. Only the script has them: where these arguments are read,
/// other spellings are as good.
fn offering(mut command: Command) -> Command {
    let commands: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let words = |id: &str, command: &str| -> Vec<String> {
        let list: &[&str] = match (id, command) {
            ("os", _) => &kb_core::platform::Os::WORDS,
            ("arch", _) => &["x86_64", "aarch64"],
            ("lang", _) => &crate::language::KNOWN,
            ("gpus", _) => &["all", "any"],
            ("policy", _) => &["listed", "tested"],
            ("what", "list") => &super::list::LISTS,
            ("command", "man") => return commands.clone(),
            ("kind", "new") => return kb_data::scaffold::KINDS.map(|(kind, _)| kind.to_owned()).to_vec(),
            _ => &[],
        };
        list.iter().map(|word| (*word).to_owned()).collect()
    };
    let offer = |arg: Arg, command: &str| {
        let list = words(arg.get_id().as_str(), command);
        if list.is_empty() { arg } else { arg.value_parser(PossibleValuesParser::new(list)) }
    };
    command = command.mut_args(|arg| offer(arg, ""));
    for name in &commands {
        command = command.mut_subcommand(name, |c| c.mut_args(|arg| offer(arg, name)));
    }
    command
}
