#!/usr/bin/env python3
"""How many outcomes of conditions the suites have shown to decide by themselves (MC/DC, as gcc 14 counts it: -fcondition-coverage):
mcdc.py BUILD ROOM..., after runs of a build with it. Below each room its files with most that were not."""
import json
import os
import subprocess
import sys


def look(build, room):
    """(outcomes, those that were covered, file) of each file of a room."""
    folder = os.path.join(build, room)
    notes = [os.path.join(at, name) for at, _, names in sorted(os.walk(folder)) for name in names if name.endswith(".gcno")]
    said = subprocess.run(["gcov", "--conditions", "--json-format", "--stdout", *notes], check=True, capture_output=True)
    return count(line for line in said.stdout.splitlines() if line)


def count(lines):
    for file in (file for line in lines for file in json.loads(line)["files"]):
        found = [c for line in file["lines"] for c in line.get("conditions", ())]
        if file["file"].startswith("src/") and file["file"].endswith(".c"):
            yield sum(c["count"] for c in found), sum(c["covered"] for c in found), file["file"]


def main(build, *rooms):
    for room in rooms:
        files = list(look(build, room))
        of, covered = sum(f[0] for f in files), sum(f[1] for f in files)
        print("%-10s %5.1f %%  %6d of %6d outcomes" % (room, 100 * covered / max(1, of), covered, of))
        for of, covered, name in sorted(files, key=lambda f: f[1] - f[0])[:5]:
            print("  %5d of %5d are not covered: %s" % (of - covered, of, name))


main(*sys.argv[1:])
