#!/bin/bash
# Leagues that were red once, by their shrunk command lines (tests/sim/again.txt); two runs of a seed are the same bytes; and each fault of
# tests/sim/faults.txt still has a place to be put back.
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
while read -r name file change; do
    case $name in '' | '#'*) continue ;; esac
    ! sed "$change" "$file" | cmp -s - "$file" || { echo "tests/sim/faults.txt: for $name there is nothing to change in $file"; exit 1; }
done <"$TESTS/sim/faults.txt"
echo "two runs of a seed are the same"
