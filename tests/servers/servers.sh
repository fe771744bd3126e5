#!/bin/bash
# Real mail servers for the tests, on free ports of 127.0.0.1: Dovecot or Cyrus for IMAP, Postfix, Exim or OpenSMTPD for SMTP.
#
#   servers.sh start DIR [USER...]   starts both; returns when they listen. The file DIR/ports then says where (shell
#                                    variables). Mailboxes: orders@game.test, alice bob carol USER... @players.test, each
#                                    with the password "secret"; name+anything is the same mailbox, and whatever else is
#                                    sent to @game.test lands in orders. DIR/ca.pem is the authority to trust.
#   servers.sh down DIR              kills every process, as a failing host would; the mails stay
#   servers.sh up DIR [USER...]      starts them again, on the same ports
#   servers.sh stop DIR              ends every process and removes DIR
#
# Addresses that play roles: greylist@ (450), full@ (452), gone@ (550) and bounce@players.test (accepted, comes back later
# as a delivery status notification). Nothing is ever sent to another host.
# Environment: SERVERS=NAMES   which, as in cyrus,exim (dovecot,postfix); what is not installed here has to be unpacked (unpack.sh)
#              UNPACKED=DIR    where that is (build/servers/root)
#              WATCH=PID       stop by ourselves when that process is gone
#              EXTRA=FILE      further lines for Dovecot's configuration
# DIR/ports says FOLDERS=INBOX. where the names of folders must begin so, and SENDMAIL=COMMAND in place of SUBMISSION and SMTPS
# with OpenSMTPD, whose TLS does not work with OpenSSL 3 (6.8.0p2 of Debian 12; its issue 1171). Not root: Postfix and OpenSMTPD do not run; DIR/ports
# then has no SMTP, SUBMISSION and SMTPS.
set -euo pipefail
umask 022
home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
self=$home/$(basename "${BASH_SOURCE[0]}")

die() {
    echo "servers.sh: $*" >&2
    exit 1
}

# A throwaway authority and a certificate for localhost, valid for two days.
make_certificates() (
    cd "$dir"
    ec=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
    openssl req -x509 "${ec[@]}" -days 2 -keyout ca.key -out ca.pem -subj '/CN=turnpost test authority' \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
    openssl req "${ec[@]}" -keyout server.key -out server.csr -subj /CN=localhost
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out server.pem -extfile <(
        echo subjectAltName=DNS:localhost
        echo extendedKeyUsage=serverAuth
        echo basicConstraints=CA:FALSE
    )
    chmod 644 server.key
) > /dev/null 2>&1

