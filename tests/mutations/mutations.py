#!/usr/bin/env python3
"""mutations.py BUILD [FOLDER]: changes recorded games of all rulesets in every way that a stranger and the league itself can, and
counts who finds it: our audit, the verifier of tests/verifier, a player's mails. LONG=1: tens of
thousands, among them each member of each record of one game of each ruleset; SIZE=all: all of all games, for hours; else hundreds.
Exit code 1 when a change is found by nobody who must, or by the wrong record."""
import collections
import itertools
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "verifier")]
sys.dont_write_bytecode = True
import appended
import journal
import moderated
import told
import tlog
import values
import verify
import witnessed
from changes import Wanted, all_changes, lines_of
from league import League, chained, rebuilt

SIZE = os.environ.get("SIZE") or ("each" if os.environ.get("LONG") else "few")
LONG = SIZE != "few"
GAMES = HERE.parent.parent / "games"
RULESETS = ["galaxy-command", "galactic-supremacy", "galactic-contract", "galaxy-farmer"]



class Auditor:
    def __init__(self, build):
        self.process = subprocess.Popen([build / "tests/mutations/auditor"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, data, key, master=None, opened=None):
        """`master`: the league's secret, which opens the boxes; `opened`: (game, lines that open some of them)."""
        some = b" %s %d" % (opened[0].encode(), len(opened[1])) if opened else b""
        self.process.stdin.write(b"%d %s %s%s\n" % (len(data), key.hex().encode(), master.hex().encode() if master else b"-", some) + data + (opened[1] if opened else b""))
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Receipts:
    """`turnpost receipt-check`: a player's mails against the journal."""

    def __init__(self, build):
        self.program = build / "turnpost"
        self.there = self.program.exists() and subprocess.run([self.program, "receipt-check", "--help"], capture_output=True).returncode == 0

    def find(self, change, mails):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "journal.jsonl").write_bytes(change.journal)
            key = mails.parent.parent / "keys/league.pub"
            done = subprocess.run([self.program, "receipt-check", "--key", key, "--journal", folder, mails], capture_output=True, text=True)
        # A journal that ends before the mail may be an older copy: that is said, and is no contradiction until the league
        # shows a longer one. So it is when a record is missing after the player's last mail but one. (1: the journal gives more
        # to ask, as of a league that was restored.)
        return done.returncode == 2 or ((change.shorter or change.resigned or change.ends) and done.returncode in (0, 1) and "the journal ends with record" in " ".join(done.stdout.split()))


class Game:
    """A game's files, and what its players know of it: the last head in the mails of each."""

    def __init__(self, name, folder, league=None):
        self.name, self.league = name, league
        self.data = (folder / "journal.jsonl").read_bytes()
        self.master, self.keys = (league.master, league.keys(self.data)) if league else (None, None)
        lines = lines_of(self.data)
        self.key = bytes.fromhex(json.loads(lines[0])["league_key"])
        self.heads = {"everybody": (len(lines), journal.head_of(lines[-1]).hex())}
        if league:
            self.heads = dict(self.mailed(folder.parent.parent / "mails"))
            assert self.heads, "no mails were kept"
            self.mails = folder.parent.parent / "mails"

    def mailed(self, folder):
        """Of each player the head that the league mailed last, if the game was over for him then."""
        for player in sorted(folder.iterdir()):
            heads = []
            for mail in player.glob("*.eml"):
                heads += [(seq, head) for name, seq, head in tlog.heads_in(verify.mail_text(mail.read_bytes())) if name == self.name]
            if heads:
                yield player.name, max(heads)


