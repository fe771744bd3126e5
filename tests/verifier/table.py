"""What the records are checked against: who sits where with which keys, seals, signed texts."""
import re

import curve
from forms import *
from members import COMMON, MEMBERS, SIGNED, TYPED, only


def seal_of(salt, payload):
    return blake(b"turnpost/v1/seal\0" + salt + payload)


def salt_of(key, seq, seat, item):
    return blake(b"turnpost/v1/salt\0" + le32(seq) + le32(seat) + le32(item), key=key)


def seat_number(value):
    """Of "2" or "P2"; 0 = none."""
    found = re.fullmatch("[Pp]?([1-8])", value or "")
    return int(found[1]) if found else 0


def number_in(value):
    return int(value) if value and re.fullmatch("[0-9]{1,9}", value) else -1


class Seat:
    def __init__(self):
        self.player, self.robot, self.keys = None, False, []
        self.join = bytes(32)  # seal of the text by which its player came
        self.orders = {}  # seal: turn, since somebody sat down
        self.offer = None  # (to, until)
        self.texts = set()  # (turn, player, canonical text)
        self.owner = None  # who may take it back
        self.took_back = set()


class Witness:
    def __init__(self, player, keys, vrf):
        self.player, self.keys, self.vrf = player, keys, vrf
        self.answer, self.excused, self.last = None, False, None  # output, head of the close he answered


class Table:
    def __init__(self, sealed, key=None, whole=True):
        self.sealed = sealed  # seq: list of (seat, item, salt, payload)
        self.whole = whole  # every seal must have its line
        self.key = key
        self.seq, self.head, self.time = 0, bytes(32), None
        self.last = {}
        self.turn, self.over, self.opened_all = 0, False, False
        self.witnesses, self.closed = [], False
        self.deadline, self.held, self.was_held, self.extended, self.reminded = None, False, False, False, set()
        self.opened = []  # (seq, seat, item) of the seals that a line opened
        self.closed_seals = []
        self.messages = 0
        self.last_frame = None
        self.seal_key = None  # what `open` holds, far behind
        self.marks = set()
        self.paused, self.moderated, self.void = False, False, False
        self.past = {}  # seq: (open turn, digest of the state), of records that a game can go back to
        self.state = None
        self.roots = {}  # R by turn
        self.heads = []  # of this turn
        self.waiting, self.observers, self.standby = [], [], []
        self.away = []  # of Vacation
        self.counts = {"signatures": 0, "typed": 0, "proofs": 0, "seals": 0}

    # ---- seals ----

    def payload(self, seal, seat, item):
        """What a line of sealed.jsonl has for this seal of the record, or None."""
        for i, (s, n, salt, payload) in enumerate(self.sealed.get(self.seq, [])):
            if s == seat and n == item and seal_of(salt, payload) == seal:
                self.used.add(i)
                self.counts["seals"] += 1
                self.messages += item == 1000
                good = item == 1000 or not self.seal_key or salt == salt_of(self.seal_key, self.seq, seat, item)
                must(good, "a salt in sealed.jsonl (seat %d, item %d) is not the one that the key gives" % (seat, item))
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

    def frame(self, signature, words, verb, keys, needs_turn=False, any_game=False):
        key = signature_key(signature, words)
        self.counts["signatures"] += 1
        must(keys is None or key in keys, "the text is signed with a key that was not valid then")
        return self.frame_for(words, verb, needs_turn, any_game)

    def frame_for(self, words, verb, needs_turn, any_game=False):
        frame = frame_of(words)
        must(frame.verb == verb, "the text is #turnpost %s and not %s" % (frame.verb, verb))
        must(frame.fields.get("game") == (None if any_game else self.game), "the text is for another game")
        if verb in ("appeal", "ruling"):
            return frame  # about a turn of before
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
        if "typed" in record:
            return self.typed(record, verb, player, needs_turn)
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

    def typed(self, record, verb, player, needs_turn):
        """The operator typed it in the player's name."""
        must(verb not in ("witness", "excuse"), "nobody has signed what it does")
        must(record.get("by") == "operator" and record.get("for") == player, "it is typed for somebody else")
        must(canonical(text(record, "typed")) == record["typed"], "the typed text is not canonical")
        self.counts["typed"] += 1
        return self.frame_for(record["typed"], verb, needs_turn)

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

    def shape(self, record, kind):
        words = MEMBERS[kind].replace(SIGNED, TYPED) if "typed" in record else MEMBERS[kind]
        only(record, COMMON + " " + words, "the record")

    def text_and_signature(self, payload):
        inside = read_json(payload) if isinstance(payload, str) else payload
        only(inside, "signature text", "a signed text")
        return inside
