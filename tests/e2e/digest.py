"""One mail a day: what a digest proves, and kills at every sixth point of the run that makes it, which makes no
records; and where the run before it has staged what it will commit, with another kind of record next (comes_next.py).

LONG=1: kills at every point, also of the run before it, in which the reports are made that wait for it, and calls that fail."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *
from comes_next import *

PLAYED, MORNING = "2026-11-20T12:00:00Z", "2026-11-21T07:00:00Z"
ALICE = "alice@players.test"

def make():
    """Alice wants digests; the reports of three games are about to be made, in which bob was awaited last."""
    base = League("base")
    base.today = NOW[:10]
    base.init()
    alice, bob = Player("alice"), Player("bob")
    base.add(alice)
    base.add(bob)
    base.put_mail(alice.mail(base.petition("prefs", "digest: 07:00")), "prefs")
    base.tp("run", "--now", "2026-11-20T08:00:00Z")
    for number in range(3):
        base.seated("g%d" % number, "galaxy-command", "alice,bob", "--now", "2026-11-20T08:00:00Z")
        base.put_mail(alice.mail(base.orders("g%d" % number, 1, ["explore near"])), "a%d" % number)
    base.tp("run", "--now", NOW)
    for number in range(3):
        base.put_mail(bob.mail(base.orders("g%d" % number, 1, ["bide"])), "b%d" % number)
    return base


def result(league, when):
    """What comes of it when the run at `when`, which was ended, is made again."""
    if when == PLAYED:
        league.tp("run", "--now", PLAYED)
    league.tp("run", "--now", MORNING)
    return outcome(league)


def one(job):
    base, want, when, kind, at, number = job
    league = copy(base, "killed%d" % number)
    try:
        code = None if kind == "fail" else -9
        league.tp("run", "--now", when, binary=FAULT, code=code, env={"TURNPOST_FAULT": "%s:%s" % (kind.replace("else", "kill"), at)})
        if kind == "else":
            what, now = comes_next(league, at, when)
            league.tp("run", "--now", now)
            return ["killed at %s, then %s: %s" % (at, what, wrong) for wrong in sound(league)]
        return ["%s %s at %s: %s" % (when, kind, at, what) for what in differences(result(league, when), want)]
    except Failed as why:
        return ["%s %s at %s: %s" % (when, kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


def count(base, when):
    league = copy(base, "counted")
    league.tp("run", "--now", when, binary=FAULT, env={"TURNPOST_FAULT": "count:%s" % (WORK / "count")})
    points = int((WORK / "count").read_text())
    (WORK / "count").unlink()
    shutil.rmtree(league.dir)
    return points


def look_at(league):
    """The digest as its reader gets it: everything in it is proved."""
    mail = [m for m in league.outbox(ALICE) if "in one" in m["Subject"]]
    check(len(mail) == 1, "%d digests" % len(mail))
    text = text_of(mail[0])
    check(max(len(line) for line in text.split("YOUR CHOICES")[0].splitlines()) <= 78, "long lines")
    (WORK / "mail").write_bytes(mail[0].as_bytes(policy=email.policy.SMTP))
    lines = [tlog.entry_of(line) for line in tlog.proved(proof_of(mail[0]), league_point(league))]
    kinds = {game: [line["kind"] for line in lines if line["name"] == game] for game in ("g0", "g1", "g2")}
    check(set(map(tuple, kinds.values())) == {("start", "close", "turn")}, "it proves %s" % kinds)
    said = league.tp("verify", WORK / "mail", "--key", league.dir / "keys/league.pub")
    check(said.count("\n  entry ") == len(lines), said)
    check(mail[0]["Message-ID"].startswith("<digest.alice.m"), mail[0]["Message-ID"])


def play(_):
    base = make()
    quiet = copy(base, "quiet")
    quiet.tp("run", "--now", PLAYED)
    status = json.loads(quiet.tp("status", "--json", "--now", PLAYED))
    check(status["spool"]["digest"] == 6 and status["players"][0]["digest"] == 6, "status: %s" % status)
    evening = copy(quiet, "evening")
    quiet.tp("run", "--now", MORNING)
    look_at(quiet)
    want = outcome(quiet)
    check(want[2:] == (0, 0), "left behind: %s" % (want[2:],))
    points = count(evening, MORNING)
    step = 1 if os.environ.get("LONG") else 6
    jobs = [(evening, want, MORNING, "torn" if at % 5 == 0 else "kill", at, at) for at in range(1, points + 1, step)]
    staged, before = staged_at(copy(base, "traced"), PLAYED)
    jobs += [(base, want, PLAYED, "else", at, 2000 + at) for at in (range(1, before + 1) if os.environ.get("LONG") else staged)]
    if os.environ.get("LONG"):
        jobs += [(base, want, PLAYED, "kill", at, 1000 + at) for at in range(1, before + 1)]
        for number, fault in enumerate(("28", "5", "4")):
            jobs += [(evening, want, MORNING, "fail", "%d:%s" % (at, fault), 5000 + 1000 * number + at)
                     for at in range(1, points + 1)]
    faults = []
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(one, jobs, chunksize=4):
            faults += found
    for fault in faults[:20]:
        print(fault)
    check(not faults, "%d faults" % len(faults))
    print("%d kills at %d points of a digest: lost or doubled: 0" % (len(jobs), points))


main(play)
