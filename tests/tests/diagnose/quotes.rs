//! What is quoted of very long lines, and values of messages that go on in the next line.

use kb_tests::logs::Doctor;

const TOO_OLD: &str = "The NVIDIA driver on your system is too old (found version 11040)";

#[test]
fn of_a_long_line_the_message_is_quoted() {
    let doctor = Doctor::default();
    for before in [0, 500, 5_000, 60_000, 200_000] {
        let line =
            format!("{}RuntimeError: {TOO_OLD}. Please {}\n", "é ".repeat(before), "update ".repeat(2_000));
        // Behind the beginning of a long log, too.
        for start in [String::new(), "step 1 of many\n".repeat(80_000)] {
            let found = doctor.diagnose(format!("{start}{line}the end\n").as_bytes());
            let cause = found.causes.first().expect("a cause");
            assert_eq!(cause.cause, "driver-too-old");
            let quote = cause.quotes.iter().find(|q| q.contains(TOO_OLD));
            let quote = quote.unwrap_or_else(|| panic!("{before}: {:?}", cause.quotes));
            assert!(quote.chars().count() < 1_000, "{}", quote.chars().count());
            assert_eq!((quote.starts_with('…'), quote.ends_with('…')), (before > 0, true), "{before}");
        }
    }
}

#[test]
fn a_value_in_the_next_line_is_seen() {
    let doctor = Doctor::default();
    let first = "The detected CUDA version (12.4) mismatches the version that was used to compile";
    let rest = "PyTorch (11.8). Please make sure to use the same CUDA versions.";
    for between in ["\n", "\n      ", "\r\n"] {
        let found =
            doctor.diagnose(format!("      RuntimeError:\n      {first}{between}{rest}\n").as_bytes());
        let value = |what: &str| {
            found.observations.iter().find(|o| o.what == what).map(|o| (o.value.clone(), o.line))
        };
        assert_eq!(value("cuda-toolkit"), Some(("12.4".to_owned(), Some(2))));
        assert_eq!(value("framework-cuda"), Some(("11.8".to_owned(), Some(2))), "{between:?}");
    }
    let found = doctor.diagnose(format!("{first}\nsomething else (11.8)\n").as_bytes());
    assert!(found.observations.iter().all(|o| o.what != "framework-cuda"));
}
