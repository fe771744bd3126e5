# shellcheck disable=SC2034,SC2154 # the variables are those of servers.sh
# OpenSMTPD of Debian, unpacked (unpack.sh opensmtpd); part of servers.sh. Its places and users are compiled in, so root starts it in a
# mount namespace where they are ours, and in a process namespace that ends with its first process.

# opensmtpd/enter prepares that namespace, opensmtpd/sendmail is the command of hosts that have it: it needs a group of theirs.
make_commands() { # make_commands DIR
    cat > "$1/enter" << END
set -e
mount --make-rprivate /
mount --bind "$1/lib" /var/lib
mount --bind "$1/spool" /var/spool
mount --bind "$1/passwd" /etc/passwd
mount --bind "$1/group" /etc/group
mount --bind "$unpacked/usr/libexec" /usr/libexec
mount --bind "$1/run" /run
exec "$unpacked/usr/sbin/smtpd" -d -f "$dir/smtpd.conf"
END
    cat > "$1/sendmail" << END
#!/bin/sh
inside=\$(pgrep -P "\$(cat "$dir/opensmtpd.pid")") || exit 75
exec nsenter --mount --target "\$inside" setpriv --regid=64002 --clear-groups "$unpacked/usr/sbin/sendmail" "\$@"
END
    chmod 755 "$1/sendmail"
}

start_opensmtpd() {
    local p=$dir/opensmtpd name drop=()
    mkdir -p "$p/lib/opensmtpd/empty" "$p/spool/smtpd" "$p/run"
    chmod 711 "$p/spool/smtpd"
    {
        getent passwd root "$user"
        printf '%s:x:%d:64002::/var/lib/opensmtpd/empty:/bin/false\n' opensmtpd 64001 opensmtpq 64002
    } > "$p/passwd"
    { getent group root "$group" && echo opensmtpq:x:64002:; } > "$p/group"
    # orders+tag stays as it is, anything else @game.test goes to orders.
    printf '%s\n' "orders@game.test $user" "@game.test orders@game.test" "bounce@players.test $user" > "$p/mailboxes"
    printf "%s@players.test $user\n" "${users[@]}" >> "$p/mailboxes"
    make_commands "$p"
    fill "$home/smtpd.conf.in" > "$dir/smtpd.conf"
    : > "$dir/opensmtpd.log"
    unpacked_start opensmtpd unshare --mount --pid --fork --kill-child bash "$p/enter"
    await "$(< "$dir/opensmtpd.pid")" "$SMTP"
}
