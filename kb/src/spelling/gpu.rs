//! GPUs as `nvidia-smi -L` and `lspci` print them.

use kb_core::kb::Kb;
use kb_core::request::resolve::{self, GpuMatch};

/// The name in a pasted line, if the text as a whole names nothing and a part of it does.
pub(crate) fn gpu(kb: &Kb, text: &str) -> String {
    let known = |name: &str| !matches!(resolve::gpu(kb, name), GpuMatch::Unknown);
    if known(text) {
        return text.to_owned();
    }
    [smi(text), lspci(text)]
        .into_iter()
        .flatten()
        .find(|name| known(name))
        .map_or_else(|| text.to_owned(), str::to_owned)
}

/// `GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-…)`.
fn smi(text: &str) -> Option<&str> {
    let name = text.split(" (UUID").next().unwrap_or(text);
    let name = match name.split_once(':') {
        Some((head, rest)) if head.trim_start().to_ascii_lowercase().starts_with("gpu") => rest,
        _ => name,
    };
    Some(name.trim()).filter(|n| !n.is_empty() && *n != text)
}

/// `01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204] (rev a1)`: what
/// stands in brackets and is no number.
fn lspci(text: &str) -> Option<&str> {
    let brackets = text.split('[').skip(1).filter_map(|part| part.split_once(']')).map(|(inside, _)| inside);
    let number = |s: &str| s.split(':').all(|p| p.len() == 4 && p.bytes().all(|b| b.is_ascii_hexdigit()));
    brackets.map(str::trim).find(|inside| !inside.is_empty() && !number(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_tools_hold_a_name() {
        let kb = kb_data::builtin();
        for (line, name) in [
            ("GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-5fd8)", "NVIDIA GeForce RTX 3090"),
            ("GA102 [GeForce RTX 3090]", "GeForce RTX 3090"),
            (
                "01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204] (rev a1)",
                "GeForce RTX 3090",
            ),
            ("03:00.0 VGA: AMD Navi 31 [Radeon RX 7900 XTX] (rev c8)", "Radeon RX 7900 XTX"),
            ("rtx9999", "rtx9999"),
            ("GPU 0: Zzz (UUID: GPU-5fd8)", "GPU 0: Zzz (UUID: GPU-5fd8)"),
        ] {
            assert_eq!(gpu(&kb, line), name);
        }
    }
}
