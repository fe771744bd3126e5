"""Floods of strangers' mails, of each kind, before the orders of a player with a key and the answer of one with a mailbox: how long
these wait, and that they count in the same run. A run is 20 seconds long at most. LONG=1: as many as make hostile asks for."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import replier
from trial import *
from domains import Domains
from reader import Reader
from replier import Mailbox, sign

MOST = 20.0  # seconds of a run, whatever strangers send
MANY, SOME = (5000, 2000) if LONG else (150, 60)
ACCEPTED = "We have your"


class World:
    def __init__(self, domains, table):
        self.domains, self.table = domains, table
        self.league = League("floods")
        self.league.init()
        domains.use(self.league, timeout=10)
        self.league.set("limits", replies_per_day=1000)
        self.league.set("league", registration="open")
        self.kate = Player("kate")
        self.league.add(self.kate)
        self.anna = Reader("anna", domains, self.league)
        self.anna.register(self.league.tp("invite").strip())
        self.serial = self.games = 0
        self.begin()

    def begin(self):
        """A new game of each against a robot."""
        self.games += 1
        self.hers, self.annas = "gc-k%d" % self.games, "gc-a%d" % self.games
        for game, seats in ((self.hers, "kate,robot"), (self.annas, "anna,robot")):
            self.league.seated(game, "galaxy-command", seats, "--no-deadline", "--trust", "mail")
        self.league.tp("run")
        self.report, = self.league.new_mails(self.anna.address)
        self.league.new_mails(self.kate.address)

    def put(self, raw, after=0):
        self.serial += 1
        name = "f%07d" % self.serial
        self.league.put_mail(raw, name)
        when = time.time() - 60 + after
        os.utime(self.league.dir / "mail/in/new" / name, (when, when))

    def flood(self, what, mails, left=0, stay=False, waits=False, least=0):
        """The mails, then Kate's orders and Anna's: both count in one run. `left`: how many may wait in the mailbox, at most, `least`: at least; `stay`: into
        the next flood. `waits`: for name servers; of all others the processor's time counts, which others on this machine do not change."""
        for raw in mails:
            self.put(raw)
        self.put(self.kate.mail(self.league.orders(self.hers, 1, ["bide"])), after=30)
        self.put(self.anna.reply("gmail_web", self.report.as_bytes(), "bide"), after=30)
        took, megabytes, _ = measure(self.league, "run", seconds=300)
        for player in (self.kate, self.anna):
            got = [one_line(text_of(m)) for m in self.league.new_mails(player.address)]
            check(any(ACCEPTED in text for text in got), "%s: what %s has sent did not count: %s" % (what, player.name, [t[:200] for t in got]))
        there = list((self.league.dir / "mail/in/new").iterdir())
        check(least <= len(there) <= left, "%s: %d mails are left in the inbox" % (what, len(there)))
        for path in there if not stay else []:
            path.unlink()
        took = took if waits else self.league.processor
        self.table.add(what, "%d wait" % len(there), took, megabytes)
        check(took <= MOST, "%s: the run took %.1f s" % (what, took))
        self.begin()
        return took


def signed_for(w, domain, n, subject="register zoe%d", s="x"):
    """A mail that says to be signed by that domain, whose key nobody knows before it is asked for."""
    return Mailbox("zoe%d" % n, domain, w.domains.keys).mail("own", ADDRESS, subject % n, ("", "hello\r\n"), s=s)


def mails(w):
    eve = Player("eve")
    w.flood("%d mails of strangers" % MANY, [plain(eve, "help me %d" % n, From="s%d@junk.test" % n) for n in range(MANY)])
    text, _, signature = eve.sign(orders(w.hers, 1, ["bide"]))
    w.flood("%d mails signed by a key that nobody has" % MANY, [plain(eve, text + signature, From="t%d@junk.test" % n) for n in range(MANY)])
    w.flood("%d mails in the name of a player with a key" % MANY, [plain(w.kate, "orders of hers, number %d" % n) for n in range(MANY)])
    junk = os.urandom(3000)
    w.flood("%d mails of junk" % MANY, [b"%d" % n + junk[n % 1000:] for n in range(MANY)])


