"""The league's own site: pages of all rulesets are valid and their links resolve, feeds and data parse, nothing hostile becomes markup,
nothing private is told, and only what has changed is written."""
import hashlib
import html.parser
import json
import os
import pathlib
import shutil
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

EVIL = "<script>alert('x')</script>\"&<img src=x onerror=alert(1)>"


class Page(html.parser.HTMLParser):
    """Links, ids and what should not be in a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.faults = [], set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            if attrs["id"] in self.ids:
                self.faults.append("id %s twice" % attrs["id"])
            self.ids.add(attrs["id"])
        if tag in ("script", "iframe", "object", "embed", "form", "base", "style"):
            self.faults.append("<%s>" % tag)
        if tag == "img" and not attrs.get("alt"):
            self.faults.append("a picture without words")
        for name, value in attrs.items():
            if name.startswith("on") or name == "style":
                self.faults.append("%s=" % name)
            if name in ("href", "src"):
                self.links.append((tag, value))


def digests(site):
    return {str(p.relative_to(site)): hashlib.sha256(p.read_bytes()).hexdigest() for p in site.rglob("*")
            if p.is_file() and not p.name.startswith(".turnpost-site")}


def changed(before, after):
    """Of pages and what belongs to them; the log has an entry of whatever happens."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name) and not name.startswith("log/")}


looked_at, read = {}, {}  # of each file its bytes when it was looked at last; of each page what is in it


def look_at(site, base):
    """Every file of the site. What is in one that has not changed is known since the last time; where its links lead is not."""
    found = {p: p.read_bytes() for p in site.rglob("*") if p.is_file()}
    new = [p for p in found if looked_at.get(p) != found[p]]
    looked_at.update(found)
    read.update({p: Page(p) for p in new if p.suffix in (".html", ".svg")})
    pages = {p: read[p] for p in found if p.suffix == ".html"}
    look_at_links(site, base, pages)
    look_into(new)
    return pages


def look_at_links(site, base, pages):
    for path, page in pages.items():
        if path.parent.name != "check":  # the page that checks a game has scripts, under a policy of its own
            check(not page.faults, "%s: %s" % (path, page.faults))
        for tag, link in page.links:
            if link.startswith("mailto:"):
                check(ADDRESS in link, "%s: %s" % (path, link))
                continue
            if tag == "link" and link.startswith(base):
                continue
            check("//" not in link, "%s leads elsewhere: %s" % (path, link))
            file, _, mark = link.partition("#")
            file, _, asked = file.partition("?")
            if asked:  # check.html reads that file
                check((site / "check" / asked.removeprefix("game=")).is_file(), "%s: %s" % (path, link))
            target = (path.parent / urllib.parse.unquote(file)).resolve() if file else path.resolve()
            check(target.is_file(), "%s: no such file: %s" % (path, link))
            if mark:
                check(mark in read[target].ids, "%s: no such place: %s" % (path, link))


