//! `catalog/gpus/*.toml`: products, and spellings that name several.

use super::fields::Fields;
use super::names::Names;
use super::role::Role;
use super::scalar;
use super::{Loader, check, source_list};
use kb_core::catalog::{Ambiguous, Gpu};
use kb_core::diag::Diagnostic;
use std::collections::BTreeMap;

impl Loader<'_, '_> {
    pub(super) fn read_gpus(&mut self) {
        let mut found: Vec<Gpu> = Vec::new();
        // GPU id → the path and line it first stands in.
        let mut first: BTreeMap<Box<str>, String> = BTreeMap::new();
        self.each(
            |role| matches!(role, Role::Gpus).then_some(()),
            |(), _, f| {
                for block in f.tables("gpu") {
                    let gpu = gpu(&self.names, &block);
                    block.finish();
                    let Some(gpu) = gpu else { continue };
                    let place = block.file.place_of(block.span());
                    if let Some(other) = first.get(&gpu.id) {
                        let message = format!("two GPUs have the id `{}`", gpu.id);
                        block.report(
                            block.span(),
                            Diagnostic::error("duplicate-id", message)
                                .note(format!("the other stands in {other}")),
                        );
                        continue;
                    }
                    // A copy of what is there replaces nothing.
                    if self.kb.gpu(&gpu.id).is_some_and(|old| self.kb.gpus[old] != gpu) {
                        block.report(
                            block.span(),
                            Diagnostic::warning(
                                "replaces-gpu",
                                format!("`{}` is in the data already and is replaced by this block", gpu.id),
                            )
                            .help("choose another id, unless that is meant"),
                        );
                    }
                    first.insert(gpu.id.clone(), format!("{}:{}", place.path, place.line));
                    found.push(gpu);
                }
            },
        );
        for gpu in found {
            self.names.gpus.insert(gpu.id.clone());
            match self.kb.gpus.iter().position(|old| old.id == gpu.id) {
                Some(index) => self.kb.gpus[index] = gpu,
                None => self.kb.gpus.push(gpu),
            }
        }
        let mut ambiguous = Vec::new();
        self.each(
            |role| matches!(role, Role::Ambiguous).then_some(()),
            |(), _, f| {
                for block in f.tables("ambiguous") {
                    let spelling = block.text("spelling", "\"RTX 6000\"");
                    let candidates = block.texts("candidates");
                    for text in &candidates {
                        check(&block, text, self.names.gpu(text.text));
                    }
                    if candidates.len() < 2 {
                        let message = "`candidates` wants at least two GPUs";
                        block.report(
                            block.span(),
                            Diagnostic::error("missing-key", message)
                                .help("a spelling of one GPU is an alias of it"),
                        );
                    }
                    block.text_opt("note");
                    block.finish();
                    if let Some(spelling) = spelling {
                        let candidates = candidates.iter().map(|t| t.boxed()).collect();
                        ambiguous.push(Ambiguous { spelling: spelling.boxed(), candidates });
                    }
                }
            },
        );
        for new in ambiguous {
            self.kb.ambiguous.retain(|old| old.spelling != new.spelling);
            self.kb.ambiguous.push(new);
        }
    }
}

fn gpu(names: &Names, f: &Fields<'_, '_>) -> Option<Gpu> {
    let id = f.text("id", "\"rtx-3090\"");
    let id = id.and_then(|text| check(f, &text, scalar::id(text.text)).map(|()| text));
    let name = f.text("name", "\"GeForce RTX 3090\"");
    let architecture = f.text("architecture", "\"Ampere\"");
    let segment = f.text("segment", "\"geforce\"");
    let processor = f.text_opt("processor").and_then(|text| {
        let arch = text.text.parse::<kb_core::platform::Arch>().ok();
        if arch.is_none() {
            f.report(
                text.span.clone(),
                Diagnostic::error("unknown-word", format!("`{}` is not a processor", text.text))
                    .help("aarch64 or x86_64"),
            );
        }
        arch
    });
    let memory_mib = numbers(f);
    let pci = f.texts("pci-ids");
    for text in &pci {
        let good = text.text.len() == 4 && text.text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'));
        if !good {
            let message = format!("`{}` is not a PCI device id", text.text);
            f.report(
                text.span.clone(),
                Diagnostic::error("bad-id", message)
                    .help("four hexadecimal digits in upper case: \"2204\", \"1DB6\""),
            );
        }
    }
    let aliases = f.boxed_list("aliases");
    let driver_names = f.boxed_list("driver-names");
    let chips = f.boxed_list("chips");
    let sources = source_list(names, f, &f.texts("sources"));
    let note = f.boxed_opt("note");
    Some(Gpu {
        id: id?.boxed(),
        name: name?.boxed(),
        aliases,
        driver_names,
        architecture: architecture?.boxed(),
        chips,
        memory_mib,
        segment: segment?.boxed(),
        processor,
        pci_ids: pci.iter().map(|t| t.boxed()).collect(),
        sources,
        note,
    })
}

fn numbers(f: &Fields<'_, '_>) -> Vec<u32> {
    use toml::de::DeValue;
    let key = "memory-mib";
    match f.get(key).map(|value| (value, value.get_ref())) {
        None => Vec::new(),
        Some((_, DeValue::Array(items))) => {
            items.iter().filter_map(|item| f.as_number(key, item, 1, 4_194_304)).map(|n| n as u32).collect()
        }
        Some((value, found)) => {
            f.report(
                value.span(),
                super::fields::wrong_type(key, found, "a list of whole numbers", "memory-mib = [24576]"),
            );
            Vec::new()
        }
    }
}
