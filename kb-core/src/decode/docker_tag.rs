//! Container images: `paddlepaddle/paddle:2.6.1-gpu-cuda11.7-cudnn8.4-trt8.4`, `nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04`.
//!
//! Source: the relation `image` for tags that exist; the words of the tag otherwise. Dispute K19: a tag that looks
//! right may not exist, so the nearest known ones are named.

use super::name::Name;
use super::text::{self, Cuda};
use super::{Decoded, Meaning, lookup};
use crate::kb::Kb;

/// Whose image it is; decides what the first word of the tag counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Maker {
    Paddle,
    Pytorch,
    Tensorflow,
    /// `nvidia/cuda`: the first word is the CUDA release.
    Cuda,
    /// NVIDIA's monthly builds: the first word is year and month.
    Monthly,
    Other,
}

impl Maker {
    fn of(repository: &str) -> Maker {
        let ends =
            |tail: &str| repository.strip_suffix(tail).is_some_and(|h| h.is_empty() || h.ends_with('/'));
        if ends("nvidia/cuda") {
            Maker::Cuda
        } else if repository.starts_with("nvcr.io/nvidia/") {
            Maker::Monthly
        } else if ends("paddlepaddle/paddle") {
            Maker::Paddle
        } else if ends("pytorch/pytorch") {
            Maker::Pytorch
        } else if ends("tensorflow/tensorflow") {
            Maker::Tensorflow
        } else {
            Maker::Other
        }
    }

    /// The repository on Docker Hub that a bare tag of this shape belongs to.
    fn of_bare_tag(tag: &str) -> Option<&'static str> {
        let first = tag.split('-').next()?;
        let versioned = first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('.');
        if !versioned {
            return None;
        }
        if tag.contains("-gpu-cuda") && tag.contains("-cudnn") {
            Some("paddlepaddle/paddle")
        } else if tag.contains("-cuda")
            && tag.contains("-cudnn")
            && (tag.ends_with("-runtime") || tag.ends_with("-devel"))
        {
            Some("pytorch/pytorch")
        } else if ["-devel-", "-runtime-", "-base-"].iter().any(|w| tag.contains(w))
            && text::cuda(first).is_some()
        {
            Some("nvidia/cuda")
        } else {
            None
        }
    }
}

/// What the words of a tag say.
#[derive(Default)]
struct Tag {
    version: Option<String>,
    cuda: Option<Cuda>,
    cudnn: Option<String>,
    with_cudnn: bool,
    tensorrt: Option<String>,
    gcc: Option<String>,
    python: Option<String>,
    flavour: Option<&'static str>,
    distribution: Option<String>,
    gpu: bool,
    cpu: bool,
}

fn words(maker: Maker, tag: &str) -> Tag {
    let mut out = Tag::default();
    for (i, word) in tag.split('-').enumerate() {
        if i == 0 {
            match maker {
                Maker::Cuda => {
                    out.cuda = text::cuda(word);
                    continue;
                }
                _ if word.starts_with(|c: char| c.is_ascii_digit())
                    || matches!(word, "latest" | "nightly" | "main") =>
                {
                    out.version = Some(word.to_owned());
                    continue;
                }
                _ => {}
            }
        }
        match word {
            "gpu" => out.gpu = true,
            "cpu" => out.cpu = true,
            "cudnn" => out.with_cudnn = true,
            "runtime" => out.flavour = Some("runtime"),
            "devel" => out.flavour = Some("devel"),
            "dev" => out.flavour = Some("dev"),
            "base" => out.flavour = Some("base"),
            "jupyter" => out.flavour = Some("jupyter"),
            _ => {}
        }
        if let [(w, n)] = text::word_numbers(word)[..]
            && !n.is_empty()
        {
            match w {
                "cuda" | "cu" => out.cuda = text::cuda(n).or(out.cuda.take()),
                "cudnn" => {
                    out.cudnn = text::cudnn(n);
                    out.with_cudnn = true;
                }
                "trt" | "tensorrt" => out.tensorrt = Some(n.to_owned()),
                "gcc" => out.gcc = Some(n.to_owned()),
                "py" => out.python = Some(python(n)),
                "ubuntu" | "centos" | "ubi" | "rockylinux" | "debian" | "opensuse" | "oraclelinux"
                | "almalinux" | "amzn" | "cm" | "kylin" => out.distribution = Some(word.to_owned()),
                _ => {}
            }
        }
    }
    out
}

