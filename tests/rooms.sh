#!/bin/bash
# Which room may include which (src/README.md). Fails on every include that goes against the flow.
set -u
cd "$(dirname "$0")/.."
declare -A may=(
    [base]="base"
    [trust]="base trust"
    [chance]="base chance"
    [journal]="base journal"
    [orders]="base orders"
    [mail]="base mail"
    [rules]="base chance orders rules"
    [report]="base report"
    [engine]="base mail orders trust chance journal rules report engine"
    [commands]="base mail orders trust chance journal rules report engine commands"
)
bad=0
for room in "${!may[@]}"; do
    while IFS=: read -r file line include; do
        to=$(sed -E 's/.*"([a-z_]+)\/.*/\1/' <<<"$include")
        case " ${may[$room]} " in
        *" $to "*) ;;
        *) echo "$file:$line: $room may not include $include"; bad=1 ;;
        esac
        # The engine works on mails, never on connections: sources and sinks are opened by league.c alone.
        case "$room $to $include" in
        *'engine mail '*imap*|*'engine mail '*smtp*) echo "$file:$line: engine may not include $include"; bad=1 ;;
        esac
    done < <(grep -rnE '^#include "[a-z_]+/' "src/$room" | sed -E 's/#include //')
done
[ $bad = 0 ] && echo "rooms: every include goes with the flow"
exit $bad
