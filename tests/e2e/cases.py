"""What went wrong when strangers tried to play by Reply, each as the mail program writes it: the mails, what must come back, and which
orders count then. Each was once met with silence, asked about in vain, misread, or answered beside the point.

"smtp-daily-limit", a server that takes no more mails on that day, is in mail/smtp.c and e2e/delivery.py. CASES="help-reply join-running":
these alone; KEEP=DIR keeps the mails."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import replier  # Debian's own Python
from league import *
from batch import copy
from domains import Domains
from reader import Reader, counted, flat, keep


class Mail:
    """Somebody writes to the league, and `says` comes back: words of one mail, or of several. `never`: words that are not in it; `orders`: those
    of anna's that count then (None: nobody looks)."""

    def __init__(self, subject, says, text="", who="anna", never="", orders="", **how):
        self.typed, self.says, self.text, self.who, self.never, self.orders, self.how = subject, says, text, who, never, orders, how

    def write(self, case, by):
        return case.people[self.who].write("gmail", ADDRESS, self.typed, self.text, now=case.now, **self.how)

    def do(self, case, by):
        self.typed, self.text = (words(case) if callable(words) else words for words in (self.typed, self.text))
        raw = self.write(case, by)
        keep("sent", parse(raw))
        case.put(raw)
        case.run()
        mails, says = case.look(self.who), [self.says] if isinstance(self.says, str) else self.says
        texts = [flat(mail) for mail in mails]
        about = 'to "%s" came %s' % (" / ".join(self.typed.split("\n")), texts)
        check(len(texts) == len(says), about)
        for words in says:
            words = [words] if isinstance(words, str) else words
            check(any(all(w in text for w in words) for text in texts), '%s, and no "%s"' % (about, words))
        check(not self.never or all(self.never not in text for text in texts), about)
        count = counted(case.league, case.game)
        check(self.orders is None or count == self.orders, 'after "%s" the orders are "%s", not "%s"' % (self.typed, count, self.orders))


class Reply(Mail):
    """They answer the mail that came for them as number `answers` in this case; 0 is the report."""

    def __init__(self, typed, says, orders="", answers=0, by=None, **how):
        super().__init__(typed, says, orders=orders, **how)
        self.answers, self.by = answers, by

    def write(self, case, by):
        how, answered = dict(self.how, now=case.now), case.came[self.who][self.answers]
        if "renamed" in how:
            answered = parse(answered.as_bytes())
            answered.replace_header("Subject", how.pop("renamed"))
        if "ahead" in how:  # so many seconds is their clock
            how["date"] = case.now + how.pop("ahead")
        return case.people[self.who].reply(self.by or by, answered.as_bytes(), self.typed, **how)


class Wait:
    def __init__(self, seconds):
        self.seconds = seconds

    def do(self, case, by):
        case.now += self.seconds


class Operator:
    """A command of theirs; everybody's mails are looked at."""

    def __init__(self, *args, code=0, says="", never=""):
        self.args, self.code, self.says, self.never = args, code, says, never

    def do(self, case, by):
        said = case.league.tp(*self.args, "--now", case.iso(), code=self.code) + case.league.err
        check(self.says in said and (not self.never or self.never not in said), "%s: %s" % (" ".join(self.args), said))
        case.run()
        for who in case.people:
            case.look(who)


class Signed:
    """Carl has a key."""

    def __init__(self, *lines):
        self.lines = lines

    def do(self, case, by):
        case.put(case.carl.mail(case.league.orders(case.game, 1, self.lines, final="yes")))
        case.run()


