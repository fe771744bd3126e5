#!/bin/bash
# Writes the C source of the embedded files (src/base/embed.h): embed.sh FILE...
set -eu
export LC_ALL=C
echo '/* made by src/build/embed.sh */'
echo '#include "base/embed.h"'
n=0
for f in "$@"; do
    echo "__asm__(\".section .rodata\\nembed_${n}_from: .incbin \\\"$f\\\"\\nembed_${n}_to: .byte 0\\n.previous\\n\");"
    echo "extern const unsigned char embed_${n}_from[], embed_${n}_to[];"
    n=$((n + 1))
done
echo 'const struct embed embed_table[] = {'
n=0
for f in "$@"; do
    echo "    {\"${f#src/}\", embed_${n}_from, embed_${n}_to},"
    n=$((n + 1))
done
echo '    {0, 0, 0}};'
