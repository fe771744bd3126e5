"""The account at the end of a season. Everything is compared from two sides: what players sent with what the league's mailbox and
the journals hold; what the journals call for with what Postfix took, and that with what lies in the players' mailboxes."""
from season_world import *


class Figures:
    def __init__(self):
        self.lines = []
        self.receipts = 0

    def add(self, name, value):
        self.lines.append((name, value))

    def show(self):
        for name, value in self.lines:
            print("%-58s %s" % (name, value))


def came_in(world):
    """{Message-ID: [raw]} of the league's mailbox, done with."""
    check(world.office.count() == 0, "mails are left in the league's mailbox")
    mails = {}
    for mailbox in ("Processed", "Rejected"):
        for raw in world.office.everything(mailbox):
            mails.setdefault(Letter(raw)["Message-ID"], []).append(raw)
    return mails


def outlived(world, sent, games):
    """Orders in these games that were recorded when the host died: the report, which is their receipt, came without the mail that it answers."""
    before = max((now for now in world.worked if world.died and now < world.died), default=None)
    if before is None or not before < sent["at"] <= world.died:
        return []
    return [mail for person, mail in world.got if mail.at == world.died and person.name == sent["who"] and not mail["In-Reply-To"]
            and mail["Subject"].startswith(tuple("[%s]" % game for game in games)) and "this mail is their receipt" in flat(mail)][:1]


# What was meant to happen to mails, and the words that say that it did.
WHAT = {
    "typo": "FIX (THIS LINE|THESE LINES)",
    "correction": "We have your",
    "final": "We have your",
    "late correction": "came too late",
    "overtaken": "are in force for turn|came too late",
}


def audit_what(world, figures):
    trouble = []
    for what, words in WHAT.items():
        mids = [mid for mid, sent in world.sent.items() if sent["what"] == what]
        said = sum(any(re.search(words, flat(a)) for a in world.answered(mid)) for mid in mids)
        figures.add("mails with orders: " + what, "%d; so answered %d" % (len(mids), said))
        trouble += ["it never happened: " + what] * (not said)
    completed = sum(len(game.corrected) for game in world.ledger.games.values())
    figures.add("turns completed by orders in place of some that waited", completed)
    return trouble + ["it never happened: a correction that completes a turn"] * (not completed)


def audit_in(world, figures):
    """Each mail that was sent in is there once and has its answers; each that brought orders is one record, if it was said so."""
    inbox = came_in(world)
    strays = [mid for mid in inbox if mid not in world.sent]
    notes = {m["id"] for m in world.post.mails if m["user"] is None}
    check(all(mid in notes for mid in strays), "mails that nobody sent: %s" % strays)
    digests = {}
    for game in world.ledger.games.values():
        for record in game.records:
            if record["type"] == "orders":
                digests.setdefault(record["mail"], []).append(game.name)
    lost, doubled, taken, unaccounted, copies = [], [], 0, [], 0
    for mid, sent in world.sent.items():
        raws = inbox.get(mid, [])
        answers = world.answered(mid)
        marks = [hashlib.blake2b(raw, digest_size=32).hexdigest() for raw in raws]
        games = {game for mark in marks for game in digests.get(mark, [])}
        answers = answers + ([] if any("We have your" in flat(a) for a in answers) else outlived(world, sent, games))
        if not raws:
            lost.append("%s (%s of %s) never came" % (mid, sent["kind"], sent["who"]))
        more = len({a["Message-ID"] for a in answers}) - sent["answers"]
        if not 0 <= more <= sent.get("copies", 0):
            unaccounted.append("%s (%s of %s, day %.1f): %d answers, not %d: %s" % (
                mid, sent["kind"], sent["who"], (sent["at"] - world.start) / DAY, len(answers), sent["answers"],
                [a["Subject"] for a in answers]))
        late = [flat(a) for a in answers if sent.get("copied") and re.search("came too late|older report|are for turn|is for turn", flat(a))]
        if late and sum("We have your" in flat(a) for a in answers):
            unaccounted.append("%s: a copy was told %s" % (mid, late))
        copies += sum(bool(re.search("is a copy|has come again", flat(a))) for a in answers)
        promised = sum(bool(re.search("Receipt: keep this mail|this mail is their receipt", flat(a))) for a in answers)
        records = [len(digests.pop(mark, [])) for mark in marks]
        taken += sum(records)
        if promised > sum(records):
            lost.append("%s: accepted by the receipt, but in no journal" % mid)
        if sum(records) > promised:
            doubled.append("%s: %d records, %d receipts" % (mid, sum(records), promised))
    check(not digests, "orders in the journals that nobody sent: %s" % digests)
    figures.add("mails sent to the league", len(world.sent))
    figures.add("  of these orders that were accepted", taken)
    figures.add("delivery notes of Postfix to the league", len(strays))
    figures.add("  put into the mailbox twice", world.copied)
    figures.add("  told to be a copy", copies)
    figures.add("lost", len(lost))
    figures.add("doubled", len(doubled))
    figures.add("unaccounted mails in", len(unaccounted))
    none = [] if world.copied and copies else ["it never happened: copies of mails"]
    return lost + doubled + unaccounted + none


