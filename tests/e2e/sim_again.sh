#!/bin/bash
# Leagues that were red once, by their shrunk command lines (tests/sim/again.txt); and two runs of a seed are the same bytes.
set -euo pipefail
cd "$TESTS/.."
sim=$(dirname "$TURNPOST")/tests/sim/sim
export TMPDIR=$WORK
while read -r line; do
    case $line in '' | '#'*) continue ;; esac
    "$sim" $line
done <"$TESTS/sim/again.txt"
hash() { "$sim" "$@" | tee -a "$WORK/runs" | sed -E 's/.* MB; ([0-9a-f]+);.*/\1/'; }
one=$(hash 7 3 crash=1 power=1 eio=1 minutes=240) two=$(hash 7 3 crash=1 power=1 eio=1 minutes=240)
[ -n "$one" ] && [ "$one" = "$two" ] || { cat "$WORK/runs"; echo "two runs of a seed differ"; exit 1; }
echo "two runs of a seed are the same"
