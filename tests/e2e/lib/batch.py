"""A batch of 20 games with orders, receipts and reports in flight, for the tests that disturb it."""
import shutil

from league import *

# The log names the program that decides: where mails are compared with those of an undisturbed run, it has to be one program.
League.program = FAULT

GAMES = 20
NOW = "2026-11-20T09:00:00Z"
ORDERS, TURNS = 35, 15  # alice in all games, bob in three of four


# What alice's texts have in front of their orders: their boxes, and the writes, get every length.
REMARKS = [[], ["# " + 60 * "x"] * 60, ["# " + 100 * "x"] * 320, ["# " + 150 * "x"] * 390, ["# " + 84 * '"'] * 370]


def make_base(games=GAMES):
    base = League("base")
    base.init()
    alice, bob = base.alice, base.bob = Player("alice"), Player("bob", "signify")
    base.add(alice)
    base.add(bob)
    for number in range(games):
        base.seated("g%02d" % number, "galaxy-command", "alice,bob,robot", "--now", "2026-11-20T08:00:00Z")
    for number in range(games):
        name = "g%02d" % number
        base.put_mail(alice.mail(base.orders(name, 1, REMARKS[number % 5] + ["explore near", "build"])), "a%02d" % number)
        if number % 4:  # every fourth game waits for bob
            base.put_mail(bob.mail(base.orders(name, 1, ["bide", "always explore near"]), attach=True), "b%02d" % number)
    return base


def copy(base, name):
    league = League(name)
    shutil.copytree(base.dir, league.dir, symlinks=True)
    league.share()
    return league


def outcome(league):
    """What must be the same whatever happened: journals, mails by Message-ID, nothing left over."""
    games = {p.name: league.journal(p.name) for p in sorted((league.dir / "games").iterdir())}
    ids = {}
    for who in ("alice", "bob", "carol"):
        for path in (league.dir / "mail/out" / (who + "@players.test") / "new").glob("*"):
            raw = path.read_bytes()  # as it is: to parse each would take longer than to make it
            name = re.search(rb"^Message-ID: *(\S+)\r?$", raw.split(b"\n\n")[0].split(b"\r\n\r\n")[0], re.M)
            check(name, "a mail without a Message-ID: %s" % path)
            ids.setdefault((who, name[1].decode()), set()).add(raw)
    left = len(list((league.dir / "mail/in/new").iterdir()))
    spool = sum(1 for p in (league.dir / "spool").rglob("*.eml"))
    return games, ids, left, spool


def unproved(raw):
    return re.sub(rb"-----BEGIN TURNPOST PROOF-----.*?-----END TURNPOST PROOF-----\r?\n", b"", raw, flags=re.S)


def unanswered(raw):
    """A report that is the receipt of orders, as it is made again from the journal, which does not name their mail: without the proofs
    of what came before it in one commit."""
    head, body = re.split(rb"(?<=\n)(?=\r?\n)", raw, maxsplit=1)
    body = unproved(body)
    head = re.sub(rb"^In-Reply-To: .*\n", b"", head, count=1, flags=re.M)
    return re.sub(rb"^(References: <g\d+\.0\.\d@game\.test>)(\s+<[^>]*>)+", rb"\1", head, count=1, flags=re.M) + body


def differences(got, want, torn=False):
    """Sentences that say what is lost, doubled or different; empty if nothing is. `torn`: a journal may have been cut."""
    found = []
    for name in want[0]:
        if got[0].get(name) != want[0][name]:
            found.append("game %s differs" % name)
    if set(got[1]) != set(want[1]):
        found.append("mails lost or new: %s" % sorted(set(got[1]) ^ set(want[1])))
    found += ["one Message-ID, two mails: %s" % (key,) for key, bodies in got[1].items() if len(bodies) != 1]
    found += ["a mail differs: %s" % (key,) for key in want[1] if got[1].get(key) != want[1][key] and
              not (torn and {unproved(raw) for raw in got[1].get(key, ())} == {unanswered(raw) for raw in want[1][key]})]
    if got[2:] != (0, 0):
        found.append("%d mails in the inbox, %d in the spool" % got[2:])
    return found


def staged_in(trace):
    """Of the calls of a run (TURNPOST_FAULT=calls:FILE) those right after what it has staged is on the disk, and before anything
    else is; and how many there are."""
    calls = [line.split()[1] for line in trace.read_text().splitlines()]
    syncs = [n + 1 for n, call in enumerate(calls) if call == ("pg_wait" if DATABASE else "syncfs")]
    # of a commit, whose second one follows a few writes later
    return [at + 1 for at, after in zip(syncs, syncs[1:]) if "write" in calls[at:after] and "rename" not in calls[at:after]], len(calls)


def staged_at(league, now=None):
    trace = WORK / (league.dir.name + ".calls")
    league.tp("run", *(["--now", now] if now else []), binary=FAULT, env={"TURNPOST_FAULT": "calls:%s" % trace})
    return staged_in(trace)


def undisturbed(base, writes=True):
    """The outcome to compare with, the number of points, the number of allocations; and for staged() and, with `writes`, for
    writes_by_length()."""
    quiet = copy(base, "quiet")
    quiet.tp("run", "--now", NOW, binary=FAULT, env={"TURNPOST_FAULT": "calls:%s" % (WORK / "calls")})
    want = outcome(quiet)
    check(want[2:] == (0, 0), "the undisturbed run left mail behind: %s" % (want[2:],))
    again = copy(base, "again")
    again.tp("run", "--now", NOW, binary=FAULT, env={"TURNPOST_FAULT": "allocs:%s" % (WORK / "allocs")})
    check(outcome(again) == want, "two undisturbed runs differ: %s" % differences(outcome(again), want))
    if writes:
        third = copy(base, "third")
        third.tp("run", "--now", NOW, binary=FAULT, env={"TURNPOST_FAULT": "writes:%s" % (WORK / "writes")})
    return want, staged_in(WORK / "calls")[1], int((WORK / "allocs").read_text())


def staged():
    """After undisturbed(): as staged_in."""
    return staged_in(WORK / "calls")[0]


def writes_by_length():
    """After undisturbed(): the points that are writes, in classes by their length: (up to so many bytes, points)."""
    classes = {most: [] for most in (256, 1024, 4096, 16384, 65536, 131072, 1 << 30)}
    for line in (WORK / "writes").read_text().splitlines():
        point, length = map(int, line.split())
        classes[min(most for most in classes if length <= most)].append(point)
    return sorted(item for item in classes.items() if item[1])
