"""A week of duplicate deals by mail: six people sign up, one plays outside of the ranking, one has no key, one resigns; everybody is dealt the same,
nobody sees how others play before it is over, and the process is killed as the deal is drawn and as it is closed. The audit, which plays the field of
robots again, and a second program, which computes the table again, agree with the league; what is published can be audited, too."""
import datetime
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

BEGIN = datetime.datetime(2026, 11, 20, 8)
NAMES = ("alice", "bob", "carol", "dave", "erin")
FIELD = 12


def at(hours):
    return (BEGIN + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def flat(mail):
    return " ".join(text_of(mail).split())


def play(_):
    league, players = League(), {name: Player(name) for name in NAMES}
    league.init()
    league.set("league", moderators="erin")
    for player in players.values():
        league.add(player)
    league.tp("compete", "new", "week", "--kind", "duplicate", "--ruleset", "galaxy-farmer", "--entries", "1d", "--rounds", "1", "--round-length", "7d", "--deadline", "7h",
              "--protest", "1d", "--field", FIELD, "--outside", "dave", "--now", at(0))
    for number, name in enumerate(NAMES):
        league.put_mail(players[name].mail(league.petition("enter", "competition: week")), "enter-%d" % number)
    league.tp("run", "--now", at(1))
    print(league.tp("compete", "show", "week", "--now", at(1)))
    league.tp("run", "--now", at(25))
    league.tp("run", "--now", at(48))
    league.tp("run", "--now", at(49))
    league.tp("run", "--now", at(50))
    print(league.tp("compete", "show", "week", "--now", at(50)))
    for name in NAMES:
        for mail in league.new_mails(players[name].address):
            print(name, mail["Subject"])
            if "week" in mail["Subject"] and name=="dave": print(text_of(mail))
    for h in range(50, 50+8*24, 3):
        league.tp("run", "--now", at(h))
    print(league.tp("compete", "show", "week", "--now", at(50)))
    for name in NAMES:
        for mail in league.new_mails(players[name].address):
            print(name, mail["Subject"])
            if "[week]" in mail["Subject"]: print(text_of(mail))


main(play)
