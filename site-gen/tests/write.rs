//! A site in a directory.

use site_gen::{MARKER, Site, write};
use std::fs;

fn site(text: &str) -> Site {
    Site::from([("index.html".to_owned(), text.into()), ("a/b/index.html".to_owned(), b"x".to_vec())])
}

#[test]
fn an_earlier_site_is_replaced_as_a_whole() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("below/public");
    let written = write(&site("one"), &out).expect("a new directory is made");
    assert_eq!((written.files, written.bytes), (2, 4));
    fs::write(out.join("stale.html"), "old").expect("it can be written");
    write(&site("two"), &out).expect("an earlier site is replaced");
    assert_eq!(fs::read_to_string(out.join("index.html")).expect("it is there"), "two");
    assert!(!out.join("stale.html").exists() && out.join(MARKER).exists());
    assert_eq!(
        fs::read_dir(out.parent().expect("below")).expect("it is there").count(),
        1,
        "nothing is left beside it"
    );
}

#[test]
fn an_empty_directory_is_taken_and_others_are_left_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).expect("it can be made");
    write(&site("one"), &empty).expect("an empty directory is taken");
    let foreign = dir.path().join("foreign");
    fs::create_dir(&foreign).expect("it can be made");
    fs::write(foreign.join("thesis.tex"), "years").expect("it can be written");
    let refused = write(&site("one"), &foreign).expect_err("it is somebody else's");
    assert_eq!(refused.code, "not-a-site");
    assert_eq!(fs::read_to_string(foreign.join("thesis.tex")).expect("it is there"), "years");
    fs::write(dir.path().join("file"), "x").expect("it can be written");
    assert!(write(&site("one"), &dir.path().join("file")).is_err());
}

#[test]
fn what_a_stopped_run_left_is_no_obstacle() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("public");
    let rest = dir.path().join(".public.new");
    fs::create_dir(&rest).expect("it can be made");
    fs::write(rest.join(MARKER), "").expect("it can be written");
    write(&site("one"), &out).expect("it is written");
    assert!(!rest.exists());
}
