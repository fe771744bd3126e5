#!/usr/bin/env python3
"""The order lines of golden cases, one a line, each once: lines.py FOLDER. They are the ones that mean something in a game,
well-formed and not: each refusal of the rules has a case."""
import json
import pathlib
import sys


def lines_of(step):
    for when in ("orders", "always", "standing"):
        for lines in step.get(when, {}).values():
            yield from lines
    for later in step.get("then", []):
        yield from lines_of(later)


def main():
    cases = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    for line in dict.fromkeys(line for case in cases for line in lines_of(json.loads(case.read_text()))):
        if line.strip():
            print(line)


if __name__ == "__main__":
    main()
