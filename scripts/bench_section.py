"""Puts a section of standard input in the place of the one with the same heading: bench_section.py FILE"""

import pathlib
import re
import sys

path = pathlib.Path(sys.argv[1])
new = sys.stdin.read().strip("\n")
heading = new.splitlines()[0]
sections = re.split(r"(?m)^(?=## )", path.read_text(encoding="utf-8"))
at = next((i for i, s in enumerate(sections) if s.splitlines()[:1] == [heading]), len(sections))
sections[at : at + 1] = [new]
path.write_text("\n\n".join(s.strip("\n") for s in sections) + "\n", encoding="utf-8")
