"""The league's log as a reader of its mails sees it: entries, each with a proof (c2sp.org/tlog-proof) that it is in the tree of a
checkpoint (RFC 6962, c2sp.org/tlog-checkpoint) that the league's key has signed (c2sp.org/signed-note). Written from these texts and
src/journal/README.md alone."""
import base64
import hashlib
import re

import draws
import forms

VERSION = "c2sp.org/tlog-proof@v1"
ENTRY = re.compile(r"[a-z]+ (?P<name>[a-z0-9._-]{1,32}) (?P<seq>[1-9][0-9]*) (?P<time>\S{20}) (?P<head>[0-9a-f]{64})(?: (?P<rest>.*))?")


def leaf_of(line):
    return hashlib.sha256(b"\0" + line.encode() + b"\n").digest()


def node_of(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(leaf, index, size, path):
    """The root of a tree with this leaf (RFC 9162, 2.1.3.2); None: the path has another length."""
    at, last = index, size - 1
    for one in path:
        if last == 0:
            return None
        if at % 2 or at == last:
            leaf = node_of(one, leaf)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            leaf = node_of(leaf, one)
        at, last = at // 2, last // 2
    return leaf if last == 0 else None


def key_id(origin, key):
    return hashlib.sha256(origin.encode() + b"\n\x01" + key).digest()[:4]


def note_text(origin, size, root):
    return "%s\n%d\n%s\n" % (origin, size, base64.b64encode(root).decode())


def entry_of(line):
    """The fields of a record's entry: name, seq, time, head, rest."""
    found = ENTRY.fullmatch(line)
    forms.must(found, "no entry of a record: %s" % line)
    return {**found.groupdict(), "seq": int(found["seq"]), "kind": line.split(" ")[0]}


def hidden_name(create):
    """How the log calls a game that is withheld; `create`: the head of its first record, in hex."""
    return "h" + hashlib.blake2b(b"turnpost/name\0" + bytes.fromhex(create), digest_size=32).hexdigest()[:24]


def heads_in(text):
    """(name, seq, head) of each record that a text says it proves, unchecked."""
    entries = [entry_of(one.split("\n")[0]) for one in armors(text)]
    return [(entry["name"], entry["seq"], entry["head"]) for entry in entries]


def check(text, key):
    """`text`: an entry and its proof. Its line, if the league with that key has it in its log."""
    try:
        line, (origin, _, _), note, signatures = looked_at(text)
        signed = any(blob[:4] == key_id(origin, key) and verified(key, blob[4:], note) for name, blob in signatures if name == origin)
    except (ValueError, IndexError):
        raise forms.Fault("no proof of a log")
    forms.must(signed, "the checkpoint is not signed by this league")
    return line


def verified(key, sig, text):
    forms.must(forms.curve.ed25519_verify(key, sig, text.encode()), "a signature under the checkpoint is wrong")
    return True


def opens(line, extra):
    """Does ALPHA of the close `line` follow from it: base, D, and a mark a seat?"""
    found = re.fullmatch(r"close .* turn ([0-9]+)\.([0-9]+) alpha ([0-9a-f]{64})", line)
    parts = [extra[at : at + 32] for at in range(0, len(extra), 32)]
    if not found or len(extra) % 32 or not 3 <= len(parts) <= 10:
        return False
    alpha = draws.alpha(parts[0], int(found[1]), parts[2:], parts[1], int(found[2]))
    return forms.blake(alpha).hex() == found[3]


def looked_at(text):
    """Its line; name, size and root of its checkpoint, in whose tree it is; the signed text; (name, bytes) of its signatures."""
    line, version, *rest = text.split("\n")
    if rest and rest[0].startswith("extra "):
        forms.must(opens(line, base64.b64decode(rest.pop(0)[6:], validate=True)), "what stands beside the proof is not what ALPHA follows from")
    forms.must(version == VERSION and rest and re.fullmatch(r"index (0|[1-9][0-9]*)", rest[0]), "no proof of a log")
    index, blank = int(rest[0][6:]), rest.index("")
    path = [base64.b64decode(one, validate=True) for one in rest[1:blank]]
    origin, size, root, empty, *signatures = rest[blank + 1 :]
    forms.must(empty == "" and re.fullmatch(r"[1-9][0-9]*", size) and index < int(size), "no checkpoint")
    made = root_of(leaf_of(line), index, int(size), path)
    forms.must(made and base64.b64encode(made).decode() == root, "the entry is not in the tree of its checkpoint")
    forms.must(signatures.pop() == "" and signatures, "the checkpoint does not end with a signature")
    named = [one.split(" ") for one in signatures]
    forms.must(all(len(words) == 3 and words[0] == "\u2014" for words in named), "no signature of a note")
    return line, (origin, int(size), made), note_text(origin, int(size), made), [(name, base64.b64decode(coded, validate=True)) for _, name, coded in named]


def vkey_of(text, sort):
    """(name, id, key) of a vkey of that sort: 1 a log's, 4 a witness's."""
    found = re.fullmatch(r"([^\s+]{1,127})\+([0-9a-f]{8})\+(\S+)", text)
    forms.must(found, "no vkey: %s" % text)
    data = forms.base64_bytes(found[3], "a vkey")
    forms.must(len(data) == 33 and data[0] == sort, "a vkey of another sort")
    name, short = found[1], hashlib.sha256(found[1].encode() + b"\n" + data).digest()[:4]
    forms.must(short.hex() == found[2], "a vkey with another number")
    return name, short, data[1:]


def cosigned(text, log, witness):
    """`text`: an entry and its proof; `log`, `witness`: vkeys. The line, and when that witness has cosigned it."""
    try:
        line, (origin, _, _), note, signatures = looked_at(text)
    except (ValueError, IndexError):
        raise forms.Fault("no proof of a log")
    forms.must(origin == log[0], "a checkpoint of another log")
    forms.must("\nextra " not in text, "something beside the proof of a witness")
    times, signed = [], False
    for name, blob in signatures:
        if (name, blob[:4]) == log[:2]:
            signed = verified(log[2], blob[4:], note)
        if (name, blob[:4]) == witness[:2]:
            forms.must(len(blob) == 76, "a cosignature without a time")
            at = int.from_bytes(blob[4:12], "big")
            verified(witness[2], blob[12:], "cosignature/v1\ntime %d\n%s" % (at, note))
            times.append(at)
    forms.must(signed, "the checkpoint is not signed by this league")
    forms.must(times, "the witness has not cosigned it")
    return line, min(times)


def armors(text):
    """What the armors in a mail's text hold."""
    for found in re.findall(r"BEGIN TURNPOST PROOF((?:(?!BEGIN TURNPOST).)*?)END TURNPOST PROOF", text, re.DOTALL):
        yield base64.b64decode(re.sub(r"[^A-Za-z0-9+/=]", "", found)).decode()


def proved(text, key):
    """The lines that a mail's text proves, in their order."""
    return [check(one, key) for one in armors(text)]


def armored_text(text):
    coded = base64.b64encode(text.encode()).decode()
    rows = [coded[i : i + 64] for i in range(0, len(coded), 64)]
    return "\n".join(["-----BEGIN TURNPOST PROOF-----", *rows, "-----END TURNPOST PROOF-----", ""])


def proof_text(line, note, signatures):
    """A proof of an entry in a log that holds nothing else."""
    return "%s\n%s\nindex 0\n\n%s\n%s" % (line, VERSION, note, "".join("\u2014 %s %s\n" % (name, base64.b64encode(blob).decode()) for name, blob in signatures))


def armored(line, origin, key, sign):
    """What the operator can make at any time: a proof of an entry in a log that holds nothing else. `sign`: bytes -> signature."""
    note = note_text(origin, 1, leaf_of(line))
    return armored_text(proof_text(line, note, [(origin, key_id(origin, key) + sign(note.encode()))]))


def vkey_text(name, sort, key):
    data = bytes([sort]) + key
    return "%s+%s+%s" % (name, hashlib.sha256(name.encode() + b"\n" + data).digest()[:4].hex(), base64.b64encode(data).decode())
