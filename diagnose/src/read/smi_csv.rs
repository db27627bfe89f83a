//! `nvidia-smi --query-gpu=… --format=csv`.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const READER: Reader = Reader {
    tool: "nvidia-smi --query-gpu",
    words: &[
        "--query-gpu",
        "driver_version",
        "memory.total",
        "compute_cap",
        "name, ",
        ", name",
        " MiB",
        "NVIDIA ",
        "Tesla ",
        "GeForce ",
        "Quadro ",
        "TITAN ",
    ],
    read,
};

/// Reads rows under a heading, rows of a command that says what was asked, and rows that explain themselves.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut done = vec![false; page.lines.len()];
    for command in &page.commands {
        let Some(fields) = asked(command.text) else { continue };
        if !command.text.contains("noheader") {
            continue;
        }
        let rows: Vec<usize> = page
            .output(command)
            .map(|(at, _, text)| (at, text))
            .take_while(|(_, text)| row(text, &fields).is_some())
            .map(|(at, _)| at)
            .collect();
        rows_of(page, &rows, &fields, !command.cut() && !command.text.contains(" -i "), found);
        rows.iter().for_each(|at| done[*at] = true);
    }
    for (at, _, text) in page.all() {
        if done[at] {
            continue;
        }
        let asked_for =
            || page.command_over(at).is_some_and(|c| at < c.at + 4 && c.text.contains("--query-gpu"));
        // A lone name of a field is a heading only below the command; helps list them one a line.
        if let Some(fields) = heading(text).filter(|f| f.len() > 1 || asked_for()) {
            let mut rows = Vec::new();
            let mut next = at + 1;
            while let Some((_, text)) =
                page.line(next).filter(|(_, text)| !done[next] && row(text, &fields).is_some())
            {
                if heading(text).is_some() {
                    break;
                }
                rows.push(next);
                done[next] = true;
                next += 1;
            }
            let part = page.command_over(at).is_some_and(|c| c.cut() || c.text.contains(" -i "));
            if fields.len() > 1 || !rows.is_empty() {
                rows_of(page, &rows, &fields, !part, found);
            }
        } else if let Some(fields) = self_explaining(text) {
            rows_of(page, &[at], &fields, false, found);
        }
    }
}

/// The fields that a command asks for.
fn asked(command: &str) -> Option<Vec<String>> {
    let (_, rest) = command.split_once("--query-gpu")?;
    let rest = rest.trim_start_matches(['=', ' ']);
    let list = rest.split([' ', '|', ';']).next()?.trim_matches(['"', '\'']);
    Some(list.split(',').map(|f| f.trim().to_ascii_lowercase()).collect())
}

/// Names of fields that the tool prints in its heading.
fn heading(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if text.len() > 600 || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let fields: Vec<String> = text
        .split(',')
        .map(|field| {
            let field = field.trim();
            let name = field.split_once(" [").map_or(field, |(name, _)| name);
            is_field(name).then(|| name.to_owned())
        })
        .collect::<Option<_>>()?;
    let lone = fields.len() == 1
        && !matches!(
            fields[0].as_str(),
            "driver_version" | "compute_cap" | "gpu_name" | "memory.total" | "name"
        );
    (!lone).then_some(fields)
}

fn is_field(name: &str) -> bool {
    const WORDS: [&str; 20] = [
        "timestamp",
        "driver_version",
        "kmd_version",
        "cuda_version",
        "cuda_umd_version",
        "count",
        "name",
        "gpu_name",
        "serial",
        "gpu_serial",
        "uuid",
        "gpu_uuid",
        "gpu_bus_id",
        "vbios_version",
        "index",
        "pstate",
        "compute_mode",
        "compute_cap",
        "persistence_mode",
        "gom",
    ];
    const GROUPS: [&str; 16] = [
        "pci.",
        "driver_model.",
        "display_",
        "accounting",
        "inforom",
        "fan.",
        "clocks",
        "memory.",
        "utilization.",
        "ecc.",
        "retired_pages",
        "temperature.",
        "power.",
        "mig.mode.",
        "encoder.",
        "pcie.",
    ];
    WORDS.contains(&name) || GROUPS.iter().any(|g| name.starts_with(g) && !name.contains(' '))
}

/// The values of a row, one for each field.
fn row<'a>(text: &'a str, fields: &[String]) -> Option<Vec<&'a str>> {
    let values: Vec<&str> = text.trim().split(',').map(str::trim).collect();
    let fits = values.len() == fields.len() && values.iter().all(|v| !v.is_empty());
    (fits && values.iter().zip(fields).all(|(value, field)| plausible(field, value))).then_some(values)
}

fn plausible(field: &str, value: &str) -> bool {
    if value.starts_with('[') || value == "N/A" {
        return true;
    }
    match field {
        "driver_version" | "kmd_version" => number::is_driver(value),
        "compute_cap" => number::dotted_capability(value) == Some(value),
        "memory.total" | "count" | "index" => value.starts_with(|c: char| c.is_ascii_digit()),
        "name" | "gpu_name" => {
            value.chars().any(|c| c.is_ascii_alphabetic())
                && value.len() < 80
                && !value.contains(['$', '>', ':'])
        }
        _ => true,
    }
}

