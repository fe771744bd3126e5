"""What the records are checked against: who sits where with which keys, seals, signed texts."""
import calendar
import email.policy
import email.utils
import re

import curve
from forms import *
from members import COMMON, MEMBERS, SAID, SIGNED, only, take_ruleset
from quorum import Close, Quorum


GAMES_WITH_SHIPS = ("galactic-contract", "galaxy-farmer")  # whose players may wish for one


def made_of(signature, words):
    """What binds the league to the text that it has made of a mail."""
    return blake(b"turnpost/made\0" + domain_bytes(signature) + words.encode())


def mark_of(create, seat, sig, words):
    """`create`: the head of that record; `sig`: 64 bytes."""
    return blake(b"turnpost/mark\0" + create + le32(seat) + sig + words.encode())


def domain_bytes(signature):
    """What stands for a key's signature in a mark where a mail domain has signed."""
    only(signature, "content dkim", "a domain's signature")
    sig = base64_bytes(signature["dkim"], "a domain's signature")
    must(len(sig) > 0, "a domain's signature without bytes")
    return blake(b"turnpost/dkim\0" + hex32(signature, "content") + sig, 64)


def plain(payload):
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise Fault("what is in a box is no text") from None


def fingerprint(point):
    """Of the league's key, as texts name it."""
    blob = wire(b"ssh-ed25519") + wire(point)
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def seat_number(value):
    """Of "2", "P2", "02"; 0 = none."""
    found = re.fullmatch("[Pp]?0*([1-8])", value or "")
    return int(found[1]) if found else 0


def number_in(value):
    return int(value) if value and re.fullmatch("[0-9]{1,9}", value) else -1


class Seat:
    def __init__(self):
        self.player, self.robot, self.keys = None, False, []
        self.join = bytes(32)  # seal of the text by which its player came
        self.drawn = False  # a place to wait in: which seat it is, `start` draws
        self.orders = {}  # seal: (turn, record)
        self.waits = set()  # of these, the seals of those that wait for better ones
        self.question = False  # an answer of its player was not understood, and the question is open
        self.set = set()  # the same of orders that a moderator set
        self.since = [(0, 0)]  # (record, since): from that record on, orders count that were made after `since`
        self.offer, self.asked, self.more = None, set(), False  # (to, until); all that were asked to stand in; the offer was made longer
        self.vote = 0  # seconds
        self.texts = set()  # (turn, player, canonical text)
        self.owner = None  # who may take it back
        self.owner_keys = []  # with one of these
        self.took_back = set()
        self.rekey = None  # (record, time, key) that was asked for in place of lost ones
        self.keys_day = -1  # on which its player sat down
        self.key_text_day, self.keys_gone = 0, set()  # of the last text that changed the keys; those that texts of that day took away

    def withdraw(self, seq):
        self.since.append((seq, seq))
        self.question = False

    def go_back(self, seq, back, same):
        """By a rollback, the record `seq`. `same`: the player of then is the player of now."""
        self.since.append((seq, [since for at, since in self.since if at <= back][-1] if same else seq))
        self.question = False

    def no_offer(self):
        """Nobody has been asked to stand in."""
        self.offer, self.asked = None, set()

    def human(self):
        return None if self.robot else self.player


