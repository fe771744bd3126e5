"""Each command that changes a league, over a line to PostgreSQL that breaks: at the answers to its commits, and, with LONG=1 (make
cluster), after every second of its round trips and before every fifth of its
statements, another one for each command; it stays broken, or not. Whoever is told that it was done finds it done once; whoever is not repeats it by the
number that was printed, and finds it done once. So it is with a command that a daemon does."""
import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from hosts import *

LONG = bool(os.environ.get("LONG"))
HURRY = {"TURNPOST_HURRY": "30"}  # a database that stays away is given up after a second (tests/faults/store.c)
CUP = "--kind tables --ruleset galaxy-command --entries 30d --rounds 3 --round-length 120d"

# The words of each, with a number that is new each time, a file with a new key, a folder; its standard input; what is done first, without
# any trouble (ENTER: alice enters that one by mail). Not here: `player restore`, which makes a file what the registry says, as often as it is typed.
COMMANDS = [
    ("player add zoe{n} zoe{n}@players.test {key}", None),
    ("player address alice a{n}@players.test --at-once", None),
    ("player key bob {key} --at-once", None),
    ("player remove yan{n}", None, "player add yan{n} yan{n}@players.test {key}"),
    ("invite --count 2", None),
    ("new g-{n} galaxy-command --seats alice,robot", None),
    ("new s-{n} galaxy-command --seats alice,bob", None),
    ("moderate gc-1 extend 1h --reason x", None),
    ("moderate any ban xer{n} --reason x", None, "player add xer{n} xer{n}@players.test {key}"),
    ("announce -", "Subject: {n}\n\nNews of the league\n"),
    ("mail retry all", None),
    ("page {page}", None),
    ("compete new c-{n} " + CUP, None),
    ("compete invite e-{n} alice", None, "compete new e-{n} " + CUP),
    ("compete withdraw w-{n} alice", None, "compete new w-{n} " + CUP, "ENTER w-{n}"),
    ("compete remove r-{n} alice --reason x", None, "compete new r-{n} " + CUP, "ENTER r-{n}"),
]