def in_journals(world, ident):
    """Does this Message-ID belong to a record, or to the registry's?"""
    game, seq, _ = ident.rsplit(".", 2)
    if game in ("mail", "digest"):
        return True
    if game == "registry":
        return int(seq) <= world.registry_records()
    ledger = world.ledger.games.get(game)
    return ledger is not None and int(seq) <= len(ledger.records)


def was_dropped(world, ident):
    """Was the mail not sent because what it tells was past?"""
    return "not sent, it was too late for it" in world.league.tp("status", "--mail", ident, "--now", stamp(world.now), code=None)


def audit_out(world, figures):
    """Each mail that the league gave to Postfix has an id of its own and a known fate; those that arrived are in the players'
    mailboxes, once; each that a record calls for is among them."""
    trouble, fates = [], {}
    ours = [m for m in world.post.mails if m["user"] == "orders"]
    for mail in ours:
        if mail["id"] in fates:
            trouble.append("went out twice: %s" % mail["id"])
        fates[mail["id"]] = mail["fate"]
        if len(mail["fate"]) != 1:
            trouble.append("%s went to %s" % (mail["id"], list(mail["fate"])))
        if not in_journals(world, mail["id"].strip("<>").partition("@")[0]):
            trouble.append("no record led to %s" % mail["id"])
    boxes = {}
    for person, mail in world.got:
        boxes.setdefault(mail["Message-ID"], []).append(person)
    for mid, fate in fates.items():
        arrived = list(fate.values()) == ["sent"]
        if len(boxes.get(mid, [])) != arrived:
            trouble.append("%s: %s, but in %d mailboxes" % (mid, fate, len(boxes.get(mid, []))))
    trouble += ["%s came from nowhere" % mid for mid in boxes if mid not in fates]
    once = {}
    for person, mail in world.got:
        if not mail["In-Reply-To"] and once.setdefault((mail.mail["To"], mail["Subject"], mail.text), mail["Message-ID"]) != mail["Message-ID"]:
            trouble.append("%s was told twice: %s" % (person.name, mail["Subject"]))
    owed = digested = waiting = late = 0
    held = (path.name.split(",", 1) for path in (world.league.dir / "spool/digest").iterdir())
    gathering = {name for due, name in held if int(due) > world.now}
    called = {tlog.hidden_name(game.heads[0]): game.name for game in world.ledger.games.values()}
    proved = [(person, mail, called.get(name, name), seq, head) for person, mail in world.got for name, seq, head in tlog.heads_in(mail.text)]
    gathered = {(person.name, game, seq) for person, mail, game, seq, _ in proved if not mail["Subject"].startswith("[")}
    for game in world.ledger.games.values():
        for seq, number, player, what in game.owed:
            owed += 1
            mid = "<%s.%d.%d@game.test>" % (game.name, seq, number)
            if mid not in fates and (player, game.name, seq) in gathered:
                digested += 1
            elif mid not in fates and "%s,%s.%d.%d.eml" % (player, game.name, seq, number) in gathering:
                waiting += 1
            elif mid not in fates and what in ("shift", "reminder") and was_dropped(world, "%s.%d.%d" % (game.name, seq, number)):
                late += 1
            elif mid not in fates and (game.name, seq, player) not in world.nameless:
                trouble.append("%s for %s was never sent: %s" % (what, player, mid))
            elif mid in fates and (game.name, seq, player) in world.nameless:
                trouble.append("%s for %s was sent without their file: %s" % (what, player, mid))
            elif mid in boxes and boxes[mid][0].name != player:
                trouble.append("%s for %s went to %s" % (mid, player, boxes[mid][0].name))
    came = {}
    for person, mail, game, seq, _ in proved:
        came.setdefault((person.name, game, seq), mail.at)
    for player, game, seq, closed in world.ledger.warned:
        bounced = list(fates.get("<%s.%d.%d@game.test>" % (game, seq, world.ledger.seat_at(game, seq, player)), {"": "sent"}).values())
        if bounced == ["sent"] and came.get((player, game, seq), closed) >= closed:
            trouble.append("the reminder %s.%d reached %s when the turn had been played" % (game, seq, player))
    figures.add("mails of the league", len(ours))
    figures.add("  of these reports, reminders, announcements owed", owed)
    figures.add("  of these gathered in digests", digested)
    figures.add("  of these waiting for the hour of a digest", waiting)
    figures.add("  of these dropped: their matter was past", late)
    figures.add("  that bounced", sum(list(f.values()) != ["sent"] for f in fates.values()))
    figures.add("unaccounted mails out", len(trouble))
    return trouble


