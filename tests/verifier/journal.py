"""A game's files, checked record by record from src/journal/README.md: chain, signatures, seals, proofs, and what the
records must say about each other. The rules of the games are not played."""
import re

import curve
from forms import *

RECORD = b"turnpost/v1/rec\0"
LOG = b"turnpost/v1/log\0"
TAIL = re.compile(rb',"sig":"([A-Za-z0-9_-]{86})"}\n')
GAMES_WITHOUT_EARLY_ORDERS = ("galaxy-command",)


def head_of(line):
    return blake(LOG + line)


def seal_of(salt, payload):
    return blake(b"turnpost/v1/seal\0" + salt + payload)


def salt_of(key, seq, seat, item):
    return blake(b"turnpost/v1/salt\0" + le32(seq) + le32(seat) + le32(item), key=key)


# The members of each type besides those that all have; "?" = may be missing. Of notes and seats by what they are about.
COMMON = "v game seq prev type time sig"
SIGNED = " by signed text mail"
MEMBERS = {
    "create": "ruleset version cards card_data? options seats league_key vrf_key seal_key turn_length missed_robot missed_standby? press?"
    " press_delivery? observers? clock? witnesses? views?",
    "seat player": "seat player keys",
    "seat robot": "seat robot",
    "seat joined": "seat player keys seal mail text",
    "seat free": "seat free left" + SIGNED,
    "seat waited": "seat player keys seal waited left" + SIGNED,
    "seat resigned": "seat robot why" + SIGNED,
    "seat resigned by orders": "seat robot why",
    "seat standby": "seat player keys why" + SIGNED,
    "seat back": "seat player keys why" + SIGNED,
    "key": "seat keys",
    "start": "turn pi hidden state events reports deadline? away?",
    "turn": "turn pi hidden state events reports deadline? away?",
    "orders": "turn seat mail seal",
    "close": "turn seals missed",
    "end": "turns reason scores",
    "open": "seal_key",
    "note wait": "kind player keys seal mail text",
    "note wait leave": "kind player leave" + SIGNED,
    "note instant": "kind turn seat state events",
    "note press seat": "kind turn to seal mail text seat",
    "note press grey": "kind turn to seal mail text grey",
    "note press by": "kind turn to seal mail text by",
    "note observe": "kind turn player stop" + SIGNED,
    "note standby": "kind turn player stop" + SIGNED,
    "note offer": "kind turn seat to until",
    "note offer nobody": "kind turn seat",
    "note reminder": "kind turn seats deadline",
    "note shift vacation": "kind turn why from deadline away",
    "note shift outage": "kind turn why from deadline seconds",
    "note shift clock": "kind turn why from deadline",
    "note vote": "kind turn seat seconds deadline?" + SIGNED,
    "note hold": "kind turn missing awaited until?",
    "note hold released": "kind turn released",
    "note witness": "kind turn witness pi last?" + SIGNED,
    "note asked": "kind turn",
    "excuse": "turn witness reason" + SIGNED,
    "clock": "schedule zone grace minimum extension early vote weekends_off? holidays? starts?",
}


@functools.lru_cache(256)
def _shape(words):
    words = words.split()
    return frozenset(w for w in words if w[-1] != "?"), frozenset(w.rstrip("?") for w in words)


def only(value, words, what):
    """The object has these members and no others."""
    least, most = _shape(words)
    names = value.keys()
    must(least <= names, "%s lacks %s" % (what, ", ".join(sorted(least - names))))
    must(names <= most, "%s has members that do not belong there: %s" % (what, ", ".join(sorted(names - most))))


class Seat:
    def __init__(self):
        self.player, self.robot, self.keys = None, False, []
        self.join = bytes(32)  # seal of the text by which its player came
        self.orders = {}  # seal: turn, since somebody sat down
        self.offer = None  # (to, until)
        self.texts = set()  # (player, canonical text) of this turn
        self.owner = None  # who may take it back
        self.took_back = set()


class Witness:
    def __init__(self, player, keys, vrf):
        self.player, self.keys, self.vrf = player, keys, vrf
        self.answer, self.excused, self.last = None, False, None  # output, head of the close he answered


