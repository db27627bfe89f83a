//! Dockerfile: the base image of the last stage, and what is installed on top of it.

mod instruction;

use super::found::{Asked, Found, LeftOut, Origin, Sentence};
use super::installs::{self, Installs};
use super::marker::Environment;
use super::shell::{Command, Word, words};
use super::variables::{Open, Variables};
use instruction::{Instruction, instructions};
use kb_core::decode::{Meaning, decode};
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::request::names::Names;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A stage: what its FROM names, and its instructions.
struct Stage {
    line: usize,
    /// The image, or an earlier stage.
    image: Word,
    parent: Option<usize>,
    body: Vec<Instruction>,
}

/// Reads what the image holds that the file builds: its last stage and the stages that one begins with.
pub(super) fn read(kb: &Kb, path: &str, text: &str, environment: &Environment) -> Found {
    let mut globals = Variables::default();
    let (stages, names) = stages(text, &mut globals);
    let mut chain = Vec::new();
    let mut next = stages.len().checked_sub(1);
    while let Some(index) = next {
        chain.push(index);
        next = stages[index].parent;
    }
    let mut reader = Reader {
        kb,
        names: Names::of(kb),
        path,
        environment,
        globals,
        set: Variables::default(),
        found: Found::default(),
        by_package: HashMap::new(),
        replaced: BTreeSet::new(),
    };
    let installing = installing(&stages);
    let mut copied = HashSet::new();
    for index in chain.iter().rev() {
        let stage = &stages[*index];
        if stage.parent.is_none() {
            reader.base(stage);
        }
        for instruction in &stage.body {
            if matches!(&*instruction.word, "COPY" | "ADD")
                && let Some(other) = from_stage(instruction, &names)
                && installing[other]
                && copied.insert(other)
            {
                let text = format!("{} {}", instruction.word, instruction.rest);
                reader.leave(instruction.line, &text, Sentence::new("left-stage"));
            }
            reader.instruction(instruction);
        }
    }
    reader.finish()
}

/// The stages in their order, and their names.
fn stages(text: &str, globals: &mut Variables) -> (Vec<Stage>, HashMap<String, usize>) {
    let mut stages: Vec<Stage> = Vec::new();
    let mut names: HashMap<String, usize> = HashMap::new();
    for instruction in instructions(text) {
        if instruction.word == "FROM" {
            let line = words(&instruction.rest, globals);
            let mut line = line.into_iter().skip_while(|w| w.text.starts_with("--"));
            let image = line.next().unwrap_or_default();
            let named = line.next().is_some_and(|w| w.text.eq_ignore_ascii_case("as"));
            let stage = names.get(&image.text.to_ascii_lowercase()).copied();
            let parent = stage.filter(|_| image.open.is_none());
            if let Some(name) = line.next().filter(|_| named) {
                names.insert(name.text.to_ascii_lowercase(), stages.len());
            }
            names.insert(stages.len().to_string(), stages.len());
            stages.push(Stage { line: instruction.line, image, parent, body: Vec::new() });
        } else if let Some(stage) = stages.last_mut() {
            stage.body.push(instruction);
        } else if instruction.word == "ARG" {
            argument(&instruction.rest, globals, None);
        }
    }
    (stages, names)
}

/// The stage that `COPY --from=` names.
fn from_stage(instruction: &Instruction, names: &HashMap<String, usize>) -> Option<usize> {
    let mut flags = instruction.rest.split_whitespace().take_while(|w| w.starts_with("--"));
    let name = flags.find_map(|w| w.strip_prefix("--from="))?;
    names.get(&name.to_ascii_lowercase()).copied()
}

/// Which stages install anything, themselves or with the one they begin with.
fn installing(stages: &[Stage]) -> Vec<bool> {
    let mut out: Vec<bool> = Vec::with_capacity(stages.len());
    for stage in stages {
        let runs = stage.body.iter().filter(|i| i.word == "RUN");
        let own = runs.flat_map(|i| i.documents.iter().chain([&i.rest])).any(|t| installs::mentions(t));
        out.push(own || stage.parent.is_some_and(|p| out[p]));
    }
    out
}

/// `ARG NAME` or `ARG NAME=default`; without a default, one that was set before the first FROM counts.
fn argument(rest: &str, variables: &mut Variables, globals: Option<&Variables>) {
    for word in words(rest, variables) {
        match word.written.split_once('=') {
            Some((name, _)) => {
                let value = word.text.split_once('=').map_or("", |(_, v)| v).to_owned();
                variables.set(name, word.open.map_or(Ok(value), Err));
            }
            None => {
                let outer =
                    globals.map(|g| g.value(&word.text)).filter(|v| !matches!(v, Err(Open::Variable(_))));
                let value = outer.unwrap_or_else(|| Err(Open::Argument(word.text.clone())));
                variables.set(&word.text, value);
            }
        }
    }
}

struct Reader<'a> {
    kb: &'a Kb,
    names: Names<'a>,
    path: &'a str,
    environment: &'a Environment,
    globals: Variables,
    set: Variables,
    found: Found,
    /// Where each package is asked for, and what a later command replaced.
    by_package: HashMap<usize, Vec<usize>>,
    replaced: BTreeSet<usize>,
}

