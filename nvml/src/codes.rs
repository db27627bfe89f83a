//! Names of what goes wrong: NVML's own codes, and what is wrong with an answer.

/// NVML's codes by number, named as its constants are, without `NVML_ERROR_`, in lower case with hyphens.
const NAMES: [(u32, &str); 31] = [
    (1, "uninitialized"),
    (2, "invalid-argument"),
    (3, "not-supported"),
    (4, "no-permission"),
    (5, "already-initialized"),
    (6, "not-found"),
    (7, "insufficient-size"),
    (8, "insufficient-power"),
    (9, "driver-not-loaded"),
    (10, "timeout"),
    (11, "irq-issue"),
    (12, "library-not-found"),
    (13, "function-not-found"),
    (14, "corrupted-inforom"),
    (15, "gpu-lost"),
    (16, "reset-required"),
    (17, "operating-system"),
    (18, "lib-rm-version-mismatch"),
    (19, "in-use"),
    (20, "memory"),
    (21, "no-data"),
    (22, "vgpu-ecc-not-supported"),
    (23, "insufficient-resources"),
    (24, "freq-not-supported"),
    (25, "argument-version-mismatch"),
    (26, "deprecated"),
    (27, "not-ready"),
    (28, "gpu-not-found"),
    (29, "invalid-state"),
    (30, "reset-type-not-supported"),
    (999, "unknown"),
];

/// Why a call gave no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wrong {
    /// The library has no such function.
    Missing,
    /// The function returned this code.
    Code(u32),
    /// The text it gave is not UTF-8.
    NotText,
    /// It gave the number that stands for "no value", or one that cannot be.
    NoValue,
    /// It gave a number that no known meaning belongs to.
    Unexpected(u32),
}

impl Wrong {
    /// The name in the report. A code of a later version is `error-N`.
    pub(crate) fn name(&self) -> String {
        match self {
            Wrong::Missing => "function-not-found".to_owned(),
            Wrong::Code(code) => match NAMES.iter().find(|(number, _)| number == code) {
                Some((_, name)) => (*name).to_owned(),
                None => format!("error-{code}"),
            },
            Wrong::NotText => "not-utf8".to_owned(),
            Wrong::NoValue => "no-value".to_owned(),
            Wrong::Unexpected(value) => format!("unexpected-value-{value}"),
        }
    }

    /// The device does not have this: nothing went wrong.
    pub(crate) fn not_supported(&self) -> bool {
        *self == Wrong::Code(3)
    }

    /// There is nothing at this place.
    pub(crate) fn not_found(&self) -> bool {
        *self == Wrong::Code(6)
    }

    /// The GPU does not answer any more.
    pub(crate) fn lost(&self) -> bool {
        *self == Wrong::Code(15)
    }

    /// An older form of the function may know: this one is not there, or it does not know this form of its structure.
    pub(crate) fn too_new(&self) -> bool {
        matches!(self, Wrong::Missing | Wrong::Code(25))
    }
}
