"""A competition killed at some moments of each of its phases, started again, compared with an undisturbed run: a round drawn and its
games made; mails by which games end, and their results; a round that ends with games that are adjudged, and the next one drawn; the end.
Then a duplicate deal: it is dealt, and closed with all its results, the robots' scores and everybody's mails.
The league keeps ratings: each game that ends has its one result. Nothing is lost or doubled, no game is made twice, and every mail leaves under one id.

LONG=1: killed at every point, and in the middle of writes (make crash)."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import batch
from batch import *
from comes_next import *

PEOPLE = ("ann", "ben", "cam", "dot", "eve", "fay", "gus")  # one of them has a bye
MAKER = pathlib.Path(TURNPOST).parent / "tests/bench/compete"  # its head says when things are due


def outcome(league):
    """As of other batches, with the competition's journal and everybody's mails."""
    games = {}
    for folder in ("games", "competitions"):
        for path in sorted((league.dir / folder).iterdir()):
            games["%s/%s" % (folder, path.name)] = (path / "journal.jsonl").read_bytes()
    ids = {}
    for who in PEOPLE:
        for path in (league.dir / "mail/out" / (who + "@players.test") / "new").glob("*"):
            raw = path.read_bytes()
            name = re.search(rb"^Message-ID: *(\S+)\r?$", raw.split(b"\n\n")[0].split(b"\r\n\r\n")[0], re.M)
            check(name, "a mail without a Message-ID: %s" % path)
            # a turn that is finished after a crash knows its orders, not their mail
            ids.setdefault((who, name[1].decode()), set()).add(re.sub(rb"^(In-Reply-To|References):.*\r?\n([ \t].*\r?\n)*", b"", raw, flags=re.M))
    left = len(list((league.dir / "mail/in/new").iterdir()))
    return games, ids, left, sum(1 for path in (league.dir / "spool").rglob("*.eml"))


batch.outcome = outcome


def records(league):
    name = max(path.name for path in (league.dir / "competitions").iterdir() if path.name != "results")  # the one that was made last
    return [json.loads(line) for line in (league.dir / "competitions" / name / "journal.jsonl").read_bytes().splitlines()]


def one(job):
    base, now, want, kind, at, number = job
    league = copy(base, "%s-%d" % (base.dir.name, number))
    try:
        league.tp("run", "--now", now, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "%s:%s" % (kind.replace("else", "kill"), at)})
        if kind == "else":
            what, now = comes_next(league, int(at), now)
            league.tp("run", "--now", now)
            return ["%s: killed at %s, then %s: %s" % (base.dir.name, at, what, wrong) for wrong in sound(league)]
        league.tp("run", "--now", now)
        return ["%s: %s at %s: %s" % (base.dir.name, kind, at, what) for what in differences(outcome(league), want)]
    except Failed as why:
        return ["%s: %s at %s: %s" % (base.dir.name, kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


class Story:
    def __init__(self):
        self.league, self.players = League("cup"), {name: Player(name) for name in PEOPLE}
        self.faults, self.kills, self.points, self.mails = [], 0, 0, 0
        self.league.init()
        self.league.set("league", ratings="signed")
        for sub in ("tmp", "new", "cur"):
            (self.league.dir / "mail/in" / sub).mkdir(parents=True, exist_ok=True)
        for player in self.players.values():
            self.league.add(player)
        sh(MAKER, "new", self.league.dir, "cup", "tables", "galaxy-command", 2, 2, 10, 24, 0, "-", WORK / "players", *PEOPLE)

    def days(self, first, last):
        """Quiet days, a run each."""
        for day in range(first, last + 1):
            self.league.tp("run", "--now", "2026-%02d-%02dT12:00:00Z" % (11 + (day > 30), day if day <= 30 else day - 30))

    def killed(self, name, now):
        """The next run is killed at some points, or at each of them; the story goes on as it should have gone."""
        base = copy(self.league, name)
        for old in (WORK / "calls", WORK / "allocs", WORK / "writes"):
            old.unlink(missing_ok=True)
        batch.NOW = now
        whole = bool(os.environ.get("LONG"))
        want, points, _allocs = undisturbed(base, writes=whole)
        if whole:
            jobs = [(kind, str(at)) for at in range(1, points + 1) for kind in ("kill", "else")]
            jobs += [("torn", "%d:%d" % (point, part)) for _most, writes in writes_by_length() for point in writes for part in (250, 999)]
        else:
            jobs = [("kill", str(1 + (points - 1) * 2 // 3))]
            jobs.append(("else", str(staged()[0])) if name in ("results", "next") else ("kill", str(1 + (points - 1) // 3)))
        jobs = [(base, now, want, kind, at, number) for number, (kind, at) in enumerate(jobs)]
        with multiprocessing.Pool(2) as pool:
            for found in pool.imap_unordered(one, jobs, chunksize=2):
                self.faults += found
        for left in ("quiet", "again", "third"):
            shutil.rmtree(WORK / left, ignore_errors=True)
        self.kills += len(jobs)
        self.points += points
        self.league.tp("run", "--now", now)
        self.mails = len(want[1])
        return [record["type"] for record in records(self.league)]

    def at_tables(self):
        """Who sits where in the last round."""
        return {game["game"]: game["players"] for record in records(self.league) if record["type"] == "made" for game in record["games"]}


def play(_):
    s = Story()
    s.days(20, 21)
    types = s.killed("drawn", "2026-11-21T13:00:00Z")
    check(types[-2:] == ["round", "made"], "not drawn and made: %s" % types)
    tables = s.at_tables()
    check(len(tables) == 3, "%s" % tables)
    (over, both), (on, two), _third = sorted(tables.items())
    for who in both:
        s.league.put_mail(s.players[who].mail(s.league.petition("resign", game=over)), "resign-" + who)
    for who in two:
        s.league.put_mail(s.players[who].mail(s.league.orders(on, 1, ["explore near"], final="yes")), "orders-" + who)
    types = s.killed("results", "2026-11-21T14:00:00Z")
    check(types[-1] == "result", "no result: %s" % types)
    s.days(22, 30)
    s.days(31, 31)
    types = s.killed("next", "2026-12-01T13:00:00Z")
    check(types[-2:] == ["round", "made"] and types.count("result") == 3, "not adjudged, drawn and made: %s" % types)
    s.days(32, 42)
    types = s.killed("end", "2026-12-12T13:00:00Z")
    check(types[-1] == "close" and types.count("result") == 6, "not closed: %s" % types)
    results = (s.league.dir / "competitions/results/journal.jsonl").read_bytes().splitlines()
    check(len(results) == 1 + sum((p / "journal.jsonl").read_bytes().count(b'"type":"end"') for p in (s.league.dir / "games").iterdir()) > 1, "results: %d" % len(results))
    sh(MAKER, "new", s.league.dir, "deals", "duplicate", "galaxy-farmer", 1, 1, 2, 12, 22, "-", WORK / "players", *PEOPLE[:3])
    s.days(43, 44)
    types = s.killed("dealt", "2026-12-14T15:00:00Z")
    check(types[-2:] == ["round", "made"], "no deal: %s" % types)
    s.days(45, 46)
    types = s.killed("closed", "2026-12-16T15:00:00Z")
    check(types[-4:] == ["result"] * 3 + ["field"], "the deal is not over: %s" % types)
    for fault in s.faults[:20]:
        print(fault)
    verify_chains(s.league)
    check(not s.faults, "%d faults" % len(s.faults))
    print("%d kills at %d points of 6 phases: 3 rounds, 9 games, %d mails; lost or doubled: %d" %
          (s.kills, s.points, s.mails, len(s.faults)))


main(play)
