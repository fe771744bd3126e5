"""A game in which everything rests on signatures: seats kept for two players, two more that are drawn, a witness on a host of his own.
Played with the program itself and ssh-keygen, over Maildirs."""
import email
import email.policy
import os
import pathlib
import re
import shutil
import subprocess

import journal

GAME = "gc-witnessed"
PLAYERS = ("alice", "bob", "carol", "dave")
MODERATOR = "mona"
TIME = "2026-11-%02dT%02d:00:00Z"


class Played:
    def __init__(self, build, folder):
        self.program, self.dir, self.folder, self.count = build / "turnpost", folder / GAME, folder / "people", 0
        self.witness = self.folder / "witness"
        self.folder.mkdir()
        self.seen = {}

    def tp(self, *args, league=None):
        env = dict(os.environ, TURNPOST_LEAGUE=str(league or self.dir))
        done = subprocess.run([self.program, *args], env=env, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit("turnpost %s: %s%s" % (" ".join(map(str, args)), done.stdout, done.stderr))
        return done.stdout

    def new_mails(self, league, who):
        """What came to an address since the last call."""
        box = league / "mail/out" / who / "new"
        names = sorted(box.iterdir(), key=lambda p: p.stat().st_mtime_ns) if box.is_dir() else []
        new = [p for p in names if p not in self.seen]
        self.seen.update(dict.fromkeys(new))
        return new

    def put(self, league, raw):
        self.count += 1
        for sub in ("tmp", "new"):
            (league / "mail/in" / sub).mkdir(parents=True, exist_ok=True)
        path = league / "mail/in/tmp" / ("m%03d" % self.count)
        path.write_bytes(raw)
        path.rename(league / "mail/in/new" / path.name)

    def sign(self, who, text):
        path = self.folder / "text"
        path.write_text(text)
        pathlib.Path(str(path) + ".sig").unlink(missing_ok=True)
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "orders@turnpost", "-f", self.folder / who, path], check=True)
        head = "From: %s@players.test\nTo: orders@game.test\nSubject: x\nMessage-ID: <%d@players.test>\n\n" % (who, self.count)
        self.put(self.dir, (head + text + pathlib.Path(str(path) + ".sig").read_text()).encode())

    def form(self, who, verb):
        """The text to sign in the newest mail that holds one."""
        for path in reversed(self.new_mails(self.dir, who + "@players.test")):
            mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            text = mail.get_body(preferencelist=("plain",)).get_content().replace("\r\n", "\n")
            found = re.search(r"^#turnpost %s\n.*?^#end\n" % verb, text, re.S | re.M)
            if found:
                return found[0]
        raise SystemExit("%s got no form for %s" % (who, verb))

    def pass_on(self, source, address, target):
        for path in self.new_mails(source, address):
            self.put(target, path.read_bytes())

    def unwitness(self, day, hour):
        """The witness does not answer for three days; three of the four players go on without him."""
        for later in range(0, 76, 3):  # the league was never away for long: that time would not count
            self.tp("run", "--now", TIME % (day + (hour + later) // 24, (hour + later) % 24))
        for who in ("carol", "alice", "dave"):
            self.sign(who, self.form(who, "unwitness"))
        self.tp("run", "--now", TIME % (day + 3, hour + 4))

    def run(self, day, hour):
        """The league's round, and the witness's answer, if he was asked."""
        self.tp("run", "--now", TIME % (day, hour))
        self.pass_on(self.dir, "wanda@players.test", self.witness)
        self.tp("witness", "--now", TIME % (day, hour), league=self.witness)
        self.pass_on(self.witness, "orders@game.test", self.dir)
        self.tp("run", "--now", TIME % (day, hour))

    def begin(self):
        self.tp("init", self.dir, "--name", "Orion League", "--address", "orders@game.test")
        self.tp("init", self.witness, "--name", "Witness", "--address", "wanda@players.test", league=self.witness)
        ini = self.dir / "league.ini"
        ini.write_text(re.sub(r"(?m)^#? ?moderators =.*$", "moderators = " + MODERATOR, ini.read_text()))
        for who in (*PLAYERS, MODERATOR):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", who, "-f", self.folder / who], check=True)
            self.tp("player", "add", who, who + "@players.test", self.folder / (who + ".pub"), "--now", TIME % (20, 7))
        self.tp("run", "--now", TIME % (20, 8))  # the log gets a name
        shutil.copy(self.dir / "keys/league.policy", self.witness / "keys/witnessed.policy")
        with open(self.witness / "league.ini", "a") as ini:
            ini.write("\n[witness]\nleague = orders@game.test\npolicy = keys/witnessed.policy\n")
        line = self.tp("witness", "--enroll", league=self.witness).splitlines()[-1]
        (self.dir / "keys/witnesses").write_text(line + "\n")

    def play(self):
        """Three turns, the second without the orders of one, the third after the witness was silent, and without him; then it is declared void, and all seals are opened."""
        self.tp("new", GAME, "galaxy-command", "--seats", "alice,bob", "--open", "2", "--deadline", "1d", "--witness", "wanda", "--now", TIME % (20, 9))
        self.run(20, 9)
        asked = self.form("alice", "join")
        for who in ("dave", "bob", "alice", "carol"):  # their head is that of the game; two sit where they are asked to
            self.sign(who, asked)
        self.run(20, 10)
        for turn, day in ((1, 20), (2, 21), (3, 22)):
            for who in PLAYERS:
                form = self.form(who, "orders")
                if turn != 2 or who != "bob":
                    self.sign(who, re.sub(r"(?m)^#end$", "final: yes\nexplore near or bide\nresearch robots or bide\n#end", "".join(
                        l for l in form.splitlines(True) if re.match(r"#turnpost|game:|turn:|head:|#end", l))))
            if turn == 3:
                self.unwitness(day, 12)
                break
            self.run(day, 12)
            self.run(day + 1, 11)
        self.tp("moderate", GAME, "void", "--reason", "enough", "--now", TIME % (25, 17))
        self.run(25, 18)

    def keep(self):
        """The mails of each player, as those of the other games are kept."""
        for who in PLAYERS:
            folder = self.dir / "mails" / who
            folder.mkdir(parents=True)
            for path in (self.dir / "mail/out" / (who + "@players.test") / "new").iterdir():
                shutil.copy(path, folder / (path.name + ".eml"))


def play(build, folder):
    played = Played(build, folder)
    played.begin()
    played.play()
    played.keep()
    return played.dir
