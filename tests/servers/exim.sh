# shellcheck disable=SC2034,SC2154 # the variables are those of servers.sh
# Exim of Debian, unpacked (unpack.sh exim4-daemon-light libnss-wrapper), as any user; part of servers.sh.

start_exim() {
    local names="orders:bounce" name preload uid gid
    for name in "${users[@]}"; do names+=":$name"; done
    mkdir -p "$dir/exim/spool" "$dir/exim/log"
    fill "$home/exim.conf.in" > "$dir/exim.conf"
    # It looks for its user and group by name; here they are whoever runs it.
    uid=$(id -u "$user") gid=$(id -g "$user")
    { getent passwd root "$user"; echo "Debian-exim:x:$uid:$gid::/:/bin/false"; } > "$dir/exim/passwd"
    { getent group root "$group" mail; echo "Debian-exim:x:$gid:"; } > "$dir/exim/group"
    [ "$root" = no ] || chown -R "$user:$group" "$dir/exim"
    : > "$dir/exim.log"
    chmod 666 "$dir/exim.log"
    preload=$(echo "$unpacked"/usr/lib/*/libnss_wrapper.so)
    unpacked_start exim env "LD_PRELOAD=$preload" "NSS_WRAPPER_PASSWD=$dir/exim/passwd" "NSS_WRAPPER_GROUP=$dir/exim/group" \
        "$unpacked/usr/sbin/exim4" -C "$dir/exim.conf" -bdf -q1s
    await "$(< "$dir/exim.pid")" "$SUBMISSION"
}
