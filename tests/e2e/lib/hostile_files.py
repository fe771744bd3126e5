"""Files of a league that are damaged, edited, deleted or open to others; two processes at once; clocks that jump."""
import shutil

from trial import *

NOW = "2026-11-20T%02d:00:00Z"


class Case:
    """A league of three played turns in gc-1 and gc-2, each copy with an order of alice for both games in its inbox."""

    def __init__(self, table):
        self.table = table
        self.base = League("files")
        self.base.init()
        self.alice = Player("fiona")
        self.base.add(self.alice)
        for game in ("gc-1", "gc-2"):
            self.base.seated(game, "galaxy-command", "fiona,robot", "--deadline", "1d", "--now", NOW % 8)
        self.other = None
        for turn in range(1, 4):
            if turn == 3:
                self.other = self.copy("other")
            self.turn(self.base, turn, "explore near")
        self.turn(self.other, 3, "build")
        for number, game in enumerate(("gc-1", "gc-2")):
            head = json.loads(self.base.journal(game).splitlines()[-1])
            check(head["turn"] == 3, "three turns")
            self.base.put_mail(self.alice.mail(self.base.orders(game, 4, ["explore near", "build"], final="yes")), "o%d" % number)
        good = self.copy("good")
        good.tp("run", "--now", NOW % 12)
        self.good = {game: good.journal(game) for game in ("gc-1", "gc-2")}
        self.good_mails = {m["Message-ID"]: m.as_bytes() for m in good.outbox(self.alice.address)}

    def turn(self, league, turn, line):
        for number, game in enumerate(("gc-1", "gc-2")):
            league.put_mail(self.alice.mail(league.orders(game, turn, [line], final="yes")), "t%d-%d" % (turn, number))
        league.tp("run", "--now", NOW % (8 + turn))

    def copy(self, name, base=None):
        league = League(name)
        shutil.rmtree(league.dir, ignore_errors=True)
        shutil.copytree((base or self.base).dir, league.dir, symlinks=True)
        return league

    def same(self, item, league, games=("gc-1", "gc-2")):
        for game in games:
            check(league.journal(game) == self.good[game], "%s: the journal of %s differs" % (item, game))
        mails = {m["Message-ID"]: m.as_bytes() for m in league.outbox(self.alice.address)}
        for name, raw in mails.items():
            check(name in self.good_mails and without_proofs(self.good_mails[name]) == without_proofs(raw), "%s: mail %s differs" % (item, name))
        if len(games) == 2:
            check(set(mails) == set(self.good_mails), "%s: mails lost: %s" % (item, set(self.good_mails) - set(mails)))

    def harmless(self, item, damage):
        """What is damaged is only a cache: the run goes on as if nothing had been."""
        league = self.copy("case")
        damage(league)
        took, megabytes, _ = measure(league, "run", "--now", NOW % 12)
        self.same(item, league)
        check(not list((league.dir / "mail/in/new").iterdir()), item + ": mail left in the inbox")
        self.table.add(item, one_line(league.err) or "made anew, nothing is different", took, megabytes)

    def refused(self, item, damage, says, keep_cache=True):
        """gc-1 cannot be read: its journal stays as it is and its mail in the inbox; gc-2 goes on; when the file is put back,
        all is well."""
        league = self.copy("case")
        state = league.dir / "games/gc-1/state.json"
        if not keep_cache:
            state.unlink()
        damage(league)
        before = self.shelf(league)
        took, megabytes, _ = measure(league, "run", "--now", NOW % 12, code=65)
        check(says in one_line(league.err) and "gc-1" in league.err, "%s: the operator is told %s" % (item, league.err))
        said = one_line(league.err)
        check(self.shelf(league) == before, item + ": the journal was changed")
        check([p.name for p in (league.dir / "mail/in/new").iterdir()] == ["o0"], item + ": not just the one mail is left")
        self.same(item, league, ["gc-2"])
        shutil.rmtree(league.dir / "games/gc-1")
        shutil.copytree(self.base.dir / "games/gc-1", league.dir / "games/gc-1")
        league.tp("run", "--now", NOW % 12)
        self.same(item + ", put back", league)
        self.table.add(item, said, took, megabytes)

    @staticmethod
    def shelf(league):
        path = league.dir / "games/gc-1/journal.jsonl"
        return path.read_bytes() if path.is_file() else None


