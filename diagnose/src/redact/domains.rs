//! Domains behind the names of machines: `node7` tells less than `hpc.acme-corp.de`.
//!
//! Where a machine was found, its domain is private, and every name in it is a machine. What everybody downloads from
//! is public.

/// Hosts that are everybody's, with all below them.
const PUBLIC: &str = "\
pypi.org pythonhosted.org python.org github.com githubusercontent.com github.io gitlab.com gitee.com bitbucket.org \
pytorch.org tensorflow.org paddlepaddle.org.cn huggingface.co hf.co hf-mirror.com modelscope.cn wandb.ai \
anaconda.com anaconda.org conda.io docker.io docker.com nvcr.io ghcr.io quay.io gcr.io mcr.microsoft.com \
developer.nvidia.com developer.download.nvidia.com docs.nvidia.com pypi.nvidia.com www.nvidia.com nvidia.github.io \
storage.googleapis.com pypi.tuna.tsinghua.edu.cn mirrors.tuna.tsinghua.edu.cn mirrors.ustc.edu.cn mirrors.aliyun.com \
mirrors.cloud.tencent.com mirror.sjtu.edu.cn ubuntu.com debian.org fedoraproject.org centos.org kernel.org \
freedesktop.org readthedocs.io stackoverflow.com example.com example.org example.net download.microsoft.com aka.ms";

/// What stands behind machines that have nothing to do with each other; of a machine it goes all the same.
const SHARED: &str = "\
amazonaws.com compute.amazonaws.com compute.internal ec2.internal cloudapp.azure.com googleusercontent.com \
cluster.local svc.cluster.local localdomain home.arpa in-addr.arpa ts.net nvidia.com microsoft.com google.com \
tsinghua.edu.cn";

/// Second parts that are as public as the last one: `co.uk`, `edu.cn`.
const SECOND: [&str; 9] = ["co", "com", "ac", "edu", "org", "net", "gov", "or", "ne"];

/// Names of files, not of machines, end so.
const FILES: &str = "\
log txt out err json jsonl yaml yml toml csv py pyc sh so dll exe pt pth onnx bin md html xml gz zip tar pid lock sock \
conf cfg ini whl bak tmp service dmp";

/// Is this a public host?
pub(super) fn is_public(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    PUBLIC
        .split_whitespace()
        .any(|p| host.strip_suffix(p).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// The domains that a machine's name tells: `hpc.acme-corp.de` and `acme-corp.de` of `node7.hpc.acme-corp.de`.
pub(super) fn of(host: &str) -> Vec<&str> {
    let Some((_, domain)) = host.split_once('.') else { return Vec::new() };
    let mut out = Vec::new();
    let mut rest = domain;
    while let Some((label, behind)) = rest.split_once('.') {
        let last = !behind.contains('.');
        let lower = rest.to_ascii_lowercase();
        let shared = SHARED.split_whitespace().any(|s| s == lower) || is_public(&lower);
        let suffix = last && behind.len() == 2 && SECOND.iter().any(|s| label.eq_ignore_ascii_case(s));
        if !shared && !suffix && is_top(rest) {
            out.push(rest);
        }
        rest = behind;
    }
    out
}

/// Where a domain ends that begins with the dot at `at`; `at` itself if none does.
pub(super) fn end(line: &str, at: usize) -> usize {
    let rest = &line[at..];
    if !rest.starts_with('.') {
        return at;
    }
    let length =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(rest.len());
    let domain = rest[..length].trim_end_matches(['.', '-']);
    if domain.len() > 1 && !domain.contains("..") && is_top(domain) { at + domain.len() } else { at }
}

/// Where a machine's name begins whose domain begins at `at`.
pub(super) fn start(line: &str, at: usize) -> usize {
    if !line[..at].ends_with('.') {
        return at;
    }
    let label = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let begin =
        line[..at].rfind(|c| !label(c)).map_or(0, |i| i + line[i..].chars().next().map_or(1, char::len_utf8));
    begin + line[begin..at].len() - line[begin..at].trim_start_matches(['.', '-', '_']).len()
}

/// Is the last part one of domains, no number and no ending of files?
fn is_top(domain: &str) -> bool {
    let last = domain.rsplit('.').next().unwrap_or_default();
    last.len() > 1
        && last.bytes().all(|b| b.is_ascii_alphabetic())
        && !FILES.split_whitespace().any(|f| last.eq_ignore_ascii_case(f))
}
