//! Texts that lost their line breaks: a whole table or report on one line.

/// Beginnings of lines that programs print, and that never stand inside another line of theirs.
const BEGINNINGS: [&str; 30] = [
    "PyTorch version:",
    "Is debug build:",
    "CUDA used to build PyTorch:",
    "ROCM used to build PyTorch:",
    "OS:",
    "GCC version:",
    "Clang version:",
    "CMake version:",
    "Libc version:",
    "Python version:",
    "Python platform:",
    "Is CUDA available:",
    "CUDA runtime version:",
    "CUDA_MODULE_LOADING set to:",
    "GPU models and configuration:",
    "Nvidia driver version:",
    "cuDNN version:",
    "HIP runtime version:",
    "MIOpen runtime version:",
    "Is XNNPACK available:",
    "Versions of relevant libraries:",
    "[pip3] ",
    "[pip] ",
    "[conda] ",
    "Cuda compilation tools, release",
    "Build cuda_",
    "Driver Version:",
    "Attached GPUs ",
    "Product Name ",
    "FB Memory Usage",
];

/// The parts of a line that holds several lines of a program; none where it does not.
pub(super) fn parts(line: &str) -> Option<Vec<&str>> {
    if line.len() < 100 {
        return None;
    }
    if line.contains("NVIDIA-SMI") && (line.contains("|--") || line.contains("+--")) {
        return Some(table(line));
    }
    if line.contains(" PyTorch version:") || line.contains(" Is debug build:") || marks(line) {
        return Some(report(line));
    }
    None
}

fn marks(line: &str) -> bool {
    line.matches("[pip3] ").count() > 1
        || line.matches("[conda] ").count() > 1
        || line.matches("[pip] ").count() > 1
}

/// Rows of a table end where a bar follows a bar, and at the rules between them.
fn table(line: &str) -> Vec<&str> {
    let bytes = line.as_bytes();
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'+' | b'|' if matches!(bytes.get(at + 1), Some(b'-' | b'=')) => {
                cuts.push(at);
                while at < bytes.len() && matches!(bytes[at], b'+' | b'|' | b'-' | b'=') {
                    // Two rules in a row: `…-+|===`.
                    if bytes[at] == b'+' && bytes.get(at + 1) == Some(&b'|') {
                        cuts.push(at + 1);
                    }
                    at += 1;
                }
                cuts.push(at);
            }
            b'|' if bytes.get(at + 1) == Some(&b'|') => {
                cuts.push(at + 1);
                at += 1;
            }
            b'|' if bytes.get(at + 1) == Some(&b' ') && bytes.get(at + 2) == Some(&b'|') => {
                cuts.push(at + 2);
                at += 2;
            }
            _ => at += 1,
        }
    }
    pieces(line, &cuts)
}

fn report(line: &str) -> Vec<&str> {
    let mut cuts = Vec::new();
    for beginning in BEGINNINGS {
        let mut from = 0;
        while let Some(at) = line[from..].find(beginning) {
            let at = from + at;
            let free = at == 0 || !line.as_bytes()[at - 1].is_ascii_alphanumeric();
            if free {
                cuts.push(at);
            }
            from = at + beginning.len();
        }
    }
    // The list of GPUs: `GPU 0: A GPU 1: B`.
    let mut from = 0;
    while let Some(at) = line[from..].find("GPU ") {
        let at = from + at;
        let rest = line[at + 4..].trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < line.len() - at - 4 && rest.starts_with(": ") {
            cuts.push(at);
        }
        from = at + 4;
    }
    cuts.sort_unstable();
    cuts.dedup();
    pieces(line, &cuts)
}

fn pieces<'a>(line: &'a str, cuts: &[usize]) -> Vec<&'a str> {
    let mut out = Vec::new();
    let mut from = 0;
    for &cut in cuts.iter().chain([&line.len()]) {
        if let Some(part) = line.get(from..cut)
            && !part.trim().is_empty()
        {
            out.push(part.trim());
        }
        from = cut;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_on_one_line_has_its_rows_again() {
        let line = "+-----------------+ | NVIDIA-SMI 535.104.05 Driver Version: 535.104.05 CUDA Version: 12.2 | |-------+-------+ | 0 NVIDIA A100 On | 00000000:00:04.0 Off | 0 | | N/A 30C P0 50W / 400W | 0MiB / 40960MiB | 0% Default | +------+";
        let rows = parts(line).unwrap_or_default();
        assert!(rows.contains(&"| 0 NVIDIA A100 On | 00000000:00:04.0 Off | 0 |"), "{rows:?}");
        assert!(rows.iter().any(|r| r.starts_with("| N/A 30C")));
    }

    #[test]
    fn a_report_on_one_line_has_its_labels_again() {
        let line = "Collecting environment information... PyTorch version: 2.0.1+cu117 Is debug build: False CUDA used to build PyTorch: 11.7 OS: Ubuntu 20.04 GPU models and configuration: GPU 0: A GPU 1: B Nvidia driver version: 535.98";
        let rows = parts(line).unwrap_or_default();
        assert!(rows.contains(&"OS: Ubuntu 20.04") && rows.contains(&"GPU 1: B"), "{rows:?}");
    }
}
