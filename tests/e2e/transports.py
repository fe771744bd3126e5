"""The same league over the Maildir transport and over a sendmail command (Postfix's own, into the real Dovecot)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def turn(league, player, number, deliver, collect):
    """One turn: the player answers his last report; gives the next report, which is the receipt, too."""
    report = player.report
    text = orders("gc-1", number, ["explore near", "build"], head_of(report), final="yes")
    deliver(player.mail(text, attach=number % 2 == 0), number)
    league.tp("run")
    mails = collect(1)  # the receipt is the report
    check(sum(1 for m in mails if m["In-Reply-To"]) == 1, "no receipt")
    for mail in mails:
        verify_head(league, mail)
    player.report = [m for m in mails if "(turn " in m["Subject"]][0]
    check(turn_of(player.report) == number + 1, "not the next turn")


def play(servers_list):
    # Maildir in, Maildir out
    league = League("maildirs")
    league.init()
    alice = Player("alice")
    league.add(alice)
    league.seated("gc-1", "galaxy-command", "alice,robot", "--deadline", "1d")
    league.tp("run")

    def collect(_):
        return league.new_mails(alice.address)

    alice.report, = collect(1)
    for number in range(1, 4):
        turn(league, alice, number, lambda raw, n: league.put_mail(raw, "m%d" % n), collect)
    verify_chain(league, "gc-1")

    # IMAP in, a sendmail command out: mail goes through Postfix's queue into Dovecot
    servers = Servers(["orders", "bob"])
    servers_list.append(servers)
    league = League("sendmail")
    league.init()
    league.use_servers(servers)
    config = servers.port.get("POSTFIX") or str(servers.dir / "postfix")
    league.set("outgoing", type="sendmail", sendmail="/usr/sbin/sendmail -C " + config)
    bob = Player("bob", "signify")
    league.add(bob)
    league.seated("gc-1", "galaxy-command", "bob,robot", "--deadline", "1d")
    league.tp("run")
    bob.report, = bob.fetch(servers)

    def deliver(raw, _):
        bob.send(servers, raw)
        wait_inbox(servers, 1)

    for number in range(1, 4):
        turn(league, bob, number, deliver, lambda n: bob.fetch(servers, expect=n))
    verify_chain(league, "gc-1")
    print("3 turns over Maildirs, 3 turns through sendmail")


main(play)
