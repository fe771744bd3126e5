#!/usr/bin/env python3
"""Checks a game of Turnpost from its files alone: chain, signatures, seals, proofs. Written from src/journal/README.md and
from nothing else; it plays no rules.

    verify.py [--json] [--key league.pub] [--head 'GAME SEQ HEX'] [--mail FILE] [--opened FILE] DIR | JOURNAL

--key   the league's key as you have it (ssh-ed25519 ...); without it the journal is checked against the key that it names itself
--head  a head that the league mailed; may be given several times
--mail  a mail of the league: the last record that it proves, checked with --key
--tools checks the heads with b2sum and the players' signatures with ssh-keygen and signify, too (slow)

--die   'TURN LABEL SIDES': the die of that name in that turn, as the proof gives it (labels are in the reports' JSON)
--opened  lines that open single boxes, as an appeal's mail brings them (default: opened.txt in DIR)

That a journal is the league's is shown by HEAD and HEAD.tlog-proof in DIR, or by a head that is given and is its last.

Exit code 0: proved, as far as this verifier goes. 1: proved as far as opened, or nothing shows whose it is. 2: broken. 3: a later version wrote it,
and this verifier does not know such records. 66: a file could not be read, 64: usage."""
import argparse
import email
import email.policy
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import boxes
import draws
import forms
import journal
import tlog


def mail_text(data):
    """The plain texts of a mail: what a mail program shows, and the attachment with what proves it."""
    parts = email.message_from_bytes(data, policy=email.policy.default).walk()
    return "\n".join(part.get_content().replace("\r", "") for part in parts if part.get_content_type() == "text/plain")


def mailed_head(path, key):
    """The last record that a saved mail proves."""
    lines = tlog.proved(mail_text(path.read_bytes()), key)
    forms.must(lines, "%s: it proves nothing" % path)
    entry = tlog.entry_of(lines[-1])
    return entry["name"], entry["seq"], entry["head"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--key")
    parser.add_argument("--head", action="append", default=[])
    parser.add_argument("--mail", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--die", action="append", default=[])
    parser.add_argument("--opened", type=pathlib.Path)
    parser.add_argument("--tools", action="store_true")
    parser.add_argument("file", type=pathlib.Path)
    return parser.parse_args()


def read(args):
    """The bytes of the journal, what opens its boxes, the key, the heads with their games."""
    first = args.file
    data = (first / "journal.jsonl" if first.is_dir() else first).read_bytes()
    opened = args.opened or first / "opened.txt"
    keys = boxes.Keys(lines=opened.read_text() if args.opened or opened.exists() else "")
    key = None
    if args.key:
        words = pathlib.Path(args.key).read_text().split()
        key = forms.key_of(" ".join(words[:2]))[1]
    forms.must(key or not args.mail, "--mail needs --key")
    heads = [mailed_head(path, key) for path in args.mail]
    for head in args.head:
        found = re.fullmatch(r"(?:head: )?([^ ]+) (\d+) ([0-9a-f]{64})", head)
        forms.must(found, "--head takes GAME SEQ HEX")
        heads.append((found[1], int(found[2]), found[3]))
    return data, keys, key, heads


# What nobody has signed but the operator.
ON_WORD = (
    ("missed", "missed turns"),
    ("keys", "keys of players in place of lost ones, and keys of witnesses"),
    ("mailboxes", "mailboxes of players that became others"),
    ("strangers", "texts signed by keys that the journal does not know"),
    ("acts", "acts of moderators whose signed text is sealed"),
    ("interventions", "interventions"),
    ("deadlines", "moved deadlines"),
    ("lost", "times that the league lost records"),
)


def unshown(args, data, key, heads, out):
    """Why nothing shows whose journal it is; None: the league's log has its last record, or a head that was given is its."""
    if (out.game, out.records, out.head) in heads:
        return None
    try:
        proof = "".join((args.file / name).read_text() for name in ("HEAD", "HEAD.tlog-proof"))
    except OSError:
        return "no proof that the league's log has it is beside it"
    try:
        entry = tlog.entry_of(tlog.check(proof, key or bytes.fromhex(json.loads(data.split(b"\n", 1)[0])["league_key"])))
        forms.must((entry["seq"], entry["head"]) == (out.records, out.head), "the proof is of another record than the last one")
    except forms.Fault as e:
        return str(e)
    return None


def words(out, why):
    if out.verdict == "unknown":
        return "%s: cannot be judged from record %d on: %s" % (out.game, out.record, out.why)
    if out.verdict == "broken":
        where = "at record %d" % out.record if out.record else "here"
        return "%s: broken %s because %s" % (out.game or "the journal", where, out.why)
    lines = ["%s: %s as far as %s: %d records, %d players' signatures, %d proofs, %d boxes"
             % (out.game, "sound" if why else "proved", "this verifier goes" if out.verdict == "proved" else "opened", out.records, out.counts["signatures"], out.counts["proofs"], out.counts["boxes"])]
    if why:
        lines.append("  anybody could have made it: " + why)
    word = [(out.counts[name], what) for name, what in ON_WORD if out.counts[name]]
    if out.counts["vouched"]:
        lines.append("  %d texts of mails: their signatures and words were not compared (turnpost audit does)" % out.counts["vouched"])
    if word:
        lines.append("  on the operator's word: " + ", ".join("%d %s" % pair for pair in word))
    if out.not_opened:
        lines.append("  %d boxes were not opened, the first in record %d" % (len(out.not_opened), out.record))
    lines.append("  the game %s; head of record %d: %s" % ("is over" if out.over else "is not over in this file", out.records, out.head))
    lines.append("  not looked at: the rules (states, events, reports, scores, who was awaited, which text was in force, which orders resigned)")
    return "\n".join(lines)


def main():
    args = arguments()
    try:
        data, keys, key, heads = read(args)
    except (OSError, forms.Fault, UnicodeDecodeError) as e:
        print("verify: %s" % e, file=sys.stderr)
        return 66
    out = journal.check(data, key, [(seq, head) for _, seq, head in heads], keys)
    strangers = [game for game, _, _ in heads if out.game and game != out.game]
    if strangers:
        print("verify: a head of game %s was given, and this is %s" % (strangers[0], out.game), file=sys.stderr)
        return 64
    if args.tools and out.verdict in ("proved", "opened"):
        import tools

        why, _ = tools.check(data)
        if why:
            out.broken(*why)
    roots = out.__dict__.pop("roots")
    why = unshown(args, data, key, heads, out) if out.verdict in ("proved", "opened") else None
    print(json.dumps({**vars(out), "logged": why is None}, indent=2) if args.json else words(out, why))
    for wanted in args.die:
        found = re.fullmatch(r"(\d+) ([^ ]+) (\d+)", wanted)
        if not found or int(found[1]) not in roots:
            print("verify: --die takes TURN LABEL SIDES, of a turn that was proved", file=sys.stderr)
            return 64
        print("  turn %s, %s: value %d of %s" % (found[1], found[2], draws.die(roots[int(found[1])], found[2], int(found[3])), found[3]))
    return 1 if why else ["proved", "opened", "broken", "unknown"].index(out.verdict)


if __name__ == "__main__":
    sys.exit(main())
