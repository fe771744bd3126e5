"""A backup taken while the league is at work, restored, and brought up to date from the Processed mails: the same
journals, byte for byte. And what `turnpost status` says of mails."""
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

GAMES = 12
START = "2026-11-20T08:%02d:00Z"


def send_orders(league, player, games, turn):
    for game in games:
        text = league.orders(game, turn, ["explore near", "build"], final="yes")
        league.put_mail(player.mail(text), "%s-%d" % (game, turn))


def status(league, code=0):
    return json.loads(league.tp("status", "--json", "--now", START % 30, code=code))


def journals(folder):
    return {p.parent.name: p.read_bytes() for p in sorted((folder / "games").glob("*/journal.jsonl"))}


def digests():
    """A backup whose mails are ahead of its games, as when a turn was played and a digest gathered while it was made."""
    league = League("digests")
    league.today = START[:10]
    league.init()
    dana, erin = Player("dana"), Player("erin")
    league.add(dana)
    league.add(erin)
    league.put_mail(dana.mail(league.petition("prefs", "digest: 07:00")), "prefs")
    league.tp("run", "--now", START % 0)
    league.seated("gc-1", "galaxy-command", "dana,erin", "--deadline", "7d", "--now", START % 1)
    league.tp("run", "--now", START % 2)
    backup = {}

    def keep(name):
        backup[name] = league.dir.parent / ("digests-" + name)
        league.tp("backup", str(backup[name]))

    def mix(name, *spool):
        """The games as they were before the turn, and mails of afterwards."""
        made = league.dir.parent / ("mixed-" + name)
        shutil.copytree(backup["before"], made)
        for source, folder in spool:
            shutil.rmtree(made / "spool" / folder, ignore_errors=True)
            shutil.copytree(backup[source] / "spool" / folder, made / "spool" / folder)
        said = league.tp("restore", str(made), str(league.dir.parent / ("restored-" + name)))
        return said, sorted(p.name for p in (league.dir.parent / ("restored-" + name) / "spool").glob("*/*.eml"))

    send_orders(league, dana, ["gc-1"], 1)
    league.tp("run", "--now", START % 3)
    keep("before")
    send_orders(league, erin, ["gc-1"], 1)
    league.tp("run", "--now", START % 4)
    keep("played")
    league.set("outgoing", type="sendmail", sendmail="false")
    league.tp("run", "--now", "2026-11-21T07:30:00Z")
    keep("gathered")
    check(len(list((backup["played"] / "spool/digest").iterdir())) >= 1, "nothing waits for a digest")
    check(len(list((backup["gathered"] / "spool/wait").iterdir())) == 1, "no digest waits to be sent again")
    said, left = mix("both", ("played", "digest"), ("gathered", "wait"))
    check("left out" in said and "digests hold" not in said, "a digest with all its mails: " + said)
    check(not any("digest." in name for name in left), "the digest is still there: %s" % left)
    said, left = mix("alone", ("gathered", "wait"), ("gathered", "digest"))
    check("1 digests hold such mails" in said and len(left) == 1, "a digest alone: %s %s" % (said, left))


def mails_again(league, now):
    """What was done already is neither done nor answered again."""
    before, sent = journals(league.dir), sorted((league.dir / "mail/out").rglob("*"))
    said = league.tp("mail", "again", "--since", "20w", "--now", now)
    waiting = len(list((league.dir / "mail/in/new").iterdir()))
    check(waiting > 0 and said.startswith("%d mails moved back" % waiting), "mail again: %s, and %d wait" % (said, waiting))
    league.tp("run", "--now", now)
    check(not list((league.dir / "mail/in/new").iterdir()), "mails that came again stay")
    check(journals(league.dir) == before and sorted((league.dir / "mail/out").rglob("*")) == sent, "mails that came again did something")


def one_by_one(league, alice):
    """Of a damaged backup all is restored but what is damaged, which says where, and rests; it comes back from another backup, alone,
    and tells its players what is lost."""
    broken, mended = league.dir.parent / "broken", League("mended")
    shutil.copytree(league.dir.parent / "backup0", broken)
    path = broken / "games/gc-3/journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"turn":1', b'"turn":2', 1))
    said = mended.tp("restore", str(broken), str(mended.dir), code=65) + mended.err
    check("gc-3" in said and "1 part of it is damaged" in said and "%d games checked" % (GAMES - 1) in said, said)
    before = len(mended.records("gc-2"))
    mended.tp("run", "--now", START % 5, code=65)
    check("gc-3" in mended.err and "gc-2" not in mended.err and len(mended.records("gc-2")) > before, "the others do not go on: " + mended.err)
    mended.tp("status", "--now", START % 5, code=2)
    mended.tp("game", "restore", "gc-3", str(broken), code=65)
    check("nothing was changed" in mended.err, mended.err)
    mended.tp("game", "restore", "gc-3", str(league.dir.parent / "backup0"))
    check((mended.dir / "games/gc-3/journal.jsonl.before").exists(), "what stood there is gone")
    mended.new_mails(alice.address)
    mended.tp("run", "--now", START % 6)
    check(any(r.get("kind") == "lost" for r in mended.records("gc-3")), "it does not say that it was restored")
    check(any("[gc-3]" in m["Subject"] for m in mended.new_mails(alice.address)), "its players are not told")
    mended.tp("audit", "gc-3", code=None)
    check(mended.code < 2, "what came back is broken")
    mended.tp("game", "restore", "gc-3", str(league.dir.parent / "backup0"), code=1)

    # one that vanished, and is to be gone
    shutil.rmtree(mended.dir / "games/gc-4")
    mended.tp("run", "--now", START % 7, code=65)
    check("turnpost game forget gc-4" in mended.err, mended.err)
    mended.tp("new", "gc-4", "galaxy-command", "--seats", "alice,robot", "--now", START % 7, code=1)
    mended.tp("game", "forget", "gc-4", "--now", START % 7)
    mended.tp("run", "--now", START % 7)
    mended.tp("new", "gc-4", "galaxy-command", "--seats", "alice,robot", "--now", START % 7, code=1)


