"""Coming, going and coming back: each journey by each kind of player, by mail alone. Somebody writes one natural mail; at most one question
comes back, which they agree to in their own way; the last answer says what is so now, and so does the league.

The table at the end says which journeys there are, and for whom. `key`: a key of ssh-keygen's. `page`: a passkey, and the page into which they
paste what the league has mailed. `reply`: a mailbox, and nothing else. JOURNEYS="a vacation": these alone. KEEP=DIR keeps the mails, to be
read. LONG=1: those by Reply from other mail programs as well."""
import pathlib
import sys
from copy import copy as copy_of

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import replier  # Debian's own Python
from league import *
from batch import copy
from domains import Domains
from passkey import Passkey
from reader import Reader, counted, flat, keep

PAGE = "orders.example.org"
HOUR, DAY = 3600, 86400


# ---- three kinds of players ----

class Signs:
    """By a text that the league mails them; they fill in what only they know, and sign."""

    def says(self, walk, subject, text="\n"):
        walk.put(self, self.mail(text, subject=subject, signed=False, Date=walk.date()))
        return walk.look(self)

    def signs(self, walk, text):
        walk.put(self, self.mail(text, Date=walk.date()))
        return walk.look(self)

    def wants(self, walk, verb, game="", fill=(), typed=None):
        answers = self.says(walk, (verb + " " + game).strip())
        check(len(answers) == 1, "%d answers to %s" % (len(answers), verb))
        return self.agrees(walk, answers[0], verb.split()[0], fill)

    def agrees(self, walk, mail, verb, fill=()):
        """To what a mail asks, by the text in it. Lines are filled in, added, or (None) left out."""
        text = form(mail, verb)
        self.pastes(mail, text)
        for line in fill:
            name, value = line if isinstance(line, tuple) else (None, line)
            row = re.compile(r"^%s: .*\n" % name if name else r"^[^#:\n]+\n(?=#end)", re.M)
            check(row.search(text) or name, "nothing to fill in: " + text)
            new = "" if value is None else "%s: %s\n" % (name, value) if name else value + "\n"
            text = row.sub(lambda _: new, text) if row.search(text) else text.replace("#end\n", new + "#end\n")
        return self.signs(walk, text)

    def orders(self, walk, report, line="bide"):
        text = re.sub(r"(?m)^(seq: \d+\n)(.*\n)*?#end", r"\1%s\n#end" % line, form(report, "orders"))
        self.pastes(report, text)
        return self.signs(walk, text)

    def pastes(self, mail, text):
        """Only a page cares where a text comes from."""


    def from_address(self, address):
        """The same person and key, in another mailbox."""
        other = copy_of(self)
        other.address = address
        return other


class ByKey(Signs, Player):
    kind = "key"


class ByPage(Signs, Passkey):
    kind = "page"

    def __init__(self, name):
        super().__init__(name, "webauthn-verified", host=PAGE)

    def pastes(self, mail, text):
        """The mail names the page, and has signed what its text is bound to: nobody types 64 digits."""
        told = text_of(mail)
        check("https://%s/" % PAGE in told, "no page is named in\n" + told)
        check("secret key" not in told and "text.txt" not in told and "orders.txt" not in told, "who has a passkey is told of keys and files:\n" + told)
        head = re.search(r"^game: (\S+)\n(?:.*\n)*?head: ([0-9a-f]{64})$", text, re.M)
        check(not head or head[2] in [one for _, _, one in tlog.heads_in(proof_of(mail))], "the head of the text is not proved in\n" + told)


class ByReply(Reader):
    kind, by = "reply", "gmail_web"

    def __init__(self, name, domains, league):
        super().__init__(name, domains, league)
        self.domains = domains

    def says(self, walk, subject, text=""):
        walk.put(self, self.write("gmail", ADDRESS, subject, text, now=walk.now))
        return walk.look(self)

    def types(self, walk, mail, typed):
        walk.put(self, self.reply(self.by, mail.as_bytes(), typed, now=walk.now))
        return walk.look(self)

    def wants(self, walk, verb, game="", fill=(), typed=None):
        """In a mail of its own, or in answer to the last one that they got."""
        answers = self.types(walk, walk.came[self][-1], typed) if typed else self.says(walk, (verb + " " + game).strip())
        check(answers, "silence for " + (typed or verb))
        return self.agrees(walk, answers[0], verb) if "press Reply and type: ok" in flat(answers[0]) else answers

    def agrees(self, walk, mail, verb, fill=()):
        said = re.search(r"type: (ok(?: (?!If)[a-z2-7]{6})?)", flat(mail))
        check(said, "what to type is not in\n" + text_of(mail))
        return self.types(walk, mail, said[1])

    def orders(self, walk, report, line="bide"):
        return self.types(walk, report, line)

    def from_address(self, address):
        other = ByReply(address.split("@")[0], self.domains, self.league)
        other.by, other.full_name = self.by, self.full_name
        return other


