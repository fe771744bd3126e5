"""A daemon that works on a season's league for some days, by the season's time, and what the operator does beside it."""
import struct

from commands import *


class Job:
    """A command of the operator's: `code` and `said` are there when it has ended."""

    def __init__(self, args, process):
        self.args, self.process, self.code, self.said = args, process, None, ""

    def has_ended(self):
        return self.code is not None


class Service:
    """`jobs`: commands that wait for it; `done`: those that it did, as they were typed."""

    def __init__(self, world):
        self.world, self.league = world, world.league
        self.clock = WORK / "clock"
        self.jobs, self.done = [], []
        self.read = 0  # bytes of its log
        self.set_clock()
        self.daemon = Daemon(self.league, {"TURNPOST_CLOCK": str(self.clock)})

    def set_clock(self):
        with open(self.clock, "r+b" if self.clock.exists() else "wb") as clock:
            clock.write(struct.pack("=q", self.world.now))

    def stop(self):
        """What it said since the last round."""
        self.daemon.stop()
        check(not queue(self.league, ".request"), "left in the queue: %s" % queue(self.league))
        return self.news()

    def news(self):
        """The whole lines that it has said since the last time, without their times."""
        with open(WORK / "daemon.log", "rb") as log:
            log.seek(self.read)
            text = log.read()
        text = text[:text.rfind(b"\n") + 1]
        self.read += len(text)
        return [re.sub(r"^\S+Z ", "", line) for line in text.decode().splitlines()]

    # ---- commands ----

    def operate(self, *args, stdin=None):
        """Begins a command of the operator's; it has ended when all stories have been asked (finish)."""
        process = begin(self.league, *args, stdin=stdin)
        self.jobs.append(Job(args, process))
        return self.jobs[-1]

    def finish(self):
        for job in self.jobs:
            job.said, job.code = job.process.communicate(timeout=60)[0], job.process.returncode
            self.done += [job.args] * (job.code == 0)
        self.jobs = []

    # ---- rounds ----

    def work(self):
        """Waits until everything that was delivered is taken in at the present time, and all mails have left; what it said."""
        end, words = time.time() + 60, []
        while True:
            words += self.news()
            calm = self.is_calm()
            self.knock()
            more = self.news()
            if calm and self.is_calm() and not any(" sent" in line for line in more):
                return words + more
            words += more
            check(time.time() < end, "the daemon never comes to rest at %d: %s" % (self.world.now, words))

    def is_calm(self):
        """It has done a round at this time, and nothing waits to be read or sent."""
        rounds = (self.league.dir / "registry/rounds").read_text()
        return "\nround %d " % self.world.now in rounds and not self.world.office.count() and not any((self.league.dir / "spool/new").iterdir())

    def knock(self):
        """Wakes it, and waits until it has looked into its queue."""
        stem = request(self.league, "knock")
        check("does not know the command" in answer(self.league, stem)["words"], "a strange answer")
        (self.league.dir / "queue" / (stem + ".answer")).unlink(missing_ok=True)
