"""The same by stock tools, where there are some: b2sum for heads, ssh-keygen and signify for players' signatures. (What the
journal keeps of a minisign signature is too little for minisign, and no tool knows the league's signature under a record.)"""
import base64
import collections
import pathlib
import shutil
import struct
import subprocess
import tempfile

import forms
import journal
from boxes import Keys


def run(*args, stdin=b""):
    return subprocess.run([str(a) for a in args], input=stdin, capture_output=True)


def mpint(number):
    number = number.lstrip(b"\0")
    return b"\0" + number if number[:1] >= b"\x80" else number


def armored(signature):
    """The file that ssh-keygen -Y verify takes."""
    word, coded = signature["key"].split(" ")[:2]
    kind, _, _, application = forms.key_of(signature["key"])
    sig = base64.b64decode(signature["sig"])
    if kind in forms.ON_P256:
        sig = b"".join(forms.wire(mpint(part)) for part in (sig[:32], sig[32:]))
    inner = forms.wire((("webauthn-" if kind in forms.PASSKEYS else "") + word).encode()) + forms.wire(sig)
    if "flags" in signature:
        inner += bytes([signature["flags"]]) + struct.pack(">I", signature["counter"])
    if kind in forms.PASSKEYS:
        inner += forms.wire(b"https://" + application) + forms.wire(signature["client_data"].encode()) + forms.wire(b"")
    blob = b"SSHSIG" + struct.pack(">I", 1) + forms.wire(base64.b64decode(coded)) + forms.wire(signature["namespace"].encode())
    blob += forms.wire(b"") + forms.wire(signature["hash"].encode()) + forms.wire(inner)
    text = base64.b64encode(blob).decode()
    rows = "\n".join(text[i : i + 70] for i in range(0, len(text), 70))
    return "-----BEGIN SSH SIGNATURE-----\n%s\n-----END SSH SIGNATURE-----\n" % rows


def by_ssh_keygen(folder, signature, text):
    (folder / "sig").write_text(armored(signature))
    (folder / "allowed").write_text("player %s\n" % signature["key"])
    done = run("ssh-keygen", "-Y", "verify", "-f", folder / "allowed", "-I", "player", "-n", signature["namespace"], "-s", folder / "sig", stdin=text)
    return done.returncode == 0


def by_signify(folder, signature, text):
    number = base64.b64decode(signature["key"].split(" ")[1])[2:10]
    raw = b"Ed" + number + base64.b64decode(signature["sig"])
    (folder / "sig").write_text("untrusted comment: signature\n%s\n" % base64.b64encode(raw).decode())
    (folder / "pub").write_text("untrusted comment: public key\n%s\n" % signature["key"].split(" ")[1])
    (folder / "text").write_bytes(text)
    return run("signify-openbsd", "-V", "-q", "-p", folder / "pub", "-x", folder / "sig", "-m", folder / "text").returncode == 0


def signed(lines):
    """The number of each record of orders that a player signed, and what is in its box, of a game that is open."""
    keys = Keys(journal.seal_key(lines))
    for line in lines:
        record = forms.read_json(line)
        if record["type"] == "orders" and keys.seal and "vouched" not in record:
            seal = bytes.fromhex(record["seal"])
            yield record["seq"], forms.read_json(keys.opened(record["box"], seal, record["game"], record["seq"], record["seat"], 0)[0])


def check(data, most=10**9):
    """((record, why) or None, how often each tool was asked)."""
    counts = collections.Counter()
    lines = data.split(b"\n")[:-1]
    for seq, line in enumerate(lines[: most + 1], 1):
        if seq > 1:
            done = run("b2sum", "-l", "256", stdin=journal.LOG + lines[seq - 2] + b"\n")
            counts["b2sum"] += 1
            if done.stdout.split()[0].decode() != forms.read_json(line)["prev"]:
                return (seq, '"prev" is not what b2sum gives for the record before'), counts
    asked = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seq, inside in signed(lines):
            kind = inside["signature"]["key"].split(" ")[0]
            tool = "ssh-keygen" if kind in forms.OPENSSH else "signify-openbsd" if kind == "signify" else None
            if not tool or not shutil.which(tool) or asked[tool] >= most:
                continue
            asked[tool] += 1
            counts[tool] += 1
            by = by_ssh_keygen if tool == "ssh-keygen" else by_signify
            if not by(pathlib.Path(folder), inside["signature"], inside["text"].encode()):
                return (seq, "%s does not verify its signature" % tool), counts
    return None, counts
