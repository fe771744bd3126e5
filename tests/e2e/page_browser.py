"""The order page, all of it: a whole game by passkey in Chromium, a passkey that the page has forgotten, a key file without passkeys, its backup
restored in Firefox, which plays on; what means harm: links, mails, leagues, a changed page, apps; what mail does to links; light and dark, small
and large, by keyboard, offline. LONG and GALLERY (make page-test): pictures of each state."""
import functools
import http.server
import json
import os
import pathlib
import shutil
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from browser import CONTRAST, TOO_WIDE
from page import *
from page_attacks import attacks
from page_story import Story

GALLERY = os.environ.get("GALLERY")
EVIL = "<script>window.evil=1</script><img src=x onerror=window.evil=2><svg onload=window.evil=3>\"'&amp;javascript:window.evil=4"
APPS = {"Instagram": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 350.0.0",
        "Facebook": "Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0]",
        "an app's own view": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"}
BROWSERS = {"Safari": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
            "Chrome": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"}


def look(page, name):
    """The page as it stands, on two screens, light and dark, and at 200 %."""
    for width, height in ((390, 844), (1000, 900), (195, 422)):
        for dark in (False, True):
            page.browser.view(width, dark, height)
            where = "%s at %d%s" % (name, width, ", dark" if dark else "")
            for what, script in (("too wide", TOO_WIDE), ("hard to read", CONTRAST)):
                found = page.value(script)
                check(not found, "%s: %s: %s" % (where, what, found))
            if GALLERY and width >= 390:
                page.browser.picture(pathlib.Path(GALLERY) / ("page-%s-%d%s.png" % (name, width, "-dark" if dark else "")))
    unnamed = page.value("[...document.querySelectorAll('button, input, select, textarea, a')].filter(e => e.getClientRects().length && "
                         "!(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map(e => e.outerHTML)")
    check(not unnamed, "%s: without a name for those who listen: %s" % (name, unnamed))
    small = page.value("[...document.querySelectorAll('button, input:not([type=checkbox]), select, summary, .button')].filter(e => { const r = e.getBoundingClientRect(); "
                       "return r.width && (r.height < 24 || r.width < 24); }).map(e => e.outerHTML)")
    check(not small, "%s: hard to touch: %s" % (name, small))
    page.browser.view(390, False)


def whole_game(story, page):
    """By passkey, to the end."""
    taps, seconds, turns, first = [], [], 0, story.report("anna")
    while not json.loads(story.league.tp("show", story.game, "--json"))["over"]:
        turns += 1
        check(turns < 30, "the game does not end")
        before, began = page.taps, time.monotonic()
        story.orders(page, "anna", turns, how="button")
        taps.append(page.taps - before)
        seconds.append(time.monotonic() - began)
    page.open()
    check("later mail of this game" in page.paste(first), "an earlier report is taken for the newest")
    verify_chain(story.league, story.game)
    return "%d turns by passkey, %.1f taps and %.1f s each from the report to the league's answer, and a touch" % (turns, sum(taps) / turns, sum(seconds) / turns)


def forgotten(story, page, line):
    """The browser has cleared what the page kept: two touches bring the key back."""
    page.open()
    page.value("new Promise(done => { const r = indexedDB.deleteDatabase('turnpost'); r.onsuccess = r.onblocked = () => done(1); })")
    page.open()
    page.tap("#find-passkey")
    page.wait("document.querySelector('#key pre') !== null", "the passkey is not found again")
    check(page.key_line() == line, "found as another key: " + page.key_line())
    page.choose("prefs")
    page.set("field-public", "no")
    story.signed(page, "anna")


def without_passkeys(story, page):
    """A key file: made, saved, read back, used; the file itself works with ssh-keygen."""
    page.open()
    page.value("document.querySelector('#key details').open = true")
    page.tap("#make-ed25519")
    page.wait("document.getElementById('key-text') !== null", "no key file")
    file = page.text("key-text")
    check(page.value("document.getElementById('sign').disabled"), "a key signs before its backup is proved")
    page.value("document.querySelectorAll('#key details').forEach(d => d.open = true)")
    wrong = pathlib.Path(WORK / "wrong")
    sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", wrong)
    page.set("key-pasted", wrong.read_text())
    page.tap("#key-read")
    page.wait("document.getElementById('key-said').textContent !== ''", "another key's file is taken for the backup")
    check("another key" in page.text("key-said"), page.text("key-said"))
    page.set("key-pasted", file)
    page.tap("#key-read")
    page.wait("document.querySelector('#key .good') !== null", "the backup is not taken")
    own = WORK / "backup"
    own.write_text(file)
    own.chmod(0o600)
    check(sh("ssh-keygen", "-y", "-f", own).split()[:2] == page.key_line().split()[:2], "ssh-keygen reads another key from the file")
    kept = page.value("new Promise(done => { const r = indexedDB.open('turnpost'); r.onsuccess = () => { const g = r.result.transaction('all').objectStore('all').get('key'); "
                      "g.onsuccess = () => { r.result.close(); done(g.result.secret.extractable); }; }; })")
    check(kept is False, "the key can be taken out of the browser")
    return file


def register_with_file(story, page, name):
    """As `Story.register`, with a key file."""
    page.open()
    page.choose("register")
    page.set("field-name", name)
    page.set("field-address", "%s@players.test" % name)
    page.set("field-invite", story.league.tp("invite").strip())
    mails = story.signed(page, name)
    page.open()
    page.choose("register")
    page.paste(text_of(mails[0]))
    story.signed(page, name, "You are registered, " + name)


def restored(story, fox, file, game):
    """The backup in another browser, which plays the next turn."""
    fox.open()
    fox.value("document.querySelectorAll('#key details').forEach(d => d.open = true)")
    for words, why in ((sh_key("ecdsa", "-b", "256"), "Ed25519 keys only"), (sh_key("ed25519", phrase="secret"), "passphrase"), ("no key", "are not the lines")):
        fox.set("key-pasted", words)
        fox.tap("#key-read")
        fox.wait("document.getElementById('key-said').textContent.includes(%s)" % json.dumps(why), "not told %r" % why)
    fox.set("key-pasted", file)
    fox.tap("#key-read")
    fox.wait("document.querySelector('#key .good') !== null", "the backup is not taken")
    story.game = game
    turns = 0
    while not json.loads(story.league.tp("show", game, "--json"))["over"]:
        turns += 1
        check(turns < 30, "the game does not end")
        story.orders(fox, "ben", turns)
    verify_chain(story.league, game)
    return "%d turns without passkeys, in Firefox, by a key that was made in Chromium" % turns


def sh_key(*kind, phrase=""):
    path = WORK / "some-key"
    for old in (path, pathlib.Path(str(path) + ".pub")):
        old.unlink(missing_ok=True)
    sh("ssh-keygen", "-q", "-t", *kind, "-N", phrase, "-f", path)
    return path.read_text()


def hostile(story, page, other):
    """Links and mails that mean harm. No script runs, no policy is broken, nothing is taken into the text."""
    report = story.report("anna")
    empty = lambda: not page.orders() and page.value("document.getElementById('head').value.length") < 64
    for fragment in ("#g=" + EVIL, "#g=%3Cscript%3Ewindow.evil=1%3C/script%3E", "#g=__proto__&t=1", "#" + "g=a&" * 5000, "#h=" + "f" * 5000, "#t=99999999&s=0", "#%", "#%E0%A4%A"):
        page.open(fragment)
        check(empty(), "taken from %s" % fragment[:60])
        check(len(page.value("document.getElementById('game').value")) <= 32, fragment[:60])
    digits = tlog.heads_in(report)[-1][2]
    at = report.index("-----BEGIN TURNPOST")
    changed = lambda old, new: report[:at] + "\n".join(tlog.armored_text(one.replace(old, new)) for one in tlog.armors(report))
    lies = {
        "without its proof": report[:at],
        "with one digit changed": report.replace(digits, digits[:-1] + ("0" if digits[-1] != "0" else "1")),
        "with another head": changed(digits, digits[:-1] + ("0" if digits[-1] != "0" else "1")),
        "for another game": changed("gc-1", "gc-2"),
        "with damaged proofs": changed("index ", "index 1"),
        "of another league": other,
        "full of markup": EVIL + "\n#turnpost orders\ngame: gc-1\nturn: 1\nhead: %s\n%s\n#end\n" % (digits, EVIL),
        "very long": "#turnpost orders\n" * 15000 + "head: gc-1 1 " + "0" * 64,
    }
    for how, mail in lies.items():
        page.open()
        said = page.paste(mail)
        check("proves the record" not in said and ("othing was taken" in said or "Nothing of it" in said), "a mail %s: %s" % (how, said))
        check(empty() and not page.suggestions(), "a mail %s: taken" % how)
        check(page.value("document.getElementById('sign').disabled"), "a mail %s can be signed" % how)
    # A true head with words of somebody else's: they are offered where they are orders, and never more.
    at = report.index("#turnpost orders")
    forged = report[:at] + re.sub(r"explore near", "resign", report[at:]).replace("bide", EVIL)
    page.open()
    page.paste(forged)
    check(page.orders() == [] and not any("resign" in one or "<" in one for one in page.suggestions()), page.suggestions())
    resign = report[:at] + "#turnpost resign\ngame: gc-1\nhead: %s\n#end\n" % digits + report[report.index("-----BEGIN TURNPOST"):]
    page.open()
    page.paste(resign)
    check(page.value("document.getElementById('verb').value") != "resign", "a mail leads to giving up the seat")
    # What a player types themselves is a text as well.
    page.open()
    page.paste(report)
    page.choose("press")
    page.set("field-to", "all")
    page.set("body", EVIL + "\n#end\n#turnpost resign")
    check("would begin or end a text" in page.text("faults") and page.value("document.getElementById('sign').disabled"), page.text("faults"))
    check(not page.value("window.evil"), "a script has run")
    story.no_trouble(page)
    # That there are no reports shows something: a page that breaks the policy is told of.
    page.value("(() => { const s = document.createElement('div'); try { s.innerHTML = '<b>x</b>'; } catch {} const i = document.createElement('script'); "
               "try { i.textContent = 'window.evil=5'; document.body.append(i); } catch {} return 1; })()")
    end = time.monotonic() + 10
    while len(story.hosted.reports) < 2 and time.monotonic() < end:
        time.sleep(0.1)
    check(len(story.hosted.reports) == 2 and not page.value("window.evil"), "the policy that we name stops no script, or tells nobody")
    story.hosted.reports.clear()


def foreign_report():
    """A report of another league's, with the same names."""
    league, player = League("foreign"), Player("anna")
    league.init()
    league.add(player)
    league.seated("gc-1", "galaxy-command", "anna,robot", "--deadline", "3d")
    league.tp("run")
    return whole_of(league.outbox(player.address)[-1])


def links(page):
    """What mail does to links (page_links.json): what the page reads of each."""
    table = json.loads((pathlib.Path(__file__).parent / "page_links.json").read_text())
    page.open()
    lost = 0
    for row in table["damage"]:
        got = page.value("import('./mail.js').then(m => m.readFragment(%s))" % json.dumps(row["hash"]))
        want = table["whole"] if row["survives"] == "all" else row["survives"] or {}
        check(got == want, "%s: %s, not %s" % (row["by"], got, want))
        lost += row["survives"] != "all"
    return "%d kinds of damage to the link, %d lose something" % (len(table["damage"]) - 1, lost)


def damaged_mails(story, page):
    """What mail programs do to a report before somebody copies it: read all the same."""
    report = story.report("anna")
    files = [p.read_bytes() for p in (story.league.dir / "mail/out/anna@players.test/new").iterdir()]
    raw = next(one for one in files if whole_of(parse(one)) == report)
    mail, raw = parse(raw), raw.decode()
    wide = re.sub(r"(?<=[A-Za-z0-9+/]{30})\n(?=[A-Za-z0-9+/=]{4,64}\n)", "", report[report.rindex("-----BEGIN"):])
    damages = {
        "quoted": "\n".join("> " + line for line in report.split("\n")),
        "quoted twice, with its attribution": "Am 20.11. schrieb Orion League:\n" + "\n".join(">> " + line for line in report.split("\n")),
        "with CRLF": report.replace("\n", "\r\n"),
        "indented": "\n".join("    " + line for line in report.split("\n")),
        "an empty line after each": report.replace("\n", "\n\n"),
        "the proof in one line": report[:report.rindex("-----BEGIN")] + wide,
        "NBSP for spaces": report.replace("  ", "\u00a0 "),
        "no line ends in the proof": re.sub(r"(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=]{4,70}\n)", " ", report[report.rindex("-----BEGIN"):]).join([report[:report.rindex("-----BEGIN")], ""]),
        "the mail's source": raw,
        "copied from its HTML": html_as_copied(page, mail) + proof_of(mail),
    }
    for how, text in damages.items():
        page.open()
        said = page.paste(text)
        check("proves the record" in said and page.suggestions(), "%s: %s, %s" % (how, said, page.suggestions()))
    return "%d kinds of damage to a report, none loses anything" % len(damages)


def html_as_copied(page, mail):
    """What a mail program that shows pages gives for "select all, copy"."""
    page.browser.go("about:blank")
    frame = page.browser.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
    page.browser.call("Page.setDocumentContent", {"frameId": frame, "html": mail.get_body(preferencelist=("html",)).get_content()})
    return page.value("document.body.innerText")


def order_words(page):
    """What the recorded games have as orders is not named as wrong, and what is wrong in `words` is."""
    games = TESTS.parent / "games"
    known = {one["ruleset"]: one["file"] for one in json.loads(page.value("fetch('league.json').then(r => r.text())"))["rulesets"]}
    lines, wrong = {}, {}
    for folder in sorted(path.parent for path in games.glob("*/journal.jsonl")):
        ruleset = json.loads((folder / "journal.jsonl").read_text().split("\n")[0])["ruleset"]
        for _, _, _, payload in recorded_payloads(folder):
            if '"text":"#turnpost orders' in payload:
                body = [one for one in json.loads(payload)["text"].split("\n")[1:] if not re.match(r"(game|turn|head|seq|final|wait|json): ?|#", one, re.I)]
                (wrong if folder.name.startswith("words") else lines).setdefault(ruleset, []).append(body)
    checked = "(async () => { const { checkOrders } = await import('./orders.js'); const words = await (await fetch(%s)).json(); " \
              "return %s.flatMap(body => checkOrders(body, words).map(one => body[one.line])); })()"
    for ruleset, bodies in lines.items():
        found = page.value(checked % (json.dumps(known[ruleset]), json.dumps(bodies)))
        check(not found, "%s: named as wrong: %s" % (ruleset, found[:10]))
    found = set(page.value(checked % (json.dumps(known["galaxy-command"]), json.dumps(wrong["galaxy-command"]))))
    for one in ("exlpore near", "frobnicate", "12 explore", "b", "e near", "iff metal > 2", "if fog bide", "when noon bide", "always", "say"):
        check(one in found, "not named as wrong: " + one)
    return "%d order lines of recorded games" % sum(len(body) for bodies in lines.values() for body in bodies)


FORMS = r"""(async () => {
  const { ofDer, ofSecretFile, secretFile } = await import("./sshsig.js");
  const { Fault } = await import("./check/forms.js");
  const said = [];
  const number = (bytes) => [2, bytes.length, ...bytes];
  const der = (r, s) => Uint8Array.from([0x30, number(r).length + number(s).length, ...number(r), ...number(s)]);
  const hex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
  const long = Array.from({ length: 32 }, (_, i) => i + 1);
  for (const [r, s, want] of [[[1], [2], "1".padStart(64, "0") + "2".padStart(64, "0")], [long, [0x7f], hex(long) + "7f".padStart(64, "0")],
                              [[0, ...long.map((one) => one | 0x80)], long, hex(long.map((one) => one | 0x80)) + hex(long)]])
    if (hex(ofDer(der(r, s))) !== want) said.push("DER " + r.length);
  const faulty = (what, act) => { try { act(); said.push(what + " is taken"); } catch (e) { if (!(e instanceof Fault)) said.push(what + ": " + e); } };
  for (const wrong of [[], [0x30, 0], [0x30, 6, 2, 1, 1, 2, 1], [0x31, 6, 2, 1, 1, 2, 1, 1], [...der(long, long), 0], [...der([0, 0, ...long], long)]])
    faulty("DER " + wrong, () => ofDer(Uint8Array.from(wrong)));
  const file = secretFile(new Uint8Array(32), new Uint8Array(32), "x", new Uint8Array(4));
  if (String(ofSecretFile(file).seed) !== String(new Uint8Array(32))) said.push("a key file of ours is read as another");
  const blob = Uint8Array.from(atob(file.split("\n").slice(1, -2).join("")), (one) => one.charCodeAt(0));
  const written = (bytes) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${btoa(String.fromCharCode(...bytes))}\n-----END OPENSSH PRIVATE KEY-----`;
  for (let size = 0; size < blob.length - 8; size++) faulty("a key file of " + size + " bytes", () => ofSecretFile(written(blob.slice(0, size))));
  const { proofsIn } = await import("./proof.js");
  const proof = "head gc-1 1 2026-12-01T09:03:00Z " + "0".repeat(64) + "\nc2sp.org/tlog-proof@v1\nindex 0\n\nx.example\n1\n" + btoa("x".repeat(32)) + "\n\n\u2014 x.example " + btoa("y".repeat(68)) + "\n";
  for (let size = 0; size <= proof.length; size++) {
    const coded = btoa(String.fromCharCode(...new TextEncoder().encode(proof.slice(0, size))));
    const [one] = proofsIn("-----BEGIN TURNPOST PROOF-----\n" + coded + "\n-----END TURNPOST PROOF-----", new Uint8Array(32));
    if (!one || one.good) said.push("a proof of " + size + " bytes");
  }
  return said; })()"""


def damaged_forms(page):
    """Signatures as browsers give them, and files of keys, in every wrong length: refused with a reason."""
    page.open()
    found = page.value(FORMS)
    check(not found, found[:5])


def in_apps(page):
    """No key is made in the browser of an app."""
    page.open()
    for name, agent in {**APPS, **BROWSERS}.items():
        got = page.value("import('./keys.js').then(k => k.inApp(%s))" % json.dumps(agent))
        check(got == (name in APPS), "%s is taken for %s" % (name, got))
    page.browser.call("Emulation.setUserAgentOverride", {"userAgent": APPS["Instagram"]})
    page.value("new Promise(done => { const r = indexedDB.deleteDatabase('turnpost'); r.onsuccess = r.onblocked = () => done(1); })")
    page.open()
    check("inside an app" in page.text("key") and not page.value("document.getElementById('make-passkey') || document.getElementById('make-ed25519')"), page.text("key"))
    refused = page.value("import('./keys.js').then(k => k.makeEd25519('x')).then(() => 'made', e => e.message)")
    check("no key is made" in refused, refused)
    look(page, "app")
    page.browser.call("Emulation.setUserAgentOverride", {"userAgent": BROWSERS["Chrome"]})
    page.open()


def offline_and_changed(story, page):
    """The page works when its server is gone, and another version waits until the player takes it."""
    page.open()
    page.wait("navigator.serviceWorker.controller !== null", "no worker")
    old = page.text("digest")
    folder = story.folder
    shutil.move(folder, str(folder) + ".gone")
    folder.mkdir()
    page.open()
    check(page.text("digest") == old, "another page offline")
    shutil.rmtree(folder)
    shutil.move(str(folder) + ".gone", folder)
    # Another version: a file changes, and the digest that the command names.
    script = folder / "send.js"
    script.write_text(script.read_text() + "// changed\n")
    reseal(folder)
    page.open()
    page.wait("document.getElementById('changed') !== null", "nobody is asked about another version")
    said = page.text("changed")
    new = json.loads((folder / "version.json").read_text())["sha256"]
    check(old in said and new in said and page.text("digest") == old, said)
    check("changed" not in page.value("fetch('send.js').then(r => r.text()).then(t => t.slice(-20))"), "the other version is in use unasked")
    look(page, "changed")
    # One that does not hold what it says is not taken.
    script.write_text(script.read_text() + "// and not as it says\n")
    page.tap("#changed button")
    page.wait("document.getElementById('notices').textContent.includes('not taken')", "files that do not fit their version are taken")
    check("send.js" in page.text("notices"), page.text("notices"))
    reseal(folder)
    page.open()
    check(page.text("digest") == old, "changed unasked")
    page.wait("document.getElementById('changed') !== null", "nobody is asked")
    page.tap("#changed button")
    newest = json.loads((folder / "version.json").read_text())["sha256"]
    page.wait("document.getElementById('digest').textContent === %s" % json.dumps(newest), "the other version is not in use after yes")
    shutil.rmtree(folder)
    story.league.tp("page", folder)


def reseal(folder):
    """version.json of a folder whose files were changed."""
    version = json.loads((folder / "version.json").read_text())
    for one in version["files"]:
        one["sha256"] = hashlib.sha256((folder / one["file"]).read_bytes()).hexdigest()
    lines = "".join("%s  %s\n" % (one["sha256"], one["file"]) for one in version["files"])
    version["sha256"] = hashlib.sha256(lines.encode()).hexdigest()
    version["version"] += 1
    (folder / "version.json").write_text(json.dumps(version))


def by_keyboard(page, report):
    """From the first stop to the signature without a mouse."""
    page.open()
    page.paste(report)
    page.value("document.querySelector('#suggestions button').focus()")
    page.browser.press("Enter")
    check(page.orders(), "a suggestion cannot be taken by keyboard")
    page.tap("#add")
    check(page.value("document.activeElement.getAttribute('aria-label')") == "Order 2", "a new order is not where one types")
    page.value("(() => { const i = document.activeElement; i.value = 'bild'; i.dispatchEvent(new Event('input', {bubbles: true})); return 1; })()")
    check(page.value("document.activeElement.getAttribute('aria-invalid')") == "true", "a wrong order is not marked")
    check("Line 2" in page.text("why-1") and '"build"' in page.text("why-1"), page.text("why-1"))
    first = page.orders()[0]
    page.tap("#orders li:nth-child(2) [aria-label^='Move up']")
    check(page.orders() == ["bild", first], page.orders())
    page.tap("#orders li:first-child [aria-label^=Remove]")
    check(page.orders() == [first], page.orders())
    look(page, "orders")
    # What is signed and then changed is another text, with the next number.
    text, _ = page.sign()
    page.tap("#add")
    page.value("(() => { const i = document.activeElement; i.value = 'bide'; i.dispatchEvent(new Event('input', {bubbles: true})); return 1; })()")
    check("\nseq: 1\n" in text and "\nseq: 2\n" in page.text("text") and page.value("document.getElementById('send').hidden"), page.text("text"))
    again, _ = page.sign()
    check("\nseq: 2\n" in again, again)
    page.open()
    page.paste(report)
    check("\nseq: 3\n" in page.text("text"), page.text("text"))
    page.value("(location.hash = '#g=other-1&t=3&h=0123456789&s=1', 1)")
    page.wait("document.body.dataset.state === 'ready' && document.getElementById('game').value === 'other-1'", "another link is not read")


def framed(story, page):
    """Inside another page it does nothing, with the header and without."""
    (story.folder / "frame.html").write_text("<!DOCTYPE html><title>x</title><iframe src='index.html' width=600 height=600></iframe>")
    bare = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(story.folder)))
    threading.Thread(target=bare.serve_forever, daemon=True).start()
    page.browser.go("http://localhost:%d/frame.html" % bare.server_address[1])
    inside = "document.querySelector('iframe').contentDocument.%s"
    page.wait(inside % "getElementById('starting').textContent.includes('inside another page')", "the page begins inside another one")
    check(page.value(inside % "getElementById('work').hidden"), "the page works inside another one")
    bare.shutdown()
    (story.folder / "frame.html").unlink()


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def log_message(self, *_):
        pass


