#!/usr/bin/env python3
"""competitions.py BUILD [FOLDER]: the journals of competitions that a league has played, changed in every way that a league
with all its keys can, and signed anew. Our audit and the verifier of tests/verifier must say the same of each, of the same record; what neither
finds must be among what the page says nobody can see. LONG=1: every change of every member; else one in some."""
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "verifier")]
sys.dont_write_bytecode = True
import compete
import journal
from changes import Wanted, compact, field_changes, lines_of
from league import League

LONG = bool(os.environ.get("LONG"))
# After the last `round` no game's first record holds the heads any more; what then rests on the operator's word: when it was, and
# what a moderator did. What the league's results do not show of who entered is so at any time.
UNSEEN = {
    "result": {"time"},
    "adjust": {"time", "reason", "by", "halves", "ranks", "do"},
    "field": {"time"},
    "close": {"time"},
    "enter": {"time", "mail"},
    "withdraw": {"time", "mail"},
    "made": {"time"},
}


class Auditor:
    def __init__(self, build, folder):
        self.process = subprocess.Popen([build / "tests/mutations/competition_auditor", folder / "games", folder / "competitions/results/journal.jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, data, key):
        self.process.stdin.write(b"%d %s\n" % (len(data), key.hex().encode()) + data)
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def play(build):
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else build.parent) / "mutated-competitions"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    env = dict(os.environ, EVERY_COMPETITION=str(folder.resolve()), CK_FORK="no")
    done = subprocess.run([build / "tests/audit/competition"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout + "the competitions could not be played")
    return folder / "competitions"


def line_of(record):
    return compact(record).encode() + b"\n"


def renumbered(lines, start):
    """From there on with `seq` as they stand."""
    return lines[:start] + [line_of(dict(json.loads(line), seq=i)) for i, line in enumerate(lines[start:], start + 1)]


def changes(league, lines, rng):
    """(kind, member, index of the first record that is not the same, journal)"""
    wanted = Wanted("competition", "all" if LONG else "each")
    for at, line in enumerate(lines):
        record = json.loads(line)
        for what, changed in field_changes(record, wanted):
            member = what.split(":")[0].split(".")[0]
            if member == "prev" or (not LONG and rng.random() < 0.7):
                continue
            yield "a member, chained anew", record["type"], member, what, at, lines[:at] + league.chain([*lines[:at], line_of(changed), *lines[at + 1 :]], at)[at:]
        if at:
            gone = lines[:at] + lines[at + 1 :]
            yield "a record left out", record["type"], "record", "record %d" % (at + 1), at, league.chain(renumbered(gone, at), at)
        twice = lines[: at + 1] + lines[at:]
        yield "a record twice", record["type"], "record", "record %d" % (at + 1), at + 1, league.chain(renumbered(twice, at + 1), at + 1)
        if at + 1 < len(lines) and at:
            swapped = lines[:at] + [lines[at + 1], line] + lines[at + 2 :]
            yield "two records changed places", record["type"], "record", "record %d" % (at + 1), at, league.chain(renumbered(swapped, at), at)
        yield "cut after a record", record["type"], "cut", "record %d" % (at + 1), at + 1, lines[: at + 1]
        flipped = bytearray(line)
        flipped[rng.randrange(len(line) - 1)] ^= 1
        yield "a bit, not chained anew", record["type"], "bit", "record %d" % (at + 1), at, lines[:at] + [bytes(flipped)] + lines[at + 1 :]


def judge(name, league, folder, build, tally, missed):
    data = (folder / "competitions" / name / "journal.jsonl").read_bytes()
    lines = lines_of(data)
    records = [json.loads(line) for line in lines]
    key = bytes.fromhex(records[0]["league_key"])
    games = compete.games_in(folder / "games", name, key)
    last = max(i for i, record in enumerate(records) if record["type"] == "round")
    played = (folder / "competitions/results/journal.jsonl").read_bytes()
    auditor = Auditor(build, folder)
    assert auditor.ask(data, key)["verdict"] == 0 and compete.check(data, key, games, played=played)[0] == "proved", name
    for kind, type_, member, what, first, changed in changes(league, lines, random.Random(name)):
        out = b"".join(changed)
        if out == data:
            continue
        ours = auditor.ask(out, key)
        verdict, record, why, _ = compete.check(out, key, games, played=played)
        theirs = verdict in ("broken", "unknown")
        said = "%s, %s %s: %s" % (name, type_, kind, what)
        tally[kind, "tried"] += 1
        tally[kind, "audit"] += ours["verdict"] >= 2
        tally[kind, "verifier"] += theirs
        if type_ == "field" and member == "scores" and ours["verdict"] >= 2 and ours["record"] == first + 1:
            continue  # only a program that plays the rules knows what robots make of a deal
        if (ours["verdict"] >= 2) != theirs:
            missed.append("%s: the audit says %s, the verifier %s %s" % (said, ours, verdict, why))
        elif theirs and (record < ours["record"] or ours["record"] <= first or record > ours["record"]):
            missed.append("%s: record %d (%s) and %d (%s), not from %d on" % (said, ours["record"], ours["why"], record, why, first + 1))
        elif not theirs:
            tally[kind, "by nobody"] += 1
            free = kind == "cut after a record" or (kind == "a bit, not chained anew" and first + 1 == len(lines)) or (first > last and (member in UNSEEN.get(type_, ()) or (member == "record" and type_ in ("result", "adjust", "withdraw", "close"))))
            if not free:
                missed.append("%s: nobody finds it" % said)
    auditor.process.stdin.close()


def main():
    build, began = pathlib.Path(sys.argv[1]).resolve(), time.time()
    folder = play(build)
    league, tally, missed = League(folder), collections.Counter(), []
    for name in ("spring", "s1", "week", "guild", "seen"):
        judge(name, league, folder, build, tally, missed)
    print("%-32s %8s %8s %8s %8s" % ("a competition: change", "tried", "audit", "verifier", "nobody"))
    for kind in sorted({kind for kind, _ in tally}):
        print("%-32s %8d %8d %8d %8d" % (kind, *(tally[kind, who] for who in ("tried", "audit", "verifier", "by nobody"))))
    for line in missed[:60]:
        print("MISSED  " + line)
    print("%d changes, %d missed; %d s" % (sum(n for (_, who), n in tally.items() if who == "tried"), len(missed), time.time() - began))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
