#!/usr/bin/env python3
"""Mail servers that misbehave, each in one way: fake.py DIR SCENARIO...

DIR holds server.pem and server.key. The scenarios are the classes imap_* and smtp_* below; "imap" and "smtp" stand for all
of a kind. Prints a line SCENARIO=PORT for each and then "ready", and serves until it is killed or its parent is gone.
"""
import base64
import os
import socket
import ssl
import sys
import threading


class Line:
    """A connection, plain or TLS, read by lines."""

    def __init__(self, sock, folder):
        self.sock, self.folder, self.data = sock, folder, b""

    def tls(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder + "/server.pem", self.folder + "/server.key")
        self.sock, self.data = context.wrap_socket(self.sock, server_side=True), b""

    def send(self, text):
        self.sock.sendall(text if isinstance(text, bytes) else text.replace("\n", "\r\n").encode())

    def read(self):
        while b"\n" not in self.data:
            more = self.sock.recv(65536)
            if not more:
                raise EOFError
            self.data += more
        line, self.data = self.data.split(b"\n", 1)
        return line.rstrip(b"\r").decode()


# ---- IMAP ----------------------------------------------------------------------------------------------------

class Imap:
    """A polite server with one mailbox of three mails; scenarios change single answers."""
    capabilities = "IMAP4rev1 AUTH=PLAIN SASL-IR UIDPLUS MOVE IDLE"

    def __init__(self, line):
        self.line = line

    def serve(self):
        self.line.tls()
        self.line.send("* OK ready\n")
        while True:
            self.tag, _, command = self.line.read().partition(" ")
            self.command(command)

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
                data += "* %d FETCH (UID %d BODY[] {17}\nSubject: %d\n\nx\n)\n" % (uid, uid, uid)
        self.ok(data)

    def do_logout(self, command):
        self.ok("* BYE\n")
        raise EOFError


class imap_polite(Imap):
    pass


class imap_injection(Imap):
    """Text behind the plain OK of STARTTLS must not be taken for the encrypted server's."""

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


class imap_refusing(Imap):
    def do_uid_fetch(self, command):
        self.ok("", "NO [SERVERBUG] not today")


class imap_early_exists(Imap):
    """EXISTS before the "+" of IDLE."""

    def do_uid_search(self, command):
        self.ok("* SEARCH\n")

    def do_idle(self, command):
        self.line.send("* 4 EXISTS\n+ idling\n")
        self.line.read()
        self.ok()


class imap_late_exists(imap_early_exists):
    """A mail is told of in the answer to the search that did not find it, and never again."""

    def do_uid_search(self, command):
        self.ok("* SEARCH\n* 4 EXISTS\n")

    def do_idle(self, command):
        self.line.send("+ idling\n")
        self.line.read()
        self.ok()


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


def orphan_watch(parent):
    while os.getppid() == parent:
        threading.Event().wait(0.5)
    os._exit(0)


def serve(scenario, sock, folder):
    try:
        scenario(Line(sock, folder)).serve()
    except (EOFError, OSError):
        pass
    finally:
        sock.close()


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
