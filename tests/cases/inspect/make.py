"""Makes the files that these cases read: `python3 make.py` here. The same bytes every time.

They hold no code. A container of device code is a header, then for each entry a header that names its kind and target,
and some bytes: the layout is described in artifact/src/code/mod.rs.
"""

import os
import struct
import zipfile

SASS, PTX = 2, 1
HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "files")
# A real, tiny library for the tables: what it needs, and the least glibc.
with open(os.path.join(HERE, "../../../artifact/tests/fixtures/tiny.so"), "rb") as tiny:
    TINY = tiny.read()


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
