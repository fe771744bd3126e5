#!/bin/bash
# Runs check suites given as programs; prints one line a suite, the output of those that fail, and the sum.
set -u
export CK_VERBOSITY=normal G_SLICE=always-malloc ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
passed=0 failed=0
for program in "$@"; do
    name=${program#*/tests/}
    if out=$("$program" 2>&1); then
        checks=$(sed -nE 's/.*Checks: ([0-9]+),.*/\1/p' <<<"$out" | tail -1)
        printf '  ok    %-32s %s checks\n' "$name" "${checks:-0}"
        passed=$((passed + ${checks:-0}))
    else
        printf '  FAIL  %s\n%s\n' "$name" "$out"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