# Prints COUNT ports that nobody uses, below the range that the kernel gives to outgoing connections.
free_ports() {
    local count=$1 port
    declare -A used=()
    while read -r port; do used[$((16#$port))]=1; done < <(
        cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | sed -nE 's/^ *[0-9]+: [0-9A-F]+:([0-9A-F]{4}) .*/\1/p')
    while [ "$count" -gt 0 ]; do
        port=$((15000 + SRANDOM % 15000))
        [ -z "${used[$port]:-}" ] || continue
        used[$port]=1
        echo "$port"
        count=$((count - 1))
    done
}

# Fills the @NAME@ marks of a template with the shell variables of that name.
fill() {
    local text name
    text=$(< "$1")
    for name in dir user group unpacked names players sasl IMAP IMAPS LMTP SASL SMTP SUBMISSION SMTPS; do
        text=${text//@$name@/"${!name:-}"}
    done
    printf '%s\n' "$text"
}

listening() {
    (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

await() { # await PID PORT: waits until PID listens on PORT
    local i
    for ((i = 0; i < 500; i++)); do
        listening "$2" && return 0
        kill -0 "$1" 2> /dev/null || return 1
        sleep 0.01
    done
    return 1
}

# unpacked_start NAME COMMAND...: in a session of its own, as nobody if we are root, with the libraries that were unpacked.
unpacked_start() {
    local name=$1
    shift
    env "LD_LIBRARY_PATH=${libraries%:}" setsid "${drop[@]}" "$@" < /dev/null >> "$dir/$name.log" 2>&1 9<&- &
    echo $! > "$dir/$name.pid"
    disown
}

start_dovecot() {
    local mailbox version
    version=$(/usr/sbin/dovecot --version | cut -d. -f1,2)
    [ -e "$home/dovecot-$version.conf.in" ] || die "there is no configuration for Dovecot $version: write $home/dovecot-$version.conf.in"
    mkdir -p "$dir/run" "$dir/state"
    printf '%s:{PLAIN}secret::::::\n' orders "${users[@]}" > "$dir/users"
    for mailbox in orders "${users[@]}"; do
        mkdir -p "$dir/mail/$mailbox/Maildir/"{tmp,new,cur}
    done
    fill "$home/dovecot-$version.conf.in" > "$dir/dovecot.conf"
    [ -z "${EXTRA:-}" ] || cat "$EXTRA" >> "$dir/dovecot.conf"
    [ "$root" = no ] || chown -R "$user:$group" "$dir/run" "$dir/state" "$dir/mail"
    rm -f "$dir/run/master.pid" # of one that was killed, and that nobody has waited for
    : > "$dir/dovecot.log"
    chmod 666 "$dir/dovecot.log"
    # A session of its own, so that one kill reaches all its processes.
    setsid "${drop[@]}" /usr/sbin/dovecot -F -c "$dir/dovecot.conf" < /dev/null >> "$dir/dovecot.log" 2>&1 9<&- &
    echo $! > "$dir/dovecot.pid"
    disown
    await "$(< "$dir/dovecot.pid")" "$IMAPS"
}

start_postfix() {
    local p=$dir/postfix name players=''
    # shellcheck disable=SC2034 # fill reads it by name
    local sasl="smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:$SASL"
    if [ "$mailboxes" = cyrus ]; then
        mkdir -p "$p/sasl"
        printf '%s\n' 'pwcheck_method: auxprop' 'auxprop_plugin: sasldb' "sasldb_path: $dir/sasldb2" 'mech_list: PLAIN LOGIN' > "$p/sasl/smtpd.conf"
        # shellcheck disable=SC2034
        sasl="smtpd_sasl_type = cyrus
cyrus_sasl_config_path = $p/sasl
smtpd_sasl_local_domain = localhost"
    fi
    for name in bounce "${users[@]}"; do players+=" {$name@players.test=x}"; done
    mkdir -p "$p/data" "$p/queue/pid"
    (
        cd "$p/queue"
        [ ! -d active ] || exit 0 # once more
        mkdir active bounce corrupt defer deferred flush hold incoming private saved trace public maildrop
        chown postfix:root ./*
        chown root pid
        chmod 700 ./*
        chmod 755 pid
        chgrp postdrop public maildrop
        chmod 710 public
        chmod 730 maildrop
    )
    chown postfix "$p/data"
    chmod 700 "$p/data"
    for name in main master; do fill "$home/$name.cf.in" > "$p/$name.cf"; done
    touch -d '10 seconds ago' "$p"/*.cf # Postfix sleeps until main.cf is two seconds old
    # `postfix start` would spend 2.5 s on checks; master -w returns when its services listen.
    setsid /usr/lib/postfix/sbin/master -c "$p" -w < /dev/null > /dev/null 2>&1 9<&- || return 1
    listening "$SUBMISSION"
}

# shellcheck disable=SC2034 # by their names
write_ports() {
    local names=(IMAP IMAPS LMTP SASL) name
    case $sends-$relay in
    yes-opensmtpd) SENDMAIL=$dir/opensmtpd/sendmail names+=(SMTP SENDMAIL) ;;
    yes-*) names+=(SMTP SUBMISSION SMTPS) ;;
    esac
    [ "$mailboxes" != cyrus ] || FOLDERS=INBOX. names+=(FOLDERS)
    for name in "${names[@]}"; do echo "$name=${!name}"; done > "$dir/ports.new"
    mv "$dir/ports.new" "$dir/ports"
}

end_group() { # end_group PID: kills the process group and waits until it is gone (zombies do not count)
    local i
    kill -KILL -- "-$1" 2> /dev/null || return 0
    for ((i = 0; i < 200; i++)); do
        pgrep -g "$1" -r R,S,D,T > /dev/null || return 0
        sleep 0.01
    done
}

end_servers() {
    local pid name
    if pid=$(cat "$dir/postfix/queue/pid/master.pid" 2> /dev/null) && [ -n "$pid" ]; then
        end_group "${pid// /}"
    fi
    for name in "${kinds[@]}"; do
        if pid=$(cat "$dir/$name.pid" 2> /dev/null) && [ -n "$pid" ]; then
            end_group "$pid"
        fi
    done
}

# What has to be there.
programs() {
    case $mailboxes in
    dovecot) echo /usr/sbin/dovecot ;;
    cyrus) echo "$unpacked/usr/lib/cyrus/bin/master" ;;
    esac
    case $sends-$relay in
    yes-exim) echo "$unpacked/usr/sbin/exim4" ;;
    yes-opensmtpd) echo "$unpacked/usr/sbin/smtpd" ;;
    esac
}

start_servers() {
    "start_$mailboxes" && { [ "$sends" = no ] || "start_$relay"; }
}

start() {
    local ports=() program
    for program in openssl $(programs); do
        command -v "$program" > /dev/null || die "$program is missing"
        [ "$root" = no ] || "${drop[@]}" test -x "$(command -v "$program")" ||
            die "$user cannot reach $program: unpack it elsewhere, and set UNPACKED"
    done
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd)
    chmod 755 "$dir"
    touch "$dir/turnpost-test-servers"
    make_certificates || die "openssl failed"
    exec 9< "$self"
    flock 9 # one start at a time: nobody else takes the ports between looking and listening
    for _ in 1 2 3; do
        mapfile -t ports < <(free_ports 7)
        # shellcheck disable=SC2034 # fill and write_ports read them by name
        IMAP=${ports[0]} IMAPS=${ports[1]} LMTP=${ports[2]} SASL=${ports[3]}
        # shellcheck disable=SC2034
        SMTP=${ports[4]} SUBMISSION=${ports[5]} SMTPS=${ports[6]}
        if start_servers; then
            write_ports
            [ -z "${WATCH:-}" ] || watch
            return 0
        fi
        end_servers
        rm -rf "$dir/postfix" "$dir/cyrus" "$dir/exim" "$dir/mail"
    done
    cat "$dir"/*.log "$dir/postfix/maillog" >&2 2> /dev/null || true
    die "the servers did not start"
}

watch() {
    (
        exec 9<&- < /dev/null > /dev/null 2>&1
        trap '' HUP INT TERM
        while [ -f "$dir/ports" ] && kill -0 "$WATCH" 2> /dev/null; do sleep 0.3; done
        [ ! -f "$dir/ports" ] || exec bash "$self" stop "$dir"
    ) &
    disown
}

up() {
    dir=$(cd "$dir" && pwd)
    # shellcheck source=/dev/null
    . "$dir/ports"
    start_servers || die "the servers did not start again"
}

stop() {
    [ -e "$dir/turnpost-test-servers" ] || return 0
    rm -f "$dir/ports"
    end_servers
    rm -rf "$dir"
}

[ $# -ge 2 ] || die "usage: servers.sh start DIR [USER...] | down DIR | up DIR [USER...] | stop DIR"
verb=$1 dir=$2
shift 2
users=(alice bob carol "$@")
mapfile -t users < <(printf '%s\n' "${users[@]}" | sort -u)
root=no user=$(id -un) group=$(id -gn)
if [ "$(id -u)" = 0 ]; then
    root=yes user=nobody group=nogroup
fi
drop=()
[ "$root" = no ] || drop=(setpriv "--reuid=$user" "--regid=$group" --clear-groups)
unpacked=$(realpath -m "${UNPACKED:-$home/../../build/servers/root}")
mailboxes=dovecot relay=postfix kinds=(dovecot cyrus exim opensmtpd)
SERVERS=${SERVERS:-}
for name in ${SERVERS//,/ }; do
    case $name in
    dovecot | cyrus) mailboxes=$name ;;
    postfix | exim | opensmtpd) relay=$name ;;
    *) die "no server is called $name" ;;
    esac
done
sends=yes
[ "$root" = yes ] || [ "$relay" = exim ] || sends=no
libraries=$(printf '%s:' "$unpacked"/usr/lib/*-linux-gnu*)
for name in "$mailboxes" "$relay"; do
    # shellcheck source=/dev/null
    [ ! -e "$home/$name.sh" ] || . "$home/$name.sh"
done
case $verb in
start)
    trap '[ $? = 0 ] || stop' EXIT
    trap 'exit 1' INT TERM HUP
    start
    ;;
down) end_servers ;;
up) up ;;
stop) stop ;;
*) die "unknown verb $verb" ;;
esac
