//! The examples below each help text.

pub(super) const MAIN: &str = "Examples:
  kb solve --gpu rtx3090                     what to install for a GPU
  kb check torch==2.5.1+cu124 --gpu rtx5090  does it work, and if not, why
  kb show rtx-3090                           what is known about a GPU
  kb why torch==2.9.1 --gpu rtx3090          the chain behind an answer
  kb diagnose error.log                      which cause is behind an error
  kb diagnose -- python train.py             run a command, explain its failure
  kb doctor                                  what is wrong with this machine
  kb decode cudnn64_8.dll cu124 8907         what a name says

Exit codes: 0 fits, 1 does not fit, or diagnose found a cause, 2 the question or the data is wrong, 3 unknown.";

pub(super) const SOLVE: &str = "Examples:
  kb solve --gpu rtx3090
  kb solve torch --gpu \"RTX 5090\" --os windows
  kb solve --gpu a100-80gb --driver 470.57.02 --want torch --why
  kb solve --gpu v100 --gpu h100 --gpus any 'torch>=2.6'
  kb solve --gpu none torch
  kb solve --here torch --gpu rtx4090

Exit codes: 0 fits, 1 does not fit, 2 the question is wrong, 3 unknown.";

pub(super) const CHECK: &str = "Examples:
  kb check torch==2.5.1+cu124 --gpu rtx5090
  kb check 'paddlepaddle-gpu==2.6.1' --os windows --gpu rtx4090 --driver 516.94 --cuda 11.8 --cudnn 8.6.0
  kb check torch==2.10.0 tensorflow==2.20.0 --gpu rtx3090
  kb check requirements.txt --gpu l40s --driver 550.54.14

Exit codes: 0 fits, 1 does not fit, 2 the question is wrong, 3 unknown.";

pub(super) const SHOW: &str = "Examples:
  kb show rtx-3090            a GPU
  kb show torch               a package, with its releases
  kb show torch==2.9.1        its builds
  kb show 8.6                 a compute capability
  kb show 535.104.05          a driver; R535 is its branch
  kb show cudnn==8.9.7        a release of cuDNN
  kb show device-code         a rule
  kb show ascend              an accelerator of another maker";

pub(super) const LIST: &str = "Examples:
  kb list                     counts of everything
  kb list gpus
  kb list gpus hopper         those with a word in them
  kb list releases torch
  kb list facts cuda-minimum-driver
  kb list channels --json
  kb list causes driver       why things fail
  kb list stale --older-than 1y   tables at which nobody looked for a year";

pub(super) const WHY: &str = "Examples:
  kb why 'cuda-minimum-driver/nv-minor-compat#12.*,linux'
  kb why torch==2.9.1+cu126 --gpu rtx3090 --driver 470.57.02
  kb why torch==2.9.1+cu126 --gpu rtx3090 --svg > chain.svg
  kb why torch==2.9.1+cu126 --gpu rtx3090 --dot | dot -Tpng -o chain.png";

pub(super) const EXPLAIN: &str = "Examples:
  kb explain                  what can be explained
  kb explain device-code      a rule
  kb explain build-device-code
  kb explain driver-too-old   a cause, and what helps
  kb explain 'CUDA error: no kernel image is available for execution on the device'";

pub(super) const DECODE: &str = "Examples:
  kb decode cudnn-windows-x86_64-8.5.0.96_cuda11-archive.zip
  kb decode cudart64_110.dll libcudnn.so.9 cu124 sm_90a 8907
  kb decode torch-2.9.1+cu126-cp312-cp312-manylinux_2_28_x86_64.whl
  kb decode pytorch/pytorch:2.9.1-cuda12.6-cudnn9-runtime";

pub(super) const INSPECT: &str = "Examples:
  kb inspect torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl
  kb inspect torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl --gpu rtx5090
  kb inspect libtorch_cuda.so --json
  kb inspect .venv --gpu rtx5090
  kb inspect .venv/lib/python3.12/site-packages/torch --verify
  kb inspect cudnn-linux-x86_64-8.9.7.29_cuda12-archive
  kb inspect paddlepaddle-gpu==2.6.1 --platform win_amd64
  kb inspect torch==2.9.1 --platform linux-x86_64 --python 3.12 --no-code

Exit codes: 0 read, with --gpu: runs there, 1 does not run there, 2 a file cannot be read, 3 unknown.";

pub(super) const WHICH: &str = "Examples:
  kb which cudnn                          the cuDNN that frameworks here would load
  kb which cudnn64_8.dll --python .venv   a file, as an environment finds it
  kb which libcudnn.so.9 nvcc --json
  kb which cudnn --from capture           on a machine that was captured

