//! Which files belong to a library, as the knowledge base lists them, for observations of a machine.

use kb_core::kb::Kb;
use kb_core::value::Value;
use probe::libraries::FileSet;
use probe::machine::Family;

/// The lists of all majors and systems.
pub(crate) fn sets(kb: &Kb) -> Vec<FileSet> {
    let text = |id, column| kb.cell(id, column).map(Value::to_string).unwrap_or_default();
    kb.facts_of("cudnn-files")
        .filter_map(|(id, _)| {
            let family = match text(id, "os").as_str() {
                "linux" => Family::Linux,
                "windows" => Family::Windows,
                _ => return None,
            };
            let Some(Value::List(files)) = kb.cell(id, "files") else { return None };
            Some(FileSet {
                library: "cudnn".to_owned(),
                major: text(id, "major").parse().ok()?,
                family,
                files: files.iter().map(Value::to_string).collect(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cudnn_of_both_systems() {
        let sets = sets(&kb_data::builtin_full());
        let count = |major, family| {
            let set = sets.iter().find(|s| s.major == major && s.family == family);
            set.map_or(0, |s| s.files.len())
        };
        assert_eq!(
            (count(7, Family::Windows), count(8, Family::Linux), count(9, Family::Windows)),
            (1, 7, 8)
        );
    }
}
