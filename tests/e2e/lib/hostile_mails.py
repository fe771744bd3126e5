"""Mails that are wrong, harmful or too many."""
from trial import *

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
ESC = "\x1b]0;owned\x07\x1b[31m"
TRICKS = "<script>alert(1)</script><b>bold</b> \u202egnp.exe\u202c \u2066isolate\u2069 {{league}} {{>foot}} &lt;i&gt; " + ESC
NO_FRAME = "No signed orders were found"


def open_league(name, people, replies):
    """Three players, a stranger, three games."""
    league = League(name)
    league.init()
    league.set("limits", replies_per_day=replies)
    for player in people[:3]:
        league.add(player)
    league.seated("gc-1", "galaxy-command", "alice,bob", "--no-deadline")
    league.seated("gc-2", "galaxy-command", "carol,robot", "--no-deadline")
    league.seated("gc-3", "galaxy-command", "alice,robot", "--no-deadline")
    league.tp("run")
    return league


def heads(league, player):
    """The head of the last report of each game."""
    forms = [m for m in league.outbox(player.address) if re.search(r"^head: [0-9a-f]{64}$", text_of(m), re.M)
             and ("(turn " in m["Subject"] or "begun" in m["Subject"])]
    return {re.search(r"^\|?game: (\S+)$", text_of(m), re.M).group(1): head_of(m) for m in sorted(forms, key=turn_of)}


def wrong_orders(t, alice, bob, carol, eve):
    head = heads(t.league, alice)
    t.put(alice.mail(orders("gc-3", 1, ["bide"], head["gc-3"])))
    t.run("(orders that are good)", {alice: ["We have your orders"]}, changes=["gc-3"])
    head = heads(t.league, alice)
    t.put(carol.mail(orders("gc-1", 1, ["bide"])))
    t.run("orders for another's seat", {carol: "you have no seat in game gc-1"})
    t.put(eve.mail(orders("gc-1", 1, ["bide"]), From=alice.address))
    t.run("forged From, a key of one's own", {alice: "a key that the league does not know"})
    t.put(alice.mail(orders("gc-1", 1, ["bide"]), From="Bob <%s>" % bob.address, signed=False))
    t.run("forged From, no signature", {bob: "but no signature"})
    t.put(alice.mail(orders("gc-1", 1, ["bide"], head["gc-1"], seq=3, wait="yes"), From="Bob <%s>" % bob.address))
    t.run("another's From, one's own key and seat", {alice: "We have your"}, changes=["gc-1"])
    t.put(alice.mail(orders("gc-1", 1, ["build"], head["gc-1"], seq=3, wait="yes")))
    t.run("a second text with the same seq", {alice: "Orders with the number 3 are in force"})
    t.put(alice.mail(orders("gc-3", 1, ["build"])))
    t.run("an old turn", {alice: "came too late"})
    t.put(alice.mail(orders("gc-3", 3, ["build"])))
    t.run("a future turn", {alice: "Your orders are for turn 3"})
    t.put(alice.mail(orders("gc-3", 9999999, ["build"])))
    t.run("a turn beyond all numbers", {alice: "it takes the number of the turn"})
    t.put(alice.mail(orders("gc-3", 2, ["build"], head["gc-1"])))
    t.run("one game's text for another", {alice: "that game gc-3 never issued"}, says="orders of alice answer head")
    for game in ("../gc-2", "gc-1/../gc-2", "..", ".", "/etc/passwd", "gc-1%00", "gc-1\u202e", "CON:", "-rf"):
        t.put(alice.mail(orders(game, 1, ["build"])))
        t.run("a game called " + ascii(game), {alice: "it takes the name of a game"})
    t.put(alice.mail(orders("gc-" + "9" * 40, 1, ["build"])))
    t.run("a game with a very long name", {alice: "it takes the name of a game"})
    t.put(alice.mail("#turnpost orders\ngame: gc-3\nturn: 2\n" + "bide\n" * 500 + "#end\n"))
    t.run("500 lines of orders", {alice: "more than 400 lines"})
    t.put(alice.mail("#turnpost key\ngame: gc-3\nold: x\n#end\n"))
    t.run("a signed text that is no orders", {alice: "could not be obeyed"})