def play(_):
    league = League("first")
    league.init()
    alice = Player("alice")
    league.add(alice)
    none = League("none")
    league.tp("backup", str(league.dir.parent / "nothing"))
    league.tp("restore", str(league.dir.parent / "nothing"), str(none.dir))
    check((none.dir / "registry/life").exists(), "without games a restored league gives mails the ids of others that were sent before")
    games = ["gc-%d" % i for i in range(1, GAMES + 1)]
    for game in games:
        league.seated(game, "galaxy-command", "alice,robot", "--deadline", "1d", "--now", START % 0)
    league.tp("run", "--now", START % 1)
    send_orders(league, alice, games, 1)
    league.tp("run", "--now", START % 2)

    # a backup while a run is under way, which has not been asked to stand still
    os.chmod(league.dir / "queue", 0o755)
    send_orders(league, alice, games, 2)
    run = subprocess.Popen([TURNPOST, "run", "--league", str(league.dir), "--now", START % 3])
    backups = 0
    while backups < 6 and (run.poll() is None or backups == 0):
        said = league.tp("backup", str(league.dir.parent / ("backup%d" % backups)))
        check("worked on the league meanwhile" in said, said)
        backups += 1
    os.chmod(league.dir / "queue", 0o700)
    check(run.wait() == 0, "the run beside the backup failed")
    send_orders(league, alice, games, 3)
    league.tp("run", "--now", START % 4)
    check(status(league)["code"] == 0, "all is well, and status does not say so")

    # each of them becomes the league of today when its Processed mails are read again; as they are read at the same times,
    # not even a head is lost
    for number in range(backups):
        again = League("again%d" % number)
        source = league.dir.parent / ("backup%d" % number)
        league.tp("restore", str(source), str(again.dir), "--nothing-lost")
        for where in ("new", "cur", "tmp"):
            (again.dir / "mail/in" / where).mkdir(parents=True, exist_ok=True)
        mails = sorted((league.dir / "mail/in/.Processed/cur").iterdir(), key=lambda p: p.name)
        for turn in (1, 2, 3):
            for mail in mails:
                if mail.name.split(":")[0].split(",")[0].endswith("-%d" % turn):
                    shutil.copy(mail, again.dir / "mail/in/new" / mail.name.split(":")[0])
            again.tp("run", "--now", START % (1 + turn))
        check(journals(again.dir) == journals(league.dir), "backup %d does not lead to the same journals" % number)
        mails_again(again, START % 5)

    # who has lost something, and moves before all games have said so, keeps that in mind
    lost, moved = League("lost"), League("moved")
    copied = league.dir.parent / "copied"
    league.tp("restore", str(league.dir.parent / "backup0"), str(lost.dir))
    lost.tp("backup", str(copied))
    league.tp("restore", str(copied), str(moved.dir), "--nothing-lost")
    check((moved.dir / "log/entries").read_bytes() == (lost.dir / "log/entries").read_bytes(), "the backup forgets what games have to say")

    one_by_one(league, alice)

    # status: what became of a mail, and of one that cannot leave
    check("sent" in league.tp("status", "alice", "--now", START % 30), "status does not tell what was sent")
    league.set("outgoing", type="sendmail", sendmail="false")
    send_orders(league, alice, games[:1], 4)
    league.tp("run", "--now", START % 6)
    now = status(league, code=1)
    # the report, which is the receipt as well
    check(now["spool"]["retrying"] == 1 and now["players"][0]["retrying"] == 1, "mails that wait are not told: %s" % now)
    check(now["spool"]["unsent"] == 0 and now["players"][0]["unsent"] == 0, "something else waits: %s" % now)
    check(any("tried again" in line for line in now["troubles"]), "no trouble is told")
    late = json.loads(league.tp("status", "--json", "--now", "2026-11-25T08:00:00Z", code=2))
    check(late["games"]["overdue"] == GAMES, "overdue turns are not told")
    digests()
    print("%d backups beside a run, each restored to the same %d journals" % (backups, GAMES))


main(play)
