"""The log that `kb diagnose` is measured on, and the table of what was measured.

bench_diagnose.py log WORK SIGNATURES CASES
bench_diagnose.py table WORK
"""

import json
import pathlib
import random
import sys
import tomllib

BYTES = 100_000_000


def needles_of(path):
    front = path.read_text(encoding="utf-8").split("+++")[1]
    return tomllib.loads(front)["needle"]


def lines(rng):
    """Training, a web server, a compiler, tracebacks: text as it surrounds a failure."""
    for i in range(200_000):
        kind = rng.random()
        if kind < 0.6:
            yield (
                f"2026-11-30 12:{i % 60:02d}:{i * 7 % 60:02d},{i % 1000:03d} INFO trainer.py:214 step {i} "
                f"loss {rng.random():.4f} lr {rng.random() * 1e-3:.6f} grad_norm {rng.random() * 3:.3f}"
            )
        elif kind < 0.8:
            yield (
                f'10.0.{i % 255}.{i * 3 % 255} - - [30/Nov/2026:10:00:00 +0000] "GET /api/items/{i} HTTP/1.1" 200 '
                f'{rng.randint(100, 99999)} "-" "Mozilla/5.0 (X11; Linux x86_64)"'
            )
        elif kind < 0.9:
            yield f"[{i % 100:3d}%] Building CXX object src/CMakeFiles/core.dir/module_{i}.cpp.o"
        else:
            yield f'  File "/home/user/.venv/lib/python3.11/site-packages/pkg_{i % 50}/module.py", line {i % 900}, in forward'


def more(directory, count, all_needles, rng):
    """Signatures that differ from the real ones in some words: as many texts of the same shape."""
    words = sorted({w for n in all_needles for w in n.split() if w.isalpha()})
    out = directory / "signatures"
    out.mkdir(parents=True, exist_ok=True)
    for path in out.glob("*.md"):
        path.unlink()
    for number in range(count):
        text = " ".join(
            rng.choice(words) + str(rng.randint(0, 9)) if rng.random() < 0.5 else w
            for w in rng.choice(all_needles).split(" ")
        )
        text = text if len(text) >= 8 else f"{text} variant {number}"
        needle = json.dumps(text, ensure_ascii=False)
        (out / f"made-{number}.md").write_text(
            f'+++\ntitle = "made"\nneedle = [{needle}]\nemitted-by = ["program"]\nmatches = [{needle}]\n'
            'seen-in = ["none/none none"]\n+++\nMade for a measurement.\n',
            encoding="utf-8",
        )


def log(work, signatures, cases):
    work = pathlib.Path(work)
    rng = random.Random(20261130)
    needles = []
    for path in sorted(pathlib.Path(signatures).glob("*.md")):
        if not path.name.startswith("_"):
            needles += needles_of(path)
    (work / "needles").write_text("\n".join(needles) + "\n", encoding="utf-8")
    text = "\n".join(lines(rng)) + "\n"
    with open(work / "large.log", "w", encoding="utf-8") as out:
        written = 0
        while written < BYTES:
            out.write(text)
            written += len(text)
        out.write("RuntimeError: CUDA error: no kernel image is available for execution on the device\n")
    case = tomllib.loads((pathlib.Path(cases) / "torch.toml").read_text(encoding="utf-8"))["case"][2]
    (work / "short.log").write_text(case["input"], encoding="utf-8")
    more(work / "one", 1, needles, rng)
    more(work / "ten", 9 * len(needles), needles, rng)
    (work / "count").write_text(str(len(needles)))


def table(work):
    work = pathlib.Path(work)
    read = lambda name: {r["command"]: r for r in json.loads((work / name).read_text())["results"]}
    large, short = read("large.json"), read("short.json")
    size = (work / "large.log").stat().st_size
    count = int((work / "count").read_text())
    print("## Diagnosing logs")
    print()
    print(f"Written by `scripts/bench-diagnose.sh`: a log of {size / 1e6:.0f} MB, {count} fixed texts. Medians.")
    print()
    print("| the log | milliseconds | MB/s | to rg |")
    print("| --- | ---: | ---: | ---: |")
    for key, name in [
        ("rg", "`rg -c -F -f needles`"),
        ("rg-i", "`rg -i -c -F -f needles`, whatever the case as kb does"),
        ("kb", "kb, to the cause"),
    ]:
        seconds = large[key]["median"]
        print(f"| {name} | {seconds * 1000:,.0f} | {size / 1e6 / seconds:,.0f} | {seconds / large['rg']['median']:.2f} |")
    # Both read a directory of signatures, which takes its time whatever the log is.
    def scan(key):
        return large["kb-" + key]["median"] - short[key]["median"]
    print()
    print(f"Ten times as many signatures cost {scan('ten') / scan('one'):.2f} times the time.")
    print()
    print("| a short log, whole process | milliseconds |")
    print("| --- | ---: |")
    print(f"| `kb diagnose` | {short['kb']['median'] * 1000:.1f} |")
    print(f"| `kb --version` | {short['version']['median'] * 1000:.1f} |")
    print()
    print(f"Peak memory with the large log: {int((work / 'rss.last').read_text()) / 1024:.1f} MiB.")


{"log": log, "table": table}[sys.argv[1]](*sys.argv[2:])
