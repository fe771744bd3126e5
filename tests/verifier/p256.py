"""ECDSA over P-256 (FIPS 186-4) with SHA-256 in plain Python; signing as well, for tests, with whatever secret and nonce."""
import functools
import hashlib

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
INFINITY = (1, 1, 0)  # (X, Y, Z) with x = X/Z², y = Y/Z³


def on_curve(x, y):
    return 0 <= x < P and 0 <= y < P and (y * y - x * x * x + 3 * x - B) % P == 0


def _double(a):
    x, y, z = a
    if not z:
        return a
    zz, yy = z * z % P, y * y % P
    s, m = 4 * x * yy % P, 3 * (x - zz) * (x + zz) % P
    x3 = (m * m - 2 * s) % P
    return x3, (m * (s - x3) - 8 * yy * yy) % P, 2 * y * z % P


def _add(a, b):
    if not a[2] or not b[2]:
        return a if a[2] else b
    za, zb = a[2] * a[2] % P, b[2] * b[2] % P
    u, v = a[0] * zb % P, b[0] * za % P
    s, t = a[1] * zb * b[2] % P, b[1] * za * a[2] % P
    if u == v:
        return _double(a) if s == t else INFINITY
    h, r = v - u, t - s
    hh = h * h % P
    hhh, w = h * hh % P, u * hh % P
    x = (r * r - hhh - 2 * w) % P
    return x, (r * (w - x) - s * hhh) % P, a[2] * b[2] * h % P


def multiply(n, point):
    out, a = INFINITY, (point[0], point[1], 1)
    for bit in bin(n)[2:]:
        out = _double(out)
        if bit == "1":
            out = _add(out, a)
    return out


def affine(a):
    inverse = pow(a[2], -1, P)
    return a[0] * inverse * inverse % P, a[1] * inverse**3 % P


@functools.lru_cache(4096)
def verify(point, sig, message):
    """`point`: x ‖ y; `sig`: r ‖ s in its normal form, with the lower s."""
    x, y = int.from_bytes(point[:32], "big"), int.from_bytes(point[32:], "big")
    r, s = int.from_bytes(sig[:32], "big"), int.from_bytes(sig[32:], "big")
    if len(point) != 64 or len(sig) != 64 or not on_curve(x, y) or not 0 < r < N or not 0 < s <= N // 2:
        return False
    e, w = int.from_bytes(hashlib.sha256(message).digest(), "big"), pow(s, -1, N)
    sum_ = _add(multiply(e * w % N, BASE), multiply(r * w % N, (x, y)))
    return bool(sum_[2]) and affine(sum_)[0] % N == r


def public(secret):
    x, y = affine(multiply(secret, BASE))
    return x.to_bytes(32, "big") + y.to_bytes(32, "big")


def sign(secret, message, nonce, high=False):
    r = affine(multiply(nonce, BASE))[0] % N
    e = int.from_bytes(hashlib.sha256(message).digest(), "big")
    s = pow(nonce, -1, N) * (e + r * secret) % N
    if (s > N // 2) != high:
        s = N - s
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")