class Notice:
    """What a server says of the report that it was to hand over."""

    def __init__(self, action, status):
        self.action, self.status = action, status

    def do(self, case, by):
        case.put(("Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.players.test (Mail Delivery System)\r\nTo: %s\r\nSubject: Delivery Status Notification\r\n"
                  "Message-ID: <%s@mx.players.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=B\r\n\r\n"
                  "--B\r\nContent-Type: text/plain\r\n\r\nThis is about a mail of yours.\r\n\r\n"
                  "--B\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.players.test\r\n\r\nFinal-Recipient: rfc822; anna@players.test\r\n"
                  "Action: %s\r\nStatus: %s\r\n\r\n"
                  "--B\r\nContent-Type: message/rfc822\r\n\r\n" % (ADDRESS, self.action, self.action, self.status)).encode() + case.came["anna"][0].as_bytes() + b"\r\n--B--\r\n")
        case.run()


# ---- the cases ----

NEAR, TAKEN, STANDS = "explore near", "We have your orders", "stand as they are"
NO_ORDER, NOT_READ = "There was no order in your answer", "Not read in your mail"
MISTYPED, HELP = "One word looks mistyped, so nothing has been done yet", "explore [near|far] [slot]"

COUNTS = [Reply(NEAR, TAKEN, NEAR, never=NOT_READ)]


def lives(ok):
    """Orders, and an "ok" below them; orders that are asked about, and the "ok" that takes them. `ok`: what comes of the first one."""
    return [Reply(NEAR, TAKEN, NEAR), Reply("ok", ok, NEAR, answers=1), Reply("bild", MISTYPED, NEAR), Reply("ok", TAKEN, "build", answers=3)]


