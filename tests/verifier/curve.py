"""Ed25519 (RFC 8032, strict), ristretto255 (RFC 9496) and ECVRF-RISTRETTO255-SHA512 in plain Python: nothing here is
secret, so nothing need be in constant time. Fast enough for thousands of checks: what a public key is multiplied
with is looked up in tables, and results are remembered."""
import functools
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)

# ---- points of the curve: (X, Y, Z, T), x = X/Z, y = Y/Z, T = XY/Z ----------------------------------------

NEUTRAL = (0, 1, 1, 0)
D2 = 2 * D % P


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e = (y1 - x1) * (y2 - x2) % P
    f = (y1 + x1) * (y2 + x2) % P
    c = t1 * D2 % P * t2 % P
    d = 2 * z1 * z2 % P
    h, g, j, i = f - e, d + c, d - c, f + e
    return h * j % P, i * g % P, j * g % P, h * i % P


def double(a):
    x, y, z, _ = a
    xx, yy = x * x % P, y * y % P
    zz = 2 * z * z % P
    h = xx + yy
    e = h - (x + y) * (x + y) % P
    g = xx - yy
    f = zz + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(a):
    return -a[0] % P, a[1], a[2], -a[3] % P


def multiply(n, a):
    """n·a, four bits at a time."""
    row = [NEUTRAL, a]
    for _ in range(14):
        row.append(add(row[-1], a))
    out = NEUTRAL
    for shift in range((n.bit_length() + 3) // 4 * 4 - 4, -4, -4):
        out = double(double(double(double(out))))
        digit = n >> shift & 15
        if digit:
            out = add(out, row[digit])
    return out


class Table:
    """A point that is multiplied often: its multiples by d·2^(bits·i)."""

    def __init__(self, point, bits=4):
        self.bits, self.rows = bits, []
        for _ in range(256 // bits):
            row = [NEUTRAL, point]
            while len(row) < 1 << bits:
                row.append(add(row[-1], point))
            self.rows.append(row)
            point = add(row[-1], point)

    def times(self, n):
        out = NEUTRAL
        at = 0
        while n:
            digit = n & (1 << self.bits) - 1
            if digit:
                out = add(out, self.rows[at][digit])
            n >>= self.bits
            at += 1
        return out


def same(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def is_small(a):
    return same(double(double(double(a))), NEUTRAL)


def point_bytes(a):
    inverse = pow(a[2], -1, P)
    x, y = a[0] * inverse % P, a[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def point_of(data):
    """The point of a canonical encoding, or None."""
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 % P * pow(u * v**7 % P, (P - 5) // 8, P) % P
    if v * x * x % P == -u % P:
        x = x * SQRT_M1 % P
    elif v * x * x % P != u:
        return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _base():
    y = 4 * pow(5, -1, P) % P
    return point_of(y.to_bytes(32, "little"))


BASE_POINT = _base()
BASE = Table(BASE_POINT, 8)

# ---- Ed25519 ------------------------------------------------------------------------------------------------


@functools.lru_cache(4096)
def ed25519_key(key):
    """The table of -A; None when the key is no point or of small order."""
    point = point_of(key) if len(key) == 32 else None
    if point is None or is_small(point):
        return None
    return Table(negate(point))


@functools.lru_cache(4096)
def ed25519_of_player(key):
    """Can it be a player's key: is it also of the group of order L?"""
    table = ed25519_key(key)
    return table is not None and same(table.times(L), NEUTRAL)


@functools.lru_cache(65536)
def ed25519_verify(key, sig, message):
    table = ed25519_key(key)
    if table is None or len(sig) != 64:
        return False
    s = int.from_bytes(sig[32:], "little")
    if s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(sig[:32] + key + message).digest(), "little") % L
    r = add(BASE.times(s), table.times(k))
    return not is_small(r) and point_bytes(r) == sig[:32]


def ed25519_sign(seed, message):
    """With a 32-byte seed, as RFC 8032 has it."""
    digest = hashlib.sha512(seed).digest()
    a = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    public = ed25519_public(seed)
    r = int.from_bytes(hashlib.sha512(digest[32:] + message).digest(), "little") % L
    point = point_bytes(BASE.times(r))
    k = int.from_bytes(hashlib.sha512(point + public + message).digest(), "little") % L
    return point + ((r + k * a) % L).to_bytes(32, "little")


@functools.lru_cache(64)
def ed25519_public(seed):
    digest = hashlib.sha512(seed).digest()
    a = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return point_bytes(BASE.times(a))


# ---- ristretto255 -------------------------------------------------------------------------------------------

SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) * (D - 1) % P
assert SQRT_AD_MINUS_ONE**2 % P == (-D - 1) % P and INVSQRT_A_MINUS_D**2 * (-1 - D) % P == 1


def magnitude(x):
    return P - x if x & 1 else x


def sqrt_ratio(u, v):
    u, v = u % P, v % P
    r = u * v**3 % P * pow(u * v**7 % P, (P - 5) // 8, P) % P
    check = v * r * r % P
    if check == -u % P or check == -u * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    return check == u or check == -u % P, magnitude(r)


@functools.lru_cache(65536)
def ristretto_of(data):
    """The element of a valid encoding, or None."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1:
        return None
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = sqrt_ratio(1, v * u2 * u2)
    x = magnitude(2 * s * inverse * u2 % P)
    y = u1 * inverse * inverse * u2 * v % P
    t = x * y % P
    return (x, y, 1, t) if square and not t & 1 and y else None


def ristretto_bytes(a):
    x, y, z, t = a
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = sqrt_ratio(1, u1 * u2 * u2)
    d1, d2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = d1 * d2 * t % P
    if t * z_inverse % P & 1:
        x, y, d = y * SQRT_M1 % P, x * SQRT_M1 % P, d1 * INVSQRT_A_MINUS_D % P
    else:
        d = d2
    if x * z_inverse % P & 1:
        y = -y
    return magnitude(d * (z - y) % P).to_bytes(32, "little")


def _half(data):
    t = (int.from_bytes(data, "little") & (1 << 255) - 1) % P
    r = SQRT_M1 * t * t % P
    u, v = (r + 1) * ONE_MINUS_D_SQ % P, (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    c = -1
    if not square:
        s, c = -magnitude(s * t % P) % P, r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def ristretto_hashed(data):
    """RFC 9496, 4.3.4: an element from 64 bytes."""
    return add(_half(data[:32]), _half(data[32:]))


def is_ristretto_neutral(a):
    return a[0] % P == 0 or a[1] % P == 0


# ---- the verifiable random function ---------------------------------------------------------------------------

SUITE = b"\xffc2sp.org/vrf-r255"


def _hash(tag, *parts):
    return hashlib.sha512(SUITE + bytes([tag]) + b"".join(parts)).digest()


@functools.lru_cache(64)
def vrf_key(key):
    """The table of the public key, or None."""
    point = ristretto_of(key)
    return None if point is None or is_ristretto_neutral(point) else Table(point)


@functools.lru_cache(65536)
def vrf_verify(key, proof, alpha):
    """The 64 bytes of output, or None."""
    table, gamma = vrf_key(key), ristretto_of(proof[:32])
    c, s = int.from_bytes(proof[32:48], "little"), int.from_bytes(proof[48:], "little")
    if len(proof) != 80 or table is None or gamma is None or is_ristretto_neutral(gamma) or s >= L:
        return None
    h = ristretto_hashed(_hash(0x82, key, alpha))
    parts = BASE.times(s), table.times(c), multiply(s, h), multiply(c, gamma)
    u, v = add(parts[0], negate(parts[1])), add(parts[2], negate(parts[3]))
    if any(is_ristretto_neutral(x) for x in (*parts, u, v)):
        return None
    again = _hash(0x02, key, ristretto_bytes(h), proof[:32], ristretto_bytes(u), ristretto_bytes(v), b"\0")[:16]
    return vrf_output(proof) if again == proof[32:48] else None


def vrf_output(proof):
    return _hash(0x03, proof[:32], b"\0")


def vrf_prove(secret, alpha):
    """The proof, with the 32 bytes of a secret scalar."""
    x = int.from_bytes(secret, "little")
    key = ristretto_bytes(BASE.times(x))
    h = ristretto_hashed(_hash(0x82, key, alpha))
    encoded = ristretto_bytes(h)
    gamma = ristretto_bytes(multiply(x, h))
    k = int.from_bytes(_hash(0x81, secret, encoded), "little") % L
    c = _hash(0x02, key, encoded, gamma, ristretto_bytes(BASE.times(k)), ristretto_bytes(multiply(k, h)), b"\0")[:16]
    return gamma + c + ((int.from_bytes(c, "little") * x + k) % L).to_bytes(32, "little")
