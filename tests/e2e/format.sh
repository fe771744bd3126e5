#!/bin/bash
# The format of a game's files: the second verifier holds against its vectors, the recorded games and the stock tools; a
# few hundred changes to games with every kind of record are found by it and by our audit (the short form of `make
# mutations`).
set -euo pipefail
build=$(dirname "$TURNPOST")
cd "$TESTS/.."
python3 tests/verifier/selftest.py | tail -1
SIZE=few python3 tests/mutations/mutations.py "$build" "$WORK" > "$WORK/mutations" || { cat "$WORK/mutations"; exit 1; }
tail -1 "$WORK/mutations"
