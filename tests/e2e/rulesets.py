"""Every ruleset played by mail through Dovecot and Postfix: robots think, players write and sign real mails. Long games to their fourteenth turn;
with LONG=1 (make season) to their end. There they order AUTO from turn BY_HAND on, so that `show` need not read the journal of a long game again
for each turn.

RECORD=DIR plays all turns by hand and keeps the journals there: the recorded games of games/ were made so."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

# ruleset, players (a robot's own seat among them: replay asks it again), options, most turns
TABLES = [
    ("galaxy-command", ["alice", "bob", "carol", "robot"], [], 13),
    ("galactic-contract", ["alice", "bob", "robot"], [], 90),
    ("galaxy-farmer", ["alice"], [], 40),
    ("galactic-supremacy", ["alice", "bob", "carol", "robot"], ["decks=1"], 400),
]


LONG = "LONG" in os.environ or "RECORD" in os.environ
SHORT = 14
BY_HAND = 1000 if "RECORD" in os.environ else 30


# Lines after those of the robot, turn by turn: misspelt, divided by ";", unknown, in blocks that are none. What each of them is
# called must never change in a recorded game.
WORDS = [
    ["exlpore near", "explore near; bidde; research x", "frobnicate", "12 explore", "b", "e near"],
    ["iff metal > 2", "bide", "endif", "bide"],
    ["; ;", "# a remark", "bide; ; bide;", "if metal > 2", "bide"],
    ["else", "bide", "endif", "endif"],
    ["if metal > 2", "bide; else; bide; else; bide", "endif"],
    ["if metal > 99", "say all not here", "endif; bide"],
    ["repeat 0 bide", "repeat bide or explore", "bide then bide", "bide or", "bide else bide", "if", "if fog bide", "bide if metal"],
    ["when attacked bide", "when noon bide", "when", "always", "cancel sometimes", "say", "turn x", "status now", "auto now"],
    ["if metal > apples bide", "if metal > 1 or metal > 2 bide", "bide if metal > 1 if metal > 2", "if metal > 1 bide explore near extra", "bide extra words"],
    ["explore nowhere", "research nothing", "if have sand bide", "bide " + "x " * 90],
]

copies = {}  # name: the orders that were sent


def hold_receipts(league, servers, player):
    """All that the player has got and sent holds against the journals, and leaves nothing to be asked."""
    box = WORK / ("box-" + player.name)
    box.mkdir()
    player.seen = 0
    mails = [m.as_bytes() for m in player.fetch(servers)] + [b"X-Copy: mine\r\n" + raw for raw in copies[player.name]]
    for number, raw in enumerate(mails):
        (box / str(number)).write_bytes(raw)
    report = json.loads(league.tp("receipt-check", box, "--journal", league.dir / "games", "--key", league.dir / "keys/league.pub", "--json"))
    check(report["verdict"] == "holds", "receipt-check of %s: %s" % (player.name, [f for f in report["findings"] if f["weight"] in ("wrong", "ask")]))
    return sum(f["kind"] == "orders" for f in report["findings"])


def awaited(league, game):
    """The game, and the seats whose orders are awaited, with what a robot would order."""
    shown = json.loads(league.tp("show", game, "--json", "--robot"))
    return shown, [s for s in shown["seats"] if s["awaited"]]


def awaited_later(league, game):
    """The same as the list of games has it, for whom the robot decides when the turn is played."""
    shown = next(g for g in json.loads(league.tp("games", "--json"))["games"] if g["game"] == game)
    return shown, [{"name": s["player"], "robot_orders": "auto"} for s in shown["seats"] if s["awaited"]]


def make_a_deal(league, servers, players, ruleset, shown, names):
    """Two players who wait for their turn make a deal between turns; both are told at once."""
    credits = {p["who"]: p["credits"] for p in shown["view"]["players"]}
    waiting = [s["name"] for s in shown["seats"] if not s["awaited"] and not s["out"] and s["name"] in players]
    waiting.sort(key=lambda name: -credits[name])
    if not credits[waiting[0]]:
        return 0
    giver, taker = players[waiting[0]], players[waiting[1]]
    for player in (giver, taker):
        player.fetch(servers, expect=0)
    giver.send(servers, giver.mail(league.orders(ruleset, shown["turn"], ["offer %s give 999 credits" % taker.name, "offer %s give 1 credit" % taker.name])))
    wait_inbox(servers, 1)
    league.tp("run")
    check(any("offers you 1 credit" in text_of(m) for m in taker.fetch(servers)), "the offer was not told")
    taker.send(servers, taker.mail(league.orders(ruleset, shown["turn"], ["accept"])))
    wait_inbox(servers, 1)
    league.tp("run")
    mails = " ".join(" ".join(text_of(m).split()) for m in giver.fetch(servers, expect=2))
    check("This offers more credits than you have" in mails, "an offer of more than there is was not refused")
    check("you give %s 1 credit" % taker.name in mails, "the deal was not told")
    notes = [r for r in league.records(ruleset) if r["type"] == "note" and r.get("kind") == "instant"]
    check(len(notes) == 2, "no records of the deal")
    again = json.loads(league.tp("show", ruleset, "--json"))
    check(again["turn"] == shown["turn"], "a deal used up a turn")
    return 2


def play_table(league, servers, players, ruleset, names, options, most):
    game = ruleset
    args = [a for o in options for a in ("--option", o)]
    league.seated(game, ruleset, ",".join(names), "--deadline", "3d", *args)
    sent = deals = 0
    told = []
    shown = {"turn": 0}
    while True:
        shown, waiting = (awaited if shown["turn"] < BY_HAND else awaited_later)(league, game)
        if shown["over"] or shown["turn"] > (most if LONG else SHORT):
            break
        if ruleset == "galactic-supremacy" and 9 <= shown["turn"] < BY_HAND and not deals:
            deals = make_a_deal(league, servers, players, game, shown, names)
        for seat in waiting:
            player = players[seat["name"]]
            lines = seat["robot_orders"].splitlines() or ["pass"]
            if ruleset == "galactic-supremacy":
                lines += ["when attacked at home play peace", "when attacked defend all"]
            copies.setdefault(player.name, []).append(player.mail(league.orders(game, shown["turn"], lines, final="yes"), attach=sent % 2 == 0))
            player.send(servers, copies[player.name][-1])
            sent += 1
        wait_inbox(servers, len(waiting))
        league.tp("run")
    check(shown["over"] or not LONG, "%s: not over after %d turns" % (game, most))
    verify_chain(league, game)
    records = league.records(game)
    check(sum(1 for r in records if r["type"] == "orders") == sent + deals, "%s: orders lost" % game)
    check(not any(r.get("missed") for r in records), "%s: a turn was missed" % game)
    # Everybody got the end, and every line that the robots wrote was understood.
    for name in names:
        if name not in players:
            continue
        player = players[name]
        mails = player.fetch(servers, expect=1)
        while shown["over"] and not any("It is over" in m["Subject"] for m in mails):
            mails += player.fetch(servers, expect=1)
        last = [m for m in mails if "It is over" in m["Subject"] or not shown["over"]][-1]
        check("It is over" in text_of(last) or not shown["over"], "%s: no end for %s: %s" % (game, name, last["Subject"]))
        verify_head(league, last)
        told += [" ".join(text_of(m).split()) for m in mails]
        for mail in mails:
            text = text_of(mail)
            check("There is no order" not in text, "%s: %s" % (game, text))
            check(all(len(l) <= 72 or l.startswith("head: ") or "ssh-keygen" in l for l in text.splitlines()),
                  "%s: a line over 72 columns: %s" % (game, [l for l in text.splitlines() if len(l) > 72]))
    if ruleset == "galactic-supremacy" and LONG:
        check(any("out of the game" in t for t in told), "nobody was eliminated")
        check(any("Peace Talks:" in t or 'Your answer "' in t for t in told), "no attack was answered by a WHEN")
    keep_game(league, game)
    return shown["turn"] - 1, sent


def play_words(league, servers, player):
    """A game whose player cannot spell. RECORD keeps it, too."""
    game = "words"
    league.seated(game, "galaxy-command", player.name, "--deadline", "3d")
    told = ""
    for turn in range(14):
        shown, waiting = awaited(league, game)
        if shown["over"]:
            break
        lines = waiting[0]["robot_orders"].splitlines() + WORDS[turn % len(WORDS)]
        # Every other time the field is the last line, where people think of it.
        late = turn % 2
        text = league.orders(game, shown["turn"], lines + ["final: yes"] * late, **({} if late else {"final": "yes"}))
        copies.setdefault(player.name, []).append(player.mail(text))
        player.send(servers, copies[player.name][-1])
        wait_inbox(servers, 1)
        league.tp("run")
        told += " ".join(text_of(m) for m in player.fetch(servers, expect=1))
    told = " ".join(told.split())
    check(awaited(league, game)[0]["over"], "%s: not over" % game)
    for sentence in ('There is no order "exlpore" in this game; did you mean "explore"?', "This \"endif\" has no \"if\" block.", "\"repeat\" needs a number of at least 1, or none."):
        check(sentence in told, "%s: nobody was told: %s" % (game, sentence))
    keep_game(league, game)


KEPT = "journal.jsonl", "HEAD", "HEAD.tlog-proof", "league.policy"


def keep_game(league, game):
    keep = os.environ.get("RECORD")
    if keep:
        folder = pathlib.Path(keep) / game
        folder.mkdir(parents=True, exist_ok=True)
        league.tp("publish", game, "-o", WORK / ("kept-" + game))
        for name in KEPT:
            shutil.copy(WORK / ("kept-" + game) / name, folder / name)


def play(servers_list):
    servers = Servers(["orders", "alice", "bob", "carol"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    players = {name: Player(name, tool) for name, tool in
               (("alice", "ssh"), ("bob", "minisign"), ("carol", "signify"))}
    for player in players.values():
        league.add(player)
    done = []
    for ruleset, names, options, most in TABLES:
        turns, sent = play_table(league, servers, players, ruleset, names, options, most)
        done.append("%s: %d turns, %d mails" % (ruleset, turns, sent))
    play_words(league, servers, players["bob"])
    done.append("%d orders held against their receipts" % sum(hold_receipts(league, servers, p) for p in players.values()))
    print("; ".join(done))


main(play)
