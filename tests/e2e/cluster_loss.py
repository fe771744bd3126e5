"""A league in PostgreSQL whose standby is not synchronous: the primary dies with commits that the standby does not have. The hosts say
so and stop; with the copy of a host that has them nothing is lost; without one each game says that it was restored, players are told,
and what they hold of the lost minutes is named by receipt-check instead of being called a forgery. Played by turnpost-store(1), "After a
loss"."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *

LEASE = 4
TOLD = "The league has lost records"


class Story(Table):
    def __init__(self, servers_list):
        super().__init__(servers_list)
        self.primary, self.standby = Postgres(WORK / "a").start(), Postgres(WORK / "b")
        self.follow()
        self.hosts = []

    def follow(self):
        """The standby, by a line of its own."""
        self.link = Between(self.primary.port)
        self.standby.follow(self.primary, port=self.link.port)
        self.primary.wait_for_standby(False)

    def host(self, name, first):
        host = Host(name)
        host.join(first)
        self.hosts.append(host)
        return host

    def fail_over(self):
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def lose_turn(self):
        """A turn of which the standby hears nothing; then it is the primary."""
        self.link.drop()
        self.play()
        self.fail_over()

    def judge(self, host, verdict):
        """What players hold against the journals."""
        for player in self.players:
            box = WORK / "box"
            shutil.rmtree(box, ignore_errors=True)
            box.mkdir()
            for number, raw in enumerate([mail.as_bytes() for mail in self.mails[player.name]] + self.sent[player.name]):
                (box / ("%03d" % number)).write_bytes(raw)
            report = json.loads(host.tp("receipt-check", box, "--journal", host.dir / "games", "--key", host.dir / "keys/league.pub", "--json",
                                        code=None))
            check((host.code, report["verdict"]) == verdict, "receipt-check of %s: exit %d, %s, %s" % (
                player.name, host.code, report["verdict"], [f["text"] for f in report["findings"] if f["weight"] in ("wrong", "ask")]))


def end_with(host, words):
    """It ends by itself, with 78, and says why."""
    try:
        code = host.process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        raise Failed("%s goes on:\n%s" % (host.name, host.said()[-2000:]))
    host.process = None
    check(code == 78 and re.search(words, host.said()), "%s ended with %d:\n%s" % (host.name, code, host.said()[-2000:]))


def set_up(story):
    one = Host("one")
    story.hosts.append(one)
    story.begin(one)
    one.keep_in(story.primary.database(story.standby.port), LEASE)
    one.tp("store", "copy", "files", "postgres")
    two = story.host("two", one)
    one.begin()
    await_holder(one, 20)
    two.begin()
    story.play()
    return one, two


def with_a_copy(story, one, two):
    """Both hosts have seen what the database has lost."""
    story.lose_turn()
    story.send()  # whoever decides learns of it when there is something to commit
    end_with(one, "the database has lost commits")
    end_with(two, "the database has lost commits|another server has become the database")  # it is a second behind
    one.tp("store", "copy", "files", "postgres", "--instead")
    (two.dir / "store/position").unlink()
    one.begin()
    await_holder(one, 20)
    two.begin()
    story.read()
    story.judge(one, (0, "holds"))


def without_one(story, one, two):
    """A turn is lost, and so are the hosts that have seen it."""
    story.follow()
    story.play()
    turn = story.turn
    story.lose_turn()
    for host in (one, two):
        host.kill()
    three = story.host("three", one)
    three.begin()
    end_with(three, "another server has become the database")
    time.sleep(LEASE)  # of the one that is gone
    three.tp("store", "accept")
    three.tp("mail", "again", "--since", "2h")
    for name in story.report:  # the turn that was lost comes again
        story.report[name] = {t: mail for t, mail in story.report[name].items() if t <= turn}
    story.turn = turn
    three.begin()
    await_holder(three, 20)
    story.read()
    for name, mails in story.mails.items():
        check(any(TOLD in mail["Subject"] for mail in mails), "%s was not told: %s" % (name, [m["Subject"] for m in mails[-4:]]))
    check(any(r.get("kind") == "lost" for r in three.records("gc-1")), "no record says so")
    story.play()
    story.judge(three, (1, "holds, with questions"))
    check(three.end() == 0, "it did not end cleanly: " + three.said()[-2000:])
    return three


def play(servers_list):
    story = Story(servers_list)
    try:
        one, two = set_up(story)
        with_a_copy(story, one, two)
        three = without_one(story, one, two)
        verify_chain(three, "gc-1", stock=False)
    finally:
        for host in story.hosts:
            host.kill()
        for server in (story.primary, story.standby):
            server.stop()
    print("%d turns; commits were lost twice: from a host's copy nothing was missing, and without one everybody was told" % (story.turn - 1))


main(play)
