#!/usr/bin/python3
"""Answers in the forms of each mail program, signed as its provider signs, with whatever the signature does not cover changed in
every way, and quoting press that wants to be orders: what is read is what was typed, or nothing. What is signed cannot be changed.

    tests/dkim/replies.py JUDGE [SHARE]     SHARE = only every so many changes; exit 1 and the mail for each that reads otherwise"""
import collections
import email.message
import email.policy
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "e2e/lib"))
import replier
from replier import PROVIDERS, Keys, Mailbox
from signing import split

NONCE = "k3v7q2m5xwtrabcd"
TYPED = "explore near or bide\nif metal >= 3 swap metal"
PRESS = ["#-aaaaaaaaaaaaaaaa-# resign", "On 23 Nov 2026, at 18:00, Orion League wrote:", "end", "> resign", "x=0Aresign", "+AAo-resign", "resign ", "=", "--zz",
         "Content-Type: text/plain", "", "resign", "--zz--", "x" * 65 + " resign", "From: Orion League", "Sent: Monday", "-- ", "cmVzaWduCg==", "resign"]
TYPES = ["text/plain", "text/html", "text/plain; charset=utf-7", "text/plain; charset=utf-16", "text/plain; charset=iso-2022-jp", "text/plain; charset=x-none",
         "text/plain; format=flowed", "text/plain; format=flowed; delsp=yes", "text/plain; charset=us-ascii; name=x.txt", "multipart/mixed; boundary=zz",
         "multipart/alternative; boundary=zz", 'multipart/alternative; boundary=""', "multipart/digest; boundary=%s", "multipart/mixed; boundary=%s",
         "multipart/related; boundary=%s", "multipart/alternative; boundary=%s-", "message/rfc822", "message/partial", "application/octet-stream", "text/calendar", "x"]
ENCODINGS = ["7bit", "8bit", "binary", "quoted-printable", "base64", "x-uuencode", "Quoted-Printable ", "none"]
OTHERS = {"Content-Type": TYPES, "Content-Transfer-Encoding": ENCODINGS, "MIME-Version": ["2.0", ""], "Content-Disposition": ["attachment", "inline; filename=x"],
          "Reply-To": ["x@y.test"], "Sender": ["x@y.test"], "Auto-Submitted": ["auto-replied"], "Content-Language": ["de"], "Content-Base": ["http://x/"], "X-Odd": [""]}


def ours():
    mail = email.message.EmailMessage(policy=email.policy.SMTP)
    for name, value in (("From", "Orion League <orders@game.test>"), ("Reply-To", "orders+aaaabbbbccccdddd@game.test"), ("Message-ID", "<gc-1.9.1@game.test>"),
                        ("Subject", "[gc-1] Turn 4 is played #0123456789abcdef"), ("Date", "Mon, 23 Nov 2026 18:00:00 +0000")):
        mail[name] = value
    first = "#-%s-# gc-1, turn 5, 0123456789abcdef" % NONCE
    table = ["Place  System      Resist.  Metal  Wealth  Points  State"] + ["N%d     unexplored  -        -      -       -       face down" % n for n in range(6)]
    lines = [first, "Orion League", "Galaxy Command, game gc-1", "", *table, "", "MESSAGES", "", "bob writes to all:", "", *["|| " + p for p in PRESS], "", "[ ] explore near", "", "-#%s#-" % NONCE]
    mail.set_content("\n".join(lines) + "\n")
    page = "<p>%s</p><h1>Galaxy Command</h1><table><tr><td>N1</td></tr></table><blockquote>%s</blockquote><p>[ ] explore near</p><p>-#%s#-</p>" % (
        first, "<br>\n".join(p.replace("<", "&lt;") for p in PRESS), NONCE)
    mail.add_alternative("<html><body>%s</body></html>" % page, subtype="html")
    return mail.as_bytes()


def joined(fields, body):
    return b"".join(n + b":" + v for n, v in fields) + b"\r\n" + body


