//! NVIDIA's own library, on a machine that has no driver for it: `scripts/genuine-nvml.sh` fetches it from Debian.

use nvml_report::{Options, read};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Where the script puts it: below the directory that Cargo builds in.
fn library() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let places = own.ancestors().skip(1).map(|dir| dir.join("genuine-nvml/libnvidia-ml.so.1"));
    places.into_iter().find(|path| path.is_file())
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn without_a_driver_it_says_so() {
    let Some(library) = library() else {
        eprintln!("NOT CHECKED: NVIDIA's library is not here; scripts/genuine-nvml.sh fetches it");
        return;
    };
    if std::path::Path::new("/proc/driver/nvidia/version").exists() {
        eprintln!("NOT CHECKED: this machine has a driver, of which nothing is known here");
        return;
    }
    let options =
        Options { library: Some(library.into()), deadline: Duration::from_secs(20), ..Options::default() };
    let start = Instant::now();
    let report = read(&options);
    let error = report.error.expect("there is no driver");
    assert_eq!((&*error.field, &*error.error), ("init", "driver-not-loaded"), "{:?}", report.tried);
    assert_eq!(report.hung, None);
    println!("{:?}, version {:?}", start.elapsed(), report.nvml);
}
