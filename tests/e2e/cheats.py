"""A cheating operator, who holds all keys of the league: what he does, who finds out, and by which command.

Where he can, he cheats with the program itself: a league that is copied before a mail and goes on without it makes a journal
that is good in itself, so `audit` proves it, and only the players' mails show it. Where he cannot, he edits the files and signs
every record anew. LONG: the same in a game that is over and published, and every record edited in turn."""
import base64
import copy
import datetime
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from stolen import ZEROS, Keys

LONG = os.environ.get("LONG", "") not in ("", "0")
NOW = "2026-11-20T%02d:00:00Z"
GAME = "gc-1"
VERIFIER = pathlib.Path(__file__).parent.parent / "verifier/verify.py"


# ---- leagues, histories, mailboxes ---------------------------------------------------------------------------------

class Case:
    def __init__(self):
        self.base = League("base")
        self.base.init()
        self.alice, self.bob = Player("alice"), Player("bob")
        for player in (self.alice, self.bob):
            self.base.add(player)
        self.base.seated(GAME, "galaxy-command", "alice,bob", "--deadline", "1d", "--now", NOW % 8)
        self.keys = Keys(self.base)
        self.base.raw = {}  # name of a mail: what was sent in this history
        self.words = {"a2-again": ["explore far or bide", "build"], "b2-other": ["bide"], "a2-other": ["bide"]}
        for turn in (1, 2, 3):
            self.words["a%d" % turn] = ["explore near", "research robots or bide"]
            self.words["b%d" % turn] = ["explore near or bide"]
        self.signed = {}
        self.told = []
        self.count = 0

    def mail(self, league, name):
        """Orders, signed under the head of the turn that the player was shown in this history."""
        head = league.head(GAME)
        if (name, head) not in self.signed:
            player = self.alice if name[0] == "a" else self.bob
            self.signed[name, head] = player.mail(orders(GAME, int(name[1]), self.words[name], head, final="yes"))
        league.raw[name] = self.signed[name, head]
        return league.raw[name]

    def go_on(self, league, names, hour):
        """Each mail in a run of its own, in this order."""
        for name in names:
            league.put_mail(self.mail(league, name), "%02d-%s" % (hour, name))
            league.tp("run", "--now", NOW % hour)
            hour += 1
        return hour

    def history(self, name, names, base=None, hour=9):
        league = League(name)
        shutil.rmtree(league.dir, ignore_errors=True)
        base = base or self.base
        shutil.copytree(base.dir, league.dir, symlinks=True)
        league.raw = dict(base.raw)
        self.go_on(league, names, hour)
        return league

    def mailbox(self, name, player, *leagues, sent=()):
        """What the player has saved: a Maildir of what came from these leagues, and an mbox of what he sent to the last."""
        box = WORK / ("box-" + name)
        shutil.rmtree(box, ignore_errors=True)
        for room in ("new", "cur", "tmp"):
            (box / room).mkdir(parents=True)
        for number, league in enumerate(leagues):
            for path in sorted((league.dir / "mail/out" / player.address / "new").iterdir()):
                shutil.copy(path, box / "cur" / ("%d-%s" % (number, path.name)))
        with open(WORK / ("sent-" + name), "wb") as out:
            for item in sent:
                out.write(b"From me Fri Nov 20 08:00:00 2026\n" + leagues[-1].raw[item].replace(b"\r\n", b"\n") + b"\n")
        return [box, WORK / ("sent-" + name)] if sent else [box]

    # What the commands say.

    def audit(self, league, code, words="", view="moderator", path=None):
        said = league.tp("audit", path or league.dir / "games" / GAME, "--as", view, "--key", self.base.dir / "keys/league.pub",
                         code=code) + league.err
        check(" ".join(words.split()) in " ".join(said.split()), "audit does not say \"%s\" but:\n%s" % (words, said))
        return said

    def receipts(self, league, mails, code, *kinds, path=None):
        out = league.tp("receipt-check", *mails, "--journal", path or league.dir / "games" / GAME, "--key",
                        self.base.dir / "keys/league.pub", "--json", code=code)
        report = json.loads(out)
        found = {f["kind"] for f in report["findings"] if f["weight"] in ("wrong", "ask")}
        for kind in kinds:
            check(kind in found, "receipt-check does not find \"%s\" but %s:\n%s" % (kind, found, out))
        for f in report["findings"]:
            check(f["weight"] != "wrong" or f["record"] or f["kind"] == "journal", "no record is named: %s" % f)
            check(f["weight"] != "wrong" or "mail" in f or f["kind"] == "journal", "no mail is named: %s" % f)
        return report

    def exposed(self, what, by, command, says):
        self.count += 1
        self.told.append("  %-52s %-28s %-14s %s" % (what, by, command, says))


