"""What happens in a season, besides people playing. A story is a generator: it yields what it waits for, a function that is asked
in every round; times are days of a season of 60, whatever it lasts."""
from season_world import *


class Stories:
    def __init__(self, world, days, whole):
        self.world, self.whole = world, whole
        self.scale = days / 60
        self.person = world.people

    def begin(self):
        world = self.world
        for name in ("operator", "invitations", "lost_key", "wrong_rekey", "vacation", "vanish", "stand_in", "bounce", "votes", "press",
                     "observer", "damaged_keys", "damaged_file", "restored", "evenings", "resignations", "preferences", "waiting", "outage", "machines",
                     "rollback", "beside"):
            world.tell(name, getattr(self, name)())
        for name in ("finn", "gwen", "hugo", "iris", "jack"):
            world.tell("register " + name, self.register(name))

    # ---- what stories wait for ----

    def on_day(self, day):
        at = self.world.start + day * self.scale * DAY
        return lambda: self.world.now >= at

    def for_days(self, days):
        at = self.world.now + days * DAY
        return lambda: self.world.now >= at

    def answer(self, mid, words, count=1):
        """Waits for the answer to a mail and looks for these words in it; its value is the answer."""
        yield lambda: len(self.world.answered(mid)) >= count
        mails = self.world.answered(mid)
        check(any(words in flat(m) for m in mails), "\"%s\" is not in the answer:\n%s" % (words, "\n".join(map(text_of, mails))))
        return next(m for m in mails if words in flat(m))

    def ask(self, who, text, words, **how):
        mid = self.person[who].say(text, **how)
        return (yield from self.answer(mid, words))

    def mail_to(self, who, subject, since=0):
        yield lambda: self.person[who].find(subject, since)
        return self.person[who].find(subject, since)

    def heard(self, names, words):
        """All of them have a mail with these words; a digest may be the mail."""
        names = list(names)
        return lambda: all(any(words in m.flat for m in self.person[n].mails) for n in names)

    def petition(self, verb, *lines, game=None, turn=False):
        return self.world.league.petition(verb, *lines, game=game, turn=self.world.ledger.games[game].turn if turn else None)

    def renewed(self, text, game):
        """A form of an earlier turn, for the one that is open now."""
        text = re.sub(r"turn: \d+", "turn: %d" % self.world.ledger.games[game].turn, text)
        return re.sub(r"head: [0-9a-f]{64}", "head: " + self.world.league.head(game), text)

    def begun(self, game):
        return lambda: game in self.world.ledger.games and self.world.ledger.games[game].turn > 0

    def running(self, game):
        ledger = self.world.ledger.games.get(game)
        return ledger and ledger.turn > 0 and not ledger.over

    def tp(self, *args, **how):
        return self.world.league.tp(*args, "--now", stamp(self.world.now), **how)

    def operate(self, *args):
        """The same for what changes the league: beside the daemon, if there is one."""
        if not self.world.service:
            self.tp(*args)
            return
        job = self.world.service.operate(*args)
        yield job.has_ended
        check(job.code == 0, "%s: exit %d\n%s" % (args, job.code, job.said))

    def patiently(self, who, text, words, tries=9):
        """A text for the open turn: when that is played before the mail is read, another one. `text` makes it; None: too late."""
        for _ in range(tries):
            wanted = text()
            if wanted is None:
                return None
            mid = self.person[who].say(wanted)
            yield lambda: self.world.answered(mid)
            mails = self.world.answered(mid)  # one more of a copy, before or after it
            for mail in mails:
                if any(some in flat(mail) for some in words.split("|")):
                    return mail
            check(any("is in turn" in flat(m) for m in mails), "\"%s\" is not in the answer:\n%s" % (words, "\n".join(map(text_of, mails))))
        raise Failed("%s never got \"%s\"" % (who, words))

    def in_game(self, verb, game, *lines):
        return lambda: self.petition(verb, *lines, game=game, turn=True) if self.running(game) else None

    # ---- the operator ----

    GAMES = [  # name, ruleset, of the short form, day, seats or None, who joins, options
        ("gc-1", "galaxy-command", True, 0, "anna,bob,carol", "", ["--no-early", "--grace", "12h"]),
        ("ct-1", "galactic-contract", True, 0, "bob,carol", "", ["--option", "short=1"]),
        ("gc-2", "galaxy-command", True, 0, "kate,mona", "", ["--seated"]),  # kate's mail does not arrive yet
        ("ct-5", "galactic-contract", True, 2, None, "erin,finn,gwen", []),  # here nobody can be out before the end
        ("ct-6", "galactic-contract", True, 2, None, "dave,finn,iris", []),
        ("gs-1", "galactic-supremacy", True, 3, None, "dave,iris,hugo,anna", ["--press", "grey", "--option", "decks=1"]),
        ("gc-5", "galaxy-command", False, 0, "anna,mona,robot", "", ["--schedule", "mon wed fri 20:00 Europe/Berlin"]),
        ("gc-6", "galaxy-command", False, 4, None, "jack,gwen,erin", ["--press-delivery", "report"]),
        ("gc-7", "galaxy-command", False, 6, None, "bob,dave", ["--weekends-off", "--minimum", "1d"]),
        ("gc-8", "galaxy-command", False, 10, None, "kate", ["--option", "solo18=1"]),
        ("gc-9", "galaxy-command", False, 28, None, "jack,hugo,gwen,anna", []),
        ("ct-2", "galactic-contract", False, 3, None, "erin,gwen,jack", []),
        ("ct-3", "galactic-contract", False, 9, None, "finn,iris,carol,dave", ["--schedule", "daily 08:00 20:00 Asia/Kolkata"]),
        ("ct-4", "galactic-contract", True, 2, None, "mona,erin", ["--option", "short=1"]),  # nobody takes her seat
        ("gf-2", "galaxy-farmer", False, 3, None, "erin", []),
        ("gf-3", "galaxy-farmer", False, 5, None, "jack", ["--holidays", "12-25 12-26 2027-01-01"]),
        ("gf-4", "galaxy-farmer", False, 20, None, "gwen", ["--option", "difficulty=0"]),
        ("gf-1", "galaxy-farmer", True, 27, "mona", "", []),  # beside a daemon
        ("gs-2", "galactic-supremacy", False, 4, None, "bob,carol", ["--option", "rounds=40"]),
        ("gs-3", "galactic-supremacy", False, 8, None, "finn,jack,mona", ["--grace", "6h"]),
        ("gc-10", "galaxy-command", False, 36.5, "anna,bob,dave", "", ["--seated"]),  # to be played in the evening
        ("ct-7", "galactic-contract", False, 37, None, "finn,iris", []),
    ]

    def operator(self):
        for name in ("mona", "anna", "bob", "carol", "kate"):
            who = self.person[name]
            self.tp("player", "add", name, who.address, who.public)
        kate = self.person["kate"]
        self.tp("player", "address", "kate", kate.address, kate.real, "--at-once")
        for game, ruleset, short, day, seats, joiners, options in self.GAMES:
            if not (short or self.whole):
                continue
            yield self.on_day(day)
            how = ["--seats", seats] if seats else ["--open", len(joiners.split(","))]
            if "--schedule" not in options:
                how += ["--deadline", ("3d" if "--no-early" in options else "2d") if self.whole else "1d"]
            yield from self.operate("new", game, ruleset, *how, *options)
            if joiners:
                self.world.tell("joining " + game, self.joining(game, joiners.split(",")))

    def beside(self):
        """For some days a daemon works, and the operator's commands are done by it."""
        world, hugo = self.world, self.person["hugo"]
        yield self.on_day(26)
        world.begin_daemon()
        yield self.on_day(28)
        game = next(world.ledger.games[g] for g in ("gs-1", "gc-2", "ct-6") if self.running(g))
        since = len(game.records)
        operate = world.service.operate
        pauses = [operate("moderate", game.name, "pause", "--reason", "we move") for _ in range(2)]
        hugo.addresses.append("hugo+two@players.test")
        second = operate("player", "address", "hugo", hugo.address, hugo.addresses[-1], "--at-once")
        yield second.has_ended
        check(sorted(job.code == 0 for job in pauses) == [False, True], "two pauses: %s" % [job.said for job in pauses])
        check(second.code == 0, "player address: " + second.said)
        check(game.paused and not any(r["type"] == "turn" for r in game.records[-1:]), "%s is not paused" % game.name)
        backup = operate("backup", WORK / "beside")
        yield from self.operate("moderate", game.name, "resume", "--reason", "we have moved")
        self.look_at_backup(backup)
        if self.whole:
            yield from self.operate("moderate", game.name, "extend", "6h", "--reason", "for the time that was lost")
        yield self.on_day(32)
        done = [r["do"] for r in game.records[since:] if r["type"] == "moderate"]
        check(done == ["pause", "resume", "extend"][:2 + self.whole], "records: %s" % done)
        world.end_daemon()

    def look_at_backup(self, backup):
        """It holds the league as it was when the daemon stood still; games may have been made since."""
        league, copy = self.world.league, WORK / "beside"
        check(backup.code in (0, 65) and "stood still" in backup.said, "backup: " + backup.said)
        copied = {path.parent.name: path.read_bytes() for path in (copy / "games").glob("*/journal.jsonl")}
        check(len(copied) > 5 and all(league.journal(game).startswith(text) for game, text in copied.items()), "other journals of %s" % list(copied))
        if self.whole:
            league.tp("restore", copy, WORK / "beside-restored")
            self.world.prove(WORK / "beside-restored")

    # ---- joining ----

    def invitations(self):
        """One by the operator, one by a player."""
        word = self.tp("invite").strip()
        dave, erin = self.person["dave"], self.person["erin"]
        mid = dave.plain("Register Dave", dave.public.read_text() + "invite: %s\n" % word)
        mail = yield from self.answer(mid, "text.txt")
        yield from self.ask("dave", form(mail, "register"), "You are registered, dave")
        mail = yield from self.ask("anna", self.petition("invite"), "Pass this on")
        word = re.search(r"\b[a-z2-7]{26}\b", text_of(mail)).group(0)
        mid = erin.plain("register", erin.public.read_text() + "invite: %s\n" % word)
        mail = yield from self.answer(mid, "text.txt")
        yield from self.ask("erin", form(mail, "register"), "You are registered, erin", attach=True)

    def register(self, name):
        """With nothing but a key and an address that is proved."""
        who = self.person[name]
        mid = who.plain("Hello", who.public.read_text())
        mail = yield from self.answer(mid, "text.txt")
        text = "".join(l for l in form(mail, "register").splitlines(True) if not l.startswith("invite:"))
        yield from self.ask(name, text, "You are registered, " + name)

    def known(self, name):
        return lambda: (self.world.league.dir / "players" / (name + ".json")).exists()

    def joining(self, game, names):
        """Each takes the text from the league's answer and puts in some letters of his own."""
        dice = self.world.dice
        for name in names:
            yield self.known(name)
            mid = self.person[name].plain("join " + game)
            mail = yield from self.answer(mid, "#turnpost join")
            text = form(mail, "join").replace("some letters and digits of your own", "%x" % dice.getrandbits(60))
            yield from self.ask(name, text, "You are in, " + name)  # the seats are drawn in the end
        check(self.world.ledger.games[game].turn > 0, "%s has not begun" % game)
        late = next(n for n in ("jack", "hugo", "kate") if n not in names)
        if len(names) == 3:
            self.world.tell("%s, who comes too late for %s" % (late, game), self.too_late(late, game))

    def too_late(self, name, game):
        yield self.known(name)
        yield from self.ask(name, self.petition("join", "nonce: x%d" % self.world.rounds, game=game), "you are on the waiting list")
        yield from self.ask(name, self.petition("leave", game=game), "You are not on the waiting list of this game any more")

    def waiting(self):
        """Somebody who takes a seat, gives it up before the game begins, and takes it again."""
        yield self.known("iris")
        yield lambda: "gs-1" in self.world.ledger.games and self.person["iris"].find("[gs-1] You are in")
        if self.world.ledger.games["gs-1"].turn == 0:
            yield from self.ask("iris", self.petition("leave", game="gs-1"), "You have given up")
            yield from self.ask("iris", self.petition("join", "nonce: again", game="gs-1"), "You are in, iris")

    # ---- keys ----

    def lost_key(self):
        """Carol has lost hers, and tells Mona; after seven days in which the league worked and could hear her the new one counts, and
        the old one does not. In the short form there are an outage and her damaged keys between."""
        carol, world = self.person["carol"], self.world
        yield self.on_day(12)
        carol.keyless = True
        new = Player("carol2")
        line = " ".join(new.public.read_text().split()[:2])
        yield from self.ask("mona", self.petition("rekey", "player: carol", "key: " + line, "why: she has lost her computer"),
                            "It comes into force")
        asked = world.now
        check(carol.find("A new key for carol"), "carol was not told")
        yield from self.mail_to("carol", "The new key of carol")
        heard = world.pause * sum(asked <= at and (at, "carol") not in world.absences for at in world.worked)
        check(7 * DAY - world.pause <= heard <= 7 * DAY + 2 * world.pause, "the key changed after %.1f days" % (heard / DAY))
        old = (carol.dir, carol.public, carol.tool)
        mid = carol.say(self.petition("prefs", "html: no"))
        yield from self.answer(mid, "does not know")
        carol.dir, carol.public, carol.tool = new.dir, new.public, "ssh"
        carol.keyless = False
        yield from self.ask("carol", self.petition("prefs", "html: yes"), "Your settings")
        check(old[0] != carol.dir, "the same key")

    def wrong_rekey(self):
        """Somebody who is not Bob has talked Mona into it; Bob says no."""
        yield self.on_day(18)
        false = Player("mallory")
        line = " ".join(false.public.read_text().split()[:2])
        yield from self.ask("mona", self.petition("rekey", "player: bob", "key: " + line, "why: he has called me"), "It comes into force")
        mail = yield from self.mail_to("bob", "A new key for bob")
        yield from self.ask("bob", form(mail, "veto"), "has said no to the new key", answers=2, why="told at both addresses")
        yield from self.mail_to("mona", "The keys of bob stay")

    # ---- away ----

    def vacation(self):
        dave = self.person["dave"]
        yield self.on_day(20)
        first = self.world.now // DAY + 1
        days = 5 if self.whole else 2
        name = lambda day: stamp(day * DAY)[:10]
        yield from self.ask("dave", self.petition("vacation", "from: " + name(first), "to: " + name(first + days - 1)),
                            "Your time off is noted")
        yield lambda: self.world.now >= first * DAY
        dave.away = True
        yield lambda: self.world.now >= (first + days) * DAY
        dave.away = False
        for game in self.world.ledger.games.values():
            for record in game.records:
                at = seconds(record["time"])
                check(not (record["type"] == "close" and first * DAY <= at < (first + days) * DAY
                           and any(game.seats[s] == "dave" for s in record["missed"])), "dave missed a turn of %s on vacation" % game.name)

    def vanish(self):
        """Erin writes no more; Finn forgets one game, and comes back when he hears that he has lost his seat."""
        yield self.begun("ct-5")
        yield self.on_day(7)  # before ct-5 can be over
        self.person["erin"].away = True
        yield self.on_day(12)
        self.person["finn"].idle.add("ct-6")
        yield self.begun("ct-6")
        seat = self.world.ledger.seat_of("ct-6", "finn")
        mail = yield from self.mail_to("finn", "Seat %d is played by hugo" % seat)
        self.person["finn"].idle.discard("ct-6")
        yield from self.patiently("finn", lambda: self.renewed(form(mail, "back"), "ct-6") if self.running("ct-6") else None, "is yours again")

    def stand_in(self):
        """Hugo would play anywhere; he takes what is offered to him, but not in every game."""
        hugo = self.person["hugo"]
        yield self.known("hugo")
        yield from self.ask("hugo", self.petition("standby", "game: any"), "You are on the waiting list for any game")
        seen, taken = 0, set()
        while len(taken) < 2:
            yield lambda: len(hugo.mails) > seen
            offers = re.findall(r"^#turnpost take\n.*?^#end\n", hugo.mails[seen].text, re.S | re.M)  # a digest may hold several
            seen += 1
            for text in offers:
                game = re.search(r"^game: (\S+)$", text, re.M).group(1)
                if game in ("ct-5", "ct-6") and game not in taken:
                    yield from self.take(hugo, game, text, taken)

    def take(self, hugo, game, text, taken):
        for person in self.person.values():  # so that the turn is open until its owner has heard of it
            person.hold_back[game] = self.world.now + 3 * self.world.pause
        answer = yield from self.patiently("hugo", lambda: self.renewed(text, game)
                                           if self.running(game) else None, "Seat|The time to take seat")  # it may be over: he waits for the next offer
        if answer is not None and "is yours" in flat(answer):
            taken.add(game)

    # ---- mail that does not arrive ----

    def bounce(self):
        """Kate's address is wrong: she is told at her second one, makes that the first, and asks for what she has missed."""
        kate = self.person["kate"]
        mail = yield from self.mail_to("kate", "Mail to bounce@players.test comes back")
        said = self.tp("status", code=1)
        check("mail to kate came back" in said + self.world.league.err, "status does not tell of the bounce:\n" + said)
        text = form(mail, "prefs").replace("you@example.org", kate.real)
        kate.say(text, From="Kate <%s>" % kate.real)
        mail = yield from self.mail_to("kate", "A new address for kate")
        mid = kate.say(form(mail, "prefs"), From="Kate <%s>" % kate.real)
        yield from self.answer(mid, kate.real)
        kate.address = kate.real
        yield from self.ask("kate", form(kate.find("comes back"), "resend"), "You asked for this report again")
        yield self.on_day(6)
        self.tp("status", code=0)

    # ---- talking ----

    def votes(self):
        """Anna wants a day more, Bob agrees to half of it: so it is half a day. A turn may be played meanwhile; then they try again."""
        yield self.on_day(15)
        game = self.world.ledger.games["gc-1"]
        for number in range(1, 9):
            if game.over:
                return
            turn, deadline = game.turn, game.deadline
            for name, hours in (("anna", 24), ("bob", 12)):
                mid = self.person[name].say(self.petition("extend", "seq: %d" % number, "hours: %d" % hours, game="gc-1", turn=True))
                yield lambda: self.world.answered(mid)
            if self.person["carol"].find("The deadline of turn %d is extended" % turn):
                check(game.turn > turn or game.deadline == deadline + 12 * HOUR, "by how much was it put off?")
                return
        raise Failed("the vote never came to pass")

    def press(self):
        ledger = self.world.ledger
        yield self.begun("gs-1")
        yield self.on_day(14)
        yield from self.patiently("anna", self.in_game("press", "gs-1", "to: iris", "Shall we leave", "each other in peace?"), "is on its way")
        check(self.person["iris"].find("[gs-1] A message from anna"), "white press did not come")
        yield from self.patiently("dave", self.in_game("press", "gs-1", "to: all", "from: nobody", "Beware."), "is on its way")
        yield self.heard([n for n in ("anna", "iris", "hugo") if ledger.seat_of("gs-1", n)], "Somebody who gives no name writes to all:")
        yield from self.patiently("iris", self.in_game("press", "gs-1", "to: moderators", "anna plays too well."), "is on its way")
        check(self.person["mona"].find("[gs-1] A message from iris"), "the moderator was not told")
        game = "gc-1" if self.running("gc-1") else "gs-1"
        yield from self.patiently("mona", self.in_game("press", game, "from: moderators", "to: all", "Happy new season."), "is on its way")
        yield self.heard(filter(None, ledger.games[game].seats.values()), "The moderators (mona) write to all: | Happy new season.")
        yield from self.ask("iris", self.petition("mute", "player: anna"), "not delivered to you any more")
        before = len(self.person["iris"].mails)
        yield from self.patiently("anna", self.in_game("press", "gs-1", "to: iris, hugo", "And now?"), "is on its way")
        check(not self.person["iris"].find("A message from anna", before), "a muted message came")
        if self.whole and self.running("gc-6"):
            yield from self.patiently("gwen", self.in_game("press", "gc-6", "to: all", "Only with the report."), "delivered with the report")

    def damaged_keys(self):
        """Carol's keys are damaged for a day, while she writes nothing: she is left out, and loses no turn by it."""
        carol, world = self.person["carol"], self.world
        yield self.on_day(44)
        carol.away = True
        yield self.for_days(1)
        path = world.league.dir / "keys/carol.pub"
        keys, begun = path.read_text(), world.now
        path.write_text("ssh-ed25519 AAAA\n")
        world.damaged.add("carol")
        yield self.for_days(0.6)
        path.write_text(keys)
        world.damaged.remove("carol")
        carol.away = False
        back = world.now
        world.outages.append((back, "carol"))
        yield self.for_days(0.4)
        for game in world.ledger.games.values():
            for record in game.records:
                check(not (record["type"] == "close" and begun <= seconds(record["time"]) <= back
                           and any(game.seats[s] == "carol" for s in record["missed"])), "carol lost a turn of %s" % game.name)

    def is_due(self):
        """A game whose turn is due within a day, and somebody who has not sent the orders for it that are wanted of them."""
        for game in self.world.ledger.games.values():
            opened = max((i for i, r in enumerate(game.records) if r["type"] in ("start", "turn")), default=0)
            spared = any(r["type"] == "note" and r.get("why") == "outage" for r in game.records[opened:])  # it has had its one length
            near = not game.over and not game.held and not spared and 0 < game.deadline - self.world.now < DAY
            for seat, name in game.seats.items() if near else ():
                person = self.person.get(name)
                known = person and name != "carol" and not person.away and person.table.get(game.name)
                wanted = known and known["awaited"] and known["turn"] == game.turn and (game.turn, seat) not in game.ordered
                if wanted and person.done.get(game.name, (0, None))[0] < game.turn:  # no mail of theirs is on its way, either
                    return game, person
        return None

    def damaged_file(self):
        """The file of somebody is damaged who has a seat that is due: the turn is held, and they have time when it is repaired."""
        world, found = self.world, []
        yield self.on_day(40)
        yield lambda: found.append(self.is_due()) or found[-1]
        game, who = found[-1]
        who.away = True
        path = world.league.dir / ("players/%s.json" % who.name)
        text, turn, since, mails = path.read_bytes(), game.turn, len(game.records), len(who.mails)
        starts = {g.name: len(g.records) for g in world.ledger.games.values()}
        path.write_text("{")
        world.damaged.add(who.name)
        notes = lambda kind: [r for r in game.records[since:] if r["type"] == "note" and r["kind"] == kind]
        yield lambda: notes("hold") or game.turn != turn
        check(game.turn == turn, "turn %d of %s was played without %s" % (turn, game.name, who.name))
        path.write_bytes(text)
        world.damaged.remove(who.name)
        world.nameless += [(g.name, r["seq"], who.name) for g in world.ledger.games.values() for r in g.records[starts.get(g.name, 0):]]
        world.outages.append((world.now, who.name))
        yield lambda: notes("shift") or game.turn != turn
        check(game.turn == turn, "turn %d of %s left %s no time" % (turn, game.name, who.name))
        check(any("has it again" in m.flat for m in who.mails[mails:]), "%s was not told" % who.name)
        who.away = False
        yield lambda: game.turn > turn or game.over

    def restored(self):
        """The host dies in a commit, and the league goes on from a backup of what is left (World.die)."""
        yield self.on_day(42)
        self.world.dies = True
        yield lambda: not self.world.dies

    def evenings(self):
        """The nights are learnt; that there are no weekends any more is said."""
        yield self.on_day(46)
        if self.whole:
            self.world.league.set("clock", works="weekdays 18:00-23:00")

    def observer(self):
        jack = self.person["jack"]
        yield self.known("jack")
        yield self.on_day(5)
        yield from self.ask("jack", self.petition("observe", game="gc-1"), "From now on you get the public report")
        yield from self.mail_to("jack", ", public)")
        yield self.on_day(36)
        if self.running("gc-1"):
            yield from self.ask("jack", self.petition("unobserve", game="gc-1"), "You get no more reports")

    def resignations(self):
        """By a text of its own, and by a word among the orders."""
        yield self.on_day(30)
        if self.running("gs-1") and self.world.ledger.seat_of("gs-1", "iris"):
            yield from self.ask("iris", self.petition("resign", game="gs-1"), "You have resigned")
        game = "ct-2" if self.whole else "ct-5"
        if self.running(game) and self.world.ledger.seat_of(game, "gwen"):
            gwen, ledger = self.person["gwen"], self.world.ledger.games[game]
            seat = self.world.ledger.seat_of(game, "gwen")
            for _ in range(6):
                mid = gwen.say(self.world.league.orders(game, ledger.turn, ["resign"]), kind="orders")
                yield lambda: self.world.answered(mid)
                if any("You have resigned" in flat(m) for m in self.world.answered(mid)):
                    break
            gwen.table.pop(game, None)
            check(ledger.seats[seat] is None, "gwen has not resigned")

    def preferences(self):
        anna, bob, jack = (self.person[n] for n in ("anna", "bob", "jack"))
        yield from self.ask("anna", self.petition("prefs", "html: yes", "json: yes", "reminder: 12", "zone: Asia/Kolkata"), "Asia/Kolkata")
        since = len(anna.mails)
        mail = yield from self.mail_to("anna", "(turn ", since)
        check(mail.holds("text/html") and mail.holds("application/json"), "a report without HTML and JSON")
        bob.addresses.append("bob+two@players.test")
        mid = bob.say(self.petition("prefs", "second: bob+two@players.test"))
        yield from self.answer(mid, "A mail has gone to bob+two@players.test")
        mail = yield from self.mail_to("bob", "A new address for bob")
        mid = bob.say(form(mail, "prefs"), From="Bob <bob+two@players.test>", answers=2, why="told at both addresses")
        yield from self.answer(mid, "bob+two@players.test")
        yield self.known("dave")
        yield from self.ask("dave", self.petition("prefs", "digest: 18:00"), "18:00")
        yield self.known("jack")
        yield from self.ask("jack", self.petition("prefs", "reminder: no"), "Your settings")
        self.world.unreminded.add("jack")

    # ---- taken back ----

    def rollback(self):
        """Mona takes back two turns; all are told, and the orders of the players are sent again."""
        ledger = self.world.ledger
        yield self.on_day(24)
        game = next(ledger.games[g] for g in ("gc-1", "gs-1") if self.running(g))
        yield lambda: game.turn > 2 or game.over
        check(not game.over, "%s was over too soon" % game.name)
        since = {n: len(p.mails) for n, p in self.person.items()}
        yield from self.patiently("mona", lambda: self.petition(
            "moderate", "do: rollback turn %d" % (game.turn - 2), "reason: the rules were applied wrongly", game=game.name, turn=True)
            if self.running(game.name) else None, "has taken back turns")
        record = next(r for r in reversed(game.records) if r.get("do") == "rollback")
        turn, names = record["turn"], [n for n in game.seats.values() if n]
        words = "[%s] Taken back: turn %d is open again" % (game.name, turn)
        digest = lambda n: any(words[len(game.name) + 3:] in m.flat for m in self.person[n].mails[since[n]:])
        yield lambda: all(self.person[n].find(words, since[n]) or digest(n) for n in names)
        yield lambda: turn in game.played or game.over
        check(turn in game.played, "turn %d of %s was not played again" % (turn, game.name))
        close = next(r for r in reversed(game.records) if r["type"] == "close" and r["turn"] == turn)
        for seat, name in game.seats.items():
            check(not name or seat in close["missed"] or not close["seals"][seat - 1] or game.ordered.get((turn, seat), 0) > record["seq"],
                  "turn %d of %s was played again with old orders of %s" % (turn, game.name, name))
        check(any(game.ordered.get((turn, seat), 0) > record["seq"] for seat in game.seats), "nobody sent orders anew")

    # ---- the world ----

    def outage(self):
        """Nobody loses a turn by two days without service."""
        world = self.world
        yield self.on_day(33)
        begun = world.now
        held = {g.name: (g.turn, g.deadline) for g in world.ledger.games.values() if g.turn and not g.over}
        yield lambda: any("no round of work was completed" in w for w in world.warnings)
        check(world.now - begun >= 2 * DAY, "an outage on day %.1f" % world.day())
        for name, (turn, deadline) in held.items():
            game = world.ledger.games[name]
            close = [r for r in game.records if r["type"] == "close" and r["turn"] == turn and seconds(r["time"]) >= begun]
            late = [game.seats[s] for r in close for s in r["missed"]]
            check(not (late and deadline > begun - world.pause and deadline + game.grace > begun),
                  "%s: %s lost turn %d by the outage" % (name, late, turn))

    def machines(self):
        """Mail that machines send is answered by nothing; strangers are, within limits."""
        jack = self.person["jack"]
        yield self.known("jack")
        yield self.on_day(10)
        for number in range(3):
            jack.plain("Out of office", "I am away.\n", kind="auto-reply", answers=0, why="a machine", Auto_Submitted="auto-replied")
            jack.plain("news", "Buy!\n", kind="list mail", answers=0, why="a list", List_Id="<news.players.test>", Precedence="bulk")
            yield self.for_days(0.5)
        zoe = self.person["zoe"]
        for subject, words in (("help", "#turnpost"), ("games", "galaxy-command"), ("rules galaxy-farmer", "Farmer"), ("status gc-1", "gc-1"),
                               ("what is this?", "No signed orders were found")):
            mid = zoe.plain(subject)
            yield from self.answer(mid, words)
