"""Moderators by mail, who sign with ssh-keygen, through Dovecot and Postfix: pause, resume, orders for a seat, rollback, a
correction, a preview, a ban, void; and the operator at the command line. The mails are looked at as players get them."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def flat(mail):
    return " ".join(text_of(mail).split())


def play(servers_list):
    servers = Servers(["orders", "anna", "ben", "mona"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    league.set("league", moderators="mona")
    people = {name: Player(name) for name in ("anna", "ben", "mona")}
    anna, ben, mona = people.values()
    for player in people.values():
        league.add(player)
    league.seated("gc-1", "galaxy-command", "anna,ben", "--deadline", "3d")
    league.tp("run")
    begun = {p.name: p.fetch(servers)[0] for p in (anna, ben)}

    def rule(do, *lines, turn=1, count=1, why="the mail server burnt down", game="gc-1"):
        """A moderator's text; what came back to the moderator."""
        text = league.petition("moderate", "do: " + do, "reason: " + why, *lines, game=game, turn=turn if game else None)
        mona.send(servers, mona.mail(text, attach=True))
        wait_inbox(servers, 1)
        league.tp("run")
        return mona.fetch(servers, expect=count)

    def told(player, words, count=1):
        mails = player.fetch(servers, expect=count)
        check(any(words in flat(m) for m in mails), "%s was not told \"%s\":\n%s" % (player.name, words, "\n".join(map(text_of, mails))))
        for mail in mails:
            long = [l for l in text_of(mail).splitlines() if len(l) > 72 and not l.startswith("head: ")]
            check(not long, "a line is too long: %s" % long)
        return mails

    def send(player, turn, lines, mail):
        player.send(servers, player.mail(orders("gc-1", turn, lines, head_of(mail))))
        wait_inbox(servers, 1)
        league.tp("run")

    # A moderator who does not know how asks with a plain mail, and gets form and list.
    mona.send(servers, mona.mail("\n", subject="moderate gc-1", signed=False))
    wait_inbox(servers, 1)
    league.tp("run")
    mail, = mona.fetch(servers)
    check("#turnpost moderate\ngame: gc-1\nturn: 1\n" in text_of(mail) and "do: rollback turn 5" in text_of(mail), text_of(mail))

    # Pause: the turn waits although all orders are in; resume plays it.
    mail, = rule("pause")
    check("Paused" in mail["Subject"] and mail["In-Reply-To"], "the answer: %s" % mail["Subject"])
    told(ben, "mona, a moderator of the league, has paused the game. Reason: the mail server burnt down")
    verify_head(league, told(anna, "its deadline stands still")[0])
    check("paused" in league.tp("games"), league.tp("games"))
    for player in (anna, ben):
        send(player, 1, ["explore near or bide"], begun[player.name])
        told(player, "We have your orders")
    check(league.records("gc-1")[-1]["type"] == "orders", "a paused turn was played")
    rule("resume", why="it is back")
    reports = {p.name: told(p, "WHAT HAPPENED IN TURN 1", 2) for p in (anna, ben)}

    # Orders for ben, who has no mail; he gets to know what they are, and nobody else.
    rule("orders ben", "bide", turn=2, why="ben rang me up")
    told(ben, "has set orders for your seat in turn 2. Orders that you send replace them.")
    mail, = told(anna, "has set orders for ben in turn 2.")
    check(not re.search(r"\bbide\b", flat(mail)), "anna sees the orders\n" + text_of(mail))
    check(not re.search(rb"\bbide\b", league.journal("gc-1")), "orders stand open in the journal")
    mona.send(servers, mona.mail(league.petition("preview", game="gc-1", turn=2)))
    wait_inbox(servers, 1)
    league.tp("run")
    mail, = mona.fetch(servers)
    check("SEAT 1: anna" in text_of(mail) and "No orders are in" in flat(mail) and "THE TABLE AFTER IT" in text_of(mail), text_of(mail))
    last = next(m for m in reports["anna"] if "(turn 2" in m["Subject"])
    send(anna, 2, ["bide"], last)
    told(anna, "WHAT HAPPENED IN TURN 2")
    told(ben, "WHAT HAPPENED IN TURN 2")

    # Rollback: turn 2 is open again; the old orders, mailed again, are known.
    seq = len(league.records("gc-1"))
    rule("rollback turn 2", turn=3, why="the rules were wrong")
    back = {p.name: told(p, "has taken back turn 2, and what had happened in turn 3.")[0] for p in (anna, ben)}
    record = league.records("gc-1")[-1]
    check(record["do"] == "rollback" and record["turn"] == 2 and len(league.records("gc-1")) == seq + 1, "the record: %s" % record)
    check("turn 2 " in league.tp("games"), league.tp("games"))
    send(anna, 2, ["bide"], last)
    told(anna, "head")
    check(len(league.records("gc-1")) == seq + 1, "old orders were obeyed")

    # A correction, by the operator: before and after are told and recorded.
    was = json.loads(league.tp("show", "gc-1", "--json"))["view"]["players"][0]["metal"]
    now = 3 if was != 3 else 2
    out = league.tp("moderate", "gc-1", "correct", "player[0].metal", "=", str(now), "--reason", "a typing error")
    check("done" in out, out)
    league.tp("moderate", "gc-1", "correct", "player[0].metal", "=", "77", "--reason", "x", code=1)
    league.tp("moderate", "gc-9", "pause", "--reason", "x", code=66)
    league.tp("run")
    for player in (anna, ben):
        told(player, "The operator of the league has corrected the table. player[0].metal: %d -> %d" % (was, now))
    mona.fetch(servers)
    record = league.records("gc-1")[-1]
    check(record["by"] == "operator" and record["changes"] == [{"path": "player[0].metal", "before": was, "after": now}], "%s" % record)
    for player in (anna, ben):
        send(player, 2, ["bide"], back[player.name])
    told(anna, "WHAT HAPPENED IN TURN 2", 2)
    told(ben, "WHAT HAPPENED IN TURN 2")  # with the receipt, as his orders played it

    # A ban: a robot plays on; then the game is void.
    rule("ban ben", game=None, count=2, why="insults")
    told(ben, "has banned you from this league")
    told(anna, "has banned ben from the league. A robot plays on in that seat.")
    send(ben, 3, ["bide"], back["ben"])
    told(ben, "you are banned from this league")
    rule("void", turn=3, why="nobody is left")
    told(anna, "has declared this game void")
    check([r["type"] for r in league.records("gc-1")[-3:]] == ["moderate", "end", "open"], "the end of the journal")
    check("over" in league.tp("games"), league.tp("games"))

    # A player signs what only moderators may; nothing happens. The journal alone gives the same game.
    anna.send(servers, anna.mail(league.petition("moderate", "do: unban ben", "reason: please")))
    wait_inbox(servers, 1)
    league.tp("run")
    told(anna, "Only the moderators of this league may do that.")
    verify_chain(league, "gc-1")
    check("proved" in league.tp("audit", "gc-1"), "the audit")
    story = league.tp("explain", "gc-1", "1", "--as", "moderator") + league.tp("log", "gc-1")
    check("takes back all that was played after record" in " ".join(story.split()), story)
    shown = league.tp("show", "gc-1", "--json")
    for cache in ("games/gc-1/state.json", "catalog.sqlite"):
        (league.dir / cache).unlink()
    league.tp("run")
    check(league.tp("show", "gc-1", "--json") == shown, "the replayed game differs")
    does = [r["do"] for r in league.records("gc-1") if r["type"] == "moderate"]
    check(does == ["pause", "resume", "orders", "rollback", "correct", "ban", "void"], "the moderators' records: %s" % does)
    check(b"players.test" not in league.journal("gc-1"), "an address stands in the journal")
    print("%d records, %d of moderators" % (len(league.records("gc-1")), len(does)))


main(play)
