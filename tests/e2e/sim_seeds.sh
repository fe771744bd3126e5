#!/bin/bash
# Whole leagues from numbers that nobody has tried before (tests/sim): those that follow from the commit, for ten seconds of a processor.
# A red line says how to run it again.
set -euo pipefail
cd "$TESTS/.."
seed=$((16#$(git rev-parse --short=7 HEAD 2>/dev/null || echo 1))) seeds=0
cpu() { awk '{ print int(($16 + $17) / 100) }' "/proc/$$/stat"; } # of the processes that have ended
while [ "$(cpu)" -lt "${SIM_CPU:-10}" ]; do
    TMPDIR=$WORK timeout 100 "$(dirname "$TURNPOST")/tests/sim/sim" $((seed + seeds)) 6 minutes=240 || { [ $? = 124 ] && echo "seed $((seed + seeds)) takes too long"; exit 1; }
    seeds=$((seeds + 1))
done
echo "$seeds leagues from seed $seed on"
