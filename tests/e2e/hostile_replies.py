"""Answers to our mails that must do nothing: stolen and foreign tokens, forged and weak signatures of mail domains, name servers
that lie, hang and contradict themselves, programs that answer, copies, changed boundaries, press that wants to be orders. Each with
what its sender hears, and no change of any journal. LONG=1: every row by every mail program."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import replier
from trial import *
from domains import Domains
from reader import Reader, counted, flat
from replier import AUTOMATIC, CLIENTS, OTHERS, DAY, PROVIDERS, sign

TYPED = "explore near or bide\nbuild"
ACCEPTED, ASKED, STALE = "We have your", "othing has been done yet", "Your answer was to an earlier mail"
NO_SEAT = "You have no seat in game gc-1 now"


class World:
    """Anna has a seat in a game with Carl, who has a key, so that no answer of hers plays a turn; one against a robot; and one of
    another league of the same names. Eve has a seat of her own; Ulf's domain has no DNSSEC. A day for each row: one answer a day is given to a token."""

    def __init__(self, domains, table):
        self.domains = domains
        self.league = self.open_league("replies")
        self.carl = Player("carl")
        self.league.add(self.carl)
        self.anna, self.eve = (self.newcomer(self.league, name, "players.test") for name in ("anna", "eve"))
        self.ulf = self.newcomer(self.league, "ulf", "unsigned.test")
        for game, seats in (("gc-1", "anna,carl"), ("gc-2", "anna,robot"), ("gc-3", "eve,robot"), ("gc-4", "ulf,robot")):
            self.league.seated(game, "galaxy-command", seats, "--no-deadline", "--trust", "mail")
        self.league.tp("run")
        self.mails = {p.name: {re.search(r"gc-\d", m["Subject"])[0]: m for m in self.league.new_mails(p.address)} for p in (self.anna, self.eve, self.ulf)}
        self.trials = Trials(self.league, [self.anna, self.eve, self.ulf, self.carl], table)
        self.trials.serial = 1000
        self.day, self.client, self.failures = int(time.time()), "gmail_web", []

    def open_league(self, name):
        league = League(name)
        league.init()
        self.domains.use(league)
        league.set("limits", replies_per_day=1000, stranger_replies=100)
        return league

    def newcomer(self, league, name, domain):
        reader = Reader(name, self.domains, league, domain=domain)
        reader.register(league.tp("invite").strip())
        return reader

    def reply(self, who=None, game="gc-1", typed=TYPED, client=None, **how):
        who = who or self.anna
        return who.reply(client or self.client, self.mails[who.name][game].as_bytes(), typed, now=self.day, **how)

    def row(self, what, raw, says, who=None, changes=(), left=0, arrived=None):
        """`says`: words of the one mail that comes back, or of several; None: none comes. `left`: mails that wait for their domain's key.
        `arrived`: when the mail server says that it came, if not at that time."""
        who = who or self.anna
        for mail in raw if isinstance(raw, list) else [raw]:
            self.trials.put(mail)
            path = self.league.dir / "mail/in/new" / ("h%06d" % self.trials.serial)
            os.utime(path, (self.day if arrived is None else arrived, ) * 2)
        iso = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.day))
        self.day += DAY
        try:
            return self.trials.run(what, {} if says is None else {who: says}, changes, seconds=30, left=left, args=["--now", iso])
        except Failed as why:  # the other rows are looked at all the same
            self.failures.append(str(why))
            return None


def unsigned(raw):
    return re.sub(rb"^DKIM-Signature:.*?\r\n(?![ \t])", b"", raw, flags=re.S)


def with_field(raw, field):
    """One more, at the top of the header, as anybody on the way can put it there."""
    return field + b"\r\n" + raw


# ---- whose mail it is: what a signature must be ----

