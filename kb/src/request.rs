//! From what was typed to a [`RawRequest`]; what was not typed comes from observations, then from this machine.

use crate::args::{Command, Question};
use crate::files::{Environment, LeftOut, Places};
use crate::{Failure, facts, files, machine, spelling};
use kb_core::catalog::PackageKind;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use std::collections::HashSet;

/// What is to be told beside the answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Notes {
    /// Sentences: id and values.
    pub said: Vec<(&'static str, Vec<(&'static str, String)>)>,
    /// Lines and arguments that take no part in the answer.
    pub left_out: Vec<LeftOut>,
    /// Values that were read from files.
    pub origins: Vec<Origin>,
}

/// A value of the request that was not typed but read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The option that would have said it, without dashes.
    pub option: &'static str,
    /// `--facts probe.json`, `environment.yml`.
    pub place: String,
}

impl Notes {
    pub(crate) fn push(&mut self, id: &'static str, values: Vec<(&'static str, String)>) {
        self.said.push((id, values));
    }
}

/// The request of `solve`, `check` or `why`.
///
/// # Errors
/// If a file cannot be read or says nothing.
pub(crate) fn of(kb: &Kb, command: &Command) -> Result<(RawRequest, Notes), Failure> {
    let (name, positional, question) = match command {
        Command::Solve(a) => ("solve", &a.wants, &a.question),
        Command::Check(a) => ("check", &a.wants, &a.question),
        Command::Why(a) => (
            if spelled(&a.what).iter().any(|w| w.contains(['=', '<', '>']) || files::is_command(w)) {
                "check"
            } else {
                "solve"
            },
            &a.what,
            &a.question,
        ),
        _ => return Err(Diagnostic::error("usage", "this command asks no question").into()),
    };
    let mut notes = Notes::default();
    let question = &spelling::question(kb, question)?;
    if let Some(today) = &question.today {
        kb_data::lint::day(today)
            .map_err(|d| Diagnostic { message: format!("--today: {}", d.message), ..d })?;
    }
    let mut raw = typed(name, question);
    let typed_channels = !raw.channels.is_empty();
    // The machine first: markers hang on it. What files say goes before what was observed.
    let toolkit = match &question.facts {
        Some(path) => facts::fill(kb, &mut raw, path, &mut notes)?,
        None => None,
    };
    for gpu in &mut raw.gpus {
        *gpu = spelling::gpu(kb, gpu);
    }
    fill_from_machine(&mut raw, question.here, &mut notes);
    let environment = Environment::of(&raw);
    let mut stated = Stated::of(question);
    let mut mistakes: Vec<Diagnostic> = Vec::new();
    let mut places: Vec<(&String, Places)> = Vec::new();
    let mut requirements: Vec<String> = match command {
        Command::Check(a) => a.requirement.clone(),
        _ => Vec::new(),
    };
    let (commands, positional): (Vec<String>, Vec<String>) =
        spelled(positional).into_iter().partition(|t| files::is_command(t));
    for text in &commands {
        let (read, named) = files::command(kb, text, &environment, &mut notes)?;
        requirements.extend(named);
        notes.left_out.extend(read.left_out);
        read.wants.iter().for_each(|want| stated.want(kb, want));
        stated.say("cudnn", text, read.cudnn.as_deref());
        stated.say("python", text, read.python.as_deref());
        raw.wants.extend(read.wants);
        for (slot, value, option) in
            [(&mut raw.cudnn, read.cudnn, "cudnn"), (&mut raw.python, read.python, "python")]
        {
            prefer(slot, value, option, &mut raw.assumed);
        }
        places.push((text, read.places));
    }
    let files = positional.iter().filter(|t| name == "check" && files::is_file(t)).map(|t| (t, false));
    for (path, known_format) in files.chain(requirements.iter().map(|r| (r, true))) {
        if path == "-" && question.facts.as_deref().is_some_and(|f| f.as_os_str() == "-") {
            return Err(Diagnostic::error("usage", "standard input is named twice")
                .help("save one of the two in a file")
                .into());
        }
        let read = files::read(kb, path, known_format, &environment, &mut notes)?;
        notes.left_out.extend(read.left_out);
        read.wants.iter().for_each(|want| stated.want(kb, want));
        stated.say("cudnn", path, read.cudnn.as_deref());
        stated.say("python", path, read.python.as_deref());
        raw.wants.extend(read.wants);
        for (slot, value, option) in [
            (&mut raw.cuda, read.cuda, "cuda"),
            (&mut raw.cudnn, read.cudnn, "cudnn"),
            (&mut raw.python, read.python, "python"),
        ] {
            if prefer(slot, value, option, &mut raw.assumed) {
                notes.origins.retain(|o| o.option != option);
                notes.origins.push(Origin { option, place: path.clone() });
            }
        }
        places.push((path, read.places));
    }
    let of_files = raw.wants.len();
    raw.exact_extras = of_files > 0;
    let arguments = positional.iter().filter(|t| !(name == "check" && files::is_file(t)));
    for text in arguments.chain(&question.want) {
        match files::argument(text, &environment, &mut notes) {
            Ok(Some(want)) => {
                stated.want(kb, &want);
                raw.wants.push(want);
            }
            Ok(None) => {}
            Err(mistake) => mistakes.push(mistake),
        }
    }
    mistakes.extend(stated.contradictions());
    if !mistakes.is_empty() {
        return Err(mistakes.into());
    }
    if !typed_channels {
        let free = raw.wants[of_files..].iter().any(|want| is_installed(kb, want));
        raw.exact_extras &= !free;
        channels(kb, &mut raw, places, free, &mut notes);
    }
    if raw.wants.is_empty() && !notes.left_out.is_empty() {
        let list: Vec<&str> = notes.left_out.iter().take(6).map(|l| l.text.as_str()).collect();
        return Err(Diagnostic::error(
            "nothing-to-check",
            format!("all of it was left out: {}", list.join(", ")),
        )
        .help(if notes.left_out.iter().any(|l| l.why == environment.not_here()) {
            "its markers are for another system or Python: say --os or --python"
        } else {
            "name packages: kb check torch==2.9.1+cu126 --gpu rtx3090"
        })
        .into());
    }
    if name == "check"
        && raw.wants.is_empty()
        && [&raw.cuda, &raw.cudnn, &raw.driver].iter().all(|o| o.is_none())
        && question.facts.is_none()
    {
        return Err(Diagnostic::error("nothing-to-check", "there is nothing to check")
            .help(
                "name what is to be judged: kb check torch==2.9.1+cu126 --gpu rtx3090, or a requirements.txt",
            )
            .into());
    }
    if let Some(toolkit) = toolkit
        && !raw.wants.iter().any(|w| w.starts_with("cuda-toolkit"))
        && !raw.wants.is_empty()
    {
        raw.wants.push(format!("cuda-toolkit=={toolkit}"));
    }
    Ok((raw, notes))
}

