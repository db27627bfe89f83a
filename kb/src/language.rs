//! Which language to speak: what was asked for, else what the system says, else English.

use clap::Command;
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;

/// The languages there are words in.
pub(crate) const KNOWN: [&str; 3] = ["en", "zh-Hans", "zh-Hant"];

/// The language for `--lang`, or the system's.
///
/// # Errors
/// If `--lang` names a language that there are no words in.
pub(crate) fn choose(asked: Option<&str>) -> Result<String, Diagnostic> {
    match asked {
        Some(text) => tag(text).map(str::to_owned).ok_or_else(|| {
            Diagnostic::error("unknown-language", format!("--lang: there are no words in `{text}`"))
                .help(format!("use {}", KNOWN.join(", ")))
        }),
        None => Ok(system().as_deref().and_then(tag).unwrap_or("en").to_owned()),
    }
}

/// The language of the environment: LC_ALL, LC_MESSAGES, LANG in this order, as everywhere; then the system's own.
fn system() -> Option<String> {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let set = variables.iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    set.or_else(sys_locale::get_locale)
}

/// The language behind a locale: `zh_CN.UTF-8` is zh-Hans.
fn tag(locale: &str) -> Option<&'static str> {
    let lower = locale.trim().to_ascii_lowercase().replace('_', "-");
    let lower = lower.split(['.', '@']).next().unwrap_or_default();
    let has = |part: &str| lower.split('-').any(|p| p == part);
    match lower.split('-').next() {
        Some("en") => Some("en"),
        Some("zh") if has("hant") || has("tw") || has("hk") || has("mo") => Some("zh-Hant"),
        Some("zh") => Some("zh-Hans"),
        _ => None,
    }
}

/// The help texts in another language; `None` where they are English as they stand.
pub(crate) fn localize(command: Command, language: &str) -> Option<Command> {
    if !language.starts_with("zh") {
        return None;
    }
    let kb = kb_data::builtin_in(language);
    let speaker = Speaker::new(&kb, language);
    let told = |id: &str| speaker.has(id).then(|| speaker.say(id, &[]));
    let mut command = command;
    command.build();
    let mut command = words(command, "ui-help-kb", &told);
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |c| whole(c, &format!("ui-help-{name}"), &told));
    }
    Some(command)
}

/// A heading of the help in another language: `Machine` is ui-help-head-machine.
fn heading(text: &str, told: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    told(&format!("ui-help-head-{}", text.to_lowercase()))
}

/// What stands below a help text: what examples are for, what is said behind them, the exit codes. Of a command's own
/// the ids begin with its id: `ui-help-diagnose-example-5`, `ui-help-diagnose-prose`, `ui-help-diagnose-exit-codes`.
fn after(text: &str, id: &str, told: &dyn Fn(&str) -> Option<String>) -> String {
    let own = |part: &str| told(&format!("{id}-{part}"));
    let mut out: Vec<String> = Vec::new();
    let mut parts = text.split("\n\n");
    let mut number = 0;
    for line in parts.next().unwrap_or_default().lines() {
        let Some(example) = line.strip_prefix("  ") else {
            out.push(told("ui-help-examples").unwrap_or_else(|| line.to_owned()));
            continue;
        };
        number += 1;
        let said = own(&format!("example-{number}"));
        out.push(match (example.rsplit_once("  "), said) {
            (Some((command, _)), Some(said)) => format!("  {command}  {said}"),
            _ => line.to_owned(),
        });
    }
    for part in parts {
        let said = if part.starts_with("Exit codes:") {
            own("exit-codes").or_else(|| told("ui-help-exit-codes"))
        } else {
            own("prose")
        };
        out.extend([String::new(), said.unwrap_or_else(|| part.to_owned())]);
    }
    out.join("\n")
}

/// The texts of a command and of the commands below it.
fn whole(command: Command, id: &str, told: &dyn Fn(&str) -> Option<String>) -> Command {
    let mut command = words(command, id, told);
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |c| whole(c, &format!("{id}-{name}"), told));
    }
    command
}

fn words(command: Command, id: &str, told: &dyn Fn(&str) -> Option<String>) -> Command {
    let command = match (command.get_after_help().map(ToString::to_string), told("ui-help-usage")) {
        (Some(text), Some(usage)) => command
            .after_help(after(&text, id, told))
            .help_template(format!("{{about}}\n\n{usage}{{usage}}\n\n{{all-args}}{{after-help}}")),
        _ => command,
    };
    let command = match heading("commands", told) {
        Some(text) => command.subcommand_help_heading(text),
        None => command,
    };
    let command = match told(id) {
        Some(text) => command.about(text.clone()).long_about(text),
        None => command,
    };
    command
        .mut_args(|argument| {
            let name = argument.get_id().as_str().replace('_', "-");
            // The same option may mean another thing elsewhere.
            let said = told(&format!("{id}-arg-{name}")).or_else(|| told(&format!("ui-help-arg-{name}")));
            match said {
                Some(text) => argument.help(text.clone()).long_help(text),
                None => argument,
            }
        })
        .mut_args(|argument| {
            let plain = if argument.is_positional() { "Arguments" } else { "Options" };
            match heading(argument.get_help_heading().unwrap_or(plain), told) {
                Some(text) => argument.help_heading(text),
                None => argument,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn locales_name_languages() {
        for (locale, expected) in [
            ("zh_CN.UTF-8", Some("zh-Hans")),
            ("zh-Hans", Some("zh-Hans")),
            ("zh_TW", Some("zh-Hant")),
            ("zh-Hant-HK", Some("zh-Hant")),
            ("en_GB.UTF-8", Some("en")),
            ("C", None),
            ("de_DE", None),
        ] {
            assert_eq!(tag(locale), expected, "{locale}");
        }
    }
}
