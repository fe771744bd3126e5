"""Any one mail, and any one game's clock, fails with any error, anywhere: all others are served in the same run, the piece
itself changes nothing, and is done when the fault is gone.

LONG=1 (make faults): every call of the piece with every error; else a few of each."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *

CODES = {99: "a trap", 1: "input", 2: "config", 3: "temp", 4: "io", 5: "broken", 6: "missing", 7: "stale"}
LATE = "2026-12-05T09:00:00Z"
# What fails, when, and which of the games it belongs to. The clock's are weeks later: after an outage, which gives each game more
# time, and without one, so that turns are played.
KINDS = {
    "orders": ("mail:game: g02", NOW, "g02"),
    "help": ("mail:Subject: help", NOW, None),
    "petition": ("mail:#turnpost prefs", NOW, None),
    "clock": ("game:g02", LATE, "g02"),
    "turn": ("game:g02", LATE, "g02"),
}
CLOCKS = ("clock", "turn")


def put_all(base):
    """A mail of each kind beside the orders of the games: only one mail has g02's."""
    league = copy(base, "pieces")
    for path in (league.dir / "mail/in/new").iterdir():
        if path.name.startswith("b02"):
            path.unlink()
    carol = Player("carol")
    league.add(carol)
    league.put_mail(carol.mail("", subject="help", signed=False), "c-help")
    league.put_mail(carol.mail(league.petition("prefs", "html: no")), "c-prefs")
    return league


def copy_for(base, kind, name):
    league = copy(base, name)
    if kind == "turn":
        league.set("clock", outage="0")
    return league


def games_of(got, but):
    return {name: files for name, files in got[0].items() if name != but}


def untouched(got, was):
    """The journal, that is; half a line is cut before the next ones are written."""
    return got == was


def may_stay(name, game, code):
    """A game that ended the process is not read again by itself, so nobody knows whether its mails have a record."""
    return code == 99 and game and name.startswith(game + ".")


def one(job):
    base, want, kind, at, code, number = job
    wish, when, game = KINDS[kind]
    league = copy_for(base, kind, "piece%d" % number)
    found = []
    try:
        league.tp("run", "--now", when, binary=FAULT, code=None, env={"TURNPOST_PIECE": "%s:%d:%d" % (wish, at, code)})
        got = outcome(league)
        if league.code != 65:
            found.append("exit code %d: %s" % (league.code, league.err))
        if "the others go on" not in league.err:
            found.append("nothing was said: %s" % league.err)
        if games_of(got, game) != games_of(want, game):
            found.append("other games were not served as ever")
        if game and (got[0][game] == want[0][game] if kind in CLOCKS else not untouched(got[0][game], outcome(base)[0][game])):
            found.append("the piece was done all the same, or half")
        if [path for path in (league.dir / "spool/tmp").iterdir() if not may_stay(path.name, game, code)]:
            found.append("something is left in spool/tmp")
        if got[2] != (0 if kind in CLOCKS else 1):
            found.append("%d mails in the mailbox" % got[2])
        for minutes in ("15", "40"):
            league.tp("run", "--now", when.replace("09:00", "09:" + minutes))
        got = outcome(league)
        if set(got[1]) != set(want[1]) and kind not in CLOCKS:
            found.append("mails lost or new: %s" % sorted(set(got[1]) ^ set(want[1])))
        if got[2:] != (0, 0):
            found.append("%d mails in the mailbox, %d in the spool" % got[2:])
        for name in want[0]:
            if len(got[0][name]) != len(want[0][name]):
                found.append("%s has not come as far" % name)
        verify_chains(league)
    except Failed as why:
        found.append(str(why))
    finally:
        shutil.rmtree(league.dir)
    return ["%s, call %d, %s: %s" % (kind, at, CODES[code], what) for what in found]


def count(base, kind):
    league = copy_for(base, kind, "count")
    league.tp("run", "--now", KINDS[kind][1], binary=FAULT,
              env={"TURNPOST_PIECE": "%s:0:1" % KINDS[kind][0], "TURNPOST_PIECES": str(WORK / "calls")})
    want = outcome(league)
    shutil.rmtree(league.dir)
    return int((WORK / "calls").read_text()), want


def play(_):
    base = put_all(make_base(6))
    jobs, faults, points = [], [], {}
    for kind in KINDS:
        points[kind], want = count(base, kind)
        check(points[kind] > 2, "%s: %d calls" % (kind, points[kind]))
        for at in range(1, points[kind] + 1):
            codes = CODES if os.environ.get("LONG") else [99, list(CODES)[1 + (at + len(kind)) % 7]]
            if os.environ.get("LONG") or at % 3 == 1:
                jobs += [(base, want, kind, at, code, len(jobs) + n) for n, code in enumerate(codes)]
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(one, jobs, chunksize=2):
            faults += found
    for fault in faults[:20]:
        print(fault)
    print("%d times one piece was made to fail (%s calls); others not served or pieces lost: %d" %
          (len(jobs), ", ".join("%d of %s" % (n, k) for k, n in points.items()), len(faults)))
    check(not faults, "%d faults" % len(faults))


main(play)
