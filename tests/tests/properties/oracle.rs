//! What the pages in `rules/` say, tried by brute force: every build against every constraint, and for several wants
//! every combination. No joins, no indexes, no sharing; nothing here calls the engine.

use super::model::*;

mod environment;

/// The worst of several is the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum V {
    Yes,
    Unknown,
    No,
}
use V::{No, Unknown, Yes};

fn sure(yes: bool) -> V {
    if yes { Yes } else { No }
}

fn all(values: impl IntoIterator<Item = V>) -> V {
    values.into_iter().max().unwrap_or(Yes)
}

fn any(values: impl IntoIterator<Item = V>) -> V {
    values.into_iter().min().unwrap_or(No)
}

/// Something that could be installed: a build, or a release of the plain library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub package: usize,
    pub release: Rel,
    /// Position among the release's builds.
    pub build: Option<usize>,
}

/// A world and a question with one set of GPUs that must all be served.
#[derive(Clone, Copy)]
pub struct Oracle<'a> {
    pub world: &'a World,
    pub question: &'a Question,
    pub gpus: &'a [Hardware],
}

/// The verdict on the whole question.
pub fn verdict(case: &Case) -> V {
    let (world, question) = (&case.world, &case.question);
    if question.any && question.hardware.len() > 1 {
        return any(question
            .hardware
            .iter()
            .map(|gpu| Oracle { world, question, gpus: std::slice::from_ref(gpu) }.verdict()));
    }
    Oracle { world, question, gpus: &question.hardware }.verdict()
}

/// Is the question itself without mistakes? A board whose capability nobody recorded cannot be asked about.
pub fn asked_well(case: &Case) -> bool {
    case.question.hardware.iter().all(|h| match h {
        Hardware::Board(i) => case.world.gpus[*i].cap.is_some(),
        Hardware::Bare(_) => true,
    })
}

impl<'a> Oracle<'a> {
    fn verdict(self) -> V {
        if self.question.wants.is_empty() {
            // The overview: the best of the main packages, each alone.
            let mains = (0..3)
                .filter(|p| self.world.packages[*p].main && !self.world.packages[*p].releases.is_empty());
            return any(mains.map(|p| any(self.choices(p, Spec::Any).map(|c| self.alone(c)))));
        }
        self.together()
    }

    /// Every combination of choices, one per want.
    fn together(self) -> V {
        let wants = &self.question.wants;
        let mut lists: Vec<Vec<Choice>> = wants.iter().map(|(p, s)| self.open(*p, *s)).collect();
        let indexes = self.question.check && self.question.channel.is_some();
        let bare = |w: usize| indexes && wants.len() > 1 && wants[w].1 == Spec::Any;
        if (0..wants.len()).any(bare) {
            // A bare name is what an installer takes: the newest releases that meet each other's requirements.
            let possible: Vec<Vec<Choice>> = lists
                .iter()
                .map(|l| {
                    let mut l: Vec<Choice> = l.iter().copied().filter(|c| self.alone(*c) != No).collect();
                    l.sort_by_key(|c| std::cmp::Reverse(c.release));
                    l
                })
                .collect();
            let mut chosen = Vec::new();
            let found = self.install(&possible, &mut chosen);
            for w in (0..wants.len()).filter(|w| bare(*w)) {
                let taken = if found { chosen.get(w) } else { possible[w].first() };
                let release = taken.map(|c| c.release);
                lists[w].retain(|c| release.is_none_or(|r| c.release == r));
            }
        }
        let mut best = No;
        self.combine(&lists, &mut Vec::new(), &mut best);
        best
    }

