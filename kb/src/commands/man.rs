//! `kb man`.

use crate::Outcome;
use crate::args::{Cli, Global, Man};
use clap::CommandFactory;
use kb_core::diag::Diagnostic;
use kb_core::request::resolve::nearest;

/// Prints a manual page in roff.
pub(super) fn run(global: &Global, args: &Man) -> Outcome {
    let mut root = Cli::command();
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(found) => {
                let name = format!("kb-{}", found.get_name());
                found.clone().name(name).version(env!("CARGO_PKG_VERSION")).disable_version_flag(true)
            }
            None => {
                let near = nearest(name, root.get_subcommands().map(clap::Command::get_name));
                let out = Diagnostic::error("unknown-command", format!("there is no command `{name}`"));
                return Err(if near.is_empty() {
                    out.help("`kb help` shows all")
                } else {
                    out.note(format!("near: {}", near.join(", ")))
                }
                .into());
            }
        },
    };
    let mut page = Vec::new();
    if clap_mangen::Man::new(command).render(&mut page).is_ok() {
        // What stands below the options are examples; the library has no name for it.
        let page = String::from_utf8_lossy(&page).replace("\n.SH EXTRA\n", "\n.SH EXAMPLES\n");
        super::text(global, "man", page.as_bytes());
    }
    Ok(0)
}
