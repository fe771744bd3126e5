"""The whole league by its log: a copy of the log's folder, what was published, and what people kept, read by `turnpost audit --log`. An
operator with all keys leaves out a game, a result, a record; changes what was published; shows two groups two logs; puts the clock back.
Each is named, and so is an honest loss."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from stolen import Keys

NOW = "2026-11-%02dT%02d:00:00Z"
BUNDLE = 256  # entries
LONG = os.environ.get("LONG", "") not in ("", "0")


# ---- a log, as somebody with the league's key writes one ---------------------------------------------------------------

def tree(lines):
    """RFC 6962, 2.1; lines with their LF."""
    if len(lines) < 2:
        return hashlib.sha256(b"\0" + lines[0] if lines else b"").digest()
    left = 1 << (len(lines) - 1).bit_length() - 1
    return tlog.node_of(tree(lines[:left]), tree(lines[left:]))


class Forger:
    def __init__(self, league):
        self.point, self.keys, self.policy = league_point(league), Keys(league), league.dir / "keys/league.policy"
        self.origin = self.policy.read_text().split()[1].split("+")[0]

    def write(self, name, lines):
        """A folder with a log of these entries, well signed."""
        folder = WORK / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(self.policy, folder)
        note = tlog.note_text(self.origin, len(lines), tree(lines))
        signature = base64.b64encode(tlog.key_id(self.origin, self.point) + self.keys.sign(note.encode())).decode()
        (folder / "entries").write_bytes(b"".join(lines))
        (folder / "checkpoint").write_text("%s\n\u2014 %s %s\n" % (note, self.origin, signature))
        return folder


def field(line, number, value):
    parts = line.rstrip(b"\n").split(b" ")
    parts[number] = value.encode()
    return b" ".join(parts) + b"\n"


def index_of(lines, *words):
    """Of the first entry that begins so."""
    return next(i for i, line in enumerate(lines) if line.decode().split(" ")[:len(words)] == list(words))


# ---- the league ---------------------------------------------------------------------------------------------------

class Case:
    def __init__(self):
        self.league = league = League()
        league.init()
        league.set("league", ratings="signed")
        self.players = [Player("alice"), Player("bob")]
        for player in self.players:
            league.tp("player", "add", player.name, player.address, player.public, "--now", NOW % (1, 7))
        for game in ("gc-1", "gc-2", "gc-3"):
            league.seated(game, "galaxy-command", "alice,bob", "--deadline", "2d", "--now", NOW % (1, 8))
        self.turn(league, "gc-1", 1, ["explore near"], NOW % (1, 9))
        self.end(league, "gc-1", NOW % (2, 8))
        self.early = WORK / "early"
        shutil.copytree(league.dir, self.early)
        self.turn(league, "gc-2", 1, ["explore near"], NOW % (2, 9))
        self.end(league, "gc-2", NOW % (5, 8))
        self.site, self.given = WORK / "site", WORK / "published"
        league.tp("site", self.site)
        self.given.mkdir()
        for game in ("gc-1", "gc-2", "gc-3", "results"):
            league.tp("publish", game, "-o", self.given / game)
        self.entries = (league.dir / "log/entries").read_bytes().splitlines(keepends=True)
        self.forger = Forger(league)

    def turn(self, league, game, turn, lines, now):
        for player in self.players:
            league.put_mail(player.mail(league.orders(game, turn, lines, final="yes")), "%s-%s-%d" % (player.name, game, turn))
        league.tp("run", "--now", now)

    def end(self, league, game, now):
        league.tp("moderate", game, "void", "--reason", "enough", "--now", now)
        league.tp("run", "--now", now)

    def audit(self, folder, code, *words, games=None, options=()):
        games = [self.given / g for g in ("gc-1", "gc-2", "gc-3", "results")] if games is None else games
        said = self.league.tp("audit", "--log", folder, *games, *options, code=code) + self.league.err
        for one in words:
            check(one in said, "audit --log does not say \"%s\" but:\n%s" % (one, said))
        return said

    def copy(self, game, lines):
        folder = WORK / "changed" / game
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.given / game, folder)
        (folder / "journal.jsonl").write_bytes(b"".join(lines))
        return folder

    def others(self, *left_out):
        return [self.given / g for g in ("gc-1", "gc-2", "gc-3", "results") if g not in left_out]


def holds(case):
    """Nothing is wrong: by the site's copy, by the league itself, and by what the players kept."""
    mails = case.league.dir / "mail/out" / case.players[0].address
    for folder, games in ((case.site, None), (case.site / "log", None), (case.league.dir / "log", None), (case.league.dir, [])):
        case.audit(folder, 0, "The log holds", games=games)
    case.audit(case.site, 0, "The log holds", options=("--kept", mails, "--kept", case.early / "log/checkpoint"))
    case.audit(case.site, 0, "is the one that was given", options=("--policy", case.forger.policy, "--key", case.league.dir / "keys/league.pub"))
    said = json.loads(case.audit(case.site, 0, options=("--json", "--kept", mails)))
    check(said["entries"] == said["size"] == len(case.entries) and said["journals"] == 4 and said["kept"] > 8 and not said["wrong"] + said["ask"],
          "as JSON: %s" % said)
    check([p["version"].split("+")[0] for p in said["programs"]] == [case.league.tp("--version").split()[1].split("+")[0]], "programs: %s" % said["programs"])
    # A copy of the site's log is made by the names of its files.
    copied = WORK / "copied"
    copied.mkdir()
    for name in ("log/checkpoint", "league.policy"):
        shutil.copy(case.site / name, copied)
    names = case.league.tp("audit", "--log", copied, "--missing").split()
    check(len(names) == -(-len(case.entries) // BUNDLE), "bundles: %s" % names)
    case.audit(copied, 2, "entry 1: entries are missing from here on")
    for name in names:
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(case.site / "log" / name, copied / name)
    check(case.league.tp("audit", "--log", copied, "--missing") == "", "it lacks something still")
    case.audit(copied, 0, "The log holds")


def entries_changed(case):
    """What is no longer what the league signed; and what it signed and cannot be."""
    at = index_of(case.entries, "turn", "gc-1")
    changed = WORK / "changed-entry"
    shutil.copytree(case.site, changed)
    bundle = next((changed / "log/tile/entries").rglob("%d" % len(case.entries)))
    raw = bundle.read_bytes()
    head = case.entries[at].split(b" ")[4]
    bundle.write_bytes(raw.replace(head, head[:-1] + (b"0" if head[-1:] != b"0" else b"1")))
    case.audit(changed, 2, "The log is broken", "entry %d: the entries are not those that the league signed" % (at + 1))
    # Without the tiles it can only be said that it is so.
    shutil.rmtree(changed / "log/tile/0")
    case.audit(changed, 2, "the entries are not those that the league signed")
    # An entry left out, and the rest signed anew: the record has none.
    lines = case.entries[:at] + case.entries[at + 1:]
    case.audit(case.forger.write("left-out", lines), 2, "the log has no entry of record")
    # No entry at all.
    case.audit(case.forger.write("no-entry", case.entries + [b"hed gc-1 1\n"]), 2, "entry %d: this is no entry of a log" % (len(case.entries) + 1))


def any_byte(case):
    """No bit of checkpoint, entries and policy can be another one without its being seen."""
    copied, names = WORK / "bits", [path.relative_to(case.site) for path in (case.site / "log/tile/entries").rglob("*") if path.is_file()]
    shutil.copytree(case.site, copied)
    for name in [pathlib.Path("log/checkpoint"), pathlib.Path("league.policy"), max(names, key=lambda name: (case.site / name).stat().st_size)]:
        whole = (case.site / name).read_bytes()
        for _ in range(200 if LONG else 25):
            at, bit = secrets.randbelow(len(whole)), 1 << secrets.randbelow(8)
            (copied / name).write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1:])
            case.league.tp("audit", "--log", copied, case.given / "gc-1", code=None)
            check(case.league.code in (1, 2, 78), "%s with bit %d of byte %d changed: exit %d: %s" % (name, bit, at, case.league.code, case.league.err))
        (copied / name).write_bytes(whole)
    case.audit(copied, 0, "The log holds")


