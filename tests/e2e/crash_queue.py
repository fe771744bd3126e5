"""Commands that wait for a daemon which is killed, or are killed themselves: what each asks for is done once or not at all, and a
command that lives says which; also when another kind of record comes first (comes_next.py).

LONG=1: killed at every point (make crash)."""
import fcntl
import itertools
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import copy, staged_in
from comes_next import *
from commands import *

LONG = bool(os.environ.get("LONG"))
ANSWERS = 'text:500:"warned"'  # dies when it has done something, and is about to say so
COMMANDS = {  # name: its words, and the text that goes along
    "new": (("new", "gc-2", "galaxy-command", "--seats", "alice,robot"), None),
    "moderate": (("moderate", "gc-1", "hold", "--reason", "x"), None),
    "player": (("player", "address", "alice", "al@players.test", "--at-once"), None),
}


def make_base():
    league = League("base")
    league.init()
    league.add(Player("alice"))
    league.seated("gc-1", "galaxy-command", "alice,robot", "--deadline", "3d")
    (league.dir / "mail/in/new").mkdir(parents=True, exist_ok=True)
    (league.dir / "queue").mkdir(mode=0o700, exist_ok=True)
    league.tp("run")
    return league


class Locked:
    """Somebody works on the league, as far as commands can see."""

    def __init__(self, league):
        self.file = open(league.dir / "lock", "a")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def free(self):
        self.file.close()


def begin_command(league, name, fault=None):
    words, text = COMMANDS[name]
    return begin(league, *words, stdin=text, fault=fault and fault.replace("else:", "kill:"))


def otherwise(league, fault):
    """else:N is a kill, and before anything is done again another kind of record comes; is it that?"""
    if fault.startswith("else:"):
        comes_next(league, int(fault.partition(":")[2]))
    return fault.startswith("else:")


def wait_until(holds, what):
    end = time.time() + 30
    while not holds():
        check(time.time() < end, what)
        time.sleep(0.01)


def done(league):
    """How often each command was done, by what it leaves behind."""
    registry = [json.loads(line) for line in (league.dir / "registry/journal.jsonl").read_text().splitlines()]
    has_game = (league.dir / "games/gc-2/journal.jsonl").exists()
    return {"new": sum(r["type"] == "create" for r in league.records("gc-2")) if has_game else 0,
            "moderate": sum(r.get("do") == "hold" for r in league.records("gc-1")),
            "player": sum(r.get("what") == "address" for r in registry)}


def boxes(league):
    """The mails that have come to either address of alice."""
    return [path.name for box in ("alice@players.test", "al@players.test") if (league.dir / "mail/out" / box / "new").is_dir()
            for path in (league.dir / "mail/out" / box / "new").iterdir()]


def settle(league):
    league.tp("run", code=None)
    league.tp("run")
    left = [name for name in queue(league) if name.endswith((".request", ".taken", ".again"))]
    check(not left, "left in the queue: %s" % left)
    verify_chains(league)


# ---- the daemon dies ---------------------------------------------------------------------------------------------

def kill_daemon(league, fault):
    """Three commands wait, the daemon takes them up and is killed; what is wrong."""
    lock = Locked(league)
    waiting = {name: begin_command(league, name) for name in COMMANDS}
    wait_until(lambda: len(queue(league, ".request")) == len(waiting), "not all ask: %s" % queue(league))
    for process in waiting.values():  # so that none of them takes the lock
        process.send_signal(signal.SIGSTOP)
    lock.free()
    daemon = subprocess.Popen([FAULT, "daemon", "--league", str(league.dir)], stderr=subprocess.DEVNULL,
                              env=dict(os.environ, TURNPOST_FAULT=fault.replace("else:", "kill:")))
    wait_until(lambda: daemon.poll() is not None or not queue(league, ".request") and len(queue(league, ".answer")) == len(waiting),
               "the daemon neither dies nor answers: %s" % queue(league))
    other = otherwise(league, fault)
    for process in waiting.values():
        process.send_signal(signal.SIGCONT)
    ends = {name: (process.communicate(timeout=60)[0], process.returncode) for name, process in waiting.items()}
    if daemon.poll() is None:
        daemon.terminate()
    daemon.wait(timeout=30)
    settle(league)
    found = done(league)
    good = {name: [(1, 0)] for name in COMMANDS}
    if other:
        good["moderate"].append((0, 75))  # its game has gone on
    return ["%s was done %d times, and said (%d) %s" % (name, found[name], ends[name][1], ends[name][0])
            for name in COMMANDS if (found[name], ends[name][1]) not in good[name]] + (sound(league) if other else [])


