"""A warm second machine over files: a backup of the last minutes, the mailbox as the queue. The first machine is killed in the
middle of its work; the second restores the last backup, has the mails again, and goes on. What is then true is judged from
players' mailboxes and the published journals alone; and with a league that keeps quiet about its loss the judge finds it. (Nothing of
what the kill has left is used any more, and the first record that comes is always of another kind: that it was restored.)

LONG: killed at every tenth point, with each backup."""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from batch import *

LONG = os.environ.get("LONG", "") not in ("", "0")
GAMES = 3
AT = "2026-11-20T09:%02d:00Z"
TOLD = "The league has lost records"
WHO = ("alice", "bob")


def people(league, story):
    """Mailboxes on another host than the league: the players', and the league's own."""
    league.set("incoming", type="maildir", maildir=story / "in")
    league.set("outgoing", type="maildir", maildir=story / "out")


def deliver(story, raw, name):
    (story / "in/tmp" / name).write_bytes(raw)
    (story / "in/tmp" / name).rename(story / "in/new" / name)


def base():
    league = make_base(GAMES)
    story = WORK / "post"
    shutil.copytree(league.dir / "mail/in", story / "in")
    (story / "out").mkdir()
    people(league, story)
    return league, story, league.alice, league.bob


class Story:
    """One league, and the mails of its players."""

    def __init__(self, name, first, post):
        self.post = WORK / ("post-" + name)
        shutil.copytree(post, self.post)
        self.first = copy(first, "first-" + name)
        people(self.first, self.post)
        self.second = League("second-" + name)
        self.backup = WORK / ("backup-" + name)
        self.sent = {who: [] for who in WHO}
        for path in sorted((self.post / "in/new").iterdir()):
            self.sent["alice" if path.name[0] == "a" else "bob"].append(path.read_bytes())
        self.count = 0

    def save(self, league, made):
        shutil.rmtree(self.backup, ignore_errors=True)
        league.tp("backup", self.backup)
        (self.backup / "made").write_text(made)

    def orders(self, league, who, player, names):
        """Answers to the report of the open turn."""
        for name in names:
            turn = sum(r["type"] in ("start", "turn") for r in league.records(name))
            self.count += 1
            raw = player.mail(league.orders(name, turn, ["explore near", "build"] if who == "alice" else ["bide"], seq=self.count + 10))
            self.sent[who].append(raw)
            deliver(self.post, raw, "%s%02d" % (who[0], 50 + self.count))

    def take_over(self, now, *flags):
        self.second.tp("restore", self.backup, self.second.dir, *flags)
        self.second.tp("mail", "again", "--since", "20w", "--now", now)
        self.second.tp("run", "--now", now)

    # ---- what players have -------------------------------------------------------------------------------------------

    def mails(self, who):
        return sorted((self.post / "out" / (who + "@players.test") / "new").iterdir())

    def judge(self):
        """Sentences that say what is lost, doubled or not told."""
        found = []
        games = WORK / "published"
        shutil.rmtree(games, ignore_errors=True)
        shutil.copytree(self.second.dir / "games", games)
        seals = collections.Counter()
        records = {}
        for path in sorted(games.glob("*/journal.jsonl")):
            lines = path.read_bytes().splitlines(keepends=True)
            records[path.parent.name] = [(json.loads(line), head_of_line(line)) for line in lines]
        for game, all_of in records.items():
            turns = [r["turn"] for r, _ in all_of if r["type"] == "turn"]
            if turns != list(range(1, len(turns) + 1)):
                found.append("%s: turns %s" % (game, turns))
            seals.update((game, r["seat"], r["seal"]) for r, _ in all_of if r["type"] == "orders")
        found += ["orders twice: %s" % (seal,) for seal, times in seals.items() if times > 1]
        for who in WHO:
            found += ["%s: %s" % (who, what) for what in self.judge_player(who, games, records)]
        return found

    def judge_player(self, who, games, records):
        heads = {game: {head for _, head in all_of} for game, all_of in records.items()}
        box = WORK / "box"
        shutil.rmtree(box, ignore_errors=True)
        box.mkdir()
        for number, raw in enumerate(self.sent[who]):
            (box / ("sent-%03d" % number)).write_bytes(raw)
        shown, told, lost, ids = collections.Counter(), set(), set(), {}
        for path in self.mails(who):
            raw = path.read_bytes()
            shutil.copy(path, box)
            name, head = re.search(rb"^Message-ID: *(\S+)", raw, re.M)[1], tlog.heads_in(proof_of(parse(raw)))
            if ids.setdefault(name, head) != head:
                yield "one Message-ID for two mails: %s" % name
            for game, number, hex in head[-1:]:
                subject = parse(raw)["Subject"]
                if hex not in heads[game]:
                    lost.add(game)
                elif TOLD in subject:
                    told.add(game)
                elif "(turn " in subject:
                    shown[game, number] |= 1
        if lost - told:
            yield "nobody told what was lost in %s" % sorted(lost - told)
        if not LONG and not lost and not told:
            return
        done = subprocess.run([TURNPOST, "receipt-check", box, "--journal", games, "--key", self.second.dir / "keys/league.pub", "--json"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        report = json.loads(done.stdout)
        if done.returncode != (1 if lost else 0):
            yield "receipt-check: exit %d, with %s lost: %s" % (done.returncode, sorted(lost), [f for f in report["findings"] if f["weight"] == "wrong"])
        for number in range(len(self.sent[who])):
            kinds = {f["kind"] for f in report["findings"] if f.get("mail", "").endswith("sent-%03d" % number)}
            gone = any("answer a report that was lost too" in f["text"] for f in report["findings"] if f.get("mail", "").endswith("sent-%03d" % number))
            answered = any(parse(raw)["In-Reply-To"] == parse(self.sent[who][number])["Message-ID"] for raw in self.read(who))
            if "orders" not in kinds and not gone and answered and not self.refused(who, number):
                yield "orders %d have an answer and are in no journal: %s" % (number, kinds)

    def read(self, who):
        return [path.read_bytes() for path in self.mails(who)]

    def refused(self, who, number):
        """The last answer to it says so: they answer a report that was lost."""
        mine = parse(self.sent[who][number])["Message-ID"]
        return any("was restored from an older copy" in text_of(parse(raw)) for raw in self.read(who) if parse(raw)["In-Reply-To"] == mine)


def one(first, post, alice, bob, wish, early, flags=()):
    """The last backup is of before the first round (`early`), or of after it; killed in the second round."""
    name = "%s-%s%s" % (wish.replace(":", "_"), "early" if early else "late", "-quiet" if flags else "")
    story = Story(name, first, post)
    games = ["g%02d" % n for n in range(GAMES)]
    if early:
        story.save(story.first, AT % 0)
    story.first.tp("run", "--now", AT % 1)
    if not early:
        story.save(story.first, AT % 2)
    story.orders(story.first, "alice", alice, games)
    story.orders(story.first, "bob", bob, games[1:])
    story.first.tp("run", "--now", AT % 3, binary=FAULT, code=None, env={"TURNPOST_FAULT": wish})
    killed = story.first.code == -9
    story.first.dir.rename(WORK / ("burnt-" + name))
    story.take_over(AT % 20, *flags)
    found = story.judge()
    if not flags:
        story.orders(story.second, "alice", alice, games)
        story.orders(story.second, "bob", bob, games[1:])
        story.second.tp("run", "--now", AT % 30)
        found += story.judge()
        for game in games:
            verify_chain(story.second, game, stock=False)
    for path in (story.post, story.backup, WORK / ("burnt-" + name), story.second.dir):
        shutil.rmtree(path)
    return ["%s: %s" % (name, what) for what in found], killed


def play(_):
    first, post, alice, bob = base()
    counting = Story("count", first, post)
    counting.first.tp("run", "--now", AT % 1)
    counting.orders(counting.first, "alice", alice, ["g00", "g01", "g02"])
    counting.first.tp("run", "--now", AT % 3, binary=FAULT, env={"TURNPOST_FAULT": "count:%s" % (WORK / "points")})
    points = int((WORK / "points").read_text())
    check(points > 50, "only %d points" % points)
    at = range(1, points + 40, 10) if LONG else (points // 3, 2 * points // 3)
    faults, kills, stories = [], 0, 0
    for number, point in enumerate(at):
        for early in ((True, False) if LONG else (number % 2 == 0,)):
            found, killed = one(first, post, alice, bob, "kill:%d" % point, early)
            faults += found
            kills += killed
            stories += 1
    for fault in faults[:20]:
        print(fault)
    check(not faults, "%d faults" % len(faults))
    check(kills, "nothing was killed")
    # A judge that finds nothing in a league that keeps quiet would be none.
    quiet, _ = one(first, post, alice, bob, "kill:%d" % (points - 2), True, ("--nothing-lost",))
    check(any("nobody told what was lost" in what for what in quiet), "a quiet loss is not found: %s" % quiet)
    print("%d takeovers, %d after a kill at one of %d points: nothing doubled, and what was lost is told" % (stories, kills, points))


main(play)