fn rows_of(page: &Page<'_>, rows: &[usize], fields: &[String], whole: bool, found: &mut Found) {
    let mut indexes = Vec::new();
    let mut counted = false;
    for &at in rows {
        let Some((line, text)) = page.line(at) else { continue };
        let Some(values) = row(text, fields) else { continue };
        for (value, field) in values.iter().copied().zip(fields) {
            if label::is_nothing(value) {
                continue;
            }
            match field.as_str() {
                "name" | "gpu_name" => found.see("gpu", value, line),
                "driver_version" | "kmd_version" => found.see("driver", value, line),
                "cuda_version" | "cuda_umd_version" => found.see("cuda-driver-level", value, line),
                "compute_cap" => found.see("compute-capability", value, line),
                "memory.total" => {
                    if let Some(total) = number::dotted(value).filter(|t| !t.contains('.')) {
                        found.see("memory-mib", total, line);
                    }
                }
                "count" => {
                    counted = true;
                    found.see("gpu-count", value, line);
                }
                "mig.mode.current" if matches!(value, "Enabled" | "Disabled") => {
                    found.see("mig", value, line)
                }
                "driver_model.current" if matches!(value, "WDDM" | "TCC" | "MCDM") => {
                    found.see("driver-model", value, line)
                }
                "index" => indexes.push(value),
                _ => {}
            }
        }
    }
    let known = fields.iter().any(|f| is_identity(f) || matches!(f.as_str(), "name" | "gpu_name"));
    // A query that repeats itself names the same GPUs again.
    let identity = fields.iter().position(|f| is_identity(f));
    let count = match identity {
        Some(at_field) => {
            let mut seen: Vec<&str> =
                rows.iter().filter_map(|at| row(page.line(*at)?.1, fields)?.get(at_field).copied()).collect();
            seen.sort_unstable();
            seen.dedup();
            seen.len()
        }
        None => rows.len(),
    };
    let repeated = count < rows.len();
    let all = repeated || indexes.iter().zip(0..).all(|(index, n)| index.parse() == Ok(n));
    if whole
        && known
        && all
        && !counted
        && let Some((line, text)) = rows.last().and_then(|at| page.line(*at))
    {
        found.made("gpu-count", &count.to_string(), text.trim(), line);
    }
}

/// Does a field tell one GPU from another?
fn is_identity(field: &str) -> bool {
    matches!(field, "index" | "uuid" | "gpu_uuid" | "pci.bus_id" | "gpu_bus_id" | "serial")
}

/// A row without a heading whose values cannot be anything else: a GPU's name beside a driver or a memory size.
fn self_explaining(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if text.len() > 200 || !text.contains(", ") || text.contains(['=', ':', '(', '|']) {
        return None;
    }
    let mut fields = Vec::new();
    let (mut named, mut proved) = (false, false);
    for value in text.split(',').map(str::trim) {
        let field = if number::is_driver(value) {
            proved = true;
            "driver_version"
        } else if value.strip_suffix(" MiB").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
            // The first size is the total only if it is the only one.
            if fields.iter().any(|f| f == "memory.total") {
                return None;
            }
            proved = true;
            "memory.total"
        } else if !named
            && ["NVIDIA ", "Tesla ", "GeForce ", "Quadro ", "TITAN ", "Orin"]
                .iter()
                .any(|p| value.starts_with(p))
        {
            named = true;
            "name"
        } else if number::dotted_capability(value) == Some(value) {
            "compute_cap"
        } else {
            "other"
        };
        fields.push(field.to_owned());
    }
    (named && proved).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("nvidia-smi --query-gpu");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn a_heading_names_the_columns() {
        assert_eq!(
            of(
                "index, name, memory.total [MiB], memory.used [MiB], driver_version\n0, NVIDIA A100, 40960 MiB, 3 MiB, 535.104.05\n1, NVIDIA A100, [N/A], 3 MiB, 535.104.05"
            ),
            [
                "gpu=NVIDIA A100@2",
                "memory-mib=40960@2",
                "driver=535.104.05@2",
                "gpu=NVIDIA A100@3",
                "driver=535.104.05@3",
                "gpu-count=2@3"
            ]
        );
    }

    #[test]
    fn lists_of_fields_are_no_rows_and_repeated_rows_no_gpus() {
        assert_eq!(of("name\nserial\nuuid\n"), [""; 0]);
        assert_eq!(
            of(
                "timestamp, name, pci.bus_id\n2026/06/24, NVIDIA L4, 00000000:0C:00.0\n2026/06/24, NVIDIA L4, 00000000:0C:00.0"
            ),
            ["gpu=NVIDIA L4@2", "gpu=NVIDIA L4@3", "gpu-count=1@3"]
        );
    }

    #[test]
    fn without_a_heading_the_command_or_the_values_say_it() {
        assert_eq!(
            of(
                "$ nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader\nNVIDIA GeForce RTX 3090, 8.6\n$ ls\n"
            ),
            ["gpu=NVIDIA GeForce RTX 3090@2", "compute-capability=8.6@2", "gpu-count=1@2"]
        );
        assert_eq!(
            of("NVIDIA GeForce RTX 3060 Laptop GPU, 6144 MiB"),
            ["gpu=NVIDIA GeForce RTX 3060 Laptop GPU@1", "memory-mib=6144@1"]
        );
        assert_eq!(of("NVIDIA drivers, CUDA, and cuDNN are needed"), [""; 0]);
    }
}
