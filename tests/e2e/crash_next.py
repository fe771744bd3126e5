"""A batch is killed, and what comes next is not the same batch again, but another kind of record: a moderator's pause, an outage that
moves deadlines, a reminder, another player's mail, a new game. Of a commit that did not happen nothing may be taken for a part of
what follows: all games are proved by their files, each order that was sent is in force once, and no mail tells of what never was.

LONG=1: killed at every point before each of them (make crash); over PostgreSQL at every point before one of them (make cluster)."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *
from comes_next import *

LONG = bool(os.environ.get("LONG"))
BEGUN, BEFORE, DEADLINE = "2026-11-18T08:00:00Z", "2026-11-20T07:00:00Z", "2026-11-20T08:00:00Z"
NAMES = ("g00", "g01", "g02")  # the first is complete with alice's mail, the others are due


def make_base():
    """Games whose turn is due in the run that will be killed; alice's orders come in it, and she wants to be reminded of her turns."""
    base = League("base")
    base.init()
    base.set("clock", reminder="12h")
    base.alice, base.bob = Player("alice"), Player("bob", "signify")
    base.add(base.alice)
    base.add(base.bob)
    for name, seats in zip(NAMES, ("alice,robot", "alice,bob", "bob,robot")):
        base.tp("new", name, "galaxy-command", "--seats", seats, "--seated", "--deadline", "2d", "--now", BEGUN)
    for now in (BEGUN, BEFORE):
        base.tp("run", "--now", now)
    return base


def mailed(base, name):
    """A copy with alice's orders in its mailbox."""
    league = copy(base, name)
    for game in NAMES[:2]:
        league.put_mail(base.alice_mails[game], "alice-" + game)
    return league


def other_mail(league, now):
    """Another player's, before hers come."""
    def work():
        for name in NAMES[1:]:
            league.put_mail(league.bob_mails[name], "bob-" + name)
        league.tp("run", "--now", now)
    aside(league, work)


KINDS = dict(NEXT, mail=other_mail)


def in_force(league, base):
    """Alice's orders, each once, or her turn was played without them and she is told so."""
    wrong = []
    for name in NAMES[:2]:
        count = sum(r["type"] == "orders" and r["seat"] == 1 for r in league.records(name))
        sent = parse(base.alice_mails[name])["Message-ID"]
        told = any(mail["In-Reply-To"] == sent for mail in league.outbox(base.alice.address))
        wrong += ["alice's orders are %d times in %s" % (count, name)] * (count > 1 or (count == 0 and not told))
    return wrong


def one(job):
    base, what, wish, number = job
    league = mailed(base, "%s%d" % (what, number))
    try:
        league.tp("run", "--now", DEADLINE, binary=FAULT, code=-9, env={"TURNPOST_FAULT": wish})
        league.bob_mails = base.bob_mails
        KINDS[what](league, DEADLINE)
        league.tp("run", "--now", later(DEADLINE, GOES_ON))
        return ["%s, then %s: %s" % (wish, what, found) for found in sound(league) + in_force(league, base)]
    except Failed as why:
        return ["%s, then %s: %s" % (wish, what, why)]
    finally:
        shutil.rmtree(league.dir)


def play(_):
    base = make_base()
    base.alice_mails = {name: base.alice.mail(base.orders(name, 1, ["explore near"])) for name in NAMES[:2]}
    base.bob_mails = {name: base.bob.mail(base.petition("extend", "hours: 24", game=name, turn=1)) for name in NAMES[1:]}
    staged, count = staged_at(mailed(base, "quiet"), DEADLINE)
    check(len(staged) == 2, "a batch of mails and one of the clock: %s" % staged)
    points = range(1, count + 1) if LONG else staged
    each = list(KINDS)
    jobs = [(base, what, "kill:%d" % at, at) for at in points for what in (each[at % len(each):][:1] if LONG and DATABASE else each)]
    faults = []
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(one, jobs, chunksize=2):
            faults += found
    for fault in faults[:20]:
        print(fault)
    print("%d kills at %d points, each before one of %d other kinds of records; damaged: %d" % (len(jobs), count, len(KINDS), len(faults)))
    check(not faults, "%d faults" % len(faults))


main(play)
