"""Every word of a moderator's, said of a turn that is open, held, paused or opened again, before its deadline and after it;
then the turn is closed, and seats have missed it. Our audit and the second verifier must agree, and where they call nothing broken the
misses must be counted as resting on somebody's word, but for those in FREE, in which the players had their time. Likewise what a rollback
took back: whose seals a close may name then."""
import datetime
import itertools
import json

import journal
from changes import lines_of

ON_WORD = ("missed", "deadlines", "interventions", "keys", "strangers", "acts")
HOUR, DAY = 3600, 86400
MARK = "5a" * 32
GAME = "gc-all"  # of the games that are played for this: three players, a schedule, no witness

# (what the turn was, when the word came, the word, when the turn was closed): nobody's word makes these misses.
FREE = {
    *(("open", when, word, "in time") for when in ("early", "late") for word in ("nothing", "resend", "orders", "orders of mona's", "correct of mona's", "replace by dora", "replace by a robot", "ban")),
    *(("open", "late", word, "at once") for word in ("nothing", "resend", "orders", "orders of mona's", "correct of mona's", "replace by dora", "replace by a robot", "ban")),
    *(("open", when, "extend by two days", "in time") for when in ("early", "late")),
    *(("open", "early", word, "in time") for word in ("extend by a second", "extend to what has passed")),
    *(("held", "early", word, "in time") for word in ("resume", "resume for a second", "resume for a day", "resume for as long")),
    ("held", "late", "resume for a day", "in time"),
    *(("valve", when, word, "in time") for when in ("early", "late") for word in ("extend by two days", "resume for a day")),
    *(("valve", when, word, closed) for when in ("early", "late") for word in ("released behind its end", "released when orders came") for closed in ("at once", "in time")),
    ("paused", "early", "resume for as long", "in time"),
    ("paused", "late", "resume for as long", "in time"),
}


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text):
    return int(datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc).timestamp())