def journals(case):
    def edit(change):
        def damage(league):
            path = league.dir / "games/gc-1/journal.jsonl"
            path.write_bytes(change(path.read_bytes()))
        return damage

    def lines(change):
        return edit(lambda raw: b"".join(change(raw.splitlines(keepends=True))))

    def flip(raw, number, what, to):
        rows = raw.splitlines(keepends=True)
        check(what in rows[number], "%s is not in record %d" % (what, number + 1))
        rows[number] = rows[number].replace(what, to, 1)
        return b"".join(rows)

    case.harmless("journal: half a record of a crash", edit(lambda raw: raw + raw.splitlines()[-1][:200]))
    case.harmless("journal: NULs behind, as after a power cut", edit(lambda raw: raw + b"\0" * 4096))
    case.refused("journal: cut within the last record", edit(lambda raw: raw[:-30]), "which was committed")
    case.refused("journal: the last records gone", lines(lambda rows: rows[:-2]), "which was committed")
    case.refused("journal: forked at the last turn", lambda league: shutil.copy(
        case.other.dir / "games/gc-1/journal.jsonl", league.dir / "games/gc-1/journal.jsonl"), "which was committed")
    case.refused("journal: another game's", lambda league: shutil.copy(
        league.dir / "games/gc-2/journal.jsonl", league.dir / "games/gc-1/journal.jsonl"), "gc-1", keep_cache=False)
    for item, damage, says in (
            ("journal: one digit of a record edited", edit(lambda raw: flip(raw, 5, b'"turn":', b'"turn": ')), "record 7 does not follow"),
            ("journal: a record deleted", lines(lambda rows: rows[:4] + rows[5:]), "record 6 of gc-1 is where record 5"),
            ("journal: two records swapped", lines(lambda rows: rows[:4] + [rows[5], rows[4]] + rows[6:]), "is where record 5"),
            ("journal: a record twice", lines(lambda rows: rows[:4] + [rows[3]] + rows[4:]), "is where record 5"),
            ("journal: a foreign line behind", edit(lambda raw: raw + b"hello\n"), "record"),
            ("journal: a line of NULs behind", edit(lambda raw: raw + b"\0" * 4096 + b"\n"), "record"),
            ("journal: line ends of Windows", edit(lambda raw: raw.replace(b"\n", b"\r\n")), "record 2 does not follow"),
            ("journal: the first record gone", lines(lambda rows: rows[1:]), "record 2 of gc-1 is where record 1"),
            ("journal: nested a million deep", edit(lambda raw: b'{"game":' + b"[" * 60000 + b"\n" + raw), "record 1"),
            ("journal: one line of 10 MB", edit(lambda raw: b"x" * 10000000 + b"\n" + raw), "record 1")):
        case.refused(item, damage, says, keep_cache=False)
    case.refused("journal: another branch of the game, whole in itself", lambda league: shutil.copy(
        case.other.dir / "games/gc-1/journal.jsonl", league.dir / "games/gc-1/journal.jsonl"), "its journal was changed", keep_cache=False)


