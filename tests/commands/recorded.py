#!/usr/bin/env python3
"""What a recorded game holds, as assignments of a shell, so that the tests of the commands that tell of it do not care which game it is.

    eval "$(tests/commands/recorded.py PROGRAM FOLDER)"

last: its last turn. turn: a turn in which a human player won a system and kept it, and of the first such event: number, seat, who, slot, system, die,
military, resistance, counted (the systems that the seat has now), rolled (the label of the die); events: how many the turn has; dice: how
many it draws. mail: the record of its orders, ordered: the line that did it; play: that of the turn. next: the play behind it, in which a robot wins the system robot_won,
and seat then_seat the system then_won."""
import json
import shlex
import subprocess
import sys

program, folder = sys.argv[1:]
records = [json.loads(line) for line in open(f"{folder}/journal.jsonl")]
plays = [record for record in records if record["type"] == "turn"]


def told(play):
    return json.loads(subprocess.check_output([program, "explain", folder, str(play["turn"]), "--json"]))


def won(story, robot):
    return [one for one in story["story"] if one["type"] == "attack_won" and one["cause"]["robot"] == robot]


def kept(story, one):
    path = next(change["path"] for change in one["changes"] if change["path"].endswith(".aligned"))
    return not any(change["path"] == path for other in story["story"] if other["number"] > one["number"] for change in other.get("changes", []))


for play, after in zip(plays, plays[1:]):
    story = told(play)
    human, robots, then = won(story, False), won(told(after), True), won(told(after), False)
    if human and kept(story, human[0]) and robots and then:
        break
else:
    sys.exit("no turn of the recorded game has what the tests tell of")
one, news = human[0], human[0]["news"]["attack_won"]
facts = {"last": plays[-1]["turn"], "turn": play["turn"], "play": play["seq"], "next": after["seq"], "mail": one["cause"]["record"], "ordered": one["cause"]["text"], "number": one["number"],
         "who": news["who"], "rolled": news["dice"][0]["label"], "events": len(story["story"]),
         "dice": sum(bool(draw.get("die")) for draw in story["draws"]), "then_seat": then[0]["news"]["attack_won"]["seat"], "then_won": then[0]["news"]["attack_won"]["system"], "robot_won": robots[0]["news"]["attack_won"]["system"],
         "counted": next(change["after"] for change in one["changes"] if change["path"].endswith(".alignments"))}
facts.update({name: news[name] for name in ("seat", "slot", "system", "die", "military", "resistance")})
print("\n".join(f"{name}={shlex.quote(str(value))}" for name, value in facts.items()))
