#!/usr/bin/env python3
"""league_results.py BUILD: the recorded results of a league (tests/verifier/results), played again by the suite batch/results so that the league's
keys are there, changed in every way that a league with all its keys can, and signed anew. `turnpost audit results` and the verifier of tests/verifier
must say the same of each, of the same record (that it is broken or newer is one); what neither finds must be among what the page says nobody can see."""
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "verifier")]
sys.dont_write_bytecode = True
import results
from changes import Wanted, field_changes, lines_of
from competitions import League, line_of, renumbered

# What the league alone says: its own rules, when it wrote, in which order, and what it has not written yet.
UNSEEN = {"create": {"time", "trust", "provisional", "anchors"}, "result": {"time"}}
FREE = {"cut after a record", "two records changed places"}


def play(build, folder):
    env = dict(os.environ, HOUSE_KEEP=str(folder), CK_FORK="no", CK_RUN_CASE="cases")
    done = subprocess.run([build / "tests/batch/results"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout + "the league could not be played")
    return next(path for path in folder.iterdir() if (path / "games/gc-5").is_dir())


def changes(league, lines, rng):
    """(kind, type, member, what, journal)"""
    wanted = Wanted("results", "all")
    for at, line in enumerate(lines):
        record = json.loads(line)
        for what, changed in field_changes(record, wanted):
            member = what.split(":")[0].split(".")[0]
            if member == "prev":
                continue
            yield "a member, chained anew", record["type"], member, what, lines[:at] + league.chain([*lines[:at], line_of(changed), *lines[at + 1 :]], at)[at:]
        if at:
            gone = lines[:at] + lines[at + 1 :]
            yield "a record left out", record["type"], "record", "record %d" % (at + 1), league.chain(renumbered(gone, at), at)
        twice = lines[: at + 1] + lines[at:]
        yield "a record twice", record["type"], "record", "record %d" % (at + 1), league.chain(renumbered(twice, at + 1), at + 1)
        if at and at + 1 < len(lines):
            swapped = lines[:at] + [lines[at + 1], line] + lines[at + 2 :]
            yield "two records changed places", record["type"], "record", "record %d" % (at + 1), league.chain(renumbered(swapped, at), at)
        yield "cut after a record", record["type"], "cut", "record %d" % (at + 1), lines[: at + 1]
        flipped = bytearray(line)
        flipped[rng.randrange(len(line) - 1)] ^= 1
        yield "a bit, not chained anew", record["type"], "bit", "record %d" % (at + 1), lines[:at] + [bytes(flipped)] + lines[at + 1 :]


def verifier(path, folder):
    data = path.read_bytes()
    games = {game.parent.name: game.read_bytes() for game in (folder / "games").glob("*/journal.jsonl")}
    found, verdict, record, why = results.check(data, None, games.get)
    if verdict in ("proved", "partly"):
        try:
            found.hidden(folder / "games")
        except results.Fault as e:
            return "broken", found.seq + 1, str(e)
        verdict = "partly" if found.lacking else verdict
    return verdict, record or 0, why


def main():
    build, began = pathlib.Path(sys.argv[1]).resolve(), time.time()
    with tempfile.TemporaryDirectory() as place:
        folder = play(build, pathlib.Path(place))
        path = folder / "competitions/results/journal.jsonl"
        data, league = path.read_bytes(), League(folder)
        tally, missed = collections.Counter(), []
        for kind, type_, member, what, changed in [("nothing", "create", "time", "as it is", lines_of(data)), *changes(league, lines_of(data), random.Random(1))]:
            path.write_bytes(b"".join(changed))
            done = subprocess.run([build / "turnpost", "audit", "--ratings", "--league", folder, "--json"], capture_output=True, text=True)
            ours, (verdict, record, why) = json.loads(done.stdout), verifier(path, folder)
            theirs = {"proved": 0, "partly": 1, "broken": 2, "newer": 2}[verdict]
            said = "%s, %s: %s" % (type_, kind, what)
            tally[kind, "tried"] += 1
            tally[kind, "found"] += ours["exit"] > 0
            if min(ours["exit"], 2) != theirs or (ours["exit"] > 1 and ours["record"] != record):
                missed.append("%s: the audit says %s, the verifier %s %d %s" % (said, ours, verdict, record, why))
            elif ours["exit"] == 0 and kind not in FREE and path.read_bytes() != data and member not in UNSEEN[type_]:
                missed.append("%s: nobody finds it" % said)
    print("%-32s %8s %8s" % ("results: change", "tried", "found"))
    for kind in sorted({kind for kind, _ in tally}):
        print("%-32s %8d %8d" % (kind, tally[kind, "tried"], tally[kind, "found"]))
    for line in missed[:60]:
        print("MISSED  " + line)
    print("%d changes, %d missed; %d s" % (sum(n for (_, who), n in tally.items() if who == "tried"), len(missed), time.time() - began))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