class Story:
    def __init__(self):
        self.postgres = Postgres(WORK / "postgres").start()
        self.line, self.number, self.cases = Between(self.postgres.port), 0, 0
        self.line.heals = False
        self.host = host = Host("one", FAULT, HURRY)
        host.init()
        host.set("incoming", type="maildir")
        host.set("league", page_url="https://play.example.org/")
        (host.dir / "password").write_text("-\n")
        self.alice = Player("alice")
        for player in (self.alice, Player("bob")):
            host.add(player)
        host.seated("gc-1", "galaxy-command", "alice,bob", "--deadline", "30d")
        host.keep_in(self.postgres.database(port=self.line.port), 5)
        host.tp("store", "copy", "files", "postgres")

    def has(self):
        """What there is in the database: lines of journals, and files of other kinds; mails also when a daemon has sent them."""
        counts, mails = collections.Counter(), set()
        for row in self.postgres.ask("SELECT f.path, encode(string_agg(p.bytes, ''::bytea ORDER BY p.at), 'hex') FROM turnpost.file f"
                                     " LEFT JOIN turnpost.part p ON p.body = f.body WHERE f.size >= 0 GROUP BY f.path"):
            path, bytes = row.split("|")
            folder = path.split("/")[0]
            if path.endswith("/journal.jsonl"):
                # What was made is entered in a commit of its own, by the next start at the latest (src/batch/missing.h).
                counts[folder + " records"] += sum(b'"what":"made"' not in line for line in bytes_of(bytes).splitlines())
            elif folder == "spool":
                mails.add(path.split("/")[-1].removesuffix(".eml"))
            elif folder in ("tokens", "players", "games", "competitions"):
                counts[folder] += 1
        # Looked at last: what leaves the spool meanwhile is there by then.
        counts["mails"] = len(mails | {sent.name for sent in self.host.dir.glob("mail/out/*/new/*")})
        return counts

    def words(self, command):
        self.number += 1
        fill = dict(n=self.number, hour=self.number % 40 + 1, page=WORK / "page", key=Player("key%d" % self.number).public if "{key}" in "".join(map(str, command)) else "")
        if command[0].startswith("page"):  # one that has changed
            self.host.set("league", page_url="https://play.example.org/%d/" % self.number)
            self.host.tp("store", "agree")
        for first in command[2:]:
            first = first.format(**fill).split()
            if first[0] == "ENTER":
                self.host.put_mail(self.alice.mail(self.host.petition("enter", "competition: " + first[1])), first[1])
                first = ["run"]
            self.host.tp(*first)
        return command[0].format(**fill).split(), command[1] and command[1].format(**fill)

    def run(self, words, text, env=None):
        done = subprocess.run([FAULT, *words], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
                              env=dict(os.environ, TURNPOST_LEAGUE=str(self.host.dir), **env or {}))
        return done.returncode, done.stdout + done.stderr

    def undamaged(self, command):
        """What it does, and how many statements it says."""
        words, text = self.words(command)
        before = self.has()
        self.line.damage("request", 1000000)
        code, said = self.run(words, text)
        count, self.line.damages = 1000000 - self.line.left, None
        check(code == 0, "%s: exit %d: %s" % (words, code, said))
        return difference(before, self.has()), count

    def damaged(self, command, wanted, damage):
        """False: the line was whole up to the end."""
        words, text = self.words(command)
        before = self.has()
        damage(self.line)
        self.line.heals = LONG and self.cases % 2 == 1
        code, said = self.run(words, text, HURRY)
        met = self.line.met.is_set()
        self.line.wish = None
        self.line.mend()
        self.judge(words, text, before, wanted, code, said)
        return met

    def judge(self, words, text, before, wanted, code, said):
        what = "%s: exit %d\n%s" % (words, code, said)
        check(code in (0, 75), what)
        done = difference(before, self.has())
        check(done == wanted or code and records(done) in ({}, records(wanted)), "%s%s in place of %s" % (what, done, wanted))
        if code:
            number = re.search("--request ([0-9a-f]{64})", said)
            check(number, "no number: " + what)
            code, again = self.run([*words, "--request", number.group(1)], text)
            check(code == 0, "%s and again: %d, %s" % (what, code, again))
        done = difference(before, self.has())
        check(done == wanted, "%s%s in place of %s after its repetition" % (what, done, wanted))
        self.cases += 1

    def beside(self, command, wanted, skips):
        """The same, while a daemon does it, whose line breaks."""
        words, text = self.words(command)
        self.line.heals = False
        self.host.begin()
        await_holder(self.host, 20)
        before = self.has()
        self.line.lose("answer", skips)
        asked = subprocess.Popen([TURNPOST, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 env=dict(os.environ, TURNPOST_LEAGUE=str(self.host.dir)))
        asked.stdin.write(text or "")
        asked.stdin.close()
        asked.stdin = None
        check(self.line.met.wait(20), "no answer of a commit was lost")
        time.sleep(2)
        self.line.wish = None
        self.line.mend()
        said = asked.communicate(timeout=100)[0]
        if self.host.process.poll() is None:
            self.host.end()
        self.judge(words, text, before, wanted, asked.returncode, said)


def bytes_of(text):
    return bytes.fromhex(text)


def difference(before, after):
    return {kind: after[kind] - before[kind] for kind in before | after if after[kind] != before[kind]}


def records(done):
    """What else follows from them is made good when the league is opened again."""
    return {kind: count for kind, count in done.items() if "records" in kind}


def play(_):
    story = Story()
    try:
        for place, command in list(enumerate(COMMANDS))[::1 if LONG else 3]:
            wanted, count = story.undamaged(command)
            if os.environ.get("SHOW"):
                print(command[0], wanted, count, flush=True)
            for skips in range(4) if LONG else [place % 2 + 1]:
                story.damaged(command, wanted, lambda line: line.lose("answer", skips))
            for what in ("request", "answer") if LONG else []:
                at, step = (1 + place % 2, 2) if what == "answer" else (1 + place % 5, 5)
                while story.damaged(command, wanted, lambda line: line.damage(what, at)):
                    at += step
        story.host.tp("run")
        wanted, _ = story.undamaged(COMMANDS[7])
        for skips in range(3) if LONG else [1]:
            story.beside(COMMANDS[7], wanted, skips)
    finally:
        story.host.kill()
        story.postgres.stop()
    print("%d broken lines: each command was done once" % story.cases)


main(play)