def forgeries(w):
    anna, key = w.anna, w.domains.keys.of("gmail")
    again = lambda raw, **tags: sign(unsigned(raw), "gmail", "players.test", key, w.day, **tags)
    resign = lambda domain, **tags: sign(unsigned(w.reply()), "gmail", domain, key, w.day, **tags)
    w.row("no signature, a good token", unsigned(w.reply()), "has no signature of players.test")
    w.row("signed by another domain", resign("unsigned.test"), "was signed by unsigned.test, not by players.test")
    w.row("signed by the domain above", resign("test"), "was signed by test, not by players.test")
    w.row("signed by a domain below", resign("mail.players.test"), "was signed by mail.players.test, not by players.test")
    w.row("signed by two others", sign(resign("unsigned.test"), "gmail", "bogus.test", key, w.day), "not by players.test")
    w.row("forged From, the other's own good signature", w.ulf.reply("gmail_web", w.mails["anna"]["gc-1"].as_bytes(), TYPED, now=w.day).replace(
        b"ulf@unsigned.test", b"anna@players.test"), "was signed by unsigned.test")
    w.row("two Froms, a stranger's above", with_field(w.reply(client="k9"), b"From: eve@players.test"), None)
    w.row("one From with two addresses", resign("players.test").replace(b"<anna@players.test>", b"<anna@players.test>, eve@players.test", 1), None)
    w.row("a Sender other than From", with_field(w.reply(), b"Sender: eve@players.test"), "a Sender other than its From")
    for name, value in ((b"Subject", b"Re: x"), (b"Date", b"Mon, 23 Nov 2026 10:00:00 +0000"), (b"To", b"x@y.test"), (b"Content-Type", b"text/plain"),
                        (b"Reply-To", b"eve@players.test")):
        raw = with_field(w.reply(client="outlook_mobile"), name + b": " + value)
        w.row("a second %s, which is not signed" % name.decode(), with_field(raw, name + b": " + value) if name == b"Reply-To" else raw, "more than once")
    w.row("l=, and text below what is signed", resign("players.test", l="20") + b"resign\r\n", "has signed only a part of the text")
    w.row("l= over the whole text", again(w.reply(), l=str(len(w.reply().partition(b"\r\n\r\n")[2]))), "has signed only a part of the text")
    w.row("x= in the past", again(w.reply(), t=str(w.day - 9 * DAY), x=str(w.day - 2 * DAY)), "had expired when the mail arrived")
    late = again(w.reply(), t=str(w.day - 9 * DAY), x=str(w.day - 2 * DAY))
    w.row("a stranger's forgery does not use up what she has to be told", [unsigned(w.reply()), unsigned(w.reply()), late],
          ["has no signature of players.test", "had expired when the mail arrived"])
    w.row("t= in two days", again(w.reply(), t=str(w.day + 2 * DAY), x=None), "after the mail arrived")
    w.row("i= of another domain", again(w.reply(), i="@unsigned.test"), "another domain's sender")
    w.row("SHA-1", again(w.reply(), a="rsa-sha1"), "SHA-1")
    w.row("Date is not signed", again(w.reply(), h="from:subject:to"), "has not signed the field Date")
    w.row("Subject is not signed", again(w.reply(), h="from:date:to"), "has not signed the field Subject")
    w.row("h= names X-From", again(w.reply(), h="x-from:date:subject"), "has not signed the field From")
    w.row("one letter of the text is another", w.reply(client="outlook_mobile").replace(b"explore near", b"explore nail", 1), "was changed after its domain had signed it")
    w.row("one letter of the subject is another", w.reply().replace(b"[gc-1]", b"[gc-2]", 1), "does not belong to this mail")
    w.row("a list's footer", w.reply() + b"_____\r\nA list\r\n", "mailing lists and forwarding do that")
    w.row("130 KiB", w.reply(client="gmail_web", typed=TYPED + "\n" + "thanks\n" * 6000), "answer without pictures")
    w.row("a signature that is none", with_field(unsigned(w.reply()), b"DKIM-Signature: v=1; a=rsa-sha256; d=players.test; s=x; h=from:date:subject; bh=AAAA; b=AAAA"), "")
    w.row("NUL in the text", again(w.reply(client="outlook_mobile").replace(b"build", b"bu\0ild", 1)), "bytes that no mail may hold")


