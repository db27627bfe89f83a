//! Texts that lost their line breaks: a whole table or report on one line.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::sync::LazyLock;

/// Beginnings of lines that programs print, and that hardly stand inside another line of theirs.
const BEGINNINGS: [&str; 66] = [
    // collect_env
    "PyTorch version",
    "Is debug build",
    "CUDA used to build PyTorch",
    "ROCM used to build PyTorch",
    "OS:",
    "OS :",
    "GCC version",
    "Clang version",
    "CMake version",
    "Libc version",
    "Python version",
    "Python platform",
    "Is CUDA available",
    "CUDA runtime version",
    "CUDA_MODULE_LOADING set to",
    "GPU models and configuration",
    "Nvidia driver version",
    "cuDNN version",
    "HIP runtime version",
    "MIOpen runtime version",
    "Is XNNPACK available",
    "Versions of relevant libraries",
    "[pip3] ",
    "[pip] ",
    "[conda] ",
    // nvcc
    "Cuda compilation tools, release",
    "Build cuda_",
    // nvidia-smi -q and --version
    "NVIDIA-SMI version",
    "NVML version",
    "DRIVER version",
    "Timestamp ",
    "Driver Version ",
    "CUDA Version ",
    "KMD Version ",
    "CUDA UMD Version ",
    "KMD version ",
    "CUDA UMD version ",
    "Attached GPUs",
    "Product Name",
    "Product Brand",
    "Product Architecture",
    "Display Mode",
    "Persistence Mode",
    "MIG Mode",
    "Driver Model",
    "Current ",
    "Pending ",
    "Serial Number",
    "GPU UUID",
    "FB Memory Usage",
    "BAR1 Memory Usage",
    "Total ",
    "Reserved ",
    "Used ",
    // docker info, nvidia-container-cli
    "Server Version:",
    "Runtimes:",
    "Default Runtime:",
    "Kernel Version:",
    "Operating System:",
    "OSType:",
    "Architecture:",
    "NVRM version:",
    "CUDA version:",
    "Device Index:",
    "Model:",
    "Brand:",
];

/// Lines shorter than this hold one line.
const SHORTEST: usize = 100;

/// The parts of a line that holds several lines of a program; none where it does not.
pub(super) fn parts(line: &str) -> Option<Vec<&str>> {
    if line.len() < SHORTEST {
        return None;
    }
    if line.contains("NVIDIA-SMI") && (line.contains("|--") || line.contains("+--")) {
        return Some(table(line));
    }
    list(line).or_else(|| report(line))
}

/// Lists with a number before each entry: gpustat's, `nvidia-smi -L`.
fn list(line: &str) -> Option<Vec<&str>> {
    if line.contains("'C, ") && line.matches(" MB |").count() > 1 {
        return Some(pieces(line, &numbered(line, "[", "] ")));
    }
    if line.contains("(UUID: GPU-") && line.matches("(UUID: ").count() > 1 {
        return Some(pieces(line, &numbered(line, "GPU ", ": ")));
    }
    None
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
            b'|' => {
                // `| |`, or with what else stood at the line's beginning: blanks, marks of a quotation.
                let after = &bytes[at + 1..(at + 9).min(bytes.len())];
                let gap = after.iter().position(|b| !matches!(b, b' ' | b'>')).unwrap_or(after.len());
                let marked = after[..gap].contains(&b'>');
                if bytes.get(at + 1 + gap) == Some(&b'|') && (marked || (1..=5).contains(&gap)) {
                    cuts.push(at + 1 + gap);
                    at += gap;
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    let mut rows = pieces(line, &cuts);
    for row in &mut rows {
        *row = row.trim_end_matches(['>', ' ']);
    }
    // What stands behind the table may be anything.
    rows.into_iter().flat_map(|row| list(row).or_else(|| report(row)).unwrap_or_else(|| vec![row])).collect()
}

/// One pass for all beginnings. Few lines are read with it, so that a faster automaton would not pay for its making.
static FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(BEGINNINGS)
        .ok()
});

/// Where known lines begin; a report has several of them.
fn report(line: &str) -> Option<Vec<&str>> {
    let mut cuts = Vec::new();
    for hit in FINDER.as_ref()?.find_iter(line) {
        let (at, beginning) = (hit.start(), BEGINNINGS[hit.pattern().as_usize()]);
        let free = line[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '>');
        let rest = line[hit.end()..].trim_start();
        let begun = match beginning {
            "FB Memory Usage"
            | "BAR1 Memory Usage"
            | "MIG Mode"
            | "Driver Model"
            | "Cuda compilation tools, release"
            | "Build cuda_" => true,
            _ => beginning.ends_with(':') || beginning.starts_with('[') || rest.starts_with(':'),
        };
        if free && begun {
            cuts.push(at);
        }
    }
    if cuts.len() < 3 && !(cuts.len() == 2 && cuts[0] == 0) {
        return None;
    }
    cuts.extend(numbered(line, "GPU ", ": "));
    cuts.sort_unstable();
    cuts.dedup();
    Some(pieces(line, &cuts))
}

/// Where `GPU 0: `, `GPU 1: ` or the like begin.
fn numbered(line: &str, before: &str, after: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut from = 0;
    while let Some(at) = line[from..].find(before).map(|i| from + i) {
        let rest = &line[at + before.len()..];
        let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b',').count();
        if digits > 0 && rest[digits..].starts_with(after) {
            cuts.push(at);
        }
        from = at + before.len();
    }
    cuts
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

    #[test]
    fn the_log_of_a_query_has_its_sections_again() {
        let line = "==============NVSMI LOG============== Timestamp : Mon Mar 23 Driver Version : 418.40.04 CUDA Version : 10.1 Attached GPUs : 1 GPU 000052CE:00:00.0 Product Name : Tesla K80 Product Brand : Tesla FB Memory Usage Total : 8192 MiB Used : 3 MiB BAR1 Memory Usage Total : 256 MiB";
        let rows = parts(line).unwrap_or_default();
        assert!(
            rows.contains(&"Driver Version : 418.40.04") && rows.contains(&"Total : 8192 MiB"),
            "{rows:?}"
        );
    }

    #[test]
    fn sentences_are_left_whole() {
        let line = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Total memory and the Python version do not matter here, Model: nothing";
        assert_eq!(parts(line), None);
    }
}
