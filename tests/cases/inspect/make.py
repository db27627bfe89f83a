"""Makes the files that these cases read: `python3 make.py` here. The same bytes every time.

They hold no code. A container of device code is a header, then for each entry a header that names its kind and target,
and some bytes: the layout is described in artifact/src/code/mod.rs.
"""

import base64
import hashlib
import os
import struct
import zipfile

SASS, PTX = 2, 1
HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "files")


def fixture(name):
    with open(os.path.join(HERE, "../../../artifact/tests/fixtures", name), "rb") as file:
        return file.read()


# Real, tiny libraries: one for the tables (what it needs, and the least glibc), others that say which version they are.
TINY = fixture("tiny.so")
CUDNN, CUDNN_OPS, NCCL = fixture("cudnn.so"), fixture("cudnn_ops.so"), fixture("nccl.so")


def container(entries, size=32):
    body = b""
    for kind, number in entries:
        payload = bytes(size)
        header = struct.pack("<HHIQ", kind, 0x101, 64, len(payload)).ljust(28, b"\0")
        header += struct.pack("<I", number)
        header = header.ljust(40, b"\0") + struct.pack("<Q", 0x11)
        body += header.ljust(64, b"\0") + payload
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def library(first, *more):
    """The tiny library with other device code: two entries without payload where its own are, further ones behind.

    It asks for a library of CUDA's where it asked for one of mathematics."""
    own = container(first, 0)
    at = TINY.index(own[:4])
    out = TINY[:at] + own + TINY[at + len(own) :]
    out = out.replace(b"\0libm.so.6\0", b"\0libnpp.so\0")
    return out + bytes(-len(out) % 8) + b"".join(container(c) for c in more)


def wheel(name, members):
    with zipfile.ZipFile(os.path.join(FILES, name), "w", zipfile.ZIP_DEFLATED) as out:
        for path, data in members.items():
            out.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def write(path, data):
    path = os.path.join(FILES, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)


METADATA = b"""Metadata-Version: 2.1
Name: torch
Version: 2.5.1+cu124
Requires-Python: >=3.8.0
Requires-Dist: filelock
Requires-Dist: nvidia-cudnn-cu12==9.1.0.70; platform_system == "Linux"
Requires-Dist: triton==3.1.0; platform_system == "Linux"
"""
TORCH = b"__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\nhip: Optional[str] = None\n"
MAIN = [(SASS, 80), (SASS, 90)]

os.makedirs(FILES, exist_ok=True)
wheel(
    "torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl",
    {
        "torch/version.py": TORCH,
        "torch/lib/libtorch_cuda.so": library(MAIN, MAIN, MAIN, MAIN, MAIN, MAIN + [(SASS, 120)]),
        "torch/lib/libtorch_cuda_linalg.so": library([(SASS, 80), (PTX, 80)]),
        "torch/lib/libcudart.so.12": TINY,
        "torch-2.5.1+cu124.dist-info/METADATA": METADATA,
        "torch-2.5.1+cu124.dist-info/WHEEL": b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n",
        "torch-2.5.1+cu124.dist-info/RECORD": b"",
    },
)
wheel(
    "bitsandbytes-0.45.0-py3-none-manylinux_2_24_x86_64.whl",
    {
        "bitsandbytes/libbitsandbytes_cuda118.so": library([(SASS, 75), (SASS, 86)]),
        "bitsandbytes/libbitsandbytes_cuda128.so": library([(SASS, 75), (SASS, 120)]),
    },
)
# Most of its code is in a part that it can do without.
wheel(
    "part-1-py3-none-any.whl",
    {
        "part/_C.so": library([(SASS, 75), (SASS, 80)]),
        "part/attention/_C.so": library(MAIN, MAIN, MAIN),
        "part-1.dist-info/METADATA": b"Name: parts\nVersion: 1\n",
    },
)
wheel("half-1-py3-none-any.whl", {"half/libhelper.so": library(MAIN)})
# Another method of compression, which is not read.
with zipfile.ZipFile(os.path.join(FILES, "half-1-py3-none-any.whl"), "a") as half:
    half.writestr(zipfile.ZipInfo("half/libhalf.so", (2026, 1, 1, 0, 0, 0)), library(MAIN), zipfile.ZIP_LZMA)
wheel(
    "odd-1-py3-none-any.whl",
    {"odd-1.dist-info/METADATA": "Name: odd\x1b[2J\nRequires-Dist: nvidia-\u202eodd\n".encode()},
)
with open(os.path.join(FILES, "torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl"), "rb") as whole:
    write("cut-1-py3-none-any.whl", whole.read()[:600])
