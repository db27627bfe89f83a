//! Wine's registry: text files, in which a later line counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// A part of the registry with a file of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hive {
    /// `HKEY_LOCAL_MACHINE`.
    Machine,
    /// `HKEY_CURRENT_USER`.
    User,
}

impl Hive {
    /// Both.
    pub(super) const ALL: [Hive; 2] = [Hive::Machine, Hive::User];

    /// Its file in a prefix.
    pub(super) fn file(self) -> &'static str {
        match self {
            Hive::Machine => "system.reg",
            Hive::User => "user.reg",
        }
    }

    /// The key of environment variables.
    pub(super) fn environment(self) -> &'static str {
        match self {
            Hive::Machine => r"System\CurrentControlSet\Control\Session Manager\Environment",
            Hive::User => "Environment",
        }
    }

    /// As `reg` abbreviates it.
    pub(super) fn short(self) -> &'static str {
        match self {
            Hive::Machine => "HKLM",
            Hive::User => "HKCU",
        }
    }
}

/// What a value holds.
#[derive(Clone, Copy, Debug)]
pub enum Data<'a> {
    /// `REG_SZ`.
    Text(&'a str),
    /// `REG_EXPAND_SZ`: variables in it are replaced when it is read.
    Expand(&'a str),
    /// `REG_MULTI_SZ`.
    Texts(&'a [&'a str]),
    /// `REG_DWORD`.
    Number(u32),
    /// `REG_QWORD`.
    Long(u64),
    /// `REG_BINARY`.
    Bytes(&'a [u8]),
}

/// Adds a value to the file of a hive, while no server of the prefix runs.
pub(super) fn append(dir: &Path, hive: Hive, key: &str, name: &str, data: Data<'_>) -> Result<(), String> {
    let path = dir.join(hive.file());
    let name = if name.is_empty() { "@".to_owned() } else { quoted(name) };
    let text = format!("\n[{}]\n{name}={}\n", escaped(key, '['), written(data));
    let file = std::fs::OpenOptions::new().append(true).open(&path);
    let done = file.and_then(|mut file| file.write_all(text.as_bytes()));
    done.map_err(|e| format!("{}: {e}", path.display()))
}

fn written(data: Data<'_>) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(",");
    match data {
        Data::Text(text) => quoted(text),
        Data::Expand(text) => format!("str(2):{}", quoted(text)),
        Data::Texts(texts) => {
            let all: String = texts.iter().map(|t| format!("{t}\0")).collect();
            format!("str(7):{}", quoted(&all))
        }
        Data::Number(number) => format!("dword:{number:08x}"),
        Data::Long(number) => format!("hex(b):{}", hex(&number.to_le_bytes())),
        Data::Bytes(bytes) => format!("hex:{}", hex(bytes)),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, '"'))
}

/// ASCII, with what would end the text escaped.
fn escaped(text: &str, end: char) -> String {
    let mut out = String::new();
    for unit in text.encode_utf16() {
        match u8::try_from(unit).ok().filter(u8::is_ascii).map(char::from) {
            Some('\\') => out.push_str(r"\\"),
            Some(c) if c == end || (end == '[' && c == ']') => {
                out.push('\\');
                out.push(c);
            }
            // Four digits always: a shorter number would go on with a digit that follows it.
            Some(c) if c.is_ascii_control() => drop(write!(out, "\\x{:04x}", c as u32)),
            Some(c) => out.push(c),
            None => drop(write!(out, "\\x{unit:04x}")),
        }
    }
    out
}

/// All values of a hive as its file writes them, by key and name; a key without values stands for itself.
pub(super) fn values(text: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut key = String::new();
    let mut last = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('[') {
            // Behind the key stands when it was changed.
            key = rest.rsplit_once(']').map_or(rest, |(key, _)| key).replace(r"\\", r"\");
            out.entry(key.clone()).or_insert_with(String::new);
        } else if let Some((name, value)) = line.split_once('=').filter(|_| line.starts_with(['"', '@'])) {
            last = format!("{key}\\{name}");
            out.insert(last.clone(), value.to_owned());
        } else if line.starts_with("  ")
            && let Some(value) = out.get_mut(&last)
        {
            // Long values go on in the next line.
            value.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_wine_reads_them() {
        assert_eq!(written(Data::Text(r#"C:\显卡 "a""#)), r#""C:\\\x663e\x5361 \"a\"""#);
        assert_eq!(written(Data::Expand("%A%;b")), r#"str(2):"%A%;b""#);
        assert_eq!(written(Data::Texts(&["a", "1"])), r#"str(7):"a\x00001\x0000""#);
        assert_eq!(written(Data::Number(20)), "dword:00000014");
        assert_eq!(written(Data::Bytes(&[1, 255])), "hex:01,ff");
        assert_eq!(written(Data::Long(1 << 34)), "hex(b):00,00,00,00,04,00,00,00");
        assert_eq!(escaped(r"A\B[1]", '['), r"A\\B\[1\]");
    }

    #[test]
    fn values_are_read_without_their_times() {
        let text =
            "WINE REGISTRY Version 2\n\n[A\\\\B] 12\n#time=1d\n\"x\"=\"1\"\n@=hex:01,\\\n  02\n\n[C] 3\n";
        let found = values(text);
        let found: Vec<_> = found.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(found, [r"A\B=", r#"A\B\"x"="1""#, r"A\B\@=hex:01,\  02", "C="]);
    }
}