def broken_bytes(t, alice, bob):
    good = t.league.orders("gc-1", 1, ["bide"], seq=4)
    t.put(plain(alice, sign_bytes(alice, good.replace("bide", "bi\0de").encode())))
    t.run("a NUL in signed orders", {alice: "the text is not UTF-8"})
    t.put(plain(alice, b"\0" * 1000 + b"\r\n" + good.encode() + b"\0", subject=b"nul \0 here"))
    t.run("NULs in header and body", {alice: "but no signature"})
    t.put(plain(alice, sign_bytes(alice, good.encode().replace(b"bide", b"bide \xff\xfe\xc0\x80")),
                Content_Type="text/plain; charset=utf-8"))
    t.run("signed orders that are not UTF-8", {alice: "UTF-8"})
    t.put(plain(alice, b"\xff\xfe\xf0\x28\x8c\x28 caf\xe9\n" * 100, subject=b"\xc3\x28\xa0\xff",
                From=b"\xff\xfe <%s>" % alice.address.encode()))
    t.run("invalid UTF-8 in header and body", {alice: NO_FRAME})
    t.put(plain(alice, b"caf\xe9\r\n" + sign_bytes(alice, good.replace("bide", "explore near").encode()),
                Content_Type="text/plain; charset=x-klingon-8"))
    t.run("orders in an unknown charset, which are read", {alice: "We have your"}, changes=["gc-1"])
    t.put(plain(alice, "x" * 5000, Content_Type="text/plain; charset=\"utf-8'; rm -rf /\""))
    t.run("a charset that is no name", {alice: NO_FRAME})
    whole = bob.mail(orders("gc-1", 1, ["bide"]), attach=True)
    t.put(whole[:whole.index(b"orders.txt.")])
    t.run("MIME cut off within a part's header", {bob: "but no signature"})
    t.put(whole[:-300])
    t.run("MIME cut off within the signature", {bob: "signature"})


def too_much(t, alice):
    t.put(plain(alice, b"x" * 76 * 690000))
    t.run("50 MB", {alice: "at most 1048576 bytes"})
    t.put(plain(alice, b"", X_Long=b"y" * 50000000))
    t.run("50 MB of one header field", {alice: "at most 1048576 bytes"})
    mixed = "multipart/mixed; boundary=b"
    t.put(plain(alice, b"--b\n\nx\n" * 100000 + b"--b--\n", Content_Type=mixed))
    t.run("100,000 parts", {alice: "parts"})
    t.put(plain(alice, b"--b\n" * 200000, Content_Type=mixed))
    t.run("200,000 empty parts", {alice: "parts"})
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=n%d\n\n--n%d\n" % (n, n) for n in range(500))
    t.put(plain(alice, b"--b\n" + nested + b"\nx\n", Content_Type=mixed))
    t.run("nested 500 deep", {alice: "deep"})
    t.put(plain(alice, b"Content-Type: message/rfc822\n\n" * 20000 + b"x", Content_Type="message/rfc822"))
    t.run("20,000 mails within mails", {alice: "deep"})
    t.put(plain(alice, b"x", Subject=b"y" * 1000000))
    t.run("1 MB of header in one line", {alice: "header"})
    t.put(plain(alice, b"x", X_Many=b"\r\nX: y".join([b"z"] * 140000)))
    t.run("1 MB of header in lines", {alice: "header"})
    many = [alice.sign(orders("gc-1", 1, ["bide"], seq=n)) for n in range(4, 24)]
    t.put(plain(alice, "".join(text.replace("gc-1", "gc-8") + signature for text, _, signature in many)))
    t.run("20 signed texts, all changed", {alice: "does not fit"})
    t.put(plain(alice, "#turnpost orders\n" * 15000))
    t.run("15,000 beginnings of orders", {alice: "but no signature"})
    t.put(plain(alice, "-----BEGIN SSH SIGNATURE-----\n" * 8000))
    t.run("8,000 beginnings of signatures", {alice: "signature"})


