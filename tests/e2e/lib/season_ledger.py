"""What the journals of a season say, read as they grow and without the league's help; and what must hold of them in every
round: no game hangs, and nobody misses a turn that he was not reminded of."""
from season_world import *


class GameLedger:
    def __init__(self, name):
        self.name = name
        self.records = []
        self.heads = []
        self.at = 0
        self.prev = "0" * 64
        self.seats = {}   # seat -> player, None = a robot
        self.turn = 0
        self.deadline = self.dated = 0  # `dated`: when it was set
        self.held = 0     # until when; 0 = it is not
        self.reminded = {}  # (turn, seat) -> record of the last reminder
        self.over = False
        self.grace = 0
        self.owed = []    # (record's seq, number, player, what): mails that must have come
        self.played = {}  # turn -> its record, of those that count
        self.undone = 0   # turns that a moderator has taken back
        self.back = 0     # record of the last rollback
        self.ordered = {}  # (turn, seat) -> record of the last orders
        self.paused = False
        self.waiting = {}  # seat -> since when its orders for the open turn wait for better ones
        self.mended = 0   # record of the orders that replaced the last ones that wait
        self.corrected = []  # turns that were closed when the last orders that waited were replaced
        self.judged = []  # (turn, rows before, how many missed it, for whom robots played), of those that count

    def owe(self, seats, seq, what):
        for seat in seats:
            if self.seats.get(seat):
                self.owed.append((seq, seat, self.seats[seat], what))

    def take(self, line):
        record = json.loads(line)
        check(record["seq"] == len(self.records) + 1 and record["prev"] == self.prev and record["game"] == self.name,
              "record %d of %s does not follow" % (record["seq"], self.name))
        self.prev = hashlib.blake2b(b"turnpost/log\0" + line, digest_size=32).hexdigest()
        self.heads.append(self.prev)
        self.records.append(record)
        getattr(self, "take_" + record["type"], lambda r: None)(record)
        if "deadline" in record and record.get("kind") != "reminder":
            self.deadline, self.dated = seconds(record["deadline"]), seconds(record["time"])

    def take_create(self, record):
        self.grace = record.get("clock", {}).get("grace", 0)
        self.missed_robot = record["missed_robot"]

    def take_seat(self, record):
        self.seats[record["seat"]] = record.get("player")

    def take_start(self, record):
        self.turn = 1
        for drawn in record.get("drawn", []):
            self.seats[drawn["seat"]] = drawn["player"]
        self.owe(self.seats, record["seq"], "welcome")

    def take_orders(self, record):
        self.ordered[(record["turn"], record["seat"])] = record["seq"]
        replaced = self.waiting.pop(record["seat"], None)
        if record.get("waits"):
            self.waiting[record["seat"]] = replaced or seconds(record["time"])
        self.mended = replaced and not self.waiting and record["seq"]

    def take_close(self, record):
        """No turn is closed over orders that wait, before its deadline or before a day is over."""
        now = seconds(record["time"])
        for seat, since in self.waiting.items():
            check(not record["seals"][seat - 1] or now >= min(self.deadline or now, since + DAY),
                  "turn %d of %s did not wait for seat %d" % (self.turn, self.name, seat))
        if self.mended == record["seq"] - 1:
            self.corrected.append(record["turn"])

    def take_turn(self, record):
        self.waiting = {}
        check(record["turn"] == self.turn and self.turn not in self.played,
              "%s: turn %d was played, %d was open" % (self.name, record["turn"], self.turn))
        self.played[self.turn] = record["seq"]
        self.turn = record["turn"] + 1
        self.deadline = self.held = 0
        self.owe(record.get("told", list(self.seats)), record["seq"], "report")

    def take_open(self, record):
        """The reports of the last turn bear the number of the last record."""
        last = max(o[0] for o in self.owed if o[3] == "report")
        self.owed = [(record["seq"], *o[1:]) if o[0] == last and o[3] == "report" else o for o in self.owed]

    def take_end(self, record):
        self.over = True

    def take_moderate(self, record):
        """Turns after a rollback do not count; nor does what was ordered and reminded of in them."""
        if record["do"] in ("pause", "resume"):
            self.paused = record["do"] == "pause"
        if record["do"] in ("pause", "resume", "extend"):
            self.owe([s for s in self.seats if self.seats[s] != record.get("by")], record["seq"], record["do"])
        if record["do"] != "rollback":
            return
        turn = record["turn"]
        check(record["from"] == self.turn and record["record"] >= self.played.get(turn - 1, 0),
              "%s: a rollback from turn %d, which was not open, or to record %d" % (self.name, record["from"], record["record"]))
        self.undone += sum(t >= turn for t in self.played)
        self.played = {t: seq for t, seq in self.played.items() if t < turn}
        self.reminded = {key: seq for key, seq in self.reminded.items() if key[0] < turn or seq <= record["record"]}
        self.ordered = {key: seq for key, seq in self.ordered.items() if seq <= record["record"]}
        self.turn, self.held, self.deadline, self.back, self.waiting = turn, 0, 0, record["seq"], {}
        self.owe([s for s in self.seats if self.seats[s] != record.get("by")], record["seq"], "rollback")

    def take_note(self, record):
        kind = record["kind"]
        if kind == "reminder":
            for seat in record["seats"]:
                self.reminded[(record["turn"], seat)] = record["seq"]
            self.owe(record["seats"], record["seq"], "reminder")
        elif kind == "hold":
            self.held = seconds(record["until"]) if "until" in record else 0
            if not record.get("released"):
                self.owe(self.seats, record["seq"], "hold")
        elif kind == "shift":
            self.owe(self.seats, record["seq"], "shift")


