#!/bin/bash
# Installs Turnpost, with the turnpost-picture that lies beside PROGRAM: install.sh PROGRAM DESTDIR PREFIX. Units, cron files and pages name /usr/local in the source, and PREFIX
# where they are installed.
set -euo pipefail
program=$1 destdir=$2 prefix=$3
case $prefix in
/*) ;;
*) echo "install: PREFIX must begin with /, and \"$prefix\" does not" >&2; exit 1 ;;
esac
case $prefix in
*[!A-Za-z0-9/._+@,:~-]*) echo "install: units and cron files cannot name a PREFIX such as \"$prefix\": use letters, digits and / . _ + @ , : ~ -" >&2; exit 1 ;;
esac
prefix=${prefix%/}
to=$destdir$prefix
# What is ASCII and names a path is all that is replaced; no character of a PREFIX means anything to sed here.
place() {
    sed "s|/usr/local/|$prefix/|g; s|PREFIX/share|$prefix/share|g" "$1" >"$2.new"
    chmod 644 "$2.new"
    mv "$2.new" "$2"
}
install -d "$to/bin" "$to/share/man/man1" "$to/share/man/man5" "$to/share/turnpost"
install -m 755 "$program" "$to/bin/turnpost"
install -m 755 "$(dirname "$program")/turnpost-picture" "$to/bin/turnpost-picture"
for page in src/commands/man/*.[15]; do
    place "$page" "$to/share/man/man${page##*.}/$(basename "$page")"
done
install -m 644 LICENSE "$to/share/turnpost/LICENSE"
for file in cron/turnpost*; do
    place "$file" "$to/share/turnpost/$(basename "$file")"
done
# The check of a game for browsers, where it was built (make wasm): what comes from templates is in the program.
if [ -f build/wasm/rules.wasm.sha256 ]; then
    install -d "$to/share/turnpost/check"
    install -m 644 build/wasm/rules.wasm build/wasm/rules.wasm.sha256 "$to/share/turnpost/check/"
fi
# The pages, in their folders, so that their links lead somewhere; cards and recorded games, which they link to, too.
doc=$to/share/doc/turnpost
find . -name '*.md' -not -path './build/*' -not -path './.git/*' -print0 | while IFS= read -r -d '' page; do
    install -d "$doc/$(dirname "$page")"
    place "$page" "$doc/$page"
done
find templates games keys src -type f \( -path 'templates/*' -o -path 'games/*' -o -path 'keys/*' -o -name cards.json -o -path src/rooms \) -not -name '*.md' -print0 |
    while IFS= read -r -d '' file; do
        install -d "$doc/$(dirname "$file")"
        install -m 644 "$file" "$doc/$file"
    done
install -m 644 LICENSE "$doc/LICENSE"
