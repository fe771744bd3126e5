"""A host whose clock is lost or set wrongly: nothing at all is done by it, and everybody who asks is told, until somebody keeps the clock
right, or the operator says that it is. A league that was off for a year goes on unasked where the clock is kept right."""
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

DAY = 86400
YEAR_9999 = 253370764800 - int(time.time())  # from now to the first day of that year


def clock(league, *args, shift=0, kept="no", code=0):
    return league.tp(*args, binary=FAULT, code=code, env={"TURNPOST_SHIFT": str(int(shift)), "TURNPOST_KEPT": kept})


def files(league):
    """All that records and mails are in."""
    return {path: path.read_bytes() for folder in ("games", "spool", "players", "mail") for path in (league.dir / folder).rglob("*") if path.is_file()}


def make(alice, name="league"):
    league = League(name)
    league.init()
    league.add(alice)
    clock(league, "new", "g1", "galaxy-command", "--seats", "alice,robot", "--deadline", "3d")
    league.put_mail(alice.mail(league.petition("join", game="g1")), "join")
    clock(league, "run")
    return league


def refused(league, shift):
    """The clock is ahead by this, and nothing says that it is right."""
    league.put_mail(b"From: x@players.test\nTo: orders@game.test\nSubject: games\nMessage-ID: <%d@players.test>\n\ngames\n" % int(abs(shift)), "m%d" % shift)
    before = files(league)
    for command in (["run"], ["moderate", "g1", "pause", "--reason", "x"]):
        clock(league, *command, shift=shift, code=75)
        check("clock" in league.err and files(league) == before, "%s at %d: %s" % (command, shift, league.err))
    check("clock" in clock(league, "status", shift=shift, code=2), "status at %d" % shift)
    check("FAILED   clock" in clock(league, "doctor", shift=shift, code=None), "doctor at %d" % shift)
    clock(league, "clock", shift=shift, code=75)


def put_off():
    """A draw that was due in an outage waits for a day: nobody is asked whether turnpost is running, and its time is shown."""
    league = League("cup")
    league.init()
    names = ("ann", "ben", "cam", "dot")
    for name in names:
        league.add(Player(name))
    sh(pathlib.Path(TURNPOST).parent / "tests/bench/compete", "new", league.dir, "cup", "tables", "galaxy-command", 2, 2, 10, 24, 0, "-", WORK / "players", *names)
    for now in ("2026-11-20T12:00:00Z", "2026-11-24T12:00:00Z"):
        league.tp("run", "--now", now)
    at = ("--now", "2026-11-24T13:00:00Z")
    shown = league.tp("compete", "show", "cup", *at)
    check("Next: the next draw 2026-11-25T12:00:00Z" in shown, shown)
    for said in (league.tp("status", *at, code=None), league.tp("doctor", *at, code=None)):
        check("is turnpost running" not in said, said)
    league.tp("status", "--now", "2026-11-25T13:00:00Z")  # a league whose rounds are a day apart
    late = ("--now", "2026-11-25T19:00:00Z")
    for said in (league.tp("status", *late, code=2), league.tp("doctor", *late, code=None)):
        check("round 1 was to be drawn and has not been: is turnpost running" in said, said)
    for now in ("2026-11-25T01:00:00Z", "2026-11-25T13:00:00Z"):
        league.tp("run", "--now", now)
    check("round 1 of" in league.tp("compete", "show", "cup", "--now", "2026-11-25T13:00:00Z"), "not drawn")


def play(_):
    alice = Player("alice")
    league = make(alice)
    for shift in (31 * DAY, -2 * DAY, 366 * DAY, YEAR_9999):
        refused(league, shift)
    # not even a clock that is said to be right is a year of more digits
    clock(league, "run", shift=YEAR_9999, kept="yes", code=75)
    # what an outage may be, and a clock that goes on
    clock(league, "run", shift=-DAY / 2)
    clock(league, "run", shift=29 * DAY)
    clock(league, "run", shift=29 * DAY)
    verify_chains(league)
    # off for a year: by a clock that is kept right unasked, by another one on the operator's word, which counts for this time alone
    kept, said = make(alice, "kept"), make(alice, "said")
    clock(kept, "run", shift=366 * DAY, kept="yes")
    clock(said, "run", shift=366 * DAY, code=75)
    check("confirmed" in clock(said, "clock", "--confirm", shift=366 * DAY), "not confirmed")
    clock(said, "run", shift=732 * DAY, code=75)
    clock(said, "run", shift=366 * DAY)
    clock(said, "run", shift=0, code=75)
    clock(said, "run", shift=366 * DAY)
    for one in (kept, said):
        verify_chains(one)
    # a daemon waits, and does nothing
    waits = make(alice, "waits")
    before = files(waits)
    daemon = subprocess.Popen([FAULT, "daemon", "--league", str(waits.dir)], stderr=subprocess.PIPE,
                              env=dict(os.environ, TURNPOST_SHIFT=str(90 * DAY), TURNPOST_KEPT="no"))
    said = b""
    while b"nothing is done" not in said:
        line = daemon.stderr.readline()
        check(line, "the daemon has ended: %s" % said)
        said += line
    daemon.send_signal(signal.SIGTERM)
    check(daemon.wait(timeout=30) == 0 and files(waits) == before, "a daemon at a wrong clock")
    # nor is anything done by a time that is typed, so far ahead, before it is confirmed
    typed = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + days * DAY)) for days in (29, 90)] + ["9999-01-01T00:00:00Z"]
    for when in typed[1:]:
        for command in (["run"], ["moderate", "g1", "pause", "--reason", "x"]):
            clock(waits, *command, "--now", when, code=1)
            check("nothing is done" in waits.err and files(waits) == before, "%s by %s: %s" % (command, when, waits.err))
    clock(waits, "clock", "--confirm", "--now", typed[2])
    clock(waits, "run", "--now", typed[2], code=1)
    clock(waits, "clock", "--confirm", "--now", typed[1])
    for when in typed[:2]:
        clock(waits, "run", "--now", when)
    verify_chains(waits)
    put_off()
    print("4 wrong clocks: nothing was done by run, a command and a daemon; a year off, kept right or confirmed, goes on")


main(play)
