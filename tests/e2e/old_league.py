"""A league folder that the program of November 2026 made before src/ had its rooms (commit 1ad9cc7, tests/leagues/first) is
read, played on by the mails kept beside it, and proved; and what comes of it is byte for byte what is kept in after/: journals,
sealed payloads, and of the mails all but their words. The mails were signed by stock tools; one half of the games ends.

GOLDEN_WRITE=1 writes after/ anew: read the difference before you commit it."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

FIRST = TESTS / "leagues/first"
AFTER = FIRST / "after"
GAMES = ["galaxy-command", "galactic-contract", "galaxy-farmer", "galactic-supremacy", "open"]
FILES = ["journal.jsonl", "sealed.jsonl"]


def without_words(mail):
    """What a better sentence does not change: who gets it, the id of a record's mail, heads and their signatures, the form's frame, numbers."""
    text = text_of(mail)
    of_words = r"^<(mail\.|digest\.[^.]+\.m)[0-9a-f]+"  # ids that follow from what the mail says
    return {
        "to": mail["To"], "id": re.sub(of_words, r"<\1(words)", mail["Message-ID"]), "references": mail["References"], "date": mail["Date"],
        "parts": [part.get_content_type() for part in mail.walk()],
        "heads": re.findall(r"^head: [^\n]*|^-----BEGIN SSH SIGNATURE-----\n.*?^-----END", text, re.S | re.M),
        "form": re.findall(r"^(?:#turnpost|game:|turn:|seq:|#end).*$", text, re.M),
        "table": [" ".join(re.findall(r"\d+", line)) for line in text.splitlines() if re.search(r"\d  +\S*\d", line)],
    }


def play_on(league):
    for when in sorted(path.name for path in (FIRST / "rounds").iterdir()):
        for path in sorted((FIRST / "rounds" / when).iterdir()):
            league.put_mail(path.read_bytes(), path.name)
        league.tp("run", "--now", when[:11] + when[11:].replace("-", ":"))


def outcome(league):
    files = {"%s.%s" % (game, name): (league.dir / "games" / game / name).read_bytes() for game in GAMES for name in FILES}
    mails = [without_words(mail) for who in ("alice", "bob", "carol") for mail in league.outbox(who + "@players.test")]
    mails.sort(key=lambda mail: (mail["to"], mail["id"], json.dumps(mail, sort_keys=True)))
    lines = ",\n".join(json.dumps(mail, sort_keys=True) for mail in mails)
    files["mails.json"] = ("[\n%s\n]\n" % lines).encode()
    return files


def difference(name, got, want):
    for number, (a, b) in enumerate(zip(got.splitlines() + [b""], want.splitlines() + [b""]), 1):
        if a != b:
            return "%s, line %d:\n  %s\nis not\n  %s" % (name, number, a.decode()[:600], b.decode()[:600])
    return "%s is shorter" % name


def play(_):
    league = League("first")
    shutil.copytree(FIRST / "league", league.dir)
    for box in ("cur", "new", "tmp"):  # git keeps no empty folders, and no modes
        (league.dir / "mail/in" / box).mkdir(parents=True, exist_ok=True)
    os.chmod(league.dir / "keys/secret", 0o700)
    for path in (league.dir / "keys/secret").iterdir():
        os.chmod(path, 0o600)
    league.set("outgoing", pictures="no")
    play_on(league)
    got = outcome(league)
    if os.environ.get("GOLDEN_WRITE"):
        AFTER.mkdir(exist_ok=True)
        for name, data in got.items():
            (AFTER / name).write_bytes(data)
    for name in got:
        want = (AFTER / name).read_bytes()
        check(got[name] == want, difference(name, got[name], want))
    for game in GAMES:
        said = league.tp("audit", league.dir / "games" / game, "--key", league.dir / "keys/league.pub")
        check("proved" in said, said)
    print("%d games of an old league, %d files and %d mails as they were" %
          (len(GAMES), len(got) - 1, len(json.loads(got["mails.json"]))))


main(play)
