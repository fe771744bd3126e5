"""A player whose key is a passkey: what a browser and an authenticator do on a page, in Python (arithmetic of the second verifier)."""
import base64
import hashlib
import secrets
import struct
import sys

from league import ADDRESS, TESTS, Player  # noqa: F401

sys.path.insert(0, str(TESTS / "verifier"))
import forms
import p256

PRESENT, VERIFIED = 1, 4


def mpint(number):
    data = number.lstrip(b"\0")
    return forms.wire(b"\0" + data if data[:1] >= b"\x80" else data)


class Passkey(Player):
    """`form`: as it is registered, "webauthn" or "webauthn-verified"; "" = a security token on P-256, whose signatures are its own."""

    def __init__(self, name, form="webauthn", host="orders.example.org"):
        self.form, self.host, self.counter = form, host, 0
        self.secret = secrets.randbelow(p256.N - 1) + 1
        super().__init__(name, "passkey")

    def make_key(self):
        blob = self.blob()
        self.public = self.dir / "passkey.pub"
        self.public.write_text(" ".join([forms.SK_EC, base64.b64encode(blob).decode(), self.form]).strip() + "\n")

    def blob(self):
        return forms.wire(forms.SK_EC.encode()) + forms.wire(b"nistp256") + forms.wire(b"\4" + p256.public(self.secret)) + forms.wire(self.host.encode())

    def fingerprint(self):
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob()).digest()).decode().rstrip("=")

    def sign(self, text, **wrong):
        return text, "orders.txt.sig", self.armor(text, **wrong)

    def armor(self, text, flags=None, origin=None, cross="false", high=False, as_token=None, again=None):
        """The signature file. `again`: r ‖ s of an earlier one, in its other form."""
        signed = forms.ssh_signed("orders@turnpost", "sha512", text.encode())
        as_token = not self.form if as_token is None else as_token
        flags = PRESENT | (VERIFIED if self.form == "webauthn-verified" else 0) if flags is None else flags
        origin = origin or "https://" + self.host
        challenge = base64.urlsafe_b64encode(signed).decode().rstrip("=")
        client = '{"type":"webauthn.get","challenge":"%s","origin":"%s","crossOrigin":%s}' % (challenge, origin, cross)
        head = bytes([flags]) + struct.pack(">I", self.counter)  # a synchronised passkey counts nothing
        given = signed if as_token else client.encode()
        message = hashlib.sha256(self.host.encode()).digest() + head + hashlib.sha256(given).digest()
        self.last = again or p256.sign(self.secret, message, secrets.randbelow(p256.N - 1) + 1)
        s = int.from_bytes(self.last[32:], "big")
        sig = self.last[:32] + ((p256.N - s) if high else s).to_bytes(32, "big")
        word = forms.SK_EC if as_token else "webauthn-" + forms.SK_EC
        inner = forms.wire(word.encode()) + forms.wire(mpint(sig[:32]) + mpint(sig[32:])) + head
        if not as_token:
            inner += forms.wire(origin.encode()) + forms.wire(client.encode()) + forms.wire(b"")
        blob = b"SSHSIG" + struct.pack(">I", 1) + forms.wire(self.blob()) + forms.wire(b"orders@turnpost")
        blob += forms.wire(b"") + forms.wire(b"sha512") + forms.wire(inner)
        coded = base64.b64encode(blob).decode()
        rows = "\n".join(coded[i : i + 70] for i in range(0, len(coded), 70))
        return "-----BEGIN SSH SIGNATURE-----\n%s\n-----END SSH SIGNATURE-----\n" % rows
