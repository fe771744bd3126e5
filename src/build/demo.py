#!/usr/bin/env python3
"""make demo: a league in a folder of its own, whose mails stay there. Ada, who has only a mailbox, is invited and plays a turn by
pressing Reply; Bob plays one that he signs with ssh-keygen; both games are checked. Whatever does not come out as promised
fails the demo.

    demo.py PROGRAM FOLDER                  makes FOLDER, removing what was there, and plays
    demo.py PROGRAM FOLDER reply LINE...    Ada answers her newest mail with these lines
    demo.py PROGRAM FOLDER mail             shows her newest mail

FOLDER/turnpost is the program for the league of this folder, and has the last two as "demo reply" and "demo mail".

The name server with the key of Ada's mail domain is a thread of this process. Uses openssl, ssh-keygen and Python alone."""
import base64
import email
import email.policy
import email.utils
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import textwrap
import threading
import time

LEAGUE = "orders@league.example"
ADA, BOB = "ada@players.example", "bob@home.example"
DOMAIN, SELECTOR = "players.example", "demo"
ROBOTS = ["hal", "marvin"]
# None can be refused in turn 1, whatever the cards and dice: all systems are face down, and what is collected pays for it.
ADAS_ORDERS = ["1"]  # the first suggestion
BOBS_ORDERS = ["explore near", "build"]


class Failed(Exception):
    pass


# ---- the screen ----

def bold(text):
    return "\033[1m%s\033[0m" % text if sys.stdout.isatty() else text


def say(text):
    print(textwrap.fill(text, 78, subsequent_indent=" " * (len(text) - len(text.lstrip()))))


def heading(title):
    print("\n" + bold(title))


def here(path):
    """As one would type it in this folder."""
    path, here = pathlib.Path(path), pathlib.Path.cwd()
    return str(path.relative_to(here) if here in path.parents else path)


class Mail:
    """A mail of the league that has come, in a file of its own."""

    def __init__(self, path):
        self.path, self.message = path, email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        self.subject = self.message["Subject"]
        self.text = self.message.get_body(("plain",)).get_content().replace("\r\n", "\n")

    def find(self, pattern, what):
        found = re.search(pattern, self.text, re.M)
        if not found:
            raise Failed("%s has no %s:\n\n%s" % (here(self.path), what, self.text))
        return found[0]

    def items(self, mark, text):
        """The items of a list, of which each begins with this and goes on in lines that are further in."""
        return re.findall(r"^{0}.*(?:\n(?!{0}) +\S.*)*".format(mark), text, re.M)

    def news(self):
        """What happened, but for what concerns robots alone; of a mail that is no report, nothing."""
        _, _, told = self.text.partition("\nWHAT HAPPENED ")
        story = re.split(r"^[A-Z ]+$", told.partition("\n")[2], flags=re.M)[0]
        return [item for item in self.items(r"\* ", story) if not any(robot in item for robot in ROBOTS)]

    def choices(self):
        """The numbered suggestions."""
        return self.items(r" *\d+ +\[ \] ", self.text)

    def show(self, *parts):
        """Subject and these parts of the text, without the marks by which an answer is known."""
        lines = ["Subject: " + re.sub(r" #[0-9a-f]{16}$", "", self.subject)] + ["", *"\n".join(parts).split("\n")] * bool(parts)
        lines = [re.sub(r" #-[a-z2-7]{16}-# .*$", "", line) for line in lines]
        print("\n".join(("  | " + line).rstrip() for line in lines))

    def told(self):
        """Where it is; its page and its picture are written beside it, for a browser."""
        page, more = self.message.get_body(("html",)), ""
        if page:
            page, more = page.get_content(), " (.html for a browser"
            for part in self.message.walk():
                if part.get_content_type() == "image/png":
                    self.path.with_suffix(".png").write_bytes(part.get_content())
                    page, more = page.replace("cid:" + part["Content-ID"].strip("<> "), self.path.stem + ".png"), more + ", .png the board"
            self.path.with_suffix(".html").write_text(page, encoding="utf-8")
            more += ")"
        print("The whole mail: %s%s" % (here(self.path), more))


# ---- the league, and people's mail ----

