"""The machine that `kb probe` is measured on, and the table of what was measured.

bench_probe.py make WORK COLLECT_ENV
bench_probe.py table WORK
"""

import hashlib
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys

ENVIRONMENTS = 10

# Rows of torch 2.5's RECORD by kind of file, near enough.
TORCH = [("include/ATen/ops/op_{}.h", 7600), ("include/torch/csrc/part_{}.h", 1100), ("nn/part_{}.py", 2100),
         ("_dynamo/__pycache__/part_{}.cpython-312.pyc", 700)]

TORCH_LIBRARIES = ["libc10", "libc10_cuda", "libtorch", "libtorch_cpu", "libtorch_cuda", "libtorch_cuda_linalg",
                   "libtorch_global_deps", "libtorch_python", "libshm", "libcaffe2_nvrtc"]

# Wheels that torch asks for: name, version, directory below nvidia/, libraries.
NVIDIA = [
    ("nvidia_cublas_cu12", "12.4.5.8", "cublas", ["libcublas.so.12", "libcublasLt.so.12", "libnvblas.so.12"]),
    ("nvidia_cuda_cupti_cu12", "12.4.127", "cuda_cupti", ["libcupti.so.12", "libnvperf_host.so"]),
    ("nvidia_cuda_nvrtc_cu12", "12.4.127", "cuda_nvrtc", ["libnvrtc.so.12", "libnvrtc-builtins.so.12.4"]),
    ("nvidia_cuda_runtime_cu12", "12.4.127", "cuda_runtime", ["libcudart.so.12"]),
    ("nvidia_cudnn_cu12", "9.1.0.70", "cudnn", [f"libcudnn{part}.so.9" for part in (
        "", "_adv", "_cnn", "_engines_precompiled", "_engines_runtime_compiled", "_graph", "_heuristic", "_ops")]),
    ("nvidia_cufft_cu12", "11.2.1.3", "cufft", ["libcufft.so.11", "libcufftw.so.11"]),
    ("nvidia_curand_cu12", "10.3.5.147", "curand", ["libcurand.so.10"]),
    ("nvidia_cusolver_cu12", "11.6.1.9", "cusolver", ["libcusolver.so.11", "libcusolverMg.so.11"]),
    ("nvidia_cusparse_cu12", "12.3.1.170", "cusparse", ["libcusparse.so.12"]),
    ("nvidia_cusparselt_cu12", "0.6.2", "cusparselt", ["libcusparseLt.so.0"]),
    ("nvidia_nccl_cu12", "2.21.5", "nccl", ["libnccl.so.2"]),
    ("nvidia_nvjitlink_cu12", "12.4.127", "nvjitlink", ["libnvJitLink.so.12"]),
    ("nvidia_nvtx_cu12", "12.4.127", "nvtx", ["libnvToolsExt.so.1"]),
    ("nvidia_cufile_cu12", "1.11.1.6", "cufile", ["libcufile.so.0", "libcufile_rdma.so.1"]),
    ("nvidia_nvshmem_cu12", "3.3.20", "nvshmem", ["libnvshmem_host.so.3"]),
    ("nvidia_npp_cu12", "12.2.5.30", "npp", ["libnppc.so.12", "libnppial.so.12", "libnppicc.so.12"]),
    ("nvidia_nvjpeg_cu12", "12.3.1.117", "nvjpeg", ["libnvjpeg.so.12"]),
    ("nvidia_cuda_opencl_cu12", "12.4.127", "cuda_opencl", ["libOpenCL.so.1"]),
]

TORCH_NEEDS = ["libcudnn.so.9", "libcublas.so.12", "libcudart.so.12", "libnccl.so.2", "libcusparse.so.12"]

SMI = """#!/bin/sh
# Says what nvidia-smi says of one GPU.
case "$1" in
--query-gpu=*)
  fields="${1#--query-gpu=}" out=
  for field in $(echo "$fields" | tr , ' '); do
    case $field in
    index) v=0 ;; name) v="NVIDIA GeForce RTX 4090" ;; uuid) v=GPU-00000000-0000-0000-0000-000000000000 ;;
    driver_version) v=550.54.14 ;; memory.total) v=24564 ;; compute_cap) v=8.9 ;; pci.bus_id) v=00000000:01:00.0 ;;
    *) v="[N/A]" ;;
    esac
    out="$out${out:+, }$v"
  done
  echo "$out" ;;
*) echo "| NVIDIA-SMI 550.54.14   Driver Version: 550.54.14   CUDA Version: 12.4 |" ;;
esac
"""

