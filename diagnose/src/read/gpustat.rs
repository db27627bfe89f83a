//! gpustat.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader { tool: "gpustat", words: &["[0] "], read };

/// `[0] Tesla P100-PCIE-16GB | 27'C,   0 % |   103 / 16384 MB |`, and the driver at the end of the line above.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut last: Option<(u32, &str, usize)> = None;
    for (at, line, text) in page.all() {
        let Some(row) = row(text) else {
            close(&mut last, found);
            continue;
        };
        if row.index == 0 {
            close(&mut last, found);
            let head = at.checked_sub(1).and_then(|before| page.line(before));
            if let Some((line, version)) = head.and_then(|(l, t)| Some((l, t.split_whitespace().last()?)))
                && number::is_driver(version)
            {
                found.see("driver", version, line);
            }
        }
        found.see("gpu", row.name, line);
        if let Some(total) = row.total {
            found.see("memory-mib", total, line);
        }
        last = match last {
            None if row.index == 0 => Some((0, row.raw, line)),
            Some((n, _, _)) if row.index == n + 1 => Some((row.index, row.raw, line)),
            _ => None,
        };
    }
    close(&mut last, found);
}

fn close(last: &mut Option<(u32, &str, usize)>, found: &mut Found) {
    if let Some((index, raw, line)) = last.take() {
        found.made("gpu-count", &(index + 1).to_string(), raw, line);
    }
}

struct Row<'a> {
    index: u32,
    raw: &'a str,
    name: &'a str,
    total: Option<&'a str>,
}

fn row(text: &str) -> Option<Row<'_>> {
    let text = text.trim();
    let (index, rest) = text.strip_prefix('[')?.split_once(']')?;
    let raw = text.get(..index.len() + 2)?;
    let mut cells = rest.split('|');
    let name = cells.next()?.trim();
    let temperature = cells.next()?;
    if name.is_empty()
        || name.len() > 60
        || !(temperature.contains("C") || temperature.contains('?'))
        || !temperature.contains('%') && !temperature.contains('?')
    {
        return None;
    }
    let total = cells.next().and_then(|c| c.split_once('/')).and_then(|(_, total)| {
        let total = total.trim().strip_suffix("MB").or_else(|| total.trim().strip_suffix("MiB"))?.trim();
        (!total.is_empty() && total.bytes().all(|b| b.is_ascii_digit())).then_some(total)
    });
    Some(Row { index: index.trim().parse().ok()?, raw, name, total })
}
