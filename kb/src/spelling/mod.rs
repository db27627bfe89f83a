//! What people type or paste, as the words and numbers that kb-core reads: full-width letters, quotes left in, lines
//! of other tools, the names of systems, version numbers as other programs print them.
//!
//! Only text becomes text here. What it means is decided in kb-core; a spelling that is not known stays as it is, so
//! that the message shows what was typed.

mod gpu;
mod requirement;
mod system;
mod version;

use crate::args::Question;
use icu_normalizer::ComposingNormalizerBorrowed;
use kb_core::diag::Diagnostic;
use kb_core::kb::Kb;
use kb_core::platform::Arch;

pub(crate) use gpu::gpu;
pub(crate) use requirement::{requirement, requirements};
pub(crate) use system::os;
#[cfg(feature = "remote")]
pub(crate) use system::{platform, processor};

/// Signs that compatibility normalisation would turn into letters: `RTX™` is not `RTXTM`.
const MARKS: [char; 5] = ['™', '®', '©', '℠', '℗'];

/// Quotes that a shell or a text editor leaves around a value.
const QUOTES: [(char, char); 9] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('„', '“'),
    ('«', '»'),
    ('「', '」'),
    ('『', '』'),
];

/// A typed value in its plain form: NFKC, the usual hyphen and full stop, no space and no quotes around it.
pub(crate) fn plain(text: &str) -> String {
    let mut out = if text.is_ascii() {
        text.trim().to_owned()
    } else {
        let bare: String = text.chars().filter(|c| !MARKS.contains(c)).collect();
        let folded = ComposingNormalizerBorrowed::new_nfkc().normalize(&bare);
        let usual = folded.chars().map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '。' => '.',
            other => other,
        });
        usual.collect::<String>().trim().to_owned()
    };
    while let Some(inner) = unquoted(&out) {
        out = inner;
    }
    out
}

/// What stands between two quotes that belong together.
fn unquoted(text: &str) -> Option<String> {
    let (open, close) = *QUOTES.iter().find(|(open, _)| text.starts_with(*open))?;
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    // Two quoted words are no quoted text: "torch"; os_name == "posix".
    (!inner.contains([open, close])).then(|| inner.trim().to_owned())
}

/// The question with every value in its plain spelling.
///
/// # Errors
/// Parts of one value that contradict another option: `--os linux-aarch64 --arch x86_64`.
pub(crate) fn question(kb: &Kb, typed: &Question) -> Result<Question, Diagnostic> {
    let mut out = typed.clone();
    for value in out.gpu.iter_mut().chain(&mut out.want).chain(&mut out.channel) {
        *value = plain(value);
    }
    let single = [
        &mut out.gpus,
        &mut out.os,
        &mut out.arch,
        &mut out.glibc,
        &mut out.driver,
        &mut out.cuda,
        &mut out.cudnn,
        &mut out.python,
        &mut out.policy,
        &mut out.today,
    ];
    for value in single.into_iter().flatten() {
        *value = plain(value);
    }
    for value in &mut out.gpu {
        *value = gpu(kb, value);
    }
    for value in &mut out.want {
        *value = requirement(value);
    }
    if let Some(text) = &out.os
        && let Some((os, arch)) = system::platform(text)
    {
        if let (Some(arch), Some(stated)) = (arch, &out.arch)
            && stated.parse::<Arch>() != arch.parse::<Arch>()
        {
            let message = format!("`--os {text}` means {arch}, and --arch says {stated}");
            return Err(Diagnostic::error("contradiction", message).help("drop one of them"));
        }
        out.arch = out.arch.or(arch.map(str::to_owned));
        out.os = Some(os.to_owned());
    }
    let rewritten = [
        (&mut out.glibc, version::glibc as fn(&Kb, &str) -> Option<String>),
        (&mut out.driver, version::driver),
        (&mut out.cuda, version::cuda),
        (&mut out.cudnn, version::cudnn),
    ];
    for (slot, read) in rewritten {
        if let Some(found) = slot.as_deref().and_then(|text| read(kb, text)) {
            *slot = Some(found);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_values_are_plain() {
        for (typed, expected) in [
            ("ＲＴＸ３０９０", "RTX3090"),
            ("１２.４", "12.4"),
            ("１２。４", "12.4"),
            ("ｔｏｒｃｈ＝＝２.９.１", "torch==2.9.1"),
            ("GeForce RTX™ 3090", "GeForce RTX 3090"),
            ("\u{3000}linux\u{3000}", "linux"),
            ("'torch'", "torch"),
            ("“RTX 3090”", "RTX 3090"),
            ("\"'linux'\"", "linux"),
            ("a100\u{2011}80gb", "a100-80gb"),
            ("torch; os_name == 'posix'", "torch; os_name == 'posix'"),
            ("'torch'; os_name == 'posix'", "'torch'; os_name == 'posix'"),
            ("显卡", "显卡"),
            ("'", "'"),
            ("", ""),
        ] {
            assert_eq!(plain(typed), expected, "{typed}");
        }
    }
}
