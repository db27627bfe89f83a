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
    /// TensorFlow's list: `sm_70` is machine code, `compute_90` is PTX, and `9.0` is both. Source: TensorFlow's
    /// `configure.py`, which promises machine code for `compute_90` as well; but of the 1,398 containers in the main
    /// library of TensorFlow 2.21.0 for Linux, for which this is declared last, all have PTX for 9.0 and 249 have machine
    /// code for it. With 8.0 in 2.10.1 for Windows it is 2,143 and 258.
    pub(super) fn tensorflow<'a>(words: impl Iterator<Item = &'a str>) -> Declared {
        words
            .fold(Declared::default(), |out, word| match (word.strip_prefix("compute_"), word.parse()) {
                (Some(_), Ok(target)) => Declared { ptx: [out.ptx, vec![target]].concat(), ..out },
                _ => out.with(word, word, !word.starts_with("sm_")),
            })
            .sorted()
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

    /// The words that torch compiles into itself, separated by single spaces: `sm_80` is machine code, `compute_90` is
    /// PTX. `None` if there is any other word. Source: `torch/cuda/__init__.py`, `get_arch_list`.
    pub(super) fn flags(list: &str) -> Option<Declared> {
        let mut out = Declared::default();
        for word in list.split(' ') {
            let (targets, number) = match (word.strip_prefix("sm_"), word.strip_prefix("compute_")) {
                (Some(number), _) => (&mut out.sass, number),
                (_, Some(number)) => (&mut out.ptx, number),
                _ => return None,
            };
            // With the digits alone, so that nothing but this spelling is read.
            let digits = number.strip_suffix(['a', 'f']).unwrap_or(number);
            if !(2..=3).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            targets.push(word.parse().ok()?);
        }
        Some(out.sorted())
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
