"""A cheating operator whose players have only a mailbox: what he does with their mails and their domains' keys, what it gains him, and
who finds out by which command. Where the program does not do it for him, he changes the journal and signs it anew."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import replier
from league import *
from domains import Domains
from reader import Reader, flat
from replier import PROVIDERS, Key, sign
from stolen import Keys

GAME, OTHER = "gc-1", "gc-2"


class Case:
    """Ulf, whose domain nobody proves, against a robot in two games; an auditor who asks the real name servers."""

    def __init__(self, domains):
        self.domains, self.told = domains, []
        self.league = League("cheat")
        self.league.init()
        domains.use(self.league)
        self.ulf = Reader("ulf", domains, self.league, domain="unsigned.test")
        self.ulf.register(self.league.tp("invite").strip())
        for game in (GAME, OTHER):
            self.league.seated(game, "galaxy-command", "ulf,robot", "--no-deadline", "--trust", "mail")
        self.league.tp("run")
        mails = self.league.new_mails(self.ulf.address)
        self.last = {game: next(m for m in mails if game in m["Subject"]) for game in (GAME, OTHER)}
        self.auditor = League("auditor")
        self.auditor.init()
        self.auditor.use_names(domains.names.port, domains.names.dir / "root.key", 2)

    def reply(self, typed, game=GAME, client="gmail_web", **how):
        return self.ulf.reply(client, self.last[game].as_bytes(), typed, **how)

    def put(self, raw, counts, game=GAME):
        """The operator has the mail processed: does it give orders?"""
        before = len(self.league.records(game))
        self.ulf.sent += 1
        self.league.put_mail(raw, "put-%d" % self.ulf.sent)
        self.league.tp("run")
        got = self.league.new_mails(self.ulf.address)
        records = self.league.records(game)[before:]
        check(any(r["type"] == "orders" for r in records) == counts, "counted: %s, by %s" % (not counts, [flat(m)[:200] for m in got]))
        if counts:
            self.last[game] = got[-1]
        return " ".join(flat(m) for m in got)

    def audit(self, code, *words, path=None, dns=False):
        said = " ".join((self.auditor.tp("audit", path or self.league.dir / "games" / GAME, "--as", "moderator", "--verbose", "--key", self.league.dir / "keys/league.pub",
                                         *(["--dns"] if dns else []), code=code) + self.auditor.err).split())
        for word in words:
            check(word in said, "audit does not say \"%s\" but:\n%s" % (word, said))

    def exposed(self, what, by, says):
        self.told.append("  %-62s %-34s %s" % (what, by, says))

    def edited(self, name, change):
        """The game with the last record of orders changed, and all of it signed anew from there on."""
        lines = self.league.journal(GAME).splitlines(keepends=True)
        at = max(n for n, line in enumerate(lines, 1) if json.loads(line)["type"] == "orders")
        folder = WORK / "games" / name
        secret = WORK / "keys/secret/master"  # a moderator's copy, whose boxes this opens
        secret.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.league.dir / "keys/secret/master", secret)
        shutil.copytree(self.league.dir / "games" / GAME, folder)
        (folder / "journal.jsonl").write_bytes(b"".join(Keys(self.league).rechain(lines, at, change)))
        return folder, at


def invented(case):
    """A key of the operator's own, which he says the domain publishes; signed in the form of the domain's provider."""
    key = Key(b"rsa", 2048)
    case.domains.lies["evil._domainkey.unsigned.test"] = "v=DKIM1; p=" + key.p.decode()
    raw = case.reply("explore near or bide\nbuild", client="gmail_web")
    raw = sign(re.sub(rb"^DKIM-Signature:.*?\r\n(?![ \t])", b"", raw, flags=re.S | re.M), "gmail", "unsigned.test", key, s="evil")
    case.put(raw, True)
    case.audit(0, "under evil, which the league says the domain published")
    case.audit(0, "unsigned.test under evil", "no key is published there now", "of which the key rests on the league's word alone: 1", dns=True)
    told = " ".join(proof_of(case.last[GAME]).split())
    check(re.search(r"yours of turn \d+ by unsigned.test \(selector evil", told), "the next mail does not prove by which selector: " + told[:400])
    case.exposed("invents a key of the player's domain", "its player, by the receipt; audit --dns", "no key is published there")
    case.put(case.reply("explore near or bide"), True)
    # Where DNSSEC proves the domain he cannot.
    case.domains.lies["evil._domainkey.players.test"] = case.domains.lies["evil._domainkey.unsigned.test"]
    anna = Reader("anna", case.domains, case.league)
    anna.register(case.league.tp("invite").strip())
    case.league.seated("gc-3", "galaxy-command", "anna,robot", "--no-deadline", "--trust", "mail")
    case.league.tp("run")
    before = case.league.journal("gc-3")
    said = anna.answer("gmail_web", "bide", mail=anna.look()[-1], s="evil")
    check("contradict what it says of the mail domain's key" in flat(said[-1]) and case.league.journal("gc-3") == before, flat(said[-1]))
    case.exposed("the same of a domain that DNSSEC proves", "nobody needs to", "the name servers contradict it: nothing counts")


def by_programs(case):
    """An out-of-office notice, stripped of what it says of itself."""
    for how in ({}, {"marks": False}, {"marks": False, "before": "Re: "}):
        case.put(case.reply("build\nresign", client="exchange_away", **how), False)
    case.exposed("strips an out-of-office notice of its marks", "nobody needs to", "there is no order in it: it is asked about")


def changed(case):
    """What the provider has not signed: another boundary, another type, another encoding."""
    raw = case.reply("build", client="yahoo")
    mark = re.search(rb'boundary="([^"]+)"', raw)[1]
    case.put(raw.replace(mark, b"zz", 1), True)
    receipt = flat(case.last[GAME])
    check("Your order \"build\" was done." in receipt, "what counted: " + receipt)
    case.audit(0, "proved")
    case.exposed("changes the boundary of MIME, which nobody has signed", "nobody needs to", "what was typed is read all the same")
    return raw


def replayed(case, old):
    said = case.put(old, False)
    case.put(b"Received: from x by y; Mon, 23 Nov 2026 10:00:00 +0000\r\n" + old, False)
    case.put(old, False, game=OTHER)
    to = case.last[OTHER]["Reply-To"].addresses[0].addr_spec.encode()
    again = re.sub(rb"(?m)^To: .*", b"To: " + to, old, count=1)
    case.put(again, False, game=OTHER)
    case.exposed("replays a mail: in its turn, later, in another game", "nobody needs to", "it counts once, and for the turn that it names")
    return said


def records(case):
    """The journal, changed by hand."""
    for name, change, says in (
            ("key", lambda r: r["vouched"].update(key="ab" * 32), "comes with another key than the record names"),
            ("selector", lambda r: r["vouched"].update(selector="other"), "is not signed by that domain and key"),
            ("after", lambda r: r["vouched"].update(arrived="2099-01-01T00:00:00Z"), "is said to have come after the record was made"),
            ("before", lambda r: r["vouched"].update(arrived="2020-01-01T00:00:00Z"), "is said to have come before the record that it answers"),
            ("sent", lambda r: r["vouched"].update(sent="2027-01-01T00:00:00Z"), "says something else than they do"),
            ("evidence", lambda r: r["vouched"].update(evidence="cd" * 32), "does not hold what its seal says"),
            ("dropped", lambda r: r.pop("vouched"), "\"made\" and \"vouched\" go together"),
            ("made", lambda r: r.update(made="ef" * 32), "does not hold what its seal says")):
        folder, at = case.edited(name, change)
        case.audit(2, "record %d (orders" % at, says, path=folder)
    case.exposed("changes what a record says of its mail", "moderators; who is shown the mail", "audit: broken at that record")


def ahead(case):
    """His clock is two hours ahead. Within these the operator can say what he likes of when it came; later ones count all the same."""
    case.put(case.reply("conquer N1", now=int(time.time()) + 7200, t=str(int(time.time()))), True)
    case.audit(0, "proved", "of which came before the time in their Date: 1, by up to")
    folder, at = case.edited("said", lambda r: r["vouched"].update(arrived=r["time"]))
    case.audit(1, ": sound (", "of which came before the time in their Date: 1, by up to", path=folder)  # all that he lacks is his own log's proof
    case.exposed("says otherwise when a mail came whose clock is ahead", "nobody; audit counts such mails", "came before the time in their Date")
    case.put(case.reply("explore near or bide"), True)


def play(servers):
    domains = Domains()
    servers.append(domains)
    case = Case(domains)
    invented(case)
    by_programs(case)
    replayed(case, changed(case))
    records(case)
    ahead(case)
    print("  %-62s %-34s %s" % ("the operator", "is exposed by", "which says"))
    print("\n".join(case.told))
    print("%d cheats with mails, each exposed, counted or without gain" % len(case.told))


main(play)
