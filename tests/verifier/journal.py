"""A game's files, checked record by record from src/journal/README.md: chain, signatures, seals, proofs, and what the
records must say about each other. The rules of the games are not played."""
from boxes import Keys
from members import known
from moderators import *

LOG = b"turnpost/log\0"
# What may stand between a close and its turn, besides `key`: notes by "kind", `moderate` by "do".
BEHIND_CLOSE = [("note", kind) for kind in ("witness", "late", "unwitness", "press", "observe", "lost", "rekey", "veto", "mailbox")] + [("moderate", do) for do in ("ban", "void", "resend")]


def head_of(line):
    return blake(LOG + line)


class Checker(Moderators):
    """Takes the records one after the other; raises Fault at the first with which something is wrong."""

    def take(self, line):
        must(len(line) <= 131072, "the line is too long")
        must(line.endswith(b"\n"), "the journal ends in the middle of it")
        record = read_json(line[:-1])
        game, kind, when = name(record, "game"), text(record, "type"), time(record, "time")
        must(is_int(record.get("seq")) and hex32(record, "prev"), "its number is none")
        method = self.known_as("on_", kind, "records of the type")
        if self.seq == 0:
            must(record.get("type") == "create", 'the first record must be "create"')
            self.game, self.league = game, hex32(record, "league_key")
            must(self.key in (None, self.league), "it names another league's key than the one that was given")
        must(game == self.game, "it belongs to another game")
        must(record["seq"] == self.seq + 1, "its number is not %d" % (self.seq + 1))
        must(hex32(record, "prev") == self.head, "it does not follow the record before it")
        must(self.time is None or when >= self.time, "its time runs backwards")
        for sort, member in (("note", "kind"), ("moderate", "do")):
            if kind == sort:
                self.known_as({"note": "note_", "moderate": "do_"}[kind], text(record, member), "a %s of the kind" % sort)
        if kind == "create" and number(record, "format", 2, 2**62) > 2:
            raise Unknown("this verifier does not know games of format %d" % record["format"])
        known(record)
        self.seq, self.time, self.line = self.seq + 1, when, line
        self.record = record
        self.check_course(kind)
        self.check_lockstep(kind, record)
        method(record)
        self.check_round()
        self.comes(record)
        self.last = record
        self.opened_all = self.opened_all or kind == "open"
        if not self.closed and not self.over:
            self.past[self.seq] = (self.turn, self.state, [seat.human() for seat in self.seats[1:]])
        self.head = head_of(line)
        if kind == "close":
            self.closed, self.close_head, self.close_seq, self.close_time = True, self.head, self.seq, when
        if kind in ("start", "turn") or (kind == "moderate" and record["do"] == "rollback"):
            self.heads, self.made_at = [], {}
        self.heads.append(self.head.hex())
        self.made_at[self.head.hex()] = when
        self.all_heads.append(self.head.hex())

    def known_as(self, what, word, of):
        """What checks it."""
        method = getattr(self, what + word, None) if re.fullmatch("[a-z]+", word) else None
        must(word, "it does not say of what kind it is")
        if not method:
            raise Unknown('this verifier does not know %s "%.20s"' % (of, word))
        return method

    def check_course(self, kind):
        before = self.last.get("type")
        must((before is None) == (kind == "create"), '"create" is the first record and no other')
        if self.opened_all and (kind == "moderate" or (kind == "note" and self.record.get("kind") in ("appeal", "ruling", "lost"))):
            return
        must(before != "open" and not self.opened_all, "nothing comes behind the record that opens the seals")
        must((before == "end") == (kind == "open"), '"open" comes behind "end", and nothing else does')
        must(not self.ended or kind in ("end", "open"), "a turn without a deadline is the last one")
        if self.void:
            must(kind in ("end", "open"), "the game is void")
            return
        if self.closed and self.witnesses:
            about = kind == "key" or (kind, self.record.get("kind")) in BEHIND_CLOSE or (kind, self.record.get("do")) in BEHIND_CLOSE
            must(about or kind in ("start", "turn"), "the turn is closed, and this does not come behind a close")
            must(self.turn or self.record.get("do") != "ban", "the deal is closed: nobody comes or goes")
            must(about or not self.witnesses.waits(self.time), "too few witnesses have answered, or the others have had no day for it")
        elif self.witnesses:
            must(kind not in ("start", "turn"), "the turn was not closed before its witnesses")
        elif before is not None:
            must((before == "close") == (kind == "turn"), '"turn" comes behind "close", and nothing else does')
        must(not self.entered or kind == "seat", "those whom the table names are entered at once")
        if kind == "end":
            must((before in ("start", "turn") and self.deadline is None) or self.unanswered(self.record) or self.cut_short(self.record), '"end" comes right behind the last turn')


