"""One record of every kind that a game has, well signed, and in it each member takes every odd value: the record is the last of
its journal. Without the key to the boxes our audit plays no rules either, so it and the second verifier must agree on all of them, and
name the same record; with them it may find more."""
import calendar
import copy
import json
import random
import time
import traceback

import journal
from appended import ON_WORD, OWN, kind_of, no_less, same
from boxes import Keys
from changes import lines_of, paths, replaced

DAY = 86400
NOT_VARIED = ("prev",)
# What only who knows the rules, or how a program shows them, can judge.
OF_RULES = ("ruleset", "version", "cards", "card_data", "options", "seats", "views")  # in `create`
TIMES = ("1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", "0000-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59Z")
ODD = (
    *(None, True, False, 0, -1, 1, 7, 2**31, 2**53, 2**63 - 1, -(2**63), 2**63, 1.5),
    *("", "x", "x" * 3000, "\x1b[2J", "\u00e9", "operator", "0" * 64, "2026-02-30", "2026-11-21", "0001-01-01"),
    *([], [[]], [1, 1], [2, 1], [None], [{}], ["x"], {}, {"x": 1}),
    *TIMES,
)


# Of games that have none, so that its members are varied, too.
CLOCK = {
    **{"schedule": "1d Europe/Berlin", "zone": "Europe/Berlin", "offset": 3600},
    **{"changes": [{"at": "2027-03-28T01:00:00Z", "offset": 7200}, {"at": "2027-10-31T01:00:00Z", "offset": 3600}]},
    **{"grace": 3600, "minimum": 60, "early": True, "vote": 50, "extension": 86400},
    **{"weekends_off": True, "holidays": ["12-25", "2026-10-03"], "starts": 1},
}
CLOCK_VALUES = (-43200, 900, 7200, 50400, 51300, "Europe/Paris", "posixrules", "europe/berlin", "Europe//Berlin", [{"at": "2027-03-28T01:00:00Z", "offset": 7200}] * 65, "never", "3d", "1d", "23h60m UTC", "24h UTC", "1d CET", "1d ", "hourly", "daily 08:00 UTC", "mon wed 20:00 UTC", "mon 24:00 UTC", "wed mon 20:00 UTC", "mon 20:00 mon 08:00 UTC", "3d UTC UTC", "3d Europe/Berlin", "Europe/Berlin", "CET", "02-30", "02-29", "2027-02-29")


def names_of(records):
    return sorted({r[m] for r in records for m in ("player", "robot", "witness") if isinstance(r.get(m), str)})


def values_for(records, at):
    """What stands nowhere else in this list depends on the game: names, and times before and after the record."""
    times = sorted({r["time"] for r in records})
    return [*ODD, *names_of(records)[:2], times[0], records[at]["time"], times[-1], "2031-01-01T00:00:00Z"]


def places(game):
    """The index of the first record of each kind."""
    found = {}
    for i, line in enumerate(lines_of(game.data)):
        found.setdefault(kind_of(json.loads(line)), i)
    return sorted(found.values())


def seconds_of(when):
    return calendar.timegm(time.strptime(when, "%Y-%m-%dT%H:%M:%SZ"))


