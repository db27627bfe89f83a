//! Every signature over every log: a snapshot, so that a new signature that takes hold of old logs is seen.

use crate::corpus;
use kb_tests::logs::{Doctor, cases};
use std::collections::BTreeSet;
use std::fmt::Write;

#[test]
fn every_signature_over_every_log() {
    let doctor = Doctor::default();
    let mut out = String::from("# log\tline\tsignature\n");
    for case in cases(&corpus("diagnose")) {
        let excerpt =
            diagnose::sift::sift(&doctor.needles, &mut case.input.as_bytes()).expect("memory can be read");
        let hits: BTreeSet<(usize, &str)> =
            excerpt.hits.iter().map(|h| (h.line, &*doctor.kb.signatures[h.signature].id)).collect();
        for (line, signature) in hits {
            writeln!(out, "{}\t{line}\t{signature}", case.id).expect("memory can be written");
        }
    }
    let path = kb_tests::root().join("golden/signatures.tsv");
    if std::env::var_os("KB_BLESS").is_some() {
        std::fs::write(&path, &out).expect("can be written");
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (known.lines().collect(), out.lines().collect());
    let gone: Vec<&&str> = old.difference(&new).collect();
    let come: Vec<&&str> = new.difference(&old).collect();
    assert!(
        gone.is_empty() && come.is_empty(),
        "gone: {gone:#?}\ncome: {come:#?}\nKB_BLESS=1 writes golden/signatures.tsv again"
    );
}
