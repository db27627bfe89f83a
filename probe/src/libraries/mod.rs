//! CUDA's libraries wherever a process would find them, and which copy it would load.

use crate::Sink;
use crate::python::Environment;

/// Looks for libraries, for every environment and for a process without one.
pub(crate) fn observe(_sink: &mut Sink<'_>, _environments: &[Environment]) {}
