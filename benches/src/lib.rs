//! The real data as packages with numbered versions, for solvers that know nothing else.
//!
//! What the engine keeps as facts becomes a dependency here: a build needs a GPU of a capability that its code runs
//! on, a driver not below the least for its CUDA release, an interpreter that has a file, one CUDA major for all, and
//! the releases of other packages that its metadata asks for. Builds of one package are its versions, better ones
//! higher.

pub mod grub;
pub mod sat;

use kb_core::platform::{Os, Platform};
use kb_core::version::{ComputeCapability, DriverVersion};
use kb_core::world::{BuildKind, World};
use std::collections::BTreeMap;

/// A package name and the versions of it that will do.
pub type Need = (String, Vec<u32>);

/// Every package with its versions, and what each version needs.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// By name, oldest first.
    pub packages: BTreeMap<String, Vec<(u32, Vec<Need>)>>,
    /// What has to be installed.
    pub root: Vec<Need>,
}

impl Index {
    fn versions(&mut self, name: &str, versions: impl IntoIterator<Item = u32>) {
        self.packages
            .entry(name.to_owned())
            .or_default()
            .extend(versions.into_iter().map(|v| (v, Vec::new())));
    }
}

fn number(capability: ComputeCapability) -> u32 {
    u32::from(capability.major) * 10 + u32::from(capability.minor)
}

/// The index for some frameworks on one GPU and driver under Linux.
///
/// # Panics
/// If the data does not have one of the names.
pub fn index(world: &World<'_>, frameworks: &[&str], gpu: &str, driver: &str) -> Index {
    let kb = world.kb;
    let platform = Platform::parse("linux-x86_64").expect("a platform");
    let mut index = Index::default();
    // The machine.
    let mut capabilities: Vec<ComputeCapability> =
        world.gpus.iter().filter_map(|g| Some(g.capability.as_ref()?.value)).collect();
    capabilities.sort_unstable();
    capabilities.dedup();
    let own = world.gpus[kb.gpu(gpu).expect("a GPU")].capability.as_ref().expect("its capability").value;
    index.versions("gpu", capabilities.iter().map(|c| number(*c)));
    index.root.push(("gpu".into(), vec![number(own)]));
    let mut drivers: Vec<DriverVersion> = kb
        .facts_of("driver-release")
        .filter(|(id, _)| kb.cell(*id, "os").is_some_and(|os| os.to_string() == "linux"))
        .filter_map(|(id, _)| kb.cell(id, "driver")?.to_string().parse().ok())
        .collect();
    let have: DriverVersion = driver.parse().expect("a driver");
    drivers.push(have);
    drivers.sort_by(|a, b| a.cmp_number(b));
    drivers.dedup_by(|a, b| a.cmp_number(b).is_eq());
    index.versions("driver", 0..drivers.len() as u32);
    let at = drivers.iter().position(|d| d.cmp_number(&have).is_eq()).expect("added above") as u32;
    index.root.push(("driver".into(), vec![at]));
    index.versions("cuda-major", 8..=13);
    index.versions("python", 6..=15);
    // Builds, and which third packages they ask for.
    let mut third: Vec<String> = Vec::new();
    for framework in frameworks {
        let at = kb.package(framework).expect("a package");
        let members: Vec<usize> = kb.packages[at].members.iter().filter_map(|m| kb.package(m)).collect();
        let members = if members.is_empty() { vec![at] } else { members };
        let mut versions: Vec<(u32, Vec<Need>)> = Vec::new();
        for member in members {
            let package = world.package(member, Some(platform));
            let mut builds: Vec<_> = package
                .builds
                .iter()
                .filter(|b| {
                    b.kind == BuildKind::Cuda && !package.release(b).yanked && !package.release(b).prerelease
                })
                .filter(|b| &*kb.channels[usize::from(b.channel)].kind != "docker")
                .collect();
            builds.sort_by_key(|b| (b.release, b.cuda.as_ref().map(|c| c.value)));
            for build in builds {
                // What is not known cannot be said as a dependency: such builds are left out.
                let (Some(code), Some(cuda)) = (&build.device_code, &build.cuda) else { continue };
                let runs = |c: &&ComputeCapability| {
                    code.value.sass.iter().any(|t| t.sass_runs_on(**c))
                        || code.value.ptx.iter().flatten().any(|t| t.ptx_runs_on(**c))
                };
                let mut needs: Vec<Need> = vec![
                    ("gpu".into(), capabilities.iter().filter(runs).map(|c| number(*c)).collect()),
                    ("cuda-major".into(), vec![cuda.value.major()]),
                ];
                if let Some(floor) = world.driver.floor(kb, cuda.value, Os::Linux) {
                    let enough = drivers
                        .iter()
                        .enumerate()
                        .filter(|(_, d)| d.at_least(&floor.value))
                        .map(|(i, _)| i as u32);
                    needs.push(("driver".into(), enough.collect()));
                }
                for files in build.python.iter().filter(|f| f.own_channel) {
                    let minors = files
                        .tags
                        .iter()
                        .filter_map(|t| t.strip_prefix("cp3")?.split('-').next()?.parse().ok());
                    let minors: Vec<u32> = minors.filter(|m| (6..=15).contains(m)).collect();
                    if !minors.is_empty() {
                        needs.push(("python".into(), minors));
                    }
                }
                for (requirement, _) in build.requires.iter() {
                    let Some(other) = kb.package(&requirement.name) else { continue };
                    let releases = &world.package(other, Some(platform)).releases;
                    if releases.is_empty() || frameworks.contains(&&*requirement.name) {
                        continue;
                    }
                    let open = releases
                        .iter()
                        .enumerate()
                        .filter(|(_, r)| requirement.accepts(r.version()))
                        .map(|(i, _)| i as u32);
                    needs.push((requirement.name.to_string(), open.collect()));
                    third.push(requirement.name.to_string());
                }
                versions.push((versions.len() as u32, needs));
            }
        }
        index.root.push(((*framework).to_owned(), versions.iter().map(|(v, _)| *v).collect()));
        index.packages.insert((*framework).to_owned(), versions);
    }
    third.sort();
    third.dedup();
    for name in third {
        let count =
            world.package(kb.package(&name).expect("looked up above"), Some(platform)).releases.len() as u32;
        index.versions(&name, 0..count);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solvers_find_something_and_agree_on_what_is_impossible() {
        let kb = kb_data::builtin();
        let world = kb_data::world(&kb);
        for (gpu, driver, expected) in [("rtx-3090", "550.54.14", true), ("rtx-3090", "390.157", false)] {
            let index = index(&world, &["torch"], gpu, driver);
            assert_eq!(sat::solve(sat::provider(&index)).is_some(), expected, "resolvo, {gpu} {driver}");
            assert_eq!(grub::solve(&grub::provider(&index)).is_some(), expected, "pubgrub, {gpu} {driver}");
        }
    }
}