# ---- a journey ----

class Walk:
    """In a copy of the league. `who` walks; kurt (a key) and rob (a mailbox) are others, mona is a moderator."""

    def __init__(self, base, league, who):
        self.league, self.who, self.now, self.count = league, who, base.now, 0
        self.kurt, self.rob, self.mona, self.base = base.kurt, base.rob, base.mona, base
        self.league.collected = {address: set(names) for address, names in base.league.collected.items()}
        self.came = {}

    def date(self):
        return email.utils.formatdate(self.now)

    def run(self, seconds=20):
        self.now += seconds
        self.league.tp("run", "--now", self.iso())

    def wait(self, hours):
        """The league works meanwhile."""
        while hours:
            step = min(hours, 12)
            self.run(step * HOUR)
            hours -= step

    def iso(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))

    def operator(self, *args):
        told = self.league.tp(*args, "--now", self.iso())
        self.run()
        return told

    def put(self, who, raw):
        self.count += 1
        keep("sent-" + who.name, parse(raw))
        name = "w%d" % self.count
        self.league.put_mail(raw, name)
        os.utime(self.league.dir / "mail/in/new" / name, (self.now, self.now))
        self.run()

    def look(self, who):
        mails = self.league.new_mails(who.address)
        for mail in mails:
            keep("got-" + who.name, mail)
        self.came[who] = self.came.get(who, []) + mails
        return mails

    def seated(self, game, seats, *more):
        """A game that has begun."""
        people.known.update({one.name: one for one in (self.who, self.kurt, self.rob)})  # of several with one name
        self.league.seated(game, "galaxy-command", seats, "--trust", "mail", *more, "--now", self.iso())
        self.run()

    def table(self, game, seats, *more):
        """The same, and its first mails have been looked at."""
        self.seated(game, seats, *more)
        for who in (self.who, self.kurt, self.rob):
            self.look(who)

    def seats(self, game):
        return [seat["name"] for seat in json.loads(self.league.tp("show", game, "--json"))["seats"]]

    def turn(self, game):
        return json.loads(self.league.tp("show", game, "--json"))["turn"]

    def others_play(self, game):
        self.kurt.signs(self, self.league.orders(game, self.turn(game), ["bide"]))

    def proved(self, game):
        self.league.tp("audit", game)


def told(mails, *words):
    """One of the mails has all these words."""
    texts = [flat(mail) for mail in mails]
    check(any(all(word in text for word in words) for text in texts), "not told %s but:\n%s" % (words, "\n".join(text_of(m) for m in mails)))


def find(mails, words):
    found = [mail for mail in mails if words in mail["Subject"]]
    check(found, 'no mail "%s" but %s' % (words, [mail["Subject"] for mail in mails]))
    return found[-1]


# ---- coming ----

def registers(walk, who, invitation=None):
    """From an invitation, or as a stranger. On a page the text is made there."""
    word = re.search(r"invite: (\S+)", text_of(invitation)) if invitation else None
    line = "invite: %s\n" % word[1] if word else ""
    if who.kind == "reply":
        mails = who.types(walk, invitation, "register " + who.name) if invitation else who.says(walk, "register " + who.name)
        mails = mails if "You are registered" in flat(mails[0]) else who.types(walk, mails[0], "ok")
    elif who.kind == "page":
        text = walk.league.petition("register", "name: " + who.name, "address: " + who.address, "key: %s verified" % who.fingerprint(), *line.split("\n")[:-1])
        mails = who.signs(walk, text)
        who.pastes(mails[0], "")
        mails = who.agrees(walk, mails[0], "register")
    else:
        mails = who.says(walk, "register " + who.name, who.public.read_text() + line)
        mails = who.agrees(walk, mails[0], "register")
        mails = mails if "You are registered" in flat(mails[0]) else who.agrees(walk, mails[0], "register")
    told(mails, "You are registered, " + who.name)
    check("secret key" not in flat(mails[0]) or who.kind == "key", flat(mails[0]))
    check(who.name in walk.league.tp("player", "list"), "is not on the list")


def invited_by_name(walk):
    who = walk.base.newcomers[walk.who.kind]
    walk.operator("invite", "--to", who.address)
    invitation = walk.look(who)[0]
    check("https://%s/" % PAGE in flat(invitation), "the invitation does not name the page:\n" + text_of(invitation))
    registers(walk, who, invitation)


def stranger(walk):
    registers(walk, walk.base.newcomers[walk.who.kind])