# ---- a command dies ------------------------------------------------------------------------------------------------

def kill_asking(league, name, fault):
    """A command dies beside a daemon; what is wrong, and whether it was done."""
    daemon = Daemon(league)
    try:
        process = begin_command(league, name, fault)
        process.communicate(timeout=60)
        wait_until(lambda: not queue(league, ".request") and not queue(league, ".taken"), "the request of a dead command is not done")
        daemon.stop()
    finally:
        daemon.kill()
    settle(league)
    return judge(league, name, process.returncode)


def kill_alone(league, name, fault):
    """A command whose daemon has died does it itself, and dies at it."""
    lock = Locked(league)
    process = begin_command(league, name, fault)
    wait_until(lambda: process.poll() is not None or queue(league, ".request"), "no request")
    lock.free()
    process.communicate(timeout=60)
    other = otherwise(league, fault)
    settle(league)
    return judge(league, name, process.returncode, other)


def judge(league, name, code, other=False):
    """A command that was to die: once or not at all, with its mail or without; done when it said so."""
    found, mails = done(league), boxes(league)
    others = [other for other in COMMANDS if other != name and found[other]]
    wrong = ["%s was done %d times (exit %d)" % (name, found[name], code)] * (found[name] > 1 or (code == 0 and not found[name]))
    wrong += ["done, too: %s" % others] * bool(others) + (sound(league) if other else [])
    if not other and name in ("new", "moderate") and len(mails) - 1 != found[name]:  # one is the welcome to gc-1
        wrong.append("%s was done %d times, mails: %s" % (name, found[name], mails))
    return wrong, found[name]


# ---- all of it ------------------------------------------------------------------------------------------------------

def one(job):
    base, number, how, name, fault = job
    league = copy(base, "queue%d" % number)
    try:
        wrong = kill_daemon(league, fault) if how == "daemon" else (kill_asking if how == "asking" else kill_alone)(league, name, fault)
        wrong, times = wrong if isinstance(wrong, tuple) else (wrong, None)
    except (Failed, subprocess.TimeoutExpired) as why:
        wrong, times = [str(why)], None
    shutil.rmtree(league.dir)
    return job[2:], ["%s %s, %s: %s" % (how, name, fault, what) for what in wrong], times


def points_of(wish):
    """The points of one that is not disturbed: those in the middle of its commits, and how many there are."""
    base, how, name = wish
    league, note = copy(base, "count-%s-%s" % (how, name)), WORK / ("points-%s-%s" % (how, name))
    if how == "daemon":
        wrong = kill_daemon(league, "calls:%s" % note)
        check(not wrong, "a daemon that is not disturbed: %s" % wrong)
        return staged_in(note)
    daemon, lock = (Daemon(league), None) if how == "asking" else (None, Locked(league))
    try:
        process = begin_command(league, name, "calls:%s" % note)
        if lock:
            wait_until(lambda: queue(league, ".request"), "no request")
            lock.free()
        check(process.wait(timeout=60) == 0, "%s %s: %s" % (how, name, process.stdout.read()))
    finally:
        if daemon:
            daemon.kill()
    return staged_in(note)


def play(_):
    base = make_base()
    whats = [("daemon", "")] + [(how, name) for how in ("asking", "alone") for name in (COMMANDS if LONG else ["moderate"])]
    faults, times = [], {}
    with multiprocessing.Pool(4) as pool:  # most of the time is waited
        points = dict(zip(whats, pool.map(points_of, [(base, *what) for what in whats], chunksize=1)))
        wishes = [(*what, "kill:%d" % at) for what, (_staged, most) in points.items() for at in (range(1, most + 1) if LONG else (1, most))]
        wishes += [(*what, "else:%d" % at) for what, (staged, most) in points.items() if what[0] != "asking"  # which commits nothing
                   for at in (range(1, most + 1) if LONG else staged[:2])]
        wishes.append(("daemon", "", ANSWERS))
        jobs = [(base, number, *wish) for number, wish in enumerate(wishes)]
        for (how, name, _fault), found, was_done in pool.imap_unordered(one, jobs):
            faults += found
            times.setdefault((how, name), set()).add(was_done)
    for fault in faults[:20]:
        print(fault)
    never = [what for what, seen in times.items() if what[0] != "daemon" and not seen >= {0, 1}]
    print("%d kills of a daemon with three commands, and of commands, at %s points: each done once or not at all, and its command told" % (
        len(jobs), "+".join(str(most) for _staged, most in points.values())))
    check(not faults and not never, "%d faults; always done, or never: %s" % (len(faults), never))


main(play)
