"""Commands beside a daemon: a daemon, the commands that hand it what they would do, and the files of their queue."""
import secrets
import signal

from league import *


def ask(league, *args, stdin=None, code=0):
    """Runs a command and gives what it said, on either stream."""
    done = subprocess.run([TURNPOST, *map(str, args)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, TURNPOST_LEAGUE=str(league.dir)), timeout=60)
    check(code is None or done.returncode == code, "turnpost %s: exit %d, not %s\n%s" % (" ".join(map(str, args)), done.returncode, code, done.stdout))
    return done.stdout


def begin(league, *args, stdin=None, fault=None):
    """As the operator types it; `fault`: of turnpost-fault (tests/faults/), which it is then."""
    process = subprocess.Popen([FAULT if fault else TURNPOST, *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True,
                               env=dict(os.environ, TURNPOST_LEAGUE=str(league.dir), **({"TURNPOST_FAULT": fault} if fault else {})))
    process.stdin.write(stdin or "")
    process.stdin.close()
    process.stdin = None  # communicate() would flush it
    return process


def queue(league, end=""):
    return sorted(p.name for p in (league.dir / "queue").iterdir() if p.name.endswith(end))


def request(league, *args, text=None, head="", number=None, age=0, since=0):
    """Puts a request as a command does; its name without the end."""
    number = number or secrets.token_hex(32)
    made = {"v": 1, "id": number, "command": args[0], "args": list(map(str, args)), "head": head, "made": int(time.time()) - age,
            "since": int(time.clock_gettime(time.CLOCK_BOOTTIME)) - since}
    if text:
        made["text"] = text
    return put(league, json.dumps(made), number)


def put(league, text, number=None):
    stem = "%016x-%s" % (int(time.time() * 1000), number or secrets.token_hex(32))
    folder = league.dir / "queue"
    folder.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(folder / "part", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(text)
    (folder / "part").rename(folder / (stem + ".request"))
    return stem


def answer(league, stem, seconds=15):
    path, end = league.dir / "queue" / (stem + ".answer"), time.time() + seconds
    while not path.exists():
        check(time.time() < end, "no answer; in the queue: %s" % queue(league))
        time.sleep(0.01)
    return json.loads(path.read_text())


def requests_of(league, game):
    return [r["request"] for r in league.records(game) if "request" in r]


def last_head(league, game):
    return head_of_line(league.journal(game).splitlines(keepends=True)[-1])


class Daemon:
    """`env`: of turnpost-fault (tests/faults/), which it is then."""

    def __init__(self, league, env=None):
        self.league, self.env, self.log = league, env, open(WORK / "daemon.log", "a")
        self.start()

    def start(self):
        self.process = subprocess.Popen([FAULT if self.env else TURNPOST, "daemon", "--league", str(self.league.dir), "--verbose"],
                                        stderr=self.log, env=dict(os.environ, **self.env or {}))
        end = time.time() + 10
        while not self.works():
            check(time.time() < end and self.process.poll() is None, "the daemon has not begun")
            time.sleep(0.05)

    def works(self):
        lock = self.league.dir / "lock"
        return lock.exists() and lock.read_text() in map(str, self.children())

    def children(self):
        try:
            return pathlib.Path("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)).read_text().split()
        except OSError:
            return []

    def worker(self, number):
        for pid in self.children():
            os.kill(int(pid), number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        check(self.process.wait(timeout=20) == 0, "the daemon did not end cleanly")


def wait_for_request(league):
    end = time.time() + 10
    while not queue(league, ".request"):
        check(time.time() < end, "no request came")
        time.sleep(0.02)
