#!/usr/bin/env python3
"""Checks the results of a league from its files alone, and computes the ratings of its players again. Written from src/journal/COMPETITIONS.md
and src/rating/README.md, and from nothing else.

    results.py [--key league.pub] [--json] [--at TIME] JOURNAL [GAMES]

GAMES is the folder with the games' folders; without it only the journal itself is looked at. Competitions are looked for beside the
journal's folder. --at: the lists of that time, of the records up to it. Exit codes as of verify.py."""
import argparse
import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import journal
import rating
from forms import *

DAY = 86400
COMMON = "game seq prev type time".split()
CREATE = "kind league_key rating trust anchors provisional".split()
RESULT = "of create end head ended ruleset version players".split()
WORDS = ("void", "unanswered", "solo", "people", "trust", "competition")


def members(record, needed, more=()):
    for member in record:
        if member not in needed and member not in more:
            raise Unknown('this verifier does not know the member "%.20s"' % member)
    must(all(member in record for member in needed), "it lacks a member")


def line_of(line, game, seq, head, key):
    """A record where it belongs; the first one names this key, unless that is None."""
    must(len(line) <= 131072, "the line is too long")
    must(line.endswith(b"\n"), "the journal ends in the middle of it")
    record = read_json(line[:-1])
    must(isinstance(record, dict), "it is no object")
    if game == "results" and record.get("type") not in ("create", "result"):
        raise Unknown('this verifier does not know results of the type "%.20s"' % record.get("type"))
    must(name(record, "game") == game, "it belongs to another journal")
    must(is_int(record.get("seq")) and record["seq"] == seq, "its number is not %d" % seq)
    must(hex32(record, "prev") == head, "it does not follow the record before it")
    must(seq > 1 or key in (None, hex32(record, "league_key")), "it names another league's key")
    text(record, "type")
    time(record, "time")
    return record


def word(record, member):
    value = record.get(member)
    return value if isinstance(value, str) else ""


# ---- what a game says -----------------------------------------------------------------------------------------


class Played:
    """A game up to its `end`."""

    def __init__(self, data, game, key):
        self.over, self.vouched, self.begun = None, False, False
        head, now, dealt = bytes(32), None, None
        for seq, line in enumerate(data.split(b"\n")[:-1], 1):
            record = line_of(line + b"\n", game, seq, head, key)
            head = journal.head_of(line + b"\n")
            kind = record["type"]
            if seq == 1:
                must(kind == "create", 'a game begins with "create"')
                self.create, self.first, self.seats = record, head, number(record, "seats", 1, 8)
                number(record, "version", 1, 2147483647)
                must(name_good(word(record, "ruleset")), "its ruleset is no name")
                now = [None] * self.seats
            if "vouched" in record and (kind in ("orders", "seat") or record.get("kind") == "wait"):
                self.vouched = True
            if kind in ("seat", "moderate") and "seat" in record:
                self.sits(record, now)
            if kind == "start":
                for one in record.get("drawn", []):
                    now[number(one, "seat", 1, self.seats) - 1] = ("name", word(one, "player"))
                self.begun, dealt = True, list(now)
            if kind == "end":
                self.over = {"of": game, "create": self.first.hex(), "end": seq, "head": head.hex(), "ended": record["time"],
                             "ruleset": self.create["ruleset"], "version": self.create["version"]}
                self.time = time(record, "time")
                self.rank(record, dealt if self.begun else now, now)
                return

    def sits(self, record, now):
        who = ("robot", record["robot"]) if word(record, "robot") else ("name", record["player"]) if word(record, "player") else None
        if who or record.get("free") is True:
            now[number(record, "seat", 1, self.seats) - 1] = None if record.get("free") is True else who

    def rank(self, record, owners, now):
        reason = word(record, "reason")
        self.why = "void" if reason == "void" else None if self.begun else "unanswered"
        places = {number(one, "seat", 1, self.seats): number(one, "place", 0, 8) for one in record.get("scores", [])}
        # What sorts before is better: who stayed, by their places, those without one last; who left.
        order = [(2, 0) if a != b else (0, places[i]) if places.get(i) else (1, 0) for i, (a, b) in enumerate(zip(owners, now), 1)]
        self.over["players"] = []
        for who, mine in zip(owners, order):
            seat = {"rank": 0 if self.why else 1 + sum(other < mine for other in order)}
            if who:
                seat[who[0]] = who[1]
            if mine == (2, 0) and not self.why:
                seat["left"] = True
            self.over["players"].append(seat)

    def result(self, trust, competition_rated):
        """The members of its record. competition_rated: None = it is not known."""
        people = sum("name" in seat for seat in self.over["players"])
        place = self.create.get("compete")
        why = self.why
        if not why:
            why = "solo" if self.seats == 1 else "people" if people < 2 else "trust" if self.vouched and trust == "signed" else None
        if not why and isinstance(place, dict) and not competition_rated:
            why = "competition"
        return dict(self.over, **({"unrated": why} if why else {}))