# What collect_env asks of torch itself, which takes a second or two to import when it is the real one.
STUB = """from types import SimpleNamespace as _N
__version__ = "2.5.1+cu124"
version = _N(debug=False, cuda="12.4", hip=None)
cuda = _N(is_available=lambda: False)
"""

NVML = """driver = "550.54.14"
nvml = "12.550.54.14"
cuda = 12040
[[device]]
name = "NVIDIA GeForce RTX 4090"
"""


def library(path, needs=(), search="", symbol=""):
    """A shared library with those names in its headers, in the place of a large one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stubs = path.parent / "stubs"
    stubs.mkdir(exist_ok=True)
    for name in needs:
        stub = stubs / name
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", f"-Wl,-soname,{name}", "-o", stub], check=True)
    links = [f"-l:{name}" for name in needs]
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-x", "c", "-", f"-L{stubs}", "-Wl,--no-as-needed", *links,
         f"-Wl,-soname,{path.name}", "-Wl,--enable-new-dtags", *([f"-Wl,-rpath,{search}"] if search else []), "-o", path],
        input=f"int {symbol or 'answer'}(void) {{ return 1; }}\n".encode(), check=True)
    shutil.rmtree(stubs)
    # Of a large library kb compares the size alone; a real one is never this small.
    if not path.name.startswith(("libtorch.so", "libtorch_global", "libcaffe2")):
        os.truncate(path, 96 << 10)


def row(site, name):
    data = (site / name).read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(data)}"


def listed(name):
    """A row of a file that nobody looks at."""
    return f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(name.encode()).digest()).decode().rstrip('=')},1234"


def describe(site, name, version, rows, requires=(), tag="py3-none-manylinux2014_x86_64"):
    info = site / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    needs = "".join(f"Requires-Dist: {r}\n" for r in requires)
    text = "A description of some length.\n" * 300
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n{needs}\n{text}")
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
    (info / "INSTALLER").write_text("pip\n")
    own = [f"{info.name}/{n},," for n in ("INSTALLER", "METADATA", "RECORD", "WHEEL")]
    (info / "RECORD").write_text("\n".join(rows + own) + "\n")


def packages(site):
    site.mkdir(parents=True)
    rows = [listed("torch/" + shape.format(i)) for shape, count in TORCH for i in range(count)]
    (site / "torch").mkdir()
    (site / "torch/__init__.py").write_text("# torch\n" * 4000)
    (site / "torch/version.py").write_text("__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\nhip = None\n")
    rows += [row(site, f"torch/{n}") for n in ("__init__.py", "version.py")]
    for name in TORCH_LIBRARIES:
        path = site / f"torch/lib/{name}.so"
        search = ":".join(f"$ORIGIN/../../nvidia/{directory}/lib" for _, _, directory, _ in NVIDIA) + ":$ORIGIN"
        library(path, TORCH_NEEDS if name == "libtorch_cuda" else (), search)
        rows.append(row(site, f"torch/lib/{name}.so"))
    describe(site, "torch", "2.5.1+cu124", rows, [f"{n.replace('_', '-')}=={v}" for n, v, _, _ in NVIDIA],
             "cp312-cp312-linux_x86_64")
    for name, version, directory, libraries in NVIDIA:
        for file in libraries:
            library(site / f"nvidia/{directory}/lib/{file}")
        rows = [listed(f"nvidia/{directory}/include/header_{i}.h") for i in range(40)]
        rows += [row(site, f"nvidia/{directory}/lib/{file}") for file in libraries]
        describe(site, name, version, rows)
    for i in range(40):
        describe(site, f"package_{i}", "1.0", [listed(f"package_{i}/part_{n}.py") for n in range(60)])


def environment(root, site, base):
    (root / "bin").mkdir(parents=True)
    (root / "bin/python3").symlink_to(base)
    (root / "bin/python").symlink_to("python3")
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    (root / "pyvenv.cfg").write_text(f"home = {os.path.dirname(base)}\nversion = {version}.0\n")
    shutil.copytree(site, root / f"lib/python{version}/site-packages")


def make(work, collect):
    work = pathlib.Path(work)
    for name in ("home", "site", "bin", "large", "empty", "stub"):
        shutil.rmtree(work / name, ignore_errors=True)
    packages(work / "site")
    base = os.path.realpath(sys.executable)
    for number in range(ENVIRONMENTS):
        environment(work / f"home/.virtualenvs/env-{number}", work / "site", base)
    # One environment with 500 packages, the same among them.
    have = sum(1 for _ in (work / "site").glob("*.dist-info"))
    for i in range(500 - have):
        rows = [listed(f"more_{i}/part_{n}.py") for n in range(60)]
        describe(work / "site", f"more_{i}", "2.0", rows)
    environment(work / "large", work / "site", base)
    (work / "none").mkdir(exist_ok=True)
    environment(work / "empty", work / "none", base)
    (work / "stub/torch/utils").mkdir(parents=True)
    (work / "stub/torch/__init__.py").write_text(STUB)
    (work / "stub/torch/utils/__init__.py").write_text("")
    (work / "stub/torch/backends").mkdir()
    (work / "stub/torch/backends/__init__.py").write_text("")
    (work / "stub/torch/backends/xnnpack.py").write_text("enabled = True\n")
    shutil.copy(collect, work / "stub/torch/utils/collect_env.py")
    (work / "bin").mkdir()
    (work / "bin/nvidia-smi").write_text(SMI)
    (work / "bin/nvidia-smi").chmod(0o755)
    (work / "nvml.toml").write_text(NVML)


def table(work):
    work = pathlib.Path(work)
    def read(name):
        # The least: whatever else the machine does only adds to it.
        return {r["command"]: r["min"] * 1000 for r in json.loads((work / name).read_text())["results"]}
    probe, collect, nvml = read("probe.json"), read("collect.json"), read("nvml.json")
    print("## Looking at a machine")
    print()
    print(f"Written by `scripts/bench-probe.sh`: {ENVIRONMENTS} virtual environments, in each torch with a RECORD of 11,500 rows,")
    print(f"{len(NVIDIA)} wheels of NVIDIA's and 40 other packages; libraries are small ones with the right headers. Whole processes,")
    print("warm cache, the least of many runs. The GPU is a stand-in: a management library for kb, `nvidia-smi` for the others.")
    print()
    print("| | milliseconds |")
    print("| --- | ---: |")
    for key, name in [
        ("all", f"`kb probe --all-pythons --json`, no GPU, {ENVIRONMENTS} environments and the system's"),
        ("text", "the same as text"),
        ("one", "`kb probe --json`, one environment"),
        ("env", "`kb --version`"),
    ]:
        print(f"| {name} | {probe[key]:.1f} |")
    print()
    print(f"An environment with 500 packages, torch among them, adds {probe['large'] - probe['none']:.1f} ms to one without any.")
    print()
    print("| one environment, one GPU | milliseconds | to kb |")
    print("| --- | ---: | ---: |")
    print(f"| `kb probe` | {probe['gpu']:.1f} | 1.00 |")
    print(f"| `torch-check inspect` | {probe['torch-check']:.1f} | {probe['torch-check'] / probe['gpu']:.1f} |")
    print(f"| `python -m torch.utils.collect_env`, without the time to import torch | {collect['collect']:.0f} | {collect['collect'] / collect['one']:.0f} |")
    print()
    print(f"With all environments kb takes {probe['gpu-all']:.1f} ms of that machine, {probe['torch-check'] / probe['gpu-all']:.2f} and {collect['collect'] / collect['all']:.0f} times less than the other two take for one.")
    print()
    print("| management library, stand-in | milliseconds | to its start |")
    print("| --- | ---: | ---: |")
    print(f"| a C program: load, `nvmlInit_v2`, `nvmlShutdown` | {nvml['init']:.2f} | 1.00 |")
    print(f"| kb's reading of one GPU, whole process | {nvml['read']:.2f} | {nvml['read'] / nvml['init']:.2f} |")
    print(f"| start alone, 500 times in one process, each | {nvml['init-many'] / 500:.3f} | 1.00 |")
    print(f"| kb's reading, the same | {nvml['read-many'] / 500:.3f} | {nvml['read-many'] / nvml['init-many']:.2f} |")


if __name__ == "__main__":
    {"make": make, "table": table}[sys.argv[1]](*sys.argv[2:])
