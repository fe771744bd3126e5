"""A competition of the real program, from mails and commands to its end: proved by `turnpost audit`, by the second verifier and from what is
published of it; and not any more when a game is taken away. The operator invites; who does not enter has no seat."""
import datetime
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

BEGIN = datetime.datetime(2026, 11, 20, 8)
NAMES = ("alice", "bob", "carol", "dave", "erin")


def at(days):
    return (BEGIN + datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def says(code, path, *args):
    done = subprocess.run([sys.executable, TESTS / "verifier/compete.py", path / "journal.jsonl", *args], stdout=subprocess.PIPE)
    check(done.returncode == code, "the verifier: exit %d\n%s" % (done.returncode, done.stdout.decode()))


def play(_):
    league, players = League(), {name: Player(name) for name in NAMES}
    league.init()
    for player in players.values():
        league.add(player)
    league.tp("compete", "new", "cup", "--kind", "tables", "--ruleset", "galaxy-command", "--seats", "2", "--entries", "2d", "--rounds", "2", "--round-length", "4d",
              "--break", "1d", "--protest", "1d", "--deadline", "3d", "--cut-short", "--now", at(0))
    for number, name in enumerate(("alice", "bob", "carol")):
        league.put_mail(players[name].mail(league.petition("enter", "competition: cup")), "enter-%d" % number)
    league.tp("run", "--now", at(0.1))
    league.tp("compete", "invite", "cup", "dave", "--now", at(0.2))
    league.tp("compete", "invite", "cup", "erin", "--now", at(0.2))
    league.put_mail(players["dave"].mail(league.petition("enter", "competition: cup")), "enter-dave")
    league.tp("run", "--now", at(0.3))
    asked = [path.read_text() for path in (league.dir / "mail/out/dave@players.test/new").iterdir()]
    check(any("You are invited to the competition cup" in " ".join(mail.split()) for mail in asked), "dave was not invited: %s" % asked)
    for day in range(1, 16):
        league.tp("run", "--now", at(day))
    folder, key = league.dir / "competitions/cup", league.dir / "keys/league.pub"
    types = [json.loads(line)["type"] for line in (folder / "journal.jsonl").read_text().splitlines()]
    check(types.count("enter") == 4 and types.count("result") == 4 and types[-1] == "close", "the competition went otherwise: %s" % types)
    verify_log(league)
    said = (folder / "audit.txt").read_text()
    check(said.startswith("cup: proved\n") and "4 games, each that of its table" in said and "Audited when it closed: cup: proved" in league.tp("compete", "show", "cup"), "its own audit: " + said)
    told = league.tp("audit", "cup", "--key", key, "--json")
    mine = next(json.loads(line) for line in told.splitlines() if '"competition"' in line)
    check(mine["checked"]["games"] == 4 and mine["word"]["unsigned"] == 0 and mine["word"]["strangers"] == 0, "the audit counts otherwise: %s" % mine)
    says(0, folder, league.dir / "games")
    says(1, folder)
    world = WORK / "world"
    league.tp("publish", "cup", "-o", world)
    league.tp("audit", world, "--key", key, code=None)
    says(0, world, world / "games")
    line = tlog.check((world / "HEAD").read_text() + (world / "HEAD.tlog-proof").read_text(), league_point(league))
    check(tlog.entry_of(line)["seq"] == len(types), "HEAD names another record: " + line)
    check(b"@players.test" not in b"".join(path.read_bytes() for path in world.rglob("*") if path.is_file()), "an address is published")
    mails = league.tp("receipt-check", "--key", key, "--journal", world, "--journal", world / "games", league.dir / "mail/out/alice@players.test")
    check("cup: %d records" % len(types) in mails and "cup %d " % len(types) in mails, "the mails about the competition were not compared: " + mails)
    head = re.search(r"cup (\d+) ([0-9a-f]{64})", mails)
    says(0, world, world / "games", "--head", head[0])
    says(2, world, world / "games", "--head", head[0][:-1] + ("0" if head[0][-1] != "0" else "1"))
    shutil.rmtree(world / "games/cup.1.1")
    league.tp("audit", world, code=2)
    says(2, world, world / "games")
    print("a competition of %d records by two programs, in the league and published" % len(types))


main(play)