# ---- where the domain's key is ----

def name_servers(w):
    from_selector = lambda s, **tags: sign(unsigned(w.reply()), "gmail", "players.test", w.domains.keys.of("gmail"), w.day, s=s, **tags)
    w.row("no such key (NXDOMAIN)", from_selector("nobody"), "publishes no key for its signature (nobody._domainkey.players.test)")
    w.row("a name of 300 bytes", from_selector(".".join(["x" * 60] * 5)), "")
    w.row("two keys at one name", from_selector("two"), "more than one key at one place")
    w.row("a key that is huge", from_selector("huge"), "more than one key at one place")
    w.row("a key that is revoked", from_selector("revoked"), "has withdrawn the key")
    w.row("a key that is being tested", from_selector("testing"), "asks not to be believed (t=y)")
    w.row("another key", from_selector("other"), "signed by another key")
    w.domains.lies["lie._domainkey.players.test"] = w.domains.keys.record("gmail")
    w.row("a lie, where DNSSEC proves the domain", from_selector("lie"), "contradict what it says of the mail domain's key")
    w.domains.lies["lie._domainkey.unsigned.test"] = "v=DKIM1; p=" + replier.Key(b"rsa").p.decode()
    raw = sign(unsigned(w.reply(w.ulf, "gc-4")), "gmail", "unsigned.test", w.domains.keys.of("gmail"), w.day, s="lie")
    w.row("a lie, where nothing is proved", raw, "signed by another key", who=w.ulf)


def silence(w):
    """A key that cannot be had now: nobody else waits, nothing is lost, and the orders count when the servers are back."""
    by = lambda selector, raw: sign(unsigned(raw), "gmail", "players.test", w.domains.keys.of("gmail"), w.day, s=selector)
    w.domains.silent.update(["silent._domainkey.players.test", "stranger.test"])
    w.row("a name server that hangs", by("silent", w.reply()), "the name servers do not answer", left=1)
    w.row("names that lead to each other; of the other one she has been told", by("loop", w.reply()), "the name servers do not answer", left=2)
    stranger = replier.Mailbox("zoe", "stranger.test", w.domains.keys)
    for n in range(3):
        w.trials.put(stranger.write("gmail", ADDRESS, "hello", "hello", now=w.day, s="silent%d" % n))
    w.row("strangers' name servers that hang, before an answer", w.reply(typed="explore near"), ACCEPTED, changes=["gc-1"], left=2)
    w.domains.silent.clear()
    w.row("(the name servers are back: what waited is older, and does not count)", [], "written later count", left=1)


def flood(w):
    """A stranger names selectors that nobody has, at a domain where a player is: hers is asked for all the same."""
    forged = [sign(unsigned(w.eve.write("gmail", ADDRESS, "x", "x", now=w.day)), "gmail", "players.test", w.domains.keys.of("gmail"), w.day, s="n%d" % n)
              for n in range(40)]
    forged = [raw.replace(b"eve@", b"nobody@") for raw in forged]
    w.row("40 forged mails with selectors that nobody has, before an answer", forged + [w.reply(typed="bide")], ACCEPTED, changes=["gc-1"])


# ---- which mail of ours is answered ----