def write_game(case, name, lines, place=WORK):
    """A game folder as the operator hands it out; in WORK with the secret of the league, which opens the boxes."""
    folder = place / "games" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(b"".join(lines))
    (WORK / "keys/secret").mkdir(parents=True, exist_ok=True)
    shutil.copy(case.base.dir / "keys/secret/master", WORK / "keys/secret/master")
    return folder


def find(lines, kind, turn=None):
    """The number of the record of that type (and turn)."""
    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        if record["type"] == kind and (turn is None or record.get("turn") == turn):
            return number
    raise Failed("no record %s of turn %s" % (kind, turn))


# ---- cheats with the program itself: the journal is good, the mails are not its mails ------------------------------

def histories(case):
    alice, bob = case.alice, case.bob
    honest = case.honest
    mine = case.mailbox("alice", alice, honest, sent=("a1", "a2", "a2-again", "a3"))
    his = case.mailbox("bob", bob, honest, sent=("b1", "b2", "b3"))
    case.audit(honest, 0)
    case.receipts(honest, mine, 0)
    case.receipts(honest, his, 0)
    # The orders are known by their marks, while everything else is still sealed.
    public = write_game(case, "public", honest.journal(GAME).splitlines(keepends=True), WORK / "shut")
    for mails, count in ((mine, 4), (his, 3)):
        kinds = [f["kind"] for f in case.receipts(honest, mails, 0, path=public)["findings"]]
        check(kinds.count("orders") == count and "sealed" not in kinds, "the orders of a running game: %s" % kinds)

    # He drops orders after giving their receipt, and plays the turn with the ones before.
    cheat = case.history("drop", ["a1", "b1", "a2", "b2", "a3", "b3"])
    case.audit(cheat, 0)
    report = case.receipts(cheat, mine, 2, "fork", "dropped")
    dropped = next(n for n, line in enumerate(honest.journal(GAME).splitlines(), 1)
                   if json.loads(line)["type"] == "orders" and honest.journal(GAME).splitlines()[n - 1]
                   not in cheat.journal(GAME).splitlines())
    check(min(f["record"] for f in report["findings"] if f["kind"] == "fork") == dropped, "another record is named")
    case.receipts(cheat, his, 2, "fork")
    case.exposed("drops an order after giving its receipt", "its player; any other player", "receipt-check",
                 "fork at record %d" % dropped)
    # Nor does it help him that no header of the receipt belongs to her mail: it names the mark of her text.
    bare = case.mailbox("bare", alice, honest, sent=("a1", "a2", "a2-again", "a3"))
    for path in (bare[0] / "cur").iterdir():
        mail = parse(path.read_bytes())
        for name in ("Message-ID", "In-Reply-To", "References", "Date"):
            del mail[name]
        mail["Message-ID"] = "<another@game.test>"
        path.write_bytes(mail.as_bytes())
    case.receipts(cheat, bare, 2, "dropped")
    case.exposed("the same, and gives the receipt other headers", "its player", "receipt-check", "dropped")
    # While nothing is published her receipts and a report are enough: it names the marks that the turn was closed with.
    reports = case.mailbox("reports", alice, cheat)
    out = honest.tp("receipt-check", *mine, *reports, "--policy", case.base.dir / "keys/league.policy", "--json", code=2)
    found = [f["text"] for f in json.loads(out)["findings"] if (f["weight"], f["kind"]) == ("wrong", "replaced")]
    check("turn 2, and the turn was closed with another text of seat 1" in found[0], out)
    case.exposed("the same, before the game is published", "its player", "receipt-check", "replaced")
    # What the players have signed for the one history fits no other.
    before = cheat.journal(GAME)
    for number, name in enumerate(("a3", "b3")):
        check(honest.raw[name] != cheat.raw[name], "the same orders in two histories")
        cheat.put_mail(honest.raw[name], "moved%d" % number)
    cheat.tp("run", "--now", NOW % 15)
    check(cheat.journal(GAME) == before, "signed texts were moved into another history")

    # He swaps two mails: the first orders count instead of the later ones.
    cheat = case.history("swap", ["a1", "b1", "a2-again", "a2", "b2", "a3", "b3"])
    case.audit(cheat, 0)
    case.receipts(cheat, mine, 2, "fork")
    case.receipts(cheat, his, 2, "fork")
    case.exposed("swaps the order of two mails", "their players", "receipt-check", "fork")

    # Two players are shown two histories; each of them is good, and both cannot be published.
    cheat = case.history("other", ["a1", "b1", "a2", "a2-again", "b2-other", "a3", "b3"])
    theirs = case.mailbox("bob-other", bob, cheat, sent=("b1", "b2-other", "b3"))
    case.audit(cheat, 0)
    case.receipts(cheat, theirs, 0)
    case.receipts(honest, theirs, 2, "fork")
    case.receipts(cheat, mine, 2, "fork")
    # Both players together need no journal at all that goes so far.
    early = write_game(case, "early", honest.journal(GAME).splitlines(keepends=True)[:5])
    case.receipts(honest, mine + theirs, 2, "fork", path=early)
    policy = case.base.dir / "keys/league.policy"
    said = honest.tp("receipt-check", *mine, "--policy", policy)
    check("What your mails prove is in the league's log" in said, said)
    said = honest.tp("receipt-check", *mine, *theirs, "--policy", policy, code=2)
    check("contradicted itself" in said and "two different records" in said, said)
    case.exposed("shows two players two histories", "one of the two; both together", "receipt-check", "fork")

    # He rolls back to a backup of turn 1 and says nothing: he liked the dice better.
    first = case.history("first", ["a1", "b1"])
    cheat = case.history("rollback", ["a2-other", "b2-other", "a3", "b3"], base=first, hour=16)
    case.audit(cheat, 0)
    case.receipts(cheat, mine, 2, "fork")
    case.receipts(cheat, his, 2, "fork")
    case.exposed("rolls back silently and plays on", "any player", "receipt-check", "fork")
    case.receipts(first, mine, 0, "beyond")
    case.exposed("rolls back silently and stops there", "any player", "receipt-check", "asks: records taken away, or journal old")


