//! Boards whose GPU is part of the chip, such as Jetson: the firmware names the board.

use crate::Sink;

const MODEL: &str = "/proc/device-tree/model";

/// Ends of such names that say what the board is sold for.
const ENDS: [&str; 4] = [" Super", " Developer Kit", " Engineering Reference", " Evaluation Kit"];

/// Looks for the name of the board.
pub(super) fn observe(sink: &mut Sink<'_>) {
    let Some(text) = sink.text("gpu", MODEL) else { return };
    let text = text.trim_end_matches('\0').trim();
    // A board with another chip, or a server: they have no GPU of that kind.
    if !["Jetson", "Orin", "Xavier", "Thor"].iter().any(|w| text.contains(w)) {
        return;
    }
    let mut name = text;
    while let Some(shorter) = ENDS.iter().find_map(|end| name.strip_suffix(end)) {
        name = shorter;
    }
    sink.made("gpu", name, text, "device-tree", Some(MODEL));
}
