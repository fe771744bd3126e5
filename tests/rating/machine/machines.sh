#!/bin/bash
# The same ratings from every compiler, optimised or not, with sanitizers, by 64-bit arithmetic alone, and on a 32-bit
# machine where one can be built for (FLAGS32: more flags for that): each build prints the list of random.h, and each list
# is tests/golden/rating/random.txt.
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
golden=tests/golden/rating/random.txt
sources=(tests/rating/machine/print.c src/rating/*.c src/base/mem.c)
flags=(-std=c17 -D_GNU_SOURCE -Isrc -Itests/rating/machine)
same=0

build() { # build COMPILER FLAG...
    "$1" "${flags[@]}" "${@:2}" -o "$folder/print" "${sources[@]}"
}

check() { # check COMPILER FLAG...
    build "$@"
    "$folder/print" > "$folder/list"
    cmp "$folder/list" "$golden" || { echo "ratings: $* gives another list than $golden" >&2; exit 1; }
    same=$((same + 1))
}

for compiler in gcc clang; do
    command -v "$compiler" > /dev/null || { echo "ratings: no $compiler here"; continue; }
    for level in -O0 -O2 "-O3 -march=native" "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"; do
        # shellcheck disable=SC2086 # several flags
        check "$compiler" $level
    done
    check "$compiler" -O2 -DRATING_NARROW
    # shellcheck disable=SC2086
    if build "$compiler" -m32 ${FLAGS32-} 2> /dev/null; then
        for level in -O0 -O2; do
            # shellcheck disable=SC2086
            check "$compiler" -m32 $level ${FLAGS32-}
        done
    else
        echo "ratings: $compiler does not build for 32 bits here (gcc-multilib)"
    fi
done
echo "ratings: $same builds give the same list"
