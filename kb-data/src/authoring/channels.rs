//! `catalog/channels/<id>.toml`.

use super::cell::SYSTEMS;
use super::fields::{Fields, unknown_word};
use super::near::list;
use super::role::Role;
use super::scalar::{self, placeholders};
use super::{Loader, check, put, source_list};
use kb_core::catalog::{Channel, ExtraName, InstallLine};
use kb_core::diag::Diagnostic;

const KINDS: [&str; 5] = ["pypi", "pip-index", "find-links", "conda", "docker"];
const SHELLS: [&str; 4] = ["any", "bash", "powershell", "cmd"];
const PLACES: [&str; 6] = ["requirement", "package", "version", "address", "cuda", "tag"];

impl Loader<'_, '_> {
    pub(super) fn read_channels(&mut self) {
        let mut found = Vec::new();
        self.each(
            |role| if let Role::Channel(id) = role { Some(*id) } else { None },
            |id, _, f| {
                let name = f.text("name", "\"PyTorch wheels for CUDA 12.6\"");
                let kind = f.word("kind", &KINDS.map(|k| (k, k)));
                let address = f.boxed_opt("address");
                let packages = f.texts("packages");
                for text in &packages {
                    check(f, text, self.names.package(text.text));
                }
                if let Some(cuda) = f.text_opt("cuda") {
                    check(f, &cuda, scalar::dotted(cuda.text, "a CUDA version"));
                }
                let aliases = f.boxed_list("aliases");
                let local_label = f.boxed_opt("local-label");
                let sources = source_list(&self.names, f, &f.texts("sources"));
                f.text_opt("note");
                let os = systems(f);
                let mut install = Vec::new();
                for block in f.tables("install") {
                    let line = install_line(&block, &os, address.is_some());
                    block.finish();
                    install.extend(line);
                }
                let mut extras = Vec::new();
                for block in f.tables("extra") {
                    let name = extra_name(&block);
                    block.finish();
                    extras.extend(name);
                }
                let (Some(name), Some(kind)) = (name, kind) else { return };
                found.push(Channel {
                    id: id.into(),
                    name: name.boxed(),
                    aliases,
                    kind: kind.into(),
                    address,
                    local_label,
                    packages: packages.iter().map(|t| t.boxed()).collect(),
                    sources,
                    install,
                    extras,
                });
            },
        );
        for channel in found {
            put(&mut self.kb.channels, channel, |c| &c.id);
        }
    }
}

/// `[[extra]]`: how an extra is spelled in the metadata of some releases.
fn extra_name(f: &Fields<'_, '_>) -> Option<ExtraName> {
    let extra = f.text("extra", "\"cuda12\"");
    let spelling = f.text("spelling", "\"cuda12_pip\"");
    let versions = f.text_opt("versions");
    if let Some(text) = &versions {
        check(f, text, scalar::pep440_range(text.text));
    }
    Some(ExtraName {
        extra: extra?.boxed(),
        spelling: spelling?.boxed(),
        versions: versions.map(|t| t.boxed()),
    })
}

fn systems(f: &Fields<'_, '_>) -> Vec<Box<str>> {
    let texts = f.texts("os");
    for text in texts.iter().filter(|t| !SYSTEMS.contains(&t.text)) {
        f.report(text.span.clone(), unknown_word("os", text.text, &SYSTEMS));
    }
    texts.iter().map(|t| t.boxed()).collect()
}

/// A line of installing; without `os` of its own it holds where the channel does.
fn install_line(f: &Fields<'_, '_>, channel_os: &[Box<str>], has_address: bool) -> Option<InstallLine> {
    let tool = f.text("tool", "\"pip\"");
    let shell = f.word("shell", &SHELLS.map(|s| (s, s)));
    let command = f.text("command", "\"pip install {requirement} --index-url {address}\"");
    let versions = f.text_opt("versions");
    if let Some(text) = &versions {
        check(f, text, scalar::pep440_range(text.text));
    }
    let os = systems(f);
    if let Some(text) = &command
        && let Some(places) = check(f, text, placeholders(text.text))
    {
        for place in places {
            if !PLACES.contains(&place) {
                let message = format!("a command has no place {{{place}}}");
                f.report(
                    text.span.clone(),
                    Diagnostic::error("unknown-placeholder", message)
                        .note(format!("places: {}", list(PLACES))),
                );
            } else if place == "address" && !has_address {
                let message = "the command uses {address}, and the channel has none";
                f.report(
                    text.span.clone(),
                    Diagnostic::error("missing-key", message).help("write address = \"https://…\""),
                );
            }
        }
    }
    Some(InstallLine {
        tool: tool?.boxed(),
        shell: shell?.into(),
        command: command?.boxed(),
        versions: versions.map(|t| t.boxed()),
        os: if os.is_empty() { channel_os.to_vec() } else { os },
    })
}