class Telling:
    """Records of the league's own after the deal of a game."""

    def __init__(self, game):
        lines = lines_of(game.data)
        records = [json.loads(line) for line in lines]
        self.game = game
        self.at = next(i for i, record in enumerate(records) if record["type"] == "start") + 1
        self.lines, create, self.start = lines[: self.at], records[0], records[self.at - 1]
        self.deal = self.start["pi"][:64]
        self.length, self.grace = create["turn_length"], create["clock"]["grace"]
        self.opened, self.deadline = seconds(self.start["time"]), seconds(self.start["deadline"])
        self.now, self.paused, self.rollbacks = self.opened, None, 0
        self.missed, self.set, self.seals = list(range(1, create["seats"] + 1)), [], [""] * create["seats"]

    def put(self, sort, **members):
        record = {"game": self.start["game"], "seq": len(self.lines) + 1, "prev": "", "type": sort, "time": moment(self.now), **members}
        self.lines.append(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def word(self, do, by="operator", **members):
        marks = {} if by == "operator" else {"mail": "%064x" % len(self.lines), "text": "%064x" % (1000 + len(self.lines))}
        self.put("moderate", do=do, by=by, reason="because", **{"turn": 1, **members}, **marks)

    def note(self, kind, **members):
        self.put("note", kind=kind, turn=1, **members)

    def move(self, do, deadline):
        self.word(do, deadline=moment(deadline))
        self.deadline = deadline

    # ---- what the turn is ----

    def open(self):
        pass

    def held(self):
        self.now += HOUR
        self.word("hold")

    def valve(self):
        self.now = self.deadline + self.grace
        self.note("hold", missing=self.missed, awaited=self.missed, until=moment(self.now + 3 * DAY))

    def pause(self):
        self.now += HOUR
        self.word("pause")
        self.paused = self.now

    def again(self):
        self.now += HOUR
        self.word("resend", seat=1)
        self.word("resend", seat=1)
        self.rollback()

    # ---- the words ----

    def rollback(self, record=0):
        self.word("rollback", record=record or self.at, state=self.start["state"], deadline=moment(self.now + self.length), **{"from": 1})
        self.deadline, self.rollbacks = self.now + self.length, self.rollbacks + 1

    def sits(self, do, **members):
        self.word(do, seat=1, **members)
        if "robot" in members:
            self.missed.remove(1)

    def ordered(self, by="operator"):
        self.word("orders", by, seat=1, seal=MARK, box="AAAA")
        self.missed.remove(1)
        self.set.append(1)

    def orders(self, seat, seal=MARK):
        self.put("orders", turn=1, seat=seat, mail=seal, seal=seal, box="AAAA")
        self.seals[seat - 1] = seal
        self.missed = [other for other in self.missed if other != seat]

    def released(self, late):
        self.now += 4 * DAY if late else 0
        self.note("hold", released=True)

    def words(self):
        player = self.name_of(1)
        stood = max(self.deadline, self.now)
        return {
            "nothing": lambda: None,
            "pause": lambda: self.word("pause"),
            "hold": lambda: self.word("hold"),
            "resume": lambda: self.word("resume"),
            "resume for a second": lambda: self.move("resume", stood + 1),
            "resume for a day": lambda: self.move("resume", stood + DAY),
            "resume for as long": lambda: self.move("resume", max(stood, self.deadline + self.now - (self.paused or self.now)) + 1),
            "extend to what has passed": lambda: self.move("extend", max(self.deadline + 1, self.now - 60)),
            "extend by a second": lambda: self.move("extend", stood + 1),
            "extend by two days": lambda: self.move("extend", stood + 2 * DAY),
            "resolve": lambda: self.word("resolve"),
            "replace by dora": lambda: self.sits("replace", robot=player, to="dora", until=moment(self.now + DAY)),
            "replace by a robot": lambda: self.sits("replace", robot=player),
            "ban": lambda: self.sits("ban", robot=player),
            "orders": self.ordered,
            "orders of mona's": lambda: self.ordered("mona"),
            "correct of mona's": lambda: self.word("correct", "mona", changes=[], state=MARK, seal=MARK, box="AAAA"),
            "resend": lambda: self.word("resend", seat=1),
            "rollback": self.rollback,
            "void": lambda: self.word("void"),
            "released": lambda: self.released(False),
            "released behind its end": lambda: self.released(True),
            "released when orders came": lambda: (self.orders(1), self.released(False)),
        }

    def name_of(self, seat):
        name = None
        for line in self.lines[: self.at]:
            record = json.loads(line)
            drawn = {item["seat"]: item["player"] for item in record.get("drawn", [])} if record["type"] == "start" else {}
            if record["type"] == "seat" and record["seat"] == seat:
                name = record.get("player")
            name = drawn.get(seat, name)
        return name

    def close(self, in_time):
        self.now = max(self.now + 1, self.deadline + self.grace) if in_time else self.now + 1
        self.put("close", turn=1, seals=self.seals, missed=self.missed, set=self.set, deal=self.deal, rollbacks=self.rollbacks)

    def journal(self):
        return b"".join(self.game.league.chain(self.lines, self.at))


class TakenBack(Telling):
    """Orders, rollbacks, and the orders that a close names. `other`: another seal."""

    other = "a5" * 32

    def ordered_at(self, seal=MARK):
        self.orders(1, seal)
        return len(self.lines)

    def none_again(self):
        self.ordered_at()
        self.rollback()

    def the_same_again(self):
        self.none_again()
        self.ordered_at()

    def others_again(self):
        self.none_again()
        self.ordered_at(self.other)

    def those_of_before(self):
        kept = self.ordered_at()
        self.ordered_at(self.other)
        self.rollback(kept)
        self.seals[0] = MARK

    def those_that_replaced_them(self):
        self.those_of_before()
        self.seals[0] = self.other

    def brought_back(self):
        kept = self.ordered_at()
        self.word("resend", seat=1)
        self.rollback()
        self.rollback(kept)

    def taken_back_twice(self):
        self.brought_back()
        self.rollback()

    def behind_the_first_rollback(self):
        self.word("resend", seat=1)
        self.word("resend", seat=1)
        self.rollback()
        first = len(self.lines)
        kept = self.ordered_at()
        self.word("resend", seat=1)
        self.rollback(first)
        self.rollback(kept)

    def set_by_the_operator(self):
        Telling.ordered(self)
        self.rollback()


# What they are, and is a close that names their seals good?
ROLLED_BACK = {
    "none_again": False, "the_same_again": False, "others_again": True, "those_of_before": True, "those_that_replaced_them": False,
    "brought_back": True, "taken_back_twice": False, "behind_the_first_rollback": True, "set_by_the_operator": False,
}
STATES = {"open": Telling.open, "held": Telling.held, "valve": Telling.valve, "paused": Telling.pause, "opened again": Telling.again}


def told(game, step):
    """(the case, its journal, the number of its close) of each `step`th."""
    cases = itertools.product(STATES.items(), ("early", "late"), Telling(game).words(), ("at once", "in time"))
    for (state, begin), when, word, closed in itertools.islice(cases, 0, None, step):
        telling = Telling(game)
        begin(telling)
        telling.now = max(telling.now, telling.deadline + (-HOUR if when == "early" else telling.grace + HOUR))
        telling.words()[word]()
        telling.close(closed == "in time")
        yield (state, when, word, closed), telling.journal(), len(telling.lines)


def judge(game, auditor, step, tally):
    judge_words(game, auditor, step, tally)
    judge_rollbacks(game, auditor, tally)


def judge_rollbacks(game, auditor, tally):
    kind = "orders that a rollback took back"
    for name, good in ROLLED_BACK.items():
        telling = TakenBack(game)
        getattr(telling, name)()
        telling.close(True)
        data, close = telling.journal(), len(telling.lines)
        wanted = close + good - (name == "the_same_again")  # of good ones, that the turn is not there yet
        ours, theirs = auditor.ask(data, game.key), journal.check(data, game.key)
        tally.rows[kind, "tried"] += 1
        tally.rows[kind, "audit"] += ours["record"] == wanted
        tally.rows[kind, "verifier"] += theirs.record == wanted
        if (ours["record"], theirs.record) != (wanted, wanted):
            tally.missed.append("%s: %s: record %d must be named; our audit says %d: %s; the verifier %d: %s" % (kind, name, wanted, ours["record"], ours["why"], theirs.record, theirs.why))


def judge_words(game, auditor, step, tally):
    """Of the words each `step`th."""
    kind, free, asked = "a moderator's word, and a turn that was missed", set(), set()
    for case, data, close in told(game, step):
        asked.add(case)
        ours, theirs = auditor.ask(data, game.key), journal.check(data, game.key)
        what = "%s: %s" % (kind, ", ".join(case))
        tally.rows[kind, "tried"] += 1
        tally.rows[kind, "audit"] += ours["verdict"] >= 2
        tally.rows[kind, "verifier"] += theirs.verdict in ("broken", "unknown")
        if ours["record"] != theirs.record or any(ours[name] != theirs.counts[name] for name in ON_WORD):
            tally.missed.append("%s: our audit says %s; the verifier %d: %s %s" % (what, ours, theirs.record, theirs.why, theirs.counts))
        if ours["record"] > close and not ours["missed"]:  # nothing is wrong but that the turn is not there yet
            free.add(case)
        if case[2].endswith("mona's") and ours["record"] > close and not ours["acts"]:
            tally.missed.append("%s: nothing counts the act, whose signature is sealed" % what)
    for case in free ^ (FREE & asked):
        tally.missed.append("%s: %s: the misses %s" % (kind, ", ".join(case), "rest on nobody's word" if case in free else "rest on somebody's word"))
