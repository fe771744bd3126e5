"""What stands in the files, as src/journal/README.md describes it: JSON, names, times, keys, signatures, canonical text,
frames. Everything here either gives the value or raises Fault with the reason."""
import base64
import binascii
import datetime
import functools
import hashlib
import json
import re
import struct
import sys

import curve
import p256


class Fault(Exception):
    """Something is wrong."""


class Unknown(Fault):
    """Something of a later version, which this verifier cannot judge."""


def must(good, why):
    if not good:
        raise Fault(why)


def blake(data, size=32, key=b""):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


def le32(n):
    return struct.pack("<I", n & 0xFFFFFFFF)


# ---- JSON -----------------------------------------------------------------------------------------------------


NESTING = 2048
sys.setrecursionlimit(10 * NESTING)


def _depth(text):
    """How deep what stands in brackets goes; text in quotes is none."""
    deep = most = 0
    for mark in re.findall(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text, re.DOTALL):
        deep += (mark in "[{") - (mark in "]}") if len(mark) == 1 else 0
        most = max(most, deep)
    return most


def _object(pairs):
    out = dict(pairs)
    must(len(out) == len(pairs), "a name stands twice in an object")
    return out


def _no(word):
    raise Fault("a number that is not whole: %s" % word)


def _whole(word):
    must(len(word) <= 20 and -(2**63) <= int(word) < 2**63, "a number that is too large")
    return int(word)


def _texts(value):
    if isinstance(value, str):
        must("\0" not in value and not re.search("[\ud800-\udfff]", value), "a text with a character that is none")
    elif isinstance(value, list):
        for item in value:
            _texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            _texts(name)
            _texts(item)


@functools.lru_cache(65536)
def read_json(data):
    """The object in these bytes or text. It is remembered: nobody may change it."""
    try:
        text = data.decode() if isinstance(data, bytes) else data
        must(text.count("[") + text.count("{") <= NESTING or _depth(text) <= NESTING, "it nests too deep")
        value = json.loads(text, object_pairs_hook=_object, parse_float=_no, parse_constant=_no, parse_int=_whole)
    except (ValueError, RecursionError) as e:
        raise Fault("not JSON: %s" % e) from None
    _texts(value)
    must(isinstance(value, dict), "not an object")
    return value


ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def canonical_json(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + re.sub(r'["\\\x00-\x1f]', lambda m: ESCAPES.get(m[0]) or "\\u%04X" % ord(m[0]), value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    names = sorted(value, key=lambda name: name.encode())
    return "{" + ",".join(canonical_json(n) + ":" + canonical_json(value[n]) for n in names) + "}"


def json_digest(value):
    return blake(canonical_json(value).encode())


# ---- members --------------------------------------------------------------------------------------------------


def is_int(value):
    return type(value) is int


def number(record, name, least, most, why=None):
    value = record.get(name)
    must(is_int(value) and least <= value <= most, why or '"%s" must be a number from %d to %d' % (name, least, most))
    return value


def text(record, name):
    value = record.get(name)
    must(isinstance(value, str), '"%s" must be a text' % name)
    return value


def hex_bytes(value, size, what):
    must(isinstance(value, str) and re.fullmatch("[0-9a-f]{%d}" % (2 * size), value), "%s must be %d hex digits" % (what, 2 * size))
    return bytes.fromhex(value)


def hex32(record, name):
    return hex_bytes(record.get(name), 32, '"%s"' % name)


def name_good(value):
    return isinstance(value, str) and re.fullmatch("[a-z0-9][a-z0-9._-]{0,31}", value) and ".." not in value


def name(record, member):
    value = record.get(member)
    must(name_good(value), '"%s" must be a name' % member)
    return value


@functools.lru_cache(65536)
def _seconds(value):
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value, re.ASCII):
        return None
    try:
        when = datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None
    return int(when.replace(tzinfo=datetime.timezone.utc).timestamp())


def time(record, member):
    value = record.get(member)
    seconds = _seconds(value) if isinstance(value, str) else None
    must(seconds is not None and seconds > 0, '"%s" must be a time' % member)
    return seconds


def day(record, member):
    value = record.get(member)
    try:
        must(isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII), '"%s" must be a day' % member)
        return datetime.date.fromisoformat(value).toordinal()
    except ValueError:
        raise Fault('"%s" must be a day' % member) from None


# ---- keys and signatures ----------------------------------------------------------------------------------------


def wire(data):
    return struct.pack(">I", len(data)) + data


