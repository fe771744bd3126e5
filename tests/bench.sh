#!/bin/bash
# Measures, and writes build/bench.json: bench.sh BUILD [FIGURE...]. QUICK=1: a smaller form for trying.
# Compare ratios within one run, never times of two machines.
set -eu
build=$(realpath "$1"); shift
export TURNPOST=$build/turnpost BENCH=$build/tests/bench BENCH_JSON=$PWD/build/bench.json PYTHONDONTWRITEBYTECODE=1
TESTS=$(realpath tests); export TESTS
WORK=$(mktemp -d /tmp/turnpost-bench.XXXXXX); export WORK
chmod 755 "$WORK"
trap 'rm -rf "$WORK"' EXIT
unset TURNPOST_LEAGUE TURNPOST_KEY
python3 tests/bench/figures.py "$@"
