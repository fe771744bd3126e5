"""A game that nobody played, written as a league would: four seats, a witness, a turn. Any step of it can be
changed before it is signed, so that the rest follows from the change."""
import functools
import hashlib
import json
import pathlib
import re

import curve
import draws
import forms
import journal
import tlog
from boxes import Keys, box_key, salt_of, seal_of, turned
from forms import blake, canonical_json, json_digest, read_json
from table import domain_bytes, fingerprint, made_of, mark_of

GAME = "synthetic"
LEAGUE = blake(b"league")
SEAL_KEY, PRESS_KEY = blake(b"seals"), blake(b"press")
KEYS = Keys(SEAL_KEY, PRESS_KEY)
VRF, WITNESS_VRF = ((int.from_bytes(blake(word, 64), "little") % curve.L).to_bytes(32, "little") for word in (b"draws", b"witness"))
MARK = blake(b"another mark").hex()
# What the rules would give; this verifier does not ask.
STATE, EVENTS = (blake(word).hex() for word in (b"state", b"events"))
RULES = pathlib.Path(__file__).resolve().parent.parent.parent / "src/rules"


@functools.cache
def cards_of(ruleset):
    return json_digest(read_json((RULES / ruleset.replace("-", "_") / "cards.json").read_text())).hex()


LEAGUE_KEY = curve.ed25519_public(LEAGUE)

prove = functools.lru_cache(4096)(curve.vrf_prove)
sign = functools.lru_cache(4096)(curve.ed25519_sign)


def vrf_public(secret):
    return curve.ristretto_bytes(curve.BASE.times(int.from_bytes(secret, "little"))).hex()


def base64_text(data):
    return forms.base64.b64encode(data).decode()


class Signer:
    """Somebody with a key of OpenSSH's, or minisign's."""

    def __init__(self, name, minisign=False):
        self.name, self.minisign = name, minisign
        self.seed = blake(name.encode())
        point = curve.ed25519_public(self.seed)
        if minisign:
            self.key = "minisign " + base64_text(b"Ed" + self.seed[:8] + point)
        else:
            self.key = "ssh-ed25519 " + base64_text(forms.wire(b"ssh-ed25519") + forms.wire(point))

    def sig(self, text):
        data = text.encode()
        return sign(self.seed, blake(data, 64) if self.minisign else forms.ssh_signed("orders@turnpost", "sha512", data))

    def signed(self, text):
        out = {"key": self.key, "sig": base64_text(self.sig(text))}
        out.update({"prehashed": True} if self.minisign else {"hash": "sha512", "namespace": "orders@turnpost"})
        return {"signature": out, "text": text}


CROWD = ["p%d" % i for i in range(17)]
PEOPLE = {name: Signer(name, name in ("bea", "wit")) for name in ("ann", "bea", "cid", "dan", "wit", "mod", *CROWD)}


LOG_NAME, WITNESS_NAME = "example.org/turnpost/0011223344556677", "example.net/wit"
LOG = tlog.vkey_text(LOG_NAME, 1, curve.ed25519_public(LEAGUE))
WITNESS = tlog.vkey_text(WITNESS_NAME, 4, curve.ed25519_public(PEOPLE["wit"].seed))

# In place of a key's signature.
DOMAINS = {"content": blake(b"content").hex(), "dkim": base64_text(b"a signature of any length")}


class Told(Exception):
    """As far as was wanted."""


