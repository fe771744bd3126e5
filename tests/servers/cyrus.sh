# shellcheck disable=SC2034,SC2154 # the variables are those of servers.sh
# Cyrus IMAP of Debian, unpacked (unpack.sh cyrus-imapd), as any user; part of servers.sh. It says what it has to say to syslog only.

# The passwords, for Cyrus' library that Postfix can use, too.
make_sasldb() {
    local name
    for name in orders "${users[@]}"; do
        printf '%s\\00localhost\\00userPassword\nsecret\n' "$name"
    done | LD_LIBRARY_PATH=${libraries%:} "$unpacked/usr/bin/db5.3_load" -T -t hash "$dir/sasldb2"
    chmod 644 "$dir/sasldb2"
}

start_cyrus() {
    local names="orders ${users[*]}"
    mkdir -p "$dir/cyrus/"{db,log,msg,proc,socket,lock,user,quota,ptclient,sync} "$dir/mail"
    [ -e "$dir/sasldb2" ] || make_sasldb
    for name in cyrus imapd; do fill "$home/$name.conf.in" > "$dir/$name.conf"; done
    [ "$root" = no ] || chown -R "$user:$group" "$dir/cyrus" "$dir/mail"
    : > "$dir/cyrus.log"
    chmod 666 "$dir/cyrus.log"
    unpacked_start cyrus "$unpacked/usr/lib/cyrus/bin/master" -D -C "$dir/imapd.conf" -M "$dir/cyrus.conf" -p "$dir/cyrus/master.pid"
    await "$(< "$dir/cyrus.pid")" "$IMAPS" && await "$(< "$dir/cyrus.pid")" "$LMTP"
}