def wrong_clock(case):
    """He puts the league's clock forward by a day, and a turn of a day ends within the hour; then it is put right again."""
    begun = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    ahead = lambda hours: (begun + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
    waits = League("waits")
    waits.init()
    for player in (case.alice, case.bob):
        waits.add(player)
    waits.seated(GAME, "galaxy-command", "alice,bob", "--deadline", "1d", "--now", ahead(0))
    waits.put_mail(case.alice.mail(orders(GAME, 1, ["explore near"], waits.head(GAME), final="yes")), "a1")
    waits.tp("run", "--now", ahead(0))  # bob's orders are not in
    cheat = League("clock")
    shutil.copytree(waits.dir, cheat.dir, symlinks=True)
    for hours in range(1, 26):  # with rounds on the way, or it would be an outage
        cheat.tp("run", "--now", ahead(hours))
    check(any(r["type"] == "close" and r["turn"] == 1 for r in cheat.records(GAME)), "turn 1 goes on")
    for league, code in ((waits, 0), (cheat, 2)):
        league.tp("audit", league.dir / "games" / GAME, "--as", "moderator")
        box = case.mailbox("clock", case.alice, league)[0]
        for path in (box / "cur").iterdir():  # as her own mail server had them, whose clock he does not set
            arrived = (begun + datetime.timedelta(minutes=30)).strftime("%a, %d %b %Y %H:%M:%S +0000")
            path.write_bytes(b"Received: from mail.game.test by mx.players.test; " + arrived.encode() + b"\r\n" + path.read_bytes())
        found = json.loads(league.tp("receipt-check", box, "--journal", league.dir / "games" / GAME, "--json", code=code))["findings"]
        check(any(f["kind"] == "clock" for f in found) == bool(code), "the clock of %s: %s" % (league.dir.name, found))
    case.exposed("puts the league's clock forward by a day", "any player", "receipt-check", "clock")


def says_lost(case):
    """He takes a turn back and calls it a loss: a copy of turn 1, restored as the page says, and the record in the game."""
    mine = case.mailbox("alice", case.alice, case.honest, sent=("a1", "a2", "a2-again", "a3"))
    his = case.mailbox("bob", case.bob, case.honest, sent=("b1", "b2", "b3"))
    first = case.history("copied", ["a1", "b1"])

    def restored(name, names, base=first):
        copied = WORK / ("copy-" + name)
        shutil.rmtree(copied, ignore_errors=True)
        base.tp("backup", copied)
        league = League(name)
        league.raw = dict(base.raw)
        league.tp("restore", copied, league.dir)
        (league.dir / "mail/out").mkdir(parents=True, exist_ok=True)
        case.go_on(league, names, 16)
        return league

    # Nothing was undone: the same mails again. His players are told, and nothing is called wrong; the dice are others.
    loss = restored("loss", ["a2", "a2-again", "b2", "a3", "b3"])
    case.audit(loss, 0, "lost records of this game 1 time")
    for box in (mine, his):
        report = case.receipts(loss, box, 1, "gone")
        check(report["games"][0]["lost"] >= 2 and not any(f["weight"] == "wrong" for f in report["findings"]), "an honest loss: %s" % report)
    check([r["rollbacks"] for r in loss.records(GAME) if r["type"] == "close"][1:] == [1, 1], "what was lost is drawn again")
    case.exposed("undoes a turn, and says that records were lost", "any player who was shown it", "receipt-check",
                 "exit code 1, and how many records are gone")
    case.receipts(restored("dropped", ["b2", "a2-other", "b3"]), mine, 1, "gone")
    case.exposed("the same, without orders that had a receipt", "their player", "receipt-check", "gone")

    # He says it early, to have an excuse for what comes later.
    excuse = restored("excuse", [])
    excuse.tp("run", "--now", NOW % 12)
    on = case.history("after-excuse", ["a2", "b2"], base=excuse, hour=13)
    theirs = case.mailbox("alice-excuse", case.alice, on, sent=("a1", "a2"))
    undone = case.history("undone-excuse", ["a2-other", "b2-other"], base=excuse, hour=16)
    case.receipts(undone, theirs, 2, "fork")
    case.exposed("says it before the turn that is undone", "any player", "receipt-check", "fork")

    # A record that is made by hand, and draws what was drawn before.
    lines = loss.journal(GAME).splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines, 1) if b'"kind":"lost"' in line)
    folder = write_game(case, "copy", case.keys.rechain(lines, at, lambda r: r.update(rollbacks=0)))
    case.audit(loss, 2, "record %d (note" % at, path=folder)
    case.audit(loss, 2, "record %d (note" % at, view="public", path=folder)
    case.exposed("says it, and keeps the dice", "anybody", "audit", "broken at record %d" % at)


