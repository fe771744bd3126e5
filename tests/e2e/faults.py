"""Calls that fail: no damage, one clear error, a documented exit code, and the next run goes on.

The points of a batch of 4 games answer ENOSPC, EIO, EINTR, write one byte only; allocations find no memory. LONG=1: every point
(make faults); else a few of each kind."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *

KINDS = {"ENOSPC": "fail:%d:28", "EIO": "fail:%d:5", "EINTR": "fail:%d:4", "short write": "short:%d", "no memory": "nomem:%d"}
CODES = (0, 65, 74, 75, 78, 111)


def one(job):
    base, want, kind, at, number = job
    league = copy(base, "fault%d" % number)
    try:
        league.tp("run", "--now", NOW, binary=FAULT, code=None, env={"TURNPOST_FAULT": KINDS[kind] % at})
        code, said = league.code, league.err
        found = []
        if code not in CODES:
            found.append("exit code %d: %s" % (code, said))
        if code != 0 and not said.startswith("turnpost: "):
            found.append("exit code %d without a word: %s" % (code, said))
        if (kind == "no memory") != (code == 111) and not (kind == "no memory" and code == 0):
            found.append("exit code %d" % code)
        # A mail that could not be handed over waits five minutes.
        for minutes in ("00", "06", "20", "40"):
            league.tp("run", "--now", "2026-11-20T09:%s:00Z" % minutes)
        found += differences(outcome(league), want)
        return code, ["%s at %d: %s" % (kind, at, what) for what in found]
    except Failed as why:
        return -1, ["%s at %d: %s" % (kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


def play(_):
    base = make_base(4)
    want, points, allocs = undisturbed(base, writes=False)
    verify_chains(League("quiet"))  # the others have the same journals, byte for byte, or are at fault
    jobs = []
    for kind in KINDS:
        most = allocs if kind == "no memory" else points
        if os.environ.get("LONG"):
            step = max(1, most // (points if kind != "no memory" else 500))
        else:
            step = max(1, most // 3)
        jobs += [(base, want, kind, at, len(jobs) + n) for n, at in enumerate(range(1, most + 1, step))]
    jobs = [job[:4] + (n,) for n, job in enumerate(jobs)]
    faults, codes = [], {}
    with multiprocessing.Pool(2) as pool:
        for code, found in pool.imap_unordered(one, jobs, chunksize=4):
            faults += found
            codes[code] = codes.get(code, 0) + 1
    for fault in faults[:20]:
        print(fault)
    print("%d calls of %d made to fail in %d ways; exit codes %s; damage: %d" %
          (len(jobs), points, len(KINDS), " ".join("%d:%d" % c for c in sorted(codes.items())), len(faults)))
    check(not faults, "%d faults" % len(faults))


main(play)
