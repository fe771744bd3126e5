#!/usr/bin/env python3
"""competition_cheats.py BUILD [FOLDER]: what an operator with all keys of the league can do to a competition and its games, each
time signed anew so that the files fit each other as well as they can; that `turnpost audit` and the verifier of tests/verifier
expose it, at that record. keys/CHEATS.md has the same rows, and what nobody can show."""
import base64
import copy
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "verifier")]
sys.dont_write_bytecode = True
import compete
import curve
import journal
from changes import lines_of
from competitions import League, line_of, play, renumbered
from forms import blake, canonical
from synthetic import Signer
from table import fingerprint, mark_of

TABLES = 2


class Cheat:
    """A copy of the league's files, of which one competition is to be changed. `young`: as it was when the games of the first round had just been made."""

    def __init__(self, build, honest, folder, young, name="spring"):
        self.build, self.dir, self.name = build, folder, name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(honest, folder)
        self.league = League(folder)
        self.path = folder / "competitions" / self.name / "journal.jsonl"
        self.lines = lines_of(self.path.read_bytes())
        if young:
            self.cut()

    def cut(self):
        at = next(i for i, line in enumerate(self.lines) if b'"type":"made"' in line)
        self.lines = self.lines[: at + 1]
        for game in (self.dir / "games").glob(self.name + ".*"):
            if not game.name.startswith(self.name + ".1."):
                shutil.rmtree(game)
                continue
            path = game / "journal.jsonl"
            records = lines_of(path.read_bytes())
            path.write_bytes(b"".join(line for line in records if json.loads(line)["type"] in ("create", "seat")))

    def find(self, kind, number=1):
        return [i for i, line in enumerate(self.lines) if json.loads(line)["type"] == kind][number - 1]

    def record(self, at):
        return json.loads(self.lines[at])

    def put(self, at, record):
        self.lines = renumbered(self.lines[:at] + [line_of(record)] + self.lines[at + 1 :], at)
        self.sign(at)

    def insert(self, at, record):
        self.lines = renumbered(self.lines[:at] + [line_of(record)] + self.lines[at:], at)
        self.sign(at)

    def drop(self, at):
        self.lines = renumbered(self.lines[:at] + self.lines[at + 1 :], at)
        self.sign(at)

    def sign(self, at):
        self.lines = self.league.chain(self.lines, at)

    def game(self, number, change, keep=None):
        """The first record of a game is another one; the head of it."""
        folder = self.dir / "games" / ("%s.1.%d" % (self.name, number))
        records = lines_of((folder / "journal.jsonl").read_bytes())
        first = json.loads(records[0])
        change(first)
        lines = self.league.chain([line_of(first)] + records[1:], 0)
        (folder / "journal.jsonl").write_bytes(b"".join(lines))
        return journal.head_of(lines[0]).hex()

    def remade(self, number, change):
        """So is what `made` says of it."""
        at = self.find("made")
        made = self.record(at)
        made["games"][number - 1]["head"] = self.game(number, change)
        self.put(at, made)

    def drawn_again(self):
        """The first round, by who is in now; and then its games, in which only the lists of players are left as they are."""
        at = self.find("round")
        c = compete.Competition()
        for line in self.lines[:at]:
            c.take(line)
        alpha, players = c.alpha(1)
        proof = curve.vrf_prove(self.league.vrf, alpha)
        tables, byes, digest = c.drawn(1, players, curve.vrf_verify(c.vrf, proof, alpha))
        record = dict(self.record(at), pi=proof.hex(), tables=len(tables), byes=byes, digest=digest.hex())
        self.put(at, record)
        made = self.record(at + 1)
        made["games"] = [dict(game, players=table) for game, table in zip(made["games"], tables)]
        self.put(at + 1, made)

    def look(self):
        """(record, why) by the audit and by the verifier; record 0: nothing is wrong."""
        self.path.write_bytes(b"".join(self.lines))
        done = subprocess.run([self.build / "turnpost", "audit", self.name, "--league", self.dir, "--json"], capture_output=True, text=True)
        ours = next(json.loads(line) for line in done.stdout.splitlines() if '"competition"' in line)
        verdict, record, why, _ = compete.check(b"".join(self.lines), None, compete.games_in(self.dir / "games", self.name, None))
        bad = [finding["text"] for finding in ours["findings"] if finding["severity"] == "broken"]
        return (ours.get("record", 0), bad[0] if bad else ""), (record if verdict in ("broken", "unknown") else 0, why)


