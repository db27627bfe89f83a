//! All readers, and which of them have anything to do.

use super::found::Found;
use super::page::Page;
use super::{
    collect_env, container, cuda_components, device_nodes, devices, environment, files, form, gpu_list,
    gpustat, jax_info, jetson, kernel, kubernetes, labelled, limit, loader, messages, missing, nvcc, paddle,
    pci, pins, pip_list, pip_output, processor, programs, python, python_prints, sections, service, smi_csv,
    smi_mig, smi_query, smi_table, smi_xml, system, system_packages, tensorflow, tools, torch_config,
    version_lines, windows,
};
use crate::Line;
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use std::sync::LazyLock;

/// A reader: whose output it reads, words without one of which there is nothing to read, and the function.
pub(super) struct Reader {
    pub(super) tool: &'static str,
    pub(super) words: &'static [&'static str],
    pub(super) read: fn(&Page<'_>, &mut Found),
}

/// In the order in which they read: of two that see the same value the first one names it.
pub(super) const READERS: &[Reader] = &[
    smi_table::READER,
    smi_query::READER,
    smi_xml::READER,
    gpu_list::READER,
    smi_csv::READER,
    gpustat::READER,
    nvcc::READER,
    nvcc::HEADER,
    collect_env::READER,
    labelled::READER,
    version_lines::READER,
    pip_list::READER,
    pins::READER,
    pip_output::READER,
    paddle::READER,
    tensorflow::READER,
    torch_config::READER,
    sections::READER,
    messages::READER,
    jax_info::READER,
    python_prints::READER,
    python::READER,
    python::PATHS,
    loader::READER,
    files::READER,
    kernel::READER,
    pci::READER,
    environment::READER,
    system::READER,
    windows::READER,
    container::READER,
    kubernetes::READER,
    jetson::READER,
    system_packages::READER,
    programs::READER,
    form::READER,
    devices::READER,
    processor::READER,
    smi_mig::READER,
    service::READER,
    limit::READER,
    device_nodes::READER,
    tools::READER,
    missing::READER,
    cuda_components::READER,
];

/// One pass over the text finds which readers have anything to do.
static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = READERS.iter().flat_map(|r| r.words.iter());
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(words)
        .ok()
});

/// Which readers have a word in the text.
pub(super) fn wanted(lines: &[Line<'_>]) -> Vec<bool> {
    let mut wanted = vec![false; READERS.len()];
    let Some(words) = WORDS.as_ref() else { return vec![true; READERS.len()] };
    let owners: Vec<usize> =
        READERS.iter().enumerate().flat_map(|(i, r)| std::iter::repeat_n(i, r.words.len())).collect();
    let mut missing = READERS.len();
    for line in lines {
        for hit in words.find_overlapping_iter(line.text.as_ref()) {
            let owner = owners[hit.pattern().as_usize()];
            if !wanted[owner] {
                wanted[owner] = true;
                missing -= 1;
            }
        }
        if missing == 0 {
            break;
        }
    }
    wanted
}
