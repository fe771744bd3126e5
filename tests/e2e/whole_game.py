"""A whole game of Galaxy Command with three players by real mail: Dovecot, Postfix, ssh-keygen (a key on P-256), minisign, signify."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

PLAN = ["explore far or conquer best or explore near", "if metal >= 3 swap metal", "research banking or commerce or capital or robots",
        "build"]


def rests_on_nobody(said):
    """But for what no game without a witness can show."""
    return ": proved (" in said and re.findall(r" - (\w+ \w+)", said) == ["No witness"]


def prove_by_mail(servers, league, player):
    """A player asks for the journal, and proves the game from what the mail brings."""
    player.send(servers, player.mail(league.petition("journal", game="gc-17")))
    wait_inbox(servers, 1)
    league.tp("run")
    mail = player.fetch(servers)[0]
    folder = WORK / "by-mail"
    folder.mkdir()
    for part in mail.iter_attachments():
        (folder / part.get_filename()).write_bytes(part.get_payload(decode=True))
    said = " ".join(sh(TURNPOST, "audit", ".", cwd=folder).split())
    check(rests_on_nobody(said), "the mailed journal: " + said)


def play(servers_list):
    servers = Servers(["orders", "alice", "bob", "carol"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    players = [Player("alice", "ecdsa"), Player("bob", "minisign"), Player("carol", "signify")]
    for player in players:
        league.add(player)
    league.tp("doctor")
    league.tp("new", "gc-17", "galaxy-command", "--seats", "alice,bob,carol", "--deadline", "3d")
    league.tp("run")

    # Seats are kept for the three: each signs the text of the mail that asks, and the last one begins the game.
    for number, player in enumerate(players, 1):
        mail, = player.fetch(servers)
        check("A seat is kept for you" in mail["Subject"], "the first mail: " + mail["Subject"])
        verify_head(league, mail)
        player.send(servers, player.mail(form(mail, "join"), attach=player is players[0]))
        wait_inbox(servers, number)
    check([r["type"] for r in league.records("gc-17")] == ["create"], "begun before anybody has joined")
    league.tp("run")
    report = {}
    for number, player in enumerate(players, 1):
        wanted = ["The game has begun: nine systems face down", "You have seat %d" % number] + ["bob has taken a seat"] * (number == 1)
        mails = player.fetch(servers, expect=len(wanted))
        check(sorted(m["Subject"] for m in mails) == ["[gc-17] " + words for words in wanted],
              "%s got %s" % (player.name, [m["Subject"] for m in mails]))
        for mail in mails:
            verify_head(league, mail)
        report[player.name] = next(m for m in mails if "begun" in m["Subject"])

    playing, sent = list(players), 0
    for turn in range(1, 14):
        for number, player in enumerate(playing):
            check(turn_of(report[player.name]) == turn, "the form is for another turn")
            text = orders("gc-17", turn, PLAN, head_of(report[player.name]), final="yes")
            player.send(servers, player.mail(text, attach=(turn + number) % 2 == 0))
            sent += 1
        wait_inbox(servers, len(playing))
        if turn == 7:
            league.use_servers(servers, starttls=True)
        league.tp("run")
        # A receipt and a report for each who plays on; whose orders came last has both in one mail.
        got = fetch_all(servers, playing, 2 * len(playing) - 1)
        for player in playing:
            mails = got[player.name]
            receipt = [m for m in mails if m["In-Reply-To"]]
            reports = [m for m in mails if re.search(r"\(turn |It is over|You are out", m["Subject"])]
            check(len(receipt) == 1 and len(reports) == 1,
                  "%s got in turn %d: %s" % (player.name, turn, [text_of(m) for m in mails]))
            report[player.name] = reports[0]
            check(reports[0] in receipt or reports[0]["Auto-Submitted"] == "auto-generated", "manners of a report")
            for mail in receipt:
                check("We have your orders" in " ".join(text_of(mail).split()), "no receipt: " + text_of(mail))
                check(mail["Auto-Submitted"] == "auto-replied" and mail["List-Id"] is None, "manners of a receipt")
            for mail in mails:
                verify_head(league, mail)
        # Who has lost his home world hears again at the end.
        playing = [p for p in players if "You are out" not in " ".join(text_of(report[p.name]).split())]
        if not playing:
            break

    for player in players:
        for mail in player.fetch(servers, expect=0):
            check("It is over" in mail["Subject"], "%s got %s" % (player.name, mail["Subject"]))
            report[player.name] = mail

    heads = verify_chain(league, "gc-17")
    verify_log(league)
    audit = " ".join(league.tp("audit", "gc-17").split())
    check(rests_on_nobody(audit), "something rests on somebody's word: " + audit)
    types = [r["type"] for r in league.records("gc-17")]
    check(types.count("orders") == sent and types.count("turn") == turn and types[-2:] == ["end", "open"],
          "records: %s" % types)
    for player in players:
        text = text_of(report[player.name])
        check("It is over" in text and "Rank" in text and "YOUR CHOICES" not in text, "no final score for " + player.name)
        game, seq, head = verify_head(league, report[player.name])
        check(heads[seq - 1] == head, "a mailed head is not in the journal")
    check("over" in league.tp("show", "gc-17"), "show")
    check("over" in league.tp("games"), "games")
    prove_by_mail(servers, league, players[-1])
    # The cache may go at any time: the replay of the journal gives the same game.
    before = league.tp("show", "gc-17", "--json")
    (league.dir / "games/gc-17/state.json").unlink()
    (league.dir / "catalog.sqlite").unlink()
    league.tp("run")
    check(league.tp("show", "gc-17", "--json") == before, "the replayed game differs")
    check("gc-17" in league.tp("games"), "the catalog was not made anew")
    print("%d turns, %d signed orders, %d records verified" % (turn, sent, len(types)))


main(play)