def dear(w):
    """Those that take longest, small and large. A run has a purse for its mails (trust/work.h); what takes long waits then for the next."""
    ecdsa = Player("eck", "ecdsa")
    flood = lambda what, text, many, **how: w.flood(
        "%d mails %s" % (many, what), [plain(ecdsa, "%d\n%s" % (n, text), From="u%d@junk.test" % n) for n in range(many)], left=many, least=1, **how)
    flood("that begin 7,600 signatures", "-----BEGIN SSH SIGNATURE-----\n" * 7600, MANY if LONG else 200, stay=not LONG)
    if not LONG:
        w.flood("the rest of them, in the next run", [])
        return
    signed = (ecdsa.sign(orders(w.hers, n, ["bide"])) for n in range(20))
    flood("with 20 bad ECDSA signatures", "".join((text + signature).replace("bide", "bids") for text, _, signature in signed), MANY)
    flood("of a megabyte", "hello there you all, what is new today\n" * (1000000 // 39), MANY // 4)


def registrations(w):
    w.flood("%d registrations, signed by one domain" % SOME,
            [Mailbox("zoe%d" % n, "players.test", w.domains.keys).mail("own", ADDRESS, "register zoe%d" % n, ("", "hello\r\n")) for n in range(SOME)])
    w.flood("%d registrations, of as many domains that do not exist" % SOME, [signed_for(w, "none%d.test" % n, n) for n in range(SOME)], left=200)


def name_servers(w):
    w.domains.liar.failing = re.compile(r"(^|\.)fail\d+\.test$")
    first = w.flood("24 domains whose servers fail after 2 s", [signed_for(w, "fail%d.test" % n, n) for n in range(24)], left=24, stay=True, waits=True)
    again = w.flood("the same in the next run of cron", [signed_for(w, "fail%d.test" % n, n) for n in range(24, 48)], left=48, waits=True)
    check(first < 14 and again < 8, "time for strangers' name servers began anew: %.1f s, then %.1f s" % (first, again))
    w.domains.liar.failing = re.compile(r"(^|\.)dead\d+\.test$")
    w.domains.liar.pause = 600
    w.flood("%d domains whose servers are silent" % SOME, [signed_for(w, "dead%d.test" % n, n) for n in range(SOME)], left=200, waits=True)
    w.domains.liar.failing = re.compile(r"^x\d+\._domainkey\.players\.test$")
    forged = [signed_for(w, "players.test", n, s="x%d" % n) for n in range(MANY)]
    w.flood("%d mails with selectors of a player's domain that are never answered" % MANY, forged, left=200)


def forged_replies(w):
    unsigned = lambda: re.sub(rb"^DKIM-Signature:.*?\r\n(?![ \t])", b"", w.anna.reply("gmail_web", w.report.as_bytes(), "resign"), flags=re.S)
    raw = unsigned()
    w.flood("%d answers in a player's name, with her token and no signature" % MANY, [raw + b"%d\r\n" % n for n in range(MANY)])
    raw, to = unsigned(), w.report["Reply-To"].addresses[0].addr_spec.encode()
    tokens = [raw.replace(to, to[:7] + ("%016d" % n).translate(str.maketrans("0123456789", "abcdefghij")).encode() + to[23:]) for n in range(SOME)]
    w.flood("%d answers with tokens that are made up" % SOME, tokens)
    raw = unsigned()
    w.domains.liar.failing = re.compile(r"^y\d+\._domainkey\.players\.test$")
    w.flood("%d answers with her token and selectors that are never answered" % SOME,
            [sign(raw, "gmail", "players.test", w.domains.keys.of("gmail"), time.time(), s="y%d" % n) for n in range(SOME)], left=40)


def play(servers):
    table, domains = Table(), Domains()
    servers.append(domains)
    w = World(domains, table)
    try:
        for part in (mails, dear, registrations, name_servers, forged_replies):
            part(w)
        verify_chains(w.league)
    finally:
        table.show()
    print("%d floods, the longest run %.1f s" % (len(table.rows), max(row[2] for row in table.rows)))


main(play)
