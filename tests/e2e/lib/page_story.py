"""A league with an order page, and players who use nothing else: what tests/e2e/page.py and page_browser.py tell in turn."""
import email.message
import email.policy
import json
import re
import urllib.parse

from league import ADDRESS, League, check, form, proof_of, text_of, tlog, whole_of, TESTS, WORK
from page import HOST, Hosted, Page, authenticator, certificate, chromium_for, stock_verifies
from browser import Firefox


class Story:
    def __init__(self, running):
        self.running, self.count, self.league, self.game = running, 0, League(), None
        self.league.init()
        self.league.set("league", page_url="https://%s/" % HOST)
        self.folder = WORK / "page"
        self.league.tp("page", self.folder)

    def chromium(self, tls=True):
        cert, key, pin = certificate()
        self.hosted = Hosted(self.folder, (cert, key))
        self.running.append(self.hosted)
        self.browser = chromium_for(self.hosted, pin)
        self.running.append(self.browser)
        self.authenticator = authenticator(self.browser)
        return Page(self.browser, self.hosted.base)

    def firefox(self):
        self.plain = Hosted(self.folder)
        self.running.append(self.plain)
        fox = Firefox()
        self.running.append(fox)
        return Page(fox, self.plain.base)

    # ---- mail ----

    def send(self, name, whole, subject="a text"):
        """What the page hands over, as a mail; the league's answers."""
        self.count += 1
        mail = email.message.EmailMessage(policy=email.policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = "%s@players.test" % name, ADDRESS, subject
        mail["Date"], mail["Message-ID"] = "Fri, 20 Nov 2026 08:00:00 +0000", "<page-%d@players.test>" % self.count
        mail.set_content(whole)
        self.league.put_mail(mail.as_bytes(), "p%03d" % self.count)
        self.league.tp("run")
        return self.league.new_mails("%s@players.test" % name)

    def signed(self, page, name, *words):
        """Signs what is on the page; ssh-keygen accepts it; the league does, with these words. Its answers."""
        text, signature = page.sign()
        stock_verifies(page.key_line(), text, signature)
        mails = self.send(name, text + signature)
        flat = [" ".join(text_of(mail).split()) for mail in mails]
        for one in words:
            check(any(one in words_of for words_of in flat), "not told %r: %s" % (one, "\n".join(map(text_of, mails))))
        return mails

    # ---- what players do ----

    def register(self, page, name, make="#make-passkey"):
        """From an invitation to a player. The line of their key."""
        self.league.tp("invite", "--to", "%s@players.test" % name)
        self.league.tp("run")
        invitation = text_of(self.league.new_mails("%s@players.test" % name)[-1])
        token = re.search(r"invite: (\S+)", invitation)[1]
        check("https://%s/" % HOST in invitation, "the invitation does not name the page: " + invitation)
        page.open()
        check(page.value("document.getElementById('verb').value") == "register", "who has no key begins with registering")
        page.paste(invitation)
        page.set("field-name", name)
        page.set("field-address", "%s@players.test" % name)
        page.tap(make)
        page.wait("document.querySelector('#key pre') !== null", "no key is made")
        text = page.text("text")
        check("invite: %s\n" % token in text and "\nkey: SHA256:" in text, text)
        mails = self.signed(page, name)
        page.open()
        page.paste(text_of(mails[0]))
        check("confirm: " in page.text("text"), page.text("text"))
        told = text_of(self.signed(page, name, "You are registered, %s" % name)[0])
        check("secret key" not in told, told)
        return page.key_line()

    def deal(self, page, game, name):
        """A game against a robot, which begins when its player has signed for the seat."""
        self.game = game
        self.join(page, name, game, "--seats", name + ",robot")

    def report(self, name):
        """The newest mail that has a form for orders."""
        mails = [m for m in self.league.outbox("%s@players.test" % name) if "#turnpost orders" in text_of(m)]
        check(mails, "no report for " + name)
        return whole_of(sorted(mails, key=lambda m: tlog.heads_in(proof_of(m))[-1][1])[-1])

    def link(self, report):
        """The fragment of the link in a report; the line is short, and below it is what the page says of itself."""
        link, version = re.search(r"^(https://\S+)\npage (\d+: [0-9a-f]{64})$", report, re.M).groups()
        check(len(link) < 70 and link.startswith("https://%s/#" % HOST), link)
        made = json.loads((self.folder / "version.json").read_text())
        check(version == "%d: %s" % (made["version"], made["sha256"]), "%s, but the page is %s" % (version, made["sha256"]))
        return link[len("https://%s/" % HOST):]

    def orders(self, page, name, turn, how="pasted"):
        """A turn: the link of the report, the report pasted (by the page's button, where the browser allows it, and its proof.txt opened), a suggestion tapped, signed, sent."""
        report = self.report(name)
        head = re.search(r"^head: ([0-9a-f]{64})$", report, re.M).group(1)
        page.open(self.link(report))
        check("turn %d" % turn in page.text("of-game-said"), page.text("of-game-said"))
        proof = report[report.index("-----BEGIN TURNPOST"):]
        if how == "button":
            said = page.open_proof(proof)  # enough with the link
            check("head: %s\n" % head in page.text("text") and not page.suggestions(), page.text("text"))
            said = page.paste_by_button(report[:-len(proof)])
        else:
            said = page.paste(report)
        check("This mail proves the record" in said, said)
        rows = report.split("YOUR CHOICES\n\n")[1].split("\n\n")[0].splitlines()
        check(page.suggestions() == [re.split(r" {2,}", row)[0] for row in rows if row[0] != " "], "%s are suggested of %s" % (page.suggestions(), report))
        check(page.orders() == [], "a mail alone has put orders into the text")
        page.tap("#suggestions li:first-child button")
        check(page.orders() == [page.suggestions()[0]], page.orders())
        text = page.text("text")
        check("head: %s\n" % head in text and "turn: %d\n" % turn in text and page.orders()[0] + "\n#end" in text, text)
        check(not page.text("faults"), page.text("faults"))
        mails = self.signed(page, name)
        link = page.value("document.getElementById('mailto').href")
        check(link.startswith("mailto:%s?subject=orders%%20%s&body=%%23turnpost" % (ADDRESS, self.game)) and len(link) <= 1900, link)
        check(urllib.parse.unquote(link.split("&body=")[1]).replace("\r\n", "\n") == page.text("signed"), "the mail is another text than what was signed")
        return mails

    def others(self, page, name):
        """Texts that are no orders."""
        page.open()
        page.paste(self.report(name))
        page.choose("press")
        page.set("field-to", "moderators")
        page.set("body", "Shall we \u2013 as \u201cfriends\u201d \u2013 leave each other in peace? " + "It would be good for all of us. " * 4)
        self.signed(page, name, "moderators")
        page.choose("vacation")
        page.set("field-from", "2027-12-20")
        page.set("field-to", "2028-01-03")
        self.signed(page, name)
        page.choose("prefs")
        page.set("field-public", "yes")
        self.signed(page, name)

    def join(self, page, name, game, *seats):
        """A game that asks its players: the mail brings the text."""
        self.league.tp("new", game, "galaxy-command", *seats, "--deadline", "3d")
        self.league.tp("run")
        mail = next(m for m in self.league.new_mails("%s@players.test" % name) if "#turnpost join" in text_of(m))
        page.open()
        said = page.paste(whole_of(mail))
        check("This mail proves the record" in said and page.text("text").startswith("#turnpost join\ngame: %s\n" % game), page.text("text") + said)
        self.signed(page, name)
        check(any(record["type"] == "seat" for record in self.league.records(game)), self.league.tp("show", game))

    def asked(self, page, name, game):
        """What is asked for in a plain mail brings the text, and its head: no digit has to be typed. Nobody is led to giving a seat up."""
        self.league.tp("new", game, "galaxy-command", "--seats", "robot", "--open", "1", "--deadline", "3d")
        for verb, leads in (("join", True), ("resign", False)):
            answer = self.send(name, "please", "%s %s" % (verb, game))[0]
            page.open()
            said = page.paste(whole_of(answer))
            check("This mail proves the record" in said, said)
            check((page.value("document.getElementById('verb').value") == verb) == leads, "the answer to %s leads to %s" % (verb, page.text("text")))
            page.choose(verb)
            self.signed(page, name, "The game has begun" if leads else "You have resigned")

    def all_texts(self, page, name):
        """Every text that a player can send, with the words of its form: whatever the league thinks of it, it is whole and bound as it must be."""
        forms = json.loads((self.folder / "forms.json").read_text())["verbs"]
        unbound = ('has no line "head:"', "does not name the league", "does not say on which day", "does not say in which turn", "does not name its turn",
                   "cannot be understood", "is given twice", "not those of the record with which", "not known here")
        sent = 0
        for form in forms:
            verb = form["verb"]
            if form["who"] not in ("player", "newcomer") or verb in ("register", "join", "resign", "erase", "key"):
                continue
            page.open()
            page.paste(self.report(name))
            page.choose(verb)
            for line in form["lines"]:
                if ": " in line and page.value("!!document.getElementById('field-%s')" % line.split(":")[0]) and not line.startswith("nonce"):
                    page.set("field-" + line.split(":")[0], line.split(": ")[1])
            if page.value("!!document.getElementById('body')"):
                page.set("body", "Some words of mine.")
            check(page.text("text").startswith("#turnpost %s\n" % verb) and not page.value("document.getElementById('sign').disabled"),
                  "%s cannot be signed: %s %s" % (verb, page.text("text"), page.text("faults")))
            for mail in self.signed(page, name):
                flat = " ".join(text_of(mail).split())
                check(not any(one in flat for one in unbound), "%s: %s" % (verb, flat))
            sent += 1
        return "%d kinds of texts sent" % sent

    def no_trouble(self, page):
        check(not page.browser.trouble(), page.browser.trouble())
        reports = self.hosted.reports if page.browser is self.browser else self.plain.reports
        check(not reports, "reports against the policy: %s" % reports[:3])
