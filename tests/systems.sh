#!/bin/bash
# A newcomer's commands on each Debian, from nothing but its smallest root: systems.sh FOLDER CODENAME... What is in FOLDER stays, so
# that the next run is quick. The sources are no checkout of git, there is no sudo, and blanks are in their path: below /root, or
# for what an ordinary user runs, below /home.
set -u
commands=(demo test fuzz clang)
declare -A command=([demo]='make demo' [test]='make test' [fuzz]='make fuzz FUZZ_SECONDS=10' [clang]='make CC=clang && make CC=clang demo')
declare -A user=([demo]=root [test]=root [fuzz]=root [clang]=player)
declare -A home=([root]='/root/turn post' [player]='/home/player/turn post')
declare -A table
[ "$(id -u)" = 0 ] || { echo "make systems makes roots of other systems, which only root can do: run it with sudo." >&2; exit 1; }
bash src/build/packages.sh debootstrap || exit 1
# As the first process of its own namespaces: mounts and processes end with this one, however it ends.
[ $$ = 1 ] || exec unshare --mount --pid --fork --kill-child bash "$0" "$@"
folder=$(realpath -m "$1"); shift
mkdir -p "$folder" || exit 1
exec 9> "$folder/lock"
flock -n 9 || { echo "make systems is at work in $folder already." >&2; exit 1; }
rm -f "$folder"/*.log
trap 'echo; exit 130' INT TERM

# inside USER FOLDER COMMAND: in $root, without what our own environment says.
inside() {
    env -i ${E2E_SECONDS:+"E2E_SECONDS=$E2E_SECONDS"} PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="${2%/*}" \
        chroot --userspec="$1" "$root" bash -c "cd \"\$0\" && $3" "$2"
}

# told WHAT LOG COMMAND...: runs it; on a terminal with the end of its log.
told() {
    local what=$1 log=$2 code began=$SECONDS
    shift 2
    "$@" > "$log" 2>&1 < /dev/null &
    while [ -t 1 ] && kill -0 $! 2> /dev/null; do
        printf '\r\033[K%s, %d s: %.50s' "$what" $((SECONDS - began)) "$(tail -c 1000 "$log" | tr -d '\r' | tail -1)"
        sleep 1
    done
    wait $!
    code=$?
    [ ! -t 1 ] || printf '\r\033[K'
    if [ $code = 0 ]; then
        echo "$what: ok, $((SECONDS - began)) s"
    else
        printf '%s: FAILED, see %s\n' "$what" "$log"
        tail -20 "$log" | sed 's/^/    /'
    fi
    return $code
}

# The smallest root, and an ordinary user in it. A root that was not finished, or in which packages were not, is made again.
make_root() {
    if [ ! -e "$root/home/player" ] || [ -n "$(chroot "$root" dpkg --audit)" ]; then
        rm -rf --one-file-system "$root"
        debootstrap --variant=minbase "$system" "$root" ${MIRROR:+"$MIRROR"} || return 1
        echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/no-sync" # a root that can be made again
        [ -s "$root/etc/hosts" ] || echo '127.0.0.1 localhost' > "$root/etc/hosts"
        inside root / 'apt-get install -y -q --no-install-recommends make && useradd --create-home player' || return 1
    fi
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

mount_in_root() {
    mount -t proc proc "$root/proc" && mount --bind /sys "$root/sys" && mount --bind /dev "$root/dev" &&
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
}

# The sources as they are; what was built there before stays.
copy_sources() {
    for name in root player; do
        mkdir -p "$root${home[$name]}" &&
            find "$root${home[$name]}" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} + &&
            tar -c --exclude=./build --exclude=./.git . | tar -x -C "$root${home[$name]}" &&
            inside root "${home[$name]}" "chown -R $name: ." || return 1
    done
}

bad=0
for system in "$@"; do
    root=$folder/$system
    if told "$system: a root" "$folder/$system.log" make_root && mount_in_root && copy_sources; then
        for name in "${commands[@]}"; do
            log=$folder/$system-$name.log
            began=$SECONDS
            if told "$system: ${command[$name]}" "$log" inside "${user[$name]}" "${home[${user[$name]}]}" "${command[$name]}"; then
                table[$system $name]="ok, $((SECONDS - began)) s"
            else
                table[$system $name]=FAILED bad=1
            fi
        done
    else
        for name in "${commands[@]}"; do table[$system $name]='not run'; done
        bad=1
    fi
done

printf '\n%-12s' ''
printf '%-12s' "${commands[@]}"
for system in "$@"; do
    printf '\n%-12s' "$system"
    for name in "${commands[@]}"; do printf '%-12s' "${table[$system $name]}"; done
done
printf '\n'
for system in "$@"; do
    for name in "${commands[@]}"; do
        sed -nE "s/^  not run +/$system, ${command[$name]}: not run: /p; s/^ +(\S+), not run: /$system, ${command[$name]}: not run: \1, /p" "$folder/$system-$name.log" 2> /dev/null
    done
done
exit $bad
