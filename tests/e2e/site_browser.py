"""The site in a browser: Chromium shows some kinds of pages on a telephone and on a screen, light and dark; nothing is wider than
the screen, nothing hard to read, no script runs and no policy is broken, and turns, skip link and links work by keyboard.
LONG=1 (make site-test) looks at every page, and at mails, and at each kind in Firefox, too; with AXE, a file of axe-core, each kind is asked for what that knows of
accessibility; with GALLERY pictures of each kind are put there."""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from browser import *

LONG = bool(os.environ.get("LONG"))
GALLERY = os.environ.get("GALLERY")
AXE = pathlib.Path(os.environ.get("AXE") or "/nonexistent")
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MAIL_KINDS = {"report": "gc-2", "hostile-words": "gc-1", "supremacy": "gs-2", "contract": "gt-2"}  # games whose last mails with a picture are shown
EVIL = "<script>window.evil=1;alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>\"'&amp;"
KINDS = {"home": "index.html", "running": "running.html", "results": "results.html", "game-running": "games/gc-2.html", "game-finished": "games/gc-1.html#turn-3",
         "game-supremacy": "games/gs-2.html", "game-farmer": "games/gf-1.html", "game-contract": "games/gt-1.html", "game-open": "games/gc-4.html",
         "player": "players/alice.html", "players": "players.html", "competitions": "competitions.html", "competition": "competitions/spring.html",
         "rules": "rules/galaxy-command.html", "all-rules": "rules.html", "month": "results/2026-11.html", "archive": "archive/2026-11/index.html"}
ALONE = (0, 2, 5)  # turns of gc-1
SHORT = ("home", "game-running", "game-finished", "rules")


def make_site():
    league = League()
    league.init()
    league.set("site", url="https://orion.example.org/")
    league.set("league", name="Orion League", ratings="mail", registration="open")
    league.set("outgoing", type="maildir", pictures="yes")
    (league.dir / "news.txt").write_text("The autumn season has begun: eight tables of Galactic Contract.\n\n" + EVIL + "\n")
    people = [Player("alice"), Player("bob"), Player("carol"), Player("dave")]
    for player in people:
        league.add(player)
    when = "2026-11-20T08:00:00Z"
    for name, ruleset, seats in (("gc-1", "galaxy-command", "alice,robot,robot:vega"), ("gs-1", "galactic-supremacy", "robot,robot,robot"),
                                 ("gt-1", "galactic-contract", "robot,robot,robot"), ("gf-1", "galaxy-farmer", "robot")):
        league.seated(name, ruleset, seats, "--now", when, *(["--deadline", "1d"] if "alice" in seats else []))
    for name, ruleset, seats in (("gc-2", "galaxy-command", "alice,bob,robot"), ("gs-2", "galactic-supremacy", "alice,bob,carol,dave"),
                                 ("gt-2", "galactic-contract", "bob,carol"), ("gf-2", "galaxy-farmer", "dave")):
        league.seated(name, ruleset, seats, "--deadline", "3d", "--now", when)
    league.tp("new", "gc-4", "galaxy-command", "--seats", "alice", "--open", "2", "--deadline", "3d", "--now", when)
    league.tp("compete", "new", "spring", "--kind", "tables", "--ruleset", "galactic-contract", "--seats", "2", "--rounds", "3", "--entries", "2026-11-21T08:00:00Z",
              "--starts", "2026-11-22T08:00:00Z", "--round-length", "10d", "--cut-short", "--now", when)
    for player in people:
        league.put_mail(player.mail(league.petition("enter", "competition: spring")), "enter-" + player.name)
    alice, bob = people[0], people[1]
    league.put_mail(alice.mail(league.petition("prefs", "public: yes")), "prefs")
    league.tp("run", "--now", "2026-11-20T09:00:00Z")
    # gc-1 is played to its end by what always holds.
    league.put_mail(alice.mail(league.orders("gc-1", 1, ["always auto", "say all " + EVIL, "explore near"])), "always")
    league.put_mail(alice.mail(league.orders("gc-2", 1, ["say all " + EVIL, "explore near"])), "one")
    league.put_mail(bob.mail(league.orders("gc-2", 1, ["explore near"])), "two")
    for day in range(20, 31):
        league.tp("run", "--now", "2026-11-%02dT12:00:00Z" % day, code=None)
    for day in range(1, 20):
        league.tp("run", "--now", "2026-12-%02dT12:00:00Z" % day, code=None)
    site = WORK / "site"
    league.tp("site", site, "--now", "2027-01-03T00:00:00Z")
    for turn in ALONE:
        league.tp("draw", "gc-1", "--turn", turn, "-o", site / ("alone-%d.svg" % turn))
    return site, mails(league, people)


