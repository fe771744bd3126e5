"""A typo never costs a turn: against robots the turn waits for better orders, for `final: yes`, or for its deadline; several
people wait for a day. Then second thoughts, orders for several turns, a kill between record and turn, and the audit of all."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

ANNA, BEN = Player("anna"), Player("ben", "signify")


def flat(mail):
    return " ".join(text_of(mail).split())


class Story:
    """A league with one game, from 2026-11-20 08:00 on. Times are hours since then; a round of work comes every five."""

    def __init__(self, game, ruleset, *args):
        self.league, self.game, self.now, self.sent, self.copies = League(game), game, 0, 0, []
        self.league.today = "2026-11-20"
        self.league.init()
        for player in (ANNA, BEN):
            self.league.add(player)
        self.league.seated(game, ruleset, *args, "--now", self.time(0))
        self.until(0)
        self.mails()

    def time(self, hours):
        seconds = 8 * 3600 + round(hours * 3600)
        return "2026-11-%02dT%02d:%02d:%02dZ" % (20 + seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60)

    def until(self, hours):
        while self.now < hours - 5:
            self.now += 5
            self.league.tp("run", "--now", self.time(self.now))
        self.now = hours
        self.league.tp("run", "--now", self.time(hours))

    def send(self, hours, lines, player=None, **fields):
        """The orders for the open turn, accepted at that time; the mails that came for anna."""
        self.until(hours)
        self.sent += 1
        player = player or ANNA
        text = self.league.orders(self.game, self.turn(), lines, **fields)
        raw = player.mail(text)
        self.copies += [raw] * (player is ANNA)
        self.league.put_mail(raw, "m%03d" % self.sent)
        self.league.tp("run", "--now", self.time(hours))
        return self.mails()

    def mails(self, player=None):
        return self.league.new_mails((player or ANNA).address)

    def turn(self):
        return json.loads(self.league.tp("show", self.game, "--json"))["turn"]

    def receipts(self):
        """What `receipt-check` says of anna's mails: what she sent, and what she got."""
        box = WORK / ("box-" + self.game)
        box.mkdir()
        for number, raw in enumerate([b"X-Copy: mine\r\n" + raw for raw in self.copies] + [m.as_bytes() for m in self.league.outbox(ANNA.address)]):
            (box / str(number)).write_bytes(raw)
        return json.loads(self.league.tp("receipt-check", box, "--journal", self.league.dir / "games", "--json"))

    def last(self, sort):
        return [r for r in self.league.records(self.game) if r["type"] == sort][-1]


def told(mails, *words):
    for one in words:
        check(any(one in flat(m) for m in mails), "not told \"%s\":\n%s" % (one, "\n".join(map(text_of, mails))))


def against_a_robot():
    """The case that made this."""
    story = Story("solo", "galaxy-command", "anna,robot", "--no-deadline")
    mails = story.send(1, ["conqer N1", "build"])
    check(story.turn() == 1 and story.last("orders")["waits"] is True, "a typo cost the turn")
    check(len(mails) == 1 and "one needs a fix" in mails[0]["Subject"], [m["Subject"] for m in mails])
    told(mails, '1. conqer N1: cannot work There is no order "conqer" in this game; did you mean "conquer"?',
         "Turn 1 waits for you to send your orders again", 'the field "final: yes"')
    story.until(100)
    check(story.turn() == 1, "the turn was played without her")
    story.send(101, ["explore near or bide", "build or bide"])
    check(story.turn() == 2 and "waits" not in story.last("orders"), "the correction was not played")
    story.send(102, ["conqer N1", "bide"], final="yes")
    check(story.turn() == 3, "final orders were not played")
    log = " ".join(story.league.tp("log", "solo").split())
    check("the turn waits for it to be corrected" in log and "A turn waits for orders with a wrong line to be corrected" in log, log)
    checked = story.receipts()
    check(checked["verdict"] == "holds" and "the turn waited for it to be corrected" in json.dumps(checked), checked)
    return story


