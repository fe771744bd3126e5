#!/usr/bin/python3
"""trust/dkim against python3-dkim: thousands of mails, signed in every form, then folded, re-coded and damaged at
random. What we believe, it believes; what it believes and we refuse is refused by a rule that is named here, and the
rule is looked for in the mail once more.

    tests/dkim/differential.py JUDGE MAILS [SEED]     exit 1 and the mail for each disagreement"""
import base64
import collections
import hashlib
import random
import re
import subprocess
import sys
import time

import dkim

from signing import Key, canonical_body, signature, split, with_signature

DOMAIN = b"example.org"
OVERSIGNED = [b"from", b"subject", b"date", b"to", b"reply-to", b"content-type", b"content-transfer-encoding"]
SINGLE = [b"subject", b"date", b"to", b"reply-to", b"content-type", b"content-transfer-encoding"]
NOW = int(time.time())


def record(dice, key):
    """What the key's domain publishes."""
    before = dice.choice([b"v=DKIM1; ", b"", b"v=DKIM1 ;"])
    kind = b"" if key.kind == b"rsa" and dice.random() < 0.3 else b"k=" + key.kind + b"; "
    more = dice.choice([b""] * 8 + [b"t=s; ", b"t=y; ", b"s=email; ", b"s=*; ", b"n=some words; ", b"h=sha256; ", b"h=sha1; ", b"h=sha1:sha256; "])
    return before + kind + more + b"p=" + key.p + dice.choice([b"", b";", b" "])


# ---- mails ----

WORDS = b"explore near or bide build if fuel > 3 say all hello  there\ttabs  swap metal #end".split(b" ")


def fold(dice, value):
    """Other line ends between the same words."""
    return re.sub(rb" ", lambda m: dice.choice([b" "] * 6 + [b"\r\n ", b"\r\n\t", b"  ", b"\r\n  ", b"\t"]), value)


def words(dice, count):
    return b" ".join(dice.choice(WORDS) for _ in range(count))


def make_fields(dice):
    name = dice.choice([b"Anna <anna@example.org>", b"anna@example.org", b'"A, B" <anna@example.org>', b"anna@Example.ORG (x)",
                        b"=?utf-8?Q?M=C3=BCller?= <anna@example.org>", b"Anna\r\n <anna@example.org>"])
    fields = [(b"From", name), (b"Date", b"Mon, 23 Nov 2026 10:00:00 +0000"), (b"Subject", b"Re: gc-1 " + words(dice, dice.randint(0, 12)))]
    for chance, field in ((0.95, (b"To", b"orders+abc@game.test")), (0.8, (b"Message-ID", b"<%d@example.org>" % dice.getrandbits(40))),
                          (0.7, (b"MIME-Version", b"1.0")), (0.7, (b"Content-Type", b"text/plain; charset=utf-8; format=flowed")),
                          (0.4, (b"Content-Transfer-Encoding", b"quoted-printable")), (0.2, (b"Reply-To", b"anna@example.org")),
                          (0.1, (b"Sender", b"anna@example.org")), (0.05, (b"Sender", b"robot@example.org")), (0.3, (b"X-Odd", b"")),
                          (0.3, (b"Received", b"from a by b; now")), (0.3, (b"Received", b"from b by c; then"))):
        if dice.random() < chance:
            fields.append(field)
    dice.shuffle(fields)
    out = []
    for name, value in fields:
        if dice.random() < 0.3:
            name = dice.choice([name.lower(), name.upper()])
        out.append(name + b":" + dice.choice([b" "] * 8 + [b"", b"  ", b"\t"]) + fold(dice, value) + dice.choice([b""] * 8 + [b" ", b"\t "]) + b"\r\n")
    return b"".join(out)


def make_body(dice):
    lines = [words(dice, dice.randint(0, 9)) + dice.choice([b""] * 5 + [b" ", b" \t", "ä".encode(), b"\xe4"]) for _ in range(dice.randint(0, 12))]
    return b"\r\n".join(lines) + b"\r\n" * dice.choice([0, 1, 1, 1, 1, 2, 4])


# ---- signing, as freely as RFC 6376 allows ----

