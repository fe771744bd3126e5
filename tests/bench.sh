#!/bin/bash
# Measures, and writes build/bench.json: bench.sh BUILD [FIGURE...]. QUICK=1: a smaller form for trying. When all figures
# were taken in full, tests/bench/LAST.md is written from them.
# Compare ratios within one run, never times of two machines.
set -eu
build=$(realpath "$1"); shift
export TURNPOST=$build/turnpost BENCH=$build/tests/bench BENCH_JSON=$PWD/build/bench.json PYTHONDONTWRITEBYTECODE=1
TESTS=$(realpath tests); export TESTS
WORK=$(mktemp -d /tmp/turnpost-bench.XXXXXX); export WORK
chmod 755 "$WORK"
trap 'rm -rf "$WORK"' EXIT
unset TURNPOST_LEAGUE TURNPOST_KEY
code=0
python3 tests/bench/figures.py "$@" || code=$?
if [ $code -le 1 ] && [ $# = 0 ] && [ -z "${QUICK:-}" ]; then # 1: a figure falls short of its goal
    where="Commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(nproc) processors"
    python3 tests/bench/table.py "$BENCH_JSON" "$where" >"$WORK/LAST.md"
    cp "$WORK/LAST.md" tests/bench/LAST.md
fi
exit $code
