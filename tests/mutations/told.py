"""Games that nobody played (tests/verifier/synthetic.py), whole and broken, which our audit reads without the rules, as one reads a game that is
not over: of each it must say what the verifier must, and that as much rests on the operator's word. What the verifier finds by the key of all boxes alone, it must find by lines that open them
one by one."""
import itertools
import json

import breaks
import journal
import synthetic
from appended import ON_WORD
from boxes import box_key, salt_of, turned
from forms import base64_bytes


MAILED = ("mailed", "said", "questioned")  # whose mails no domain has signed


def opening(seq, seat, item, of, box):
    key = synthetic.PRESS_KEY if item >= 1000 else synthetic.SEAL_KEY
    k = box_key(key, bytes.fromhex(of))
    try:
        salt = salt_of(key, seq, seat, item, turned(k, base64_bytes(box, "a box")))
    except ValueError:  # the box is what is wrong
        salt = bytes(32)
    return "open %s %d %d %s %s\n" % (synthetic.GAME, seq, item, k.hex(), salt.hex())


def openings(lines):
    """The lines that open all boxes of a journal but those of mails, which no domain has signed."""
    out = []
    for seq, record in enumerate(map(json.loads, lines.splitlines()), 1):
        seat = record.get("seat", 0)
        if "box" in record:
            item = 0 if "orders" in (record["type"], record.get("do")) else 2 if record["type"] == "moderate" else 1000
            out.append(opening(seq, seat if item == 0 else 0, item, record.get("made", record["seal"]), record["box"]))
        for i, one in enumerate(record.get("hidden", [])):
            out.append(opening(seq, 0, 2 + i, one["seal"], one["box"]))
    return "".join(out).encode()


def ask(auditor, lines, opened):
    """(verdict, record), and what our audit says besides."""
    ours = auditor.ask(lines, synthetic.LEAGUE_KEY, opened=(synthetic.GAME, openings(lines)) if opened else None)
    return ("sound", 0) if ours["verdict"] < 2 else ({2: "broken", 3: "unknown"}[ours["verdict"]], ours["record"]), ours


def judge(auditor, tally):
    for story, changes in breaks.STORIES.items():
        _, lines = synthetic.told(story, breaks.changed(story, changes))
        shut = [line for line in lines.splitlines(True) if b'"type":"open"' not in line]
        lacks = len(shut) < len(lines.splitlines()) and story != "lockstepped"  # its seals may stay shut
        for opened in (False, True):
            found, ours = ask(auditor, b"".join(shut), opened)
            theirs = journal.check(b"".join(shut), keys=synthetic.KEYS if opened else None).counts
            say(tally, "%s, as it is" % story, found, ("broken", len(shut) + 1) if lacks else ("sound", 0))
            say(tally, "%s, on the operator's word" % story, [ours[name] for name in ON_WORD], [theirs[name] for name in ON_WORD])
    for opened, (what, want, step, changes, *story) in itertools.chain(zip(itertools.repeat(True), breaks.OPENED), zip(itertools.repeat(False), breaks.PUBLIC)):
        story = story[0] if story else "whole"
        told, lines = synthetic.told(story, breaks.changed(story, changes), step)
        if not (opened and story in MAILED) and b'"type":"open"' not in lines:  # which has our audit play the rules
            say(tally, what, ask(auditor, lines, opened)[0], (want, told.at[step]))


def say(tally, what, ours, want):
    tally.rows["told games", "tried"] += 1
    tally.rows["told games", "audit"] += ours == want
    tally.rows["told games", "verifier"] += 1
    if ours != want:
        tally.missed.append("told: %s: our audit says %s, and must say %s" % (what, ours, want))
