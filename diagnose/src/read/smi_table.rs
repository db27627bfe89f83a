//! The table of `nvidia-smi`, from R304 to R610, and of programs that draw the same one.
//!
//! What differs between releases is found by form, not by column: a GPU's row has an index and a name in its first cell
//! and a bus id in its second; the row below has `used / total`; the third, where there is one, ends in the MIG mode.

use super::found::Found;
use super::number;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "nvidia-smi",
    words: &["NVIDIA-SMI", "NVITOP", "Persistence-M", "TCC/WDDM", "Driver Version:", "MiB |"],
    read,
};

/// A row of the table, whole again where a console broke it.
struct Row {
    text: String,
    /// Index of its first line.
    at: usize,
}

/// Reads headers and rows.
fn read(page: &Page<'_>, found: &mut Found) {
    let rows = rows(page);
    let mut table = Table::default();
    for row in &rows {
        let Some((line, _)) = page.line(row.at) else { continue };
        let text = row.text.as_str();
        if text.contains("NVIDIA-SMI")
            || text.contains("NVITOP")
            || (text.starts_with('|') && text.contains("Driver Version:"))
        {
            table.close(page, found, row.at);
            header(text, line, found);
        } else if text.contains("Processes:") || text.contains("MIG devices:") {
            table.close(page, found, row.at);
            table.elsewhere = true;
        } else if text.starts_with('|') && text.contains("GPU  Name")
            || text.contains("Persistence-M")
            || text.contains("TCC/WDDM")
        {
            table.close(page, found, row.at);
            table = Table { headed: true, ..Table::default() };
        } else {
            table.row(text, line, row.at, found);
        }
    }
    table.close(page, found, page.lines.len());
}

/// Lines of tables, joined where one does not end in a bar and the next does not begin with one.
fn rows(page: &Page<'_>) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    let mut open = false;
    for (at, number, text) in page.all() {
        let text = bars(text);
        let text = text.trim();
        let begins = text.starts_with(['|', '+']);
        let ends = text.len() > 1 && text.ends_with(['|', '+']);
        if begins {
            open = !ends && text.len() > 30;
            out.push(Row { text: text.to_owned(), at });
        } else if open
            && ends
            && out.last().is_some_and(|r| r.at + 1 == at && page.lines[r.at].number + 1 == number)
        {
            if let Some(row) = out.last_mut() {
                row.text.push_str(text);
            }
            open = false;
        } else {
            open = false;
            if text.contains("NVIDIA-SMI")
                || text.contains("NVITOP")
                || (text.contains("Driver Version:") && text.contains("CUDA Version:"))
                || loose_gpu(text).is_some()
                || out.last().is_some_and(|r| r.at + 1 == at && loose_follower(&r.text, text))
            {
                out.push(Row { text: text.to_owned(), at });
            }
        }
    }
    out
}

/// Box-drawing characters as ASCII.
fn bars(text: &str) -> std::borrow::Cow<'_, str> {
    if text.is_ascii()
        || !text.contains(['│', '║', '┃', '╒', '├', '╞', '╘', '┌', '└', '╔', '╚', '╠', '¦', '｜'])
    {
        return text.into();
    }
    text.chars()
        .map(|c| match c {
            '│' | '║' | '┃' | '¦' | '｜' => '|',
            '╒' | '├' | '╞' | '╘' | '┌' | '└' | '╔' | '╚' | '╠' | '┤' | '╡' | '╕' | '╛' | '┐' | '┘' | '╗'
            | '╝' | '╣' => '+',
            '─' | '━' => '-',
            '═' => '=',
            c => c,
        })
        .collect::<String>()
        .into()
}

fn header(text: &str, line: usize, found: &mut Found) {
    let after = |label: &str| text.split_once(label).map(|(_, rest)| rest.trim_start());
    if let Some(version) =
        after("NVIDIA-SMI").and_then(number::version).filter(|v| number::is_driver(v) || v.contains('.'))
    {
        // R310 and older count the tool's own number first: `NVIDIA-SMI 4.310.23`.
        let version = version
            .split_once('.')
            .filter(|(first, rest)| first.len() == 1 && number::is_driver(rest))
            .map_or(version, |(_, rest)| rest);
        if number::is_driver(version) {
            found.see("nvidia-smi-version", version, line);
        }
    }
    for label in ["Driver Version:", "KMD Version:"] {
        if let Some(version) = after(label).and_then(number::driver) {
            found.see("driver", version, line);
        }
    }
    for label in ["CUDA Version:", "CUDA UMD Version:", "CUDA Driver Version:"] {
        let Some(rest) = after(label) else { continue };
        if let Some(version) = number::cuda(rest) {
            found.see("cuda-driver-level", version, line);
        } else if rest.starts_with("ERR!") {
            found.made("error", "smi-cuda-version-err", "ERR!", line);
        }
    }
}

