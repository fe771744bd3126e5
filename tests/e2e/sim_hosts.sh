#!/bin/bash
# Three hosts share a league while everything between them goes wrong (tests/sim/README.md, "Hosts"): a few seconds of what `make night` does for hours.
set -euo pipefail
cd "$TESTS/.."
all="cuts=1 slow=1 again=1 warns=1 away=1 restarts=1 stands=1 dies=1 moves=1 clocks=1"
TMPDIR=$WORK "$(dirname "$TURNPOST")/tests/sim/sim" 1 1 hosts=3 minutes=60 people=3 games=2 $all
