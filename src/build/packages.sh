#!/bin/bash
# Installs Debian packages that are missing and says so; elsewhere prints what is needed. packages.sh NAME...
set -eu
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    stamp=build/packages-told
    [ -e "$stamp" ] || printf 'This is not Debian or Ubuntu. Please install what these Debian packages hold:\n  %s\n' "$*"
    mkdir -p build && touch "$stamp"
    exit 0
fi
missing=()
for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "These packages are missing and will be installed: ${missing[*]}"
sudo=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "Please run as root: apt-get install ${missing[*]}"; exit 1; }
    sudo=sudo
fi
# Mail servers are wanted for tests only: keep the packages from starting services of their own.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' | $sudo tee $policy >/dev/null
    $sudo chmod 755 $policy
    trap '$sudo rm -f $policy' EXIT
fi
log=$(mktemp)
if ! { $sudo apt-get update -q && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -20 "$log"
    exit 1
fi
rm -f "$log"
