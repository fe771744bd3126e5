"""What a commit is worth in PostgreSQL: it is told to nobody before the standbys have it that the server names, whatever the role says
of synchronous_commit, also when its wait is cancelled or its connection ended; no standby named, nothing decided; and after a failover
hosts go on unasked only if nothing can be lost, else each of them says so, also one that has not seen what was lost. LONG=1 (make
cluster): every setting of the role, with every kind of league.ini and of standby."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *

LEASE = 3
LOST, MOVED, ANOTHER = "the database has lost commits", "has moved from the database", "another server has become the database"
PEOPLE = []


class Story:
    """A league in a Maildir, two hosts of it, and servers a and b, of which b follows."""

    def __init__(self, name, synchronous, role):
        self.work = WORK / name
        self.work.mkdir()
        self.servers, self.count = [Postgres(self.work / "a").start()], 0
        self.primary.ask("ALTER ROLE turnpost SET synchronous_commit = %s" % role)
        self.one, self.two = Host(name + "-one"), Host(name + "-two")
        self.follow(synchronous == "yes")
        self.league(synchronous)

    @property
    def primary(self):
        return self.servers[0]

    def stop(self):
        self.link.thaw()  # a server that ends waits until its standby has all
        for server in self.servers:
            server.stop()

    def follow(self, synchronous=True, name="standby"):
        """A standby, by a line of its own; commits wait for it, or not."""
        self.count += 1
        standby = Postgres(self.work / ("s%d" % self.count))
        self.link = Between(self.primary.port)
        standby.follow(self.primary, port=self.link.port, name=name)
        self.servers.insert(1, standby)
        if name == "standby":
            self.primary.wait_for_standby(synchronous)

    def league(self, synchronous):
        one = self.one
        one.init()
        one.set("incoming", type="maildir")
        (one.dir / "password").write_text("-\n")
        if not PEOPLE:
            PEOPLE.extend(Player(name) for name in ("alice", "bob"))
        for player in PEOPLE:
            one.add(player)
        one.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "30d")
        one.keep_in(self.primary.database(), LEASE)
        one.set("store", synchronous=synchronous)
        one.tp("store", "copy", "files", "postgres")

    def join(self):
        """The second host, whose copy has all that there is."""
        self.two.join(self.one)
        shutil.copytree(self.one.dir / "mail/in", self.two.dir / "mail/in")
        self.two.tp("run")

    def fail_over(self):
        """The standby is the database, whatever it has."""
        self.primary.kill()
        self.servers.pop(0)
        self.primary.promote()
        for host in (self.one, self.two):
            host.set("store", database=self.primary.database())

    def name(self, standbys):
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = '%s'" % standbys, "postgres")
        self.primary.ask("SELECT pg_reload_conf()", "postgres")
        wait_until(lambda: self.primary.ask("SHOW synchronous_standby_names") == [standbys], "the server does not read its options")

    def pause(self, host, code=0):
        """A command, and whether its record is in the database afterwards."""
        host.tp("moderate", "gc-1", "extend", "1h", "--reason", "a test", code=code)
        return self.records()

    def records(self):
        return published(self.primary)["gc-1"].count(b"\n")


def wait_until(true, words, seconds=20):
    end = time.time() + seconds
    while not true():
        check(time.time() < end, words)
        time.sleep(0.05)


def says(host, words, code=78):
    host.tp("run", code=code)
    check(words in host.err, "%s instead of \"%s\"" % (host.err, words))


WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name LIKE 'turnpost %'"


def interrupt(story, how):
    """The standby hears nothing of a commit, and the server is told not to wait for it: the command does not end before it has it."""
    hold = subprocess.Popen(["psql", "-X", "-q", "-h", str(story.primary.dir), "-p", str(story.primary.port), "-U", "postgres", "-d", "league"],
                            stdin=subprocess.PIPE, text=True)
    hold.stdin.write("BEGIN; LOCK TABLE turnpost.part IN EXCLUSIVE MODE;\n")
    hold.stdin.flush()
    wait_until(lambda: story.primary.ask("SELECT 1 FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation = 'turnpost.part'::regclass"), "no lock")
    command = subprocess.Popen([TURNPOST, "moderate", "gc-1", "extend", "1h", "--reason", how, "--league", str(story.one.dir)],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_until(lambda: story.primary.ask("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"), "it commits nothing")
    story.link.freeze()
    hold.communicate("COMMIT;\n")
    ended = set()

    def waiting():
        check(command.poll() is None, "it ended with %s before a standby has its record: %s" % (command.poll(), how))
        return [pid for pid in story.primary.ask(WAITING) if pid not in ended]
    for _ in range(2):  # the commit, and what is to confirm it
        wait_until(waiting, "nothing waits for the standby")
        pid = waiting()[0]
        ended.add(pid)
        story.primary.ask("SELECT %s(%s)" % (how, pid))
    time.sleep(0.3)
    waiting()
    story.link.thaw()
    said = command.communicate(timeout=30)[0]
    return command.returncode, said


def confirm(story):
    """Whoever is interrupted."""
    for how in ("pg_cancel_backend", "pg_terminate_backend")[not os.environ.get("LONG"):]:
        before = story.records()
        code, said = interrupt(story, how)
        check((code, story.records()) == (0, before + 1), "%s: exit %d, %d records more: %s" % (how, code, story.records() - before, said))


def nameless(story):
    """No standby is named: nothing is decided until one is."""
    before = story.records()
    for option in ("fsync", "full_page_writes"):
        story.primary.ask("ALTER SYSTEM SET %s = off" % option)
    story.name("")
    check(story.pause(story.one, code=75) == before and "names no second server" in story.one.err, story.one.err)
    said = story.one.tp("doctor", code=None)
    check(all(words in said for words in ("so nothing is decided", "synchronous_commit is local", "fsync = off", "full_page_writes = off")), said)
    for option in ("fsync", "full_page_writes"):
        story.primary.ask("ALTER SYSTEM RESET %s" % option)
    story.name("standby")
    check(story.pause(story.one) == before + 1, "the record is not there")


def fail_over_with(story):
    """The standby has all: hosts go on by themselves. One that has seen what it lacks would not."""
    before = story.records()
    story.fail_over()
    story.follow()
    check(story.records() == before and story.pause(story.two) == before + 1, "something is lost")
    story.one.tp("run")


def lose_unasked(story):
    """A commit waited for one standby, and another one becomes the database: the host that knows of it tells the other."""
    story.follow(name="behind")
    story.link.drop()
    before = story.records()
    story.pause(story.one)
    story.fail_over()
    story.follow()
    check(story.records() == before, "the standby has it after all")
    says(story.one, LOST)
    says(story.two, LOST)
    check(json.loads(story.two.tp("store", "status", "--json"))["closed"] == "lost", "it is not marked")
    story.two.tp("store", "intact")
    says(story.one, LOST)
    story.two.tp("run")


def had(story, safe):
    """Each kind of league after a failover to a standby that has all: on, or asked first."""
    before = story.pause(story.one)
    wait_until(lambda: story.servers[1].ask("SELECT 1 FROM turnpost.league WHERE seq = %s" % story.primary.ask("SELECT seq FROM turnpost.league")[0]),
               "the standby does not follow")
    story.fail_over()
    if safe == "yes":
        story.follow()
    if safe == "no":
        says(story.two, ANOTHER)
        says(story.one, ANOTHER)
        story.two.tp("store", "intact")
    check(story.pause(story.two) == before + 1, "something is lost")
    story.one.tp("run")


def had_not(story, safe):
    """... and to one that lacks the last commit: nobody was told of it, or each host says that it is lost."""
    before = story.pause(story.one)
    time.sleep(0.5)
    story.link.drop()
    command = subprocess.Popen([TURNPOST, "moderate", "gc-1", "extend", "1h", "--reason", "x", "--league", str(story.one.dir)],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        told = command.wait(timeout=3) == 0
    except subprocess.TimeoutExpired:
        told = False
        command.kill()
    story.fail_over()
    if safe == "yes":
        story.follow()
    check(told == (safe != "yes"), "it was answered: %s" % told)
    if told:
        check(story.records() == before, "nothing is lost")
        says(story.one, LOST)
        says(story.two, LOST)
    else:
        check(story.pause(story.two) == before + 1, "something is lost")


def each_setting():
    count = 0
    for role in ("off", "local", "remote_write", "on", "remote_apply"):
        for safe in ("no", "yes", "storage"):
            for ends in (had, had_not):
                count += 1
                story = Story("%s-%s-%s" % (role, safe, ends.__name__), safe, role)
                try:
                    story.join()
                    ends(story, safe)
                except Failed as why:
                    raise Failed("synchronous_commit %s, synchronous = %s, a standby that %s the commits: %s" % (role, safe, ends.__name__, why))
                finally:
                    story.stop()
    return count


def change_the_word(story):
    """Whoever promises more after a failover has not said what it lost; whoever changes it alone is no host of the league."""
    story.one.set("store", synchronous="no")
    says(story.one, "are not those of the league's other hosts")
    story.one.tp("store", "agree")
    story.pause(story.one)
    says(story.two, "are not those of the league's other hosts")
    story.link.drop()
    story.name("")
    story.pause(story.one)
    story.fail_over()
    for host in (story.two, story.one):
        host.set("store", synchronous="storage")
    story.two.tp("store", "agree")
    says(story.two, ANOTHER)


def tell(name, *acts):
    """A league with synchronous = yes whose role says otherwise."""
    story = Story(name, "yes", "local")
    try:
        story.join()
        for act in acts:
            act(story)
    finally:
        story.stop()


def play(servers_list):
    count = 0
    if os.environ.get("LONG"):
        tell("long", confirm, nameless, fail_over_with, lose_unasked)
        tell("word", change_the_word)
        count = each_setting()
    else:
        tell("short", confirm, nameless, lose_unasked)
    print("nothing was told that a failover took back, or each host has said so; %d combinations of settings" % count)


main(play)
