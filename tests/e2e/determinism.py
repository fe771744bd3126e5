"""Two runs of one league from the same mails give byte-identical journals, draws, states and mails."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def files(league, *parts):
    return {str(p.relative_to(league.dir)): p.read_bytes() for part in parts for p in sorted((league.dir / part).rglob("*"))
            if p.is_file()}


def play(_):
    base = League("base")
    base.init()
    alice, bob = Player("alice"), Player("bob", "minisign")
    base.add(alice)
    base.add(bob)
    twins = [League("one"), League("two")]
    shutil.copytree(base.dir, twins[1].dir)
    base.tp("new", "gc-1", "galaxy-command", "--seats", "bob,robot,alice", "--now", "2026-11-20T08:00:00Z")
    # The nonce in `create` is the one thing that is random: the same game made twice is two games.
    twins[1].tp("new", "gc-1", "galaxy-command", "--seats", "bob,robot,alice", "--now", "2026-11-20T08:00:00Z")
    check(base.head("gc-1") != twins[1].head("gc-1"), "two games with the same head")
    shutil.rmtree(twins[1].dir)
    for player in (alice, bob):
        base.put_mail(player.mail(base.petition("join", game="gc-1")), "join-" + player.name)
    for twin in twins:
        shutil.copytree(base.dir, twin.dir)
        twin.tp("run", "--now", "2026-11-20T08:30:00Z")
    for turn in range(1, 6):
        now = "2026-11-20T%02d:00:00Z" % (8 + turn)
        for number, player in enumerate((alice, bob)):
            raw = player.mail(twins[0].orders("gc-1", turn, ["explore near or conquer best or bide", "build", "research robots"], final="yes"),
                              attach=turn % 2 == 0)
            for twin in twins:
                twin.put_mail(raw, "t%d-%d" % (turn, number))
        for twin in twins:
            twin.tp("run", "--now", now)
    one, two = (files(t, "games", "mail/out") for t in twins)
    check(set(one) == set(two), "not the same files: %s" % (set(one) ^ set(two)))
    for name in one:
        check(one[name] == two[name], name + " differs")
    check([r["turn"] for r in twins[0].records("gc-1") if r["type"] == "turn"] == [1, 2, 3, 4, 5], "turns")

    # Replay: without any cache, the journal gives the state that its last record names.
    shown = twins[0].tp("show", "gc-1", "--json")
    (twins[0].dir / "games/gc-1/state.json").write_text("turnpost state 1 damaged\n")
    check(twins[0].tp("show", "gc-1", "--json") == shown, "replay differs")
    # A change of one byte is found and named.
    journal = twins[1].dir / "games/gc-1/journal.jsonl"
    raw = journal.read_bytes()
    at = raw.index(b'"type":"turn"')
    journal.write_bytes(raw[:at - 10] + (b"0" if raw[at - 10:at - 9] != b"0" else b"1") + raw[at - 9:])
    twins[1].tp("show", "gc-1", code=65)
    check("record" in twins[1].err, twins[1].err)
    print("%d files identical after 5 turns" % len(one))


main(play)
