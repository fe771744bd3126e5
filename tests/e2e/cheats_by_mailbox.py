"""Somebody who has no key of anybody's, but a mailbox that is not theirs, a mail provider, copies of mails, or a seat that was another's:
what they do with it, whether it gains them anything, and who is told. The operator is in cheats_by_mail.py."""
import copy
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import batch
from league import *
from domains import Domains
from reader import Reader, flat
from replier import DAY, sign

HOUR = 3600


class Case:
    """A league with mona, who moderates, and kurt, who has a key. Anna has only a mailbox, and a second one at another provider.
    Who has stolen one of them reads and writes as she does: so it is her own mails that are sent."""

    def __init__(self, domains):
        self.domains, self.league, self.now, self.count, self.mails, self.looked = domains, League("base"), int(time.time()), 0, {}, {}
        self.league.init()
        domains.use(self.league)
        self.league.set("league", moderators="mona", registration="open", player_games=5, player_invites=5)
        self.league.set("limits", replies_per_day=1000, stranger_replies=100)
        self.league.set("clock", outage="30d")  # days go by in a moment
        self.mona, self.kurt, self.robber = Player("mona"), Player("kurt"), Player("robber")
        for player in (self.mona, self.kurt):
            self.league.add(player)
        self.anna = self.person("anna")
        self.second = self.mailbox("anna-two")
        self.agree(self.anna, "second " + self.second.address)
        self.type(self.second, "ok")
        self.table("gc-1", "anna,kurt")

    def again(self, name):
        """The same once more, in a copy of its folder."""
        case = copy.copy(self)
        case.league, case.mails, case.looked = batch.copy(self.league, name), {a: list(m) for a, m in self.mails.items()}, {}
        case.league.collected = {address: set(names) for address, names in self.league.collected.items()}
        return case

    def table(self, game, seats, *more):
        self.league.seated(game, "galaxy-command", seats, "--no-deadline", "--trust", "mail", *more, "--now", self.iso())
        self.run()

    def mailbox(self, name, domain="unsigned.test"):
        return Reader(name, self.domains, self.league, domain=domain)

    def person(self, name, domain="players.test"):
        person = self.mailbox(name, domain)
        self.write(person, "register " + name)
        self.type(person, "ok")
        told(self.got(person), "You are registered")
        return person

    def iso(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))

    def run(self, seconds=60):
        self.now += seconds
        self.league.tp("run", "--now", self.iso())
        for box in (self.league.dir / "mail/out").glob("*"):
            self.mails.setdefault(box.name, []).extend(self.league.new_mails(box.name))

    def days(self, days):
        for step in [29] * (days // 29) + [days % 29]:  # less than an outage
            self.run(step * DAY)

    def put(self, *mails):
        for raw in mails:
            self.count += 1
            name = "m%d" % self.count
            self.league.put_mail(raw, name)
            os.utime(self.league.dir / "mail/in/new" / name, (self.now, self.now))
        self.run()

    def got(self, *who):
        """What has come to them since they looked last."""
        new = []
        for one in who:
            mails = self.mails.get(one.address, [])
            new += mails[self.looked.get(one.address, 0):]
            self.looked[one.address] = len(mails)
        return new

    def last(self, who, words=""):
        found = [mail for mail in self.mails[who.address] if words in mail["Subject"]]
        check(found, "no mail \"%s\" to %s" % (words, who.address))
        return found[-1]

    def letter(self, who, subject, text="", to=ADDRESS, **how):
        return who.write("gmail", to, subject, text, now=self.now, **how)

    def write(self, who, subject, text=""):
        self.put(self.letter(who, subject, text))

    def reply(self, who, typed, mail=None, client="gmail_web", **how):
        return who.reply(client, (mail or self.last(who)).as_bytes(), typed, now=self.now, **how)

    def type(self, who, typed, mail=None, **how):
        self.put(self.reply(who, typed, mail, **how))

    def agree(self, who, subject, text=""):
        """Asks for something, and says "ok" to the question, or the words that it names."""
        self.write(who, subject, text)
        said = re.search(r"type: (ok(?: (?!If)[a-z2-7]{6})?)", flat(self.last(who)))
        check(said, "no question to \"%s\" but: %s" % (subject, flat(self.last(who))))
        self.type(who, said[1])

    def moderates(self, verb, *lines, **where):
        self.put(self.mona.mail(self.league.petition(verb, *lines, **where), Date=email.utils.formatdate(self.now)))

    def lost(self, new):
        """Anna has telephoned: a moderator asks for a new mailbox, which agrees."""
        self.moderates("rekey", "player: anna", "address: " + new.address, "reason: she has telephoned")
        self.type(new, "ok")

    def player(self, name="anna"):
        path = self.league.dir / "players" / (name + ".json")
        return json.loads(path.read_text()) if path.exists() else {}

    def records(self, game="gc-1"):
        return len(self.league.records(game))


def told(mails, *words):
    texts = [mail["Subject"] + " " + flat(mail) for mail in mails]
    check(any(all(word in text for word in words) for text in texts), "not told %s but:\n%s" % (words, "\n".join(text[:300] for text in texts)))


# ---- who has stolen the first mailbox ----

def plays(c):
    """Whatever is done by mail comes to the second mailbox as well, also when mails that need not be were declined."""
    report = c.last(c.anna, "[gc-1]")
    first, last = (time.strftime("%Y-%m-%d", time.gmtime(c.now + days * DAY)) for days in (20, 25))
    c.got(c.second)
    for send, words in ((lambda: c.write(c.anna, "prefs", "optional: no\nreminder: no\ndigest: 3\n"), "Your settings"),
                        (lambda: c.type(c.anna, "explore near or bide", report), "We have your orders"),
                        (lambda: c.type(c.anna, "press kurt: I give up", report), "I give up"),
                        (lambda: c.write(c.anna, "display Nobody Else"), "Nobody Else"),
                        (lambda: c.write(c.anna, "mute kurt"), "kurt"),
                        (lambda: c.write(c.anna, "invite"), "Pass this on"),
                        (lambda: c.write(c.anna, "prefs", "optional: yes\n"), "Your settings"),
                        (lambda: c.write(c.anna, "stop"), "You get no more mails"),
                        (lambda: c.write(c.anna, "vacation %s to %s" % (first, last)), first),
                        (lambda: c.agree(c.anna, "standby any"), "waiting list"),
                        (lambda: c.agree(c.anna, "open galaxy-command", "seats: anna, kurt\n"), "anna-1"),
                        (lambda: c.agree(c.anna, "resign gc-1"), "You have resigned")):
        send()
        told(c.got(c.second), words)
    return "works", "the second mailbox, of each step"


def moves_first(c):
    thief = c.mailbox("thief", "players.test")
    c.agree(c.anna, "address " + thief.address)
    told(c.got(c.second), "A new address for anna", thief.address)
    c.type(thief, "ok")
    check(c.player()["address"] == thief.address, "it did not move")
    told(c.got(c.second), "Your addresses are now", thief.address, "somebody reads your mail")
    new = c.mailbox("anna-three")
    c.lost(new)
    c.days(8)
    check(c.player()["address"] == new.address, "a moderator cannot take it back: %s" % c.player())
    return "works, until a moderator moves it back", "both mailboxes of before"


def stopped(c):
    """Whatever waits is stopped from the second mailbox, at the very end of its time."""
    thief, key = c.mailbox("thief", "players.test"), c.robber
    for ask, title, wait in ((lambda: c.agree(c.anna, "second " + thief.address), "A new address for anna", 7 * DAY),
                             (lambda: c.agree(c.anna, "second no"), "Your second address is to be dropped", 7 * DAY),
                             (lambda: c.agree(c.anna, "erase"), "You leave Orion League", 3 * DAY),
                             (lambda: first_key(c, key), "A first key for anna", 7 * DAY)):
        if title.startswith("You leave"):
            c.agree(c.anna, "resign gc-1")
        c.got(c.second, c.kurt)
        ask()
        told(c.got(c.second), title)
        if thief.address in str(c.player()):
            c.type(thief, "ok")
        c.run(wait - 2 * HOUR)
        c.type(c.second, "no", c.last(c.second, title))
        c.days(8)
        check(c.player().get("address2") == c.second.address and c.player()["trust"] == "mail", "%s: %s" % (title, c.player()))
    return "prevented, if they look within its time", "the second mailbox; of a key, who plays with them"


def first_key(c, key):
    c.write(c.anna, "my key", key.public.read_text())
    text, _, signature = key.sign(form(c.last(c.anna), "key"))
    c.write(c.anna, "key", text + signature)


def unstopped(c):
    """Nobody looks: the key is the thief's, and what the mailbox says counts no more."""
    first_key(c, c.robber)
    c.days(8)
    check("trust" not in c.player(), "the key did not come: %s" % c.player())
    told(c.got(c.second), "The new key of anna")
    told(c.got(c.kurt), "A first key for anna")
    before = c.records()
    c.type(c.second, "bide", c.last(c.anna, "[gc-1]"))
    check(c.records() == before, "a mail counts below the key")
    return "works after seven days in which nobody says no", "both mailboxes, and who plays with them"


def races_a_moderator(c):
    """A moderator says that the mailbox is lost: whoever has it wins no race of seven days."""
    new, thief, key = c.mailbox("anna-three"), c.mailbox("thief", "players.test"), c.robber
    c.agree(c.anna, "resign gc-1")
    first_key(c, key)
    c.agree(c.anna, "erase")
    c.lost(new)
    for words in ("second " + thief.address, "address " + thief.address, "second no"):
        c.agree(c.anna, words)
        told(c.got(c.anna), "The moderator mona says that your mailbox is lost")
        check(c.player()["move"]["address"] == new.address, "the moderator's request has gone: %s" % c.player())
    c.days(9)
    check(c.player().get("address") == new.address and c.player()["trust"] == "mail", "the thief was faster: %s" % c.player())
    check("rekey" not in c.player() and "leaves" not in c.player(), "it still waits: %s" % c.player())
    return "prevented: it waits, or is refused", "nobody needs to be"


def takes_the_name(c):
    """Nobody looks for three days, and then somebody else is called anna."""
    c.put(c.kurt.mail(c.league.petition("press", "to: anna", "MY-SECRET", game="gc-1", turn=1), Date=email.utils.formatdate(c.now)))
    c.agree(c.anna, "resign gc-1")
    c.agree(c.anna, "erase")
    c.days(4)
    thief = c.mailbox("thief", "players.test")
    c.write(thief, "register anna")
    c.type(thief, "ok")
    check(c.player()["address"] == thief.address, "the name is not free: say so in CHEATS.md")
    before = c.records()
    for words in ("show gc-1", "back gc-1", "take gc-1", "appeal gc-1", "rematch gc-1"):
        c.write(thief, words, "It was mine.")
        if "type: ok" in flat(c.last(thief)):
            c.type(thief, "ok")
    check(c.records() == before, "the seat of who was erased is played")
    check(not any("SECRET" in flat(mail) for mail in c.mails[thief.address]), "letters to who was erased are shown")
    return "works: the name, no seat, no letters", "both mailboxes, three days before"


def says_no(c):
    new = c.mailbox("anna-three")
    c.lost(new)
    c.got(c.mona, c.second)
    c.type(c.anna, "no", c.last(c.anna, "A new address"))
    check("move" not in c.player() and c.player()["address"] == c.anna.address, "no did nothing")
    told(c.got(c.mona), "stay as they are")
    told(c.got(c.second), "stay as they are")
    return "works: then only another player for the seat helps", "the moderator, the second mailbox"


# ---- who has stolen the second ----

def from_second(c):
    c.got(c.anna)
    c.write(c.second, "address " + c.second.address)
    c.type(c.second, "ok", c.last(c.anna, "a new address"))
    told(c.got(c.anna), "Do you want a new address?")
    told(c.got(c.second), "That has to come from " + c.anna.address)
    c.type(c.second, "bide", c.last(c.anna, "[gc-1]"))
    told(c.got(c.anna), "We have your orders")
    check(c.player()["address"] == c.anna.address, "it moved")
    return "plays; takes no address", "the first mailbox, of each step"


# ---- who has copies of mails ----

def written_to_others(c):
    """Anna asks eve for advice, who knows the address for answers, as a copy of one went to her."""
    report, before = c.last(c.anna, "[gc-1]"), c.records()
    token = report["Reply-To"].addresses[0].addr_spec
    for field in ("Delivered-To", "X-Original-To", "Envelope-To", "Cc"):
        c.put(("%s: %s\r\n" % (field, token)).encode() + c.reply(c.anna, "explore near", report, to="eve@players.test"))
        check(c.records() == before, "it counts by " + field)
    told(c.got(c.anna), "You wrote this mail to somebody else")  # once, as the words are the same
    c.write(c.anna, "address anna-three@unsigned.test")
    question = c.last(c.anna)
    token = question["Reply-To"].addresses[0].addr_spec
    c.put(b"Delivered-To: " + token.encode() + b"\r\n" + c.reply(c.anna, "ok", question, to="eve@players.test"))
    check("move" not in c.player(), "an \"ok\" to somebody else counts")
    for subject in ("Re: mute kurt", "Re: display Silly", "Re: prefs"):
        c.put(b"Delivered-To: orders@game.test\r\n" + c.letter(c.anna, subject, "public: yes\n", to="eve@players.test"))
    check(not {"mutes", "display", "public"} & set(c.player()), "what was written to somebody else is done: %s" % c.player())
    return "prevented where To is signed; else see the receipt", "its writer"


def from_an_archive(c):
    """Each mail that ever did something, once more: at once, and when nobody remembers it by its digest."""
    sent = []
    keep = lambda raw: (sent.append(raw), c.put(raw))
    keep(c.anna.write("icloud", ADDRESS, "display Silly", "", now=c.now))
    c.write(c.anna, "display no")
    for wish, undo in (("standby any", "unstandby any"), ("address anna-three@unsigned.test", None)):
        keep(c.anna.write("icloud", ADDRESS, wish, "", now=c.now))
        keep(c.reply(c.anna, "ok", client="outlook_mobile"))
        if undo:
            c.agree(c.anna, undo)
        else:
            c.type(c.anna, "no", c.last(c.anna, "A new address"))
    keep(c.reply(c.anna, "bide", c.last(c.anna, "[gc-1]"), client="outlook_mobile"))
    want, before = c.player(), c.records()
    for days in (0, 1, 20, 45):
        c.days(days)
        for raw in sent:
            c.put(b"X-Way: %d\r\n" % days + raw)
            check(c.player() == want, "after %d days it counts again: %s, not %s" % (days, c.player(), want))
    check(c.records() == before, "orders count again")
    return "prevented: known again, then too old", "its writer, once it is unknown"


def signed_twice(c):
    """With two signatures that cover other fields, of which whoever passes it on drops one each time."""
    raw = re.sub(rb"^DKIM-Signature:.*?\r\n(?![ \t])", b"", c.reply(c.anna, "press kurt: hello", c.last(c.anna, "[gc-1]")), flags=re.S | re.M)
    key = c.domains.keys.of("gmail")
    c.put(sign(raw, "gmail", "players.test", key, c.now))
    c.got(c.anna)
    c.put(sign(raw, "gmail", "players.test", key, c.now, h="from:date:subject"))
    told(c.got(c.anna), "Your message")
    return "works: the same words are said twice", "its writer"


def one_for_two(c):
    """An invitation, and a mailbox, that two want in the same moment."""
    word = c.league.tp("invite", "--now", c.iso()).strip()
    ulf, eve, both = c.mailbox("ulf"), c.mailbox("eve", "players.test"), c.mailbox("both")
    c.put(*(c.letter(who, "register " + who.name, "invite: %s\n" % word) for who in (ulf, eve)))
    told(c.got(eve), "invitation is not known")
    check(c.player("ulf") and not c.player("eve"), "one word is good for two")
    questions = []
    for who in (c.anna, ulf):
        c.agree(who, "address " + both.address)
        questions.append(c.last(both))
    c.put(*(c.reply(both, "ok", mail) for mail in questions))
    check(c.player()["address"] == both.address and c.player("ulf")["address"] == ulf.address, "both have it")
    told(c.got(both), "can no longer be used")
    return "prevented: the first mail counts", "the second one"


def both_at_once(c):
    """The "ok" of the new mailbox and a "no" in one run: the first that came counts."""
    for first in ("no", "ok"):
        new = c.mailbox("new-" + first)
        c.agree(c.anna, "address " + new.address)
        mails = {"ok": c.reply(new, "ok"), "no": c.reply(c.second, "no", c.last(c.second, "A new address"))}
        c.put(mails.pop(first), *mails.values())
        check(c.player()["address"] == (c.anna if first == "no" else new).address, "after %s first: %s" % (first, c.player()))
    return "whichever came first counts", "both mailboxes"


# ---- who runs the mail provider ----

def other_case(c):
    """A mailbox Anna@ beside anna@, at a provider that tells them apart."""
    twin = c.mailbox("Anna", "players.test")
    c.got(c.anna, c.second)
    c.write(twin, "display Twin")
    told(c.got(c.second), "Twin")
    c.write(twin, "address " + twin.address)
    told(c.got(c.anna), "Do you want us to write to this address?")
    check(not c.got(twin), "the twin reads answers")
    c.write(twin, "register twin")
    check(not c.player("twin"), "a player whose address differs by case alone")
    return "settings only: each answer goes to anna@", "anna@, and the second mailbox"


def full_domain(c):
    c.league.set("limits", players_per_domain=2)
    ulf = c.person("ulf")
    eve = c.person("eve", "unsigned.test")
    new = c.mailbox("eve-two", "players.test")
    c.agree(eve, "address " + new.address)
    c.type(new, "ok")
    told(c.got(new), "2 players of this league have their mailbox at players.test already")
    check(c.player("eve")["address"] == eve.address and ulf, "she moved to a domain that is full")
    return "prevented", "the new mailbox"


# ---- whose seat it was, and whose it is ----

def seats(c):
    """A moderator gives a seat to another player, as its mailbox was stolen; whoever has that goes on writing."""
    rob, dora = c.person("rob"), c.person("dora")
    for game, more in (("gc-2", ()), ("gc-3", ("--press", "grey", "--press-delivery", "report"))):
        c.table(game, "rob,kurt,anna", *more)
        c.put(c.kurt.mail(c.league.petition("press", "to: rob", "MY-SECRET", game=game, turn=1), Date=email.utils.formatdate(c.now)))
        report = c.last(rob, "[%s]" % game)
        if more:
            c.type(c.anna, "press rob from nobody: MY-SECRET", c.last(c.anna, "[%s]" % game))
        c.moderates("moderate", "do: replace rob by dora", "reason: his mailbox is stolen", game=game, turn=1)
        c.agree(dora, "take " + game)
        before = c.records(game)
        for typed in ("bide", "show 1", "press kurt: MY-SECRET"):
            c.type(rob, typed, report)
        c.agree(rob, "back " + game)
        check(c.records(game) == before, "who has lost the seat still plays it")
        c.type(dora, "bide", c.last(dora, "[%s]" % game))
        for who, words in ((c.kurt, None), (c.anna, "bide")):
            if words:
                c.type(who, words, c.last(who, "[%s]" % game))
            else:
                c.put(who.mail(c.league.orders(game, 1, ["bide"]), Date=email.utils.formatdate(c.now)))
        c.write(dora, "show " + game)
        c.type(dora, "show 0", c.last(dora, "[%s]" % game))
        check(not any("SECRET" in flat(mail) for mail in c.mails[dora.address]), "dora reads letters to rob")
    return "prevented: no orders, no letters of before", "who writes"


ROWS = {
    "who has the first mailbox": (
        ("plays, writes, sets, resigns, in silence", plays), ("moves the first address to their own", moves_first),
        ("replaces or drops the second, erases, asks for a key", stopped), ("the first key, while nobody looks", unstopped),
        ("the same faster than a moderator's seven days", races_a_moderator), ("says no to the moderator, for ever", says_no),
        ("has the player erased, and registers under the name", takes_the_name)),
    "who has the second": (("plays, and moves the first address", from_second),),
    "who has copies": (
        ("sends in what was written to them", written_to_others), ("sends in mails from an archive", from_an_archive),
        ("sends in a mail twice that is signed twice", signed_twice), ("uses a word, or a mailbox, for two", one_for_two),
        ("says ok while another says no", both_at_once)),
    "who runs the provider": (("makes Anna@ beside anna@", other_case), ("has many come by another domain and move", full_domain)),
    "whose seat it was": (("goes on playing, and the new one reads", seats),),
}


def play(servers):
    domains = Domains()
    servers.append(domains)
    base, count, failed = Case(domains), 0, []
    print("  %-54s %-46s %s" % ("", "what comes of it", "who is told"))
    only = os.environ.get("ROWS", "")
    for who, rows in ROWS.items():
        print(" " + who)
        for what, attack in rows:
            if only and attack.__name__ not in only.split(","):
                continue
            case = base.again(attack.__name__)
            try:
                comes, tells = attack(case)
                print("  %-54s %-46s %s" % (what, comes, tells))
            except Failed as why:
                failed.append("%s: %s" % (what, str(why)[:2000]))
            count += 1
            shutil.rmtree(case.league.dir, ignore_errors=True)
    check(not failed, "\n\n".join(failed))
    print("%d attacks on players who have only a mailbox, each prevented, or told to whom it concerns" % count)


main(play)
