#!/usr/bin/env python3
"""Which lines of each room the simulation reaches: coverage.py BUILD [FILES], after runs of a build with --coverage. FILES: how many files with most
lines that nothing reaches are named, to choose the next act by."""
import collections, json, os, subprocess, sys

build, files = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15
rooms, each = collections.defaultdict(lambda: [0, 0]), []
for folder, _, names in sorted(os.walk(build)):
    notes = [os.path.join(folder, n) for n in names if n.endswith(".gcno")]
    room = os.path.relpath(folder, build).split(os.sep)[0]
    if not notes or room in ("tests", "painter", "first"):
        continue
    out = subprocess.run(["gcov", "--json-format", "--stdout"] + notes, capture_output=True, cwd=build).stdout
    for line in out.splitlines():
        for file in json.loads(line)["files"]:
            if not file["file"].startswith("src/") or not file["file"].endswith(".c"):
                continue
            lines = {l["line_number"]: 0 for l in file["lines"]}
            for l in file["lines"]:
                lines[l["line_number"]] += l["count"]
            reached = sum(1 for count in lines.values() if count)
            rooms[room][0] += reached
            rooms[room][1] += len(lines)
            each.append((len(lines) - reached, len(lines), file["file"]))
for room, (reached, lines) in sorted(rooms.items(), key=lambda r: -r[1][0] / max(1, r[1][1])):
    print("%-10s %5.1f %%  %6d of %6d lines" % (room, 100 * reached / max(1, lines), reached, lines))
for left, lines, name in sorted(each, reverse=True)[:files]:
    print("  %5d of %5d lines are not reached: %s" % (left, lines, name))
