"""The figures of `make bench`, side by side in one run; medians of five. QUICK=1: small and three of each.

figures.py [NAME...]   mail send turns idle verify history batch; without a name all. Writes BENCH_JSON."""
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["TESTS"], "e2e/lib"))
from league import League, Servers, Failed, check, sh, TURNPOST, WORK

BENCH = pathlib.Path(os.environ["BENCH"])  # the programs of this folder
QUICK = bool(os.environ.get("QUICK"))
ROUNDS = 3 if QUICK else 5
figures = {}


def figure(name, ours, reference, goal, at_most, words):
    """Notes a figure: goals are ratios of ours to the reference."""
    ratio = ours / reference
    holds = ratio <= goal if at_most else ratio >= goal
    figures[name] = {"ours": round(ours, 3), "reference": round(reference, 3), "ratio": round(ratio, 3), "goal": goal,
                     "holds": holds}
    print("%-5s %-24s %s: ratio %.2f, goal %s %s" % ("ok" if holds else "SHORT", name, words, ratio,
                                                      "at most" if at_most else "at least", goal), flush=True)


def values(*command):
    """The "name value" lines of one of our programs."""
    return {line.split()[0]: float(line.split()[1]) for line in sh(*command).splitlines()}


def median_pair(pairs):
    """(ours, reference) of the run whose ratio is the median."""
    return sorted(pairs, key=lambda p: p[0] / p[1])[len(pairs) // 2]


def measured(*command, **kw):
    """Runs a command: wall seconds, peak memory in MiB, exit code."""
    began = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **kw)
    words = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - began, usage.ru_maxrss / 1024, process.returncode, words


def settle():
    os.sync()


def new_league(name, players):
    league = League(name)
    shutil.rmtree(league.dir, ignore_errors=True)
    league.init()
    sh(BENCH / "league", "players", league.dir, players)
    league.set("outgoing", type="smtp", host="localhost", port=1, tls="starttls")  # nobody listens there
    return league


def put_mailbox(servers, user, mails):
    """The mailbox of a user that was never logged in: hard links to the mails."""
    box = servers.dir / "mail" / user / "Maildir"
    shutil.rmtree(box / "new")
    sh("cp", "-al", mails / "new", box / "new")


# ---- (a) the way of a mail ----

MBSYNC = """IMAPAccount bench
Host localhost
Port %(port)s
User %(user)s
Pass secret
SSLType IMAPS
CertificateFile %(ca)s

IMAPStore far
Account bench

MaildirStore near
Path %(dir)s/
Inbox %(dir)s/INBOX

Channel bench
Far :far:
Near :near:
Patterns INBOX
Create Near
Sync Pull
SyncState *
"""


def mbsync(servers, user, fsync):
    folder = WORK / "mbsync" / user
    folder.mkdir(parents=True)
    rc = folder / "rc"
    rc.write_text(("" if fsync else "FSync no\n\n") + MBSYNC % {"port": servers.port["IMAPS"], "user": user, "ca": servers.ca,
                                                                "dir": folder})
    spent, _, code, words = measured("mbsync", "-c", rc, "bench", env=dict(os.environ, HOME=str(folder)))
    check(code == 0, "mbsync: exit %d\n%s" % (code, words))
    got = sum(len(list((folder / "INBOX" / sub).iterdir())) for sub in ("new", "cur"))
    shutil.rmtree(folder)
    return spent, got


def figure_mail():
    games, count = (100, 1000) if QUICK else (1000, 10000)
    users = ["%s%d" % (who, n) for who in "ms" for n in range(ROUNDS)] + ["f0"]
    servers = Servers(users)
    try:
        base = new_league("mail-base", 400)
        mails = WORK / "mails"
        (mails / "new").mkdir(parents=True)
        sh(BENCH / "league", "games", base.dir, "galaxy-command", 0, games, 4)
        sh(BENCH / "league", "mails", base.dir, mails, games, 4, count)
        sh("chown", "-R", "nobody:nogroup", mails)
        pairs, peaks = [], []
        for n in range(ROUNDS):
            put_mailbox(servers, "m%d" % n, mails)
            put_mailbox(servers, "s%d" % n, mails)
            league = League("mail")
            shutil.rmtree(league.dir, ignore_errors=True)
            sh("cp", "-a", base.dir, league.dir)
            league.use_servers(servers)
            league.set("incoming", user="s%d" % n)
            league.set("outgoing", port=1)
            settle()
            theirs, got = mbsync(servers, "m%d" % n, True)
            check(got == count, "mbsync fetched %d mails" % got)
            settle()
            ours, peak, code, words = measured(TURNPOST, "run", "--league", league.dir, "--now", "2026-11-20T13:00:00Z")
            check(code == 75, "turnpost run: exit %d\n%s" % (code, words))
            spooled = len(os.listdir(league.dir / "spool/new"))
            check(spooled == count, "%d receipts are in the spool\n%s" % (spooled, words))
            check(len(league.records("g0")) == 6 + count // games, "orders are missing in the journal of g0")
            pairs.append((count / ours, count / theirs))
            peaks.append(peak)
            print("      turnpost %.0f mails/s (%.1f MiB), mbsync %.0f mails/s" % (count / ours, peak, count / theirs),
                  flush=True)
        put_mailbox(servers, "f0", mails)
        settle()
        bare, _ = mbsync(servers, "f0", False)
        print("      mbsync that does not sync its files: %.0f mails/s" % (count / bare))
        ours, theirs = median_pair(pairs)
        figure("mails_per_second", ours, theirs, 1, False, "%.0f mails/s, mbsync %.0f" % (ours, theirs))
        peak = max(peaks)
        figure("peak_memory_mib", peak, 64, 1, True, "%.1f MiB" % peak)
        shutil.rmtree(league.dir)
    finally:
        servers.stop()


# ---- all ----

ALL = {"mail": figure_mail}


def main(names):
    for name in names or ALL:
        ALL[name]()
    short = [name for name, f in figures.items() if not f["holds"]]
    text = ",\n ".join('%s: %s' % (json.dumps(name), json.dumps(f)) for name, f in figures.items())
    pathlib.Path(os.environ["BENCH_JSON"]).write_text("{%s}\n" % text)
    print("%d figures, %d fall short%s" % (len(figures), len(short), ": " + ", ".join(short) if short else ""))
    return 1 if short else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failed as why:
        print("FAILED: %s" % why)
        sys.exit(2)
