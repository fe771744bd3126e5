#!/usr/bin/env python3
"""The verifier against its vectors (vectors.json), the recorded games, and the stock tools. In short the shortest game of each kind, every
third break and twelfth pairing; LONG=1: all."""
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import breaks
import compete
import results
import curve
import draws
import forms
import journal
import p256
import pairing
import rating
import schedule
import synthetic
import tools
import tlog
import verify
from boxes import box_key, salt_of, seal_of, turned
from table import mark_of

V = json.loads((HERE / "vectors.json").read_text())
GAMES = HERE.parent.parent / "games"
GOLDEN = HERE.parent / "golden"
LONG = bool(os.environ.get("LONG"))
checked = 0


def same(got, want, what):
    global checked
    checked += 1
    if got != want:
        sys.exit("%s: %r and not %r" % (what, got, want))


def refused(function, value, what):
    try:
        function(value)
    except forms.Fault:
        return same(1, 1, what)
    sys.exit("%s: taken" % what)


def hashes():
    for record in V["records"]:
        same(journal.head_of(record["line"].encode()).hex(), record["head"], "head")
    key = bytes.fromhex(V["commitment"]["seal_key"])
    same(forms.blake(b"turnpost/kseal\0" + key).hex(), V["commitment"]["commitment"], "commitment")
    for s in V["seals"]:
        same(salt_of(key, s["seq"], s["seat"], s["item"], s["payload"].encode()).hex(), s["salt"], "salt")
        same(seal_of(bytes.fromhex(s["salt"]), s["payload"].encode()).hex(), s["seal"], "seal")
        if "box" in s:
            k = box_key(key, bytes.fromhex(s["seal"]))
            same((k.hex(), turned(k, base64.b64decode(s["box"])).decode()), (s["k"], s["payload"]), "box")
    for item in V["json"]:
        same(forms.canonical_json(item["value"]), item["canonical"], "canonical JSON")
        same(forms.json_digest(item["value"]).hex(), item["digest"], "digest")
    for words in V["no_json"]:
        refused(forms.read_json, words, words[:80])
    same("a" in forms.read_json('{"a":' * forms.NESTING + "1" + "}" * forms.NESTING), True, "JSON that nests as deep as it may")
    mark = V["mark"]
    same(forms.blake(mark["player"].encode() + forms.canonical(mark["text"]).encode()).hex(), mark["mark"], "mark")


def schedules():
    """Deadlines as the league's own program has them (tests/league/schedule.c)."""
    for row in json.loads((HERE / "schedules.json").read_text()):
        clock = schedule.Schedule(row)
        for opens, deadline in row["deadlines"]:
            opened, due = forms.time({"at": opens}, "at"), deadline and forms.time({"at": deadline}, "at")
            same(clock.gives(opened), due, "%s, opened %s" % (row["clock"]["schedule"], opens))


def chance():
    for v in V["vrf"]:
        secret, alpha = bytes.fromhex(v["secret"]), bytes.fromhex(v["alpha"])
        proof = curve.vrf_prove(secret, alpha)
        key = curve.ristretto_bytes(curve.BASE.times(int.from_bytes(secret, "little")))
        same(proof.hex(), v["pi"], "pi")
        same(curve.vrf_verify(key, proof, alpha).hex(), v["beta"], "beta")
    t, h = V["turn"], V["hidden"]
    key = bytes.fromhex(t["vrf_key"])
    seals = [bytes.fromhex(s) or bytes(32) for s in t["seals"]]
    alpha = draws.alpha(bytes.fromhex(t["create_head"]), t["turn"], seals, bytes.fromhex(t["deal"]), t["rollbacks"])
    same(alpha.hex(), t["alpha"], "alpha")
    beta = curve.vrf_verify(key, bytes.fromhex(t["pi"]), alpha)
    same(beta.hex(), t["beta"], "beta")
    root = forms.blake(b"turnpost/roll\0" + beta, 64)
    same(root.hex(), t["root"], "R")
    for die in t["dice"]:
        same(draws.die(root, die["label"], die["sides"]), die["value"], die["label"])
    for pick in t["picks"]:
        same(draws.Stream(root, pick["label"]).pick(pick["of"]), pick["value"], pick["label"])
    same(draws.shuffle(root, t["shuffle"]["label"], t["shuffle"]["items"]), t["shuffle"]["shuffled"], "shuffle")
    hidden = b"turnpost/hide\0" + bytes.fromhex(h["root"]) + h["label"].encode()
    same(curve.vrf_verify(key, bytes.fromhex(h["proof"]), hidden).hex(), h["output"], "hidden draw")


