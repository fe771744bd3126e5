#!/bin/bash
# Runs each fuzzer for some seconds on its kept seeds and what it has found before: fuzz.sh BUILD SECONDS FUZZER.c...
set -u
build=$1 seconds=$2; shift 2
bad=0
for source in "$@"; do
    name=$(basename "$source" .c)
    corpus=build/corpus/$name
    mkdir -p "$corpus" build/findings
    args=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="build/findings/$name-")
    [ -e "tests/fuzz/$name.dict" ] && args+=(-dict="tests/fuzz/$name.dict")
    if "$build/tests/fuzz/$name" "${args[@]}" "$corpus" "tests/fuzz/seeds/$name" >"build/fuzz-$name.log" 2>&1; then
        printf '  ok    %-20s %s runs\n' "$name" "$(sed -nE 's/stat::number_of_executed_units: //p' "build/fuzz-$name.log")"
    else
        printf '  FAIL  %-20s see build/fuzz-%s.log and build/findings\n' "$name" "$name"
        tail -30 "build/fuzz-$name.log"
        bad=1
    fi
done
exit $bad
