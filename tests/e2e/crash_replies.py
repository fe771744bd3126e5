"""A batch of answers by players who have only a mailbox, killed at some moments, started again, compared with an undisturbed run:
orders that play a turn, messages beside them, a digest that orders for two games, questions and their "ok", wishes, a seat taken by
its word, and newcomers who register.

LONG=1: killed at every point, and in the middle of writes (make crash)."""
import multiprocessing
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import batch
import replier  # Debian's own Python
from batch import *
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

    def reply(self, who, about, typed):
        """To the last mail whose subject or text names it."""
        ours = [m for m in self.mails[who] if about in m["Subject"] or about in flat(m)]
        check(ours, "%s has no mail about %s, but %s" % (who, about, [m["Subject"] for m in self.mails[who]]))
        self.put(self.people[who].reply("gmail_web", ours[-1].as_bytes(), typed, now=self.now))

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
    w.reply("anna", "[asks]", "explore near\nand what else?")
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
    w.reply("eve", "[slow]", "build\nnothing else")
    w.reply("eve", "[slow]", "explore near\nvery much")
    w.reply("anna", "[slow]", "build")
    w.reply("anna", "[slow]", "undo")
    w.reply("anna", "NOTHING HAS BEEN DONE YET", "ok")
    w.reply("yan", "One step more", "ok")
    w.reply("eve", "[one]", "vacation %s to %s" % (iso(w.now + 2 * DAY)[:10], iso(w.now + 3 * DAY)[:10]))
    digests = [m for m in w.mails["dora"] if "[" not in m["Subject"] and "+" in str(m["Reply-To"])]
    check(digests, "no digest: %s" % [m["Subject"] for m in w.mails["dora"]])
    w.put(w.people["dora"].reply("gmail_web", digests[-1].as_bytes(), "one: explore near\ntwo: build", now=w.now))
    asked = next((re.search(r"type:? (ok(?: \w+)?)", flat(m)) for m in w.mails["anna"] if "[open]" in m["Subject"]), None)
    check(asked, "anna was not asked about the seat")
    w.reply("anna", "[open]", asked[1])
    w.write("eve", "observe solo")
    return w


def outcome(league):
    for path in (league.dir / "games").iterdir():
        (path / "sealed.jsonl").touch()
    games, ids, left, spool = OUTCOME(league)
    for who in PEOPLE:
        for path in (league.dir / "mail/out" / (who + "@players.test") / "new").glob("*"):
            raw = path.read_bytes()
            name = re.search(rb"^Message-ID: *(\S+)\r?$", raw.split(b"\n\n")[0].split(b"\r\n\r\n")[0], re.M)
            ids.setdefault((who, name[1].decode()), set()).add(raw)
    return games, ids, left, spool


OUTCOME, batch.outcome = batch.outcome, outcome


def one(job):
    base, want, kind, at, number = job
    league = copy(base, "killed%d" % number)
    try:
        league.tp("run", "--now", batch.NOW, binary=FAULT, code=-9, env={"TURNPOST_FAULT": "%s:%s" % (kind, at)})
        league.tp("run", "--now", batch.NOW)
        got = outcome(league)
        found = differences(got, want)
        if found and "SHOW" in os.environ:
            found += [(key, flat(parse(list(got[1][key])[0]))[:300]) for key in set(got[1]) - set(want[1])]
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
    orders = sum(b'"type":"orders"' in line for _name, (journal, _sealed) in want[0].items() for line in journal.splitlines())
    if "SHOW" in os.environ:
        for (who, _id), raws in sorted(want[1].items()):
            mail = parse(list(raws)[0])
            print(who, "|", mail["Subject"], "|", flat(mail)[60:260])
        for name, (journal, _sealed) in want[0].items():
            print(name, [json.loads(line)["type"] for line in journal.splitlines()])
    print("%d points, %d orders, %d mails" % (points, orders, len(want[1])))
    if os.environ.get("LONG"):
        jobs = [(w.league, want, "kill", str(at), at) for at in range(1, points + 1)]
        jobs += [(w.league, want, "torn", "%d:%d" % (point, part), points + 10 * point + n)
                 for _most, writes in writes_by_length() for point in writes for n, part in enumerate((250, 999))]
    else:
        jobs = [(w.league, want, "kill", str(1 + (points - 1) * n // 6), n) for n in range(7)]
    faults = []
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap_unordered(one, jobs, chunksize=4):
            faults += found
    if "SHOW" in os.environ:
        seen = {}
        for fault in faults:
            seen.setdefault(re.sub(r"^.*? at [0-9:]+: ", "", str(fault)), []).append(str(fault)[:20])
        for what, at in seen.items():
            print(len(at), at[:3], at[-1], what[:600])
    for fault in faults[:20]:
        print(fault)
    check(not faults, "%d faults" % len(faults))
    print("%d kills at %d points: lost or doubled: %d" % (len(jobs), points, len(faults)))


main(play)
