"""A year of competitions: divisions of Galaxy Command with promotion and relegation, tables of Galactic Supremacy, a Swiss of
Galactic Contract, fifty weeks of duplicate deals of Galaxy Farmer. Players play, let a robot play, say nothing, resign, withdraw, come late, are banned; moderators take turns back: of games that
run, of games that were adjudged before and so are counted, and, refused, of games that have ended; they rank tables otherwise; the host
stands still, its clock jumps ahead and back, and it is killed in the middle of rounds. At the end every competition and game is audited; a
second program gives the same draws and tables from the published files alone; each table has one game, and each game its table.

    LONG=1      sixty people and a year (make season); without it fourteen people and 38 days
    SEED=N      other habits and another fate"""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

WHOLE = bool(os.environ.get("LONG"))
SEED = int(os.environ.get("SEED", "1"))
MAKER = pathlib.Path(TURNPOST).parent / "tests/bench/compete"  # its days begin at noon of the 20th of November
NOON = 1795176000
COUNT, DAYS = (60, 365) if WHOLE else (14, 38)
NAMES = ["m%02d" % n for n in range(COUNT)]
# name, kind, ruleset, seats, rounds, days of a round, first day, the season before, of which players
PLAN = [("gold-1", "divisions", "galaxy-command", 2, 7, 14, 0, "-", NAMES[:24]), ("swiss", "tables", "galactic-contract", 2, 5, 28, 2, "-", NAMES[10:43]),
        ("trio", "tables", "galactic-supremacy", 3, 3, 60, 4, "-", NAMES[20:]), ("gold-2", "divisions", "galaxy-command", 2, 7, 14, 110, "gold-1", NAMES[1:26]),
        ("quartet", "tables", "galaxy-command", 4, 4, 20, 150, "-", NAMES), ("farm", "duplicate", "galaxy-farmer", 1, 50, 6, 3, "-", NAMES[5:17]), ("gold-3", "divisions", "galaxy-command", 2, 7, 14, 220, "gold-2", NAMES[:28])] if WHOLE else \
       [("gold-1", "divisions", "galaxy-command", 2, 2, 7, 0, "-", NAMES[:8]), ("trio", "tables", "galaxy-command", 3, 2, 14, 1, "-", NAMES[3:]),
        ("farm", "duplicate", "galaxy-farmer", 1, 2, 6, 3, "-", NAMES[5:9]), ("gold-2", "divisions", "galaxy-command", 2, 1, 14, 18, "gold-1", NAMES[1:9])]
WORDS = {"compete_round.subject.txt": "[{{competition}}] round {{round}}", "compete_round.txt": "For {{you}}: {{game}}\n",
         "compete_end.subject.txt": "[{{competition}}] is over",
         "compete_end.txt": "For {{you}}:{{#groups}}{{#rows}} {{place}}. {{name}} {{points}};{{/rows}}{{/groups}}\n"}


def stamp(day, hours=0):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOON + day * 86400 + hours * 3600))