def tokens(w):
    anna, eve, ours = w.anna, w.eve, w.mails["anna"]
    token = lambda mail: mail["Reply-To"].addresses[0].addr_spec
    good = token(ours["gc-1"])
    wrong = good[:7] + ("b" if good[7] == "a" else "a") + good[8:]
    w.row("a stolen token, signed for the thief's own address", eve.reply(w.client, ours["gc-1"].as_bytes(), TYPED, now=w.day), NO_SEAT, who=eve)
    w.row("no token: it was written to somebody else", w.reply(to="carl@players.test"), "You wrote this mail to somebody else")
    w.row("a token that is none", w.reply(to="orders+aaaaaaaaaaaaaaaa@game.test"), STALE)
    w.row("one letter of the token is another", w.reply(to=wrong), STALE)
    w.row("the token of another seat", w.reply(to=token(w.mails["eve"]["gc-3"])), STALE)
    w.row("the token of another game: the mail names this one", w.reply(to=token(ours["gc-2"])), ASKED)
    w.row("the text of another game, with this one's token", w.reply(game="gc-2", to=good), ASKED)
    other = w.open_league("other")
    twin = w.newcomer(other, "anna", "players.test")
    other.seated("gc-1", "galaxy-command", "anna,robot", "--no-deadline", "--trust", "mail")
    other.tp("run")
    theirs = other.new_mails(twin.address)[-1]
    w.row("an answer to another league's mail", anna.reply(w.client, theirs.as_bytes(), TYPED, now=w.day), STALE)
    w.row("(the same in its own game)", w.reply(game="gc-2"), ACCEPTED, changes=["gc-2"])
    w.row("the token of a turn that is over", w.reply(game="gc-2", typed="explore near"), STALE)


# ---- programs, copies, boundaries ----

def machines(w):
    for name in AUTOMATIC:
        w.row(name, w.reply(client=name, typed="build\nresign"), None)
        w.row(name + ", its marks stripped", w.reply(client=name, typed="build\nresign", marks=False), None)
        w.row(name + ", its marks and its subject", w.reply(client=name, typed="build\nresign", marks=False, before="Re: "), ASKED)
    for field in (b"Auto-Submitted: auto-replied", b"Precedence: junk", b"List-Id: <x.y>", b"X-Autoreply: yes"):
        w.row("an answer with " + field.decode(), with_field(w.reply(), field), None)
    w.row("an old vacation program (Precedence: bulk)", with_field(w.reply(typed="I am away until Monday."), b"Precedence: bulk"), None)
    w.row("a reaction of Outlook's", w.reply(typed="[like]  Anna Example reacted to your message:\n" + "_" * 32 + "\nFrom: Orion League"), None)
    w.row("our own mail, sent back", w.mails["anna"]["gc-1"].as_bytes(), None)
    w.row("a sentence", w.reply(typed="Could you build something for me?"), "We did not understand your answer")
    w.row("a question", w.reply(typed="explore near?"), "A line with \"?\" is a question for us")
    w.row("the form as it was mailed", w.reply(typed="[ ] explore near\n[ ] build"), "There was no order in your answer")
    w.row("a word cut short", w.reply(typed="bu"), "Not read in your mail: \"bu\"")
    asked = w.row("to resign", w.reply(typed="resign"), "You want to resign")[w.anna][0]
    word = re.search(r"type: (ok \w+)", flat(asked))[1]
    w.mails["anna"]["asked"] = asked
    w.row("to resign, without the word", w.reply(game="asked", typed="ok"), "To resign, type exactly the words below")
    w.row("to resign, with another word", w.reply(game="asked", typed="ok aaaaaa"), "To resign, type exactly the words below")
    w.row("to resign, with the word, by a thief", w.eve.reply(w.client, asked.as_bytes(), word, now=w.day), NO_SEAT, who=w.eve)
    w.row("to resign, with the word, in a forged mail", unsigned(w.reply(game="asked", typed=word)), "has no signature of players.test")


def newcomers(w):
    """Whoever wants to be a player by mail alone, in a mail that anybody can have sent."""
    zoe = Reader("zoe", w.domains, w.league)
    w.trials.people.append(zoe)
    word = w.league.tp("invite").strip()
    key, ask = w.domains.keys.of("gmail"), lambda: zoe.write("gmail", ADDRESS, "register zoe", "invite: %s\n" % word, now=w.day)
    for what, change in (("without a signature", unsigned), ("signed by another domain", lambda raw: sign(unsigned(raw), "gmail", "unsigned.test", key, w.day)),
                         ("with a key that nobody has", lambda raw: sign(unsigned(raw), "gmail", "players.test", key, w.day, s="nobody")),
                         ("with another word below", lambda raw: raw + b"invite: x\r\n")):
        w.row("to register, " + what, change(ask()), "To play here you register once", who=zoe)
        check("zoe" not in w.league.tp("player", "list").split(), "registered " + what)
    w.row("(to register)", ask(), "You are registered, zoe", who=zoe)


