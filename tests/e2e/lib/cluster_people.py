"""People who play by real servers: what they read, and the line by which they write."""
import datetime
import email.header

from league import *


def stamp(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text):
    return int(datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").timestamp())


class Letter:
    """A mail, read once: its plain text, what proves it, and those header fields that matter. (The modern policy of Python's email
    package is slow.)"""

    def __init__(self, raw):
        self.raw, mail = raw, email.message_from_bytes(raw)
        plain = [part for part in mail.walk() if part.get_content_type() == "text/plain"]
        words = lambda parts: "".join(part.get_payload(decode=True).decode("utf-8", "replace").replace("\r\n", "\n") for part in parts)
        self.text, self.proof = words(plain[:1]), words(part for part in plain if part.get_filename() == "proof.txt")
        self.flat = " ".join(self.text.split())
        self.fields = {}
        for name in ("Subject", "Message-ID", "In-Reply-To"):
            value = mail[name]
            value = value and str(email.header.make_header(email.header.decode_header(value))).replace("\r\n", "").replace("\n", "")
            self.fields[name] = value

    def __getitem__(self, name):
        return self.fields[name]


class Line:
    """A player's SMTP connection, made again when the server has tired of it."""

    def __init__(self, servers, user):
        self.servers, self.user, self.smtp = servers, user, None

    def send(self, sender, raw):
        try:
            if self.smtp:
                self.smtp.noop()
        except (smtplib.SMTPException, OSError):
            self.smtp = None
        if not self.smtp:
            self.smtp = smtplib.SMTP("localhost", int(self.servers.port["SUBMISSION"]))
            self.smtp.starttls(context=self.servers.context())
            self.smtp.login(self.user, "secret")
        self.smtp.sendmail(sender, [ADDRESS], raw)


class Person(Player):
    """`table`: game -> what the newest mail that asks for orders said."""

    def __init__(self, name, tool="ssh"):
        super().__init__(name, tool)
        self.table = {}

    def read(self, mail):
        """Takes the forms for orders out of a mail; a digest may hold several."""
        if mail["Message-ID"].startswith("<mail."):
            return
        game = re.match(r"\[(\S+)\]", mail["Subject"])
        if game and re.search("It is over|You are out|You have resigned", mail.flat):
            self.table.pop(game.group(1), None)
        for found in re.finditer(r"^#turnpost orders\n.*?^#end\n", mail.text, re.S | re.M):
            self.take_form(found.group(0), mail.text[:found.start()])

    def take_form(self, ready, above):
        field = lambda name: re.search(r"^%s: (\S+)$" % name, ready, re.M).group(1)
        game, turn = field("game"), int(field("turn"))
        if game not in self.table or self.table[game]["turn"] <= turn:
            self.table[game] = dict(turn=turn, head=field("head"), lines=re.findall(r"^\d +\[ \] (.+?)(?:  .*)?$", above, re.M))
