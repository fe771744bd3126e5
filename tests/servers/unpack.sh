#!/bin/bash
# Debian packages that cannot be installed beside what is installed, unpacked into a folder of files: unpack.sh PACKAGE...
# They and what they need besides are downloaded by apt-get, which installs and removes nothing here; no script of theirs is run.
# They land in build/servers/root, or in $UNPACKED. What has been unpacked once is left alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
unpacked=${UNPACKED:-build/servers/root}
mkdir -p "$unpacked"
unpacked=$(realpath "$unpacked")
command -v apt-get > /dev/null || { echo "unpack.sh: this needs apt-get, to download $*"; exit 1; }

download() ( # download PACKAGE DIR
    mkdir -p "$2/partial"
    cd "$2"
    # Debug::NoLocking, because nothing of the system is changed: anybody may do it.
    apt-get -qq install -y --download-only --no-install-recommends -o "Dir::Cache::archives=$2" -o Debug::NoLocking=1 "$1" &&
        apt-get -qq download "$1"
)

refresh() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get -qq update
}

for package in "$@"; do
    stamp=$unpacked/.unpacked-$package
    [ ! -e "$stamp" ] || continue
    echo "unpacking $package into $unpacked"
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    download "$package" "$dir" > "$dir/log" 2>&1 || { refresh && download "$package" "$dir"; } >> "$dir/log" 2>&1 || {
        tail -20 "$dir/log"
        exit 1
    }
    for deb in "$dir"/*.deb; do
        dpkg-deb -x "$deb" "$unpacked"
        basename "$deb" | sed 's/_[^_]*$//' >> "$unpacked/.packages"
    done
    rm -rf "$dir"
    chmod u-s,g-s "$unpacked"/usr/sbin/* 2> /dev/null || true # nothing here may be more than who starts it
    touch "$stamp"
done