# ---- whole files ----------------------------------------------------------------------------------------------


class Verdict:
    """verdict: "proved", "opened" (proved as far as opened), "broken" or "unknown" (a later version wrote it), the last two with
    `record` and `why`."""

    def __init__(self):
        self.verdict, self.record, self.why = "proved", 0, ""
        self.game, self.records, self.head, self.over = "", 0, "0" * 64, False
        self.not_opened, self.counts, self.roots = [], {}, {}

    def broken(self, record, why):
        self.verdict = "broken" if self.verdict == "proved" else self.verdict
        self.record, self.why = record, why
        return self


def walk(out, checker, lines, wanted):
    """Takes the records, those that come next; (record, why) of the first that is wrong, or None."""
    for i, line in enumerate(lines, checker.seq + 1):
        try:
            checker.take(line + b"\n")
        except Unknown as e:
            out.verdict = "unknown"
            return i, str(e)
        except Fault as e:
            return i, str(e)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
            return i, "it is not of its form: %s" % e
        if i == 1:
            checker.first_head = checker.head
        out.game, out.records, out.head, out.over = checker.game, i, checker.head.hex(), checker.over
        if any(head != out.head for head in wanted.get(i, [])):
            return i, "its head is not the one that was mailed: the league has another history"
    return None


def ending(checker, torn, wanted):
    """What is wrong after the last record, or None."""
    behind = checker.seq + 1
    follows = {"close": "turn", "end": "open"}.get(checker.last["type"])
    if checker.witnesses:
        follows = "open" if checker.last["type"] == "end" else "turn" if checker.closed and not checker.witnesses.waits(checker.time) else None
    follows = None if follows == "open" and checker.may_be_shut() else follows
    follows = "seat" if checker.entered else follows
    follows = "end" if (checker.void or checker.ended) and not checker.over else follows
    if torn:
        return behind, "the journal ends in the middle of it"
    if follows:
        return behind, '"%s" must follow and is missing' % follows
    missing = [seq for seq in wanted if seq >= behind]
    if missing:
        return behind, "it is missing: the head of record %d was mailed" % min(missing)
    return None


def seal_key(lines):
    """The key that opens the seals, if the journal holds it and it is the one that was promised."""
    try:
        promised = hex32(read_json(lines[0]), "seal_key")
    except Fault:
        return None
    for line in lines[1:]:
        if b'"type":"open"' not in line:
            continue
        try:
            key = hex32(read_json(line), "seal_key")
        except Fault:
            continue
        if blake(b"turnpost/kseal\0" + key) == promised:
            return key
    return None


def check(journal, key=None, heads=(), keys=None):
    """`journal`: bytes. `key`: the league's, 32 bytes, if it is known. `heads`: (seq, hex) that the journal must have. `keys`: what
    opens its boxes beside what it publishes."""
    out = Verdict()
    lines = journal.split(b"\n")
    torn = lines.pop() != b""
    if not lines:
        return out.broken(1, "there is no record")
    keys = keys or Keys()
    checker = Checker(Keys(seal_key(lines) or keys.seal, keys.press), key)
    checker.keys.only = keys.only
    wanted = {}
    for seq, head in heads:
        wanted.setdefault(seq, []).append(head)
    wrong = walk(out, checker, lines, wanted) or ending(checker, torn, wanted)
    out.roots = checker.roots
    out.counts, out.not_opened = checker.counts, [s for s in checker.closed_boxes if s[2] < 1000]
    if wrong:
        return out.broken(*wrong)
    if out.not_opened:
        out.verdict, out.record = "opened", out.not_opened[0][0]
    return out
