//! Lists of compute targets, as build systems write them.

use kb_core::version::ComputeTarget;

/// Targets that a package declares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Declared {
    /// Machine code for these, ascending.
    pub sass: Vec<ComputeTarget>,
    /// PTX for these, ascending.
    pub ptx: Vec<ComputeTarget>,
    /// Words that are not targets (`native`, `Volta`).
    pub unread: Vec<String>,
}

impl Declared {
    /// TensorFlow's list: `sm_70` is machine code alone, `compute_90` is machine code and PTX, and so is `9.0`.
    /// Source: TensorFlow's `configure.py`.
    pub(super) fn tensorflow<'a>(words: impl Iterator<Item = &'a str>) -> Declared {
        words.fold(Declared::default(), |out, word| out.with(word, word, !word.starts_with("sm_"))).sorted()
    }

    /// `TORCH_CUDA_ARCH_LIST`: `8.0+PTX` is machine code and PTX, `9.0a` machine code alone. Separated by spaces or
    /// semicolons. Source: `torch/utils/cpp_extension.py`.
    pub(super) fn torch(list: &str) -> Declared {
        list.split([' ', ';', ','])
            .filter(|w| !w.is_empty())
            .fold(Declared::default(), |out, word| {
                let plain = word.strip_suffix("+PTX");
                out.with(word, plain.unwrap_or(word), plain.is_some())
            })
            .sorted()
    }

    fn with(mut self, written: &str, target: &str, ptx: bool) -> Declared {
        match target.parse::<ComputeTarget>() {
            Ok(target) => {
                self.sass.push(target);
                if ptx {
                    self.ptx.push(target);
                }
            }
            Err(_) => self.unread.push(written.to_owned()),
        }
        self
    }

    fn sorted(mut self) -> Declared {
        for list in [&mut self.sass, &mut self.ptx] {
            list.sort();
            list.dedup();
        }
        self
    }
}
