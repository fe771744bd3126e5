"""The daemon on real servers: wakes for mail, keeps deadlines, reads its configuration again, ends cleanly."""
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def play(servers_list):
    servers = Servers(["orders", "alice", "bob"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    alice, bob = Player("alice"), Player("bob")
    league.add(alice)
    league.seated("gc-1", "galaxy-command", "alice,robot", "--deadline", "12s")
    log = open(WORK / "daemon.log", "w")
    daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir), "--verbose"], stderr=log)
    try:
        report, = alice.fetch(servers)
        began = time.time()
        alice.send(servers, alice.mail(orders("gc-1", 1, ["bide"], head_of(report))))
        report, = alice.fetch(servers)
        woke = time.time() - began
        check(woke < 8, "the answer took %.1f s" % woke)
        check(turn_of(report) == 2, "turn 1 was not played")
        # Nobody writes: the deadline plays turn 2.
        report, = alice.fetch(servers, expect=1, seconds=30)
        check(turn_of(report) == 3 and "default turn was played for you" in " ".join(text_of(report).split()), "deadline: " + text_of(report))
        # A second process must not work on the league meanwhile.
        league.tp("run", code=75)
        check("locked" in league.err, league.err)
        daemon.terminate()
        check(daemon.wait(timeout=15) == 0, "the daemon did not end cleanly")
        # A player added while it runs is known after SIGHUP.
        daemon = subprocess.Popen([TURNPOST, "daemon", "--league", str(league.dir), "--verbose"], stderr=log)
        time.sleep(1)
        league.add(bob)
        daemon.send_signal(signal.SIGHUP)
        time.sleep(1)
        bob.send(servers, bob.mail(league.orders("gc-1", 3, ["bide"])))
        mail, = bob.fetch(servers)
        check("no seat" in text_of(mail), "the new player is not known: " + text_of(mail))
        daemon.send_signal(signal.SIGINT)
        check(daemon.wait(timeout=15) == 0, "the daemon did not end cleanly on SIGINT")
    finally:
        if daemon.poll() is None:
            daemon.kill()
    league.tp("run")
    print("answered %.1f s after the mail was sent; deadline, SIGHUP, SIGTERM" % woke)


main(play)
