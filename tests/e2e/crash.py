"""A batch of 20 games killed at ten different moments, started again, compared with an undisturbed run.

LONG=1: killed at every point, and in the middle of writes of every length (make crash)."""
import itertools
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *


def one(job):
    base, want, kind, at, number = job
    league = copy(base, "killed%d" % number)
    try:
        league.tp("run", "--now", NOW, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "%s:%s" % (kind, at)})
        league.tp("run", "--now", NOW)
        found = differences(outcome(league), want, torn=kind == "torn")
        return ["%s at %s: %s" % (kind, at, what) for what in found]
    except Failed as why:
        return ["%s at %s: %s" % (kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


PARTS = (1, 250, 500, 750, 999)  # thousandths of a write that are written


def torn_jobs(base, want, points):
    """Writes of each length class cut at several places; and every fifteenth point, whatever it is."""
    at = ["%d:%d" % (point, part) for _most, writes in writes_by_length()
          for point, part in itertools.islice(spread(writes), 50)]
    at += ["%d:%d" % (point, PARTS[point % len(PARTS)]) for point in range(1, points + 1, 15)]
    return [(base, want, "torn", wish, points + 1 + number) for number, wish in enumerate(at)]


def spread(writes):
    """Points of the list, each with one part after the other, from all over it."""
    for number in range(len(PARTS) * len(writes)):
        yield writes[number * 7 % len(writes)], PARTS[number % len(PARTS)]


def play(_):
    base = make_base()
    want, points, _allocs = undisturbed(base)
    check(points > 100, "only %d points" % points)
    verify_chains(League("quiet"))  # the others have the same journals, byte for byte, or are at fault
    classes = writes_by_length()
    check(classes[-1][0] > 65536 and len(classes) >= 5, "no writes of these lengths: %s" % [most for most, _ in classes])
    if os.environ.get("LONG"):
        jobs = [(base, want, "kill", str(at), at) for at in range(1, points + 1)] + torn_jobs(base, want, points)
    else:
        jobs = [(base, want, "kill", str(1 + (points - 1) * n // 6), n) for n in range(7)]
        jobs += [(base, want, "torn", "%d:%d" % (classes[-1 - n][1][0], part), 7 + n) for n, part in enumerate((999, 750, 1))]
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