def mails(league, people):
    """Pages of mails, as a mail program shows them: a file for each kind, with its picture beside it."""
    found = {}
    everybody = [mail for player in people for mail in league.outbox(player.address)]
    for kind, game in MAIL_KINDS.items():
        for mail in everybody:
            page = mail.get_body(preferencelist=("html",))
            picture = [part for part in mail.walk() if part.get_content_type() == "image/png"]
            if not page or not picture or game not in str(mail["subject"]):
                continue
            (WORK / (kind + ".png")).write_bytes(picture[0].get_content())
            found[kind] = WORK / (kind + ".html")
            found[kind].write_text(re.sub(r'src="cid:[^"]+"', 'src="%s.png"' % kind, page.get_content()))
    check(set(found) == set(MAIL_KINDS), "no mail with a picture of the kinds %s" % (set(MAIL_KINDS) - set(found)))
    return found


def ask_axe(browser, where):
    """What axe-core finds; contrast that it cannot decide is looked at by our own check."""
    if browser.value("typeof axe") != "object":
        browser.value(AXE.read_text() + "; 0")
    found = browser.value("axe.run(document, {runOnly: %s}).then(r => r.violations.map(v => v.id + ' (' + v.help + '): ' + "
                          "v.nodes.map(n => n.target.join(' ')).slice(0, 3).join(', ')))" % json.dumps(AXE_RULES), seconds=240)
    check(not found, "%s: axe: %s" % (where, "; ".join(found)))


def look(browser, served, path, width, dark):
    """One page on one screen."""
    browser.view(width, dark)
    browser.go(served.base + path)
    where = "%s at %d%s" % (path, width, ", dark" if dark else "")
    trouble = browser.trouble()
    check(not trouble, "%s: %s" % (where, trouble))
    check(not browser.value("!!window.evil"), where + ": a script has run")
    for what, script in (("too wide", TOO_WIDE), ("hard to read", CONTRAST), ("hard to touch", TOO_SMALL)):
        found = browser.value(script)
        check(not found, "%s: %s: %s" % (where, what, found))
    if AXE.is_file() and isinstance(browser, Chromium):
        ask_axe(browser, where)
    broken = browser.value("[...document.images].filter(i => i.getClientRects().length && i.complete && !i.naturalWidth).map(i => i.src)")
    check(not broken, "%s: pictures that do not show: %s" % (where, broken))


def by_keyboard(browser, served):
    """The skip link comes first and leads past the header; turns are links like any other."""
    browser.view(390, False)
    browser.go(served.base + "index.html")
    browser.press("Tab")
    check(browser.value("document.activeElement.className") == "skip", "the first stop is the skip link")
    browser.press("Enter")
    check(browser.value("location.hash") == "#content", "the skip link leads to the page")
    browser.go(served.base + "games/gc-1.html")
    check(browser.value("[...document.querySelectorAll('.turn')].filter(e => e.getClientRects().length).length") == 1, "one turn at a time")
    check(browser.value("document.querySelector('.turn.last').getClientRects().length > 0"), "the last turn first")
    browser.value("document.querySelector('.turns a[href=\"#turn-2\"]').focus()")
    check(browser.value("getComputedStyle(document.activeElement).outlineStyle") is not None, "the stop can be seen")
    browser.press("Enter")
    shown = "[...document.querySelectorAll('.turn')].filter(e => e.getClientRects().length).map(e => e.id).join()"
    check(browser.value(shown) == "turn-2", "turn 2 alone is shown: %s" % browser.value(shown))
    browser.value("document.querySelector('#turn-2 a[rel=next]').focus()")
    browser.press("Enter")
    check(browser.value(shown) == "turn-3", "and the next one: %s" % browser.value(shown))


# Of two pictures, drawn 360 px wide: how many pixels of the second are otherwise in the first.
OTHERWISE = """(async () => { const drawn = async (src) => { const i = new Image(); i.src = src; await i.decode();
  const c = document.createElement('canvas'); c.width = 360; c.height = Math.round(360 * i.naturalHeight / i.naturalWidth);
  const d = c.getContext('2d'); d.drawImage(i, 0, 0, c.width, c.height); return [c, d.getImageData(0, 0, c.width, c.height).data]; };
  const [[all, is], [one, should]] = [await drawn('%s'), await drawn('%s')];
  if (all.width != 360 || all.height < one.height) return -1;
  let others = 0; should.forEach((v, k) => { if (Math.abs(v - is[k]) > 40) others++; }); return others; })()"""


def look_at_turns(browser, served):
    """The boards of a finished game are in one file: a fragment shows that of a turn as it looks alone; without one, and with one
    that is not there, it is the last."""
    browser.go(served.base + "games/gc-1.html")
    sources = browser.value("[...document.querySelectorAll('.turn img')].map(i => i.getAttribute('src'))")
    for turn in ALONE:
        found = browser.value(OTHERWISE % (sources[turn], "../alone-%d.svg" % turn))
        check(0 <= found < 300, "the board of turn %d (%s): %d values are otherwise" % (turn, sources[turn], found))
        check(browser.value(OTHERWISE % (sources[turn - 1], "../alone-%d.svg" % turn)) > 3000, "turns look alike")
    for mark in ("", "#turn-99"):
        found = browser.value(OTHERWISE % ("../boards/gc-1.svg" + mark, sources[-1]))
        check(found == 0, "the last board comes without a turn: %d" % found)


