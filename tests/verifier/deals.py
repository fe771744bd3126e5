"""Duplicate deals: who plays outside of the ranking, and the table of their matchpoints. Written from src/journal/COMPETITIONS.md
("Duplicate deals") and src/compete/README.md ("Matchpoints"). What robots make of a deal only a program can say that plays the rules."""
from forms import *

HOUR, DAY = 3600, 86400
NOTICE = 900
WHY = ("operator", "moderator", "unproved")


def terms(record):
    """Of `create`: (length of a turn in hours, robots, the operator's own players)."""
    robots, own, clock = number(record, "field", 0, 1000), record.get("outside", []), record["clock"]
    must(record["seats"] == 1 and record["bye"] == 0 and record["adjudge"] == "tie", "a deal is played by each alone, without byes and rulings")
    must(record["ruleset"] == "galaxy-farmer", "a ruleset that draws after the deal")
    must("outside" not in record or own, '"outside" names nobody')
    must(isinstance(own, list) and all(name_good(p) for p in own) and own == sorted(set(own), key=str.encode), '"outside" is no list of names')
    length = str(clock.get("schedule"))
    hours = 0
    for amount, unit in re.findall(r"(\d+)([dhms])", length):
        hours += int(amount) * {"d": 86400, "h": 3600, "m": 60, "s": 1}[unit]
    must(re.fullmatch(r"(\d+[dhms])+", length) and hours % HOUR == 0 and 1 <= hours // HOUR <= 744, "turns of a deal last whole hours")
    return hours // HOUR, robots, set(own)


def opens(record, now):
    at = time(record, "opens")
    must(at == -(-(now + NOTICE) // HOUR) * HOUR, "the deal opens at another time")
    return at


def outside(record, players, own, director):
    """{player: why}"""
    listed = record.get("outside", [])
    must("outside" not in record or (isinstance(listed, list) and listed), '"outside" names nobody')
    out = {}
    for one in listed:
        must(isinstance(one, dict) and one.keys() == {"player", "why"} and one["player"] in players and one["why"] in WHY, "somebody is outside who does not play")
        out[one["player"]] = one["why"]
    must([one["player"] for one in listed] == sorted(out, key=str.encode), '"outside" is not in its order')
    for player in players:
        fixed = "operator" if player in own else "moderator" if player == director else None
        must(out.get(player) == fixed if fixed else out.get(player) != "operator", "`create` says otherwise who is outside")
    return out


def halves_up(num, den):
    return (2 * num + den) // (2 * den)


def table(rounds):
    """Totals in thousandths, and who is listed: of [(score or None, outside, player), ...] a round that counts."""
    totals, most = {}, max([sum(score is not None and not out for score, out, _ in results) for results in rounds], default=0)
    for results in rounds:
        ranked = [score for score, out, _ in results if score is not None and not out]
        for score, out, player in results:
            if out:
                continue
            totals.setdefault(player, 0)
            if score is None:
                continue
            m, a = sum(2 * (other < score) + (other == score) for other in ranked) - 1, len(ranked)
            totals[player] += halves_up(1000 * ((m + 1) * most - a), a)
    return totals
