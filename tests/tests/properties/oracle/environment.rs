//! Several packages in one environment: what they require of each other, and an interpreter for all of them.

use super::*;

impl Oracle<'_> {
    /// The interpreter of the question, or one that nobody named, which has to exist: with it, all can be installed and
    /// what they require can be met.
    pub(super) fn some_python(self, chosen: &[Choice]) -> V {
        let met = |python: u32| {
            let pairs =
                chosen.iter().enumerate().flat_map(|(i, a)| chosen[i + 1..].iter().map(move |b| (a, b)));
            let apart = |(a, b): (&Choice, &Choice)| {
                sure(self.requirements_meet(*a, *b, python) && !self.share_paths(*a, *b, python))
            };
            all(pairs.map(apart)).max(all(chosen.iter().map(|c| self.consistent(*c, python))))
        };
        match self.question.python {
            Some(python) => met(python),
            None => any((0..30).map(|p| self.serves(chosen, p).max(met(p)))),
        }
    }

    /// Can all be installed with an interpreter? A build of which nothing says anything about interpreters limits none.
    pub(super) fn serves(self, chosen: &[Choice], python: u32) -> V {
        all(chosen.iter().filter_map(|c| Some((c, self.find(*c)?.1))).map(|(c, build)| {
            let (itself, pinned) = self.python(*c, build, python);
            itself.unwrap_or(Yes).max(pinned)
        }))
    }

    /// Would an installer put both into one environment?
    pub(super) fn installable(self, a: Choice, b: Choice) -> bool {
        if let Some(python) = self.question.python {
            return self.requirements_meet(a, b, python);
        }
        let good = |c: Choice, p: u32| self.serves(&[c], p) == Yes && self.consistent(c, p) == Yes;
        let possible: Vec<u32> = (0..30).filter(|p| good(a, *p) && good(b, *p)).collect();
        let mut which = if possible.is_empty() { 0..30 } else { 0..0 }.chain(possible);
        which.any(|p| self.requirements_meet(a, b, p))
    }

    /// What a choice requires with an interpreter: its own list, and the lists of what it pins exactly.
    pub(super) fn requires(self, choice: Choice, python: u32) -> Vec<(usize, Spec)> {
        let mut out: Vec<(usize, Spec)> = Vec::new();
        if choice.build.is_none() {
            return out;
        }
        let mut seen = vec![(choice.package, choice.release)];
        let mut at = 0;
        while let Some((package, release)) = seen.get(at).copied() {
            at += 1;
            let Some(package) = self.world.packages.get(package) else { continue };
            let holds = package.releases[usize::from(release) - 1].needs();
            for (other, spec, _) in holds.filter(|(.., (from, below))| (*from..*below).contains(&python)) {
                out.push((other, spec));
                if let Spec::Eq(r) = spec
                    && !seen.contains(&(other, r))
                {
                    seen.push((other, r));
                }
            }
        }
        out
    }

    /// Could what a choice requires be installed beside it at all?
    pub(super) fn consistent(self, choice: Choice, python: u32) -> V {
        let all = self.requires(choice, python);
        let meet = |(p, x): &(usize, Spec), (q, y): &(usize, Spec)| {
            p != q || (1..=self.releases(*p)).any(|r| x.accepts(r) && y.accepts(r))
        };
        let itself = all.iter().all(|(p, s)| *p != choice.package || s.accepts(choice.release));
        sure(itself && all.iter().enumerate().all(|(i, x)| all[i + 1..].iter().all(|y| meet(x, y))))
    }

    pub(super) fn releases(self, package: usize) -> Rel {
        if package == LIB_AT { LIB_RELEASES } else { self.world.packages[package].releases.len() as Rel }
    }

    pub(super) fn pins(self, choice: Choice, python: u32) -> Vec<(usize, Rel)> {
        self.requires(choice, python)
            .into_iter()
            .filter_map(|(p, s)| if let Spec::Eq(r) = s { Some((p, r)) } else { None })
            .collect()
    }

    /// Does each meet what the other one requires, and can both have what they require of a third?
    pub(super) fn requirements_meet(self, a: Choice, b: Choice, python: u32) -> bool {
        let (ra, rb) = (self.requires(a, python), self.requires(b, python));
        let inside = |requires: &[(usize, Spec)], other: Choice| {
            requires.iter().filter(|(p, _)| *p == other.package).all(|(_, s)| s.accepts(other.release))
        };
        let mut meet = inside(&ra, b) && inside(&rb, a);
        for (package, x) in &ra {
            for (_, y) in rb.iter().filter(|(p, _)| p == package) {
                meet &= (1..=self.releases(*package)).any(|r| x.accepts(r) && y.accepts(r));
            }
        }
        meet
    }

    /// Do both bring packages that install to the same paths?
    pub(super) fn share_paths(self, a: Choice, b: Choice, python: u32) -> bool {
        let (ra, rb) = (self.requires(a, python), self.requires(b, python));
        self.world.shared.is_some_and(|(x, y)| {
            let brings =
                |c: Choice, r: &[(usize, Spec)], p: usize| c.package == p || r.iter().any(|(q, _)| *q == p);
            brings(a, &ra, x) && brings(b, &rb, y) || brings(a, &ra, y) && brings(b, &rb, x)
        })
    }

    /// Two choices in one environment, but for what they require.
    pub fn pair(self, a: Choice, b: Choice) -> V {
        let (first, second) = (self.find(a), self.find(b));
        let cuda = |found: Option<(&Release, &Build)>| {
            found.and_then(|(_, b)| b.cuda).map(|c| self.world.cudas[c].version.0)
        };
        let majors = match (cuda(first), cuda(second)) {
            (Some(x), Some(y)) => sure(x == y),
            _ => Yes,
        };
        let module = |c: Choice| self.world.packages.get(c.package).is_some_and(|p| p.same_module);
        let modules = sure(a.package == b.package || !(module(a) && module(b)));
        // Who pulls NVIDIA's wheels without saying which can clash with whoever pulls them too, or is one.
        let pulls =
            |found: Option<(&Release, &Build)>| found.is_none_or(|(_, b)| b.libs == Some(Libs::Wheels));
        let silent = |found: Option<(&Release, &Build)>| {
            found.is_some_and(|(r, b)| b.libs == Some(Libs::Wheels) && r.requires.is_none())
        };
        let doubt = pulls(first) && pulls(second) && (silent(first) || silent(second));
        all([majors, modules, if doubt { Unknown } else { Yes }])
    }
}
