"""Three hosts serve one league from PostgreSQL for ten minutes: 60 games of all rulesets, 20 players by mail (Dovecot, Postfix), the
hosts' clocks an hour apart. Meanwhile hosts are killed, stopped beyond their lease, cut from the database, slowed down, robbed of the
answers of their commits, or let commit long after another has taken over; and the primary is killed and its synchronous standby
promoted. Then lib/cluster_judge.py judges by what players have and by the published journals.

    make cluster            all of it: LONG=1
    BROKEN=fence, id, clock with a store that is broken (tests/faults/store.c): the judge has to find it
    SECONDS=N GAMES=N SEED=N"""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *
from cluster_judge import Judge, tamper
from cluster_people import Letter, Line, Person

BROKEN = os.environ.get("BROKEN", "")
SECONDS = int(os.environ.get("SECONDS", "90" if BROKEN else "600"))
GAMES = int(os.environ.get("GAMES", "20" if BROKEN else "60"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1000000))
LEASE = 5
TOOLS = ("ssh", "minisign", "signify")
NAMES = ["anna", "ben", "cleo", "dora", "emil", "fay", "gus", "hera", "ida", "jon", "kim", "leo", "mia", "ned", "olga", "pia", "quin", "rob",
         "sue", "tom"]
RULESETS = [("galaxy-command", 2), ("galactic-supremacy", 3), ("galactic-contract", 2), ("galaxy-farmer", 1)]


class Writer(Person):
    """Answers each report after some seconds, forgets one in eight, thinks again of one in twelve."""

    def __init__(self, name, tool):
        super().__init__(name, tool)
        self.plans = {}  # game -> turn, when

    def look(self):
        for raw in self.world.new_mails(self.name):
            self.read(Letter(raw))

    def act(self):
        dice, now = self.world.dice, time.time()
        for game, known in self.table.items():
            turn, due = self.plans.get(game, (0, 0))
            if known["turn"] > turn:
                due = now + (1e6 if dice.random() < 0.12 else dice.uniform(1, 15))
            elif now >= due:
                lines = [dice.choice(known["lines"])] if known["lines"] else ["pass"]
                self.world.write(self, game, known, lines)
                due = now + (dice.uniform(1, 20) if dice.random() < 0.08 else 1e6)
            self.plans[game] = known["turn"], due


class World:
    def __init__(self, servers):
        self.servers, self.dice = servers, random.Random(SEED)
        self.hosts = [Host(name, FAULT, dict(TURNPOST_SHIFT=str(3600 * n), **({"TURNPOST_BROKEN": BROKEN} if BROKEN else {})))
                      for n, name in enumerate(("one", "two", "three"))]
        self.primary, self.standby = Postgres(WORK / "a").start(), Postgres(WORK / "b")
        self.people = [Writer(name, TOOLS[n % 3]) for n, name in enumerate(NAMES)]
        self.collected, self.boxes = {name: set() for name in NAMES}, {name: [] for name in NAMES}
        self.sent, self.counts, self.takeovers = [], {}, []
        for person in self.people:
            person.world, person.line = self, Line(servers, person.name)

    @property
    def now(self):
        return time.time()

    # ---- players ----

    def new_mails(self, name):
        """Straight from the server's disk, in the order in which they came."""
        box = self.servers.dir / "mail" / name / "Maildir/new"
        new = {path.name for path in box.iterdir()} - self.collected[name]
        self.collected[name] |= new
        raws = [(box / mail).read_bytes() for mail in sorted(new, key=lambda mail: [int(n) for n in re.findall(r"\d+", mail)[:2]])]
        self.boxes[name] += raws
        return raws

    def write(self, person, game, known, lines):
        text = orders(game, known["turn"], lines, known["head"], seq=person.count + 1, final="yes")
        raw = person.mail(text, attach=self.dice.random() < 0.5)
        self.sent.append(dict(id="<%s-%d@players.test>" % (person.name, person.count), who=person.name, game=game, turn=known["turn"]))
        person.line.send(person.address, raw)

    def waits(self):
        """How many mails are to be taken in or sent."""
        holder = self.holder()
        boxes = [self.servers.dir / "mail/orders/Maildir" / part for part in ("new", "cur")] + ([holder.dir / "spool/new"] if holder else [])
        return sum(len(list(box.iterdir())) for box in boxes) + (not holder)

    # ---- the league ----

    def make(self):
        """In files, on the first host; then it is brought into the database, from which the others serve it too."""
        first = self.hosts[0]
        first.init()
        first.use_servers(self.servers)
        first.set("limits", replies_per_day=10000)
        for person in self.people:
            first.add(person)
        for number in range(GAMES):
            ruleset, seats = RULESETS[number % 4]
            who = self.dice.sample(NAMES, seats)
            deadline = self.dice.choice(["45s", "90s", "30d"])
            first.seated("%s-%d" % ("".join(w[0] for w in ruleset.split("-")) + ruleset[-1], number), ruleset,
                         ",".join(who + ["robot"] * (ruleset == "galaxy-command")), "--deadline", deadline)
        first.tp("run")
        self.standby.follow(self.primary)
        self.primary.wait_for_standby(True)
        for host in self.hosts:
            host.between = [Between(server.port) for server in (self.primary, self.standby)]
            database = self.primary.database(host.between[1].port, port=host.between[0].port)
            if host is first:
                host.keep_in(database, LEASE)
                host.set("store", synchronous="yes")
                host.tp("store", "copy", "files", "postgres")
            else:
                host.join(first, database)
            host.begin()

    def holder(self):
        """Who decides by the database; None while nobody does."""
        rows = self.primary.ask("SELECT encode(holder, 'hex') FROM turnpost.league WHERE until > now()")
        for host in self.hosts:
            path = host.dir / "store/self"
            if rows and path.exists() and path.read_text().strip() == rows[0]:
                return host
        return None

    def others(self, host):
        return [h for h in self.hosts if h is not host]


