"""The figures of `make bench`, side by side in one run; medians of five. QUICK=1: small and three of each.

figures.py [NAME...]   mail sink postfix pictures turns idle verify history batch due audit replies compete site store; without a name all. Writes BENCH_JSON."""
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


def figure(name, ours, reference, goal, at_most, words, more={}):
    """Notes a figure: goals are ratios of ours to the reference. `more` goes into bench.json as it is."""
    ratio = ours / reference
    holds = ratio <= goal if at_most else ratio >= goal
    figures[name] = {"ours": round(ours, 3), "reference": round(reference, 3), "ratio": round(ratio, 3), "goal": goal,
                     "at_most": at_most, "holds": holds, **more}
    print("%-5s %-24s %s: ratio %.2f, goal %s %s" % ("ok" if holds else "SHORT", name, words, ratio,
                                                      "at most" if at_most else "at least", goal), flush=True)


def values(*command):
    """The "name value" lines of one of our programs."""
    return {line.split()[0]: float(line.split()[1]) for line in sh(*command).splitlines()}


def median_pair(pairs):
    """(ours, reference) of the run whose ratio is the median."""
    return sorted(pairs, key=lambda p: p[0] / p[1])[len(pairs) // 2]


def measured(*command, **kw):
    """Runs a command: wall seconds, exit code, what it said."""
    began = time.monotonic()
    done = subprocess.run([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **kw)
    return time.monotonic() - began, done.returncode, done.stderr.decode(errors="replace")


def peak_measured(*command):
    """The same, with the peak memory in MiB. Not from our own child's usage: that begins with the size of this process."""
    note = WORK / "peak"
    spent, code, words = measured("time", "-q", "-f", "%M", "-o", note, *command)
    return spent, int(note.read_text()) / 1024, code, words


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
    spent, code, words = measured("mbsync", "-c", rc, "bench", env=dict(os.environ, HOME=str(folder)))
    check(code == 0, "mbsync: exit %d\n%s" % (code, words))
    got = sum(len(list((folder / "INBOX" / sub).iterdir())) for sub in ("new", "cur"))
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
            # A folder each: ext4 makes files slowly for minutes where many were removed, whoever comes next.
            league = League("mail%d" % n)
            sh("cp", "-a", base.dir, league.dir)
            league.use_servers(servers)
            league.set("incoming", user="s%d" % n)
            league.set("outgoing", port=1)
            settle()
            theirs, got = mbsync(servers, "m%d" % n, True)
            check(got == count, "mbsync fetched %d mails" % got)
            settle()
            ours, peak, code, words = peak_measured(TURNPOST, "run", "--league", league.dir, "--now", "2026-11-20T13:00:00Z")
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
    finally:
        servers.stop()


# ---- (b) sending: in rows, one mail after the other in each, several at a time ----

CONNECTIONS = 4
SLICES = 4


def wait_port(port):
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.01)
    raise Failed("nothing listens on port %d" % port)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def send_ours(count, spool, port, ca):
    copy = WORK / "spool"
    shutil.rmtree(copy, ignore_errors=True)
    sh("cp", "-al", spool, copy)
    settle()
    ours = values(BENCH / "send", copy, "localhost" if ca else "127.0.0.1", port, CONNECTIONS, ca or "-")
    check(ours["sent"] == count, "%d of %d mails were sent" % (ours["sent"], count))
    return ours["seconds"]


def send_theirs(count, mail, port):
    settle()
    began = time.monotonic()
    sh("smtp-source", "-d", "-s", CONNECTIONS, "-m", count, "-F", mail, "-f", "bounces@game.test", "-t", "p2@players.test",
       "127.0.0.1:%d" % port)
    return time.monotonic() - began


def send_pair(count, mail, spool, port, ca):
    """(ours, smtp-source's) mails a second to a port: in slices, now the one first, now the other, so that what else the
    machine does is felt by both."""
    ours = theirs = 0
    for n in range(SLICES):
        if n % 2:
            theirs += send_theirs(count, mail, port)
        ours += send_ours(count, spool, port, ca)
        if n % 2 == 0:
            theirs += send_theirs(count, mail, port)
    count *= SLICES
    print("      turnpost %.0f mails/s, smtp-source %.0f mails/s" % (count / ours, count / theirs), flush=True)
    return count / ours, count / theirs


def make_spool(count):
    league = new_league("send", 4)
    size = values(BENCH / "league", "spool", league.dir, count)["bytes"]
    spool = league.dir / "spool"
    mail = WORK / "letter"  # the same without its envelope, as smtp-source wants it
    mail.write_bytes(next((spool / "new").iterdir()).read_bytes().split(b"\n", 1)[1].replace(b"\r\n", b"\n"))
    return spool, mail, size / 1000


def figure_sink():
    count = (2000 if QUICK else 10000) // SLICES
    spool, mail, size = make_spool(count)
    port = free_port()
    sink = subprocess.Popen(["smtp-sink", "-u", "nobody", "127.0.0.1:%d" % port, "200"])
    try:
        wait_port(port)
        ours, theirs = median_pair([send_pair(count, mail, spool, port, None) for _ in range(ROUNDS)])
    finally:
        sink.kill()
        sink.wait()
    figure("send_to_smtp_sink", ours, theirs, 0.7, False,
           "%.0f mails/s of %.1f KB, smtp-source %.0f" % (ours, size, theirs))


def figure_postfix():
    count = (800 if QUICK else 10000) // SLICES
    spool, mail, size = make_spool(count)
    servers = Servers(["p%d" % n for n in range(4)])
    try:
        config = servers.dir / "postfix/main.cf"
        config.write_text(config.read_text().replace("virtual_transport = lmtp:", "virtual_transport = discard:#"))
        os.utime(config, (time.time() - 10,) * 2)
        master = int((servers.dir / "postfix/queue/pid/master.pid").read_text())
        os.kill(master, 1)  # reload
        time.sleep(2)
        port = int(servers.port["SMTP"])
        pairs = [send_pair(count, mail, spool, port, None) for _ in range(ROUNDS)]
        tls = statistics.median(count / send_ours(count, spool, port, servers.ca) for _ in range(ROUNDS))
    finally:
        servers.stop()
    ours, theirs = median_pair(pairs)
    # smtp-source knows no TLS, so that neither uses it; what it costs Postfix is told beside it.
    figure("send_to_postfix", ours, theirs, 0.95, False,
           "%.0f mails/s of %.1f KB (%.0f by TLS), smtp-source %.0f" % (ours, size, tls, theirs), {"by_tls": tls})


# ---- reports with pictures ----

READERS = 12


def due_games(name, count, pictures):
    """A league of such games with three players each, whose turns are due two days later."""
    league = new_league(name, READERS)
    league.set("outgoing", pictures=pictures)
    (league.dir / "mail/in").mkdir(parents=True, exist_ok=True)
    for sub in ("cur", "new", "tmp"):
        (league.dir / "mail/in" / sub).mkdir(exist_ok=True)
    sh(BENCH / "league", "games", league.dir, "galaxy-command", 0, count, 3)
    return league


def made(count, pictures, number):
    """Reports a second that a batch makes, of a turn of each game: until they may leave."""
    league = due_games("made-%s%d" % (pictures, number), count, pictures)
    settle()
    ours = values(BENCH / "league", "clock", league.dir)
    check(ours["mails"] == 3 * count, "%d reports of %d games" % (ours["mails"], count))
    return ours["mails"] / ours["seconds"]


def sent(servers, count, pictures, number):
    """Reports a second of a whole run: turns are played, pictures drawn and painted, mails sent to Postfix."""
    league = due_games("reports-%s%d" % (pictures, number), count, pictures)
    league.use_servers(servers)
    league.set("incoming", type="maildir")
    league.set("outgoing", pictures=pictures)
    settle()
    spent, code, words = measured(TURNPOST, "run", "--league", league.dir, "--now", "2026-11-22T13:00:00Z")
    check(code == 0, "turnpost run: exit %d\n%s" % (code, words))
    said = [line for line in words.splitlines() if "warning" in line]
    check(not said, "\n".join(said[:5]))
    painted = len(list((league.dir / "pictures").glob("*.png"))) if pictures == "yes" else 0
    check(painted == (count if pictures == "yes" else 0), "%d pictures of %d boards" % (painted, count))
    shutil.rmtree(league.dir)
    return 3 * count / spent


def with_and_without(rate):
    """The pair of rates, measured now in the one order, now in the other, whose ratio is the median."""
    pairs = []
    for n in range(ROUNDS):
        got = {kind: rate(kind, n) for kind in (("yes", "no") if n % 2 else ("no", "yes"))}
        pairs.append((got["yes"], got["no"]))
    return median_pair(pairs)


def figure_pictures():
    count = 60 if QUICK else 300
    ours, theirs = with_and_without(lambda kind, n: made(count, kind, n))
    for folder in WORK.glob("made-*"): # not in between: for some seconds after much was removed, ext4 makes files slowly
        shutil.rmtree(folder)
    # A turn more than its reports: what its picture shows is worked out and kept, in a file more.
    figure("reports_with_pictures", ours, theirs, 0.75, False,
           "%.0f reports/s made by a batch at three players a table, %.0f without" % (ours, theirs))
    servers = Servers(["orders"] + ["p%d" % n for n in range(READERS)])
    try:
        config = servers.dir / "postfix/main.cf"
        config.write_text(config.read_text().replace("virtual_transport = lmtp:", "virtual_transport = discard:#"))
        os.utime(config, (time.time() - 10,) * 2)
        os.kill(int((servers.dir / "postfix/queue/pid/master.pid").read_text()), 1)  # reload
        time.sleep(2)
        ours, theirs = with_and_without(lambda kind, n: sent(servers, count, kind, n))
    finally:
        servers.stop()
    # Painting a board takes a processor longer than playing its turn and sending three reports of it.
    figure("reports_sent_with_pictures", ours, theirs, 0.1, False,
           "%.0f reports/s made, painted and sent, %.0f without" % (ours, theirs))
    runs = []
    for n in range(ROUNDS):
        league = due_games("paint%d" % n, count, "yes")
        sh(BENCH / "league", "clock", league.dir)
        svgs = WORK / ("svgs%d" % n)
        svgs.mkdir()
        run = values(BENCH / "pictures", league.dir / "pictures", svgs)
        check(run["count"] == count, "%d boards of %d games" % (run["count"], count))
        files = sorted(svgs.iterdir())[:20]
        began = time.monotonic()
        for file in files:
            sh("rsvg-convert", "-w", "600", file, "-o", WORK / "reference.png")
        run["reference"] = (time.monotonic() - began) / len(files) * 1e6
        runs.append(run)
        shutil.rmtree(league.dir)
    new, reference = median_pair([(r["new"], r["reference"]) for r in runs])
    figure("picture_new", new, reference, 1, True, "%.1f ms, drawn and painted apart, %.0f bytes; rsvg-convert alone %.1f ms" % (
        new / 1000, runs[0]["bytes"], reference / 1000))
    cached, new = median_pair([(r["cached"], r["new"]) for r in runs])
    figure("picture_cached", cached, new, 0.01, True, "%.1f us, new %.1f ms" % (cached, new / 1000))


# ---- (c) turns ----

# What a game of each ruleset is played with: seats, and how many of them are players; robots have the others.
GAMES = {"galaxy-command": (3, 1), "galactic-supremacy": (2, 2), "galactic-contract": (2, 2), "galaxy-farmer": (1, 1)}
SIZES = ["mails_per_turn", "state_bytes", "record_bytes", "report_bytes"]


def figure_turns():
    runs = {game: [] for game in GAMES}
    for _ in range(ROUNDS):
        for game, (seats, players) in GAMES.items():
            runs[game].append(values(BENCH / "turns", game, seats, players, 1 if QUICK else 2))
    for game, (seats, players) in GAMES.items():
        rate = statistics.median(r["turns_per_second"] for r in runs[game])
        sizes = {name: statistics.median(r[name] for r in runs[game]) for name in SIZES}
        figure("turns_" + game.replace("-", "_"), rate, 1000, 1, False,
               "%.0f turns/s on one core (%d seats, %d players; bytes: state %.0f, records %.0f, a report %.0f)" %
               (rate, seats, players, sizes["state_bytes"], sizes["record_bytes"], sizes["report_bytes"]), sizes)
    turn, bare = median_pair([(r["turn_microseconds"], r["sodium_microseconds"]) for r in runs["galaxy-command"]])
    figure("turn_against_libsodium", turn, bare, 2.5, True, "%.0f us a turn, libsodium's part alone %.0f us" % (turn, bare))


# ---- (d) idle ----

def figure_idle():
    many = 5000 if QUICK else 100000
    leagues = []
    for name, count in (("few", 10), ("many", many)):
        league = new_league(name, 4)
        league.set("outgoing", type="maildir")
        (league.dir / "mail/in").mkdir(parents=True, exist_ok=True)
        for sub in ("cur", "new", "tmp"):
            (league.dir / "mail/in" / sub).mkdir(exist_ok=True)
        sh(BENCH / "league", "games", league.dir, "galaxy-farmer", 0, count, 1)
        leagues.append(league)
    settle()
    times = {"few": [], "many": []}
    for n in range(-2, 20 if QUICK else 100):
        for league in leagues:
            spent, code, words = measured(TURNPOST, "run", "--league", league.dir, "--now", "2026-11-20T13:00:00Z")
            check(code == 0, "turnpost run: exit %d\n%s" % (code, words))
            if n >= 0:
                times[league.dir.name].append(1000 * spent)
    ours, theirs = statistics.median(times["many"]), statistics.median(times["few"])
    figure("idle_run", ours, theirs, 1.2, True, "%.1f ms with %d games, %.1f ms with 10" % (ours, many, theirs))
    for league in leagues:
        shutil.rmtree(league.dir)


# ---- (e), (f) history ----

def figure_verify():
    runs = [values(BENCH / "history", "verify", 5000 if QUICK else 50000) for _ in range(ROUNDS)]
    ours, bare = median_pair([(r["ours"], r["bare"]) for r in runs])
    figure("verify_journal", ours, bare, 0.8, False, "%.0f records/s, bare Ed25519 %.0f" % (ours, bare))


def figure_history():
    runs = []
    for _ in range(ROUNDS):
        league = new_league("history", 2)
        runs.append(values(BENCH / "history", "turns", league.dir, "galactic-supremacy", 4 if QUICK else 20, 200))
        shutil.rmtree(league.dir)
    late, early = median_pair([(r["late"], r["early"]) for r in runs])
    figure("turn_200", late, early, 1.1, True, "%.2f ms for turn 200, %.2f ms for turn 2" % (late, early))


# ---- (g) a batch ----

def figure_batch():
    many = 100 if QUICK else 1000
    pairs = []
    for n in range(ROUNDS):
        runs = []
        for name, count in (("one", 1), ("many", many)):
            # A folder each, which stays, as with the mails: else what is measured is ext4 looking for free inodes.
            league = new_league("%s%d" % (name, n), 400)
            sh(BENCH / "league", "games", league.dir, "galaxy-command", 0, count, 3)
            settle()
            runs.append(values(BENCH / "league", "clock", league.dir))
            check(runs[-1]["turns"] == count, "%d turns" % runs[-1]["turns"])
            check(runs[-1]["mails"] == 3 * count, "%d mails" % runs[-1]["mails"])
        print("      %d games %.2f s with %d syncs, one game %.3f s with %d" %
              (many, runs[1]["seconds"], runs[1]["syncs"], runs[0]["seconds"], runs[0]["syncs"]), flush=True)
        pairs.append((runs[1]["seconds"], runs[0]["seconds"], runs[1]["syncs"], runs[0]["syncs"]))
    ours, one, syncs, syncs_one = sorted(pairs, key=lambda p: p[0] / p[1])[len(pairs) // 2]
    # A thousand runs of one game each would take a thousand times as long; this is to be a tenth of that at most.
    figure("batch_of_due_games", ours, one, many / 10, True, "%d games %.2f s, one %.3f s" % (many, ours, one))
    figure("batch_syncs", syncs, syncs_one, (many + 499) // 500, True,
           "%d syncs for %d games, %d for one" % (syncs, many, syncs_one))


# ---- (h) a league that is large ----

def figure_due():
    """500 due games of 10,000 that run, with 2,000 players, against 500 of 1,000: each run plays a turn of the due ones."""
    players, due, sizes = (200, 50, {"few": 100, "many": 1000}) if QUICK else (2000, 500, {"few": 1000, "many": 10000})
    leagues = []
    for name, count in sizes.items():
        league = new_league(name, players)
        league.set("outgoing", type="maildir")
        league.set("clock", outage=0)
        for sub in ("cur", "new", "tmp"):
            (league.dir / "mail/in" / sub).mkdir(parents=True, exist_ok=True)
        sh(BENCH / "league", "games", league.dir, "galaxy-command", 0, due, 3, 1)
        sh(BENCH / "league", "games", league.dir, "galaxy-command", due, count - due, 3, 300)
        leagues.append(league)
    pairs, peak = [], 0
    for day in range(1, ROUNDS + 2):
        spent = []
        for league in leagues[::1 if day % 2 else -1]:
            settle()
            took, megabytes, code, words = peak_measured(TURNPOST, "run", "--league", league.dir, "--verbose", "--now",
                                                         "2026-11-%02dT12:00:01Z" % (20 + day))
            check(code == 0 and "%d turns resolved" % due in words, "turnpost run: exit %d\n%s" % (code, words))
            spent.append((league.dir.name, took))
            peak = max(peak, megabytes)
            shutil.rmtree(league.dir / "mail/out")
        if day > 1:
            pairs.append((dict(spent)["many"], dict(spent)["few"]))
    ours, theirs = median_pair(pairs)
    figure("due_of_many_games", ours, theirs, 1.2, True,
           "%d due of %d games %.2f s, of %d %.2f s" % (due, sizes["many"], ours, sizes["few"], theirs))
    figure("memory_of_many_games", peak, 64, 1, True, "%.0f MiB with %d players and %d games" % (peak, players, sizes["many"]))
    for league in leagues:
        shutil.rmtree(league.dir)

# ---- (j) the audit ----

def figure_audit():
    games, orders = (40, 3000) if QUICK else (1000, 50000)
    league = WORK / "audited"
    made = values(BENCH / "audit", "make", league, games)
    pairs, peaks = [], []
    for n in range(ROUNDS if QUICK else 3):
        bare = values(BENCH / "audit", "bare", league)
        settle()
        before = os.times()
        wall, peak, code, words = peak_measured(TURNPOST, "audit", league)
        after = os.times()
        check(code == 0, "turnpost audit: exit %d\n%s" % (code, words))
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        pairs.append((spent, bare["played"] + bare["sodium"], wall))
        peaks.append(peak)
    ours, bare, wall = sorted(pairs, key=lambda p: p[0] / p[1])[len(pairs) // 2]
    # Both are processor seconds: the audit takes all cores, and the reference could, too.
    figure("audit", ours, bare, 1.5, True, "%d games with %d turns %.2f s of processors, bare %.2f; %.2f s by the wall" %
           (games, made["turns"], ours, bare, wall), {"wall": round(wall, 3)})
    long_one = WORK / "long"
    values(BENCH / "audit", "long", long_one, orders)
    _, peak, code, words = peak_measured(TURNPOST, "audit", long_one)
    check(code == 0, "turnpost audit: exit %d\n%s" % (code, words))
    peak = max(peaks + [peak])
    figure("audit_memory_mib", peak, 64, 1, True, "%.1f MiB, the journal of one game %.0f" %
           (peak, os.path.getsize(long_one / "long/journal.jsonl") / 2**20))


# ---- all ----

def figure_replies():
    runs = [values(BENCH / "replies", 400 if QUICK else 2000) for _ in range(ROUNDS)]
    reply, signed = median_pair([(r["reply"], r["signed"]) for r in runs])
    figure("reply_against_signed", reply, signed, 1.5, True, "%.0f us a reply, %.0f us a signed mail" % (reply, signed))


# ---- competitions ----

def figure_compete():
    """A table of 10,000 players after a round, and a season of 1,000 games that is drawn and opened in one run."""
    players, games = (1000, 100) if QUICK else (10000, 1000)
    runs = [values(BENCH / "compete", "table", players) for _ in range(ROUNDS)]
    ours, bare = median_pair([(r["second"] + r["table"], r["bare"]) for r in runs])
    figure("compete_draw", ours, bare, 1, True, "%d players drawn and ranked in %.2f s, bare signatures and proofs %.2f s" %
           (players, ours, bare))
    ours, bare = median_pair([(r["read"], r["bare"]) for r in runs])
    figure("compete_read", ours, bare, 2, True, "its journal read in %.2f s, bare %.2f s" % (ours, bare))
    ours, whole = median_pair([(r["again"], r["read"]) for r in runs])
    figure("compete_again", ours, whole, 0.5, True, "read again in %.2f s, with its mark, in place of %.2f s" % (ours, whole))
    _, peak, code, words = peak_measured(BENCH / "compete", "table", players)
    check(code == 0, words)
    pairs = []
    for _ in range(ROUNDS):
        spent = []
        for count in (games // 10, games):
            league = new_league("compete", 2 * count)
            settle()
            took, mib, code, words = peak_measured(BENCH / "compete", "open", league.dir, count)
            check(code == 0, words)
            check(len(list((league.dir / "games").iterdir())) == count, "not all games are there")
            peak = max(peak, mib)
            spent.append(took)
            shutil.rmtree(league.dir)
        pairs.append((spent[1], spent[0]))
    ours, few = median_pair(pairs)
    figure("compete_open", ours, 10 * few, 1.2, True, "%d games drawn and opened in %.2f s, %d in %.2f s" %
           (games, ours, games // 10, few))
    figure("compete_memory", peak, 64, 1, True, "%.0f MiB" % peak)


# ---- (k) the league's own site ----

def figure_site():
    """10,000 games of all rulesets, most of them due later: the whole site, and what 50 turns change. In seconds, against those that we
    allow ourselves (a tenth with QUICK): there is nothing to compare with."""
    parts = 100 if QUICK else 1000
    changed, scale = 50, 0.1 if QUICK else 1
    league = new_league("site", 100 if QUICK else 500)
    league.set("outgoing", type="maildir")
    first = 0
    for ruleset, seats, share in (("galaxy-command", 3, 4), ("galactic-supremacy", 4, 2), ("galactic-contract", 3, 2), ("galaxy-farmer", 1, 2)):
        sh(BENCH / "league", "games", league.dir, ruleset, first, share * parts - (changed if first == 0 else 0), seats, 9)
        first += share * parts
    sh(BENCH / "league", "games", league.dir, "galaxy-command", first, changed, 3, 1)
    settle()
    site = WORK / "pages"
    whole, peak, code, words = peak_measured(TURNPOST, "site", site, "--league", league.dir)
    check(code == 0, words)
    check(len(list((site / "games").glob("*.html"))) == 10 * parts, "not all games have a page")
    check(measured(TURNPOST, "run", "--league", league.dir, "--now", "2026-11-22T13:00:00Z")[1] == 0, "the turns are not played")
    settle()
    before = time.time() - 0.01
    some, peak_some, code, words = peak_measured(TURNPOST, "site", site, "--league", league.dir)
    check(code == 0, words)
    fresh = [p for p in (site / "games").glob("*.html") if p.stat().st_mtime >= before]
    check(len(fresh) == changed, "%d pages were written for %d turns" % (len(fresh), changed))
    figure("site_whole", whole, scale, 60, True, "the site of %d games in %.1f s" % (10 * parts, whole))
    figure("site_changed", some, 1, 2, True, "what %d turns of them change in %.2f s" % (changed, some))
    figure("site_memory", max(peak, peak_some), 128, 1, True, "%.0f MiB" % max(peak, peak_some))
    shutil.rmtree(league.dir)
    shutil.rmtree(site)


# ---- (m) a league in PostgreSQL ----

def figure_store():
    import store
    store.measure(sys.modules[__name__])


ALL = {"mail": figure_mail, "sink": figure_sink, "postfix": figure_postfix, "pictures": figure_pictures, "turns": figure_turns, "idle": figure_idle,
       "verify": figure_verify, "history": figure_history, "batch": figure_batch, "due": figure_due,
       "audit": figure_audit, "replies": figure_replies, "compete": figure_compete, "site": figure_site,
       "store": figure_store}


def main(names):
    unknown = [name for name in names if name not in ALL]
    if unknown:
        raise Failed("there is no figure %s; there are: %s" % (", ".join(unknown), " ".join(ALL)))
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
