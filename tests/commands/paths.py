#!/usr/bin/env python3
"""Every command that reads a file, on what is none: pipes, folders, devices, and files that are too large or may not be read.

    tests/commands/paths.py PROGRAM LEAGUE     exit 1 and a line for each fault; LONG=1: each row with each kind

Each must end soon with an exit code of the man page and one sentence that names the path; what it says of a file with nothing in it
is its own affair. LEAGUE has the game gc-1 and the player anna."""
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PROGRAM, LEAGUE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
GAME = LEAGUE / "games/gc-1"
SOON = 20  # seconds, of a machine that is busy
ROWS = """verify %
verify mail --key %
verify mail --sig %
sign % --key key
sign orders --key %
try galaxy-command %
try galaxy-command state.json --orders 1=%
announce %
moderate gc-1 pause --reason why --lines %
player add zoe zoe@example.org %
player key anna %
new zz-1 galaxy-command --seats anna,robot --cards %
try galaxy-command state.json --cards %
audit %
audit GAME --key %
explain %
log %
diff % 0 1
draw %
receipt-check % --journal GAME
receipt-check mail --journal %
receipt-check mail --journal GAME --key %
restore % made-KIND
games --league %
run --league %
witness --league %
doctor --league %""".splitlines()


def kinds(work):
    os.mkfifo(work / "pipe")
    (work / "folder").mkdir()
    (work / "zero").symlink_to("/dev/zero")
    (work / "loop").symlink_to("loop")
    with open(work / "huge", "wb") as huge:
        huge.truncate(1 << 36)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(work / "socket"))
    (work / "locked").touch(mode=0)
    for name in ("pipe", "zero"):  # in the place of a file in a folder
        inside = work / ("of-" + name)
        inside.mkdir()
        for file in ("journal.jsonl", "opened.txt", "league.ini", "lock"):
            (inside / file).symlink_to(work / name)
    return [name for name in sorted(os.listdir(work)) if name != "locked" or os.geteuid()]


def known_flags():
    """Rows whose options this program has; a name that it lost must not make a row say nothing."""
    for row in ROWS:
        words = row.split()
        said = subprocess.run([PROGRAM, words[0], "--help"], capture_output=True, text=True).stdout
        for flag in (word for word in words if word.startswith("--")):
            if flag not in said:
                yield f"{row}: there is no {flag}"


def tried(row, kind, work):
    path = str(work / kind)
    words = [word.replace("%", path).replace("GAME", str(GAME)).replace("KIND", kind) for word in row.split()]
    shown = f"turnpost {row}, % = {kind}"
    try:
        done = subprocess.run([PROGRAM, *words], cwd=work.parent / "beside", stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=SOON, env=dict(os.environ, TURNPOST_LEAGUE=str(LEAGUE)))
    except subprocess.TimeoutExpired:
        return shown + ": it hangs"
    said = [line for line in done.stderr.splitlines() if line]
    folder = (work / kind).is_dir()
    if done.returncode not in (0, 1, 2, 64, 65, 66, 74, 78) or (done.returncode == 0 and not folder):
        return f"{shown}: exit code {done.returncode} {said}"
    if not folder and not any(kind in line for line in said + done.stdout.splitlines()):
        return f"{shown}: it does not name the file, but says {said}"
    return None


def main():
    faults = list(known_flags())
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name) / "kinds"
        beside = pathlib.Path(name) / "beside"
        work.mkdir(), beside.mkdir()
        (beside / "mail").write_text("From: a@example.org\n\nHello\n")
        (beside / "orders").write_text("#turnpost orders\n#end\n")
        (beside / "state.json").write_text("{}")
        subprocess.run([PROGRAM, "keygen", beside / "key"], check=True, capture_output=True)
        pairs = [(row, kind) for kind in kinds(work) for row in ROWS]
        if not os.environ.get("LONG"):  # all that could hang, and some of the others
            pairs = [pair for n, pair in enumerate(pairs) if pair[1] in ("pipe", "huge") or n % 12 == 0]
        with ThreadPoolExecutor(2 * len(ROWS)) as pool:
            faults += [fault for fault in pool.map(lambda pair: tried(*pair, work), pairs) if fault]
    print("\n".join(faults) or f"{len(pairs)} paths that are no files: a word about each")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