def signed_by_another(case):
    stranger = League("stranger")
    stranger.init()
    stranger.tp("run")
    other = Forger(stranger)
    Forger(case.league)  # the keys in use again
    log = case.forger.write("another-key", case.entries)
    shutil.copy(other.policy, log / "league.policy")
    case.audit(log, 2, "is not signed by the log that your policy names")
    case.audit(log, 0, "The log holds", options=("--policy", case.forger.policy))
    case.audit(case.site, 1, "the policy names another key", options=("--key", stranger.dir / "keys/league.pub"))
    case.audit(case.site, 1, "shows nothing of this log", options=("--kept", stranger.dir / "log/checkpoint"))


def clock_put_back(case):
    """A day earlier, for a friend's late orders."""
    at = index_of(case.entries, "receipt", "gc-2")
    lines = list(case.entries)
    lines[at] = field(lines[at], 3, NOW % (1, 10))
    case.audit(case.forger.write("clock", lines), 2, "record %s (entry %d): it is dated 2026-11-01T10:00:00Z" % (lines[at].split()[2].decode(), at + 1),
               "the clock was put back", games=[case.given / "gc-1"])
    # A log that is ahead of its journals: so it is when a clock was put back that had been ahead.
    ahead = [field(line, 3, NOW % (7, 8)) if line.split()[1] == b"gc-3" else line for line in case.entries]
    ahead = [line for line in ahead if line.split()[1] != b"gc-3"] + [line for line in ahead if line.split()[1] == b"gc-3"]
    log = case.forger.write("ahead", ahead)
    case.audit(log, 1, "dated before what the log had already, by 6d", "the league's clock was put back", games=[case.league.dir / "games"])
    # What is published has proofs of another log than that.
    case.audit(log, 2, "two histories: the league has signed another log", "published/gc-1/HEAD.tlog-proof shows")


