#!/bin/bash
# The systemd units: what `systemd-analyze security` thinks of them, and that they leave the program what it needs.
set -euo pipefail
units=$TESTS/../cron
fail() { echo "FAILED: $*"; exit 1; }
option() { grep -h "^$1=" "$2" | cut -d= -f2-; }
for unit in turnpost turnpost-run; do
    for call in seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self; do
        option SystemCallFilter "$units/$unit.service" | grep -qw "$call" || fail "$unit.service does not allow $call"
    done
    option RestrictAddressFamilies "$units/$unit.service" | grep -qw AF_NETLINK || fail "$unit.service: the resolver wants netlink"
    # All that systemd does by filters of calls sets no-new-privileges in a unit with User=: the drop-in ends each.
    for name in NoNewPrivileges PrivateDevices ProtectClock ProtectHostname ProtectKernelLogs ProtectKernelModules ProtectKernelTunables \
        RestrictAddressFamilies RestrictNamespaces RestrictRealtime RestrictSUIDSGID LockPersonality MemoryDenyWriteExecute \
        SystemCallArchitectures SystemCallFilter; do
        grep -q "^$name=" "$units/$unit.service" || fail "$unit.service has no $name"
        grep -qE "^$name=(no)?$" "$units/turnpost-sendmail.conf" || fail "turnpost-sendmail.conf leaves $name"
    done
done
command -v systemd-analyze >/dev/null || { echo "not run: figures of the units, as there is no systemd-analyze"; echo "what units name is right"; exit 0; }
figure() { systemd-analyze security --no-pager --offline=true "$1" 2>/dev/null | sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\).*/\1/p'; }
for unit in turnpost turnpost-run; do
    score=$(figure "$units/$unit.service")
    [ -n "$score" ] || { echo "not run: figures of the units, which this systemd-analyze does not know"; echo "what units name is right"; exit 0; }
    awk -v n="$score" 'BEGIN {exit !(n < 2.0)}' || fail "$unit.service: exposure $score"
done
echo "exposure of the units $score"
