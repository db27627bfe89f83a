//! The processor: /proc/cpuinfo, lscpu in any language, wmic, collect_env's section.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, page};

pub(super) const READER: Reader = Reader {
    tool: "cpu",
    words: &[
        "model name",
        "Modellname",
        "型号名",
        "nom de mod",
        "nombre del modelo",
        "モデル名",
        "flags",
        "wmic cpu",
        "Win32_Processor",
        "machdep.cpu",
    ],
    read,
};

/// Instruction sets that builds ask for, in the order in which processors got them.
const ASKED: [&str; 6] = ["sse4_1", "sse4_2", "avx", "avx2", "fma", "avx512f"];

/// Reads the model's name and its flags, each once: a machine has one kind of processor.
fn read(page: &Page<'_>, found: &mut Found) {
    let (mut model, mut flags) = (false, false);
    for (_, line, text) in page.all() {
        if model && flags {
            return;
        }
        let Some((name, value)) = labelled(text) else { continue };
        if value.is_empty() {
            continue;
        }
        match name.to_ascii_lowercase().as_str() {
            "model name"
            | "modellname"
            | "型号名称"
            | "型号名"
            | "nom de modèle"
            | "nombre del modelo"
            | "モデル名"
            | "имя модели"
                if !model && is_processor(value) =>
            {
                found.see("cpu", value, line);
                model = true;
            }
            "flags" | "markierungen" | "标记" | "drapeaux" | "indicadores"
                if !flags && value.contains("fpu") && value.contains("sse") =>
            {
                let has: Vec<&str> = value.split_whitespace().filter(|flag| ASKED.contains(flag)).collect();
                let said = if has.is_empty() { "sse2".to_owned() } else { has.join(" ") };
                found.made("cpu", &said, value, line);
                flags = true;
            }
            _ => {}
        }
    }
    wmic(page, found);
}

/// Logs of training name their own models under the same label.
fn is_processor(value: &str) -> bool {
    const WORDS: [&str; 17] = [
        "Intel",
        "AMD",
        "CPU",
        "Processor",
        "processor",
        "Xeon",
        "EPYC",
        "Cortex",
        "Neoverse",
        "Apple",
        "POWER",
        "ARM",
        "Kunpeng",
        "Phytium",
        "Hygon",
        "ZHAOXIN",
        "Grace",
    ];
    value.len() < 100 && WORDS.iter().any(|w| value.contains(w))
}

/// cpuinfo sets its colon behind a tab, `label::split` takes that; lscpu sets blanks behind it.
fn labelled(text: &str) -> Option<(&str, &str)> {
    if text.len() > 8000 {
        return None;
    }
    label::split(text)
}

/// `wmic cpu get name`, `(Get-CimInstance Win32_Processor).Name`: the name alone on a line.
fn wmic(page: &Page<'_>, found: &mut Found) {
    let asks = |c: &&page::Command<'_>| {
        c.text.contains("wmic cpu get")
            || c.text.contains("Win32_Processor")
            || c.text.contains("sysctl -n machdep.cpu")
    };
    for command in page.commands.iter().filter(asks) {
        for (_, line, text) in page.output(command).take(6) {
            let name = text.trim();
            if ["Intel", "AMD", "Apple", "Genuine"].iter().any(|maker| name.starts_with(maker))
                && name.len() < 80
            {
                found.see("cpu", name, line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("cpu");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn model_and_flags() {
        assert_eq!(
            of(
                "processor\t: 0\nmodel name\t: Intel(R) Atom(TM) x5-Z8350  CPU @ 1.44GHz\nflags\t\t: fpu vme sse sse2 sse4_1 sse4_2 movbe popcnt\nprocessor\t: 1\nmodel name\t: Intel(R) Atom(TM) x5-Z8350  CPU @ 1.44GHz"
            ),
            ["cpu=Intel(R) Atom(TM) x5-Z8350  CPU @ 1.44GHz@2", "cpu=sse4_1 sse4_2@3"]
        );
        assert_eq!(of("Modellname:                      AMD FX(tm)-6300"), ["cpu=AMD FX(tm)-6300@1"]);
        assert_eq!(
            of("C:\\> wmic cpu get name\nName\nIntel(R) Pentium(R) CPU G4560 @ 3.50GHz\n"),
            ["cpu=Intel(R) Pentium(R) CPU G4560 @ 3.50GHz@3"]
        );
        assert_eq!(of("model name: resnet50\nflags: --gpus all"), [""; 0]);
    }
}
