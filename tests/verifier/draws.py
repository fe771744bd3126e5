"""What proofs are over, and seats, dice and shuffles from R (src/journal/README.md, section 6)."""
import struct

from forms import blake, le32

MASK = 0xFFFFFFFF


def alpha(create, turn, seals, deal=bytes(32), rollbacks=0):
    """What the proof of a turn is over; `seals`: 32 bytes for each seat, `deal`: the beginning of the proof of turn 0."""
    return b"turnpost/dice\0" + create + deal + le32(rollbacks) + le32(turn) + le32(len(seals)) + b"".join(seals)


def witness_input(log, name, turn, alpha):
    """What a witness's proof is over; `log`: a vkey, `turn`: "T.R", `alpha`: what the close's entry says of that of the turn, in hex."""
    return b"turnpost/witness\0" + log.encode() + ("\nclose %s turn %s alpha %s\n" % (name, turn, alpha)).encode()


def _quarter(s, a, b, c, d):
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & MASK
        s[z] ^= s[x]
        s[z] = (s[z] << turn | s[z] >> (32 - turn)) & MASK


def chacha20_block(key, counter, nonce):
    """RFC 8439, 2.3."""
    start = list(struct.unpack("<4I8II3I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce))
    s = start[:]
    for _ in range(10):
        for at in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            _quarter(s, *at)
    return struct.pack("<16I", *((x + y) & MASK for x, y in zip(s, start)))


class Stream:
    def __init__(self, root, label):
        self.key = blake(b"turnpost/draw\0" + label.encode(), key=root[:32])
        self.words, self.block = [], 0

    def word(self):
        if not self.words:
            self.words = list(struct.unpack("<16I", chacha20_block(self.key, self.block, b"LibsodiumDRG")))
            self.block += 1
        return self.words.pop(0)

    def pick(self, m):
        while True:
            w = self.word()
            if w >= 2**32 % m:
                return w % m


def die(root, label, sides):
    return Stream(root, label).pick(sides) + 1


def shuffle(root, label, items):
    stream, items = Stream(root, label), list(items)
    for i in range(len(items), 1, -1):
        j = stream.pick(i)
        items[i - 1], items[j] = items[j], items[i - 1]
    return items


def in_order_of_marks(held):
    """`held`: (seat, player, mark) of each seat that is drawn."""
    return sorted(held, key=lambda h: h[2])


def seated(root, held):
    """(seat, player) in rising order of seats: who sits where after the draw of seats."""
    players = shuffle(root, "seats", [player for _, player, _ in in_order_of_marks(held)])
    return list(zip(sorted(seat for seat, _, _ in held), players))
