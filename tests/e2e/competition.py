"""A competition by mail alone: three players enter and confirm, two rounds are drawn, their games are played to the end, the table
comes by mail, and the final one; then the journal is audited. Its games are rated: the lists come from a journal of their own, and from a
second program."""
import datetime
import hashlib
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

BEGINS = datetime.datetime(2026, 11, 20, 8)


class Season:
    def __init__(self):
        self.league, self.day, self.mails = League(), 0, 0
        self.league.init()
        self.league.set("league", ratings="signed")
        self.players = [Player("alice"), Player("bob", "minisign"), Player("carol")]
        for player in self.players:
            self.league.add(player)

    def now(self):
        return (BEGINS + datetime.timedelta(days=self.day)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def run(self, days=0):
        """Day by day, as a league that stood still gives time back."""
        for _ in range(days):
            self.day += 1
            self.league.tp("run", "--now", self.now())
        if not days:
            self.league.tp("run", "--now", self.now())

    def says(self, player, text="\n", **how):
        """A mail to the league, and the one that comes back."""
        self.mails += 1
        self.league.put_mail(player.mail(text, **how), "mail-%d" % self.mails)
        self.run()
        mail, = self.league.new_mails(player.address)
        return mail

    def news(self, words):
        """Everybody's mails of the competition since the last call, which have these words in their subject; by name."""
        found = {}
        for player in self.players:
            for mail in self.league.new_mails(player.address):
                if mail["Subject"].startswith("[spring]") and words in mail["Subject"]:
                    found[player.name] = mail
                    verify_head(self.league, mail)
        return found


def flat(mail):
    return " ".join(text_of(mail).split())


def narrow(mails):
    for mail in mails:
        body = text_of(mail)
        check(max(map(len, body.split("\n"))) <= 72, "wider than 72 columns:\n" + body)


def enter(season):
    for player in season.players:
        mail = season.says(player, subject="enter spring", signed=False)
        mail = season.says(player, form(mail, "enter"))
        check("You are in, %s." % player.name in flat(mail) and "One step is left" in flat(mail), flat(mail))
        verify_head(season.league, mail)
        if player.name != "carol":
            mail = season.says(player, form(mail, "confirm"))
            check("You have confirmed" in flat(mail), flat(mail))
    mail = season.says(season.players[0], subject="table spring", signed=False)
    check("3 in: alice, bob, carol (not confirmed)." in flat(mail), flat(mail))


def ratings(season):
    league = season.league
    lists = json.loads(league.tp("ratings", "--json", "--at", season.now()))
    one, = lists["rulesets"]
    check(one["ruleset"] == "galaxy-command" and one["games"] == 2 and sum(row["games"] for row in one["players"]) == 4, str(lists))
    said = league.tp("audit", "--ratings", code=None)
    check(league.code == 0 and "2 results, 2 of them rated; 2 compared with the games" in said, said)
    journal = league.dir / "competitions/results/journal.jsonl"
    check(lists["head"] == hashlib.blake2b(b"turnpost/log\0" + journal.read_bytes().splitlines(True)[-1], digest_size=32).hexdigest(), "another head")
    second = subprocess.run([sys.executable, pathlib.Path(__file__).parent.parent / "verifier/results.py", "--json", "--at", season.now(), journal, league.dir / "games"], capture_output=True, text=True)
    check(second.returncode == 0, second.stdout + second.stderr)
    theirs, = json.loads(second.stdout)["rulesets"]
    check([(row["name"], row["shown"]) for row in theirs["players"]] == [(row["name"], row["shown"]) for row in one["players"]], second.stdout)
    mail = season.says(season.players[0], subject="rating", signed=False)
    check("head: " + lists["head"] in text_of(mail) and one["players"][0]["name"] in text_of(mail), text_of(mail))
    league.tp("publish", "results", "-o", str(league.dir / "results.published"))
    said = league.tp("audit", str(league.dir / "results.published"), code=None)
    check(league.code == 1 and "2 of its games are not there" in said, said)
    good = journal.read_bytes()
    said = league.tp("doctor", code=None)
    check("2 results, each can be read" in said, said)
    journal.write_bytes(good.replace(b'"rank":1', b'"rank":2', 1))
    said = league.tp("doctor", code=None) + league.tp("audit", "--ratings", code=None)
    check("no ratings are kept until competitions/results" in said and "results: broken at record" in said, said)
    journal.write_bytes(good)
    copy, again = str(WORK / "copied"), str(WORK / "again")
    league.tp("backup", copy)
    sh(TURNPOST, "restore", copy, again)
    sh(TURNPOST, "run", "--league", again, "--now", season.now())  # its log goes on, and is signed anew
    check("results: proved" in sh(TURNPOST, "audit", "--ratings", "--league", again), "the results of the backup")


def conditions(season):
    """Another one, for who has a rating and has played a game to its end: by mail, in the journal, and by two programs that look into the results."""
    league = season.league
    rows = {row["name"]: row["shown"] / 1e6 for row in json.loads(league.tp("ratings", "--json", "--at", season.now()))["rulesets"][0]["players"]}
    best, worst = max(rows, key=rows.get), min(rows, key=rows.get)
    league.tp("compete", "new", "masters", "--kind", "tables", "--ruleset", "galaxy-command", "--entries", "2d", "--round-length", "20d", "--deadline", "1d", "--cut-short",
              "--least-rating", "%.2f" % (rows[worst] + 0.02), "--least-games", "1", "--most-running", "2", "--now", season.now())
    for name, words in ((best, "You are in, %s." % best), (worst, "that of %s is %.2f now" % (worst, rows[worst]))):
        player = next(player for player in season.players if player.name == name)
        mail = season.says(player, subject="enter masters", signed=False)
        mail = season.says(player, form(mail, "enter"))
        check(words in flat(mail), flat(mail))
    path = league.dir / "competitions/masters/journal.jsonl"
    entry = json.loads(path.read_text().splitlines()[-1])
    check(entry["player"] == best and entry["found"]["games"] >= 1 and entry["found"]["running"] == 0, str(entry))
    told = json.loads(league.tp("audit", "masters", "--json").splitlines()[0])
    check(told["verdict"] == "proved" and told["word"]["figures"] == 1, str(told))
    second = lambda: subprocess.run([sys.executable, TESTS / "verifier/compete.py", "--json", path, league.dir / "games"], capture_output=True, text=True)
    check(second().returncode == 0 and json.loads(second().stdout)["counts"]["figures"] == 1, second().stdout)
    journal = league.dir / "competitions/results/journal.jsonl"
    good = journal.read_bytes()
    journal.write_bytes(b"".join(good.splitlines(True)[:-1]))
    check("the results that it names do not hold" in league.tp("audit", "masters", code=2) and second().returncode == 2, "fewer results")
    journal.write_bytes(good)


def play(servers_list):
    season = Season()
    season.league.tp("compete", "new", "spring", "--kind", "tables", "--ruleset", "galaxy-command", "--entries", "2d", "--confirm", "2d", "--rounds", "2", "--rated",
                     "--round-length", "20d", "--break", "1d", "--protest", "2d", "--deadline", "1d", "--cut-short", "--now", season.now())
    enter(season)
    season.run(3)
    asked = season.news("Confirm that you play")
    check(list(asked) == ["carol"], "reminded: %s" % list(asked))
    season.run()
    check(not season.news("Confirm"), "reminded twice")
    mail = season.says(season.players[2], form(asked["carol"], "confirm"))
    check("You have confirmed" in flat(mail), flat(mail))

    season.run(2)
    drawn = season.news("Round 1 of 2")
    check(sorted(drawn) == ["alice", "bob", "carol"], "told of round 1: %s" % sorted(drawn))
    check(sum("you have a bye" in m["Subject"] for m in drawn.values()) == 1, str([m["Subject"] for m in drawn.values()]))
    narrow(drawn.values())
    check("table 1 of round 1 of the competition spring" in "".join(flat(m) for p in season.players for m in season.league.outbox(p.address)),
          "no first report names its competition")
    loser = next(p for p in season.players if "you have a bye" not in drawn[p.name]["Subject"])
    season.league.put_mail(loser.mail(form(season.says(loser, subject="resign spring.1.1", signed=False), "resign")), "resigns")
    season.run()
    drawn = {}
    while not drawn and season.day < 60:
        season.run(1)
        drawn = season.news("Round 2 of 2")
    check(len(drawn) == 3 and all("Your round 1:" in flat(m) and "THE TABLE" in text_of(m) for m in drawn.values()), str(drawn))
    narrow(drawn.values())
    ended = {}
    while not ended and season.day < 90:
        season.run(1)
        ended = season.news("The final table")
    check(len(ended) == 3 and all("YOUR ROUNDS" in text_of(m) for m in ended.values()), str(ended))
    check(sum("won" in text_of(m).split("YOUR ROUNDS")[1] for m in ended.values()) >= 1, "nobody has won a game")
    narrow(ended.values())
    said = season.league.tp("audit", "spring", code=None)
    check(season.league.code == 0, said)
    verify_log(season.league)
    ratings(season)
    conditions(season)
    print("season of 2 rounds by mail, over on day %d" % season.day)


main(play)
