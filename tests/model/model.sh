#!/bin/bash
# Checks the models of this folder with SPIN, all states of each, and that it finds each mutation (a barrier left out).
# model.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1/model
mkdir -p "$work" && cd "$work"

# Prints "errors states".
check() { # MODEL [MUTATION]
    local name=$1${2:+-$2}
    rm -rf "$name" && mkdir "$name"
    (
        cd "$name"
        spin ${2:+-D"$2"} -a "$here/$1.pml" >/dev/null
        ${CC:-gcc} -O0 -DSAFETY -DNOCLAIM -w -o pan pan.c
        ./pan -m100000 >said
        grep -q 'max search depth too small' said && echo "$name: the search was cut short" >&2 && exit 1
        echo "$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' said) $(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' said)"
    )
}

failed=0
for path in "$here"/*.pml; do
    model=$(basename "$path" .pml)
    read -r errors states < <(check "$model")
    [ "$errors" = 0 ] || { echo "  FAIL  $model: $(grep -m1 'assertion' "$model/said")"; failed=1; }
    found=
    for mutation in $(grep -oE '^#ifn?def [A-Z_]+' "$path" | awk '{print $2}' | grep -v '^CRASHES$' | sort -u); do
        read -r errors _ < <(check "$model" "$mutation")
        [ "$errors" != 0 ] || { echo "  FAIL  $model: nobody notices $mutation"; failed=1; }
        found="$found $mutation"
    done
    printf '  ok    %-10s %s states; found:%s\n' "$model" "$states" "$found"
done
exit $failed