class Season:
    def __init__(self):
        self.dice, self.league = random.Random(SEED), League("season")
        self.players = {name: Player(name) for name in NAMES}
        self.habit = {name: self.dice.choice(("auto", "auto", "auto", "auto", "silent", "resigns")) for name in NAMES}
        self.begun, self.banned, self.out, self.count = set(), set(), set(), {"kills": 0, "outages": 0, "jumps": 0, "late": 0, "withdrawn": 0, "mails": 0,
                                                                             "taken back": 0, "counted and taken back": 0, "refused": 0, "ranked": 0}
        # Of competitions: the game that was stopped, the table that was ranked, those whose ended game was not taken back.
        self.held, self.ranked, self.refused = {}, {}, set()
        # Of games: those that have ended, those that moderators have touched, and what was counted of those that go on.
        self.ended, self.touched, self.kept = set(), set(), {}
        self.league.init()
        self.league.set("league", missed_robot=2)
        own = self.league.dir / "templates/common"
        own.mkdir(parents=True, exist_ok=True)
        for name, text in WORDS.items():
            (own / name).write_text(text)
        self.league.agree()
        for sub in ("tmp", "new", "cur"):
            (self.league.dir / "mail/in" / sub).mkdir(parents=True, exist_ok=True)
        for player in self.players.values():
            self.league.add(player)

    def records(self, name):
        return [json.loads(line) for line in (self.league.dir / "competitions" / name / "journal.jsonl").read_bytes().splitlines()]

    def put(self, who, text):
        self.count["mails"] += 1
        self.league.put_mail(self.players[who].mail(text), "%06d" % self.count["mails"])

    def begin_games(self):
        """Whoever plays a new game says once how: a robot's hand for all turns, nothing, or that they resign."""
        for name, *_ in PLAN:
            if not (self.league.dir / "competitions" / name).exists():
                continue
            for record in self.records(name):
                if record["type"] != "made":
                    continue
                for made in record["games"]:
                    if made["game"] in self.begun or not self.dealt(made["game"]):
                        continue
                    self.begun.add(made["game"])
                    for who in made["players"]:
                        habit = self.habit[who]
                        if who in self.banned:
                            continue
                        if habit == "auto":
                            self.put(who, self.league.orders(made["game"], 1, ["auto"], final="yes"))
                        elif habit == "resigns" and self.dice.random() < 0.4:
                            self.put(who, self.league.petition("resign", game=made["game"]))

    def dealt(self, game):
        return b'"type":"start"' in (self.league.dir / "games" / game / "journal.jsonl").read_bytes()

    # ---- moderators ----

    def journal(self, game):
        return (self.league.dir / "games" / game / "journal.jsonl").read_bytes()

    def rule(self, game, when, *action, code=0):
        self.league.tp("moderate", game, *action, "--reason", "A wrong card.", "--now", when, code=code)

    def results(self, name):
        """Of each table, round and number: the records that count for it."""
        found = {}
        for record in self.records(name):
            if record["type"] == "result" or (record["type"] == "adjust" and record["do"] == "rank"):
                found.setdefault((record["round"], record["table"]), []).append(record)
        return found

    def running(self, name):
        """Games of a competition in which a turn was played, and that have not ended; with that turn."""
        for game in sorted(g for g in self.begun - self.ended if g.startswith(name + ".")):
            records = [json.loads(line) for line in self.journal(game).splitlines()]
            turns = [r["turn"] for r in records if r["type"] == "turn"]
            if any(r["type"] == "end" for r in records):
                self.ended.add(game)
            elif turns:
                yield game, max(turns)

    def moderate(self, day):
        """The first running game of a competition is stopped until its round is over and it is counted; of others a turn is
        taken back. What has ended is counted as it is."""
        when = stamp(day, 2)
        for name, kind, *_ in PLAN:
            if kind == "duplicate" or not (self.league.dir / "competitions" / name).exists():
                continue
            counted = self.results(name)
            for game, turn in self.running(name):
                if game in self.touched or (not WHOLE and sum(g.startswith(name + ".") for g in self.touched) == 2):
                    continue
                self.touched.add(game)
                if name not in self.held:
                    self.held[name] = game
                    self.rule(game, when, "pause")
                else:
                    self.rule(game, when, "rollback", "turn", turn)
                    self.count["taken back"] += 1
            self.take_back_counted(name, counted, when)
            self.take_back_ended(name, counted, when)
            self.rank(name, counted, when)

    def take_back_counted(self, name, counted, when):
        """A game that was adjudged runs on, and its turns can be taken back; what was counted stays."""
        game = self.held.get(name)
        if game and game not in self.kept and self.place(game) in counted:
            before = self.kept[game] = counted[self.place(game)]
            check(before[0].get("adjudged"), "%s was stopped and is counted by %s" % (game, before[0]))
            (_, turn), = [pair for pair in self.running(name) if pair[0] == game]
            self.rule(game, when, "rollback", "turn", turn)
            self.rule(game, when, "resume")
            self.count["counted and taken back"] += 1

    def take_back_ended(self, name, counted, when):
        """Refused: nothing changes, in the game or in the competition."""
        ended = [place for place, records in counted.items() if "end" in records[0]]
        if ended and name not in self.refused:
            self.refused.add(name)
            game = "%s.%d.%d" % (name, *ended[0])
            before = self.journal(game), self.records(name)
            self.rule(game, when, "rollback", "turn", 1, code=1)
            check((self.journal(game), self.records(name)) == before, "%s has ended and was taken back" % game)
            self.count["refused"] += 1

    def rank(self, name, counted, when):
        """The one thing that can still change how an ended game counts, until its result is final."""
        for place, records in counted.items():
            if name in self.ranked or "end" not in records[0] or records[0].get("void"):
                continue
            ranks = records[0]["ranks"]
            turned = [1 + sum(other > rank for other in ranks) for rank in ranks]
            self.league.tp("compete", "rank", name, *place, ",".join(map(str, turned)), "--reason", "A wrong card.", "--now", when)
            self.ranked[name] = place
            self.count["ranked"] += 1

    def place(self, game):
        return tuple(int(word) for word in game.split(".")[1:])

    def rulings_hold(self):
        for game, before in self.kept.items():
            name, records = game.split(".")[0], [json.loads(line) for line in self.journal(game).splitlines()]
            back = max(i for i, r in enumerate(records) if r.get("do") == "rollback")
            check(self.results(name)[self.place(game)] == before, "%s counts otherwise since a turn was taken back" % game)
            check(any(r["type"] == "turn" for r in records[back:]), "%s did not go on after its turn was taken back" % game)
        for name, place in self.ranked.items():
            check([r["type"] for r in self.results(name)[place]] == ["result", "adjust"], "%s %s was not ranked once" % (name, place))
        check(any(record["byes"] for name, kind, *_ in PLAN if kind == "divisions" for record in self.records(name) if record["type"] == "round"), "nobody had a walk-over")
        for what in ("taken back", "counted and taken back", "refused", "ranked"):
            check(self.count[what], "nothing was " + what)

    def enter(self, day):
        for name, kind, ruleset, seats, rounds, days, since, after, who in PLAN:
            if since == day:
                who = [p for p in who if p not in self.banned]
                sh(MAKER, "new", self.league.dir, name, kind, ruleset, seats, rounds, days, 3, since, after, WORK / "players", *who)
            if since + days // 2 == day:  # one comes late, where that can be, and one goes
                late = None if kind == "divisions" else next((p for p in NAMES if p not in who and p not in self.banned), None)
                if late:
                    sh(MAKER, "entry", self.league.dir, name, "enter", day, WORK / "players", late)
                    self.count["late"] += 1
                gone = self.dice.choice([p for p in who if p not in self.banned])
                sh(MAKER, "entry", self.league.dir, name, "withdraw", day, WORK / "players", gone)
                self.count["withdrawn"] += 1

    def run(self, now, kill=False):
        if kill:
            self.league.tp("run", "--now", now, binary=FAULT, code=None, env={"TURNPOST_FAULT": "kill:%d" % self.dice.randrange(20, 700)})
            self.count["kills"] += self.league.code == -9
        self.league.tp("run", "--now", now)

    def live(self):
        away = set()
        for start in ((40, 130, 250) if WHOLE else (9,)):
            away |= set(range(start, start + (6 if WHOLE else 3)))
            self.count["outages"] += 1
        draws = {since + 1 + n * days for _, _, _, _, rounds, days, since, _, _ in PLAN for n in range(rounds + 1)}
        for day in range(DAYS):
            if day in away:
                continue
            self.enter(day)
            if day in ((90, 200) if WHOLE else (26,)):  # the clock is a month ahead, and is put right
                self.league.tp("run", "--now", stamp(day + 30), code=None)
                self.count["jumps"] += 1
            if day in ((60, 180) if WHOLE else (17,)):
                who = self.dice.choice([p for p in NAMES if p not in self.banned])
                self.league.tp("moderate", "any", "ban", who, "--reason", "Two accounts.", "--now", stamp(day))
                self.banned.add(who)
            self.run(stamp(day), kill=day in draws)
            self.run(stamp(day, 2), kill=day in draws)  # an hour after the draws
            self.begin_games()
            self.moderate(day)
            self.run(stamp(day, 3), kill=day % 11 == 5)

    # ---- afterwards ----

    def audit(self):
        key, games = self.league.dir / "keys/league.pub", self.league.dir / "games"
        made, ended = {}, 0
        for name, *_ in PLAN:
            records = self.records(name)
            check(records[-1]["type"] == "close", "%s is not closed: %s" % (name, [r["type"] for r in records[-5:]]))
            for record in records:
                for game in record["games"] if record["type"] == "made" else ():
                    check(game["game"] not in made, "%s was made twice" % game["game"])
                    made[game["game"]] = name
            results = [(r["round"], r["table"]) for r in records if r["type"] == "result"]
            check(len(results) == len(set(results)), "two results of one table in " + name)
            ended += sum("end" in r for r in records)
            tables = sum(r["tables"] for r in records if r["type"] == "round")
            check(tables == len(results) == sum(game == name for game in made.values()), "%s: %d tables, %d results" % (name, tables, len(results)))
            said = sh(sys.executable, TESTS / "verifier/compete.py", "--key", key, "--json", self.league.dir / "competitions" / name / "journal.jsonl", games)
            second = json.loads(said)
            check(second["verdict"] == "proved" and not second["missing"], "%s: %s" % (name, said))
            best = [{k: row[k] for k in ("name", "place", "points")} for row in second["table"][:8]]
            check(best == records[-1]["best"], "%s ends with %s, not %s" % (name, records[-1]["best"], best))
        check(set(made) == {p.name for p in games.iterdir()}, "games that no table has, or tables without: %s" %
              sorted(set(made) ^ {p.name for p in games.iterdir()}))
        said = self.league.tp("audit", self.league.dir)
        check(all(name in said for name, *_ in PLAN), "not all competitions were audited:\n" + said)
        self.rulings_hold()
        self.told()
        return len(made), ended

    def told(self):
        """Who sat in a round heard of it once, under one id; and of the end."""
        for name, *_ in PLAN:
            records = self.records(name)
            for who in NAMES:
                mails = [m for m in self.mails(who) if m["Subject"].startswith("[%s] " % name)]
                ids = [m["Message-ID"] for m in mails]
                check(len(ids) == len(set(ids)) or self.count["kills"], "%s was told twice: %s" % (who, ids))
                rounds = {m["Subject"] for m in mails}
                for record in records:
                    if record["type"] == "made":
                        sat = any(who in game["players"] for game in record["games"])
                        check(not sat or "[%s] round %d" % (name, record["round"]) in rounds or who in self.banned,
                              "%s did not hear of round %d of %s" % (who, record["round"], name))

    def mails(self, who):
        if who not in self.league.collected:
            box = self.league.dir / "mail/out" / (who + "@players.test") / "new"
            self.league.collected[who] = [email.message_from_bytes(path.read_bytes().split(b"\n\n")[0].split(b"\r\n\r\n")[0]) for path in box.iterdir()]
        return self.league.collected[who]


def play(_):
    season = Season()
    season.live()
    games, ended = season.audit()
    print("seed %d: %d days, %d people, %d competitions, %d games, %d played to their end; %s" % (
        SEED, DAYS, COUNT, len(PLAN), games, ended, ", ".join("%d %s" % (n, what) for what, n in season.count.items())))


main(play)