def check_a_game(browser, served):
    """From the page of a finished game to the proof of it, by the links that a visitor sees."""
    browser.view(390, False)
    browser.go(served.base + "games/gc-1.html")
    link = browser.value("[...document.querySelectorAll('a.way')].map(a => a.href).filter(a => a.includes('/check/'))[0] || ''")
    check(link, "no link to the check of gc-1")
    browser.go(link)
    end = time.monotonic() + 30
    while not browser.value("document.getElementById('verdicts').children.length"):
        browser.value("(() => { const b = document.getElementById('start'); if (b && !b.disabled && !window.begun) { window.begun = 1; b.click(); } })()")
        check(time.monotonic() < end, "no verdict: " + browser.value("document.body.innerText"))
        time.sleep(0.1)
    while "Proved" not in browser.value("document.body.innerText") and time.monotonic() < end:
        time.sleep(0.1)
    words = browser.value("document.getElementById('verdicts').innerText")
    check("hold" in words and "Broken" not in words, "the verdict on gc-1: " + words)
    found = browser.value(TOO_WIDE) + browser.value(CONTRAST)
    check(not found, "the verdict: %s" % found)
    check(not browser.trouble(), "the check: %s" % browser.trouble())
    return words


def look_at_mails(browser, pages):
    """As in a mail program with a page of its own: none of them follows our style in the dark."""
    for kind, path in pages.items():
        for width in (390, 1200):
            browser.view(width, False)
            browser.go(path.as_uri())
            for what, script in (("too wide", TOO_WIDE), ("hard to read", CONTRAST)):
                found = browser.value(script)
                check(not found, "mail %s at %d: %s: %s" % (kind, width, what, found))
            if GALLERY:
                browser.picture(pathlib.Path(GALLERY) / ("mail-%s-%d.png" % (kind, width)))


def look_at_cards(site):
    """What previews of links show of a game: its board, where mails had it as a picture."""
    for game, card in (("gc-2", "boards/gc-2.png"), ("gf-1", "card.png")):
        check((site / card).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", "%s is no PNG" % card)
        check('<meta property="og:image" content="https://orion.example.org/%s">' % card in (site / "games" / (game + ".html")).read_text(),
              "the card of %s is not %s" % (game, card))


def play(running):
    site, letters = make_site()
    look_at_cards(site)
    served = Served(site)
    running.append(served)
    began = time.monotonic()
    chromium = Chromium()
    running.append(chromium)
    kinds = {kind: path for kind, path in KINDS.items() if (site / path.split("#")[0]).is_file()}
    missing = set(KINDS) - set(kinds)
    check(not missing, "the league of this test has no page of the kinds %s" % missing)
    pages = 0
    for kind, path in kinds.items():
        if not LONG and kind not in SHORT:
            continue
        for width, dark in ((390, False), (390, True), (1200, False), (1200, True)) if LONG else ((390, True), (1200, False)):
            look(chromium, served, path, width, dark)
            pages += 1
            if GALLERY:
                chromium.picture(pathlib.Path(GALLERY) / ("site-%s-%d%s.png" % (kind, width, "-dark" if dark else "")))
    if LONG:
        for path in sorted(site.rglob("*.html")):
            look(chromium, served, str(path.relative_to(site)), 390, False)
            pages += 1
    if GALLERY:
        shots = sorted(p.name for p in pathlib.Path(GALLERY).glob("site-*.png"))
        (pathlib.Path(GALLERY) / "site.html").write_text("<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Pages of the site</title>\n" + "".join(
            '<figure><img src="%s" alt="%s" loading="lazy"><figcaption>%s</figcaption></figure>\n' % (n, n, n) for n in shots) + "</html>\n")
    if LONG:
        look_at_mails(chromium, letters)
        print("axe-core: " + (AXE.parent.name + ", " + chromium.value(AXE.read_text() + "; axe.version") if AXE.is_file() else "not here"))
    by_keyboard(chromium, served)
    look_at_turns(chromium, served)
    if (site / "check/check.html").is_file():
        print(check_a_game(chromium, served))
    last = chromium
    if LONG:
        chromium.stop()
        last = Firefox()
        running.append(last)
        for path in kinds.values():
            look(last, served, path, 390, False)
            pages += 1
        look_at_turns(last, served)
    check(not served.reports, "reports against the policy: %s" % served.reports[:3])
    # The policy is in force, and its reports arrive: a page that breaks it is told of.
    (site / "broken.html").write_text("<!DOCTYPE html><title>x</title><script>window.evil=1</script>")
    last.go(served.base + "broken.html")
    check(not last.value("!!window.evil"), "the policy that we name stops no script")
    end = time.monotonic() + 10
    while not served.reports and time.monotonic() < end:
        time.sleep(0.1)
    check(served.reports, "reports against the policy do not arrive, so that there are none shows nothing")
    last.stop()
    print("%d pages looked at, %.0f s in the browsers" % (pages, time.monotonic() - began))


main(play)