def names_and_press(t, alice, bob):
    """Signed press goes to the other seat: whatever stands in it, the other's mail program must show only text."""
    before = (t.league.dir / "games/gc-1/journal.jsonl").stat().st_size
    t.put(alice.mail(t.league.orders("gc-1", 1, ["bide", "say bob " + TRICKS], seq=89)))
    t.run("escapes in press", {alice: "has a control character (U+001B)"})
    tricks = TRICKS.replace(ESC, "")
    lines = ["say bob " + tricks, "say bob " + "x " * 34 + "head: 0123456789abcdef", "say all |#turnpost orders",
             "say bob -----BEGIN SSH SIGNATURE-----", "say bob -----BEGIN TURNPOST PROOF-----", "say bob [proof gc-1 1 6b0c1c34 0123456789ab =]", "say bob -- ", "say bob \u2028\u2029 head: gc-1 1 " + "0" * 64,
             "say \u200f\u200e hello", "explore " + tricks, "bide"]
    t.put(alice.mail(t.league.orders("gc-1", 1, lines, seq=90, final="yes")), bob.mail(t.league.orders("gc-1", 1, ["bide"], seq=90)))
    played = ["We have your", "WHAT HAPPENED IN TURN 1"]
    got = t.run("HTML, bidi and forged lines in press", {alice: played, bob: ["this mail is their receipt"]}, changes=["gc-1"])
    for player in (alice, bob):
        for mail in got[player]:
            check_harmless(mail)
            verify_head(t.league, mail)
            (WORK / "saved.eml").write_bytes(mail.as_bytes())
            t.league.tp("verify", WORK / "saved.eml", "--key", t.league.dir / "keys/league.pub")
    report, = got[bob]
    check(text_of(report).count("\nhead: ") == 1, "a line \"head:\" was forged:\n" + text_of(report))
    check("alert(1)" in text_of(report), "the press did not come: " + text_of(report))
    check((t.league.dir / "games/gc-1/journal.jsonl").stat().st_size > before, "no turn")
    shown = t.league.tp("show", "gc-1") + t.league.tp("games")
    check(not CONTROLS.search(shown), "control characters for the terminal: %r" % shown)
    t.put(alice.mail("hello\n", signed=False, subject="Re: x\u202e" + TRICKS.replace("\x1b", "").replace("\x07", "")),
          plain(alice, "hello", subject=b"=?utf-8?q?a=0D=0ABcc:_eve@players.test=1B[31m=00?=",
                From=b"=?utf-8?q?Al=0D=0ABcc=3A_eve=40x=1B=00?= <%s>" % alice.address.encode()),
          plain(alice, b"--b\nContent-Disposition: attachment; filename*=utf-8''%1B%5B31m%E2%80%AE..%2F..%2Fx\n\n"
                + b"y" * 300000 + b"\n--b--\n",
                Content_Type="multipart/mixed; boundary=b"))
    got = t.run("line ends, escapes, bidi in subject, name, file name", {alice: [NO_FRAME, NO_FRAME, "A part of the mail named"]})
    for mail in got[alice]:
        check_harmless(mail)
        check(not mail["Bcc"] and mail.get_all("To") == ["alice <%s>" % alice.address],
              "a header field was slipped in: %s" % mail.items())


def check_harmless(mail):
    """No control or direction characters in the plain text, no foreign tags in the HTML."""
    found = CONTROLS.search(text_of(mail)) or CONTROLS.search(str(mail["Subject"]))
    check(not found, "%r in %s\n%s" % (found, mail["Subject"], text_of(mail)))
    html = mail.get_body(preferencelist=("html",))
    if html:
        page = html.get_content()
        found = CONTROLS.search(page.replace("\r\n", "\n"))
        check(not found, "a control character in the page: %r" % found)
        check("<script" not in page and "<b>bold" not in page, "foreign tags in the page:\n" + page)


def bad_names(t, alice):
    """What an operator pastes without looking."""
    files = lambda: sorted(str(p.relative_to(t.league.dir)) for p in t.league.dir.rglob("*") if "sqlite" not in p.name)
    before = files()
    names = ["../x", "a/b", "a\nb", "\x1b[31m", "<b>", "x\u202ey", "", ".", "-x", "a" * 200, "a b", "CON:"]
    commands = [["player", "add", name, "x@y.test", alice.public] for name in names]
    commands += [["player", "add", "zoe", address, alice.public] for address in
                 ("a@b\r\nBcc: eve@x.test", "\"a b\"@c.test", "a@b@c", "@x.test", "a<b>@c.test", "a@\u202etset.c", "x" * 300 + "@y.test")]
    commands += [["new", name, "galaxy-command", "--seats", "alice,robot"] for name in names]
    commands += [["new", "gc-9", "galaxy-command", "--seats", "alice,robot:" + name] for name in ("../x", "a\x1b[31m", "<b>")]
    worst = (0, 0)
    for command in commands:
        took, megabytes, said = measure(t.league, *command, code=None)
        check(t.league.code in (1, 64, 66), "%s: exit %d" % (command, t.league.code))
        check(not CONTROLS.search(said + t.league.err), "%s: %r" % (command, t.league.err))
        worst = max(worst, (took, megabytes))
    check(files() == before, "files were made: %s" % set(files()).symmetric_difference(before))
    t.table.add("%d bad names of players, addresses, games, robots" % len(commands), "each refused", *worst)
    for name in ("Evil\x1b[31m", "A\r\nBcc: eve@x.test", "A\nmaildir = /etc"):
        took, megabytes, said = measure(t.league, "init", WORK / "evil", "--name", name, "--address", ADDRESS, code=None)
        check(t.league.code in (1, 64) and not (WORK / "evil").exists(), "a league called %r: exit %d" % (name, t.league.code))