    /// The first combination in which what the packages require of each other is met.
    fn install(self, lists: &[Vec<Choice>], chosen: &mut Vec<Choice>) -> bool {
        let Some(next) = lists.get(chosen.len()) else { return true };
        for choice in next {
            if chosen.iter().all(|c| self.installable(*c, *choice)) {
                chosen.push(*choice);
                if self.install(lists, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }

    fn combine(self, lists: &[Vec<Choice>], chosen: &mut Vec<Choice>, best: &mut V) {
        let Some(next) = lists.get(chosen.len()) else {
            *best = (*best).min(self.stack(chosen));
            return;
        };
        for choice in next {
            chosen.push(*choice);
            self.combine(lists, chosen, best);
            chosen.pop();
        }
    }

    /// What a want leaves open; where a GPU is meant and there are builds for it, those.
    fn open(self, package: usize, spec: Spec) -> Vec<Choice> {
        let mut list: Vec<Choice> = self.choices(package, spec).collect();
        let cuda = |c: &Choice| self.find(*c).is_some_and(|(_, b)| b.kind == Kind::Cuda);
        if self.gpu_meant() && list.iter().any(cuda) {
            list.retain(cuda);
        }
        list
    }

    /// A want on its own.
    pub fn want(self, index: usize) -> V {
        let (package, spec) = self.question.wants[index];
        any(self.choices(package, spec).map(|c| self.alone(c)))
    }

    /// Do these choices hold, each alone and all pairs?
    pub fn stack(self, chosen: &[Choice]) -> V {
        let mut worst = all(chosen.iter().map(|c| self.alone(*c)));
        worst = worst.max(self.some_python(chosen));
        for (i, a) in chosen.iter().enumerate() {
            for b in &chosen[i + 1..] {
                worst = worst.max(self.pair(*a, *b));
            }
        }
        worst
    }

    /// Builds for the platform, from the channel, of an accepted release; a yanked one only when it is named. Where
    /// there are none and nobody knows that there are none, the bare releases.
    pub fn choices(self, package: usize, spec: Spec) -> impl Iterator<Item = Choice> + 'a {
        let plain = (1..=LIB_RELEASES).filter(move |r| package == LIB_AT && spec.accepts(*r));
        let mut list: Vec<Choice> = plain.map(|release| Choice { package, release, build: None }).collect();
        let releases: &'a [Release] =
            if package == LIB_AT { &[] } else { &self.world.packages[package].releases };
        let open = |i: usize| {
            let number = i as Rel + 1;
            spec.accepts(number) && (!releases[i].yanked || spec == Spec::Eq(number))
        };
        for (i, release) in releases.iter().enumerate().filter(|(i, _)| open(*i)) {
            let here =
                (0..release.builds.len()).filter(|b| self.exists(package, release, &release.builds[*b]));
            list.extend(here.map(|b| Choice { package, release: i as Rel + 1, build: Some(b) }));
        }
        let of_open = || {
            let open = releases.iter().enumerate().filter(|(i, _)| open(*i)).map(|(_, r)| r);
            open.flat_map(|r| r.builds.iter().filter(|b| has_file(r, b)))
        };
        let elsewhere = of_open().any(|b| !self.here(b.platform));
        // Has anybody looked at what the channel of the question has of this package?
        let looked_at =
            |c: usize| releases.iter().any(|r| r.builds.iter().any(|b| b.channel == c && has_file(r, b)));
        let nobody_knows = if of_open().any(|b| self.here(b.platform)) {
            self.question.channel.is_none_or(|c| !looked_at(c))
        } else {
            !elsewhere
        };
        if list.is_empty() && nobody_knows {
            let bare = (0..releases.len()).filter(|i| open(*i));
            list.extend(bare.map(|i| Choice { package, release: i as Rel + 1, build: None }));
        }
        list.into_iter()
    }

    fn here(self, platform: Plat) -> bool {
        let wanted = if self.question.os == Os::Windows { Plat::Windows } else { Plat::Linux };
        platform == Plat::Any || platform == wanted
    }

    fn exists(self, package: usize, release: &Release, build: &Build) -> bool {
        // A channel that serves another want and nothing of this one is about the other; the public index serves all.
        let serves = |package: usize, c: usize| {
            CHANNELS[c] == "pypi"
                || self
                    .world
                    .packages
                    .get(package)
                    .is_some_and(|p| p.releases.iter().any(|r| r.builds.iter().any(|b| b.channel == c)))
        };
        let about = |c: usize| {
            // Without a want the question is about all main packages.
            let main =
                |p: &usize| self.world.packages[*p].main && !self.world.packages[*p].releases.is_empty();
            let wanted = |p: &usize| match &*self.question.wants {
                [] => main(p),
                wants => wants.iter().any(|(w, _)| w == p),
            };
            let mut others = (0..self.world.packages.len()).filter(|p| *p != package && wanted(p));
            serves(package, c) || !others.any(|p| serves(p, c))
        };
        let channel = self.question.channel.is_none_or(|c| c == build.channel || !about(c));
        self.here(build.platform) && channel && has_file(release, build)
    }

    fn find(self, choice: Choice) -> Option<(&'a Release, &'a Build)> {
        let release = &self.world.packages.get(choice.package)?.releases[usize::from(choice.release) - 1];
        Some((release, &release.builds[choice.build?]))
    }

    /// One choice against every constraint that does not involve another package.
    pub fn alone(self, choice: Choice) -> V {
        // Of a package without builds nothing is recorded that could be judged.
        let Some((_, build)) = self.find(choice) else { return Unknown };
        let mut worst = all([
            self.gpu_build(build),
            self.driver_path(build),
            self.libraries(build),
            self.build_platform(choice, build),
            self.advisories(choice, build),
            self.some_python(&[choice]),
        ]);
        for gpu in self.gpus {
            let by = self.device_code(choice, build, *gpu);
            worst = worst.max(by.0).max(self.gpu_driver(build, *gpu)).max(self.wsl2(*gpu));
            if by.1 {
                worst = worst.max(self.ptx_driver(build, *gpu));
            }
        }
        worst
    }

    // gpu-build

    fn gpu_meant(self) -> bool {
        let q = self.question;
        !self.gpus.is_empty() || q.driver.is_some() || q.cuda.is_some() || q.toolkit.is_some()
    }

    fn gpu_build(self, build: &Build) -> V {
        if self.question.no_gpu {
            return Yes;
        }
        let gpu_meant = self.gpu_meant();
        match build.kind {
            Kind::Cuda => Yes,
            Kind::Cpu => sure(!gpu_meant),
            Kind::Rocm => No,
        }
    }

    // device-code

    fn cap(self, gpu: Hardware) -> Cap {
        match gpu {
            Hardware::Board(i) => self.world.gpus[i].cap.unwrap_or((0, 0)),
            Hardware::Bare(cap) => cap,
        }
    }

    /// The outcome, and whether the GPU is reached through PTX only.
    fn device_code(self, choice: Choice, build: &Build, gpu: Hardware) -> (V, bool) {
        if build.kind != Kind::Cuda {
            return (Yes, false);
        }
        let cap = self.cap(gpu);
        if let Some((sass, ptx)) = &build.code {
            if sass.iter().any(|t| machine_code_runs(*t, cap)) {
                return (Yes, false);
            }
            return match ptx {
                None => (Unknown, false),
                Some(ptx) if ptx.iter().any(|t| ptx_runs(*t, cap)) => (Yes, true),
                Some(_) => (No, false),
            };
        }
        // Facts can only rule out.
        if self.world.packages[choice.package].compute.is_some_and(|least| cap < least) {
            return (No, false);
        }
        let targets = build.cuda.and_then(|c| self.world.cudas[c].targets.as_ref());
        if targets.is_some_and(|t| !t.iter().any(|t| machine_code_runs(*t, cap) || ptx_runs(*t, cap))) {
            return (No, false);
        }
        (Unknown, false)
    }

    // gpu-driver

    fn windows(self) -> bool {
        self.question.os != Os::Linux
    }

    /// The branch number of the question's driver; `None` when it is not recorded.
    fn branch(self) -> Option<u32> {
        let driver = self.question.driver?;
        let number = self.world.driver_major(driver, self.windows());
        self.branch_of(number)
    }

    fn branch_of(self, number: u32) -> Option<u32> {
        if !self.windows() {
            return Some(number);
        }
        if let Some(b) = self.world.branches.iter().find(|b| b.windows && b.number + 1 == number) {
            return Some(b.number);
        }
        // Beyond every number that is known: newer than every branch that is known.
        let newest = self.world.branches.iter().filter(|b| b.windows).map(|b| b.number + 1).max()?;
        (number > newest).then_some(u32::MAX)
    }

    /// First and last branch for a GPU: of its architecture, and of its capability if that came later.
    fn range(self, gpu: Hardware) -> (Option<u32>, Option<u32>) {
        let cap = self.cap(gpu);
        let arch = match gpu {
            Hardware::Board(i) => Some(self.world.gpus[i].arch),
            Hardware::Bare(cap) => self.world.gpus.iter().find(|g| g.cap == Some(cap)).map(|g| g.arch),
        };
        let arch = arch.map(|a| &self.world.archs[a]);
        let number = |b: usize| self.world.branches[b].number;
        let first = arch.and_then(|a| a.first).map(number);
        let own = self.world.cap_first.iter().find(|(c, _)| *c == cap).map(|(_, b)| number(*b));
        (first.max(own), arch.and_then(|a| a.last).map(number))
    }

    /// All GPUs of a machine run with one driver: is the last branch for one new enough for each other one?
    fn shares_a_driver(self, last: u32) -> bool {
        self.gpus.iter().all(|other| {
            let first_listed = match other {
                Hardware::Board(i) if self.world.tables => self.world.gpus[*i].listed.as_ref(),
                _ => None,
            };
            let first_listed = first_listed.and_then(|l| l.iter().map(|(b, _)| *b).min()).filter(|b| *b > 0);
            let first = first_listed.map(|b| self.world.branches[b].number).or(self.range(*other).0);
            first.is_none_or(|f| f <= last)
        })
    }

    fn gpu_driver(self, build: &Build, gpu: Hardware) -> V {
        let (first, last) = self.range(gpu);
        let Some(driver) = self.question.driver else {
            // Does the build need a branch newer than the last one for the GPU?
            if let (Kind::Cuda, Some(last), Some(cuda)) = (build.kind, last, build.cuda)
                && let Some(floor) = self.floor(self.world.cudas[cuda].version.0)
            {
                let needs = self.branch_of(
                    self.world.driver_major(Driver::Of(floor.driver.0, floor.driver.1), self.windows()),
                );
                let reached = needs.is_none_or(|n| n == u32::MAX || n <= last);
                return sure(reached && self.shares_a_driver(last));
            }
            return sure(last.is_none_or(|last| self.shares_a_driver(last)));
        };
        let Some(branch) = self.branch() else { return Unknown };
        if last.is_some_and(|l| branch > l) || first.is_some_and(|f| branch < f) {
            return No;
        }
        // The device table of the branch.
        let at = self.world.branches.iter().position(|b| b.number == branch);
        if let (Hardware::Board(i), Some(at), true) = (gpu, at, self.world.tables)
            && let Some(listed) = &self.world.gpus[i].listed
        {
            return match listed.iter().find(|(b, _)| *b == at) {
                None => Unknown,
                // On Windows the numbers of the table are another system's, and the branch decides.
                Some((_, Some(since))) if !self.windows() => {
                    let minor = if let Driver::Of(_, minor) = driver { minor } else { 0 };
                    if minor >= *since { Yes } else { Unknown }
                }
                Some(_) => Yes,
            };
        }
        if let Hardware::Board(i) = gpu
            && self.world.gpus[i].listed.is_some()
        {
            // A branch whose table nobody has read, after all that were: a listed board stays known.
            return Yes;
        }
        // The first branch is recorded, or inferred from the toolkit that introduced the capability.
        let cap = self.cap(gpu);
        let inferred = self.world.branches.iter().filter(|b| b.number <= branch).any(|b| {
            let targets = b.cuda.and_then(|c| self.world.cudas[c].targets.as_ref());
            targets.is_some_and(|t| t.iter().any(|t| machine_code_runs(*t, cap)))
        });
        if first.is_some() || inferred { Yes } else { Unknown }
    }

    // driver-path

    fn floor(self, major: u32) -> Option<&'a Floor> {
        self.world.floors.iter().find(|f| f.major == major && f.windows == self.windows())
    }

    /// The CUDA release that a driver of the question supports natively, and whether that is only a lower bound.
    fn native(self) -> Option<((u32, u32), bool)> {
        let number = self.world.driver_major(self.question.driver?, self.windows());
        let branch = self.branch().filter(|b| *b != u32::MAX);
        let known = self.world.branches.iter().find(|b| Some(b.number) == branch);
        if let Some(own) = known.and_then(|b| b.cuda) {
            return Some((self.world.cudas[own].version, false));
        }
        // That of the newest older branch of which it is recorded.
        let mut older: Vec<_> = self.world.branches.iter().collect();
        older.retain(|b| branch.map_or(b.windows && b.number + 1 < number, |own| b.number < own));
        older.sort_by_key(|b| b.number);
        older.iter().rev().find_map(|b| b.cuda).map(|c| (self.world.cudas[c].version, true))
    }

    fn driver_path(self, build: &Build) -> V {
        if build.kind != Kind::Cuda || self.question.no_gpu {
            return Yes;
        }
        let Some(driver) = self.question.driver else { return Yes };
        // A build that takes its libraries from the machine starts with the release that was named.
        let cuda = match (build.libs, self.question.cuda) {
            (Some(Libs::System), Some(asked)) => Some(asked),
            _ => build.cuda,
        };
        let Some(cuda) = cuda.map(|c| self.world.cudas[c].version) else { return Unknown };
        let native = self.native().is_some_and(|(level, _)| level >= cuda);
        let Some(floor) = self.floor(cuda.0) else { return if native { Yes } else { Unknown } };
        let at = |d: Driver| {
            (
                self.world.driver_major(d, self.windows()),
                if let Driver::Of(_, minor) = d { minor } else { 10 },
            )
        };
        let least = Driver::Of(floor.driver.0, floor.driver.1);
        if at(driver) >= at(least) {
            return Yes;
        }
        // Somebody else's number, and the same branch as far as one can tell.
        let least_branch = self.branch_of(at(least).0).filter(|b| *b != u32::MAX);
        let own = self.branch().filter(|b| *b != u32::MAX);
        if !floor.first_hand && own.is_some() && least_branch.is_none_or(|l| own >= Some(l)) {
            return Unknown;
        }
        if self.gpus.is_empty() {
            return No;
        }
        all(self.gpus.iter().map(|gpu| self.forward(cuda, *gpu)))
    }

    /// Does a forward-compatibility package carry this release on this driver and GPU?
    fn forward(self, cuda: (u32, u32), gpu: Hardware) -> V {
        let Hardware::Board(i) = gpu else { return No };
        let branch = self.branch();
        let package = self.world.forward.iter().any(|(c, on)| {
            let brings = self.world.cudas[*c].version;
            brings.0 == cuda.0
                && brings >= cuda
                && on.iter().any(|b| Some(self.world.branches[*b].number) == branch)
        });
        if self.question.os != Os::Linux || !package {
            return No;
        }
        match self.world.gpus[i].segment {
            Segment::Datacenter => Yes,
            Segment::Workstation => Unknown,
            Segment::Geforce => No,
        }
    }

    // ptx-driver

    fn ptx_driver(self, build: &Build, gpu: Hardware) -> V {
        let (Some(made), true) = (build.cuda, self.question.driver.is_some()) else { return Yes };
        let made = &self.world.cudas[made];
        let level = self.native();
        let isa = |v: (u32, u32)| self.world.cudas.iter().find(|c| c.version == v).and_then(|c| c.isa);
        let reads = |level: (u32, u32)| {
            level >= made.version
                || matches!((isa(level), made.isa), (Some(has), Some(needs)) if has >= needs)
        };
        let itself = match level {
            Some((level, _)) if reads(level) => Yes,
            Some((_, false)) => No,
            _ => Unknown,
        };
        itself.min(match self.forward(made.version, gpu) {
            // A package for boards of which it is not known whether this is one is no better than not knowing.
            No => itself,
            by_package => by_package,
        })
    }

    // libraries

    fn libraries(self, build: &Build) -> V {
        if build.kind != Kind::Cuda {
            return Yes;
        }
        let system = build.libs == Some(Libs::System);
        let mut worst = Yes;
        if let (Some(have), true) = (self.question.toolkit, system) {
            worst = worst.max(self.toolkit(build, have));
        }
        if let Some(asked) = self.question.cuda {
            worst = worst.max(match (system, build.cuda) {
                (true, _) => self.toolkit(build, asked),
                (false, Some(made)) => sure(made == asked),
                (false, None) => Unknown,
            });
        }
        worst
    }

    /// A toolkit on the machine for a build that needs one: the same major, not older.
    fn toolkit(self, build: &Build, have: usize) -> V {
        let Some(made) = build.cuda else { return Yes };
        let (have, made) = (self.world.cudas[have].version, self.world.cudas[made].version);
        if have.0 != made.0 {
            No
        } else if have < made {
            Unknown
        } else {
            Yes
        }
    }

    // build-platform

    fn build_platform(self, choice: Choice, build: &Build) -> V {
        let mut worst = Yes;
        if let Some(python) = self.question.python {
            let (itself, pinned) = self.python(choice, build, python);
            worst = worst.max(itself.unwrap_or(Unknown)).max(pinned);
        }
        if let Some(have) = self.question.glibc {
            worst = worst.max(match &build.files {
                Some((_, Some(needs))) => sure(have >= *needs),
                _ => Unknown,
            });
        }
        worst
    }

    /// What is known of the build itself, `None` if nothing is, and of what it pins.
    fn python(self, choice: Choice, build: &Build, python: u32) -> (Option<V>, V) {
        let fits = |(minors, _): &(Vec<u32>, Option<u32>)| minors.contains(&python);
        let near = |b: &&Build| {
            b.platform == build.platform || b.platform == Plat::Any || build.platform == Plat::Any
        };
        let files = |r: &'a Release| {
            r.builds.iter().filter(near).filter_map(|b| Some((b.channel, b.files.as_ref()?)))
        };
        let own: &'a Release = &self.world.packages[choice.package].releases[usize::from(choice.release) - 1];
        let here: Vec<bool> = files(own).filter(|(c, _)| *c == build.channel).map(|(_, f)| fits(f)).collect();
        let elsewhere: Vec<bool> =
            files(own).filter(|(c, _)| *c != build.channel).map(|(_, f)| fits(f)).collect();
        // What is pinned exactly must have a file as well.
        let mut pinned = Yes;
        for (package, version) in self.pins(choice, python) {
            if package == LIB_AT {
                continue;
            }
            let list: Vec<bool> = files(&self.world.packages[package].releases[usize::from(version) - 1])
                .map(|(_, f)| fits(f))
                .collect();
            if !list.is_empty() {
                pinned = pinned.max(sure(list.contains(&true)));
            }
        }
        let documented =
            self.world.packages[choice.package].python.map(|(from, below)| (from..below).contains(&python));
        let there = (!elsewhere.is_empty()).then(|| elsewhere.contains(&true));
        let itself = if !here.is_empty() {
            Some(sure(here.contains(&true)))
        } else {
            match (documented, there) {
                (Some(inside), Some(there)) => Some(if inside == there { sure(inside) } else { Unknown }),
                (Some(inside), None) => Some(sure(inside)),
                (None, Some(there)) => Some(if there { Yes } else { Unknown }),
                (None, None) => None,
            }
        };
        (itself, pinned)
    }

