//! Files that state versions, as real packages have them: the assignments, without licences and functions.

#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

use artifact::stated::{Said, Stated, read};

fn stated(path: &str, text: &str) -> Stated {
    read(path, text.as_bytes()).unwrap()
}

fn shown(said: &Option<Said>) -> &str {
    said.as_ref().map_or("", |s| &s.value)
}

fn targets(stated: &Stated) -> String {
    let targets = stated.targets.as_ref().unwrap();
    assert!(targets.unread.is_empty(), "{:?}", targets.unread);
    format!("{:?} {:?}", targets.sass, targets.ptx)
}

#[test]
fn torch() {
    let said = stated("torch/version.py", include_str!("fixtures/stated/torch-1.12.1-linux.py"));
    assert_eq!((shown(&said.version), shown(&said.cuda), said.gpu), ("1.12.1+cu102", "10.2", Some(true)));
    assert_eq!((shown(&said.commit).len(), &said.rocm), (40, &None));
}

#[test]
fn tensorflow_for_windows() {
    let text = include_str!("fixtures/stated/tensorflow-2.10.1-windows.py");
    let said = stated("tensorflow/python/platform/build_info.py", text);
    assert_eq!((shown(&said.cuda), shown(&said.cudnn), said.gpu), ("11.2", "8", Some(true)));
    assert_eq!(said.cuda.as_ref().unwrap().written, "64_112");
    assert_eq!(targets(&said), "[3.5, 5.0, 6.0, 7.0, 7.5] [8.0]");
}

#[test]
fn paddle_for_windows() {
    let text = include_str!("fixtures/stated/paddlepaddle-gpu-2.6.1-windows.py");
    let said = stated("paddle/version/__init__.py", text);
    assert_eq!((shown(&said.version), shown(&said.cuda), shown(&said.cudnn)), ("2.6.1", "11.8", "8.6.0"));
    assert_eq!((said.gpu, shown(&said.commit).len()), (Some(true), 40));
}

#[test]
fn cupy() {
    let text = include_str!("fixtures/stated/cupy-cuda12x-13.3.0-linux.json");
    let said = stated("cupy/.data/_wheel.json", text);
    assert_eq!((shown(&said.cuda), shown(&said.cudnn), shown(&said.nccl)), ("12", "8.8.1", "2.16.2"));
}

#[test]
fn xformers() {
    let text = include_str!("fixtures/stated/xformers-0.0.28.post1-linux.json");
    let said = stated("xformers/cpp_lib.json", text);
    assert_eq!(
        (shown(&said.cuda), shown(&said.torch), shown(&said.python)),
        ("12.1", "2.4.1+cu121", "3.12.6")
    );
    assert_eq!(targets(&said), "[6.0, 7.0, 7.5, 8.0, 9.0a] [6.0, 8.0]");
    let said = stated("xformers/version.py", include_str!("fixtures/stated/xformers-0.0.28.post1-linux.py"));
    assert_eq!((shown(&said.version), said.gpu), ("0.0.28.post1", None));
}