Exit codes: 0 found, 1 not found, 2 a capture cannot be read.";

pub(super) const DIAGNOSE: &str = "Examples:
  kb diagnose error.log
  kb diagnose error.log nvidia-smi.txt pip-list.txt
  kb diagnose 'CUDA error: no kernel image is available for execution on the device'
  nvidia-smi 2>&1 | kb diagnose
  kb diagnose -- python train.py          run it, explain its failure
  kb diagnose train.log --follow          until Ctrl-C
  kb diagnose error.log --redact --json
  kb diagnose error.log --bundle report.md

Reads any mix of logs, tracebacks, nvidia-smi, nvcc, pip and conda lists, environment reports, dmesg; with colour codes,
quotation marks, HTML, and in UTF-8, UTF-16 or the code page of a console.
With --json the document is on standard output; behind -- and with --follow it is on standard error, because standard
output has the text that passes through.

Exit codes: 1 a cause was found, 2 the question is wrong or a file cannot be read, 3 nothing known was found; with
--follow 1 a cause was found, else 0; behind -- that of the command.";

pub(super) const WATCH: &str = "Examples:
  kb watch --count 10
  kb watch --every 1 --temperature-above 85 --memory-above 95%
  kb watch --every 10s --format csv --count 360 > gpus.csv
  kb watch --count 1 --json
  kb watch --count 1 --format prometheus > /var/lib/node_exporter/kb.prom

Reads NVIDIA's management library, which comes with the driver; KB_NVML names another file to load. With --json every
reading is a document on a line of its own. Readings are on standard output; limits that are crossed and, at the end,
the least, mean and greatest values are on standard error.

Exit codes: 0 no limit was crossed, 1 one was, or a GPU was lost, 2 an option is wrong, 3 nothing can be read.";

pub(super) const LINT: &str = "Examples:
  kb lint                     the data directory here
  kb lint kb-data/data --json
  kb lint my-data             laid over the built-in data

Exit codes: 0 nothing to say, 2 mistakes.";

pub(super) const SITE_BUILD: &str = "Examples:
  kb site build public                 everything that is built in
  kb site build public --data my-data  with a changed data directory laid over
  kb site build public --base-path /kb/ --origin https://example.org
  kb site build public --modules target/wasm

Exit codes: 0 the site is there, 2 it cannot be made or written.";

pub(super) const NEW: &str = "Examples:
  kb new source nvidia-r600-readme
  kb new fact cuda-minimum-driver nvidia-r600-readme
  kb new gpu rtx-6090 rubin --dry-run

Kinds:
  gpu ID ARCHITECTURE, source ID, fact RELATION SOURCE, release PACKAGE VERSION SOURCE, relation ID,
  dispute RELATION NAME, advisory ID, claim ARTICLE, channel ID, package ID, topic ID, rule ID,
  signature NAME, cause NAME
A new GPU is judged only with its compute capability: kb new fact gpu-compute-capability SOURCE";

pub(super) const COMPLETIONS: &str = "Examples:
  kb completions bash > ~/.local/share/bash-completion/completions/kb
  kb completions zsh > ~/.zfunc/_kb
  kb completions fish > ~/.config/fish/completions/kb.fish
  kb completions powershell >> $PROFILE";

pub(super) const MAN: &str = "Examples:
  kb man | man -l -
  kb man solve > kb-solve.1";

pub(super) const PROBE: &str = "Examples:
  kb probe
  kb probe --json > machine.json    then, anywhere: kb solve --facts machine.json
  kb probe --python .venv
  kb probe --all-pythons --all
  kb probe --capture my-machine     then, anywhere: kb doctor --from my-machine

No GPU and no driver is a normal result: the exit code is 0. KB_NVML names another management library to load.";

pub(super) const DOCTOR: &str = "Examples:
  kb doctor
  kb doctor --quick                 one line, for CI and the first line of the day
  kb doctor --python .venv
  kb doctor --as-service            as a service account sees it
  kb doctor --from my-machine       a machine that was captured

Exit codes: 0 nothing wrong was found, 1 something is wrong, 2 the question is wrong, 3 facts are missing.";

pub(super) const SNAPSHOT: &str = "Examples:
  kb snapshot -o kb.lock.toml
  kb snapshot --check kb.lock.toml  what has changed since, and does it matter
  kb snapshot --python .venv --json

Exit codes of --check: 0 nothing that matters has changed, 1 something that matters, 2 the file cannot be read.";
