//! Reads what the GPUs are and how they are set, as often as is said, and prints how many there are:
//! `read LIBRARY [TIMES]`.

use nvml_report::{Extent, Options, read};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(library) = arguments.next() else {
        eprintln!("read LIBRARY [TIMES]");
        return ExitCode::from(2);
    };
    let times = arguments.next().and_then(|t| t.to_str()?.parse().ok()).unwrap_or(1_u32);
    let options = Options { library: Some(library), extent: Extent::Identity, ..Options::default() };
    let mut count = None;
    for _ in 0..times {
        count = read(&options).device_count;
    }
    match count {
        Some(count) => println!("{count}"),
        None => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}
