#!/bin/bash
# The short form of `make bench`: its programs run, and what does not depend on the machine's mood holds: a batch of
# many games syncs as often as one of one game, turn 200 costs about what turn 2 does.
set -euo pipefail
bench=$(dirname "$TURNPOST")/tests/bench
cd "$WORK"
fail() { echo "$*"; exit 1; }
value() { awk -v name="$1" '$1 == name { print $2 }'; }
holds() { awk "BEGIN { exit !($1) }" || fail "does not hold: $1"; }
new_league() { # new_league NAME PLAYERS
    "$TURNPOST" init "$1" --name Bench --address orders@game.test > /dev/null
    "$bench/league" players "$1" "$2"
}

for game in "galaxy-command 3 1" "galactic-supremacy 2 2" "galactic-contract 2 2" "galaxy-farmer 1 1"; do
    # shellcheck disable=SC2086 # three arguments
    "$bench/turns" $game 0.05 > out
    holds "$(value turns_per_second < out) > 20"
done

for count in 1 100; do
    new_league batch$count 20
    "$bench/league" games batch$count galaxy-command 0 $count 3
    "$bench/league" clock batch$count > out$count
    holds "$(value turns < out$count) == $count && $(value mails < out$count) == 3 * $count"
done
one=$(value syncs < out1) many=$(value syncs < out100)
holds "$many == $one"

new_league history 2
"$bench/history" turns history galactic-supremacy 2 200 > out
late=$(value late < out) early=$(value early < out)
holds "$late < 2 * $early"

"$bench/history" verify 500 > out
holds "$(value ours < out) > 0.3 * $(value bare < out)"
(cd "$TESTS/.." && bash tests/bench.sh "$(dirname "$TURNPOST")" mails) > out && fail "a figure that is none"
grep -q '^FAILED: there is no figure mails; there are: mail ' out || fail "a figure that is none: $(cat out)"
echo "$many syncs for 100 due games as for one; turn 200 costs $(awk "BEGIN { printf \"%.2f\", $late / $early }") of turn 2"