def machines(t, alice, bob, eve):
    kinds = [("an auto-reply", {"Auto_Submitted": "auto-replied"}), ("bulk", {"Precedence": "bulk"}),
             ("list mail", {"List_Id": "<x.y>"}), ("null return path", {"Return_Path": "<>"}),
             ("our own address", {"From": ADDRESS}), ("our own mail", {"X_Loop": ADDRESS}),
             ("a mailer-daemon", {"From": "MAILER-DAEMON@players.test"}), ("two From", {"From": "a@b.c, d@e.f"})]
    for name, headers in kinds:
        t.put(alice.mail("out of office\n", signed=False, **headers))
        t.run(name, {})
    t.put(t.league.outbox(bob.address)[0].as_bytes())
    t.run("a report of ours, sent back as it was", {})
    t.put(alice.mail(t.league.orders("gc-3", 2, ["explore near"]), List_Id="<x.y>"))
    t.run("signed orders through a list: obeyed, the reports only",
          {alice: ["We have your orders"]}, changes=["gc-3"])
    status = ("Final-Recipient: rfc822; %s\r\nAction: failed\r\nStatus: 5.1.1\r\n"
              "Diagnostic-Code: smtp; 550 \x1b[31m\u202e no\r\n\r\n" % bob.address)
    t.put(plain(eve, "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n" + status * 50 +
                "--b--\r\n", From="MAILER-DAEMON@x.test", To="orders+gc-1.1.1@game.test",
                Content_Type="multipart/report; report-type=delivery-status; boundary=b"))
    t.run("a forged bounce", {})
    shown = t.league.tp("games") + t.league.tp("doctor", code=None)
    check(not CONTROLS.search(shown), "control characters of a bounce for the terminal: %r" % shown)


def storms(table, people):
    """Replies are bounded for each sender; others do not suffer."""
    count = 1000 if LONG else 120
    league = open_league("storms", people, 50)
    alice, bob, carol, eve = people
    t = Trials(league, people, table)
    wide = dict(seconds=60)
    t.put(*[plain(eve, "help me %d" % n) for n in range(count)])
    t.put(carol.mail(league.orders("gc-2", 1, ["bide"])))
    played = "We have your orders: this mail is their receipt"
    t.run("%d mails of a stranger" % count, {eve: 10, carol: played}, changes=["gc-2"], **wide)
    text, _, signature = alice.sign(league.orders("gc-3", 1, ["try", "explore near", "build"]))
    t.put(*[plain(eve, text + signature, From=alice.address) for n in range(count)])
    got = t.run("%d copies of one signed dry run" % count, {alice: 1 + 10}, **wide)
    text, _, signature = alice.sign(league.orders("gc-1", 1, ["bide"], wait="yes"))
    t.put(*[plain(eve, text + signature) for n in range(count)])
    t.put(bob.mail(league.orders("gc-1", 1, ["bide"], wait="yes")))
    t.run("%d copies of one signed text" % count, {alice: 1, bob: "We have your"}, changes=["gc-1"], **wide)
    t.put(*[plain(bob, "hello %d" % n) for n in range(count)])
    t.run("%d mails with a player's From" % count, {bob: 50}, **wide)
    t.put(bob.mail(league.orders("gc-1", 1, ["explore near"], seq=2, wait="yes")))
    t.run("(the same player's orders after that)", {bob: "We have your"}, changes=["gc-1"])
    head = league.head("gc-2")
    t.put(*[carol.mail(orders("gc-2", 2, ["explore near", "build"], head, seq=n, wait="yes")) for n in range(1, count + 1)])
    got = t.run("%d signed texts, each better than the last" % count, {carol: 100}, changes=["gc-2"], **wide)
    receipts = sum("Receipt: keep this mail" in one_line(text_of(mail)) for mail in got[carol])
    check(receipts == 50, "%d texts of one seat were accepted for one turn" % receipts)
    table.rows[-1] = (table.rows[-1][0], "50 receipts, and 50 answers that it is enough") + table.rows[-1][2:]


