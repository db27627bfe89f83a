//! Why a wheel that is elsewhere was not read: what, where, how to fix.

use super::Problem;
use super::choose::Refusal;
use index::{Cause, FetchError, host};
use kb_core::answer::words::Speaker;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::resolve;

/// The message.
pub(crate) fn diagnostic(kb: &Kb, speaker: &Speaker<'_>, problem: &Problem) -> Diagnostic {
    let say = |id: &str, values: &[(&str, &str)]| {
        let values: Vec<(&str, String)> = values.iter().map(|(k, v)| (*k, (*v).to_owned())).collect();
        speaker.say(id, &values)
    };
    let error = |code, id: &str, values: &[(&str, &str)]| Diagnostic::error(code, say(id, values));
    match problem {
        Problem::Platform(text) => error("unknown-platform", "ui-remote-platform", &[("text", text)])
            .help(say("ui-remote-platform-help", &[])),
        Problem::Python(text) => error("bad-version", "ui-remote-python", &[("text", text)])
            .help(say("ui-remote-python-help", &[])),
        Problem::Index(index) => error(
            "bad-index",
            "ui-remote-index",
            &[("from", index.from), ("text", &index::public(&index.url))],
        )
        .help(say("ui-remote-index-help", &[])),
        Problem::Version(text) => error("bad-version", "ui-remote-version", &[("text", text)]),
        Problem::Address(url) => {
            error("bad-file", "ui-remote-address", &[("url", url)]).help(say("ui-remote-address-help", &[]))
        }
        Problem::NoProject { name, index } => {
            let out = error("unknown-package", "ui-remote-no-project", &[("name", name), ("index", index)])
                .note(say("ui-remote-no-file", &[("name", name)]));
            let mut near = match resolve::package(kb, name) {
                Ok(package) => kb.packages.get(package).map(|p| p.id.to_string()).into_iter().collect(),
                Err(near) => near,
            };
            near.retain(|n| n != name);
            if near.is_empty() {
                out
            } else {
                out.help(say("ui-remote-near", &[("names", &near.join(", "))]))
            }
        }
        Problem::Refused { name, wanted, why, platform, python } => {
            let asked = Asked { name, wanted, platform, python };
            refused(kb, &say, &asked, why)
        }
        Problem::Fetch(error) => fetch(&say, error),
        Problem::Read(url, why) => Diagnostic::error("unreadable", format!("{url}: {why}")),
    }
}

type Say<'s> = dyn Fn(&str, &[(&str, &str)]) -> String + 's;

/// What was asked for, in words.
struct Asked<'a> {
    name: &'a str,
    wanted: &'a str,
    platform: &'a str,
    python: &'a str,
}

fn refused(kb: &Kb, say: &Say<'_>, asked: &Asked<'_>, why: &Refusal) -> Diagnostic {
    let error = |code, id: &str, version: &str, values: &[(&str, &str)]| {
        let mut all = vec![("name", asked.name), ("version", version)];
        all.extend(values);
        Diagnostic::error(code, say(id, &all))
    };
    match why {
        Refusal::NoVersion(nearest) => {
            let out = error("unknown-release", "ui-remote-no-version", asked.wanted, &[]);
            let nearest = join(nearest.iter().map(ToString::to_string));
            let nearest = say("ui-remote-nearest", &[("versions", &nearest)]);
            match labelled(kb, asked) {
                Some(url) => out.note(nearest).help(say("ui-remote-label", &[("url", url)])),
                None => out.help(nearest),
            }
        }
        Refusal::OnlySource(version, file) => {
            error("no-wheel", "ui-remote-only-source", &version.to_string(), &[("file", file)])
                .help(say("ui-remote-only-source-help", &[]))
        }
        Refusal::NoPlatform(version, there, elsewhere) => {
            let platform = [("platform", asked.platform)];
            let out = error("no-wheel", "ui-remote-no-platform", &version.to_string(), &platform)
                .note(say("ui-remote-platforms", &[("platforms", &there.join(", "))]));
            match elsewhere {
                Some(other) => {
                    let release = format!("{}=={other}", asked.name);
                    out.help(say("ui-remote-elsewhere", &[("release", &release), platform[0]]))
                }
                None => out.help(say("ui-remote-nowhere", &[("name", asked.name), platform[0]])),
            }
        }
        Refusal::NoPython(version, there) => {
            let values = [("platform", asked.platform), ("python", asked.python)];
            error("no-wheel", "ui-remote-no-python", &version.to_string(), &values)
                .help(say("ui-remote-pythons", &[("pythons", &there.join(", "))]))
        }
        Refusal::Several(version, files) => {
            let out = error("ambiguous-wheel", "ui-remote-several", &version.to_string(), &[]);
            files
                .iter()
                .fold(out, |out, file| out.note(file.clone()))
                .help(say("ui-remote-several-help", &[]))
        }
        Refusal::Empty => error("no-wheel", "ui-remote-empty", "", &[]),
    }
}

