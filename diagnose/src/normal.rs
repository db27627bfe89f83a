//! The normal form of values that messages print.

use kb_core::decode;

/// The normal form of a captured text for an observation; `None` where it is no such value.
pub fn normal(what: &str, text: &str) -> Option<String> {
    let text = text.trim().trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | ',' | ';'));
    if text.is_empty() {
        return None;
    }
    match what {
        "compute-capability" => capability(text),
        "framework-arches" => capabilities(text),
        "cudnn" | "framework-cudnn" | "cudnn-needed" => cudnn(text),
        "cuda-driver-level" | "framework-cuda" | "cuda-toolkit" | "cuda-needed" => cuda(text),
        "driver" | "driver-library" | "driver-needed" | "plugin-version" | "core-version" | "glibc"
        | "glibc-needed" | "libstdcxx-needed" | "ptx-isa" | "ptx-isa-driver" | "engine-built-with"
        | "engine-runtime" | "python" => version(text),
        _ => Some(text.to_owned()),
    }
}

/// A version without the point that ends the sentence.
fn version(text: &str) -> Option<String> {
    let text = text.trim_end_matches('.').trim_start_matches(['v', 'V']);
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.to_owned())
}

/// `sm_120`, `compute_86`, `120`, `8.6`, `7.5+PTX` → `12.0`, `8.6`, `12.0`, `8.6`, `7.5`.
pub fn capability(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches("sm_").trim_start_matches("compute_").trim_start_matches("sm");
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    if !(rest.is_empty() || rest == "a" || rest == "f" || rest.eq_ignore_ascii_case("+ptx")) {
        return None;
    }
    match number.split_once('.') {
        Some((major, minor)) if !major.is_empty() && minor.len() == 1 && major.len() < 3 => {
            Some(format!("{major}.{minor}"))
        }
        Some(_) => None,
        // The compiler's own form has a digit more: 520 is 5.2, 1200 is 12.0; 120 is sm_120.
        None if number.ends_with('0') && (number.len() == 4 || (number.len() == 3 && number >= "300")) => {
            capability(&number[..number.len() - 1])
        }
        None if (2..=3).contains(&number.len()) => {
            let (major, minor) = number.split_at(number.len() - 1);
            Some(format!("{major}.{minor}"))
        }
        None => None,
    }
}

fn capabilities(text: &str) -> Option<String> {
    let all: Vec<String> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']' | '\''))
        .filter(|t| !t.is_empty())
        .filter_map(capability)
        .collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// `(8, 5, 0)`, `8500`, `90100`, `8.5.0`, `8, 5, 0`.
fn cudnn(text: &str) -> Option<String> {
    let plain = text.trim_matches(['(', ')', '[', ']']);
    if plain.contains(',') {
        let parts: Vec<&str> = plain.split(',').map(str::trim).collect();
        let numbers = parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        return numbers.then(|| parts.join("."));
    }
    if plain.len() >= 4 && plain.bytes().all(|b| b.is_ascii_digit()) {
        let number: u32 = plain.parse().ok()?;
        return Some(match number {
            90000.. => format!("{}.{}.{}", number / 10000, number / 100 % 100, number % 100),
            _ => format!("{}.{}.{}", number / 1000, number / 100 % 10, number % 100),
        });
    }
    version(plain.trim_end_matches(".*"))
}

/// `11040`, `cu124`, `12.4`, `1201` (of xFormers), `CUDA 12.*`.
fn cuda(text: &str) -> Option<String> {
    let text = text.trim_end_matches(".*").trim_end_matches(['+', 'x']).trim_end_matches('.');
    if let Some(digits) = text.strip_prefix("cu").filter(|d| d.len() >= 2) {
        let (major, minor) = digits.split_at(digits.len() - 1);
        return digits.bytes().all(|b| b.is_ascii_digit()).then(|| format!("{major}.{minor}"));
    }
    if text.len() >= 4 && text.bytes().all(|b| b.is_ascii_digit()) {
        let number: u32 = text.parse().ok()?;
        return Some(match number {
            // 1201 and 902: xFormers writes two digits for the minor.
            0..=2000 => format!("{}.{}", number / 100, number % 100),
            _ => format!("{}.{}", number / 1000, number % 1000 / 10),
        });
    }
    if matches!(text, "None" | "False" | "N/A") {
        return Some("None".to_owned());
    }
    version(text)
}

/// The CUDA release that the name of a library carries, where it does: before CUDA 11 each release had names of its own.
pub fn cuda_release(kb: &kb_core::kb::Kb, library: &str) -> Option<String> {
    let name = library.rsplit(['/', '\\']).next().unwrap_or(library);
    decode::decode(kb, name).iter().filter(|d| d.kind == "library").find_map(|d| match d.means.get("cuda") {
        Some(decode::Meaning::Text(text)) => Some(text.clone()),
        _ => None,
    })
}

/// The CUDA major that the name of a library carries: `libcublasLt.so.11`, `cublas64_12.dll`, `cudart64_110.dll`.
pub fn cuda_major(kb: &kb_core::kb::Kb, library: &str) -> Option<u32> {
    let name = library.rsplit(['/', '\\']).next().unwrap_or(library);
    // Their numbers are not those of the toolkit.
    let other =
        ["cudnn", "nccl", "nvinfer", "cufft", "curand", "cusolver", "nvshmem", "cusparselt", "libcuda.so"];
    if other.iter().any(|o| name.to_ascii_lowercase().contains(o)) {
        return None;
    }
    decode::decode(kb, name).iter().filter(|d| d.kind == "library").find_map(|d| {
        match d.means.get("cuda_major") {
            Some(decode::Meaning::Number(n)) => u32::try_from(*n).ok(),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_their_normal_form() {
        for (what, text, wanted) in [
            ("compute-capability", "sm_120", "12.0"),
            ("compute-capability", "75", "7.5"),
            ("compute-capability", "520", "5.2"),
            ("compute-capability", "100", "10.0"),
            ("compute-capability", "8.6", "8.6"),
            ("framework-arches", "sm_50 sm_90 compute_90", "5.0 9.0 9.0"),
            ("framework-arches", "60 61 70 75 80 86 ", "6.0 6.1 7.0 7.5 8.0 8.6"),
            ("cudnn", "(8, 5, 0)", "8.5.0"),
            ("cudnn", "7102", "7.1.2"),
            ("cudnn", "90100", "9.1.0"),
            ("cuda-driver-level", "11040", "11.4"),
            ("cuda-driver-level", "10010", "10.1"),
            ("framework-cuda", "1201", "12.1"),
            ("framework-cuda", "cu118", "11.8"),
            ("cuda-needed", "12.*", "12"),
            ("driver", "535.104.05.", "535.104.05"),
        ] {
            assert_eq!(normal(what, text).as_deref(), Some(wanted), "{what} {text}");
        }
        assert_eq!(normal("compute-capability", "12345"), None);
        assert_eq!(normal("driver", "unknown"), None);
    }
}