CASES = {
    # silence
    "silence-thanks-typo": ("gmail_web", Reply("Thanks!", NO_ORDER), Reply("eplore near", MISTYPED)),
    "silence-half": ("gmail_web", Reply("explore near\nbild", MISTYPED), Reply("explore near\nbuilt", MISTYPED)),
    "silence-help": ("gmail_web", Reply("Thanks!", NO_ORDER), Reply("help", HELP, answers=1)),
    "silence-receipt": ("gmail_web", Reply(NEAR, TAKEN, NEAR), Reply("dont build", NOT_READ, NEAR, answers=1), Reply("please don't build", NOT_READ, NEAR, answers=1)),
    "silence-join-again": ("gmail_web", Mail("standby gc-1", "Do you want to be on the waiting list of gc-1", who="ulf"), Mail("standby gc-1", "Do you want to be on the waiting list of gc-1", who="ulf")),
    # what our mails offer
    "help-reply": ("gmail_web", Reply("help", HELP)),
    "help-and-order": ("gmail_web", Reply("explore near\nhelp", [(TAKEN, HELP)], "explore near\nhelp")),
    # an "ok" that could not be said
    "deadend-ru-iphone": ("iphone_russian", *lives("are final")), "deadend-block": ("signature_block", *lives("are final")), "deadend-gmx": ("gmx_html", *lives(STANDS)),
    "deadend-outlook-es": ("outlook_spanish", *lives(STANDS)), "deadend-zh-gmail": ("gmail_chinese", *lives(STANDS), Reply("build", TAKEN, "build")),
    # a quote that was not seen
    "quote-gmx-html": ("gmx_html", *COUNTS), "quote-zh-gmail": ("gmail_chinese", *COUNTS), "quote-de-gmail-wrapped": ("gmail_wrapped", *COUNTS),
    "quote-nodate": ("no_date", *COUNTS), "quote-outlook-es": ("outlook_spanish", *COUNTS), "quote-outlook-ptbr": ("outlook_portuguese", *COUNTS),
    "quote-outlook-ru": ("outlook_russian", *COUNTS), "quote-outlook-zh": ("outlook_chinese", *COUNTS), "quote-outlook-fr-le": ("outlook_french", *COUNTS),
    "below-half-played": ("typed_below", Reply("explore near\nif metal >= 1 build", "It is not certain that you mean both"),
                          Reply("ok", TAKEN, "explore near\nif metal >= 1 build", answers=1, by="thunderbird")),
    # what stands around the text, and above it
    "mime-empty-plain": ("empty_plain", *COUNTS), "mime-pgp-signed": ("pgp_mime", *COUNTS),
    "head-autoresponse-suppress": ("gmail_web", Reply(NEAR, TAKEN, NEAR, also="X-Auto-Response-Suppress: DR, OOF, AutoReply\r\n")),
    "head-no-replyto": ("gmail_web", Reply(NEAR, TAKEN, NEAR, to="Orion League <%s>" % ADDRESS)),
    "head-from-addr-name": ("gmail_web", Reply(NEAR, TAKEN, NEAR, sender="anna@players.test <anna@players.test>")),
    "head-from-capital": ("gmail_web", Reply(NEAR, TAKEN, NEAR, sender="Anna <Anna@players.test>")),
    "head-other-address": ("gmail_web", Reply(NEAR, "No player is known here by the address that you have written from", who="private")),
    "hint-ambiguous": ("message_id", *COUNTS, Reply("explore near\n<b>build</b>", 'one line can be read in two ways: "<b>build</b>"', NEAR, never="without pictures")),
    # whose game it is
    "wrong-game-replaced": ("gmail_web", Operator("moderate", "gc-1", "replace", "anna", "by", "ulf", "--reason", "x"),
                            Reply(NEAR, "You have no seat in game gc-1 now", never="gc-2")),
    "leak-show-successor": ("gmail_web", Signed("build", "say anna MY-SECRET-PLAN"), Reply(NEAR, "MY-SECRET-PLAN", None),
                            Operator("moderate", "gc-1", "replace", "anna", "by", "ulf", "--reason", "x"),
                            Mail("take gc-1", "Do you want to take", orders=None, who="ulf"), Reply("ok", ["YOUR CHOICES", "Seat 1 is yours"], None, who="ulf", answers=1),
                            Reply("show", "turn 2", None, who="ulf", never="MY-SECRET-PLAN")),
    "edited-subject": ("gmail_web", Operator("moderate", "gc-1", "replace", "anna", "by", "ulf", "--reason", "x"),
                       Reply(NEAR, "We cannot tell which of our mails you answered", orders=None, never="This is how the game stands", renamed="Re: hello")),
    "answers-ended": ("gmail_web", Operator("moderate", "gc-1", "void", "--reason", "x"), Reply(NEAR, "Game gc-1 is over", orders=None, never="gc-2")),
    # what is no order, and what it may be about
    "no-order-question": ("gmail_web", Mail("Question about my game", "\"status\" as the subject shows your games")),
    "no-order-key": ("gmail_web", Mail("I have lost my key", "You need no key here")),
    "no-order-away": ("gmail_web", Mail("hello", "answer a mail of your game with the days", text="I am on holiday for two weeks\n")),
    "no-order-stranger": ("gmail_web", Mail("Question about my game", "write from the address that our mails go to", who="private")),
    "other-address-plain": ("gmail_web", Reply(NEAR, "Your mail answers a mail of ours to another address", who="private", to="Orion League <%s>" % ADDRESS)),
    "other-address-verb": ("gmail_web", Mail("resign gc-1", "No player is known here by the address that you have written from", who="private")),
    "head-from-comment": ("gmail_web", Reply(NEAR, TAKEN, NEAR, sender="anna@players.test (Anna Berg)")),
    "head-from-comma": ("gmail_web", Reply(NEAR, "exactly one sender with one address", sender="Berg, Anna <anna@players.test>")),
    # messages without a name
    "press-nobody": ("gmail_web", Reply("press carl from nobody: hi", "game gc-1 messages carry the sender's name")),
    "name-j1": ("gmail_web", Mail("register Jürgen", "To play as juergen", text=lambda case: "invite: %s\n" % case.league.tp("invite").strip(), who="j1"),
                Reply("ok", "You are registered, juergen", who="j1")),
    "needs-key-join-gc-99": ("gmail_web", Mail("join gc-99", "gc-99", never="key")),
    "join-no-game-stranger": ("gmail_web", Mail("join gc-99", "There is no game called \"gc-99\"", who="private")),
    "needs-key-resign-gc-1": ("gmail_web", Mail("resign gc-1", "Do you want to resign your seat"),
                              Reply(lambda case: re.search(r"type: (ok \w+)", flat(case.came["anna"][1]))[1], "You have resigned", answers=1)),
    "join-running": ("gmail_web", Mail("join gc-1", "place on its waiting list", who="ulf", never="We tell you when it begins")),
    # clocks, servers, the operator
    "clock-ahead": ("gmail_web", Reply(NEAR, TAKEN, NEAR, ahead=7200), Wait(600), Reply("build", TAKEN, "build")),
    "dsn-delayed": ("gmail_web", Notice("delayed", "4.4.1"), Operator("status", never="came back"), Notice("failed", "5.1.1"),
                    Operator("status", code=1, says="mail to anna came back")),
    "schedule-contradiction": ("gmail_web", Operator("new", "gc-9", "galaxy-command", "--seats", "anna,carl", "--schedule",
                                                     "sat sun 12:00 Europe/Berlin", "--weekends-off", code=1, says="no turn would ever be due")),
}


