//! Device code: which GPUs the code inside a library was compiled for.
//!
//! CUDA keeps compiled code in *containers* ("fatbins"). A container has entries; each entry is code of one kind for
//! one compute target: SASS (machine code) or PTX (code that the driver compiles). Only headers are read: what a payload
//! holds, and whether it is compressed, makes no difference.
//!
//! Layout, little-endian. Container: magic `0xBA55ED50`, u16 version 1, u16 header size 16, u64 size of its entries.
//! Entry: u16 kind (1 PTX, 2 SASS), u16 version, u32 header size, u64 payload size, …, u32 at 28 the compute capability
//! times ten, …, u64 at 40 flags.
//!
//! Flags, the same for SASS and PTX:
//!
//! | bit | on |
//! | --- | --- |
//! | 13 | a payload compressed with LZ4 |
//! | 15 | a payload compressed with zstd |
//! | 20 | architecture-specific code (`9.0a`) |
//! | 21 | family-specific code (`12.0f`) |
//! | 24 | SASS for 10.0 and later, of every suffix |
//!
//! Code with neither bit 20 nor bit 21 is general. In cuDNN 9.28.1 (CUDA 13) the two bits agree with what the payloads
//! say of themselves, SASS by the options it keeps (`-arch sm_120f`) and PTX by its `.target`: 5,358 entries for 7.5, 8.0,
//! 8.6, 9.0, 9.0a, 10.0, 10.0a, 10.0f, 10.3, 10.7, 12.0, 12.0f and 12.1, without an exception; seven more say nothing.
//! The ELF flags inside the payload are no help: they have the number without the suffix.

mod dominant;
mod fatbin;
mod scan;

pub(crate) use dominant::is_nvidia;
pub use dominant::{dominant, is_bundled};
pub use fatbin::Scanner;
pub use scan::{scan, scan_stream};

use kb_core::version::ComputeTarget;
use std::collections::BTreeMap;

/// How much code there is for one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Entries. A container can have several for one target.
    pub entries: u64,
    /// Containers with at least one such entry.
    pub containers: u64,
    /// Bytes of the payloads as they are in the file, compressed or not.
    pub bytes: u64,
}

/// What the containers of one file hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeviceCode {
    /// Containers whose header makes sense, empty ones included. About one per source file with kernels.
    pub containers: u64,
    /// Machine code by target.
    pub sass: BTreeMap<ComputeTarget, Count>,
    /// PTX by target.
    pub ptx: BTreeMap<ComputeTarget, Count>,
    /// Entries of other kinds (intermediate code for the linker, for example), by the number of the kind.
    pub other: BTreeMap<u16, u64>,
    /// Places that begin like a container or an entry and go on like something else. What follows was searched anew.
    pub malformed: u64,
    /// The file ended inside a container.
    pub truncated: bool,
}

/// The share of a library's containers from which on a target counts as one that the library is for.
///
/// Targets fall into two groups in the main libraries of the frameworks. Those that a vendor supports are in 36 % and
/// more: ONNX Runtime 1.31.1 has 7.5 in 217 of 609 containers, because most of the others hold kernels for 9.0a alone;
/// in torch, TensorFlow and Paddle it is nearly all. Those that some kernels have besides are in 18 % and fewer:
/// TensorFlow 2.21.0 has machine code for 9.0 in 249 of 1,398, torch 2.15.0 for 10.0a in 59 of 534, Paddle 2.6.2 for 3.5
/// in 8 of 673, vLLM 0.33.0 PTX for 8.0 in 19 of 118.
pub const USUAL: f64 = 0.25;

impl DeviceCode {
    /// Is there no code at all?
    pub fn is_empty(&self) -> bool {
        self.sass.is_empty() && self.ptx.is_empty() && self.other.is_empty()
    }

    /// Entries of SASS and PTX together.
    pub fn entries(&self) -> u64 {
        self.sass.values().chain(self.ptx.values()).map(|c| c.entries).fold(0, u64::saturating_add)
    }

    /// Targets of a table that at least `share` of the containers have: 0.25 means every fourth one. See [`USUAL`].
    ///
    /// A few kernels are often compiled for more, or for other, targets than the rest: a handful of `9.0a` kernels does
    /// not make a library one for 9.0.
    pub fn usual(&self, table: &BTreeMap<ComputeTarget, Count>, share: f64) -> Vec<ComputeTarget> {
        let least = self.containers as f64 * share;
        table.iter().filter(|(_, c)| c.containers as f64 >= least).map(|(t, _)| *t).collect()
    }

    /// Adds what another part of the same file holds.
    pub fn add(&mut self, other: &DeviceCode) {
        self.containers = self.containers.saturating_add(other.containers);
        self.malformed = self.malformed.saturating_add(other.malformed);
        self.truncated |= other.truncated;
        for (mine, theirs) in [(&mut self.sass, &other.sass), (&mut self.ptx, &other.ptx)] {
            for (target, count) in theirs {
                let sum = mine.entry(*target).or_default();
                sum.entries = sum.entries.saturating_add(count.entries);
                sum.containers = sum.containers.saturating_add(count.containers);
                sum.bytes = sum.bytes.saturating_add(count.bytes);
            }
        }
        for (kind, entries) in &other.other {
            let sum = self.other.entry(*kind).or_default();
            *sum = sum.saturating_add(*entries);
        }
    }
}