def false_receipt(case):
    """He takes up other orders than the player's, and signs a receipt for their record."""
    lines = case.honest.journal(GAME).splitlines(keepends=True)
    taken = find(lines, "orders", 1)
    lines = case.keys.rechain(lines[:taken], taken, lambda r: r.update(seal="cd" * 32))
    folder = write_game(case, "other-orders", lines)
    box, sent = case.mailbox("deceived", case.alice, case.history("deceived", ["a1"]), sent=("a1",))
    receipt = next(p for p in (box / "cur").iterdir() if parse(p.read_bytes())["In-Reply-To"])
    entry = next(line for line in tlog.proved(proof_of(parse(receipt.read_bytes())), league_point(case.base)) if line.startswith("receipt "))
    proof = tlog.armored(re.sub(r"[0-9a-f]{64}", head_of_line(lines[-1]), entry, count=1), "orders.example/turnpost/0", league_point(case.base), case.keys.sign)
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    for name in ("From", "To", "Subject", "Message-ID", "In-Reply-To"):
        mail[name] = parse(receipt.read_bytes())[name]
    mail.set_content(text_of(parse(receipt.read_bytes())) + proof)
    receipt.write_bytes(mail.as_bytes())
    report = case.receipts(case.honest, [box, sent], 2, "dropped", path=folder)
    check(all("than it is" in f["text"] for f in report["findings"] if f["kind"] == "fork"), "the test does not cheat: %s" % report)
    case.exposed("takes up other orders, with a receipt for them", "their player, at once", "receipt-check", "dropped")


