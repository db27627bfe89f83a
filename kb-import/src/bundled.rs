//! CUDA's libraries that travel in a wheel, by their file names.

use crate::read::Member;
use artifact::bundled::name;

/// Such libraries in a wheel, each with as much of its version as its name has: `cudart 11.0`, `cudnn 8`. Sorted.
pub(crate) fn libraries(files: &[Member]) -> Vec<String> {
    let mut out: Vec<String> = files
        .iter()
        .filter_map(|f| name(&f.path))
        .map(|n| match n.version {
            Some(version) => format!("{} {}", n.library, version.value),
            None => n.library,
        })
        .collect();
    out.sort();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_for_each_library() {
        let paths = [
            "torch/lib/libcudart-d0da41ae.so.11.0",
            "a/cudnn64_8.dll",
            "b/cudnn64_8.dll",
            "torch/lib/libtorch_cuda.so",
        ];
        let files: Vec<Member> = paths.map(|p| Member { path: p.to_owned(), size: 1, crc32: 0 }).into();
        assert_eq!(libraries(&files), ["cudart 11.0", "cudnn 8"]);
    }
}