def copy_of(league, name):
    other = League(name)
    shutil.copytree(league.dir, other.dir, symlinks=True)
    return other


def two_histories(case):
    """Two groups are shown two logs: each is good, and what one of them kept does not fit the other."""
    one, other = copy_of(case.league, "one"), copy_of(case.league, "other")
    for league, words in ((one, ["explore near"]), (other, ["bide"])):
        case.turn(league, "gc-3", 1, words, NOW % (6, 8))
        case.audit(league.dir, 0, "The log holds", games=case.others("gc-3"))
    kept = other.dir / "mail/out" / case.players[1].address
    case.audit(one.dir, 2, "two histories: the league has signed another log", "they agree up to entry 3", games=[],
               options=("--kept", kept))
    case.audit(one.dir, 2, "two histories", games=[], options=("--kept", other.dir / "log/checkpoint"))
    # Who is shown the shorter of two copies of one log sees that it is older.
    case.audit(case.site, 1, "is older, or its end was cut", options=("--kept", one.dir / "log/checkpoint"))
    # In one log there is no room for both.
    theirs = (other.dir / "log/entries").read_bytes().splitlines(keepends=True)[len(case.entries):]
    both = (one.dir / "log/entries").read_bytes().splitlines(keepends=True) + [line for line in theirs if b" gc-3 " in line]
    case.audit(case.forger.write("both", both), 2, "gc-3, record", "two histories", games=[case.given / "gc-1"])
    # The same turn closed twice, by records of other numbers.
    close = one_line(both, "close", "gc-3")
    last = int(both[-1].split()[2]) + 1
    twice = both[:len(both) - len(theirs)] + [field(close, 2, str(last))]
    case.audit(case.forger.write("twice", twice), 2, "is closed a second time", games=[case.given / "gc-1"])


def one_line(lines, *words):
    return lines[index_of(lines, *words)]


def journals_changed(case):
    lines = (case.given / "gc-2/journal.jsonl").read_bytes().splitlines(keepends=True)
    taken = next(n for n, line in enumerate(lines, 1) if json.loads(line)["type"] == "orders")
    folder = case.copy("gc-2", case.forger.keys.rechain(lines, taken, lambda r: r.update(seal="cd" * 32)))
    case.audit(case.site, 2, "gc-2, record %d (entry %d)" % (taken, index_of(case.entries, "receipt", "gc-2") + 1),
               "the journal was changed after it was logged", games=case.others("gc-2") + [folder])
    folder = case.copy("gc-2", lines[:-1])
    case.audit(case.site, 1, "gc-2, record %d" % len(lines), "ends before it, and the log goes on to record %d" % len(lines),
               games=case.others("gc-2") + [folder])
    # What lies beside a published journal proves that the log has all of it, and nothing of a shorter one.
    check("The league's log has all of it (entry " in case.league.tp("audit", case.given / "gc-2"), "the proof beside a journal")
    turn = next(n for n, line in enumerate(lines, 1) if json.loads(line)["type"] == "turn")
    folder = case.copy("gc-2", lines[:turn])
    said = case.league.tp("audit", folder, code=1)
    check("The proof that the league's log has all of it does not hold: it is of another record %d than the last one here" % len(lines) in said and ": sound as far" in said, "a shorter journal: " + said)
    # A record that was never logged; and one that is newer than this copy of the log.
    for day, code, says in ((2, 2, "it was never logged"), (5, 1, "is older than the journal")):
        more = case.forger.keys.rechain(lines + [lines[-1]], len(lines) + 1, lambda r: r.update(seq=len(lines) + 1, time=NOW % (day, 8)))
        log = case.forger.write("longer", case.entries + [b"head registry 999 %s %s\n" % ((NOW % (5, 9)).encode(), b"ab" * 32)])
        case.audit(log, code, "gc-2, record %d" % (len(lines) + 1), says, games=case.others("gc-2") + [case.copy("gc-2", more)])
    # The log's own receipt is of another text than the record.
    for what, by in ((rb"mark [0-9a-f]{64}", b"mark " + b"cd" * 32), (rb"seat 1", b"seat 2"), (rb"turn 1\.", b"turn 11."), (rb"^receipt (.*) turn.*", rb"head \1")):
        forged = [re.sub(what, by, line) if line.startswith(b"receipt gc-2 ") else line for line in case.entries]
        case.audit(case.forger.write("receipt", forged), 2, "of another kind, text, turn or seat than the record says")
    # One game under two names.
    first = head_of_line((case.given / "gc-2/journal.jsonl").read_bytes().splitlines(keepends=True)[0])
    second = ("head %s 1 %s %s\n" % (tlog.hidden_name(first), NOW % (5, 9), first)).encode()
    case.audit(case.forger.write("second-name", case.entries + [second]), 2, "two histories: this is gc-2, under a second name")
    case.audit(case.site, 1, "is there twice", games=[case.given / "gc-1", case.league.dir / "games/gc-1"])


