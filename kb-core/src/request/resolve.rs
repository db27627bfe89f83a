//! From a spelling to the thing it names.

use crate::catalog::normal_form;
use crate::kb::Kb;
use crate::version::ComputeCapability;

/// What a GPU's spelling names.
#[derive(Clone, PartialEq, Debug)]
pub enum GpuMatch {
    /// One product of the catalogue.
    Gpu(usize),
    /// A compute capability.
    Capability(ComputeCapability),
    /// No GPU.
    None,
    /// Several products; their indexes.
    Ambiguous(Vec<usize>),
    /// Hardware that does not run CUDA; index into [`Kb::accelerators`].
    Accelerator(usize),
    /// Nothing. [`near_gpus`] has the names that may have been meant.
    Unknown,
}

/// Words in front of or behind a product name that say nothing.
const MAKERS: [&str; 4] = ["geforce", "tesla", "quadro", "nvidia"];
const TAILS: [&str; 8] =
    ["graphicscard", "desktop", "founders", "gpu", "gddr6x", "gddr6", "card", "laptopgpu"];
/// Chinese words around a name, and the word they stand for.
const CHINESE: [(&str, &str); 10] = [
    ("英伟达", ""),
    ("輝達", ""),
    ("显卡", ""),
    ("顯示卡", ""),
    ("顯卡", ""),
    ("笔记本电脑", "laptop"),
    ("笔记本", "laptop"),
    ("移动版", "laptop"),
    ("筆電", "laptop"),
    ("台式机", ""),
];

/// Finds the GPU that a spelling names.
pub fn gpu(kb: &Kb, text: &str) -> GpuMatch {
    let trimmed = text.trim();
    let wanted = wanted(trimmed);
    if wanted.is_empty() {
        return GpuMatch::Unknown;
    }
    if matches!(wanted.as_str(), "none" | "cpu" | "nogpu" | "no" | "无" | "cpuonly") {
        return GpuMatch::None;
    }
    let exact = exact_matches(kb, &wanted);
    match exact.as_slice() {
        [] => {}
        [one] => return GpuMatch::Gpu(*one),
        several => return GpuMatch::Ambiguous(several.to_vec()),
    }
    // Written as a capability: with a prefix, or with a dot. A bare number such as 86 is no GPU name either.
    let lower = trimmed.to_ascii_lowercase();
    let looks_like = ["sm", "cc", "compute"].iter().any(|p| lower.starts_with(p)) || lower.contains('.');
    if looks_like {
        let digits = lower
            .trim_start_matches("compute capability")
            .trim_start_matches("compute_capability")
            .trim_start_matches(['=', ':', ' ', '_']);
        if let Ok(target) = digits.parse::<crate::version::ComputeTarget>() {
            return GpuMatch::Capability(target.capability);
        }
    }
    if let Some(index) = accelerator(kb, trimmed) {
        return GpuMatch::Accelerator(index);
    }
    // A memory size or a form factor that the catalogue does not tell apart: "rtx 3090 24gb", "l40s pcie".
    for cut in ["pcie", "sxm", "sxm2", "sxm3", "sxm4", "sxm5", "nvl", "hbm2", "hbm2e", "hbm3"]
        .iter()
        .chain(TAILS.iter())
    {
        if let Some(shorter) = wanted.strip_suffix(cut)
            && let [one] = exact_matches(kb, shorter).as_slice()
        {
            return GpuMatch::Gpu(*one);
        }
    }
    for shorter in without_memory(&wanted) {
        if let [one] = exact_matches(kb, shorter).as_slice() {
            return GpuMatch::Gpu(*one);
        }
    }
    GpuMatch::Unknown
}

/// A spelling as names are compared.
fn wanted(text: &str) -> String {
    let wanted = normal_form(text);
    if wanted.is_ascii() {
        return wanted;
    }
    normal_form(&CHINESE.iter().fold(wanted, |text, (from, to)| text.replace(from, to)))
}

/// The accelerator that a spelling begins with, word by word: "Radeon RX 7900 XTX", "Ascend 910B", "MI300X".
pub fn accelerator(kb: &Kb, text: &str) -> Option<usize> {
    let wanted = words(text);
    kb.accelerators.iter().position(|accelerator| {
        let chips = accelerator.offers.iter().flat_map(|o| &o.chips);
        let names = std::iter::once(&accelerator.id)
            .chain(std::iter::once(&accelerator.name))
            .chain(&accelerator.aliases)
            .chain(chips);
        names
            .map(|n| words(n))
            .any(|name| !name.is_empty() && wanted.len() >= name.len() && wanted[..name.len()] == name[..])
    })
}

/// Runs of letters or of digits, in lower case; scripts without spaces are one word.
fn words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars().flat_map(char::to_lowercase) {
        let class = if c.is_ascii_digit() {
            Some(0)
        } else if c.is_alphanumeric() {
            Some(1)
        } else {
            None
        };
        match class {
            None => {}
            Some(_) if class == last => {
                if let Some(word) = out.last_mut() {
                    word.push(c);
                }
            }
            Some(_) => out.push(c.to_string()),
        }
        last = class;
    }
    out
}

/// What `rtx309024gb` may be without its memory size, which has two digits most often.
fn without_memory(wanted: &str) -> impl Iterator<Item = &str> {
    let body = wanted.strip_suffix("gb").or_else(|| wanted.strip_suffix('g')).unwrap_or("");
    let digits = body.len() - body.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    [2, 3, 1]
        .into_iter()
        .filter(move |n| *n <= digits && body.len() - n >= 3)
        .map(|n| &body[..body.len() - n])
}