def seat_kept(walk):
    """They are asked by name, and get one way to answer: their own."""
    who = walk.who
    walk.operator("new", "gc-1", "galaxy-command", "--seats", who.name + ",robot", "--open", "1", "--trust", "mail")
    asked = find(walk.look(who), "A seat is kept for you")
    check(("press Reply" in flat(asked)) == (who.kind == "reply"), "another's way to answer: " + flat(asked))
    told(who.agrees(walk, asked, "join"), "You have seat 1")
    walk.kurt.wants(walk, "join", "gc-1")
    report = find(walk.look(who), "The game has begun")
    check(len(re.findall("YOUR CHOICES", text_of(report))) == 1 and ("#turnpost orders" in text_of(report)) == (who.kind != "reply"), text_of(report))
    who.orders(walk, report)
    check(walk.seats("gc-1").count(who.name) == 1, walk.seats("gc-1"))
    walk.proved("gc-1")


def full_game(walk):
    """A place on the waiting list; somebody leaves, and they are in."""
    who = walk.who
    walk.operator("new", "gc-1", "galaxy-command", "--open", "2", "--trust", "mail")
    walk.kurt.wants(walk, "join", "gc-1")
    walk.operator("new", "gc-2", "galaxy-command", "--open", "1", "--seats", "kurt", "--trust", "mail")
    walk.rob.wants(walk, "join", "gc-2")
    told(who.wants(walk, "join", "gc-2"), "All seats are taken, so you are on the waiting list, in place 1")
    walk.rob.wants(walk, "leave", "gc-2")
    told(walk.look(who), "A seat has been given up", "you are in, " + who.name)
    told(who.wants(walk, "leave", "gc-2"), "You have given up your place in this game")
    check(who.name not in walk.seats("gc-2"), walk.seats("gc-2"))


# ---- going ----

def leaving(walk):
    """Before the deal and after it; and the waiting list of a game that runs."""
    who = walk.who
    walk.operator("new", "gc-1", "galaxy-command", "--open", "2", "--trust", "mail")
    told(who.wants(walk, "join", "gc-1"), "You are in, " + who.name)
    told(who.wants(walk, "leave", "gc-1"), "You have given up your place in this game", "2 of 2 seats are free")
    walk.table("gc-2", who.name + ",kurt")
    told(who.wants(walk, "resign", "gc-2"), "From now on a robot plays your seat")
    check(next(r for r in walk.league.records("gc-2") if r.get("why") == "resigned"), "no record of it")
    walk.table("gc-3", "rob,kurt")
    told(who.wants(walk, "join", "gc-3"), "you are on the waiting list")
    told(who.wants(walk, "leave", "gc-3"), "You are not on the waiting list of this game any more")
    walk.proved("gc-2")


def vacation(walk):
    who = walk.who
    walk.table("gc-1", who.name + ",kurt", "--deadline", "3d")
    first, last = (time.strftime("%Y-%m-%d", time.gmtime(walk.now + days * DAY)) for days in (2, 9))
    told(who.wants(walk, "vacation", fill=[("from", first), ("to", last)], typed="vacation %s to %s" % (first, last)), "Your time off is noted", first + " " + last)
    walk.others_play("gc-1")
    walk.run(4 * DAY)
    check(walk.turn("gc-1") == 1, "the deadline has not waited")
    walk.look(walk.kurt)
    told(walk.came[walk.kurt], who.name, "is away from")
    cancel = [("cancel", "yes"), ("from", first), ("to", None)]
    told(who.wants(walk, "vacation", fill=cancel, typed="vacation cancel"), "cancelled")


def watching(walk):
    who = walk.who
    walk.table("gc-1", "rob,kurt")
    told(who.wants(walk, "observe", "gc-1"), "From now on you get the public report of every turn")
    told(who.wants(walk, "unobserve", "gc-1"), "You get no more reports of this game")


# ---- coming back ----

def standing_by(walk):
    """For one game, and for any: the next one that has a seat to give asks them."""
    who = walk.who
    walk.table("gc-1", "rob,kurt")
    told(who.wants(walk, "standby", "gc-1"), "You are on the waiting list")
    off = (who.wants(walk, "unstandby", "gc-1") if who.kind == "reply" else who.agrees(walk, walk.came[who][-1], "standby"))
    told(off, "You are not on the waiting list of this game any more")
    told(who.wants(walk, "standby" if who.kind != "reply" else "standby any"), "You are on the waiting list for any game")
    walk.rob.wants(walk, "resign", "gc-1")
    told(walk.look(who), "is free: rob has resigned")
    off = who.wants(walk, "unstandby any") if who.kind == "reply" else who.wants(walk, "standby", fill=[("cancel", "yes")])
    told(off, "You are not on the waiting list for any game any more")