def caches(case):
    def state(change):
        def damage(league):
            path = league.dir / "games/gc-1/state.json"
            path.write_bytes(change(path.read_bytes()))
        return damage

    older = (case.other.dir / "games/gc-1/state.json").read_bytes()
    for item, change in (("deleted", None), ("empty", lambda raw: b""), ("cut", lambda raw: raw[:len(raw) // 2]),
                         ("garbage", lambda raw: b"\0\xff" * 1000), ("edited", lambda raw: raw.replace(b'"turn":4', b'"turn":9')),
                         ("of another branch, with our seal on it", lambda raw: older),
                         ("of another game", lambda raw: (case.base.dir / "games/gc-2/state.json").read_bytes()),
                         ("brackets", lambda raw: raw[:82] + b"[" * 1000000)):
        if item.startswith("of another branch"):
            case.refused("state.json " + item, state(change), "which was committed")
        elif change:
            case.harmless("state.json " + item, state(change))
        else:
            case.harmless("state.json deleted", lambda league: (league.dir / "games/gc-1/state.json").unlink())

    def catalog(change):
        def damage(league):
            path = league.dir / "catalog.sqlite"
            raw = path.read_bytes()
            for extra in ("-wal", "-shm"):
                pathlib.Path(str(path) + extra).unlink(missing_ok=True)
            path.unlink()
            if change:
                path.write_bytes(change(raw))
        return damage

    for item, change in (("deleted", None), ("empty", lambda raw: b""), ("cut", lambda raw: raw[:len(raw) // 2]),
                         ("garbage", lambda raw: os.urandom(8192)),
                         ("its middle overwritten", lambda raw: raw[:4096] + b"\x5a" * (len(raw) - 4096))):
        case.harmless("catalog " + item, catalog(change))
    # One of a newer program knows what no journal does.
    league = case.copy("case")
    catalog(lambda raw: raw[:60] + b"\0\0\0\x63" + raw[64:])(league)
    took, megabytes, _ = measure(league, "run", "--now", NOW % 12, code=65)
    check("made by a newer Turnpost" in league.err, "a newer catalog is not named: " + league.err)
    check((league.dir / "catalog.sqlite").read_bytes()[60:64] == b"\0\0\0\x63", "a newer catalog was made anew")
    case.table.add("catalog a newer program's", "refused, left as it is", took, megabytes)
    def both(league):
        catalog(None)(league)
        (league.dir / "games/gc-1/journal.jsonl").write_bytes(b"x\n")

    case.refused("catalog deleted, journal damaged", both, "record 1", keep_cache=False)
    # A game that could not be read when the catalog was made keeps its deadline when it is put back.
    league = case.copy("case")
    catalog(None)(league)
    (league.dir / "mail/in/new/o0").unlink()
    (league.dir / "games/gc-1/journal.jsonl").rename(WORK / "away")
    (league.dir / "games/gc-1/journal.jsonl").write_bytes(b"x\n")
    (league.dir / "games/gc-1/state.json").unlink()
    league.tp("run", "--now", NOW % 12, code=65)
    (WORK / "away").rename(league.dir / "games/gc-1/journal.jsonl")
    took, megabytes, _ = measure(league, "run", "--now", "2026-11-22T12:00:00Z")
    check(league.records("gc-1")[-1]["turn"] == 4, "a game that was unreadable for a while lost its deadline")
    case.table.add("catalog deleted, journal damaged and put back", "the deadline is kept", took, megabytes)


def secrets(case):
    league = case.copy("case")
    before = [league.journal(g) for g in ("gc-1", "gc-2")]
    (league.dir / "password").write_text("secret\n")
    for name, mode in (("keys/secret", 0o755), ("keys/secret/league", 0o644), ("keys/secret/master", 0o640),
                       ("keys/secret/vrf", 0o604), ("password", 0o644)):
        path = league.dir / name
        good = 0o700 if path.is_dir() else 0o600
        if name == "password":
            league.set("incoming", type="imap", host="localhost", port=1, user="orders", password_file="password")
        os.chmod(path, mode)
        took, megabytes, _ = measure(league, "run", "--now", NOW % 12, code=78)
        check("chmod" in league.err and name.split("/")[-1] in league.err, "%s readable: %s" % (name, league.err))
        os.chmod(path, good)
        case.table.add("%s readable by others" % name, one_line(league.err), took, megabytes)
        check([league.journal(g) for g in ("gc-1", "gc-2")] == before, name + ": a journal changed")
    league.set("incoming", type="maildir")
    league.tp("run", "--now", NOW % 12)
    case.same("secrets private again", league)


def processes(case):
    """Both start at once: one works, the other is told so or finds nothing to do; nothing happens twice."""
    for attempt in range(3):
        league = case.copy("case")
        env = dict(os.environ, TURNPOST_LEAGUE=str(league.dir))
        began = time.monotonic()
        pair = [subprocess.Popen([TURNPOST, "run", "--now", NOW % 12], env=env, stderr=subprocess.PIPE) for _ in range(4)]
        said = [(p.communicate()[1].decode(), p.returncode) for p in pair]
        codes = sorted(code for _, code in said)
        check(codes[0] == 0 and set(codes) <= {0, 75}, "exit codes %s" % codes)
        check(all("locked" in text for text, code in said if code == 75), "%s" % said)
        case.same("several processes", league)
    case.table.add("four processes at once", "exit codes %s" % codes, time.monotonic() - began, 0)


def clocks(case):
    def times(league):
        return [r["time"] for r in league.records("gc-1")]

    def last_turn(league):
        return [r["turn"] for r in league.records("gc-1") if r["type"] == "turn"][-1]

    league = case.copy("case")
    took, megabytes, _ = measure(league, "run", "--now", "2025-11-20T12:00:00Z")
    check(times(league) == sorted(times(league)), "time runs backwards in the journal")
    check(last_turn(league) == 4, "the orders were not taken")
    case.table.add("clock a year back", "orders are taken, time stands still in the journal", took, megabytes)
    took, megabytes, _ = measure(league, "run", "--now", NOW % 13)
    before = league.journal("gc-1")
    check(last_turn(league) == 4, "a turn was played when the clock came back")
    verify_chain(league, "gc-1")
    league.tp("show", "gc-1")
    league.put_mail(case.alice.mail(league.orders("gc-1", 5, ["bide"])), "back")
    league.tp("run", "--now", NOW % 14)
    check(last_turn(league) == 5, "no turn after the clock came back")

    league = case.copy("case")
    league.tp("clock", "--confirm", "--now", "2027-11-20T12:00:00Z")
    took, megabytes, _ = measure(league, "run", "--now", "2027-11-20T12:00:00Z")
    played = [r for r in league.records("gc-1") if r["type"] == "turn"]
    check(len(played) in (4, 5), "%d turns were played, not at most one more" % len(played))
    case.table.add("clock a year ahead", "at most one turn a game, not one for each missed deadline", took, megabytes)
    before = len(played)
    took, megabytes, _ = measure(league, "run", "--now", NOW % 13)
    check(len([r for r in league.records("gc-1") if r["type"] == "turn"]) == before, "a turn was played when the clock came back")
    league.put_mail(case.alice.mail(league.orders("gc-1", before + 1, ["bide"])), "back")
    took, megabytes, _ = measure(league, "run", "--now", NOW % 14)
    check(last_turn(league) == before + 1, "no turn after the clock came back")
    check(times(league) == sorted(times(league)), "time runs backwards in the journal")
    verify_chain(league, "gc-1")
    case.table.add("clock back from a year ahead", "orders are taken, turns go on", took, megabytes)


def play(table):
    case = Case(table)
    journals(case)
    caches(case)
    secrets(case)
    processes(case)
    clocks(case)
