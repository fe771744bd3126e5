"""Two cases of keys/DOUBTS.md as a moderator goes through them who has nothing but saved mails and the league's public site: each command
as the page has it, and what it says in each of the page's cases."""
import functools
import http.server
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

NOW = "2026-11-%02dT%02d:00:00Z"
PAGE = (TESTS.parent / "keys/DOUBTS.md").read_text()


def commands(heading):
    """The indented lines below that heading, in order."""
    part = PAGE[PAGE.index('## "%s"' % heading):].split("\n## ", 2)[0]
    return [line.strip() for line in part.splitlines() if line.startswith("    ")]


class Site(http.server.ThreadingHTTPServer):
    """The league's site, as a web server shows it."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *args):
                pass

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.address = "127.0.0.1:%d" % self.server_address[1]


class Moderator:
    """A folder with saved mails, and commands."""

    def __init__(self, name, league, player, without=lambda mail: False):
        self.dir = WORK / ("moderator-" + name)
        self.mails = self.dir / "MAILS"
        self.mails.mkdir(parents=True)
        for number, raw in enumerate(sorted((league.dir / "mail/out" / player.address / "new").iterdir())):
            if not without(parse(raw.read_bytes())):
                shutil.copy(raw, self.mails / ("%02d.eml" % number))
        site = WORK / ("site-" + name)
        league.tp("site", site)
        self.site = Site(site)

    def run(self, line, code=0, **words):
        """A line of the page; what it says, in one line."""
        line = re.sub(r"\bturnpost\b(?= )", str(TURNPOST), line.replace("https://SITE", "http://" + self.site.address))
        for name, value in words.items():
            line = re.sub(r"\b%s\b" % name, str(value), line)
        done = subprocess.run(["bash", "-c", "set -o pipefail; " + line], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        said = " ".join(done.stdout.decode(errors="replace").split())
        check(done.returncode == code, "%s: exit %d, not %d: %s" % (line, done.returncode, code, said))
        return said

    def ask(self, code, *words):
        """The first case of the page up to what the log says of the mails."""
        fetch, missing, audit, _ = commands("My orders were ignored")[:4]
        shutil.rmtree(self.dir / "log", ignore_errors=True)
        self.run(fetch)
        self.run(missing)
        said = self.run(audit, code)
        for one in words:
            check(one in said, "not said: %s\n%s" % (one, said))
        return said


def send(league, player, turn, lines, now):
    league.put_mail(player.mail(league.orders("gc-1", turn, lines)), "%s-%d-%s" % (player.name, turn, now[8:13]))
    league.tp("run", "--now", now)


def history(name, base):
    league = League(name)
    shutil.copytree(base.dir, league.dir, symlinks=True)
    return league


def ignored(league, alice, bob):
    base = history("base", league)
    send(league, alice, 1, ["explore near"], NOW % (1, 9))
    honest = history("honest", league)
    open_turn = Moderator("open", honest, alice)
    open_turn.ask(0, "the orders of seat 1 are in force, and turn 1 is not closed")

    send(honest, alice, 1, ["bide"], NOW % (1, 10))
    send(honest, bob, 1, ["explore near"], NOW % (1, 11))
    honest.tp("run", "--now", NOW % (3, 12))
    told = Moderator("honest", honest, alice)
    said = told.ask(0, "The log holds", "the orders of seat 1 for turn 1 were replaced by a later text of that seat", "whose receipt was kept as well",
                    "the orders of seat 1 for turn 1 were the last of that seat when the turn was closed")
    check(said.count("note: gc-1, record") == 2, "two receipts: " + said)
    one = commands("My orders were ignored")[3]
    receipts = [path for path in sorted(told.mails.iterdir()) if "We have your orders" in parse(path.read_bytes())["Subject"]]
    check(len(receipts) == 2, "receipts: %s" % receipts)
    for path in receipts:
        said = told.run(one, MAIL=path)
        check(re.search(r"record \d+ of gc-1 \(receipt of turn 1, seat 1\)", said), "a receipt: " + said)
    report = next(path for path in told.mails.iterdir() if "(turn 2: your orders)" in parse(path.read_bytes())["Subject"])
    check("(close of turn 1)" in told.run(one, MAIL=report) and "(turn 1)" in told.run(one, MAIL=report), "a report")
    board, raw = "turnpost receipt-check MAIL --policy log/league.policy", report.read_bytes()
    check("1 board is as the league's log has it" in told.run(board, MAIL=report), "the board of a report")
    check(b"Stores: metal " in raw, "no board in the report")
    report.write_bytes(raw.replace(b"Stores: metal ", b"Stores: metal 1"))
    said = told.run(board, 2, MAIL=report)
    check("the board in this mail is not the one that the league's log has" in said and "What a mail shows is NOT what the league's log has." in said, said)
    report.write_bytes(raw)
    report.write_bytes(re.sub(rb"(BEGIN TURNPOST PROOF-----\r?\n)", rb"\1AAAA", report.read_bytes()))
    check("BAD" in told.run(one, 1, MAIL=report), "a report that was changed")

    # The later receipt is not hers: it never came to her.
    newer = parse(receipts[-1].read_bytes())["Message-ID"]
    robbed = Moderator("robbed", honest, alice, without=lambda mail: mail["Message-ID"] == newer)
    robbed.ask(1, "ask: gc-1, record", "whose receipt was not kept. Ask the player whether they sent it")

    # The league plays the turn without the orders for which she has a receipt.
    drops = history("drops", base)
    send(drops, bob, 1, ["explore near"], NOW % (1, 11))
    drops.tp("run", "--now", NOW % (3, 12))
    shutil.copytree(league.dir / "mail/out" / alice.address, drops.dir / "mail/out" / alice.address, dirs_exist_ok=True)
    dropped = Moderator("drops", drops, alice)
    said = dropped.ask(2, "two histories: the league has signed another log", "keep both, and tell the others")

    # The mails of another league.
    stranger = League("stranger")
    stranger.init()
    stranger.tp("player", "add", alice.name, alice.address, alice.public, "--now", NOW % (1, 7))
    stranger.seated("gc-1", "galaxy-command", "alice,robot", "--deadline", "2d", "--now", NOW % (1, 8))
    send(stranger, alice, 1, ["bide"], NOW % (1, 9))
    shutil.copytree(stranger.dir / "mail/out" / alice.address, honest.dir / "mail/out" / "stranger@players.test")
    other = Player("stranger")
    Moderator("stranger", honest, other).ask(1, "shows nothing of this log")
    return honest


def game_files(moderator):
    """What the site has of a game that is over."""
    moderator.run("wget -q https://SITE/archive/2026-11/gc-1.tar && tar xf gc-1.tar")
    return moderator.dir / "gc-1"


def seen(league, alice, bob):
    """The game goes on to its end, and bob is said to have known what alice held."""
    league.tp("moderate", "gc-1", "resend", "bob", "--reason", "he lost it", "--now", NOW % (3, 13))
    send(league, alice, 2, ["explore near"], NOW % (3, 14))
    league.tp("moderate", "gc-1", "void", "--reason", "enough", "--now", NOW % (3, 15))
    league.tp("run", "--now", NOW % (3, 16))
    moderator = Moderator("seen", league, alice)
    moderator.ask(0, "The log holds")
    game = game_files(moderator)
    explain, log, verify = commands("Somebody saw my hand")
    check("bob turns up" in moderator.run(explain, GAME=game, TURN=1), "what all were told")
    said = moderator.run(log, GAME=game)
    check("has the last report sent again to seat 2 (bob)" in said, "the report that left twice: " + said)
    report = next(path for path in moderator.mails.iterdir() if "(turn 2: your orders)" in parse(path.read_bytes())["Subject"])
    check("proved by the log" in moderator.run(verify, MAIL=report), "a mail that somebody shows")
    # What one alone was told has their name before it.
    said = "".join(moderator.run(explain, GAME=TESTS.parent / "games/galactic-supremacy", TURN=turn) for turn in range(1, 9))
    check(re.search(r"\[To (\w+):\] \1 draws a \w+ card", said) and re.search(r"robot1 and observers:\] \w+ draws a card", said), said)
    # When it is over, the files say more of the orders as well.
    receipts, told = commands("My orders were ignored")[4:]
    check("is what your mails say" in moderator.run(receipts, GAME=game, **{"LEAGUE.policy": game / "league.policy"}), "receipt-check")
    check("alice (seat 1)" in moderator.run(told, GAME=game, TURN=1, N=1), "explain")


def play(_):
    league = League()
    league.init()
    alice, bob = Player("alice"), Player("bob")
    for player in (alice, bob):
        league.tp("player", "add", player.name, player.address, player.public, "--now", NOW % (1, 7))
    league.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "2d", "--now", NOW % (1, 8))
    seen(ignored(league, alice, bob), alice, bob)
    print("each command of two cases, as the page has it")


main(play)