def p256_values():
    """RFC 6979, A.2.5, with SHA-256: what is signed with the nonces of the RFC, in its normal form."""
    secret = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
    for words, nonce, r, s in (
        (b"sample", 0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60, "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716", "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"),
        (b"test", 0xD16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0, "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367", "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"),
    ):
        high = int(s, 16) > p256.N // 2
        same(p256.sign(secret, words, nonce, high).hex(), r + s, "RFC 6979, %s" % words)
        same(p256.verify(p256.public(secret), p256.sign(secret, words, nonce), words), True, "RFC 6979, verified")
        for wrong in (p256.sign(secret, words, nonce, True), bytes(32) + bytes.fromhex(s), bytes.fromhex(r) + bytes(32), p256.N.to_bytes(32, "big") + bytes.fromhex(s)):
            same(p256.verify(p256.public(secret), wrong, words), False, "a signature that is none")


def texts():
    for s in V["signatures"]:
        try:
            forms.signature_key(s["signature"], s["text"])
            good = True
        except forms.Fault:
            good = False
        same(good, s["good"], s["name"])
    for c in V["canonical"]:
        same(forms.canonical(bytes.fromhex(c["bytes"])), c["text"], "canonical text")
        same(forms.canonical(c["text"]), c["text"], "canonical text again")
    for f in V["frames"]:
        if f["verb"] is None:
            refused(forms.frame_of, f["text"], f["text"])
            continue
        frame = forms.frame_of(f["text"])
        got = [frame.verb, frame.fields.get("game", ""), frame.fields.get("turn", -1), frame.fields.get("head", ""), "".join(line + "\n" for line in frame.body)]
        same(got, [f[k] for k in ("verb", "game", "turn", "head", "body")], f["text"])


def mails():
    """The proof at the end of the league's mails."""
    proof = V["mailed_proof"]
    key = forms.key_of(proof["league"])[1]
    with tempfile.TemporaryDirectory() as folder:
        mail = pathlib.Path(folder) / "mail"
        mail.write_text("Subject: a turn\r\n\r\nwords\r\n" + proof["armor"].replace("\n", "\r\n"))
        entry = tlog.entry_of(proof["entry"])
        same(verify.mailed_head(mail, key), (entry["name"], entry["seq"], entry["head"]), "a mail's head")
        text = next(tlog.armors(proof["armor"]))
        for at in range(len(text)):  # but behind the signature nothing counts
            changed = text[:at] + ("x" if text[at] != "x" else "y") + text[at + 1 :]
            if at < len(text.rstrip()):
                refused(lambda one: tlog.check(one, key), changed, "a proof with another byte %d" % at)


def command(want, *args):
    done = subprocess.run([sys.executable, str(HERE / "verify.py"), *map(str, args)], capture_output=True, text=True)
    same(done.returncode, want, "verify.py %s: %s" % (" ".join(map(str, args)), done.stdout + done.stderr))
    return done.stdout


def league_line(first):
    """The league.pub of a journal with this first record."""
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes.fromhex(json.loads(first)["league_key"])
    return "ssh-ed25519 %s\n" % base64.b64encode(blob).decode()


def recorded():
    """The folders of the recorded games; in short those that are not long."""
    folders = sorted(path.parent for path in GAMES.glob("*/journal.jsonl"))
    return [folder for folder in folders if LONG or (folder / "journal.jsonl").stat().st_size < 100000]