def _unwire(data, at):
    must(at + 4 <= len(data), "a key is cut")
    size = struct.unpack_from(">I", data, at)[0]
    must(at + 4 + size <= len(data), "a key is cut")
    return data[at + 4 : at + 4 + size], at + 4 + size


def base64_bytes(value, what):
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise Fault("%s is not base64" % what) from None
    must(base64.b64encode(data).decode() == value, "%s is not base64" % what)
    return data


SSH, SK = "ssh-ed25519", "sk-ssh-ed25519@openssh.com"
EC, SK_EC = "ecdsa-sha2-nistp256", "sk-ecdsa-sha2-nistp256@openssh.com"
PASSKEY, VERIFIED = SK_EC + " webauthn", SK_EC + " webauthn-verified"
ON_P256 = (EC, SK_EC, PASSKEY, VERIFIED)
TOKENS = (SK, SK_EC, PASSKEY, VERIFIED)
PASSKEYS = (PASSKEY, VERIFIED)
OPENSSH = (SSH, SK) + ON_P256


def key_of(line):
    """(kind, point, number, application), as the line of a key has them. The kind is the word, with that after the base64."""
    must(isinstance(line, str) and line.count(" ") in (1, 2), "a key is a word and base64")
    return _key(line)


def _sec1(point):
    """x ‖ y"""
    must(len(point) == 65 and point[0] == 4, "a point that is not written in whole")
    must(p256.on_curve(int.from_bytes(point[1:33], "big"), int.from_bytes(point[33:], "big")), "a point that is not on the curve")
    return point[1:]


def is_host(name):
    return re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", name) and ".." not in name


@functools.lru_cache(4096)
def _key(line):
    first, coded, *form = line.split(" ")
    kind = " ".join([first, *form])
    data = base64_bytes(coded, "a key")
    number, application = b"", b""
    if kind in OPENSSH:
        word, at = _unwire(data, 0)
        if kind in ON_P256:
            name, at = _unwire(data, at)
            must(name == b"nistp256", "a key of another curve")
        point, at = _unwire(data, at)
        if kind in TOKENS:
            application, at = _unwire(data, at)
            must(0 < len(application) < 64 and re.fullmatch(rb"[!-~]+", application), "a key without its application")
        must(word.decode("latin-1") == first and at == len(data), "a key of another kind than its line says")
        must(kind not in PASSKEYS or is_host(application.decode()), "a passkey that is for no page")
    elif kind in ("minisign", "signify"):
        must(len(data) == 42 and data[:2] == b"Ed", "a damaged %s key" % kind)
        number, point = data[2:10], data[10:]
    else:
        raise Fault("a key of an unknown kind")
    if kind in ON_P256:
        point = _sec1(point)
    else:
        must(curve.ed25519_of_player(point), "a key that is no safe point of the curve")
    return kind, point, number, application


def key_names(key):
    """By what a text may name it, besides its line: what ssh-keygen, minisign and signify print of it."""
    kind, point, number, application = key
    if kind in ("minisign", "signify"):
        return {"%s:%X" % (kind, int.from_bytes(number, "little"))}
    word = kind.split(" ")[0].encode()
    if kind in ON_P256:
        blob = wire(word) + wire(b"nistp256") + wire(b"\4" + point)
    else:
        blob = wire(word) + wire(point)
    if kind in TOKENS:
        blob += wire(application)
    shown = "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return {shown, shown + " verified"} if kind == VERIFIED else {shown}


def commented(value):
    """The key of a line behind which a comment may be."""
    words = value.split(" ")
    form = [word for word in words[2:3] if words[0] == SK_EC and word in ("webauthn", "webauthn-verified")]
    return key_of(" ".join(words[:2] + form))


def is_named(key, value):
    """Is it the key that a line `add:` or `revoke:` means?"""
    try:
        return commented(value) == key
    except Fault:
        return value in key_names(key)


def is_added(key, value):
    """The same of a line `add:`, in which a number means no key: who makes one chooses it."""
    return is_named(key, value) and not (key[0] in ("minisign", "signify") and value in key_names(key))


def key_list(record):
    value = record.get("keys")
    must(isinstance(value, list) and len(value) <= 4, '"keys" must be a list of at most four keys')
    return [key_of(line) for line in value]


def keys_named(words):
    """Of the lines `key:` of a text."""
    return [commented(value) for value in frame_of(words).named("key")]


def keys_of_text(record):
    """Those of a seat by the text of its player: the key that signed it, and those that it names."""
    if "signed" not in record:
        return []
    keys = list(dict.fromkeys([key_of(record["signed"]["signature"].get("key"))] + keys_named(record["signed"]["text"])))
    must(len(keys) <= 4, "a seat has at most four keys")
    return keys


