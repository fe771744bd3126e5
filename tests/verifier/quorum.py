"""The witnesses that a `create` names, and their answers to a close (src/journal/README.md, section 6, "Witnesses")."""
import curve
import draws
import tlog
from forms import *
from members import only

DAY = 86400


class Witness:
    def __init__(self, name, vkey, vrf):
        self.name, self.vkey, self.vrf = name, vkey, vrf
        self.answer, self.cosigned = None, 0  # their dice; when they had seen the close


class Close:
    """What the log's entry of a close says. `turn`: "T.R"; `alpha`: 32 bytes."""

    def __init__(self, name, seq, time_, head, turn, alpha):
        self.name, self.seq, self.time, self.head, self.turn, self.alpha = name, seq, time_, head.hex(), turn, alpha.hex()


class Quorum:
    def __init__(self, record=None, league=None):
        self.list, self.need = [], 0
        if record is None:
            return
        together = {"witnesses", "quorum", "log"} & record.keys()
        must(len(together) in (0, 3), "witnesses, their log and how many have to answer go together")
        if not together:
            return
        value = record["witnesses"]
        must(isinstance(value, list) and 1 <= len(value) <= 4 and all(isinstance(w, dict) for w in value), '"witnesses" must be a list')
        self.log_text = text(record, "log")
        self.log = tlog.vkey_of(self.log_text, 1)
        must(self.log[2] == league, "the log of its witnesses is not the league's")
        for item in value:
            only(item, "name vkey vrf", "a witness")
            must(curve.vrf_key(hex32(item, "vrf")) is not None, '"vrf" is no key')
            self.list.append(Witness(name(item, "name"), tlog.vkey_of(text(item, "vkey"), 4), hex32(item, "vrf")))
        for of in (lambda w: w.name, lambda w: w.vkey[2], lambda w: w.vrf):
            must(len({of(w) for w in self.list}) == len(self.list), "a witness stands twice")
        self.need = number(record, "quorum", len(value) // 2 + 1, len(value))

    def __bool__(self):
        return bool(self.list)

    def __len__(self):
        return len(self.list)

    def answers(self):
        return sorted(w.cosigned for w in self.list if w.answer is not None)

    def lacks(self):
        return len(self.answers()) < self.need

    def waits(self, now):
        """Is what was closed not to be drawn yet?"""
        times = self.answers()
        return len(times) < len(self.list) and (self.lacks() or now < times[self.need - 1] + DAY)

    def dice(self):
        return b"".join(w.answer for w in self.list if w.answer is not None)

    def settle(self):
        for witness in self.list:
            witness.answer = None

    def take(self, record, close):
        """An answer of one of them, as `witness` `pi` `proof` of a record have it."""
        found = [w for w in self.list if w.name == name(record, "witness") and w.answer is None]
        must(found, "nothing is waited for from this witness")
        witness = found[0]
        line, at = tlog.cosigned(text(record, "proof"), self.log, witness.vkey)
        entry = tlog.entry_of(line)
        must((entry["kind"], entry["name"], entry["seq"]) == ("close", close.name, close.seq), "it is not the entry of the close")
        must((entry["head"], entry["rest"]) == (close.head, "turn %s alpha %s" % (close.turn, close.alpha)), "the entry says something else of the close")
        entered = time(entry, "time")
        must(entered >= close.time, "the entry is older than the close")
        must(entered <= at + 300, "the close is dated ahead of when the witness saw it")
        answer = curve.vrf_verify(witness.vrf, hex_bytes(record["pi"], 80, '"pi"'), draws.witness_input(self.log_text, close.name, close.turn, close.alpha))
        must(answer is not None, "the proof of the witness's draw is wrong")
        witness.answer, witness.cosigned = answer, at