def absent(walk, missing, game):
    """So long that the seat is offered."""
    for _ in range(8):
        walk.others_play(game)
        walk.run(26 * HOUR)
        mails = walk.look(walk.who)
        if any("Will you take over a seat?" in mail["Subject"] for mail in mails):
            return find(mails, "Will you take over a seat?")
    raise Failed("nobody is offered the seat of " + missing)


def taking_over(walk):
    """They take the seat of somebody who is missing, see what the seat needs, and give it back when that player returns."""
    who = walk.who
    walk.table("gc-1", "rob,kurt", "--deadline", "1d")
    who.wants(walk, "standby", "gc-1")
    walk.kurt.signs(walk, walk.league.petition("press", "to: rob", "MY-SECRET-PLAN", game="gc-1", turn=1))
    told(walk.look(walk.rob), "MY-SECRET-PLAN")
    offer = absent(walk, "rob", "gc-1")
    check("letters to rob stay theirs" in flat(offer), flat(offer))
    walk.kurt.signs(walk, walk.league.petition("press", "to: rob", "SECRET-TOO", game="gc-1", turn=walk.turn("gc-1")))
    walk.look(walk.rob)
    mails = who.agrees(walk, offer, "take") if who.kind != "reply" else who.wants(walk, "take", "gc-1")
    told(mails, "Seat 1 is yours. Orders that were in for this turn are withdrawn")
    report = find(mails, "your orders)")
    shown = who.wants(walk, "resend", "gc-1") if who.kind != "reply" else who.types(walk, report, "show")
    told(shown, "You asked for this report again")
    check(not any("SECRET" in text_of(mail) for mail in walk.came[who]), "they are shown what was written to rob")
    told(walk.look(walk.rob), "seat 1 was offered to others, and %s has taken it" % who.name)
    back = walk.rob.wants(walk, "back", "gc-1")
    told(back, "Seat 1 is yours again")
    told(walk.look(who), "rob has come back and taken seat 1 back", "Thank you for standing in")
    check(walk.seats("gc-1") == ["rob", "kurt"], walk.seats("gc-1"))
    walk.proved("gc-1")


def coming_back(walk):
    """Their own seat was taken while they were missing; they take it back."""
    who = walk.who
    walk.table("gc-1", who.name + ",kurt", "--deadline", "1d")
    walk.who = walk.rob
    walk.rob.wants(walk, "standby", "gc-1")
    absent(walk, who.name, "gc-1")
    walk.rob.wants(walk, "take", "gc-1")
    lost = find(walk.look(who), "is played by rob")
    told([lost], "seat 1 was offered to others, and rob has taken it", "You can take it back once")
    told(who.agrees(walk, lost, "back") if who.kind != "reply" else who.wants(walk, "back", "gc-1"), "Seat 1 is yours again")
    check(walk.seats("gc-1") == [who.name, "kurt"], walk.seats("gc-1"))


def replaced(walk):
    """A moderator gives their seat away: an answer to the old report says so, and brings no other game."""
    who = walk.who
    walk.seated("gc-1", who.name + ",kurt")
    report = find(walk.look(who), "The game has begun")
    walk.seated("gc-2", who.name + ",robot")
    walk.look(who)
    walk.operator("moderate", "gc-1", "replace", who.name, "by", "rob", "--reason", "she asked for it")
    told(walk.look(who), "seat to rob", "she asked for it")
    answers = who.orders(walk, report)
    told(answers, "you have no seat in game gc-1" if who.kind != "reply" else "You have no seat in game gc-1 now")
    check(all("gc-2" not in text_of(mail) for mail in answers), "another game is brought")


def new_phone(walk):
    """A second key beside the first; who plays by Reply answers from another program."""
    who = walk.who
    walk.table("gc-1", who.name + ",kurt")
    report = find(walk.came[who], "The game has begun")
    if who.kind == "reply":
        who.by = "outlook_mobile"
        told(who.orders(walk, report), "We have your")
        return
    new = (ByKey if who.kind == "key" else ByPage)(who.name + "2")
    asked, = who.says(walk, "my new phone", new.public.read_text())
    text = form(asked, "key")
    walk.put(who, who.mail(text + who.sign(text)[2] + new.sign(text)[2], signed=False, Date=walk.date()))
    told(walk.look(who), "The keys of %s have been changed" % who.name, new.fingerprint() if who.kind == "page" else "added")
    new.address = who.address
    told(new.orders(walk, report), "We have your")


# ---- what is lost ----

