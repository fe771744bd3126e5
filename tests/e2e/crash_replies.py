"""A batch of answers by players who have only a mailbox, killed at some moments, started again, compared with an undisturbed run:
orders that play a turn, or wait, messages beside them, a digest that orders for two games, questions and their "ok", wishes, a seat that is
taken, and newcomers who register.

LONG=1: killed at every point, and in the middle of writes (make crash)."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import batch
import replier  # Debian's own Python
from batch import *
from comes_next import *
from domains import Domains
from reader import Reader, flat

DAY = 86400
START = int(time.time()) // DAY * DAY - 3 * DAY + 9 * 3600  # 9:00, so that mails of its days are believed
PEOPLE = ("anna", "eve", "dora", "zoe", "yan")


def iso(now):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))


class World:
    def __init__(self, domains):
        self.league, self.now = League("base"), START
        self.league.init()
        domains.use(self.league)
        self.people = {name: Reader(name, domains, self.league) for name in PEOPLE}
        self.mails = {name: [] for name in PEOPLE}
        self.serial = 0

    def put(self, raw):
        self.serial += 1
        name = "%04d" % self.serial
        self.league.put_mail(raw, name)
        self.now += 60
        os.utime(self.league.dir / "mail/in/new" / name, (self.now, self.now))

    def write(self, who, subject, text=""):
        self.put(self.people[who].write("gmail", ADDRESS, subject, text, now=self.now))

    def mail_about(self, who, words):
        """The last one with these words."""
        ours = [m for m in self.mails[who] if words in m["Subject"] or words in flat(m)]
        check(ours, "%s has no mail about %s, but %s" % (who, words, [m["Subject"] for m in self.mails[who]]))
        return ours[-1]

    def reply(self, who, about, typed, ahead=0):
        """`ahead`: so many seconds is the clock by which it is written; the provider's is right."""
        self.put(self.people[who].reply("gmail_web", self.mail_about(who, about).as_bytes(), typed, now=self.now + ahead, t=str(self.now)))

    def run(self, seconds=60):
        self.now += seconds
        self.league.tp("run", "--now", iso(self.now))
        for name, person in self.people.items():
            self.mails[name] += self.league.new_mails(person.address)

    def new(self, name, *more):
        self.league.tp("new", name, "galaxy-command", *more, "--trust", "mail", "--now", iso(self.now))


def make_base(domains):
    w = World(domains)
    w.league.set("league", registration="open")
    for who in ("anna", "eve", "dora"):
        w.write(who, "register " + who, "invite: %s\n" % w.league.tp("invite", "--now", iso(w.now)).strip())
        w.run()
    for game, seats in (("solo", "anna,robot"), ("pair", "anna,eve"), ("slow", "eve,anna"), ("asks", "anna,eve"), ("one", "dora,eve"), ("two", "dora,eve")):
        w.new(game, "--seats", seats, "--seated", "--deadline", "9d")
    w.new("open", "--seats", "robot", "--open", "1")
    w.run()
    w.reply("dora", "[one]", "digest 18")
    w.write("anna", "join open")
    w.reply("anna", "[asks]", "explor near")
    w.run()
    for game in ("one", "two"):  # so that the digest has something to tell
        w.reply("dora", "[%s]" % game, "explore near")
        w.run()
        w.reply("eve", "[%s]" % game, "explore near")
    w.run()
    w.run(10 * 3600)
    w.write("yan", "register yan")
    w.run()
    # ---- the batch ----
    w.write("zoe", "register zoe", "invite: %s\n" % w.league.tp("invite", "--now", iso(w.now)).strip())
    w.reply("anna", "[solo]", "explore near")
    w.reply("anna", "[pair]", "press eve: Shall we?")
    w.reply("anna", "[pair]", "explore near\npress eve: I have written.")
    w.reply("eve", "[pair]", "build")
    w.reply("eve", "[slow]", "bild")
    w.reply("eve", "[slow]", "explore near\nvery much")
    w.reply("anna", "[slow]", "build")
    w.reply("anna", "[slow]", "undo")
    w.reply("eve", "[asks]", "build", ahead=7200)
    w.reply("eve", "[asks]", "explore near")  # the later one
    w.reply("anna", "nothing has been done yet", "ok")
    w.reply("yan", "One step more", "ok")
    w.reply("eve", "[two]", "explore near")  # so that the digest's answer plays a turn
    w.reply("dora", "mails in one", "one: explore near\ntwo: build")
    # After all else about its game: the answer names the game's last record, and the registry's comes after the games'.
    w.reply("eve", "[one]", "vacation %s to %s" % (iso(w.now + 2 * DAY)[:10], iso(w.now + 3 * DAY)[:10]))
    w.reply("anna", "[open]", "ok")
    w.write("eve", "observe solo")
    return w


def outcome(league):
    """As of other batches, but for what a mail answers: a turn that is finished after a crash knows its orders, not their mail."""
    games, ids, left, spool = OUTCOME(league)
    for who in PEOPLE:
        for path in (league.dir / "mail/out" / (who + "@players.test") / "new").glob("*"):
            raw = path.read_bytes()
            name = re.search(rb"^Message-ID: *(\S+)\r?$", raw.split(b"\n\n")[0].split(b"\r\n\r\n")[0], re.M)
            ids.setdefault((who, name[1].decode()), set()).add(re.sub(rb"^(In-Reply-To|References):.*\r?\n([ \t].*\r?\n)*", b"", raw, flags=re.M))
    return games, ids, left, spool


OUTCOME, batch.outcome = batch.outcome, outcome


def one(job):
    base, want, kind, at, number = job
    league = copy(base, "killed%d" % number)
    try:
        league.tp("run", "--now", batch.NOW, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "%s:%s" % (kind.replace("else", "kill"), at)})
        if kind == "else":
            what, now = comes_next(league, int(at), batch.NOW)
            league.tp("run", "--now", now)
            return ["killed at %s, then %s: %s" % (at, what, wrong) for wrong in sound(league)]
        league.tp("run", "--now", batch.NOW)
        found = differences(outcome(league), want)
        return ["%s at %s: %s" % (kind, at, what) for what in found]
    except Failed as why:
        return ["%s at %s: %s" % (kind, at, why)]
    finally:
        shutil.rmtree(league.dir)


def play(servers_list):
    domains = Domains()
    servers_list.append(domains)
    w = make_base(domains)
    batch.NOW = iso(w.now + 60)
    want, points, _allocs = undisturbed(w.league)
    orders = sum(journal.count(b'"type":"orders"') for journal in want[0].values())
    check(orders == 16 and b'"type":"start"' in want[0]["open"], "the batch does not do what it should: %d orders" % orders)
    if os.environ.get("LONG"):
        jobs = [(w.league, want, kind, str(at), at + points * n) for at in range(1, points + 1) for n, kind in enumerate(("kill", "else"))]
        jobs += [(w.league, want, "torn", "%d:%d" % (point, part), 2 * points + 10 * point + n)
                 for _most, writes in writes_by_length() for point in writes for n, part in enumerate((250, 999))]
    else:
        jobs = [(w.league, want, "kill", str(1 + (points - 1) * n // 6), n) for n in range(7)]
        jobs.append((w.league, want, "else", str(staged()[0]), 7))
    faults = []
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(one, jobs, chunksize=4):
            faults += found
    for fault in faults[:20]:
        print(fault)
    check(not faults, "%d faults" % len(faults))
    print("%d kills at %d points: %d orders, %d mails; lost or doubled: %d" % (len(jobs), points, orders, len(want[1]), len(faults)))


main(play)
