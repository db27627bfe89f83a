//! Prints what the readers find in files or in standard input: for looking at a paste by hand.

use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let mut paths = std::env::args().skip(1).peekable();
    if paths.peek().is_none() {
        std::io::stdin().read_to_end(&mut bytes)?;
    }
    for path in paths {
        bytes.extend(std::fs::read(path)?);
    }
    let decoded = diagnose::text::decode(&bytes);
    for o in diagnose::read::read(&diagnose::text::lines(&decoded.text)) {
        let line = o.line.unwrap_or_default();
        let raw = o.raw.map(|r| format!("  from {r:?}")).unwrap_or_default();
        println!("{line:>5}  {} = {}{raw}  [{}]", o.what, o.value, o.method);
    }
    Ok(())
}