impl Reader<'_> {
    fn leave(&mut self, line: usize, text: &str, why: Sentence) {
        self.found.left_out.push(LeftOut { line: Some(line), ..LeftOut::new(text, why) });
    }

    /// What the base image brings.
    fn base(&mut self, stage: &Stage) {
        let image = &*stage.image.text;
        let written = format!("FROM {}", stage.image.written);
        if let Some(open) = &stage.image.open {
            return self.leave(stage.line, &written, open.why());
        }
        if image == "scratch" {
            return;
        }
        let readings = decode(self.kb, image);
        let Some(reading) = readings.iter().find(|r| r.kind == "docker-tag") else {
            return self.leave(stage.line, &format!("FROM {image}"), Sentence::new("left-image"));
        };
        let text = |key: &str| match reading.means.get(key) {
            Some(Meaning::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let package = text("package").filter(|p| p != "cuda-toolkit");
        let framework =
            package.zip(text("version")).map(|(package, version)| format!("{package}=={version}"));
        let exact = |key: &str, package: &str| {
            text(key).filter(|v| v.contains('.')).map(|version| format!("{package}=={version}"))
        };
        let parts = [framework, exact("cuda", "cuda-toolkit"), exact("cudnn", "cudnn")];
        let line = Some(stage.line);
        let asked = |text| Asked { line, origin: Origin::Image, ..Asked::from(text) };
        self.found.requirements.extend(parts.into_iter().flatten().map(asked));
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match &*instruction.word {
            "ARG" => argument(&instruction.rest, &mut self.set, Some(&self.globals)),
            "ENV" => self.env(&instruction.rest),
            "RUN" => {
                let before = self.found.requirements.len();
                self.run(instruction);
                self.set.leave();
                self.replace(before);
            }
            _ => {}
        }
    }

    /// `ENV NAME=value …`, or `ENV NAME the value`.
    fn env(&mut self, rest: &str) {
        let list = words(rest, &mut self.set);
        let Some(first) = list.first() else { return };
        if !first.written.contains('=') {
            let value = rest.split_once(char::is_whitespace).map_or("", |(_, value)| value.trim());
            let value = self.set.fill(value);
            return self.set.set(&first.text, value);
        }
        for word in list {
            let Some((name, value)) = word.text.split_once('=') else { continue };
            self.set.set(name, word.open.clone().map_or(Ok(value.to_owned()), Err));
        }
    }

    fn run(&mut self, instruction: &Instruction) {
        let mut rest = &*instruction.rest;
        // --mount, --network, --security
        while let Some(flag) = rest.strip_prefix("--") {
            rest = flag.split_once(char::is_whitespace).map_or("", |(_, after)| after.trim_start());
        }
        let (path, line) = (self.path, instruction.line);
        // What a command sets is forgotten when it ends.
        self.set.enter();
        let set = &mut self.set;
        let mut reader =
            Installs { environment: self.environment, found: &mut self.found, path, line, files: None };
        if rest.starts_with('[')
            && let Ok(list) = serde_json::from_str::<Vec<String>>(rest)
        {
            let words = list.into_iter().map(Word::from).collect();
            reader.command(&Command { words, certain: true, ..Command::default() }, set, 0);
            return;
        }
        reader.script(rest, set, 0);
        for document in &instruction.documents {
            let head = rest.split("<<").next().unwrap_or_default().trim();
            let shebang = document.lines().next().and_then(|l| l.strip_prefix("#!"));
            let shell = match shebang {
                Some(line) if head.is_empty() => line.split_whitespace().any(installs::is_shell),
                _ => head.is_empty() || head.split_whitespace().any(installs::is_shell),
            };
            if shell {
                reader.script(document, set, 0);
            } else if installs::mentions(document) {
                let text = format!("RUN {rest}");
                let why = Sentence::new("left-document");
                reader.found.left_out.push(LeftOut { line: Some(line), ..LeftOut::new(text, why) });
            }
        }
    }

    /// A later command that pins a package replaces what an earlier one installed of it.
    fn replace(&mut self, before: usize) {
        let mut own = Vec::new();
        for (index, asked) in self.found.requirements.iter().enumerate().skip(before) {
            let plain = asked.text.split('+').next().unwrap_or_default();
            let Ok(requirement) = plain.parse::<Requirement>() else { continue };
            if let Some(package) = self.names.find(&requirement.name) {
                own.push((package, index, requirement.exact().is_some()));
            }
        }
        for (package, _, _) in own.iter().filter(|(_, _, exact)| *exact) {
            self.replaced.extend(self.by_package.remove(package).unwrap_or_default());
        }
        for (package, index, _) in own {
            self.by_package.entry(package).or_default().push(index);
        }
    }

    /// What the image holds in the end.
    fn finish(mut self) -> Found {
        let mut index = 0;
        let mut replaced = Vec::new();
        self.found.requirements.retain(|asked| {
            index += 1;
            let stays = !self.replaced.contains(&(index - 1));
            if !stays {
                replaced.push(asked.clone());
            }
            stays
        });
        // The same once more replaces nothing.
        let staying: HashSet<&str> = self.found.requirements.iter().map(|r| &*r.text).collect();
        for asked in replaced.into_iter().filter(|r| !staying.contains(&*r.text)) {
            let why = Sentence::new("left-replaced");
            self.found.left_out.push(LeftOut { line: asked.line, ..LeftOut::new(asked.text, why) });
        }
        self.found
    }
}
