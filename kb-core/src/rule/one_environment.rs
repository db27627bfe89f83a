//! Several packages in one environment: one CUDA major, requirements that meet, no two distributions on the same paths.
//!
//! pip does not see most of this: the cu12 and cu13 wheels of one library install to the same paths, and the second
//! overwrites the first without a word.

use super::{Context, Edges, Sink, join, one};
use crate::fact::FactId;
use crate::pep::{self, Requirement, Version};
use crate::reason::{Reason, RuleId};
use crate::version::Interpreters;
use crate::world::read::rows;
use crate::world::{Build, BuildKind, Facts, Libraries, Release};

/// One package as it would be installed: a build, or a release of something that has no builds of its own here.
#[derive(Clone, Debug)]
pub(crate) struct Pick<'w> {
    /// Index in the catalogue.
    pub package: usize,
    /// Its version; `None` when nobody has recorded a release and the question names none.
    pub version: Option<Version>,
    /// Its build; `None` for a package of which nothing else is recorded.
    pub build: Option<&'w Build>,
    /// How it is written: `torch 2.9.1 (pypi)`.
    pub label: String,
    /// Of a library beside a framework, the local label that the question names: `cu126`.
    pub local: Option<String>,
}

impl<'w> Pick<'w> {
    fn requires(&self) -> &'w [(Requirement, FactId)] {
        self.build.map(|b| b.requires.as_slice()).unwrap_or_default()
    }

    /// Interpreters that can install it.
    pub(crate) fn interpreters(&self) -> Interpreters {
        self.build.map_or(Interpreters::ALL, |b| b.interpreters)
    }

    /// The same with those about which nobody knows.
    pub(crate) fn interpreters_open(&self) -> Interpreters {
        self.build.map_or(Interpreters::ALL, |b| b.interpreters_open)
    }
}

/// The CUDA release of a build: the one it was made with, else the least that it accepts.
pub(crate) fn cuda_of(build: &Build) -> Option<(crate::version::CudaVersion, Facts)> {
    match (&build.cuda, &build.accepts_cuda) {
        (Some(made), _) => Some((made.value, made.facts.clone())),
        (None, Some(accepted)) => accepted
            .value
            .lowest()
            .map(|v| (crate::version::CudaVersion(v.prefix(1)), accepted.facts.clone())),
        (None, None) => None,
    }
}

/// The interpreters with which requirements of a pair are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pythons {
    /// The one of the question, or those that can install all.
    possible: Interpreters,
    /// Those of them with which something else is broken already.
    broken: Interpreters,
}

impl Pythons {
    /// Those of a pair, or of a whole environment; `set` says which count for each.
    pub(crate) fn of<'a, 'w: 'a>(
        context: &Context<'w>,
        picks: impl IntoIterator<Item = &'a Pick<'w>>,
        set: fn(&Pick<'w>) -> Interpreters,
    ) -> Pythons {
        let possible = match context.request.python {
            Some(python) => Interpreters::only(python),
            None => picks.into_iter().fold(Interpreters::ALL, |all, p| all.and(set(p))),
        };
        // Where none is left, that is what is wrong.
        let possible = if possible.is_empty() { Interpreters::ALL } else { possible };
        Pythons { possible, broken: Interpreters::NONE }
    }

    /// The same where something is broken with some of them.
    pub(crate) fn broken(self, with: Interpreters) -> Pythons {
        Pythons { broken: self.broken.or(with), ..self }
    }
}

/// The links between two packages.
pub(crate) fn between<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>, pythons: Pythons) -> Edges<'w> {
    let mut edges = Edges::new();
    let mut out = Sink { edges: &mut edges, hand: super::OnHand::default() };
    majors(a, b, &mut out);
    modules(context, a, b, &mut out);
    let (pins, paths) = (requirements(context, a, b), paths(context, a, b));
    let pythons = pythons.broken(unmet(&pins).or(unmet(&paths)));
    put(pins, pythons, &mut out);
    unknown(a, b, &mut out);
    put(paths, pythons, &mut out);
    labels(context, a, b, &mut out);
    edges
}

