//! What was captured replays as what was seen.

#![allow(missing_docs)]

use probe::machine::{Capture, Live, Machine, Recorder, Replay, variable};
use probe::{Wanted, observe};

#[test]
fn this_machine_captured_is_this_machine() {
    let live = Live;
    let recorder = Recorder::new(&live);
    let wanted = Wanted { all_pythons: true, ..Wanted::default() };
    let seen = observe(&recorder, &wanted);
    let text = recorder.capture().to_text().expect("a capture can be written");
    let replay = Replay::new(Capture::parse(&text).expect("what was written can be read"));
    assert_eq!(observe(&replay, &wanted), seen);
    // What is left of a machine when it is captured again is the same.
    let again = Recorder::new(&replay);
    observe(&again, &wanted);
    assert_eq!(again.capture().variables, recorder.capture().variables);
    let path = variable(&live, "PATH");
    assert_eq!(variable(&again, "PATH"), path, "it is among them");
}

#[test]
fn links_lead_on() {
    let capture = Capture::parse(
        r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [[path]]
        at = "/usr/local/cuda"
        link = "/etc/alternatives/cuda"
        [[path]]
        at = "/etc/alternatives/cuda"
        link = "../../usr/local/cuda-12.4"
        [[path]]
        at = "/usr/local/cuda-12.4/version.json"
        text = "{}"
        [[path]]
        at = "/round"
        link = "/round"
        "#,
    );
    let machine = Replay::new(capture.expect("is a capture"));
    assert_eq!(
        machine.resolved("/usr/local/cuda/version.json").as_deref(),
        Ok("/usr/local/cuda-12.4/version.json")
    );
    assert_eq!(machine.read("/usr/local/cuda/version.json"), Ok(b"{}".to_vec()));
    assert_eq!(
        machine.list("/usr/local", &|_| true).as_deref(),
        Ok(&["cuda".to_owned(), "cuda-12.4".to_owned()][..])
    );
    assert!(machine.about("/round").is_err() && machine.about("/usr/nothing").is_err());
}

#[test]
fn windows_paths_are_one_whatever_their_case() {
    let capture = Capture::parse(
        r#"
        schema = 1
        family = "windows"
        arch = "x86_64"
        [[path]]
        at = 'C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v11.8\bin\nvcc.exe'
        bytes = 10
        [[registry]]
        key = 'HKLM\SOFTWARE\NVIDIA Corporation\GPU Computing Toolkit\CUDA\v11.8'
        values = { 64BitInstalled = "1" }
        "#,
    );
    let machine = Replay::new(capture.expect("is a capture"));
    let about = machine.about("c:/program files/nvidia gpu computing toolkit/cuda/V11.8/bin/NVCC.exe");
    assert_eq!(about.map(|a| a.bytes), Ok(10));
    let key = machine
        .registry(r"HKLM\Software\NVIDIA Corporation\GPU Computing Toolkit\CUDA")
        .expect("it is there");
    assert_eq!(key.keys, ["v11.8"]);
    assert!(machine.registry(r"HKCU\Environment").is_err());
}
