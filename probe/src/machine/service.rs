//! What a service account sees of a machine: the variables of the machine, not those of who is logged on.

use super::{About, Cpu, DpkgPackage, Family, Machine, PciDevice, Ran, Refusal, RegistryKey};
use crate::library::LibraryFacts;
use crate::python::SiteReport;
use nvml_report::NvmlReport;
use std::collections::BTreeMap;

/// Where Windows keeps the variables of the machine.
const MACHINE_VARIABLES: &str = r"HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment";

/// The PATH that systemd gives to services of the system.
const UNIT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin";

/// A machine as a service sees it.
pub struct Service<'m>(pub &'m dyn Machine);

impl Machine for Service<'_> {
    fn variables(&self) -> BTreeMap<String, String> {
        match self.0.family() {
            Family::Windows => {
                let mut out = self.0.registry(MACHINE_VARIABLES).map(|k| k.values).unwrap_or_default();
                let known = self.0.variables();
                let root = ["SystemRoot", "windir"].iter().find_map(|n| {
                    known.iter().find(|(name, _)| name.eq_ignore_ascii_case(n)).map(|(_, v)| v.clone())
                });
                if let Some(root) = root {
                    for value in out.values_mut() {
                        *value = value.replace("%SystemRoot%", &root).replace("%SYSTEMROOT%", &root);
                    }
                    out.entry("SystemRoot".to_owned()).or_insert(root);
                }
                out
            }
            Family::Linux | Family::Macos => [("PATH".to_owned(), UNIT_PATH.to_owned())].into(),
        }
    }

    fn family(&self) -> Family {
        self.0.family()
    }
    fn cpu(&self) -> Cpu {
        self.0.cpu()
    }
    fn arch(&self) -> String {
        self.0.arch()
    }
    fn directory(&self) -> Option<String> {
        None
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        self.0.read(path)
    }
    fn head(&self, path: &str, bytes: usize) -> Result<Vec<u8>, Refusal> {
        self.0.head(path, bytes)
    }
    fn about(&self, path: &str) -> Result<About, Refusal> {
        self.0.about(path)
    }
    fn list(&self, directory: &str, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Refusal> {
        self.0.list(directory, wanted)
    }
    fn resolved(&self, path: &str) -> Result<String, Refusal> {
        self.0.resolved(path)
    }
    fn library(&self, path: &str) -> Result<LibraryFacts, Refusal> {
        self.0.library(path)
    }
    fn distributions(&self, site: &str) -> Result<SiteReport, Refusal> {
        self.0.distributions(site)
    }
    fn loader_cache(&self) -> Result<Vec<(String, String)>, Refusal> {
        self.0.loader_cache()
    }
    fn registry(&self, key: &str) -> Result<RegistryKey, Refusal> {
        self.0.registry(key)
    }
    fn pci(&self) -> Result<Vec<PciDevice>, Refusal> {
        self.0.pci()
    }
    fn dpkg(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<DpkgPackage>, Refusal> {
        self.0.dpkg(wanted)
    }
    fn nvml(&self) -> NvmlReport {
        self.0.nvml()
    }
    fn run(&self, program: &str, arguments: &[&str]) -> Result<Ran, Refusal> {
        self.0.run(program, arguments)
    }
}