class Ledger:
    def __init__(self, world):
        self.world = world
        self.games = {}
        self.missed = 0
        self.unwarned = []
        self.warned = []  # (player, game, record of the reminder, when the turn was closed)
        self.robots = {}  # player -> turns that a robot has played for him because he was missing
        self.row = {}     # (game, seat) -> missed in a row
        world.ledger = self

    def seat_of(self, game, player):
        for seat, who in self.games[game].seats.items():
            if who == player:
                return seat
        return 0

    def seat_at(self, game, seq, player):
        """The seat that he had when this record was made."""
        seats = {}
        for record in self.games[game].records[:seq]:
            for drawn in [record] if record["type"] == "seat" else record.get("drawn", []) if record["type"] == "start" else []:
                seats[drawn["seat"]] = drawn.get("player")
        return next((seat for seat, who in seats.items() if who == player), 0)

    def read(self):
        """Takes what the journals have got since."""
        for folder in (self.world.league.dir / "games").iterdir():
            game = self.games.setdefault(folder.name, GameLedger(folder.name))
            path = folder / "journal.jsonl"
            if path.stat().st_size == game.at:
                continue
            with open(path, "rb") as journal:
                journal.seek(game.at)
                new = journal.read()
            game.at += len(new)
            check(new.endswith(b"\n"), "half a record in " + folder.name)
            for line in new.splitlines(keepends=True):
                game.take(line)
                if game.records[-1]["type"] == "close":
                    self.judge_missed(game, game.records[-1])
                elif game.records[-1].get("do") == "rollback":
                    self.take_back(game)

    def judge_missed(self, game, record):
        """Whoever missed the turn had been reminded in time, or had said that he does not want to be."""
        awaited = [s for s in game.seats if record["seals"][s - 1] or s in record["missed"]]
        rows, robots = {k: n for k, n in self.row.items() if k[0] == game.name}, []
        for seat in awaited:
            key = (game.name, seat)
            self.row[key] = self.row.get(key, 0) + 1 if seat in record["missed"] else 0
            if game.missed_robot and self.row[key] > game.missed_robot:
                self.robots[game.seats[seat]] = self.robots.get(game.seats[seat], 0) + 1
                robots.append(game.seats[seat])
        game.judged.append((record["turn"], rows, len(record["missed"]), robots))
        for seat in record["missed"]:
            name = game.seats[seat]
            self.missed += 1
            reminder = game.reminded.get((record["turn"], seat))
            if reminder:
                self.warned.append((name, game.name, reminder, seconds(record["time"])))
            elif name not in self.world.unreminded and self.could_remind(game, name):
                self.unwarned.append("%s, turn %d of %s" % (name, record["turn"], game.name))

    def could_remind(self, game, name):
        """Was a round done when everybody was to be reminded who wants it 12 hours before a deadline, or earlier, and whose file can
        be read?"""
        begin = max(game.deadline - 12 * HOUR, (game.dated + game.deadline) // 2)
        return any(begin <= round <= game.deadline - HOUR and (round, name) not in self.world.absences for round in self.world.worked)

    def take_back(self, game):
        """Nobody has missed a turn that does not count. (A reminder that was due then was due all the same.)"""
        while game.judged and game.judged[-1][0] >= game.turn:
            _, rows, missed, robots = game.judged.pop()
            self.row = {k: n for k, n in self.row.items() if k[0] != game.name} | rows
            self.missed -= missed
            for name in robots:
                self.robots[name] -= 1

    def judge_clock(self, now):
        """Every running game has moved, or waits for a time that is still to come."""
        for game in self.games.values():
            if game.over or not game.turn or game.paused:
                continue
            check(game.deadline or game.held, "%s has no deadline in turn %d" % (game.name, game.turn))
            late = max(game.deadline + game.grace, game.held)
            check(late > now, "%s hangs: turn %d was due at %s, it is %s" % (game.name, game.turn, stamp(late), stamp(now)))
