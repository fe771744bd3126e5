"""The bundle for the world: what is in it of a running and of a finished game, and every command of its README, run by bash."""
import datetime
import pathlib
import shutil
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

BEGIN = datetime.datetime(2026, 11, 20, 8)


def at(hours):
    return (BEGIN + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def commands(readme):
    """The blocks of indented lines, in order, by the number of the paragraph before each."""
    found, block, number = {}, [], None
    for line in readme.read_text().splitlines() + [""]:
        heading = re.match(r"(\d+)\. ", line)
        if heading:
            number = int(heading.group(1))
        if line.startswith("    ") and number:
            block.append(line)
        elif block:
            found[number] = "\n".join(block)
            block, number = [], None
    return found


def run(bundle, script):
    done = subprocess.run(["bash", "-c", script], cwd=bundle, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def all_hold(bundle, want):
    blocks = commands(bundle / "README")
    check(sorted(blocks) == want, "the README has the commands %s" % sorted(blocks))
    for number, script in blocks.items():
        code, said = run(bundle, script)
        check(code == 0, "command %d of the README: exit %d\n%s\n%s" % (number, code, script, said))
    for line in (bundle / "README").read_text().splitlines():
        check(len(line) <= 72 or line.startswith("    ") or "openssl" in line, "too wide: " + line)
    return blocks


def exposed(bundle, name, change, number):
    """With that change in the bundle, that command of the README fails."""
    copy = WORK / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(bundle, copy)
    path = copy / name
    before = path.read_bytes()
    path.write_bytes(change(before))
    check(path.read_bytes() != before, "nothing was changed in " + name)
    code, said = run(copy, commands(copy / "README")[number])
    check(code != 0, "command %d of the README does not find what is wrong in %s\n%s" % (number, name, said))


def digit(raw, where):
    """The byte before the end of `where` is another hex digit."""
    at = raw.index(where) + len(where)
    return raw[:at] + (b"0" if raw[at:at + 1] != b"0" else b"1") + raw[at + 1:]


def play(_):
    league = League()
    league.init()
    people = [Player("alice"), Player("bob", "minisign"), Player("carol", "signify")]
    for player in people:
        league.add(player)
    league.seated("gc-1", "galaxy-command", "alice,bob,carol", "--deadline", "1d", "--now", at(0))
    alice = people[0]
    league.put_mail(alice.mail(league.petition("press", "to: bob", "The private words.", game="gc-1", turn=1)), "press")
    for turn in (1, 2):
        for player in people:
            lines = ["explore near", "# caf\u00e9 \\n \\\\ \"quoted\" 100% \\0101", "research robots or bide"]
            league.put_mail(player.mail(league.orders("gc-1", turn, lines, final="yes"), attach=turn == 2), "t%d-%s" % (turn, player.name))
        league.tp("run", "--now", at(turn))
        if turn == 1:  # a new key from now on: the old one counts for turn 1 only
            old = sh("ssh-keygen", "-l", "-f", alice.public).split()[1]
            sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "alice", "-f", alice.dir / "next")
            text = league.petition("key", "player: alice", "add: " + (alice.dir / "next.pub").read_text().strip(), "revoke: " + old).replace("date: " + league.today, "date: " + at(turn)[:10])
            by_old = alice.sign(text)[2]
            (alice.dir / "key").rename(alice.dir / "old")
            (alice.dir / "next").rename(alice.dir / "key")
            (alice.dir / "next.pub").rename(alice.public)
            league.put_mail(alice.mail(text + by_old + alice.sign(text)[2], signed=False), "other-key")
            league.tp("run", "--now", at(turn))

    running = WORK / "running"
    league.tp("publish", "gc-1", "-o", running)
    check(sorted(str(p.relative_to(running)) for p in running.rglob("*") if p.is_file()) ==
          ["HEAD", "HEAD.tlog-proof", "README", "allowed_signers", "cards.json", "journal.jsonl", "keys/bob.1.pem", "keys/carol.1.pem",
           "league.policy"], "files of a running game")
    all_hold(running, [1, 2, 3])
    league.tp("publish", "gc-1", "--output", running, code=1)
    check("exists already" in league.err, league.err)
    league.tp("publish", "gc-9", "-o", WORK / "none", code=66)
    check(not (WORK / "none").exists() and not (WORK / "none.part").exists(), "a folder for nothing")

    # Orders that nobody has signed are sealed, and on no list of what players signed; who sits down late is.
    (WORK / "lines").write_text("explore near\n# \u00e9 \"\\n\"\n")
    league.tp("moderate", "gc-1", "orders", "bob", "--reason", "he is ill", "--lines", WORK / "lines", "--now", at(3))
    dora = Player("dora")
    league.add(dora)
    league.tp("moderate", "gc-1", "replace", "carol", "by", "dora", "--reason", "she has gone", "--now", at(3))
    league.put_mail(dora.mail(league.petition("take", "seat: 3", game="gc-1", turn=3)), "t3-takes")
    league.tp("run", "--now", at(3))
    league.put_mail(dora.mail(league.orders("gc-1", 3, ["bide"])), "t3-dora")
    league.tp("run", "--now", at(4))

    turn = 0
    while json.loads(league.journal("gc-1").splitlines()[-1])["type"] != "open":
        turn += 1
        check(turn < 60, "the game does not end")
        league.tp("run", "--now", at(25 * turn))
    over, again, redacted = WORK / "over", WORK / "again", WORK / "redacted"
    league.tp("publish", "gc-1", "-o", over)
    league.tp("publish", "gc-1", "-o", again)
    league.tp("publish", "gc-1", "-o", redacted, "--redact")
    sh("diff", "-r", over, again)
    blocks = all_hold(over, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    all_hold(redacted, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    index = [line.split() for line in (over / "signed/index").read_text().splitlines()]
    check([row[5] for row in index] == ["ssh", "prehashed", "plain"] * 2 + ["ssh"], "seven signed texts: %s" % index)
    check(index[6][3] == "dora", "who sat down late: %s" % index)
    check((over / "journal.jsonl").read_bytes() == league.journal("gc-1"), "the journal")
    check(any("private words" in what for _, _, item, what in payloads(league, "gc-1") if item == 1000), "the press is in its box")
    for path in over.rglob("*"):
        check(not path.is_file() or b"private words" not in path.read_bytes(), "press in %s" % path)
        check(not path.is_file() or b"players.test" not in path.read_bytes(), "an address in %s" % path)
    for path in redacted.rglob("*"):
        if path.is_file() and path.name != "journal.jsonl":
            for name in (b"alice", b"bob", b"carol", b"dora"):
                # As a word: the base64 of a key may well have "bob" in it.
                check(not re.search(rb"(?<![A-Za-z0-9+/])" + name + rb"(?![A-Za-z0-9+/=])", path.read_bytes()),
                      "%s in %s" % (name, path))
    check("seat-1" in (redacted / "signed/index").read_text(), "seats in the place of names")

    key = league.dir / "keys/league.pub"
    league.tp("audit", running, "--key", key, "--as", "public", code=1)
    said = league.tp("audit", over, "--key", key, "--as", "public")
    check("The league's log has all of it (entry " in said, "what lies beside it: " + said)
    league.tp("audit", redacted, "--key", key, "--as", "public")

    # What each command is there to find.
    exposed(over, "journal.jsonl", lambda raw: raw.replace(b'"missed":[]', b'"missed":[1]', 1), 1)
    exposed(over, "journal.jsonl", lambda raw: b"".join(raw.splitlines(keepends=True)[:-1]), 1)
    exposed(over, "HEAD", lambda raw: digit(raw, b"head gc-1 "), 2)
    exposed(over, "HEAD.tlog-proof", lambda raw: raw.replace(b"\n\n", b"\nAAAA\n\n", 1), 2)
    exposed(over, "league.policy", lambda raw: re.sub(rb"(?m)^(log .*)(.)(.{9})$", lambda key: key[1] + (b"B" if key[2] == b"A" else b"A") + key[3], raw), 2)
    exposed(over, "cards.json", lambda raw: raw.replace(b"1", b"2", 1), 3)
    exposed(over, "journal.jsonl", lambda raw: digit(raw, raw[:raw.rindex(b'"seal_key":"') + 12]), 4)
    exposed(over, "journal.jsonl", lambda raw: digit(raw, raw[:raw.index(b'"hidden":[{"box":"') + 18]), 5)
    exposed(over, "journal.jsonl", lambda raw: digit(raw, raw[:raw.index(b'"type":"orders"') + 60]), 6)
    exposed(over, "signed/%s.txt" % index[0][0], lambda raw: raw.replace(b"near", b"far"), 6)
    exposed(over, "signed/%s.txt" % index[0][0], lambda raw: raw.replace(b"near", b"far"), 7)
    exposed(over, "signed/index", lambda raw: raw.replace(index[0][4].encode(), b"20270101000000Z", 1), 7)
    exposed(over, "signed/%s.txt" % index[1][0], lambda raw: raw.replace(b"near", b"far"), 8)
    exposed(over, "signed/%s.txt" % index[2][0], lambda raw: raw.replace(b"near", b"far"), 8)
    for row in index:
        exposed(over, "signed/%s.txt" % row[0], lambda raw: digit(raw, b"head: "), 9)
    print("%d commands of the README hold, 20 changes found by them" % len(blocks))


main(play)