/// The channels of the files. A question has channels for all of its packages: where one of them is `free`, because it
/// was typed or because nobody knows where it comes from, none is held to the index that the tools take by default.
fn channels(kb: &Kb, raw: &mut RawRequest, places: Vec<(&String, Places)>, free: bool, notes: &mut Notes) {
    let free = free || places.iter().any(|(_, p)| p.open);
    let conda = places.iter().any(|(_, p)| p.conda_framework);
    let of_conda = |id: &str| kb.channel(id).is_some_and(|c| &*kb.channels[c].kind == "conda");
    // A framework of conda is never judged by a wheel; a library of conda keeps nothing else from being free.
    let counts = |id: &String| if conda { id != "pypi" } else { !free || !of_conda(id) };
    let mut defaults = Vec::new();
    for (path, place) in places {
        raw.channels.extend(place.channels.into_iter().filter(counts));
        defaults.extend((place.by_default && !conda).then(|| path.clone()));
        if conda && place.by_pip {
            notes.push("ui-file-conda-first", vec![("file", path.clone())]);
        }
    }
    let mut seen = HashSet::new();
    raw.channels.retain(|c| seen.insert(c.clone()));
    if free || defaults.is_empty() {
        return;
    }
    if seen.insert("pypi".to_owned()) {
        raw.channels.insert(0, "pypi".to_owned());
        raw.assumed.push("channel".to_owned());
    }
    notes.said.extend(defaults.into_iter().map(|file| ("ui-file-no-index", vec![("file", file)])));
}

