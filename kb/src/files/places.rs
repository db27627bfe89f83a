//! Where the packages of a file come from: pip's indexes, conda's channels, PyPI where nothing is named.

use super::found::{Found, Origin};
use kb_core::catalog::PackageKind;
use kb_core::kb::Kb;
use kb_core::pep::Requirement;
use kb_core::request::resolve;
use std::collections::HashSet;

/// The channel of the catalogue that stands for those of which kb has no facts: `defaults`, and every name it does not
/// know. Asking it as well keeps a package of conda from being judged by a wheel.
const OTHER_CONDA: &str = "conda-other";
/// Anaconda's own channels, and the word that leaves them out. They are part of [`OTHER_CONDA`].
const DEFAULTS: [&str; 7] = ["defaults", "nodefaults", "anaconda", "main", "free", "r", "msys2"];

/// The channels of a file's packages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Places {
    /// Those that the file says, by id.
    pub channels: Vec<String>,
    /// Does something come from PyPI because no index is named?
    pub by_default: bool,
    /// Does something come from where the file does not say?
    pub open: bool,
    /// Does conda install a framework? PyPI has those too, and would answer for conda's.
    pub conda_framework: bool,
    /// Does pip install something?
    pub by_pip: bool,
    /// Indexes and channels that kb does not know.
    pub unknown: Vec<String>,
}

/// What has to be known of a package of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Judged {
    pub(super) origin: Origin,
    pub(super) framework: bool,
    /// Does its version say where it comes from?
    pub(super) labelled: bool,
}

impl Judged {
    pub(super) fn of(kb: &Kb, origin: Origin, package: usize, text: &str, requirement: &Requirement) -> Self {
        let framework = kb.packages[package].kind == PackageKind::Framework;
        Judged { origin, framework, labelled: labelled(kb, text, requirement) }
    }
}

/// `torch==2.5.1+cu124` and `paddlepaddle-gpu==2.6.2.post120` are what `pip freeze` prints of builds that PyPI does not
/// have.
fn labelled(kb: &Kb, text: &str, requirement: &Requirement) -> bool {
    let of_channel = |post: u64| {
        let tag = format!("post{post}");
        kb.channels.iter().any(|c| c.aliases.iter().any(|a| **a == *tag))
    };
    text.contains('+') || requirement.exact().and_then(|v| v.post()).is_some_and(of_channel)
}

/// Settles which channels count.
pub(super) fn places(kb: &Kb, found: &Found, judged: &[Judged]) -> Places {
    let mut out = Places::default();
    let any = |origin| judged.iter().any(|j| j.origin == origin);
    let framework = |origin| judged.iter().any(|j| j.origin == origin && j.framework);
    // The framework of a base image came from neither.
    let image = framework(Origin::Image);
    let conda = framework(Origin::Conda);
    out.conda_framework = conda;
    out.by_pip = any(Origin::Index);
    if any(Origin::Conda) && (conda || !image) {
        let mut seen = HashSet::new();
        for name in found.conda_channels.iter().filter(|n| seen.insert(*n)) {
            match conda_channel(kb, name) {
                Conda::Known(id) => out.channels.push(id),
                Conda::Defaults => {}
                Conda::Unknown => out.unknown.push(name.clone()),
            }
        }
        out.channels.push(OTHER_CONDA.to_owned());
    }
    let mut named: Vec<String> = Vec::new();
    let mut strange = found.open_index;
    let mut seen = HashSet::new();
    for address in found.indexes.iter().filter(|a| seen.insert(*a)) {
        match index(kb, address) {
            Some(ids) => named.extend(ids),
            None => {
                strange = true;
                out.unknown.push(address.clone());
            }
        }
    }
    let others = named.iter().any(|c| c != "pypi");
    // A question has channels for all of its packages, so one that says itself where it comes from frees the others too.
    let labelled = judged.iter().any(|j| j.origin == Origin::Index && j.labelled);
    if conda {
        named.retain(|c| c != "pypi");
        out.channels.extend(named);
    } else if others {
        if !found.replaces && !named.iter().any(|c| c == "pypi") {
            out.channels.push("pypi".to_owned());
        }
        out.channels.extend(named);
    } else if !out.by_pip {
    } else if strange || labelled || image {
        out.open = true;
    } else if found.names_pypi || !named.is_empty() {
        out.channels.push("pypi".to_owned());
    } else {
        out.by_default = true;
    }
    if out.open {
        out.channels.clear();
    }
    out
}

/// An index of pip by its address, its id or its label.
fn index(kb: &Kb, address: &str) -> Option<Vec<String>> {
    let secure = address.strip_prefix("http://").map(|rest| format!("https://{rest}"));
    let found = resolve::channel(kb, secure.as_deref().unwrap_or(address)).ok()?;
    Some(found.iter().map(|c| kb.channels[*c].id.to_string()).collect())
}

enum Conda {
    Known(String),
    Defaults,
    Unknown,
}

