"""Signing a mail for its domain (DKIM) in any form that RFC 6376 allows, by the parts of python3-dkim; for Debian's own Python,
whose package that is."""
import base64
import collections
import hashlib
import re
import subprocess

import dkim
import nacl.signing
from dkim.canonicalization import CanonicalizationPolicy
from dkim.crypto import RSASSA_PKCS1_v1_5_sign, parse_pem_private_key


class Key:
    """A key, and `p`, which its domain publishes of it."""

    def __init__(self, kind, bits=1024):
        self.kind = kind
        if kind == b"rsa":
            pem = subprocess.run(["openssl", "genrsa", "-traditional", str(bits)], capture_output=True, check=True).stdout
            der = subprocess.run(["openssl", "rsa", "-pubout", "-outform", "DER"], input=pem, capture_output=True, check=True).stdout
            self.secret, public = parse_pem_private_key(pem), der
        else:
            self.secret = nacl.signing.SigningKey.generate()
            public = self.secret.verify_key.encode()
        self.p = base64.b64encode(public)

    def sign(self, data):
        if self.kind == b"rsa":
            return bytes(RSASSA_PKCS1_v1_5_sign(hashlib.sha256(data), self.secret))
        return self.secret.sign(hashlib.sha256(data).digest()).signature


def split(mail):
    """[(name, value)] and the body, of a mail with CRLF."""
    header, _, body = mail.partition(b"\r\n\r\n")
    fields = []
    for line in (header + b"\r\n").split(b"\r\n")[:-1]:
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1][1] += b"\r\n" + line
        else:
            name, _, value = line.partition(b":")
            fields.append([name, value])
    return [(n, v + b"\r\n") for n, v in fields], body


def canon(way):
    """`way` as c= has it: (header, body)."""
    return CanonicalizationPolicy(*(dkim.canonicalization.ALGORITHMS[w] for w in way))


def canonical_body(way, body):
    return canon(way).canonicalize_body(body)


def signature(key, way, fields, names, value):
    """b= of a field DKIM-Signature with this value, whose own b= is empty, over the fields that `names` says."""
    policy, data, left = canon(way), b"", collections.defaultdict(list)
    for name, text in fields:
        left[name.lower()].append((name, text))
    for name in names:
        if left[name]:
            data += b":".join(policy.canonicalize_headers([left[name].pop()])[0])
    own = policy.canonicalize_headers([(b"DKIM-Signature", value + b"\r\n")])[0]
    return base64.b64encode(key.sign(data + own[0] + b":" + own[1].rstrip()))


def with_signature(value, b):
    return re.sub(rb"(^|[;\s])b=", lambda m: m[1] + b"b=" + b, value, count=1)