def games():
    for folder in recorded():
        lines = (folder / "journal.jsonl").read_bytes().split(b"\n")
        out = journal.check((folder / "journal.jsonl").read_bytes())
        same(out.verdict, "proved", "%s: record %d: %s" % (folder.name, out.record, out.why))
        assert len(lines) == out.records + 1
        cut = journal.check(b"\n".join(lines[:-3]) + b"\n")
        same((cut.verdict, cut.record), ("broken", out.records - 1), "%s: nothing behind its last turn" % folder.name)
        if folder.name != "galaxy-farmer":
            continue  # the program itself once
        head = "%s %d %s" % (folder.name, out.records, out.head)
        with tempfile.TemporaryDirectory() as scratch:
            own, other = pathlib.Path(scratch, "own.pub"), pathlib.Path(scratch, "other.pub")
            own.write_text(league_line(lines[0]))
            other.write_text(league_line((GAMES / "lockstep/journal.jsonl").read_bytes().split(b"\n")[0]))
            command(0, folder, "--head", head, "--key", own)
            command(2, folder, "--key", other)
            running = pathlib.Path(scratch, "journal.jsonl")
            at = max(i for i, line in enumerate(lines) if b'"type":"turn"' in line[:250] and b'"deadline"' in line)
            running.write_bytes(b"\n".join(lines[: at + 1]) + b"\n")
            command(1, running)
        command(2, folder, "--head", head[:-1] + ("0" if head[-1] != "0" else "1"))
    command(66, GAMES / "nothing")
    value = next(d["value"] for d in V["turn"]["dice"] if d["label"] == "attack/s1")
    same("value %d" % value in command(0, GAMES / "galaxy-command", "--die", "1 attack/s1 6"), True, "--die")


def competitions():
    """The recorded ones; each cut, each with a game less, and with one too many."""
    played = (GAMES / "competitions/results/journal.jsonl").read_bytes()
    for folder in sorted(path.parent for path in (GAMES / "competitions").glob("*/games")):
        data = (folder / "journal.jsonl").read_bytes()
        games = compete.games_in(folder / "games", folder.name, None)
        verdict, record, why, c = compete.check(data, None, games, played=played)
        same((verdict, c.closed), ("proved", True), "%s: record %d: %s" % (folder.name, record, why))
        same(compete.check(data, None, {}, False)[0], "opened", "%s without its games" % folder.name)
        gone = sorted(games)[0]
        fewer = {name: game for name, game in games.items() if name != gone}
        same(compete.check(data, None, fewer)[0], "broken", "%s without its game %s" % (folder.name, gone))
        same(compete.check(data, None, {**games, "hidden": games[gone]})[0], "broken", "%s with a hidden game" % folder.name)
        first = data.split(b"\n")[0] + b"\n"
        same(compete.check(first, None, games)[:2], ("broken", 2), "%s: games of which it knows nothing" % folder.name)
        if c.kind == "divisions":
            follows(c)
        if LONG or folder.name == "guild":  # the program itself
            done = subprocess.run([sys.executable, str(HERE / "compete.py"), folder / "journal.jsonl", folder / "games"], capture_output=True, text=True)
            same(done.returncode, 0, done.stdout + done.stderr)
        for game in sorted((folder / "games").glob("*/")):
            out = journal.check((game / "journal.jsonl").read_bytes())
            same(out.verdict, "proved", "%s: record %d: %s" % (game.name, out.record, out.why))


def conditions():
    """What was found of those who entered, by the results of its league; and by none, by fewer, by another's."""
    data = (GAMES / "competitions/guild/journal.jsonl").read_bytes()
    played = (GAMES / "competitions/results/journal.jsonl").read_bytes()
    lines = played.splitlines(keepends=True)
    for what, results_, verdict, figures in (
        ("its results", played, "opened", 4), ("no results", None, "opened", 4), ("results that end before", b"".join(lines[:-1]), "broken", 0),
        ("another league's", (HERE / "results/competitions/results/journal.jsonl").read_bytes(), "broken", 0),
    ):
        out = compete.check(data, None, {}, False, played=results_)
        same((out[0], out[3].counts["figures"]), (verdict, figures), "conditions by %s: record %d: %s" % (what, out[1], out[2]))


