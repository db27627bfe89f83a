//! Names of packages for files of many lines: each name of the catalogue is brought into its normal form once.

use crate::catalog::normal_form;
use crate::kb::Kb;
use std::collections::HashMap;

/// The packages of a catalogue by every name they have.
#[derive(Debug)]
pub struct Names<'kb> {
    kb: &'kb Kb,
    forms: HashMap<String, usize>,
}

impl<'kb> Names<'kb> {
    /// The names of a catalogue.
    pub fn of(kb: &'kb Kb) -> Self {
        let mut forms = HashMap::new();
        for (index, package) in kb.packages.iter().enumerate() {
            for name in [&package.name, &package.id].into_iter().chain(&package.aliases) {
                forms.entry(normal_form(name)).or_insert(index);
            }
        }
        Names { kb, forms }
    }

    /// The package that [`resolve::package`](super::resolve::package) finds.
    pub fn find(&self, text: &str) -> Option<usize> {
        let normal = crate::pep::normal_name(text);
        self.kb.package(&normal).or_else(|| self.forms.get(&normal_form(text)).copied())
    }
}