def ssh_signed(namespace, how, data):
    return b"SSHSIG" + wire(namespace.encode()) + wire(b"") + wire(how.encode()) + wire(hashlib.new(how, data).digest())


CLIENT_TEXT = r'"[ !#-\[\]-~]*"'
CLIENT_DATA = re.compile(
    r'\{"type":(T),"challenge":(T),"origin":(T)((?:,T:(?:T|true|false|null|0|[1-9][0-9]{0,14}))*)\}'.replace("T", CLIENT_TEXT), re.ASCII
)


def client_data(words, challenge, host):
    """What a browser says about the passkey's signature, checked; as bytes."""
    found = CLIENT_DATA.fullmatch(words)
    must(found and len(words) <= 1024, "client data of another form")
    pairs = read_json(words)  # refuses a name that stands twice
    must(len(pairs) <= 8 and "" not in pairs, "client data of another form")
    must(pairs["type"] == "webauthn.get", "client data of another type")
    must(pairs["challenge"] == base64.urlsafe_b64encode(challenge).decode().rstrip("="), "a passkey's signature of something else")
    must(pairs["origin"] == "https://" + host, "a passkey's signature for another page")
    must(pairs.get("crossOrigin", False) is False and "topOrigin" not in pairs, "a passkey's signature inside another page")
    return words.encode()


def signature_key(signature, words):
    """Verifies the signature of a text, and gives the key that made it."""
    must(isinstance(signature, dict) and isinstance(words, str), "a text without a signature")
    key = key_of(signature.get("key"))
    kind, point, _, application = key
    sig = base64_bytes(signature.get("sig"), "a signature")
    data = words.encode()
    least = {"key", "sig", "prehashed"} if kind in ("minisign", "signify") else {"key", "sig", "hash", "namespace"}
    more = {"flags", "counter"} if kind in TOKENS else set()
    more |= {"client_data"} if kind in PASSKEYS else set()
    must(signature.keys() == least | more, "a signature with other members than its kind has")
    if kind in OPENSSH:
        must(signature.get("hash") in ("sha512", "sha256"), "an unknown hash in a signature")
        must(signature.get("namespace") == "orders@turnpost", "a signature for another namespace")
        signed = ssh_signed("orders@turnpost", signature["hash"], data)
        if kind in TOKENS:
            flags, counter = number(signature, "flags", 0, 255), number(signature, "counter", 0, 2**32 - 1)
            must(flags & 1, "the token was not touched")
            if kind in PASSKEYS:
                must(not flags & 0xC0, "a passkey's signature with data that belongs to none")
                must(kind == PASSKEY or flags & 4, "a passkey's signature that was not verified")
                signed = client_data(text(signature, "client_data"), signed, application.decode())
            signed = hashlib.sha256(application).digest() + bytes([flags]) + struct.pack(">I", counter) + hashlib.sha256(signed).digest()
    else:
        must(signature.get("prehashed") is (kind == "minisign"), "a signature of another kind than its key")
        signed = blake(data, 64) if kind == "minisign" else data
    verify = p256.verify if kind in ON_P256 else curve.ed25519_verify
    must(verify(point, sig, signed), "the signature is not that of the text")
    return key


# ---- canonical text, frames ---------------------------------------------------------------------------------------

DROPPED = {0x0D, 0xFEFF, 0x200B}
BLANKS = {0x20, 0x09, 0xA0, 0x2007, 0x202F}
GLYPHS = {c: "" for c in DROPPED}
GLYPHS.update({c: " " for c in BLANKS})
GLYPHS.update({c: "'" for c in [*range(0x2018, 0x201C), 0x2032, 0x2039, 0x203A]})
GLYPHS.update({c: '"' for c in [*range(0x201C, 0x2020), 0x2033, 0xAB, 0xBB]})
GLYPHS.update({c: "-" for c in [*range(0x2010, 0x2016), 0x2212]})


def canonical(data):
    """Of bytes or text."""
    must(isinstance(data, (bytes, str)), "the text is none")
    if isinstance(data, bytes):
        out = []
        while data:
            try:
                out.append(data.decode())
                break
            except UnicodeDecodeError as e:
                out.append(data[: e.start].decode() + "\ufffd")
                data = data[e.start + 1 :]
        data = "".join(out)
    lines = []
    for line in data.translate(GLYPHS).split("\n"):
        line = re.sub(" +", " ", line.lstrip(" >").rstrip(" "))
        if line:
            lines.append(line + "\n")
    return "".join(lines)