def left_out(case):
    """A game, and a result."""
    for game in ("gc-1", "gc-2"):
        said = case.audit(case.site, 1, "the game ended on 2026-11-0", "turnpost publish %s" % game, games=case.others(game))
        check("ask: %s, record" % game in said, "the game is not named: " + said)
    case.audit(case.site, 0, "1 game still runs", games=case.others("gc-3"))
    lines = (case.given / "results/journal.jsonl").read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines, 1) if json.loads(line).get("of") == "gc-1")
    fewer = lines[:at - 1] + lines[at:]
    fewer = case.forger.keys.rechain(fewer, at, lambda r: r.update(seq=at)) if len(fewer) >= at else fewer
    case.audit(case.site, 2, "results, record %d" % at, "the journal was changed", games=case.others("results") + [case.copy("results", fewer)])
    # And logged so: it is the game's end that tells.
    log, heads = [], iter(map(head_of_line, fewer))
    for line in case.entries:
        if line.split(b" ")[1] == b"results":
            head = next(heads, None)
            line = head and field(line, 4, head)
        log += [line] if line else []
    end = index_of(log, "end", "gc-1")
    case.audit(case.forger.write("no-result", log), 2, "gc-1, record %s (entry %d)" % (log[end].split()[2].decode(), end + 1), "it was left out of the ratings",
               games=case.others("results") + [case.copy("results", fewer)])
    # A result of another ending.
    other = case.forger.keys.rechain(lines, at, lambda r: r.update(head="ab" * 32))
    log, heads = list(case.entries), iter(map(head_of_line, other))
    log = [field(line, 4, next(heads)) if line.split(b" ")[1] == b"results" else line for line in log]
    case.audit(case.forger.write("other-end", log), 2, "results, record %d" % at, "of another ending than the log has",
               games=case.others("results") + [case.copy("results", other)])


def lost(case):
    """An older copy of a game was put back: the log says so, and what is gone is to be asked."""
    league = copy_of(case.league, "lost")
    case.turn(league, "gc-3", 1, ["explore near"], NOW % (6, 8))
    before = len((case.given / "gc-3/journal.jsonl").read_bytes().splitlines())
    shutil.rmtree(league.dir / "games/gc-3")
    shutil.copytree(case.league.dir / "games/gc-3", league.dir / "games/gc-3")
    (league.dir / "catalog.sqlite").unlink()
    league.tp("run", "--now", NOW % (6, 12))
    case.turn(league, "gc-3", 1, ["bide"], NOW % (6, 13))
    league.tp("publish", "gc-3", "-o", WORK / "lost-published")
    said = case.audit(league.dir, 1, "gc-3, record %d (entry" % (before + 1), "the league says that it lost its records", "turnpost receipt-check",
                      games=case.others("gc-3") + [WORK / "lost-published"])
    check("two histories" not in said, "an honest loss is called more than that: " + said)


def play(_):
    case = Case()
    for part in (holds, entries_changed, any_byte, signed_by_another, clock_put_back, two_histories, journals_changed, left_out, lost):
        part(case)
    print("%d entries, and each thing that was falsified is named" % len(case.entries))


main(play)
