//! What several readers found, put together.

use kb_core::observe::Observation;
use std::collections::HashSet;

/// The profile of an instance that a name ends in: `NVIDIA A100-SXM4-40GB MIG 1g.5gb`.
fn profiles(list: &[Observation]) -> Vec<Observation> {
    let of = |o: &Observation| {
        let (_, profile) = o.value.split_once(" MIG ").filter(|_| o.what == "gpu")?;
        let fits = profile.contains("g.") && !profile.contains(' ');
        fits.then(|| Observation { what: "mig".into(), value: profile.into(), raw: None, ..o.clone() })
    };
    list.iter().filter_map(of).collect()
}

/// Sorts by line, keeps each value of a line once, and drops what another reader knows better.
pub(super) fn put(mut list: Vec<Observation>) -> Vec<Observation> {
    let instances = profiles(&list);
    list.extend(instances);
    let mut whole_names: Vec<String> = list
        .iter()
        .filter(|o| o.what == "gpu" && !o.value.ends_with("..."))
        .map(|o| o.value.clone())
        .collect();
    whole_names.sort_unstable();
    whole_names.dedup();
    let stands_whole = |cut: &str| {
        let next = whole_names.partition_point(|n| n.as_str() < cut);
        whole_names.get(next).is_some_and(|n| n.starts_with(cut))
    };
    let counts: Vec<u32> =
        list.iter().filter(|o| o.what == "gpu-count").filter_map(|o| o.value.parse().ok()).collect();
    let most = counts.into_iter().max();
    let os = list.iter().any(|o| o.what == "os" && o.method != "platform");
    let loaded = list.iter().any(|o| o.what == "driver" && o.method != "pasted modinfo");
    let of_build = |o: &Observation| o.raw.as_ref().is_some_and(|r| r.starts_with("Build cuda_"));
    let toolkit = list.iter().any(|o| o.what == "cuda-toolkit" && !of_build(o));
    let python = list.iter().any(|o| o.what == "python" && o.method != "path");
    list.retain(|o| match o.what.as_str() {
        // A name that one program cut stands whole in the output of another.
        "gpu" => o.value.strip_suffix("...").is_none_or(|cut| !stands_whole(cut.trim_end())),
        // A table may have been cut at a row's end without a trace; a list that has more GPUs shows it.
        "gpu-count" => o.method != "pasted nvidia-smi" || o.value.parse().ok() == most,
        // Python calls Windows 11 `Windows-10`: its build counts where nothing else is said.
        "os" => o.method != "platform" || !os,
        // nvcc's last line repeats the release without its build.
        "cuda-toolkit" => !of_build(o) || !toolkit,
        "driver" => o.method != "pasted modinfo" || !loaded,
        "python" => o.method != "path" || !python,
        _ => true,
    });
    let mut seen = HashSet::new();
    list.retain(|o| seen.insert((o.what.clone(), o.value.clone(), o.line)));
    // cuDNN's version stands in the name of each of its libraries; once is enough.
    let mut cudnn = HashSet::new();
    list.retain(|o| o.what != "cudnn" || cudnn.insert((o.value.clone(), o.method.clone())));
    list.sort_by_key(|o| o.line);
    list
}