class Checker:
    """Takes the records one after the other; raises Fault at the first with which something is wrong."""

    def __init__(self, sealed, key=None, whole=True):
        self.sealed = sealed  # seq: list of (seat, item, salt, payload)
        self.whole = whole  # every seal must have its line
        self.key = key
        self.seq, self.head, self.time = 0, bytes(32), None
        self.last = {}
        self.turn, self.over = 0, False
        self.witnesses, self.closed = [], False
        self.opened = []  # (seq, seat, item) of the seals that a line opened
        self.closed_seals = []
        self.messages = 0
        self.last_frame = None
        self.kept = []  # salts and places of all lines that were used, for `open`
        self.marks = set()
        self.heads = []  # of this turn
        self.waiting, self.observers, self.standby = [], [], []
        self.away = {}
        self.counts = {"signatures": 0, "proofs": 0, "seals": 0}

    # ---- one record ----

    def take(self, line):
        must(len(line) <= 65536, "the line is too long")
        tail = TAIL.fullmatch(line[-97:])
        must(tail, "the line does not end with a signature")
        record = read_json(line[:-1])
        must(is_int(record.get("v")) and record["v"] == 1, "not version 1")
        game = name(record, "game")
        if self.seq == 0:
            must(record.get("type") == "create", 'the first record must be "create"')
            self.game, self.league = game, hex32(record, "league_key")
            must(self.key in (None, self.league), "it is signed by another league than the one whose key was given")
        must(game == self.game, "it belongs to another game")
        must(is_int(record.get("seq")) and record["seq"] == self.seq + 1, "its number is not %d" % (self.seq + 1))
        must(hex32(record, "prev") == self.head, "it does not follow the record before it")
        sig = base64.urlsafe_b64decode(tail[1] + b"==")
        must(base64.urlsafe_b64encode(sig).rstrip(b"=") == tail[1], "its signature is not base64url")
        must(curve.ed25519_verify(self.league, sig, RECORD + line[:-97]), "it is not signed by the league's key")
        when = time(record, "time")
        must(self.time is None or when >= self.time, "its time runs backwards")
        kind = text(record, "type")
        method = getattr(self, "on_" + kind, None) if re.fullmatch("[a-z]+", kind) else None
        must(method, "a type of record that this verifier does not know")
        self.seq, self.time = self.seq + 1, when
        self.used = set()
        self.record = record
        self.check_course(kind)
        method(record)
        self.check_foreign()
        self.last = record
        self.head = head_of(line)
        if kind == "close":
            self.closed, self.close_head = True, self.head
        if kind in ("start", "turn"):
            self.heads = []
        self.heads.append(self.head.hex())

    def check_course(self, kind):
        before = self.last.get("type")
        must((before is None) == (kind == "create"), '"create" is the first record and no other')
        must(before != "open", "nothing comes behind the record that opens the seals")
        must((before == "end") == (kind == "open"), '"open" comes behind "end", and nothing else does')
        if self.closed and self.witnesses:
            about = kind == "excuse" or (kind == "note" and self.record.get("kind") in ("witness", "asked"))
            must(about or kind in ("start", "turn"), "the turn is closed: only its witnesses have a word")
            must(about or not self.waited(), "a witness has neither answered nor been excused")
        elif self.witnesses:
            must(kind not in ("start", "turn"), "the turn was not closed before its witnesses")
        elif before is not None:
            must((before == "close") == (kind == "turn"), '"turn" comes behind "close", and nothing else does')
        if kind == "end":
            must(before in ("start", "turn"), '"end" comes right behind the last turn')

    # ---- seals ----

    def payload(self, seal, seat, item):
        """What a line of sealed.jsonl has for this seal of the record, or None."""
        for i, (s, n, salt, payload) in enumerate(self.sealed.get(self.seq, [])):
            if s == seat and n == item and seal_of(salt, payload) == seal:
                self.used.add(i)
                self.counts["seals"] += 1
                self.messages += item == 1000
                if item != 1000:
                    self.kept.append((self.seq, seat, item, salt))
                return payload.decode()
        must(not self.whole or item == 1000, "what its seal stands for (seat %d, item %d) is not in sealed.jsonl" % (seat, item))
        self.closed_seals.append((self.seq, seat, item))
        return None

    def check_foreign(self):
        lines = self.sealed.get(self.seq, [])
        used = {lines[i] for i in self.used}
        for line in lines:
            must(line in used, "a line of sealed.jsonl (seat %d, item %d) opens no seal of this record" % line[:2])

    # ---- signed texts ----

    def frame(self, signature, words, verb, keys, needs_turn=False):
        key = signature_key(signature, words)
        self.counts["signatures"] += 1
        must(keys is None or key in keys, "the text is signed with a key that was not valid then")
        frame = frame_of(words)
        must(frame.verb == verb, "the text is #turnpost %s and not %s" % (frame.verb, verb))
        must(frame.fields.get("game") == self.game, "the text is for another game")
        turn = frame.fields.get("turn")
        must(turn is not None or not needs_turn, "the text names no turn")
        must(turn is None or turn == self.turn, "the text is for another turn")
        head = frame.fields.get("head", "")
        must(any(known.startswith(head) for known in self.heads), "the text answers a head that is none of this turn")
        return frame

    def mark(self, record):
        for member in ("text", "mail"):
            value = (member, hex32(record, member))
            must(value not in self.marks, '"%s" stood in a record before' % member)
            self.marks.add(value)

    def check_mark(self, record, player, words):
        must(blake(player.encode() + canonical(words).encode()) == hex32(record, "text"), '"text" is not the digest of the signed text')

    def petition(self, record, verb, player, keys=None, needs_turn=False):
        """The members of a signed text by `player`. `keys`: None = those of his seat, if he has one."""
        must(record.get("by") == player, "it is signed by another player")
        signed = record.get("signed")
        must(isinstance(signed, dict), '"signed" must be an object')
        self.text_and_signature(signed)
        if keys is None:
            seat = self.seat_of(player)
            keys = seat.keys if seat else None
        self.mark(record)
        frame = self.frame(signed.get("signature"), signed.get("text"), verb, keys, needs_turn)
        self.check_mark(record, player, signed["text"])
        return frame

    def join_text(self, record, seat):
        """The sealed text by which a player joins; his name and his seal."""
        player, seal = name(record, "player"), hex32(record, "seal")
        self.mark(record)
        payload = self.payload(seal, seat, 0)
        if payload is not None:
            inside = self.text_and_signature(payload)
            frame = self.frame(inside["signature"], inside["text"], "join", key_list(record))
            self.check_mark(record, player, inside["text"])
            named = frame.line("seat")
            must(not seat or named is None or number_in(named) == seat, "the text asks for another seat")
        return seal

    # ---- the table ----

    def seat(self, record):
        return self.seats[number(record, "seat", 1, self.n)]

    def seat_of(self, player):
        for seat in self.seats[1:]:
            if seat.player == player and not seat.robot:
                return seat
        return None

    def players_seat(self, record):
        seat = self.seat(record)
        must(seat.player and not seat.robot, "the seat is no player's")
        return seat

    def seat_list(self, value, what, least=1):
        must(isinstance(value, list) and all(is_int(i) and least <= i <= self.n for i in value), "%s must be a list of seats" % what)
        must(value == sorted(set(value)), "%s is not in order" % what)
        return value

    def open_turn(self, record, least=1):
        must(is_int(record.get("turn")) and record["turn"] == self.turn and self.turn >= least, "it is not about the open turn")

    # ---- create, seat, key ----

    def shape(self, record, kind):
        only(record, COMMON + " " + MEMBERS[kind], "the record")

    def text_and_signature(self, payload):
        inside = read_json(payload) if isinstance(payload, str) else payload
        only(inside, "signature text", "a signed text")
        return inside

    def on_create(self, record):
        self.shape(record, "create")
        text(record, "ruleset")
        number(record, "version", 1, 10000)
        hex32(record, "cards")
        if "card_data" in record:
            must(isinstance(record["card_data"], dict) and json_digest(record["card_data"]) == hex32(record, "cards"), '"cards" is not the digest of "card_data"')
        options = record.get("options", {})
        must(isinstance(options, dict) and all(is_int(v) for v in options.values()), '"options" must be numbers')
        self.n = number(record, "seats", 1, 8)
        self.ruleset = record["ruleset"]
        self.vrf = hex32(record, "vrf_key")
        must(curve.vrf_key(self.vrf) is not None, '"vrf_key" is no key')
        self.commitment = hex32(record, "seal_key")
        self.clock(record)
        number(record, "missed_robot", 0, 1000)
        if "missed_standby" in record:
            number(record, "missed_standby", 0, 1000)
        self.press = record.get("press", "white")
        must(self.press in ("white", "grey", "none"), "an unknown kind of press")
        must(record.get("press_delivery", "now") in ("now", "report"), "an unknown delivery of press")
        self.take_witnesses(record)
        if "views" in record:
            number(record, "views", 1, 10000)
        must(isinstance(record.get("observers", True), bool), '"observers" must be true or false')
        self.private = record.get("observers", True) is False
        self.create_head = None
        self.seats = [None] + [Seat() for _ in range(self.n)]

    def take_witnesses(self, record):
        value = record.get("witnesses", [])
        must(isinstance(value, list) and all(isinstance(w, dict) for w in value), '"witnesses" must be a list')
        for item in value:
            only(item, "player keys vrf", "a witness")
            must(curve.vrf_key(hex32(item, "vrf")) is not None, '"vrf" is no key')
            self.witnesses.append(Witness(name(item, "player"), key_list(item), hex32(item, "vrf")))
        must(len({w.player for w in self.witnesses}) == len(self.witnesses), "a witness stands twice")

    def clock(self, record):
        number(record, "turn_length", 0, 2**31 - 1)
        clock = record.get("clock")
        self.grace, self.starts, self.extension = 0, 0, 259200
        if clock is None:
            return
        must(isinstance(clock, dict), '"clock" must be an object')
        only(clock, MEMBERS["clock"], "its clock")
        must(isinstance(clock["early"], bool) and clock.get("weekends_off", True) is True, "its clock cannot be read")
        holidays = clock.get("holidays", [])
        must(isinstance(holidays, list) and all(isinstance(h, str) and re.fullmatch(r"(\d{4}-)?\d\d-\d\d", h, re.ASCII) for h in holidays), "its clock cannot be read")
        text(clock, "schedule"), text(clock, "zone")
        self.grace = number(clock, "grace", 0, 366 * 86400)
        number(clock, "minimum", 0, 366 * 86400)
        number(clock, "vote", 0, 100)
        self.extension = number(clock, "extension", 0, 366 * 86400)
        self.starts = number(clock, "starts", 0, 2**62) if "starts" in clock else 0

    def on_seat(self, record):
        seat = self.seat(record)
        why = record.get("why")
        if why == "resigned":
            self.resigned(record, seat)
        elif why in ("standby", "back"):
            self.sat_down(record, seat, why)
        else:
            must(why is None, '"why" is unknown')
            must(self.turn == 0 and not self.dealt(), "seats are filled before the game begins")
            self.filled(record, seat)
        if why is not None and why != "resigned":
            seat.orders, seat.join = {}, bytes(32)

    def dealt(self):
        return self.turn > 0

    def filled(self, record, seat):
        index = record["seat"]
        if "free" in record:
            self.shape(record, "seat free")
            must(record["free"] is True, '"free" must be true')
            must(seat.player and not seat.robot and record.get("left") == seat.player, "it is not the seat of who left")
            self.petition(record, "leave", seat.player)
            self.seats[index] = Seat()
            return
        fresh = Seat()
        if "robot" in record:
            self.shape(record, "seat robot")
            must(seat.player is None, "the seat is taken")
            fresh.player, fresh.robot = name(record, "robot"), True
        else:
            fresh.player, fresh.keys = name(record, "player"), key_list(record)
            must(self.seat_of(fresh.player) is None, "the player has a seat")
            self.shape(record, "seat waited" if "waited" in record else "seat joined" if "seal" in record else "seat player")
            if "waited" in record:
                must(record["waited"] is True, '"waited" must be true')
                must(seat.player and record.get("left") == seat.player, "it is not the seat of who left")
                self.petition(record, "leave", seat.player)
                must(self.waiting and self.waiting[0] == (fresh.player, record.get("seal"), record["keys"]), "it is not who waited longest")
                self.waiting.pop(0)
                fresh.join = hex32(record, "seal")
            else:
                must(seat.player is None, "the seat is taken")
                if "seal" in record:
                    fresh.join = self.join_text(record, index)
                    self.waiting = [w for w in self.waiting if w[0] != fresh.player]
        self.seats[index] = fresh

    def resigned(self, record, seat):
        self.shape(record, "seat resigned" if "signed" in record else "seat resigned by orders")
        must(self.dealt(), "nobody resigns before the game begins")
        must(seat.player and not seat.robot and record.get("robot") == seat.player, "it is not the seat of who resigned")
        if "signed" in record:
            self.petition(record, "resign", seat.player)
        else:
            must(self.last.get("type") == "orders" and self.last["seat"] == record["seat"], "nobody asked for it")
            must(self.last_frame is None or any(piece.lower().split(" ")[0] == "resign" for piece in self.last_frame.pieces()), "the orders do not say so")
        seat.robot, seat.keys, seat.offer = True, [], None

    def sat_down(self, record, seat, why):
        self.shape(record, "seat " + why)
        player, keys = name(record, "player"), key_list(record)
        must(self.dealt() and self.seat_of(player) is None, "he has a seat, or nobody can sit down now")
        if why == "standby":
            frame = self.petition(record, "take", player, keys, True)
            must(seat_number(frame.line("seat")) == record["seat"], "the text is about another seat")
            must(seat.offer and seat.offer[0] == player and self.time <= seat.offer[1], "the seat is not offered to him")
            seat.owner = seat.player if not seat.robot and seat.player not in seat.took_back else None
            self.standby = [p for p in self.standby if p != player]
            self.observers = [p for p in self.observers if p != player]
        else:
            self.petition(record, "back", player, keys, True)
            must(seat.owner == player, "the seat was not his, or it is too late")
            seat.took_back.add(player)
            seat.owner = None
        seat.player, seat.robot, seat.keys, seat.offer = player, False, keys, None

    def on_key(self, record):
        self.shape(record, "key")
        self.players_seat(record).keys = key_list(record)

    # ---- orders, close ----

    def on_orders(self, record):
        self.shape(record, "orders")
        self.open_turn(record)
        seat = self.players_seat(record)
        hex32(record, "mail")
        seal = hex32(record, "seal")
        payload = self.payload(seal, record["seat"], 0)
        self.last_frame = None
        if payload is not None:
            inside = self.text_and_signature(payload)
            self.last_frame = self.frame(inside["signature"], inside["text"], "orders", seat.keys, True)
            words = (seat.player, canonical(inside["text"]))
            must(words not in seat.texts, "the player has given the same text in this turn before")
            seat.texts.add(words)
        seat.orders[seal] = self.turn

    def on_close(self, record):
        self.shape(record, "close")
        self.open_turn(record, 0 if self.witnesses else 1)
        must(not self.held, "the turn is held")
        must(self.turn or all(seat.player for seat in self.seats[1:]), "a seat is free")
        seals, missed = record.get("seals"), self.seat_list(record.get("missed"), '"missed"')
        must(isinstance(seals, list) and len(seals) == self.n, "not a seal for each seat")
        self.closing = []
        for i, seal in enumerate(seals, 1):
            if seal == "":
                self.closing.append(bytes(32))
                continue
            self.closing.append(hex_bytes(seal, 32, "a seal"))
            if self.turn == 0:
                must(self.closing[-1] == self.seats[i].join, "the seal of seat %d is not that of its join text" % i)
                continue
            turn = self.seats[i].orders.get(self.closing[-1])
            must(turn is not None, "the seal of seat %d is not that of orders of this seat" % i)
            if self.n > 1 and self.ruleset in GAMES_WITHOUT_EARLY_ORDERS:
                must(turn == self.turn, "the orders of seat %d are of an earlier turn" % i)
        for i in missed:
            must(seals[i - 1] == "" and self.seats[i].player and not self.seats[i].robot, "seat %d has not missed the turn" % i)
        if missed:
            must(self.deadline is not None, "orders are missing, and the turn has no deadline")
            must(self.time >= max(self.deadline + self.grace, self.starts), "orders are missing, and the deadline has not passed")

    # ---- start, turn ----

    def on_start(self, record):
        must(self.turn == 0, "the game has begun already")
        must(all(seat.player for seat in self.seats[1:]), "a seat is free")
        self.closing = [seat.join for seat in self.seats[1:]]
        self.play(record)

    def on_turn(self, record):
        self.play(record)

    def play(self, record):
        self.shape(record, record["type"])
        self.open_turn(record, 0)
        hex32(record, "state"), hex32(record, "events")
        alpha = b"turnpost/v1/dice\0" + self.first_head + le32(self.turn) + le32(self.n) + b"".join(self.closing)
        beta = curve.vrf_verify(self.vrf, hex_bytes(record.get("pi"), 80, '"pi"'), alpha)
        must(beta is not None, "the proof of its draws is wrong")
        self.counts["proofs"] += 1
        self.root = blake(b"turnpost/v1/roll\0" + beta + b"".join(w.answer for w in self.witnesses if w.answer), 64)
        self.hidden(record)
        self.reports(record)
        self.deadline = time(record, "deadline") if "deadline" in record else None
        self.take_away(record)
        self.turn += 1
        self.closed = False
        for witness in self.witnesses:
            witness.answer, witness.excused = None, False
        self.held, self.was_held, self.extended, self.reminded = False, False, False, set()
        for seat in self.seats[1:]:
            seat.texts, seat.owner = set(), None

    def hidden(self, record):
        hidden, labels = record.get("hidden"), set()
        must(isinstance(hidden, list) and len(hidden) <= 16, '"hidden" must be a list of at most 16')
        for i, item in enumerate(hidden):
            must(isinstance(item, dict), '"hidden" must be a list of objects')
            only(item, "seal", "a hidden draw")
            payload = self.payload(hex32(item, "seal"), 0, 2 + i)
            if payload is None:
                continue
            inside = read_json(payload)
            only(inside, "label proof", "a hidden draw")
            label = text(inside, "label")
            must(0 < len(label.encode()) < 40 and label not in labels, "a hidden draw without a label of its own")
            labels.add(label)
            proof = hex_bytes(inside.get("proof"), 80, "the proof of a hidden draw")
            good = curve.vrf_verify(self.vrf, proof, b"turnpost/v1/hide\0" + self.root + label.encode())
            must(good is not None, "the proof of the hidden draw %s is wrong" % label)
            self.counts["proofs"] += 1

    def reports(self, record):
        reports = record.get("reports")
        must(isinstance(reports, list) and len(reports) == self.n, "not a report for each seat")
        for i, seal in enumerate(reports, 1):
            must((seal == "") == self.seats[i].robot, "a report for a robot, or none for a player: seat %d" % i)
            if seal:
                payload = self.payload(hex_bytes(seal, 32, "a seal"), i, 1)
                must(payload is None or re.fullmatch("[0-9a-f]{64}", payload), "the seal of a report holds no digest")

    def take_away(self, record):
        away = record.get("away", [])
        must(isinstance(away, list), '"away" must be a list')
        for item in away:
            must(isinstance(item, dict), '"away" must be a list of objects')
            only(item, "seat player from to", "a vacation")
            player, first, last = name(item, "player"), day(item, "from"), day(item, "to")
            must(self.seat(item).player == player, "the vacation of somebody who does not sit there")
            must(first <= last <= first + 366, "a vacation that cannot be one")
            must(first > self.away.get(player, 0), "a vacation that has moved this game before")
            self.away[player] = last

    # ---- end, open ----

    def on_end(self, record):
        self.shape(record, "end")
        must(self.turn > 0, "the game has not begun")
        must(is_int(record.get("turns")) and record["turns"] == self.turn - 1, '"turns" is not the last turn')
        text(record, "reason")
        scores = record.get("scores")
        must(isinstance(scores, list) and all(isinstance(s, dict) for s in scores), '"scores" must be a list')
        must(sorted(number(s, "seat", 1, self.n) for s in scores) == list(range(1, self.n + 1)), '"scores" does not have each seat once')
        for score in scores:
            only(score, "seat name points won lost place rank you", "a score")
            must(score.get("name") == self.seat(score).player, "a score under another name")
            must(score.get("you") is False, '"you" must be false')
            must(is_int(score.get("points")) and is_int(score.get("place")) and isinstance(score.get("rank"), str), "a score that is none")
            must(isinstance(score.get("won"), bool) and isinstance(score.get("lost"), bool), "a score that is none")
        self.over = True

    def on_open(self, record):
        self.shape(record, "open")
        key = hex32(record, "seal_key")
        must(blake(b"turnpost/v1/kseal\0" + key) == self.commitment, "it is not the key that \"create\" promised")
        for seq, seat, item, salt in self.kept:
            if salt_of(key, seq, seat, item) != salt:
                raise Fault("the salt in sealed.jsonl for record %d, seat %d, item %d is another" % (seq, seat, item), seq)

    # ---- witnesses ----

    def waited(self):
        return [w for w in self.witnesses if w.answer is None and not w.excused] if self.closed else []

    def witness(self, record):
        self.open_turn(record, 0)
        for witness in self.waited():
            if witness.player == record.get("witness"):
                return witness
        raise Fault("nothing is waited for from this witness")

    def note_witness(self, record):
        self.shape(record, "note witness")
        witness = self.witness(record)
        last = hex32(record, "last") if "last" in record else None
        must(last == witness.last, "the witness answered another close before: there are two histories")
        frame = self.petition(record, "witness", witness.player, witness.keys, True)
        must(frame.fields.get("head") == self.close_head.hex(), "the text answers another close")
        must((frame.line("last") or "") == record.get("last", ""), "the text names another close that was answered last")
        must(re.sub("[ \n]", "", "".join(frame.body)) == record["pi"], "the proof is not the one that was signed")
        witness.answer = curve.vrf_verify(witness.vrf, hex_bytes(record["pi"], 80, '"pi"'), b"turnpost/v1/witness\0" + self.close_head)
        must(witness.answer is not None, "the proof of the witness's draw is wrong")
        self.counts["proofs"] += 1
        witness.last = self.close_head

    def note_asked(self, record):
        self.shape(record, "note asked")
        self.open_turn(record, 0)
        must(self.waited(), "no witness is waited for")

    def on_excuse(self, record):
        self.shape(record, "excuse")
        witness = self.witness(record)
        frame = self.petition(record, "excuse", name(record, "by"), None, True)
        must((frame.line("witness") or "").lower() == witness.player, "the text is about another witness")
        must(text(record, "reason") and frame.line("reason") == record["reason"], "the text gives another reason")
        witness.excused = True

    # ---- notes ----

    def on_note(self, record):
        kind = text(record, "kind")
        method = getattr(self, "note_" + kind, None) if re.fullmatch("[a-z]+", kind) else None
        must(method, "a kind of note that this verifier does not know")
        if kind not in ("wait", "witness", "asked"):
            self.open_turn(record)
        method(record)

    def note_wait(self, record):
        player = name(record, "player")
        waits = [w[0] for w in self.waiting]
        self.shape(record, "note wait leave" if "leave" in record else "note wait")
        if "leave" in record:
            must(record["leave"] is True, '"leave" must be true')
            self.petition(record, "leave", player)
            must(player in waits, "he is not on the waiting list")
            del self.waiting[waits.index(player)]
            return
        must(player not in waits and len(waits) < 16, "there is no place on the waiting list for him")
        key_list(record)
        self.join_text(record, 0)
        self.waiting.append((player, record["seal"], record["keys"]))

    def note_instant(self, record):
        self.shape(record, "note instant")
        self.players_or_resigned(record)
        hex32(record, "state"), hex32(record, "events")

    def players_or_resigned(self, record):
        last = self.last
        behind = last["type"] == "orders" or (last["type"] == "seat" and last.get("why") == "resigned" and "signed" not in last)
        must(number(record, "seat", 1, self.n) == last.get("seat") and behind, "no orders led to it")

    def note_press(self, record):
        kinds = [kind for kind in ("grey", "by", "seat") if kind in record]
        must(len(kinds) == 1, "press has one sender")
        self.shape(record, "note press " + kinds[0])
        grey, moderator = kinds == ["grey"], kinds == ["by"]
        must(not grey or record["grey"] is True, '"grey" must be true')
        to = record.get("to")
        if to != "all":
            self.seat_list(to, '"to"', 0)
            must(to, "it goes to nobody")
        must(not grey or self.press == "grey", "this game has no grey press")
        must(self.press != "none" or moderator or to == [0], "this game has no press")
        if moderator:
            name(record, "by")
        sender = None if grey or moderator else self.players_seat(record)
        self.mark(record)
        payload = self.payload(hex32(record, "seal"), 0, 1000)
        if payload is not None:
            inside = read_json(payload)
            only(inside, "player seat signature text words", "a message")
            seat = number(inside, "seat", 0, self.n)
            must(not sender or seat == record["seat"], "the message is another seat's")
            must(inside["player"] == (self.seats[seat].player if seat else record.get("by")), "the message is somebody else's")
            self.frame(inside["signature"], inside["text"], "press", None, True)
            must(text(inside, "words") and inside["words"] in canonical(inside["text"]), "the words are not those that were signed")

    def listed(self, record, people, verb, unverb):
        self.shape(record, "note " + record["kind"])
        player, stop = name(record, "player"), record["stop"]
        must(isinstance(stop, bool), '"stop" must be true or false')
        frame = self.petition(record, unverb if stop else verb, player)
        must(verb != unverb or stop == ((frame.line("cancel") or "").lower() == "yes"), "the text asks for the opposite")
        must((player in people) == stop, "he is on the list already, or is not")
        if stop:
            people.remove(player)
            return
        must(len(people) < 50 and self.seat_of(player) is None, "there is no place on the list for him")
        people.append(player)

    def note_observe(self, record):
        must(record.get("stop") is True or not self.private, "this game has no observers")
        self.listed(record, self.observers, "observe", "unobserve")

    def note_standby(self, record):
        self.listed(record, self.standby, "standby", "standby")

    def note_offer(self, record):
        self.shape(record, "note offer" if "to" in record else "note offer nobody")
        seat = self.seat(record)
        seat.offer = None
        if "to" in record:
            seat.offer = (name(record, "to"), time(record, "until"))
            must(seat.offer[1] > self.time, "an offer for no time")

    def note_reminder(self, record):
        self.shape(record, "note reminder")
        seats = self.seat_list(record.get("seats"), '"seats"')
        must(self.deadline is not None and time(record, "deadline") == self.deadline, "it is not the deadline of the turn")
        must(seats and not self.reminded & set(seats), "a seat was reminded before, or nobody is")
        must(all(self.seats[i].player and not self.seats[i].robot for i in seats), "a robot is reminded")
        self.reminded |= set(seats)

    def move_deadline(self, record, back=False):
        deadline = time(record, "deadline")
        must(self.deadline is not None and (deadline <= self.deadline) == back, "the deadline cannot move like that")
        self.deadline, self.reminded = deadline, set()

    def note_shift(self, record):
        why = record.get("why")
        must(why in ("vacation", "outage", "clock"), "the deadline moves for an unknown reason")
        self.shape(record, "note shift " + why)
        must(self.deadline is not None and time(record, "from") == self.deadline, "it is not the deadline of the turn")
        self.move_deadline(record, why == "clock")
        if why == "vacation":
            must(record.get("away"), "nobody is on vacation")
            self.take_away(record)
        if why == "outage":
            number(record, "seconds", 0, 2**62)

    def note_vote(self, record):
        self.shape(record, "note vote")
        seat = self.players_seat(record)
        frame = self.petition(record, "extend", seat.player, None, True)
        number(record, "seconds", 0, self.extension)
        hours, days = frame.line("hours"), frame.line("days")
        wanted = number_in(hours) * 3600 if hours is not None else number_in(days) * 86400
        must(wanted == record["seconds"], "the text is for another time")
        must(self.deadline is not None and not self.extended, "no vote is possible")
        if "deadline" in record:
            self.move_deadline(record)
            self.extended = True

    def note_hold(self, record):
        self.shape(record, "note hold released" if "released" in record else "note hold")
        if "released" in record:
            must(record["released"] is True, '"released" must be true')
            must(self.held, "the turn is not held")
            self.held = False
            return
        self.seat_list(record.get("missing"), '"missing"'), self.seat_list(record.get("awaited"), '"awaited"')
        if "until" in record:
            time(record, "until")
        must(not self.was_held, "the turn was held before")
        self.held = self.was_held = True