def boundaries(w):
    """What nobody has signed is changed on the way: what was typed is read. What quotes nothing of ours is asked about."""
    for what, change in (("another boundary of MIME", lambda raw: raw.replace(mark_of(raw), b"zz", 1)),
                         ("another type", lambda raw: raw.replace(b"multipart/alternative", b"text/plain", 1)),
                         ("another encoding", lambda raw: with_field(raw, b"Content-Transfer-Encoding: base64"))):
        typed = "explore near\nbuild" if counted(w.league) == TYPED else TYPED
        w.row(what + ", not signed: read as it was typed", change(w.reply(typed=typed)), ACCEPTED, changes=["gc-1"])
        check(counted(w.league) == typed, "%s: the orders are %s" % (what, counted(w.league)))
    subject = "Re: " + w.mails["anna"]["gc-1"]["Subject"]
    w.row("nothing is quoted", w.anna.write("gmail", w.mails["anna"]["gc-1"]["Reply-To"], subject, "build", now=w.day), ASKED)
    w.row("nothing is quoted, and no game is named", w.anna.write("gmail", w.mails["anna"]["gc-1"]["Reply-To"], "build", "build", now=w.day), ASKED)


def mark_of(raw):
    return re.search(rb'boundary="([^"]+)"', raw)[1]


def copies(w):
    first, late = w.reply(typed="bide"), w.reply(typed="build")
    w.day += DAY
    second = w.reply(typed="explore near")
    w.row("(orders that are good)", second, ACCEPTED, changes=["gc-1"])
    w.row("the same mail once more", second, None)
    w.row("the same, by another way", with_field(second, b"Received: from x by y; Mon, 23 Nov 2026 10:00:00 +0000"), None)
    w.row("the same, signed once more", sign(second, "gmail", "players.test", w.domains.keys.of("gmail"), w.day), None)
    w.row("an older mail, which comes only now", first, "")
    receipt = w.row("(orders that are better)", w.reply(typed=TYPED), ACCEPTED, changes=["gc-1"])[w.anna][0]
    w.mails["anna"]["gc-1"] = receipt
    w.row("(an answer to the receipt)", w.reply(typed="build"), ACCEPTED, changes=["gc-1"])
    w.row("another older mail, with the token of the first report", late, "")
    check(counted(w.league) == "build", "the orders are " + counted(w.league))


def clocks(w):
    """A mail server that does not know the time makes no signature stale; nor does it make an old one fresh."""
    again = lambda raw, **tags: sign(unsigned(raw), "gmail", "players.test", w.domains.keys.of("gmail"), w.day, **tags)
    for year, arrived in ((1970, 0), (2040, 2208988800)):
        w.row("a good mail, which has come in %d" % year, w.reply(typed="bide"), ACCEPTED, changes=["gc-1"], arrived=arrived)
        w.row("x= in the past, come in %d" % year, again(w.reply(), t=str(w.day - 9 * DAY), x=str(w.day - 2 * DAY)), "had expired when the mail arrived",
              arrived=arrived)
# ---- a program that answers, and a person who is taken for none ----

