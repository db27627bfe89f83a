//! Names of bitsandbytes' libraries: one per CUDA release, of which one is loaded.

use super::Said;
use super::numbers::digits;

/// What the name of a library says it was built with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Variant {
    /// CUDA of this release.
    Cuda(Said),
    /// ROCm of this release.
    Rocm(Said),
    /// No GPU.
    Cpu,
}

/// Reads `libbitsandbytes_cuda124.so` (CUDA 12.4), `…_cuda118_nocublaslt.dll`, `…_rocm62.so`, `…_cpu.so`, with or
/// without directories before it. `None` for other names.
pub fn variant(path: &str) -> Option<Variant> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let rest = name.strip_prefix("libbitsandbytes_")?;
    let (stem, extension) = rest.split_once('.')?;
    if !matches!(extension, "so" | "dll" | "dylib") {
        return None;
    }
    let stem = stem.strip_suffix("_nocublaslt").unwrap_or(stem);
    if stem == "cpu" {
        return Some(Variant::Cpu);
    }
    let (kind, number): (fn(Said) -> Variant, &str) =
        match (stem.strip_prefix("cuda"), stem.strip_prefix("rocm")) {
            (Some(number), _) => (Variant::Cuda, number),
            (_, Some(number)) => (Variant::Rocm, number),
            _ => return None,
        };
    if !digits(number) || number.len() < 2 {
        return None;
    }
    // The last digit is the minor number: 124, 62.
    let (major, minor) = number.split_at(number.len() - 1);
    Some(kind(Said { value: format!("{major}.{minor}"), written: number.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let cuda = |value: &str, written: &str| {
            Some(Variant::Cuda(Said { value: value.into(), written: written.into() }))
        };
        assert_eq!(variant("bitsandbytes/libbitsandbytes_cuda124.so"), cuda("12.4", "124"));
        assert_eq!(variant("libbitsandbytes_cuda118_nocublaslt.dll"), cuda("11.8", "118"));
        assert_eq!(variant("libbitsandbytes_cpu.so"), Some(Variant::Cpu));
        assert!(matches!(variant("libbitsandbytes_rocm62.so"), Some(Variant::Rocm(s)) if s.value == "6.2"));
        for name in
            ["libbitsandbytes_cuda.so", "libbitsandbytes_cudaxy.so", "libbits.so", "libbitsandbytes_cpu.txt"]
        {
            assert_eq!(variant(name), None, "{name}");
        }
    }
}