# ---- cheats by hand: the journal is not good ------------------------------------------------------------------------

def edits(case):
    lines = case.honest.journal(GAME).splitlines(keepends=True)
    mine = case.mailbox("alice", case.alice, case.honest, sent=("a1", "a2", "a2-again", "a3"))

    # A die: another proof of the turn's draws (that of turn 1), everything after it signed again.
    turn = find(lines, "turn", 2)
    other = json.loads(lines[find(lines, "turn", 1) - 1])["pi"]
    folder = write_game(case, "die", case.keys.rechain(lines, turn, lambda r: r.update(pi=other)))
    case.audit(case.honest, 2, "record %d (turn" % turn, path=folder)
    case.audit(case.honest, 2, "record %d (turn" % turn, view="public", path=folder)
    case.receipts(case.honest, mine, 2, "fork", path=folder)
    case.exposed("alters the proof of a turn's dice", "anybody", "audit", "broken at record %d" % turn)
    # Its outcome: other events than the dice give.
    folder = write_game(case, "events", case.keys.rechain(lines, turn, lambda r: r.update(events="ab" * 32)))
    case.audit(case.honest, 2, "record %d (turn" % turn, path=folder)
    case.exposed("alters what a die led to", "moderators; all at the end", "audit", "broken at record %d" % turn)

    # A card: another proof of the hidden shuffle in the deal, sealed and signed again.
    start = find(lines, "start")
    record = json.loads(lines[start - 1])
    keys, changed = box_keys(case.honest, GAME), copy.deepcopy(record["hidden"])
    payload = json.loads(keys.payload(changed[0]["box"], bytes.fromhex(changed[0]["seal"]), GAME, start, 0, 2))
    payload["proof"] = record["pi"]  # a proof, but not of this
    payload = json.dumps(payload, separators=(",", ":")).encode()
    seal = boxes.seal_of(boxes.salt_of(keys.seal, start, 0, 2, payload), payload)
    changed[0] = {"box": base64.b64encode(boxes.turned(boxes.box_key(keys.seal, seal), payload)).decode(), "seal": seal.hex()}
    folder = write_game(case, "card", case.keys.rechain(lines, start, lambda r: r.update(hidden=changed)))
    case.audit(case.honest, 2, "record %d (start" % start, path=folder)
    case.exposed("deals a chosen card", "moderators; all at the end", "audit", "broken at record %d" % start)

    # Missed turns, deadlines, seats: signed again, and against the rules or the record before.
    close = find(lines, "close", 2)
    folder = write_game(case, "missed", case.keys.rechain(lines, close, lambda r: r.update(missed=[1])))
    case.audit(case.honest, 2, "record %d (close" % close, path=folder)
    case.exposed("says that a seat missed its turn", "moderators; all at the end", "audit", "broken at record %d" % close)
    taken = find(lines, "orders", 2)
    folder = write_game(case, "orders", case.keys.rechain(lines, taken, lambda r: r.update(seal="cd" * 32)))
    case.audit(case.honest, 2, "record %d (orders" % taken, path=folder)
    case.exposed("puts other orders in the place of a player's", "moderators; all at the end", "audit",
                 "broken at record %d" % taken)

    # A journal that names another key altogether.
    (case.keys.dir / "other").unlink(missing_ok=True)
    sh(TURNPOST, "init", WORK / "elsewhere", "--address", "x@y.test") if not (WORK / "elsewhere").exists() else None
    point = base64.b64decode((WORK / "elsewhere/keys/league.pub").read_text().split()[1])[-32:].hex()
    stranger = League("elsewhere")
    folder = write_game(case, "stranger", case.keys.rechain(lines, 1, lambda r: r.update(league_key=point)))
    case.audit(case.honest, 2, "record 1", path=folder)
    case.receipts(case.honest, mine, 2, "journal", path=folder)
    case.exposed("rewrites all of it with another key", "whoever knows the league's key", "audit --key", "broken at record 1")


