//! Made-up worlds and questions. Pools are small, so that values meet.

use super::model::*;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const CAPS: [Cap; 7] = [(7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (12, 0)];
const CUDAS: [(u32, u32); 5] = [(11, 8), (12, 0), (12, 4), (12, 8), (13, 0)];
const BRANCHES: [u32; 5] = [500, 510, 520, 530, 540];
pub const PYTHONS: [u32; 4] = [9, 10, 11, 12];

fn cap() -> impl Strategy<Value = Cap> {
    select(&CAPS[..])
}

fn target() -> impl Strategy<Value = Target> {
    (cap(), prop_oneof![8 => Just(None), 1 => Just(Some('a')), 1 => Just(Some('f'))])
}

/// Present, or in a world without gaps always present.
fn known<S: Strategy + 'static>(whole: bool, inner: S) -> BoxedStrategy<Option<S::Value>>
where
    S::Value: Clone,
{
    if whole { inner.prop_map(Some).boxed() } else { weighted(0.85, inner).boxed() }
}

/// A spec that some release of `count` satisfies.
fn spec(count: u8) -> impl Strategy<Value = Spec> {
    let release = 1..=count;
    prop_oneof![
        2 => Just(Spec::Any),
        2 => release.clone().prop_map(Spec::Eq),
        1 => release.clone().prop_map(Spec::Ge),
        1 => release.prop_map(Spec::Le),
    ]
}

fn arch(branches: usize, whole: bool) -> impl Strategy<Value = Arch> {
    let at = move || 0..branches;
    let first = if whole { at().prop_map(Some).boxed() } else { weighted(0.8, at()).boxed() };
    (first, weighted(0.3, at()), known(whole, any::<bool>())).prop_map(|(first, last, wsl)| Arch {
        first,
        // A last branch before the first would be a mistake of the data.
        last: last.filter(|l| first.is_none_or(|f| f <= *l)),
        wsl,
    })
}

fn gpu(archs: usize, branches: usize, tables: bool) -> impl Strategy<Value = Gpu> {
    let listing = (
        subsequence((0..branches).collect::<Vec<_>>(), 1..=branches),
        vec(of(select(vec![20u32, 30])), branches),
    );
    let listed = if tables { weighted(0.8, listing).boxed() } else { Just(None).boxed() };
    let segment = select(vec![Segment::Geforce, Segment::Datacenter, Segment::Workstation]);
    (weighted(0.97, cap()), 0..archs, segment, listed).prop_map(|(cap, arch, segment, listed)| Gpu {
        cap,
        arch,
        segment,
        listed: listed.map(|(at, since)| {
            // The first table of a series says nothing about the drivers before its tag.
            at.into_iter().map(|b| (b, since[b].filter(|_| b > 0))).collect()
        }),
    })
}

fn build(cudas: usize, whole: bool) -> impl Strategy<Value = Build> {
    let code = (vec(target(), 0..3), known(whole, vec(target(), 0..2)));
    let files = (subsequence(PYTHONS.to_vec(), 1..=3), of(select(vec![17u32, 28])));
    (
        0..CHANNELS.len(),
        prop_oneof![4 => Just(Plat::Linux), 2 => Just(Plat::Windows), 1 => Just(Plat::Any)],
        prop_oneof![8 => Just(Kind::Cuda), 1 => Just(Kind::Cpu), 1 => Just(Kind::Rocm)],
        known(whole, 0..cudas),
        known(whole, select(vec![Libs::Bundled, Libs::Wheels, Libs::Wheels, Libs::System])),
        known(whole, code),
        known(whole, files),
    )
        .prop_map(|(channel, platform, kind, cuda, libs, code, files)| Build {
            channel,
            platform,
            kind,
            cuda,
            libs,
            code,
            files,
        })
}

fn release(own: usize, counts: [u8; 4], cudas: usize, whole: bool) -> impl Strategy<Value = Release> {
    let others: Vec<usize> = (0..4).filter(|p| *p != own && counts[*p] > 0).collect();
    let requires = vec(select(others).prop_flat_map(move |other| (Just(other), spec(counts[other]))), 0..3);
    let marker = select(vec![(0, 11), (11, u32::MAX), (10, 12), (0, 10), (12, u32::MAX)]);
    let markers = vec(weighted(0.4, marker), if whole { 0 } else { 3 });
    (any::<bool>(), known(whole, requires), markers, vec(build(cudas, whole), 1..4)).prop_map(
        move |(yanked, requires, markers, builds)| {
            let requires = requires.map(|mut list: Vec<(usize, Spec)>| {
                list.sort_by_key(|(p, _)| *p);
                list.dedup_by_key(|(p, _)| *p);
                list
            });
            Release { yanked: yanked && !whole, requires, markers, builds }
        },
    )
}

fn package(own: usize, counts: [u8; 4], cudas: usize, whole: bool) -> impl Strategy<Value = Package> {
    let python = (select(vec![9u32, 10]), select(vec![11u32, 12, 13]));
    let (python, compute) = if whole {
        (Just(None).boxed(), Just(None).boxed())
    } else {
        (weighted(0.3, python).boxed(), weighted(0.2, cap()).boxed())
    };
    (
        any::<bool>(),
        weighted(0.2, Just(())),
        vec(release(own, counts, cudas, whole), usize::from(counts[own])),
        python,
        compute,
    )
        .prop_map(move |(main, module, releases, python, compute)| {
            // An overview is about something.
            Package { main: main || own == 0, same_module: module.is_some(), releases, python, compute }
        })
}

fn advisory(counts: [u8; 4], gpus: usize, branches: usize) -> impl Strategy<Value = Advisory> {
    let present: Vec<usize> = (0..3).filter(|p| counts[*p] > 0).collect();
    (
        select(present.clone()).prop_flat_map(move |p| (Just(p), spec(counts[p]))),
        weighted(0.8, Just(())),
        weighted(0.3, select(vec![Os::Linux, Os::Windows])),
        subsequence(vec![0usize, 1], 0..=2),
        weighted(0.3, cap()),
        weighted(0.15, 0..gpus),
        weighted(0.3, select(&PYTHONS[..])),
        weighted(0.3, (0..branches, 1..=branches)),
        weighted(0.2, select(present).prop_flat_map(move |p| (Just(p), spec(counts[p])))),
    )
        .prop_map(
            |((package, spec), breaks, os, channels, compute_from, gpu, python_from, branches, with)| {
                Advisory {
                    package,
                    spec,
                    breaks: breaks.is_some(),
                    os,
                    channels,
                    compute_from,
                    gpu,
                    python_from,
                    branches: branches.filter(|(a, b)| a < b),
                    with: with.filter(|(p, _)| *p != package),
                }
            },
        )
}

/// A world; `whole` leaves no fact out, and has nothing that only Windows or particular boards know.
pub fn world(whole: bool) -> BoxedStrategy<World> {
    let counts = (1u8..=2, 0u8..=2, 0u8..=2, Just(LIB_RELEASES)).prop_map(|(a, b, c, l)| [a, b, c, l]);
    (
        counts,
        subsequence(BRANCHES.to_vec(), 2..=4),
        subsequence(CUDAS.to_vec(), 2..=3),
        any::<bool>(),
        1usize..=2,
        2usize..=4,
    )
        .prop_flat_map(move |(counts, branches, cudas, tables, archs, gpus)| {
            let tables = tables && !whole;
            let n = branches.len();
            let c = cudas.len();
            let majors: Vec<u32> = {
                let mut m: Vec<u32> = cudas.iter().map(|v| v.0).collect();
                m.dedup();
                m
            };
            let floors: Vec<_> = majors
                .into_iter()
                .flat_map(|major| [(major, false), (major, true)])
                .map(|(major, windows)| {
                    let driver = (0..n, select(&MINORS[..]));
                    (known(whole, driver), any::<bool>()).prop_map(move |(driver, first_hand)| {
                        driver.map(|driver| Floor { major, windows, driver, first_hand: first_hand || whole })
                    })
                })
                .collect();
            // Native releases rise with the branches.
            let natives = vec(known(whole, 0..c), n);
            let windows = vec(weighted(0.9, Just(())), n);
            let compilers = vec((known(whole, vec(target(), 1..4)), known(whole, 0u32..4)), c);
            let forward = vec((0..c, subsequence((0..n).collect::<Vec<_>>(), 1..=n)), 0..2);
            let packages: Vec<_> =
                (0..3).filter(|p| counts[*p] > 0).map(|p| package(p, counts, c, whole).boxed()).collect();
            // Positions of packages are stable: an absent one is an empty one.
            let present: Vec<bool> = (0..3).map(|p| counts[p] > 0).collect();
            let machine = (
                vec(gpu(archs, n, tables), gpus),
                vec(arch(n, whole), archs),
                natives,
                windows,
                vec((cap(), 0..n), 0..2),
            );
            let soft = (
                compilers,
                floors,
                forward,
                packages,
                weighted(0.3, (0usize..4, 0usize..4)),
                vec(advisory(counts, gpus, n), 0..3),
            );
            (Just((branches, cudas, tables, present)), machine, soft)
        })
        .prop_map(
            move |((branches, cudas, tables, present), (gpus, archs, natives, windows, cap_first), soft)| {
                let (compilers, floors, forward, packages, shared, advisories) = soft;
                let mut packages = packages.into_iter();
                let empty = || Package {
                    main: false,
                    same_module: false,
                    releases: Vec::new(),
                    python: None,
                    compute: None,
                };
                let packages: Vec<Package> = present
                    .iter()
                    .map(|p| if *p { packages.next().unwrap_or_else(empty) } else { empty() })
                    .collect();
                let mut natives: Vec<Option<usize>> = natives;
                let mut sorted: Vec<usize> = natives.iter().flatten().copied().collect();
                sorted.sort_unstable();
                let mut sorted = sorted.into_iter();
                for native in natives.iter_mut().flatten() {
                    *native = sorted.next().unwrap_or(0);
                }
                let mut isa: Vec<u32> = compilers.iter().filter_map(|(_, isa)| *isa).collect();
                isa.sort_unstable();
                let mut isa = isa.into_iter();
                let mut forward: Vec<(usize, Vec<usize>)> = forward;
                forward.sort();
                forward.dedup_by_key(|f| f.0);
                let mut cap_first = cap_first;
                cap_first.sort();
                cap_first.dedup_by_key(|(c, _)| *c);
                let exists = |p: usize| p == LIB_AT || present[p];
                World {
                    gpus: gpus
                        .into_iter()
                        .map(|g| Gpu { cap: g.cap.or(whole.then_some((8, 0))), ..g })
                        .collect(),
                    archs,
                    branches: branches
                        .iter()
                        .zip(natives.iter().zip(windows))
                        .map(|(number, (cuda, windows))| Branch {
                            number: *number,
                            cuda: *cuda,
                            windows: windows.is_some(),
                        })
                        .collect(),
                    cap_first: if whole { Vec::new() } else { cap_first },
                    cudas: cudas
                        .iter()
                        .zip(compilers)
                        .map(|(version, (targets, level))| Cuda {
                            version: *version,
                            targets,
                            isa: level.and_then(|_| isa.next()),
                        })
                        .collect(),
                    floors: floors.into_iter().flatten().collect(),
                    tables,
                    forward: if whole { Vec::new() } else { forward },
                    packages,
                    shared: shared.filter(|(a, b)| a < b && exists(*a) && exists(*b)),
                    advisories: if whole { Vec::new() } else { advisories },
                }
                .tidy()
            },
        )
        .boxed()
}

/// A question about a world.
pub fn question(world: &World, whole: bool) -> BoxedStrategy<Question> {
    let present: Vec<usize> =
        (0..4).filter(|p| *p == LIB_AT || !world.packages[*p].releases.is_empty()).collect();
    let count = |p: usize, world: &World| {
        if p == LIB_AT { LIB_RELEASES } else { world.packages[p].releases.len() as u8 }
    };
    let counts: Vec<u8> = (0..4).map(|p| count(p, world)).collect();
    let wants = subsequence(present.clone(), 0..=present.len())
        .prop_shuffle()
        .prop_flat_map(move |list| list.into_iter().map(|p| (Just(p), spec(counts[p]))).collect::<Vec<_>>());
    let gpus = world.gpus.len();
    let hardware =
        vec(prop_oneof![4 => (0..gpus).prop_map(Hardware::Board), 1 => cap().prop_map(Hardware::Bare)], 0..3);
    let branches = world.branches.len();
    let between = !world.tables && !whole;
    let driver = prop_oneof![
        8 => (0..branches, select(&MINORS[..])).prop_map(|(b, m)| Driver::Of(b, m)),
        1 => (0..branches).prop_map(move |b| if between { Driver::Between(b) } else { Driver::Of(b, 10) }),
        1 => Just(if whole { Driver::Of(0, 20) } else { Driver::Future }),
    ];
    let os = if whole {
        Just(Os::Linux).boxed()
    } else {
        select(vec![Os::Linux, Os::Linux, Os::Windows, Os::Wsl2]).boxed()
    };
    let cudas = world.cudas.len();
    (
        (any::<bool>(), wants, hardware, weighted(0.2, Just(())), weighted(0.2, Just(())), os),
        (weighted(0.6, driver), weighted(0.2, 0..cudas), weighted(0.2, 0..cudas)),
        (
            weighted(0.4, select(&PYTHONS[..])),
            weighted(0.2, select(vec![12u32, 17, 31])),
            weighted(0.2, 0..CHANNELS.len()),
        ),
    )
        .prop_map(
            move |(
                (check, wants, hardware, none, any, os),
                (driver, cuda, toolkit),
                (python, glibc, channel),
            )| {
                let no_gpu = none.is_some() && hardware.is_empty();
                Question {
                    // A check of nothing is about the machine alone.
                    check: check && !wants.is_empty(),
                    wants,
                    hardware,
                    no_gpu,
                    any: any.is_some() && !whole,
                    os,
                    driver: driver.filter(|_| !no_gpu),
                    cuda: cuda.filter(|_| !whole && !no_gpu),
                    toolkit: toolkit.filter(|_| !whole && !no_gpu),
                    python,
                    glibc: glibc.filter(|_| os != Os::Windows && !whole),
                    channel: channel.filter(|_| !whole),
                }
            },
        )
        .boxed()
}

/// A world and a question about it.
pub fn case(whole: bool) -> BoxedStrategy<Case> {
    world(whole)
        .prop_flat_map(move |world| {
            let question = question(&world, whole);
            (Just(world), question)
        })
        .prop_map(|(world, question)| Case { world, question })
        .boxed()
}

/// A world without gaps and a question about at least one package, of the kind that a solver for packages can be
/// given as well: what is required of a package with builds is an exact release.
pub fn whole() -> BoxedStrategy<Case> {
    case(true)
        .prop_map(|mut case| {
            case.world.shared = None;
            case.question.check = false;
            // A capability that no board has belongs to no architecture that is known.
            for hardware in &mut case.question.hardware {
                if let Hardware::Bare(cap) = *hardware
                    && !case.world.gpus.iter().any(|g| g.cap == Some(cap))
                {
                    *hardware = Hardware::Board(0);
                }
            }
            for package in &mut case.world.packages {
                for (other, spec) in package.releases.iter_mut().flat_map(|r| r.requires.iter_mut().flatten())
                {
                    if let (true, Spec::Any) = (*other != LIB_AT, *spec) {
                        *spec = Spec::Eq(1);
                    } else if let (true, Spec::Ge(r) | Spec::Le(r)) = (*other != LIB_AT, *spec) {
                        *spec = Spec::Eq(r);
                    }
                }
            }
            if case.question.wants.is_empty() {
                case.question.wants.push((0, Spec::Any));
            }
            case.world = case.world.tidy();
            case
        })
        .boxed()
}
