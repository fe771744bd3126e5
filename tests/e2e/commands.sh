#!/bin/bash
# The commands around a league: try, simulate, new --cards, show, games, install, and orders that ask for JSON, help, rules.
set -eu
cd "$WORK"
fail() { echo "FAILED: $*"; exit 1; }
league=$WORK/league
export TURNPOST_LEAGUE=$league

# try: a state, orders and dice on the command line
echo '{"year": 1}' > state.json
printf 'explore near 1\nresearch banking\n' > orders
"$TURNPOST" try galaxy-command state.json --orders 1=orders --dice 6 > try.json
grep -q '"type": "refused"' try.json || fail "try shows no refusal"
"$TURNPOST" try galaxy-command state.json --orders 1=orders --dice 6 | cmp - try.json || fail "try is not repeatable"
"$TURNPOST" try galaxy-command state.json --orders 2=orders 2>err && fail "a seat too many was taken"
grep -q 'SEAT=FILE' err || fail "no helpful error: $(cat err)"
echo '{"year": 99}' > bad.json
"$TURNPOST" try galaxy-command bad.json --orders 1=orders > /dev/null 2>err || true

# simulate: the same seed gives the same games
"$TURNPOST" simulate galaxy-command --players 2 --games 50 --seed x --json > one.json
"$TURNPOST" simulate galaxy-command --players 2 --games 50 --seed x --json | cmp - one.json || fail "simulate is not repeatable"
"$TURNPOST" simulate galaxy-command --players 9 2>/dev/null && fail "nine players were taken"

# a game with cards of one's own, and mails that ask for more
"$TURNPOST" init "$league" --address orders@game.test > /dev/null
"$TURNPOST" keygen alice > /dev/null
"$TURNPOST" player add alice alice@players.test alice.pub > /dev/null
cards=$TESTS/../src/rules/galaxy_command/cards.json
sed 's/"Sirius"/"Sirius B"/' "$cards" > own.json
"$TURNPOST" new own galaxy-command --seats alice,robot --cards own.json > /dev/null
sed 's/"resistance": 6/"resistance": "six"/' "$cards" > broken.json
"$TURNPOST" new broken galaxy-command --seats alice --cards broken.json 2>err && fail "broken cards were taken"
grep -q 'resistance' err || fail "the error does not name the field: $(cat err)"
"$TURNPOST" new solo galaxy-command --seats alice --solo18 --no-deadline > /dev/null
"$TURNPOST" new solo galaxy-command --seats alice 2>err && fail "a second game of that name was made"
"$TURNPOST" new mail galaxy-command --seats alice 2>/dev/null && fail "a game called mail was made"
"$TURNPOST" new nobody galaxy-command --seats bob 2>err && fail "an unknown player was seated"
grep -q 'player add' err || fail "the error does not say what to do"
[ -e "$league/games/nobody" ] && fail "a failed game left a folder"
created=$( (printf 'turnpost/log\0'; head -1 "$league/games/solo/journal.jsonl") | b2sum -l 256 | cut -d' ' -f1)
printf '#turnpost join\ngame: solo\nhead: %s\n#end\n' "$created" > join.txt
"$TURNPOST" sign join.txt --key alice --inline > signed.txt
{ printf 'From: alice@players.test\nTo: orders@game.test\nSubject: x\nMessage-ID: <0@players.test>\n\n'; cat signed.txt; } > "$league/mail/in/new/0"
"$TURNPOST" run
dealt=$( (printf 'turnpost/log\0'; grep '"type":"start"' "$league/games/solo/journal.jsonl") | b2sum -l 256 | cut -d' ' -f1)
printf '#turnpost orders\ngame: solo\nturn: 1\nhead: %s\njson: yes\nbide\nhelp\nrules\nstatus\n#end\n' "$dealt" > orders.txt
"$TURNPOST" sign orders.txt --key alice --inline > signed.txt
{ printf 'From: alice@players.test\nTo: orders@game.test\nSubject: x\nMessage-ID: <1@players.test>\n\n'; cat signed.txt; } > "$league/mail/in/new/1"
"$TURNPOST" run
receipt=$(grep -l '^Subject: .*We have your orders for turn 1' "$league"/mail/out/alice@players.test/new/*)
grep -q 'view.json' "$receipt" || fail "no JSON view"
grep -q 'EXPLORE' "$receipt" || grep -qi 'explore' "$receipt" || fail "no help"
report=$(grep -l '^Subject: .*(turn 2: your orders)' "$league"/mail/out/alice@players.test/new/*)
grep -q 'view.json' "$report" || fail "no JSON view with the report"

# the way of games/PLAYING.md to see what a saved mail proves
cp "$league/keys/league.pub" . && cp "$report" mail
sed -n '/BEGIN TURNPOST PROOF/,/END TURNPOST PROOF/p' mail | tr -d '\r' | sed '/^--/d' | base64 -d | grep -q '^turn solo ' ||
    fail "the players' page's check"
"$TURNPOST" verify mail --key league.pub || fail "verify mail"

# show and games
"$TURNPOST" show solo --seat 1 | grep -q 'YOUR SECTOR' || fail "show --seat"
"$TURNPOST" show solo | grep -q 'YOUR SECTOR' && fail "the public view shows a sector"
"$TURNPOST" show solo --json | python3 -c 'import json,sys; assert json.load(sys.stdin)["turn"] == 2' || fail "show --json"
"$TURNPOST" show nothing 2>/dev/null && fail "a game that is not there was shown"
"$TURNPOST" games --json | python3 -c 'import json,sys; assert len(json.load(sys.stdin)["games"]) == 2' || fail "games --json"
rm "$league/games/own/state.json"
"$TURNPOST" show own > /dev/null || fail "a game with its own cards does not replay"
"$TURNPOST" doctor | grep -q FAILED && fail "doctor: $("$TURNPOST" doctor)"
chmod 644 "$league/keys/secret/vrf"
code=0; "$TURNPOST" run 2>err || code=$?
[ $code = 78 ] && grep -q 'chmod 600' err || fail "a readable secret: exit $code, $(cat err)"
chmod 600 "$league/keys/secret/vrf"

# every command explains itself
for command in $("$TURNPOST" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    "$TURNPOST" "$command" --help | grep -q -- "$command" || fail "$command --help"
done

# install and uninstall leave nothing behind
build=$(realpath --relative-to="$TESTS/.." "${TURNPOST%/*}") # make takes no blanks in the names of files
make -s -C "$TESTS/.." B="$build" install DESTDIR="$WORK/root" PREFIX=/usr > /dev/null
[ -x root/usr/bin/turnpost ] && [ -e root/usr/share/man/man1/turnpost.1 ] || fail "install"
make -s -C "$TESTS/.." B="$build" uninstall DESTDIR="$WORK/root" PREFIX=/usr > /dev/null
[ -z "$(find root -type f)" ] || fail "uninstall left $(find root -type f)"
echo "try, simulate, own cards, JSON, help, rules, install"