/// A library with a local label is compiled against the framework's build of that label.
fn labels<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>, out: &mut Sink<'_, 'w>) {
    for (library, framework) in [(a, b), (b, a)] {
        let (Some(local), Some(build)) = (&library.local, framework.build) else { continue };
        let name = &*context.world.kb.packages[framework.package].id;
        let Some((_, fact)) = library.requires().iter().find(|(r, _)| r.name == name) else { continue };
        let label = match (&build.label, build.kind, &build.cuda) {
            (Some(label), ..) => label.to_string(),
            (None, BuildKind::Cpu, _) => "cpu".to_owned(),
            (None, BuildKind::Cuda, Some(made)) => format!("cu{}", made.value.prefix(2)).replace('.', ""),
            _ => continue,
        };
        if !local.eq_ignore_ascii_case(&label) {
            let facts = join([&one(*fact), &build.facts]);
            let (a, b) = (library.label.clone(), framework.label.clone());
            out.fail(RuleId::OneEnvironment, Reason::OtherLabel { a, b, label }, facts);
        }
    }
}

fn majors<'w>(a: &Pick<'w>, b: &Pick<'w>, out: &mut Sink<'_, 'w>) {
    let (Some(first), Some(second)) = (a.build.and_then(cuda_of), b.build.and_then(cuda_of)) else { return };
    let facts = join([&first.1, &second.1]);
    if first.0.major() == second.0.major() {
        let reason = Reason::SameMajor { a: a.label.clone(), b: b.label.clone(), major: first.0.major() };
        out.pass(RuleId::OneEnvironment, reason, facts);
    } else {
        let reason =
            Reason::TwoMajors { a: a.label.clone(), a_cuda: first.0, b: b.label.clone(), b_cuda: second.0 };
        out.fail(RuleId::OneEnvironment, reason, facts);
    }
}

fn modules<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>, out: &mut Sink<'_, 'w>) {
    if a.package == b.package {
        return;
    }
    let kb = context.world.kb;
    let names = |p: &Pick<'w>| kb.packages[p.package].import_name.as_deref();
    if let (Some(module), Some(other)) = (names(a), names(b))
        && module == other
    {
        let fact_of = |p: &Pick<'w>| {
            let id = &*kb.packages[p.package].id;
            rows(kb, "import-name", ["package"])
                .find(|(_, row)| row.text(0) == Some(id))
                .map(|(fact, _)| fact)
        };
        let facts = [a, b].into_iter().filter_map(fact_of).collect();
        let reason = Reason::SameModule { a: a.label.clone(), b: b.label.clone(), module };
        out.fail(RuleId::OneEnvironment, reason, facts);
    }
}

/// Whether a requirement of one package is met by another, or two on a third meet.
struct Met<'w> {
    /// The interpreters with which both hold.
    when: Interpreters,
    met: bool,
    reason: Reason<'w>,
    facts: Facts,
}

/// What two packages require of each other, and of what both require.
fn requirements<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>) -> Vec<Met<'w>> {
    let kb = context.world.kb;
    let mut out = Vec::new();
    // A package of the question against what the other one requires of it.
    for (by, of) in [(a, b), (b, a)] {
        let name = &*kb.packages[of.package].id;
        for (requirement, fact) in by.requires().iter().filter(|(r, _)| r.name == name) {
            let Some(version) = &of.version else { continue };
            let (wants, have) = (requirement.wanted(), format!("{name} {version}"));
            let by = by.label.clone();
            let met = requirement.accepts(version);
            let reason = if met {
                Reason::PinFits { by, wants, have }
            } else {
                Reason::PinBroken { by, wants: format!("{name}{wants}"), have }
            };
            out.push(Met { when: requirement.when, met, reason, facts: one(*fact) });
        }
    }
    // What both require of a third.
    for (first, fact) in a.requires() {
        for (second, other) in b.requires().iter().filter(|(r, _)| r.name == first.name) {
            let releases = kb.package(&first.name).map(|index| &*context.world.package(index).releases);
            let met = first.meets(second, releases.unwrap_or_default().iter().map(Release::version));
            let reason = if met {
                Reason::PinsMeet { package: first.name.to_string() }
            } else {
                Reason::PinsApart {
                    package: first.name.to_string(),
                    a: a.label.clone(),
                    a_wants: first.wanted(),
                    b: b.label.clone(),
                    b_wants: second.wanted(),
                }
            };
            let facts = [*fact, *other].into_iter().collect();
            out.push(Met { when: first.when.and(second.when), met, reason, facts });
        }
    }
    out
}

fn unmet(all: &[Met<'_>]) -> Interpreters {
    all.iter().filter(|m| !m.met).fold(Interpreters::NONE, |set, m| set.or(m.when))
}

/// The interpreters with which two packages do not go together for what they require.
pub(crate) fn broken<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>) -> Interpreters {
    unmet(&requirements(context, a, b)).or(unmet(&paths(context, a, b)))
}

