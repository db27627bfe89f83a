//! Markers in the tables that reasoning reads: a requirement whose marker is not understood would count for nothing.

use kb_core::pep::Requirement;

#[test]
fn each_marker_of_a_requirement_is_about_the_interpreter() {
    let kb = kb_data::builtin();
    let world = kb_data::world(&kb);
    let mut conditional = 0;
    for package in 0..kb.packages.len() {
        for build in &world.package(package, None).builds {
            for (requirement, fact) in build.requires.iter() {
                assert!(!requirement.when.is_empty(), "{}: {requirement}", kb.fact_name(*fact));
                let read: Requirement = requirement.to_string().parse().expect("as it was written");
                assert_eq!(read, *requirement, "{}", kb.fact_name(*fact));
                conditional += usize::from(requirement.to_string().contains(';'));
            }
        }
    }
    assert!(conditional > 0, "some requirements have markers");
}
