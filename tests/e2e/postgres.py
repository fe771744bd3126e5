"""A league that has begun in files is moved into PostgreSQL by the commands of the page, on real Dovecot and Postfix; its host is
killed, another one takes over and plays on; the answer of a commit is lost; and it goes back to files, where it plays on."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *

LEASE = 4


class Story(Table):
    def __init__(self, servers_list):
        super().__init__(servers_list)
        self.postgres = Postgres(WORK / "postgres").start()
        self.one, self.two = Host("one"), Host("two")


def refuses(postgres, sql):
    try:
        postgres.ask(sql, user="reader")
    except SystemExit as why:
        check("permission denied" in str(why), str(why))
        return
    raise Failed("a reader may: " + sql)


def move_in(story):
    """As turnpost-store(1) says."""
    one, postgres = story.one, story.postgres
    before = journals(one.dir)
    story.between = Between(postgres.port)
    one.keep_in(postgres.database(port=story.between.port), LEASE)
    one.tp("store", "copy", "files", "postgres")
    one.tp("store", "copy", "files", "postgres", code=None)
    check(one.code != 0, "a league in the database was overwritten")
    postgres.ask("CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA turnpost TO reader; GRANT SELECT ON turnpost.journal TO reader")
    check({g: before[g] for g in before if g != "registry"} == published(postgres, user="reader"), "the database has other journals")
    for table in ("league", "file", "part", "done"):
        refuses(postgres, "SELECT * FROM turnpost.%s" % table)
    story.two.join(one, postgres.database())
    said = story.two.tp("doctor")
    check("nothing of it is here yet" in said and "missing" not in said, "doctor before the first start: " + said)


def take_over(story):
    """Killed in the middle of its work; how long it took until the other host decided."""
    one, two = story.one, story.two
    one.begin()
    await_holder(one, 20)
    two.begin()
    story.play()
    story.send()
    time.sleep(0.3)
    one.kill()
    began = time.time()
    await_holder(two, LEASE + 5)
    took = time.time() - began
    check(took < LEASE + 5, "the takeover took %.1f s" % took)
    story.read()
    story.play()
    return took


def lose_answers(story):
    """The first host is back and follows, decides again, and the database's answers to its commits are lost in each way."""
    one, two = story.one, story.two
    one.begin()
    check(two.end() == 0, "it did not end cleanly: " + two.said()[-2000:])
    await_holder(one, 10)
    for what in ("answer", "request"):
        story.between.lose(what)
        story.play()
        check(story.between.met.is_set(), "no commit was lost")
    check(one.end() == 0, "it did not end cleanly: " + one.said()[-2000:])


def move_out(story):
    one, two, postgres = story.one, story.two, story.postgres
    two.tp("store", "copy", "postgres", "files")
    kept = journals(two.dir)
    check(kept == journals(one.dir), "two hosts have other journals")
    check({g: kept[g] for g in kept if g != "registry"} == published(postgres), "the database has other journals")
    two.set("store", type="files")
    postgres.stop()
    two.begin()
    story.play()
    check(two.end() == 0, "it did not end cleanly: " + two.said()[-2000:])
    check(all(journals(two.dir)[name].startswith(kept[name]) for name in kept), "a journal was changed on the way")


def play(servers_list):
    story = Story(servers_list)
    try:
        story.begin(story.one)
        move_in(story)
        took = take_over(story)
        lose_answers(story)
        move_out(story)
        verify_chain(story.two, "gc-1")
        mails = [r["mail"] for r in story.two.records("gc-1") if r["type"] == "orders"]
        check(len(mails) == len(set(mails)) == 2 * (story.turn - 1), "%d orders, %d turns" % (len(mails), story.turn))
        for player in (story.alice, story.bob):
            check(not player.fetch(story.servers, expect=0), player.name + " got mails that nothing calls for")
    except Failed:  # the servers' folder goes with them
        shutil.copy(story.servers.dir / "postfix/maillog", WORK)
        raise
    finally:
        for host in (story.one, story.two):
            host.kill()
        story.postgres.stop()
    print("%d turns; the second host took over after %.1f s, with a lease of %d s" % (story.turn - 1, took, LEASE))


main(play)
