//! The state of a machine as a file.

use diagnose::case::Case;
use diagnose::seen::Seen;
use kb_core::kb::Kb;
use kb_core::observe::Observation;
use kb_core::world::World;
use probe::Probe;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What belongs to the state: the chain from the GPU to the interpreter. Places and paths are of the machine alone.
const CHAIN: [&str; 20] = [
    "gpu",
    "gpu-count",
    "compute-capability",
    "driver",
    "driver-library",
    "driver-model",
    "cuda-driver-level",
    "mig",
    "os",
    "kernel",
    "glibc",
    "arch",
    "wsl",
    "container",
    "l4t",
    "cuda-toolkit",
    "cuda-path",
    "cuda-visible-devices",
    "vc-runtime",
    "python",
];

/// Libraries of which the copy that would be loaded belongs to the state.
const LIBRARIES: [&str; 6] = ["cudnn", "nccl", "cublas", "cuda-runtime", "tensorrt", "zlibwapi"];

/// The state of a machine and of one Python environment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lock {
    /// 1.
    pub schema: u32,
    /// `snapshot`.
    pub command: String,
    /// The day on which it was written.
    pub written: String,
    /// The data that were used.
    pub data: String,
    /// The chain: name → values, in their order.
    pub machine: BTreeMap<String, Vec<String>>,
    /// Versions of the copies that would be loaded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub libraries: BTreeMap<String, String>,
    /// What is installed.
    #[serde(default, rename = "package", skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Package>,
}

/// An installed package.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Package {
    /// Its name.
    pub name: String,
    /// Its version, local part included.
    pub version: String,
    /// The channel that has this build, where the facts tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The index to give to the installer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// SHA-256 of its RECORD, which has the checksums of all its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

impl Lock {
    /// The state that was seen, with the first of several environments.
    pub(super) fn of(kb: &Kb, world: &World<'_>, seen: &Probe) -> Lock {
        let observations = seen.of_environment(seen.environments.first());
        let mut out = Lock {
            schema: 1,
            command: "snapshot".to_owned(),
            written: crate::clock::today(),
            data: kb.version.to_string(),
            ..Lock::default()
        };
        let mut all = Seen::default();
        for o in &observations {
            all.push(Observation { place: None, ..(*o).clone() });
            if CHAIN.contains(&&*o.what) {
                let values = out.machine.entry(o.what.clone()).or_default();
                // GPUs repeat; the same found in several ways does not.
                if matches!(&*o.what, "gpu" | "compute-capability")
                    && o.method == first_method(&observations, &o.what)
                    || !values.contains(&o.value)
                {
                    values.push(o.value.clone());
                }
            }
        }
        for name in LIBRARIES {
            let of_name = || observations.iter().filter(|o| o.what == name);
            let is_first = |o: &&&Observation| {
                observations.iter().any(|f| f.what == "library-first" && Some(&f.value) == o.place.as_ref())
            };
            if let Some(found) = of_name().find(is_first).or_else(|| of_name().next()) {
                out.libraries.insert(name.to_owned(), found.value.clone());
            }
        }
        let case = Case::new(world.view(), &all, &[], &[]);
        for o in &observations {
            let Some(name) = o.what.strip_prefix("package:") else { continue };
            if out.packages.iter().any(|p| p.name == name) {
                continue;
            }
            let build = kb.package(name).and_then(|index| case.build_of_version(index, &o.value));
            let channel = build.map(|b| &kb.channels[usize::from(b.channel)]);
            let record = observations.iter().find_map(|r| {
                (r.what == "package-record").then(|| r.value.strip_prefix(name)?.strip_prefix(' ')).flatten()
            });
            out.packages.push(Package {
                name: name.to_owned(),
                version: o.value.clone(),
                channel: channel.map(|c| c.id.to_string()),
                index: channel.and_then(|c| c.address.as_deref()).map(str::to_owned),
                record: record.map(str::to_owned),
            });
        }
        out.packages.sort_by(|a, b| a.name.cmp(&b.name));
        out
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, with the line.
    pub(super) fn parse(text: &str) -> Result<Lock, String> {
        let lock: Lock = toml::from_str(text).map_err(|e| e.to_string())?;
        match (lock.schema, &*lock.command) {
            (1, "snapshot") => Ok(lock),
            (1, other) => Err(format!("its command is `{other}`, not `snapshot`")),
            (other, _) => Err(format!("schema {other}; this kb reads schema 1")),
        }
    }

    /// The file.
    pub(super) fn to_text(&self) -> String {
        let mut out = String::from(
            "# The state of a machine, written by `kb snapshot`. What has changed since: kb snapshot --check FILE\n",
        );
        // Everything in it is text, lists and tables of text: there is nothing that cannot be written.
        let _ = write!(out, "{}", toml::to_string(self).unwrap_or_default());
        out
    }

    /// The state as it would be seen.
    pub(super) fn probe(&self) -> Probe {
        let see = |what: &str, value: &str| Observation {
            what: what.to_owned(),
            value: value.to_owned(),
            raw: None,
            method: "snapshot".to_owned(),
            line: None,
            place: None,
        };
        let chain = self.machine.iter().flat_map(|(what, values)| values.iter().map(move |v| see(what, v)));
        let libraries = self.libraries.iter().map(|(what, version)| see(what, version));
        let packages = self.packages.iter().map(|p| see(&format!("package:{}", p.name), &p.version));
        Probe {
            schema: 1,
            command: "probe",
            observations: chain
                .chain(libraries)
                .chain(packages)
                .filter(|o| kb_core::observe::is_name(&o.what))
                .collect(),
            failures: Vec::new(),
            environments: Vec::new(),
        }
    }
}

/// The way that gave the first value of a name.
fn first_method<'o>(observations: &[&'o Observation], what: &str) -> &'o str {
    observations.iter().find(|o| o.what == what).map_or("", |o| &*o.method)
}
