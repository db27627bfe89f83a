//! Where sources contradict each other about a build, the rank of their truths or a dispute decides, column by column.
//! A dispute whose preferred source says nothing of a column would leave that column to the order of the files.

use kb_core::fact::FactId;
use kb_core::kb::Kb;
use kb_core::world::{Facts, Stated};

/// A stated value that others contradict and that neither a dispute nor the rank of the truths decides.
fn open<'s, T>(kb: &Kb, stated: Option<&'s Stated<T>>) -> Option<(&'s Facts, &'s Facts)> {
    let truth = |f: &FactId| kb.kind(*f).truth();
    let ranked = |s: &Stated<T>| {
        let followed = s.facts.iter().map(truth).min();
        s.against.iter().all(|f| kb.relation(*f).ranked && followed.is_some_and(|t| t < truth(f)))
    };
    stated.filter(|s| s.dispute.is_none() && !ranked(s)).map(|s| (&s.facts, &s.against))
}

#[test]
fn each_value_of_a_build_is_settled() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let mut found = std::collections::BTreeSet::new();
    for package in 0..kb.packages.len() {
        for build in &world.package(package, None).builds {
            let several = [
                ("cuda", open(&kb, build.cuda.as_ref())),
                ("cudnn", open(&kb, build.cudnn.as_ref())),
                ("libraries", open(&kb, build.libraries.as_ref())),
                ("device code", open(&kb, build.device_code.as_ref())),
                ("python", open(&kb, build.python_documented.as_ref())),
                ("compute", open(&kb, build.compute_documented.as_ref())),
                ("accepted cuda", open(&kb, build.accepts_cuda.as_ref())),
                ("accepted cudnn", open(&kb, build.accepts_cudnn.as_ref())),
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
