//! Device nodes of the GPU, as `ls /dev/nvidia*` shows them.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader =
    Reader { tool: "device nodes", words: &["/dev/nvidia", "/dev/dxg", "/dev/nvhost", "/dev/dri"], read };

/// Beginnings of the nodes' names.
const NODES: [&str; 4] = ["/dev/nvidia", "/dev/dxg", "/dev/nvhost", "/dev/nvmap"];

/// Reads nodes that a listing shows: rows of `ls -l`, and lines that are nothing but such paths.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut commands = page.commands.iter().peekable();
    for (at, line, text) in page.all() {
        if commands.next_if(|c| c.at == at).is_some() || text.len() > 2000 {
            continue;
        }
        let text = text.trim();
        // `crw-rw-rw- 1 root root 195, 255 Jan 10 09:12 /dev/nvidiactl`
        let row = text.starts_with("crw") || text.starts_with("drw") || text.starts_with("c---------");
        if row {
            text.split_whitespace().skip(4).for_each(|word| see(word, line, found));
        } else if text.starts_with("/dev/") && text.split_whitespace().all(|word| word.starts_with("/dev/")) {
            text.split_whitespace().for_each(|word| see(word, line, found));
        }
    }
}

fn see(word: &str, line: usize, found: &mut Found) {
    let word = word.trim_end_matches(':');
    if NODES.iter().any(|n| word.starts_with(n)) && !word.contains(['*', '?', ',', ';', '\'']) {
        found.see("device-node", word, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("ls");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn nodes_that_are_there() {
        assert_eq!(
            of(
                "$ ls -l /dev/nvidia*\nls: cannot access '/dev/nvidia-uvm': No such file or directory\ncrw-rw-rw-. 1 nobody nobody 195, 255 Jan 10 09:12 /dev/nvidiactl\n/dev/nvidia0  /dev/nvidiactl"
            ),
            ["device-node=/dev/nvidiactl@3", "device-node=/dev/nvidia0@4", "device-node=/dev/nvidiactl@4"]
        );
        assert_eq!(of("$ ls /dev/nvidia0\nCannot open /dev/nvidia0"), [""; 0]);
    }
}
