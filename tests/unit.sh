#!/bin/bash
# Runs check suites, one more at a time than there are cores, because some wait for clocks; prints one line a suite, the output of
# those that fail, and the sum. A suite is a program, or PROGRAM:SUITE, one of those in low_suites or house_suites.
set -u
export CK_VERBOSITY=normal G_SLICE=always-malloc ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
if [ "${1:-}" = --one ]; then
    suite=(${2/:/ })
    name=${2#*/tests/}; name=${name#*:}
    began=$SECONDS
    if out=$("${suite[@]}" 2>&1); then
        checks=$(sed -nE 's/.*Checks: ([0-9]+),.*/\1/p' <<<"$out" | tail -1)
        printf '  ok    %-32s %s checks%s\n' "$name" "${checks:-0}" "$([ $((SECONDS - began)) -lt 5 ] || echo ", $((SECONDS - began)) s")"
        grep '^not run: ' <<<"$out" | sed "s|^|        $name, |"
    else
        printf '  FAIL  %s\n%s\n' "$name" "$out"
    fi
    exit 0
fi
. "$(dirname "$0")/scratch.sh"
log=$(mktemp)
printf '%s\n' "$@" | xargs -P $(($(nproc) + 1)) -n 1 bash "$0" --one | tee "$log"
passed=$(sed -nE 's/^  ok .* ([0-9]+) checks.*/\1/p' "$log" | paste -sd+ - | sed 's/^$/0/')
failed=$(grep -c '^  FAIL' "$log")
rm -f "$log"
passed=$((passed))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
