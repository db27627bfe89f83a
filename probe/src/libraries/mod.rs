//! CUDA's libraries wherever a process would find them, and which copy it would load.

use crate::Sink;
use crate::python::Environment;

/// Looks for libraries as a process of an environment finds them, or one without an environment.
pub(crate) fn observe(_sink: &mut Sink<'_>, _environment: Option<&Environment>) {}