/// A channel of conda by its name or the address of a mirror: `pytorch` is pytorch-conda here.
fn conda_channel(kb: &Kb, text: &str) -> Conda {
    let text = text.split("/label/").next().unwrap_or(text).trim_end_matches('/');
    let name = text.rsplit('/').next().unwrap_or(text).to_ascii_lowercase();
    if DEFAULTS.contains(&&*name) {
        return Conda::Defaults;
    }
    let known = [name.clone(), format!("{name}-conda")]
        .into_iter()
        .find(|id| kb.channel(id).is_some_and(|c| &*kb.channels[c].kind == "conda"));
    known.map_or(Conda::Unknown, Conda::Known)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TORCH: Judged = Judged { origin: Origin::Index, framework: true, labelled: false };
    const NUMPY: Judged = Judged { origin: Origin::Index, framework: false, labelled: false };

    fn conda(judged: Judged) -> Judged {
        Judged { origin: Origin::Conda, ..judged }
    }

    fn indexes(list: &[&str], replaces: bool) -> Found {
        Found { indexes: list.iter().map(|i| (*i).to_owned()).collect(), replaces, ..Found::default() }
    }

    fn of(found: &Found, judged: &[Judged]) -> Places {
        let kb = kb_data::builtin();
        places(&kb, found, judged)
    }

    fn channels(found: &Found, judged: &[Judged]) -> Vec<String> {
        let out = of(found, judged);
        assert!(!out.by_default && !out.open, "{out:?}");
        out.channels
    }

    #[test]
    fn without_an_index_pip_takes_pypi() {
        assert!(of(&Found::default(), &[TORCH]).by_default);
        assert!(of(&Found::default(), &[TORCH, conda(NUMPY)]).by_default);
        assert_eq!(of(&Found::default(), &[]), Places::default());
        let named = Found { names_pypi: true, ..Found::default() };
        assert_eq!(channels(&named, &[TORCH]), ["pypi"]);
    }

    #[test]
    fn mirrors_are_pypi() {
        for mirror in [
            "https://pypi.tuna.tsinghua.edu.cn/simple",
            "http://mirrors.aliyun.com/pypi/simple/",
            "https://pypi.douban.com/simple/",
            "https://pypi.mirrors.ustc.edu.cn/simple",
            "https://repo.huaweicloud.com/repository/pypi/simple",
            "https://mirrors.cloud.tencent.com/pypi/simple",
            "https://pypi.org/simple",
        ] {
            assert_eq!(channels(&indexes(&[mirror], true), &[TORCH]), ["pypi"], "{mirror}");
        }
        let cu124 = "https://download.pytorch.org/whl/cu124";
        let both = indexes(&["https://mirrors.aliyun.com/pypi/simple", cu124], true);
        assert_eq!(channels(&both, &[TORCH]), ["pypi", "pytorch-cu124"]);
        assert_eq!(channels(&indexes(&[cu124], true), &[TORCH]), ["pytorch-cu124"]);
        assert_eq!(channels(&indexes(&[cu124], false), &[TORCH]), ["pypi", "pytorch-cu124"]);
    }

    #[test]
    fn what_is_not_known_stays_open() {
        let labelled = Judged { labelled: true, ..TORCH };
        let image = Judged { origin: Origin::Image, ..TORCH };
        for (found, judged) in [
            (Found::default(), &[labelled, NUMPY][..]),
            (Found::default(), &[image, NUMPY]),
            (indexes(&["https://pypi.example.org/simple"], true), &[TORCH]),
            (Found { open_index: true, ..Found::default() }, &[TORCH]),
        ] {
            let out = of(&found, judged);
            assert!(out.open && !out.by_default && out.channels.is_empty(), "{out:?}");
        }
        assert_eq!(of(&indexes(&["https://a"], false), &[TORCH]).unknown, ["https://a"]);
    }

    #[test]
    fn labels_say_where_a_build_is_from() {
        let kb = kb_data::builtin();
        for (text, wanted) in [
            ("torch==2.5.1+cu124", true),
            ("torch==2.5.1", false),
            ("paddlepaddle-gpu==2.6.2.post120", true),
            ("paddlepaddle-gpu==2.6.2", false),
        ] {
            let requirement = text.split('+').next().unwrap_or(text).parse().expect("a requirement");
            assert_eq!(labelled(&kb, text, &requirement), wanted, "{text}");
        }
    }

    #[test]
    fn conda_is_never_pypi() {
        let found = |list: &[&str]| Found {
            conda_channels: list.iter().map(|i| (*i).to_owned()).collect(),
            ..Found::default()
        };
        let torch = [conda(TORCH)];
        assert_eq!(channels(&found(&["pytorch", "defaults"]), &torch), ["pytorch-conda", "conda-other"]);
        assert_eq!(channels(&found(&[]), &torch), ["conda-other"]);
        let mirrors = [
            "https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud/pytorch/",
            "https://mirrors.tuna.tsinghua.edu.cn/anaconda/pkgs/main",
            "conda-forge/label/rc",
        ];
        assert_eq!(channels(&found(&mirrors), &torch), ["pytorch-conda", "conda-forge", "conda-other"]);
        let strange = of(&found(&["mine", "pypi"]), &torch);
        assert_eq!((strange.channels, strange.unknown.len()), (vec!["conda-other".to_owned()], 2));
        let both = of(&found(&["Paddle"]), &[conda(TORCH), NUMPY]);
        assert!(both.conda_framework && both.by_pip && !both.by_default);
        assert_eq!(both.channels, ["paddle-conda", "conda-other"]);
        // Without a package from it, a channel is nobody's.
        assert!(of(&found(&["pytorch"]), &[TORCH]).by_default);
    }
}
