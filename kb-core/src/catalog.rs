//! What things are called: GPUs, packages, channels, accelerators of other makers.

use crate::value::Branch;
use serde::{Deserialize, Serialize};

/// A product by NVIDIA that runs CUDA.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gpu {
    /// `rtx-3090`.
    pub id: Box<str>,
    /// `GeForce RTX 3090`.
    pub name: Box<str>,
    /// Other spellings that normalising does not give.
    pub aliases: Vec<Box<str>>,
    /// What the driver prints, where it is not "NVIDIA " and the name.
    pub driver_names: Vec<Box<str>>,
    /// `Ampere`.
    pub architecture: Box<str>,
    /// `GA102`.
    pub chips: Vec<Box<str>>,
    /// Memory per GPU in MiB, as marketed; several when there are variants.
    pub memory_mib: Vec<u32>,
    /// `geforce`, `datacenter`, `laptop`, `jetson` …
    pub segment: Box<str>,
    /// The processor on the same module, where the GPU is only sold with one.
    pub processor: Option<crate::platform::Arch>,
    /// PCI device ids, four hexadecimal digits in upper case.
    pub pci_ids: Vec<Box<str>>,
    /// Indexes of sources.
    pub sources: Vec<u16>,
    /// Anything a reader should know.
    pub note: Option<Box<str>>,
}

/// A spelling that names more than one product.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ambiguous {
    /// `RTX 6000`.
    pub spelling: Box<str>,
    /// Ids of the GPUs it may mean.
    pub candidates: Vec<Box<str>>,
}

/// What a package is in the chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageKind {
    /// torch, paddlepaddle-gpu …
    Framework,
    /// Built on a framework, or beside it.
    Library,
    /// Driver, toolkit, cuDNN, Python: not a wheel.
    System,
    /// A wheel of NVIDIA's own, such as nvidia-cudnn-cu12.
    NvidiaWheel,
}

/// How a package's versions are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Python packages.
    Pep440,
    /// CUDA toolkits.
    Cuda,
    /// NVIDIA drivers.
    Driver,
    /// cuDNN.
    Cudnn,
    /// Python itself.
    Python,
    /// Other numbers with dots.
    Dotted,
}

/// A thing with releases.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Package {
    /// The normalised PyPI name, or a system component's id.
    pub id: Box<str>,
    /// `PyTorch`.
    pub name: Box<str>,
    /// Other names people use.
    pub aliases: Vec<Box<str>>,
    /// Its part in the chain.
    pub kind: PackageKind,
    /// How its versions are numbered.
    pub scheme: Scheme,
    /// Its place among the main frameworks that `kb solve` shows when none is named.
    pub main: Option<u8>,
    /// The module it installs.
    pub import_name: Option<Box<str>>,
    /// Python that shows whether a GPU is seen through it.
    pub gpu_check: Option<Box<str>>,
    /// It makes device code on the machine where it runs.
    pub compiles_at_run_time: bool,
    /// For a CPU-only sibling: the package with GPU code.
    pub gpu_package: Option<Box<str>>,
    /// For a family name: the packages that can be installed, best first.
    pub members: Vec<Box<str>>,
    /// Channels from most to least preferred; `*` stands for the rest.
    pub channel_order: Vec<Box<str>>,
}

/// A place that serves builds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Channel {
    /// `pypi`, `pytorch-cu126`, `paddle-cu126` …
    pub id: Box<str>,
    /// `PyTorch wheels for CUDA 12.6`.
    pub name: Box<str>,
    /// Other names people use (`cu126`).
    pub aliases: Vec<Box<str>>,
    /// `pypi`, `pip-index`, `find-links`, `conda`, `docker`.
    pub kind: Box<str>,
    /// The index or page to give to the installer.
    pub address: Option<Box<str>>,
    /// The label in a version, as in `2.9.1+cu126`, if the channel's builds carry one.
    pub local_label: Option<Box<str>>,
    /// Packages it serves.
    pub packages: Vec<Box<str>>,
    /// Indexes of sources.
    pub sources: Vec<u16>,
    /// How to install from it, best first.
    pub install: Vec<InstallLine>,
    /// Extras that its releases spell in another way.
    pub extras: Vec<ExtraName>,
}

/// How releases spell an extra that elsewhere has another name: `cuda12_pip` for cuda12.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExtraName {
    /// The extra as builds name it.
    pub extra: Box<str>,
    /// What the installer has to be given.
    pub spelling: Box<str>,
    /// Releases that have this spelling (a PEP 440 specifier), when not all.
    pub versions: Option<Box<str>>,
}

/// A command template.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InstallLine {
    /// `pip`, `uv`, `conda`, `docker`.
    pub tool: Box<str>,
    /// `any`, `bash`, `powershell`, `cmd`.
    pub shell: Box<str>,
    /// With `{requirement}`, `{package}`, `{version}`, `{address}`.
    pub command: Box<str>,
    /// Releases it holds for (a PEP 440 specifier), when not all.
    pub versions: Option<Box<str>>,
    /// Operating systems it holds for; empty means all.
    pub os: Vec<Box<str>>,
}

/// A family of accelerators that is not CUDA.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Accelerator {
    /// `ascend`.
    pub id: Box<str>,
    /// `Huawei Ascend`.
    pub name: Box<str>,
    /// Spellings that mean it.
    pub aliases: Vec<Box<str>>,
    /// `npu`, `gpu`, `xpu` …
    pub kind: Box<str>,
    /// What exists for it.
    pub offers: Vec<Offer>,
    /// Anything a reader should know.
    pub note: Option<Box<str>>,
}

/// A package for an accelerator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// The framework it serves.
    pub framework: Box<str>,
    /// The package's name.
    pub package: Box<str>,
    /// The vendor stack it needs.
    pub needs: Option<Box<str>>,
    /// Index or page.
    pub place: Option<Box<str>>,
    /// Chips it is for.
    pub chips: Vec<Box<str>>,
    /// Indexes of sources.
    pub sources: Vec<u16>,
    /// Anything a reader should know.
    pub note: Option<Box<str>>,
}

/// The normal form of a spelling: lower case, only letters and digits of any script, without a leading "nvidia".
pub fn normal_form(text: &str) -> String {
    let mut out: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    if let Some(rest) = out.strip_prefix("nvidia")
        && !rest.is_empty()
    {
        out = rest.to_owned();
    }
    out
}

/// Re-exported for the tables of branches.
pub type BranchNumber = Branch;
