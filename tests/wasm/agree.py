#!/usr/bin/env python3
"""agree.py BUILD CHECK: the check in the browser (CHECK: the folder as it is published) against our audit, of recorded games and
of changed ones. rules.wasm must give what `turnpost audit` gives, word for word; check.js, which asks less, may
call nothing wrong in which the audit finds nothing wrong, and nothing right whose chain, signatures, seals or draws are wrong.
LONG=1: all recorded games, games with every kind of record, and CHANGES=2000 changes; else a few."""
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "mutations"), str(HERE.parent / "verifier")]
sys.dont_write_bytecode = True

LONG = bool(os.environ.get("LONG"))
CHANGES = int(os.environ.get("CHANGES", "2000" if LONG else "8"))
GAMES = HERE.parent.parent / "games"
FEW = ["words", "galaxy-farmer", "keys-p256", "competitions/spring/games/spring.2.2"]
SECONDS_MOST = 5  # that rules.wasm may take for a game
# What the audit says about a whole file beyond what is in it.
OF_THE_COMMAND = {"domains", "exit", "key_given", "levels", "logged", "name"}
# What check.js looks at: where the audit names one of these, and nothing that came before, it must see it, too.
SEEN = ("chain", "league-key", "draw")


class Server:
    def __init__(self, *args):
        self.process = subprocess.Popen([str(a) for a in args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, journal, key):
        self.process.stdin.write(b"%d %s\n" % (len(journal), key.hex().encode() if key else b"-"))
        self.process.stdin.write(journal)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("%s has stopped" % self.process.args[0])
        return json.loads(line)


class Tally:
    def __init__(self):
        self.rows, self.wrong, self.slowest = collections.Counter(), [], 0

    def compare(self, what, ours, theirs):
        """`ours`: of the twin; `theirs`: of the browser's."""
        audit, check = ours["audit"], theirs["check"]
        broken, found = audit["verdict"] not in ("proved", "proved as far as opened"), check["verdict"] in ("broken", "newer")
        self.rows["asked"] += 1
        self.rows["the audit finds"] += broken
        self.rows["check.js finds"] += found
        if theirs["rules"] != ours:
            differ = [name for name in audit.keys() | theirs["rules"]["audit"].keys() if audit.get(name) != theirs["rules"]["audit"].get(name)]
            self.wrong.append("%s: rules.wasm differs in %s: %s, and the audit %s" % (what, differ, json.dumps(theirs["rules"])[:300], json.dumps(ours)[:300]))
        if found and not broken:
            self.wrong.append("%s: check.js says %s at record %d (%s), and the audit %s" % (what, check["verdict"], check["record"], check["why"], audit["verdict"]))
        if broken and not found and audit["kind"] in SEEN:
            self.wrong.append("%s: the audit says %s at record %d (%s), and check.js %s" % (what, audit["verdict"], audit["record"], audit["why"], check["verdict"]))
        if found and broken and check["record"] and check["record"] < audit["record"]:
            self.wrong.append("%s: check.js names record %d (%s), and the audit %d (%s)" % (what, check["record"], check["why"], audit["record"], audit["why"]))
        self.slowest = max(self.slowest, theirs["milliseconds"][0])


# What a reader of JSON must say the same of, word for word.
TEXTS = [
    *(b"", b" ", b"{", b"}", b"[", b"[]", b"{}", b"[1,]", b"{,}", b'{"a"}', b'{"a":}', b'{"a":1,}', b'{"a" 1}', b'{"a":1 "b":2}', b"{1:2}", b'{"a":1}x'),
    *(b'{"a":1,"a":2}', b'{"a":{"b":1,"b":1}}', b'{"a\\u0000b":1}', b'{"a":"\\u0000"}', b'{"a":"\\ud800"}', b'{"a":"\\ud800\\u0041"}', b'{"a":"\\udc00"}'),
    *(b'{"a":"\\ud83d\\ude00"}', b'{"a":"\\x"}', b'{"a":"\\u12g4"}', b'{"a":"\x01"}', b'{"a":"\t"}', b'{"a":"', b'{"a":"\\', b'{"a":tru}', b'{"a":nulll}', b'{"a":True}'),
    *(b'{"a":01}', b'{"a":-}', b'{"a":-0}', b'{"a":1.}', b'{"a":1.5}', b'{"a":1e}', b'{"a":1e400}', b'{"a":-1e400}', b'{"a":1e-400}', b'{"a":.5}', b'{"a":+1}', b'{"a":0x10}'),
    *(b'{"a":9223372036854775807}', b'{"a":9223372036854775808}', b'{"a":-9223372036854775808}', b'{"a":-9223372036854775809}', b'{"a":123456789012345678901234567890}'),
    *(b"\xff", b'{"\xff":1}', b'{"a":"\xc3\xa9"}', b'{"a":"\xc3"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xf5\x80\x80\x80"}', b'{"a":"\xc0\x80"}', b"\xc3\xa9", b"\x00", b'{"a"\x00:1}', b'{"a":\x00}'),
    *(b"{" * 30, b"[" * 3000, b'{"a":' * 2100 + b"1" + b"}" * 2100, b"[" * 2048 + b"]" * 2048, b"[" * 2049 + b"]" * 2049, b'"text"', b"17", b"nil", b"{'a':1}", b"/* */{}", b'{"a":1}\r{}'),
]


def texts(twin, server, tally):
    """As the first record of a game."""
    journal = journal_of(GAMES / FEW[0])
    for text in TEXTS:
        changed = text + b"\n" + journal
        tally.compare("a record %r" % text[:60], twin.ask(changed, None), server.ask(changed, None))


def journal_of(folder):
    return (folder / "journal.jsonl").read_bytes()


def recorded(build, twin, server, tally):
    """Also against the command itself."""
    names = sorted({*(d.name for d in GAMES.iterdir() if (d / "journal.jsonl").exists()), *FEW}) if LONG else FEW
    for name in names:
        journal = journal_of(GAMES / name)
        key = bytes.fromhex(json.loads(journal.split(b"\n", 1)[0])["league_key"])
        theirs = server.ask(journal, key)
        tally.compare(name, twin.ask(journal, key), theirs)
        done = subprocess.run([build / "turnpost", "audit", "--json", GAMES / name], capture_output=True, check=True)
        said = {member: value for member, value in json.loads(done.stdout).items() if member not in OF_THE_COMMAND}
        if said != theirs["rules"]["audit"]:
            tally.wrong.append("%s: turnpost audit says something else than rules.wasm" % name)
        if theirs["check"]["verdict"] != "holds" or theirs["check"]["passed"] != said["records"] or theirs["passed"] != said["records"]:
            tally.wrong.append("%s: not all of its records hold: %s" % (name, theirs["check"]))
        if LONG or name == names[0]:
            other = bytes(reversed(key))
            tally.compare(name + " of another league", twin.ask(journal, other), server.ask(journal, other))
    return names


def entered(twin, server, tally):
    """A competition's game in which a seat has another text than its player's entry: both must say so of that record."""
    from changes import compact, lines_of
    from forms import blake, canonical
    from league import League
    from synthetic import Signer

    lines = lines_of(journal_of(GAMES / FEW[-1]))
    at = next(i for i, line in enumerate(lines) if b'"why":"entered"' in line)
    seat = json.loads(lines[at])
    words = seat["signed"]["text"]

    def says(text):
        return {**seat, "signed": Signer("zoe").signed(text), "text": blake(seat["by"].encode() + canonical(text).encode()).hex()}

    changes = {
        "no text": {m: v for m, v in seat.items() if m not in ("by", "signed", "text", "mail")},
        "somebody else's": {**seat, "by": "zoe"},
        "a text that is not signed": {**seat, "signed": {**seat["signed"], "text": words + " "}},
        "a text for another competition": says(words.replace("competition: spring", "competition: autumn")),
        "a text by which they withdraw": says(words.replace("#turnpost enter", "#turnpost withdraw")),
    }
    for what, record in changes.items():
        told = b"".join(League.chain(None, lines[:at] + [compact(record).encode() + b"\n"] + lines[at + 1 :], at))
        theirs = server.ask(told, None)
        tally.compare("a seat by " + what, twin.ask(told, None), theirs)
        if theirs["check"]["verdict"] != "broken" or theirs["check"]["record"] != at + 1:
            tally.wrong.append("a seat by %s: check.js says %s" % (what, theirs["check"]))


def changed(games, count, twin, server, tally):
    """`count` changes, as many of each game and spread over all the ways of changing it."""
    from changes import Wanted, all_changes

    for i, game in enumerate(games):
        if LONG:
            print("  %s: %d asked so far, %d disagree" % (game.name, tally.rows["asked"], len(tally.wrong)), flush=True)
        other = games[i - 1]
        all_of_it = []
        for luck in ("", " once more") if LONG else ("",):  # each gives a few dozen
            wanted = Wanted(game.name + luck, "few")
            all_of_it += all_changes(game.data, other.data, wanted)
            if game.league:
                from league import chained, rebuilt

                all_of_it += [*chained(game.league, game.data, wanted), *rebuilt(game.league, game.data, wanted)]
        random.Random(game.name).shuffle(all_of_it)
        for change in all_of_it[: count // len(games) + (i < count % len(games))]:
            change = change() if callable(change) else change
            what = "%s, %s (%s)" % (game.name, change.kind, change.what)
            tally.compare(what, twin.ask(change.journal, game.key), server.ask(change.journal, game.key))


class Recorded:
    """As Game of mutations.py, of a recorded one."""

    def __init__(self, name):
        self.name, self.league = name, None
        self.data = journal_of(GAMES / name)
        self.key = bytes.fromhex(json.loads(self.data.split(b"\n", 1)[0])["league_key"])


def kinds(check, tally):
    """check.js knows every kind of note that games may have."""
    ours = set(re.findall(r'\{\s*"note",\s*"(\w+)"', (HERE.parent.parent / "src/game/record_kinds.c").read_text()))
    theirs = set(re.search(r'const known = "([^"]+)"', (check / "check.js").read_text())[1].split())
    if not ours or ours != theirs:
        tally.wrong.append("kinds of notes that only check.js or only src/game/record_kinds.c knows: %s" % sorted(ours ^ theirs))


def main():
    build, check = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    twin, server, tally, began = Server(build / "tests/wasm/twin"), Server("node", HERE / "server.mjs", check), Tally(), time.time()
    kinds(check, tally)
    names = recorded(build, twin, server, tally)
    entered(twin, server, tally)
    if LONG:
        texts(twin, server, tally)
    games = [Recorded(name) for name in (names if LONG else FEW[:2])]
    if LONG:
        sys.argv = [sys.argv[0], str(build)]
        from mutations import play

        every = play(build)
        for game in every:
            tally.compare(game.name, twin.ask(game.data, game.key), server.ask(game.data, game.key))
        games += every
    changed(games, CHANGES, twin, server, tally)
    print("%d games and changes of them in %d s: the audit finds fault with %d, rules.wasm with the same, check.js with %d; slowest replay %.1f s"
          % (tally.rows["asked"], time.time() - began, tally.rows["the audit finds"], tally.rows["check.js finds"], tally.slowest / 1000))
    if LONG and tally.slowest > 1000 * SECONDS_MOST:
        tally.wrong.append("a game took longer than %d s" % SECONDS_MOST)
    for line in tally.wrong[:40]:
        print("WRONG " + line)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
