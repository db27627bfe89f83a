//! Secure Boot: with it the kernel loads signed modules only.

use crate::Sink;
use crate::machine::Family;

const VARIABLE: &str = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
const KEY: &str = r"HKLM\SYSTEM\CurrentControlSet\Control\SecureBoot\State";

/// Looks at its state. A machine that started without UEFI has none.
pub(super) fn observe(sink: &mut Sink<'_>) {
    match sink.machine.family() {
        Family::Linux => {
            let read = sink.machine.read(VARIABLE);
            // Four bytes of attributes, then the value.
            match sink.tried("secure-boot", "file", VARIABLE, read).as_deref() {
                Some([_, _, _, _, state @ (0 | 1)]) => see(sink, *state == 1, "file", VARIABLE),
                Some(_) => sink.fail("secure-boot", "file", Some(VARIABLE), "not in the form that is known"),
                None => {}
            }
        }
        Family::Windows => {
            let result = sink.machine.registry(KEY);
            let Some(key) = sink.tried("secure-boot", "registry", KEY, result) else { return };
            if let Some(state @ ("0" | "1")) = key.value("UEFISecureBootEnabled") {
                see(sink, state == "1", "registry", KEY);
            }
        }
        Family::Macos => {}
    }
}

fn see(sink: &mut Sink<'_>, on: bool, method: &str, place: &str) {
    sink.see("secure-boot", if on { "enabled" } else { "disabled" }, method, Some(place));
}
