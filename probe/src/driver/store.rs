//! The driver store of Windows: packages of display drivers, the one in use and those that were left. WSL shows it too.

use super::number;
use crate::Sink;
use crate::machine::Family;
use crate::place;

/// Where WSL shows the packages that Linux needs.
const WSL: &str = "/usr/lib/wsl/drivers";

/// Below the directory of Windows.
const STORE: &str = r"System32\DriverStore\FileRepository";

/// Bytes of such a file in which its first section stands; all of it has megabytes.
const HEAD: usize = 8 << 10;

/// Classes of devices, of GPUs with and without a display.
const CLASSES: [&str; 2] =
    ["{4d36e968-e325-11ce-bfc1-08002be10318}", "{f01a9d53-3ff6-48d2-9f97-c8a7004be10c}"];

/// Looks into it.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let family = sink.machine.family();
    let directory = match family {
        Family::Windows => place::join(family, &super::windows::root(sink.machine), STORE),
        Family::Linux => WSL.to_owned(),
        Family::Macos => return,
    };
    let wanted = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.starts_with("nv") && (name.contains(".inf_amd64_") || name.contains(".inf_arm64_"))
    };
    let listed = sink.machine.list(&directory, &wanted);
    for name in sink.tried("driver-package", "file", &directory, listed).unwrap_or_default() {
        package(sink, family, &directory, &name);
    }
}

fn package(sink: &mut Sink<'_>, family: Family, directory: &str, name: &str) {
    let Some(end) = name.to_ascii_lowercase().find(".inf_") else { return };
    let directory = place::join(family, directory, name);
    let file = place::join(family, &directory, &name[..end + ".inf".len()]);
    let head = sink.machine.head(&file, HEAD);
    let Some(head) = sink.tried("driver-package", "file", &file, head) else { return };
    let text = decoded(&head);
    let class = value(&text, "ClassGUID").unwrap_or_default().to_ascii_lowercase();
    // Sound, USB and other parts of a driver have packages of their own.
    if !CLASSES.contains(&&*class) {
        return;
    }
    // `DriverVer = 05/16/2022, 31.0.15.1659`
    let raw = value(&text, "DriverVer").and_then(|v| v.split_once(',').map(|(_, n)| n.trim().to_owned()));
    match raw.as_deref().and_then(|r| Some((number::of_windows(r)?, r))) {
        Some((version, raw)) => {
            sink.made("driver-package", format!("{name} {version}"), raw, "file", Some(&directory));
        }
        None => sink.fail("driver-package", "file", Some(&file), "no version that is known here"),
    }
}

/// A value of a file of settings: `name = value ; remark`.
fn value(text: &str, name: &str) -> Option<String> {
    let of = |line: &str| {
        let (key, value) = line.split_once('=')?;
        let value = value.split(';').next().unwrap_or(value).trim().trim_matches('"');
        key.trim().eq_ignore_ascii_case(name).then(|| value.to_owned())
    };
    text.lines().find_map(of)
}

/// The text of such a file, which is mostly UTF-16.
fn decoded(bytes: &[u8]) -> String {
    let units = |bytes: &[u8]| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => units(rest),
        [_, 0, ..] => units(bytes),
        _ => String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).into_owned(),
    }
}