def play(build):
    """Games with every kind of record, by a league whose keys we have."""
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else build.parent) / "mutated-games"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    env = dict(os.environ, EVERY_RECORD=str(folder.resolve()), CK_FORK="no")
    done = subprocess.run([build / "tests/audit/every_record"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout)
        sys.exit("the games could not be played")
    leagues = sorted(folder.iterdir()) + [witnessed.play(build.resolve(), folder.resolve())]
    return [Game(d.name, d / "games" / d.name, League(d)) for d in leagues]


def changes_of(game, other):
    """All changes, in an order that does not depend on how many are wanted."""
    wanted = Wanted(game.name, SIZE, None if game.league else 16)
    yield from all_changes(game.data, other.data, wanted)
    if game.league:
        for change in itertools.chain(chained(game.league, game.data, wanted), rebuilt(game.league, game.data, wanted)):
            if wanted.half():
                yield change


class Tally:
    def __init__(self):
        self.rows = collections.Counter()  # (kind, who found it)
        self.beyond = collections.Counter()  # kinds that the verifier does not find, and what the audit calls it
        self.harmless = collections.Counter()
        self.missed = []

    def add(self, other):
        self.rows += other.rows
        self.beyond += other.beyond
        self.harmless += other.harmless
        self.missed += other.missed


def blind_to(game, change, receipts, tally):
    """Players whom the league has mailed later than what was changed, and whose mails do not show it; and all such
    players."""
    seers = {who: head for who, head in game.heads.items() if head[0] >= change.first}
    blind = []
    for who, head in seers.items():
        seen = journal.check(change.journal, game.key, [head], game.keys).verdict == "broken"
        if seen and game.league and receipts.there:
            seen = receipts.find(change, game.mails / who)
            tally.rows[change.kind, "receipts"] += 1
        if not seen:
            blind.append(who)
    return blind, seers


def judge(game, change, auditor, receipts, tally):
    """One change, by all who look."""
    if change.journal == game.data:
        return
    ours = auditor.ask(change.journal, game.key, game.master)
    theirs = journal.check(change.journal, game.key, keys=game.keys)
    what = "%s: %s (%s)" % (game.name, change.kind, change.what)
    found, seen = ours["verdict"] >= 2, theirs.verdict in ("broken", "unknown")
    tally.rows[change.kind, "tried"] += 1
    if change.harmless:
        tally.harmless[change.kind, change.harmless] += 1
        if found or seen:
            tally.missed.append("%s: nobody need find it, and it was called broken: %s %s" % (what, ours["why"], theirs.why))
        return
    tally.rows[change.kind, "audit"] += found
    tally.rows[change.kind, "verifier"] += seen
    if not found:
        blind, seers = blind_to(game, change, receipts, tally)
        if not (change.shorter or change.resigned or change.ends) or blind or not seers:
            tally.missed.append("%s: our audit does not find it, nor do the mails of %s" % (what, ", ".join(blind) or "anybody"))
        else:
            tally.rows[change.kind, "mails"] += 1
            tally.beyond[change.kind, "found by the heads in mails alone", change.what.split(":")[0]] += 1
        if seen:
            tally.missed.append("%s: the verifier says record %d: %s, and our audit nothing" % (what, theirs.record, theirs.why))
        return
    if not change.first <= ours["record"] <= change.last:
        tally.missed.append("%s: record %d to %d must be named, not %d: %s" % (what, change.first, change.last, ours["record"], ours["why"]))
    if seen and theirs.record < ours["record"]:
        tally.missed.append("%s: the verifier says record %d: %s; our audit %d: %s" % (what, theirs.record, theirs.why, ours["record"], ours["why"]))
    if not seen:
        tally.beyond[change.kind, "found by our audit alone: %s" % ours["kind"], change.what.split(":")[0]] += 1
        if not change.resigned and not change.shorter and not change.ends:
            tally.missed.append("%s: the verifier does not find it; our audit: %d: %s" % (what, ours["record"], ours["why"]))


def work(job):
    build, games, at, part, parts = job
    game, other = games[at], games[(at + 1) % len(games)]
    auditor, receipts, tally = Auditor(build), Receipts(build), Tally()
    for i, change in enumerate(changes_of(game, other)):
        if i % parts == part:
            judge(game, change() if callable(change) else change, auditor, receipts, tally)
    if game.league:
        values.judge(game, auditor, tally, 1 if LONG else 0.003, part, parts)
    once = part == at % parts
    if game.league and once:
        appended.judge(game, auditor, appended.samples([g for g in games if g.league]), 5 if LONG else 701, tally)
    if game.name == moderated.GAME and once:
        moderated.judge(game, auditor, 1 if LONG else 7, tally)
    auditor.process.stdin.close()
    return tally


def show(tally, seconds):
    kinds = sorted({kind for kind, _ in tally.rows})
    print("%-46s %8s %8s %8s %8s" % ("change", "tried", "audit", "verifier", "mails"))
    for kind in kinds:
        print("%-46s %8d %8d %8d %8d" % (kind, *(tally.rows[kind, who] for who in ("tried", "audit", "verifier", "mails"))))
    sums = [sum(n for (_, w), n in tally.rows.items() if w == who) for who in ("tried", "audit", "verifier", "mails")]
    print("%-46s %8d %8d %8d %8d" % ("all", *sums))
    asked = sum(n for (_, who), n in tally.rows.items() if who == "receipts")
    print("`turnpost receipt-check` was asked %d times, with the mails of one player each" % asked)
    print("\nOut of the verifier's reach, or of the audit's:")
    rows = collections.Counter()
    names = collections.defaultdict(collections.Counter)
    for (kind, how, what), n in tally.beyond.items():
        rows[kind, how] += n
        names[kind, how][what] += n
    for (kind, how), n in sorted(rows.items()):
        most = ", ".join("%s %d" % pair for pair in names[kind, how].most_common(8 if LONG else 3))
        print("  %6d  %s; %s: %s" % (n, kind, how, most))
    print("\nNobody need find:")
    for (kind, why), n in sorted(tally.harmless.items()):
        print("  %6d  %s: %s" % (n, kind, why))
    for line in () if LONG else tally.missed[:40]:
        print("MISSED  " + line)
    print("%d changes, %d found by the audit, %d by the verifier, %d by mails alone, %d missed; %d s"
          % (sums[0] - sum(tally.harmless.values()), sums[1], sums[2], sums[3], len(tally.missed), seconds))


def kind_word(record):
    return record["type"], record.get("kind") or record.get("do") or ""


def unplayed(games):
    """Kinds of records (src/game/record_kinds.c) that neither stand in the games nor are added to them."""
    table = (HERE.parent.parent / "src/game/record_kinds.c").read_text()
    kinds = {(kind, word or "") for kind, word in re.findall(r'\[RECORD_\w+\]\s*=\s*\{\s*"(\w+)",\s*(?:"(\w+)"|NULL)', table)}
    for game in games:
        lines = lines_of(game.data)
        records = [json.loads(line) for line in lines]
        kinds -= {kind_word(record) for record in records}
        kinds -= {kind_word(told[at]) for _, told, at, _ in values.made_by_hand(game, lines, records)} if game.league else set()
    return sorted(kinds)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    began = time.time()
    games = [Game(name, GAMES / name) for name in RULESETS] + play(build)
    if unplayed(games):
        sys.exit("no game has a record %s: tests/audit/every_record.c has to play one" % ", ".join(" ".join(kind).strip() for kind in unplayed(games)))
    auditor = Auditor(build)
    for game in games:
        ours = auditor.ask(game.data, game.key, game.master)
        theirs = journal.check(game.data, game.key, list(game.heads.values()), game.keys)
        if ours["verdict"] != 0 or theirs.verdict != "proved":
            sys.exit("%s is not good as it is: %s %s" % (game.name, ours, vars(theirs)))
    # In short every third change of each game: of one the first, of the next the second, and so on.
    parts = 8 if LONG else 3
    jobs = [(build, games, at, part, parts) for at in range(len(games)) for part in (range(parts) if LONG else [at % parts])]
    tally = Tally()
    told.judge(auditor, tally)
    with multiprocessing.Pool(int(os.environ.get("WORKERS", 2))) as pool:
        for done in pool.imap_unordered(work, jobs):
            tally.add(done)
            for line in done.missed if LONG else ():
                print("MISSED  " + line)
            if LONG:
                print("  %d tried, %d missed" % (sum(n for (_, w), n in tally.rows.items() if w == "tried"), len(tally.missed)), flush=True)
    show(tally, time.time() - began)
    return 1 if tally.missed else 0


if __name__ == "__main__":
    sys.exit(main())
