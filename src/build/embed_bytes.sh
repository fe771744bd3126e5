#!/bin/bash
# The same table as embed.sh, with the bytes in C: for compilers whose assembler cannot include a file.
set -eu
export LC_ALL=C
echo '/* made by src/build/embed_bytes.sh */'
echo '#include "base/embed.h"'
n=0
for f in "$@"; do
    echo "static const unsigned char embed_${n}[] = {"
    od -An -v -tu1 -w24 "$f" | sed 's/[0-9][0-9]*/&,/g'
    echo '};'
    n=$((n + 1))
done
echo 'const struct embed embed_table[] = {'
n=0
for f in "$@"; do
    echo "    {\"${f#src/}\", embed_${n}, embed_${n} + sizeof embed_${n}},"
    n=$((n + 1))
done
echo '    {0, 0, 0}};'
