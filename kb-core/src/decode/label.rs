//! Labels in versions: `+cu124`, `+rocm6.1`, `+cuda12.cudnn89`, `.post117`; and the reading of a bare version that
//! carries one.

use super::text::{self, Cuda};

/// What a label says.
#[derive(Default, Clone, PartialEq, Debug)]
pub(super) struct Label {
    /// The CUDA it names.
    pub(super) cuda: Option<Cuda>,
    /// The cuDNN it names.
    pub(super) cudnn: Option<String>,
    /// `cuda`, `cpu`, `rocm`, `xpu`.
    pub(super) device: Option<&'static str>,
    /// The ROCm release.
    pub(super) rocm: Option<String>,
    /// The PyTorch release that an extension was built for.
    pub(super) torch: Option<String>,
    /// The month of NVIDIA's own container build (`nv24.05`).
    pub(super) nvidia: Option<String>,
}

impl Label {
    /// Does it say anything?
    pub(super) fn says_something(&self) -> bool {
        *self != Label::default()
    }
}

/// Reads a local version label (without `+`); words it does not know are passed over.
pub(super) fn local(label: &str) -> Label {
    let lower = label.to_ascii_lowercase();
    let mut out = Label::default();
    for (word, number) in text::word_numbers(&lower) {
        match word {
            "cu" | "cuda" => {
                if let Some(cuda) = text::cuda(number) {
                    out.cuda = out.cuda.or(Some(cuda));
                    out.device = Some("cuda");
                }
            }
            "cudnn" => out.cudnn = text::cudnn(number),
            "rocm" if !number.is_empty() => {
                out.rocm = Some(number.to_owned());
                out.device = Some("rocm");
            }
            "cpu" => out.device = Some("cpu"),
            "xpu" => out.device = Some("xpu"),
            "torch" | "pt" if !number.is_empty() => out.torch = Some(torch(number)),
            "nv" if number.contains('.') => out.nvidia = Some(number.to_owned()),
            _ => {}
        }
    }
    out
}

/// `24` is PyTorch 2.4, `113` is 1.13, `2.4` is itself.
fn torch(number: &str) -> String {
    if number.contains('.') || number.len() < 2 {
        number.to_owned()
    } else {
        format!("{}.{}", &number[..1], &number[1..])
    }
}

/// Reads the number behind Paddle's `.post`: 117 is CUDA 11.7.
///
/// The wheels of 1.x wrote the cuDNN major as the last digit: `post97` (CUDA 9) and `post107` (CUDA 10); no CUDA 9.7
/// or 10.7 exists.
pub(super) fn post(number: u64) -> Label {
    match number {
        97 | 107 => Label {
            cuda: Some(Cuda::Major(number / 10)),
            cudnn: Some("7".to_owned()),
            device: Some("cuda"),
            ..Label::default()
        },
        _ => {
            let cuda = if number < 70 { None } else { text::cuda(&number.to_string()) };
            Label { device: cuda.is_some().then_some("cuda"), cuda, ..Label::default() }
        }
    }
}
