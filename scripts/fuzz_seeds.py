"""Texts of the corpus as files, for the fuzzers: fuzz_seeds.py CORPUS OUT"""

import pathlib
import sys
import tomllib

corpus, out = map(pathlib.Path, sys.argv[1:])
for path in sorted(corpus.glob("*/*.toml")):
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for entry in document.get("case", []) + document.get("report", []):
        encoding = {"utf-16le-bom": "utf-16"}.get(entry.get("encoding"), entry.get("encoding", "utf-8"))
        (out / entry["id"]).write_bytes(entry["input"].encode(encoding, errors="replace"))
