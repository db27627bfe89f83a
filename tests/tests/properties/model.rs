//! A small world as plain numbers: what a test makes up, before it is written as data files.
//!
//! Everything refers to everything else by position, so that a failing world shrinks well and reads well as JSON.

use serde::{Deserialize, Serialize};

/// Compute capability, `(8, 6)`.
pub type Cap = (u8, u8);

/// Releases are `1.0`, `2.0` …; a release is its number.
pub type Rel = u8;

/// A driver branch with the minor numbers 10, 20, 30 of its drivers.
pub const MINORS: [u32; 3] = [10, 20, 30];

/// The channels of every world. `pypi` has a part of its own in the engine: no package is foreign to it.
pub const CHANNELS: [&str; 2] = ["pypi", "index-a"];

/// The packages with builds; `plain-lib` has releases only.
pub const PACKAGES: [&str; 3] = ["alpha-pack", "beta-pack", "gamma-pack"];
pub const LIB: &str = "plain-lib";
/// Where `plain-lib` stands as a target of requirements.
pub const LIB_AT: usize = 3;
pub const LIB_RELEASES: u8 = 3;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct World {
    pub gpus: Vec<Gpu>,
    pub archs: Vec<Arch>,
    pub branches: Vec<Branch>,
    /// First branch of a capability, as a position in `branches`.
    pub cap_first: Vec<(Cap, usize)>,
    pub cudas: Vec<Cuda>,
    pub floors: Vec<Floor>,
    /// Were the device tables of all branches read?
    pub tables: bool,
    /// Forward-compatibility packages: CUDA release, branches.
    pub forward: Vec<(usize, Vec<usize>)>,
    pub packages: Vec<Package>,
    /// Two packages that install the same files.
    pub shared: Option<(usize, usize)>,
    pub advisories: Vec<Advisory>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gpu {
    pub cap: Option<Cap>,
    pub arch: usize,
    pub segment: Segment,
    /// Branches whose device table lists it, with the first minor number that does. Only where tables were read.
    pub listed: Option<Vec<(usize, Option<u32>)>>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Segment {
    Geforce,
    Datacenter,
    Workstation,
}

impl Segment {
    pub fn word(self) -> &'static str {
        match self {
            Segment::Geforce => "geforce",
            Segment::Datacenter => "datacenter",
            Segment::Workstation => "rtx-pro-quadro",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arch {
    pub first: Option<usize>,
    pub last: Option<usize>,
    pub wsl: Option<bool>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Branch {
    pub number: u32,
    /// Its native CUDA release, as a position in `cudas`.
    pub cuda: Option<usize>,
    /// Is it recorded which Windows numbers belong to it? They start with its own number and one.
    pub windows: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cuda {
    pub version: (u32, u32),
    pub targets: Option<Vec<Target>>,
    /// PTX language `8.N`.
    pub isa: Option<u32>,
}

/// Code for a capability; `'a'` and `'f'` narrow it.
pub type Target = (Cap, Option<char>);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Floor {
    pub major: u32,
    pub windows: bool,
    /// Branch and minor number.
    pub driver: (usize, u32),
    /// From the publisher itself, or from somebody else.
    pub first_hand: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Package {
    pub main: bool,
    /// The packages with a mark share a module.
    pub same_module: bool,
    pub releases: Vec<Release>,
    /// `(lowest, below)` minor numbers of Python 3, as documented for all releases.
    pub python: Option<(u32, u32)>,
    /// Least capability, as documented for all releases.
    pub compute: Option<Cap>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Release {
    pub yanked: bool,
    /// `None`: nobody has read its metadata.
    pub requires: Option<Vec<(usize, Spec)>>,
    /// For each of these, the minor numbers of Python 3 from the first to before the second for which it holds; for all
    /// where there is none.
    #[serde(default)]
    pub markers: Vec<Option<(u32, u32)>>,
    pub builds: Vec<Build>,
}

impl Release {
    /// What it requires, with the interpreters for which it does.
    pub fn needs(&self) -> impl Iterator<Item = (usize, Spec, (u32, u32))> {
        let list = self.requires.iter().flatten().enumerate();
        list.map(|(i, (p, s))| (*p, *s, self.markers.get(i).copied().flatten().unwrap_or((0, u32::MAX))))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Spec {
    Any,
    Eq(Rel),
    Ge(Rel),
    Le(Rel),
}

impl Spec {
    pub fn accepts(self, release: Rel) -> bool {
        match self {
            Spec::Any => true,
            Spec::Eq(r) => release == r,
            Spec::Ge(r) => release >= r,
            Spec::Le(r) => release <= r,
        }
    }

    pub fn text(self) -> String {
        match self {
            Spec::Any => String::new(),
            Spec::Eq(r) => format!("=={r}.0"),
            Spec::Ge(r) => format!(">={r}.0"),
            Spec::Le(r) => format!("<={r}.0"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    Cuda,
    Cpu,
    Rocm,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Libs {
    Bundled,
    Wheels,
    System,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Plat {
    Linux,
    Windows,
    Any,
}

impl Plat {
    pub fn word(self) -> &'static str {
        match self {
            Plat::Linux => "linux-x86_64",
            Plat::Windows => "windows-x86_64",
            Plat::Any => "any",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Build {
    pub channel: usize,
    pub platform: Plat,
    pub kind: Kind,
    pub cuda: Option<usize>,
    pub libs: Option<Libs>,
    /// Machine code, and PTX where somebody has looked.
    pub code: Option<(Vec<Target>, Option<Vec<Target>>)>,
    /// Files for these minor numbers of Python 3, with the least glibc they need.
    pub files: Option<(Vec<u32>, Option<u32>)>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advisory {
    pub package: usize,
    pub spec: Spec,
    /// Otherwise it only degrades.
    pub breaks: bool,
    pub os: Option<Os>,
    pub channels: Vec<usize>,
    /// Capabilities from here on.
    pub compute_from: Option<Cap>,
    pub gpu: Option<usize>,
    /// Python from here on.
    pub python_from: Option<u32>,
    /// Branches from the first to before the second.
    pub branches: Option<(usize, usize)>,
    /// Another package that is asked for as well.
    pub with: Option<(usize, Spec)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Os {
    Linux,
    Windows,
    Wsl2,
}

impl Os {
    pub fn word(self) -> &'static str {
        match self {
            Os::Linux => "linux",
            Os::Windows => "windows",
            Os::Wsl2 => "wsl2",
        }
    }
}

/// A question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    pub check: bool,
    pub wants: Vec<(usize, Spec)>,
    pub hardware: Vec<Hardware>,
    /// `--gpu none`, when no hardware is named.
    pub no_gpu: bool,
    /// `--gpus any`.
    pub any: bool,
    pub os: Os,
    pub driver: Option<Driver>,
    pub cuda: Option<usize>,
    /// A toolkit on the machine.
    pub toolkit: Option<usize>,
    pub python: Option<u32>,
    /// `2.N`.
    pub glibc: Option<u32>,
    pub channel: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Hardware {
    Board(usize),
    Bare(Cap),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Driver {
    /// Branch and minor number.
    Of(usize, u32),
    /// Of a branch between the known ones, of which nothing is recorded.
    Between(usize),
    /// Of a branch newer than all.
    Future,
}

/// A world and a question: what a failing case is saved as.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Case {
    pub world: World,
    pub question: Question,
}

pub const FUTURE: u32 = 590;

impl World {
    /// The number of a driver as it is typed, without its minor part.
    pub fn driver_major(&self, driver: Driver, windows: bool) -> u32 {
        let linux = match driver {
            Driver::Of(branch, _) => self.branches[branch].number,
            Driver::Between(branch) => self.branches[branch].number + 5,
            Driver::Future => FUTURE,
        };
        if windows { linux + 1 } else { linux }
    }

    pub fn driver_text(&self, driver: Driver, windows: bool) -> String {
        let minor = if let Driver::Of(_, minor) = driver { minor } else { 10 };
        format!("{}.{minor}", self.driver_major(driver, windows))
    }

    /// A tidied world: no two builds for one place, `any` not beside another platform, pins of what has several lists
    /// of code not beside builds without a list.
    pub fn tidy(mut self) -> World {
        for package in &mut self.packages {
            for release in &mut package.releases {
                let mut kept: Vec<Build> = Vec::new();
                for build in release.builds.drain(..) {
                    let clash = kept.iter().any(|k| {
                        k.channel == build.channel
                            && (k.platform == build.platform
                                || k.platform == Plat::Any
                                || build.platform == Plat::Any)
                    });
                    if !clash {
                        kept.push(build);
                    }
                }
                release.builds = kept;
                let pins =
                    release.requires.iter().flatten().any(|(p, s)| *p != LIB_AT && matches!(s, Spec::Eq(_)));
                for build in &mut release.builds {
                    if pins && build.code.is_none() {
                        build.code = Some((Vec::new(), Some(Vec::new())));
                    }
                    if build.kind != Kind::Cuda {
                        build.cuda = None;
                        build.code = None;
                        build.libs = None;
                    }
                }
            }
        }
        self
    }
}