class Table:
    def __init__(self, keys, key=None):
        self.keys = keys  # of boxes
        self.key = key
        self.line = b""
        self.kept, self.entered = {}, []  # seat: for whom; (seat, player, robot) still to be entered
        self.answer_by = None
        self.competition = None  # whose game it is
        self.root_of_draws = None  # in a competition: the nonce that it gave, in place of the head of `create`
        self.round_ends = None  # in a competition: when the game does, if it has not ended before
        self.deal, self.rollbacks = bytes(32), 0  # what goes into alpha beside the marks
        self.seq, self.head, self.time = 0, bytes(32), None
        self.last = {}
        self.turn, self.over, self.opened_all = 0, False, False
        self.witnesses, self.closed = Quorum(), False
        self.late, self.without = False, set()  # of the closed turn: all were told that witnesses are missing; seats that want to go on
        self.deadline, self.held, self.was_held, self.extended, self.reminded = None, False, False, False, set()
        self.closed_boxes = []  # (seq, seat, item) of those to which there is no key
        self.marks = set()
        self.appeals = {}  # record: the turn it is about
        self.ended = False  # a turn opened without a deadline, and the schedule gives one
        self.paused, self.void = False, False
        self.opened_at, self.gone_back = 0, []  # when the open turn was opened; (record, to which) of the rollbacks
        self.order_marks = set()  # of all `orders`
        self.until, self.wanted, self.came = None, (), False  # of the valve's hold: its end, whom it waits for, somebody of them came
        self.past = {}  # seq: (open turn, digest of the state, player of each seat or None), of records that a game can go back to
        self.state = None
        self.roots = {}  # R by turn
        self.heads = []  # of this turn
        self.made_at = {}  # head: the time of its record
        self.all_heads = []
        self.waiting, self.observers, self.standby = [], [], []
        self.away = []  # of Vacation
        self.counts = {"signatures": 0, "proofs": 0, "boxes": 0, "keys": 0, "mailboxes": 0, "interventions": 0, "deadlines": 0, "missed": 0, "strangers": 0, "acts": 0, "vouched": 0, "lost": 0}
        self.doubt, self.paused_from = False, 0  # misses of the open turn are the operator's word

    # ---- boxes ----

    def marked(self, record):
        """The payload of orders, whose seal is a mark, or None."""
        seal, seat = hex32(record, "seal"), record["seat"]
        found = self.keys.opened(record["box"], hex32(record, "made") if "made" in record else seal, self.game, self.seq, seat, 0)
        if found is None:
            return self.shut(seat, 0)
        inside = self.text_and_signature(plain(found[0]))
        must(isinstance(inside["signature"], dict) and isinstance(inside["text"], str), "a text without a signature")
        by_mail = "dkim" in inside["signature"]
        sig = domain_bytes(inside["signature"]) if by_mail else base64_bytes(inside["signature"].get("sig"), "a signature")
        must(len(sig) == 64 and mark_of(self.first_head, seat, sig, "" if by_mail else inside["text"]) == seal, "its box does not hold the text of its mark")
        self.counts["boxes"] += 1
        return inside

    def payload(self, record, seat, item, seal="seal"):
        """What a salted seal covers, or None: there is no key to its box."""
        payload = self.keys.payload(record["box"], hex32(record, seal), self.game, self.seq, seat, item)
        if payload is None:
            return self.shut(seat, item)
        self.counts["boxes"] += 1
        return payload if item == 1001 else plain(payload)

    def shut(self, seat, item):
        self.closed_boxes.append((self.seq, seat, item))

    # ---- signed texts ----

    def frame(self, signature, words, verb, keys, needs_turn=False, any_game=False):
        key = signature_key(signature, words)
        self.counts["signatures"] += 1
        must(keys is None or key in keys, "the text is signed with a key that was not valid then")
        return self.frame_for(words, verb, needs_turn, any_game, not any_game)

    def frame_for(self, words, verb, needs_turn, any_game=False, needs_head=False):
        frame = frame_of(words)
        if verb == "orders":
            frame = frame.spread()
        must(frame.verb == verb or (verb, frame.verb) == ("enter", "confirm"), "the text is #turnpost %s and not %s" % (frame.verb, verb))
        must(verb != "enter" or small(frame.line("competition") or "") == self.competition, "the text is about another competition")
        if verb in ("key", "enter"):  # it counts in all games of its player, or of the competition
            must(frame.fields.get("game", "any") == "any", "the text is for one game")
            must(frame.fields.get("league") == fingerprint(self.league), "the text is not for this league")
            return frame
        if any_game:
            must(frame.fields.get("game", "any") == "any", "the text is for one game")
            return frame
        must(frame.fields.get("game") == self.game, "the text is for another game")
        before = verb in ("appeal", "ruling")  # about a turn of before
        turn, head = frame.fields.get("turn"), frame.fields.get("head", "")
        must(before or turn is not None or not needs_turn, "the text names no turn")
        must(before or turn is None or turn == self.turn, "the text is for another turn")
        must(len(head) == 64 or not needs_head, "the text does not name a whole head")
        heads = self.all_heads if before else self.heads
        if verb == "join":
            heads = [self.first_head.hex()]
        must(any(known.startswith(head) for known in heads), "the text answers a head that is none of those that it may answer")
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
        if "said" in record:
            return self.said(record, verb, player, keys, needs_turn)
        signed = record.get("signed")
        self.signed_text(signed)
        seat = self.seat_of(player)
        if verb in ("join", "take", "enter"):
            keys = None  # whatever key has signed it counts from then on
        else:
            self.counts["strangers"] += seat is None and verb != "back"
            keys = seat.keys if keys is None and seat else keys
        self.mark(record)
        frame = self.frame(signed.get("signature"), signed.get("text"), verb, keys, needs_turn)
        self.check_mark(record, player, signed["text"])
        return frame

    def said(self, record, verb, player, keys, needs_turn):
        """No key has signed it: the player's mail domain vouches for it."""
        must(verb in ("enter", "join", "leave", "resign", "take", "back", "observe", "unobserve", "standby", "extend", "unwitness"), "such a text needs a key")
        seat = self.seat_of(player)
        self.vouched(record["vouched"], keys if keys is not None else seat.keys if seat else [], 0)
        self.mark(record)
        words = text(record, "said")
        must(canonical(words) == words, "a text made of a mail is not in canonical form")
        self.check_mark(record, player, words)
        return self.frame_for(words, verb, needs_turn, needs_head=True)

    def vouched(self, how, keys, seat, answered=None):
        """A mail domain's word for what no key has signed; the mail itself is sealed for ever. `answered`: of orders, the
        head that their text names."""
        must(self.by_mail and not keys, "a mail domain vouches where that does not count")
        must(isinstance(how, dict), '"vouched" must be an object')
        only(how, "arrived cutter domain evidence key learned selector sent box?", '"vouched"')
        number(how, "cutter", 1, 2**31 - 1)
        for member, letters in (("domain", "a-z0-9"), ("selector", "a-z0-9_")):
            label = "[%s]([%s-]{0,61}[%s])?" % (letters, letters, letters)
            host = text(how, member)
            must(len(host) <= 253 and re.fullmatch(r"%s(\.%s)*" % (label, label), host), '"vouched" names no domain')
        must(text(how, "learned") in ("league", "dnssec"), '"vouched" does not say how its key was learned')
        time(how, "sent")
        arrived = time(how, "arrived")
        must(arrived <= self.time, "the mail came after the record that is made of it")
        must(answered is None or arrived >= self.made_at[answered], "the mail came before the record that it answers")
        key = hex32(how, "key")
        hex32(how, "evidence")
        payload = self.payload(how, seat, 1001, "evidence") if "box" in how else None
        self.counts["vouched"] += 1
        if payload is None:
            return
        first, _, raw = payload.partition(b"\n")
        inside = read_json(first)
        only(inside, "record", "the mail that vouches")
        tags = dict(tag.strip().split("=", 1) for tag in text(inside, "record").split(";") if "=" in tag)
        try:
            published = base64.b64decode("".join(tags.get("p", "").split()))
        except ValueError:
            raise Fault("the domain's key is not base64") from None
        must(hashlib.sha256(published).digest() == key, "the mail comes with another key than the record names")
        self.mailed(raw, how, answered[:16] if answered else "")

    def mailed(self, raw, how, digits):
        """Of whom, when, and in answer to which record: that the domain has signed it is for tools that know DKIM."""
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        try:
            date = email.utils.parsedate_tz(str(mail["Date"]))
            sent = calendar.timegm((*date[:6], 0, 0, 0)) - (date[9] or 0)
            words = [str(mail["Subject"])] + [(part.get_payload(decode=True) or b"").decode("latin-1") for part in mail.walk() if not part.is_multipart()]
        except (ValueError, TypeError, LookupError):
            raise Fault("the mail that vouches cannot be read") from None
        must(sent == time(how, "sent"), "the mail was not sent at the time that the record names")
        must(email.utils.parseaddr(str(mail["From"]))[1].lower().endswith("@" + how["domain"]), "the mail is of another domain")
        must(any(digits in part for part in words), "the mail does not name the record that its text does")

    def made_text(self, signature, words, verb, needs_turn):
        """A text that was made of a mail, with the domain's signature."""
        must(canonical(words) == words, "a text made of a mail is not in canonical form")
        must("dkim" in signature, "a mail domain vouches for a text that a key has signed")
        return self.frame_for(words, verb, needs_turn, needs_head=True)

    def join_text(self, record, seat):
        """The text by which a player joins (`seat` 0: waits); its mark, and the keys that count by it."""
        player, mark = name(record, "player"), hex32(record, "mark")
        must(text(record, "wish") if "wish" in record else True, '"wish" is empty')
        must(("signature" in record) == ("said" in record), '"said" and "signature" go together')
        frame = self.petition(record, "join", player, [])
        if "said" in record:
            must(isinstance(record["signature"], dict), "a domain's signature must be an object")
            must(mark == mark_of(self.first_head, 0, domain_bytes(record["signature"]), ""), '"mark" is not that of its text')
        else:
            signed = record["signed"]
            must(mark == mark_of(self.first_head, 0, base64_bytes(signed["signature"]["sig"], "a signature"), signed["text"]), '"mark" is not that of its text')
        self.check_named(record, seat, frame.line("seat"))
        self.check_wish(record, frame)
        return mark, keys_of_text(record)

    def check_wish(self, record, frame):
        """What a join text wishes for is in its record, too."""
        value = frame.line("ship") if self.ruleset in GAMES_WITH_SHIPS else None
        names = [word.strip() for word in (value or "").split(",")]
        if names[-1] == "":
            names.pop()
        if [word.lower() for word in names] == ["any"]:
            names = []
        must(", ".join(names).lower() == record.get("wish", "").lower(), '"wish" is not what the text wishes for')

    def check_named(self, record, seat, named):
        """The line `seat:` of a join text, or None."""
        must(named is None or seat, "the text names a seat, and waits for any")
        must(named is None or seat_number(named) == seat, "the text asks for another seat")
        must(not seat or seat in self.kept or (named is None) == ("drawn" in record), "the text names a seat that is drawn, or names none")

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
        words = MEMBERS[kind]
        other = SAID if "said" in record else SIGNED
        words = words.replace(SIGNED, other)
        only(record, COMMON + " " + words, "the record")
        if "request" in record:
            hex32(record, "request")

    def text_and_signature(self, payload):
        """Of a payload of item 0."""
        inside = read_json(payload)
        only(inside, "signature text", "a signed text")
        self.check_canonical(payload, inside)
        return inside

    def check_canonical(self, payload, inside):
        must(canonical_json(inside) == payload, "what is sealed is not canonical JSON")

    def signed_text(self, signed):
        """The object `signed` of the record."""
        must(isinstance(signed, dict), '"signed" must be an object')
        only(signed, "signature text", "a signed text")
        raw = re.escape(canonical_json(signed).encode())
        must(re.search(rb'"signed"[ \t\r\n]*:[ \t\r\n]*' + raw, self.line), '"signed" is not canonical JSON')