# ---- the results ----------------------------------------------------------------------------------------------


class Results:
    def __init__(self, key=None, games=None, competitions=None):
        self.key, self.games, self.competitions = key, games, competitions
        self.seq, self.head, self.time, self.latest = 0, bytes(32), 0, 0
        self.known, self.ladders, self.rated = set(), {}, {}
        self.compared = self.missing = self.lacking = 0

    def take(self, line):
        record = line_of(line, "results", self.seq + 1, self.head, self.league if self.seq else None)
        must(time(record, "time") >= self.time, "its time runs backwards")
        if self.seq == 0:
            self.on_create(record)
        else:
            must(record["type"] == "result", "there is another create")
            self.on_result(record)
        self.seq, self.head, self.time = self.seq + 1, journal.head_of(line), time(record, "time")

    def on_create(self, record):
        must(record["type"] == "create", 'the first record must be "create"')
        members(record, COMMON + CREATE)
        if record["kind"] != "results" or number(record, "rating", 1, 2**63 - 1) > 1 or record["trust"] not in ("signed", "mail"):
            raise Unknown("this verifier does not know such results")
        self.league, self.trust = hex32(record, "league_key"), record["trust"]
        must(self.key in (None, self.league), "it names another league's key than the one that was given")
        self.provisional = number(record, "provisional", 0, 1000)
        must(isinstance(record["anchors"], list) and len(record["anchors"]) <= 64, '"anchors" is no such list')
        self.anchors, last = {}, ""
        for one in record["anchors"]:
            must(isinstance(one, dict), "an anchor is none")
            members(one, ("robot", "mu", "sigma"))
            who = name(one, "robot")
            must(who > last, "the anchors are not in order")
            mu, sigma = number(one, "mu", -10**12, 10**12), number(one, "sigma", 1, 10**8)
            self.anchors[who], last = (rating.div(mu, 1000000), rating.div(sigma, 1000000)), who

    def on_result(self, record):
        members(record, COMMON + RESULT, ("unrated",))
        if "unrated" in record and record["unrated"] not in WORDS:
            raise Unknown("this verifier does not know why it is not rated")
        game, ended = name(record, "of"), time(record, "ended")
        name(record, "ruleset")
        hex32(record, "head")
        number(record, "version", 1, 2147483647)
        number(record, "end", 2, 2**62 - 1)
        must(ended <= time(record, "time"), "its game ended later")
        must(hex32(record, "create") not in self.known, "its game has a result already")
        self.check_players(record)
        must(record.get("unrated") != "trust" or self.trust == "signed", "such games are rated here")
        self.known.add(hex32(record, "create"))
        self.latest = max(self.latest, ended)
        self.compare(record, game)
        if "unrated" not in record:
            self.rate(record, ended)

    def check_players(self, record):
        seats, why = record["players"], record.get("unrated")
        must(isinstance(seats, list) and 1 <= len(seats) <= 8, '"players" is no list of seats')
        seen = set()
        for seat in seats:
            must(isinstance(seat, dict), "a seat is none")
            members(seat, ("rank",), ("name", "robot", "left"))
            number(seat, "rank", 0, 8)
            must(seat.get("left", True) is True, '"left" must be true')
            kinds = [kind for kind in ("name", "robot") if kind in seat]
            must(len(kinds) < 2, "a seat is two's")
            for kind in kinds:
                must((kind, name(seat, kind)) not in seen, "somebody has two seats")
                seen.add((kind, seat[kind]))
        none = why in ("void", "unanswered")
        stayed = sum("left" not in seat for seat in seats)
        for seat in seats:
            better = sum(other["rank"] < seat["rank"] for other in seats)
            if none:
                must(seat["rank"] == 0, "it has ranks")
            else:
                must(seat["rank"] == 1 + better and ("name" in seat or "robot" in seat), "its ranks cannot be")
                must("left" not in seat or better == stayed, "who left is not last")
        if not none:
            people = sum("name" in seat for seat in seats)
            must((len(seats) == 1) == (why == "solo"), "whether it is rated does not follow")
            must(len(seats) == 1 or (people < 2) == (why == "people"), "whether it is rated does not follow")

    def compare(self, record, game):
        data = self.games(game) if self.games else None
        if data is None:
            self.missing += 1
            return
        try:
            played = Played(data, game, self.league)
        except (Fault, KeyError, TypeError, AttributeError, IndexError) as e:
            raise Fault("its game does not hold: %s" % e)
        must(played.over, "its game has not ended")
        place = played.create.get("compete")
        rated = self.competitions(place["name"]) if self.competitions and isinstance(place, dict) else None
        if rated is None:
            rated = record.get("unrated") != "competition"
        said = {member: record[member] for member in record if member not in COMMON}
        must(said == played.result(self.trust, rated), "it is not what its game says")
        self.compared += 1

    def rate(self, record, ended):
        seats = []
        for seat in record["players"]:
            anchor = self.anchors.get(seat.get("robot")) if "left" not in seat else None
            seats.append((seat.get("name"), anchor, seat["rank"]))
        ladder = self.ladders.setdefault(record["ruleset"], rating.Ladder())
        self.rated[record["ruleset"]] = self.rated.get(record["ruleset"], 0) + ladder.add(ended, seats)

    def hidden(self, folder):
        """Games that have ended and have no result."""
        for path in sorted(pathlib.Path(folder).glob("*/journal.jsonl")):
            try:
                played = Played(path.read_bytes(), path.parent.name, self.league)
            except (Fault, KeyError, TypeError, AttributeError, IndexError):
                continue  # its own audit says that
            if played.over and played.first not in self.known:
                self.lacking += 1
                must(self.latest <= played.time + DAY, "game %s has ended and has no result" % path.parent.name)

    def lists(self, now):
        """As `turnpost ratings --json` has them."""
        out = []
        for ruleset in sorted(self.ladders):
            rows, ladder = [], self.ladders[ruleset]
            for who, mu, sigma, shown in ladder.listed(now):
                rows.append({"name": who, "mu": mu, "sigma": sigma, "shown": shown, "games": ladder.players[who][2]})
            if self.rated[ruleset]:
                out.append({"ruleset": ruleset, "games": self.rated[ruleset], "players": rows})
        return out