def utc(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def operators(open_turn):
    """(what the operator did before, record): what an operator can do without anybody's signature, and the clock."""
    turn, deadline, now, player = (open_turn[name] for name in ("turn", "deadline", "now", "player"))
    moderate = {"type": "moderate", "by": "operator", "reason": "Because.", "turn": turn}
    note = {"type": "note", "turn": turn}
    later = utc(deadline + 5 * DAY)
    away = [{"seat": 1, "player": player, "from": "2026-11-01", "to": "2026-11-30", "before": utc(deadline)}]
    pause = {**moderate, "do": "pause"}
    yield from (([], {**moderate, "do": do}) for do in ("pause", "hold", "resolve"))
    yield [pause], {**moderate, "do": "resume"}
    yield [pause], {**moderate, "do": "resume", "deadline": later}
    yield [], {**moderate, "do": "extend", "deadline": later}
    yield [], {**moderate, "do": "replace", "seat": 1, "robot": player}
    yield [], {**moderate, "do": "replace", "seat": 1, "robot": player, "to": "zoe", "until": later}
    yield [], {**moderate, "do": "resend", "seat": 1}
    yield [], {**moderate, "do": "correct", "changes": [{"path": "x", "before": 0, "after": 1}], "state": "0" * 64}
    back = {**moderate, "do": "rollback", "record": open_turn["seq"], "from": turn, "state": open_turn["state"], "deadline": utc(now + DAY)}
    yield [pause], back
    yield [pause, {**moderate, "do": "void"}], {"type": "end", "reason": "void", "scores": [], "turns": turn - 1}
    shift = {**note, "kind": "shift", "from": utc(deadline)}
    yield [], {**shift, "why": "vacation", "deadline": later, "away": away}
    yield [], {**shift, "why": "outage", "deadline": later, "seconds": 90000}
    hold = {**note, "kind": "hold", "missing": [1], "awaited": [1], "until": later}
    yield [], hold
    yield [hold], {**note, "kind": "hold", "released": True}
    yield [], {**note, "kind": "offer", "seat": 1, "to": "zoe", "until": later}
    yield [], {**note, "kind": "offer", "seat": 1}
    yield [], {**note, "kind": "lost", "rollbacks": 1}
    missed = {"type": "close", "turn": turn, "seals": [""] * open_turn["seats"], "missed": [1], "set": [], "deal": open_turn["deal"], "rollbacks": 0}
    late = {**missed, "time": utc(deadline + 20 * DAY)}
    yield [{**moderate, "do": "resolve"}], missed
    yield [pause, {**moderate, "do": "resume", "time": utc(deadline + 3600)}], late
    yield [{**moderate, "do": "resend", "seat": 1}, back], {**late, "rollbacks": 1}


def made_by_hand(game, lines, records):
    """(prefix, records, index of the one to vary, records whose boxes may be opened): after the record that opens a turn."""
    at = next((i for i, r in enumerate(records) if r["type"] == "turn"), None)
    if at is None or "deadline" not in records[at]:
        return
    opener, start = records[at], next(r for r in records if r["type"] == "start")
    drawn = [d["player"] for d in start.get("drawn", []) if d["seat"] == 1]
    seated = next(r for r in records if (r.get("why") == "entered" or "mark" in r and "waited" not in r) and (r["player"] in drawn if drawn else r.get("seat") == 1))
    keys = [seated["signed"]["signature"]["key"]] if "signed" in seated else []
    turn = {"turn": opener["turn"] + 1, "seq": at + 1, "state": opener["state"], "seats": records[0]["seats"]}
    turn.update(deadline=seconds_of(opener["deadline"]), now=seconds_of(opener["time"]), player=seated["player"], keys=keys, deal=start["pi"][:64])
    for before, record in operators(turn):
        told = records[: at + 1]
        for one in [*before, record]:
            told = told + [{"game": opener["game"], "seq": len(told) + 1, "time": opener["time"], **one}]
        made = [line_of(one) for one in told[at + 1 : -1]]
        yield game.league.chain(lines[: at + 1] + made, at + 1), told, len(told) - 1, at + 1


def line_of(record):
    """Without chain, which the league makes."""
    fields = {name: value for name, value in record.items() if name != "prev"}
    ordered = {name: fields.pop(name) for name in ("game", "seq") if name in fields}
    body = json.dumps({**ordered, "prev": "", **fields}, separators=(",", ":"), ensure_ascii=False)
    return body.encode() + b"\n"


def varied(records, at):
    """(path, value, record) of each member, however deep, and each value."""
    record = records[at]
    for path, was in paths(record):
        if path[0] in NOT_VARIED or any(isinstance(step, int) and step > 1 for step in path):
            continue
        for value in [*values_for(records, at), *(CLOCK_VALUES if path[0] == "clock" else ())]:
            if type(value) is not type(was) or value != was:
                yield path, value, replaced(record, path, value)
    yield from other_members(records, at)


def other_members(records, at):
    """One member is gone, or one more is there, as it stands in another record."""
    record = records[at]
    for name in sorted(set(record) - {"type", "time", *OWN}):
        yield (name,), "gone", {member: value for member, value in record.items() if member != name}
    others = {name: value for other in records for name, value in other.items()}
    for name in sorted(set(others) - set(record)) if at else ():
        yield (name,), "more", {**record, name: others[name]}


class Verifier:
    """The second verifier before a record: what stands before it is read once."""

    def __init__(self, game, lines, opened):
        self.checker = journal.Checker(game.keys if opened else Keys(), game.key)
        self.out = journal.Verdict()
        wrong = journal.walk(self.out, self.checker, [line[:-1] for line in lines], {})
        assert wrong is None, wrong

    def judge(self, line):
        checker, out = copy.deepcopy(self.checker), journal.Verdict()
        wrong = journal.walk(out, checker, [line[:-1]], {}) or journal.ending(checker, False, {})
        out.counts = checker.counts
        return out.broken(*wrong) if wrong else out


def of_rules(record, path):
    return record["type"] == "create" and path[0] in OF_RULES


def counted(ours, theirs, last):
    """What is counted otherwise, where both find nothing wrong with the last record."""
    good = ours["verdict"] < 2 or ours["record"] == theirs.record == last + 1
    differ = [what for what in ON_WORD if good and theirs.counts and ours[what] != theirs.counts[what]]
    return "".join("; %s: %d and %d" % (what, ours[what], theirs.counts[what]) for what in differ)


def judge_one(game, auditor, prefix, opened, verifier, case, tally):
    path, value, record = case
    data = b"".join(game.league.chain(prefix + [line_of(record)], len(prefix)))
    ours = auditor.ask(data, game.key, opened and game.league.master)
    where = "%s: record %d, %s %s: %s is %s" % (game.name, len(prefix) + 1, record["type"], record.get("kind") or record.get("do") or "", ".".join(map(str, path)), json.dumps(value)[:40])
    try:
        theirs = verifier.judge(data[len(b"".join(prefix)) :])
    except Exception:  # whatever it is, no journal may do that
        tally.missed.append("%s: the verifier throws: %s" % (where, traceback.format_exc(limit=-2).replace("\n", " ")))
        return
    kind = "odd values, all signed" + ("" if opened else ", nothing opened")
    tally.rows[kind, "tried"] += 1
    tally.rows[kind, "audit"] += ours["verdict"] >= 2
    tally.rows[kind, "verifier"] += theirs.verdict in ("broken", "unknown")
    if ours["verdict"] != 2:
        tally.harmless[kind, "it could stand there"] += 1
    fits = same if not opened and not of_rules(record, path) else no_less
    otherwise = counted(ours, theirs, len(prefix) + 1) if not opened else ""
    if otherwise or not fits(ours, theirs):
        tally.missed.append("%s: our audit says %d: %s; the verifier %d: %s" % (where, ours["record"], ours["why"], theirs.record, theirs.why) + otherwise)


def judge(game, auditor, tally, share=1.0, part=0, parts=1):
    """`share` of all of what is found in the game or added by hand, chosen by the game's name; of these each `parts`th."""
    lines, rng = lines_of(game.data), random.Random(game.name)
    records = [json.loads(line) for line in lines]
    timed = [{**records[0], "turn_length": DAY, "clock": CLOCK}, *records[1:]]
    stories = [(lines[:at], timed if at == 0 else records, at, at + 1) for at in places(game)] + list(made_by_hand(game, lines, records))
    for prefix, told, at, kept in stories if share == 1 else rng.sample(stories, len(stories) // 6):
        cases = [case for i, case in enumerate(varied(told, at)) if rng.random() < share and i % parts == part]
        for opened in (False, True) if cases else ():
            verifier = Verifier(game, prefix, opened)
            for case in cases:
                judge_one(game, auditor, prefix, opened, verifier, case, tally)
