"""What a league can do to its own games, with all its secrets: change a record, a seal, a proof, and chain everything
anew. (It cannot sign for its players.)"""
import base64
import hashlib
import json
import re

import curve
import draws
import journal
from changes import Change, compact, field_changes, lines_of, payload_changes
from forms import Fault
from boxes import Keys, box_key, salt_of, seal_of, turned
from table import domain_bytes, made_of, mark_of

PROOF = re.compile("[0-9a-f]{160}")


class League:
    def __init__(self, folder):
        self.vrf = bytes.fromhex((folder / "keys/secret/vrf").read_text().strip())
        self.master = bytes.fromhex((folder / "keys/secret/master").read_text().strip())

    def keys(self, data):
        """To all boxes of a game."""
        first, out = json.loads(lines_of(data)[0]), []
        name, nonce = first["game"].encode(), bytes.fromhex(first["nonce"])
        number = hashlib.blake2b(name, digest_size=16).digest()[:8]
        for context in (b"tp-seal1", b"tp-press"):
            key = hashlib.blake2b(key=self.master, salt=number + bytes(8), person=context + bytes(8), digest_size=32).digest()
            for part in (name, nonce):
                key = hashlib.blake2b(part, key=key, digest_size=32).digest()
            out.append(key)
        return Keys(*out)

    def chain(self, lines, start):
        """The lines with `prev` made again from the index `start` on."""
        out = lines[:start]
        head = journal.head_of(out[-1]) if out else bytes(32)
        for line in lines[start:]:
            out.append(re.sub(rb'"prev":"[^"]*"', b'"prev":"' + head.hex().encode() + b'"', line, count=1))
            head = journal.head_of(out[-1])
        return out


class Seating:
    """Before the deal: the seals of the texts by which the seats' players came, and which seats are only held."""

    def __init__(self, seats):
        self.seats, self.at = seats, {}  # seat: (seal, drawn, player)

    def take(self, record):
        if record["type"] not in ("seat", "moderate") or not isinstance(record.get("seat"), int):
            return
        seat, drawn = record["seat"], record.get("drawn", False)
        if record.get("free"):
            self.at.pop(seat, None)
            return
        before = self.at.get(seat)
        if before and before[1] and not drawn and "left" not in record:  # he moves
            self.at[min(s for s in range(1, self.seats + 1) if s not in self.at)] = before
        self.at[seat] = (record.get("mark", ""), drawn, record.get("player"))

    def held(self):
        return sorted(seat for seat, (_, drawn, _) in self.at.items() if drawn)

    def sorted(self, seals):
        """Those of the held seats in their order."""
        out, held = list(seals), self.held()
        for seat, seal in zip(held, sorted(seals[seat - 1] for seat in held)):
            out[seat - 1] = seal
        return out

    def seals(self):
        return self.sorted([self.at.get(seat, ("",))[0] for seat in range(1, self.seats + 1)])

    def drawn(self, root):
        """Who sits where after the deal."""
        held = self.held()
        players = [player for _, player in sorted((self.at[seat][0], self.at[seat][2]) for seat in held)]
        return [{"seat": seat, "player": player} for seat, player in zip(held, draws.shuffle(root, "seats", players))]


def raw(payload):
    return payload.encode("utf-8", "surrogateescape")


