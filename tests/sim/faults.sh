#!/bin/bash
# Puts each fault of faults.txt back, alone, in a copy of this tree, and tries seeds in order until one is red: faults.sh [NAME ...]. How much
# processor time each may have: FAULT_CPU, in seconds.
set -u
cd "$(dirname "$0")/../.."
place=$(mktemp -d -p "${TMPDIR:-/dev/shm}" faults.XXXXXX)
trap 'rm -rf "$place"' EXIT
cp -a Makefile src templates games keys tests "$place" && mkdir "$place/build" && cp -a build/release build/tools "$place/build" && cd "$place" || exit 2
export TMPDIR=$place/run
mkdir "$TMPDIR"
missed=0
spent() { awk '{ print int(($16 + $17) / 100) }' "/proc/$$/stat"; } # by processes that have ended
grep -v '^#' tests/sim/faults.txt >list
while read -r name file change; do
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    cp -p "$file" kept
    sed -i "$change" "$file"
    cmp -s "$file" kept && { echo "$name: $file has nothing to change"; missed=1; continue; }
    line=""
    if make -s sim-program >log 2>&1; then
        seed=600 cpu=0 began=$(spent)
        while [ "${line::3}" != RED ] && [ "$cpu" -lt "${FAULT_CPU:-600}" ]; do
            # Every second league dies at each call of one round.
            args=(10 minutes=240 site=0)
            [ $((seed % 2)) = 1 ] || args=(3 minutes=240 site=0 power=1 "every=$((seed % 9 + 6))")
            line=$(timeout 400 build/release/tests/sim/sim $seed "${args[@]}" 2>/dev/null </dev/null | tail -1)
            rm -rf "${TMPDIR:?}"/*
            cpu=$(($(spent) - began))
            seed=$((seed + 1))
        done
        [ "${line::3}" = RED ] || missed=1
        echo "$name: $([ "${line::3}" = RED ] && echo found || echo "not found") in $((seed - 600)) seeds, $cpu CPU s: ${line::260}"
    else
        echo "$name: does not compile: $(grep -m1 error log)"
        missed=1
    fi
    rm -rf "${TMPDIR:?}"/*
    cp -p kept "$file"
    touch "$file"
done <list
exit $missed