# ---- whole files ----------------------------------------------------------------------------------------------


def seat_number(value):
    """Of "2" or "P2"; 0 = none."""
    found = re.fullmatch("[Pp]?([1-8])", value or "")
    return int(found[1]) if found else 0


def number_in(value):
    return int(value) if value and re.fullmatch("[0-9]{1,9}", value) else -1


def read_sealed(data):
    """The lines of sealed.jsonl by the seq of their record, and what is wrong with lines: (seq, why), seq 0 where it
    cannot be said."""
    out, faults, last = {}, [], (0,)
    lines = data.split(b"\n")
    lines.pop()  # behind the last LF: nothing, or half a line
    for i, line in enumerate(lines, 1):
        try:
            seq, entry = sealed_line(line)
        except Fault as e:
            faults.append((0, "line %d of sealed.jsonl: %s" % (i, e)))
            continue
        place = (seq, entry[1], entry[0])
        if place <= last:
            faults.append((seq, "line %d of sealed.jsonl stands twice, or out of order" % i))
        last = max(place, last)
        out.setdefault(seq, []).append(entry)
    return out, faults


@functools.lru_cache(65536)
def sealed_line(line):
    record = read_json(line)
    only(record, "item payload salt seat seq", "the line")
    seq = number(record, "seq", 1, 2**62)
    entry = (number(record, "seat", 0, 64), number(record, "item", 0, 1000), hex32(record, "salt"), text(record, "payload").encode())
    must(canonical_json(record).encode() == line, "not in the form that such lines have")
    return seq, entry


