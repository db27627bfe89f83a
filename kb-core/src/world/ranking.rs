//! Tests of the choice among values that several facts state.

use super::{FactId, prefer};
use crate::evidence::{Source, SourceKind};
use crate::fact::{Coverage, Relation, Row, Table};
use crate::kb::Kb;
use crate::record::Dispute;

/// One relation with a table of one row for each kind of source, in this order.
fn kb(ranked: bool, kinds: &[SourceKind]) -> Kb {
    let mut kb = Kb::default();
    kb.relations.push(Relation {
        id: "made".into(),
        title: "".into(),
        says: "".into(),
        key: Vec::new(),
        primary: Vec::new(),
        coverage: Coverage::Partial,
        ranked,
        columns: Vec::new(),
        prose: "".into(),
    });
    for (index, kind) in kinds.iter().enumerate() {
        kb.sources.push(Source {
            id: format!("s{index}").into(),
            title: "".into(),
            publisher: "".into(),
            kind: *kind,
            address: None,
            date: None,
            note: None,
        });
        let row = Row { cells: Vec::new(), also: Vec::new(), locator: None, note: None, withdrawn: None };
        kb.tables.push(Table {
            relation: 0,
            source: index as u16,
            stem: format!("s{index}").into(),
            locator: None,
            read_on: None,
            coverage: Coverage::Partial,
            imported_by: None,
            rows: vec![row].into(),
        });
    }
    kb
}

fn dispute(kb: &mut Kb, prefer: u16, over: &[u16]) {
    kb.disputes.push(Dispute {
        id: "made/one".into(),
        relation: 0,
        key: Vec::new(),
        prefer: Some(prefer),
        over: over.to_vec(),
        since: "".into(),
        names: Vec::new(),
        prose: "".into(),
    });
}

fn fact(table: u16) -> FactId {
    FactId { table, row: 0 }
}

/// What is chosen where each table states its own number, the tables against it, and the dispute.
fn chosen(kb: &Kb) -> (u16, Vec<u16>, Option<usize>) {
    let claims: Vec<(u16, FactId)> = (0..kb.tables.len() as u16).map(|t| (t, fact(t))).collect();
    let stated = prefer(kb, &claims).expect("there are claims");
    (stated.value, stated.against.iter().map(|f| f.table).collect(), stated.dispute)
}

use SourceKind::{Artifact, DeviceCode, Measured, Report, VendorDocument};

#[test]
fn measured_before_declared_before_documented() {
    let kb = kb(true, &[Report, VendorDocument, Artifact, DeviceCode]);
    assert_eq!(chosen(&kb), (3, vec![2, 1, 0], None));
}

#[test]
fn what_another_source_states_too_is_known_as_it_knows_it() {
    let mut kb = kb(true, &[Artifact, VendorDocument, Measured]);
    kb.tables.pop();
    kb.tables[1].rows[0].also.push(2);
    assert_eq!(chosen(&kb), (1, vec![0], None));
}

#[test]
fn a_dispute_decides_among_those_that_it_names() {
    let mut kb = kb(true, &[VendorDocument, Report]);
    dispute(&mut kb, 1, &[0]);
    assert_eq!(chosen(&kb), (1, vec![0], Some(0)));
}

#[test]
fn a_dispute_may_set_a_stronger_truth_aside() {
    let mut kb = kb(true, &[DeviceCode, VendorDocument]);
    dispute(&mut kb, 1, &[0]);
    assert_eq!(chosen(&kb), (1, vec![0], Some(0)));
}

#[test]
fn a_dispute_says_nothing_of_a_stronger_truth_that_it_does_not_name() {
    let kinds = [VendorDocument, Artifact, DeviceCode];
    let mut ranked = kb(true, &kinds);
    dispute(&mut ranked, 1, &[0]);
    assert_eq!(chosen(&ranked), (2, vec![1, 0], None));
    let mut plain = kb(false, &kinds);
    dispute(&mut plain, 1, &[0]);
    assert_eq!(chosen(&plain), (1, vec![2, 0], Some(0)));
}