def with_a_deadline():
    """She is reminded of the fix; what is there is played, and nobody has missed the turn."""
    story = Story("timed", "galaxy-command", "anna,robot", "--deadline", "3d")
    told(story.send(1, ["conquer N1", "bide"]), "waits for you to send your orders again until its deadline")
    story.until(71)
    told(story.mails(), "Your orders for turn 1 need a fix", "This is the only reminder of this deadline.")
    check(story.turn() == 1, "the turn was played")
    story.until(72)
    check(story.turn() == 2 and story.last("close")["missed"] == [], "the deadline did not play what was there")
    return story


def several_people():
    """Without a deadline they wait for a day."""
    story = Story("two", "galaxy-command", "anna,ben", "--no-deadline")
    story.send(1, ["conqer N1", "bide"])
    story.send(2, ["bide"], player=BEN)
    told(story.mails(BEN), "The turn waits for anna to finish their orders")
    story.until(24.99)
    check(story.turn() == 1, "the day was too short")
    story.until(25)
    check(story.turn() == 2, "the day was too long")
    return story


def several_turns():
    """Each turn's orders are judged when it opens, and told with the report."""
    story = Story("alone", "galaxy-command", "anna", "--no-deadline")
    mails = story.send(1, ["bide", "turn 2", "conqer N1", "bide", "turn 3", "bide"])
    check(story.turn() == 2 and story.last("turn")["waits"] is True, "a later turn was not judged")
    told(mails, "WHAT HAPPENED IN TURN 1", "conqer N1: cannot work")
    story.send(2, ["bide"])
    check(story.turn() == 3, "the correction of a later turn")
    return story


def early_orders():
    """Of a seat that is not awaited yet only lines count that were not understood."""
    story = Story("taking-turns", "galactic-supremacy", "anna,ben", "--no-deadline")
    shown = json.loads(story.league.tp("show", story.game, "--json"))
    later = next(p for p in (ANNA, BEN) if not next(s for s in shown["seats"] if s["name"] == p.name)["awaited"])
    now = BEN if later is ANNA else ANNA
    story.mails(later)
    story.send(1, ["attack p1 s1 with all", "pass"], player=later)
    check("waits" not in story.last("orders"), "nobody can know yet what becomes of it")
    story.mails(later)
    mails = story.send(2, ["atack s1", "pass"], player=later)
    told(mails if later is ANNA else story.mails(later), "When your turn comes, it waits for you to correct the line")
    turn = story.turn()
    story.send(3, ["pass"], player=now)
    check(story.turn() == turn + 1, "the turn after it was played, too")
    story.send(4, ["pass"], player=later)
    check(story.turn() > turn + 1, "the correction was not played")
    return story


def second_thoughts():
    story = Story("slow", "galaxy-command", "anna,robot", "--no-deadline", "--second-thoughts", "30m")
    create = story.league.records("slow")[0]
    check(create["second_thoughts"] == 1800 and create["typo_wait"] is True, "create")
    shown = " ".join(story.league.tp("show", "slow").split())
    check("after a seat's first orders the turn waits for 30 minutes" in shown, shown)
    told(story.send(1, ["bide"]), "All orders are in. The turn ends")
    check(story.turn() == 1, "played at once")
    story.send(1.3, ["explore near or bide"])
    (story.league.dir / "games/slow/state.json").unlink()
    story.until(1.49)
    check(story.turn() == 1, "too early")
    story.until(1.5)
    check(story.turn() == 2, "the time was renewed")
    story.league.tp("new", "bad", "galaxy-command", "--seats", "anna,robot", "--second-thoughts", "2d", code=1)
    return story


def as_before():
    story = Story("quick", "galaxy-command", "anna,robot", "--no-deadline", "--no-typo-wait")
    story.send(1, ["conqer N1", "bide"])
    check(story.turn() == 2 and "typo_wait" not in story.league.records("quick")[0], "it waited")
    return story


def play(servers_list):
    stories = [story() for story in (against_a_robot, with_a_deadline, several_people, several_turns, early_orders, second_thoughts, as_before)]
    for story in stories:
        verify_chain(story.league, story.game)
    print("%d texts, %d records" % (sum(s.sent for s in stories), sum(len(s.league.records(s.game)) for s in stories)))


main(play)