class Verdict:
    """verdict: "proved", "opened" (proved as far as opened) or "broken", then `record` (0: none of them) and `why`."""

    def __init__(self):
        self.verdict, self.record, self.why = "proved", 0, ""
        self.game, self.records, self.head, self.over = "", 0, "0" * 64, False
        self.not_opened, self.counts = [], {}

    def broken(self, record, why):
        self.verdict, self.record, self.why = "broken", record, why
        return self


def walk(out, checker, lines, faults, wanted):
    """Takes the records; (record, why) of the first that is wrong, or None."""
    for i, line in enumerate(lines, 1):
        try:
            checker.take(line + b"\n")
        except Fault as e:
            at, why = e.args[1] if len(e.args) > 1 else i, e.args[0]
            earlier = [fault for fault in faults if 0 < fault[0] <= at]
            if earlier:
                return min(earlier)
            return at, why + (" (%s)" % faults[0][1] if faults else "")
        if i == 1:
            checker.first_head = checker.head
        for fault in faults:
            if fault[0] == i:
                return fault
        out.game, out.records, out.head, out.over = checker.game, i, checker.head.hex(), checker.over
        if any(head != out.head for head in wanted.get(i, [])):
            return i, "its head is not the one that was mailed: the league has another history"
    return None


def ending(checker, torn, faults, wanted):
    """What is wrong behind the last record, or None."""
    behind = checker.seq + 1
    follows = {"close": "turn", "end": "open"}.get(checker.last["type"])
    if checker.witnesses:
        follows = "open" if checker.last["type"] == "end" else "turn" if checker.closed and not checker.waited() else None
    frame = checker.last_frame if checker.last["type"] == "orders" else None
    if torn:
        return behind, "the journal ends in the middle of it"
    if follows:
        return behind, '"%s" must follow and is missing' % follows
    if frame and any(piece.lower().split(" ")[0] == "resign" for piece in frame.pieces()):
        return behind, "the orders before it say RESIGN, and the record of that is missing"
    if any(seq >= behind for seq in checker.sealed):
        return behind, "sealed.jsonl goes on behind the last record"
    missing = [seq for seq in wanted if seq >= behind]
    if missing:
        return behind, "it is missing: the head of record %d was mailed" % min(missing)
    if faults:
        return behind, faults[0][1]
    lost = [seq for seq, _, item in checker.closed_seals if item == 1000]
    if checker.whole and lost and checker.messages:
        return lost[0], "what its seal stands for is not in sealed.jsonl, and other messages are"
    return None


def check(journal, sealed, key=None, heads=(), whole=True):
    """`journal`, `sealed`: bytes; `sealed` None = there is none. `key`: the league's, 32 bytes, if it is known. `heads`:
    (seq, hex) that the journal must have. `whole`: sealed.jsonl claims to have all lines."""
    out = Verdict()
    lines = journal.split(b"\n")
    torn = lines.pop() != b""
    opened, faults = read_sealed(sealed or b"")
    checker = Checker(opened, key, whole and sealed is not None)
    wanted = {}
    for seq, head in heads:
        wanted.setdefault(seq, []).append(head)
    if not lines:
        return out.broken(1, "there is no record")
    wrong = walk(out, checker, lines, faults, wanted) or ending(checker, torn, faults, wanted)
    out.counts, out.not_opened = checker.counts, [s for s in checker.closed_seals if s[2] != 1000]
    if wrong:
        return out.broken(*wrong)
    if out.not_opened:
        out.verdict, out.record = "opened", out.not_opened[0][0]
    return out
