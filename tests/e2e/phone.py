"""Mails on a telephone (make phone): a game of each ruleset, played by mail to its end, and what its players get, in Chromium at 360 and 390 px, light
and dark. Nothing may be wider than the screen or hard to read, axe-core (AXE, a file) may find nothing of WCAG A and AA, and no kind of mail
may break the budgets of lines, words, bytes and height. Prints the largest of each kind, as a table; no part of `make test`."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from browser import Chromium, CONTRAST, TOO_WIDE

AXE = pathlib.Path(os.environ.get("AXE") or "/nonexistent")
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SCREENS = [(360, False), (360, True), (390, False), (390, True)]
GAMES = [("gc-1", "galaxy-command", 3), ("gs-1", "galactic-supremacy", 3), ("gt-1", "galactic-contract", 3), ("gf-1", "galaxy-farmer", 1)]
TURNS = 400    # no game is longer
BY_HAND = 15   # turns whose orders are written out; later ones say "auto", because asking for a robot's advice reads the whole journal
LOOKED_AT = int(os.environ.get("LOOKED_AT", 40))  # by the browser, of a kind and a ruleset, evenly from all over the game
# What a kind may measure at most: lines, words before the choice, and px of height at 390; None: no limit. One screen is 844 px.
BUDGETS = {"first": (65, 60, 2200), "turn": (90, 60, 2500), "receipt": (20, None, 844), "over": (45, None, 1400)}
BYTES = 60 << 10  # of HTML and picture together
CHOICE = re.compile(r"^ *1 +(\[ \] )?\S", re.M)
COLUMNS = ("mails", "lines", "words", "px 360", "px 390", "html", "picture", "mail")


def measure(browser, mail, name, found):
    """The figures of a mail; without a browser, heights are 0. What is wrong with its page goes to `found`."""
    text, page = text_of(mail), mail.get_body(("html",))
    choice = CHOICE.search(text)
    figures = {"lines": text.rstrip("\n").count("\n") + 1, "words": len(text[:choice.start()].split()) if choice else 0,
               "px 360": 0, "px 390": 0, "html": 0, "picture": 0, "mail": len(mail.as_bytes())}
    if not page:
        return figures
    html, pictures = page.get_content(), [part for part in mail.walk() if part.get_content_type() == "image/png"]
    figures["html"] = len(html.encode())
    for part in pictures:
        figures["picture"] += len(part.get_content())
        (WORK / "board.png").write_bytes(part.get_content())
    if not browser:
        return figures
    path = WORK / "mail.html"
    path.write_text(re.sub(r'src="cid:[^"]+"', 'src="board.png"', html))
    for width, dark in SCREENS:
        browser.view(width, dark)
        browser.go(path.as_uri())
        where = "at %d px, %s" % (width, "dark" if dark else "light")
        figures["px %d" % width] = browser.value("document.documentElement.scrollHeight")
        if browser.value("document.documentElement.scrollWidth") > width:
            found.append((name, where, "too wide: %s" % browser.value(TOO_WIDE)))
        for words in browser.value(CONTRAST):
            found.append((name, where, "hard to read: " + words))
        if AXE.is_file():
            browser.value(AXE.read_text() + "; 0")
            for words in browser.value("axe.run(document, {runOnly: %s}).then(r => r.violations.map(v => v.id + ' (' + v.help + '): ' + "
                                       "v.nodes.map(n => n.target.join(' ')).slice(0, 3).join(', ')))" % json.dumps(AXE_RULES), seconds=240):
                found.append((name, where, "axe: " + words))
    return figures


def play(league, players, game, ruleset, seats, take):
    """To the end by what robots advise; each mail is taken with its kind: what came because orders did, and what a turn brought."""
    names = [player.name for player in players][:seats]
    league.tp("new", game, ruleset, "--seats", ",".join(names), "--seated", "--deadline", "3d", *(["--option", "decks=1"] if ruleset == "galactic-supremacy" else []))
    league.tp("run")
    kinds = "first"
    for _ in range(TURNS):
        shown = json.loads(league.tp("show", game, "--json", *(["--robot"] if kinds == "first" or shown["turn"] < BY_HAND else [])))
        if shown["over"]:
            kinds = "over"
        for player in players:
            for mail in league.new_mails(player.address):
                if game in str(mail["Subject"]):
                    take(mail, "receipt" if mail["In-Reply-To"] and kinds != "first" else kinds)
        if shown["over"]:
            return shown["turn"]
        kinds = "turn"
        for seat in (s for s in shown["seats"] if s["awaited"]):
            player = next(p for p in players if p.name == seat["name"])
            lines = seat.get("robot_orders", "auto").splitlines() or ["pass"]
            league.put_mail(player.mail(league.orders(game, shown["turn"], lines)), "%s-%d" % (player.name, player.count))
        league.tp("run")
    raise Failed("%s is not over after %d turns" % (game, TURNS))


def test(servers):
    browser = Chromium()
    servers.append(browser)
    league = League()
    league.init()
    league.set("outgoing", type="maildir", pictures="yes")
    players = [Player(name) for name in ("alice", "bob", "carol", "dave")]
    for player in players:
        league.add(player)
    league.tp("run")
    found, most = [], {}
    for game, ruleset, seats in GAMES:
        mails = {}
        turns = play(league, players, game, ruleset, seats, lambda mail, what: mails.setdefault(what, []).append(mail))
        print("%s: %d turns" % (ruleset, turns), flush=True)
        for what, all_of_them in mails.items():
            step = max(1, -(-len(all_of_them) // LOOKED_AT))
            row = most[what, ruleset] = dict.fromkeys(COLUMNS, 0)
            row["mails"] = len(all_of_them)
            for i, mail in enumerate(all_of_them):
                figures = measure(None if i % step else browser, mail, "%s, %s: %s" % (ruleset, what, mail["Subject"]), found)
                for name in figures:
                    row[name] = max(row[name], figures[name])
    print("\nThe most of each kind:\n%-9s %-20s" % ("", "") + "".join("%9s" % c for c in COLUMNS))
    for (what, ruleset), row in sorted(most.items()):
        print("%-9s %-20s" % (what, ruleset) + "".join("%9d" % row[c] for c in COLUMNS))
        lines, words, height = BUDGETS[what]
        for name, limit, is_ in (("lines", lines, row["lines"]), ("words before the choice", words, row["words"]), ("px at 390", height, row["px 390"]),
                                 ("bytes of page and picture", BYTES, row["html"] + row["picture"])):
            if limit and is_ > limit:
                found.append(("%s, %s" % (ruleset, what), "budget", "%d %s, not %d" % (is_, name, limit)))
    kinds = {}
    for name, where, words in found:
        kinds.setdefault((name.split(":")[0], re.sub(r"\d+\.\d+$", "", words) if where != "budget" else words), []).append(where)
    print("\nWhat is wrong (each kind once, and how often):")
    for (name, words), wheres in sorted(kinds.items()):
        print("  %s, %s: %s%s" % (name, wheres[0], words, " (%d times)" % len(wheres) if len(wheres) > 1 else ""))
    print("axe-core: " + (browser.value(AXE.read_text() + "; axe.version") if AXE.is_file() else "not here; only our own check of contrast and width"))
    check(not found, "%d findings" % len(found))
    print("%d mails measured" % sum(row["mails"] for row in most.values()))


main(test)
