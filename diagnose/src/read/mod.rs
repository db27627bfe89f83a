//! Readers of what programs print about a machine: one file for each program.
//!
//! Each is a function over the lines of a text; it knows a program's layout in all its versions and nothing of the other
//! readers. [`read`] runs those whose words stand in the text and puts together what they find.

mod anchors;
mod collect_env;
mod container;
mod cuda_components;
mod device_nodes;
mod devices;
mod environment;
mod files;
mod form;
mod found;
mod gpu_list;
mod gpu_name;
mod gpustat;
mod jax_info;
mod jetson;
mod kernel;
mod kubernetes;
mod label;
mod labelled;
mod library;
mod limit;
mod loader;
mod messages;
mod missing;
mod number;
mod nvcc;
mod package;
mod paddle;
mod page;
mod pci;
mod pins;
mod pip_list;
mod pip_output;
mod platform_text;
mod processor;
mod programs;
mod python;
mod python_prints;
mod readers;
mod sections;
mod service;
mod smi_csv;
mod smi_mig;
mod smi_query;
mod smi_table;
mod smi_xml;
mod system;
mod system_packages;
mod tensorflow;
mod together;
mod tools;
mod torch_config;
mod unwrapped;
mod version_lines;
mod windows;

pub use anchors::ANCHORS;

use crate::Line;
use found::Found;
use kb_core::observe::Observation;
use page::Page;
use readers::{READERS, wanted};

/// Everything that the readers find, in the order of the lines.
pub fn read(lines: &[Line<'_>]) -> Vec<Observation> {
    let mut found = Found::of("text");
    once(lines, &mut found);
    // What a console cut in two is read again in one piece; nothing is taken back.
    if let Some(whole) = unwrapped::undo(lines) {
        once(&whole, &mut found);
    }
    // A name that was cut off says nothing; a variable may be empty.
    let says = |o: &Observation| {
        // A package without a name is none.
        kb_core::observe::is_name(&o.what)
            && (!o.value.trim().is_empty()
                || matches!(&*o.what, "search-path" | "cuda-visible-devices" | "cuda-path"))
    };
    found.list.retain(says);
    together::put(found.list)
}

fn once(lines: &[Line<'_>], found: &mut Found) {
    let wanted = wanted(lines);
    if !wanted.contains(&true) {
        return;
    }
    let page = Page::of(lines);
    for (reader, _) in READERS.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        found.by(reader.tool);
        (reader.read)(&page, found);
    }
}