write("not-a-zip-1-py3-none-any.whl", b"this is a text\n")
write("empty.so", b"")
write("text.so", b"this is a text\n")
write("cut.so", TINY[:70])
write("kernels.so", library([(PTX, 80), (PTX, 90)]))
write("installed/torch/version.py", TORCH)
write("installed/torch/lib/libtorch_cuda.so", library(MAIN))
write("installed/torch-2.5.1+cu124.dist-info/METADATA", METADATA)
write("installed/torch-2.5.1+cu124.dist-info/WHEEL", b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n")
write("nothing/readme.txt", b"no library\n")


def package(site, name, version, files, requires=(), listed=None):
    """Installs a package: its files and a `.dist-info` with RECORD; `listed` are files as RECORD has them instead."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {r}\n" for r in requires)
    files = files | {
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-manylinux_2_17_x86_64\n",
    }
    rows = []
    for path, data in (files | (listed or {})).items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(data)}\n")
    rows += ["../../../bin/tool,sha256=x,7\n", f"{name}/__pycache__/a.pyc,,\n", f"{info}/RECORD,,\n"]
    for path, data in files.items():
        write(f"{site}/{path}", data)
    write(f"{site}/{info}/RECORD", "".join(rows).encode())


# An environment with several packages.
SITE = "env/lib/python3.12/site-packages"
LIBTORCH, PYTHON = library(MAIN), TINY + b"\0sm_75 sm_80 sm_90 compute_90\0"
package(
    SITE,
    "torch",
    "2.5.1+cu124",
    {"torch/version.py": TORCH, "torch/lib/libtorch_cuda.so": LIBTORCH, "torch/lib/libtorch_python.so": PYTHON},
    ["filelock", "nvidia-nccl-cu12==2.20.5"],
    # The same size and other contents; and one that was deleted.
    {"torch/version.py": TORCH.replace(b"12.4", b"12.1"), "torch/lib/libshm.so": b"gone"},
)
# Two packages with the same files: the one that was installed last has written them.
NCCL_PATH = "nvidia/nccl/lib/libnccl.so.2"
package(SITE, "nvidia_nccl_cu12", "2.20.5", {}, listed={NCCL_PATH: NCCL + bytes(16), "nvidia/__init__.py": b""})
package(SITE, "nvidia_nccl_cu13", "2.28.3", {NCCL_PATH: NCCL, "nvidia/__init__.py": b""})
# A mixture: one of its libraries is of another release.
package(
    SITE,
    "nvidia_cudnn_cu12",
    "8.9.7.29",
    {"nvidia/cudnn/lib/libcudnn.so.8": CUDNN, "nvidia/cudnn/lib/libcudnn_ops_infer.so.8": CUDNN_OPS},
)
package(SITE, "filelock", "3.16", {"filelock/__init__.py": b""})
# Without RECORD, and without any description.
write(f"{SITE}/old_kernels-1.0.egg-info/PKG-INFO", b"Name: old-kernels\nVersion: 1.0\n")
write(f"{SITE}/old_kernels-1.0.egg-info/top_level.txt", b"oldkernels\n../../../..\n")
write(f"{SITE}/oldkernels/_C.so", library([(SASS, 120)]))
write(f"{SITE}/handmade/kernels.so", library([(PTX, 80)]))
write(f"{SITE}/notes/readme.txt", b"no library\n")

# Unpacked archives of cuDNN: one that is whole, and one by names alone from which files are missing.
HEADER = b"#define CUDNN_MAJOR 8\n#define CUDNN_MINOR 9\n#define CUDNN_PATCHLEVEL 7\n"
ARCHIVE = "cudnn-linux-x86_64-8.9.7.29_cuda12-archive"
write(f"{ARCHIVE}/include/cudnn_version.h", HEADER)
write(f"{ARCHIVE}/lib/libcudnn.so.8.9.7", CUDNN)
for part in ["ops_infer", "ops_train", "cnn_infer", "cnn_train", "adv_infer", "adv_train"]:
    write(f"{ARCHIVE}/lib/libcudnn_{part}.so.8.9.7", TINY)
ARCHIVE = "cudnn-windows-x86_64-9.1.0.70_cuda12-archive"
for part in ["", "_graph", "_ops", "_cnn", "_heuristic"]:
    write(f"{ARCHIVE}/bin/cudnn{part}64_9.dll", TINY)