class Story:
    """A game taken apart: records without chain and signature, and what is in the boxes of each. It can be put together again
    with other numbers, seals, boxes and proofs that fit. (Seals of reports stay as they are: what they cover is in no box.)"""

    def __init__(self, league, data):
        self.league, self.keys = league, league.keys(data)
        self.records = [json.loads(line) for line in lines_of(data)]
        self.payloads = [list(self.taken(record)) for record in self.records]

    def key(self, item):
        return self.keys.press if item >= 1000 else self.keys.seal

    def taken(self, record):
        def entry(seat, item, one, of):
            payload = turned(box_key(self.key(item), bytes.fromhex(of)), base64.b64decode(one["box"]))
            return {"seat": seat, "item": item, "payload": payload.decode("utf-8", "surrogateescape")}

        if "box" in record:
            texts = record["type"] == "orders" or record.get("do") == "orders"
            item = 0 if texts else 2 if record["type"] == "moderate" else 1000
            yield entry(record["seat"] if texts else 0, item, record, record.get("made", record["seal"]))
            if item == 1000:
                vouched = json.loads(raw(entry(0, item, record, record["seal"])["payload"])).get("vouched", {})
                if "box" in vouched:
                    yield entry(0, 1001, vouched, vouched["evidence"])
        for i, draw in enumerate(record.get("hidden", [])):
            yield entry(0, 2 + i, draw, draw["seal"])
        if "box" in record.get("vouched", {}):
            yield entry(record["seat"] if record["type"] == "orders" else 0, 1001, record["vouched"], record["vouched"]["evidence"])

    def build(self, records, payloads):
        """The journal. Seals, boxes and proofs are made again from the first record on that has another number or text."""
        lines, seals = [], {"": ""}
        head, first, closing, betas = bytes(32), None, [], {}
        self.deal, self.rollbacks, self.deals = bytes(32), 0, {}
        seating = Seating(self.records[0]["seats"])
        for seq, (old, entries) in enumerate(zip(records, payloads), 1):
            record = json.loads(json.dumps(old))
            entries = [dict(e) for e in entries]
            record["seq"], record["prev"] = seq, head.hex()
            if seq == 1:  # what a competition has drawn stands in place of its head
                self.nonce = record.get("nonce") if isinstance(record.get("compete"), dict) else None
            try:
                self.fit(record, entries, seals, first, seating, closing, betas)
                if not record.get("turn"):
                    seating.take(record)
            except (TypeError, ValueError, KeyError, IndexError, AttributeError, Fault):
                pass  # what was changed is no record that seals and proofs could be made for
            self.count(old, record)
            if record["type"] == "close":
                closing, betas = record.get("seals", closing), {}
            elif record.get("kind") == "witness":
                betas[record.get("witness")] = record.get("pi")
            lines.append(compact(record).encode() + b"\n")
            head = journal.head_of(lines[-1])
            first = first or head
        return b"".join(lines)

    def count(self, old, record):
        """What later alphas hold beside the marks."""
        if record["type"] == "start" and PROOF.fullmatch(str(record.get("pi"))):
            self.deal = bytes.fromhex(record["pi"])[:32]
            self.deals[old["pi"][:64]] = record["pi"][:64]
        self.rollbacks += record.get("do") == "rollback" or (record.get("kind") == "unwitness" and "deadline" in record)
        self.rollbacks = record["rollbacks"] if record.get("kind") == "lost" else self.rollbacks

    def fit(self, record, entries, seals, first, seating, closing, betas):
        if "waited" in record or record["type"] == "close":
            self.follow(record, seals, seating)
        elif "mark" in record:
            self.mark(record, first, seals)
        if record["type"] in ("start", "turn"):
            if record["type"] == "start":
                closing = seating.seals()
            witnesses = [betas.get(w["name"]) for w in self.records[0].get("witnesses", [])]
            self.prove(record, entries, first, closing, seating, [bytes.fromhex(pi) for pi in witnesses if pi])
        for entry in reversed(entries):  # the mail before the message that names its seal
            seal, box = self.seal(record, entry, first, seals)
            if entry["item"] == 1001:
                self.name_mail(record, entries, {"box": box, "evidence": seal})

    def name_mail(self, record, entries, mail):
        """In the record, or in the words that are sealed."""
        if "vouched" in record:
            record["vouched"].update(mail)
            return
        for entry in entries:
            if entry["item"] == 1000 and not entry.get("forged"):
                inside = json.loads(entry["payload"])
                inside["vouched"].update(mail)
                entry["payload"] = compact(inside)

    def follow(self, record, seals, seating):
        if "seals" not in record:
            record["mark"] = seals.get(record["mark"], record["mark"])
            return
        record["seals"] = [seals.get(s, s) for s in record["seals"]]
        if "deal" in record:
            record["deal"] = self.deals.get(record["deal"], record["deal"])
        if record["turn"] == 0:
            record["seals"] = seating.sorted(record["seals"])

    def mark(self, record, first, seals):
        """Of the text by which somebody joins."""
        if "said" in record:
            mark = mark_of(first, 0, domain_bytes(record["signature"]), "").hex()
        else:
            mark = mark_of(first, 0, base64.b64decode(record["signed"]["signature"]["sig"]), record["signed"]["text"]).hex()
        seals[record["mark"]] = mark
        record["mark"] = mark

    def seal(self, record, entry, first, seals):
        item, payload = entry["item"], raw(entry["payload"])
        of = None
        if item == 0 and record["type"] == "orders":  # the mark of a player's text
            inside = json.loads(payload)
            signature = inside["signature"]
            if "dkim" in signature:  # the league has made the text, so it is not in the mark
                seal = mark_of(first, entry["seat"], domain_bytes(signature), "").hex()
                if "made" in record:
                    of = record["made"] = made_of(signature, inside["text"]).hex()
            else:
                seal = mark_of(first, entry["seat"], base64.b64decode(signature["sig"]), inside["text"]).hex()
        else:
            seal = seal_of(salt_of(self.key(item), record["seq"], entry["seat"], item, payload), payload).hex()
        box = base64.b64encode(turned(box_key(self.key(item), bytes.fromhex(of or seal)), payload)).decode()
        if 2 <= item < 1000 and "hidden" in record:
            record["hidden"][item - 2].update(box=box, seal=seal)
        elif "seal" in record and item != 1001:
            seals[record["seal"]] = seal
            record.update(box=box, seal=seal)
        return seal, box

    def prove(self, record, entries, first, seals, seating, witnessed):
        seats = [bytes.fromhex(s) or bytes(32) for s in seals]
        root_of_draws = bytes.fromhex(self.nonce) if self.nonce else first
        alpha = draws.alpha(root_of_draws, record["turn"], seats, self.deal, self.rollbacks)
        old = bytes.fromhex(record["pi"])
        public = bytes.fromhex(self.records[0]["vrf_key"])
        other = curve.vrf_verify(public, old, alpha) is None
        if other:
            record["pi"] = curve.vrf_prove(self.league.vrf, alpha).hex()
        proofs = [bytes.fromhex(record["pi"])] + witnessed
        root = journal.blake(b"turnpost/roll\0" + b"".join(curve.vrf_output(pi) for pi in proofs), 64)
        if other and "drawn" in record:
            record["drawn"] = seating.drawn(root)
        for entry in entries:
            if entry["item"] < 2 or entry["item"] >= 1000:
                continue
            inside = json.loads(entry["payload"])
            if set(inside) != {"label", "proof"} or not isinstance(inside["label"], str):
                continue
            hidden = b"turnpost/hide\0" + root + inside["label"].encode()
            try:
                good = curve.vrf_verify(public, bytes.fromhex(inside["proof"]), hidden) is not None
            except (ValueError, TypeError):
                continue
            if not good and not entry.get("forged"):
                entry["payload"] = compact(dict(inside, proof=curve.vrf_prove(self.league.vrf, hidden).hex()))