/// Is this a requirement on something that comes from a channel?
fn is_installed(kb: &Kb, want: &str) -> bool {
    let plain = want.split('+').next().unwrap_or(want);
    let Ok(requirement) = plain.parse::<kb_core::pep::Requirement>() else { return true };
    kb_core::request::resolve::package(kb, &requirement.name)
        .is_ok_and(|p| kb.packages[p].kind != PackageKind::System)
}

/// The arguments in their plain spelling.
fn spelled(arguments: &[String]) -> Vec<String> {
    let plain: Vec<String> = arguments.iter().map(|t| spelling::plain(t)).collect();
    spelling::requirements(&plain)
}

/// What a file says goes before what was observed, not before what was typed.
fn prefer(slot: &mut Option<String>, read: Option<String>, name: &str, assumed: &mut Vec<String>) -> bool {
    let takes = read.is_some() && (slot.is_none() || assumed.iter().any(|a| a == name));
    if takes {
        *slot = read;
        assumed.retain(|a| a != name);
    }
    takes
}

/// What is stated of the parts of which a machine has one: part, where it is said, version.
#[derive(Default)]
struct Stated {
    said: Vec<(&'static str, String, String)>,
    seen: HashSet<(&'static str, String)>,
}

impl Stated {
    fn of(question: &Question) -> Stated {
        let mut out = Stated::default();
        for (part, option, value) in [
            ("python", "--python", &question.python),
            ("nvidia-driver", "--driver", &question.driver),
            ("cudnn", "--cudnn", &question.cudnn),
        ] {
            out.say(part, option, value.as_deref());
        }
        out
    }

    fn say(&mut self, part: &'static str, place: &str, version: Option<&str>) {
        // A set is no statement of one version.
        let plain = version.map(|v| v.trim().trim_start_matches("==").trim_start_matches(['v', 'V']).trim());
        let plain = plain.map(|v| v.trim_end_matches(".*").trim_end_matches(".x"));
        let exact = |v: &&str| !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if let Some(version) = plain.filter(exact) {
            let version = if part == "python" { files::dotted(version) } else { version.to_owned() };
            // Files repeat themselves; once is enough to contradict.
            if self.seen.insert((part, version.clone())) {
                self.said.push((part, place.to_owned(), version));
            }
        }
    }

    /// A requirement on one of these parts.
    fn want(&mut self, kb: &Kb, text: &str) {
        let Ok(requirement) = text.parse::<kb_core::pep::Requirement>() else { return };
        let Some(version) = requirement.specifier.strip_prefix("==") else { return };
        let Ok(package) = kb_core::request::resolve::package(kb, &requirement.name) else { return };
        let part = match &*kb.packages[package].id {
            "python" => "python",
            "nvidia-driver" => "nvidia-driver",
            "cudnn" => "cudnn",
            "cuda-toolkit" | "cuda" => "cuda-toolkit",
            _ => return,
        };
        self.say(part, text, Some(version));
    }

    /// Two statements differ unless one is the beginning of the other: 3.12 and 3.12.4 do not.
    fn contradictions(&self) -> Vec<Diagnostic> {
        let mut out: Vec<Diagnostic> = Vec::new();
        for (index, (part, place, version)) in self.said.iter().enumerate() {
            let earlier = self.said[..index].iter().find(|(p, _, v)| {
                let (mut a, mut b) = (v.split('.'), version.split('.'));
                let differ = loop {
                    match (a.next(), b.next()) {
                        (Some(x), Some(y)) if x.trim_start_matches('0') != y.trim_start_matches('0') => {
                            break true;
                        }
                        (Some(_), Some(_)) => {}
                        _ => break false,
                    }
                };
                p == part && differ
            });
            if let Some((_, first, other)) = earlier {
                out.push(
                    Diagnostic::error(
                        "contradiction",
                        format!(
                            "two versions of {part} are stated: {other} ({first}) and {version} ({place})"
                        ),
                    )
                    .help("a machine has one of them; drop the other"),
                );
            }
        }
        out
    }
}

fn typed(command: &str, q: &Question) -> RawRequest {
    RawRequest {
        command: command.to_owned(),
        gpus: q.gpu.clone(),
        gpus_mode: q.gpus.clone(),
        os: q.os.clone(),
        arch: q.arch.clone(),
        glibc: q.glibc.clone(),
        driver: q.driver.clone(),
        cuda: q.cuda.clone(),
        cudnn: q.cudnn.clone(),
        python: q.python.clone(),
        channels: q.channel.clone(),
        policy: q.policy.clone(),
        today: q.today.clone(),
        ..RawRequest::default()
    }
}

/// The system is always known; the processor goes with it, Python and glibc only where asked for.
fn fill_from_machine(raw: &mut RawRequest, here: bool, notes: &mut Notes) {
    let own_system = raw.os.is_none();
    if own_system {
        raw.os = Some(machine::os().to_owned());
        raw.assumed.push("os".to_owned());
    }
    if raw.arch.is_none()
        && own_system
        && let Some(arch) = machine::arch().filter(|a| here || *a != "x86_64")
    {
        raw.arch = Some(arch.to_owned());
        raw.assumed.push("arch".to_owned());
    }
    if !here {
        return;
    }
    if raw.python.is_none()
        && let Some(python) = machine::python()
    {
        raw.python = Some(python);
        raw.assumed.push("python".to_owned());
    }
    if own_system
        && raw.glibc.is_none()
        && let Some(glibc) = machine::glibc()
    {
        raw.glibc = Some(glibc);
        raw.assumed.push("glibc".to_owned());
    }
    if raw.gpus.is_empty() || raw.driver.is_none() {
        notes.push("ui-here-no-probe", Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: Vec<Places>, free: bool) -> (Vec<String>, Vec<String>, usize) {
        let kb = kb_data::builtin();
        let path = "a".to_owned();
        let (mut raw, mut notes) = (RawRequest::default(), Notes::default());
        channels(&kb, &mut raw, places.into_iter().map(|p| (&path, p)).collect(), free, &mut notes);
        (raw.channels, raw.assumed, notes.said.len())
    }

    fn place(channels: &[&str], by_default: bool, open: bool, conda_framework: bool) -> Places {
        let channels = channels.iter().map(|c| (*c).to_owned()).collect();
        Places { channels, by_default, open, conda_framework, by_pip: by_default, ..Places::default() }
    }

    #[test]
    fn channels_of_several_files() {
        let default = || place(&[], true, false, false);
        let mixed = || place(&["conda-other"], true, false, false);
        let conda = || place(&["conda-other"], false, false, true);
        let cu126 = || place(&["pypi", "pytorch-cu126"], false, false, false);
        let pypi = vec!["pypi".to_owned()];
        let assumed = vec!["channel".to_owned()];
        assert_eq!(of(vec![default(), default()], false), (pypi, assumed.clone(), 2));
        assert_eq!(of(vec![default(), place(&[], false, true, false)], false).0, [] as [&str; 0]);
        assert_eq!(of(vec![default()], true), (Vec::new(), Vec::new(), 0));
        assert_eq!(of(vec![mixed()], false).0, ["pypi", "conda-other"]);
        assert_eq!(of(vec![mixed()], true).0, [] as [&str; 0]);
        assert_eq!(of(vec![default(), cu126()], false).0, ["pypi", "pytorch-cu126"]);
        assert!(of(vec![default(), cu126()], false).1.is_empty());
        for free in [false, true] {
            let both = of(vec![conda(), default(), cu126()], free);
            assert_eq!(both, (vec!["conda-other".to_owned(), "pytorch-cu126".to_owned()], Vec::new(), 1));
        }
    }
}