def without_an_entry(cheat):
    cheat.drop(cheat.find("enter", 3))
    cheat.drawn_again()


def entry(cheat, player, signer, competition=None, verb="enter"):
    """A text of the player's by a key that the operator has made, as records keep it."""
    text = "#turnpost %s\nleague: %s\ndate: 2026-11-20\ncompetition: %s\n#end\n" % (verb, fingerprint(bytes.fromhex(cheat.record(0)["league_key"])), competition or cheat.name)
    digest = blake(player.encode() + canonical(text).encode())
    return {"by": player, "signed": signer.signed(text), "text": digest.hex(), "mail": blake(digest).hex()}


def enters(cheat, at, when, player, evidence, kind="enter"):
    """Right before that record."""
    front = {k: cheat.record(at)[k] for k in ("game", "seq", "prev")}
    mark = "0" * 64
    if "signed" in evidence:
        signed = evidence["signed"]
        mark = mark_of(bytes.fromhex(cheat.record(0)["nonce"]), 0, base64.b64decode(signed["signature"]["sig"]), signed["text"]).hex()
    cheat.insert(at, {**front, "type": kind, "time": when, "player": player, "mark": mark, **evidence})


def puppet(cheat, when):
    """Somebody of the operator's, right before the round is drawn."""
    enters(cheat, cheat.find("round"), when, "zoe", entry(cheat, "zoe", Signer("zoe")))


def typed(cheat):
    """An entry of nobody's text."""
    enters(cheat, cheat.find("round"), "2026-11-20T12:00:00Z", "zoe", {"by": "operator"})


def seated(cheat, change, player=None):
    """The first seat that has a text, or that player's, in the games of the first round: its record is another one."""
    for folder in sorted((cheat.dir / "games").glob(cheat.name + ".1.*")):
        path = folder / "journal.jsonl"
        records = lines_of(path.read_bytes())
        for at, line in enumerate(records):
            record = json.loads(line)
            if record.get("why") == "entered" and player in (None, record["player"]):
                change(record)
                records[at] = line_of(record)
                path.write_bytes(b"".join(cheat.league.chain(records, at)))
                return


def never_entered(cheat):
    seated(cheat, lambda record: [record.pop(m) for m in ("by", "signed", "text", "mail")])


def own_key(cheat):
    """The player's words, signed by the operator: their digest is the same."""
    seated(cheat, lambda record: record.update(signed=Signer("zoe").signed(record["signed"]["text"])))


def old_entry(cheat):
    """Who has withdrawn and entered again sits by the first text."""
    records = [json.loads(line) for line in cheat.lines]
    player = next(r["player"] for r in records if r["type"] == "withdraw")
    old = next(r for r in records if r["type"] == "enter" and r["player"] == player)
    seated(cheat, lambda record: record.update({m: old[m] for m in ("by", "signed", "text", "mail")}), player)


def elsewhere(cheat):
    """A text about another competition."""
    seated(cheat, lambda record: record.update(entry(cheat, record["player"], Signer("zoe"), "autumn", "confirm")))


def entered_late(cheat):
    puppet(cheat, "2026-11-23T00:00:00Z")


def dated_back(cheat):
    puppet(cheat, "2026-11-20T12:00:00Z")
    cheat.drawn_again()


def entered_again(cheat):
    """Who has withdrawn is entered by the text that they signed before."""
    again = cheat.record(cheat.find("enter", 8))
    cheat.put(cheat.find("enter", 9), again)