OURS = ("game", "turn", "head", "seq", "nonce", "wait", "final", "json")
ORDERS_ONLY = ("wait", "final", "json")
BEGINS_BODY = "say status standing help rules resign cancel try auto when always if repeat pass".split()  # with a colon behind it, too


def small(value):
    """In small letters, of A to Z alone."""
    return value.translate({c: c + 32 for c in range(65, 91)})


class Frame:
    def __init__(self, verb, fields, others, body):
        self.verb, self.fields, self.others, self.body = verb, fields, others, body

    def final(self):
        """Does it say so, and not `wait: yes` after that?"""
        last = [member for member in self.fields if member == "final" or (member == "wait" and self.fields["wait"] == "yes")][-1:]
        return last == ["final"] and self.fields["final"] == "yes"

    def spread(self):
        """Language 3: with the fields that are among the lines of orders."""
        fields, body = dict(self.fields), []
        for line in self.body:
            found = re.match(r"([A-Za-z]+) ?: ?(.*)", line)
            member = small(found[1]) if found else ""
            if member not in ORDERS_ONLY:
                body.append(line)
                continue
            must(member not in fields, 'the field "%s:" is given twice' % member)
            must(small(found[2]) in ("yes", "no"), 'the field "%s:" takes yes or no' % member)
            fields[member] = small(found[2])
        return Frame(self.verb, fields, self.others, body)

    def line(self, member):
        """The value of a line "member: value" of the body or among the fields that are not ours; None = there is none."""
        return self.named(member)[0] if member in self.others else None

    def named(self, member):
        """The values of all such lines."""
        return self.others.get(member, [])


def _is_league(value):
    return re.fullmatch(r"SHA256:[!-~]{1,56}", value) is not None


def _field(line, after, orders, fields, others):
    """How many lines it takes; 0 when the line ends the head. `after`: the next one, which may hold the value."""
    found = re.match(r"([A-Za-z]+) ?: ?(.*)", line)
    if not found:
        return 0
    member, value, taken = found[1].lower(), found[2], 1
    wide = member == "head" or (member == "league" and not orders and _is_league(after))
    if wide and not value and after and not after.startswith("#"):
        value, taken = after, 2
    if member == "league" and not orders and _is_league(value):
        must("league" not in fields, 'the field "league:" is given twice')
        fields["league"] = value
        return taken
    if member not in OURS or (member in ORDERS_ONLY and not orders):
        others.setdefault(member, []).append(value)
        must(not orders or line[len(member)] != ":" or member in BEGINS_BODY, 'there is no field "%.20s:"' % member)
        return 0 if orders else 1
    must(member not in fields, 'the field "%s:" is given twice' % member)
    if member in ("turn", "seq"):
        must(re.fullmatch("[0-9]{1,6}", value), 'the field "%s:" has no number' % member)
        value = int(value)
        must(value <= 9999 if member == "turn" else value > 0, 'the field "%s:" is out of range' % member)
    elif member == "head":
        must(re.fullmatch("[0-9A-Fa-f]{8,64}", value), 'the field "head:" is no head')
    elif member == "game":
        must(name_good(small(value)), 'the field "game:" is no name')
    elif member == "nonce":
        must(re.fullmatch("[ -~]{1,64}", value), 'the field "nonce:" takes 1 to 64 plain characters')
    elif member in ORDERS_ONLY:
        must(small(value) in ("yes", "no"), 'the field "%s:" takes yes or no' % member)
    fields[member] = value if is_int(value) else small(value)
    return taken


@functools.lru_cache(65536)
def frame_of(words):
    """The frame of a text as it was signed."""
    lines = canonical(words).split("\n")[:-1]
    must(len(lines) <= 400 and len(canonical(words).encode()) <= 65536, "the text is too long")
    first = re.fullmatch(r"#turnpost ([A-Za-z-]{1,16})", lines[0] if lines else "", re.IGNORECASE | re.ASCII)
    must(first, 'the text does not begin with "#turnpost"')
    ends = [i for i, line in enumerate(lines) if small(line) == "#end"]
    must(ends and ends[0] == len(lines) - 1, 'the text does not end with "#end"')
    must(not any(small(line).startswith("#turnpost") for line in lines[1:]), "a second #turnpost line")
    fields, others, verb, at = {}, {}, first[1].lower(), 1
    while at < ends[0]:
        after = lines[at + 1] if at + 1 < ends[0] else ""
        taken = 1 if lines[at].startswith("#") else _field(lines[at], after, verb == "orders", fields, others)
        if not taken:
            break
        at += taken
    return Frame(verb, fields, others, lines[at : ends[0]])
