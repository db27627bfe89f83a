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

/// Variables that Windows gives to every process, which have to do with where things are.
const OF_THE_SYSTEM: [&str; 8] = [
    "SystemRoot",
    "SystemDrive",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "ProgramW6432",
    "CommonProgramFiles",
    "ProgramData",
    "ALLUSERSPROFILE",
];

/// A machine as a service sees it.
pub struct Service<'m>(pub &'m dyn Machine);

impl Machine for Service<'_> {
    fn variables(&self, wanted: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
        let mut out: BTreeMap<String, String> = match self.0.family() {
            Family::Windows => {
                let mut out = self.0.registry(MACHINE_VARIABLES).map(|k| k.values).unwrap_or_default();
                // What the system sets for everybody is not in that key.
                let of_system = |name: &str| OF_THE_SYSTEM.iter().any(|n| n.eq_ignore_ascii_case(name));
                for (name, value) in self.0.variables(&of_system) {
                    if !out.keys().any(|n| n.eq_ignore_ascii_case(&name)) {
                        out.insert(name, value);
                    }
                }
                // A variable may name one that names another.
                for _ in 0..2 {
                    let all = out.clone();
                    out.values_mut().for_each(|value| *value = expanded(value, &all));
                }
                out
            }
            Family::Linux | Family::Macos => [("PATH".to_owned(), UNIT_PATH.to_owned())].into(),
        };
        out.retain(|name, _| wanted(name));
        out
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

/// `%NAME%` replaced where there is such a variable, as Windows does it.
fn expanded(text: &str, variables: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let named = after.split_once('%').and_then(|(name, end)| {
            let (_, value) = variables.iter().find(|(n, _)| n.eq_ignore_ascii_case(name))?;
            Some((value, end))
        });
        match named {
            Some((value, end)) => {
                out.push_str(value);
                rest = end;
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Capture, Replay, variable};

    #[test]
    fn variables_of_the_machine_alone_and_what_they_name() {
        let capture = r"
            schema = 1
            family = 'windows'
            arch = 'x86_64'
            [variables]
            SYSTEMROOT = 'D:\Windows'
            ProgramFiles = 'D:\Program Files'
            PATH = 'C:\Users\a\bin'
            CUDA_HOME = 'C:\Users\a\cuda'
            [[registry]]
            key = 'HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment'
            [registry.values]
            CUDA_PATH = '%programfiles%\CUDA\v12.4'
            Path = '%SystemRoot%\system32;%CUDA_PATH%\bin;%NOBODY%\x;100%'
        ";
        let machine = Replay::new(Capture::parse(capture).expect("is a capture"));
        let service = Service(&machine);
        assert_eq!(variable(&service, "CUDA_PATH").as_deref(), Some(r"D:\Program Files\CUDA\v12.4"));
        let path = variable(&service, "PATH").expect("there is one");
        assert_eq!(path, r"D:\Windows\system32;D:\Program Files\CUDA\v12.4\bin;%NOBODY%\x;100%");
        assert_eq!(variable(&service, "CUDA_HOME"), None, "it is the user's");
    }
}