/// `310` is 3.10, `3` is 3.
fn python(number: &str) -> String {
    if number.contains('.') || number.len() < 2 {
        number.to_owned()
    } else {
        format!("{}.{}", &number[..1], &number[1..])
    }
}

/// Reads `repository:tag`, also behind `docker pull`, and a bare tag of a known shape.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let mut given = name.text;
    for prefix in ["docker pull ", "docker run ", "FROM ", "from ", "docker://"] {
        given = given.strip_prefix(prefix).unwrap_or(given).trim();
    }
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/' | b':' | b'@');
    if given.contains("://") || !given.bytes().all(allowed) {
        return None;
    }
    let given = given.split('@').next().unwrap_or(given);
    let slash = given.rfind('/').map_or(0, |i| i + 1);
    let (repository, tag) = match given[slash..].find(':') {
        Some(colon) => (&given[..slash + colon], &given[slash + colon + 1..]),
        None if slash == 0 => (Maker::of_bare_tag(given)?, given),
        None => return None,
    };
    let repository = repository.strip_prefix("docker.io/").unwrap_or(repository);
    if tag.is_empty() || tag.contains(':') || repository.is_empty() || repository.ends_with('/') {
        return None;
    }
    let maker = Maker::of(repository);
    let words = words(maker, tag);
    if maker == Maker::Other && words.cuda.is_none() && image(kb, given).is_none() {
        return None;
    }

    let mut out = Decoded::new("docker-tag", "decode-docker-tag");
    out.say("repository", repository);
    out.say("tag", tag);
    say(&mut out, maker, &words, repository);
    facts(kb, &mut out, maker, repository, tag, &words);
    out.canonical = Some(format!("{repository}:{tag}"));
    Some(out)
}

fn say(out: &mut Decoded, maker: Maker, words: &Tag, repository: &str) {
    let package = match maker {
        Maker::Paddle if words.gpu || words.cuda.is_some() => Some("paddlepaddle-gpu"),
        Maker::Paddle => Some("paddlepaddle"),
        Maker::Pytorch => Some("torch"),
        Maker::Tensorflow => Some("tensorflow"),
        Maker::Monthly => repository.rsplit('/').next(),
        Maker::Cuda => Some("cuda-toolkit"),
        Maker::Other => None,
    };
    if let Some(package) = package {
        out.mean("package", package);
    }
    if let Some(version) = &words.version {
        out.mean("version", version.as_str());
        match (maker, package) {
            (Maker::Monthly, _) => out.note("decode-docker-monthly", "month", version.as_str()),
            (_, Some(package)) => out.notes.push((
                "decode-docker-package",
                vec![("package", package.to_owned()), ("version", version.clone())],
            )),
            _ => {}
        }
    }
    if let Some(cuda) = &words.cuda {
        out.cuda(cuda);
        if let (Maker::Cuda, Cuda::Release(release)) = (maker, cuda) {
            out.mean("version", release.as_str());
        }
    }
    if let Some(cudnn) = &words.cudnn {
        out.mean("cudnn", cudnn.as_str());
        out.note("decode-with-cudnn", "cudnn", cudnn.as_str());
    } else if words.with_cudnn {
        out.notes.push(("decode-docker-cudnn", Vec::new()));
    }
    if words.with_cudnn {
        out.mean("with_cudnn", true);
    }
    if let Some(tensorrt) = &words.tensorrt {
        out.mean("tensorrt", tensorrt.as_str());
        out.note("decode-with-tensorrt", "tensorrt", tensorrt.as_str());
    }
    if let Some(gcc) = &words.gcc {
        out.mean("gcc", gcc.as_str());
    }
    if let Some(python) = &words.python {
        out.mean("python", python.as_str());
        out.note("decode-for-python", "python", python.as_str());
    }
    match words.flavour {
        Some("devel" | "dev") => out.notes.push(("decode-docker-devel", Vec::new())),
        Some("base") => out.notes.push(("decode-docker-base", Vec::new())),
        _ => {}
    }
    if let Some(flavour) = words.flavour {
        out.mean("flavour", flavour);
    }
    if let Some(distribution) = &words.distribution {
        out.mean("distribution", distribution.as_str());
    }
    out.mean("os", "linux");
    let tensorflow_cpu = maker == Maker::Tensorflow && !words.gpu && words.version.is_some();
    if words.cpu || tensorflow_cpu {
        out.mean("device", "cpu");
        out.notes.push(("decode-cpu-only", Vec::new()));
    } else if words.gpu || words.cuda.is_some() {
        out.mean("device", "cuda");
    }
}