def sign(dice, mail, key):
    """The field DKIM-Signature."""
    fields, body = split(mail)
    there = [n.lower() for n, _ in fields]
    names = [n for n in set(there) if n in (b"from", b"date", b"subject") or dice.random() < 0.6]
    if dice.random() < 0.05:
        names = [n for n in names if n == b"from" or dice.random() < 0.5]
    names += [n for n in OVERSIGNED if dice.random() < (0.9 if dice.random() < 0.5 else 0)]
    dice.shuffle(names)
    way = dice.choice([(b"relaxed", b"relaxed"), (b"relaxed", b"simple"), (b"simple", b"simple"), (b"simple", b"relaxed")])
    canon = canonical_body(way, body)
    tags = [(b"v", b"1"), (b"a", key.kind + b"-sha256"), (b"c", b"/".join(way)), (b"d", dice.choice([DOMAIN] * 20 + [b"Example.Org", b"example.com"])),
            (b"s", b"mail"), (b"bh", base64.b64encode(hashlib.sha256(canon).digest())),
            (b"h", dice.choice([b":", b" : ", b":\r\n "]).join(dice.choice([n, n.title()]) for n in names))]
    if way[1] == b"simple" and dice.random() < 0.1:
        tags[2] = (b"c", way[0])
    if way == (b"simple", b"simple") and dice.random() < 0.3:
        del tags[2]
    domain = dict(tags)[b"d"]
    for chance, tag in ((0.2, (b"i", b"@" + domain)), (0.05, (b"i", b"a@mail." + domain)), (0.02, (b"i", b"@org")), (0.4, (b"t", b"%d" % (NOW - 60))),
                        (0.2, (b"x", b"%d" % (NOW + 864000))), (0.03, (b"x", b"%d" % (NOW - 600))), (0.03, (b"l", b"%d" % (len(canon) // 2))),
                        (0.2, (b"q", b"dns/txt")), (0.1, (b"z", b"From:x|To:y"))):
        if dice.random() < chance and tag[0] not in dict(tags):
            tags.append(tag)
    if b"l" in dict(tags):
        tags[[n for n, _ in tags].index(b"bh")] = (b"bh", base64.b64encode(hashlib.sha256(canon[:len(canon) // 2]).digest()))
    if dice.random() < 0.03:
        tags = [(n, v.upper() if n in (b"a", b"c", b"q") else v) for n, v in tags]
    dice.shuffle(tags)
    tags.append((b"b", b""))
    if dice.random() < 0.2:
        tags.insert(dice.randrange(len(tags)), tags.pop())
    between = dice.choice([b"; ", b";", b";\r\n\t", b" ; "])
    value = b" " + between.join(n + dice.choice([b"=", b"="]) + v for n, v in tags)
    if between == b" ; ":
        value = value.replace(b"b= ;", b"b=;")
    value += dice.choice([b"", b"", b";"])
    b = signature(key, way, fields, names, value)
    if dice.random() < 0.5:
        b = b"\r\n ".join(b[i:i + 60] for i in range(0, len(b), 60))
    return b"DKIM-Signature:" + with_signature(value, b) + b"\r\n"


# ---- what happens to a mail on its way ----

def flip(dice, mail):
    i = dice.randrange(len(mail))
    return mail[:i] + bytes([dice.randrange(256)]) + mail[i + 1:]


def cut_byte(dice, mail):
    i = dice.randrange(len(mail))
    return mail[:i] + mail[i + 1:]


def change_spaces(dice, mail):
    return re.sub(rb"[ \t]", lambda m: dice.choice([m[0]] * 12 + [m[0] * 2, b"\t", b" "]), mail)


def refold(dice, mail):
    header, gap, body = mail.partition(b"\r\n\r\n")
    return re.sub(rb"\r\n[ \t]+", lambda m: dice.choice([b" ", b"\r\n ", m[0]]), header) + gap + body


def line(dice, mail, change):
    lines = mail.split(b"\r\n")
    change(lines, dice.randrange(len(lines)))
    return b"\r\n".join(lines)


def drop_line(dice, mail):
    return line(dice, mail, lambda lines, i: lines.pop(i))


def twice_line(dice, mail):
    return line(dice, mail, lambda lines, i: lines.insert(i, lines[i]))


def swap_lines(dice, mail):
    return line(dice, mail, lambda lines, i: lines.insert(dice.randrange(len(lines)), lines.pop(i)))


ADDED = [b"From: bob@example.org", b"Subject: resign", b"To: x@example.org", b"Content-Type: text/html", b"Reply-To: x@example.org", b"Date: now",
         b"Sender: bob@example.org", b"Received: from x by y; now", b"X-Spam: no", b"Subject : x", b"what", b"From bob Mon Nov 23 10:00:00 2026",
         b"Content-Transfer-Encoding: base64", b"DKIM-Signature: v=1; a=rsa-sha256; d=list.example; s=a; h=from; bh=AAAA; b=AAAA", b"DKIM-Signature: x", b""]


def add_field(dice, mail):
    at = dice.choice([0, mail.find(b"\r\n\r\n") + 2])
    return mail[:at] + dice.choice(ADDED) + b"\r\n" + mail[at:]


def tamper(dice, mail):
    for old, new in dice.sample([(b"d=example", b"d=Example"), (b"rsa-sha256", b"rsa-sha1"), (b"v=1", b"v=2"), (b"v=1;", b""), (b"relaxed", b"simple"),
                                 (b"h=", b"h=x:"), (b"explore", b"resign"), (b"anna@", b"bob@"), (b"b=", b"b=A"), (b"b=", b"l=2; b=")], 2):
        mail = mail.replace(old, new, 1)
    return mail


HARM = [flip, flip, cut_byte, change_spaces, refold, drop_line, twice_line, swap_lines, add_field, add_field, add_field, tamper,
        lambda dice, mail: mail.replace(b"\r\n", b"\n"), lambda dice, mail: mail + b"\r\n" * 3, lambda dice, mail: mail + b"_____\r\nA list\r\n",
        lambda dice, mail: mail.replace(b"\r\n", b"\r\r\n", 1), lambda dice, mail: mail.rstrip(), lambda dice, mail: mail.upper(),
        lambda dice, mail: mail.replace(b"=", b"=3D"), lambda dice, mail: b"X: 1\r\n" + mail]


def make(dice, keys):
    key = dice.choice(keys)
    mail = make_fields(dice) + b"\r\n" + make_body(dice)
    mail = sign(dice, mail, key) + mail
    for _ in range(dice.choice([0, 0, 0, 1, 1, 1, 2])):
        mail = dice.choice(HARM)(dice, mail)
    return mail, record(dice, key)


# ---- what python3-dkim says ----

def believes(mail, record):
    """Any of the first eight signatures."""
    count = len(re.findall(rb"^dkim-signature[ \t]*:", mail, re.I | re.M))
    for i in range(min(count, 8)):
        try:
            if dkim.DKIM(mail).verify(idx=i, dnsfunc=lambda name, timeout=5: record):
                return True
        except Exception:  # it throws what it likes at mails that are none
            pass
    return False


# ---- where we are stricter: each rule, looked for by other means than ours ----

class Seen:
    def __init__(self, mail, record):
        self.mail, self.record = mail, record
        text = re.sub(rb"\r?\n", b"\r\n", mail)
        self.header = (b"\r\n" + text).partition(b"\r\n\r\n")[0]
        self.fields = re.findall(rb"\r\n([^\s:]+)[ \t]*:((?:[^\r]|\r\n[ \t]|\r(?!\n))*)", self.header)
        self.names = [n.lower() for n, _ in self.fields]
        self.signatures = [dict(re.findall(rb"(?:^|;)\s*(\w+)\s*=\s*([^;]*?)\s*(?=;|$)", v)) for n, v in self.fields if n.lower() == b"dkim-signature"]

    def value(self, name):
        return next((v for n, v in self.fields if n.lower() == name), b"")

    def address(self, name):
        bare = re.sub(rb'"[^"]*"|\([^)]*\)', b"", self.value(name))
        found = re.findall(rb"[\w.+-]+@[\w.-]+", bare)
        return found[0] if len(found) == 1 else b""

    def aligned(self):
        domain = self.address(b"from").rpartition(b"@")[2].lower()
        return [s for s in self.signatures if s.get(b"d", b"").lower() == domain]

    def signed(self, sig):
        return [n.strip().lower() for n in sig.get(b"h", b"").split(b":")]


def is_loose(text):
    """Does it decode, though nobody would encode so: with bits that belong to no byte?"""
    text = re.sub(rb"\s", b"", text).rstrip(b"=")
    return re.fullmatch(rb"[A-Za-z0-9+/]*", text) and len(text) % 4 != 1 and base64.b64encode(base64.b64decode(text + b"=" * (-len(text) % 4))).rstrip(b"=") != text


RULES = {
    "dkim_bytes": lambda m: b"\0" in m.mail or re.search(rb"\r(?!\n)", m.mail),
    "dkim_header": lambda m: re.search(rb"\r\n(?![\x21-\x39\x3b-\x7e]+:|[ \t])", m.header),
    "dkim_from": lambda m: m.names.count(b"from") != 1 or not re.fullmatch(rb'\s*(?:[\w.=?+\s]*|\s*"[^"]*"\s*)<?[\w.+-]+@[a-z0-9-]+(\.[a-z0-9-]+)*>?\s*(\(x\))?\s*', m.value(b"from"), re.I),
    "dkim_sender": lambda m: m.names.count(b"sender") > 1 or m.address(b"sender").lower() != m.address(b"from").lower(),
    "dkim_twice": lambda m: any(m.names.count(n) > 1 for n in SINGLE),
    "dkim_foreign": lambda m: not m.aligned(),
    "dkim_unsigned": lambda m: any(n not in m.signed(s) or n not in m.names for s in m.aligned() for n in (b"from", b"date", b"subject")),
    "dkim_part": lambda m: any(b"l" in s for s in m.aligned()),
    "dkim_expired": lambda m: any(int(s.get(b"x", NOW)) < NOW for s in m.aligned()),
    "dkim_testing": lambda m: re.search(rb"t=[^;]*y", m.record),
    "dkim_key": lambda m: re.search(rb"h=sha1;", m.record),
    "dkim_identity": lambda m: b"t=s;" in m.record and any(b"@mail." in s.get(b"i", b"") for s in m.aligned()),
    "dkim_sha1": lambda m: any(s.get(b"a") == b"rsa-sha1" for s in m.aligned()),
    "dkim_tag": lambda m: any(int(s.get(b"x", 1)) <= int(s.get(b"t", 0)) or b"dkim-signature" in m.signed(s) or b"" in m.signed(s) or
                                 any(is_loose(s.get(tag, b"")) for tag in (b"b", b"bh")) for s in m.aligned()),
    "dkim_damaged": lambda m: any(re.search(rb"[^\t\r\n -~]", v) for n, v in m.fields if n.lower() == b"dkim-signature"),
}
# ---- and what it does otherwise than RFC 6376 says ----
QUIRKS = {
    # section 3.4.4: spaces at the end of a line are ignored, also of the last one
    "spaces of a last line without its end count in relaxed bodies": lambda m: m.mail[-1:] in (b" ", b"\t") and b"/relaxed" in m.header,
    # sections 3.5 and 3.6.1, and RFC 5234, section 2.3: strings of the grammar have no case
    "capitals count in a=, c= and q=": lambda m: any(v != v.lower() for s in m.aligned() for n, v in s.items() if n in (b"a", b"c", b"q")),
}


def main():
    count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    dice = random.Random(seed)
    keys = [Key(b"rsa"), Key(b"rsa", 2048), Key(b"ed25519"), Key(b"ed25519")]
    judge = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tally, bad = collections.Counter(), 0
    for number in range(count):
        mail, record = make(dice, keys)
        judge.stdin.write(b"%d %d %d\n" % (len(mail), len(record), NOW) + mail + record)
        judge.stdin.flush()
        ours = judge.stdout.readline().decode().split()[0]
        theirs = believes(mail, record)
        seen = Seen(mail, record)
        if (ours == "believed") == theirs:
            tally["both believe" if theirs else "both refuse"] += 1
        elif theirs and ours in RULES and RULES[ours](seen):
            tally["only we refuse: " + ours] += 1
        elif any(quirk(seen) for quirk in QUIRKS.values()):
            tally["python3-dkim: " + next(name for name, quirk in QUIRKS.items() if quirk(seen))] += 1
        else:
            bad += 1
            print("DISAGREE: mail %d of seed %d: ours %s, theirs %s\n%r\n%r" % (number, seed, ours, theirs, mail, record))
    judge.stdin.close()
    judge.wait()
    for name, times in sorted(tally.items()):
        print("%6d  %s" % (times, name))
    print("%d mails, as python3-dkim: %d believed by both, %d by neither; %d rules of ours refuse more; %d disagreements" % (
        count, tally["both believe"], tally["both refuse"], sum(name.startswith("only we") for name in tally), bad))
    return bad or judge.returncode or not tally["both believe"] or not tally["both refuse"]


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