    // advisory

    fn advisories(self, choice: Choice, build: &Build) -> V {
        let bad = self.world.advisories.iter().any(|a| {
            // An advisory about two packages stands at either of them.
            let (own, other) = match a.with {
                Some((package, spec)) if package == choice.package => (spec, Some((a.package, a.spec))),
                with => (a.spec, with),
            };
            let about = choice.package == a.package || a.with.is_some_and(|(p, _)| p == choice.package);
            let beside = other.is_none_or(|(package, spec)| {
                self.question
                    .wants
                    .iter()
                    .any(|(p, s)| *p == package && matches!(s, Spec::Eq(r) if spec.accepts(*r)))
            });
            a.breaks
                && about
                && own.accepts(choice.release)
                && beside
                && a.os.is_none_or(|os| os == self.question.os)
                && (a.channels.is_empty() || a.channels.contains(&build.channel))
                && a.compute_from.is_none_or(|least| self.gpus.iter().any(|g| self.cap(*g) >= least))
                && a.gpu.is_none_or(|gpu| self.gpus.contains(&Hardware::Board(gpu)))
                && a.python_from.is_none_or(|least| self.question.python.is_some_and(|p| p >= least))
                && a.branches.is_none_or(|(from, to)| {
                    let upper = self.world.branches.get(to).map(|b| b.number);
                    let branch = self.question.driver.and(self.branch()).filter(|b| *b != u32::MAX);
                    branch
                        .is_some_and(|b| b >= self.world.branches[from].number && upper.is_none_or(|u| b < u))
                })
        });
        sure(!bad)
    }

    // wsl2

    fn wsl2(self, gpu: Hardware) -> V {
        match gpu {
            Hardware::Board(i) if self.question.os == Os::Wsl2 => {
                sure(self.world.archs[self.world.gpus[i].arch].wsl != Some(false))
            }
            _ => Yes,
        }
    }

    // one-environment
}

/// Where files of the release on the channel are listed, a platform without one has no build.
fn has_file(release: &Release, build: &Build) -> bool {
    let mut listed =
        release.builds.iter().filter(|b| b.channel == build.channel && b.files.is_some()).peekable();
    listed.peek().is_none()
        || listed
            .any(|b| b.platform == build.platform || b.platform == Plat::Any || build.platform == Plat::Any)
}

fn machine_code_runs(target: Target, gpu: Cap) -> bool {
    let (cap, suffix) = target;
    match suffix {
        Some('a') => cap == gpu,
        // A family reaches over its own major number only, as plain machine code does.
        _ => cap.0 == gpu.0 && cap.1 <= gpu.1,
    }
}

fn ptx_runs(target: Target, gpu: Cap) -> bool {
    match target.1 {
        None => target.0 <= gpu,
        Some(_) => machine_code_runs(target, gpu),
    }
}