def league_results():
    """The recorded ones; each record left out, a game less, another rank; and the lists, as the program has printed them."""
    folder = HERE / "results"
    data = (folder / "competitions/results/journal.jsonl").read_bytes()
    games = {path.parent.name: path.read_bytes() for path in (folder / "games").glob("*/journal.jsonl")}
    found, verdict, record, why = results.check(data, None, games.get)
    same((verdict, found.compared), ("proved", len(games)), "results: record %s: %s" % (record, why))
    found.hidden(folder / "games")
    same(found.lacking, 0, "results: a game without one")
    told = json.loads((folder / "ratings.json").read_text())
    mine = found.lists(forms.time(told, "at"))
    theirs = [{"ruleset": one["ruleset"], "games": one["games"], "players": [{k: row[k] for k in ("name", "mu", "sigma", "shown", "games")} for row in one["players"]]} for one in told["rulesets"]]
    same((mine, found.head.hex(), found.seq), (theirs, told["head"], told["seq"]), "the lists of ratings")
    same(results.check(data, None, lambda name: None)[1], "partly", "results without their games")
    same(results.check(data, None, lambda name: games["gc-1"])[1:3], ("broken", 3), "results with another game in place of one")
    same(results.check(data[:-2], None, games.get)[1], "broken", "results with a torn line")
    at = forms.time(told, "at") - 365 * 86400
    same(results.check(data, None, games.get, until=at)[0].seq, 0, "results of a time before them")
    done = subprocess.run([sys.executable, str(HERE / "results.py"), folder / "competitions/results", folder / "games"], capture_output=True, text=True)
    same(done.returncode, 0, done.stdout + done.stderr)


def hostile():
    """Competitions of a league that signs what it likes: none of them stops the verifier in the middle."""
    seed, first = bytes(range(32)), (GAMES / "competitions/week/journal.jsonl").read_bytes().split(b"\n")[0]
    create = dict(forms.read_json(first), league_key=curve.ed25519_public(seed).hex())
    divided = dict(create, kind="divisions", ruleset="galaxy-command", seats=2, options={}, promote=1, division_size=4, walkover=2, previous="was", previous_head="00" * 32)
    divided = {member: divided[member] for member in divided if member not in ("field", "outside")}
    anna = {"name": "anna", "place": 1}
    adjust = {"game": "week", "seq": 2, "prev": "", "type": "adjust", "time": create["time"], "do": "remove", "reason": "x", "player": [], "by": "bob"}
    for what, *records in (
        ("proved", create), ("unknown", dict(create, options={"coop": 2})), ("broken", dict(create, options={"ship": 3})), ("unknown", dict(create, version=99)), ("broken", create, adjust), ("unknown", create, dict(adjust, signed={})), ("broken", dict(create, previous=5)), ("broken", dict(create, previous="../was")), ("broken", dict(create, previous="was")), ("broken", dict(create, previous_head="00" * 32)), ("broken", dict(create, outside=["A b"])),
        ("proved", dict(divided, divisions=[[anna]])), ("broken", dict(divided, divisions=[[anna], [anna]])), ("broken", dict(divided, divisions=[[dict(anna, place=2**32)]])),
    ):
        data, prev = b"", bytes(32)
        for record in records:
            line = json.dumps({**record, "prev": prev.hex()}, separators=(",", ":")).encode() + b"\n"
            data, prev = data + line, journal.head_of(line)
        same(compete.check(data)[:2], (what, len(records) if what != "proved" else 0), "a hostile competition: %s" % records[-1])


def follows(was):
    """The season after a recorded one: its divisions are that one's final table."""
    divisions = [[{"name": player, "place": place} for _, place, player, _ in was.standings()]]
    create = {"previous": was.game, "previous_head": was.head.hex()}
    swapped = [list(reversed(divisions[0]))]
    for record, before, good in ((create, divisions, True), (create, swapped, False), (create, [], False), (dict(create, previous_head="00" * 32), divisions, False), ({}, divisions, False)):
        season = compete.Competition(previous=was)
        season.before = before
        try:
            season.follows(record)
            fault = None
        except forms.Fault as e:
            fault = str(e)
        same(fault is None, good, "a season after %s: %s" % (was.game, fault))


