"""The players of a season. Each reads his mails, and acts by them: signs the forms they hold, sooner or later, or never."""
from season_world import *


class Person(Player):
    """`zeal`: how likely he is to write within twelve hours of having something to do."""

    def __init__(self, name, tool="ssh", zeal=0.9, address=None):
        super().__init__(name, tool)
        self.zeal = zeal
        self.real = self.address
        if address:
            self.address = address
        self.addresses = [self.real]
        self.world = None
        self.mails = []
        self.table = {}      # game -> what the newest report or reminder of it said
        self.done = {}       # game -> (turn, Message-ID) of the orders that were sent last
        self.away = False    # does not look at his mails at all
        self.idle = set()    # games that he neglects
        self.keyless = False
        self.hold_back = {}  # game -> time before which he sends no orders
        self.asked = []      # texts that take the seats kept for him, not sent yet
        self.slips = {}      # game -> orders with a typo: turn, head, lines, Message-ID, what is done about it
        self.under_way = []  # mails that arrive later than one that was sent after them

    # ---- reading ----

    def read(self, mail):
        """Takes the forms for orders out of a mail; a digest may hold several."""
        self.mails.append(mail)
        if mail["Message-ID"].startswith("<mail."):
            return
        if "A seat is kept for you" in mail["Subject"]:
            self.asked.append(form(mail, "join"))
        game = re.match(r"\[(\S+)\]", mail["Subject"])
        if game and re.search("It is over|You are out|You have resigned|and hugo has taken it", mail.flat):
            self.table.pop(game.group(1), None)
        before = 0
        for found in re.finditer(r"^#turnpost orders\n.*?^#end\n", mail.text, re.S | re.M):
            self.take_form(found.group(0), mail.text[before:found.start()], mail.text[found.end():])
            before = found.end()

    def take_form(self, ready, above, below):
        field = lambda name: re.search(r"^%s: (\S+)$" % name, ready, re.M).group(1)
        game, turn = field("game"), int(field("turn"))
        named = field("head")
        record = next((seq for _, seq, head in tlog.heads_in(below) if head.startswith(named)), 0)
        check(record, "a form for %s whose head is not proved below it" % game)
        if game in self.table and self.table[game]["record"] > record:
            return
        if "has taken back turn" in " ".join(above.split()):
            self.done.pop(game, None)  # orders for this turn are to be sent again
            self.slips.pop(game, None)
        words, _, rest = below.partition("What makes sense now, each line alone:\n\n")
        lines = rest.partition("\n\n")[0] if "#turnpost" not in words else ""
        self.table[game] = dict(turn=turn, record=record, head=field("head"), form=ready,
                                lines=[re.split("  +", l)[0].strip() for l in lines.splitlines() if l and l[0] != " "],
                                awaited="It is not your turn yet" not in " ".join(above.split()))

    def find(self, subject, since=0):
        """The first of his mails, from number `since` on, whose subject has these words."""
        for mail in self.mails[since:]:
            if subject in mail["Subject"]:
                return mail
        return None

    # ---- writing ----

    def raw(self, text, **how):
        how.setdefault("Date", datetime.datetime.fromtimestamp(self.world.now, datetime.timezone.utc)
                       .strftime("%a, %d %b %Y %H:%M:%S +0000"))
        return self.mail(text, **how)

    def say(self, text, kind="petition", answers=1, why="", **how):
        """A signed text; its Message-ID."""
        return self.world.send(self, self.raw(text, **how), kind, answers, why)

    def plain(self, subject, text="", kind="plain", answers=1, why="", **how):
        return self.world.send(self, self.raw(text or "\n", subject=subject, signed=False, **how), kind, answers, why)

    def order_lines(self, game, seat):
        """What a robot would do in his place; at times what the form proposes."""
        dice = self.world.dice
        known = self.table[game]
        if known["lines"] and dice.random() < 0.2:
            return [dice.choice(known["lines"])]
        lines = self.world.league.tp("show", game, "--seat", seat, "--robot").splitlines() or ["pass"]
        if game.startswith("gs"):
            lines += ["when attacked at home play peace", "when attacked defend all"]
        return lines

    def write_orders(self, game, seat):
        """Orders for the open turn; at times with a typo, or after a mail with such that they overtake."""
        world, known = self.world, self.table[game]
        lines, slip = self.order_lines(game, seat), world.slips.random()
        if slip < 0.1:
            mid = self.send_orders(game, known["turn"], known["head"], ["conqer the lot"] + lines, "typo")
            self.slips[game] = dict(turn=known["turn"], head=known["head"], lines=lines, mid=mid, plan=next(world.plans))
            return mid
        if slip < 0.15:
            text = orders(game, known["turn"], lines, known["head"], seq=self.count + 1)
            self.under_way.append(self.raw(text))
        self.slips.pop(game, None)
        return self.send_orders(game, known["turn"], known["head"], lines)

    def send_orders(self, game, turn, head, lines, what="", **fields):
        text = orders(game, turn, lines, head, seq=self.count + 1, **fields)
        mid = self.world.send(self, self.raw(text, attach=self.world.dice.random() < 0.5), "orders", what=what)
        self.done[game] = (turn, mid)
        return mid

    def mend(self, game):
        """What is done about orders with a typo once the league has told of it: others, the same as final, or others when it is too
        late for them. True: a mail went out."""
        slip, turn = self.slips[game], self.table[game]["turn"]
        if not self.world.answered(slip["mid"]):
            return False
        if slip["plan"] == "late" and turn > slip["turn"]:
            text = orders(game, slip["turn"], slip["lines"], slip["head"], seq=self.count + 1)
            self.world.send(self, self.raw(text), "late or doubled", what="late correction")
        elif slip["plan"] == "better" and turn == slip["turn"]:
            self.send_orders(game, turn, slip["head"], slip["lines"], "correction")
        elif slip["plan"] == "final" and turn == slip["turn"]:
            self.send_orders(game, turn, slip["head"], ["conqer the lot"] + slip["lines"], "final", final="yes")
        else:
            return False
        del self.slips[game]
        return True

    def act(self):
        """One look at his mails: at times something goes out."""
        world, dice = self.world, self.world.dice
        chance = 1 - (1 - self.zeal) ** (world.pause / (12 * HOUR))
        for raw in self.under_way:
            world.send(self, raw, "orders", what="overtaken")
        self.under_way = []
        while self.asked and not self.away and dice.random() < chance:
            self.say(self.asked.pop(0), kind="join")
        for game, known in sorted(self.table.items()):
            roll = dice.random()
            if self.away or self.keyless or game in self.idle or self.hold_back.get(game, 0) > world.now:
                continue
            seat = world.ledger.seat_of(game, self.name)
            if not seat or world.ledger.games[game].over or not known["awaited"]:
                continue
            turn, mid = self.done.get(game, (0, None))
            if game in self.slips and roll < chance and self.mend(game):
                continue
            if turn < known["turn"]:
                if roll < chance:
                    self.write_orders(game, seat)
            elif roll < 0.03 and game not in self.slips:
                self.fuss(game, seat, mid)

    def fuss(self, game, seat, mid):
        """What people do when they have written already."""
        dice, known = self.world.dice, self.table[game]
        kind = dice.randrange(6)
        if kind == 0:  # better orders
            self.write_orders(game, seat)
        elif kind == 1:  # orders for a turn that is over
            text = orders(game, max(1, known["turn"] - 1), ["pass"], seq=self.count + 1)
            self.world.send(self, self.raw(text), "late or doubled")
        elif kind == 2:  # a dry run
            text = orders(game, known["turn"], ["try", "help"] + self.order_lines(game, seat), known["head"], seq=self.count + 1)
            self.world.send(self, self.raw(text), "dry run")
        elif kind == 3:
            self.plain("status " + game)
        elif kind == 4:  # forgotten to sign
            self.plain("Re: [%s] my orders" % game, known["form"], "unsigned orders")
        else:  # the form as it is, words of nobody's language, and again the same
            text = known["form"].replace("#end\n", "xyzzy frobnicate\n#end\n")
            self.world.send(self, self.raw(text), "late or doubled")
