"""A batch of 20 games killed at ten different moments, started again, compared with an undisturbed run.

LONG=1: killed at every point (make crash)."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *


def one(job):
    base, want, kind, at, number = job
    league = copy(base, "killed%d" % number)
    try:
        league.tp("run", "--now", NOW, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "%s:%d" % (kind, at)})
        league.tp("run", "--now", NOW)
        found = differences(outcome(league), want)
        for name in want[0]:
            verify_chain(league, name, stock=False)
        return ["%s at %d: %s" % (kind, at, what) for what in found]
    except Failed as why:
        return ["%s at %d: %s" % (kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


def play(_):
    base = make_base()
    want, points, _allocs = undisturbed(base)
    check(points > 100, "only %d points" % points)
    if os.environ.get("LONG"):
        jobs = [(base, want, "kill", at, at) for at in range(1, points + 1)]
        jobs += [(base, want, "torn", at, points + at) for at in range(1, points + 1, 7)]
    else:
        jobs = [(base, want, "torn" if n % 3 == 2 else "kill", 1 + (points - 1) * n // 9, n) for n in range(10)]
    faults = []
    with multiprocessing.Pool(2) as pool:
        for number, found in enumerate(pool.imap_unordered(one, jobs, chunksize=4)):
            faults += found
            if sys.stderr.isatty() and number % 50 == 0:
                print("\r%d of %d" % (number, len(jobs)), end="", file=sys.stderr)
    for fault in faults[:20]:
        print(fault)
    print("%d kills at %d points: %d orders, %d turns, %d mails; lost or doubled: %d" %
          (len(jobs), points, ORDERS, TURNS, len(want[1]), len(faults)))
    check(not faults, "%d faults" % len(faults))


main(play)
