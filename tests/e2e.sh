#!/bin/bash
# Runs end to end tests against the program in a build folder, two more at a time than there are cores, because many wait for
# clocks: e2e.sh BUILD TEST... Suites (tests/unit.sh) may be among them, and have the processors meanwhile.
# With STORE=postgres the leagues of most tests are kept in PostgreSQL (tests/e2e/lib/league.py), in a server for all of them.
# Each test is a script that gets TURNPOST, TURNPOST_FAULT_BINARY and WORK (an empty folder) and fails by its exit code; 77: what it
# needs is not there. What it has left out it says in lines "not run: WHAT".
set -u
if [ "${1:-}" = --one ]; then
    test=$2
    case $test in *.py | *.sh) ;; *) exec bash "$TESTS/unit.sh" --one "$test" ;; esac
    name=$(basename "$test"); name=${name%.*}
    case $test in *.py) shell=python3 ;; *) shell=bash ;; esac
    WORK=$(mktemp -d -t turnpost-e2e.XXXXXX); export WORK
    chmod 755 "$WORK"
    began=$SECONDS TIMEFORMAT='%U %S'
    { time timeout "${E2E_SECONDS:-300}" $shell "$test" >"$WORK/log" 2>&1; } 2>"$WORK/time"
    case $? in
    0)
        cpu=$(awk '{ printf "%.0f", $1 + $2 }' "$WORK/time") # of its own processes; daemons that it starts are not counted
        printf '  ok    %-22s %3d s, %3d s of a processor   %s\n' "$name" $((SECONDS - began)) "$cpu" "$(tail -1 "$WORK/log")"
        grep '^not run: ' "$WORK/log" | sed "s/^/        $name, /"
        [ -z "${LONG:-}" ] || cat "$WORK/log"
        rm -rf "$WORK"
        ;;
    77)
        printf '  not run  %-19s %s\n' "$name" "$(sed -n '$s/^not run: //p' "$WORK/log")"
        rm -rf "$WORK"
        ;;
    *) printf '  FAIL  %-28s (kept: %s)\n%s\n' "$name" "$WORK" "$(tail -40 "$WORK/log")" ;;
    esac
    exit 0
fi
build=$(realpath "$1"); shift
export TURNPOST=$build/turnpost TURNPOST_FAULT_BINARY=$build/turnpost-fault
export TESTS=$(realpath "$(dirname "$0")")
export PYTHONDONTWRITEBYTECODE=1
unset TURNPOST_LEAGUE TURNPOST_KEY TURNPOST_FAULT
. "$TESTS/scratch.sh"
log=$(mktemp)
case ${STORE:-files} in files | postgres) ;; *) echo "STORE is files or postgres, not $STORE" >&2; exit 1 ;; esac
if [ "${STORE:-files}" = postgres ]; then
    store=$(mktemp -d -t turnpost-store.XXXXXX)
    trap 'python3 "$TESTS/servers/postgres.py" stop "$store"; rm -rf "$store"' EXIT
    chmod 755 "$store"
    python3 "$TESTS/servers/postgres.py" start "$store" || exit 1
    STORE_DATABASE="host=$store port=$(<"$store/port") user=turnpost dbname=league"; export STORE_DATABASE
fi
# After each test some suites, so that there are some to the end.
mixed() {
    printf '%s\n' "$@" | awk '/\.(py|sh)$/ { test[++n] = $0; next } { suite[++m] = $0 }
        END { for (i = j = 1; i <= n || j <= m;) { if (i <= n) print test[i++]; for (k = 0; k * n < m && j <= m; k++) print suite[j++] } }'
}
mixed "$@" | xargs -P "$([ -n "${LONG:-}" ] && echo 1 || echo $(($(nproc) + 2)))" -n 1 bash "$0" --one | tee "$log"
passed=$(grep -c '^  ok' "$log") failed=$(grep -c '^  FAIL' "$log") left=$(grep -c '^  not run' "$log")
checks=$(sed -nE 's/^  ok .* ([0-9]+) checks.*/\1/p' "$log" | paste -sd+ -)
rm -f "$log"
[ "$left" = 0 ] || left_out=", $left not run"
echo "$passed passed, $failed failed${left_out:-}${checks:+ ($((checks)) checks of suites)}"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
