"""The figure "store" of figures.py: a league in PostgreSQL, against files."""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TESTS"], "servers"))
from postgres import PASSWORD, Postgres

AT = "2026-11-20T13:00:00Z"


def put_in(bench, league, database):
    """The league is in the database from now on, and in nothing else."""
    league.set("store", type="postgres", database=database, password_env="PGPASSWORD_TEST")
    bench.sh(bench.TURNPOST, "store", "copy", "files", "postgres", "--instead", "--league", league.dir)


def run(bench, league, code):
    bench.settle()
    spent, got, words = bench.measured(bench.TURNPOST, "run", "-v", "-v", "--league", league.dir, "--now", AT)
    bench.check(got == code, "turnpost run: exit %d\n%s" % (got, words))
    trips = re.search(r"(\d+) round trips", words)
    return spent, int(trips.group(1)) if trips else 0


class Mails:
    """Mailboxes of 1,000 orders each, and the league that they are for."""

    def __init__(self, bench, servers, count, games):
        self.bench, self.servers, self.count, self.games = bench, servers, count, games
        self.base = bench.new_league("store-base", 400)
        self.mails = bench.WORK / "store-mails"
        (self.mails / "new").mkdir(parents=True)
        bench.sh(bench.BENCH / "league", "games", self.base.dir, "galaxy-command", 0, games, 4)
        bench.sh(bench.BENCH / "league", "mails", self.base.dir, self.mails, games, 4, count)
        bench.sh("chown", "-R", "nobody:nogroup", self.mails)

    def take(self, user, database):
        """Seconds, and round trips, for all of them; `database` None: files."""
        bench = self.bench
        bench.put_mailbox(self.servers, user, self.mails)
        league = bench.League("store-" + user)
        bench.sh("cp", "-a", self.base.dir, league.dir)
        league.use_servers(self.servers)
        league.set("incoming", user=user)
        league.set("outgoing", port=1)
        if database:
            put_in(bench, league, database)
        spent, trips = run(bench, league, 75)
        bench.check(len(os.listdir(league.dir / "spool/new")) == self.count, "receipts are missing")
        shutil.rmtree(league.dir)
        return spent, trips


def between(bench, postgres, delay):
    """A way to it that takes so many milliseconds there, and as many back."""
    process = subprocess.Popen([sys.executable, os.path.join(os.environ["TESTS"], "servers/between.py"), str(postgres.port), str(delay)],
                               stdout=subprocess.PIPE, text=True)
    return process, postgres.database(port=int(process.stdout.readline()))


def mails(bench, postgres):
    games, count = (100, 1000) if bench.QUICK else (500, 5000)
    kinds = ("files", "near", "far")
    servers = bench.Servers(["%s%d" % (kind, n) for kind in kinds for n in range(bench.ROUNDS)])
    processes = []
    try:
        story = Mails(bench, servers, count, games)
        ways = {"files": None}
        for kind, delay in (("near", 0), ("far", 2.5)):
            process, ways[kind] = between(bench, postgres, delay)
            processes.append(process)
        times = {kind: [] for kind in kinds}
        trips = []
        for n in range(bench.ROUNDS):
            for kind in kinds:
                spent, made = story.take("%s%d" % (kind, n), ways[kind])
                times[kind].append(spent)
                if kind != "files":
                    trips.append(made)
            print("      " + ", ".join("%s %.0f mails/s" % (kind, count / times[kind][-1]) for kind in kinds), flush=True)
    finally:
        for process in processes:
            process.kill()
        servers.stop()
    files, near, far = (count / statistics.median(times[kind]) for kind in kinds)
    bench.figure("store_mails", near, files, 0.5, False, "%.0f mails/s in PostgreSQL, %.0f in files" % (near, files))
    bench.figure("store_far", far, near, 0.8, False, "%.0f mails/s where an answer takes 5 ms, %.0f where it takes none" % (far, near))
    batches = count / 1000
    bench.figure("store_trips", statistics.median(trips) / batches, 1, 8, True,
                 "%.0f round trips for %d mails" % (statistics.median(trips), count))


def idle(bench, postgres):
    many = 2000 if bench.QUICK else 100000
    leagues = []
    for name, count in (("few", 10), ("many", many)):
        league = bench.new_league("store-" + name, 4)
        league.set("outgoing", type="maildir")
        for sub in ("cur", "new", "tmp"):
            (league.dir / "mail/in" / sub).mkdir(parents=True, exist_ok=True)
        bench.sh(bench.BENCH / "league", "games", league.dir, "galaxy-farmer", 0, count, 1)
        league.set("store", schema=name)
        put_in(bench, league, postgres.database())
        leagues.append(league)
    times = {league: [] for league in leagues}
    for n in range(-2, 20):
        for league in leagues:
            spent, _ = run(bench, league, 0)
            if n >= 0:
                times[league].append(1000 * spent)
    few, more = (statistics.median(times[league]) for league in leagues)
    bench.figure("store_idle", more, few, 1.2, True, "%.1f ms with %d games, %.1f ms with 10" % (more, many, few))
    for league in leagues:
        shutil.rmtree(league.dir)


def measure(bench):
    os.environ["PGPASSWORD_TEST"] = PASSWORD
    postgres = Postgres(bench.WORK / "postgres").start()
    try:
        mails(bench, postgres)
        idle(bench, postgres)
    finally:
        postgres.stop()