def no(walk, who, mail):
    """From one of their addresses, whoever asked."""
    mailbox = who if who.kind == "reply" else ByReply(who.address.split("@")[0], walk.base.domains, walk.league)
    walk.put(mailbox, mailbox.reply("gmail_web", mail.as_bytes(), "no", now=walk.now))
    return walk.look(who)


def moderator_asks(walk, who, **lines):
    """By the form that the word brings."""
    asked, = walk.mona.says(walk, "rekey")
    fill = [("player", who.name)] + [(name, lines.get(name)) for name in ("key", "address")] + [("reason", "we talked on the telephone")]
    return walk.mona.agrees(walk, asked, "rekey", fill)


def lost_key(walk):
    """They ask; a moderator asks for the new one in their name. All are told, and for seven days the old key, or a mailbox of theirs, can say no."""
    who = walk.who
    walk.table("gc-1", who.name + ",kurt", "--deadline", "60d")
    report = find(walk.came[who], "The game has begun")
    new = (ByKey if who.kind == "key" else ByPage)(who.name + "3")
    new.address = who.address
    told(who.says(walk, "I have lost my key", new.public.read_text()), "If your old key is lost", "They ask for it in your name", "petra@game.test")
    for ends_by in ("the old key", "no", None):
        told(moderator_asks(walk, who, key=new.public.read_text().strip()), "You have asked for a new key in the name of %s" % who.name)
        asked, = walk.look(who)
        told([asked], "has lost their key", 'answer this mail with the one word "no"', "#turnpost veto")
        told(walk.look(walk.kurt), "has lost their key", "because you play with")
        walk.wait(6 * 24)
        check(not walk.look(who), "it came early")
        if ends_by:
            told(who.agrees(walk, asked, "veto") if ends_by == "the old key" else no(walk, who, asked), "The keys of %s stay as they are" % who.name)
            told(walk.look(walk.mona), "The keys of %s stay as they are" % who.name)
        walk.wait(2 * 24)
        mails = walk.look(who)
        check(not ends_by or not mails, "what was stopped came")
        walk.look(walk.kurt), walk.look(walk.mona)
    told(mails, "The new key of %s is in force" % who.name)
    told(new.orders(walk, report), "We have your")
    told(who.orders(walk, report, "bide"), "that the league does not know")
    walk.proved("gc-1")


def lost_mailbox(walk):
    """With a key they sign for a new one, from there. By Reply a moderator asks in their name, and it takes seven days."""
    who = walk.who
    walk.table("gc-1", who.name + ",kurt", "--deadline", "60d")
    new = who.from_address(who.name + ".new@players.test")
    if who.kind == "reply":
        lost_mailbox_reply(walk, who, new)
    else:
        asked, = new.says(walk, "I have a new address")
        told([asked], "If your old mailbox is lost", "A player with a key needs nobody for that")
        mails = new.agrees(walk, asked, "prefs", [("address", new.address)])
        confirm = find(walk.look(new) + mails, "A new address for " + who.name)
        told(new.agrees(walk, confirm, "prefs"), "Your addresses are now", new.address)
        told(walk.look(who), "Your addresses are now", new.address)
    walk.others_play("gc-1")
    check(not walk.look(who), "mail goes to the old address")


def lost_mailbox_reply(walk, who, new):
    told(new.says(walk, "I have a new address"), "If your old mailbox is lost", "petra@game.test")
    for stopped in (True, False):
        told(moderator_asks(walk, who, address=new.address), "You have asked for a new address of %s: %s" % (who.name, new.address))
        asked, = walk.look(who)
        told([asked], "says that your mailbox is lost", new.address)
        confirm, = walk.look(new)
        told(new.types(walk, confirm, "ok"), "Thanks", "counts for %s from" % who.name)
        walk.wait(6 * 24)
        if stopped:
            told(no(walk, who, asked), "The addresses of %s stay as they are" % who.name)
            told(walk.look(walk.mona), "The addresses of %s stay as they are" % who.name)
        walk.wait(2 * 24)
        mails = walk.look(who)
        check(not stopped or not mails, "what was stopped came")
    told(mails, "Your addresses are now", new.address)
    told(walk.look(new), "Your addresses are now", new.address)