/// The fact about a tag; images of other registries carry the same names.
fn image(kb: &Kb, full: &str) -> Option<crate::fact::FactId> {
    kb.facts_of("image").map(|(id, _)| id).find(|id| {
        lookup::text(kb, *id, "tag").is_some_and(|known| {
            full.strip_suffix(known.as_str()).is_some_and(|head| head.is_empty() || head.ends_with('/'))
        })
    })
}

/// Adds what the facts say of the tag; for one that no fact has, the nearest of the same repository.
fn facts(kb: &Kb, out: &mut Decoded, maker: Maker, repository: &str, tag: &str, words: &Tag) {
    if let Some(id) = image(kb, &format!("{repository}:{tag}")) {
        out.mean("known", true);
        for (key, column) in [
            ("package", "package"),
            ("version", "version"),
            ("cuda", "cuda"),
            ("cudnn", "cudnn"),
            ("tensorrt", "tensorrt"),
        ] {
            if let Some(text) = lookup::text(kb, id, column) {
                out.mean(key, text);
            }
        }
        return;
    }
    let mut near: Vec<((u64, u64, u64), String)> = Vec::new();
    for (id, _) in kb.facts_of("image") {
        let Some(known) = lookup::text(kb, id, "tag") else { continue };
        let Some((known_repository, known_tag)) = known.rsplit_once(':') else { continue };
        let same =
            repository.strip_suffix(known_repository).is_some_and(|h| h.is_empty() || h.ends_with('/'));
        if same {
            let other = self::words(maker, known_tag);
            near.push((distance(words, &other), known));
        }
    }
    if near.is_empty() {
        return;
    }
    near.sort();
    out.mean("known", false);
    let nearest: Vec<String> = near.into_iter().take(3).map(|(_, known)| known).collect();
    out.notes.push(("decode-docker-unknown", vec![("tag", tag.to_owned()), ("nearest", nearest.join(", "))]));
    out.mean("nearest", Meaning::List(nearest));
}

/// First the package's version, then CUDA, then the kind of image.
fn distance(a: &Tag, b: &Tag) -> (u64, u64, u64) {
    let apart = |x: u64, y: u64| x.abs_diff(y);
    let version = match (&a.version, &b.version) {
        (Some(x), Some(y)) if x == y => 0,
        (Some(x), Some(y)) => 1 + apart(place(x), place(y)),
        _ => u64::MAX,
    };
    let cuda = match (&a.cuda, &b.cuda) {
        (Some(x), Some(y)) => apart(place(&x.shown()), place(&y.shown())),
        (None, None) => 0,
        _ => u64::MAX,
    };
    (version, cuda, u64::from(a.flavour != b.flavour))
}

/// A number that grows with the version; words such as `latest` count as very new.
fn place(version: &str) -> u64 {
    match text::leading_version(version) {
        Some((v, _)) => {
            u64::from(v.major()) * 1_000_000
                + u64::from(v.minor()).min(999) * 1000
                + u64::from(v.part(2)).min(999)
        }
        None => 1_000_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_an_order() {
        assert!(place("2.6.0") < place("2.6.1"));
        assert!(place("3.0.0b1") < place("latest"));
    }
}
