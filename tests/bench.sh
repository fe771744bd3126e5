#!/bin/bash
# Measures, and writes build/bench.json: bench.sh BUILD. Compare ratios within one run, never times of two machines.
set -eu
build=$1
turns=$("$build/tests/bench/turns" 3)
value() { sed -nE "s/^$1 //p" <<<"$turns"; }
rate=$(value turns_per_second) turn=$(value turn_microseconds) bare=$(value sodium_microseconds)
ratio=$(awk "BEGIN { printf \"%.2f\", $turn / $bare }")
printf 'turns a second on one core (proof, seals, records, receipt and report): %s (goal: 1000)\n' "$rate"
printf 'one turn %s us against %s us of bare libsodium: %s times (goal: 2.5)\n' "$turn" "$bare" "$ratio"
printf 'record bytes a turn %s, report bytes a turn %s\n' "$(value record_bytes)" "$(value report_bytes)"
cat > build/bench.json <<EOF
{"turns_per_second": {"ours": $rate, "reference": 1000, "ratio": $(awk "BEGIN { printf \"%.2f\", $rate / 1000 }"), "goal": 1, "holds": $([ "$rate" -ge 1000 ] && echo true || echo false)},
 "turn_against_libsodium": {"ours": $turn, "reference": $bare, "ratio": $ratio, "goal": 2.5, "holds": $(awk "BEGIN { print ($ratio <= 2.5) ? \"true\" : \"false\" }")}}
EOF