class Demo:
    def __init__(self, program, folder):
        self.program, self.folder, self.league = program, folder, folder / "league"
        os.environ["TURNPOST_LEAGUE"] = str(self.league)

    def sh(self, *command, data=None):
        """Runs it in the folder; what it prints, on either stream."""
        done = subprocess.run([str(c) for c in command], cwd=self.folder, input=data, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise Failed("%s\nended with %d: %s" % (shlex.join(map(str, command)), done.returncode, done.stdout.decode(errors="replace")))
        return done.stdout

    def shown(self, *command, data=None):
        """The same, and the command is shown; as text."""
        print(bold("$ " + " ".join(c if c and not re.search(r"\s", c) else '"%s"' % c for c in command)))
        return self.sh(*(self.program if c == "turnpost" else c for c in command), data=data).decode(errors="replace")

    def run(self):
        """A batch, and what it says that it did, without time and name."""
        print(self.shown("turnpost", "run", "--verbose").split("turnpost: ")[-1].rstrip())

    def turn(self, game):
        return json.loads(self.sh(self.program, "show", game, "--json"))["turn"]

    def fetch(self, address):
        """The newest mail of those that have come, which are moved to FOLDER/NAME-1.eml, NAME-2.eml and so on; None: none has."""
        name, new = address.split("@")[0], self.league / "mail/out" / address / "new"
        mail = None
        for path in sorted(new.iterdir(), key=lambda p: (p.stat().st_mtime_ns, p.name)) if new.is_dir() else []:
            mail = Mail(path.rename(self.folder / ("%s-%d.eml" % (name, 1 + len(list(self.folder.glob(name + "-*.eml")))))))
        return mail

    def expect(self, address, what):
        mail = self.fetch(address)
        if not mail:
            raise Failed("%s has not come to %s. What the league knows of mails:\n%s" % (
                what, address, self.sh(self.program, "mail").decode(errors="replace")))
        return mail

    def deliver(self, name, raw):
        path = self.league / "mail/in/tmp" / ("%s-%d" % (name, time.time_ns()))
        path.write_bytes(raw)
        path.rename(self.league / "mail/in/new" / path.name)

    def write(self, address, to, subject, text, **more):
        """A mail, and its fields."""
        fields = {"From": "%s <%s>" % (address.split("@")[0].title(), address), "To": to, "Subject": subject, "Date": email.utils.formatdate(),
                  "Message-ID": email.utils.make_msgid(domain=address.split("@")[1]), **more, "MIME-Version": "1.0",
                  "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "8bit"}
        return list(fields), "".join("%s: %s\r\n" % f for f in fields.items()).encode(), text.replace("\n", "\r\n").encode()

    # ---- Ada's mail provider ----

    def serve(self):
        """Answers the league's questions for the key of Ada's domain, for as long as this process lives."""
        public = self.sh("openssl", "pkey", "-in", "dkim.pem", "-pubout", "-outform", "DER")
        record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
        strings = b"".join(bytes([len(record[i:i + 255])]) + record[i:i + 255] for i in range(0, len(record), 255))
        asked = b"".join(bytes([len(label)]) + label.encode() for label in (SELECTOR + "._domainkey." + DOMAIN).split(".")) + b"\0\0\x10\0\x01"
        server = socket.socket(type=socket.SOCK_DGRAM)
        server.bind(("127.0.0.1", 0))

        def answer():
            while True:
                query, sender = server.recvfrom(4096)
                question = query[12:query.index(b"\0", 12) + 5]  # (RFC 1035, 4.1)
                known = question.lower() == asked
                head = query[:2] + struct.pack(">HHHHH", 0x8580 if known else 0x8583, 1, known, 0, 0)
                server.sendto(head + question + (struct.pack(">HHHIH", 0xC00C, 16, 1, 60, len(strings)) + strings if known else b""), sender)

        threading.Thread(target=answer, daemon=True).start()
        self.configure(server="127.0.0.1@%d" % server.getsockname()[1])

    def configure(self, **options):
        """Options of league.ini."""
        path = self.league / "league.ini"
        text = path.read_text()
        for name, value in options.items():
            text = re.sub(r"(?m)^#?%s =.*" % name, "%s = %s" % (name, value), text, count=1)
        path.write_text(text)

    def signed(self, names, head, body):
        """By the domain (DKIM, RFC 6376), whose signature goes above the mail."""
        field = "DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=%s; s=%s;\r\n h=%s;\r\n bh=%s;\r\n b=" % (
            DOMAIN, SELECTOR, ":".join(names), base64.b64encode(hashlib.sha256(body).digest()).decode())
        b = base64.b64encode(self.sh("openssl", "dgst", "-sha256", "-sign", "dkim.pem", data=head + field.encode()))
        return field.encode() + b"\r\n  ".join(b[i:i + 72] for i in range(0, len(b), 72)) + b"\r\n" + head + b"\r\n" + body

    # ---- what people do ----

    def reply(self, mail, lines):
        """Ada presses Reply, types, and presses Send; her program quotes the mail below."""
        print("\nYou press Reply and type:\n%s\n" % "\n".join("  " + line for line in lines))
        to = mail.message["Reply-To"] or mail.message["From"]
        quote = "".join("> %s\n" % line for line in mail.text.rstrip("\n").split("\n"))
        on = mail.message["Date"].datetime.strftime("On %a, %b %-d, %Y at %-I:%M %p")
        text = "%s\n\n%s Demo League <%s> wrote:\n\n%s" % ("\n".join(lines), on, to.addresses[0].addr_spec, quote)
        self.deliver("ada", self.signed(*self.write(ADA, to, "Re: " + mail.subject, text, **{"In-Reply-To": mail.message["Message-ID"]})))

    def sign(self, form, lines):
        """Bob fills in a form of the league's, signs it, and mails both."""
        fields = [line for line in form.split("\n") if re.match(r"#turnpost |\w+: ", line)]
        name = fields[0].split()[1] + ".txt"
        (self.folder / name).write_text("".join(line + "\n" for line in [*fields, *lines, "#end"]))
        print(self.shown("cat", name), end="")
        self.shown("ssh-keygen", "-q", "-Y", "sign", "-n", "orders@turnpost", "-f", "bob", name)
        text = (self.folder / name).read_text() + (self.folder / (name + ".sig")).read_text()
        _, fields, body = self.write(BOB, LEAGUE, "My text", text)
        self.deliver("bob", fields + b"\r\n" + body)

    def report(self, address, game, turn):
        """What came of a turn, which must have been resolved."""
        mail = self.expect(address, "the report of turn %d" % turn)
        if self.turn(game) != turn + 1:
            raise Failed("turn %d of %s was not resolved. The answer:\n\n%s" % (turn, game, mail.text))
        lines = "\n".join(mail.news()).split("\n")
        mail.show(*lines[:11], *["  ..."] * (len(lines) > 11))
        mail.told()
        for path in (mail.path.with_suffix(".html"), mail.path.with_suffix(".png")):
            if not (mail.news() and path.exists()):
                raise Failed("%s holds no news, page or picture" % here(mail.path))
        return mail

    # ---- the scenes ----

    def invited(self):
        heading("1 OF 4  You get a mail")
        say("A league in %s. Its mails stay on this machine. You are Ada, with a mailbox and nothing else: %s." % (here(self.folder), ADA))
        print()
        self.shown("turnpost", "init", "league", "--name", "Demo League", "--address", LEAGUE)
        self.configure(trust="mail", pictures="yes", root_key="")
        self.sh("openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "dkim.pem")
        self.serve()
        self.shown("turnpost", "new", "gc-1", "galaxy-command", "--seats", "robot:" + ROBOTS[0], "--open", "1", "--deadline", "3d")
        self.shown("turnpost", "invite", "--to", ADA)
        self.sh(self.program, "run")
        mail = self.expect(ADA, "the invitation")
        word = mail.find(r"^register \w+$|\bok( \w+)?$", "words to answer with")
        mail.show(mail.text.partition(word)[0] + word)
        mail.told()
        self.reply(mail, [word])
        self.sh(self.program, "run")
        self.expect(ADA, "an answer to that")

    def by_reply(self):
        heading("2 OF 4  You press Reply and type: 1")
        say("The ok made you a player and took the seat: the game has begun. Your mail provider signs what you send, and so vouches for you. "
            "Here this machine is your provider.")
        print()
        mails = [Mail(path) for path in self.folder.glob("ada-*.eml")]
        mail = next((mail for mail in mails if mail.choices()), None)
        if not mail:
            raise Failed("Ada has no seat. Her mails:\n\n" + "\n".join(mail.text for mail in mails))
        mail.show(*mail.choices())
        self.reply(mail, ADAS_ORDERS)
        self.run()
        return self.report(ADA, "gc-1", 1)

    def by_key(self):
        heading("3 OF 4  Bob makes a key, and signs instead")
        say("Bob has a game of his own, if he says so. He fills in the forms that come, signs them, and mails text and signature. Only this key plays for him.")
        print()
        self.shown("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "bob")
        self.shown("turnpost", "player", "add", "bob", BOB, "bob.pub")
        self.shown("turnpost", "new", "gc-2", "galaxy-command", "--seats", "bob,robot:" + ROBOTS[1], "--deadline", "3d")
        for what, verb, lines in (("what asks him", "join", []), ("the first report", "orders", BOBS_ORDERS)):
            self.sh(self.program, "run")
            form = self.expect(BOB, what).find(r"^#turnpost %s\n(.*\n)*?#end$" % verb, "form")
            self.sign(form, lines)
        self.run()
        return self.report(BOB, "gc-2", 1)

    def checked(self, report):
        heading("4 OF 4  Trust nobody: check it")
        for line in self.shown("turnpost", "audit", "gc-1", "gc-2").splitlines():
            say(line)
        print()
        say("What rests on the operator's word: keys/CHEATS.md. A report proves itself, too:")
        for line in self.shown("turnpost", "verify", report.path.name, "--policy", "league/keys/league.policy").splitlines():
            say(line)


def play(demo):
    if demo.folder.exists():
        shutil.rmtree(demo.folder)
    demo.folder.mkdir(parents=True)
    demo.invited()
    ada = demo.by_reply()
    demo.checked(demo.by_key())
    wrapper = demo.folder / "turnpost"
    program = shlex.quote(str(demo.program))
    wrapper.write_text('''#!/bin/sh
# The program, for the league of this folder; and "demo reply LINE..." and "demo mail": Ada answers her newest mail, and reads it.
folder=$(dirname "$0")
[ "$1" = demo ] && shift && exec python3 %s %s "$folder" "${@:-mail}"
TURNPOST_LEAGUE=$folder/league exec %s "$@"
''' % (shlex.quote(str(pathlib.Path(__file__).resolve())), program, program))
    wrapper.chmod(0o755)
    turnpost = shlex.quote(here(wrapper))
    heading("How to go on")
    print("Look, in a browser: %s\nThe board in it:    %s\n" % tuple(here(ada.path.with_suffix(s)) for s in (".html", ".png")))
    print("Play two more turns, read your mail, and have all turns checked:\n")
    print('    %s demo reply "explore near"\n    %s demo reply 1\n    %s demo mail\n    %s audit gc-1\n' % ((turnpost,) * 4))
    print('For real: turnpost init my-league (README.md, "A league in ten lines").')


def newest(demo):
    return Mail(max(demo.folder.glob("ada-*.eml"), key=lambda path: int(path.stem.split("-")[1])))


def answer(demo, lines):
    """One more answer of Ada's, and what comes back."""
    if not lines:
        sys.exit('Say what you type, each line in quotes: demo reply "explore near" build')
    demo.serve()
    demo.reply(newest(demo), lines)
    demo.run()
    mail = demo.expect(ADA, "an answer")
    if mail.news():
        mail.show(*mail.news(), "", *mail.choices())
    else:
        mail.show(mail.text.rstrip())
    mail.told()


def read(demo):
    """Ada's newest mail."""
    mail = newest(demo)
    mail.show(mail.text.rstrip())
    mail.told()


def main(program, folder, *rest):
    sys.stdout.reconfigure(line_buffering=True, errors="replace")
    demo = Demo(pathlib.Path(program).resolve(), pathlib.Path(folder).resolve())
    try:
        if not rest:
            play(demo)
        elif rest[0] == "reply":
            answer(demo, rest[1:])
        elif rest == ("mail",):
            read(demo)
        else:
            sys.exit('usage: turnpost demo reply LINE... | turnpost demo mail')
    except (Failed, OSError) as error:
        sys.exit("\nThe demo has failed: %s" % error)


if __name__ == "__main__":
    main(*sys.argv[1:])
