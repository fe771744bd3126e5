#!/usr/bin/env python3
"""The rooms of src/ as they are: what may include and call what (src/rooms), sizes, circles of calls.

    tests/house.py BUILD            prints the rooms, and what is larger than it should be
    tests/house.py BUILD --check    fails on the first include or call against src/rooms, and on circles of
                                    calls of more than three files

BUILD (build/release) holds the objects, from which nm tells the calls. Without objects only includes are
checked. --root DIR looks at another tree.
"""
import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys

CIRCLE = 3
PARAMETERS = 5
MEMBERS = 30
COMMENT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
FUNCTION = re.compile(r"^(?!static const|typedef|struct \w+ \{|enum|union)(?:\w[\w \*]*?[ \*])(\w+)\(([^;{}]*?)\)\s*(?:__attribute__\(\(.*?\)\)\s*)?\{$", re.M | re.S)
STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\}", re.M | re.S)


def read_table(root):
    """{room: rooms it may use}, lowest first."""
    table = {}
    for number, line in enumerate((root / "src/rooms").read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        room, colon, uses = line.partition(":")
        unknown = [use for use in uses.split() if use not in table]
        if not colon or unknown:
            sys.exit(f"src/rooms:{number}: {' '.join(unknown) or line} is no room above this line")
        table[room] = uses.split()
    return table


def room_of(path):
    return path.parts[1] if len(path.parts) > 2 else None


def sources(root, room, ends=(".c", ".h")):
    """What stands for libraries in a browser (src/browser/shim) is no part of the program, and has the shapes of theirs."""
    found = [p.relative_to(root) for p in (root / "src" / room).rglob("*") if p.suffix in ends]
    return sorted(p for p in found if "shim" not in p.parts)


def wrong_includes(root, table):
    for room, uses in table.items():
        for path in sources(root, room):
            for number, line in enumerate((root / path).read_text().splitlines(), 1):
                found = re.match(r'#include "(\w+)/(\S+)"', line)
                if found and found[1] != room and found[1] not in uses:
                    yield f"{path}:{number}: {room}/ may not include {found[1]}/{found[2]}"


def calls(root, build, table):
    """{(file, file): names} between the objects of the program. A table of data is no call."""
    defined, wanted = {}, collections.defaultdict(set)
    path_of = {str(build / path.relative_to("src").with_suffix(".o")): path for room in table for path in sources(root, room, (".c",))}
    objects = [name for name in path_of if pathlib.Path(name).exists()]
    # All in one call (without names nm would look for a.out): a process for each object would take longer than its work.
    out = subprocess.run(["nm", "-A", *objects], check=True, stdout=subprocess.PIPE, text=True).stdout if objects else ""
    for line in out.splitlines():
        path = path_of[line[:line.index(".o:") + 2]]
        kind, name = line.split()[-2:]
        if kind == "U":
            wanted[path].add(name)
        elif kind == "T":
            defined[name] = path
    arrows = collections.defaultdict(set)
    for path, names in wanted.items():
        for name in names:
            if defined.get(name, path) != path:
                arrows[path, defined[name]].add(name)
    return arrows


def wrong_calls(arrows, table):
    for (caller, called), names in sorted(arrows.items()):
        room, other = room_of(caller), room_of(called)
        if other != room and other not in table[room]:
            yield f"{caller}: {room}/ may not call {', '.join(sorted(names))} of {called}"


def circles(nodes, arrows):
    """Sets of files that call each other, the largest first (Tarjan)."""
    out, index, low, stack, found = collections.defaultdict(list), {}, {}, [], []
    for caller, called in arrows:
        if caller in nodes and called in nodes:
            out[caller].append(called)

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in out[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            circle = stack[at:]
            del stack[at:]
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(nodes):
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def room_circles(root, table, arrows):
    return {room: circles(set(sources(root, room, (".c",))), arrows) for room in table}


def parameters(text):
    """Of a list "int a, void (*f)(int, int)": commas outside of parentheses."""
    depth = count = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        count += char == "," and depth == 0
    return 0 if text.strip() in ("", "void") else count + 1


def measure(root, table):
    """Lines of files and functions; (name, number) of parameters and of members."""
    files, functions, wide, large = [], [], [], []
    for room in table:
        for path in sources(root, room):
            text = (root / path).read_text()
            files.append((text.count("\n"), path))
            plain = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
            for found in FUNCTION.finditer(plain):
                end = plain.find("\n}\n", found.end())
                functions.append(plain.count("\n", found.start(), end) + 2)
                wide.append((parameters(found[2]), f"{path}: {found[1]}"))
            for found in STRUCT.finditer(plain):
                members = sum(1 + re.sub(r"\([^()]*\)", "", line).count(",") for line in re.findall(r"[^;{}]+;", found[2]))
                large.append((members, f"{path}: struct {found[1]}"))
    return files, functions, wide, large


def report(root, table, arrows):
    found = room_circles(root, table, arrows)
    print(f"{'room':<12}{'files':>6}{'lines':>8}  circles of calls")
    for room in table:
        paths = sources(root, room)
        lines = sum((root / p).read_text().count("\n") for p in paths)
        text = "; ".join(" ".join(p.stem for p in circle) for circle in found[room]) or "none"
        print(f"{room:<12}{len(paths):>6}{lines:>8}  {text}")
    files, functions, wide, large = measure(root, table)
    many = sorted(f for f in wide if f[0] > PARAMETERS)
    big = sorted(s for s in large if s[0] > MEMBERS)
    print(f"\nmedian of a file {statistics.median(n for n, _ in files):.0f} lines, of a function "
          f"{statistics.median(functions):.0f}; longest file {max(files)[0]} ({max(files)[1]})")
    print(f"functions with more than {PARAMETERS} parameters: {len(many)} of {len(functions)}")
    print(f"structs with more than {MEMBERS} members: {len(big)}" + "".join(f"\n    {n:3} {s}" for n, s in big))


def check(root, table, arrows):
    """The first fault, with its mend; None = there is none."""
    for fault in list(wrong_includes(root, table)) + list(wrong_calls(arrows, table)):
        return (fault + "\n    mend: move what both need to a lower room, or hand it down as a value or a function; "
                "src/rooms says who may use whom")
    for room, found in room_circles(root, table, arrows).items():
        for circle in found:
            if len(circle) > CIRCLE:
                return (f"src/{room}/: {', '.join(p.name for p in circle)} call each other in a circle\n    mend: move what "
                        "they share to a file of its own that calls none of them")
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--check", action="store_true")
    options.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    how = options.parse_args()
    table = read_table(how.root)
    strays = [p.name for p in (how.root / "src").iterdir() if p.name not in table and p.name != "build" and sources(how.root, p.name)]  # build: tools
    if strays:
        sys.exit(f"src/{strays[0]}/ is no room of src/rooms")
    arrows = calls(how.root, how.build, table)
    if not how.check:
        return report(how.root, table, arrows)
    fault = check(how.root, table, arrows)
    if fault:
        sys.exit(fault)
    print(f"rooms: every include{' and call' if arrows else ''} goes with the flow")


if __name__ == "__main__":
    main()
