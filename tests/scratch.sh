# Sourced: sets TMPDIR, where tests make their folders, to memory, where files are synced at no cost, if there is room for
# them and programs may be started from there; else, or with TMPDIR set already, it stays. A disk: TMPDIR=/var/tmp make test.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(df --output=avail -m /dev/shm | tail -1)" -ge 1024 ]; then
    probe=$(mktemp /dev/shm/turnpost-probe.XXXXXX)
    printf '#!/bin/sh\n' > "$probe"
    chmod 700 "$probe"
    ! "$probe" 2> /dev/null || export TMPDIR=/dev/shm
    rm -f "$probe"
fi