def values():
    """Marks, alphas, draws of seats."""
    for m in V["marks"]:
        sig = bytes.fromhex(m["sig"])
        same(base64.b64decode(m["signature"]["sig"]), sig, m["name"])
        forms.signature_key(m["signature"], m["text"])
        same(mark_of(bytes.fromhex(m["create_head"]), m["seat"], sig, m["text"]).hex(), m["mark"], m["name"])
    for a in V["alphas"]:
        seals = [bytes.fromhex(s) or bytes(32) for s in a["seals"]]
        same(draws.alpha(bytes.fromhex(a["create_head"]), a["turn"], seals, bytes.fromhex(a["deal"]), a["rollbacks"]).hex(), a["alpha"], a["name"])
    for w in V["witness_inputs"]:
        entry = tlog.entry_of(w["close"])
        turn, alpha = entry["rest"].split(" ")[1::2]
        same(draws.witness_input(w["log"], entry["name"], turn, alpha).hex(), w["over"], "what a witness proves")
    for s in V["seatings"]:
        held = [(h["seat"], h["player"], bytes.fromhex(h["mark"])) for h in s["held"]]
        drawn = [{"seat": seat, "player": player} for seat, player in draws.seated(bytes.fromhex(s["root"]), held)]
        same(drawn, s["drawn"], "seats: " + s["name"])


def told_games():
    """Games that nobody played, whole and broken."""
    for story, changes in breaks.STORIES.items():
        _, lines = synthetic.told(story, breaks.changed(story, changes))
        shut = re.search(rb'"type":"orders"|"hidden":\[\{', lines) and b'"type":"open"' not in lines
        for keys, want in ((synthetic.KEYS, "proved"), (None, "opened" if shut else "proved")):
            out = journal.check(lines, keys=keys)
            same(out.verdict, want, "%s: record %d: %s" % (story, out.record, out.why))
    for what, wrong in breaks.all_breaks(1 if LONG else 3):
        same(wrong, None, what)
    _, lines = synthetic.told("whole")
    same(tools.check(lines)[0], None, "stock tools")


def ratings():
    """Those of the page, and those that the C has made of random games."""
    new = (rating.MU, rating.SIGMA)
    got = [tuple(map(rating.micro, after)) for after in rating.after([new + (1,), new + (2,)])]
    same(got, [(27635231, 8065506), (22364769, 8065506)], "ratings of two new players")
    want = (GOLDEN / "rating/random.txt").read_text().splitlines()
    for got, line in zip(rating.random_list().splitlines(), want, strict=True):
        same(got, line, "ratings after random games")


def stock_tools():
    """Heads with b2sum, players' signatures with ssh-keygen and signify."""
    folder = GAMES / "galaxy-command"
    why, counts = tools.check((folder / "journal.jsonl").read_bytes(), 5)
    same(why, None, "stock tools")
    folder = GAMES / "keys-p256"
    why, found = tools.check((folder / "journal.jsonl").read_bytes(), 12)
    same((why, found["ssh-keygen"]), (None, 12), "stock tools, keys on P-256")
    counts += found
    print("  with stock tools: %s" % ", ".join("%d %s" % (n, tool) for tool, n in sorted(counts.items())))


def pairings():
    """Pairings, standings, divisions and matchpoints, as tests/compete/cases.c has them, too."""
    global checked
    many, wrong = pairing.check(HERE / "pairing.json", 1 if LONG else 12)
    same(wrong, None, "pairings")
    checked += many


for part in (hashes, chance, schedules, p256_values, texts, mails, games, competitions, conditions, hostile, league_results, pairings, values, told_games, ratings, stock_tools):
    part()
print("verifier: %d checks" % checked)
