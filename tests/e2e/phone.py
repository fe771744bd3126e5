"""Mails on a telephone (make phone, some minutes), in Chromium at 360 and 390 px, light and dark. Two sources:

recorded   the reports of the recorded games, to all seats, as tests/letters/headlines.c renders them (HEADLINES, its program), with their boards
played     a game of each ruleset in a league as `init` makes it, to its end by what robots advise. Two answer by Reply and one with a key;
           they mistype, order what cannot work and are reminded, so every kind of mail comes, with its picture as the league sends it

Of each ruleset and kind are printed, as median, 9 of 10, and most: height in px, how far down the choice begins and after how many words, and
bytes of page and picture; how far the widest thing reaches, the smallest text, and what axe-core (AXE, a file) finds. What must hold is in BUDGETS,
CHOICE, TEXT and BYTES, nothing may be wider than the screen, no mail is without a choice where its reader has one, and no kind may be missing. Mails to
who plays with a key are kinds of their own: they hold the form to sign. SHOTS: a folder for pictures of the tallest of each kind, and of one in the
middle. No part of `make test`.

Letters are wider here than on a telephone: Debian's DejaVu Sans takes a seventh more room than San Francisco or Roboto."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from replier import *
from league import *
from domains import Domains
from reader import Reader
from browser import Chromium, CONTRAST, TOO_WIDE

AXE = pathlib.Path(os.environ.get("AXE") or "/nonexistent")
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
HEADLINES, SHOTS = os.environ["HEADLINES"], os.environ.get("SHOTS")
SCREENS = [(360, False), (360, True), (390, False), (390, True)]
ASKED = int(os.environ.get("ASKED", 6))  # pages of a kind and ruleset that axe-core is asked about: the longest, and others from all over the games
EVERY = int(os.environ.get("EVERY", 1))  # recorded report that is looked at
DRAWN = int(os.environ.get("DRAWN", 30))  # recorded reports of a kind and ruleset that have their own picture; the others borrow one
GAMES = [("gc-1", "galaxy-command", 3), ("gs-1", "galactic-supremacy", 3), ("gt-1", "galactic-contract", 3), ("gf-1", "galaxy-farmer", 1), ("gf-2", "galaxy-farmer", 1)]
TURNS = 400   # no game is longer
TYPED = 60    # letters of a line that people with a telephone type; longer ones are broken by mail programs, and asked about
BY_HAND = 15  # turns whose orders are written out; later ones say "auto", because asking for a robot's advice reads the whole journal
NOON = 1795176000  # 2026-11-20 12:00 UTC
KEY = " by key"
KINDS = [kind + key for kind in ("invitation", "invited", "first", "report", "receipt", "question", "reminder", "over", "watched") for key in ("", KEY)]
# Of 9 of 10 mails of a kind (of half of them, where there are fewer than ten): words before the choice at most; px of height at 390 at most (844 are
# a screen), and the px that we aim at, of which is told how many are missed. None: no limit. Galactic Contract has up to seventeen choices and a tall
# board; the form to sign and the proofs that are copied from the page take 300 to 500 px; an end shows the last board and what was hidden.
BUDGETS = {"invitation": (60, 1500, 1500), "first": (60, 2200, 2200), "report": (60, 2750, 2500), "receipt": (None, 844, 844), "question": (25, 600, 844), "reminder": (60, 1300, 1300),
           "over": (None, 1700, 1400), "first by key": (60, 2400, 2200), "report by key": (60, 3100, 2500), "receipt by key": (None, 1000, 844),
           "reminder by key": (60, 1650, 1300), "over by key": (None, 1950, 1400)}
# Where one seat moves at a time, orders mostly play the turn at once, and the report is their receipt.
BY_LUCK = {("galactic-supremacy", "receipt")}
CHOICE = 800                # px at 390 at most above the choice, in each mail
TEXT, BYTES = 12, 60 << 10  # px at least; of page and picture together at most
# What is above the choices, as form.txt and form_reply.txt head them, or in a question what to press.
HEADING = re.search(r"^[A-Z ]+$", (TESTS.parent / "templates/common/form_reply.txt").read_text(), re.M)[0].lower()
MEASURE = r"""((heading, about) => {
  const found = {height: Math.ceil(document.body.getBoundingClientRect().bottom + scrollY), right: 0, widest: "", size: 1000, smallest: "", words: 0, px: null};
  const begins = [...document.querySelectorAll("h2")].find(h => h.textContent.trim().toLowerCase() === heading) ||
    (about ? [...document.querySelectorAll("p")].find(p => /press Reply/i.test(p.textContent)) : null);
  const name = (e, words) => e.tagName.toLowerCase() + ' "' + words.trim().replace(/\s+/g, " ").slice(0, 40) + '"';
  const reach = (right, e, words) => { if (right > found.right) { found.right = Math.ceil(right); found.widest = name(e, words); } };
  for (const image of document.images) reach(image.getBoundingClientRect().right + scrollX, image, image.alt);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, words = walk.currentNode.textContent;
    if (!words.trim() || !e.getClientRects().length) continue;
    range.selectNodeContents(walk.currentNode);
    for (const box of range.getClientRects()) reach(box.right + scrollX, e, words);
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (size < found.size) { found.size = size; found.smallest = name(e, words); }
    if (/ not work, see below:/.test(words)) continue;  // which repeats what the player wrote
    if (begins && begins.compareDocumentPosition(walk.currentNode) & Node.DOCUMENT_POSITION_PRECEDING && !e.closest("h1 small"))
      found.words += words.trim().split(/\s+/).length;
  }
  if (begins) found.px = Math.round(begins.getBoundingClientRect().top + scrollY);
  const heads = [...document.querySelectorAll("h2")], top = e => e.getBoundingClientRect().top + scrollY;
  found.sections = heads.map((h, i) => [h.textContent.replace(/ in turns? .*/, ""), Math.round((i + 1 < heads.length ? top(heads[i + 1]) : found.height) - top(h))]);
  found.sections.unshift(["(before them)", Math.round(heads.length ? top(heads[0]) : found.height)]);
  return found; })(%s, %s)"""


class Page:
    """What is measured: a mail's page with its picture (bytes, or None), and from where it is, for messages. `chooses`: its reader has a choice to make."""

    def __init__(self, kind, ruleset, name, html, picture, chooses):
        self.kind, self.ruleset, self.name, self.html, self.picture, self.chooses = kind, ruleset, name, html, picture, chooses
        self.bytes = len(html.encode()) + len(picture or b"")

    def shown(self):
        """As a browser alone can show it."""
        return self.html.replace('src="board.png"', 'src="data:image/png;base64,%s"' % base64.b64encode(self.picture or b"").decode())