# ---- what goes wrong: generators that yield the seconds to wait ---------------------------------------------


def some(world):
    """Mostly the one that decides."""
    return (world.dice.random() < 0.75 and world.holder()) or world.dice.choice(world.hosts)


def kill(world):
    host, decides = some(world), world.holder()
    host.kill()
    began = time.time()
    while host is decides and time.time() < began + LEASE + 10:
        yield 0.2
        if world.holder() in world.others(host):
            world.takeovers.append(time.time() - began)
            break
    yield world.dice.uniform(0, 5)
    host.begin()


def stop(world):
    host = some(world)
    host.signal(signal.SIGSTOP)
    yield LEASE + world.dice.uniform(-2, 8)
    host.signal(signal.SIGCONT)


def cut(world, how=Between.cut):
    host = some(world)
    for between in host.between:
        how(between)
    yield LEASE + world.dice.uniform(-3, 8)
    for between in host.between:
        between.mend()


def drop(world):
    """Bytes go nowhere, and nobody is told."""
    yield from cut(world, Between.drop)


def delay(world):
    host, seconds = some(world), world.dice.choice([0.005, 0.02, 0.1])
    for between in host.between:
        between.delay = seconds
    yield 10
    for between in host.between:
        between.delay = 0


def lose(world, what):
    """The next commit of whoever decides is lost in this way. False: there was none."""
    host = world.holder()
    while not host:
        yield 0.2
        host = world.holder()
    between = next(b for b in host.between if b.target == world.primary.port)
    between.lose(what, world.dice.randrange(4))  # a round makes several, of different kinds
    for _ in range(200):
        if between.met.is_set():
            return host, between
        yield 0.1
    between.wish = None
    return None


def lose_request(world):
    yield from lose(world, "request")


def lose_answer(world):
    yield from lose(world, "answer")


def lose_in_silence(world):
    if (yield from lose(world, "silent")):
        yield 3


def late(world, what="hold"):
    """A commit arrives when another host has decided for long."""
    lost = yield from lose(world, what)
    if not lost:
        return
    host, between = lost
    for each in host.between:
        each.freeze()
    for _ in range((LEASE + 6) * 5):
        yield 0.2
        if world.holder() in world.others(host):
            break
    yield 2.5  # it has decided something
    for each in host.between:
        each.thaw()
    between.release()
    yield 1


def stall(world):
    """Only its end is late: what it has touched is locked until then, the row of the lease too."""
    yield from late(world, "stall")


def promote(world):
    """The primary is gone for good; its standby takes its place, and gets a standby on the host of the old one."""
    world.primary.kill()
    yield world.dice.uniform(0, 3)
    world.standby.promote()
    world.primary, world.standby = world.standby, world.primary
    world.standby.follow(world.primary)
    world.primary.wait_for_standby(True)


EVILS = [kill, kill, stop, stop, cut, drop, delay, lose_request, lose_answer, lose_answer, lose_in_silence, late, late, stall]


def trouble(world):
    """One thing after another, with some calm between them; the primary dies at a third and at two thirds of the time."""
    evils, end, deaths = [], time.time() + SECONDS, [time.time() + SECONDS * part for part in (2 / 3, 1 / 3)]
    if BROKEN:
        deaths = []
    while time.time() < end:
        if deaths and time.time() > deaths[-1]:
            deaths.pop()
            evil = promote
        else:
            if not evils:
                evils = {"": EVILS, "fence": [late], "id": [lose_answer], "clock": [kill]}[BROKEN][:]
                world.dice.shuffle(evils)
            evil = evils.pop()
        world.counts[evil.__name__] = world.counts.get(evil.__name__, 0) + 1
        yield from evil(world)
        yield world.dice.uniform(1, 6)


