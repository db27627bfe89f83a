//! Versions: one type per numbering scheme, none of them a string.
//!
//! The field numbers its parts in several ways that look alike and compare differently. Each scheme has a type of
//! its own, so that comparing a driver with a CUDA release does not compile. All of them read what people write and
//! print exactly what was read: `535.104.05` stays `535.104.05`.

mod compute;
mod dotted;
mod interpreters;
mod set;

pub use compute::{ComputeCapability, ComputeTarget, Suffix};
pub use dotted::{CudaVersion, CudnnVersion, Dotted, DriverVersion, NcclVersion, PythonVersion};
pub use interpreters::Interpreters;
pub use set::VersionSet;

/// A string that is not a version of the scheme it was read by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionError {
    /// What was read.
    pub text: String,
    /// What the scheme expects, with an example.
    pub expected: &'static str,
}

impl std::fmt::Display for VersionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not {}", self.text, self.expected)
    }
}

impl std::error::Error for VersionError {}
