#!/usr/bin/env python3
"""log.py TURNPOST [ENTRIES]: the whole program on a league whose log is long. What a round costs must not depend on how long it is: time (of the
processor), memory, and the files that are written, at a tenth of the entries (10^6, unless another number is said) and at all of them."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

MORE = 3  # times as much at ten times the length is not flat


def run(turnpost, league, *args):
    """(seconds of the processor, MB at most)"""
    child = subprocess.Popen([turnpost, *map(str, args)], env=dict(os.environ, TURNPOST_LEAGUE=str(league)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read().decode(errors="replace")
    _, status, used = os.wait4(child.pid, 0)
    child.stderr.close()
    if os.waitstatus_to_exitcode(status):
        sys.exit("turnpost %s: %s" % (" ".join(map(str, args)), said))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def grow(league, count):
    """More entries, up to that many, of the registry's first record: no journal has to have more for them."""
    path = league / "log/entries"
    with open(path, "rb") as lines:
        have = sum(1 for _ in lines)
        lines.seek(-400 if lines.tell() > 400 else 0, 2 if lines.tell() > 400 else 0)
        at = next(word for word in lines.read().split(b"\n")[-2].decode().split(" ") if word.endswith("Z"))
    with open(path, "a") as out:
        for i in range(have, count):
            out.write("head registry 1 %s %s\n" % (at, hashlib.sha256(str(i).encode()).hexdigest()))


def files(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def measured(turnpost, league, site, number):
    """What happens in the life of such a league, each with its costs."""
    rows = {}
    rows["a round with nothing to do"] = run(turnpost, league, "run")
    before = files(site / "log"), files(league / "log")
    rows["a game is made and dealt"] = run(turnpost, league, "new", "gc-%d" % number, "galaxy-command", "--seats", "robot,robot")
    rows["the round after it"] = run(turnpost, league, "run")
    after = files(site / "log"), files(league / "log")
    written = [sum(old.get(path) != at for path, at in new.items()) for old, new in zip(before, after)]
    mail = league / "mail/in/new"
    mail.mkdir(parents=True, exist_ok=True)
    for what in ("log 1", "proof 7"):
        (mail / ("1.%d.x" % time.monotonic_ns())).write_text("From: eve@example.net\nTo: orders@example.org\nSubject: %s\nMessage-ID: <%d@example.net>\nDate: %s\n\n\n" % (
            what, time.monotonic_ns(), time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime())))
    rows["a part and a proof by mail"] = run(turnpost, league, "run")
    return rows, written


def main():
    turnpost, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10**6
    work = pathlib.Path(tempfile.mkdtemp(prefix="log-"))
    league, site = work / "league", work / "site"
    subprocess.run([turnpost, "init", league, "--name", "Orion", "--address", "orders@example.org"], check=True, stdout=subprocess.DEVNULL)
    ini = league / "league.ini"
    ini.write_text(ini.read_text().replace("[site]", "[site]\nfolder = %s" % site))
    run(turnpost, league, "new", "gc-0", "galaxy-command", "--seats", "robot,robot")
    run(turnpost, league, "run")
    small = None
    bad = []
    for number, count in enumerate((most // 10, most), 1):
        grow(league, count)
        print("%d entries" % count)
        print("  %-28s %6.2f s %6.0f MB" % (("tiles and site at first",) + run(turnpost, league, "run")))
        rows, written = measured(turnpost, league, site, number)
        for what, (seconds, mb) in rows.items():
            print("  %-28s %6.2f s %6.0f MB" % (what, seconds, mb))
            if small and (seconds > MORE * small[what][0] + 0.05 or mb > small[what][1] + 32):
                bad.append(what)
        print("  files written of the log: %d on the site, %d in the league" % tuple(written))
        if written[0] > 40 or written[1] > 40:
            bad.append("files")
        small = rows
    shutil.rmtree(work)
    if bad:
        sys.exit("not flat: " + ", ".join(bad))


main()
