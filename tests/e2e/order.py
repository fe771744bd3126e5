"""Mails of one game to one address arrive in order, also through a server that greylists; what was asked for waits for nothing, and
what is past is dropped."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from fake import *

CLOCK = "2026-11-20T08:%02d:00Z"


def spooled(league, folder):
    return sorted(p.name for p in (league.dir / "spool" / folder).iterdir())


def dropped(alice, bob):
    """A server that is down for days: the reminder of a turn that is over is dropped, all else stays."""
    league = League("late")
    league.init()
    for player in (alice, bob):
        league.add(player)
    league.set("outgoing", type="sendmail", sendmail="/bin/false")
    league.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "2d", "--now", "2026-11-20T08:00:00Z")
    for day in (20, 21, 22):
        league.tp("run", "--now", "2026-11-%dT09:00:00Z" % day)
    reminder = next(r["seq"] for r in league.records("gc-1") if r.get("kind") == "reminder")
    people = json.loads(league.tp("status", "--json", "--now", "2026-11-22T09:01:00Z", code=None))["players"]
    for person in people:
        states = {m["mail"].rsplit(".", 1)[0]: m["state"] for m in person["mails"]}
        check(states["gc-1.%d" % reminder] == "dropped", "the reminder: %s" % states)
        check("dropped" not in [s for i, s in states.items() if i != "gc-1.%d" % reminder], "others: %s" % states)


def play(started):
    servers = Servers(["orders"])
    started.append(servers)
    fake = Fake(servers.dir, ["smtp_greylists"])
    league, alice, bob, mona = League(), Player("alice"), Player("bob"), Player("mona")
    league.init()
    for player in (alice, bob, mona):
        league.add(player)
    league.set("league", moderators="mona")
    (league.dir / "password").write_text("secret\n")
    os.chmod(league.dir / "password", 0o600)
    league.set("outgoing", type="smtp", host="localhost", tls="implicit", user="orders", port=fake.port["smtp_greylists"],
               password_file="password", ca_file=servers.ca, connections=4)
    league.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "3d", "--now", CLOCK % 0)
    league.tp("run", "--now", CLOCK % 0)
    check(len(spooled(league, "wait")) == 2, "greylisted: %s" % spooled(league, "wait"))
    welcome = league.records("gc-1")[-1]["seq"]

    # A turn is played while the first mail waits: what answers a mail leaves (Bob's orders play the turn, so his report is their
    # receipt), Alice's report comes after the welcome.
    for player in (alice, bob):
        league.put_mail(player.mail(league.orders("gc-1", 1, ["bide", "build"])), "orders-" + player.name)
    league.tp("run", "--now", CLOCK % 2)
    check(len(spooled(league, "new")) == 1, "held: %s" % spooled(league, "new"))
    records = league.records("gc-1")
    receipts = {r["seat"]: r["seq"] for r in records if r["type"] == "orders"}
    report = next(r["seq"] for r in records if r["type"] == "turn")
    league.tp("moderate", "gc-1", "pause", "--reason", "a test", "--now", CLOCK % 3)
    league.tp("moderate", "gc-1", "resume", "--reason", "it is over", "--now", CLOCK % 4)
    paused, resumed = [r["seq"] for r in league.records("gc-1") if r["type"] == "moderate"]
    league.tp("run", "--now", CLOCK % 4)
    check(len(spooled(league, "new")) == 6, "held: %s" % spooled(league, "new"))

    league.tp("run", "--now", CLOCK % 5)
    check(len(spooled(league, "new")) == len(spooled(league, "wait")) == 1, "the players' mails have left, not the moderator's")
    league.tp("run", "--now", CLOCK % 9)
    check(not spooled(league, "new") and not spooled(league, "wait"), "all has left")
    taken = [line.split()[1] for line in fake.stop().splitlines() if line.startswith("taken ")]
    for seat, first in ((1, (receipts[1], welcome, report)), (2, (report, welcome))):
        order = ["gc-1.%d.%d" % (seq, seat) for seq in (*first, paused, resumed)]
        got = [i for i in taken if i.endswith(".%d" % seat)]
        check(got == order, "seat %d: %s, not %s" % (seat, got, order))
    got = [i for i in taken if i.endswith(".100")]
    check(got == ["gc-1.%d.100" % seq for seq in (paused, resumed)], "the moderator: %s" % got)
    dropped(alice, bob)
    print("%d mails to 2 players and a moderator, each in order, 2 receipts before all else; a reminder that came too late is dropped" % len(taken))


main(play)
