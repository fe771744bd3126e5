"""A batch of 20 games killed at ten different moments, started again, compared with an undisturbed run."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

GAMES = 20
NOW = "2026-11-20T09:00:00Z"


def outcome(league):
    """Everything that must be the same: journals, sealed payloads, mails by Message-ID, nothing left in the inbox."""
    games = {}
    for number in range(GAMES):
        name = "g%02d" % number
        games[name] = (league.journal(name), (league.dir / "games" / name / "sealed.jsonl").read_bytes())
    ids = {}
    for who in ("alice", "bob"):
        for mail in league.outbox(who + "@players.test"):
            ids.setdefault((who, mail["Message-ID"]), set()).add(mail.as_bytes())
    left = len(list((league.dir / "mail/in/new").iterdir()))
    spool = sum(1 for p in (league.dir / "spool").rglob("*.eml"))
    return games, ids, left, spool


def play(_):
    base = League("base")
    base.init()
    alice, bob = Player("alice"), Player("bob", "signify")
    base.add(alice)
    base.add(bob)
    for number in range(GAMES):
        base.tp("new", "g%02d" % number, "galaxy-command", "--seats", "alice,bob,robot", "--now", "2026-11-20T08:00:00Z")
    for number in range(GAMES):
        name = "g%02d" % number
        base.put_mail(alice.mail(orders(name, 1, ["explore near", "build"])), "a%02d" % number)
        if number % 4:  # every fourth game waits for bob
            base.put_mail(bob.mail(orders(name, 1, ["bide", "always explore near"]), attach=True), "b%02d" % number)

    def copy(name):
        league = League(name)
        shutil.copytree(base.dir, league.dir, symlinks=True)
        return league

    quiet = copy("quiet")
    count = WORK / "count"
    quiet.tp("run", "--now", NOW, binary=FAULT, env={"TURNPOST_FAULT": "count:%s" % count})
    points = int(count.read_text())
    want = outcome(quiet)
    check(points > 100, "only %d points" % points)
    check(want[2] == 0 and want[3] == 0, "the undisturbed run left mail behind: %s" % (want[2:],))
    again = copy("again")
    again.tp("run", "--now", NOW)
    check(outcome(again) == want, "two undisturbed runs differ")

    tries = 0
    for number in range(10):
        kind = "torn" if number % 3 == 2 else "kill"
        at = 1 + (points - 1) * number // 9
        league = copy("killed%d" % number)
        league.tp("run", "--now", NOW, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "%s:%d" % (kind, at)})
        league.tp("run", "--now", NOW)
        got = outcome(league)
        for name in want[0]:
            check(got[0][name] == want[0][name], "%s at %d: game %s differs" % (kind, at, name))
            verify_chain(league, name)
        check(set(got[1]) == set(want[1]), "%s at %d: mails lost or new: %s" % (kind, at, set(got[1]) ^ set(want[1])))
        check(all(len(bodies) == 1 for bodies in got[1].values()), "%s at %d: one Message-ID, two mails" % (kind, at))
        check(got[1] == want[1], "%s at %d: a mail differs" % (kind, at))
        check(got[2:] == (0, 0), "%s at %d: mail left behind: %s" % (kind, at, got[2:]))
        shutil.rmtree(league.dir)
        tries += 1
    print("%d kills among %d points: 35 orders, 15 turns, none lost, none doubled" % (tries, points))


main(play)