/// The state of a table while its rows go by.
#[derive(Default)]
struct Table {
    /// The heading of the columns was seen.
    headed: bool,
    /// In the list of processes or of MIG instances.
    elsewhere: bool,
    /// Rows since the last GPU's first row: the next is 1.
    since: Option<usize>,
    /// Indexes of GPUs, and where the last of them stands.
    gpus: Vec<u32>,
    last: Option<(usize, usize, String)>,
    /// The last row was a whole rule.
    ruled: bool,
}

impl Table {
    fn row(&mut self, text: &str, line: usize, at: usize, found: &mut Found) {
        if is_rule(text) {
            self.ruled = text.len() > 40 && text.ends_with(['+', '|']);
            // The heading's rule is no end of a GPU.
            self.since = None;
            return;
        }
        if self.elsewhere {
            return;
        }
        self.ruled = false;
        let cells: Vec<&str> = text.strip_prefix('|').unwrap_or(text).split('|').collect();
        if let Some(gpu) = gpu_row(&cells, self.headed).or_else(|| loose_gpu(text)) {
            self.gpu(&gpu, text, line, at, found);
            return;
        }
        match self.since {
            Some(1) => {
                if let Some(total) = cells.iter().find_map(|c| total(c)).or_else(|| loose_total(text)) {
                    found.see("memory-mib", total, line);
                }
                self.since = Some(2);
            }
            Some(2) => {
                let mode = text.trim_end_matches(['|', ' ']).rsplit(['|', ' ']).next();
                if let Some(mode) =
                    mode.map(|m| m.trim_end_matches('*')).filter(|m| matches!(*m, "Enabled" | "Disabled"))
                {
                    found.see("mig", mode, line);
                }
                self.since = None;
            }
            // `nvidia-smi | grep MiB` leaves nothing else of a GPU.
            None if !self.headed && is_second_row(cells[0]) => {
                if let Some(total) = cells.iter().find_map(|c| total(c)) {
                    found.see("memory-mib", total, line);
                }
                return;
            }
            _ => return,
        }
        if text.contains("ERR!") {
            found.made("error", "smi-err-field", "ERR!", line);
        }
    }

    fn gpu(&mut self, gpu: &Gpu<'_>, text: &str, line: usize, at: usize, found: &mut Found) {
        if let Some(name) = gpu.name {
            found.see("gpu", name, line);
        }
        if let Some(model) = gpu.model {
            found.see("driver-model", model, line);
        }
        if text.contains("ERR!") {
            found.made("error", "smi-err-field", "ERR!", line);
        }
        self.gpus.push(gpu.index);
        let raw = gpu.name.and_then(|n| text.find(n)).map_or("", |end| &text[..end]);
        self.last = Some((at, line, raw.to_owned()));
        self.since = Some(1);
        self.ruled = false;
    }

    /// How many GPUs there are is known where the table is whole: all indexes, and a rule at the end.
    fn close(&mut self, page: &Page<'_>, found: &mut Found, next: usize) {
        let table = std::mem::take(self);
        let Some((at, line, raw)) = table.last else { return };
        let all = table.gpus.iter().zip(0..).all(|(gpu, n)| *gpu == n);
        let part = page.command_over(at).is_some_and(super::page::Command::cut);
        // What follows the table must not say that more was left out.
        let left_out = page.lines.get(at..next).unwrap_or_default().iter().skip(1).take(8).any(|l| {
            let text = l.text.trim();
            text.starts_with("...")
                || text.starts_with("[...")
                || text.contains("truncated")
                || text == "…"
                || text.starts_with("(...")
        });
        let gap = page
            .lines
            .get(at..next.min(page.lines.len()))
            .unwrap_or_default()
            .windows(2)
            .take(4)
            .any(|w| w[1].number > w[0].number + 1);
        if all && table.ruled && !part && !left_out && !gap && !raw.is_empty() {
            found.made("gpu-count", &table.gpus.len().to_string(), &raw, line);
        }
    }
}

