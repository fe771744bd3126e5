#!/bin/bash
# Simulations for so many hours on all cores (make night): night.sh HOURS RELEASE ASAN FOLDER. Every fourth seed runs under sanitizers, every fourth dies
# at each call of one of its rounds, every fourth is a league of three hosts. One line for each red seed, as it comes; FOLDER keeps them, and what tests/sim/shrink.py makes of the
# first of each kind. At the end it names what the judge and people look for in mails, and no mail had: a check that cannot fail.
set -u
hours=$1 release=$2 asan=$3 folder=$4
export SIM_SAYS=$folder/says
first=${SEED:-$(date +%y%m%d)0000} jobs=$(nproc)
mkdir -p "$folder"
end=$(awk -v t="$(date +%s)" -v h="$hours" 'BEGIN { printf "%d", t + h * 3600 }')
worker() {
    local seed=$(($1 + first)) program args line kind
    export TMPDIR; TMPDIR=$(mktemp -d -p "${TMPDIR:-/dev/shm}" night.XXXXXX)
    while [ "$(date +%s)" -lt "$end" ]; do
        program=$release args=(20)
        case $((seed / jobs % 4)) in
        1) program=$asan args=(8) ;;
        2) args=(6 "every=$((seed % 70 + 30))") ;;
        3) args=(3 hosts=3 minutes=60) ;;
        esac
        line=$(timeout 1800 "$program" $seed "${args[@]}" 2>/dev/null | tail -1)
        case $line in
        green*) echo "$line" >>"$folder/green.$1" ;;
        *)
            line=${line:-"RED ended without a word: $program $seed ${args[*]}"}
            echo "$line" | tee -a "$folder/red"
            kind=$(cut -d' ' -f2 <<<"$line" | tr -c 'a-z0-9\n' _)
            [ -e "$folder/$kind" ] || python3 "$(dirname "$0")/shrink.py" "$release" $seed "${args[@]}" >"$folder/$kind" 2>&1
            ;;
        esac
        rm -rf "$TMPDIR"/*
        seed=$((seed + jobs))
    done
    rm -rf "$TMPDIR"
}
for ((job = 0; job < jobs; job++)); do worker $job & done
wait
awk '{ all[substr($0, 2)] } /^\+/ { said[substr($0, 2)] }
    END { for (words in all) if (!(words in said)) printf "no mail says any more: %s\n", words }' "$folder/says"
cat "$folder"/green.* 2>/dev/null | awk '{ days += $3; for (i = 1; i < NF; i++) if ($(i + 1) == "CPU") cpu += $i }
    END { printf "%d seeds are green: %d league-days, %d CPU s\n", NR, days, cpu }'
[ ! -s "$folder/red" ]
