"""Every prefix of a game, and after it one record of every kind that is well signed, as a league could write it: without the
key to the boxes our audit plays no rules either, so it and the second verifier must agree on all of them, name the same record, and count alike
what rests on the operator's word."""
import json

import journal
from changes import lines_of

ON_WORD = ("missed", "deadlines", "interventions", "keys", "mailboxes", "strangers", "acts")  # what rests on the operator's word is counted alike
OWN = ("game", "seq", "prev")


def kind_of(record):
    """What makes a record one of its kind: its type, what it says or does, and which members it has."""
    return (record["type"], record.get("kind") or record.get("do") or "", tuple(sorted(set(record) - set(OWN))))


def samples(games):
    """One record of every kind that these games have."""
    out = {}
    for game in games:
        for line in lines_of(game.data):
            record = json.loads(line)
            out.setdefault(kind_of(record), {name: value for name, value in record.items() if name not in OWN})
    return [out[kind] for kind in sorted(out)]


def turn_of(records):
    """The open turn after these records."""
    turn = 0
    for record in records:
        if record["type"] in ("start", "turn"):
            turn = record["turn"] + 1
        elif record.get("do") == "rollback":
            turn = record["turn"]
    return turn


def appended(game, all_samples, step):
    """(what, records of the prefix, journal) of each `step`th prefix with each record after it."""
    lines = lines_of(game.data)
    records = [json.loads(line) for line in lines]
    for count in range(1, len(lines) + 1, step):
        turn, before = turn_of(records[:count]), records[count - 1]
        for sample in all_samples:
            record = {"game": before["game"], "seq": count + 1, "prev": "", **sample, "time": before["time"]}
            if "turn" in record and record.get("do") != "rollback":
                record["turn"] = turn
            what = "%s %s behind record %d (%s)" % (sample["type"], sample.get("kind") or sample.get("do") or "", count, before["type"])
            made = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
            yield what, count, b"".join(game.league.chain(lines[:count] + [made], count))


def same(ours, theirs):
    found, seen = ours["verdict"] >= 2, theirs.verdict in ("broken", "unknown")
    if not found and not seen:
        return all(ours[what] == theirs.counts[what] for what in ON_WORD)
    return found == seen and ours["record"] == theirs.record


def no_less(ours, theirs):
    """With the boxes open our audit plays the rules, and may find more."""
    found, seen = ours["verdict"] >= 2, theirs.verdict in ("broken", "unknown")
    return found or not seen if not (found and seen) else ours["record"] <= theirs.record


def judge(game, auditor, all_samples, step, tally):
    for what, count, data in appended(game, all_samples, step):
        for opened, fits, kind in ((False, same, "one record more, all signed, nothing opened"), (True, no_less, "one record more, all signed")):
            ours, theirs = auditor.ask(data, game.key, opened and game.league.master), journal.check(data, game.key, keys=game.keys if opened else None)
            tally.rows[kind, "tried"] += 1
            tally.rows[kind, "audit"] += ours["verdict"] >= 2
            tally.rows[kind, "verifier"] += theirs.verdict in ("broken", "unknown")
            if ours["verdict"] != 2:
                tally.harmless[kind, "it could stand there"] += 1
            if not fits(ours, theirs):
                tally.missed.append("%s: %s: our audit says %d: %s; the verifier %d: %s" % (game.name, what, ours["record"], ours["why"], theirs.record, theirs.why))