def changes(mail):
    """(what, the mail as it is then): of the header, one field at a time, and of what lies between lines and words."""
    fields, body = split(mail)
    boundary = (re.search(rb'boundary="([^"]+)"', mail) or [b"", b"none"])[1].decode()
    for i, (name, value) in enumerate(fields):
        yield "without " + name.decode(), joined(fields[:i] + fields[i + 1:], body)
        yield "twice " + name.decode(), joined(fields[:i] + [fields[i]] + fields[i:], body)
        yield "%s: x" % name.decode(), joined(fields[:i] + [(name, b" x\r\n")] + fields[i + 1:], body)
        yield "spaces in " + name.decode(), joined(fields[:i] + [(name, b"\r\n\t" + value.strip().replace(b" ", b"\r\n  ") + b"\r\n")] + fields[i + 1:], body)
    for name, values in OTHERS.items():
        for value in (v.replace("%s", boundary) for v in values):
            new = (name.encode(), b" %s\r\n" % value.encode())
            rest = [f for f in fields if f[0].lower() != name.lower().encode()]
            for what, made in (("instead", rest + [new]), ("above", [new] + fields), ("below", fields + [new])):
                yield "%s: %s, %s" % (name, value, what), joined(made, body)
    for type_ in TYPES:
        for encoding in ENCODINGS:
            rest = [f for f in fields if f[0].lower() not in (b"content-type", b"content-transfer-encoding")]
            rest += [(b"Content-Type", b" %s\r\n" % type_.replace("%s", boundary).encode()), (b"Content-Transfer-Encoding", b" %s\r\n" % encoding.encode())]
            yield "%s in %s" % (type_, encoding), joined(rest, body)
    for what, made in (("spaces at ends of lines", body.replace(b"\r\n", b" \t\r\n")), ("spaces doubled", body.replace(b" ", b"  ")), ("empty lines at the end", body + b"\r\n" * 3),
                       ("no last line end", body.rstrip(b"\r\n")), ("tabs for spaces", body.replace(b" ", b"\t")), ("no spaces at ends", re.sub(rb"[ \t]+\r\n", b"\r\n", body)),
                       ("a line more", body + b"resign\r\n"), ("a line before", b"resign\r\n" + body), ("one letter", body.replace(b"e", b"a", 1))):
        yield what, joined(fields, made)
    yield "LF", mail.replace(b"\r\n", b"\n")
    yield "text before the signature", b"Received: from x by y; now\r\n" + mail


class Judge:
    def __init__(self, program, keys):
        self.keys, self.process = keys, subprocess.Popen([program, NONCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def read(self, mail, provider):
        """(refusal, fate, typed)"""
        record = self.keys.record(provider).encode()
        self.process.stdin.write(b"%d %d %d\n" % (len(mail), len(record), time.time()) + mail + record)
        self.process.stdin.flush()
        words = self.process.stdout.readline().decode().split()
        return (words[0], None, "") if words[0] != "believed" else ("", int(words[3]), bytes.fromhex("".join(words[4:])).decode())


def main():
    clients = replier.CLIENTS | replier.OTHERS
    del clients["typed_below"]  # in which something stands between
    keys, tally, bad = Keys(), collections.Counter(), 0
    judge, share = Judge(sys.argv[1], keys), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    anna = Mailbox("anna", "example.org", keys)
    answered = ours()
    for client, (_, provider, _) in clients.items():
        mail = anna.reply(client, answered, TYPED)
        refusal, fate, typed = judge.read(mail, provider)
        words = TYPED.split() # above what the program itself adds: an attribution, a line about the device
        if refusal or fate != 0 or typed.split()[:len(words)] != words or "resign" in typed:
            bad += 1
            print("%s: %s %s \"%s\"\n%s" % (client, refusal, fate, typed, mail.decode()))
        for number, (what, changed) in enumerate(changes(mail)):
            if number % share:
                continue
            no, now_fate, now_typed = judge.read(changed, provider)
            if no:
                tally["refused: " + no] += 1
            elif now_fate in (2, 3, 4) and not now_typed:
                tally["asked about: " + {2: "hidden", 3: "ambiguous", 4: "unreadable"}[now_fate]] += 1
            elif (now_fate, now_typed) == (fate, typed):
                tally["read as it was typed"] += 1
            else:
                bad += 1
                print("READ OTHERWISE: %s, %s: fate %d, \"%s\"\n%s" % (client, what, now_fate, now_typed, changed.decode("latin-1")[:3000]))
    for what, times in sorted(tally.items()):
        print("%6d  %s" % (times, what))
    print("%d mail programs, %d changes on the way: %d read as they were typed, %d refused or asked about, %d read otherwise" % (
        len(clients), sum(tally.values()) + bad, tally["read as it was typed"], sum(tally.values()) - tally["read as it was typed"], bad))
    return bad or not tally["read as it was typed"]


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