# ---- recorded games ----

def recorded(folder):
    """Pages of tests/letters/headlines.c, called <game>-<turn>-<seat>.<kind>.html, each with the board that a mail would have."""
    folder.mkdir()
    sh(HEADLINES, env=dict(os.environ, DUMP=str(folder)), cwd=TESTS.parent)
    pages, kinds = [], {}
    for path in sorted(folder.glob("*.html")):
        game, turn, seat, kind = re.fullmatch(r"(.+)-(\d+)-(\d)\.(\w+)\.html", path.name).groups()
        if not (TESTS.parent / "games" / game).is_dir():  # a random one
            continue
        begin = json.loads((TESTS.parent / "games" / game / "journal.jsonl").read_text().partition("\n")[0])
        kinds.setdefault((kind, begin["ruleset"]), []).append((path, game, int(turn), int(seat)))
    for (kind, ruleset), all_of_them in kinds.items():
        all_of_them = all_of_them[::EVERY]
        step = max(1, len(all_of_them) // DRAWN)
        for i, (path, game, turn, seat) in enumerate(all_of_them):
            if i % step == 0:
                board = folder / "board.png"
                sh(TURNPOST, "draw", TESTS.parent / "games" / game, "--turn", turn - 1, "--seat", seat, "-o", board)
            html, picture = path.read_text(), board.read_bytes() if kind in ("first", "report", "over") else None
            img = '<img src="board.png" width="360" style="width:100%;max-width:480px;height:auto;border-radius:8px" alt="The board">'
            chooses = kind in ("first", "report") and HEADING in path.with_suffix(".txt").read_text().lower()
            pages.append(Page(kind, ruleset, path.stem, html.replace("<!--picture-->", img if picture else ""), picture, chooses))
    return pages


# ---- games that are played ----

class World:
    """A league as `init` makes it, with a site and somebody to ask, and its clock."""

    def __init__(self, domains):
        self.league, self.now, self.pages, self.other = League(), NOON, [], {}
        self.league.init()
        domains.use(self.league)
        self.league.use_names(domains.names.port, "")
        self.league.set("outgoing", type="maildir", pictures="auto")
        self.league.set("league", trust="mail", registration="open", contact="petra@game.test", page_url="https://play.orion.example.org/")
        self.league.set("site", url="https://orion.example.org/")
        self.readers = [Reader(name, domains, self.league) for name in ("anna", "borys")]
        self.key = Player("carol")
        self.everybody = [*self.readers, self.key]
        self.guests = 0
        self.asked = set()  # by their Message-ID: what we asked because of a mistyped line
        for reader in self.readers:
            self.deliver(reader, reader.write("gmail", ADDRESS, "register " + reader.name, "", now=self.now))
            self.deliver(reader, reader.reply("gmail_android", reader.last.as_bytes(), "ok", now=self.now))
        self.league.add(self.key)

    def tp(self, *args):
        return self.league.tp(*args, "--now", self.iso())

    def iso(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now))

    def run(self, seconds=20):
        self.now += seconds
        self.tp("run")

    def deliver(self, who, raw):
        """The league works; what came back to whoever has sent it."""
        self.now += 60
        name = "%s-%d" % (who.name, who.count)
        self.league.put_mail(raw, name)
        os.utime(self.league.dir / "mail/in/new" / name, (self.now, self.now))
        self.run()
        mails = self.league.new_mails(who.address)
        for mail in mails:
            self.take(mail)
        who.last = mails[-1] if mails else getattr(who, "last", None)
        return mails

    def look(self):
        for who in self.everybody:
            for mail in self.league.new_mails(who.address):
                self.take(mail)
                who.last = mail

    def kind_of(self, mail):
        """By the record that the mail belongs to: its Message-ID names it."""
        if mail["Subject"].startswith("You are invited"):
            return None, "invitation"
        named = re.match(r"<([\w-]+)\.(\d+)\.\d+@", mail["Message-ID"].strip())
        if not named or not (self.league.dir / "games" / named[1]).is_dir():
            return None, "question" if mail["Message-ID"] in self.asked else "answer"
        records = self.league.records(named[1])
        record = records[int(named[2]) - 1]
        kind = record["type"] if record["type"] != "note" else record["kind"]
        last = max(r["seq"] for r in records if r["type"] in ("turn", "start"))
        if kind == "turn" and record["seq"] == last and json.loads(self.league.tp("show", named[1], "--json"))["over"]:
            kind = "over"
        return named[1], {"start": "first", "turn": "report", "orders": "receipt", "open": "over"}.get(kind, kind)

    def take(self, mail):
        game, kind = self.kind_of(mail)
        game = game or (re.match(r".*\[([\w-]+)\]", str(mail["Subject"])) or [None, None])[1]
        ruleset = {g: r for g, r, _ in GAMES}.get(game, self.open if kind == "invitation" else "")
        if kind not in KINDS or not ruleset:
            self.other["%s of %s" % (kind, ruleset or "no game")] = str(mail["Subject"])
            return
        page, pictures = mail.get_body(("html",)), [part.get_content() for part in mail.walk() if part.get_content_type() == "image/png"]
        check(page, "no page: " + str(mail["Subject"]))
        check(len(pictures) == (kind in ("invitation", "first", "report", "over")), "%d pictures in a mail of the kind %s: %s" % (len(pictures), kind, mail["Subject"]))
        html = re.sub(r'src="cid:[^"]+"', 'src="board.png"', page.get_content())
        chooses = kind in ("invitation", "question", "reminder") or kind in ("first", "report") and HEADING in text_of(mail).lower()
        kind += KEY if self.key.address in mail["To"] else ""
        self.pages.append(Page(kind, ruleset, "%s: %s" % (kind, mail["Subject"]), html, pictures[0] if pictures else None, chooses))

    def answer(self, who, game, turn, lines):
        """Orders as they come from that player: an answer to the last mail, or signed."""
        if who is self.key:
            return self.deliver(who, who.mail(self.league.orders(game, turn, lines)))
        return self.deliver(who, who.reply("gmail_android", who.last.as_bytes(), "\n".join(lines), now=self.now + 60))

    def mistype(self, who, game, turn, line):
        """A word without its last letter: we ask back, or, to a key, tell in the receipt."""
        word, _, rest = line.partition(" ")
        before = len(self.pages)
        mails = self.answer(who, game, turn, [word[:-1] + " " + rest])
        if who is not self.key:
            for mail in mails:
                self.asked.add(mail["Message-ID"])
            self.pages[before:] = []
            for mail in mails:
                self.take(mail)

    def invite(self, ruleset, seats):
        """Somebody new, to the one game that waits for players; then it is given up."""
        self.guests, self.open = self.guests + 1, ruleset
        game, guest = "open-%d" % self.guests, "guest%d@players.test" % self.guests
        self.tp("new", game, ruleset, "--open", seats, "--deadline", "3d", "--trust", "mail")
        self.tp("invite", "--to", guest)
        self.run()
        for mail in self.league.new_mails(guest):
            self.take(mail)
        self.tp("moderate", game, "void", "--reason", "nobody came")
        self.run()

    def state(self, game, robot=False):
        return json.loads(self.league.tp("show", game, "--json", *(["--robot"] if robot else [])))

    def play(self, game, ruleset, people):
        self.league.seated(game, ruleset, ",".join(who.name for who in people), "--deadline", "3d", "--trust", "mail",
                           *(["--option", "decks=1"] if ruleset == "galactic-supremacy" else []), "--now", self.iso())
        self.run()
        self.look()
        for _ in range(TURNS):
            shown = self.state(game)
            if shown["over"]:
                return shown["turn"]
            turn = shown["turn"]
            if turn < BY_HAND:
                shown = self.state(game, robot=True)
            awaited = [s for s in shown["seats"] if s["awaited"]]
            if turn % 6 == 3:
                self.run(2 * DAY + 3600)
                self.look()
            for seat in awaited:
                who = next(p for p in people if p.name == seat["name"])
                lines = seat.get("robot_orders", "auto").splitlines() or ["pass"]
                if who is not self.key and max(map(len, lines)) > TYPED:
                    lines = ["auto"]
                if turn % 5 == 1:
                    self.mistype(who, game, turn, lines[0])
                if turn % 5 in (2, 4):
                    self.answer(who, game, turn, lines + ["when turn = %d then %s" % (turn + 1, lines[0]), lines[0][:-2] + "zz"])
                if self.state(game)["turn"] == turn:
                    self.answer(who, game, turn, lines)
            self.look()
            if self.state(game)["turn"] == turn:
                self.run(3 * DAY + 3600)
                self.look()
        raise Failed("%s is not over after %d turns" % (game, TURNS))


