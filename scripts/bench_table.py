"""Writes the table of scripts/bench.sh from what it measured."""

import json
import pathlib
import sys

work = pathlib.Path(sys.argv[1])


def number(name):
    return int((work / name).read_text().split()[0])


processes = {r["command"]: r["median"] for r in json.loads((work / "process.json").read_text())["results"]}


def warm(name):
    for folder in (work / "cargo/criterion").glob("*"):
        for estimates in folder.rglob("new/estimates.json"):
            benchmark = json.loads((estimates.parent / "benchmark.json").read_text())
            if benchmark["full_id"] == name:
                return json.loads(estimates.read_text())["median"]["point_estimate"] / 1000
    raise SystemExit(f"{name} was not measured")


def ratio(a, b):
    return f"{a / b:.2f}"


def kib(size):
    return f"{size / 1024:,.0f} KiB"


kb, version, compile_ = processes["kb"], processes["uv-version"], processes["uv-compile"]
print("# Benchmarks")
print()
print("Written by `scripts/bench.sh`. The figures that count are the ratios: both sides of each were measured in one run")
print("on one machine. Times beside them are medians of that run.")
print()
print("## A whole process, cold")
print()
print("Fifty runs of each after five to warm the file cache, medians.")
print()
print("| | milliseconds | to `kb solve` |")
print("| --- | ---: | ---: |")
for name, seconds in [("`kb solve --gpu rtx3090` (six frameworks)", kb), ("`uv --version`", version), ("`uv pip compile` of torch, offline, warm cache", compile_)]:
    print(f"| {name} | {seconds * 1000:.1f} | {ratio(seconds, kb)} |")
print()
print("## An answer with the data in memory")
print()
print("RTX 3090, driver 550.54.14, Linux. kb's answer has every reason, source and suggestion. The two solvers get the")
print("same builds as versions of packages (device code, driver, CUDA major, interpreter and requirements as dependencies;")
print("builds about which something is unknown are left out, since they cannot be said) and stop at their first answer.")
print()
print("| | microseconds | to kb |")
print("| --- | ---: | ---: |")
for label, name in [("one framework", "one"), ("four frameworks in one environment", "four-together")]:
    own = warm(f"kb/{name}")
    print(f"| kb, {label} | {own:,.0f} | 1.00 |")
    for other in ["resolvo", "pubgrub"]:
        theirs = warm(f"{other}/{name}")
        print(f"| {other}, {label} | {theirs:,.0f} | {ratio(theirs, own)} |")
six, read = warm("kb/six"), warm("kb/read-builtin")
print(f"| kb, all six frameworks | {six:,.0f} | {ratio(six, warm('kb/one'))} of one |")
print(f"| kb, reading the compiled-in data | {read:,.0f} | {ratio(read, warm('kb/one'))} of one |")
print()
print("## Sizes")
print()
print("| | size |")
print("| --- | ---: |")
print(f"| the program, release build, stripped | {kib(number('binary.size'))} |")
print(f"| peak memory of `kb solve --gpu rtx3090` | {number('rss') / 1024:,.1f} MiB |")
core, packages = number("core.size"), number("packages.size")
print(f"| data for answers, `core.bin` and `packages.bin` | {kib(core)} + {kib(packages)} |")
print(f"| the same, gzip | {kib(number('core.gz.size'))} + {kib(number('packages.gz.size'))} |")
print(f"| what only people read, `rest.bin`, gzip | {kib(number('rest.gz.size'))} |")
