"""A week of a duplicate deal by mail: five people sign up, two of them play outside of the ranking, one resigns. Everybody is dealt the same, nobody sees
how others play before it is over, and the process is killed as the deal is drawn and as it is closed. The audit, which lets the robots play again, and
a second program, which computes the table again, agree with the league, in its folder and on what is published."""
import datetime
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *

BEGIN = datetime.datetime(2026, 11, 20, 8)
NAMES = ("alice", "bob", "carol", "dave", "erin")
FIELD, HOURS = 12, 7


def at(hours):
    return (BEGIN + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def flat(mail):
    return " ".join(text_of(mail).split())


def verifier(path, games):
    done = subprocess.run([sys.executable, TESTS / "verifier/compete.py", "--json", path, games], stdout=subprocess.PIPE)
    return done.returncode, json.loads(done.stdout)


class Week:
    def __init__(self):
        self.league, self.players, self.mails = League(), {name: Player(name) for name in NAMES}, 0
        self.league.init()
        self.league.set("league", moderators="erin")
        for player in self.players.values():
            self.league.add(player)

    def put(self, who, text, **how):
        self.mails += 1
        self.league.put_mail(self.players[who].mail(text, **how), "%s-%d" % (who, self.mails))

    def run(self, hours, kill=None):
        if kill:
            self.league.tp("run", "--now", at(hours), binary=FAULT, code=-9, env={"TURNPOST_FAULT": "kill:%d" % kill})
        self.league.tp("run", "--now", at(hours))

    def news(self, who, words):
        """Their mails since the last call that have these words in the subject."""
        mails = [mail for mail in self.league.new_mails(self.players[who].address) if words in mail["Subject"]]
        for mail in mails:
            check(max(map(len, text_of(mail).split("\n"))) <= 72, "wider than 72 columns:\n" + text_of(mail))
        return mails

    def records(self):
        return [json.loads(line) for line in (self.league.dir / "competitions/week/journal.jsonl").read_bytes().splitlines()]


def sign_up(week):
    week.league.tp("compete", "new", "week", "--kind", "duplicate", "--ruleset", "galaxy-command", code=None)
    check(week.league.code != 0, "a duplicate deal of a game with dice")
    week.league.tp("compete", "new", "week", "--kind", "duplicate", "--ruleset", "galaxy-farmer", "--entries", "1d", "--rounds", "1", "--round-length", "7d", "--deadline", "%dh" % HOURS,
                   "--protest", "1d", "--field", FIELD, "--outside", "dave", "--now", at(0))
    for name in NAMES:
        week.put(name, week.league.petition("enter", "competition: week"))
    week.run(1)
    check([record["type"] for record in week.records()] == ["create"] + ["enter"] * 5, "%s" % week.records())


def deal(week):
    """Drawn at 48 h, opened an hour later."""
    week.run(25)
    week.run(48, kill=40)
    drawn, made = week.records()[-2:]
    check((drawn["type"], drawn["opens"]) == ("round", at(49)) and [one["why"] for one in drawn["outside"]] == ["operator", "moderator"], "%s" % drawn)
    check(len({game["pi"] for game in made["games"]}) == 1 and len(made["games"]) == 5, "not one deal for all: %s" % made)
    week.games = {game["players"][0]: game["game"] for game in made["games"]}
    for name in NAMES:
        mail, = week.news(name, "the deal opens")
        check("the same for all" in flat(mail) and ("outside of the ranking" in flat(mail)) == (name in ("dave", "erin")), flat(mail))
    week.run(49)
    dealt = {next(r["state"] for r in week.league.records(game) if r["type"] == "start") for game in week.games.values()}
    check(len(dealt) == 1, "several deals: %s" % dealt)
    for name, lines in (("alice", ["auto"]), ("bob", ["pick all", "move verdane", "drop 1"])):
        week.put(name, week.league.orders(week.games[name], 1, lines))
    week.put("carol", week.league.petition("resign", game=week.games["carol"]))
    week.run(50)
    for name in NAMES:
        week.news(name, "")
    week.put("bob", "\n", subject="status " + week.games["alice"], signed=False)
    week.run(51)
    mail = week.news("bob", "")[-1]
    check("Glitta" not in text_of(mail), "somebody else's table is shown: " + text_of(mail))
    for turn in range(1, 23):
        week.run(49 + HOURS * turn)
    check({r["type"] for r in week.records()[8:]} == set(), "something is told before it is over: %s" % week.records()[8:])


def close(week):
    over = 49 + 7 * 24
    week.run(over, kill=60)
    kinds = [record["type"] for record in week.records()[8:]]
    check(kinds == ["result"] * 5 + ["field"], "%s" % kinds)
    week.field = week.records()[-1]["scores"]
    scores = {name: next(r for r in week.records() if r["type"] == "result" and "%s.%d.%d" % ("week", r["round"], r["table"]) == game) for name, game in week.games.items()}
    check(scores["carol"].get("left") == [1] and "left" not in scores["alice"] and len(week.field) == FIELD, "%s" % scores)
    points = {name: result["points"][0] for name, result in scores.items()}
    told = {}
    for name in NAMES:
        mails = week.news(name, "the results of the deal")
        check(len({mail["Message-ID"] for mail in mails}) == 1, "told %d times" % len(mails))
        told[name] = text_of(mails[0])
        verify_head(week.league, mails[0])
    better = 100 * sum(2 * (score < points["alice"]) + (score == points["alice"]) for score in week.field) / (2 * FIELD)
    check("%.2f %% among the robots" % better in " ".join(told["alice"].split()), told["alice"])
    check("dave *" in told["alice"] and "outside of the ranking" in " ".join(told["dave"].split()) and "no result, as you had left" in " ".join(told["carol"].split()), told["carol"])
    want = {"alice": 2 * (points["alice"] > points["bob"]) + (points["alice"] == points["bob"])}
    want["bob"] = 2 - want["alice"]
    week.run(over + 24)
    best = {row["name"]: row["points"] for row in week.records()[-1]["best"]}
    check(best == {"alice": 1000 * want["alice"], "bob": 1000 * want["bob"], "carol": 0}, "%s, by %s" % (best, points))
    week.put("alice", "\n", subject="table week", signed=False)
    week.run(over + 25)
    table = text_of(week.news("alice", "Re: table week")[-1])
    check("matchpoints" in table and " ".join(("week.1." + week.games["dave"][-1], str(points["dave"]))) in " ".join(table.split()), table)
    shown = week.league.tp("compete", "show", "week", "--now", at(over + 25))
    check("outside of the ranking: moderator" in shown and "Share" in shown, shown)


def audit(week):
    league, journal = week.league, week.league.dir / "competitions/week/journal.jsonl"
    verify_log(league)
    told = league.tp("audit", "week", "--json")
    mine = next(json.loads(line) for line in told.splitlines() if '"competition":"week"' in line and '"checked"' in line and '"tables"' in line)
    check(mine["checked"]["fields"] == 1 and mine["word"]["outside"] == 2 and mine["word"]["uneven"] == 0, "the audit counts otherwise: %s" % mine)
    code, second = verifier(journal, league.dir / "games")
    check(code == 0 and [row["name"] for row in second["table"]][:1] == [week.records()[-1]["best"][0]["name"]], "%s" % second)
    world = WORK / "world"
    league.tp("publish", "week", "-o", world)
    said = league.tp("audit", world, "--verbose", code=None)
    check("Played again: the robots of 1 deal." in said, said)
    check(verifier(world / "journal.jsonl", world / "games")[0] == 0, "the published competition")


def play(_):
    week = Week()
    sign_up(week)
    deal(week)
    close(week)
    audit(week)
    print("a deal for %d people and %d robots, of %d records" % (len(NAMES), FIELD, len(week.records())))


main(play)
