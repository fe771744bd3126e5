#!/bin/bash
# rules.wasm is made again, from a copy of the sources in another folder: its bytes must be the same.
set -eu
work=$(mktemp -d -t turnpost-wasm.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir "$work/elsewhere"
cp -a Makefile src templates "$work/elsewhere/"
make -s -C "$work/elsewhere" -j2 wasm-build >/dev/null
cmp build/wasm/rules.wasm "$work/elsewhere/build/wasm/rules.wasm"
echo "two builds of rules.wasm in two folders are the same: SHA-256 $(sha256sum < build/wasm/rules.wasm | cut -d' ' -f1)"
