#!/bin/bash
# make demo: a league on local Maildirs in build/demo, two robots and you. Plays a real turn by mail: your orders are
# signed with a fresh ssh key, delivered to the league's Maildir, and answered into yours. demo.sh PROGRAM [FOLDER]: FOLDER is removed first
set -eu
turnpost=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
demo=$(realpath -m "${2:-$root/build/demo}")
rm -rf "$demo"; mkdir -p "$demo"
cd "$demo"
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() { printf '\033[2m$ %s\033[0m\n' "$*"; "$@"; }
export TURNPOST_LEAGUE=$demo/league
PATH=$(dirname "$turnpost"):$PATH
mails() { ls -v league/mail/out/ada@players.example/new/*; } # in the order in which they were written
text_of() { # the plain text part of a mail, as a mail program shows it
    awk '{ sub(/\r$/, "") }
         /^Content-Type: text\/plain/ { part = 1 }
         part && !body && /^$/ { body = 1; next }
         body && /^--[=A-Za-z0-9]/ && !/^-- $/ { exit }
         body { print }' "$1"
}
show() {
    printf '%s\n' '------------------------------------------------------------------------'
    grep -aE '^(From|To|Subject|Date):' "$1" | tr -d '\r'
    echo
    text_of "$1"
    printf '%s\n' '------------------------------------------------------------------------'
}

say "1. A league, and you as the player Ada with a fresh ssh key"
run turnpost init league --name "Demo League" --address orders@league.example
run ssh-keygen -q -t ed25519 -N '' -C ada -f ada
run turnpost player add ada ada@players.example ada.pub

say "2. A game of Galaxy Command: you and two robots"
run turnpost new gc-1 galaxy-command --seats ada,robot:hal,robot:marvin --deadline 3d
run turnpost run
say "This is the first report that came to you (league/mail/out/ada@players.example):"
report=$(mails | tail -1)
show "$report"

say "3. Your orders for turn 1: the form of the report, filled in and signed"
head=$(text_of "$report" | sed -nE 's/^head: ([0-9a-f]{64})$/\1/p' | head -1)
cat > orders.txt <<EOF
#turnpost orders
game: gc-1
turn: 1
head: $head
explore near
build
research robots
#end
EOF
cat orders.txt
run ssh-keygen -q -Y sign -n orders@turnpost -f ada orders.txt
{
    printf 'From: Ada <ada@players.example>\r\nTo: orders@league.example\r\nSubject: my first orders\r\n'
    printf 'Message-ID: <demo-1@players.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nHello league,\r\n\r\n'
    sed 's/$/\r/' orders.txt orders.txt.sig
} > mail.eml
cp mail.eml league/mail/in/tmp/demo-1 && mv league/mail/in/tmp/demo-1 league/mail/in/new/demo-1
echo "(the mail now lies in league/mail/in)"
run turnpost run --verbose
for mail in $(mails | tail -2); do
    say "$(grep -a '^Subject:' "$mail" | tr -d '\r')"
    show "$mail"
done

say "4. Check it yourself"
echo "The league's signature under the last report, with stock ssh-keygen:"
printf 'league %s\n' "$(cut -d' ' -f1,2 league/keys/league.pub)" > allowed_signers
last=$(mails | tail -1)
text_of "$last" | grep -a '^head: gc-1 ' > head.txt
text_of "$last" | sed -n '/BEGIN SSH SIGNATURE/,/END SSH SIGNATURE/p' > head.sig
run ssh-keygen -Y verify -f allowed_signers -I league -n head@turnpost -s head.sig < head.txt
run turnpost games

say "How to go on"
cat <<EOF
Play the next turn: edit build/demo/orders.txt (turn: 2, the new head:, your orders), sign it again, put the mail into
build/demo/league/mail/in/new and run \`turnpost run --league build/demo/league\` once more.

Play it for real: in league.ini set [incoming] type = imap with your mailbox and [outgoing] type = smtp with your mail
server; \`turnpost doctor\` connects to both and says what is missing; then let cron or systemd run it (folder cron/).
EOF
