//! Where sources contradict each other about a build, a dispute decides, column by column. A dispute whose preferred
//! source says nothing of a column would leave that column to the order of the files.

use kb_core::world::{Facts, Stated};

/// A stated value that others contradict and no dispute decides.
fn open<T>(stated: Option<&Stated<T>>) -> Option<(&Facts, &Facts)> {
    stated.filter(|s| !s.against.is_empty() && s.dispute.is_none()).map(|s| (&s.facts, &s.against))
}

#[test]
fn each_value_of_a_build_is_settled() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let mut found = std::collections::BTreeSet::new();
    for package in 0..kb.packages.len() {
        for build in &world.package(package, None).builds {
            let several = [
                ("cuda", open(build.cuda.as_ref())),
                ("cudnn", open(build.cudnn.as_ref())),
                ("libraries", open(build.libraries.as_ref())),
                ("device code", open(build.device_code.as_ref())),
                ("python", open(build.python_documented.as_ref())),
                ("compute", open(build.compute_documented.as_ref())),
                ("accepted cuda", open(build.accepts_cuda.as_ref())),
                ("accepted cudnn", open(build.accepts_cudnn.as_ref())),
            ];
            for (what, facts) in several {
                let Some((followed, against)) = facts else { continue };
                let names = |f: &Facts| f.iter().map(|f| kb.fact_name(*f)).collect::<Vec<_>>().join(", ");
                found.insert(format!("{what}: {} against {}", names(followed), names(against)));
            }
        }
    }
    let lines: Vec<String> = found.into_iter().collect();
    assert!(lines.is_empty(), "nobody has settled\n{}", lines.join("\n"));
}
