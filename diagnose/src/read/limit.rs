//! Limits of the host or the container: `ulimit`, and the size of /dev/shm.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "ulimit",
    words: &["open files", "max locked memory", "max user processes", "/dev/shm", "ulimit"],
    read,
};

/// What a program that uses GPUs may run into, as `ulimit -a` names it, and its letter.
const ROWS: [(&str, &str); 5] = [
    ("open files", "-n"),
    ("max locked memory", "-l"),
    ("max user processes", "-u"),
    ("virtual memory", "-v"),
    ("max memory size", "-m"),
];

/// Reads rows of `ulimit -a`, one limit asked for alone, and rows of `df`.
fn read(page: &Page<'_>, found: &mut Found) {
    for (_, line, text) in page.all() {
        let text = text.trim();
        if let Some((name, value)) = row(text) {
            found.made("limit", &format!("{name} {value}"), text, line);
        } else if let Some(size) = shared_memory(text) {
            found.made("limit", &format!("/dev/shm {size}"), text, line);
        }
    }
    for command in page.commands.iter().filter(|c| c.program() == "ulimit") {
        let asked = ROWS.iter().find(|(_, letter)| command.text.split_whitespace().any(|w| w == *letter));
        if let Some((name, _)) = asked
            && let Some((_, line, text)) = page.first_output(command)
            && is_limit(text.trim())
        {
            found.made("limit", &format!("{name} {}", text.trim()), text.trim(), line);
        }
    }
}

/// `open files                          (-n) 1024`, `max locked memory           (kbytes, -l) 65536`.
fn row(text: &str) -> Option<(&'static str, &str)> {
    let (name, letter) = ROWS.iter().find(|(name, _)| text.starts_with(name))?;
    let (inside, value) = text[name.len()..].trim_start().strip_prefix('(')?.split_once(')')?;
    let value = value.trim();
    (inside.ends_with(letter) && is_limit(value)).then_some((*name, value))
}

fn is_limit(value: &str) -> bool {
    value == "unlimited" || (!value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()))
}

/// The size in `shm              64M     0   64M   0% /dev/shm`.
fn shared_memory(text: &str) -> Option<&str> {
    let rest = text.strip_suffix("/dev/shm")?;
    let words: Vec<&str> = rest.split_whitespace().take(6).collect();
    let [_, size, .., percent] = words.as_slice() else { return None };
    let fits = size.starts_with(|c: char| c.is_ascii_digit()) && percent.ends_with('%') && words.len() == 5;
    fits.then_some(*size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("ulimit");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn limits_have_names() {
        assert_eq!(
            of(
                "open files                          (-n) 1024\nmax locked memory           (kbytes, -l) unlimited"
            ),
            ["limit=open files 1024@1", "limit=max locked memory unlimited@2"]
        );
        assert_eq!(of("$ ulimit -n\n4096"), ["limit=open files 4096@2"]);
        assert_eq!(
            of(
                "Filesystem      Size  Used Avail Use% Mounted on\nshm              64M     0   64M   0% /dev/shm"
            ),
            ["limit=/dev/shm 64M@2"]
        );
        assert_eq!(of("open files are many\nls /dev/shm"), [""; 0]);
    }
}