/// `| 38%   61C    P2   131W / 350W |`: fan, temperature, state of performance. Instances and processes have none.
fn is_second_row(cell: &str) -> bool {
    let is_state = |w: &str| w.strip_prefix('P').is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n < 16));
    let words: Vec<&str> = cell.split_whitespace().take(4).collect();
    words.len() == 4 && is_state(words[2]) && words[1].ends_with('C') && words[1].len() < 5
}

fn is_rule(text: &str) -> bool {
    text.starts_with(['+', '|'])
        && text.len() > 3
        && text.bytes().all(|b| matches!(b, b'+' | b'|' | b'-' | b'='))
}

struct Gpu<'a> {
    index: u32,
    /// The name; none where the tool could not read it.
    name: Option<&'a str>,
    model: Option<&'a str>,
}

fn gpu_row<'a>(cells: &[&'a str], headed: bool) -> Option<Gpu<'a>> {
    let first = cells.first()?.trim();
    let (index, rest) = first.split_once(char::is_whitespace)?;
    let index: u32 = index.parse().ok().filter(|n| *n < 1000)?;
    let rest = rest.trim();
    let (name, state) = match rest.rsplit_once(char::is_whitespace) {
        Some((name, last)) if is_state(last) => (name.trim(), Some(last)),
        _ => (rest, None),
    };
    let second = cells.get(1).map_or("", |c| c.trim());
    let bus = second.split_whitespace().next().is_some_and(is_bus_id);
    let no_bus = second.starts_with("N/A") && state.is_some();
    // A row that was cut behind the name counts only under the heading, and only if the name is whole.
    let cut = cells.len() < 3 && headed && state.is_some() && second.is_empty();
    if !(bus || no_bus || cut) || name.is_empty() || name.bytes().all(|b| b.is_ascii_digit() || b == b' ') {
        return None;
    }
    let model = state.filter(|s| matches!(*s, "WDDM" | "TCC" | "MCDM"));
    let readable = !name.starts_with("ERR!") && !name.starts_with("Unknown Error") && name != "N/A";
    Some(Gpu { index, name: readable.then_some(name), model })
}

/// A row that lost some or all of its bars: index, name, state and bus id as words.
fn loose_gpu(text: &str) -> Option<Gpu<'_>> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '|').filter(|w| !w.is_empty()).take(24).collect();
    let index: u32 = words.first()?.parse().ok().filter(|n| *n < 1000)?;
    let bus = words.iter().position(|w| is_bus_id(w) && w.len() >= 12)?;
    let state = words.get(bus.checked_sub(1)?).copied().filter(|w| is_state(w));
    let last = if state.is_some() { bus.checked_sub(2)? } else { bus - 1 };
    let (first, last) = (words.get(1)?, words.get(last).filter(|_| last > 0)?);
    // The words are parts of the text: the name reaches from the first to the last.
    let from = first.as_ptr() as usize - text.as_ptr() as usize;
    let to = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    let name =
        text.get(from..to).filter(|n| n.chars().any(|c| c.is_ascii_alphabetic()) && !n.contains('|'))?;
    let model = state.filter(|s| matches!(*s, "WDDM" | "TCC" | "MCDM"));
    let readable = !name.starts_with("ERR!") && !name.starts_with("Unknown Error");
    Some(Gpu { index, name: readable.then_some(name), model })
}

/// Does a line go on with a row that lost its bars?
fn loose_follower(before: &str, text: &str) -> bool {
    let memory = text.contains("MiB /") || text.contains("Not Supported");
    if memory {
        loose_gpu(before).is_some()
    } else {
        before.contains("MiB /") && matches!(text, "Enabled" | "Disabled" | "Disabled*" | "Enabled*")
    }
}

/// The total of `… 845MiB / 5931MiB …` without bars around it.
fn loose_total(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("MiB /")?;
    let (total, _) = rest.trim_start().split_once("MiB")?;
    (!total.is_empty() && total.bytes().all(|b| b.is_ascii_digit())).then_some(total)
}

fn is_state(word: &str) -> bool {
    matches!(
        word,
        "On" | "Off" | "WDDM" | "TCC" | "MCDM" | "N/A" | "ERR!" | "Enabled" | "Disabled" | "Unknown"
    )
}

/// `00000000:01:00.0`, `0000:03:00.0`, `01:00.0`.
fn is_bus_id(word: &str) -> bool {
    let colons = word.bytes().filter(|b| *b == b':').count();
    (1..=2).contains(&colons)
        && word.contains('.')
        && word.bytes().all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'))
}