def audit_story(world, figures):
    """What a season is for must have happened in it: counted in the journals, not by those who tell the stories."""
    records = [r for g in world.ledger.games.values() for r in g.records]
    registry = [json.loads(l) for l in (world.league.dir / "registry/journal.jsonl").read_text().splitlines()]
    notes = lambda **want: sum(all(r.get(k) == v for k, v in want.items()) for r in records if r["type"] == "note")
    seats = lambda why: sum(r.get("why") == why for r in records if r["type"] == "seat")
    entries = lambda what: sum(r.get("what") == what for r in registry)
    press = [r for r in records if r["type"] == "note" and r["kind"] == "press"]
    games = world.ledger.games.values()
    counts = [
        ("registrations", entries("register")), ("invitations", entries("invite")),
        ("seats kept for a player, and taken", sum("table" in g.records[0] and g.records[0]["table"][r["seat"] - 1].startswith("for:")
                                                   for g in games for r in g.records if r["type"] == "seat" and "mark" in r)),
        ("seats drawn in the deal", sum(len(r.get("drawn", [])) for r in records if r["type"] == "start")),
        ("seats joined by a signed text", sum(r["type"] == "seat" and "mark" in r for r in records)),
        ("lost keys replaced", entries("rekey")), ("  and kept by a veto", entries("veto")),
        ("vacations", entries("vacation")), ("  deadlines moved for them", notes(kind="shift", why="vacation") +
                                             sum("away" in r for r in records)),
        ("reminders", notes(kind="reminder")), ("deadlines moved by outages", notes(kind="shift", why="outage")),
        ("deadlines put off by votes", sum("deadline" in r for r in records if r.get("kind") == "vote")),
        ("seats offered", sum("to" in r for r in records if r.get("kind") == "offer")), ("  taken over", seats("standby")),
        ("  taken back", seats("back")), ("seats resigned", seats("resigned")),
        ("turns that a robot played for somebody missing", sum(world.ledger.robots.values())),
        ("messages with a name", sum("seat" in r and not r.get("grey") for r in press)),
        ("  without", sum(r.get("grey", False) for r in press)), ("  to the moderators", sum(0 in r["to"] for r in press if r["to"] != "all")),
        ("  of the moderators to all", sum(r["to"] == "all" and "by" in r for r in press)),
        ("rollbacks", sum(r["type"] == "moderate" and r["do"] == "rollback" for r in records)),
        ("  turns taken back", sum(g.undone for g in games)),
        ("observers", sum(not r["stop"] for r in records if r.get("kind") == "observe")),
        ("rulesets of games that were played", len({g.records[0]["ruleset"] for g in games if g.turn > 1}) - 3),
    ]
    for name, count in counts:
        figures.add(name, count + 3 if name.startswith("rulesets") else count)
    return ["it never happened: " + name.strip() for name, count in counts if count < 1]


def audit_beside(world, figures):
    """Each command that a daemon did is in the journals, once: the records that it made bear its number. So do those of commands that
    are done alone, but no such one was done meanwhile."""
    numbers, (begun, ended) = {}, world.beside
    lines = (world.league.dir / "registry/journal.jsonl").read_text().splitlines()
    for name, record in [("registry", json.loads(line)) for line in lines] + [(g.name, r) for g in world.ledger.games.values() for r in g.records]:
        if "request" in record and begun <= seconds(record["time"]) <= ended:
            numbers.setdefault(record["request"], []).append((name, record.get("do") or record.get("what") or record["type"]))
    done = [args for args in world.operated if args[0] != "backup"]
    figures.add("commands beside a daemon", len(world.operated))
    return ["commands done: %s; in the journals: %s" % (done, list(numbers.values()))] * (len(numbers) != len(done) or not done)


def audit_turns(world):
    """Every turn of every game was played once, those aside that were taken back; those are played again."""
    trouble = []
    for game in world.ledger.games.values():
        if list(game.played) != list(range(1, max(game.turn, 1))):
            trouble.append("%s is in turn %d; played: %s" % (game.name, game.turn, list(game.played)))
        if len(game.played) + game.undone != sum(r["type"] == "turn" for r in game.records):
            trouble.append("%s: %d turns count, %d do not" % (game.name, len(game.played), game.undone))
    return trouble


def audit_outages(world):
    """Deadlines were moved for outages that were some, and where they concerned somebody."""
    trouble = []
    for game in world.ledger.games.values():
        for record in game.records:
            if record["type"] == "note" and record["kind"] == "shift" and record["why"] == "outage":
                seated = [who for _, who in world.outages if who and world.ledger.seat_at(game.name, record["seq"], who)]
                if not world.was_outage(seconds(record["time"]), seated):
                    trouble.append("%s was told of an outage at %s, which was none" % (game.name, record["time"]))
    return trouble


