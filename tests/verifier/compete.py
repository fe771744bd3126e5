#!/usr/bin/env python3
"""Checks a competition of Turnpost from its files alone: who is in, the draws, tables and games, the final table. Written from
src/journal/COMPETITIONS.md and src/compete/README.md, and from nothing else.

    compete.py [--key league.pub] [--head 'NAME SEQ HEX'] [--json] JOURNAL [GAMES]

GAMES is the folder with the games' folders; without it only the competition's own journal is looked at. Exit codes as of verify.py."""
import argparse
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import deals
import draws
import journal
import pairing
import quorum
import results
from forms import *
from members import _shape, take_ruleset
from schedule import Schedule, length_of
from table import fingerprint, mark_of

DAY = 86400
COMMON = "game seq prev type time"
MEMBERS = {
    "create": "kind ruleset version options seats league_key vrf_key nonce pairing zone clock entries_until confirm_until? rounds protest bye most? adjudge"
    " rated? trust? director? divisions? promote? division_size? walkover? field? outside? previous? previous_head? next? request? conditions? witnesses? quorum? log? unwitnessed?",
    "enter": "player mark by text mail signed? said? vouched? found?",
    "confirm": "player mark by text mail signed? said? vouched?",
    "withdraw": "player mark by? request? signed? said? vouched? text? mail?",
    "fixed": "round",
    "witness": "round witness pi proof",
    "late": "round",
    "round": "round attempt pi tables byes digest opens? outside?",
    "made": "round games",
    "result": "round table create end? head? ranks points left? adjudged? void?",
    "field": "round scores",
    "adjust": "do reason by player? halves? round? table? ranks? request?",
    "close": "players table best",
}
WHILE_FIXED = ("withdraw", "adjust", "witness", "late", "round")  # come between `fixed` and its `round`


def members(record, kind):
    least, most = _shape(COMMON + " " + MEMBERS[kind])
    for member in record:
        if member not in most:
            raise Unknown('this verifier does not know the member "%.20s"' % member)
    must(least <= record.keys(), "it lacks %s" % ", ".join(sorted(least - record.keys())))


def true(record, member):
    must(record.get(member, True) is True, '"%s" must be true' % member)
    return member in record


def competition_name(value):
    return name_good(value) and len(value) <= 16 and "." not in value and value != "results"


def named(value):
    """A name, as alphas and digests have it."""
    return le32(len(value.encode())) + value.encode()


def exactly(value, names, what):
    must(isinstance(value, dict) and value.keys() == set(names.split()), "%s is not of its form" % what)


def numbers(record, member, count, most):
    value = record.get(member)
    must(isinstance(value, list) and len(value) == count and all(is_int(v) and abs(v) <= most for v in value), '"%s" is not a number for each seat' % member)
    return value


def entry_text(record):
    """By whose text somebody enters, or sits in a game, but for the sealed mail."""
    found = {m: record[m] for m in ("by", "mail", "text", "signed", "said") if m in record}
    if "vouched" in record:
        found["vouched"] = {m: v for m, v in record["vouched"].items() if m != "box"}
    return found


# ---- games -----------------------------------------------------------------------------------------------------