fn put<'w>(all: Vec<Met<'w>>, pythons: Pythons, out: &mut Sink<'_, 'w>) {
    // With one interpreter or another each of the possible ones has to be out before it is a no.
    let none_left = pythons.possible.within(pythons.broken);
    for Met { when, met, reason, facts } in all {
        if met && pythons.possible.within(when) {
            out.pass(RuleId::OneEnvironment, reason, facts);
        } else if !met && none_left && !when.and(pythons.possible).is_empty() {
            out.fail(RuleId::OneEnvironment, reason, facts);
        }
    }
}

/// Two of which one pulls NVIDIA's wheels without saying which.
fn unknown<'w>(a: &Pick<'w>, b: &Pick<'w>, out: &mut Sink<'_, 'w>) {
    for pick in [a, b] {
        let Some(build) = pick.build else { continue };
        let other = if std::ptr::eq(pick, a) { b } else { a };
        // Where nobody says where a build's libraries come from, it may pull them.
        let may_pull = |b: &Build| {
            b.kind == BuildKind::Cuda
                && b.libraries.as_ref().is_none_or(|l| l.value == Libraries::NvidiaWheels)
        };
        if may_pull(build)
            && other.build.is_none_or(may_pull)
            && !build.requires_known
            && build.accepts_cudnn.is_none()
        {
            out.unknown(
                RuleId::OneEnvironment,
                Reason::PinsUnknown { a: pick.label.clone() },
                build.facts.clone(),
            );
        }
    }
}

/// What a build requires, and what it pins requires in turn, can rule out the build itself or each other.
pub(super) fn itself<'w>(context: &Context<'w>, build: &'w Build, out: &mut Sink<'_, 'w>) {
    if build.requires_clashes.is_empty() {
        return;
    }
    let possible = context.request.python.map_or(build.interpreters_open, Interpreters::only);
    if !possible.within(build.clashing()) {
        return;
    }
    let label = crate::answer::sentence::build_name(context.world, build);
    for (first, second) in &build.requires_clashes {
        let (Some((wants, fact)), Some((against, other))) =
            (build.requires.get(usize::from(*first)), build.requires.get(usize::from(*second)))
        else {
            continue;
        };
        if wants.when.and(against.when).and(possible).is_empty() {
            continue;
        }
        let reason = if first == second {
            Reason::PinBroken {
                by: label.clone(),
                wants: format!("{}{}", wants.name, wants.wanted()),
                have: label.clone(),
            }
        } else {
            Reason::PinsApart {
                package: wants.name.to_string(),
                a: label.clone(),
                a_wants: wants.wanted(),
                b: label.clone(),
                b_wants: against.wanted(),
            }
        };
        out.fail(RuleId::OneEnvironment, reason, [*fact, *other].into_iter().collect());
    }
}

/// Would pip refuse to install the two together? It sees what they require, and nothing else of this.
pub(crate) fn installer_refuses<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>) -> bool {
    let unmet = unmet(&requirements(context, a, b));
    Pythons::of(context, [a, b], Pick::interpreters).possible.within(unmet)
}

/// Wheels that the two bring and that install to the same paths.
fn paths<'w>(context: &Context<'w>, a: &Pick<'w>, b: &Pick<'w>) -> Vec<Met<'w>> {
    let kb = context.world.kb;
    let mut out = Vec::new();
    for (fact, row) in rows(kb, "shared-paths", ["packages", "files", "versions"]) {
        let (packages, versions) = (row.texts(0), row.texts(2));
        // With which interpreters a pick brings a package: a release that is known has to be one of those that were
        // found to share.
        let brings = |p: &Pick<'w>, name: &str| {
            let range = packages.iter().position(|n| *n == name).and_then(|at| versions.get(at));
            let shares = |version: Option<&Version>| match (version, range) {
                (Some(version), Some(range)) => pep::contains(&pep::alternatives(range), version),
                _ => true,
            };
            if *kb.packages[p.package].id == *name && shares(p.version.as_ref()) {
                return Interpreters::ALL;
            }
            let pulled = p.requires().iter().filter(|(r, _)| r.name == name && shares(r.exact()));
            pulled.fold(Interpreters::NONE, |set, (r, _)| set.or(r.when))
        };
        for (i, first) in packages.iter().enumerate() {
            for second in packages.iter().skip(i + 1) {
                let one_way = brings(a, first).and(brings(b, second));
                let when = one_way.or(brings(a, second).and(brings(b, first)));
                if !when.is_empty() {
                    let reason = Reason::SameFiles {
                        a: (*first).to_owned(),
                        b: (*second).to_owned(),
                        files: row.texts(1).join(", "),
                    };
                    out.push(Met { when, met: false, reason, facts: one(fact) });
                }
            }
        }
    }
    out
}
