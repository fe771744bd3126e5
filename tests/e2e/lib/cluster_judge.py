"""Whether several hosts have kept a league as one would: judged by what players have sent and got, the log of the mail server and
the journals that are published, without a look at any host or database.

    evidence/sent.jsonl             a line for each mail with orders: id, who, game, turn
    evidence/boxes/PLAYER/...       their mailboxes, in the order in which mails came
    evidence/maillog                Postfix's
    evidence/journals/WHERE/GAME    the journals as each host has them, and the database's view"""
import collections

from cluster_people import *

SLACK = 4  # seconds by which clocks may differ, and logs be late
PLACED = (b"return-path:", b"delivered-to:", b"received:", b"x-original-to:")  # by servers


def own_bytes(raw):
    """A mail without what servers have put before it."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    return b"\n".join(f for f in fields if not f.lower().startswith(PLACED)) + b"\n\n" + body


class Journal:
    """What a game's journal says, record by record; `owed`: (record, seat, player, what), the mails that must have come."""

    def __init__(self, name):
        self.name, self.prev = name, "0" * 64
        self.records, self.heads, self.owed = [], [], []
        self.seats = {}  # seat -> player, None = a robot

    def take(self, line):
        record = json.loads(line)
        check(record["seq"] == len(self.records) + 1 and record["prev"] == self.prev and record["game"] == self.name,
              "record %d of %s does not follow" % (record["seq"], self.name))
        self.prev = hashlib.blake2b(b"turnpost/log\0" + line, digest_size=32).hexdigest()
        self.heads.append(self.prev)
        self.records.append(record)
        if record["type"] == "seat":
            self.seats[record["seat"]] = record.get("player")
        for drawn in record.get("drawn", []):
            self.seats[drawn["seat"]] = drawn["player"]
        if record["type"] == "start":
            self.owe(self.seats, "welcome")
        elif record["type"] == "turn":
            self.owe(record.get("told", list(self.seats)), "report")
        elif record["type"] == "open":  # the reports of the last turn bear the number of the last record
            last = max(seq for seq, _, _, what in self.owed if what == "report")
            self.owed = [(record["seq"] if what == "report" and seq == last else seq, seat, who, what) for seq, seat, who, what in self.owed]

    def owe(self, seats, what):
        self.owed += [(len(self.records), seat, self.seats[seat], what) for seat in seats if self.seats.get(seat)]