# ---- changes ----------------------------------------------------------------------------------------------------


def chained_anew(kind, what, data, first, count):
    change = Change("chained anew: " + kind, what, data, first, count + 2)
    change.resigned = True
    if what.endswith("vouched.box: gone"):
        change.harmless = "mails that stand for a signature need not be there: nothing depends on them"
    return change


def chained(league, data, wanted):
    """A member of one record is changed, and the chain after it is made again."""
    lines = lines_of(data)
    for i in wanted.places(len(lines)):
        record = json.loads(lines[i])
        fields = {k: v for k, v in record.items() if k != "prev"}
        for what, changed in wanted.some(field_changes(fields, wanted)):
            new = dict(changed, prev="0" * 64)
            order = {k: new[k] for k in ("game", "seq", "prev", "type", "time") if k in new}
            order.update(sorted((k, v) for k, v in new.items() if k not in order))
            body = compact(order).encode() + b"\n"
            yield lambda body=body, i=i, what=what, kind=record["type"]: chained_anew(
                "a member", "%s %s" % (kind, what), b"".join(league.chain(lines[:i] + [body] + lines[i + 1 :], i)), i + 1, len(lines)
            )


def rebuilt(league, data, wanted):
    """Records or what is sealed are changed, deleted, swapped, doubled; numbers, seals and proofs are made to fit."""
    story = Story(league, data)
    records, payloads = story.records, story.payloads
    count = len(records)
    assert story.build(records, payloads) == data

    def made(kind, what, at, new_records, new_payloads):
        return lambda: chained_anew(kind, what, story.build(new_records, new_payloads), at, count)

    for i in wanted.places(count):
        record = records[i]
        kind = record["type"]
        if i:
            yield made("a record deleted", kind, i + 1, records[:i] + records[i + 1 :], payloads[:i] + payloads[i + 1 :])
            yield made("a record doubled", kind, i + 2, records[: i + 1] + records[i:], payloads[: i + 1] + payloads[i:])
        if 0 < i < count - 1:
            swapped = [x[:i] + [x[i + 1], x[i]] + x[i + 2 :] for x in (records, payloads)]
            times = [dict(r) for r in swapped[0]]
            times[i]["time"], times[i + 1]["time"] = records[i]["time"], records[i + 1]["time"]
            yield made("two records swapped", "%s, %s" % (kind, records[i + 1]["type"]), i + 1, times, swapped[1])
        for k, entry in enumerate(payloads[i]):
            for what, new in wanted.some(payload_changes(entry["payload"], wanted)):
                other = [list(p) for p in payloads]
                other[i][k] = dict(entry, payload=new, forged=True)
                yield made("what is sealed", "item %d %s" % (min(entry["item"], 2) if entry["item"] < 1000 else entry["item"], what), i + 1, records, other)
        for member in wanted.some(m for m in record if m not in ("seq", "prev", "game", "type")):
            for what, changed in list(field_changes({member: record[member]}, wanted))[:2]:
                other = dict(record)
                other.pop(member)
                other.update(changed)
                order = {m: other[m] for m in ("game", "seq", "prev", "type", "time") if m in other}
                order.update(sorted((m, v) for m, v in other.items() if m not in order))
                yield made("a member, all else made to fit", "%s %s" % (kind, what), i + 1, records[:i] + [order] + records[i + 1 :], payloads)