# ---- what is measured ----

def most(numbers, share=1):
    """The median (share 0.5), 9 of 10 (0.9), or the most."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def look_at(browser, pages, found):
    """Adds to each page what was measured."""
    longest = sorted(range(len(pages)), key=lambda i: -len(pages[i].html))[:ASKED // 2]
    asked = set(longest) | set(range(0, len(pages), max(1, len(pages) // (ASKED - ASKED // 2))))
    for i, page in enumerate(pages):
        browser.view(360, False)
        browser.show(page.shown())
        browser.value("Promise.all([...document.images].map(i => i.decode()))")
        for width, dark in SCREENS:
            browser.view(width, dark)
            where = "at %d px, %s" % (width, "dark" if dark else "light")
            if not dark:
                page.at = getattr(page, "at", {})
                page.at[width] = browser.value(MEASURE % (json.dumps(HEADING), json.dumps(page.kind in ("invitation", "question"))))
                for words in browser.value(TOO_WIDE):
                    found.append((page, where, "too wide: " + words))
                if page.at[width]["size"] < TEXT:
                    found.append((page, where, "text of %g px: %s" % (page.at[width]["size"], page.at[width]["smallest"])))
                if page.chooses and page.at[width]["px"] is None:
                    found.append((page, where, "no choice is found"))
                if (page.at[width]["px"] or 0) > CHOICE and width == 390:
                    found.append((page, where, "the choice is %d px down" % page.at[width]["px"]))
            if i not in asked:
                continue
            for words in browser.value(CONTRAST):
                found.append((page, where, "hard to read: " + words))
            if AXE.is_file() and width == 360:
                if browser.value("typeof axe") != "object":
                    browser.value(AXE.read_text() + "; 0")
                for words in browser.value("axe.run(document, {runOnly: %s}).then(r => r.violations.map(v => v.id + ' (' + v.help + '): ' + "
                                           "v.nodes.map(n => n.target.join(' ')).slice(0, 3).join(', ')))" % json.dumps(AXE_RULES), seconds=240):
                    found.append((page, where, "axe: " + words))


def shoot(browser, page, source):
    """To be looked at."""
    for width, dark in ((360, False), (390, True)):
        browser.view(width, dark)
        browser.show(page.shown())
        browser.picture(pathlib.Path(SHOTS) / ("%s-%s-%s-%d%s.png" % (page.ruleset, page.kind, source, width, "-dark" if dark else "")))


def report(source, pages, found):
    print("\n%s: median / 9 of 10 / most; px at 390 px (height at 360: most)\n%-19s %-15s %6s %18s %6s %15s %12s %6s %5s %16s" % (
        source, "ruleset", "kind", "mails", "height", "at 360", "choice at px", "words", "right", "text", "KB"))
    groups = {}
    for page in pages:
        groups.setdefault((page.ruleset, KINDS.index(page.kind)), []).append(page)
    three = lambda numbers, form="%d": " / ".join(form % most(numbers, share) for share in (0.5, 0.9, 1)) if numbers else "-"
    sections, aims = [], []
    for (ruleset, kind), group in sorted(groups.items()):
        at = [page.at[390] for page in group]
        words = [a["words"] for a in at if a["px"] is not None]
        heights = [a["height"] for a in at]
        print("%-19s %-15s %6d %18s %6d %15s %12s %6d %5g %16s" % (
            ruleset, KINDS[kind], len(group), three(heights), max(page.at[360]["height"] for page in group),
            three([a["px"] for a in at if a["px"] is not None]), three(words), max(page.at[360]["right"] for page in group),
            min(a["size"] for a in at), three([page.bytes / 1024 for page in group], "%.0f")))
        sections.append((ruleset, KINDS[kind], at))
        limit_words, limit_px, aim = BUDGETS.get(KINDS[kind], (None, None, None))
        judged = lambda numbers: most(numbers, 0.9 if len(numbers) >= 10 else 0.5)
        if aim and judged(heights) > aim:
            aims.append("%s, %s: %d of %d are higher than %d px" % (ruleset, KINDS[kind], sum(px > aim for px in heights), len(heights), aim))
        for name, numbers, limit in (("words before the choice", words, limit_words), ("px high at 390", heights, limit_px)):
            if limit and judged(numbers) > limit:
                found.append((group[0], "budget", "most have up to %d %s, not %d" % (judged(numbers), name, limit)))
        if max(page.bytes for page in group) > BYTES:
            found.append((group[0], "budget", "up to %d bytes of page and picture, not %d" % (max(page.bytes for page in group), BYTES)))
    print("longer than they should be, %s:\n  %s" % (source, "\n  ".join(aims) or "none"))
    print("\nwhere the height of %s mails is: px at 390 px, where they have it (median, and of how many)" % source)
    for ruleset, kind, at in sections:
        heads = {}
        for one in at:
            for head, px in one["sections"]:
                heads.setdefault(head, []).append(px)
        shown = sorted(heads.items(), key=lambda item: -most(item[1], 0.5) * len(item[1]))[:9]
        print("  %s, %s: %s" % (ruleset, kind, "; ".join("%s %d (%d)" % (head, most(px, 0.5), len(px)) for head, px in shown)))


def test(servers):
    browser = Chromium()
    servers.append(browser)
    domains = Domains()
    servers.append(domains)
    world = World(domains)
    for game, ruleset, seats in GAMES:
        people = [world.key] if game == "gf-2" else world.everybody[:seats]
        world.invite(ruleset, seats)
        print("%s, %s: %d turns" % (game, ruleset, world.play(game, ruleset, people)), flush=True)
    found, measured = [], 0
    for source, pages in (("recorded", recorded(WORK / "recorded")), ("played", world.pages)):
        groups = {}
        for page in pages:
            groups.setdefault((page.ruleset, page.kind), []).append(page)
        for group in groups.values():
            look_at(browser, group, found)
            if SHOTS:
                ordered = sorted(group, key=lambda page: page.at[390]["height"])
                shoot(browser, ordered[-1], source)
                shoot(browser, ordered[len(ordered) // 2], source + "-median")
        report(source, pages, found)
        measured += len(pages)
    came = {(page.ruleset, page.kind.removesuffix(KEY)) for page in world.pages}
    missing = {(ruleset, kind) for _, ruleset, _ in GAMES for kind in BUDGETS if not kind.endswith(KEY)} - came
    print("\ndid not come: " + (", ".join(map(" ".join, sorted(missing))) or "nothing"))
    if world.other:
        print("\nnot measured: " + "; ".join("%s (%s)" % one for one in sorted(world.other.items())))
    kinds = {}
    for page, where, words in found:
        kind = re.sub(r'\d+\.\d+$| to \d+ px$|"[^"]*"(?= to)', "", words) if where != "budget" else words
        kinds.setdefault((page.ruleset, page.kind, kind), []).append((page.name, where, words))
    print("\nWhat is wrong (each kind once, and how often):")
    for (ruleset, _, _), places in sorted(kinds.items()):
        print("  %s, %s, %s: %s%s" % (ruleset, *places[0], " (%d times)" % len(places) if len(places) > 1 else ""))
    print("axe-core: " + (browser.value(AXE.read_text() + "; axe.version") if AXE.is_file() else "not here; only our own check of contrast and width"))
    check(not found, "%d findings" % len(found))
    check(missing <= BY_LUCK, "no mail of these kinds came: %s" % sorted(missing - BY_LUCK))
    print("%d pages measured" % measured)


main(test)