class Judge:
    def __init__(self, evidence, year):
        self.dir, self.year = pathlib.Path(evidence), year
        self.found = collections.Counter()
        self.words = []
        self.sent = {}
        for line in (self.dir / "sent.jsonl").read_text().splitlines():
            mail = json.loads(line)
            self.sent[mail["id"]] = mail
        self.boxes = {box.name: [Letter(path.read_bytes()) for path in sorted(box.iterdir())] for box in sorted((self.dir / "boxes").iterdir())}
        self.read_log()
        self.read_journals()

    def fault(self, kind, what):
        self.found[kind] += 1
        if self.found[kind] <= 10:
            self.words.append("%s: %s" % (kind, what))

    # ---- what there is ----

    def read_log(self):
        """self.left: [(id, address)] in the order in which the server took them from the league; self.since: id -> when it did so
        first; self.came: id -> when it was in the league's mailbox."""
        self.left, self.since, self.came = [], {}, {}
        mails, users = {}, {}
        for line in (self.dir / "maillog").read_text(errors="replace").splitlines():
            found = re.search(r"^(\w+ +\d+ [\d:]+) .* postfix/(?:\S*/)?(\w+)\[\d+\]: ([0-9A-F]{6,}): (.*)$", line)
            if not found:
                continue
            when, program, queue, words = found.groups()
            at = datetime.datetime.strptime("%d %s" % (self.year, when), "%Y %b %d %H:%M:%S").replace(tzinfo=datetime.timezone.utc)
            if program == "smtpd" and "sasl_username=" in words:
                users[queue] = re.search(r"sasl_username=(\S+)", words).group(1)
            elif program == "cleanup" and words.startswith("message-id="):
                mails[queue] = [words[len("message-id="):].strip(), None]
                if users.get(queue) == "orders":
                    self.left.append(mails[queue])
                    self.since.setdefault(mails[queue][0], int(at.timestamp()))
            elif " status=" in words and queue in mails:
                to = re.search(r"to=<([^>]*)>", words).group(1)
                mails[queue][1] = to
                if to == ADDRESS and "status=sent" in words:
                    self.came.setdefault(mails[queue][0], int(at.timestamp()))

    def read_journals(self):
        """All must be the same, or, where a host has ended before the others, begin so."""
        self.games = {}
        places = {place.name: {path.name: path.read_bytes() for path in place.iterdir()} for place in (self.dir / "journals").iterdir()}
        for game in sorted(set().union(*places.values())):
            all_of = [(len(games.get(game, b"")), where, games.get(game, b"")) for where, games in places.items()]
            longest = max(all_of)[2]
            for _, where, bytes in all_of:
                if not longest.startswith(bytes) or not bytes:
                    self.fault("journals differ", "%s at %s" % (game, where))
            self.games[game] = self.read_journal(game, longest)

    def read_journal(self, name, bytes):
        """Up to the record that does not follow, if there is one."""
        game = Journal(name)
        try:
            for line in bytes.splitlines(keepends=True):
                game.take(line)
        except (Failed, ValueError, KeyError) as why:
            self.fault("journal", "%s: %s" % (name, why))
        return game

    # ---- what must hold ----

    def judge(self):
        for game in self.games.values():
            self.judge_turns(game)
        self.judge_orders()
        self.judge_letters()
        self.judge_owed()
        self.judge_order()
        return self.found

    def judge_turns(self, game):
        """Once each, in order; nobody missed a turn whose orders had come in time, or before its deadline."""
        turns = [r["turn"] for r in game.records if r["type"] == "turn"]
        if turns != list(range(1, len(turns) + 1)):
            self.fault("turns", "%s: %s" % (game.name, turns))
        deadlines = {}
        turn = due = 0
        for record in game.records:
            if record["type"] in ("start", "turn"):
                turn = 1 if record["type"] == "start" else record["turn"] + 1
            if "deadline" in record and record.get("kind") != "reminder":
                deadlines[turn] = seconds(record["deadline"])
            if record["type"] == "close":
                self.judge_missed(game, record, deadlines.get(record["turn"], 0))
                due = deadlines.get(record["turn"], 0) if record["missed"] else 0
            if record["type"] == "turn" and due:
                self.judge_told(game, record, due)

    def judge_missed(self, game, record, deadline):
        for seat in record["missed"]:
            for mid, mail in self.sent.items():
                if (mail["game"], mail["turn"], mail["who"]) != (game.name, record["turn"], game.seats.get(seat)):
                    continue
                answers = self.answers(mid)
                if self.came.get(mid, deadline) < deadline - SLACK and (not answers or any("too late" in a.flat for a in answers)):
                    self.fault("closed before mails in time", "turn %d of %s, due %s: %s came %s" % (
                        record["turn"], game.name, stamp(deadline), mid, stamp(self.came[mid])))

    def judge_told(self, game, record, deadline):
        """By the mail server's clock, as hosts write what theirs say."""
        told = [self.since[mid] for seat in game.seats for mid in ["<%s.%d.%d@game.test>" % (game.name, record["seq"], seat)] if mid in self.since]
        if told and min(told) < deadline - SLACK:
            self.fault("closed before its deadline", "turn %d of %s, due %s, was told %s" % (
                record["turn"], game.name, stamp(deadline), stamp(min(told))))

    def answers(self, mid):
        if not hasattr(self, "by_question"):
            self.by_question = collections.defaultdict(dict)
            for box in self.boxes.values():
                for mail in box:
                    if mail["In-Reply-To"]:
                        self.by_question[mail["In-Reply-To"]][mail["Message-ID"]] = mail
        return list(self.by_question[mid].values())

    def judge_orders(self):
        """Each mail has one answer; what a receipt says was accepted is one record, and no record is without. (A report that is the
        receipt is made again from the journal after a takeover, which does not name the mail.)"""
        promised, recorded, covered = collections.Counter(), collections.Counter(), set()
        for who, box in self.boxes.items():
            for mail in box:
                if "this mail is their receipt" in mail.flat and not mail["In-Reply-To"]:
                    covered |= {(game, who) for game, _, _ in self.heads_in(mail)}
        for mid, mail in self.sent.items():
            answers = self.answers(mid)
            if not answers and (mail["game"], mail["who"]) not in covered and not self.was_late(mail):
                self.fault("no answer", "%s of %s (%s turn %d)" % (mid, mail["who"], mail["game"], mail["turn"]))
            receipts = [a for a in answers if "We have your" in a.flat]
            if len(receipts) > 1:
                self.fault("two receipts", mid)
            promised[mail["game"], mail["turn"], mail["who"]] += bool(receipts)
        marks = collections.Counter()
        for game in self.games.values():
            for record in game.records:
                if record["type"] == "orders":
                    recorded[game.name, record["turn"], game.seats.get(record["seat"])] += 1
                    marks[record["mail"]] += 1
        for mark, count in marks.items():
            if count > 1:
                self.fault("orders twice", "a mail has %d records" % count)
        for key in promised.keys() | recorded.keys():
            if promised[key] > recorded[key]:
                self.fault("orders lost", "%s turn %d of %s: %d receipts, %d records" % (*key, promised[key], recorded[key]))
            elif promised[key] < recorded[key] and (key[0], key[2]) not in covered:
                self.fault("orders without receipt", "%s turn %d of %s: %d receipts, %d records" % (*key, promised[key], recorded[key]))

    def was_late(self, mail):
        """Its turn was closed before it was read; whoever sends many such mails a day is not told each time. Whether it should
        have been waited for is asked by judge_missed."""
        game = self.games.get(mail["game"])
        return game and any(r["type"] == "close" and r["turn"] == mail["turn"] for r in game.records)

    def heads_in(self, mail):
        return tlog.heads_in(mail.proof)

    def judge_letters(self):
        """One content under one Message-ID; nothing told that is not in the journals."""
        bytes_of, told = {}, {}
        for who, box in self.boxes.items():
            for mail in box:
                bytes = own_bytes(mail.raw)
                if bytes_of.setdefault((who, mail["Message-ID"]), bytes) != bytes:
                    self.fault("two contents", "%s to %s" % (mail["Message-ID"], who))
                for game, number, head in self.heads_in(mail)[-1:]:
                    known = self.games[game].heads if game in self.games else []
                    if int(number) > len(known) or known[int(number) - 1] != head:
                        self.fault("letter of nothing", "%s to %s: record %s of %s" % (mail["Message-ID"], who, number, game))
                key = who, mail["Subject"], mail.text
                if not mail["In-Reply-To"] and told.setdefault(key, mail["Message-ID"]) != mail["Message-ID"]:
                    self.fault("told twice", "%s to %s" % (mail["Subject"], who))

    def judge_owed(self):
        """Welcomes and reports that the journals call for are there."""
        self.owed = 0
        got = {(who, mail["Message-ID"]) for who, box in self.boxes.items() for mail in box}
        for game in self.games.values():
            for seq, seat, player, what in game.owed:
                self.owed += 1
                if (player, "<%s.%d.%d@game.test>" % (game.name, seq, seat)) not in got:
                    self.fault("letter lost", "%s %d of %s for %s" % (what, seq, game.name, player))

    def judge_order(self):
        """First deliveries in order, for each game and address."""
        last, seen, self.again = {}, set(), 0
        for mid, to in self.left:
            found = re.match(r"<(.+)\.(\d+)\.(\d+)@", mid)
            if not found or not to:
                continue
            if (mid, to) in seen:
                self.again += 1
                continue
            seen.add((mid, to))
            key, seq = (found.group(1), to), int(found.group(2))
            if found.group(1) in self.games and seq < last.get(key, 0):
                self.fault("out of order", "%s to %s after record %d" % (mid, to, last[key]))
            last[key] = max(last.get(key, 0), seq)

    def sums(self):
        return "%d games, %d turns, %d mails with orders, %d letters (%d sent again)" % (
            len(self.games), sum(r["type"] == "turn" for g in self.games.values() for r in g.records), len(self.sent), len(self.left), self.again)


