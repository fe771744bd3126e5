#!/usr/bin/env python3
"""Does tests/house.py find an include and a call against the table, and a circle? In a tree of its own."""
import pathlib
import subprocess
import sys
import tempfile

HOUSE = pathlib.Path(__file__).resolve().parent / "house.py"
LOW, HIGH = "src/low/low.c", "src/high/high.c"


def tree(root, files):
    for name, text in {"src/rooms": "low:\nhigh: low\n", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if path.suffix == ".c":
            out = root / "build" / path.relative_to(root / "src").with_suffix(".o")
            out.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cc", "-c", "-w", "-I", root / "src", "-o", out, path], check=True)


def says(files):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        tree(root, files)
        done = subprocess.run([sys.executable, HOUSE, root / "build", "--check", "--root", root],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


def circle(count):
    return {f"src/low/f{i}.c": f"void f{(i + 1) % count}(void);\nvoid f{i}(void) {{ f{(i + 1) % count}(); }}\n"
            for i in range(count)}


CASES = [
    ("all is well", {LOW: "int low(void) { return 0; }\n", HIGH: "int low(void);\nint high(void) { return low(); }\n"}, 0,
     "every include and call goes with the flow"),
    ("an include", {"src/high/high.h": "", LOW: '#include "high/high.h"\n'}, 1, "low/ may not include high/high.h"),
    ("a call", {LOW: "int high(void);\nint low(void) { return high(); }\n", HIGH: "int high(void) { return 0; }\n"}, 1,
     "low/ may not call high of src/high/high.c"),
    ("a circle of four", circle(4), 1, "call each other in a circle"),
    ("a circle of three", circle(3), 0, "goes with the flow"),
    ("a folder without C", {"src/build/x.sh": "", LOW: "int low(void) { return 0; }\n"}, 0, "goes with the flow"),
    ("a room without a row", {"src/other/x.c": ""}, 1, "src/other/ is no room of src/rooms"),
]


def main():
    bad = 0
    for what, files, code, words in CASES:
        rc, out = says(files)
        if rc != code or words not in out or (code and "may not" in out and "mend:" not in out):
            print(f"house.py, {what}: exit {rc}\n{out}")
            bad += 1
    print(f"house: {len(CASES)} checks, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
