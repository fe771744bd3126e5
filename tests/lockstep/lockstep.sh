#!/usr/bin/env bash
# The rules of another commit and these play the same positions: tests/lockstep/lockstep.sh COMMIT [GAMES [RULESET ...]]
# What they make of each has to be equal to the byte; else the first position that is not is shown, as both see it.
set -eu
base=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "lockstep: $1 is no commit here" >&2; exit 2; }
games=${2:-200}
shift $(($# > 2 ? 2 : $#))
work=build/lockstep
other=$work/$base
mkdir -p "$other"
[ -e "$other/Makefile" ] || git archive "$base" | tar -x -C "$other"

# Builds what rules need in that tree, and the program with it.
build()
{
    local archives="" room
    for room in rules orders chance base; do archives+=" build/release/lib$room.a"; done
    make -s -C "$1" COMMIT= $archives build/release/embed.o >/dev/null
    (cd "$1" && ${CC:-gcc} -std=c17 -O2 -D_GNU_SOURCE -Isrc $(pkg-config --cflags jansson libsodium) -o "$3" "$2" \
        $archives build/release/embed.o $(pkg-config --libs jansson libsodium) -lm -pthread)
}
here=$PWD
build "$other" "$here/tests/lockstep/positions.c" "$here/$work/before"
build . tests/lockstep/positions.c "$here/$work/after"

failed=0
pids=""
for folder in ${*:-$(cd src/rules && ls -d */ | tr -d /)}; do
    folder=${folder//-/_}
    rules=${folder//_/-}
    lines=$work/$folder.lines
    python3 tests/lockstep/lines.py "tests/golden/$folder" >"$lines"
    for side in before after; do
        "$work/$side" "$rules" "$lines" "$games" >"$work/$folder.$side" & pids+=" $!"
    done
    for pid in $pids; do wait "$pid"; done
    pids=""
    if first=$(cmp "$work/$folder.before" "$work/$folder.after" 2>&1); then
        echo "lockstep: $rules: $games games, $(grep -c ' state 0 ' "$work/$folder.after") positions, no difference"
        continue
    fi
    failed=1
    game=$(diff "$work/$folder.before" "$work/$folder.after" | sed -n 's/^[<>] \([0-9]*\)\/.*/\1/p' | head -n1)
    echo "lockstep: $rules: game $game differs ($first); see $work/$folder.before.game and $work/$folder.after.game:"
    for side in before after; do "$work/$side" "$rules" "$lines" "$games" "$game" >"$work/$folder.$side.game" || true; done
    diff "$work/$folder.before.game" "$work/$folder.after.game" | cut -c1-2000 | head -n4
done
exit $failed