class Story:
    """`changes`: step: a function of what is about to be written or signed there. A record's step is a few words ("join
    ann"); "text ..." is the text signed for it, "payload ..." what is in its box, "raw ..." its bytes before it is
    signed, "marks T" and "witness marks T" what goes into alpha of turn T. `until`: the last step."""

    def __init__(self, changes=None, until=None):
        self.changes, self.until = changes or {}, until
        self.lines, self.at = [], {}
        self.head, self.create, self.root_of_draws = bytes(32), b"", None
        self.seats = {}  # number: (name, mark, drawn)
        self.deal = bytes(32)
        self.hour = "2026-11-20T08"
        self.due = None  # the deadline of the turn that opens
        self.rollbacks = 0

    def changed(self, step, value):
        change = self.changes.get(step)
        return change(value) if change else value

    def put(self, step, sort, **members):
        self.at[step] = len(self.lines) + 1
        record = {"type": sort, "time": "%s:%02d:00Z" % (self.hour, len(self.lines)), **self.changed(step, members)}
        first = {"game": GAME, "seq": self.at[step], "prev": self.head.hex(), "type": record.pop("type"), "time": record.pop("time")}
        pairs = [*first.items(), *sorted(record.items())]
        line = "{" + ",".join(canonical_json(name) + ":" + canonical_json(value) for name, value in pairs)
        self.lines.append(self.changed("raw " + step, line.encode()) + b"}\n")
        self.head = journal.head_of(self.lines[-1])
        self.create = self.create or self.head
        if step == self.until:
            raise Told

    # ---- texts and seals ----

    def text(self, step, verb, *rows):
        return self.changed("text " + step, "\n".join(["#turnpost " + verb, "game: " + GAME, *rows, "#end", ""]))

    def boxed(self, step, key, of, payload):
        data = self.changed("payload " + step, payload)
        return base64_text(turned(box_key(key, of), data if isinstance(data, bytes) else data.encode()))

    def marked(self, step, number, who, text):
        """The mark of orders, and their box; `number`: of the seat."""
        mark = mark_of(self.create, number, who.sig(text), text)
        return mark, self.boxed(step, SEAL_KEY, mark, canonical_json(who.signed(text)))

    def salted(self, step, seat, item, payload):
        """The members of a salted seal."""
        data, key = payload if isinstance(payload, bytes) else payload.encode(), PRESS_KEY if item >= 1000 else SEAL_KEY
        seal = seal_of(salt_of(key, len(self.lines) + 1, seat, item, data), data)
        return {"seal": seal.hex(), "box": self.boxed(step, key, seal, payload)}

    def stamps(self, who, text):
        digest = blake(who.name.encode() + forms.canonical(text).encode())
        return {"text": digest.hex(), "mail": blake(blake(text.encode()) + digest).hex()}

    # ---- people ----

    def free(self):
        return [seat for seat in (1, 4) if seat not in self.seats]

    def seat_of(self, name):
        return next(seat for seat, held in self.seats.items() if held[0] == name)

    def join(self, name, kept=0):
        who, step = PEOPLE[name], "join " + name
        text = self.text(step, "join", "head: " + self.create.hex())
        named = re.search("^seat: ([14])$", text, re.MULTILINE)
        seat = int(named[1]) if named else kept or self.free()[0]
        mark = mark_of(self.create, 0, who.sig(text), text)
        drawn = {} if named or kept else {"drawn": True}
        if seat in self.seats:
            self.seats[self.free()[0]] = self.seats[seat]
        self.seats[seat] = (name, mark, bool(drawn))
        self.put(step, "seat", seat=seat, player=name, mark=mark.hex(), by=name, signed=who.signed(text), **drawn, **self.stamps(who, text))

    def join_by_mail(self, **drawn):
        """Ann, who has no key, takes seat 1."""
        step = "join ann"
        text = self.text(step, "join", "head: " + self.create.hex())
        mark = mark_of(self.create, 0, domain_bytes(DOMAINS), "")
        self.seats[1] = ("ann", mark, bool(drawn))
        said = {"signature": DOMAINS, "said": text, "by": "ann"}
        self.put(step, "seat", seat=1, player="ann", mark=mark.hex(), vouched=self.vouched(step, 0), **drawn, **said, **self.stamps(PEOPLE["ann"], text))

    def wait(self, name):
        who, step = PEOPLE[name], "wait " + name
        text = self.text(step, "join", "head: " + self.create.hex())
        mark = mark_of(self.create, 0, who.sig(text), text)
        self.put(step, "note", kind="wait", player=name, mark=mark.hex(), by=name, signed=who.signed(text), **self.stamps(who, text))
        return mark

    def leave(self, name, **members):
        who, step = PEOPLE[name], "leave " + name
        text = self.text(step, "leave", "head: " + self.head.hex())
        seat = next(seat for seat, held in self.seats.items() if held[0] == name)
        del self.seats[seat]
        self.put(step, "seat", seat=seat, left=name, by=name, signed=who.signed(text), **members, **self.stamps(who, text))

    def orders(self, name, **members):
        who, step = PEOPLE[name], "orders " + name
        seat = self.seat_of(name)
        text = self.text(step, "orders", "turn: 1", "head: " + self.start.hex(), "attack ⟨Żory⟩ from %d" % seat)
        self.marks[seat - 1], box = self.marked(step, seat, who, text)
        self.put(step, "orders", turn=1, seat=seat, mail=blake(text.encode()).hex(), seal=self.marks[seat - 1].hex(), box=box, **members)

    # ---- turns ----

    def lots(self):
        return [(seat, name, mark) for seat, (name, mark, drawn) in self.seats.items() if drawn]

    def deal_marks(self):
        marks = [bytes(32)] * self.n
        for seat, (_, mark, _) in self.seats.items():
            marks[seat - 1] = mark
        places = sorted(seat for seat, _, _ in self.lots())
        for seat, mark in zip(places, sorted(mark for _, _, mark in self.lots())):
            marks[seat - 1] = mark
        return marks

    def close(self, turn, set_for=()):
        step = "close %d" % turn
        seals = [mark.hex() if any(mark) else "" for mark in self.marks]
        self.put(step, "close", turn=turn, seals=seals, set=list(set_for), deal=self.deal.hex(), rollbacks=self.rollbacks, missed=[])
        self.closed, self.close_line = self.head, json.loads(self.lines[-1])

    def alpha(self, step, turn):
        return draws.alpha(self.root_of_draws or self.create, turn, self.changed(step, self.marks), self.deal, self.rollbacks)

    def witness(self, turn):
        """Each step of it can be changed: what the entry says, the input of the dice, who cosigns which note and when."""
        step, number = "witness %d" % turn, "%d.%d" % (turn, self.rollbacks)
        digest = blake(self.alpha("witness marks %d" % turn, turn)).hex()
        last = self.close_line
        line = "close %s %d %s %s turn %s alpha %s" % (GAME, last["seq"], last["time"], self.closed.hex(), number, digest)
        line = self.changed("entry %d" % turn, line)
        note = self.changed("note %d" % turn, tlog.note_text(LOG_NAME, 1, tlog.leaf_of(line)))
        at = self.changed("cosigned %d" % turn, 1795161600 + 60 * len(self.lines))
        key, wit = (tlog.vkey_of(text, sort) for text, sort in ((LOG, 1), (WITNESS, 4)))
        seen = "cosignature/v1\ntime %d\n%s" % (at, note)
        lines = [(key[0], key[1] + sign(LEAGUE, note.encode())), (wit[0], wit[1] + at.to_bytes(8, "big") + sign(PEOPLE["wit"].seed, seen.encode()))]
        text = tlog.proof_text(line, note, self.changed("signatures %d" % turn, lines))
        over = draws.witness_input(LOG, GAME, number, digest)
        proof = prove(WITNESS_VRF, self.changed("witness dice %d" % turn, over))
        self.beta_w = curve.vrf_output(proof)
        self.put(step, "note", kind="witness", turn=turn, witness="wit", pi=proof.hex(), proof=text)

    def play(self, turn):
        proof = prove(VRF, self.changed("alpha %d" % turn, self.alpha("marks %d" % turn, turn)))
        self.root = blake(b"turnpost/roll\0" + curve.vrf_output(proof) + self.beta_w, 64)
        drawn = self.draw() if turn == 0 and self.lots() else {}
        self.deal = self.deal if turn else proof[:32]
        step = "turn" if turn else "start"
        hidden = []
        if turn == 0:
            label = "deal/near"
            inside = self.changed("hidden draw", {"label": label, "proof": prove(VRF, b"turnpost/hide\0" + self.root + label.encode()).hex()})
            hidden.append(self.salted("hidden", 0, 2, canonical_json(inside)))
        self.put(step, step, turn=turn, pi=proof.hex(), hidden=hidden, state=STATE, events=EVENTS, reports=self.reports(), **drawn, **({"deadline": self.due} if self.due else {}))

    def draw(self):
        result = draws.seated(self.root, self.lots())
        people = {name: (name, mark, False) for _, name, mark in self.lots()}
        self.seats.update({seat: people[name] for seat, name in result})
        return {"drawn": [{"seat": seat, "player": name} for seat, name in result]}

    def reports(self):
        return [self.salted("report", seat, 1, blake(b"report").hex())["seal"] if seat in self.seats else "" for seat in range(1, self.n + 1)]

    # ---- the game ----

    def begin(self, table=("", "for:cid", "robot:hal", ""), witnessed=True, ruleset="galaxy-command", turn_length=0, **more):
        self.n = len(table)
        witness = {"name": "wit", "vkey": WITNESS, "vrf": vrf_public(WITNESS_VRF)}
        self.beta_w = b""
        self.put(
            "create", "create", ruleset=ruleset, version=2, cards=cards_of(ruleset), options={}, seats=self.n,
            league_key=LEAGUE_KEY.hex(), vrf_key=vrf_public(VRF),
            seal_key=blake(b"turnpost/kseal\0" + SEAL_KEY).hex(), turn_length=turn_length, missed_robot=0, missed_standby=0, press="white", press_delivery="now", observers=True,
            format=2, views=2, language=3, nonce=blake(b"nonce 11").hex(), table=list(table),
            **({"answer_by": "2026-11-20T08:30:00Z"} if any(entry.startswith("for:") for entry in table) else {}),
            **({"witnesses": [witness], "quorum": 1, "log": LOG} if witnessed else {}), **more,
        )
        for seat, entry in enumerate(table, 1):
            if entry == "robot:hal":
                self.put("robot", "seat", seat=seat, robot="hal")

    def whole(self):
        """All of it; then `journal` and `sealed` have the files' bytes."""
        self.begin()
        self.put("reminder", "note", kind="reminder", turn=0, seats=[2], deadline="2026-11-20T08:30:00Z")
        self.join("ann")
        self.join("cid", 2)
        self.join("bea")
        self.wait("dan")
        self.marks = self.deal_marks()
        self.close(0)
        self.witness(0)
        self.play(0)
        self.first_turn()
        self.finish()

    def first_turn(self):
        self.start, self.marks = self.head, [bytes(32)] * 4
        self.orders("ann")
        self.orders("bea")
        secret = self.salted("set cid", 2, 0, canonical_json({"lines": "attack Żory\n"}))
        self.put("set cid", "moderate", do="orders", turn=1, by="operator", reason="his mails are lost", seat=2, **secret)
        self.close(1, [2])
        self.witness(1)
        self.play(1)

    def cut(self):
        """A game of a competition, whose round ends before its second turn is due: with orders of ann alone, and nobody misses a turn."""
        self.root_of_draws = blake(b"nonce 11")
        self.dealt()
        self.orders("ann")
        self.hour = "2026-11-20T10"
        self.finish(turns=0, reason="round_over")

    def entered(self):
        """A game of a competition against a robot, where ann sits by the text by which she is in it."""
        self.root_of_draws = blake(b"nonce 11")
        self.begin(("robot:hal", "ann"), False, compete={"name": "cup", "head": "11" * 32, "round": 1, "table": 1, "attempt": 1})
        who, league = PEOPLE["ann"], fingerprint(LEAGUE_KEY)
        text = self.changed("text entered", "#turnpost enter\nleague: %s\ndate: 2026-11-20\ncompetition: cup\n#end\n" % league)
        self.seats[2] = ("ann", bytes(32), False)
        self.put("entered", "seat", seat=2, player="ann", why="entered", by="ann", signed=who.signed(text), **self.stamps(who, text))
        self.marks = self.deal_marks()
        self.play(0)
        self.start, self.marks = self.head, [bytes(32)] * self.n
        self.orders("ann")
        self.close(1)
        self.play(1)
        self.finish()

    def finish(self, turns=1, reason="over"):
        scores = [
            {"seat": seat, "name": self.seats[seat][0] if seat in self.seats else "hal", "points": 0, "won": False, "lost": False, "place": 1, "rank": "", "you": False}
            for seat in range(1, self.n + 1)
        ]
        self.put("end", "end", turns=turns, reason=reason, scores=scores)
        self.put("open", "open", seal_key=SEAL_KEY.hex())

    def moved(self):
        """Bea names the place in which ann waits, who moves; nothing is left to draw."""
        self.begin(witnessed=False)
        self.join("cid", 2)
        self.join("ann")
        self.join("bea")
        self.marks = self.deal_marks()
        self.play(0)

    def followed(self):
        """Ann leaves, and dan follows, who waited; bea is there already."""
        self.begin(witnessed=False)
        self.join("ann")
        self.join("bea")
        mark = self.wait("dan")
        self.leave("ann", player="dan", mark=mark.hex(), waited=True, drawn=True)
        self.seats[1] = ("dan", mark, True)
        self.join("cid", 2)
        self.marks = self.deal_marks()
        self.play(0)

    def watched(self):
        """Texts of all sorts: a ban from all games, an observer, a pause, orders that a moderator set by mail, a ruling."""
        self.begin(witnessed=False)
        self.join("ann")
        self.banned("ann")
        self.join("dan")
        self.join("cid", 2)
        self.join("bea")
        self.marks = self.deal_marks()
        self.play(0)
        self.petition("observe", "ann", "observe", "note", kind="observe", turn=1, player="ann", stop=False)
        reason = "a quarrel"
        rows = ["turn: 1", "do: pause", "reason: " + reason]
        self.petition("pause", "mod", "moderate", "moderate", *rows, do="pause", turn=1, reason=reason)
        self.set_by_mail(reason)
        self.message("appeal", "cid", "appeal", "turn: 0", kind="appeal", turn=1, about=0, seat=2)
        rows = ["appeal: %d" % len(self.lines), "turn: 0"]
        self.petition("ruling", "mod", "ruling", "note", *rows, old=True, kind="ruling", turn=1, about=0, appeal=len(self.lines))

    def passed_over(self):
        """Ann leaves, and dan, who waits, does not follow: a key of his does not count any more, the league says."""
        self.begin(witnessed=False)
        self.join("ann")
        self.wait("dan")
        self.leave("ann", free=True)

    def crowded(self):
        """Sixteen wait; then ann is banned, and the first of them follows."""
        self.begin(witnessed=False)
        self.join("ann")
        self.join("bea")
        marks = [self.wait(name) for name in CROWD[:16]]
        self.banned("ann", player=CROWD[0], mark=marks[0].hex(), waited=True, drawn=True)

    def petition(self, step, name, verb, sort, *rows, old=False, **members):
        """A record with a signed text; `old`: it names the head of `create`."""
        who = PEOPLE[name]
        text = self.text(step, verb, *rows, "head: " + (self.create if old else self.head).hex())
        self.put(step, sort, by=name, signed=who.signed(text), **members, **self.stamps(who, text))

    def banned(self, name, **members):
        who = PEOPLE["mod"]
        league = fingerprint(LEAGUE_KEY)
        text = self.changed("text ban", "#turnpost moderate\nleague:\n%s\ndo: ban %s\nreason: spam\n#end\n" % (league, name))
        seat = next(seat for seat, held in self.seats.items() if held[0] == name)
        del self.seats[seat]
        self.put("ban", "moderate", do="ban", turn=0, seat=seat, left=name, **(members or {"free": True}), by="mod", reason="spam", signed=who.signed(text), **self.stamps(who, text))

    def set_by_mail(self, reason):
        who = PEOPLE["mod"]
        text = self.text("set", "moderate", "turn: 1", "head: " + self.head.hex(), "do: orders cid", "reason: " + reason, "bide")
        secret = self.salted("set", 2, 0, canonical_json({"lines": "bide", **who.signed(text)}))
        self.put("set", "moderate", do="orders", turn=1, by="mod", reason=reason, seat=2, **secret, **self.stamps(who, text))

    def message(self, step, name, verb, *rows, **members):
        """Words that a player has signed, and that stay sealed."""
        who = PEOPLE[name]
        text = self.text(step, verb, *rows, "head: " + self.head.hex(), "Hello")
        inside = {"player": name, "seat": self.seat_of(name), **who.signed(text), "words": "Hello"}
        self.put(step, "note", **members, **self.salted(step, 0, 1000, canonical_json(inside)), text=blake(text.encode()).hex(), mail=blake(b"mail" + text.encode()).hex())

    def dealt(self, witnessed=False, **more):
        """Turn 1 of a game in which ann and bea hold drawn seats and cid's is kept."""
        self.begin(witnessed=witnessed, **more)
        self.join("cid", 2)
        self.join("ann")
        self.join("bea")
        self.marks = self.deal_marks()
        if witnessed:
            self.close(0)
            self.witness(0)
        self.play(0)
        self.start, self.marks = self.head, [bytes(32)] * 4

    def waiting(self):
        """A line of ann's orders was not understood, and she sends no others; the turn is closed a day later."""
        self.dealt()
        self.orders("ann", waits=True)
        self.orders("bea")
        self.hour = "2026-11-21T09"
        self.close(1)
        self.play(1)

    def vouched(self, step, seat):
        """The word of a mail domain, with the mail."""
        published = blake(b"a domain's key")
        mail = b"From: ann@example.org\nDate: Fri, 20 Nov 2026 08:00:00 +0000\nSubject: Re: #" + self.head.hex()[:16].encode() + b"\n\nexplore near\n"
        kept = self.salted("mail " + step, seat, 1001, canonical_json({"record": "v=DKIM1; k=ed25519; p=" + base64_text(published)}).encode() + b"\n" + mail)
        return {"arrived": "%s:%02d:00Z" % (self.hour, len(self.lines)), "cutter": 2, "domain": "example.org", "evidence": kept["seal"], "box": kept["box"],
                "key": hashlib.sha256(published).hexdigest(), "learned": "league", "selector": "s1", "sent": "2026-11-20T08:00:00Z"}

    def made(self, step, number, text):
        """The mark of a text that was made of a mail, what binds the league to it, and its box."""
        made = made_of(DOMAINS, text)
        box = self.boxed(step, SEAL_KEY, made, canonical_json({"signature": DOMAINS, "text": text}))
        return mark_of(self.create, number, domain_bytes(DOMAINS), ""), made, box

    def mail_orders(self, *before, keyed=False):
        """Ann has no key: the domain of her mail vouches for what she orders. She answers a mail that was made after the orders
        of those before had come."""
        self.begin(("for:ann", "for:bea", "robot:hal", "for:cid"), witnessed=False, trust="mail")
        if keyed:
            self.join("ann", 1)
        else:
            self.join_by_mail()
        self.join("bea", 2)
        self.join("cid", 4)
        self.marks = self.deal_marks()
        self.play(0)
        self.start, self.marks = self.head, [bytes(32)] * 4
        for name in before:
            self.orders(name)
        step = "orders ann"
        text = self.text(step, "orders", "turn: 1", "head: " + self.head.hex(), "seq: 1", "explore near")
        self.marks[0], made, box = self.made(step, 1, text)
        self.put(step, "orders", turn=1, seat=1, mail=blake(b"mail").hex(), made=made.hex(), seal=self.marks[0].hex(), box=box, vouched=self.vouched(step, 1))

    def questioned(self):
        """Ann's next answer is not understood, and she sends no other; the turn is closed a day later."""
        self.mail_orders()
        step = "question"
        self.put(step, "note", kind="question", turn=1, seat=1, mail=blake(b"another mail").hex(), vouched=self.vouched(step, 0))
        self.orders("bea")
        self.orders("cid")
        self.hour = "2026-11-21T09"
        self.close(1)
        self.play(1)

    def mailed_over_a_key(self):
        """Ann has a key, and her domain vouches for orders."""
        self.mail_orders(keyed=True)

    def mailed(self):
        self.mail_orders("bea")
        self.orders("cid")
        self.close(1)
        self.play(1)
        self.finish()

    def said(self):
        """Ann and dan have no key: they join, wait, leave, watch, write and resign by mail."""
        self.begin(witnessed=False, trust="mail")
        self.join("cid", 2)
        self.join_by_mail(drawn=True)
        head = "head: " + self.create.hex()
        step = "wait dan"
        text = self.text(step, "join", head)
        mark = mark_of(self.create, 0, domain_bytes(DOMAINS), "")
        said = {"signature": DOMAINS, "said": text, "by": "dan"}
        self.put(step, "note", kind="wait", player="dan", mark=mark.hex(), vouched=self.vouched(step, 0), **said, **self.stamps(PEOPLE["dan"], text))
        self.says("leave", "dan", "leave", "note", kind="wait", player="dan", leave=True)
        self.join("bea")
        self.marks = self.deal_marks()
        self.play(0)
        self.says("observe", "dan", "observe", "note", kind="observe", turn=1, player="dan", stop=False)
        self.written("ann")
        seat = self.seat_of("ann")
        self.says("resign", "ann", "resign", "seat", seat=seat, robot="ann", why="resigned")

    def says(self, step, name, verb, sort, **members):
        """A record with a text that no key has signed."""
        text = self.text(step, verb, "head: " + self.head.hex())
        self.put(step, sort, by=name, said=text, vouched=self.vouched(step, 0), **members, **self.stamps(PEOPLE[name], text))

    def written(self, name):
        """A message; who wrote it, and how, is sealed."""
        step, seat = "press " + name, self.seat_of(name)
        text = self.text(step, "press", "turn: 1", "head: " + self.head.hex(), "to: all", "Shall we?")
        inside = {"player": name, "seat": seat, "signature": DOMAINS, "text": text, "words": "Shall we?"}
        word = self.changed("word " + step, self.vouched(step, 0))
        self.put(step, "note", kind="press", turn=1, to="all", seat=seat, **self.salted(step, 0, 1000, canonical_json({**inside, "vouched": word})), text=blake(b"press").hex(), mail=blake(b"press mail").hex())

    def resigned(self):
        """Ann's orders resign, by a word that only the order language knows; then bea's do not, and nothing follows."""
        self.dealt()
        seat = self.seat_of("ann")
        self.orders("ann")
        self.put("resigned", "seat", seat=seat, robot="ann", why="resigned")
        self.orders("bea")

    def behind(self):
        """What may stand between a close and its turn."""
        self.dealt(witnessed=True)
        self.orders("ann")
        self.orders("bea")
        self.close(1)
        self.message("press", "cid", "press", "turn: 1", kind="press", turn=1, to="all", seat=2)
        self.petition("observe", "dan", "observe", "note", kind="observe", turn=1, player="dan", stop=False)
        self.put("resend", "moderate", do="resend", turn=1, by="operator", reason="it was lost", seat=2)
        self.put("ban", "moderate", do="ban", turn=1, by="operator", reason="spam", seat=2, robot="cid")
        del self.seats[2]
        self.witness(1)
        self.play(1)

    def lost(self):
        """The league lost what came after a close: the turn opens again, with other draws."""
        self.dealt(witnessed=True)
        self.orders("ann")
        self.orders("bea")
        self.orders("cid")
        self.close(1)
        self.rollbacks = 2
        self.put("lost", "note", kind="lost", turn=1, rollbacks=2)
        self.put("again", "close", turn=1, seals=[mark.hex() if any(mark) else "" for mark in self.marks], set=[], deal=self.deal.hex(), rollbacks=2, missed=[])
        self.closed, self.close_line = self.head, json.loads(self.lines[-1])
        self.witness(1)
        self.play(1)

    def unwitnessed(self):
        """The witness is silent for three days: ann and bea, two of three, go on without."""
        self.dealt(witnessed=True)
        self.orders("ann")
        self.orders("bea")
        self.close(1)
        self.hour = "2026-11-23T09"
        self.put("late", "note", kind="late", turn=1)
        for name in ("ann", "bea"):
            self.petition("without " + name, name, "unwitness", "note", "turn: 1", kind="unwitness", turn=1, seat=self.seat_of(name))
        self.rollbacks, self.beta_w = 1, b""
        self.put("again", "close", turn=1, seals=[mark.hex() if any(mark) else "" for mark in self.marks], set=[], deal=self.deal.hex(), rollbacks=1, missed=[])
        self.play(1)

    def asked(self):
        """Bea and ann vote for a later deadline; the seat of cid, who is late, is offered: to dan, longer, to nobody, to eve."""
        self.due = "2026-11-20T10:05:00Z"
        self.dealt(turn_length=7200)
        for name, hours, more in (("bea", 3, {}), ("ann", 2, {"deadline": "2026-11-20T12:05:00Z"})):
            self.petition("vote " + name, name, "extend", "note", "turn: 1", "hours: %d" % hours, kind="vote", turn=1, seat=self.seat_of(name), seconds=hours * 3600, **more)
        for step, offer in (("dan", {"to": "dan", "until": "2026-11-20T09:00:00Z"}), ("longer", {"to": "dan", "until": "2026-11-20T10:00:00Z"}), ("nobody", {}), ("eve", {"to": "eve", "until": "2026-11-20T11:00:00Z"})):
            self.put("offer " + step, "note", kind="offer", turn=1, seat=2, **offer)

    def unanswered(self):
        """Cid does not come."""
        self.begin()
        self.join("ann")
        self.put("end", "end", turns=0, reason="unanswered", scores=[], time="2026-11-20T08:30:01Z")
        self.put("open", "open", seal_key=SEAL_KEY.hex(), time="2026-11-20T08:30:01Z")


    def lockstepped(self):
        """Ann plays a deal that others may play: one turn, which ends the game an hour before the deal closes."""
        times = {"opens": "2026-11-20T09:00:00Z", "hours": 1, "closes": "2026-11-20T11:00:00Z"}
        self.begin(("for:ann",), False, ruleset="galaxy-farmer", turn_length=3600, lockstep=times)
        self.join("ann", 1)
        self.marks = self.deal_marks()
        self.hour, self.due = "2026-11-20T09", "2026-11-20T10:00:00Z"
        self.play(0)
        self.start, self.marks = self.head, [bytes(32)]
        self.orders("ann")
        self.hour, self.due = "2026-11-20T10", None
        self.close(1)
        self.play(1)
        self.hour = "2026-11-20T11"
        self.finish()


def told(story="whole", changes=None, until=None):
    """The story, and the bytes of its journal."""
    out = Story(changes, until)
    try:
        getattr(out, story)()
    except Told:
        pass
    return out, b"".join(out.lines)