class Played:
    """What the journal of a game says that concerns its competition."""

    def __init__(self, data, key):
        self.fault, self.end, self.keys, self.dealt, self.entered = None, None, {}, None, {}
        checker = journal.Checker(journal.Keys(), key)
        for at, line in enumerate(data.split(b"\n")[:-1]):
            try:
                checker.take(line + b"\n")
            except (Fault, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
                self.fault = str(e)
                return
            record = checker.record
            if at == 0:
                self.create, self.head = record, checker.head
                checker.first_head = checker.head
            if record["type"] in ("seat", "key") and checker.seats[record.get("seat", 0)]:
                seat = checker.seats[record["seat"]]
                self.keys.setdefault(seat.player, []).extend(seat.keys)
            if record.get("why") == "entered":
                self.entered[record["player"]] = entry_text(record)
            if record["type"] == "start":
                self.dealt = hex32(record, "state")
            if record["type"] == "end":
                self.end = (record, checker.head, time(record, "time"), [(seat.player, seat.robot) for seat in checker.seats[1:]])

    def players(self):
        return [entry[6:] if entry.startswith("robot:") else entry for entry in self.create["table"]]


def games_in(folder, name, key):
    """By their ids, those that name the competition."""
    out = {}
    for path in sorted(pathlib.Path(folder).glob("*/journal.jsonl")):
        data = path.read_bytes()
        try:
            place = read_json(data.split(b"\n")[0]).get("compete")
        except Fault:
            continue
        if isinstance(place, dict) and place.get("name") == name:
            out[path.parent.name] = Played(data, key)
    return out


# ---- who may enter ---------------------------------------------------------------------------------------------


class Experience:
    """The league's results, read as far as entries name them."""

    def __init__(self, data, ruleset):
        self.lines, self.ruleset, self.games = data.split(b"\n")[:-1], ruleset, {}
        self.results = results.Results()

    def until(self, seq):
        while self.results.seq < min(seq, len(self.lines)):
            line = self.lines[self.results.seq]
            self.results.take(line + b"\n")
            record = read_json(line)
            for seat in record.get("players", []) if record.get("ruleset") == self.ruleset else []:
                if "name" in seat and seat["rank"] and "left" not in seat:
                    self.games[seat["name"]] = self.games.get(seat["name"], 0) + 1
        must(self.results.seq == seq, "the results have no such record there")

    def next(self):
        """The time of the record after that; None: it is the last."""
        return time(read_json(self.lines[self.results.seq]), "time") if self.results.seq < len(self.lines) else None

    def rating(self, player, now):
        ladder = self.results.ladders.get(self.ruleset)
        rows = {row[0]: row[3] for row in ladder.listed(now)} if ladder else {}
        return rows.get(player)


class Conditions:
    """Of `create`, and what was found of who entered."""

    def __init__(self, record):
        self.asked, self.last = record.get("conditions", {}), 0
        if "conditions" not in record:
            return
        must(isinstance(self.asked, dict) and self.asked, "conditions that are none")
        for member in self.asked:
            if member not in ("rating", "games", "prompt", "running", "key", "invited"):
                raise Unknown('this verifier does not know the condition "%.20s"' % member)
        for member, least, most in (("rating", -(10**12), 10**12), ("games", 1, 10000), ("prompt", 1, 100), ("running", 1, 1000)):
            if member in self.asked:
                number(self.asked, member, least, most)
        true(self.asked, "key")
        names = self.asked.get("invited", ["a"])
        must(isinstance(names, list) and 1 <= len(names) <= 10000 and all(isinstance(n, str) and name_good(n) and len(n) < 33 for n in names), '"invited" is no list of names')
        must([n.encode() for n in names] == sorted({n.encode() for n in names}), "who is invited is not in order")

    def check(self, record, experience, league, counts):
        asked, player, now = self.asked, record["player"], time(record, "time")
        wanted = [m for m in ("rating", "games", "running") if m in asked] + ["turns", "missed"] * ("prompt" in asked) + ["results"] * ("rating" in asked or "games" in asked)
        found = record.get("found", {})
        must(("found" in record) == bool(wanted), "something was found that nobody asks for, or nothing")
        if wanted:
            exactly(found, " ".join(wanted), '"found"')
        for member in ("games", "turns", "missed", "running"):
            if member in wanted:
                number(found, member, 0, 2**31 - 1)
        must("rating" not in wanted or (is_int(found["rating"]) and found["rating"] >= asked["rating"]), "too low a rating")
        must("games" not in wanted or found["games"] >= asked["games"], "too few games")
        must("running" not in wanted or found["running"] <= asked["running"], "in too many games")
        if "turns" in wanted:
            must(found["missed"] <= found["turns"] and (found["turns"] - found["missed"]) * 100 >= asked["prompt"] * found["turns"], "too often late")
        must(player in asked.get("invited", [player]), "somebody who was not invited")
        if "results" in wanted:
            self.check_results(found, player, now, experience, league)
        counts["figures"] += "turns" in wanted or "running" in wanted or ("results" in wanted and experience is None)

    def check_results(self, found, player, now, experience, league):
        exactly(found["results"], "seq head", '"results"')
        seq, head = number(found["results"], "seq", self.last, 2**31 - 1), hex32(found["results"], "head")
        self.last = seq
        if experience is None:
            return
        experience.until(seq)
        must(experience.results.head == head and experience.results.league == league, "it names other results")
        must(experience.next() is None or experience.next() >= now, "there were later results")
        must("rating" not in found or experience.rating(player, now) == found["rating"], "the results give another rating")
        must("games" not in found or experience.games.get(player, 0) == found["games"], "the results give another number of games")


# ---- the competition -------------------------------------------------------------------------------------------


class Entrant:
    def __init__(self):
        self.inside, self.confirmed, self.removed, self.seated, self.adjusted, self.mark, self.late = False, False, False, False, 0, bytes(32), 0
        self.text, self.keys = None, None  # of the last `enter` or `confirm` (entry_text), and the keys that it names


class Drawn:
    """A table."""

    def __init__(self, round_, number_, players, gone):
        self.round, self.number, self.players, self.gone = round_, number_, players, gone
        self.create, self.ranks, self.void = None, None, False
        self.outside, self.score = None, None

    def gone_seats(self):
        return [seat for seat, player in enumerate(self.players, 1) if player in self.gone]


class Competition:
    def __init__(self, key=None, games=None, whole=True, previous=None, experience=None):
        self.key, self.games, self.whole, self.previous, self.played = key, games or {}, whole, previous, experience
        self.seq, self.head, self.time, self.game = 0, bytes(32), 0, None
        self.entrants, self.rounds, self.divisions, self.seen, self.taken = {}, [], [], set(), set()
        self.closed, self.missing = False, 0
        self.fixed, self.late = None, False  # the close of the next round; all were told that too few have answered it
        self.fields, self.dealt = [], {}
        self.counts = {"signatures": 0, "unsigned": 0, "vouched": 0, "strangers": 0, "figures": 0, "adjusted": 0, "unwitnessed": 0, "games": 0}

    def take(self, line):
        must(len(line) <= 131072, "the line is too long")
        must(line.endswith(b"\n"), "the journal ends in the middle of it")
        record = read_json(line[:-1])
        game = name(record, "game")
        if self.seq == 0:
            must(record.get("type") == "create", 'the first record must be "create"')
            must(competition_name(game), "no name of a competition")
            self.game, self.league = game, hex32(record, "league_key")
            must(self.key in (None, self.league), "it names another league's key than the one that was given")
        must(game == self.game, "it belongs to another competition")
        must(is_int(record.get("seq")) and record["seq"] == self.seq + 1, "its number is not %d" % (self.seq + 1))
        must(hex32(record, "prev") == self.head, "it does not follow the record before it")
        now = time(record, "time")
        must(now >= self.time, "its time runs backwards")
        kind = text(record, "type")
        if kind not in MEMBERS:
            raise Unknown('this verifier does not know records of the type "%.20s" in a competition' % kind)
        must((kind == "create") == (self.seq == 0), '"create" is the first record and no other')
        must(not self.closed, "nothing comes after the end")
        must(not self.fixed or kind in WHILE_FIXED, "it comes between a round's players and its draw")
        members(record, kind)
        self.now, self.new_head = now, journal.head_of(line)
        for member in ("by", "said"):
            if member in record:
                text(record, member)
        for member in ("text", "mail", "mark"):  # a signed text has the same mark under any name
            if member in record and (member != "mark" or "signed" in record):
                value = hex32(record, member)
                must(value not in self.seen, "the same text was accepted before")
                self.seen.add(value)
        getattr(self, "on_" + kind)(record)
        self.seq, self.time, self.head = self.seq + 1, now, self.new_head

    # ---- create ----

    def on_create(self, record):
        for member, words in (("kind", ("tables", "divisions", "duplicate")), ("adjudge", ("tie", "moderator", "scores")), ("trust", ("mail",))):
            if member in record and text(record, member) not in words:
                raise Unknown("this verifier does not know the %s %s" % (member, record[member]))
        least, most = take_ruleset(record)
        if number(record, "pairing", 1, 2**31 - 1) > 1:
            raise Unknown("this verifier does not know that pairing")
        self.record, self.kind = record, record["kind"]
        self.k = number(record, "seats", least if self.kind == "duplicate" else max(least, 2), most)
        self.least = self.k - 1 if self.k > 2 and self.k > least else self.k
        self.vrf, self.nonce = hex32(record, "vrf_key"), hex32(record, "nonce")
        must(curve.vrf_key(self.vrf) is not None, '"vrf_key" is no key')
        must(text(record, "zone"), "it has no zone")
        for member in ("request", "previous_head"):
            if member in record:
                hex32(record, member)
        must(("previous" in record) == ("previous_head" in record), "of the season before it has not both the name and the head")
        must("previous" not in record or competition_name(record["previous"]), '"previous" names no competition')
        clock = record["clock"]
        must(isinstance(clock, dict), '"clock" must be an object')
        Schedule({"turn_length": length_of(str(clock.get("schedule")).split(" ")[0]) or 0, "clock": clock})
        self.until = time(record, "entries_until")
        self.confirm = time(record, "confirm_until") if "confirm_until" in record else None
        must(self.confirm is None or self.confirm >= self.until, "players confirm before they have entered")
        self.times, before = [], (self.confirm or self.until) + DAY
        must(isinstance(record["rounds"], list) and 1 <= len(record["rounds"]) <= 64, "it has no rounds, or too many")
        for item in record["rounds"]:
            exactly(item, "draw end", "a round")
            self.times.append((time(item, "draw"), time(item, "end")))
            must(before <= self.times[-1][0] < self.times[-1][1], "its rounds are not after each other")
            before = self.times[-1][1]
        self.protest, self.bye = number(record, "protest", 0, 5184000), number(record, "bye", 0, 100)
        self.most = number(record, "most", 2, 10000) if "most" in record else 10000
        if "next" in record:
            number(record, "next", DAY, 400 * DAY)
        true(record, "rated")
        if "director" in record:
            name(record, "director")
        must(self.kind == "duplicate" or not {"field", "outside"} & record.keys(), "it has no deals")
        if self.kind == "duplicate":
            self.hours, self.robots, self.own = deals.terms(record)
        self.take_divisions(record)
        self.follows(record)
        self.witnesses = quorum.Quorum(record, self.league)
        must("unwitnessed" not in record or self.witnesses, "it has no witnesses to go on without")
        self.unwitnessed = number(record, "unwitnessed", 3 * DAY, 60 * DAY) if "unwitnessed" in record else None
        self.conditions = Conditions(record)
        self.experience = Experience(self.played, record["ruleset"]) if self.played else None

    def follows(self, record):
        """Its divisions are the final table of the season before, where that is known."""
        was = self.previous
        must("previous" in record or not self.before, "divisions of no season")
        if "previous" not in record or was is None:
            return
        must(was.game == record["previous"] and was.closed and was.head == hex32(record, "previous_head"), "it does not name the end of the season before")
        lists = {}
        for division, place, player, _ in was.standings() if was.kind == "divisions" else ():
            lists.setdefault(division, []).append({"name": player, "place": place})
        must(list(lists.values()) == self.before, "its divisions are not the table of the season before")

    def take_divisions(self, record):
        divided = self.kind == "divisions"
        must(all(divided == (name in record) for name in ("promote", "division_size", "walkover")) and (divided or "divisions" not in record), "it has divisions, or has none")
        self.before = record.get("divisions", [])
        if not divided:
            return
        must(self.k == 2, "divisions are played by two")
        self.promote, self.size = number(record, "promote", 0, 4), number(record, "division_size", 4, 8)
        self.walkover = number(record, "walkover", 0, 100)
        must(isinstance(self.before, list), "its divisions cannot be read")
        for division in self.before:
            must(isinstance(division, list) and division, "one of its divisions is empty")
            for one in division:
                exactly(one, "name place", "a place")
                must(name_good(one["name"]) and is_int(one["place"]) and 1 <= one["place"] <= 10000, "its divisions cannot be read")
        names = [one["name"] for division in self.before for one in division]
        must(len(names) == len(set(names)), "somebody is in its divisions twice")

    # ---- people ----

    def on_enter(self, record):
        player, now = name(record, "player"), self.now
        must(len(player) < 33, "too long a name")
        verb = record["type"]
        mark = hex32(record, "mark")
        one = self.entrants.get(player, Entrant())
        must(not one.removed, "this player was removed")
        must(one.inside != (verb == "enter"), "this player is in, or is not")
        must(verb == "withdraw" or not self.fixed, "it is too late")
        if verb == "enter":
            until = self.until
            if self.rounds:
                until = self.times[len(self.rounds)][0] - DAY if self.kind != "divisions" and len(self.rounds) < len(self.times) else 0
            must(now < until, "it is too late to enter")
            must(sum(e.inside for e in self.entrants.values()) < self.most, "it is full")
        if verb == "confirm":
            self.confirms(one, player, keys_of_text(record))
        must(verb == "withdraw" or not self.is_being_seated(player), "the player's next game is being made")
        self.said(record, player, verb, mark)
        must(verb == "withdraw" or "key" not in self.conditions.asked or "vouched" not in record, "no key has signed it")
        if verb == "enter":
            self.conditions.check(record, self.experience, self.league, self.counts)
        self.entrants[player] = one
        if verb == "withdraw":
            return self.leave(player)
        one.inside, one.mark, one.text, one.keys = True, mark, entry_text(record), keys_of_text(record)
        one.confirmed = verb == "confirm" or bool(self.confirm is not None and self.rounds)

    on_confirm = on_withdraw = on_enter

    def confirms(self, one, player, keys):
        """Once, in time; and again with another key, or by mail in place of keys, but in the day before a draw."""
        if self.confirm is not None and not one.confirmed:
            must(self.now < self.confirm, "it is too late to confirm")
            return
        n = len(self.rounds)
        must(keys[0] not in one.keys if keys else one.keys, "there is nothing to confirm")
        must(n == len(self.times) or self.all_met() or self.now < self.times[n][0] - DAY, "who plays in the next round is fixed")

    def is_being_seated(self, player):
        """A table of theirs has no game yet, whose seat names their text."""
        return any(player in table.players and table.create is None for table in (self.rounds[-1][0] if self.rounds else ()))

    def leave(self, player):
        """In the last day before a draw that comes too late for it."""
        one, n = self.entrants[player], len(self.rounds)
        if n < len(self.times) and self.now >= self.times[n][0] - DAY and player in self.playing():
            one.late = n + 1
        one.inside = one.confirmed = False

    def said(self, record, player, verb, mark):
        if "signed" in record:
            must(not any(m in record for m in ("said", "vouched")) and "text" in record and "mail" in record, "its members do not go together")
            must(record.get("by") == player, "somebody else signed it")
            exactly(record["signed"], "signature text", '"signed"')
            words = text(record["signed"], "text")
            key = signature_key(record["signed"]["signature"], words)
            sig = base64.b64decode(record["signed"]["signature"]["sig"])
            must(mark_of(self.nonce, 0, sig, words) == mark, '"mark" is not that of the text')
            self.check_words(record, player, verb, words)
            self.counts["signatures"] += 1
            had = self.entrants[player].keys if player in self.entrants else None
            self.counts["strangers"] += had is not None and key not in had and not any(key in game.keys.get(player, []) for game in self.games.values() if not game.fault)
        elif "said" in record or "vouched" in record:
            must("trust" in self.record and "text" in record and "mail" in record and isinstance(record.get("vouched"), dict), "a mail domain's word does not count here")
            must(record.get("by") == player, "somebody else said it")
            must(time(record["vouched"], "arrived") <= time(record, "time"), "the mail came after the record that is made of it")
            self.check_words(record, player, verb, text(record, "said"))
            self.counts["vouched"] += 1
        else:
            must("text" not in record and "mail" not in record, "its members do not go together")
            must(record.get("by") and verb == "withdraw", "nobody has signed it")
            self.counts["unsigned"] += 1

    def check_words(self, record, player, verb, words):
        must(blake(player.encode() + canonical(words).encode()) == hex32(record, "text"), '"text" is not the digest of the signed text')
        frame = frame_of(words)
        must(frame.verb == verb, "a text of another kind")
        must(frame.fields.get("game", "any") == "any", "the text is for one game")
        must(small(frame.line("competition") or "") == self.game, "a text about another competition")
        must(frame.fields.get("league") == fingerprint(self.league), "a text for another league")
        when = frame.line("date")
        must(isinstance(when, str), "a text without a day")
        at = (day({"date": when}, "date") - datetime.date(1970, 1, 1).toordinal()) * DAY
        must(at - 2 * DAY <= self.now < at + 61 * DAY, "a text of another time")

    def on_adjust(self, record):
        do = text(record, "do")
        must(text(record, "reason"), "it gives no reason")
        name(record, "by")
        wanted = {"remove": "player", "points": "player halves", "rank": "round table ranks"}.get(do)
        must(wanted is not None, "no such act")
        must({m for m in ("player", "halves", "round", "table", "ranks") if m in record} == set(wanted.split()), "members of another act")
        must(do == "remove" or not self.fixed, "points and ranks change the draw of a round whose players are fixed")
        self.counts["adjusted"] += 1
        if do == "rank":
            return self.set_rank(record)
        one = self.entrants.get(name(record, "player"))
        must(one, "this player has not entered")
        if do == "remove":
            self.leave(record["player"])
            one.removed = True
        else:
            one.adjusted += number(record, "halves", -1000, 1000)
            must(abs(one.adjusted) <= 10000, "too many points")

    def set_rank(self, record):
        table = self.table(record)
        must(self.kind != "duplicate", "who plays alone has no rank")
        over = self.times[table.round - 1][1]
        waits = table.create and table.ranks is None and self.now >= over
        director = self.record.get("director")
        must(director not in table.players or record.get("by") != director, "the director sits at this table")
        must(waits or (table.ranks and self.now < over + self.protest), "this table waits for no ruling")
        table.ranks, table.void = self.ranks(record, table), False

    # ---- rounds ----

    def playing(self):
        n = len(self.rounds) + 1
        return sorted((player for player, e in self.entrants.items() if e.late == n or e.inside and (self.confirm is None or e.confirmed)), key=str.encode)

    def enough(self):
        least = {"tables": self.k, "divisions": 2 if self.rounds else 4, "duplicate": 2}[self.kind]
        return len(self.playing()) >= least

    def all_met(self):
        """In all divisions everybody has met everybody."""
        n = len(self.rounds)
        return self.kind == "divisions" and n > 0 and all(n >= len(division) - 1 + len(division) % 2 for division in self.divisions)

    def done(self):
        return all(table.ranks for tables, _, _ in self.rounds for table in tables) and (self.kind != "duplicate" or not self.robots or len(self.fields) == len(self.rounds))

    def its_time(self, record):
        n = number(record, "round", 1, len(self.times))
        must(n == len(self.rounds) + 1 and self.done() and self.now >= self.times[n - 1][0] and self.enough() and not self.all_met(), "it is not the time of this round")
        return n

    def on_fixed(self, record):
        n = self.its_time(record)
        must(self.witnesses and not self.fixed, "it has no witnesses, or they were asked")
        self.fixed, self.late = quorum.Close(self.game, record["seq"], self.now, self.new_head, "%d.1" % n, blake(self.alpha(n)[0])), False

    def asked(self, record):
        must(self.fixed and number(record, "round", 1, 64) == len(self.rounds) + 1, "no witness is waited for")

    def on_witness(self, record):
        self.asked(record)
        self.witnesses.take(record, self.fixed)

    def on_late(self, record):
        self.asked(record)
        must(not self.late and self.witnesses.lacks() and self.now >= self.fixed.time + 3 * DAY, "it is not three days, or enough witnesses have answered, or all were told")
        self.late = True

    def attempt(self):
        """By which the next round may be drawn."""
        if not self.witnesses:
            return 1
        if self.fixed and not self.witnesses.waits(self.now):
            return 1
        gone = self.fixed and self.late and self.witnesses.lacks() and self.unwitnessed and self.now >= self.fixed.time + self.unwitnessed
        return 2 if gone else 0

    def on_round(self, record):
        n = self.its_time(record)
        attempt = number(record, "attempt", 1, 2)
        must(attempt == self.attempt(), "too few witnesses have answered, or the others have had no day for it")
        alpha, players = self.alpha(n, attempt)
        beta = curve.vrf_verify(self.vrf, hex_bytes(record["pi"], 80, '"pi"'), alpha)
        must(beta is not None, "its proof is not that of this draw")
        beta += self.witnesses.dice() if attempt == 1 else b""
        self.fixed = None
        self.witnesses.settle()
        if attempt == 2:
            self.witnesses = quorum.Quorum()
            self.counts["unwitnessed"] += 1
        tables, byes, digest = self.drawn(n, players, beta)
        must(hex32(record, "digest") == digest and number(record, "tables", 0, 10000) == len(tables) and record["byes"] == byes, "the draw gives other tables")
        gone = lambda table: [p for p in table if not self.entrants[p].inside]
        self.rounds.append(([Drawn(n, i, table, gone(table)) for i, table in enumerate(tables, 1)], byes, self.new_head))
        self.beta, self.tried = beta, attempt
        for player in [p for table in tables for p in table] + byes:
            self.entrants[player].seated = True
        must((self.kind == "duplicate") == ("opens" in record) and (self.kind == "duplicate" or "outside" not in record), "a deal opens, and nothing else does")
        if self.kind == "duplicate":
            self.opens, (draw, end) = deals.opens(record, self.now), self.times[n - 1]
            self.times[n - 1] = draw, self.opens + end - draw
            out = deals.outside(record, players, self.own, self.record.get("director"))
            for table in self.rounds[-1][0]:
                table.outside = out.get(table.players[0])

    def on_field(self, record):
        n = len(self.rounds)
        must(self.kind == "duplicate" and self.robots and number(record, "round", 1, n) == n and len(self.fields) == n - 1 and all(t.ranks for t in self.rounds[-1][0]), "robots play a deal once, when it is over")
        scores = numbers(record, "scores", self.robots, 1000000)
        self.fields.append(scores)

    def draw_duplicate(self, n, players):
        return [[player] for player in players], []

    def alpha(self, n, attempt=1):
        """What the proof of a round is over, and the players, by name."""
        players = self.playing()
        alpha = b"turnpost/pairing\0" + self.nonce + named(self.game) + le32(n) + le32(attempt) + le32(len(players))
        for player in players:
            alpha += blake(b"turnpost/entry\0" + named(player) + self.entrants[player].mark)
        return alpha, players

    def drawn(self, n, players, beta):
        """(tables, byes, digest)"""
        root = blake(b"turnpost/roll\0" + beta, 64)
        for i in range(len(players), 1, -1):
            j = draws.Stream(root, "order/%d" % i).pick(i)
            players[i - 1], players[j] = players[j], players[i - 1]
        tables, byes = getattr(self, "draw_" + self.kind)(n, players)
        told = b"turnpost/tables\0" + le32(len(tables))
        for table in tables:
            told += le32(len(table)) + b"".join(map(named, table))
        told += le32(len(byes)) + b"".join(map(named, byes))
        return tables, byes, blake(told)

    def draw_tables(self, n, players):
        place = {player: i for i, player in enumerate(players)}
        points = {row[2]: row[3] for row in self.standings(players)}
        rows = [(points.get(player, 0), sum(player in byes for _, byes, _ in self.rounds), [0] * 8) for player in players]
        met = {}
        for tables, _, _ in self.rounds:
            for table in tables:
                there = [(place[p], seat) for seat, p in enumerate(table.players) if p in place]
                for a, seat in there:
                    rows[a][2][seat] += 1
                    for b, _ in there:
                        if a < b:
                            met[a, b] = met.get((a, b), 0) + 1
        tables, byes = pairing.pairing(rows, met, self.k, self.least)
        return [[players[p] for p in table] for table in tables], [players[p] for p in byes]

    def draw_divisions(self, n, players):
        if n == 1:
            place, count, lists = {player: i for i, player in enumerate(players)}, 0, []
            for division in self.before:
                lists.append([])
                for one in division:
                    there = one["name"] in place
                    lists[-1].append((place[one["name"]] if there else len(players) + count, one["place"], there))
                    count += 1
            listed = {number_ for members_ in lists for number_, _, _ in members_}
            made = pairing.division(lists, self.promote, self.size, [i for i in range(len(players)) if i not in listed])
            self.divisions = [[players[p] for p in division] for division in made]
        tables, byes = [], []
        for division in self.divisions:
            if n > len(division) - 1 + len(division) % 2:
                continue
            games, bye = pairing.berger(len(division), n)
            for a, b in games:
                two = [p for p in (division[a - 1], division[b - 1]) if p in players]
                if len(two) == 2:
                    tables.append(two)
                else:
                    byes += two
            if bye and division[bye - 1] in players:
                byes.append(division[bye - 1])
        return tables, byes

    # ---- games ----

    def table(self, record):
        n, at = number(record, "round", 1, len(self.rounds)), number(record, "table", 1, 10000)
        must(at <= len(self.rounds[n - 1][0]), "there is no such table")
        return self.rounds[n - 1][0][at - 1]

    def on_made(self, record):
        must(self.rounds and number(record, "round", 1, 64) == len(self.rounds), "games of another round")
        games = record["games"]
        must(isinstance(games, list) and 1 <= len(games) <= 100, "no games, or too many")
        before = 0
        for one in games:
            exactly(one, "table players game head pi", "a game")
            before = number(one, "table", before + 1, 10000, "tables out of order")
            table = self.table({"round": len(self.rounds), "table": one["table"]})
            must(table.create is None, "the table has a game")
            must(one["game"] == "%s.%d.%d" % (self.game, table.round, table.number) and one["players"] == table.players, "the game of another table")
            table.create = hex_bytes(one["head"], 32, "a head")
            of = (b"deal\0", b"") if self.kind == "duplicate" else (b"table\0", le32(table.number))
            alpha = b"turnpost/" + of[0] + self.nonce + named(self.game) + le32(table.round) + of[1] + le32(self.tried) + self.beta
            beta = curve.vrf_verify(self.vrf, hex_bytes(one["pi"], 80, '"pi"'), alpha)
            must(beta is not None, "the proof of a game is not that of its table")
            self.taken.add(one["game"])
            if one["game"] in self.games:
                self.check_game(self.games[one["game"]], table, blake(b"turnpost/nonce\0" + beta))
            else:
                self.missing += 1
                must(not self.whole, "its game %s is not there" % one["game"])

    def check_game(self, game, table, nonce):
        must(not game.fault, "its game is broken: %s" % game.fault)
        must(game.head == table.create, "the game is another one")
        place = {"name": self.game, "head": self.rounds[table.round - 1][2].hex(), "round": table.round, "table": table.number, "attempt": self.tried}
        if self.record["adjudge"] == "scores":
            place["until"] = self.record["rounds"][table.round - 1]["end"]
        must(game.create["compete"] == place, "the game names another table")
        must(hex32(game.create, "nonce") == nonce, "its nonce was not drawn")
        must(game.players() == table.players, "other players")
        must(all("robot:" + p in game.create["table"] for p in table.gone), "somebody who had left has their seat")
        must(all("robot:" + p in game.create["table"] or game.entered.get(p) == self.entrants[p].text for p in table.players), "somebody sits there by another text than their last one here")
        if self.kind == "duplicate":
            self.same_deal(game, table)
        must(self.kind == "duplicate" or "lockstep" not in game.create, "the game is in lockstep")
        for member in ("ruleset", "version", "options", "league_key", "vrf_key", "trust", "clock")[: -1 if self.kind == "duplicate" else None]:
            must(game.create.get(member) == self.record.get(member), "the game has another %s" % member)
        must("card_data" not in game.create and "witnesses" not in game.create, "the game has cards or witnesses of its own")
        self.counts["games"] += 1

    def same_deal(self, game, table):
        times = {"opens": self.opens, "hours": self.hours, "closes": self.times[table.round - 1][1]}
        its = game.create.get("lockstep")
        must(isinstance(its, dict) and its.keys() == times.keys() and "clock" not in game.create, "the game is not in lockstep")
        must({m: its[m] if m == "hours" else time(its, m) for m in its} == times, "its turns open at other times than the deal's")
        if game.dealt is not None:
            must(self.dealt.setdefault(table.round, game.dealt) == game.dealt, "another deal was dealt in it")

    def ranks(self, record, table):
        ranks = numbers(record, "ranks", len(table.players), 8)
        must(all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks), "these are no ranks")
        return ranks

    def on_result(self, record):
        table = self.table(record)
        must(table.create and table.ranks is None, "the table has no game, or a result already")
        adjudged, void = true(record, "adjudged"), true(record, "void")
        must(("end" in record) == ("head" in record) == (not adjudged), "neither a game's end nor the round's")
        must(hex32(record, "create") == table.create, "another game")
        seats = len(table.players)
        ranks, points = self.ranks(record, table), numbers(record, "points", seats, 1000000)
        left = record.get("left", [])
        must(isinstance(left, list) and all(is_int(s) and 1 <= s <= seats for s in left) and left == sorted(set(left)) and ("left" not in record or left), '"left" is no list of seats')
        end = self.times[table.round - 1][1]
        must(self.kind != "duplicate" or self.now >= end, "a deal is sealed until its round is over")
        if adjudged:
            patience = DAY if self.kind == "duplicate" else 0
            must(self.record["adjudge"] == "tie" and not void and left == table.gone_seats() and self.now >= end + patience, "it cannot be adjudged")
        if adjudged or void:
            stayed = seats - len(left) if adjudged else seats
            must(ranks == [1 + stayed if adjudged and s in left else 1 for s in range(1, seats + 1)] and set(points) == {0}, "a tie is none")
        else:
            must(all(ranks[a - 1] > ranks[b] for a in left for b in range(seats) if b + 1 not in left), "who left is before who stayed")
        table.ranks, table.void = ranks, void
        table.score = None if adjudged or void or left else points[0]
        game = self.games.get("%s.%d.%d" % (self.game, table.round, table.number))
        if adjudged:
            must(not game or not game.end or game.end[2] >= self.now, "its game had ended before")
            return
        number(record, "end", 1, 2**62)
        hex32(record, "head")
        if game:
            self.check_end(record, table, game, (ranks, points, left, void))

    def check_end(self, record, table, game, told):
        must(game.end, "its game has not ended")
        end, head, _, seats = game.end
        must(record["end"] == end["seq"] and hex32(record, "head") == head, "it names another end of its game")
        void = end["reason"] == "void"
        scores = {score["seat"]: score for score in end["scores"]}
        left = [i for i, ((player, robot), wanted) in enumerate(zip(seats, table.players), 1) if robot or player != wanted]
        rows = []
        for seat in range(1, len(seats) + 1):
            place = scores.get(seat, {}).get("place", 0)
            rows.append((1, 0) if seat in left else (0, place or 99))
        ranks = [1 if void else 1 + sum(other < row for other in rows) for row in rows]
        points = [scores.get(seat, {}).get("points", 0) for seat in range(1, len(seats) + 1)]
        must(told == (ranks, points, left, void), "its game has ended otherwise")

    # ---- the end ----

    def standings(self, drawn=()):
        """Rows (division, place, name, points), the last by byte order. `drawn`: who counts, removed or not."""
        out = []
        if self.kind == "duplicate":
            return self.totals()
        groups = enumerate(self.divisions, 1) if self.kind == "divisions" else [(0, list(self.entrants))]
        for division, group in groups:
            who = sorted((p for p in group if self.entrants[p].seated), key=str.encode)
            at = {player: i for i, player in enumerate(who)}
            tables = [(t.void, list(zip((at.get(p) for p in t.players), t.ranks))) for ts, _, _ in self.rounds for t in ts if t.ranks and t.players[0] in at]
            byes = [at[p] for _, bs, _ in self.rounds for p in bs if p in at]
            more = [(self.walkover - self.bye) * self.walkovers(p) for p in who] if self.kind == "divisions" else [0] * len(who)
            rows = pairing.standing(self.k, self.bye, [p in drawn or not self.entrants[p].removed for p in who], [self.entrants[p].adjusted + extra for p, extra in zip(who, more)], tables, byes)
            out += [(division, place, who[p], points) for p, place, points, *_ in rows]
        return out

    def walkovers(self, player):
        """In how many rounds somebody who does not play any more would have been this player's opponent."""
        division = next(d for d in self.divisions if player in d)
        games = {n: pairing.berger(len(division), n) for n, (_, byes, _) in enumerate(self.rounds, 1) if player in byes}
        return sum(bye != division.index(player) + 1 for _, bye in games.values())

    def totals(self):
        count = len(self.fields) if self.robots else len(self.rounds)
        totals = deals.table([[(t.score, t.outside, t.players[0]) for t in tables] for tables, _, _ in self.rounds[:count] if all(t.ranks for t in tables)])
        rows = sorted(((500 * self.entrants[p].adjusted + total, p) for p, total in totals.items() if not self.entrants[p].removed), key=lambda row: (-row[0], row[1].encode()))
        return [(0, 1 + sum(other > points for other, _ in rows), player, points) for points, player in rows]

    def on_close(self, record):
        n = len(self.rounds)
        if n:
            must(self.done() and self.now >= self.times[n - 1][1] + self.protest and (n == len(self.times) or self.all_met() or not self.enough()), "rounds or results are to come")
        else:
            must(self.now >= self.times[0][0] and not self.enough(), "rounds are to come")
        rows = self.standings()
        told = b"turnpost/standing\0" + b"".join(le32(d) + le32(place) + named(player) + le32(points) for d, place, player, points in rows)
        must(number(record, "players", 0, 10000) == len(rows) and hex32(record, "table") == blake(told), "the results give another table")
        must(record["best"] == [{"name": player, "place": place, "points": points} for _, place, player, points in rows[:8]], "the results give others as the best")
        self.closed = True

    def rest(self):
        """A game that names the competition, which knows nothing of it; or None."""
        for game_id, game in self.games.items():
            if game_id in self.taken:
                continue
            must(not game.fault, "the game %s is broken: %s" % (game_id, game.fault))
            place, tables = game.create["compete"], self.rounds[-1][0] if self.rounds and not self.closed else []
            yet = [t for t in tables if t.create is None and "%s.%d.%d" % (self.game, t.round, t.number) == game_id]
            must(yet and place["head"] == self.rounds[-1][2].hex() and game.players() == yet[0].players, "nothing is known of the game %s" % game_id)


