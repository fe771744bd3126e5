"""Work on a league is killed, and what comes next is not the same work again but another kind of record: a moderator's pause, an
outage that moves deadlines, a reminder, a new game. Every test that kills between the pieces of a commit of records plays that, too
(comes_next), and then the same work, and then holds the league against its files and mails (sound): nothing of a commit that did not
happen may be taken for a part of what follows."""
import datetime

from league import *


def later(now, hours):
    moment = datetime.datetime.strptime(now, "%Y-%m-%dT%H:%M:%SZ") + datetime.timedelta(hours=hours)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def dated(now):
    return ["--now", now] if now else []


def aside(league, work):
    """Without the mails that wait in its mailbox."""
    box, away = league.dir / "mail/in/new", league.dir / "away"
    box.rename(away)
    box.mkdir()
    work()
    for path in away.iterdir():
        path.rename(box / path.name)
    away.rmdir()


def pause(league, now):
    names = sorted(path.parent.name for path in (league.dir / "games").glob("*/journal.jsonl"))
    for action in ("pause", "resume"):
        for name in names:
            said = league.tp("moderate", name, action, "--reason", "x", *dated(now), code=None) + league.err
            check(league.code == 0 or "is over" in said or "in lockstep" in said, "moderate %s %s: %d %s" % (name, action, league.code, said))


def outage(league, now):
    league.tp("run", "--now", later(now, 12))


def reminder(league, now):
    aside(league, lambda: league.tp("run", "--now", later(now, 12)))  # what was due has moved, and is near


def new_game(league, now):
    league.tp("new", "next", "galaxy-command", "--seats", "robot,", *dated(now))


NEXT = {"pause": pause, "game": new_game, "outage": outage, "reminder": reminder}
BY_THE_CLOCK = ("outage", "reminder")
GOES_ON = 13  # hours later all of these are over


def comes_next(league, number, now=None):
    """One of them, by the number of the point; in short forms a pause, in whose record nothing is boxed. `now` is None where work goes
    by the host's clock, whose outages would have to be waited for. Its name, and the time at which the work goes on."""
    kinds = [kind for kind in NEXT if now or kind not in BY_THE_CLOCK]
    kind = kinds[number % len(kinds) if os.environ.get("LONG") else 0]
    NEXT[kind](league, now)
    return kind, now and later(now, GOES_ON)


def sound(league):
    """What is wrong, whatever has happened: each journal and what is in its boxes are proved, no mail is left over or tells of what never
    was, and no two have one Message-ID."""
    said = league.tp("audit", code=None)
    journals = {path.parent.name: path for folder in ("competitions", "games") for path in (league.dir / folder).glob("*/journal.jsonl")}
    withheld = any(path.parent.parent.name == "competitions" for path in journals.values())  # games of theirs may be sealed still
    wrong = ["the audit (%d): %s" % (league.code, said)] * (league.code > (1 if withheld else 0))
    heads = {name: [head_of_line(line) for line in path.read_bytes().splitlines(keepends=True)] for name, path in journals.items()}
    heads.update({tlog.hidden_name(known[0]): known for known in list(heads.values()) if known})
    left = [path.name for path in (league.dir / "mail/in/new").glob("*")] + [path.name for path in (league.dir / "spool/tmp").iterdir()]
    wrong += ["left over: %s" % left] * bool(left)
    ids = {}
    for path in (league.dir / "mail/out").glob("*/new/*"):
        raw = path.read_bytes()
        mail, who = parse(raw), path.parent.parent.name
        ids.setdefault((who, mail["Message-ID"]), set()).add(raw)
        for game, seq, head in tlog.heads_in(proof_of(mail)):
            known = heads.get(game, [])
            if seq > len(known) or known[seq - 1] != head:
                wrong.append("a mail to %s tells of record %s of %s, which never was" % (who, seq, game))
    return wrong + ["one Message-ID, two mails: %s" % (key,) for key, bodies in ids.items() if len(bodies) != 1]