def caches(case):
    """state.json, as a fool edits it and as somebody with the master secret does."""
    league = case.history("cache", ["a1", "b1"])
    path = league.dir / "games" / GAME / "state.json"
    first, body = path.read_bytes().split(b"\n", 1)
    state = json.loads(body)
    before = json.dumps(state["state"])
    fields = state["state"]["player"][0]
    check("metal" in fields, "no metal in %s" % before)
    fields["metal"] = 3 if fields["metal"] != 3 else 2
    body = json.dumps(state, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n"
    form = first.rsplit(b" ", 1)[0]

    fool = case.history("fool", [], base=league)
    (fool.dir / "games" / GAME / "state.json").write_bytes(first + b"\n" + body)
    case.go_on(fool, ["a2", "a2-again", "b2", "a3", "b3"], 11)
    check(fool.journal(GAME) == case.honest.journal(GAME), "an edited cache was believed")
    case.exposed("edits state.json", "nobody needs to", "run", "it is thrown away")

    cheat = case.history("forger", [], base=league)
    (cheat.dir / "games" / GAME / "state.json").write_bytes(form + b" " + case.keys.seal_cache(body.rstrip(b"\n")).encode() + b"\n" + body)
    case.go_on(cheat, ["a2", "a2-again", "b2", "a3", "b3"], 11)
    check(cheat.journal(GAME) != case.honest.journal(GAME), "a forged cache was not taken: the test does not cheat")
    turn = find(cheat.journal(GAME).splitlines(), "turn", 2)
    case.audit(cheat, 2, "record %d (turn" % turn)
    case.exposed("edits state.json and forges the mark on it", "moderators; all at the end", "audit", "broken at record %d" % turn)


# ---- games in lockstep ----------------------------------------------------------------------------------------------

def lockstep(case):
    """A deal that others may play as well: turns that come too soon, other deadlines, records that there cannot be."""
    league = case.history("lockstep", [])
    league.seated("week", "galaxy-farmer", "alice", "--lockstep", ",".join((NOW % 9, "1", NOW % 12)), "--now", NOW % 8)
    for hour in range(9, 13):
        league.tp("run", "--now", NOW % hour)
    lines = league.journal("week").splitlines(keepends=True)
    second = subprocess.run([sys.executable, VERIFIER, write_game(case, "week", lines)], capture_output=True, text=True)
    check(second.returncode == 1 and "sound as far as this verifier goes: %d records" % len(lines) in second.stdout, second.stdout)
    check(json.loads(lines[-1])["time"] == NOW % 12, "the deal is not open when it closes: %s" % lines[-1])
    word = {"by": "operator", "reason": "why not", "turn": 1}
    start, close = find(lines, "start"), find(lines, "close", 1)
    for what, at, change, says in (
        ("deals before turn 1 opens", start, {"time": "2026-11-20T08:59:00Z"}, "the deal comes before turn 1 opens"),
        ("plays a turn before the next one opens", close, {"time": "2026-11-20T09:59:59Z"}, "before the next one opens for all"),
        ("gives a turn another deadline", start, {"deadline": NOW % 11}, "its deadline is not when the next turn opens"),
        ("pauses a deal", close, {"type": "moderate", "do": "pause", **word}, "nothing moves its turns"),
        ("plays a turn by a word", close, {"type": "moderate", "do": "resolve", **word}, "nothing moves its turns"),
    ):
        def edit(record, change=change):
            if "type" in change:
                for name in set(record) - {"game", "seq", "prev", "type", "time"}:
                    del record[name]
            record.update(change)

        folder = write_game(case, "week", case.keys.rechain(lines, at, edit))
        case.audit(league, 2, says, path=folder)
        case.audit(league, 2, "record %d" % at, view="public", path=folder)
        second = subprocess.run([sys.executable, VERIFIER, folder], capture_output=True, text=True)
        check(second.returncode == 2 and "broken at record %d " % at in second.stdout, "the second verifier says %s" % second.stdout)
        case.exposed(what + ", in lockstep", "anybody", "audit", "broken at record %d" % at)


# ---- the long form --------------------------------------------------------------------------------------------------

def finish(league):
    day = 21
    while json.loads(league.journal(GAME).splitlines()[-1])["type"] != "open":
        check(day < 90, "the game does not end")
        month, of_month = (11, day) if day <= 30 else (12, day - 30) if day <= 61 else (1, day - 61)
        league.tp("run", "--now", "%d-%02d-%02dT23:00:00Z" % (2027 if month == 1 else 2026, month, of_month))
        day += 1


def long_form(case):
    """Games that are over and published, in the hands of players and strangers; and every record edited."""
    honest = case.history("honest-end", [], base=case.honest)
    finish(honest)
    cheat = case.history("drop-end", ["a1", "b1", "a2", "b2", "a3", "b3"])
    finish(cheat)
    bundles = []
    for league in (honest, cheat):
        league.tp("publish", GAME, "-o", league.dir / "bundle")
        bundles.append(league.dir / "bundle")
    mine = case.mailbox("alice-end", case.alice, honest, sent=("a1", "a2", "a2-again", "a3"))
    his = case.mailbox("bob-end", case.bob, honest, sent=("b1", "b2", "b3"))
    case.receipts(honest, mine, 0, path=bundles[0])
    case.receipts(honest, his, 0, path=bundles[0])
    case.audit(honest, 0, view="public", path=bundles[0])
    case.audit(honest, 0, view="public", path=bundles[1])
    case.receipts(honest, mine, 2, "fork", "dropped", path=bundles[1])
    case.receipts(honest, his, 2, "fork", path=bundles[1])
    case.exposed("publishes a game without a player's orders", "that player", "receipt-check", "dropped")
    lines = honest.journal(GAME).splitlines(keepends=True)
    for number in range(1, len(lines) + 1):
        later = case.keys.rechain(lines, number, lambda r: r.update(time=r["time"][:-2] + "9Z"))
        folder = write_game(case, "each", later)
        case.receipts(honest, mine, 2 if number < len(lines) else None, path=folder)
        cut = write_game(case, "cut", lines[:number])
        case.receipts(honest, mine, 0, *(["beyond"] if number < len(lines) - 2 else []), path=cut)
    case.exposed("changes any of the %d records and signs anew" % len(lines), "any player", "receipt-check", "fork")


def play(_):
    case = Case()
    case.honest = case.history("honest", ["a1", "b1", "a2", "a2-again", "b2", "a3", "b3"])
    histories(case)
    wrong_clock(case)
    says_lost(case)
    false_receipt(case)
    edits(case)
    caches(case)
    lockstep(case)
    if LONG:
        long_form(case)
    print("  %-52s %-28s %-14s %s" % ("the operator", "is exposed by", "with", "which says"))
    print("\n".join(case.told))
    print("%d cheats, each exposed" % case.count)


main(play)
