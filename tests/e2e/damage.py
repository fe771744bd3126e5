"""Every file of a league, damaged in seven ways, under each command that an operator may type next: exit codes, whether what is said
names the damage, and what becomes of the mails that arrive meanwhile. A mail is never lost: it counts, or it waits; what waited for a
player counts when `player restore` has brought them back.

Each file has a rule in RULES; a file without one fails. TABLE=1 prints the table. LONG=1 (make damage): all rows; else those that differ
most. ROWS="games/gc-1 secret": only files whose names hold one of these."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from batch import copy
from domains import Domains
from reader import Reader

HOWS = ("gone", "empty", "zeros", "byte", "cut", "older", "other")

# ---- what must come of it ----

COMMANDS = ("status", "doctor", "games", "backup", "restore", "new", "run", "after")  # after: status once more
WHOLE = dict(status=0, doctor=0, games=0, backup=0, restore=0, new=0, run=0, after=0, key="counts", reply="counts")


def but(base, **other):
    return dict(base, **other)


# It is made again, or is not needed.
HEALS = WHOLE
TAKEN = but(WHOLE, new=1)  # its name
# The game stands still, and its mails wait; all others go on. What a run finds, status says afterwards.
RESTS = but(TAKEN, doctor=78, backup=65, restore=65, run=65, after=2)
# The same, and it is missed at once.
GONE = but(RESTS, status=2)
# The game can be played on, but not be proved: who looks at all of it says so.
UNPROVED = but(TAKEN, doctor=78, backup=65, restore=65)
# An older copy, from which a game does not go on without a word: backups cannot know of it.
OLDER = but(RESTS, backup=0, restore=0)
# Nobody works on the league.
STOPPED = dict(status=2, doctor=78, games=0, backup=65, restore=78, new=78, run=78, after=2, key="waits", reply="waits")
REGISTRY = but(STOPPED, restore=65, new=65, run=65)
# One player is waited for.
ABSENT = but(WHOLE, status=2, doctor=78, backup=65, restore=65, run=65, after=2)
CARL, ANNA = but(ABSENT, new=1, key="waits"), but(ABSENT, reply="waits")
# What a league does not know of itself, only the operator can see.
NAMED = but(WHOLE, doctor=78)


def each(verdict, **others):
    return dict({how: verdict for how in HOWS}, **others)


def game(kind):
    """The journal of a running game whose mails are of that kind."""
    waits = {kind: "waits"}
    return each(but(RESTS, **waits), gone=but(GONE, **waits), empty=but(GONE, **waits), byte=UNPROVED,
                older=but(OLDER, **waits), cut=but(OLDER, **waits))


NO_LEAGUE = dict(status=66, doctor=78, games=66, backup=66, restore=66, new=66, run=66, after=66, key="waits", reply="waits")
NO_OPTIONS = but(NO_LEAGUE, status=78, games=78, backup=78, new=78, run=78, after=78)
RULES = [
    ("games/gc-1/journal.jsonl", game("key")),
    ("games/gc-2/journal.jsonl", game("reply")),
    # It is over, so nothing waits for it: who lists all games misses it.
    ("games/gc-3/journal.jsonl", each(UNPROVED, gone=but(UNPROVED, status=2, after=2), empty=but(UNPROVED, status=2, after=2),
                                     older=but(TAKEN, doctor=78), cut=but(TAKEN, doctor=78))),
    ("games/*/state.json", each(TAKEN)),
    ("competitions/spring/journal.jsonl", each(GONE, other=but(GONE, backup=0))),
    # Ratings follow from it alone: what is cut comes again from the games.
    ("competitions/results/journal.jsonl", each(TAKEN, gone=GONE, empty=GONE, zeros=but(TAKEN, doctor=78, backup=65, restore=65),
                                                byte=but(TAKEN, doctor=78, backup=65, restore=65), other=but(TAKEN, doctor=78, restore=65))),
    ("competitions/results/state.json", each(TAKEN)),
    ("players/carl.json", each(CARL, other=WHOLE)),
    ("players/anna.json", each(ANNA, other=WHOLE)),
    ("keys/carl.pub", each(CARL)),
    ("keys/league.pub", each(STOPPED)),
    ("keys/league.policy", each(STOPPED)),
    ("log/entries", each(WHOLE, byte=NAMED, other=NAMED)), ("log/checkpoint", each(WHOLE)), ("log/place", each(WHOLE)), ("log/tile/*/*/*", each(WHOLE)),
    ("keys/secret/*", each(STOPPED)),
    ("registry/journal.jsonl", each(REGISTRY, byte=but(NAMED, backup=65, restore=65))),
    ("registry/sealing/*", each(but(NAMED, backup=65, restore=65), gone=WHOLE, other=WHOLE)),
    ("registry/applied", each(WHOLE)), ("registry/known", each(WHOLE)), ("registry/clock", each(WHOLE)), ("registry/secrets.json", each(WHOLE)),
    ("registry/rounds", each(WHOLE, byte=but(WHOLE, status=None))),  # another time, until the next round
    ("registry/games/*", each(WHOLE)), ("registry/competitions/*", each(WHOLE)),
    ("tokens/*", each(NAMED, gone=WHOLE, other=WHOLE)),
    ("templates/*/*", each(WHOLE, zeros=but(NAMED, new=1, run=65, key="waits", after=2), cut=but(NAMED, new=1, run=65, key="waits", after=2))),
    ("catalog.sqlite", each(WHOLE, gone=but(WHOLE, status=66))),
    ("catalog.sqlite-*", each(WHOLE)), ("lock", each(WHOLE)),
    # Without its [league] trust a league does not know that anybody may answer without a key.
    ("league.ini", each(WHOLE, gone=NO_LEAGUE, empty=NO_OPTIONS, zeros=NO_OPTIONS, cut=but(WHOLE, reply=None))),
]
SHORT = [("games/gc-1/journal.jsonl", "gone"), ("keys/secret/vrf", "byte"), ("players/anna.json", "empty")]


def rule(name, how):
    found = [rules for pattern, rules in RULES if pathlib.PurePath(name).match(pattern)]
    check(found, "no rule says what must come of a damaged %s" % name)
    return found[0][how]


# ---- a league ----

def build(name, domains, carl):
    """Carl has a key, Anna plays by Reply; a game of each that runs, one that is over, a competition, ratings."""
    league = League(name)
    league.init()
    domains.use(league)
    league.set("league", ratings="signed")
    (league.dir / "templates/common").mkdir(parents=True)
    shutil.copy(TESTS.parent / "templates/common/due.txt", league.dir / "templates/common/due.txt")
    league.add(carl)
    anna = Reader("anna", domains, league)
    anna.register(league.tp("invite").strip())
    league.tp("invite")
    for game, seats in (("gc-1", "carl,robot"), ("gc-2", "anna,robot"), ("gc-3", "carl,robot")):
        league.seated(game, "galaxy-command", seats, "--deadline", "9d", "--trust", "mail")
    league.tp("compete", "new", "spring", "--kind", "tables", "--ruleset", "galaxy-command", "--entries", "9d", "--confirm", "2d",
              "--rounds", "2", "--round-length", "30d", "--cut-short")
    league.tp("run")
    shutil.copytree(league.dir, WORK / (name + "-older"))
    league.tp("moderate", "gc-3", "void", "--reason", "x")
    league.put_mail(carl.mail(league.orders("gc-1", 1, ["explore near"], final="yes")), "first")

    def reports():
        return [mail for mail in league.outbox(anna.address) if "[gc-2]" in mail["Subject"]]

    anna.answer("gmail_web", "explore near", reports()[0])
    league.tp("run")
    check(len(league.records("gc-1")) == len(league.records("gc-2")), "a first turn was not played")
    league.mail = {"key": carl.mail(league.orders("gc-1", 2, ["build"], final="yes")), "reply": anna.reply("gmail_web", reports()[-1].as_bytes(), "build")}
    league.sizes = {game: len(league.journal(game)) for game in ("gc-1", "gc-2")}
    return league


# ---- a row ----

def flip(data):
    at = len(data) // 2
    while data[at:at + 1] in (b"\n", b" "):
        at += 1
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def hurt(path, how, older, other):
    """False: there is no such damage to this file."""
    was = path.read_bytes()
    source = older if how == "older" else other
    if how in ("older", "other"):
        if not source.exists() or source.read_bytes() == was:
            return False
        path.write_bytes(source.read_bytes())
    elif how == "gone":
        path.unlink()
    elif not was:
        return False
    else:
        path.write_bytes({"empty": b"", "zeros": bytes(len(was)), "byte": flip(was), "cut": was[:len(was) * 2 // 3]}[how])
    return True


def fate(league, kind, sizes):
    """Of the mail that came meanwhile."""
    game = {"key": "gc-1", "reply": "gc-2"}[kind]
    if (league.dir / "mail/in/new" / kind).exists():
        return "waits"
    try:
        return "counts" if len(league.journal(game)) > sizes[game] else "lost"
    except OSError:
        return "lost"


def one(job):
    base, name, how = job
    league = copy(base, "%s-%s" % (name.replace("/", "-"), how))
    twin = sorted((WORK / "twin/tokens").iterdir())[0] if name.startswith("tokens/") else WORK / "twin" / name
    try:
        if not hurt(league.dir / name, how, WORK / "base-older" / name, twin):
            return None
        row, said = {}, {}

        def do(what, where, *args):
            out = where.tp(*args, code=None)
            row[what], said[what] = where.code, out + where.err

        for kind, raw in base.mail.items():
            league.put_mail(raw, kind)
        for command in ("status", "doctor", "games"):
            do(command, league, command)
        backup, restored, spare = (League(league.dir.name + end) for end in ("-backup", "-restored", "-new"))
        do("backup", league, "backup", backup.dir)
        do("restore", league, "restore", backup.dir, restored.dir)
        shutil.copytree(league.dir, spare.dir)
        do("new", spare, "new", name.split("/")[1] if name.startswith(("games/", "competitions/")) else "gc-9", "galaxy-command", "--seats", "carl,robot")
        do("run", league, "run")
        for kind in base.mail:
            row[kind] = fate(league, kind, base.sizes)
        do("after", league, "status")
        want = rule(name, how)
        found = ["%s: %s, not %s" % (what, row[what], want[what]) for what in COMMANDS + ("key", "reply") if want[what] is not None and row[what] != want[what]]
        if name.startswith(("players/", "keys/carl")) and "waits" in (row["key"], row["reply"]):
            league.tp("player", "restore", pathlib.PurePath(name).stem)
            league.tp("run")
            found += ["after player restore the mail %s" % kind for kind in base.mail if fate(league, kind, base.sizes) != "counts"]
        # Whoever fails says what is wrong. The last part of a name is in what is said of it, or what it is about.
        words = name.split("/")[-2:] + [pathlib.PurePath(name).stem]
        found += ["%s ends with %d and does not say why: %s" % (what, row[what], said[what][-300:]) for what in COMMANDS
                  if row[what] and want[what] is not None and not any(word in said[what] for word in words) and not said[what].startswith("turnpost: ")]
        return name, how, row, ["%s, %s: %s" % (name, how, what) for what in found]
    finally:
        for path in WORK.glob(league.dir.name + "*"):
            shutil.rmtree(path, ignore_errors=True)


def play(servers):
    domains = Domains()
    servers.append(domains)
    carl, wanted = Player("carl"), os.environ.get("ROWS", "").split()
    base, rows, faults = build("base", domains, carl), 0, []
    names = [str(path.relative_to(base.dir)) for path in sorted(base.dir.rglob("*")) if path.is_file()]
    names = [name for name in names if not name.startswith("mail/")]
    jobs = [(base, name, how) for name in names for how in HOWS if rule(name, how)]
    if wanted:
        jobs = [job for job in jobs if any(word in job[1] for word in wanted)]
    elif not os.environ.get("LONG"):
        jobs = [(base,) + short for short in SHORT]
    if any(how == "other" for _, _, how in jobs):
        build("twin", domains, carl)
    with multiprocessing.Pool(2) as pool:
        for result in pool.imap(one, jobs):
            if not result:
                continue
            name, how, row, found = result
            rows, faults = rows + 1, faults + found
            if os.environ.get("TABLE"):
                print("%-36s %-6s %s" % (name, how, " ".join("%s=%s" % item for item in row.items())))
    check(not faults, "\n".join(faults))
    print("%d rows, as they must be" % rows)


main(play)
