//! Options of installers: which take a value, and what is left when they are taken off.

use crate::files::shell::Word;

/// Options that take a value; those without are all others. Short ones may have it glued on.
pub(super) const PIP_VALUES: &[&str] = &[
    "-t",
    "--target",
    "--platform",
    "--python-version",
    "--implementation",
    "--abi",
    "--root",
    "--prefix",
    "-b",
    "--build",
    "--src",
    "--upgrade-strategy",
    "-C",
    "--config-settings",
    "--global-option",
    "--no-binary",
    "--only-binary",
    "--progress-bar",
    "--root-user-action",
    "--report",
    "--log",
    "--keyring-provider",
    "--proxy",
    "--retries",
    "--timeout",
    "--default-timeout",
    "--exists-action",
    "--trusted-host",
    "--allow-insecure-host",
    "--cert",
    "--client-cert",
    "--cache-dir",
    "--use-feature",
    "--use-deprecated",
    "-d",
    "-p",
    "--python",
    "--index-strategy",
    "--link-mode",
    "--prerelease",
    "--resolution",
    "--exclude-newer",
    "--python-platform",
    "--no-build-isolation-package",
    "--no-build-package",
    "--reinstall-package",
    "--upgrade-package",
    "--refresh-package",
    "--group",
    "--optional",
    "--extra",
    "--package",
    "--directory",
    "--project",
    "--color",
    "--tag",
    "--branch",
    "--rev",
    "--script",
    "-G",
    "--categories",
    "--torch-backend",
    "-r",
    "--requirement",
    "--requirements",
    "-c",
    "--constraint",
    "--constraints",
    "--override",
    "--overrides",
    "-e",
    "--editable",
    "-i",
    "--index-url",
    "--index",
    "--default-index",
    "--extra-index-url",
    "-f",
    "--find-links",
    "--pypi-mirror",
];
pub(super) const CONDA_VALUES: &[&str] = &[
    "-n",
    "--name",
    "-p",
    "--prefix",
    "-c",
    "--channel",
    "--file",
    "-f",
    "--solver",
    "--experimental-solver",
    "--repodata-fn",
    "--subdir",
    "--platform",
    "--revision",
    "--rev",
    "--clone",
    "-r",
    "--root-prefix",
    "--feature",
    "--manifest-path",
    "-e",
    "--environment",
    "--git",
    "--branch",
    "--tag",
];
pub(super) const POETRY_VALUES: &[&str] = &[
    "-G",
    "--group",
    "-E",
    "--extras",
    "--python",
    "--platform",
    "--markers",
    "--source",
    "-C",
    "--directory",
    "-P",
    "--project",
];

/// An argument of an installer.
pub(super) enum Argument<'a> {
    Option(String, Option<Word>),
    Plain(&'a Word),
}

/// Options with their values, and the rest.
pub(super) fn options<'a>(words: &'a [Word], values: &[&str]) -> Vec<Argument<'a>> {
    let mut out = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = &*word.text;
        if !text.starts_with('-') || text == "-" {
            out.push(Argument::Plain(word));
        } else if values.contains(&text) {
            out.push(Argument::Option(text.to_owned(), words.next().cloned()));
        } else if let Some((name, value)) = text.split_once('=').filter(|_| text.starts_with("--")) {
            let value = Word { text: value.to_owned(), ..word.clone() };
            out.push(Argument::Option(name.to_owned(), Some(value)));
        } else if let Some((name, value)) = text.split_at_checked(2).filter(|(name, _)| values.contains(name))
        {
            let value = Word { text: value.trim_start_matches('=').to_owned(), ..word.clone() };
            out.push(Argument::Option(name.to_owned(), Some(value)));
        } else {
            out.push(Argument::Option(text.to_owned(), None));
        }
    }
    out
}
