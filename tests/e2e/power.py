"""The process is killed between its writes and their sync, starts again, and then the power fails: nobody may have been told
what the disk does not hold. What a killed process wrote can be read by the next one, and is on the disk only after a sync:
so the next one syncs before anything follows from it (a mail, a mail that is moved out of the mailbox, a document of a player).

Power cannot be cut here, so the calls are looked at: which points of an undisturbed run leave journals unsynced, and what the
run after a kill at such a point does first."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *

FOLLOWS = ("rename", "link", "unlink", "curl_easy_send", "curl_easy_perform")


def calls(league, name):
    trace = WORK / (name + ".calls")
    league.tp("run", "--now", NOW, binary=FAULT, env={"TURNPOST_FAULT": "calls:%s" % trace})
    return [line.split()[1] for line in trace.read_text().splitlines()]


def unsynced(trace):
    """The points (from 1) between the first write of a commit's journals and the sync that makes them durable."""
    syncs = [n for n, call in enumerate(trace) if call == "syncfs"]
    check(len(syncs) >= 2, "staged and committed: %s" % trace)
    found = [n + 1 for n in range(syncs[0] + 1, syncs[1] + 1) if "write" in trace[syncs[0]:n]]
    check(len(found) >= 6, "journals are written between the two syncs: %s" % trace[syncs[0]:syncs[1]])
    return found


def play(_):
    base = make_base(6)
    points = unsynced(calls(copy(base, "quiet"), "quiet"))
    told = 0
    for point in (points[len(points) // 2], points[-1]):
        league = copy(base, "killed%d" % point)
        league.tp("run", "--now", NOW, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "kill:%d" % point})
        trace = calls(league, "after%d" % point)
        first = next(n for n, call in enumerate(trace) if call in FOLLOWS)
        check("syncfs" in trace[:first], "killed at %d: the next run goes on from what is on no disk: %s" % (point, trace[:first + 1]))
        told += len(outcome(league)[1])
    check(told, "no mails")
    # a run that was not disturbed leaves nothing to be synced
    rest = copy(league, "rest")
    check("syncfs" not in calls(rest, "rest"), "an idle run syncs")
    print("%d points leave journals unsynced; each next run syncs before it goes on" % len(points))


main(play)
