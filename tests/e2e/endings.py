"""The last report of a game of each ruleset against robots: who has won, the reader's place and rank, the table of all, the best and
worst moments, what was hidden, how to play again. Nothing in it is still to come. RULES says which rulings are ours. PRINT=FILE keeps the mails."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

# ruleset, seats, options
TABLES = [
    ("galaxy-command", "alice,robot,robot", []),
    ("galactic-contract", "alice,robot", []),
    ("galaxy-farmer", "alice", []),
    ("galactic-supremacy", "alice,robot,robot", ["rounds=12"]),
]
OPEN = ["UNSEEN", "Events to come", "Orders to come", "not seen yet", "Events still to come", "closed to exploring"]


def to_the_end(league, alice, game):
    """Plays as a robot would. The shown game, and what came last."""
    for turn in range(1, 400):
        shown = json.loads(league.tp("show", game, "--json", "--robot"))
        if shown["over"]:
            return shown
        lines = next(s for s in shown["seats"] if s["name"] == "alice")["robot_orders"].splitlines() or ["pass"]
        if turn == 1:
            lines.append("rules")
        league.put_mail(alice.mail(league.orders(game, shown["turn"], lines, final="yes")), "%s-%d" % (game, turn))
        league.tp("run")
    raise Failed("%s does not end" % game)


def read_ending(league, game, text, shown):
    flat = " ".join(text.split())
    own = [s for s in shown["scores"] if s["name"] == "alice"][0]
    check("It is over: " in flat, "%s: no headline: %s" % (game, text))
    check(("It is over: you won" in flat) == own["won"], "%s: who has won? %s" % (game, text))
    if len(shown["scores"]) > 1 and not own["lost"]:
        check("Your place: %d of %d." % (own["place"], len(shown["scores"])) in flat, "%s: no place: %s" % (game, text))
    check(bool(own["rank"]) or "Your rank" not in flat, "%s: a rank that is none: %s" % (game, text))
    if own["rank"] and not own["lost"]:
        check("Your rank: %s." % own["rank"] in flat, "%s: no rank: %s" % (game, text))
    check(re.search("Your (best moment|worst), turn", text) and "PLAY AGAIN" in text, "%s: no moments: %s" % (game, text))
    view = shown["view"]  # a Contract that has used all its cards hides nothing
    hidden = game != "galactic-contract" or view["trades_left"] + view["constructions_left"] > 0 or any(p["covered"] for p in view["piles"])
    check(("WHAT WAS HIDDEN" in text) == hidden, "%s: what was hidden? %s" % (game, text))
    check(not any(words in text for words in OPEN), "%s: something is still to come: %s" % (game, text))
    check(text.index("PLAY AGAIN") < text.index("WHAT HAPPENED IN TURN"), "%s: how to play again comes late: %s" % (game, text))
    check(all(len(line) <= 72 or line.startswith("head: ") for line in text.splitlines()), "%s: a line over 72 columns" % game)


def play(_):
    league, alice = League(), Player("alice")
    league.init()
    league.add(alice)
    for ruleset, seats, options in TABLES:
        args = [a for o in options for a in ("--option", o)]
        told = league.seated(ruleset, ruleset, seats, "--no-deadline", *args)
        check(ruleset != "galactic-supremacy" or "Option rounds=12: the game ends after" in told, "new tells no options: " + told)
        shown = to_the_end(league, alice, ruleset)
        last = [m for m in league.outbox(alice.address) if "It is over" in m["Subject"] and "[%s]" % ruleset in m["Subject"]]
        check(len(last) == 1, "%s: %d ends" % (ruleset, len(last)))
        told = [text_of(m) for m in league.outbox(alice.address) if "[%s]" % ruleset in m["Subject"]]
        check(any("THE RULES AS PLAYED HERE" in t and t.count("(ours") > 5 for t in told), "%s: the rules do not say what is ours" % ruleset)
        text = text_of(last[0])
        if os.environ.get("PRINT"):
            with open(os.environ["PRINT"], "a") as file:
                print(last[0]["Subject"], text, sep="\n", file=file)
        read_ending(league, ruleset, text, shown)
        # Replay knows the same moments as the game that was played.
        before = league.tp("show", ruleset, "--seat", "1")
        (league.dir / "games" / ruleset / "state.json").unlink()
        check(league.tp("show", ruleset, "--seat", "1") == before, "%s: replay tells another end" % ruleset)
    print("%d games told to their end" % len(TABLES))


main(play)
