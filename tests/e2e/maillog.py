"""Who asks "where is my mail" gets the answer from one command: mails of every fate, each named by `turnpost mail`."""
import pathlib
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

NOW = "2026-11-20T10:00:00Z"


def log(league, *args, now="2026-11-20T12:00:00Z", code=0):
    return json.loads(league.tp("mail", "--json", "--now", now, *args, code=code) or "[]")


def incoming(league, *args, **more):
    return [m for m in log(league, *args, **more) if m["direction"] == "in"]


def dsn(about):
    return ("From: MAILER-DAEMON@mx.test\r\nTo: %s\r\nSubject: Undelivered\r\nMessage-ID: <dsn@mx.test>\r\nMIME-Version: 1.0\r\n"
            "Auto-Submitted: auto-replied\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
            "--b\r\n\r\nsorry\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
            "Final-Recipient: rfc822; alice@players.test\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
            "--b\r\nContent-Type: message/rfc822\r\n\r\n%s\r\n--b--\r\n" % (ADDRESS, about.as_bytes().decode(errors="replace"))).encode()


def catalog_of(league):
    """The whole catalog in one file."""
    path = league.dir / "catalog.sqlite"
    base = sqlite3.connect(path)
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()
    return path.read_bytes()


def with_id(raw, name):
    """The same mail by another Message-ID."""
    return re.sub(rb"Message-ID: <[^>]*>", b"Message-ID: <%s@players.test>" % name.encode(), raw)


def fates(league, alice, bob, eve):
    """{name: (raw mail, verdict, what the reason must hold, who is answered)}"""
    tampered = alice.mail(league.orders("gc-1", 1, ["bide"], seq=3)).replace(b"bide", b"build")
    grey = league.petition("press", "to: bob", "from: nobody", "Let us share metal.", game="gc-2", turn=1)
    robot = league.petition("press", "to: moderators", "from: nobody", "Hear me.", game="gc-2", turn=1)
    white = league.petition("press", "to: nowhere", "Hello?", game="gc-2", turn=1)
    hello = "Hello, how do I play?\n"
    return {
        "orders": (alice.mail(league.orders("gc-1", 1, ["bide"], wait="yes")), "taken", "orders gc-1 turn 1: taken", True),
        "future": (alice.mail(league.orders("gc-1", 7, ["bide"])), "refused", "orders gc-1 turn 7: future_turn", True),
        "no-seat": (bob.mail(league.orders("gc-1", 1, ["bide"])), "refused", "wrong_seat", True),
        "no-game": (alice.mail(orders("gc-9", 1, ["bide"], league.head("gc-1"))), "refused", "unknown_game", True),
        "tampered": (tampered, "refused", "bad_signature", True),
        "unsigned": (alice.mail(league.orders("gc-1", 1, ["bide"]), signed=False), "refused", "unsigned", True),
        "hello": (alice.mail(hello, signed=False), "refused", "nothing", True),
        "help": (alice.mail("x\n", signed=False, subject="help"), "taken", "help", True),
        "prefs": (bob.mail(league.petition("prefs", "html: no")), "taken", "prefs: taken", True),
        "white": (alice.mail(white), "refused", "press gc-2: refused (press_unknown)", True),
        "grey": (alice.mail(grey, subject="from alice"), "taken", "press gc-2: taken", None),
        "grey-bad": (alice.mail(robot, subject="from alice"), "refused", "press gc-2: refused (no_moderators)", None),
        "unknown-key": (eve.mail(orders("gc-1", 1, ["bide"])), "refused", "unknown_key", True),
        "over-budget": (eve.mail(hello, signed=False, subject="a second one"), "ignored", "no answer: the answers of a day are used up", False),
        "list": (alice.mail(hello, signed=False, List_Id="<games.test>"), "ignored", "list", False),
        "auto": (alice.mail("I am away.\n", signed=False, Auto_Submitted="auto-replied"), "ignored", "auto", False),
        "own": (alice.mail(hello, signed=False, From=ADDRESS), "ignored", "own", False),
        "signed-auto": (bob.mail(league.orders("gc-1", 1, ["bide"], seq=9), Auto_Submitted="auto-generated"), "refused",
                        "no answer: no person wrote it", False),
        "large": (alice.mail("x" * 3000000, signed=False), "refused", "too_large", True),
        "escapes": (alice.mail(hello, signed=False, subject="=?utf-8?q?red_=1B=5B31m_or_=E2=80=AE_not?="), "refused", "nothing", True),
        "standing": (alice.mail(league.orders("gc-3", 1, ["bide"])), "waits", "orders gc-3 turn 1: its game cannot be read", False),
    }


