//! Commands of Dockerfiles, and what is read from them.

use super::*;
use kb_core::request::RawRequest;

fn read(script: &str) -> (Vec<String>, Vec<String>, Found) {
    let environment = Environment::of(&RawRequest::default());
    let mut found = Found::default();
    let mut installs =
        Installs { environment: &environment, found: &mut found, path: "Dockerfile", line: 1, files: None };
    installs.script(script, &mut Variables::default(), 0);
    let wanted = found.requirements.iter().map(|r| r.text.clone()).collect();
    (wanted, found.left_out.iter().map(|l| l.text.clone()).collect(), found)
}

#[test]
fn installers_of_all_kinds() {
    for (script, wanted) in [
        ("pip3.11 install --no-cache-dir -t /x torch==2.9.1", "torch==2.9.1"),
        ("sudo -H python3 -m pip --quiet install -U 'torch>=2.6,<3' && rm -rf x", "torch>=2.6,<3"),
        ("/opt/venv/bin/pip install jax[cuda12]", "jax[cuda12]"),
        ("uv pip install --system torch", "torch"),
        ("uv add torch==2.9.1 --index pytorch=https://a", "torch==2.9.1"),
        ("conda install -y pytorch=1.5 -c pytorch", "pytorch==1.5.*"),
        ("micromamba -n base install 'pytorch>=2.5'", "pytorch>=2.5"),
        ("conda create -n x pytorch::pytorch=2.5.1", "pytorch==2.5.1"),
        ("conda run -n x pip install torch", "torch"),
        ("poetry add paddlepaddle-gpu==2.6.1", "paddlepaddle-gpu==2.6.1"),
        ("poetry add --group gpu torch@^2.6", "torch>=2.6,<3"),
        ("pixi add --pypi torch==2.9.1", "torch==2.9.1"),
        ("pixi add pytorch=2.5.1", "pytorch==2.5.1"),
        ("pdm add torch", "torch"),
        ("bash -lc 'pip install torch'", "torch"),
        ("V=2.9.1; pip install torch==$V", "torch==2.9.1"),
    ] {
        assert_eq!(read(script).0, [wanted], "{script}");
        assert_eq!(read(script).1, [] as [&str; 0], "{script}");
    }
}

#[test]
fn what_is_not_read_is_named() {
    for (script, left) in [
        ("pip install -r requirements.txt", "-r requirements.txt"),
        ("pip install -e .", "-e ."),
        ("pip install .", "."),
        ("uv sync --frozen", "uv sync --frozen"),
        ("conda env create -f e.yml", "conda env create -f e.yml"),
        ("conda install --file r.txt", "--file r.txt"),
        ("pixi install", "pixi install"),
        ("pipx install vllm", "pipx install vllm"),
        ("python setup.py install", "python setup.py install"),
        ("cat r.txt | xargs pip install", "xargs pip install"),
        ("su user -c 'pip install torch'", "'pip install torch'"),
        ("bash /tmp/install.sh", "/tmp/install.sh"),
        ("yum install -y gcc cuda-toolkit-12-4", "cuda-toolkit-12-4"),
        ("for p in a b; do pip install $p; done", "pip install $p"),
    ] {
        let (wanted, left_out, _) = read(script);
        assert_eq!(left_out, [left], "{script}");
        assert_eq!(wanted, [] as [&str; 0], "{script}");
    }
    for script in [
        "echo pip install torch",
        "apt-get install -y bash python3-pip",
        "pip --version",
        "chsh -s /bin/bash",
    ] {
        let (wanted, left_out, _) = read(script);
        assert!(wanted.is_empty() && left_out.is_empty(), "{script}: {wanted:?} {left_out:?}");
    }
}

#[test]
fn indexes_of_all_kinds() {
    for (script, indexes, replaces) in [
        ("pip install --index-url=https://a torch", "https://a", true),
        ("pip install torch --extra-index-url https://a", "https://a", false),
        ("pip install torch -fhttps://a", "https://a", false),
        ("PIP_INDEX_URL=https://a pip install torch", "https://a", true),
        ("export UV_EXTRA_INDEX_URL=https://a && uv pip install torch", "https://a", false),
        ("uv pip install --torch-backend=cu126 torch", "cu126", false),
        ("pip config set global.extra-index-url https://a", "https://a", false),
    ] {
        let (_, _, found) = read(script);
        assert_eq!((found.indexes, found.replaces), (vec![indexes.to_owned()], replaces), "{script}");
    }
}

#[test]
fn channels_of_conda_are_no_indexes() {
    for (script, channels) in [
        ("conda config --add channels conda-forge", &["conda-forge"][..]),
        ("conda install -c pytorch -c defaults pytorch", &["pytorch", "defaults"]),
        ("mamba install nvidia::cuda pytorch", &["nvidia"]),
    ] {
        let (_, _, found) = read(script);
        assert_eq!(found.conda_channels, channels, "{script}");
        assert!(found.indexes.is_empty() && !found.open_index, "{script}");
    }
}

#[test]
fn an_index_that_is_not_known_is_no_missing_one() {
    for (script, open) in [
        ("pip install torch", false),
        ("pip install torch --index-url $WHERE", true),
        ("uv pip install torch --torch-backend=auto", true),
        ("poetry add torch --source mine", true),
    ] {
        assert_eq!(read(script).2.open_index, open, "{script}");
    }
}