def audit_text(world, figures, sample):
    """Heads are in the journals and signed; no mail tells an address of another, or is wider than it should be."""
    trouble, signed = [], 0
    everybody = {a for p in world.people.values() for a in p.addresses}
    called = {tlog.hidden_name(game.heads[0]): game.name for game in world.ledger.games.values()}
    for number, (person, mail) in enumerate(world.got):
        text = text_of(mail)
        for address in set(re.findall(r"[\w.+-]+@players\.test", mail.raw.decode(errors="replace"))):
            if address in everybody and address not in person.addresses:
                trouble.append("%s learns %s from %s" % (person.name, address, mail["Message-ID"]))
        wide = [l for l in text.splitlines() if len(l) > 72 and not re.match(r"head: |ssh-keygen|key: |add: |revoke: |\S+$", l)]
        if wide:
            trouble.append("wide lines in \"%s\": %s" % (mail["Subject"], wide))
        for name, seq, head in tlog.heads_in(text):
            signed += 1
            known = world.ledger.games.get(called.get(name, name))
            if known and known.heads[seq - 1] != head:
                trouble.append("the head in %s is not in the journal" % mail["Message-ID"])
            if number % sample == 0:
                verify_head(world.league, parse(mail.raw))
    figures.add("proved heads that are in the journals", signed)
    return trouble


def audit_replay(world):
    """The journals alone give the games that were played."""
    league, trouble = world.league, []
    shown = {g: league.tp("show", g, "--json") for g in world.ledger.games}
    for game in world.ledger.games:
        (league.dir / "games" / game / "state.json").unlink(missing_ok=True)
    (league.dir / "catalog.sqlite").unlink()
    league.tp("games")
    before = {g: league.journal(g) for g in world.ledger.games}
    league.tp("run", "--now", stamp(world.now))
    for game, text in shown.items():
        if league.tp("show", game, "--json") != text:
            trouble.append("%s: the replay gives another game" % game)
        if league.journal(game) != before[game]:
            trouble.append("%s: reading it anew wrote records" % game)
    return trouble


def audit_proofs(world, figures):
    """Every journal is proved from its files alone, by the program that knows no league."""
    league, trouble = world.league, []
    verdicts = {}
    for who in ("moderator", "public"):
        said = league.tp("audit", "--json", "--as", who, "--key", league.dir / "keys/league.pub", league.dir / "games", code=None)
        for line in said.splitlines():
            verdict = json.loads(line)
            verdicts[(who, verdict["verdict"])] = verdicts.get((who, verdict["verdict"]), 0) + 1
            if verdict["verdict"] not in ("proved", "proved as far as opened"):
                trouble.append("audit as %s: %s" % (who, line[:600]))
    figures.add("games proved by the audit", sum(n for (who, v), n in verdicts.items() if who == "moderator" and v.startswith("proved")))
    check(sum(verdicts.values()) == 2 * len(world.ledger.games), "the audit looked at %s" % verdicts)
    return trouble


def audit_receipts(world, figures):
    """What every player has in their mailbox, with and without copies of what they sent, contradicts no journal of an honest league."""
    league, trouble, asked = world.league, [], {}
    inbox = came_in(world)
    for person in world.people.values():
        folder, sent = WORK / ("receipts-" + person.name), WORK / ("receipts-sent-" + person.name)
        folder.mkdir(), sent.mkdir()
        for number, raw in enumerate(person.box.everything("INBOX")):
            (folder / str(number)).write_bytes(raw)
        for number, raw in enumerate(raws[0] for mid, raws in inbox.items() if mid in world.sent and world.sent[mid]["who"] == person.name):
            (sent / str(number)).write_bytes(b"X-Copy: mine\r\n" + raw)
        if not any(b"\nhead: " in path.read_bytes() for path in folder.iterdir()):
            continue  # of no game
        for mails in ([folder, sent], [folder]):
            said = league.tp("receipt-check", *mails, "--journal", league.dir / "games", "--key", league.dir / "keys/league.pub",
                             "--json", code=None)
            report = json.loads(said) if said.startswith("{") else {"verdict": "none", "findings": []}
            for found in report["findings"]:
                asked[found["kind"]] = asked.get(found["kind"], 0) + (found["weight"] == "ask")
            if report["verdict"] not in ("holds", "holds, with questions"):
                trouble.append("receipt-check of %s: %s" % (person.name, (said + league.err)[:1500]))
            figures.receipts += 1
    figures.add("receipt-checks of players' mails; their questions", "%d; %s" % (
        figures.receipts, ", ".join("%s %d" % (kind, count) for kind, count in sorted(asked.items()) if count) or "none"))
    return trouble