fn exact_matches(kb: &Kb, wanted: &str) -> Vec<usize> {
    let stripped = |text: &str| -> String {
        let mut form = normal_form(text);
        for maker in MAKERS {
            if let Some(rest) = form.strip_prefix(maker)
                && rest.chars().count() >= 2
            {
                form = rest.to_owned();
            }
        }
        form
    };
    if let Some(ambiguous) =
        kb.ambiguous.iter().find(|a| may_end_with(&a.spelling, wanted) && normal_form(&a.spelling) == wanted)
    {
        return ambiguous.candidates.iter().filter_map(|c| kb.gpu(c)).collect();
    }
    let bare = stripped(wanted);
    let mut full = Vec::new();
    let mut short = Vec::new();
    for (index, gpu) in kb.gpus.iter().enumerate() {
        let spellings = [&gpu.id, &gpu.name].into_iter().chain(&gpu.aliases).chain(&gpu.driver_names);
        // Both forms only drop what stands in front.
        let near: Vec<&str> = spellings.map(|s| &**s).filter(|s| may_end_with(s, &bare)).collect();
        if near.iter().any(|s| normal_form(s) == wanted) {
            full.push(index);
        } else if near.iter().any(|s| stripped(s) == bare) {
            short.push(index);
        }
    }
    if full.is_empty() { short } else { full }
}

/// Can the normal form of a spelling end so? Never false where it does; made without the form, as a question looks at
/// every name of every GPU.
fn may_end_with(text: &str, end: &str) -> bool {
    let mut end = end.bytes().rev();
    for byte in text.bytes().rev().filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii()) {
        match end.next() {
            _ if !byte.is_ascii() => return true,
            Some(wanted) if wanted == byte.to_ascii_lowercase() => {}
            Some(_) => return false,
            None => return true,
        }
    }
    end.next().is_none()
}

/// Ids of the GPUs with a name near a spelling that is not known, best first.
pub fn near_gpus(kb: &Kb, text: &str) -> Vec<String> {
    let wanted = &*wanted(text.trim());
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut scored: Vec<(usize, &str)> = kb
        .gpus
        .iter()
        .filter_map(|gpu| {
            let best = std::iter::once(&gpu.id)
                .chain(std::iter::once(&gpu.name))
                .chain(&gpu.aliases)
                .map(|s| strsim::damerau_levenshtein(&normal_form(s), wanted))
                .min()?;
            // Of a short word not so much may be wrong that any other short word is near.
            (best <= 3.max(wanted.len() / 4).min(wanted.chars().count() / 2)).then_some((best, &*gpu.id))
        })
        .collect();
    scored.sort();
    scored.into_iter().take(5).map(|(_, id)| id.to_owned()).collect()
}

/// Finds a package by id, name or alias; near ids when there is none.
pub fn package(kb: &Kb, text: &str) -> Result<usize, Vec<String>> {
    known_package(kb, text).ok_or_else(|| near_packages(kb, &crate::pep::normal_name(text)))
}

/// Finds a package by id, name or alias, where it is of no interest what else may have been meant: that takes longer.
pub fn known_package(kb: &Kb, text: &str) -> Option<usize> {
    kb.package(&crate::pep::normal_name(text)).or_else(|| {
        let form = normal_form(text);
        kb.packages.iter().position(|p| {
            normal_form(&p.name) == form
                || p.aliases.iter().any(|a| normal_form(a) == form)
                || normal_form(&p.id) == form
        })
    })
}

/// The packages one of whose names is near a spelling, by id.
fn near_packages(kb: &Kb, wanted: &str) -> Vec<String> {
    let names = |p: usize| {
        let package = &kb.packages[p];
        [&package.id, &package.name].into_iter().chain(&package.aliases).map(|n| crate::pep::normal_name(n))
    };
    let all: Vec<(String, usize)> =
        (0..kb.packages.len()).flat_map(|p| names(p).map(move |n| (n, p))).collect();
    let mut out: Vec<String> = Vec::new();
    for name in nearest(wanted, all.iter().map(|(n, _)| &**n)) {
        for (_, package) in all.iter().filter(|(n, _)| *n == name) {
            let id = kb.packages[*package].id.to_string();
            if !out.contains(&id) {
                out.push(id);
            }
        }
    }
    out
}

/// Finds a channel by id, alias or address; near ids when there is none.
pub fn channel(kb: &Kb, text: &str) -> Result<Vec<usize>, Vec<String>> {
    let wanted = text.trim().trim_end_matches('/').to_ascii_lowercase();
    if let Some(found) = kb.channel(&wanted) {
        return Ok(vec![found]);
    }
    let found: Vec<usize> = kb
        .channels
        .iter()
        .enumerate()
        .filter(|(_, c)| {
            c.aliases.iter().any(|a| a.eq_ignore_ascii_case(&wanted))
                || c.address.as_deref().is_some_and(|a| a.trim_end_matches('/').eq_ignore_ascii_case(&wanted))
                || c.local_label.as_deref().is_some_and(|l| l.eq_ignore_ascii_case(&wanted))
        })
        .map(|(i, _)| i)
        .collect();
    if found.is_empty() { Err(nearest(&wanted, kb.channels.iter().map(|c| &*c.id))) } else { Ok(found) }
}

/// The known words nearest to one that is not known.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    // Of a short word not so much may be wrong that any other short word is near.
    let most = 2.max(wanted.len() / 3).min(wanted.chars().count() / 2);
    let mut scored: Vec<(usize, &str)> = known
        .filter_map(|k| {
            let distance = strsim::damerau_levenshtein(k, wanted);
            // A word that contains the other is near, however long the rest.
            let inside = wanted.len() >= 3 && k.contains(wanted);
            (inside || distance <= most).then_some((if inside { distance.min(2) } else { distance }, k))
        })
        .collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(5).map(|(_, k)| k.to_owned()).collect()
}
