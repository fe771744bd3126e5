"""Killed while it sends: mails of one game to one address arrive in order through a server that greylists, none is lost, and what comes
twice does so under its Message-ID. (These rounds make no records, so it is the same whatever comes next.)

LONG=1: killed at every point of the rounds in which they are put off, and taken (make crash)."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import copy
from fake import *

CLOCK = "2026-11-20T09:%02d:00Z"
MINUTES = (0, 5, 10, 15, 20)  # of rounds; in the first all are put off, in the second they are taken
GAMES, NAMES = ("g1", "g2"), ("alice", "bob")


def make_base(fake, servers):
    """Two games of two players with five mails to each, in the order of their records."""
    league = League("base")
    league.init()
    (league.dir / "password").write_text("secret\n")
    os.chmod(league.dir / "password", 0o600)
    league.set("outgoing", type="smtp", host="localhost", tls="implicit", user="orders", port=fake.port["smtp_greylists"],
               password_file="password", ca_file=servers.ca, connections=4)
    for name in NAMES:
        league.add(Player(name))
    for game in GAMES:
        league.seated(game, "galaxy-command", ",".join(NAMES), "--deadline", "3d", "--now", CLOCK % 0)
        for action in ("pause", "resume") * 2:
            league.tp("moderate", game, action, "--reason", "a test", "--now", CLOCK % 0)
    return league


def spooled(league):
    return [path for folder in ("new", "wait") for path in (league.dir / "spool" / folder).iterdir()]


def disturbed(base, number):
    """A copy whose players have addresses of their own, so that the server does not know them yet."""
    league = copy(base, "order%d" % number)
    for path in spooled(league):
        envelope, _, text = path.read_bytes().partition(b"\n")
        path.write_bytes(envelope.replace(b"@players.test", b"%%%d@players.test" % number) + b"\n" + text)
    return league


def send(job):
    """All rounds, with a kill in one of them, until everything has left; what is wrong."""
    base, number, killed, at = job
    league, wrong = disturbed(base, number), []
    try:
        for minute in MINUTES:
            if minute == killed:
                league.tp("run", "--now", CLOCK % minute, binary=FAULT, code=None, env={"TURNPOST_FAULT": "kill:%d" % at})
            league.tp("run", "--now", CLOCK % minute)
            if not spooled(league):
                break
        if spooled(league):
            wrong.append("%d mails have not left" % len(spooled(league)))
    except Failed as why:
        wrong.append(str(why))
    shutil.rmtree(league.dir)
    return ["killed at %d in minute %d: %s" % (at, killed, what) for what in wrong]


def count(base, number, minute):
    """The points of one round."""
    league = disturbed(base, number)
    for before in MINUTES[:MINUTES.index(minute)]:
        league.tp("run", "--now", CLOCK % before)
    league.tp("run", "--now", CLOCK % minute, binary=FAULT, env={"TURNPOST_FAULT": "count:%s" % (WORK / ("count%d" % number))})
    shutil.rmtree(league.dir)
    return int((WORK / ("count%d" % number)).read_text().split()[-1])


def judge(base, jobs, lines):
    """What came at each address, game by game, against what was spooled; how many came twice."""
    wanted = {}
    for path in spooled(base):
        game, seq, seat = path.name[:-len(".eml")].rsplit(".", 2)
        wanted.setdefault((game, NAMES[int(seat) - 1]), []).append(int(seq))
    came = {}
    for _, ident, to, digest in map(str.split, lines):
        game, seq, _ = ident.rsplit(".", 2)
        name, number = to.partition("@")[0].split("%")
        came.setdefault((int(number), game, name), []).append((int(seq), digest))
    wrong, twice = [], 0
    for _, number, killed, at in jobs:
        for (game, name), seqs in wanted.items():
            got = came.pop((number, game, name), [])
            order = [seq for seq, _ in got]
            if sorted(set(order)) != sorted(seqs) or order != sorted(order) or len(set(got)) != len(seqs):
                wrong.append("killed at %d in minute %d: to %s of %s came %s, not %s" % (at, killed, name, game, order, sorted(seqs)))
            twice += len(order) - len(seqs)
    return wrong, twice


def play(started):
    servers = Servers(["orders"])
    started.append(servers)
    fake = Fake(servers.dir, ["smtp_greylists"])
    base = make_base(fake, servers)
    points = {minute: count(base, number, minute) for number, minute in enumerate(MINUTES[:2])}
    check(min(points.values()) > 30, "only %s points" % points)
    first = len(points)  # the numbers before were for counting
    if os.environ.get("LONG"):
        wishes = [(minute, at) for minute, most in points.items() for at in range(1, most + 1)]
    else:
        wishes = [(minute, most * part // 4) for minute, most in points.items() for part in (1, 2, 3)]
    jobs = [(base, first + number, minute, at) for number, (minute, at) in enumerate(wishes)]
    with multiprocessing.Pool(2) as pool:
        faults = [what for found in pool.imap_unordered(send, jobs) for what in found]
    wrong, twice = judge(base, jobs, [line for line in fake.stop().splitlines() if line.startswith("taken ")
                                      and int(line.split()[2].partition("@")[0].split("%")[1]) >= first])
    for fault in (faults + wrong)[:20]:
        print(fault)
    print("%d kills at %s points of two rounds: %d mails each in 4 rows, in order, lost 0; %d came again under their Message-ID" % (
        len(jobs), "+".join(map(str, points.values())), len(spooled(base)), twice))
    check(not faults + wrong, "%d faults" % len(faults + wrong))


main(play)
