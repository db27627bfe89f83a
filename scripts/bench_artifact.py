"""What scripts/bench-artifact.sh measures against, and the table that it writes.

bench_artifact.py whole|pieces WHEEL MEMBER looks for containers of device code as one would without kb: in the whole
member, or in pieces of 1 MiB. bench_artifact.py table DIRECTORY prints the section.
"""

import json
import pathlib
import sys
import zipfile

BEGIN = b"\x50\xed\x55\xba\x01\x00\x10\x00"


def whole(wheel, member):
    data, found, at = zipfile.ZipFile(wheel).read(member), 0, -1
    while (at := data.find(BEGIN, at + 1)) >= 0:
        found += 1
    print(found)


def pieces(wheel, member):
    found, kept = 0, b""
    with zipfile.ZipFile(wheel).open(member) as stream:
        while piece := stream.read(1 << 20):
            data = kept + piece
            found += data.count(BEGIN)
            kept = data[-len(BEGIN) + 1 :]
    print(found)


def table(directory):
    work = pathlib.Path(directory)

    def results(name):
        return {r["command"]: r for r in json.loads((work / name).read_text())["results"]}

    library, member = results("library.json"), results("member.json")
    size = int((work / "size").read_text())

    def rows(of, base, names):
        for key, name in names:
            seconds, cpu = of[key]["median"], of[key]["user"] + of[key]["system"]
            print(f"| {name} | {seconds * 1000:,.0f} | {cpu * 1000:,.0f} | {seconds / of[base]['median']:.2f} |")

    print("## Reading files")
    print()
    print("Written by `scripts/bench-artifact.sh`: device code of `libpaddle.pyd` in paddlepaddle-gpu 2.6.1 for Windows,")
    print(f"{size / 1e9:.2f} GB, with the file in memory already. Medians; processor time is the mean of user and system.")
    print()
    print("| the library, unpacked | milliseconds | of the processor | to cat |")
    print("| --- | ---: | ---: | ---: |")
    rows(library, "cat", [
        ("cat", "`cat library > /dev/null`"),
        ("stream", "kb, all of it from front to back"),
        ("library", "kb, where the headers are"),
    ])
    print()
    print("| the library, in the wheel | milliseconds | of the processor | to unzip |")
    print("| --- | ---: | ---: | ---: |")
    rows(member, "unzip", [
        ("unzip", "`unzip -p wheel library > /dev/null`"),
        ("member", "kb"),
        ("pieces", "Python, `zipfile` and `bytes.count` over pieces of 1 MiB"),
        ("whole", "Python, `zipfile` and `bytes.find` over the whole library"),
    ])
    print()
    python = [member[k] for k in ("pieces", "whole")]
    own = member["member"]
    times = [f"{p['median'] / own['median']:.1f}" for p in python]
    cpu = [f"{(p['user'] + p['system']) / (own['user'] + own['system']):.1f}" for p in python]
    print(f"kb is {times[0]} and {times[1]} times as fast as the two of Python, by the processor's time {cpu[0]} and {cpu[1]}")
    print("times. Nearly all of what remains is inflating, which both do in native code.")
    print()
    print("| peak memory | MiB |")
    print("| --- | ---: |")
    print(f"| that member | {int((work / 'rss.member').read_text()) / 1024:.1f} |")
    print(f"| everything that the wheel says of itself, tables of its libraries included | {int((work / 'rss').read_text()) / 1024:.1f} |")


{"whole": whole, "pieces": pieces, "table": table}[sys.argv[1]](*sys.argv[2:])