def second_address(walk):
    """Added when its mailbox has agreed; where mail comes back, it is told. Given up at once by a key, else after seven days."""
    who = walk.who
    other = who.from_address(who.name + ".two@players.test")
    if who.kind == "reply":
        told(who.wants(walk, "second " + other.address), "to write to " + other.address)
        told(other.types(walk, walk.look(other)[0], "ok"), "Your addresses are now", other.address)
    else:
        told(who.wants(walk, "prefs", fill=[("second", other.address)]), "A mail has gone to " + other.address)
        told(other.agrees(walk, walk.look(other)[0], "prefs"), "Your addresses are now", other.address)
    told(walk.look(who), "Your addresses are now", other.address)
    walk.look(other)
    walk.table("gc-1", who.name + ",kurt", "--deadline", "60d")
    for subject, answer in (("show", "You asked for this report again"), ("help", "What you can send"), ("Who are you?", "A person answers")):
        if subject != "show" or who.kind == "reply":
            told(other.says(walk, subject), answer)
            check(not walk.look(who), "the answer to the second address goes to the first")
    if who.kind == "reply":
        other.says(walk, "resign gc-1")
        told(walk.look(who), "Do you want to resign", "press Reply and type: ok ")
        check(not walk.look(other), "the word goes to the mailbox that asks")
    if who.kind != "reply":
        told(who.wants(walk, "prefs", fill=[("second", "no")]), "Your settings")
        told(walk.look(other), "Your addresses are now")
        return
    for stopped in (True, False):
        told(who.wants(walk, "second no"), "to drop your second address")
        told(walk.came[who], "Do you want to drop your second address?")
        asked, = walk.look(other)
        if stopped:
            told(no(walk, other, asked), "The addresses of %s stay as they are" % who.name)
            told(walk.look(who), "The addresses of %s stay as they are" % who.name)
        walk.wait(8 * 24)
    told(walk.look(who), "Your addresses are now")
    told(walk.look(other), "Your addresses are now")


def erasure(walk):
    """At once with a key. By Reply a word, and 72 hours in which any of their addresses can stop it."""
    who = walk.who
    if who.kind != "reply":
        told(who.wants(walk, "erase", fill=[("player", who.name)]), "You are no player of this league any more, " + who.name)
    else:
        other = who.from_address(who.name + ".two@players.test")
        who.wants(walk, "second " + other.address)
        other.types(walk, walk.look(other)[0], "ok")
        walk.look(who), walk.look(other)
        for stopped in (True, False):
            told(who.wants(walk, "erase"), "you are no player of this league any more, " + who.name, "from any of your addresses")
            asked, = walk.look(other)
            walk.wait(71)
            if stopped:
                told(no(walk, other, asked), who.name + " stays a player of this league")
                told(walk.look(who), who.name + " stays a player of this league")
            walk.wait(12)
            check((who.name in walk.league.tp("player", "list")) == stopped, "is erased" if stopped else "is still there")
        told(walk.look(who), "You are no player of this league any more, " + who.name)
    check(who.name not in walk.league.tp("player", "list"), "is still on the list")
    told(who.says(walk, "Where are my games?"), "If you are new here")


# ---- the operator helps ----

def asked_by_operator(walk, what, new, value):
    """They are told everywhere, and any of their addresses ends it; else it counts after seven days."""
    who, other = walk.who, walk.who.from_address(walk.who.name + ".two@players.test")
    walk.operator("player", "address", who.name, who.address, other.address, "--at-once", "--reason", "you asked for it")
    for mails in (walk.look(who), walk.look(other)):
        told(mails, "The operator has changed them. Why: you asked for it", other.address)
    walk.look(walk.kurt)
    for says_no in (other, who, None):
        walk.operator("player", what, who.name, value, "--reason", "we talked")
        mails = {who: walk.look(who), other: walk.look(other)}
        for asked in mails.values():
            told(asked, "lost", "answer this mail with the one word \"no\", from any of your addresses")
        if what == "address":
            told(new.types(walk, walk.look(new)[0], "ok"), "counts for %s from" % who.name)
        else:
            told(walk.look(walk.kurt), "The operator says that %s has lost their key" % who.name, "we talked")
        check("asked for by operator" in walk.league.tp("player", "show", who.name), "is not shown")
        walk.wait(6 * 24)
        if says_no:
            stays = "The %s of %s stay" % ("keys" if what == "key" else "addresses", who.name)
            told(no(walk, says_no, mails[says_no][-1]), stays)
            told(walk.look(other if says_no is who else who), stays)
            check("asked for by" not in walk.league.tp("player", "show", who.name), "it still waits")
        walk.wait(2 * 24)
        came = walk.look(who) + walk.look(other)
        check(not came or not says_no, "what was stopped came: %s" % [mail["Subject"] for mail in came])
    return came, other


