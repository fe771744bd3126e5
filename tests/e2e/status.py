"""`turnpost status` as monitoring asks it: what is silent for too long is no health, and a league that works once an hour or once
a day is well. Each story is a league, times at which something happens, and what status says then."""
import datetime
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

START = datetime.datetime.now(datetime.timezone.utc).replace(minute=0, second=0, microsecond=0) + datetime.timedelta(days=1)


def at(hours):
    return (START + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")




def says(league, hours, code, *words):
    """What status says at that time: its exit code, in JSON too, and these words in the lines of its troubles."""
    found = json.loads(league.tp("status", "--json", "--now", at(hours), code=code))
    troubles = "\n".join(found["troubles"])
    check(found["code"] == code and all(word in troubles for word in words), "at %s, code %d: %s" % (at(hours), code, found))
    check(code or not troubles, "a trouble without a code: " + troubles)
    return found["last"]


def once(alice, every, days, deadline):
    """A league that is worked on every so many hours: well at all times, whatever its deadlines are; then nobody comes."""
    league = League("every%d" % every)
    league.init()
    league.add(alice)
    league.seated("gc-1", "galaxy-command", "alice,robot", "--deadline", deadline, "--now", at(0))
    league.tp("run", "--now", at(0.1))
    league.tp("run", "--now", at(0.15))  # by hand, as one does on the first day
    for day in range(1, days + 1):
        for hour in range(0, 24, every):
            says(league, day * 24 + hour - 0.1, 0)
            league.tp("run", "--now", at(day * 24 + hour))
            last = says(league, day * 24 + hour + 0.01, 0)
            check(last["round"] == last["mailbox"]["read"] == at(day * 24 + hour) and not last["late"], last)
    end = days * 24 + 24 - every
    says(league, end + every - 0.1, 0)
    last = says(league, end + 31, 2, "nothing has been done since %s: is turnpost running?" % at(end))
    check(last["late"], last)
    league.set("status", round="%dh" % (2 * every))
    says(league, end + 2 * every, 0)
    says(league, end + 2 * every + 0.1, 2, "nothing has been done since")
    league.set("status", round="10d", sent="1h")
    check(says(league, end + 40, 1, "no mail has been sent since")["sent"], "no mail was sent")


def deaf(league, broken, mended, code):
    """Rounds go on, and no mail can be read."""
    league.tp("run", "--now", at(1))
    says(league, 1.1, 0)
    league.set("incoming", **broken)
    league.tp("run", "--now", at(2), code=code)
    last = says(league, 2.9, 0)
    check(last["mailbox"]["failing"] == at(2) and last["mailbox"]["read"] == at(1) and last["round"] == at(2), last)
    league.tp("run", "--now", at(3), code=code)
    words = says(league, 3.1, 2, "the mailbox was last read at %s; since %s no round could read it: " % (at(1), at(2)))["mailbox"]["words"]
    check(words and words in league.tp("status", "--now", at(3.1), code=2), "it is not said why")
    for hours in range(4, 36, 10):
        league.tp("run", "--now", at(hours), code=code)
    says(league, 35, 2, "since %s no round could read it" % at(2))
    league.set("status", mailbox="3d")
    says(league, 35, 0)
    league.set("status", mailbox="1h")
    if league.dir.joinpath("catalog.sqlite").exists():  # a cache, which says nothing else
        league.dir.joinpath("catalog.sqlite").unlink()
    league.set("incoming", **mended)
    league.tp("run", "--now", at(36))
    check(says(league, 36.1, 0)["mailbox"]["failing"] == "", "it is read again")


def unsent(league, alice):
    """Nobody tries to send what is there, as nobody can log in."""
    league.set("outgoing", type="smtp", host="127.0.0.1", port=1, user="orders", password_command="false")
    league.add(alice)
    league.seated("gc-2", "galaxy-command", "alice,robot", "--deadline", "20d", "--now", at(40))
    league.tp("run", "--now", at(41), code=None)
    check(league.code and "password" in league.err, league.err)
    last = says(league, 41.1, 2, "a mail has been in the spool since", "nobody has tried to send it")
    check(last["oldest_unsent"], last)
    league.set("outgoing", type="maildir")
    league.tp("run", "--now", at(42))
    check(says(league, 42.1, 0)["oldest_unsent"] == "", "it has left")


def unread(league, alice):
    """A mail that stays in the mailbox, since the file of its player cannot be read."""
    path = league.dir / "players/alice.json"
    kept = path.read_bytes()
    path.write_bytes(b"{")
    league.put_mail(alice.mail(league.orders("gc-2", 1, ["explore near", "build"], final="yes")), "waits")
    league.tp("run", "--now", at(43), code=65)
    came = says(league, 44, 2)["mailbox"]["oldest"]
    check(came and came <= at(43), "nothing waits: %s" % came)
    league.tp("run", "--now", at(66), code=65)
    check(says(league, 68, 2, "a mail that came at %s is still in the mailbox" % came)["mailbox"]["oldest"] == came, "another mail")
    path.write_bytes(kept)
    league.tp("run", "--now", at(69))
    check(says(league, 69.1, 0)["mailbox"]["oldest"] == "", "it was read")


def play(_):
    alice = Player("alice")
    once(alice, 24, 4, "1d")
    once(alice, 6, 1, "10h")
    folder = League("folder")
    folder.init()
    deaf(folder, {"maildir": "mail/none"}, {"maildir": "mail/in"}, 78)
    server = League("server")
    server.init()
    deaf(server, {"type": "imap", "host": "127.0.0.1", "port": 1, "user": "orders", "password_env": "HOME"},
         {"type": "maildir"}, 75)
    unsent(server, alice)
    unread(server, alice)
    print("leagues that work once a day and every six hours, a mailbox that is gone, a server that is dead, mails that wait")


main(play)