def look(league, sent, alice):
    """Each of them is named by one command, and says what became of it."""
    got = incoming(league, "--since", "1d", "--player", "alice") + incoming(league, "--since", "1d")
    ids = {m["message_id"]: m for m in got if m["message_id"]}
    plain = league.tp("mail", "--since", "1d", "--now", "2026-11-20T12:00:00Z")
    for name, (raw, verdict, why, answered) in sent.items():
        if name.startswith("grey"):
            continue
        mail = ids.get(name + "@players.test")
        check(mail, "%s is in no line of\n%s" % (name, plain))
        check(mail["verdict"] == verdict and why in mail["why"], "%s: %s, %s" % (name, mail["verdict"], mail["why"]))
        check(bool(mail["answer"]) == answered, "%s: answered by \"%s\"" % (name, mail["answer"]))
        check(not answered or mail["answer_state"] == "sent", "%s: its answer is %s" % (name, mail["answer_state"]))
        line = [l for l in plain.splitlines() if mail["mail"] in l and " in " in l]
        check(len(line) == 1 and verdict in line[0] and why in line[0] and mail["answer"] in line[0], "%s: %s" % (name, line))
        one = log(league, "--id", "<%s@players.test>" % name)
        check([m["mail"] for m in one if m["direction"] == "in"] == [mail["mail"]], "--id of %s: %s" % (name, one))
    hidden = [m for m in incoming(league, "--since", "1d") if m["sender_hidden"]]
    check(sorted(m["why"] for m in hidden) == sorted(sent[n][2] for n in ("grey", "grey-bad")), "grey press: %s" % hidden)
    check(not any(m[part] for m in hidden for part in ("from", "player", "subject", "message_id", "answer")), "grey press: %s" % hidden)
    check("alice" not in " ".join(l for l in plain.splitlines() if "grey press" in l), plain)
    check("\x1b" not in plain and "\u202e" not in plain and "red" in plain, "control characters: %r" % plain)
    check(sent["orders"][0] and log(league, "--id", ids["orders@players.test"]["answer"])[-1]["state"] == "sent", "the answer by its id")
    check({m["direction"] for m in log(league, "--player", "alice")} == {"in", "out"}, "one picture of both directions")
    # What a player may wait for in vain is to be looked at.
    lost = log(league, "--unanswered")
    check([m["message_id"] for m in lost] == ["signed-auto@players.test"] and lost[0]["unanswered"], "unanswered: %s" % lost)
    check([l for l in plain.splitlines() if "look at it" in l] == [l for l in plain.splitlines() if lost[0]["mail"] in l], plain)
    found = json.loads(league.tp("doctor", "--json", "--now", "2026-11-20T12:00:00Z", code=None))
    told = [c for c in found["checks"] if c["check"] == "unanswered"]
    check(len(told) == 1 and told[0]["state"] == "warning" and "1 mail of bob had no answer" in told[0]["text"]
          and "no person wrote it" in told[0]["text"], "doctor: %s" % told)
    return ids


