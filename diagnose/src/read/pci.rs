//! lspci, lshw.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "lspci",
    words: &["NVIDIA Corporation", "Kernel driver in use", "Device-", "product: "],
    read,
};

/// GPUs on the bus, and nouveau where it holds one.
fn read(page: &Page<'_>, found: &mut Found) {
    // Does what is read belong to an NVIDIA GPU?
    let mut gpu = false;
    for (_, line, text) in page.all() {
        let trimmed = text.trim();
        if is_address(trimmed) {
            gpu = false;
            if let Some(name) = device(trimmed) {
                gpu = true;
                if let Some(name) = name {
                    found.see("gpu", name, line);
                }
            }
        } else if trimmed.contains("Device-") && trimmed.contains(" driver: ") && trimmed.contains("NVIDIA") {
            inxi(trimmed, line, found);
        } else if let Some(driver) = trimmed.strip_prefix("Kernel driver in use: ") {
            if driver == "nouveau" {
                found.made("error", "nouveau-conflict", trimmed, line);
            }
        } else if let Some(product) = trimmed.strip_prefix("product: ") {
            gpu = bracketed(product).is_some_and(|name| {
                ["GeForce", "Quadro", "Tesla", "RTX", "GTX", "TITAN"].iter().any(|v| name.starts_with(v))
            });
            if let Some(name) = bracketed(product).filter(|_| gpu) {
                found.see("gpu", name, line);
            }
        } else if gpu && trimmed.starts_with("configuration:") && trimmed.contains("driver=nouveau") {
            found.made("error", "nouveau-conflict", "driver=nouveau", line);
        }
    }
}

/// `Device-1: NVIDIA GA102 [GeForce RTX 3090] driver: nvidia v: 535.129.03`.
fn inxi(text: &str, line: usize, found: &mut Found) {
    let Some((head, rest)) = text.split_once(" driver: ") else { return };
    if let Some(name) = bracketed(head) {
        found.see("gpu", name, line);
    }
    if rest.starts_with("nouveau") {
        found.made("error", "nouveau-conflict", "driver: nouveau", line);
    } else if let Some(version) = rest.strip_prefix("nvidia v: ").and_then(super::number::driver) {
        found.see("driver", version, line);
    }
}

/// `01:00.0 …`, `0000:01:00.0 …`.
fn is_address(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    let colons = word.bytes().filter(|b| *b == b':').count();
    (1..=2).contains(&colons)
        && word.contains('.')
        && word.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'))
}

/// The model of an NVIDIA GPU's line, where it is known to the list of ids; none for other devices.
fn device(text: &str) -> Option<Option<&str>> {
    let class =
        ["VGA compatible controller", "3D controller", "Display controller"].iter().any(|c| text.contains(c));
    let (_, rest) =
        text.split_once("NVIDIA Corporation").or_else(|| text.split_once("nVidia Corporation"))?;
    class.then(|| bracketed(rest))
}

/// The first brackets that hold no number of a device or class: `GA102 [GeForce RTX 3090] [10de:2204]`.
fn bracketed(text: &str) -> Option<&str> {
    // What follows in round brackets describes the class.
    let text = text.split_once(" (rev").map_or(text, |(head, _)| head);
    let text = text.split_once(" (prog-if").map_or(text, |(head, _)| head);
    text.split('[')
        .skip(1)
        .filter_map(|part| part.split_once(']').map(|(inside, _)| inside))
        .find(|inside| !inside.is_empty() && !inside.bytes().all(|b| b.is_ascii_hexdigit() || b == b':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("lspci");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn the_model_stands_in_brackets() {
        assert_eq!(
            of(
                "98:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204] (rev a1) (prog-if 00 [VGA controller])"
            ),
            ["gpu=GeForce RTX 3090@1"]
        );
        assert_eq!(
            of(
                "01:00.0 3D controller: NVIDIA Corporation Device 2684 (rev a1)\n01:00.1 Audio device: NVIDIA Corporation GA102 [High Definition Audio] (rev a1)"
            ),
            [""; 0]
        );
    }

    #[test]
    fn nouveau_in_use_is_a_conflict() {
        assert_eq!(
            of(
                "01:00.0 VGA compatible controller: NVIDIA Corporation GM204 [GeForce GTX 970]\n\tKernel driver in use: nouveau"
            ),
            ["gpu=GeForce GTX 970@1", "error=nouveau-conflict@2"]
        );
    }
}