def tamper(evidence, folder):
    """Makes a copy of the evidence with a fault of each kind; the kinds."""
    shutil.copytree(evidence, folder)
    letters = [(path, Letter(path.read_bytes())) for box in sorted((folder / "boxes").iterdir()) for path in sorted(box.iterdir())]
    once = collections.Counter(letter["Message-ID"] for _, letter in letters)
    reports = [(path, letter) for path, letter in letters if re.search(r"\(turn \d+", letter["Subject"]) and once[letter["Message-ID"]] == 1]
    told = [(path, letter) for path, letter in reports if not letter["In-Reply-To"]]
    receipts = [path for path, letter in letters if re.search(r"We have your orders for turn \d+", letter["Subject"]) and once[letter["Message-ID"]] == 1]
    path, letter = told.pop()
    (path.parent / "again").write_bytes(re.sub(rb"^Message-ID: *<", b"Message-ID: <x", letter.raw, count=1, flags=re.M | re.I))
    path, letter = told.pop()
    (path.parent / "other").write_bytes(letter.raw + b"and more\r\n")
    told.pop()[0].unlink()
    receipts[0].unlink()
    game = max((folder / "journals/database").iterdir(), key=lambda path: path.stat().st_size).name
    for path in (folder / "journals").glob("*/" + game):
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-6]))
    log = (folder / "maillog").read_text(errors="replace")
    ids = re.findall(r"message-id=(<(?!%s)g[^>]*\.(\d+)\.1@game\.test>)" % re.escape(game), log)
    first, second = next((a[0], b[0]) for a in ids for b in ids if a[0].split(".")[0] == b[0].split(".")[0] and int(a[1]) < int(b[1]))
    swap = {first: second, second: first}
    (folder / "maillog").write_text(re.sub("|".join(map(re.escape, swap)), lambda found: swap[found.group(0)], log))
    return {"told twice", "two contents", "letter lost", "orders without receipt", "letter of nothing", "out of order"}