/// The address of the index that serves builds with the label of a version: `2.8.0+cu126`.
fn labelled<'k>(kb: &'k Kb, asked: &Asked<'_>) -> Option<&'k str> {
    let (_, label) = asked.wanted.split_once('+')?;
    let name = index::normalised(asked.name);
    let serves = |c: &&kb_core::catalog::Channel| {
        c.local_label.as_deref() == Some(label) && c.packages.iter().any(|p| **p == *name)
    };
    kb.channels.iter().find(serves)?.address.as_deref()
}

fn fetch(say: &Say<'_>, error: &FetchError) -> Diagnostic {
    match error {
        FetchError::NotFound(url) => {
            Diagnostic::error("unreachable", say("ui-remote-not-found", &[("url", url)]))
        }
        FetchError::Status { url, status } => {
            let help = match status {
                401 | 403 => "ui-remote-secret-help",
                407 => "ui-remote-proxy-help",
                _ => "ui-remote-status-help",
            };
            let values = [("url", &**url), ("status", &status.to_string())];
            Diagnostic::error("unreachable", say("ui-remote-status", &values)).help(say(help, &[]))
        }
        FetchError::Unreachable { url, cause, why } => {
            let help = match cause {
                Cause::Name => "ui-remote-name-help",
                Cause::Certificate => "ui-remote-certificate-help",
                Cause::Proxy => "ui-remote-proxy-help",
                Cause::Time => "ui-remote-time-help",
                Cause::Connection => "ui-remote-connection-help",
            };
            let host = host(url);
            let values = [("host", &*host), ("why", why)];
            Diagnostic::error("unreachable", say("ui-remote-unreachable", &values))
                .note(url.clone())
                .help(say(help, &[("host", &host)]))
        }
        FetchError::Html(url) => Diagnostic::error("bad-index", say("ui-remote-html", &[("url", url)]))
            .help(say("ui-remote-html-help", &[])),
        FetchError::NoRanges(url) => {
            Diagnostic::error("no-ranges", say("ui-remote-no-ranges", &[("host", &host(url))]))
                .note(url.clone())
                .help(say("ui-remote-no-ranges-help", &[]))
        }
        FetchError::Size { url, stated, found } => {
            let (stated, found) = (stated.to_string(), found.to_string());
            let values = [("url", &**url), ("stated", &stated), ("found", &found)];
            Diagnostic::error("bad-index", say("ui-remote-size", &values))
                .help(say("ui-remote-size-help", &[]))
        }
        FetchError::Answer { url, why } => {
            Diagnostic::error("bad-index", say("ui-remote-answer", &[("url", url), ("why", why)]))
                .help(say("ui-remote-index-help", &[]))
        }
    }
}

fn join(list: impl Iterator<Item = String>) -> String {
    list.collect::<Vec<_>>().join(", ")
}
