"""Whatever is wrong gets one clear answer and changes nothing."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def play(_):
    league = League()
    league.init()
    league.set("limits", stranger_replies=1)
    alice, bob, eve = Player("alice"), Player("bob", "minisign"), Player("eve")
    league.add(alice)
    league.add(bob)
    league.seated("gc-1", "galaxy-command", "alice,robot", "--no-deadline")
    league.seated("gc-2", "galaxy-command", "bob,robot", "--no-deadline")
    league.tp("run")
    head = head_of(league.outbox(alice.address)[0])
    got = {p.address: len(league.outbox(p.address)) for p in (alice, bob, eve)}
    serial = [0]

    def give(raw, to, words, what, changes=False):
        """Delivers a mail; the one new answer to `to` must hold the words; journals must not change unless said."""
        before = league.journal("gc-1") + league.journal("gc-2")
        serial[0] += 1
        league.put_mail(raw, "m%03d" % serial[0])
        league.tp("run")
        after = league.journal("gc-1") + league.journal("gc-2")
        check((before != after) == changes, "%s: the journals %s" % (what, "changed" if before != after else "did not change"))
        for player in (alice, bob, eve):
            box = league.outbox(player.address)
            new = box[got[player.address]:] if len(box) > got[player.address] else []
            extra = len(box) - got[player.address]
            got[player.address] = len(box)
            if player is to:
                texts = [text_of(m) for m in box if words in " ".join(text_of(m).split())]
                check(extra >= 1, "%s: no answer to %s" % (what, player.name))
                check(texts, "%s: no answer with \"%s\" but\n%s" % (what, words, "\n".join(text_of(m) for m in new)))
            else:
                check(extra == 0, "%s: a mail to %s: %s" % (what, player.name, [text_of(m) for m in new]))
        check(not list((league.dir / "mail/in/new").iterdir()), what + ": the mail still lies in the inbox")

    good = orders("gc-1", 1, ["bide", "wait a moment"], head, wait="yes")
    give(alice.mail(orders("gc-1", 1, ["bide"]), signed=False), alice, "no signature", "unsigned")
    give(alice.mail("Hello, how do I play?\n", signed=False), alice, "No signed orders were found", "no orders")
    give(eve.mail(orders("gc-1", 1, ["bide"])), eve, "does not know", "unknown key")
    give(bob.mail(orders("gc-1", 1, ["bide"])), bob, "no seat in game gc-1", "another's seat")
    give(alice.mail(orders("gc-9", 1, ["bide"])), alice, "no game \"gc-9\"", "unknown game")
    give(alice.mail(orders("../etc", 1, ["bide"])), alice, "cannot be understood", "path as a game")
    give(alice.mail(orders("gc-1", 7, ["bide"])), alice, "for turn 7, but game gc-1 is in turn 1", "future turn")
    give(alice.mail(orders("gc-1", 1, ["bide", "turn 2", "bide"])), alice, "lines for another turn", "two turns")
    give(alice.mail(orders("gc-1", 1, ["bide"], "0123456789abcdef")), alice, "never issued", "unknown head")
    check("fork" in league.err, "the operator is not told of an unknown head")
    text, name, signature = alice.sign(orders("gc-1", 1, ["bide"]))
    forged = alice.mail("x\n", signed=False).replace(b"x\r\n", (text.replace("bide", "explore near") + signature).replace("\n", "\r\n").encode())
    give(forged, alice, "does not fit", "changed after signing")
    check(b"explore near" in forged, "the forged mail was not made")
    broken = alice.mail("x\n", signed=False).replace(b"x\r\n", (text + signature[:120] + "\n-----END SSH SIGNATURE-----\n").replace("\n", "\r\n").encode())
    give(broken, alice, "signature", "broken block")
    give(alice.mail(text + "x" * 3000000, signed=False), alice, "bytes", "too large")

    # Plain requests, unsigned; a stranger gets one answer a day.
    give(alice.mail("x\n", signed=False, subject="Help"), alice, "What you can send to", "help")
    give(bob.mail("games\n", signed=False, subject="hello"), bob, "gc-2 Galaxy Command turn 1 bob, robot", "games in the body")
    give(alice.mail("x\n", signed=False, subject="Re: rules galaxy-command"), alice, "military", "rules of a ruleset")
    give(alice.mail("x\n", signed=False, subject="RULES gc-1"), alice, "military", "rules of a game")
    give(alice.mail("x\n", signed=False, subject="rules of thumb"), alice, "no game of that name", "rules of nothing")
    give(alice.mail("x\n", signed=False, subject="rules galaxy_farmer"), alice, "GALAXY FARMER", "rules of a folder's name")
    give(alice.mail("x\n", signed=False, subject="rules"), alice, "Add the name of a game after the word", "rules of no game")
    give(alice.mail("x\n", signed=False, subject="help Galaxy Farmer"), alice, "Orders of Galaxy Farmer", "order words")
    give(alice.mail("x\n", signed=False, subject="help GC-1"), alice, "Orders of Galaxy Command", "order words of a game")
    give(alice.mail("x\n", signed=False, subject="status gc-2"), alice, "game gc-2: turn 1", "status")
    give(alice.mail("x\n", signed=False, subject="help me, my mailer is broken"), alice, "No signed orders", "no request")

    # Accepted, with a line that is not understood; then the same text, a lower seq, and a better one.
    give(alice.mail(good), alice, "We have your orders", "accepted", changes=True)
    give(alice.mail(good, subject="again"), alice, "very same text", "replayed text")
    give(alice.mail(orders("gc-1", 1, ["explore near"], head, seq=5, wait="yes")), alice, "replace what you sent", "seq 5", changes=True)
    give(alice.mail(orders("gc-1", 1, ["bide"], head, seq=4, wait="yes")), alice, "Orders with the number 5 are in force", "lower seq")
    give(alice.mail(orders("gc-1", 1, ["try", "explore near"], head)), alice, "A dry run: nothing is set", "dry run")
    last = alice.mail(orders("gc-1", 1, ["explore near", "build"], head, seq=6))
    give(last, alice, "WHAT HAPPENED IN TURN 1", "resolved", changes=True)
    # The very same mail again (as after a crash before it was moved): answered by nothing.
    league.put_mail(last, "again")
    before = league.journal("gc-1")
    league.tp("run")
    check(league.journal("gc-1") == before and len(league.outbox(alice.address)) == got[alice.address], "a mail fetched twice was answered twice")
    give(alice.mail(orders("gc-1", 1, ["bide"])), alice, "came too late", "late")
    give(alice.mail(orders("gc-1", 2, ["bide"], head)), alice, "older report", "older head")

    # Manners: machines are not answered; strangers get one notice a day.
    for number, headers in enumerate([{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List_Id": "<x.y>"},
                                      {"Return_Path": "<>"}, {"From": "MAILER-DAEMON@players.test"},
                                      {"From": ADDRESS}, {"X_Loop": ADDRESS}]):
        league.put_mail(alice.mail("out of office\n", signed=False, **headers), "robot%d" % number)
    league.put_mail(eve.mail("help\n", signed=False), "stranger")
    league.tp("run")
    check(len(league.outbox(alice.address)) == got[alice.address], "a machine was answered")
    check(len(league.outbox(eve.address)) == got[eve.address], "a stranger got a second notice within a day")

    # A bounce is tied to the mail and the player.
    report = [m for m in league.outbox(alice.address) if not m["In-Reply-To"]][-1]
    dsn = ("From: MAILER-DAEMON@mx.test\r\nTo: %s\r\nSubject: Undelivered\r\nMessage-ID: <dsn@mx.test>\r\nMIME-Version: 1.0\r\n"
           "Auto-Submitted: auto-replied\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
           "--b\r\n\r\nsorry\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
           "Final-Recipient: rfc822; %s\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n\r\n"
           "--b\r\nContent-Type: message/rfc822\r\n\r\n%s\r\n--b--\r\n") % (ADDRESS, alice.address, report.as_bytes().decode(errors="replace"))
    league.put_mail(dsn.encode(), "bounce")
    league.tp("run")
    listing = json.loads(league.tp("games", "--json"))
    check(listing["bounces"].get("alice", {}).get("status") == "5.1.1" and
          listing["bounces"]["alice"]["mail"].startswith("gc-1."), "the bounce is not shown: %s" % listing["bounces"])
    check("alice" in league.tp("doctor", code=None), "doctor does not show the bounce")
    print("every wrong mail answered once, nothing changed")


main(play)