def robots(table, people):
    """Two programs that answer each other stop by themselves, on either side, whatever their mails say of themselves; in the same
    run others are served."""
    count = 1000 if LONG else 120
    league = open_league("robots", people, 50)
    alice, bob, carol, eve = people
    t = Trials(league, people, table)
    played = "We have your orders: this mail is their receipt"
    t.put(*[plain(bob, "", subject="help") for n in range(count)])
    t.put(*[plain(eve, "", subject="help") for n in range(count)])
    t.put(carol.mail(league.orders("gc-2", 1, ["bide"])))
    t.run("%d times \"help\" of a player and of a stranger" % count, {bob: 50, eve: 10, carol: played}, changes=["gc-2"], seconds=60)
    # Alice is away, and her mail program answers whatever comes, and does not say that it is a program.
    t.put(plain(alice, "", subject="help"))
    answers = rounds = 0
    while True:
        league.tp("run")
        mails = league.new_mails(alice.address)
        answers, rounds = answers + len(mails), rounds + 1
        check(answers <= 50, "%d answers to a program" % answers)
        if not mails:
            break
        for mail in mails:
            t.put(plain(alice, "I am away until Monday.\n\n> " + text_of(mail)[:200].replace("\n", "\n> "), subject="Re: %s" % mail["Subject"],
                        In_Reply_To=mail["Message-ID"]))
    table.add("a program that answers every mail", "it ended after %d rounds, %d answers" % (rounds, answers), 0, 0)
    check(answers == 50, "only %d answers" % answers)
    # Another league, to whose address ours was made to write.
    other = League("other")
    sh(TURNPOST, "init", other.dir, "--name", "Other", "--address", "orders@other.test")
    t.put(plain(eve, "", subject="games", From="orders@other.test"))
    passed = 0
    for ours, theirs, address in ((league, other, "orders@other.test"), (other, league, ADDRESS)) * 5:
        ours.tp("run")
        for n, mail in enumerate(ours.new_mails(address)):
            theirs.put_mail(mail.as_bytes(), "x%d-%d" % (passed, n))
            passed += 1
    check(passed == 1, "two leagues wrote each other %d mails" % passed)
    table.add("two leagues", "one answer, which the other does not answer", 0, 0)


def junk(table, people):
    count = 10000 if LONG else 600
    league = open_league("junk", people, 50)
    alice = people[0]
    t = Trials(league, people, table)
    junk = os.urandom(3000)
    kinds = [lambda n: b"From: s%d@junk.test\r\nSubject: buy %d\r\nMessage-ID: <%d@junk.test>\r\n\r\nbuy %d\r\n" % (n, n, n, n),
             lambda n: b"%d" % n + junk[n % 1000:],
             lambda n: b"From: x%d@junk.test\r\nContent-Type: text/html\r\n\r\n<p>" % n + b"<table>" * 300,
             lambda n: b"From: y%d@junk.test\r\nPrecedence: bulk\r\n\r\n-----BEGIN SSH SIGNATURE-----\r\nAAAA\r\n" % n]
    t.put(*[kinds[n % 4](n) for n in range(count)])
    t.put(alice.mail(league.orders("gc-3", 1, ["bide"])))
    os.utime(league.dir / "mail/in/new" / ("h%06d" % t.serial), (time.time() + 5, time.time() + 5))
    t.run("%d junk mails before a good one" % count, {alice: "this mail is their receipt"},
          changes=["gc-3"], seconds=120)


def play(table):
    alice, bob, carol, eve = people = [Player(n) for n in ("alice", "bob", "carol", "eve")]
    league = open_league("mails", people, 1000)
    t = Trials(league, people, table)
    league.set("limits", stranger_replies=100)
    wrong_orders(t, alice, bob, carol, eve)
    broken_bytes(t, alice, bob)
    too_much(t, alice)
    names_and_press(t, alice, bob)
    bad_names(t, alice)
    machines(t, alice, bob, eve)
    for game in ("gc-1", "gc-2", "gc-3"):
        verify_chain(league, game)
    check(sorted(p.name for p in (league.dir / "games").iterdir()) == ["gc-1", "gc-2", "gc-3"], "stray files")
    storms(table, people)
    robots(table, people)
    junk(table, people)
