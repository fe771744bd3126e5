"""Harm that is meant for the order page, by mails whose head the league has signed, by links, and by what breaks off: page_browser.py plays it."""
import json
import re
import shutil

from league import check, tlog

CLEAR = "caches.keys().then(names => Promise.all(names.map(name => caches.delete(name)))).then(() => 1)"
ASK = """new Promise(done => { const { port1, port2 } = new MessageChannel(); port1.onmessage = (e) => done(e.data);
navigator.serviceWorker.controller.postMessage(%s, [port2]); })"""
CHANGE_WHILE_ASKED = """(() => { const get = navigator.credentials.get.bind(navigator.credentials);
navigator.credentials.get = (wanted) => { navigator.credentials.get = get; document.getElementById('final').click(); return get(wanted); }; return 1; })()"""
# Marks that turn the direction of writing, line ends that mail does not know, letters that nobody sees.
UNSEEN = ["\u061c", "\u180e", "\u200e", "\u200f", "\u2028", "\u2029", "\u202e", "\u2060", "\u2067", "\ufff9", "\U000e0041"]
GIVES_UP = ["resign", "please resign", "RESIGN please", "to resign.", "resign, the", "re\u00adsign", "bide; please resign"]


def with_form(report, verb, *lines):
    """A report with this form in place of that for orders, and the head that it proves."""
    game, _, head = tlog.heads_in(report)[-1]
    at = report.index("#turnpost orders")
    return report[:at] + "\n".join(["#turnpost " + verb, "game: " + game, "turn: 1", "head: " + head, *lines, "#end", ""]) + report[report.index("-----BEGIN TURNPOST"):]


def resignations(page, report):
    """Whatever stands around the word: it is not suggested, and nobody signs it without having read what it does."""
    at = report.index("#turnpost orders")
    for words in GIVES_UP:
        page.open()
        page.paste(report[:at] + report[at:].replace("explore near", words))
        check(page.suggestions() and not any("sign" in one.lower() for one in page.suggestions()), page.suggestions())
        page.tap("#add")
        page.value("(() => { const i = document.activeElement; i.value = %s; i.dispatchEvent(new Event('input', {bubbles: true})); return 1; })()" % json.dumps(words))
        check("gives up your seat" in page.text("faults"), "%r is passed over" % words)


def other_texts(page, report):
    """A signed head leads to texts about its game alone, and the words in them are the player's."""
    lies = {"prefs": ["address: mallory@example.org"], "withdraw": ["competition: spring"], "vacation": ["from: 2026-12-20", "to: 2027-12-20"],
            "erase": ["player: anna"], "key": ["player: anna", "add: SHA256:" + "A" * 43], "ruling": ["appeal: 1", "Mallory is right."], "leave": []}
    for verb, lines in lies.items():
        page.open()
        page.paste(with_form(report, verb, *lines))
        check(page.value("document.getElementById('verb').value") != verb and "mallory" not in page.text("text").lower(), "a mail leads to " + verb)
    page.open()
    page.paste(with_form(report, "press", "to: all", "I give up, and mallory shall have all."))
    check(page.text("text").startswith("#turnpost press\n") and "mallory" not in page.text("text"), page.text("text"))


def numbers(page, report):
    """Orders whose number is the last one there is could not be corrected any more."""
    page.open()
    page.paste(re.sub(r"^seq: .*$", "seq: 999999", report, flags=re.M))
    check(int(re.search(r"^seq: (\d+)$", page.text("text"), re.M).group(1)) < 999999, page.text("text"))


def unseen(page):
    page.open()
    passed = page.value("import('./texts.js').then(t => %s.filter(c => !t.faultsOf(t.compose('press', [], ['24' + c + ' 12'])).length))" % json.dumps(UNSEEN))
    check(not passed, "characters that nobody sees can be signed: %s" % [hex(ord(one)) for one in passed])


def many_lines(page):
    """What a form holds is bounded, before its words are looked for in those of a game."""
    page.open()
    count = page.value("import('./mail.js').then(async m => m.readMail('#turnpost orders\\n' + (('x'.repeat(900) + '\\n').repeat(60) + 'bide a\\n'.repeat(300)) + '#end\\n', "
                       "await (await fetch('league.json')).json()).texts[0].suggestions.filter(one => one.line.length > 120).length)")
    check(count == 0, "%s endless lines are suggestions" % count)


def names(page):
    """Of games that are called like something else, or whose head was never signed: the page begins."""
    page.open("#g=constructor&t=1&h=12345678")
    page.open()
    page.set("game", "by-hand")
    page.set("turn", "1")
    page.set("head", "f" * 64)
    page.tap("#add")
    page.value("(() => { const i = document.activeElement; i.value = 'bide'; i.dispatchEvent(new Event('input', {bubbles: true})); return 1; })()")
    page.sign()
    page.open("#g=by-hand&t=2&h=ffffffff")
    check("is not enough" in page.text("mail-said"), page.text("mail-said"))


def changed_while_asked(page, report):
    """What a player changes while their passkey is asked does not leave as the text that was there before."""
    page.open()
    page.paste(report)
    page.tap("#suggestions li:first-child button")
    page.value(CHANGE_WHILE_ASKED)
    page.tap("#sign")
    page.wait("document.querySelector('#sign-said .bad') !== null", "nothing is said")
    check("has changed" in page.text("sign-said") and page.value("document.getElementById('send').hidden"), page.text("sign-said"))
    page.sign()


def worker(story, page):
    """No way back to nothing: the version in use stays whole when its server breaks off, and comes again when the browser has cleared it."""
    page.open()
    page.wait("navigator.serviceWorker.controller !== null", "no worker")
    digest = page.text("digest")
    away = story.folder / "send.js"
    shutil.move(away, str(away) + ".gone")
    page.value(ASK % json.dumps({"ask": "take", "digest": digest}))
    page.open()
    shutil.move(str(away) + ".gone", away)
    check(page.text("digest") == digest, "another version")
    page.value(CLEAR)
    page.open()
    check(page.text("digest") == digest and page.value("caches.keys().then(all => all.length)") == 2, "not fetched again")


def attacks(story, page):
    report = story.report("anna")
    for attack in (resignations, other_texts, numbers, changed_while_asked):
        attack(page, report)
    unseen(page)
    many_lines(page)
    names(page)
    worker(story, page)