def check(data, key=None, games=None, competitions=None, until=None):
    """The results, a verdict, the first wrong record and why. `games`: a function from a name to bytes or None."""
    results, record = Results(key, games, competitions), 1
    try:
        must(data, "there is no record")
        lines = data.split(b"\n")
        for record, line in enumerate(lines[:-1], 1):
            if until is not None and time(read_json(line), "time") > until:
                break
            results.take(line + b"\n")
        else:
            record = len(lines)
            must(not lines[-1], "a line without its end")
    except Unknown as e:
        return results, "newer", record, str(e)
    except Fault as e:
        return results, "broken", record, str(e)
    return results, "partly" if results.missing else "proved", None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--at")
    parser.add_argument("journal", type=pathlib.Path)
    parser.add_argument("games", nargs="?", type=pathlib.Path)
    args = parser.parse_args()
    path = args.journal / "journal.jsonl" if args.journal.is_dir() else args.journal
    key = key_of(" ".join(pathlib.Path(args.key).read_text().split()[:2]))[1] if args.key else None

    def game(who):
        file = args.games / who / "journal.jsonl"
        return file.read_bytes() if file.exists() else None

    def competition(who):
        file = path.parent.parent / who / "journal.jsonl"
        return read_json(file.read_bytes().split(b"\n")[0]).get("rated") is True if file.exists() else None

    at = time({"at": args.at}, "at") if args.at else None
    results, verdict, record, why = check(path.read_bytes(), key, game if args.games else None, competition, at)
    if verdict in ("proved", "partly") and args.games and at is None:
        try:
            results.hidden(args.games)
            verdict = "partly" if results.lacking else verdict
        except Fault as e:
            verdict, record, why = "broken", results.seq + 1, str(e)
    lists = results.lists(at if at is not None else results.time)
    if args.json:
        print(json.dumps({"verdict": verdict, "record": record, "why": why, "head": results.head.hex(), "rulesets": lists}))
    else:
        print("%s: %s%s" % (path, verdict, " at record %d because %s" % (record, why) if why else ""))
        print("%d results, %d compared with their games, %d not there, %d games without one" % (len(results.known), results.compared, results.missing, results.lacking))
        for one in lists:
            print("%s, %d rated games: %s" % (one["ruleset"], one["games"], ", ".join("%s %.6f" % (row["name"], row["shown"] / 1e6) for row in one["players"])))
    return {"proved": 0, "partly": 1, "broken": 2, "newer": 3}[verdict]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as e:
        print(e, file=sys.stderr)
        sys.exit(66)
