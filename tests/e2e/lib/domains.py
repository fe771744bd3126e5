"""The mail domains of people who have only a mailbox: their name servers (Knot behind one that lies where it is told to), what
their providers publish, and a league that asks them."""
import sys

from league import *
from replier import PROVIDERS, Key, Keys

sys.path.insert(0, str(TESTS / "servers"))
from liar import Liar
from names import Names

# players.test is proved by the root's key; the others: tests/servers/names.py.
DOMAINS = ["players.test", "unsigned.test", "bogus.test"]
# Selectors of players.test that are of no use to anybody.
ODD = ["loop._domainkey CNAME pool._domainkey", "pool._domainkey CNAME loop._domainkey", Names.txt("revoked._domainkey", "v=DKIM1; p="),
       "huge._domainkey TXT " + " ".join(['"%s"' % ("x" * 250)] * 17), "silent._domainkey CNAME %s._domainkey" % PROVIDERS["gmail"].selector]


class Domains:
    """`lies` begins as {}, `silent` as empty: what stands in them counts from then on for names that nobody has asked for."""

    def __init__(self):
        self.keys = Keys()
        more = [record for domain in DOMAINS for record in self.keys.records(domain)]
        good = self.keys.record("gmail")
        odd = ODD + [Names.txt("two._domainkey", good), Names.txt("two._domainkey", self.keys.record("own")), Names.txt("old._domainkey", good),
                     Names.txt("testing._domainkey", good + "; t=y"), Names.txt("other._domainkey", "v=DKIM1; p=" + Key(b"rsa", 2048).p.decode())]
        # Keys that a domain has at its provider's, which is not signed.
        odd += ["away._domainkey CNAME %s._domainkey.unsigned.test." % PROVIDERS["gmail"].selector]
        self.names = Names(WORK / "names", more, [("players.test", line) for line in odd]).start()
        self.liar = Liar(self.names.port)
        self.silent, self.lies = self.liar.silent, self.liar.lies

    def use(self, league, timeout=2):
        league.use_names(self.liar.port, self.names.dir / "root.key", timeout)
        league.set("league", trust="mail")

    def stop(self):
        self.names.stop()