class Base:
    """Anna and Ulf have a mailbox alone; Anna plays gc-1 with Carl, who has a key, and gc-2 against a robot."""

    def __init__(self, domains):
        self.league, self.carl, self.now = League("base"), Player("carl"), int(time.time())
        self.league.init()
        domains.use(self.league)
        self.league.add(self.carl)
        self.people = {"anna": Reader("anna", domains, self.league), "ulf": Reader("ulf", domains, self.league, domain="unsigned.test")}
        for reader in self.people.values():
            reader.register(self.league.tp("invite").strip())
        for name, address in (("private", "anna.private"), ("j1", "j1")):
            self.people[name] = replier.Mailbox(address, "players.test", domains.keys)
        for game, seats in (("gc-1", "anna,carl"), ("gc-2", "anna,robot")):
            self.league.seated(game, "galaxy-command", seats, "--deadline", "3d", "--trust", "mail")
        self.league.tp("run")
        mails = self.league.new_mails(self.people["anna"].address)
        self.report = next(mail for mail in mails if "[gc-1]" in mail["Subject"])


class Case:
    """One, in a copy of the league."""

    def __init__(self, base, league):
        self.league, self.people, self.carl, self.now, self.game, self.count = league, base.people, base.carl, base.now, "gc-1", 0
        self.league.collected = {address: set(names) for address, names in base.league.collected.items()}
        self.came = {who: [] for who in self.people}
        self.came["anna"] = self.came["private"] = [base.report]

    def iso(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))

    def put(self, raw):
        self.count += 1
        self.league.put_mail(raw, "m%d" % self.count)
        os.utime(self.league.dir / "mail/in/new" / ("m%d" % self.count), (self.now, self.now))

    def run(self):
        self.now += 5
        self.league.tp("run", "--now", self.iso())

    def look(self, who):
        mails = self.league.new_mails(self.people[who].address)
        for mail in mails:
            keep("got", mail)
        self.came[who] = self.came[who] + mails
        return mails


def play(servers):
    domains = Domains()
    servers.append(domains)
    base, failed = Base(domains), []
    only = os.environ.get("CASES", "").split()
    check(set(only) <= set(CASES), "there is no case %s" % " ".join(set(only) - set(CASES)))
    for name, (by, *steps) in CASES.items():
        if only and name not in only:
            continue
        case = Case(base, copy(base.league, name))
        try:
            for step in steps:
                step.do(case, by)
        except Failed as why:
            failed.append("%s: %s" % (name, why))
        shutil.rmtree(case.league.dir)
    check(not failed, "\n".join(failed))
    print("%d cases, each answered as it should be" % sum(not only or name in only for name in CASES))


if __name__ == "__main__":  # e2e/differential.py plays them as well
    main(play)