def forged_entry(cheat):
    at = cheat.find("enter", 2)
    record = cheat.record(at)
    record["signed"]["text"] = record["signed"]["text"].replace("seq: 2", "seq: 77")
    cheat.put(at, record)


def drawn_twice(cheat):
    at = cheat.find("round")
    c = compete.Competition()
    for line in cheat.lines[:at]:
        c.take(line)
    alpha, players = c.alpha(1, 2)
    proof = curve.vrf_prove(cheat.league.vrf, alpha)
    tables, byes, digest = c.drawn(1, players, curve.vrf_verify(c.vrf, proof, alpha))
    cheat.put(at, dict(cheat.record(at), attempt=2, pi=proof.hex(), digest=digest.hex(), tables=len(tables), byes=byes))


def other_tables(cheat):
    record = cheat.record(cheat.find("round"))
    cheat.put(cheat.find("round"), dict(record, digest="0" * 64))


def other_players(cheat):
    at = cheat.find("made")
    made = cheat.record(at)
    made["games"][0]["players"].reverse()
    cheat.put(at, made)


def swapped_seats(cheat):
    def change(first):
        first["table"][0], first["table"][1] = first["table"][1], first["table"][0]

    cheat.remade(1, change)


def other_nonce(cheat):
    cheat.remade(1, lambda first: first.update(nonce="11" * 32))


def made_again(cheat):
    cheat.game(1, lambda first: first.update(nonce="11" * 32))


def other_rules(cheat):
    cheat.remade(1, lambda first: first["options"].update(coop=1))


def hidden(cheat):
    games = cheat.dir / "games"
    shutil.copytree(games / (cheat.name + ".1.1"), games / (cheat.name + ".1.9"))
    path = games / (cheat.name + ".1.9") / "journal.jsonl"
    lines = [line_of(dict(json.loads(line), game=cheat.name + ".1.9")) for line in lines_of(path.read_bytes())]
    path.write_bytes(b"".join(cheat.league.chain(lines, 0)))


def taken_away(cheat):
    shutil.rmtree(cheat.dir / "games" / (cheat.name + ".1.2"))


def invented(cheat):
    at = cheat.find("result")
    record = cheat.record(at)
    cheat.put(at, dict(record, ranks=[1, 2, 3, 4]))


def of_no_end(cheat):
    at = cheat.find("made")
    game = cheat.record(at)["games"][0]
    made = cheat.record(at)
    cheat.insert(at + 1, {**{k: made[k] for k in ("game", "time")}, "seq": 0, "prev": "", "type": "result", "round": 1, "table": 1, "create": game["head"], "end": 9,
                          "head": "22" * 32, "ranks": [1, 2, 3, 4], "points": [0, 0, 0, 0]})


def adjudged(cheat):
    """The game had a winner when its round ended."""
    at = cheat.find("result")
    record = {k: v for k, v in cheat.record(at).items() if k not in ("end", "head")}
    record.update(adjudged=True, ranks=[1, 1, 1, 1], points=[0, 0, 0, 0], time="2026-12-03T12:00:00Z")
    cheat.drop(at)
    cheat.insert(at + 1, record)


def other_table(cheat):
    at = cheat.find("close")
    record = copy.deepcopy(cheat.record(at))
    record["best"][0], record["best"][1] = record["best"][1], record["best"][0]
    cheat.put(at, record)


def other_times(cheat):
    def change(first):
        first["turn_length"] = 7200
        first["lockstep"].update(hours=2)

    cheat.remade(1, change)


def own_clock(cheat):
    cheat.remade(2, lambda first: first.pop("lockstep"))


def told_before(cheat):
    """A result while others still play the deal."""
    at = cheat.find("result")
    cheat.put(at, dict(cheat.record(at), time=cheat.record(cheat.find("made"))["time"]))


