"""What the end to end tests share: a league, players with stock tools, real servers. Python's standard library only."""
import base64
import calendar
import email
import email.policy
import hashlib
import imaplib
import json
import os
import pathlib
import re
import secrets
import shutil
import smtplib
import ssl
import subprocess
import sys
import time

TURNPOST = os.environ["TURNPOST"]
FAULT = os.environ.get("TURNPOST_FAULT_BINARY", "")
WORK = pathlib.Path(os.environ["WORK"])
TESTS = pathlib.Path(os.environ["TESTS"])
os.environ.pop("TURNPOST_FAULT", None)  # from here on it is the fault wish of a run
ADDRESS = "orders@game.test"
sys.path.insert(0, str(TESTS / "verifier"))
import boxes  # noqa: E402
import people  # noqa: E402
import tlog  # noqa: E402

DATABASE = os.environ.get("STORE_DATABASE", "")  # new leagues are kept there, each in a schema of its own (make e2e STORE=postgres)


class Failed(Exception):
    pass


class NotRun(Exception):
    """What the test needs is not there: it says so, and ends."""


def check(holds, what):
    if not holds:
        raise Failed(what)


def sh(*args, **kw):
    """Runs a command; its standard output as text. Fails the test when it fails."""
    done = subprocess.run([str(a) for a in args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kw)
    if done.returncode != 0:
        raise Failed("%s: exit %d\n%s%s" % (" ".join(map(str, args)), done.returncode, done.stdout.decode(errors="replace"),
                                            done.stderr.decode(errors="replace")))
    return done.stdout.decode(errors="replace")


class Ports(dict):
    """Where the servers listen, by the names of tests/servers/servers.sh."""

    def __missing__(self, name):
        raise NotRun("there is no %s here, for which Postfix needs root" % name)


class Servers:
    """The servers of tests/servers, Dovecot and Postfix or what SERVERS says, gone when the test ends."""

    def __init__(self, users):
        self.dir = WORK / "servers"
        self.users = users
        sh("bash", TESTS / "servers/servers.sh", "start", self.dir, *users, env=dict(os.environ, WATCH=str(os.getpid())))
        self.port = Ports()
        for line in (self.dir / "ports").read_text().splitlines():
            if "=" in line:
                name, value = line.split("=", 1)
                self.port[name] = value.strip("'\"")
        self.ca = str(self.dir / "ca.pem")
        # Where folders have to be called INBOX.Processed, so league.ini has to name them.
        begin = self.port.get("FOLDERS", "")
        self.folders = {name.lower(): begin + name for name in ("Processed", "Rejected", "Failed")}

    def down(self):
        """Kills them, as a failing host would."""
        sh("bash", TESTS / "servers/servers.sh", "down", self.dir)

    def up(self):
        sh("bash", TESTS / "servers/servers.sh", "up", self.dir, *self.users)

    def stop(self):
        subprocess.run(["bash", str(TESTS / "servers/servers.sh"), "stop", str(self.dir)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def context(self):
        return ssl.create_default_context(cafile=self.ca)

    def submission(self, user):
        """A connection by which this user may send; where nobody can log in, as another server would."""
        smtp = smtplib.SMTP("localhost", int(self.port.get("SUBMISSION", self.port["SMTP"])))
        if "SUBMISSION" in self.port:
            smtp.starttls(context=self.context())
            smtp.login(user, "secret")
        return smtp


class League:
    program = TURNPOST

    def __init__(self, name="league"):
        self.dir = WORK / name
        self.binary = self.program
        self.collected = {}
        self.today = time.strftime("%Y-%m-%d", time.gmtime())

    def tp(self, *args, code=0, env=None, binary=None):
        """Runs turnpost on this league; standard output. `code` is the exit code that must come (None = any)."""
        full = dict(os.environ, TURNPOST_LEAGUE=str(self.dir))
        full.update(env or {})
        if "--now" in args:
            self.today = str(args[args.index("--now") + 1])[:10]
        done = subprocess.run([binary or self.binary, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=full)
        self.err = done.stderr.decode(errors="replace")
        self.code = done.returncode
        if "was not answered (" in self.err:  # for no reason of the list in src/intake/silence.h
            raise Failed("turnpost %s: %s" % (" ".join(map(str, args)), self.err))
        if code is not None and done.returncode != code:
            raise Failed("turnpost %s: exit %d, not %d\n%s%s" % (" ".join(map(str, args)), done.returncode, code,
                                                                 done.stdout.decode(errors="replace"), self.err))
        return done.stdout.decode(errors="replace")

    def init(self):
        sh(TURNPOST, "init", self.dir, "--name", "Orion League", "--address", ADDRESS)
        self.set("league", trust="signed")
        self.set("outgoing", pictures="no")  # no test but those of pictures waits for them
        self.share()

    def share(self):
        """A league of a folder, which may be a copy of another one's, is moved into the database, if there is one."""
        if not DATABASE:
            return
        shutil.rmtree(self.dir / "store", ignore_errors=True)
        self.set("store", type="postgres", database=DATABASE, schema="t" + secrets.token_hex(8), lease=3)
        self.tp("store", "copy", "files", "postgres")

    def set(self, section, **options):
        """Sets options of league.ini, below their section's head."""
        path = self.dir / "league.ini"
        lines, current = [], None
        for line in path.read_text().splitlines():
            if line.startswith("["):
                current = line.strip("[] ")
            if current == section and line.split("=")[0].strip() in options:
                continue
            lines.append(line)
            if line == "[%s]" % section:
                lines += ["%s = %s" % item for item in options.items()]
        path.write_text("\n".join(lines) + "\n")
        if section != "store":
            self.agree()

    def agree(self):
        """After a change to what all hosts must have the same, which may be wrong on purpose."""
        if DATABASE and "type = postgres" in (self.dir / "league.ini").read_text().splitlines():
            self.tp("store", "agree", code=None)

    def use_servers(self, servers, starttls=False, user="orders", bounces=ADDRESS):
        (self.dir / "password").write_text("secret\n")
        os.chmod(self.dir / "password", 0o600)
        tls = "starttls" if starttls else "implicit"
        login = dict(host="localhost", tls=tls, user=user, password_file="password", ca_file=servers.ca)
        self.set("incoming", type="imap", port=servers.port["IMAP" if starttls else "IMAPS"], **servers.folders, **login)
        if "SENDMAIL" in servers.port:
            self.set("outgoing", type="sendmail", sendmail=servers.port["SENDMAIL"], bounce_address=bounces)
        else:
            self.set("outgoing", type="smtp", port=servers.port["SUBMISSION" if starttls else "SMTPS"], bounce_address=bounces, **login)

    def use_names(self, port, root_key, timeout=2):
        """Whom the league asks for the keys of mail domains; "" for the root's key: nothing is proved."""
        self.set("dns", server="127.0.0.1@%s" % port, root_key=root_key, timeout=timeout)

    def add(self, player):
        self.tp("player", "add", player.name, player.address, player.public)

    def seated(self, game, ruleset, seats, *how, **more):
        """A game in which all have joined by texts of their own: `how` as of `turnpost new`. What they send passes by the league's mailbox,
        and of what is to be mailed then only the reports are left, in the spool."""
        at = how[how.index("--now"):][:2] if "--now" in how else ()
        said = self.tp("new", game, ruleset, "--seats", seats, *how, **more)
        who = [people.known[name] for name in seats.split(",") if not name.startswith("robot")]
        if self.code or not who:
            return said
        now, asked = seconds(at[1]) if at else int(time.time()), {}
        for path in (self.dir / "spool").glob("[nd]*/*.eml"):
            to, mail = self.in_spool(path)
            if "[%s] A seat is kept for you" % game in mail["Subject"]:
                asked[to] = mail
        ini = (self.dir / "league.ini").read_text()
        self.set("incoming", type="maildir", maildir="mail/aside")
        self.set("outgoing", type="sendmail", sendmail="/bin/false")
        for part in ("tmp", "new", "cur"):
            (self.dir / "mail/aside" / part).mkdir(parents=True)
        for number, one in enumerate(who):
            path = self.dir / "mail/aside/new" / ("%d-%s" % (number, one.name))
            path.write_bytes(one.joins(self, game, asked[one.address], now))
            os.utime(path, (now, now))
        pause = self.dir / "spool/pause.json"
        pause.write_text(json.dumps({"since": now, "until": now + 60, "tries": 1, "words": "aside"}))
        self.tp("run", *at)
        pause.unlink()
        shutil.rmtree(self.dir / "mail/aside")
        (self.dir / "league.ini").write_text(ini)
        self.agree()
        for path in (self.dir / "spool").glob("[nd]*/*.eml"):
            subject = self.in_spool(path)[1]["Subject"]
            if subject.startswith("[%s] " % game) and re.search("A seat is kept for you|You have seat|You are in|has taken a seat", subject):
                path.unlink()
        return said

    def in_spool(self, path):
        """To whom a mail goes, and the mail."""
        envelope, _, raw = path.read_bytes().partition(b"\n")
        return json.loads(envelope)["to"], parse(raw)

    def line(self):
        """The lines that texts about no game have."""
        blob = (self.dir / "keys" / "league.pub").read_text().split()[1]
        digest = hashlib.sha256(base64.b64decode(blob)).digest()
        return "league: SHA256:%s\ndate: %s\n" % (base64.b64encode(digest).decode().rstrip("="), self.today)

    def journal(self, game):
        return (self.dir / "games" / game / "journal.jsonl").read_bytes()

    def records(self, game):
        return [json.loads(line) for line in self.journal(game).splitlines()]

    def head(self, game):
        """What texts of the open turn name: the head of the record that opened it; before the deal that of `create`."""
        opened = None
        for line in self.journal(game).splitlines(keepends=True):
            record = json.loads(line)
            if not opened or record["type"] in ("start", "turn") or record.get("do") == "rollback":
                opened = line
        return head_of_line(opened)

    def orders(self, game, turn, lines, **fields):
        """Orders as they are signed by somebody who has the newest report."""
        return orders(game, turn, lines, self.head(game), **fields)

    def fingerprint(self):
        return sh("ssh-keygen", "-lf", self.dir / "keys/league.pub").split()[1]

    def petition(self, verb, *lines, game=None, turn=None):
        """Another text to sign, with the head of its game; without a game, with the fingerprint of the league's key and the day."""
        text = "#turnpost %s\n" % verb
        if game:
            first = self.journal(game).splitlines(keepends=True)[0]
            text += "game: %s\nhead: %s\n" % (game, head_of_line(first) if verb == "join" else self.head(game))
            if verb in ("mute", "unmute"):
                text += "date: %s\n" % self.today
        else:
            text += "league: %s\ndate: %s\n" % (self.fingerprint(), self.today)
        if turn is not None:
            text += "turn: %d\n" % turn
        return text + "".join(line + "\n" for line in lines) + "#end\n"

    def put_mail(self, raw, name):
        """Delivers into the league's Maildir."""
        tmp = self.dir / "mail/in/tmp" / name
        tmp.parent.mkdir(parents=True, exist_ok=True)
        (self.dir / "mail/in/new").mkdir(parents=True, exist_ok=True)
        tmp.write_bytes(raw)
        tmp.rename(self.dir / "mail/in/new" / name)

    def new_mails(self, address):
        """The mails that the Maildir transport has delivered since the last call."""
        box = self.dir / "mail/out" / address / "new"
        names = {p.name for p in box.iterdir()} if box.is_dir() else set()
        new = sorted(names - self.collected.setdefault(address, set()))
        self.collected[address] = names
        return [parse((box / name).read_bytes()) for name in new]

    def outbox(self, address):
        """The mails delivered to an address by the Maildir transport, in order of their names."""
        box = self.dir / "mail/out" / address / "new"
        return [parse(p.read_bytes()) for p in sorted(box.iterdir())] if box.is_dir() else []


def seconds(at):
    """Of a time as the commands take it."""
    return calendar.timegm(time.strptime(at, "%Y-%m-%dT%H:%M:%SZ"))


def form(mail, verb):
    """The text in a mail that is ready to be signed."""
    found = re.search(r"^#turnpost %s\n.*?^#end\n" % verb, text_of(mail), re.S | re.M)
    check(found, "no text to sign in\n" + text_of(mail))
    return found.group(0)


def parse(raw):
    return email.message_from_bytes(raw, policy=email.policy.default)


def text_of(mail):
    """The plain text of a mail, with LF."""
    return mail.get_body(preferencelist=("plain",)).get_content().replace("\r\n", "\n")


def proof_of(mail):
    """What proves a mail: its attachment."""
    return "".join(part.get_content().replace("\r\n", "\n") for part in mail.iter_attachments() if part.get_filename() == "proof.txt")


def whole_of(mail):
    """Its text, and below it what proves it, as who copies both has it."""
    return text_of(mail) + proof_of(mail)


# What servers and mail programs add: answers to strangers are measured by it.
WAY = b"".join(b"X-Way-%02d: what servers and mail programs on its way have to say of it, at length and more\r\n" % hop for hop in range(30))


class Player:
    """A player with one stock tool: ssh, ecdsa (ssh-keygen as well), minisign or signify."""

    def __init__(self, name, tool="ssh"):
        self.name, self.tool = name, tool
        people.known[name] = self
        self.address = name + "@players.test"
        self.dir = WORK / "players" / name
        self.dir.mkdir(parents=True, exist_ok=True)
        self.count = 0
        self.seen = 0
        self.make_key()

    def make_key(self):
        key = self.dir / "key"
        if self.tool in ("ssh", "ecdsa"):
            kind = ["ed25519"] if self.tool == "ssh" else ["ecdsa", "-b", "256"]
            sh("ssh-keygen", "-q", "-t", *kind, "-N", "", "-C", self.name, "-f", key)
            self.public = self.dir / "key.pub"
        elif self.tool == "minisign":
            self.public = self.dir / "minisign.pub"
            sh("minisign", "-G", "-W", "-p", self.public, "-s", key)
        else:
            self.public = self.dir / "signify.pub"
            sh("signify-openbsd", "-G", "-n", "-p", self.public, "-s", self.dir / "signify.sec")

    def sign(self, text):
        """(text, name of the signature file, signature) as the stock tool makes it."""
        path = self.dir / "orders.txt"
        path.write_text(text)
        for old in self.dir.glob("orders.txt.*"):
            old.unlink()
        if self.tool in ("ssh", "ecdsa"):
            sh("ssh-keygen", "-q", "-Y", "sign", "-n", "orders@turnpost", "-f", self.dir / "key", path)
            name = "orders.txt.sig"
        elif self.tool == "minisign":
            sh("minisign", "-S", "-s", self.dir / "key", "-m", path)
            name = "orders.txt.minisig"
        else:
            sh("signify-openbsd", "-S", "-s", self.dir / "signify.sec", "-m", path, "-x", self.dir / "orders.txt.sig")
            name = "orders.txt.sig"
        return text, name, (self.dir / name).read_text()

    def joins(self, league, game, asked, now):
        return self.mail(league.petition("join", game=game))

    def mail(self, text, attach=False, subject="orders", signed=True, **headers):
        """A raw mail with these orders, signed inline or attached."""
        self.count += 1
        mail = email.message.EmailMessage(policy=email.policy.SMTP)
        mail["From"] = "%s <%s>" % (self.name.title(), self.address)
        mail["To"] = ADDRESS
        mail["Subject"] = subject
        mail["Date"] = "Fri, 20 Nov 2026 08:00:00 +0000"
        mail["Message-ID"] = "<%s-%d@players.test>" % (self.name, self.count)
        for name, value in headers.items():
            del mail[name.replace("_", "-")]
            mail[name.replace("_", "-")] = value
        if not signed:
            mail.set_content(text)
        elif attach:
            text, name, signature = self.sign(text)
            mail.set_content("My orders are attached.\n")
            mail.add_attachment(text.encode(), maintype="text", subtype="plain", filename="orders.txt")
            mail.add_attachment(signature.encode(), maintype="application", subtype="octet-stream", filename=name)
        else:
            text, name, signature = self.sign(text)
            mail.set_content("Dear league,\n\n" + text + signature + "\nBest wishes\n" + self.name.title() + "\n")
        return WAY + mail.as_bytes()

    def send(self, servers, raw):
        with servers.submission(self.name) as smtp:
            smtp.sendmail(self.address, [ADDRESS], raw)

    def fetch(self, servers, expect=1, seconds=20):
        """New mails over IMAP; waits until `expect` of them are there."""
        end = time.time() + seconds
        while True:
            with imaplib.IMAP4_SSL("localhost", int(servers.port["IMAPS"]), ssl_context=servers.context()) as imap:
                imap.login(self.name, "secret")
                imap.select("INBOX")
                _, data = imap.search(None, "ALL")
                numbers = data[0].split()[self.seen:]
                if len(numbers) >= expect:
                    mails = []
                    for n in numbers:
                        _, parts = imap.fetch(n, "(RFC822)")
                        mails.append(parse(parts[0][1]))
                    self.seen += len(numbers)
                    return mails
                subjects = []
                for n in numbers:
                    subjects.append(parse(imap.fetch(n, "(RFC822.HEADER)")[1][0][1])["Subject"])
            check(time.time() < end, "%s waited for %d mails, these came: %s" % (self.name, expect, subjects))
            time.sleep(0.1)


def fetch_all(servers, players, count, seconds=20):
    """New mails of several players by name, `count` in all; waits until they are there."""
    got, end = {p.name: [] for p in players}, time.time() + seconds
    while sum(map(len, got.values())) < count:
        check(time.time() < end, "waited for %d mails, these came: %s" % (count, {n: [m["Subject"] for m in got[n]] for n in got}))
        for player in players:
            got[player.name] += player.fetch(servers, expect=0)
    return got


def wait_inbox(servers, count, seconds=20):
    """Waits until the league's mailbox holds that many mails."""
    end = time.time() + seconds
    while True:
        with imaplib.IMAP4_SSL("localhost", int(servers.port["IMAPS"]), ssl_context=servers.context()) as imap:
            imap.login("orders", "secret")
            _, data = imap.select("INBOX", readonly=True)
            if int(data[0]) >= count:
                return
        check(time.time() < end, "only %s of %d mails reached the league" % (data[0], count))
        time.sleep(0.1)


def box_keys(league, game):
    """What opens all boxes of a game, by the league's own secret."""
    master = bytes.fromhex((league.dir / "keys/secret/master").read_text().strip())
    nonce, name = bytes.fromhex(league.records(game)[0]["nonce"]), game.encode()
    number = int.from_bytes(hashlib.blake2b(name, digest_size=16).digest()[:8], "little")
    keys = []
    for context in (b"tp-seal1", b"tp-press"):
        key = hashlib.blake2b(key=master, salt=number.to_bytes(8, "little") + bytes(8), person=context + bytes(8), digest_size=32).digest()
        for part in (name, nonce):
            key = hashlib.blake2b(part, key=key, digest_size=32).digest()
        keys.append(key)
    return boxes.Keys(*keys)


def payloads(league, game):
    """(record, seat, item, payload) of each box of a game, but for the mails in those of messages; a payload is text, that of a mail bytes."""
    return payloads_of(league.records(game), box_keys(league, game))


def recorded_payloads(folder):
    """The same of a game that is over, with the key that its journal holds."""
    records = [json.loads(line) for line in (folder / "journal.jsonl").read_bytes().splitlines()]
    key = next((bytes.fromhex(r["seal_key"]) for r in records if r["type"] == "open"), None)
    return payloads_of(records, boxes.Keys(key)) if key else []


def payloads_of(records, keys):
    out = []

    def take(record, seat, item, seal, box):
        of = record.get("made", seal) if item == 0 else seal
        found = keys.opened(box, bytes.fromhex(of), record["game"], record["seq"], seat, item)
        if found is None:
            return
        payload = found[0]
        out.append((record["seq"], seat, item, payload if item == 1001 else payload.decode()))

    for record in records:
        texts = record["type"] == "orders" or record.get("do") == "orders"
        if "box" in record:
            item = 0 if texts else 2 if record["type"] == "moderate" else 1000
            take(record, record["seat"] if texts else 0, item, record["seal"], record["box"])
        for i, draw in enumerate(record.get("hidden", [])):
            take(record, 0, 2 + i, draw["seal"], draw["box"])
        if "box" in record.get("vouched", {}):
            take(record, record["seat"] if record["type"] == "orders" else 0, 1001, record["vouched"]["evidence"], record["vouched"]["box"])
    return out


def head_of_line(line):
    return hashlib.blake2b(b"turnpost/log\0" + line, digest_size=32).hexdigest()


def head_of(report):
    """The 64 digits that orders answering this report carry."""
    found = re.search(r"^head: ([0-9a-f]{64})$", text_of(report), re.M)
    check(found, "no head in the form of\n" + text_of(report))
    return found.group(1)


def turn_of(report):
    return int(re.search(r"^turn: (\d+)$", text_of(report), re.M).group(1))


def orders(game, turn, lines, head=None, **fields):
    text = "#turnpost orders\ngame: %s\nturn: %d\n" % (game, turn)
    if head:
        text += "head: %s\n" % head
    for name, value in fields.items():
        text += "%s: %s\n" % (name, value)
    return text + "\n".join(lines) + "\n#end\n"


def league_point(league):
    """The 32 bytes of the league's key."""
    return base64.b64decode((league.dir / "keys/league.pub").read_text().split()[1])[-32:]


def verify_head(league, mail):
    """What the mail proves by the league's log, checked by the second verifier. Returns (game, seq, head) of the last record."""
    lines = tlog.proved(proof_of(mail), league_point(league))
    check(lines, "the mail proves nothing: %s" % mail["Subject"])
    entry = tlog.entry_of(lines[-1])
    return entry["name"], entry["seq"], entry["head"]


def without_proofs(raw):
    """The bytes of a mail but for its proofs, or the places for them that it has in the spool: where something was made again, its
    place in the log is another one."""
    return re.sub(rb"\[proof [^]]*\]|-----BEGIN TURNPOST PROOF.*?END TURNPOST PROOF-----", b"", raw, flags=re.S)


VERIFIER_MOST = 150  # records; its curve is written in Python, and a long game would take seconds


def verify_published(league, game):
    """What is published of the game proves itself to the public: to `turnpost audit`, and if it is short to the second verifier."""
    folder, key = WORK / ("published-" + game), league.dir / "keys/league.pub"
    league.tp("publish", game, "-o", folder)
    proved = 0 if b'"type":"open"' in league.journal(game) else 1
    league.tp("audit", folder, "--as", "public", "--key", key, code=proved)
    if len(league.journal(game).splitlines()) <= VERIFIER_MOST:
        done = subprocess.run([sys.executable, TESTS / "verifier/verify.py", "--key", key, folder], stdout=subprocess.PIPE)
        check(done.returncode == proved, "the verifier on what is published of %s: %s" % (game, done.stdout.decode()))
    shutil.rmtree(folder)


def verify_chain(league, game, stock=True):
    """Every `prev` by stock b2sum's algorithm, sequence numbers, and one line by b2sum itself; and `turnpost audit`, which
    needs nothing but the game's folder; what is published of it, too. Returns the heads."""
    sh(TURNPOST, "audit", league.dir / "games" / game, "--key", league.dir / "keys/league.pub")
    heads = heads_of(league, game)
    if not stock:
        return heads
    path = WORK / "first"
    path.write_bytes(b"turnpost/log\0" + league.journal(game).splitlines(keepends=True)[0])
    check(sh("b2sum", "-l", "256", path).split()[0] == heads[0], "b2sum gives another head")
    verify_published(league, game)
    return heads


def verify_chains(league):
    """All games of the league, by one audit of them; without stock b2sum."""
    sh(TURNPOST, "audit", league.dir / "games", "--key", league.dir / "keys/league.pub")
    for path in (league.dir / "games").glob("*/journal.jsonl"):
        heads_of(league, path.parent.name)


def verify_log(league):
    """The league's log holds, and with it what all journals of the league say. Tests that work at times of their own have an earlier clock
    in their games than where players were added, which is asked about."""
    said = league.tp("audit", "--log", league.dir, code=None)
    asked = [line for line in said.splitlines() if line.startswith(("WRONG", "ask")) and "the league's clock was put back" not in line]
    check(league.code in (0, 1) and not asked, "the league's log: %s%s" % (said, league.err))
    return said


def heads_of(league, game):
    """The head of each record of a journal, whose `prev` and numbers must follow."""
    heads, prev = [], "0" * 64
    for number, line in enumerate(league.journal(game).splitlines(keepends=True), 1):
        record = json.loads(line)
        check(record["seq"] == number and record["prev"] == prev and record["game"] == game,
              "record %d of %s does not follow" % (number, game))
        prev = head_of_line(line)
        heads.append(prev)
    return heads


def main(test):
    """Runs a test function; servers it started are stopped. The last line printed is the summary."""
    servers = []
    try:
        test(servers)
    except Failed as why:
        print("FAILED: %s" % why)
        sys.exit(1)
    except NotRun as why:
        print("not run: %s" % why)
        sys.exit(77)
    finally:
        for s in servers:
            s.stop()