def play(_):
    league = League()
    league.init()
    league.set("limits", stranger_replies=1, mail_log="2d")
    alice, bob, eve = Player("alice"), Player("bob", "minisign"), Player("eve")
    league.add(alice)
    league.add(bob)
    league.today = NOW[:10]
    for game, seats in (("gc-1", "alice,robot"), ("gc-2", "alice,bob"), ("gc-3", "alice,robot")):
        league.seated(game, "galaxy-command", seats, "--no-deadline", "--press", "grey", "--now", NOW)
    league.tp("run", "--now", NOW)
    sent = {name: (with_id(raw, name), *rest) for name, (raw, *rest) in fates(league, alice, bob, eve).items()}
    check(len(sent) >= 20, "%d mails" % len(sent))
    journal = league.dir / "games/gc-3/journal.jsonl"
    whole = journal.read_bytes()
    cache = league.dir / "games/gc-3/state.json"
    cache.unlink(missing_ok=True)
    journal.write_bytes(whole.replace(b"seats", b"stats", 1))
    for number, (name, fate) in enumerate(sent.items()):
        league.put_mail(fate[0], "%02d-%s" % (number, name))
    league.put_mail(dsn(league.outbox(alice.address)[0]), "bounce")
    league.tp("run", "--now", "2026-11-20T11:00:00Z", code=None)
    ids = look(league, sent, alice)
    bounce = ids["dsn@mx.test"]
    check(bounce["verdict"] == "ignored" and "bounce" in bounce["why"], "the bounce: %s" % bounce)

    # What waited is said anew; what was decided stays, whatever comes of the same mail again.
    journal.write_bytes(whole)
    league.put_mail(sent["orders"][0], "again")
    league.tp("run", "--now", "2026-11-20T11:30:00Z")
    got = {m["message_id"]: m for m in incoming(league)}
    check(got["standing@players.test"]["verdict"] == "taken" and "gc-3" in got["standing@players.test"]["why"],
          "it waits no more: %s" % got["standing@players.test"])
    check(got["orders@players.test"] == ids["orders@players.test"], "said twice: %s" % got["orders@players.test"])

    # A crash between the journals and the catalog: the mail comes again, and its line is not wrong.
    late = with_id(bob.mail(league.petition("press", "to: alice", "Hello", game="gc-2", turn=1)), "late")
    before = catalog_of(league)
    league.put_mail(late, "late")
    league.tp("run", "--now", "2026-11-20T11:40:00Z")
    for side in ("-wal", "-shm"):
        pathlib.Path(str(league.dir / "catalog.sqlite") + side).unlink(missing_ok=True)
    (league.dir / "catalog.sqlite").write_bytes(before)
    check("late@players.test" not in str(incoming(league)), "the line was not lost: %s" % incoming(league)[-1])
    league.put_mail(late, "late")
    league.tp("run", "--now", "2026-11-20T11:41:00Z")
    line = [m for m in incoming(league) if m["message_id"] == "late@players.test"]
    check(len(line) == 1 and line[0]["verdict"] == "taken" and "seen_mail" in line[0]["why"], "after the crash: %s" % line)

    # Who is taken out is taken out of the log, whichever of his addresses he wrote from; others are not.
    carol = Player("carol")
    league.add(carol)
    league.put_mail(carol.mail("x\n", signed=False, subject="help"), "carol")
    league.tp("run", "--now", "2026-11-20T11:50:00Z")
    check(incoming(league, "--player", "carol"), "carol's mail")
    league.tp("player", "remove", "carol", "--now", "2026-11-20T11:51:00Z")
    check("carol" not in league.tp("mail", "--json", "--now", "2026-11-20T12:00:00Z"), "carol is still in the log")
    check(incoming(league, "--player", "bob"), "others are gone, too")
    # Or whose files somebody takes away: the next day.
    league.add(carol)
    league.put_mail(carol.mail("x\n", signed=False, subject="help"), "carol2")
    league.tp("run", "--now", "2026-11-20T11:52:00Z")
    check(incoming(league, "--player", "carol"), "carol's second mail")
    (league.dir / "players/carol.json").unlink()
    (league.dir / "keys/carol.pub").unlink()
    league.tp("run", "--now", "2026-11-21T00:01:00Z", code=None)
    check("carol" not in league.tp("mail", "--json", "--since", "2d", "--now", "2026-11-21T00:02:00Z"), "carol is still in the log")
    league.tp("mail", "--player", "carol", code=66)
    league.tp("mail", "list", "--player", "bob", code=64)

    # Two days, as long as somebody looks.
    for hours in range(0, 60, 5):
        day, hour = divmod(1 + hours, 24)
        now = "2026-11-%02dT%02d:00:00Z" % (21 + day, hour)
        league.tp("run", "--now", now, code=None)
        if hours == 30:
            check(incoming(league, "--since", "60d", now=now), "forgotten too early")
    check(not incoming(league, "--since", "60d", now=now), "not forgotten")
    print("%d mails of as many fates, each named by one command" % (len(sent) + 1))


main(play)
