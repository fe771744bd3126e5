#!/usr/bin/env python3
"""Mail servers that misbehave, each in one way: fake.py DIR SCENARIO...

DIR holds server.pem and server.key. The scenarios are the classes imap_*, smtp_*, box_* and post_* below; "imap", "smtp", "box",
"post", "pipe" (post_* with PIPELINING) and "strict" stand for all of a kind. Prints a line SCENARIO=PORT for each and then "ready", and serves until it is killed or its
parent is gone.

box_* are mailboxes and post_* mail takers with a memory, in DIR/SCENARIO: they misbehave on their first connection (or as
they say) and are polite from then on, so that a test can see that nothing was lost. strict_* are mailboxes that behave.

Every IMAP server here answers BAD to a command that RFC 3501 does not have in just this form (strict.py).
"""
import base64
import hashlib
import os
import re
import socket
import ssl
import sys
import threading
import time

import strict


class Line:
    """A connection, plain or TLS, read by lines."""

    def __init__(self, sock, folder):
        self.sock, self.folder, self.data = sock, folder, b""
        self.sends = None  # the connection is cut within the answer after so many

    def tls(self, name="server"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder + "/%s.pem" % name, self.folder + "/%s.key" % name)
        self.sock, self.data = context.wrap_socket(self.sock, server_side=True), b""

    def send(self, text):
        data = text if isinstance(text, bytes) else text.replace("\n", "\r\n").encode()
        if self.sends == 0:
            self.sock.sendall(data[:len(data) // 2])
            raise EOFError
        self.sends = self.sends and self.sends - 1
        self.sock.sendall(data)

    def trickle(self, text):
        """A byte now and then, for ever."""
        while True:
            self.sock.sendall(text)
            time.sleep(0.2)

    def read_raw(self):
        """With its end."""
        while b"\n" not in self.data:
            more = self.sock.recv(65536)
            if not more:
                raise EOFError
            self.data += more
        line, self.data = self.data.split(b"\n", 1)
        return line + b"\n"

    def read(self):
        return self.read_raw()[:-1].rstrip(b"\r").decode()


# ---- IMAP ----------------------------------------------------------------------------------------------------

class Imap:
    """A polite server with one mailbox of three mails; scenarios change single answers."""
    capabilities = "IMAP4rev1 AUTH=PLAIN SASL-IR UIDPLUS MOVE IDLE"
    state = "new"

    def __init__(self, line):
        self.line = line

    def serve(self):
        self.line.tls()
        self.line.send("* OK ready\n")
        while True:
            line = self.line.read_raw()
            wrong = strict.wrong(line, self.capabilities.split(), self.state)
            self.tag, _, command = line.decode(errors="replace").rstrip("\r\n").partition(" ")
            if wrong:
                self.ok("", "BAD " + wrong)
                continue
            self.command(command)
            self.state = {"AUTHENTICATE": "in", "LOGIN": "in", "SELECT": "selected"}.get(command.split()[0], self.state)

    def ok(self, data="", text="OK done"):
        self.line.send(data + self.tag + " " + text + "\n")

    def command(self, command):
        verb = command.replace("UID ", "UID-").split()[0].lower().replace("-", "_")
        getattr(self, "do_" + verb, self.other)(command)

    def other(self, command):
        self.ok()

    def do_capability(self, command):
        self.ok("* CAPABILITY " + self.capabilities + "\n")

    def do_list(self, command):
        self.ok('* LIST () "/" Processed\n')

    def do_select(self, command):
        self.ok("* 3 EXISTS\n* OK [UIDVALIDITY 7] ok\n", "OK [READ-WRITE] done")

    def do_uid_search(self, command):
        self.ok("* SEARCH 3 1 2\n")

    uids = (1, 2, 3)

    def do_uid_fetch(self, command):
        data = ""
        for uid in self.uids:
            if "SIZE" in command:
                data += '* %d FETCH (UID %d RFC822.SIZE 17 INTERNALDATE "01-Feb-2026 10:00:00 +0100")\n' % (uid, uid)
            else:
                text = "Subject: %d\n\nx\n" % uid
                data += "* %d FETCH (UID %d BODY[] {%d}\n%s)\n" % (uid, uid, len(text) + 3, text)
        self.ok(data)

    def do_idle(self, command):
        self.line.send("+ idling\n")
        self.done()

    def done(self):
        line = self.line.read_raw()
        self.ok("", "OK done" if line == b"DONE\r\n" else "BAD %r is not DONE" % line)

    def do_logout(self, command):
        self.ok("* BYE see you\n")
        raise EOFError


class imap_polite(Imap):
    pass


class imap_injection(Imap):
    """Text after the plain OK of STARTTLS must not be taken for the encrypted server's."""

    def serve(self):
        self.line.send("* OK ready\n")
        while True:
            tag, _, command = self.line.read().partition(" ")
            if command == "STARTTLS":
                self.line.send(tag + " OK go\n* OK slipped in\n")
                self.line.tls()
            else:
                self.line.send("* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN\n" + tag + " OK done\n")


class imap_plain(Imap):
    """No STARTTLS on offer: the password must not be sent."""

    def serve(self):
        self.line.send("* OK ready\n")
        while True:
            tag, _, command = self.line.read().partition(" ")
            if command.startswith(("LOGIN", "AUTH")):
                print("password seen", flush=True)
            self.line.send("* CAPABILITY IMAP4rev1 AUTH=PLAIN\n" + tag + " OK done\n")


class imap_preauth(Imap):
    """A greeting that would skip encryption and login."""

    def serve(self):
        self.line.send("* PREAUTH come in\n")
        while True:
            self.tag, _, command = self.line.read().partition(" ")
            self.command(command)


class imap_mute(Imap):
    """Never says a word."""

    def serve(self):
        threading.Event().wait()


class imap_busy(Imap):
    def do_authenticate(self, command):
        self.ok("", "NO [UNAVAILABLE] come back later")


class imap_login_only(Imap):
    capabilities = "IMAP4rev1"

    def do_login(self, command):
        self.ok("", "OK in" if command == "LOGIN orders secret" else "NO wrong")


class imap_xoauth2(Imap):
    capabilities = "IMAP4rev1 SASL-IR AUTH=PLAIN AUTH=XOAUTH2"

    def do_authenticate(self, command):
        word = command.split()
        want = base64.b64encode(b"user=orders\1auth=Bearer t0ken\1\1").decode()
        self.ok("", "OK in" if word[1:] == ["XOAUTH2", want] else "NO wrong")


class imap_no_list(Imap):
    """Answers CAPABILITY, once logged in, without the list."""
    seen = 0

    def do_capability(self, command):
        self.seen += 1
        self.ok("* CAPABILITY " + self.capabilities + "\n" if self.seen == 1 else "")


class imap_quicker(Imap):
    """Somebody else creates the folder between our LIST and CREATE."""

    def do_list(self, command):
        self.ok()

    def do_create(self, command):
        self.ok("", "NO [ALREADYEXISTS] it is there")


class imap_no_create(imap_quicker):
    def do_create(self, command):
        self.ok("", "NO [CANNOT] not below the root")


class imap_literal(Imap):
    def do_uid_fetch(self, command):
        if "SIZE" in command:
            Imap.do_uid_fetch(self, command)
        else:
            self.line.send("* 1 FETCH (UID 1 BODY[] {4000000000}\nx")


class imap_flood(Imap):
    def do_uid_fetch(self, command):
        while True:
            self.line.send("* 1 FETCH (FLAGS ())\n" * 1000)


class imap_brackets(Imap):
    def do_uid_search(self, command):
        self.line.send("* 1 FETCH (BODYSTRUCTURE " + "(" * 1000000)


class imap_cut(Imap):
    """Ends inside a literal."""

    def do_uid_fetch(self, command):
        if "SIZE" in command:
            Imap.do_uid_fetch(self, command)
        else:
            self.line.send("* 1 FETCH (UID 1 BODY[] {17}\nSub")
            raise EOFError


class imap_silent(Imap):
    def do_uid_search(self, command):
        threading.Event().wait()


class imap_garbage(Imap):
    def do_uid_search(self, command):
        self.line.send("\0\1\2 what?\n")


class imap_vanished(Imap):
    """One mail is gone when its text is asked for, and the server says NO for the whole command."""

    def do_uid_fetch(self, command):
        self.uids = (1, 2, 3) if "SIZE" in command else (1, 3)
        Imap.do_uid_fetch(self, command)

    def ok(self, data="", text="OK done"):
        Imap.ok(self, data, "NO some are gone" if "BODY[]" in data else text)


class imap_crowded(Imap):
    """300,000 mails."""

    def do_uid_search(self, command):
        self.ok("* SEARCH %s\n* SEARCH\n* 3 EXISTS\n* search 299999 300000\n" % " ".join(map(str, range(299999, 0, -1))))

    def do_uid_fetch(self, command):
        self.uids = [uid for a, b in re.findall("([0-9]+)(?::([0-9]+))?", command.split()[2]) for uid in range(int(a), int(b or a) + 1)]
        Imap.do_uid_fetch(self, command)


class imap_numberless(Imap):
    """SEARCH has one number that is too large, the second time a word."""
    words = ["4294967296", "two"]

    def do_uid_search(self, command):
        self.ok("* SEARCH 3 %s 5\n" % self.words.pop(0))


class imap_refusing(Imap):
    def do_uid_fetch(self, command):
        self.ok("", "NO [SERVERBUG] not today")


class imap_early_exists(Imap):
    """EXISTS before the "+" of IDLE."""

    def do_uid_search(self, command):
        self.ok("* SEARCH\n")

    def do_idle(self, command):
        self.line.send("* 4 EXISTS\n+ idling\n")
        self.done()


class imap_no_idle(Imap):
    capabilities = "IMAP4rev1 AUTH=PLAIN SASL-IR UIDPLUS MOVE"


class imap_late_exists(imap_early_exists):
    """A mail is told of in the answer to the search that did not find it, and never again."""

    def do_uid_search(self, command):
        self.ok("* SEARCH\n* 4 EXISTS\n")

    def do_idle(self, command):
        Imap.do_idle(self, command)


class imap_idle_bye(imap_early_exists):
    def do_idle(self, command):
        self.line.send("+ idling\n* BYE closing down\n")
        raise EOFError


class imap_idle_stuck(imap_early_exists):
    def do_idle(self, command):
        self.line.send("+ idling\n")
        threading.Event().wait()


class imap_closing(Imap):
    """Never answers LOGOUT."""

    def do_logout(self, command):
        threading.Event().wait()


def refusing(verb, answer):
    """Makes a server that answers one command so, when it comes after the login."""
    def reply(self, command):
        if self.state == "new":
            return getattr(Imap, "do_" + verb, Imap.other)(self, command)
        self.ok("", answer)
    name = "imap_%s_%s%s" % (answer.split()[0].lower(), verb, "_later" if "later" in answer else "")
    globals()[name] = type(name, (Imap,), {"do_" + verb: reply})


for verb in ("capability", "list", "select", "uid_search", "uid_fetch", "uid_move"):
    for answer in ("BAD what is that", "NO [NOPERM] not for you", "NO [UNAVAILABLE] come back later"):
        refusing(verb, answer)


# ---- SMTP (TLS from the start) -------------------------------------------------------------------------------

class Smtp:
    """Takes everything; prints a line "mail SIZE" for each mail."""

    def __init__(self, line):
        self.line = line
        self.mails = 0

    def serve(self):
        self.line.tls()
        self.greet()
        while True:
            command = self.line.read()
            verb = command.split()[0].lower()
            getattr(self, "do_" + verb, self.other)(command)

    def greet(self):
        self.line.send("220 ready\n")

    def other(self, command):
        self.line.send("250 fine\n")

    def do_ehlo(self, command):
        self.line.send("250-fake\n250-AUTH PLAIN\n250 SIZE 1000000\n")

    def do_auth(self, command):
        self.line.send("334 \n")
        self.line.read()
        self.line.send("235 in\n")

    def do_data(self, command):
        self.line.send("354 go on\n")
        size = 0
        while (text := self.line.read()) != ".":
            size += len(text) + 2
        self.mails += 1
        self.end_of_data(size)

    def end_of_data(self, size):
        print("mail", size, flush=True)
        self.line.send("250 taken\n")

    def do_quit(self, command):
        self.line.send("221 bye\n")
        raise EOFError


class smtp_polite(Smtp):
    pass


class smtp_two_each(Smtp):
    """Hangs up after two mails on one connection, without a word."""

    def do_mail(self, command):
        if self.mails == 2:
            raise EOFError
        self.other(command)


class smtp_two_each_421(Smtp):
    def do_mail(self, command):
        if self.mails == 2:
            self.line.send("421 4.7.0 enough for one connection\n")
            raise EOFError
        self.other(command)


class smtp_no_goodbye(Smtp):
    def do_quit(self, command):
        print("quit seen", flush=True)
        threading.Event().wait()


class smtp_lost(Smtp):
    """Hangs up after the final dot."""

    def end_of_data(self, size):
        raise EOFError


class smtp_rejects_data(Smtp):
    def end_of_data(self, size):
        self.line.send("554 5.6.0 not that text\n")


class smtp_greylists(Smtp):
    """Puts each recipient off once, as a server does that does not know us yet; prints what it takes: "taken ID RECIPIENT DIGEST"."""

    known, lock = set(), threading.Lock()

    def do_rcpt(self, command):
        with self.lock:
            known = command in self.known
            self.known.add(command)
        self.to = command[command.index("<") + 1:command.index(">")]
        self.line.send("250 fine\n" if known else "451 4.7.1 greylisted, come back later\n")

    def do_data(self, command):
        self.line.send("354 go on\n")
        lines = []
        while (text := self.line.read()) != ".":
            lines.append(text)
        ident = next(line for line in lines if line.lower().startswith("message-id:")).split("<")[1].split("@")[0]
        with self.lock:
            print("taken", ident, self.to, hashlib.sha256("\n".join(lines).encode()).hexdigest(), flush=True)
        self.line.send("250 taken\n")


class smtp_dislikes(Smtp):
    """Puts off the text of the first mail that it sees, and takes all others."""

    seen, lock = set(), threading.Lock()

    def end_of_data(self, size):
        with self.lock:
            first = not self.seen
            self.seen.add(size)
        if first:
            self.line.send("451 4.7.0 that text looks odd, try later\n")
        else:
            Smtp.end_of_data(self, size)


class smtp_limited(Smtp):
    """Takes two mails, then says twice that this is all for the day, and takes the others."""

    refusals, taken, lock, most = [], [], threading.Lock(), 2

    def end_of_data(self, size):
        with self.lock:
            over = len(self.taken) >= 2 and len(self.refusals) < self.most
            (self.refusals if over else self.taken).append(size)
        if over:
            self.line.send("550-5.4.5 Daily user sending limit exceeded. For more information on\n"
                           "550-5.4.5 limits go to\n550 5.4.5  https://limits.test/help - fake\n")
        else:
            Smtp.end_of_data(self, size)


class smtp_over(smtp_limited):
    """The same, and never takes another."""

    refusals, taken, lock, most = [], [], threading.Lock(), 1e9


class smtp_picky(Smtp):
    """Refuses the mails of those whose name says so: "p554_5.7.1@...", to RCPT, or to the text: "t...", or to MAIL: of all."""

    def do_rcpt(self, command):
        self.to = command[command.index("<") + 1:command.index("@")]
        self.line.send(self.to[1:].replace("_", " ") + " no\n" if re.match("p[45]", self.to) else "250 fine\n")

    def end_of_data(self, size):
        if re.match("t[45]", self.to):
            self.line.send(self.to[1:].replace("_", " ") + " no\n")
        else:
            Smtp.end_of_data(self, size)


class smtp_no_sender(Smtp):
    def do_mail(self, command):
        self.line.send("553 not from there\n")


class smtp_unwelcome(Smtp):
    def greet(self):
        self.line.send("554 5.7.1 your network is blocked\n")
        raise EOFError


class smtp_auth_busy(Smtp):
    def do_auth(self, command):
        self.line.send("454 4.7.0 no login now\n")


class smtp_needs_auth(Smtp):
    def do_mail(self, command):
        self.line.send("530 5.7.0 authentication required\n")


class smtp_plain(Smtp):
    """No TLS at all."""

    def serve(self):
        self.line.tls = lambda: None
        Smtp.serve(self)

    def do_auth(self, command):
        print("password seen", flush=True)
        self.line.send("235 in\n")


class smtp_injection(Smtp):
    """Answers slipped in after the plain OK of STARTTLS must not be taken for the encrypted server's."""

    def serve(self):
        self.line.send("220 ready\n")
        while True:
            verb = self.line.read().split()[0].lower()
            if verb == "ehlo":
                self.line.send("250-fake\n250-STARTTLS\n250 AUTH PLAIN\n")
            elif verb == "starttls":
                self.line.send("220 go\n250-fake\n250 AUTH PLAIN\n235 in\n")
                self.line.tls()
                print("encrypted", flush=True)
            else:
                if verb == "auth":
                    print("password seen", flush=True)
                self.line.send("250 fine\n")


# ---- with a memory ---------------------------------------------------------------------------------------------

def counted(cls):
    """The number of this connection, from 0."""
    cls.connections = cls.__dict__.get("connections", -1) + 1
    return cls.connections


class Box(Imap):
    """A mailbox: DIR/SCENARIO/INBOX/<uid>, and Processed and Rejected beside it."""
    validity = 7
    certificate = "server"

    def __init__(self, line):
        Imap.__init__(self, line)
        self.number = counted(type(self))
        self.root = os.path.join(line.folder, type(self).__name__)
        self.bad = self.number == 0

    def serve(self):
        tls = self.line.tls
        self.line.tls = lambda: tls(self.certificate if self.bad else "server")
        Imap.serve(self)

    def uids(self):
        return sorted(int(name) for name in os.listdir(self.root + "/INBOX"))

    def asked(self, numbers):
        """The mails of a set such as 1:3,7."""
        ranges = [part.partition(":") for part in numbers.split(",")]
        return [uid for uid in self.uids() if any(int(a) <= uid <= int(b or a) for a, _, b in ranges)]

    def do_select(self, command):
        self.ok("* %d EXISTS\n* OK [UIDVALIDITY %d] ok\n" % (len(self.uids()), self.validity), "OK [READ-WRITE] done")

    def do_uid_search(self, command):
        self.ok("* SEARCH %s\n" % " ".join(map(str, self.uids())))

    def do_uid_fetch(self, command):
        data = b""
        for uid in self.asked(command.split()[2]):
            with open(self.root + "/INBOX/%d" % uid, "rb") as mail:
                raw = mail.read()
            if "SIZE" in command:
                data += b'* %d FETCH (UID %d RFC822.SIZE %d INTERNALDATE "01-Feb-2026 10:00:00 +0100")\r\n' % (uid, uid, len(raw))
            else:
                data += b"* %d FETCH (UID %d BODY[] {%d}\r\n%s)\r\n" % (uid, uid, len(raw), raw)
        self.line.send(data + b"%s OK done\r\n" % self.tag.encode())

    def do_uid_move(self, command):
        words = command.split(" ", 3)
        uids = self.asked(words[2])
        to = self.root + "/" + strict.mailbox_name(words[3])
        for uid in uids:
            os.makedirs(to, exist_ok=True)
            os.rename(self.root + "/INBOX/%d" % uid, to + "/%d-%d" % (self.number, uid))
        self.ok("".join("* %d EXPUNGE\n" % (i + 1) for i in reversed(range(len(uids)))))


class Literal(Box):
    """A literal whose size is no size, or one that never ends."""
    literal = ""

    def do_uid_fetch(self, command):
        if not self.bad or "SIZE" in command:
            return Box.do_uid_fetch(self, command)
        self.line.send("* 1 FETCH (UID 1 BODY[] {" + self.literal)
        while True:
            self.line.read()


for number, literal in enumerate(["500}\nSubject: x\n", "4000000000}\nx", "-1}\nx", "99999999999999999999999999}\nx", "}\nx)\n",
                                  "12\nx)\n", "0x10}\n0123456789abcdef)\n", "4~}\nabcd)\n", "3}\nabcdefgh)\n"]):
    globals()["box_literal_%d" % number] = type("box_literal_%d" % number, (Literal,), {"literal": literal})


class box_polite(Box):
    pass


class box_brackets(Box):
    """A text that ends like a literal's head, and then brackets within brackets."""
    head = "* OK all is well {900000}\n"

    def do_uid_search(self, command):
        if not self.bad:
            return Box.do_uid_search(self, command)
        self.line.send(self.head + "* 1 FETCH (BODYSTRUCTURE " + "(" * 800000 + "\n")
        while True:
            self.line.read()


class box_brackets_behind_code(box_brackets):
    head = "* NO [ALERT] \"x {900000}\n"


class box_brackets_behind_plus(box_brackets):
    head = "+ {900000}\n"


class box_brackets_loosely(box_brackets):
    """As libetpan reads it: blanks, and line feeds alone."""
    head = b"* 2 FETCH (BODY[] { 3 } \nabc)\n"

    def do_uid_search(self, command):
        if not self.bad:
            return Box.do_uid_search(self, command)
        self.line.send(self.head + b"* 1 FETCH (BODYSTRUCTURE " + b"(" * 800000 + b"\r\n")
        while True:
            self.line.read()


class box_brackets_huge(box_brackets_loosely):
    """A number that is small again when it is cut to 32 bits."""
    head = b"* 2 FETCH (BODY[] {%d}\r\nabc)\r\n" % (2 ** 64 * 16 + 3)


class box_cut(Box):
    """The first connection is cut within the first answer, the second within the second, and so on."""

    def __init__(self, line):
        Box.__init__(self, line)
        line.sends = self.number


class box_trickle(Box):
    def do_uid_fetch(self, command):
        if self.bad and "SIZE" not in command:
            self.line.trickle(b"*")
        Box.do_uid_fetch(self, command)


class box_trickle_search(Box):
    def do_uid_search(self, command):
        if self.bad:
            self.line.send("* SEARCH")
            self.line.trickle(b" ")
        Box.do_uid_search(self, command)


class box_renumbered(Box):
    """The mailbox is made again while a mail is being moved: other UIDs, another UIDVALIDITY."""

    def do_uid_move(self, command):
        if not self.bad:
            return Box.do_uid_move(self, command)
        for uid in self.uids():
            os.rename(self.root + "/INBOX/%d" % uid, self.root + "/INBOX/%d" % (uid + 100))
        type(self).validity = 8
        self.line.send("* OK [UIDVALIDITY 8] changed\n* BYE the mailbox is gone\n")
        raise EOFError


class box_renumbered_quietly(box_renumbered):
    """The same without hanging up: the numbers of the MOVE now mean nothing, or another mail."""

    def do_uid_move(self, command):
        if not self.bad:
            return Box.do_uid_move(self, command)
        for uid in self.uids():
            os.rename(self.root + "/INBOX/%d" % uid, self.root + "/INBOX/%d" % (uid + 100))
        type(self).validity = 8
        self.bad = False
        self.ok("* OK [UIDVALIDITY 8] changed\n")


class box_vanishing(Box):
    """The first mail is not there when its text is asked for."""

    def uids(self):
        return Box.uids(self)[1:] if self.gone else Box.uids(self)

    gone = False

    def do_uid_fetch(self, command):
        self.gone = self.bad and "SIZE" not in command
        Box.do_uid_fetch(self, command)


class box_withheld(Box):
    """On the first two connections nothing is sent of the first mail."""
    nothing = b'""'

    def do_uid_fetch(self, command):
        first = self.uids()[:1]
        if self.number > 1 or "SIZE" in command or not set(first) & set(self.asked(command.split()[2])):
            return Box.do_uid_fetch(self, command)
        self.line.send(b"* 1 FETCH (UID %d BODY[] %s)\r\n" % (first[0], self.nothing))
        others = [str(uid) for uid in self.asked(command.split()[2]) if uid not in first]
        if others:
            return Box.do_uid_fetch(self, "UID FETCH %s (UID BODY.PEEK[])" % ",".join(others))
        self.ok()


class box_withheld_nil(box_withheld):
    nothing = b"NIL"


class box_withheld_literal(box_withheld):
    nothing = b"{0}\r\n"


class box_unmovable(Box):
    def do_uid_move(self, command):
        if self.bad:
            return self.ok("", "NO [OVERQUOTA] the folder is full")
        Box.do_uid_move(self, command)


class box_expired(Box):
    certificate = "expired"


class box_selfsigned(Box):
    certificate = "selfsigned"


class box_wronghost(Box):
    certificate = "wronghost"


class Strict(Box):
    """A mailbox that behaves, with folders that are what was made of them and flags."""

    def __init__(self, line):
        Box.__init__(self, line)
        self.bad = False
        self.deleted = set()

    def folder(self, command):
        """The mailbox that is named at the end of a command."""
        name = re.search(r'("(?:[^"\\]|\\.)*"|[^ "]+)$', command)[1]
        return self.root + "/" + strict.mailbox_name(name)

    def do_authenticate(self, command):
        words = command.split()
        if len(words) == 2:
            self.line.send("+ \n")
            words.append(self.line.read())
        names = {"PLAIN": b"\0orders\0secret", "XOAUTH2": b"user=orders\1auth=Bearer t0ken\1\1"}
        self.ok("", "OK in" if base64.b64decode(words[2], validate=True) == names[words[1]] else "NO [AUTHENTICATIONFAILED] wrong")

    def do_login(self, command):
        self.ok("", "OK in" if command == "LOGIN orders secret" else "NO [AUTHENTICATIONFAILED] wrong")

    def do_list(self, command):
        there = os.path.isdir(self.folder(command))
        self.ok("* LIST () \"/\" %s\n" % command[len('LIST "" '):] if there else "")

    def do_create(self, command):
        os.mkdir(self.folder(command))
        self.ok()

    def do_select(self, command):
        if not os.path.isdir(self.folder(command)):
            return self.ok("", "NO [NONEXISTENT] no such mailbox")
        Box.do_select(self, command)

    def do_uid_search(self, command):
        marked = [uid for uid in self.uids() if (uid in self.deleted) == (command == "UID SEARCH DELETED")]
        self.ok("* SEARCH%s\n" % "".join(" %d" % uid for uid in marked))

    def do_uid_copy(self, command):
        to = self.folder(command)
        if not os.path.isdir(to):
            return self.ok("", "NO [TRYCREATE] no such mailbox")
        for uid in self.asked(command.split()[2]):
            os.link(self.root + "/INBOX/%d" % uid, to + "/%d-%d" % (self.number, uid))
        self.ok()

    def do_uid_move(self, command):
        if not os.path.isdir(self.folder(command)):
            return self.ok("", "NO [TRYCREATE] no such mailbox")
        Box.do_uid_move(self, command)

    def do_uid_store(self, command):
        self.deleted.update(self.asked(command.split()[2]))
        self.ok()

    def remove(self, uids):
        data = ""
        for place, uid in reversed(list(enumerate(self.uids(), 1))):
            if uid in uids:
                os.unlink(self.root + "/INBOX/%d" % uid)
                data += "* %d EXPUNGE\n" % place
        self.ok(data)

    def do_uid_expunge(self, command):
        self.remove(self.deleted & set(self.asked(command.split()[2])))

    def do_expunge(self, command):
        self.remove(self.deleted)


class strict_new(Strict):
    pass


class strict_old(Strict):
    """Nothing but RFC 3501."""
    capabilities = "IMAP4rev1 AUTH=PLAIN"


class strict_login(Strict):
    capabilities = "IMAP4rev1 UIDPLUS"


class strict_token(Strict):
    capabilities = "IMAP4rev1 AUTH=XOAUTH2"


class Post(Smtp):
    """Keeps each mail that it said 250 to, and each that it had whole, in DIR/SCENARIO/<number>-<recipient>."""
    certificate = "server"
    extensions = ""
    to = ""
    begun = False

    def __init__(self, line):
        Smtp.__init__(self, line)
        self.number = counted(type(self))
        self.root = os.path.join(line.folder, type(self).__name__)
        self.bad = self.number == 0

    def serve(self):
        tls = self.line.tls
        self.line.tls = lambda: tls(self.certificate if self.bad else "server")
        Smtp.serve(self)

    def do_ehlo(self, command):
        self.line.send("250-fake\n" + self.extensions + "250-AUTH PLAIN\n250 SIZE 1000000\n")

    def do_mail(self, command):
        self.to, self.begun = "", True
        self.other(command)

    def do_rcpt(self, command):
        if not self.begun:
            return self.line.send("503 5.5.1 MAIL first\n")
        self.to = command[command.index("<") + 1:command.index(">")]
        self.other(command)

    def do_data(self, command):
        self.begun = False
        if not self.to:
            return self.line.send("554 5.5.1 no valid recipients\n")
        self.line.send("354 go on\n")
        lines = []
        while (text := self.line.read()) != ".":
            lines.append(text)
        os.makedirs(self.root, exist_ok=True)
        with open(self.root + "/%d-%d-%s" % (self.number, len(os.listdir(self.root)), self.to), "w", newline="") as mail:
            mail.write("\r\n".join(lines))
        self.taken()

    def taken(self):
        self.line.send("250 taken\n")


class post_polite(Post):
    pass


class post_cut(Post):
    """The first connection is cut within the first answer, the second within the second, and so on."""

    def __init__(self, line):
        Post.__init__(self, line)
        line.sends = self.number


class post_lost(Post):
    """Takes the mail and hangs up before it says so."""

    def taken(self):
        if self.bad:
            raise EOFError
        Post.taken(self)


class post_hang(Post):
    """Takes the mail and never says so."""

    def taken(self):
        if self.bad:
            threading.Event().wait()
        Post.taken(self)


class post_slow(Post):
    """Thinks for a second before each answer."""

    def other(self, command):
        time.sleep(1)
        Post.other(self, command)

    def taken(self):
        time.sleep(1)
        Post.taken(self)


class post_trickle(Post):
    """Begins an answer that never ends."""

    def do_mail(self, command):
        if self.bad:
            self.line.trickle(b"250-x\r\n")
        Post.do_mail(self, command)


class post_endless_line(Post):
    def do_mail(self, command):
        if self.bad:
            while True:
                self.line.send(b"2" * 65536)
        Post.do_mail(self, command)


class post_nonsense(Post):
    def do_mail(self, command):
        if self.bad:
            return self.line.send("hello there\n")
        Post.do_mail(self, command)


class post_recipients(Post):
    """Each recipient has his own answer."""
    asked = set()

    def do_rcpt(self, command):
        name = command[command.index("<") + 1:command.index("@")]
        if name == "bob":
            self.line.send("550 5.1.1 no such \x1b[31muser\n")
        elif name == "carol" and type(self) not in self.asked:
            self.asked.add(type(self))
            self.line.send("450 4.2.0 greylisted\n")
        else:
            Post.do_rcpt(self, command)


def stage(verb, answer):
    """A taker whose answer to one command is this, on its first connection."""
    def reply(self, command):
        if not self.bad:
            return getattr(Post, "do_" + verb, Post.other)(self, command)
        self.line.send(answer + "\n")
    return type("post_%s_%s" % (verb, answer[0]), (Post,), {"do_" + verb: reply})


for verb in ("mail", "rcpt", "data"):
    for answer in ("451 4.3.0 not now", "550 5.7.1 never"):
        globals()["post_%s_%s" % (verb, answer[0])] = stage(verb, answer)


class post_eager(Post):
    """Refuses the recipient and asks for the text all the same."""

    def do_rcpt(self, command):
        self.line.send("550 5.1.1 nobody\n")

    def do_data(self, command):
        self.line.send("354 go on\n")
        while self.line.read() != ".":
            pass
        self.line.send("554 5.5.1 no valid recipients\n")


class post_closing(Post):
    """421 in the middle of a mail, and gone."""

    def do_rcpt(self, command):
        if self.bad:
            self.line.send("421 4.3.2 going down\n")
            raise EOFError
        Post.do_rcpt(self, command)


class post_chatty(Post):
    """More answers than questions: what comes for nothing must not be taken for the answer to the text."""

    def do_rcpt(self, command):
        Post.do_rcpt(self, command)
        if self.bad:
            self.line.send("250 fine\n250 fine\n")

    def taken(self):
        self.line.send("452 4.3.1 no room\n" if self.bad else "250 taken\n")


class post_taken_4(Post):
    def taken(self):
        self.line.send("452 4.3.1 no room\n" if self.bad else "250 taken\n")


class post_taken_5(Post):
    def taken(self):
        self.line.send("554 5.6.0 not that text\n" if self.bad else "250 taken\n")


class post_expired(Post):
    certificate = "expired"


class post_selfsigned(Post):
    certificate = "selfsigned"


class post_wronghost(Post):
    certificate = "wronghost"


for name, scenario in list(globals().items()):
    if name.startswith("post_"):
        globals()["pipe" + name[4:]] = type("pipe" + name[4:], (scenario,), {"extensions": "250-PIPELINING\n"})


def orphan_watch(parent):
    while os.getppid() == parent:
        threading.Event().wait(0.5)
    os._exit(0)


def serve(scenario, sock, folder):
    line = Line(sock, folder)
    try:
        scenario(line).serve()
    except (EOFError, OSError):
        pass
    finally:
        line.sock.close()


def listen(scenario, folder):
    server = socket.create_server(("127.0.0.1", 0))
    print("%s=%d" % (scenario.__name__, server.getsockname()[1]))
    while True:
        yield
        sock, _ = server.accept()
        threading.Thread(target=serve, args=(scenario, sock, folder), daemon=True).start()


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    parent = os.getppid()
    scenarios = [value for key, value in globals().items()
                 if key in names or ("_" in key and key.split("_")[0] in names)]
    listeners = [listen(scenario, folder) for scenario in scenarios]
    for listener in listeners:
        next(listener)
        threading.Thread(target=list, args=(listener,), daemon=True).start()
    print("ready", flush=True)
    orphan_watch(parent)


main()
