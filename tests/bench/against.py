#!/usr/bin/env python3
"""What a turn costs, against another build: against.py OLD NEW [ROUNDS]. Both are files build/release/tests/bench/turns, which run in turn; prints
for each ruleset both times (us of a processor, median), their ratio, and the bytes of a report. LD_LIBRARY_PATH, if OLD needs it, is for both."""
import statistics
import subprocess
import sys

GAMES = {"galaxy-command": (3, 1), "galactic-supremacy": (2, 2), "galactic-contract": (2, 2), "galaxy-farmer": (1, 1)}


def run(program, game, seats, players):
    said = subprocess.run([program, game, str(seats), str(players), "1"], check=True, stdout=subprocess.PIPE).stdout.decode()
    return {name: float(value) for name, value in (line.split() for line in said.splitlines())}


def main(old, new, rounds="5"):
    for game, (seats, players) in GAMES.items():
        pairs = [(run(old, game, seats, players), run(new, game, seats, players)) for _ in range(int(rounds))]
        before, after = (statistics.median(pair[i]["turn_microseconds"] for pair in pairs) for i in (0, 1))
        ratio = statistics.median(b["turn_microseconds"] / a["turn_microseconds"] for a, b in pairs)
        print("%-20s %6.0f us %6.0f us, ratio %.3f; a report %.0f and %.0f bytes" % (
            game, before, after, ratio, pairs[0][0]["report_bytes"], pairs[0][1]["report_bytes"]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