def operator_key(walk):
    who = walk.who
    walk.table("gc-1", who.name + ",kurt", "--deadline", "90d")
    report = find(walk.came[who], "The game has begun")
    new, third = ((ByKey if who.kind == "key" else ByPage)(who.name + n) for n in "45")
    new.address = third.address = who.address
    came, other = asked_by_operator(walk, "key", new, new.public)
    told(came, "The new key of %s is in force" % who.name, "The operator had asked for it")
    told(new.orders(walk, report), "We have your")
    told(who.orders(walk, report), "that the league does not know")
    walk.proved("gc-1")
    said = walk.league.tp("audit", "gc-1")
    check("plays with another key from record" in said and "nobody of that seat said no" in said, said)
    # Nothing comes at once while a game runs; afterwards it does, and all are told.
    walk.league.tp("player", "key", who.name, third.public, "--at-once", "--now", walk.iso(), code=1)
    check("there nothing counts at once" in walk.league.err, walk.league.err)
    walk.operator("moderate", "gc-1", "void", "--reason", "it was a test")
    walk.look(who), walk.look(other)
    walk.operator("player", "key", who.name, third.public, "--at-once")
    for mails in (walk.look(who), walk.look(other)):
        told(mails, "The operator has given %s the keys below, in place of all others" % who.name)


def operator_address(walk):
    """And a thief's second address, which would say no for ever, is dropped at once."""
    who = walk.who
    new, last = (who.from_address("%s.%s@players.test" % (who.name, n)) for n in ("new", "last"))
    came, other = asked_by_operator(walk, "address", new, new.address)
    told(came, "Your addresses are now", new.address)
    told(walk.look(new), "Your addresses are now", new.address)
    walk.operator("player", "address", who.name, who.address, "--reason", "they say so")
    walk.look(who), walk.look(other), walk.look(new)
    walk.operator("player", "address", who.name, last.address, "no", "--at-once", "--reason", "somebody had your mailbox")
    for mails in (walk.look(last), walk.look(new), walk.look(other)):
        told(mails, "Your addresses are now: %s where all mail goes" % last.address, "The operator has changed them. Why: somebody had")
    walk.wait(8 * 24)
    check("%s <%s>\n" % (who.name, last.address) in walk.league.tp("player", "show", who.name), "what was asked for before came")
    check("second address" not in walk.league.tp("player", "show", who.name), "the thief's address is still there")


# ---- at the table ----

def muting(walk):
    who = walk.who
    walk.table("gc-1", who.name + ",kurt")
    told(who.wants(walk, "mute", fill=[("player", "kurt")], typed="mute kurt"), "Messages of kurt are not delivered to you any more")
    walk.kurt.signs(walk, walk.league.petition("press", "to: " + who.name, "CAN-YOU-HEAR-ME", game="gc-1", turn=1))
    check(not walk.look(who), "a muted player is heard")
    off = who.wants(walk, "unmute", typed="unmute kurt") if who.kind == "reply" else who.agrees(walk, walk.came[who][-1], "unmute")
    told(off, "Messages of kurt are delivered to you again")
    walk.kurt.signs(walk, walk.league.petition("press", "to: " + who.name, "AND-NOW", game="gc-1", turn=1))
    told(walk.look(who), "AND-NOW")


def settings(walk):
    who = walk.who
    only = [(name, None) for name in ("html", "pictures", "json", "optional", "digest", "reminder", "zone", "public", "second")]
    walk.table("gc-1", who.name + ",kurt")
    told(who.wants(walk, "prefs", fill=only + [("reports", "each move")], typed="reports: each move"), "Your settings", "reports each move")


def appealing(walk):
    """An appeal, and its ruling."""
    who = walk.who
    walk.table("gc-1", who.name + ",kurt")
    walk.others_play("gc-1")
    mails = who.orders(walk, find(walk.came[who], "The game has begun"))
    check(walk.turn("gc-1") == 2, "turn 1 is not played: " + flat(mails[0]))
    words = "My order was lost."
    told(who.wants(walk, "appeal", "gc-1", fill=[("turn", "1"), words], typed="appeal: " + words), "We have your appeal of turn 1", words)
    appeal = find(walk.look(walk.mona), "appeals turn 1")
    told(walk.mona.agrees(walk, appeal, "ruling", ["It was not lost."]), "It was not lost.")
    told(walk.look(who), "mona, a moderator of the league, rules", "It was not lost.")
    walk.proved("gc-1")


def without_a_name(walk):
    """In a game with grey press; nobody but the moderators can find out."""
    who = walk.who
    walk.table("gc-1", who.name + ",kurt", "--press", "grey")
    typed = "press kurt from nobody: Shall we leave each other in peace?"
    fill = [("to", "kurt\nfrom: nobody"), "Shall we leave each other in peace?"]
    told(who.wants(walk, "press", "gc-1", fill=fill, typed=typed), "Nobody at the table is told who wrote it")
    heard = walk.look(walk.kurt)
    told(heard, "Somebody who gives no name writes", "Shall we leave each other in peace?")
    check(not any(who.name + " writes" in flat(mail) for mail in heard), "the name is told")
    walk.proved("gc-1")