def heard(w):
    """Who changes a word is answered, in the same hour; a ticket robot three times."""
    both = lambda *typed, **how: [w.reply(typed=t, **how) for t in typed]
    w.row("thanks, and then a typo", both("Thanks!", "eplore near"), ["", ""])
    w.row("a typo, and another one", both("explore near\nbild", "explore near\nbuidl"), ["", ""])
    w.row("the same words three times", both("explore near\nbild", "Explore near\n\nBILD", "explore  near\nbild"), ["", "the same words before"])
    w.mails["anna"]["asked"] = w.row("thanks", w.reply(typed="Thanks!"), "")[w.anna][0]
    w.row("help, in answer to that", w.reply(game="asked", typed="help"), "")
    typed = "explore near" if counted(w.league) == "build" else "build"
    w.mails["anna"]["receipt"] = w.row("(orders)", w.reply(typed=typed), ACCEPTED, changes=["gc-1"])[w.anna][0]
    w.row("a change in answer to the receipt, in two ways", both("dont build", "please don't build", game="receipt"), ["", ""])
    w.row("to stand by, twice: the first question may lie among spam", [w.eve.write("gmail", ADDRESS, "standby gc-1", "", now=w.day + n) for n in (0, 1)],
          ["on the waiting list", "on the waiting list"], who=w.eve)
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    tickets = both(*("Your mail is ticket %s, number %d." % (word, n) for n, word in enumerate(words)))
    w.row("a ticket robot, and a person behind it", tickets + [w.reply(typed="bide")], ["", "", "we stay silent when we don't understand", ACCEPTED], changes=["gc-1"])
    w.row("one whose tickets differ by their number", both(*("Your mail is ticket %d." % n for n in range(20))), ["", "the same words before"])
    w.row("a forwarded token", [unsigned(mail) for mail in tickets], "has no signature of players.test")
    first = w.reply(typed="Thanks!")
    w.row("her mail, sent in again and again", [with_field(first, b"X-Way: %d" % n) for n in range(20)], "")


# ---- press that wants to be orders ----

SMUGGLES = ["#-aaaaaaaaaaaaaaaa-# resign", "On 23 Nov 2026, at 18:00, Orion League wrote:", "end", "> resign", "\u200b> resign", "x=0Aresign", "+AAo-resign", "resign ",
            "x" * 58 + " resign", "--000000000000 resign", "<div style='display:none'>resign</div>", "&#10;resign<br>resign", "From: Orion League Sent: Monday resign",
            "[x] resign", "-- ", "gc-1: resign", "ok"]


def smuggled(w):
    """Carl's press stands in Anna's report, and so in what she quotes: of each answer nothing but what she typed counts."""
    lines = ["say anna " + s for s in SMUGGLES] + ["bide"]
    w.trials.put(w.carl.mail(w.league.orders("gc-1", 1, lines, final="yes")))
    before = len(w.league.records("gc-1"))
    w.league.tp("run", "--now", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(w.day)))
    mails = w.league.new_mails(w.anna.address)
    w.league.new_mails(w.carl.address)
    check(len(w.league.records("gc-1")) > before and mails, "no turn was played")
    check(all(s.strip()[:20] in text_of(mails[-1]) for s in SMUGGLES[:4]), "the press did not come: " + text_of(mails[-1]))
    report = mails[-1]
    for client in [*CLIENTS, *OTHERS]:
        w.mails["anna"]["gc-1"] = report
        typed = "\n" + TYPED if client == "typed_below" else TYPED
        w.row("%d smuggles in press, quoted by %s" % (len(SMUGGLES), client), w.reply(client=client, typed=typed), ACCEPTED, changes=["gc-1"])
        check(counted(w.league) == TYPED, "%s: the orders are %s" % (client, counted(w.league)))


def play(servers):
    table, domains = Table(), Domains()
    servers.append(domains)
    world = World(domains, table)
    try:
        newcomers(world)
        for client in CLIENTS if LONG else ["gmail_web"]:
            world.client = client
            forgeries(world)
        world.client = "gmail_web"
        for part in (name_servers, tokens, machines, boundaries, copies, clocks, heard, smuggled, flood, silence):
            part(world)
        for game in ("gc-1", "gc-2"):
            verify_chain(world.league, game)
    finally:
        table.show()
    check(not world.failures, "\n".join(world.failures))
    print("%d rows, the slowest %.1f s" % (len(table.rows), max(row[2] for row in table.rows)))


main(play)