def wrong_page(story, page):
    """The same files at another address: no passkey, and one that is made for another page is not asked for."""
    tls = Hosted(story.folder)
    story.running.append(tls)
    elsewhere = Page(page.browser, tls.base)
    elsewhere.open()
    check(not elsewhere.value("document.getElementById('make-passkey')") and "https://" + HOST in elsewhere.text("key"), elsewhere.text("key"))


def play(running):
    story = Story(running)
    page = story.chromium()
    page.browser.view(390, False)
    page.open()
    look(page, "new")
    line = story.register(page, "anna")
    story.deal(page, "gc-1", "anna")
    other = foreign_report()
    by_keyboard(page, story.report("anna"))
    hostile(story, page, other)
    attacks(story, page)
    print(links(page))
    print(damaged_mails(story, page))
    print(order_words(page))
    damaged_forms(page)
    story.join(page, "anna", "gc-3", "--seats", "anna", "--open", "1")
    print(story.all_texts(page, "anna"))
    print(whole_game(story, page))
    look(page, "signed")
    forgotten(story, page, line)
    wrong_page(story, page)
    framed(story, page)
    in_apps(page)
    file = without_passkeys(story, page)
    register_with_file(story, page, "ben")
    story.deal(page, "gc-5", "ben")
    offline_and_changed(story, page)
    story.no_trouble(page)
    page.browser.stop()
    fox = story.firefox()
    fox.browser.view(390, False)
    print(restored(story, fox, file, "gc-5"))
    story.no_trouble(fox)
    print("%d texts signed in two browsers, all accepted by the league and by ssh-keygen" % story.count)


main(play)