def asking(walk):
    """Sentences: what fits, and a person."""
    who = walk.who
    for subject, fits, by_reply in (
            ("Question about my game", '"status" as the subject shows your games', None),
            ("I have lost my key", "If your old key is lost, bring the public half of a new one to %s.", "You need no key here"),
            ("I have a new address", '"prefs" as the subject brings the text that moves your mail', "If your old mailbox is lost, turn to %s."),
            ("My mailbox is gone", "Your signature counts from any mailbox", '"address" and the new address as the subject moves your mail')):
        fits = by_reply if by_reply and who.kind == "reply" else fits
        told(who.says(walk, subject), fits.replace("%s", "petra@game.test"), "A person answers: petra@game.test")
        walk.now += DAY
        if "%s" in fits:  # in a league that names nobody
            walk.league.set("league", contact="")
            told(who.says(walk, subject), fits.replace("%s", "a moderator or the operator (another player can write to them for you)"))
            walk.league.set("league", contact="petra@game.test")
            walk.now += DAY


PROGRAMS = ["gmail_web", "apple_ios", "outlook_mobile", "gmx_html", "gmail_chinese"]
ALL = "key page reply"
TABLE = [
    # journey             for whom     how
    ("invited by name",   ALL,         invited_by_name),
    ("a stranger",        ALL,         stranger),
    ("a seat kept",       ALL,         seat_kept),
    ("a full game",       ALL,         full_game),
    ("leaving",           ALL,         leaving),
    ("standing by",       ALL,         standing_by),
    ("taking a seat",     ALL,         taking_over),
    ("being taken back",  ALL,         coming_back),
    ("being replaced",    ALL,         replaced),
    ("a vacation",        ALL,         vacation),
    ("observing",         ALL,         watching),
    ("a new phone",       ALL,         new_phone),
    ("a lost key",        "key page",  lost_key),
    ("a lost mailbox",    ALL,         lost_mailbox),
    ("a second address",  ALL,         second_address),
    ("erasure",           ALL,         erasure),
    ("the operator: key", "key page",  operator_key),
    ("the operator: mailbox", "reply", operator_address),
    ("muting",            ALL,         muting),
    ("settings",          ALL,         settings),
    ("an appeal",         ALL,         appealing),
    ("without a name",    ALL,         without_a_name),
    ("a question",        ALL,         asking),
]


class Base:
    def __init__(self, domains):
        self.league, self.now, self.domains = League("base"), int(time.time()), domains
        self.league.init()
        domains.use(self.league)
        self.league.set("league", page_url="https://%s/" % PAGE, contact="petra@game.test", moderators="mona", registration="open")
        self.kurt, self.mona = ByKey("kurt"), ByKey("mona")
        self.rob = ByReply("rob", domains, self.league)
        self.walkers = {"key": ByKey("kara"), "page": ByPage("pia"), "reply": ByReply("rita", domains, self.league)}
        self.newcomers = {"key": ByKey("kate"), "page": ByPage("peg"), "reply": ByReply("ron", domains, self.league)}
        for player in (self.kurt, self.mona, self.walkers["key"], self.walkers["page"]):
            self.league.add(player)
        for reader in (self.rob, self.walkers["reply"]):
            reader.register(self.league.tp("invite").strip())
        self.league.tp("run")
        for reader in (self.kurt, self.mona, self.rob, *self.walkers.values()):
            self.league.new_mails(reader.address)


def play(servers):
    domains = Domains()
    servers.append(domains)
    base, failed, walked, mails = Base(domains), [], 0, 0
    only = [name.strip() for name in os.environ.get("JOURNEYS", "").split(",") if name.strip()]
    for name, kinds, journey in TABLE:
        programs = PROGRAMS if os.environ.get("LONG") else PROGRAMS[:1]
        for kind, by in [(kind, by) for kind in kinds.split() for by in (programs if kind == "reply" else PROGRAMS[:1])]:
            if only and name not in only:
                continue
            walk = Walk(base, copy(base.league, "%s-%s" % (journey.__name__, kind)), base.walkers[kind])
            base.walkers["reply"].by = base.newcomers["reply"].by = by
            try:
                journey(walk)
            except Failed as why:
                failed.append("%s, by %s (%s): %s" % (name, kind, by, str(why)[:3000]))
            walked, mails = walked + 1, mails + walk.count
            shutil.rmtree(walk.league.dir)
    check(not failed, "\n\n".join(failed))
    print("%d journeys by key, page and Reply, %d mails to the league, each answered as it should be" % (walked, mails))


main(play)
