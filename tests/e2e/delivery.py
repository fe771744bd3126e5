"""What becomes of mails, one of each kind, and how the player and the operator hear of it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

# A sendmail that refuses, or puts off, whom it is told to.
SENDMAIL = """#!/bin/sh
for to; do :; done
[ -e %(dir)s/limit ] && { echo "the server did not accept the mail"; echo "server message: 550 5.4.5 Daily user sending limit exceeded"; exit 65; }
grep -qx "$to" %(dir)s/refuse && { echo "550 5.1.1 no such user"; exit 67; }
grep -qx "$to" %(dir)s/later && { echo "451 try again"; exit 75; }
cat > %(dir)s/sent/$(date +%%s%%N).$to
"""


def status(league, now, code):
    return json.loads(league.tp("status", "--json", "--now", now, code=code))


def one_mail(league, player, now, code):
    """What `status --mail` says of the last mail to a player: its place in the spool, or None, and its state."""
    mail = next(p["mails"][0]["mail"] for p in status(league, now, code)["players"] if p["player"] == player)
    found = json.loads(league.tp("status", "--mail", mail, "--json", "--now", now))
    check(found["mail"] == mail, "another mail: %s" % found)
    return found["spool"] and found["spool"]["place"], found["delivery"] and found["delivery"]["state"]


def states(league, now, code):
    """{player: [states of his mails]}, and who is flagged."""
    people = status(league, now, code)["players"]
    return {p["player"]: [m["state"] for m in p["mails"]] for p in people}, [p["player"] for p in people if p["bounces"]]


def sent_to(box, address):
    return [parse(p.read_bytes()) for p in sorted(box.glob("sent/*." + address))]


def limit(league, box, alice, bob):
    """The server has had enough for the day: nothing is given up, nobody is flagged, and the operator hears of it."""
    league.today = "2026-11-22"
    (box / "limit").touch()
    for player in (alice, bob):
        league.put_mail(player.mail(league.petition("resend", "seq: 2")), "again" + player.name)
    before = status(league, "2026-11-22T07:59:00Z", None)
    league.tp("run", "--now", "2026-11-22T08:00:00Z", code=75)
    check("takes none of our mails now (the server did not accept the mail" in league.err and "5.4.5" in league.err, league.err)
    now = status(league, "2026-11-22T08:01:00Z", 1)
    waiting = now["spool"]["unsent"]
    check(waiting >= 2 and now["spool"]["given_up"] == before["spool"]["given_up"] and now["spool"]["retrying"] == 0 and
          now["spool"]["pause"]["next"] == "2026-11-22T08:05:00Z" and not any(p["bounces"] for p in now["players"]), "the limit: %s" % now["spool"])
    check("takes none of our mails since 2026-11-22T08:00:00Z, and %d wait" % waiting in league.tp("doctor", code=None), "doctor does not tell of the limit")
    league.tp("run", "--now", "2026-11-22T08:04:00Z")
    league.tp("run", "--now", "2026-11-22T08:05:00Z", code=75)
    check(status(league, "2026-11-22T08:06:00Z", 1)["spool"]["pause"]["next"] == "2026-11-22T08:15:00Z", "it does not slow down")
    (box / "limit").unlink()
    league.tp("run", "--now", "2026-11-22T08:14:00Z")
    check(status(league, "2026-11-22T08:14:30Z", 1)["spool"]["unsent"] == waiting, "it was tried before its time")
    league.tp("run", "--now", "2026-11-22T08:15:00Z")
    now = status(league, "2026-11-22T08:16:00Z", None)
    check(now["spool"]["unsent"] == 0 and now["spool"]["pause"] is None, "after the limit: %s" % now["spool"])


def retry(league, box, alice, bob):
    """What was given up can be sent after all."""
    given_up = lambda: {p["player"]: p["given_up"] for p in status(league, "2026-11-22T10:00:00Z", None)["players"]}
    before = given_up()
    check(before["alice"] and before["bob"], "nothing was given up: %s" % before)
    league.tp("mail", "retry", "tomorrow", code=64)
    check('takes "all", an address, or since when' in league.err, league.err)
    league.tp("mail", "list", "all", code=64)
    said = league.tp("mail", "retry", "1h", "--now", "2026-11-22T10:00:00Z")
    check("tries 0 mails again that were given up" in said, said)
    sent = len(sent_to(box, alice.address))
    said = league.tp("mail", "retry", alice.address, "--now", "2026-11-22T10:00:00Z")
    check("tries %d mail" % before["alice"] in said and "moved back" not in said, said)
    league.tp("run", "--now", "2026-11-22T10:01:00Z")
    check(len(sent_to(box, alice.address)) == sent + before["alice"] and given_up() == {**before, "alice": 0}, "retry of an address: %s" % given_up())
    said = league.tp("mail", "retry", "2026-11-20T00:00:00Z", "--now", "2026-11-22T10:02:00Z")
    check("tries %d mail" % before["bob"] in said and "0 mails moved back" in said, said)
    league.tp("run", "--now", "2026-11-22T10:03:00Z")
    check(not any(given_up().values()), "retry since a time: %s" % given_up())
    check("tries 0 mails" in league.tp("mail", "retry", "all", "--now", "2026-11-22T10:04:00Z"), "retry all")


def play(_):
    league, box = League(), WORK / "box"
    league.init()
    (box / "sent").mkdir(parents=True)
    (box / "sendmail").write_text(SENDMAIL % {"dir": box})
    (box / "sendmail").chmod(0o755)
    (box / "refuse").write_text("alice@players.test\n")
    (box / "later").write_text("bob@players.test\n")
    league.set("outgoing", type="sendmail", sendmail=box / "sendmail", expire="1h")
    alice, bob, carl = Player("alice"), Player("bob", "minisign"), Player("carl", "signify")
    for player in (alice, bob, carl):
        league.add(player)
    (box / "refuse").write_text("")
    league.tp("player", "address", "alice", alice.address, "alice@second.test", "--at-once", "--now", "2026-11-12T08:00:00Z")
    league.tp("run", "--now", "2026-11-12T08:00:00Z")
    check([m["Subject"] for m in sent_to(box, alice.address) + sent_to(box, "alice@second.test")] == ["Where your mail goes, alice"] * 2, "both are told")
    for told in box.glob("sent/*"):
        told.unlink()
    (box / "refuse").write_text("alice@players.test\n")
    league.today = "2026-11-20"
    league.put_mail(carl.mail(league.petition("prefs", "digest: yes")), "prefs")
    league.tp("run", "--now", "2026-11-20T08:00:00Z")
    league.seated("gc-1", "galaxy-command", "carl,alice,bob", "--deadline", "3d", "--now", "2026-11-20T08:00:00Z")

    got, flagged = states(league, "2026-11-20T08:01:00Z", 0)
    check(got == {"alice": ["spooled", "sent", "sent"], "bob": ["spooled"], "carl": ["digest", "sent"]} and not flagged, "at first: %s" % got)
    check(one_mail(league, "bob", "2026-11-20T08:01:00Z", 0) == ("new", None), "a mail that waits")
    league.tp("run", "--now", "2026-11-20T09:00:00Z", code=None)
    got, flagged = states(league, "2026-11-20T09:01:00Z", 1)
    check(got["alice"] == ["spooled", "refused", "sent", "sent"] and got["bob"] == ["retrying"] and flagged == ["alice"],
          "refused and put off: %s %s" % (got, flagged))
    check(one_mail(league, "bob", "2026-11-20T09:01:00Z", 1) == ("retrying", "retrying"), "a mail that was put off")
    league.tp("run", "--now", "2026-11-20T09:30:00Z", code=None)
    told = sent_to(box, "alice@second.test")
    check(len(told) == 1 and "550 5.1.1 no such user" in text_of(told[0]) and told[0]["Subject"] == "Mail to alice@players.test comes back",
          "the second address was told: %s" % [m["Subject"] for m in told])
    check(max(len(line) for line in text_of(told[0]).splitlines()) <= 72, text_of(told[0]))
    check(states(league, "2026-11-20T09:31:00Z", 1)[0]["alice"] == ["sent", "refused", "sent", "sent"], "the one to the second address is hers, too")
    league.tp("run", "--now", "2026-11-20T10:30:00Z", code=None)
    got, flagged = states(league, "2026-11-20T10:31:00Z", 1)
    check(got["bob"] == ["expired"] and flagged == ["alice", "bob"], "expired: %s %s" % (got, flagged))
    check(one_mail(league, "bob", "2026-11-20T10:31:00Z", 1) == ("given_up", "expired"), "a mail that was given up")
    check("expired" not in league.tp("status", "bob", "--now", "2026-11-20T10:31:00Z", code=1) and
          "given up" in league.tp("status", "bob", "--now", "2026-11-20T10:31:00Z", code=1), "status bob")

    # Both write, by which the flags go; what they missed comes again.
    (box / "refuse").write_text("")
    (box / "later").write_text("")
    for player in (alice, bob):
        league.put_mail(player.mail(league.petition("resend")), "resend" + player.name)
    league.tp("run", "--now", "2026-11-20T11:00:00Z", code=None)
    check(states(league, "2026-11-20T11:01:00Z", 1)[1] == [], "the flags stay")
    for player in (alice, bob):
        mails = sent_to(box, player.address)
        check([m["Subject"] for m in mails] == ["[gc-1] Again: The game has begun: nine systems face down"], "%s" % [m["Subject"] for m in mails])
        verify_head(league, mails[0])
    league.tp("run", "--now", "2026-11-21T07:00:00Z", code=None)
    check(states(league, "2026-11-21T07:01:00Z", 1)[0]["carl"] == ["sent", "sent"], "the one that waited alone")
    limit(league, box, alice, bob)
    retry(league, box, alice, bob)
    print("spooled, digest, sent, put off, refused, expired, held by a limit: all told, once; and sent again")


main(play)