def look_into(files):
    pages = [str(path) for path in files if path.suffix == ".html"]
    done = subprocess.run(["tidy", "-q", "-e", "--drop-empty-elements", "no", "--warn-proprietary-attributes", "no", *pages], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(not pages or done.returncode == 0, "tidy:\n" + done.stdout.decode(errors="replace")[:3000])
    for path in (path for path in files if path.suffix == ".json"):
        json.loads(path.read_text())
    for path in (path for path in files if path.suffix in (".xml", ".svg")):
        root = ElementTree.fromstring(path.read_bytes())
        for element in root.iter():
            check(not element.tag.endswith("script"), "%s: a script" % path)
            check(not any(name.lower().startswith("on") for name in element.attrib), "%s: %s" % (path, element.attrib))
    for path in (path for path in files if path.suffix == ".xml"):
        ids = [e.text for e in ElementTree.fromstring(path.read_bytes()).iter("{http://www.w3.org/2005/Atom}id")]
        check(len(ids) == len(set(ids)) and all(i.startswith("urn:turnpost:") for i in ids), "%s: %s" % (path, ids))
    for path in files:
        if path.suffix not in (".tar", ".png", ".wasm") and "tile" not in path.parts:
            text = path.read_text()
            check("players.test" not in text, "%s has an address of a player" % path)
            check("<script" not in text.lower() or path.suffix == ".json" or path.parent.name == "check", "%s: a script" % path)


def play(_):
    league = League()
    league.init()
    site = WORK / "site"
    base = "https://orion.example.org/"
    league.set("site", url=base)
    league.set("league", name="Orion <b>&amp; \"Friends\"</b>", ratings="signed", registration="open")
    (league.dir / "news.txt").write_text("First line\nsecond <i>line</i>.\n\n" + EVIL + "\n")
    people = [Player("alice"), Player("bob", "minisign"), Player("carol", "signify")]
    alice, bob, carol = people
    for player in people:
        league.add(player)
    when = "2026-11-20T08:00:00Z"
    for name, ruleset, seats in (("gc-1", "galaxy-command", "robot,robot"), ("gs-1", "galactic-supremacy", "robot,robot"),
                                 ("gt-1", "galactic-contract", "robot,robot"), ("gf-1", "galaxy-farmer", "robot")):
        league.tp("new", name, ruleset, "--seats", seats, "--now", when)
    for name, ruleset, seats in (("gc-2", "galaxy-command", "alice,bob"), ("gs-2", "galactic-supremacy", "alice,bob,robot"),
                                 ("gt-2", "galactic-contract", "bob,carol"), ("gf-2", "galaxy-farmer", "carol")):
        league.seated(name, ruleset, seats, "--deadline", "3d", "--now", when)
    league.seated("gc-3", "galaxy-command", "alice,carol", "--no-observers", "--deadline", "3d", "--now", when)
    league.tp("new", "gc-4", "galaxy-command", "--seats", "alice", "--open", "2", "--deadline", "3d", "--now", when)
    league.put_mail(alice.mail(league.petition("prefs", "public: yes")), "prefs")
    league.tp("run", "--now", "2026-11-20T09:00:00Z")
    league.tp("site", site)
    pages = look_at(site, base)
    check((site / "players/alice.html").is_file() and not (site / "players/bob.html").exists(), "alice alone shows her results")
    check(all("ratings.html" in " ".join(link for _, link in page.links) for path, page in pages.items() if "/check/" not in str(path)), "ratings are kept")
    check("No game has been rated yet" in (site / "ratings.html").read_text(), "of robots alone there are none")
    check(not list((site / "boards").glob("gc-3*")) and "private" in (site / "games/gc-3.html").read_text(), "gc-3 is private")
    check("view" not in json.loads((site / "games/gc-3.json").read_text()), "gc-3 is private")
    check("alert(" in (site / "index.html").read_text(), "the news are there, as words")
    check("2 of 3 seats" in (site / "index.html").read_text(), "free seats are on the first page")
    turns = json.loads((site / "games/gf-1.json").read_text())["turn"]
    check("turn-%d" % (turns - 1) in pages[site / "games/gf-1.html"].ids and "turn-0" in pages[site / "games/gf-1.html"].ids, "all turns of gf-1")

    # Nothing has changed, nothing is written.
    before = digests(site)
    check("0 files written, 0 removed" in league.tp("site", site), "nothing was to be written")
    check(not changed(before, digests(site)), "nothing was to be written")

    # Orders come in: no page shows that. The log does, by seat and not by name: whoever has ordered can prove it.
    league.put_mail(alice.mail(league.orders("gc-2", 1, ["say all " + EVIL, "explore near"])), "one")
    league.tp("run", "--now", "2026-11-20T10:00:00Z")
    league.tp("site", site)
    seen = changed(before, digests(site))
    check(not seen, "a visitor can see that orders came in: %s" % seen)
    # Where league.ini says so, they can.
    league.set("site", url=base, awaited="yes")
    league.tp("site", site)
    check("orders awaited" in (site / "games/gc-2.html").read_text(), "gc-2 awaits bob")
    check("orders awaited" not in (site / "games/gc-3.html").read_text().split("carol")[0].split("alice")[0], "before the names")
    league.set("site", url=base, awaited="no")
    league.tp("site", site)
    check(not changed(before, digests(site)), "as before: %s" % changed(before, digests(site)))

    # A turn of one game.
    league.put_mail(bob.mail(league.orders("gc-2", 1, ["explore near"])), "two")
    league.tp("run", "--now", "2026-11-20T11:00:00Z")
    league.tp("site", site)
    diff = changed(before, digests(site))
    expect = {"games/gc-2.html", "games/gc-2.json", "boards/gc-2.svg", "index.html", "index.json", "running.html",
              "running.json"}
    check(diff == expect, "changed: %s" % sorted(diff ^ expect))
    check("&lt;script&gt;" in (site / "games/gc-2.html").read_text(), "what alice said is there, as words")
    look_at(site, base)

    # The archive: written once. Its files prove the game.
    league.tp("site", site, "--now", "2026-12-03T00:00:00Z")
    archive = site / "archive/2026-11"
    check(sorted(p.name for p in archive.iterdir() if p.is_file()) == ["gc-1.tar", "gf-1.tar", "gs-1.tar", "gt-1.tar", "index.html"], "the archive: %s" % list(archive.iterdir()))
    (WORK / "taken").mkdir()
    subprocess.run(["tar", "-x", "-f", archive / "gf-1.tar", "-C", WORK / "taken"], check=True)
    check("proved" in league.tp("audit", str(WORK / "taken/gf-1")), "the archived game is proved")
    kept = digests(archive)
    (league.dir / "templates/site").mkdir(parents=True, exist_ok=True)
    (league.dir / "templates/site/site_foot.html").write_text("</main><footer>Our own words.</footer></body></html>\n")
    league.tp("site", site, "--now", "2027-02-03T00:00:00Z")
    check("Our own words." in (site / "index.html").read_text(), "the league's own template")
    check(digests(archive) == kept, "the archive was written again")
    shutil.rmtree(league.dir / "templates/site")

    # Names that look like files of the archive.
    league.tp("clock", "--confirm", "--now", "2027-01-10T00:00:00Z")
    for name in ("x", "x.tar", "index.html"):
        league.tp("new", name, "galaxy-farmer", "--seats", "robot:a", "--now", "2027-01-10T00:00:00Z")
    league.tp("site", site, "--now", "2027-02-04T00:00:00Z")
    check(all((site / "archive/2027-01" / (name + ".tar")).is_file() for name in ("x", "x.tar", "index.html")), "the archive")
    look_at(site, base)

    # A player who shows nothing any more.
    league.today = "2026-11-20"
    league.put_mail(alice.mail(league.petition("prefs", "public: no")), "prefs2")
    # The worker writes it after its round, in its sandbox; where it cannot, all else goes on.
    league.set("site", folder=site, url=base)
    league.tp("run", "--now", "2026-11-20T12:00:00Z")
    check("site: " in league.err or not (site / "players/alice.html").exists(), league.err)
    check(not (site / "players/alice.html").exists() and not (site / "players/alice.json").exists(), "alice's page is gone")
    look_at(site, base)
    (WORK / "nofolder").write_text("a file, no folder\n")
    check("the site is written to" in league.tp("doctor", code=None), "doctor knows the site")
    league.set("site", folder=WORK / "nofolder/site", url="orion.example.org")
    said = league.tp("doctor", code=None)
    check("is not there; the next run makes it" in said and "need an address such as" in said, "doctor: " + said)
    league.put_mail(carol.mail(league.orders("gf-2", 1, ["fly"])), "three")
    league.tp("run", "--now", "2026-11-20T13:00:00Z", code=None)
    check(league.code == 0 and "site" in league.err, "exit %d: %s" % (league.code, league.err))


main(play)
