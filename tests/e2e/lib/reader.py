"""Somebody who plays with nothing but a mailbox, on the test servers or on a league's Maildirs, and counts what they do."""
import pathlib

from league import *
from replier import Mailbox


def flat(mail):
    return " ".join(text_of(mail).split())


def counted(league, game="gc-1", seat=1):
    """The orders of a seat that came last, as the league keeps them; "" = none so far."""
    texts = [json.loads(payload)["text"] for _, of, item, payload in payloads(league, game) if (of, item) == (seat, 0) and "#turnpost orders" in payload]
    return re.search(r"nonce: \S+\n(?:\w+: yes\n)?(.*)#end\n", texts[-1], re.S)[1].strip() if texts else ""


def keep(what, mail):
    """KEEP=DIR keeps all mails there, to be read."""
    if "KEEP" in os.environ:
        folder = pathlib.Path(os.environ["KEEP"])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ("%03d-%s.eml" % (len(list(folder.iterdir())), what))).write_bytes(mail.as_bytes())


class Reader(Mailbox):
    def __init__(self, name, domains, league, servers=None, domain="players.test"):
        super().__init__(name, domain, domains.keys)
        self.servers, self.league = servers, league
        self.received, self.sent, self.typed, self.last = 0, 0, 0, None

    fetch = Player.fetch

    def send(self, raw):
        keep("sent", parse(raw))
        self.sent += 1
        if self.servers:
            with self.servers.submission(self.name) as smtp:
                smtp.sendmail(self.address, [a.addr_spec for a in parse(raw)["To"].addresses], raw)
            wait_inbox(self.servers, 1)
        else:
            self.league.put_mail(raw, "%s-%d" % (self.name, self.sent))

    def look(self, expect=1):
        """What has come since the last time, in the order of the league's Message-IDs."""
        mails = self.fetch(self.servers, expect=expect) if self.servers else self.league.new_mails(self.address)
        check(len(mails) >= expect, "%s got %d mails, not %d" % (self.name, len(mails), expect))
        self.received += len(mails)
        for mail in mails:
            keep("got", mail)
        self.last = mails[-1] if mails else self.last
        return mails

    def say(self, raw, expect=1):
        """Sends it; the league works; what came back."""
        self.send(raw)
        self.league.tp("run")
        return self.look(expect)

    def write_to(self, subject, text="", expect=1):
        """A mail that answers none, from a telephone."""
        self.typed += len(subject) + len(text)
        return self.say(self.write("gmail", ADDRESS, subject, text), expect)

    def answer(self, client, typed, mail=None, expect=1, **how):
        self.typed += len(typed)
        return self.say(self.reply(client, (mail or self.last).as_bytes(), typed, **how), expect)

    def register(self, word):
        """With the word of an invitation; a league that wants to know more asks for an "ok"."""
        self.write_to("register " + self.name, "invite: %s\n" % word)
        if "You are registered" not in flat(self.last):
            self.answer("gmail_android", "ok")
        check("You are registered, " + self.name in flat(self.last), flat(self.last))
