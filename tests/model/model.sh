#!/bin/bash
# Checks the models of this folder with SPIN, all states of each, and that it finds each mutation (a barrier left out).
# model.sh BUILD [alone]; alone: without mutations
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# Leaves "errors states" in the file `found` of the folder MODEL or MODEL-MUTATION.
if [ "$1" = --one ]; then
    mutation=${2#*-}
    [ "$mutation" != "$2" ] || mutation=
    rm -rf "$2" && mkdir "$2" && cd "$2"
    spin ${mutation:+-D"$mutation"} -a "$here/${2%%-*}.pml" >/dev/null
    ${CC:-$(command -v clang || echo gcc)} -O0 -DSAFETY -DNOCLAIM -w -o pan pan.c
    ./pan -m100000 >said
    grep -q 'max search depth too small' said && echo "$2: the search was cut short" >&2 && exit 1
    echo "$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' said) $(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' said)" >found
    exit 0
fi

alone=${2:-}
mutations() { [ -n "$alone" ] || all_mutations "$1"; }
all_mutations() { grep -oE '^#ifn?def [A-Z_]+' "$1" | awk '{print $2}' | grep -v '^CRASHES$' | sort -u; }

work=$1/model
mkdir -p "$work" && cd "$work"
for path in "$here"/*.pml; do
    model=$(basename "$path" .pml)
    echo "$model"
    for mutation in $(mutations "$path"); do echo "$model-$mutation"; done
done | xargs -P "$(nproc)" -n 1 bash "$here/model.sh" --one

failed=0
for path in "$here"/*.pml; do
    model=$(basename "$path" .pml)
    read -r errors states <"$model/found"
    [ "$errors" = 0 ] || { echo "  FAIL  $model: $(grep -m1 'assertion' "$model/said")"; failed=1; }
    found=
    for mutation in $(mutations "$path"); do
        read -r errors _ <"$model-$mutation/found"
        [ "$errors" != 0 ] || { echo "  FAIL  $model: nobody notices $mutation"; failed=1; }
        found="$found $mutation"
    done
    printf '  ok    %-10s %s states%s\n' "$model" "$states" "${found:+; found:$found}"
done
exit $failed