/// The total of `1917MiB /  8114MiB`.
fn total(cell: &str) -> Option<&str> {
    let (used, total) = cell.split_once('/')?;
    let used = used.trim_end();
    if !(used.ends_with("MiB") || used.ends_with("MB")) {
        return None;
    }
    let total = total.trim();
    let digits = total.strip_suffix("MiB").or_else(|| total.strip_suffix("MB"))?.trim();
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("nvidia-smi");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn rows_that_grep_left() {
        let text = "| 38%   61C    P2   131W / 350W |  24230MiB / 24576MiB |     98%      Default |\n|    0   N/A  N/A      1234      C   python                24000MiB |";
        assert_eq!(of(text), ["memory-mib=24576@1"]);
    }

    #[test]
    fn a_damaged_row_has_no_name() {
        let text = "\
| NVIDIA-SMI 470.86       Driver Version: 470.86       CUDA Version: ERR!     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
|===============================+======================+======================|
|   0  ERR!                ERR! | 00000000:01:00.0 ERR!|                 ERR! |
|ERR!  ERR! ERR!    ERR! / ERR! |      1MiB /  8192MiB |    ERR!         ERR! |
+-------------------------------+----------------------+----------------------+
";
        let found = of(text);
        assert!(found.contains(&"error=smi-cuda-version-err@1".to_owned()));
        assert!(found.contains(&"error=smi-err-field@5".to_owned()));
        assert!(found.iter().all(|f| !f.starts_with("gpu=")), "{found:?}");
        assert!(found.contains(&"memory-mib=8192@6".to_owned()));
    }

    #[test]
    fn a_header_alone_is_enough() {
        assert_eq!(
            of("| NVIDIA-SMI 525.60.13    Driver Version: 527.37       CUDA Version: 12.0     |"),
            ["nvidia-smi-version=525.60.13@1", "driver=527.37@1", "cuda-driver-level=12.0@1"]
        );
        assert_eq!(
            of("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."),
            [""; 0]
        );
    }

    #[test]
    fn a_row_broken_by_the_console_is_one_row() {
        let text = "\
| NVIDIA-SMI 550.54.14              Driver Version: 550.54.14      CUDA Version: 
12.4     |
|   0  NVIDIA A100-SXM4-40GB          On  |   00000000:00:04.0 Off |
            0 |
| N/A   30C    P0             50W /  400W |       0MiB /  40960MiB |      0%      
Default |
";
        let found = of(text);
        assert!(found.contains(&"cuda-driver-level=12.4@1".to_owned()), "{found:?}");
        assert!(found.contains(&"gpu=NVIDIA A100-SXM4-40GB@3".to_owned()), "{found:?}");
        assert!(found.contains(&"memory-mib=40960@5".to_owned()), "{found:?}");
    }

    #[test]
    fn rows_without_their_bars_are_rows() {
        let text = "\
NVIDIA-SMI 535.98 Driver Version: 535.98 CUDA Version: 12.2
0 NVIDIA GeForce RTX 3090 Off 00000000:01:00.0 Off N/A
0% 45C P8 20W / 350W 1MiB / 24576MiB 0% Default
   1  Tesla P40   TCC  | 00000000:02:00.0 Off |  0 |
| N/A 45C P8 20W / 350W | 1MiB / 23040MiB | 0% Default |
";
        let found = of(text);
        for fact in [
            "gpu=NVIDIA GeForce RTX 3090@2",
            "memory-mib=24576@3",
            "gpu=Tesla P40@4",
            "driver-model=TCC@4",
            "memory-mib=23040@5",
        ] {
            assert!(found.contains(&fact.to_owned()), "{fact}: {found:?}");
        }
    }

    #[test]
    fn old_layouts_have_no_state_behind_the_name() {
        let text = "\
| NVIDIA-SMI 4.310.23   Driver Version: 310.23         |
| GPU  Name                     | Bus-Id        Disp.  | Volatile Uncorr. ECC |
|===============================+======================+======================|
|   0  GeForce GTX 580          | 0000:01:00.0     N/A |       N/A        N/A |
| 45%   51C  N/A     N/A /  N/A |  15%  230MB / 1535MB |     N/A      Default |
";
        let found = of(text);
        assert!(found.contains(&"nvidia-smi-version=310.23@1".to_owned()), "{found:?}");
        assert!(found.contains(&"gpu=GeForce GTX 580@4".to_owned()), "{found:?}");
        assert!(found.contains(&"memory-mib=1535@5".to_owned()), "{found:?}");
    }
}