def play_on(world, evil, seconds):
    """People play until the trouble is over, or until the time is, when all is well."""
    due, end = time.time(), time.time() + seconds
    while time.time() < end:
        for person in world.people:
            person.look()
            if evil:
                person.act()
        if evil and time.time() >= due:
            try:
                due = time.time() + next(evil)
            except StopIteration:
                return True
        if not evil and not world.waits():
            return True
        for host in world.hosts:
            check(not host.process or host.process.poll() is None or BROKEN,
                  "%s has ended with %s:\n%s" % (host.name, host.process and host.process.poll(), host.said()[-3000:]))
        time.sleep(0.1)
    return False


def heal(world):
    """Everything works; until all mails are taken in and sent."""
    for host in world.hosts:
        for between in host.between:
            between.mend()
        if not host.process or host.process.poll() is not None:
            host.begin()
    time.sleep(1)
    check(play_on(world, None, 60 if BROKEN else 120) or BROKEN, "%d mails are left" % world.waits())
    time.sleep(3)
    holder = world.holder()
    for host in (world.others(holder) + [holder] if holder else world.hosts):
        code = host.end()
        check(code == 0 or BROKEN, "%s ended with %d:\n%s" % (host.name, code, host.said()[-3000:]))
    time.sleep(1)
    for person in world.people:
        person.look()
    return holder or world.hosts[0]


def collect(world):
    """What the judge may see."""
    evidence = WORK / "evidence"
    (evidence / "boxes").mkdir(parents=True)
    (evidence / "sent.jsonl").write_text("".join(json.dumps(mail) + "\n" for mail in world.sent))
    for name, raws in world.boxes.items():
        (evidence / "boxes" / name).mkdir()
        for number, raw in enumerate(raws):
            (evidence / "boxes" / name / ("%05d" % number)).write_bytes(raw)
    shutil.copy(world.servers.dir / "postfix/maillog", evidence / "maillog")
    places = {host.name: {g: b for g, b in journals(host.dir).items() if g != "registry"} for host in world.hosts}
    for where, games in dict(places, database=published(world.primary)).items():
        (evidence / "journals" / where).mkdir(parents=True)
        for game, bytes in games.items():
            (evidence / "journals" / where / game).write_bytes(bytes)
    return evidence


def audit(host):
    """What `turnpost audit` says of each journal: how many it does not prove."""
    broken = []
    for folder in sorted((host.dir / "games").iterdir()):
        done = subprocess.run([TURNPOST, "audit", folder, "--key", host.dir / "keys/league.pub"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            broken.append("%s: %s" % (folder.name, done.stdout.decode(errors="replace")[-300:]))
    return broken


def play(servers_list):
    print("seed %d" % SEED, flush=True)
    servers = Servers(NAMES)
    servers_list.append(servers)
    world = World(servers)
    try:
        world.make()
        play_on(world, trouble(world), 3 * SECONDS)
        last = heal(world)
        evidence = collect(world)
        judge = Judge(evidence, time.gmtime().tm_year)
        faults = dict(judge.judge())
        broken = audit(last)
        print("\n".join(judge.words + broken))
    finally:
        for host in world.hosts:
            host.kill()
        for server in (world.primary, world.standby):
            server.stop()
    happened = ", ".join("%s %d" % pair for pair in sorted(world.counts.items()))
    print("%s; takeovers after a kill: %s" % (happened, " ".join("%.1f" % t for t in sorted(world.takeovers))))
    if BROKEN:
        check(faults or broken, "the store is broken (%s), and the judge finds nothing" % BROKEN)
        print("a store that is broken (%s) is found: %s, %d journals not proved" % (BROKEN, faults, len(broken)))
        return
    check(not faults and not broken, "%s; %d journals are not proved" % (faults, len(broken)))
    kinds = tamper(evidence, WORK / "tampered")
    missed = kinds - set(Judge(WORK / "tampered", time.gmtime().tm_year).judge())
    check(not missed, "the judge does not find what was tampered with: %s" % missed)
    check(max(world.takeovers, default=0) < LEASE + 5, "a takeover took %.1f s" % max(world.takeovers, default=0))
    print("seed %d, %d s: %s; lost 0, doubled 0, all journals proved and equal; takeover after %.1f s at most" % (
        SEED, SECONDS, judge.sums(), max(world.takeovers, default=0)))


main(play)
