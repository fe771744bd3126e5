"""Seals and boxes (src/journal/README.md, section 5)."""
import re

from draws import chacha20_block
from forms import base64_bytes, blake, le32, must


def seal_of(salt, payload):
    return blake(b"turnpost/seal\0" + salt + payload)


def salt_of(key, seq, seat, item, payload):
    return blake(b"turnpost/salt\0" + le32(seq) + le32(seat) + le32(item) + blake(payload), key=key)


def box_key(key, of):
    """`of`: the seal; of orders their mark, or what binds the league to the text of a mail."""
    return blake(b"turnpost/box\0" + of, key=key)


def turned(key, data):
    """What is in a box, or the box of it."""
    stream = b"".join(chacha20_block(key, block, bytes(12)) for block in range((len(data) + 63) // 64))
    return bytes(a ^ b for a, b in zip(data, stream))


class Keys:
    """What opens boxes: K_seal, K_press, and lines `open GAME SEQ ITEM K [SALT]`; each may be missing."""

    def __init__(self, seal=None, press=None, lines=""):
        self.seal, self.press, self.only = seal, press, {}
        for line in lines.splitlines():
            found = re.fullmatch(r"open (\S+) (\d+) (\d+) ([0-9a-f]{64})(?: ([0-9a-f]{64}))?", line)
            if found:
                self.only[found[1], int(found[2]), int(found[3])] = bytes.fromhex(found[4]), found[5] and bytes.fromhex(found[5])

    def opened(self, box, of, game, seq, seat, item):
        """The payload and its salt (None: nobody says which), or None."""
        data = base64_bytes(box, "a box")
        key = self.press if item >= 1000 else self.seal
        if key:
            payload = turned(box_key(key, of), data)
            return payload, salt_of(key, seq, seat, item, payload)
        if (game, seq, item) in self.only:
            k, salt = self.only[game, seq, item]
            return turned(k, data), salt
        return None

    def payload(self, box, seal, game, seq, seat, item):
        """What a salted seal covers, or None if there is no key to it."""
        found = self.opened(box, seal, game, seq, seat, item)
        if found is None:
            return None
        payload, salt = found
        must(salt and seal_of(salt, payload) == seal, "its box (seat %d, item %d) does not hold what its seal says" % (seat, item))
        return payload
