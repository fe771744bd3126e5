"""Killed at random moments while it works on real Dovecot and Postfix, and then all games are paused for a moment before it goes on
(comes_next.py; after every third kill in the short form). LONG=1: a hundred times (make crash).

Afterwards every order was taken up exactly once, every turn played exactly once, every mail delivered at least once and
always under one Message-ID with one content, and every journal verifies."""
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from comes_next import *

GAMES = 6   # at a time
TURNS = 10  # of them, before there are others


def play(servers_list):
    kills_wanted = 100 if os.environ.get("LONG") else 6
    seed = int(os.environ.get("SEED", time.time_ns() % 1000000))
    chance = random.Random(seed)
    print("seed %d" % seed)
    servers = Servers(["orders", "alice", "bob"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    alice, bob = Player("alice"), Player("bob", "minisign")
    for player in (alice, bob):
        league.add(player)
    kills, sent, finished, turns = 0, 0, 0, {}
    while kills < kills_wanted:
        games = ["g%02d-%d" % (n, len(turns) // GAMES) for n in range(GAMES)]
        for name in games:
            league.seated(name, "galaxy-command", "alice,bob", "--deadline", "30d")
        league.tp("run")
        whole = 0
        for turn in range(1, TURNS + 1):
            if whole and kills >= kills_wanted:
                break
            waiting = send_orders(league, servers, (alice, bob), games, turn, chance)
            sent += waiting
            if not waiting:
                break
            turns.update((name, turn) for name in games)
            wait_inbox(servers, waiting)
            if whole:
                more, ended = kill_at_work(league, chance, 1.1 * whole, kills_wanted - kills)
                kills += more
                finished += ended
            began = time.time()
            league.tp("run")
            whole = whole or time.time() - began  # undisturbed: how long all the work takes
    # what the journals say against what the players got
    expected, orders_found = {"alice": set(), "bob": set()}, 0
    for name, turn in turns.items():
        verify_chain(league, name, stock=False)
        seats = {1: "alice", 2: "bob"}
        records = league.records(name)
        mails = [r["mail"] for r in records if r["type"] == "orders"]
        check(len(mails) == len(set(mails)), "a mail was taken up twice in " + name)
        orders_found += len(mails)
        played = [r["turn"] for r in records if r["type"] == "turn"]
        check(played == list(range(1, turn + 1)) or records[-1]["type"] == "open", "turns of %s: %s" % (name, played))
        for number, record in enumerate(records):
            played_at_once = number + 1 < len(records) and records[number + 1]["type"] == "close"
            if record["type"] == "orders" and not played_at_once:  # else the report is the receipt as well
                expected[seats[record["seat"]]].add("<%s.%d.%d@game.test>" % (name, record["seq"], record["seat"]))
            if record["type"] == "moderate":  # of the pauses after kills
                for seat in seats:
                    expected[seats[seat]].add("<%s.%d.%d@game.test>" % (name, record["seq"], seat))
            last = record["type"] in ("start", "turn", "open") and (number + 1 == len(records) or records[number + 1]["type"] != "end")
            if last:
                for seat in record.get("told", seats):  # some turns are not told to all of the players
                    expected[seats[seat]].add("<%s.%d.%d@game.test>" % (name, record["seq"], seat))
    check(orders_found == sent, "%d orders sent, %d taken up" % (sent, orders_found))
    mails = doubled = 0
    for player in (alice, bob):
        wanted = expected[player.name]
        got = {}
        for mail in player.fetch(servers, expect=len(wanted)):
            got.setdefault(mail["Message-ID"], []).append(mail["Subject"] + text_of(mail))
        check(set(got) == wanted, "%s: lost %s, not expected %s" % (player.name, sorted(wanted - set(got)), sorted(set(got) - wanted)))
        for ident, bodies in got.items():
            check(len(set(bodies)) == 1, "two contents under " + ident)
            doubled += len(bodies) - 1
        mails += len(wanted)
    print("%d kills, %d runs that ended before theirs, %d turns of %d games: %d orders, %d mails, lost 0, doubled 0 (%d delivered again "
          "under their Message-ID)" % (kills, finished, sum(turns.values()), len(turns), sent, mails, doubled))


def send_orders(league, servers, players, games, turn, chance):
    """Of all who still play; how many mails."""
    count = 0
    for name in games:
        for player in players:
            if league_over(league, name, player):
                continue
            player.send(servers, player.mail(league.orders(name, turn, ["explore near or conquer best or bide", "build"], final="yes"),
                                             attach=chance.random() < 0.5))
            count += 1
    return count


def kill_at_work(league, chance, longest, most):
    """Runs that are killed, until one ends before: then there is no work left to be killed at. How many were, and whether one ended."""
    for kills in range(most):
        run = subprocess.Popen([TURNPOST, "run", "--league", str(league.dir)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            run.wait(timeout=chance.uniform(0.005, longest))
            return kills, 1
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.wait()
            if kills % 3 == 0 or os.environ.get("LONG"):
                pause(league, None)
    return most, 0


def league_over(league, name, player):
    """The seat has lost its home world, or the game is over."""
    for record in reversed(league.records(name)):
        if record["type"] == "open":
            return True
        if record["type"] in ("start", "turn"):
            break
    shown = json.loads(league.tp("show", name, "--json"))
    return any(s["name"] == player.name and s["out"] for s in shown["seats"])


main(play)
