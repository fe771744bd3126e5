"""Every change that a stranger, or who holds a copy, can make to a game's files. Each is a Change: what it is, the
bytes afterwards, and the records (first, last) one of which must be named as the first bad one."""
import json
import random
import re

import journal


class Wanted:
    """How much is wanted: "all" that there is; of "each" member one change of its value, and that it is gone, in all
    records or in so many; or a "few" of everything."""

    def __init__(self, name, size, most=None):
        self.rng, self.size, self.most = random.Random(name), size, {"few": 1, "each": most}.get(size)

    def places(self, count):
        return sorted(self.rng.sample(range(count), min(count, self.most or count)))

    def half(self):
        """Of what is dear."""
        return self.size != "each" or self.rng.random() < 0.5

    def some(self, changes, most=1):
        changes = list(changes)
        return changes if self.size != "few" or len(changes) <= most else self.rng.sample(changes, most)

    def of_value(self, changes):
        return changes if self.size == "all" else [self.rng.choice(changes)]


class Change:
    def __init__(self, kind, what, journal, first, last=None):
        self.kind, self.what, self.journal = kind, what, journal
        self.first, self.last = first, last or first
        self.harmless = None  # why nobody need find it
        self.resigned = False  # chained anew: what the rules alone check is out of the verifier's reach
        self.ends = False  # nothing follows that names its head: the log and mails do
        self.shorter = False  # a part of the game that is whole in itself


def in_place(kind, what, journal, at, count):
    """Something in the record `at`, from 0 on, of so many: what it says is wrong, or the next one does not follow it."""
    change = Change(kind, what, journal, at + 1, at + 2)
    change.ends = at + 1 == count
    return change


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines_of(data):
    return [line + b"\n" for line in data.split(b"\n")[:-1]]


# ---- one value ----------------------------------------------------------------------------------------------


def _other(c):
    """Another character of the same kind."""
    for kind in ("0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        if c in kind:
            return kind[(kind.index(c) + 1) % len(kind)]
    return "x" if c != "x" else "y"


def _flip(text, at):
    return text[:at] + _other(text[at]) + text[at + 1 :]


def _variants(value, rng):
    """(name, another value): of one value, several."""
    if isinstance(value, bool):
        return [("turned", not value), ("a number", int(value))]
    if isinstance(value, int):
        out = [("more", value + 1), ("as a text", str(value)), ("large", value + 2**32)]
        return out + [("less", value - 1)]
    if isinstance(value, str):
        out = [("longer", value + "0"), ("a number", 7)]
        if value:
            out += [("a character", _flip(value, rng.randrange(len(value)))), ("shorter", value[:-1]), ("empty", "")]
        if re.fullmatch(r"\d{4}-.*Z", value):
            out += [("a second later", value[:-2] + _other(value[-2]) + "Z"), ("a day later", value[:9] + _other(value[9]) + value[10:])]
        return out
    if isinstance(value, list):
        out = [("one more", value + [value[-1] if value else 1])]
        if value:
            out += [("one less", value[:-1])]
        if len(value) > 1 and value[0] != value[-1]:
            out += [("turned round", value[::-1])]
        return out
    return [("one member more", dict(value, x=1)), ("a text", "x")]


def paths(value, at=()):
    """All places in a value, itself not counted."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in pairs:
        yield at + (name,), item
        yield from paths(item, at + (name,))


def replaced(value, path, new):
    if not path:
        return new
    out = dict(value) if isinstance(value, dict) else list(value)
    out[path[0]] = replaced(value[path[0]], path[1:], new)
    return out


def without(value, path):
    out = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del out[path[0]]
    else:
        out[path[0]] = without(value[path[0]], path[1:])
    return out


def field_changes(record, wanted):
    """(what, changed record) for every member, however deep."""
    for path, value in list(paths(record)):
        name = ".".join(str(p) for p in path)
        for how, new in wanted.of_value(_variants(value, wanted.rng)):
            yield "%s: %s" % (name, how), replaced(record, path, new)
        if isinstance(path[-1], str):
            yield "%s: gone" % name, without(record, path)
    yield "a member more", dict(record, zz=1)


# ---- the journal ----------------------------------------------------------------------------------------------


def journal_fields(data, wanted):
    lines = lines_of(data)
    for i in wanted.places(len(lines)):
        line = lines[i]
        record = json.loads(line)
        assert compact(record).encode() + b"\n" == line
        for what, changed in wanted.some(field_changes(record, wanted), 8):
            new = compact(changed).encode() + b"\n"
            yield in_place("a member of a record", "%s %s" % (record["type"], what), b"".join(lines[:i] + [new] + lines[i + 1 :]), i, len(lines))
        twice = line[:-2] + b',"seq":%d}\n' % record["seq"]
        yield Change("a member twice", record["type"], b"".join(lines[:i] + [twice] + lines[i + 1 :]), i + 1)


def journal_lines(data, other, wanted):
    lines, rng = lines_of(data), wanted.rng
    strangers = lines_of(other)
    for i in wanted.places(len(lines)):
        line = lines[i]
        before, behind = lines[:i], lines[i + 1 :]
        kind = json.loads(line)["type"]
        whole = b"".join(before + behind)
        gone = Change("a record deleted", kind, whole, i + 1)
        gone.shorter = not behind
        yield gone
        if behind:
            yield Change("two records swapped", kind, b"".join(before + [behind[0], line] + behind[1:]), i + 1)
        yield Change("a record doubled", kind, b"".join(before + [line, line] + behind), i + 2)
        yield Change("another game's record", kind, b"".join(before + [strangers[min(i, len(strangers) - 1)]] + behind), i + 1, 2 if i == 0 else i + 1)
        place = rng.randrange(len(lines))
        if abs(place - i) > 1:
            rest = before + behind
            yield Change("a record moved", kind, b"".join(rest[:place] + [line] + rest[place:]), min(i, place) + 1)
        cut = Change("the journal cut behind a record", kind, b"".join(before + [line]), i + 2)
        cut.shorter = True
        yield cut if behind else Change("an empty line", kind, b"".join(lines) + b"\n", i + 2)
        yield Change("the journal cut in a record", kind, b"".join(before) + line[: rng.randrange(1, len(line))], i + 1)


def bytes_changed(data, wanted):
    rng, count = wanted.rng, 400 if wanted.size != "few" else 2
    for _ in range(count):
        at = rng.randrange(len(data))
        new = bytes([data[at] ^ 1 << rng.randrange(8)])
        number = data.count(b"\n", 0, at) + 1
        yield in_place("a bit of the journal", "", data[:at] + new + data[at + 1 :], number - 1, data.count(b"\n"))


# ---- boxes -----------------------------------------------------------------------------------------------------


def payload_changes(payload, wanted):
    try:
        inside = json.loads(payload)
    except ValueError:
        inside = None
    if not isinstance(inside, dict):
        yield "payload: a character", _flip(payload, wanted.rng.randrange(len(payload)))
        return
    for what, changed in field_changes(inside, wanted):
        yield "payload " + what, compact(changed)


def all_changes(data, other, wanted):
    yield from journal_fields(data, wanted)
    yield from journal_lines(data, other, wanted)
    yield from bytes_changed(data, wanted)