def before(path):
    """The season before the one of this journal, from the folder beside it; or None."""
    name_ = read_json(path.read_bytes().split(b"\n")[0]).get("previous")
    try:
        data = (path.parent.parent / name_ / "journal.jsonl").read_bytes() if competition_name(name_) else b""
    except OSError:
        return None
    verdict, _, _, c = check(data, None, {}, False)
    return c if verdict in ("proved", "opened") else None


def experience(path):
    """The journal of the league's results, from the folder beside it; or None."""
    try:
        return (path.parent.parent / "results/journal.jsonl").read_bytes()
    except OSError:
        return None


def check(data, key=None, games=None, whole=True, previous=None, played=None):
    """(verdict, record, why, competition), as of journal.check. `games`: by id (games_in); `whole`: all there are; `previous`: the season before;
    `played`: the journal of the league's results."""
    c = Competition(key, games, whole, previous, played)
    lines = data.split(b"\n")
    torn = lines.pop() != b""
    for i, line in enumerate(lines, 1):
        try:
            c.take(line + b"\n")
        except Unknown as e:
            return "unknown", i, str(e), c
        except Fault as e:
            return "broken", i, str(e), c
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
            return "broken", i, "it is not of its form: %s" % e, c
    if torn or not lines:
        return "broken", len(lines) + 1, "the journal ends in the middle of a record", c
    try:
        c.rest()
    except Fault as e:
        return "broken", len(lines) + 1, str(e), c
    return ("opened" if c.missing else "proved"), 0, "", c


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key")
    parser.add_argument("--head", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("journal", type=pathlib.Path)
    parser.add_argument("games", type=pathlib.Path, nargs="?")
    args = parser.parse_args()
    try:
        data = args.journal.read_bytes()
        key = key_of(" ".join(args.key and pathlib.Path(args.key).read_text().split()[:2]))[1] if args.key else None
        first = read_json(data.split(b"\n")[0])
        games = games_in(args.games, first.get("game"), key) if args.games else {}
    except (OSError, Fault) as e:
        print("compete: %s" % e, file=sys.stderr)
        return 66
    verdict, record, why, c = check(data, key, games, args.games is not None, before(args.journal), experience(args.journal))
    lines = data.split(b"\n")[:-1]
    for head in args.head:
        name_, seq, digest = head.removeprefix("head: ").split()
        at = int(seq)
        if verdict not in ("broken", "unknown") and (name_ != c.game or at > len(lines) or journal.head_of(lines[at - 1] + b"\n").hex() != digest):
            verdict, record, why = "broken", min(at, len(lines) + 1), "its head is not the one that was mailed"
    if args.json:
        rows = [dict(zip(("division", "place", "name", "points"), row)) for row in c.standings()] if c.seq else []
        print(json.dumps({"verdict": verdict, "record": record, "why": why, "counts": c.counts, "missing": c.missing, "table": rows}, indent=2))
    elif why:
        print("%s: %s at record %d because %s" % (c.game, verdict, record, why))
    else:
        print("%s: %s: %d records, %d rounds, %s; head %s" % (c.game, "proved" if verdict == "proved" else "proved, but for %d games that are not here" % c.missing, c.seq, len(c.rounds), ", ".join("%d %s" % (n, what) for what, n in c.counts.items()), c.head.hex()))
        for division, place, player, points in c.standings():
            print("  %s%3d  %-16s %g" % ("%d. " % division if division else "", place, player, points / (1000 if c.kind == "duplicate" else 2)))
    return ["proved", "opened", "broken", "unknown"].index(verdict)


if __name__ == "__main__":
    sys.exit(main())
