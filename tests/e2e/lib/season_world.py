"""The world of a season: a clock of our own, Postfix and Dovecot, and an account of every mail that went through them.

The account is kept from Postfix's log, not from what the league says: what was accepted from whom, under which Message-ID,
and what became of it."""
import datetime
import email.header
import itertools
import random

from league import *
from season_daemon import Service

HOUR = 3600
DAY = 24 * HOUR


def stamp(t):
    return datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds(text):
    return int(datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").timestamp())


class Letter:
    """A mail, read once: its plain text and those header fields that matter. (The modern policy of Python's email package takes
    half the time of a season.)"""

    def __init__(self, raw):
        self.raw = raw
        self.mail = email.message_from_bytes(raw)
        self.text = ""
        for part in self.mail.walk():
            if part.get_content_type() == "text/plain":
                self.text = part.get_payload(decode=True).decode("utf-8", "replace").replace("\r\n", "\n")
                break
        self.flat = " ".join(self.text.split())
        self.fields = {}
        for name in ("Subject", "Message-ID", "In-Reply-To"):
            value = self.mail[name]
            value = value and str(email.header.make_header(email.header.decode_header(value))).replace("\r\n", "").replace("\n", "")
            self.fields[name] = value

    def __getitem__(self, name):
        return self.fields[name]

    def holds(self, kind):
        """Is there a part of this type?"""
        return any(part.get_content_type() == kind for part in self.mail.walk())


def text_of(mail):
    return mail.text


def flat(mail):
    """The words of a mail, however its lines are broken."""
    return mail.flat


def form(mail, verb):
    """The ready text in a mail; None if there is none."""
    found = re.search(r"^#turnpost %s\n.*?^#end\n" % verb, text_of(mail), re.S | re.M)
    return found.group(0) if found else None


class PostOffice:
    """Reads Postfix's log. A mail is Postfix's queue id with `id` (its Message-ID), `user` (who logged in; None: Postfix itself)
    and `fate` {recipient: "sent" or "bounced"}."""

    def __init__(self, servers):
        self.log = servers.dir / "postfix/maillog"
        self.at = 0
        self.rest = b""
        self.open = {}
        self.mails = []
        self.ours = 0  # of them: the league's
        self.notes = 0  # Postfix's own

    def read(self):
        with open(self.log, "rb") as log:
            log.seek(self.at)
            new = log.read()
        self.at += len(new)
        lines = (self.rest + new).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.line(line.decode(errors="replace"))

    def line(self, line):
        found = re.search(r" postfix/(?:\S*/)?(\w+)\[\d+\]: ([0-9A-F]{6,}): (.*)$", line)
        if not found:
            return
        program, queue, words = found.groups()
        if program == "cleanup" and words.startswith("message-id="):
            mail = self.open.setdefault(queue, dict(id="", user=None, fate={}, where=[]))
            mail["id"] = words[len("message-id="):].strip()
            self.mails.append(mail)
            self.ours += mail["user"] == "orders"
            self.notes += mail["user"] is None
        elif program == "smtpd" and "sasl_username=" in words:
            user = re.search(r"sasl_username=(\S+)", words).group(1)
            self.open[queue] = dict(id="", user=user, fate={}, where=[])
        elif " status=" in words and queue in self.open:
            to = re.search(r"to=<([^>]*)>", words).group(1)
            self.open[queue]["fate"][to] = re.search(r"status=(\w+)", words).group(1)
        elif words == "removed":
            self.open.pop(queue, None)

    def settle(self, ours, theirs, what, patience=30):
        """Waits until so many mails of the league and of players have been seen in all, and none is on its way."""
        end = time.time() + patience
        while True:
            self.read()
            seen = self.ours, len(self.mails) - self.ours - self.notes
            if seen[0] >= ours and seen[1] >= theirs and not self.open:
                return
            check(time.time() < end, "%s: %d of %d mails of the league were seen, %d of %d others; on their way: %s" % (
                what, seen[0], ours, seen[1], theirs, self.open))
            time.sleep(0.01)

    def delivered(self):
        """How many mails each address has got."""
        counts = {}
        for mail in self.mails:
            for to, fate in mail["fate"].items():
                if fate == "sent":
                    counts[to] = counts.get(to, 0) + 1
        return counts


class Box:
    """An IMAP mailbox that stays open."""

    def __init__(self, servers, user):
        self.imap = imaplib.IMAP4_SSL("localhost", int(servers.port["IMAPS"]), ssl_context=servers.context())
        self.imap.login(user, "secret")
        self.imap.select("INBOX")
        self.uid = 0
        self.got = 0

    def fetch(self):
        """The raw mails that are new."""
        self.imap.noop()
        _, data = self.imap.uid("fetch", "%d:*" % (self.uid + 1), "(UID RFC822)")
        raws = []
        for part in data:
            if not isinstance(part, tuple):
                continue
            uid = int(re.search(rb"UID (\d+)", part[0]).group(1))
            if uid > self.uid:
                raws.append((uid, part[1]))
        for uid, _ in raws:
            self.uid = max(self.uid, uid)
        self.got += len(raws)
        return [raw for _, raw in sorted(raws)]

    def count(self):
        _, data = self.imap.select("INBOX", readonly=True)
        return int(data[0])

    def everything(self, mailbox):
        """All raw mails of another mailbox."""
        ok, data = self.imap.select(mailbox, readonly=True)
        if ok != "OK" or data[0] == b"0":
            return []
        _, data = self.imap.fetch("1:*", "(RFC822)")
        return [part[1] for part in data if isinstance(part, tuple)]


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


class World:
    """Time, people, the league, and what has been said between them.

    sent[Message-ID] = {"who", "kind", "answers": how many are to come, "why", "what": it is to happen to them (season_audit.WHAT)};
    a mail that gets another number of answers than one says why. Stories are generators: each yields a condition and goes on in the round in which it holds."""

    def __init__(self, servers, league, start, pause, seed):
        self.servers, self.league = servers, league
        self.start = self.now = start
        self.pause = pause
        self.seed = seed
        self.dice = random.Random(seed)
        self.post = PostOffice(servers)
        self.office = Box(servers, "orders")
        self.people = {}
        self.addresses = {}
        self.sent = {}
        self.got = []  # (person, mail)
        self.answers = {}
        self.queued = 0  # mails that the league has given to Postfix, as it says
        self.taken = 0   # mails that the league has taken from its mailbox
        self.stories = []
        self.rounds = 0
        self.warnings = []
        self.unreminded = set()  # who wants no reminders
        self.whims = random.Random(seed + 1000)  # of the servers
        self.slips = random.Random(seed + 2000)  # of the players' fingers
        self.plans = itertools.cycle(("better", "final", "late"))  # what is done about them
        self.delivered_once = []  # raw mails that have been in the league's mailbox
        self.copied = 0  # mails that have been put there once more
        self.damaged = set()  # whose file or keys cannot be read
        self.nameless = []   # (game, record, player): their file was damaged, so there was no address to tell it to
        self.works = lambda now: True  # is the host on?
        self.outages = []    # those that were: when they ended, and whom alone each concerned (None: everybody)
        self.worked = []     # when rounds were done
        self.absences = set()  # (round, player): their file or keys could not be read in it
        self.dies, self.died = False, None  # the host is to die in the next commit
        self.service = None  # the daemon, as long as one works; else each round is a `turnpost run`
        self.operated = []   # commands that were done beside one
        self.beside = (0, 0)  # from when until when it worked

    # ---- people ----

    def enter(self, person):
        self.people[person.name] = person
        person.world = self
        person.box = Box(self.servers, person.name)
        person.line = Line(self.servers, person.name)
        self.addresses[person.address] = person

    def send(self, person, raw, kind, answers=1, why="", what=""):
        mid = re.search(rb"^Message-ID: (\S+)\r$", raw, re.M | re.I).group(1).decode()
        check(mid not in self.sent, "two mails %s" % mid)
        self.sent[mid] = dict(who=person.name, kind=kind, answers=answers, why=why, what=what, at=self.now)
        person.line.send(person.address, raw)
        return mid

    def answered(self, mid):
        return self.answers.get(mid, [])

    def registry_records(self):
        return len((self.league.dir / "registry/journal.jsonl").read_text().splitlines())

    def expected(self, warning):
        return re.search("no round of work was completed|a mail of .* stays in the mailbox until|is not told of record .* cannot be read", warning)

    def was_outage(self, now, players=()):
        """Is the round of now the first one since an outage, of the service or of one of these players?"""
        return any(end <= now and not any(end <= round < now for round in self.worked)
                   for end, who in self.outages if who is None or who in players)

    # ---- stories ----

    def tell(self, name, story):
        self.stories.append(dict(name=name, story=story, waits=lambda: True, line=0))

    def go_on(self):
        if self.service:
            self.service.set_clock()
        for story in list(self.stories):
            while story["waits"]():
                try:
                    story["waits"] = next(story["story"])
                    story["line"] = story["story"].gi_frame.f_lineno
                except StopIteration:
                    self.stories.remove(story)
                    break
                except Failed as why:
                    raise Failed("%s, day %.1f: %s" % (story["name"], self.day(), why))
        if self.service:
            self.service.finish()

    def day(self):
        return (self.now - self.start) / DAY

    # ---- rounds ----

    def deliver(self, what):
        """Waits until Postfix has delivered all that was given to it, and anything that it made itself of it."""
        self.post.settle(self.queued, len(self.sent), what)

    def copy(self, raw):
        """Puts a mail into the league's mailbox once more: the very same bytes, or as another delivery marks them."""
        sent = self.sent.get(Letter(raw)["Message-ID"])
        if not sent or sent["kind"] not in ("orders", "petition", "join"):
            return
        if self.whims.random() < 0.5:
            raw = b"Received: from mx2.game.test by mail.game.test with LMTP id %d; again\r\n" % self.copied + raw
            sent["copies"] = sent.get("copies", 0) + 1
        sent["copied"] = True
        ok, said = self.office.imap.append("INBOX", None, None, raw)
        check(ok == "OK", "no copy: %s" % said)
        self.copied += 1

    def make_copies(self):
        """What servers do that are killed between a delivery and their note of it: in one round, or in two."""
        new = self.office.fetch()
        for raws, chance in ((new, 0.4), (self.delivered_once[-40:], 0.3)):
            if raws and self.whims.random() < chance:
                self.copy(self.whims.choice(raws))
        self.delivered_once += new

    def wait_office(self):
        """The league's mailbox holds all that was delivered to it and not taken away."""
        there = self.post.delivered().get(ADDRESS, 0) + self.copied
        end = time.time() + 20
        while self.taken + self.office.count() < there:
            check(time.time() < end, "the league's mailbox lacks mails: %d taken, %d delivered" % (self.taken, there))
            time.sleep(0.02)

    def run(self):
        """One round of work at the present time; what the league sent is delivered and read."""
        self.deliver("to the league")
        if not self.service:
            self.wait_office()
        self.make_copies()
        if self.dies:
            self.die()
        self.judge_words(self.service.work() if self.service else self.run_once())
        self.deliver("from the league")
        self.read_all()
        self.rounds += 1
        self.worked.append(self.now)
        self.absences |= {(self.now, name) for name in self.damaged}

    def run_once(self):
        self.league.tp("run", "--now", stamp(self.now), "--verbose", code=65 if self.damaged else 0)
        check(re.search(r"mails? read, .* mails? sent", self.league.err), "run does not say what it did:\n" + self.league.err)
        return self.league.err.splitlines()

    def judge_words(self, lines):
        """What the league says of its work."""
        for line in lines:
            if "no round of work" in line:
                check(self.was_outage(self.now), "no outage was on day %.1f: %s" % (self.day(), line))
            counts = re.search(r"(\d+) mails? read, .* (\d+) mails? sent", line)
            if counts:
                self.taken += int(counts.group(1))
                self.queued += int(counts.group(2))
            elif " stays in the mailbox until " in line:
                self.taken -= 1
            if "warning" in line:
                self.warnings.append("day %.1f: %s" % (self.day(), line))
            elif any(re.search("keys/%s.pub|players/%s.json" % (name, name), line) for name in self.damaged):
                continue  # and it is told in every run
            elif not re.search(r"mails? read|mails? to be tried|^turnpost: $|^turnpost: (working on |a command, |given up: )", line):
                raise Failed("the league said on day %.1f: %s" % (self.day(), line))

    # ---- the daemon ----

    def begin_daemon(self):
        self.beside = (self.now, self.now)
        self.service = Service(self)

    def end_daemon(self):
        self.judge_words(self.service.stop())
        self.operated, self.beside = self.service.done, (self.beside[0], self.now)
        self.service = None

    def die(self):
        """The host dies in the middle of a commit, and the league goes on from a backup of what is left: what was complete is there and
        is proved at once. Not when nobody has sent orders: then in the next round."""
        league = self.league
        kept = lambda name: {p.parent.name: p.read_bytes() for p in (league.dir / "games").glob("*/" + name)}
        if not any(sent["kind"] == "orders" and sent["at"] == self.now for sent in self.sent.values()):
            return
        league.tp("run", "--now", stamp(self.now), binary=FAULT, code=None, env={"TURNPOST_FAULT": 'text:500:"prev":"'})
        check(league.code in (-9, 0, 65), "the run that was to die: exit %s\n%s" % (league.code, league.err))
        left = kept("journal.jsonl")
        whole = {game: text[:text.rfind(b"\n") + 1] for game, text in left.items()}
        if league.code != -9 or left == whole:
            return
        league.tp("backup", WORK / "backup", code=None)
        check(league.code in (0, 65), league.err)  # 65: a player's file is damaged at the time, and so in the copy
        league.dir.rename(WORK / "lost")
        said = league.tp("restore", WORK / "backup", league.dir, "--nothing-lost", code=None) + league.err
        check(league.code in (0, 65), said)
        shutil.copy(WORK / "lost/password", league.dir / "password")
        self.dies, self.died = False, self.now
        for game, text in kept("journal.jsonl").items():  # a close without its turn goes, too
            check(whole[game].startswith(text) and re.fullmatch(rb'(.*"type":"close".*\n)?', whole[game][len(text):]),
                  "restore lost or made records of %s: %s" % (game, said))
        check("while a commit was being written" in said, "restore does not tell what it has cut: " + said)
        self.prove(league.dir)

    def prove(self, restored):
        """Every game of a league that was restored."""
        said = self.league.tp("audit", "--json", "--as", "moderator", "--key", restored / "keys/league.pub", restored / "games", code=None)
        check(said and all(json.loads(line)["verdict"].startswith("proved") for line in said.splitlines()), "what was restored: " + said)

    def read_all(self):
        delivered = self.post.delivered()
        for person in self.people.values():
            due = sum(delivered.get(a, 0) for a in person.addresses)
            end = time.time() + 20
            while person.box.got < due:
                for raw in person.box.fetch():
                    mail = Letter(raw)
                    mail.at = self.now
                    self.got.append((person, mail))
                    if mail["In-Reply-To"]:
                        self.answers.setdefault(mail["In-Reply-To"], []).append(mail)
                    person.read(mail)
                check(time.time() < end, "%s has %d of %d mails" % (person.name, person.box.got, due))