def better_score(cheat):
    at = cheat.find("result", 2)
    record = cheat.record(at)
    cheat.put(at, dict(record, points=[record["points"][0] + 5]))


def other_robot(cheat):
    at = cheat.find("field")
    record = copy.deepcopy(cheat.record(at))
    record["scores"][0] += 3
    cheat.put(at, record)


def counted_in(cheat):
    """The operator's own player."""
    at = cheat.find("round")
    record = cheat.record(at)
    cheat.put(at, dict(record, outside=[one for one in record["outside"] if one["why"] != "operator"]))


# (what the operator of a week of duplicate deals does, young, how, the record that shows it, whether it takes a program that plays the rules)
DEALS = [
    ("deals one player another deal", True, other_nonce, "made", False),
    ("opens one player's turns at other times", True, other_times, "made", False),
    ("lets one player play without lockstep", True, own_clock, "made", False),
    ("tells a result before the deal is over", False, told_before, "result", False),
    ("alters a score", False, better_score, "result", False),
    ("alters a robot's score", False, other_robot, "field", True),
    ("counts their own player in", False, counted_in, "round", False),
    ("hides a game of the deal", True, hidden, None, False),
]

# (what the operator does, young, how, the type of the record that shows it or None: after the last)
CHEATS = [
    ("drops an entry and draws the round again", True, without_an_entry, "made"),
    ("enters somebody by a command", True, typed, "enter"),
    ("enters a puppet when entries have ended", True, entered_late, "enter"),
    ("dates it back, and draws the round again", True, dated_back, "made"),
    ("enters somebody by a text that has counted", True, entered_again, "enter"),
    ("enters somebody by a text of their own", True, forged_entry, "enter"),
    ("seats somebody without a text", True, never_entered, "made"),
    ("puts another key under an entry", True, own_key, "made"),
    ("seats somebody by an entry that they withdrew", True, old_entry, "made"),
    ("seats somebody by a text of another competition", True, elsewhere, "made"),
    ("draws a round a second time", True, drawn_twice, "round"),
    ("alters the tables of a round", True, other_tables, "round"),
    ("alters who sits at a table", True, other_players, "made"),
    ("lets two players change seats in their game", True, swapped_seats, "made"),
    ("plays a game with another nonce", True, other_nonce, "made"),
    ("makes a game again", True, made_again, "made"),
    ("makes a game with other options", True, other_rules, "made"),
    ("hides a game of a table that has another one", True, hidden, None),
    ("takes a game away", True, taken_away, "made"),
    ("invents a result", False, invented, "result"),
    ("invents the result of a game that runs", True, of_no_end, "result"),
    ("calls a game that was won a tie", False, adjudged, "result"),
    ("alters the final table", False, other_table, "close"),
]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    honest, failed = play(build), 0
    for young, name in [(young, name) for young in (False, True) for name in ("spring", "week")]:
        cheat = Cheat(build, honest, honest.parent / "cheat", young, name)
        if cheat.look() != ((0, ""), (0, "")):
            sys.exit("the honest competition is called broken: %s" % (cheat.look(),))
    print("  %-48s %s" % ("the operator of a competition", "`audit` says"))
    deals = [("week", *row) for row in DEALS]
    for name, what, young, how, kind, rules in [("spring", *row, False) for row in CHEATS] + deals:
        cheat = Cheat(build, honest, honest.parent / "cheat", young, name)
        how(cheat)
        ours, theirs = cheat.look()
        want = cheat.record(ours[0] - 1)["type"] if 0 < ours[0] <= len(cheat.lines) else None
        good = ours[0] and (rules or ours[0] == theirs[0]) and want == kind
        failed += not good
        print("%s %-48s record %d: %s" % (" " if good else "!", what, *ours))
        if not good:
            print("    the verifier says record %d: %s" % theirs)
    shutil.rmtree(honest.parent / "cheat")
    print("%d cheats, %d not exposed" % (len(CHEATS) + len(DEALS), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
