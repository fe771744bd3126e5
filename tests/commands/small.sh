#!/bin/bash
# The small commands by hand and against the stock tools: init, player, keygen, sign, verify, doctor.
#     tests/commands/small.sh [PROGRAM]
set -eu
program=$(realpath "${1:-build/release/turnpost}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work LC_ALL=C
unset TURNPOST_LEAGUE TURNPOST_KEY
passed=0 failed=0

# check NAME CODE WORDS COMMAND...: the command must end with that code and say those words on either stream.
check() {
    local name=$1 code=$2 words=$3 got=0
    shift 3
    "$@" >out 2>err </dev/null || got=$?
    if [ "$got" = "$code" ]; then
        also "$name" "$words"
    else
        failed=$((failed + 1))
        printf 'FAIL  %s: exit code %s, want %s and "%s"\n' "$name" "$got" "$code" "$words"
        cat out err
    fi
}
# also NAME WORDS: the last command has said these words, too.
also() {
    if grep -qF -- "$2" out err; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL  %s: no "%s"\n' "$1" "$2"
        cat out err
    fi
}
# joins GAME KEY ADDRESS: its player takes the seat that is kept for them.
joins() {
    local head
    head=$( (printf 'turnpost/log\0'; head -1 "$TURNPOST_LEAGUE/games/$1/journal.jsonl") | b2sum -l 256 | cut -d' ' -f1)
    printf '#turnpost join\ngame: %s\nhead: %s\n#end\n' "$1" "$head" >join.txt
    "$program" sign join.txt --key "$2" --inline >joins.txt
    { printf 'From: %s\nTo: x@example.org\nSubject: join\nMessage-ID: <join-%s@example.org>\n\n' "$3" "$1"; cat joins.txt; } >"$TURNPOST_LEAGUE/mail/in/new/join-$1"
    rm join.txt joins.txt
}
# enters VERB COMPETITION PLAYER KEY: the next run takes their text.
enters() {
    local name=$1-$2-$3
    printf '#turnpost %s\nleague: %s\ndate: %s\ncompetition: %s\n#end\n' "$1" "$(ssh-keygen -lf "$TURNPOST_LEAGUE/keys/league.pub" | cut -d' ' -f2)" "$5" "$2" >enter.txt
    "$program" sign enter.txt --key "$4" --inline >enters.txt
    { printf 'From: %s@example.net\nTo: x@example.org\nSubject: %s\nMessage-ID: <%s@example.org>\n\n' "$3" "$1" "$name"; cat enters.txt; } >"$TURNPOST_LEAGUE/mail/in/new/$name"
    rm enter.txt enters.txt
}
# holds NAME COMMAND...: the command must succeed.
holds() {
    local name=$1
    shift
    if "$@" >out 2>err; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n' "$name"
        cat out err
    fi
}
tp() { "$program" "$@"; }
piped() { local input=$1; shift; "$program" "$@" <"$input"; }

# All subcommands, as the program lists them.
commands=$("$program" --help | sed -n "s/^  \([a-z][a-z-]*\) .*/\1/p")

# ---- the program -----------------------------------------------------------------------------------------
check "help" 0 "usage: turnpost COMMAND" tp --help
check "receipt-check without a journal" 64 "name what your mails are held against" tp receipt-check mails
printf 'From: a@b\n\nhello\n' >letter
check "receipt-check of a mail without a head" 66 "nothing was checked" tp receipt-check letter --journal "$root/games/galaxy-command"
check "receipt-check of nothing" 66 "does not exist" tp receipt-check mails --journal none
check "version" 0 "turnpost " tp --version
check "no function of ours is where a library looks for its own" 0 "none" bash -c "nm -D --defined-only '$program' | grep ' T ' || echo none"
if [ -e "$root/.git" ]; then
    holds "its commit" bash -c "'$program' --version | grep -Eq '^turnpost [0-9.]+ \\([0-9a-v.-]*[0-9a-f]{7,}'"
fi
check "no command" 64 "usage: turnpost" tp
check "misspelt command" 64 "did you mean doctor?" tp docter
check "full disk" 74 "cannot write to standard output" bash -c "'$program' --help >/dev/full"
for command in $commands; do
    check "help $command" 0 "usage: turnpost $command" tp help "$command"
    check "$command --help" 0 "Exit codes:" tp "$command" --help
    cat out >>helps
done
tp --help >>helps
holds "no line of a help text is longer than 80 columns" test -z "$(awk 'length > 80' helps)"
holds "no help text has a worn phrase" python3 "$root/tests/words.py" --text helps

# ---- the pages -------------------------------------------------------------------------------------------
holds "every link of the pages leads somewhere" python3 "$root/tests/pages.py" "$root"

holds "the board of README.md is how the program draws it (make golden)" \
    bash -c "'$program' draw '$root/games/galaxy-command' --turn 9 --seat 3 | cmp - '$root/games/board.svg'"

# ---- the demo --------------------------------------------------------------------------------------------
mkdir "a room"
demo() { DEMO_OF="$work" python3 "$root/src/build/demo.py" "$@"; } # the name marks its processes
# What the league's own records say of a game: turns that were resolved, and which orders a mail domain vouched for.
told() {
    python3 - "a room/demo/league/games/$1/journal.jsonl" <<'END'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
print(sum(r["type"] == "turn" for r in records), *("mail" if "vouched" in r else "key" for r in records if r["type"] == "orders"))
END
}
check "the demo plays a turn" 0 "How to go on" demo "$program" "a room/demo"
cp out said
also "its first report offers choices" "1  [ ] explore near"
also "its games are proved" "2 games: 2 proved"
also "its mails prove what they tell" 'of gc-2 (receipt of turn '
holds "one turn is played by Reply" test "$(told gc-1)" = "1 mail"
holds "and one with a key" test "$(told gc-2)" = "1 key"
holds "only what happened is told as news" test "$(grep -c "Your weakest system" said)" = 0
holds "it can be read at one sitting" test "$(wc -l <said)" -le 120
holds "its mail is a page for a browser" grep -q 'src="ada-5.png"' "a room/demo/ada-5.html"
holds "with a picture" test "$(head -c 4 "a room/demo/ada-5.png" | tail -c 3)" = PNG
holds "none of its processes is left" test -z "$(grep -lsz "^DEMO_OF=$work" /proc/[0-9]*/environ)"
sed -n '/^How to go on/,$s/^    //p' said >lines
holds "it says how to go on, in lines to be pasted" test "$(grep -c reply lines)" = 2
check "they work" 0 "gc-1: proved" env DEMO_OF="$work" bash -e lines
holds "and each answer plays a turn" test "$(told gc-1)" = "3 mail mail mail"
holds "and leaves no process, either" test -z "$(grep -lsz "^DEMO_OF=$work" /proc/[0-9]*/environ)"
check "a line that is no order is answered" 0 "ada-8.eml" "a room/demo/turnpost" demo reply blub
holds "and plays none" test "$(told gc-1)" = "3 mail mail mail"
check "the newest mail is shown" 0 "blub" "a room/demo/turnpost" demo mail
check "anything else says what there is" 1 "demo reply LINE" "a room/demo/turnpost" demo play
printf '#!/bin/sh\n[ "$1" = new ] && set -- "$@" --no-early\nexec "%s" "$@"\n' "$program" >slow
chmod +x slow
check "a demo whose turn waits has failed" 1 "turn 1 of gc-1 was not resolved" demo slow "a room/demo"
rm -rf "a room" said lines slow

# ---- the manual pages: every option of every command below the command's heading, and no others -------------
man=$root/src/commands/man
options_of() { tp help "$1" | sed -n '/^Options:/,$s/^  \(--[a-z0-9-]*\).*/\1/p' | grep -vxe --quiet -e --verbose -e --help | sort; }
# The first word of each paragraph with a heading (.TP), and the headings.
told_by() { sed 's/\\-/-/g' "$1" | awk '/^\.SS \[/ { print $2 } tag { print $2 } { tag = $0 == ".TP" }'; }
for command in $commands; do
    awk -v c="$command" '/^\.SS/ { on = $2 == c } /^\.SH/ { on = 0 } on' "$man/turnpost.1" >section
    holds "the manual page has $command" test -s section
    options_of "$command" >has
    told_by section | grep -e -- | sort >told || true
    holds "the manual page has the options of $command, and no others" diff has told
done
sed 's/\\-/-/g' "$man/turnpost.1" | awk '/^\.SH/ { on = /LEAGUES|KEYS AND|RULES AND/ } on && /^\.SS/ { print $2 }' | sort -u >told
echo "$commands" | sort >has
holds "the manual page has no other commands" diff has told
options_of witness >has
told_by "$man/turnpost-witness.1" | grep -e -- | sort >told || true
holds "turnpost-witness(1) has its options" diff has told
tp init pages >/dev/null
sed -n -e 's/^\(\[.*\]\)$/\1/p' -e 's/^#\{0,1\}\([a-z_]*\) =.*/\1/p' pages/league.ini >has
told_by "$man/league.ini.5" >told
holds "league.ini(5) has every section and option, in order, and no others" diff has told
for page in $(cat "$root"/templates/*/*.txt "$root"/*.md "$root"/*/*.md "$root"/src/*/README.md "$man"/* | sed 's/\\-/-/g' |
    grep -oE 'turnpost[a-z-]*\([0-9]\)' | sort -u | tr '()' '. '); do
    holds "$page is there" test -e "$man/$page"
done
if command -v man >/dev/null; then
    for page in "$man"/*; do
        holds "man has no warnings of $page" test -z "$(man --warnings -l "$page" 2>&1 >/dev/null)"
    done
fi
rm -rf pages

# ---- init ------------------------------------------------------------------------------------------------
check "init" 0 "Made the league \"Orion League\" in orion" tp init orion --name "Orion League" --address orders@example.org
also "init says what next" "turnpost invite --to alice@example.org"
check "init twice" 1 "holds a league" tp init orion
mkdir -m 755 bare full && touch full/notes
check "init in an empty folder" 0 "Made the league" tp init bare
holds "a folder that was empty is private" test "$(stat -c %a bare)" = 700
check "init beside other things" 0 "full held other things, so it stays as it is" tp init full
holds "a folder that was not is as it was, and all of the league in it private" bash -c '
    test "$(stat -c %a full)" = 755 && test -z "$(find full -mindepth 1 -maxdepth 1 -perm /077 ! -name notes)"'
rm -rf bare full
check "init with a bad address" 1 "no mail address" tp init other --address nowhere
check "init with a bad name" 1 "name" tp init other --name "a ; b"
holds "init that fails leaves nothing" test ! -e other
holds "secret keys are private" test "$(stat -c %a orion/keys/secret/league orion/keys/secret/vrf orion/keys/secret/master orion/keys/secret | tr '\n' ' ')" = "600 600 600 700 "
holds "ssh-keygen reads the league's key" ssh-keygen -y -f orion/keys/secret/league
holds "league.pub belongs to it" test "$(ssh-keygen -y -f orion/keys/secret/league | cut -d' ' -f2)" = "$(cut -d' ' -f2 orion/keys/league.pub)"
check "no league here" 66 "turnpost init" tp player list
export TURNPOST_LEAGUE=$work/orion
holds "players may answer by mail" grep -qx 'trust = mail' orion/league.ini
sed -i 's/^trust = mail$/trust = signed/' orion/league.ini # what name servers have to say is in e2e/doctor.py

holds "doctor says how players come" bash -c "'$program' doctor | grep -q 'turnpost invite --to ADDRESS'"
check "a game for people who have not answered yet" 1 'no player "alice" yet: wait until they answer your invitation' tp new gc-1 galaxy-command --seats alice,robot

# ---- player ----------------------------------------------------------------------------------------------
ssh-keygen -q -t ed25519 -N '' -C alice@home -f alice
ssh-keygen -q -t ed25519 -N '' -f dora
ssh-keygen -q -t rsa -b 2048 -N '' -f rsa
minisign -G -W -p bob.pub -s bob.sec >/dev/null
signify-openbsd -G -n -p carol.pub -s carol.sec
check "list of nobody" 0 "no player yet" tp player list
check "add with OpenSSH" 0 "$(ssh-keygen -lf alice.pub | cut -d' ' -f2)" tp player add alice alice@Example.ORG alice.pub
check "add with minisign" 0 "key minisign RW" tp player add bob bob@example.org bob.pub --no-html
check "add with signify from a pipe" 0 "key signify RW" piped carol.pub player add carol carol@example.org - --json
check "list" 0 "alice@example.org" tp player list
holds "list as JSON" python3 -c 'import json,subprocess,sys; l=json.loads(subprocess.check_output([sys.argv[1],"player","list","--json"])); assert [p["name"] for p in l]==["alice","bob","carol"] and l[1]["html"] is False and l[2]["json"] is True and len(l[0]["keys"])==1' "$program"
check "show" 0 "(minisign)" tp player show bob
check "show as JSON" 0 '"address": "alice@example.org"' tp player show alice --json
check "show nobody" 66 "there is no player \"zed\"" tp player show zed
check "add twice" 1 "a player alice already" tp player add alice a@example.org dora.pub
check "add a bad name" 1 "no player's name" tp player add Zed z@example.org dora.pub
check "add a reserved name" 1 "word of the program" tp player add league z@example.org dora.pub
check "add a bad address" 1 "no mail address" tp player add zed z@ dora.pub
check "add a secret key" 1 "is a secret key" tp player add zed z@example.org dora
check "add a minisign secret key" 1 "is a secret key" tp player add zed z@example.org bob.sec
check "add a signify secret key" 1 "is a secret key" tp player add zed z@example.org carol.sec
check "add an RSA key" 1 "ssh-keygen -t ed25519" tp player add zed z@example.org rsa.pub
check "add somebody's key" 1 "alice's already" tp player add zed z@example.org alice.pub
check "add an empty key file" 1 "holds no key" piped /dev/null player add zed z@example.org -
check "add a missing key file" 66 "missing.pub" tp player add zed z@example.org missing.pub
for n in 1 2 3 4 5; do ssh-keygen -q -t ed25519 -N '' -f many$n; cat many$n.pub >>many.pub; done
check "add five keys" 1 "at most 4 keys" tp player add zed z@example.org many.pub
cat many1.pub many1.pub >twice.pub
check "add a key twice" 1 "twice" tp player add zed z@example.org twice.pub
# The same points of the curve in minisign's form.
minisign_form() { echo "minisign $({ printf Ed12345678; cut -d' ' -f2 "$1" | base64 -d | tail -c 32; } | base64 -w0)"; }
minisign_form alice.pub >form.pub
check "add somebody's key in another format" 1 "alice's already" tp player add zed z@example.org form.pub
{ cat dora.pub; minisign_form dora.pub; } >forms.pub
check "add a key in two formats" 1 "forms.pub line 2: this key is here twice; a key serves one format" tp player add zed z@example.org forms.pub
holds "what was refused left nothing" test ! -e orion/players/zed.json -a ! -e orion/keys/zed.pub
head -4 many.pub >four.pub
check "add four keys" 0 "Entered dora" tp player add dora alice@example.org four.pub
also "the same address is told" "alice has the same address"
check "replace keys" 0 "Replaced the keys of dora" tp player key dora dora.pub --at-once
holds "the old keys are gone" test "$(wc -l <orion/keys/dora.pub)" = 1
check "another key, and no reason" 1 "say why (--reason TEXT): dora is told at all addresses" tp player key dora many5.pub
check "four keys are not asked for" 1 "only --at-once" tp player key dora four.pub --reason "she called"
check "a key that is asked for" 0 "Asked for; 1 mail to be sent. It counts in seven days, unless dora says no." tp player key dora many5.pub --reason "she called"
check "is shown" 0 "another key is asked for by operator" tp player show dora
check "once" 1 "A new key for dora has been asked for already" tp player key dora many5.pub --reason "she called"
check "one that is decided" 0 "Replaced the keys of dora" tp player key dora dora.pub --at-once
holds "makes that void" bash -c "! '$program' player show dora | grep -q 'asked for'"
check "replace keys by somebody's" 1 "bob's already" tp player key dora bob.pub
check "replace the keys of nobody" 66 "no player" tp player key zed dora.pub
check "replace the address" 0 "dora@example.net" tp player address dora dora@EXAMPLE.net --at-once
check "who has a key moves by it" 1 "dora has a key, which counts from any mailbox" tp player address dora dora@example.com --reason "she called"
check "replace the address by nonsense" 1 "no mail address" tp player address dora dora
check "too few arguments" 64 "NAME KEYFILE" tp player key dora
check "unknown subcommand" 64 "add, list, show" tp player rename dora

check "a second address" 0 "for the second one dora@home.example" tp player address dora dora@example.net dora@HOME.example --at-once
check "it is shown" 0 "dora@home.example" tp player show dora
check "two at a time are not asked for" 1 "only --at-once" tp player address dora dora@example.net zed@home.example --reason "she called"
check "it is dropped" 0 "dora has the address dora@example.net now." tp player address dora dora@example.net no --at-once
holds "where mail goes is told where none goes any more" grep -rq "^To:.*dora@home.example" orion/spool
check "and added again" 0 "for the second one dora@home.example" tp player address dora dora@example.net dora@home.example --at-once
check "a game with free seats" 0 "2 of 3 seats are free" tp new open-1 galaxy-command --seats dora --open 2
check "a game named as the results" 1 "cannot name a game" tp new results galaxy-command --seats dora --open 2
check "no ratings are kept" 66 "set [league] ratings in league.ini" tp ratings
check "ratings of no game" 1 "did you mean galaxy-farmer?" tp ratings galxy-farmer
check "it is listed" 0 "waits for players     dora, (free), (free)" tp games
check "it is shown to all" 0 "open-1" tp show open-1
check "a robot has no orders before it begins" 1 "game open-1 has not begun" tp show open-1 --robot --json
check "nor for nobody" 1 "--robot needs --seat N, or --json for all seats" tp show open-1 --robot
ssh-keygen -q -t ed25519 -N '' -f pass
check "add somebody whose name is an order" 0 "Entered pass" tp player add pass pass@example.org pass.pub
check "they play by number" 0 '"pass" is a word of this game, too: in orders this player is P1.' tp new words-1 galactic-supremacy --seats pass --open 2
holds "free seats do not" test "$(grep -c 'is a word of this game' out)" = 1
check "no mails count in a league of keys" 1 "this league believes keys only" tp new open-2 galaxy-command --open 2 --trust mail
check "only two levels" 1 "--trust takes signed or mail" tp new open-2 galaxy-command --open 2 --trust both
week=2027-01-01T08:00:00Z,24,2027-01-08T08:00:00Z soon=(--now 2026-12-31T00:00:00Z)
check "a game in lockstep" 0 "Asked by mail to join: dora." tp new week-1 galaxy-farmer --seats dora --lockstep "$week" "${soon[@]}"
check "it is not published" 1 "it can be published when it is open, after 2027-01-08T08:00:00Z" tp publish week-1
check "lockstep by rules that draw" 1 "draws dice or cards after the deal" tp new week-2 galaxy-command --seats dora,robot --lockstep "$week" "${soon[@]}"
check "lockstep takes three" 1 "--lockstep takes when turn 1 opens" tp new week-2 galaxy-farmer --seats dora --lockstep 24h "${soon[@]}"
check "lockstep without hours" 1 "turns of 1 to 744 hours" tp new week-2 galaxy-farmer --seats dora --lockstep "${week/,24,/,0,}" "${soon[@]}"
check "lockstep that is over" 1 "would be closed already" tp new week-2 galaxy-farmer --seats dora --lockstep "$week" --now 2027-02-01T00:00:00Z
check "lockstep and another clock" 1 "--deadline does not go with --lockstep" tp new week-2 galaxy-farmer --seats dora --lockstep "$week" --deadline 3d "${soon[@]}"
check "too many seats" 1 "at most" tp new open-2 galaxy-command --open 20
check "a schedule of days that are off" 1 'every hour of "sat sun 12:00 Europe/Berlin" is on a weekend' tp new open-2 galaxy-command --seats dora,robot --schedule "sat sun 12:00 Europe/Berlin" --weekends-off
check "turns that end by nothing" 1 "would never be played" tp new open-2 galaxy-command --seats dora,robot --no-deadline --no-early
check "whoever plays is not removed" 1 "game open-1" tp player remove dora
check "remove" 0 "no player any more" tp player remove carol
holds "the files are gone" test ! -e orion/players/carol.json -a ! -e orion/keys/carol.pub
holds "what commands do is in the journal" grep -q '"what":"remove"' orion/registry/journal.jsonl
tp invite --count 3 --days 2 >words
holds "three words of 26 letters" test "$(grep -cE '^[a-z2-7]{26}$' words)" = 3
holds "only hashes are kept" test "$(ls orion/tokens | wc -l)" = 3 -a -z "$(grep -rlF "$(head -1 words)" orion)"
check "invite nobody" 1 "1 to" tp invite --count 0
"$program" daemon 2>/dev/null &
daemon=$!
while [ "$(flock -n orion/lock echo free)" = free ]; do sleep 0.1; done
check "while a daemon works: add" 0 "Entered erik" tp player add erik erik@example.org many5.pub
check "while a daemon works: invite" 0 "" tp invite
kill $daemon && wait $daemon
holds "it is entered" test -e orion/players/erik.json -a "$(ls orion/tokens | wc -l)" = 4

# ---- keygen ----------------------------------------------------------------------------------------------
check "keygen" 0 "send it to the operator" tp keygen mine --comment "me at home"
holds "the key is private" test "$(stat -c %a mine)" = 600
holds "ssh-keygen knows it" test "$(ssh-keygen -y -f mine)" = "$(cat mine.pub)"
check "keygen keeps what is there" 1 "not overwritten" tp keygen mine

# ---- sign ------------------------------------------------------------------------------------------------
printf 'alice namespaces="orders@turnpost" %s\nmine %s\n' "$(cat alice.pub)" "$(cat mine.pub)" >allowed
orders() { printf '#turnpost orders\ngame: gc-17\nturn: 5\nexplore near or bide\nbuild\n#end\n'; }
orders >neat.txt
printf '\n  #turnpost   orders\r\ngame: gc-17\nturn: 5\n\n\n   explore\tnear  or bide  \nbuild\n#end\n\n' >rough.txt
check "sign" 0 "Wrote the signature to neat.txt.sig" tp sign neat.txt --key alice
holds "a neat text stays" cmp neat.txt <(orders)
holds "ssh-keygen verifies" ssh-keygen -Y verify -f allowed -I alice -n orders@turnpost -s neat.txt.sig <neat.txt
check "sign a rough text" 0 "Rewrote rough.txt" tp sign rough.txt --key mine
holds "it is canonical now" cmp rough.txt neat.txt
holds "ssh-keygen verifies it" ssh-keygen -Y verify -f allowed -I mine -n orders@turnpost -s rough.txt.sig <rough.txt
TURNPOST_KEY=alice piped neat.txt sign - >pasted.txt
check "inline" 0 "good signature over orders for gc-17, turn 5, namespace orders@turnpost" tp verify pasted.txt
holds "inline begins with the text" cmp -n "$(stat -c %s neat.txt)" pasted.txt neat.txt
check "inline of a file" 0 "-----BEGIN SSH SIGNATURE-----" tp sign neat.txt --inline --key alice
printf '#turnpost join\ngame: gc-1\n#end\n' >seat.txt
check "another key of one's own" 0 "Rewrote seat.txt" tp sign seat.txt --key mine --also alice.pub
holds "its line is in the text" test "$(grep -c '^key: ssh-ed25519 ' seat.txt)" = 1
check "a key that would be pasted" 1 "mail programs may break lines" tp sign seat.txt --key mine --inline
check "no key" 66 "turnpost keygen" tp sign neat.txt
mkdir -m 700 .ssh
cp alice .ssh/id_ed25519
check "the usual key" 0 "Wrote" tp sign neat.txt
cp alice open && chmod 644 open
check "a key open to others" 78 "chmod 600 open" tp sign neat.txt --key open
ssh-keygen -q -t ed25519 -N secret -f locked
check "a key with a passphrase" 78 "passphrase" tp sign neat.txt --key locked
printf '#turnpost orders\n%071d\n#end\n' 5 >long.txt
check "a long line" 1 "line 2 " tp sign long.txt --key alice
printf '#turnpost orders\nbuild\n' >open.txt
check "no end" 1 '"#end"' tp sign open.txt --key alice
printf 'hello\n' >hello.txt
check "no frame" 1 '#turnpost orders' tp sign hello.txt --key alice
holds "what was refused is not signed" test ! -e long.txt.sig -a ! -e open.txt.sig -a ! -e hello.txt.sig
printf '#turnpost join\ngame: gc-17\nnonce:\n#end\n' >join.txt
check "join" 0 "Rewrote" tp sign join.txt --key alice
holds "the nonce is filled" grep -qE '^nonce: [0-9a-f]{32}$' join.txt
cp join.txt join2.txt
check "sign it again" 0 "Wrote" tp sign join2.txt --key alice
holds "the nonce stays" cmp join.txt join2.txt

# ---- verify ----------------------------------------------------------------------------------------------
check "a file and its signature" 0 "good signature over neat.txt, namespace orders@turnpost, key SHA256:" tp verify neat.txt
check "the key inside is told" 0 "compare it" tp verify neat.txt
check "with the key" 0 "good signature" tp verify neat.txt --key alice.pub
check "with one of several keys" 0 "good signature" tp verify neat.txt --key <(cat dora.pub alice.pub)
check "with another key" 1 "BAD: neat.txt" tp verify neat.txt --key dora.pub
check "another namespace" 1 "BAD: neat.txt" tp verify neat.txt --namespace key@turnpost
ssh-keygen -q -Y sign -f alice -n orders@turnpost <hello.txt >hello.other
check "stock signature over any text" 0 "good signature over hello.txt" tp verify hello.txt --sig hello.other
sed 's/build/attack/' neat.txt >forged.txt
cp neat.txt.sig forged.txt.sig
check "a changed text" 1 "BAD: forged.txt" tp verify forged.txt
sed 's/^/ /' neat.txt >blanks.txt
cp neat.txt.sig blanks.txt.sig
check "blanks that mail added" 0 "in its canonical form" tp verify blanks.txt
check "nothing signed" 1 "BAD: #turnpost texts: 1 without any signature" tp verify <(orders)
check "nothing at all" 1 "holds no signature" tp verify hello.txt
cp neat.txt mini.txt
minisign -S -s bob.sec -m mini.txt >/dev/null
check "minisign" 0 "key minisign:" tp verify mini.txt --key bob.pub
check "minisign without key" 1 "--key" tp verify mini.txt
cp neat.txt signi.txt
signify-openbsd -S -s carol.sec -m signi.txt
check "signify" 0 "key signify:" tp verify signi.txt --key carol.pub
check "signify with another key" 1 "BAD" tp verify signi.txt --key bob.pub

mail_head() { printf 'From: Alice <alice@example.org>\nTo: orders@example.org\nSubject: orders\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n'; }
{ mail_head; printf '\nHello,\n\n'; cat pasted.txt; printf -- '-- \nsent from a phone\n'; } >inline.eml
check "a mail with inline orders" 0 "good signature over orders for gc-17, turn 5" tp verify inline.eml --key alice.pub
{ mail_head; printf 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b\nContent-Disposition: attachment; filename=o.txt\nContent-Transfer-Encoding: base64\n\n'
  base64 neat.txt; printf -- '--b\nContent-Disposition: attachment; filename=o.txt.sig\n\n'; cat neat.txt.sig; printf -- '--b--\n'; } >attached.eml
check "a mail with attachments" 0 "good signature over orders for gc-17, turn 5" tp verify attached.eml --key alice.pub
sed 's/build/attack/' inline.eml >forged.eml
check "a forged mail" 1 "BAD: a signed text" tp verify forged.eml --key alice.pub
{ mail_head; printf '\nno orders\n'; } >empty.eml
check "a mail without orders" 1 "holds no signature" tp verify empty.eml

# A log that holds one entry, by a key that openssl made.
openssl genpkey -algorithm ed25519 -out log.pem
PYTHONPATH=$root/tests/verifier python3 - <<'END'
import base64, subprocess
import forms, tlog
openssl = lambda *args: subprocess.run(["openssl", *args], capture_output=True, check=True).stdout
def sign(text):
    open("log.text", "wb").write(text)
    return openssl("pkeyutl", "-sign", "-inkey", "log.pem", "-rawin", "-in", "log.text")
point = openssl("pkey", "-in", "log.pem", "-pubout", "-outform", "DER")[-32:]
open("log.pub", "w").write("ssh-ed25519 %s\n" % base64.b64encode(forms.wire(b"ssh-ed25519") + forms.wire(point)).decode())
entry = "turn gc-17 12 2026-12-01T09:03:00Z " + "7" * 64 + " turn 5.0"
open("proof.txt", "w").write(tlog.armored(entry, "orion.example/turnpost/1", point, sign))
END
entry="  entry 1: record 12 of gc-17 (turn 5), 2026-12-01T09:03:00Z, head 777777777777"
{ printf 'Turn 6 begins.\n\n'; orders; printf -- '\n-- \n'; cat proof.txt; } >report.txt
check "a proof" 0 "$entry" tp verify report.txt --key log.pub
check "it names the log" 0 "proved by the log of orion.example/turnpost/1" tp verify report.txt --key log.pub
check "a proof by another key" 1 "BAD: a proof of the league's log" tp verify report.txt --key alice.pub
check "a proof without a key" 1 "name the league's policy" tp verify report.txt
sed '/BEGIN TURNPOST/,/END TURNPOST/{/^[A-Za-z0-9]/s/^./A/}' report.txt >false.txt
check "a changed proof" 1 "BAD: a proof of the league's log" tp verify false.txt --key log.pub
{ mail_head; printf 'Content-Transfer-Encoding: quoted-printable\n\n'; sed 's/=/=3D/g' report.txt; } >report.eml
check "the proof in a saved mail" 0 "$entry" tp verify report.eml --key log.pub
sed 's/^/> /' report.txt >quoted.txt
check "the proof in a quoted mail" 0 "$entry" tp verify quoted.txt --key log.pub

# ---- audit -----------------------------------------------------------------------------------------------
games=$root/games
check "audit a folder" 0 "galaxy-farmer: proved" tp audit "$games/galaxy-farmer"
check "audit says what it did" 0 "$(grep -c '"type":"turn"' "$games/galaxy-farmer/journal.jsonl") turns played again by the rules" tp audit --verbose "$games/galaxy-farmer"
check "audit says on what the deal rests" 0 "the deal rests on the texts by which all players joined" tp audit --verbose "$games/galaxy-farmer"
check "audit without a key says so" 0 "compare it with the one that you know" tp audit "$games/galaxy-farmer"
results=$root/tests/verifier/results
check "audit the results of a league" 1 "5 compared with the games; all ratings computed again: 3 in 1 list" tp audit --ratings --league "$results"
check "audit results without their games" 1 "sound as far as opened: 5 of its games are not there" tp audit "$results/competitions/results"
mkdir several # the suite audit/audit proves all that are recorded
cp -r "$games/galaxy-farmer" "$games/words" "$games/lockstep" several/
check "audit a folder of folders" 0 "3 games: 3 proved, 0 proved as far as opened, 0 broken" tp audit several
check "audit one after the other" 0 "3 games: 3 proved" tp audit --jobs 1 several
check "audit as JSON" 0 '"verdict":"proved"' tp audit --json "$games/galaxy-farmer"
check "audit prints a line a game" 0 3 bash -c "'$program' audit --json several | wc -l"
holds "audit says at most five things of whose word it is" bash -c "'$program' audit '$games/keys-p256' | grep -c '^- ' | grep -qx 3"
check "audit of a log that is none" 66 "has no checkpoint: that is no copy of a league's log" tp audit --log "$games"
check "audit of a log that is not there" 66 "has no checkpoint" tp audit --log nowhere --missing
check "audit with what is for logs" 64 "go with --log" tp audit --kept letter "$games/galaxy-farmer"
check "audit tells no progress to a file" 0 0 bash -c "'$program' audit several 2>&1 >/dev/null | wc -c"
mkdir published
cp "$games/galaxy-farmer/"* published/
check "audit of a file" 0 "proved" tp audit published/journal.jsonl
check "audit as the public" 0 "proved" tp audit published --as public
check "audit as a seat" 0 "proved" tp audit published --as seat 1
check "audit as a seat, in a word" 0 "proved" tp audit --as seat1 published
check "audit by the policy" 0 "proved" tp audit published --policy published/league.policy
check "audit by the policy of another league" 2 "another league's key" tp audit published --policy "$games/lockstep/league.policy"
mkdir alone foreign
cp published/journal.jsonl alone/
check "a journal alone" 1 "sound (" tp audit alone
also "and that anybody could have made it" "Anybody could have made it"
cp published/journal.jsonl foreign/ && cp "$games/words/"HEAD* foreign/
check "a journal with another game's proof" 1 "sound (" tp audit foreign
also "and why it is none" "does not hold"
check "audit as nobody" 64 "--as takes moderator, public, or a seat" tp audit published --as player
head -21 "$games/galaxy-farmer/journal.jsonl" >cut.journal.jsonl
check "audit of a part" 1 "turn 7 is open" tp audit --verbose cut.journal.jsonl

# ---- pipes and devices in the place of files: an error, and no waiting ---------------------------------------
mkdir piped zeros && mkfifo piped/journal.jsonl pipe.txt.sig && ln -s /dev/zero zeros/journal.jsonl && echo text >pipe.txt
soon() { timeout 5 "$program" "$@"; }
check "a device in a folder of games" 74 "zeros/journal.jsonl is not a plain file" soon audit zeros/journal.jsonl
check "a pipe beside a file" 74 "pipe.txt.sig is not a plain file" soon verify pipe.txt
for command in audit explain log; do
    for folder in piped zeros; do
        got=0
        soon "$command" "$folder" >out 2>err </dev/null || got=$?
        holds "$command does not wait for $folder" test "$got" != 0 -a "$got" != 124
    done
done
check "a pipe that was named" 0 "good signature" tp verify neat.txt --sig <(cat neat.txt.sig)
sed -i '7s/"turn":2/"turn":3/' published/journal.jsonl
check "audit of an edited journal" 2 "broken at record 7 (orders, turn 2) because" tp audit published
check "audit of good and bad games" 2 "1 broken" tp audit published several
check "audit of a competition and its games" 0 "6 games and 1 competition: 7 proved" tp audit "$games/competitions/spring"
check "audit of deals and the robots that play them" 0 "9 games and 1 competition: 10 proved" tp audit "$games/competitions/week"
check "audit of one with conditions, by the results of its league" 0 "4 games and 1 competition: 5 proved" tp audit "$games/competitions/guild"
check "audit of its journal alone" 1 "proved as far as opened: 6 of its games are not there" tp audit "$games/competitions/spring/journal.jsonl"
check "audit counts what is the operator's word" 1 "On the operator's word: 1 act of a moderator." tp audit "$games/competitions/spring/journal.jsonl"
check "audit of a competition as JSON" 1 '"missing":5,' tp audit --json "$games/competitions/s1/journal.jsonl"
cp -r "$games/competitions/s1" season
sed -i '5s/"player":"dora"/"player":"emil"/' season/journal.jsonl
check "audit of an edited competition" 2 "broken at record 5 (enter) because" tp audit season/journal.jsonl
check "audit of nothing" 66 "there is no file missing.jsonl" tp audit missing.jsonl/x
check "audit of no game" 66 "there is no game or competition \"gc-99\"" tp audit gc-99
mkdir nothing
check "audit of an empty folder" 66 "holds no journal.jsonl" tp audit nothing
tp keygen other >/dev/null
check "audit with another key" 2 "broken at record 1" tp audit "$games/galaxy-farmer" --key other.pub
check "audit with no key" 66 "nokey.pub" tp audit "$games/galaxy-farmer" --key nokey.pub
# ---- explain, diff, log ----------------------------------------------------------------------------------
recorded=$root/games/galaxy-command
eval "$(python3 "$root/tests/commands/recorded.py" "$program" "$recorded")"
check "fairness of recorded games" 0 "Nothing stands out" tp fairness "$root/games" "$root/games/competitions/week"
also "with what has too few draws" "too few: 300 needed"
also "and what it cannot show" "a generator is bent, not whether somebody chose"
check "fairness as JSON" 0 '"correction": "Holm"' tp fairness "$recorded" --json
cp -r "$recorded" closed && sed -i '/"type":"open"/,$d' closed/journal.jsonl
check "fairness of what is not opened" 66 "no game here is opened" tp fairness closed
check "a game that is not opened does not count" 0 "1 game is not opened yet" tp fairness closed "$recorded"
rm -r closed
check "draw" 0 "galaxy-command, after turn $turn</title>" tp draw "$recorded" --turn $turn
check "draw a PNG" 0 "Wrote board.png" tp draw "$recorded" -o board.png
check "draw no such turn" 1 "the last one is $last" tp draw "$recorded" --turn $((last + 1))
check "explain" 0 "$number. $who wins $system ($slot): die $die + military $military against $resistance." tp explain "$recorded" $turn
check "explain a journal" 0 "record $mail: $ordered" tp explain "$recorded/journal.jsonl" $turn
check "explain the last turn" 0 "TURN $last" tp explain "$recorded"
check "explain the deal" 0 "THE DEAL" tp explain "$recorded" 0
check "explain one event" 0 "die    $rolled: $die of 6" tp explain "$recorded" $turn $number
check "explain as a seat" 0 "You win $system" tp explain "$recorded" $turn --as seat $seat
check "explain no such turn" 1 "the last one is $last" tp explain "$recorded" $((last + 1))
check "explain no such event" 1 "events for this reader" tp explain "$recorded" $turn 99
check "explain no such seat" 1 "has seats 1 to 4" tp explain "$recorded" --seat 5
check "explain for whom" 64 "--as takes public, moderator" tp explain "$recorded" --as operator
check "explain twice for whom" 64 "say the same" tp explain "$recorded" --as public --seat 1
check "explain nonsense" 1 "is neither a turn (5) nor a record (r70)" tp explain "$recorded" seven
check "explain no number of an event" 1 "EVENT is the number of an event" tp explain "$recorded" 7 r2
check "explain a play by its record" 0 "TURN $turn" tp explain "$recorded" r$play
check "explain no such play" 1 "record $((play - 1)) plays no turn" tp explain "$recorded" r$((play - 1))
holds "explain to a stranger" bash -c "for turn in {1..12}; do '$program' explain '$root/games/galactic-supremacy' \$turn; done | grep -qE '\[To (alice|bob|carol):\] (alice|bob|carol) draws a (command|fleet|leader|research|sector) card'"
check "explain places" 0 "$who, $slot, aligned: no -> yes, as number $counted" tp explain "$recorded" $turn
check "explain the deadline" 0 "the deadline was " tp explain "$recorded" $turn
check "explain no such file" 66 "nowhere.jsonl" tp explain ./nowhere.jsonl
check "explain no such game" 66 "is neither a game of this league" tp explain gc-99
check "explain a page" 0 "Wrote page.html" tp explain "$recorded" $turn --html page.html
holds "the page is whole" bash -c "grep -q '$who wins $system' page.html && tail -1 page.html | grep -q '</html>'"
tp explain "$recorded" $turn --json >turn.json
holds "explain as JSON" python3 - turn.json $number $mail <<'END'
import json, subprocess, sys
turn = json.load(open(sys.argv[1]))
root = turn["proof"]["root"]
assert turn["story"][int(sys.argv[2]) - 1]["cause"]["record"] == int(sys.argv[3])
# The commands that explain names for checking a die by hand.
key = """import hashlib, sys; r, label = sys.argv[1:]; print(
  hashlib.blake2b(b"turnpost/draw\\0" + label.encode(),
  key=bytes.fromhex(r[:64]), digest_size=32).hexdigest())"""
dice = [draw for draw in turn["draws"] if draw.get("die")]
assert dice
for die in dice:
    got = subprocess.check_output([sys.executable, "-c", key, root, die["label"]], text=True).strip()
    assert got == die["key"], die
    number = subprocess.check_output(
        "head -c 4 /dev/zero | openssl enc -chacha20 -K %s -iv 000000004c6962736f6469756d445247 | od -An -tu4"
        % got, shell=True, text=True)
    assert int(number) == die["number"] and int(number) % die["of"] + 1 == die["result"], die
END
check "diff" 0 "player[$((seat - 1))].near[$((${slot#N} - 1))].aligned ($who)" tp diff "$recorded" $((turn - 1)) $turn
check "diff of records" 0 "Nothing differs." tp diff "$recorded" r$play r$((next - 1))
check "diff as JSON" 0 '"path": "round"' tp diff "$recorded" 1 2 --json
check "diff no such record" 1 "has no record 99" tp diff "$recorded" 1 r99
check "diff nonsense" 1 "is neither a turn (5) nor a record (r70)" tp diff "$recorded" 1 x
check "log" 0 "(Promoted to Admiral)" tp log "$recorded"
check "log as JSON" 0 '"type": "open"' tp log "$recorded" --json
check "log as JSON has times in words" 0 ' UTC",' tp log "$recorded" --json
check "log and explain as JSON hold no parts of words" 0 0 bash -c "{ '$program' log '$recorded' --json; '$program' explain '$recorded' --json; } | grep -cE '\"(moment|duration|ranks)\"' || true"
mkdir running
head -$next "$recorded/journal.jsonl" >running/journal.jsonl
check "a running game: the log" 0 "carol (seat 3) sends orders for turn $((turn + 1)); they are sealed." tp log running
check "a running game: its story is sealed" 0 "it is sealed until the game" tp explain running
check "a running game: its state is sealed" 1 "is sealed to this reader" tp diff running $turn $((turn + 1))
check "a moderator needs what opens it" 1 "needs the key to its boxes" tp explain running --as moderator
python3 - "$root/tests/verifier" "$recorded/journal.jsonl" $next >running/opened.txt <<'END'
import json, sys
sys.path.insert(0, sys.argv[1])
import boxes
records = [json.loads(line) for line in open(sys.argv[2])]
key = bytes.fromhex(records[-1]["seal_key"])
for record in records[: int(sys.argv[3])]:
    for item, one in [(0, record)] * ("box" in record) + list(enumerate(record.get("hidden", []), 2)):
        k = boxes.box_key(key, bytes.fromhex(one["seal"]))
        data = boxes.turned(k, boxes.base64_bytes(one["box"], "a box"))
        salt = [boxes.salt_of(key, record["seq"], 0, item, data).hex()] * (item > 0)
        print("open", record["game"], record["seq"], item, k.hex(), *salt)
END
check "a moderator is told all" 0 "robot1 wins $robot_won" tp explain running --as moderator
check "what the reports told" 0 "You win $then_won" tp explain running --seat $then_seat --told
check "it differs in what is seen" 0 "as bob sees the game" tp diff running $turn $((turn + 1)) --seat 2 --told
sed -i '5s/"seq":5/"seq":6/' running/journal.jsonl
check "a broken journal" 65 "galaxy-command" tp log running
check "a game of the league" 0 "The game is made: galaxy-command" tp log open-1
check "a game that has not begun" 1 "no turn has been played yet" tp explain open-1

# ---- doctor ----------------------------------------------------------------------------------------------
check "doctor" 0 "ok       players    5, each with a key" tp doctor
holds "every check is ok, but that nobody else has the log, and the time that it was told above" bash -c "[ \"\$('$program' doctor | grep -v -e '^ok ' -e '^warning  clock .* dated up to 2026-12-31T00:00:00Z' | cut -c1-70)\" = \"\$('$program' doctor | grep '^warning  log .*nobody else has' | cut -c1-70)\" ]"
holds "doctor as JSON" python3 -c 'import json,subprocess,sys; d=json.loads(subprocess.check_output([sys.argv[1],"doctor","--json"])); assert d["ok"] is True and {c["check"] for c in d["checks"]}>={"folder","league.ini","keys","players","games","spool","disk","clock","incoming","outgoing","bounces"}' "$program"
check "doctor without a league" 78 "FAILED   folder" tp doctor --league nowhere
chmod 640 orion/keys/secret/vrf
check "an open secret" 78 "chmod 600 $work/orion/keys/secret/vrf" tp doctor
chmod 600 orion/keys/secret/vrf
chmod 755 orion
check "an open folder" 0 "warning  folder" tp doctor
chmod 700 orion
: >orion/keys/dora.pub
check "a player without key" 78 "keys/dora.pub holds no key. Mend it, or take what the registry's journal has: turnpost player restore dora" tp doctor
cp orion/league.ini before.ini
sed -i 's/^#moderators =/moderators = alice mona/' orion/league.ini
check "a moderator who is no player" 78 "warning  players    [league] moderators names mona, who is no player; run: turnpost player add mona" tp doctor
mv before.ini orion/league.ini
cp forms.pub orion/keys/dora.pub
check "a file with a key in two formats" 0 "warning  keys       $work/orion/keys/dora.pub line 2: this key is here twice" tp doctor
check "stops nobody" 0 "alice@example.org" tp player list
cat alice.pub >>orion/keys/dora.pub
check "a key in two files" 78 "warning  keys       $work/orion/keys: alice.pub and dora.pub hold the same key" tp doctor
check "stops nobody either" 0 "bob@example.org" tp player list
if [ "$(id -u)" = 0 ]; then
    chown 65534 orion/keys/secret/vrf
    check "a secret of somebody else" 78 "run turnpost as that user, or: chown 0 $work/orion/keys/secret/vrf" tp doctor
    chown 0 orion/keys/secret/vrf
fi
cp four.pub orion/keys/ghost.pub
check "keys without a player" 78 "keys/ghost.pub belongs to no player" tp doctor
rm orion/keys/ghost.pub
tp player restore dora >/dev/null
: >orion/spool/failed/gc-1.5.2.eml
check "mail that was given up" 0 "1 given up; the reasons are in" tp doctor
rm orion/spool/failed/gc-1.5.2.eml
cp orion/league.ini good.ini
printf '[league]\naddress = orders@example.org\n[outgoing]\ntype = smtp\nhost = localhost\nport = 1\n' >orion/league.ini
check "a server that is away" 75 "FAILED   outgoing" tp doctor
printf '[league]\naddress = orders@example.org\n[outgoing]\ntyp = smtp\n' >orion/league.ini
check "a misspelt option" 78 "league.ini:4: [outgoing] typ: there is no such option; did you mean type?" tp doctor
printf '[league]\naddress = orders@example.org\ntimezone = Mars/Olympus\n' >orion/league.ini
check "an unknown time zone" 78 "unknown time zone" tp doctor
cp good.ini orion/league.ini
check "a clock that stands still" 78 "FAILED   clock" tp doctor --now 1999-01-01T00:00:00Z
mv orion/games games.away
check "games are missing" 78 "FAILED   games" tp doctor
holds "and nothing is made in their place" test ! -e orion/games
mv games.away orion/games
holds "a backup" tp backup stored
mkdir stored/games/gc-9 && mkfifo stored/games/gc-9/journal.jsonl
check "a pipe in a backup" 74 "journal.jsonl is not a plain file" soon restore stored again
rm -rf stored again again.part
check "all is well again" 0 "ok       games" tp doctor

# ---- templates of one's own --------------------------------------------------------------------------------------
mkdir -p orion/templates/common orion/templates/galaxy_command orion/templates/galaxy_comand
printf 'Hello from {{league}}.\n' >orion/templates/common/receipt.txt
printf '{{>board}}\n' >orion/templates/galaxy_command/report.html
check "templates that can be read" 0 "ok       templates  2 of the league's own can be read" tp doctor
check "a folder that nobody reads" 0 "galaxy_comand: nobody reads it" tp doctor
printf '{{#missed}} and no end\n' >orion/templates/common/report.txt
check "a template that is cut short" 78 "FAILED   templates" tp doctor
check "is named, with what to do" 78 "templates/common/report.txt" tp doctor
rm orion/templates/common/report.txt
: >orion/templates/common/reciept.txt
check "a misspelt template" 0 "common/reciept.txt: no mail asks for it, so it is used only if another of your templates includes it; did you mean receipt.txt?" tp doctor
: >orion/templates/common/receipt.tmpl
check "no template at all" 0 "receipt.tmpl ends in none of .txt, .html and .svg" tp doctor
rm orion/templates/common/rec* && mkfifo orion/templates/common/report.txt
check "a pipe in a template's place" 78 "is not a plain file" soon doctor
rm -rf orion/templates

# ---- what a backup says of itself, and what cannot be done while somebody works ------------------------------------
check "a backup says what is in it" 0 "3 games, 5 players, league.ini, the keys (also the secret ones: keep it private)" tp backup stored
also "and that nobody worked" "Nobody worked on the league meanwhile."
also "and what is not" "the mailboxes, with the mails that were processed"
rm -rf stored
# while_locked COMMAND...: as while a daemon works that answers nobody.
while_locked() { flock orion/lock "$program" "$@"; }
check "no time of one's own beside a daemon" 75 "--now is possible only while nobody does" while_locked moderate gc-1 pause --reason x --now 2026-12-01T00:00:00Z
check "no init beside a daemon" 75 "works on the league in orion: stop it first" while_locked init orion
check "no restore over it" 75 "works on the league in orion: stop it first" while_locked restore stored orion
check "and none from it" 75 "works on the league in orion: stop it first" while_locked restore orion again
exec 9>>orion/lock
flock 9
check "a command waits, and is withdrawn" 75 "withdrawn; nothing was done" timeout --preserve-status -s INT 6 "$program" player address alice other@example.org --at-once
exec 9>&-
holds "without a trace" test -z "$(ls orion/queue)"
check "it has done nothing" 0 "alice@example.org" tp player list
chmod 755 orion/queue
check "a queue that is open to others" 78 "chmod 700" while_locked player address alice other@example.org --at-once
chmod 700 orion/queue
check "it waits until the other one is done" 0 "alice has the address alice@example.org now" bash -c "flock orion/lock sleep 2 & sleep 0.3; '$program' player address alice alice@example.org --at-once"
holds "and knows by an id that it is done once" grep -q '"request":"[0-9a-f]\{64\}"' orion/registry/journal.jsonl

# ---- competitions: from nothing to the final table, and to the season after it --------------------------------------
tp init cup --name Cup --address cup@example.org >/dev/null
sed -i "s/^trust = mail\$/trust = signed/" cup/league.ini
export TURNPOST_LEAGUE=$work/cup
check "no competitions yet" 0 "No competitions yet" tp compete list
for player in anna ben carla dan; do
    ssh-keygen -q -t ed25519 -N '' -f cup-$player
    tp player add $player $player@example.net cup-$player.pub >/dev/null
done
sed -i 's/^#moderators =.*/moderators = ben/' cup/league.ini
at() { local when=$1; shift; "$program" "$@" --now "$when"; }
# After a long pause nothing is drawn for a day: the clock may have jumped.
live() { for hour in "$@"; do at "$hour:00:00Z" run 2>/dev/null; done; }
first=2026-12-01T10:10:00Z
open_cup() { at $first compete new "$@" --ruleset galactic-contract --rounds 2 --entries 7d --confirm 2d --adjudge moderator --director anna; }
check "a competition wants to know what is played" 1 "say what is played and how" at $first compete new spring
check "and how long a round is" 1 "say how long a round may take" open_cup spring --kind tables
check "games must fit into rounds" 1 "or say --cut-short" open_cup spring --kind tables --round-length 10d
check "a deal with dice" 1 "draws cards or dice after the deal" tp compete new deal --kind duplicate --ruleset galaxy-command
check "a deal that is rated" 1 "played alone are not rated" tp compete new deal --kind duplicate --ruleset galaxy-farmer --rated
check "a deal with minutes" 1 "in whole hours here" tp compete new deal --kind duplicate --ruleset galaxy-farmer --deadline 90m
check "a deal that gets later and later" 1 "at least 2h have to lie" tp compete new deal --kind duplicate --ruleset galaxy-farmer --break 1h
check "games on days that are off" 1 "is on a weekend" open_cup spring --kind tables --round-length 90d --schedule "weekends 12:00" --weekends-off
check "a deal with a bye" 1 "nobody has a bye" tp compete new deal --kind duplicate --ruleset galaxy-farmer --bye 1
check "a stranger outside of the ranking" 1 'there is no player "nobody"' tp compete new deal --kind duplicate --ruleset galaxy-farmer --outside nobody
check "robots at tables" 1 "for --kind duplicate" open_cup spring --kind tables --field 5 --round-length 10d
check "a kind that there is not" 1 "--kind takes tables, divisions or duplicate" open_cup spring --kind knockout --round-length 10d
check "seats of the ruleset" 1 "a table of Galactic Contract has 2 to 4 players here" open_cup spring --kind tables --seats 5 --round-length 10d
check "divisions are of two at a table" 1 "divisions are played by two" open_cup spring --kind divisions --seats 3 --round-length 10d
check "walk-overs are of divisions" 1 "--walkover is for --kind divisions" open_cup spring --kind tables --walkover 1 --round-length 10d
check "a walk-over has a value" 1 "--walkover takes points: 0, 0.5, 1, up to 50" open_cup spring --kind divisions --walkover 51 --round-length 10d
check "divisions are opened" 0 "Competition halves (Galactic Contract) is open: divisions" open_cup halves --kind divisions --walkover 0.5 --round-length 10d --cut-short
check "with the value of a walk-over" 0 '"walkover":1,' head -1 "$TURNPOST_LEAGUE/competitions/halves/journal.jsonl"
check "which usually is that of a win" 0 "is open: divisions" open_cup wins --kind divisions --round-length 10d --cut-short
check "as one is" 0 '"walkover":2,' head -1 "$TURNPOST_LEAGUE/competitions/wins/journal.jsonl"
rm -r "$TURNPOST_LEAGUE/competitions/halves" "$TURNPOST_LEAGUE/competitions/wins"
check "one whose folder is gone is missed" 2 "competition halves is gone" tp status
check "until it is forgotten" 0 "Competition halves is forgotten. Its name stays taken." tp compete forget halves
check "as the other one" 0 "Competition wins is forgotten" tp compete forget wins
check "no draw before entries have closed for a day" 1 "--starts: entries close a day before a draw" open_cup spring --kind tables --round-length 10d --starts 2026-12-09T00:00:00Z
check "a season needs time to be followed" 1 "--again takes at least 13d here" open_cup spring --kind tables --round-length 10d --deadline 1d --cut-short --again 5d
check "a name that is too long" 1 "cannot name a competition: use up to 16" open_cup a-much-too-long-name --kind tables --round-length 10d
check "a name of the program's" 1 "cannot name a competition" open_cup results --kind tables --round-length 10d
tp new old.1 galaxy-farmer --seats anna >/dev/null
check "a name that games have" 1 "there is a game \"old.1\" already" open_cup old --kind tables --round-length 10d --deadline 1d --cut-short
check "a competition is opened" 0 "results are final      Fri 8 Jan 2027, 11:00 UTC" open_cup spring --kind tables --round-length 10d --deadline 1d --cut-short --again 30d --invite anna,ben
also "who is mailed" "Invited: anna,ben. Who wants to play answers by entering."
also "it says how long games are" "where each turn takes all its time"
check "once" 1 "there is a competition \"spring\" already" open_cup spring --kind tables --round-length 10d
check "its name is no game's" 1 "is the name of a competition, or of one of its games" tp new spring galaxy-farmer --seats anna
check "nor are those of its games" 1 "is the name of a competition, or of one of its games" tp new spring.1.1 galaxy-farmer --seats anna
check "somebody is invited" 0 "Invited: carla." at $first compete invite spring carla
check "nobody is entered" 64 "there is no \"enter\"" at $first compete enter spring carla
check "nobody who is not registered" 1 "there is no player \"zoe\"" at $first compete invite spring zoe
check "a misspelt competition" 66 "did you mean spring?" at $first compete invite sprin dan
check "who is not in it cannot withdraw" 1 "dan cannot withdraw: they are not in it" at $first compete withdraw spring dan
for verb in enter confirm; do
    for player in anna ben carla; do enters $verb spring $player cup-$player 2026-12-01; done
    at $first run 2>/dev/null
done
check "who is in it is not invited" 1 "carla cannot enter: they are in it already" at $first compete invite spring carla
check "what there is" 0 "round 0 of 2, 3 in; entries close 2026-12-08T11:00:00Z" at $first compete list
check "a subcommand that there is not" 64 "new, list, show" tp compete shwo spring
check "a ruling has a reason" 64 "--reason TEXT" tp compete remove spring ben
live 2026-12-11T00 2026-12-11T12 2026-12-12T10
check "the first round is drawn" 0 "the round ends 2026-12-21T11:00:00Z" at 2026-12-12T10:00:00Z compete show spring
also "somebody has a bye" "  bye: "
holds "a game is made" test -s cup/games/spring.1.1/journal.jsonl
check "a game that goes on waits for no ruling" 1 "waits for no ruling" at 2026-12-12T10:00:00Z compete rank spring 1 1 1,2 --reason x --by ben
# The players of round 2 are fixed a day before its draw: from now on it is anna and ben.
check "points that are none" 1 "points are 1, 0.5, -1" at 2026-12-20T10:00:00Z compete points spring carla much --reason x
check "a penalty" 0 "spring: -0.5 points for carla." at 2026-12-20T10:00:00Z compete points spring carla -0.5 --reason "late"
check "somebody has to go" 0 "carla is removed from spring" at 2026-12-20T10:00:00Z compete remove spring carla --reason "two accounts"
check "for good" 1 "carla cannot enter: they were removed from it" at 2026-12-20T10:00:00Z compete invite spring carla
check "after its round it does" 0 "waits for rulings of round 1" at 2026-12-21T12:00:00Z doctor
check "and status says so" 2 "waits for rulings of round 1" at 2026-12-21T12:00:00Z status
check "ranks that cannot be" 1 "its ranks cannot be" at 2026-12-21T12:00:00Z compete rank spring 1 1 1,3 --reason x --by ben
check "only moderators rule" 1 "carla is no moderator" at 2026-12-21T12:00:00Z compete rank spring 1 1 1,2 --reason x --by carla
check "a ruling" 0 "spring, round 1, table 1:" at 2026-12-21T12:00:00Z compete rank spring 1 1 1,2 --reason "by points" --by ben
check "it can be changed" 0 "spring, round 1, table 1:" at 2026-12-21T12:10:00Z compete rank spring 1 1 2,1 --reason "seats were mixed up" --by ben
live 2026-12-22T12 2026-12-23T00 2026-12-23T13
check "a director does not rule at their own table" 1 "name the other moderator" at 2027-01-01T12:00:00Z compete rank spring 2 1 1,1 --reason "a draw"
at 2027-01-01T12:00:00Z compete rank spring 2 1 1,1 --reason "a draw" --by ben >/dev/null
check "a backup has it" 0 "1 competition, 4 players" tp backup stored
live 2027-01-09T11 2027-01-09T23 2027-01-10T12
check "it is over" 0 "over        round 2 of 2" tp compete list
check "and the next season is open" 0 "spring-2: tables, Galactic Contract, 2 at a table; entries, round 0 of 2" at 2027-01-10T12:00:00Z compete show spring-2
holds "whose players are asked once" test "$(ls cup/mail/out/ben@example.net/new | grep -c '^spring-2\.1\.')" = 1
holds "and nobody who was removed" test -z "$(ls cup/mail/out/carla@example.net/new | grep '^spring-2\.' || true)"
at 2027-01-10T12:10:00Z run 2>/dev/null
holds "once" test "$(ls cup/competitions | wc -l)" = 2
check "a season after it with other rules" 0 "Competition summer (Galactic Contract) is open" at 2027-01-10T12:10:00Z compete new summer --after spring --bye 0.5 --deadline 12h --cut-short
check "not after one that goes on" 1 "spring-2 is not over yet" at 2027-01-10T12:10:00Z compete new s2 --after spring-2
check "the backup is checked" 0 "1 competition checked." tp restore stored again
check "and goes on where it was" 0 "protests    round 2 of 2" at 2027-01-01T12:00:00Z compete list --league again
sed -i '3s/"seq":3/"seq":4/' stored/competitions/spring/journal.jsonl
check "not if its journal was changed" 65 "spring" tp restore stored another
rm -rf again* another* stored
sed -i '3s/"seq":3/"seq":4/' cup/competitions/spring-2/journal.jsonl cup/competitions/spring/journal.jsonl
check "doctor names one that cannot be read" 78 "FAILED   compete" tp doctor
check "so does list" 0 "! competition spring" tp compete list
printf 'All are welcome.\n' >words
check "words to all" 0 "To be sent to 4 players." at 2027-01-10T12:20:00Z announce words --title "Hello"
check "to those of a game" 0 "To be sent to 2 players." at 2027-01-10T12:20:00Z announce words --game spring.1.1
check "to a game that there is not" 66 "gc-9" at 2027-01-10T12:20:00Z announce words --game gc-9
check "to nobody" 1 "there is nobody to write to" at 2027-01-10T12:20:00Z announce words --competition spring-2
check "no words" 1 "the text is empty" at 2027-01-10T12:20:00Z announce - 
holds "the words are in a mail" grep -rq "All are welcome" cup/spool/new
holds "its title is taken for no game's" bash -c '! grep -rq "operator, game old.1" cup/spool/new'
check "words by a queue" 75 "--now is possible only" flock cup/lock "$program" announce words --now 2027-01-10T12:20:00Z
rm -rf cup cup-* words
export TURNPOST_LEAGUE=$work/orion

# ---- make install: the paths are right whatever PREFIX is -------------------------------------------------------------
strange=/opt/Strange+Place_1.2
holds "install" bash -c "cd '$root' && bash src/build/install.sh '$program' '$work/dest' $strange"
to=$work/dest$strange
holds "the program" cmp "$to/bin/turnpost" "$program"
holds "the units name it" test "$(grep -h ^ExecStart= "$to"/share/turnpost/*.service | sort | tr '\n' ' ')" = "ExecStart=$strange/bin/turnpost daemon ExecStart=$strange/bin/turnpost run --verbose "
holds "so does the file for cron" test "$(grep -c "turnpost  $strange/bin/turnpost " "$to/share/turnpost/turnpost.cron")" = 2
holds "nothing names another place" bash -c "! grep -rI /usr/local/ '$to'"
holds "the manual has the pages" test -e "$to/share/man/man1/turnpost.1" -a -e "$to/share/man/man1/turnpost-witness.1" -a -e "$to/share/man/man5/league.ini.5"
holds "the pages' links lead somewhere" bash -c "! python3 '$root/tests/pages.py' '$to/share/doc/turnpost' | grep -v 'there is no file'"
holds "examples for templates" cmp "$to/share/doc/turnpost/templates/common/receipt.txt" "$root/templates/common/receipt.txt"
check "a PREFIX that units cannot name" 1 "units and cron files cannot name a PREFIX" bash -c "cd '$root' && bash src/build/install.sh '$program' '$work/dest' '/opt/a b'"
check "a PREFIX that is no path" 1 "PREFIX must begin with /" bash -c "cd '$root' && bash src/build/install.sh '$program' '$work/dest' opt"
rm -rf dest

# ---- files that do not belong, or are damaged: named, and nothing else stops -----------------------------------
echo x >orion/games/note.txt
mkdir orion/games/empty orion/spool/tmp/folder orion/spool/new/folder
check "a stray file in games" 0 "warning  games      games/note.txt is no game" tp doctor
check "a folder there" 0 "warning  games      games/empty is no game" tp doctor
check "a folder in the spool" 0 "spool/tmp/folder is no mail; take it away" tp doctor
check "a run with all that" 0 "spool/tmp/folder is no mail and stays where it is" tp run
holds "a backup with all that" tp backup stored
holds "and with the memory of rounds" cmp orion/registry/rounds stored/registry/rounds
check "and its restore" 0 "3 games checked" tp restore stored again
holds "which knows when work was done last" cmp orion/registry/rounds again/registry/rounds
holds "and runs at once" tp run --league again
rm -rf again
sed -i 's/^\[incoming\]/&\ntype = imap\nhost = imap.example.org\nuser = orders\npassword_file = password/; s/^maildir = .*//' stored/league.ini
check "the password that no backup holds is named" 0 "again/password is missing: no backup holds passwords" tp restore stored again
rm -rf again
sed -i 's/^type = imap/type = maildir\nmaildir = \/nowhere\/mail/; /^host = imap/d; /^user = orders/d; /^password_file/d' stored/league.ini
check "so is a Maildir elsewhere" 0 "/nowhere/mail is no Maildir" tp restore stored again
rm -rf stored again orion/games/note.txt orion/games/empty orion/spool/tmp/folder orion/spool/new/folder
cp orion/players/bob.json kept.json
echo '{' >orion/players/bob.json
check "a damaged player" 65 "players/bob.json cannot be read" tp run
check "stops nobody else" 65 "bob is left out, their mails and turns wait, the others go on" tp run
check "doctor says how to get it back" 78 "turnpost player restore bob" tp doctor
check "status names it" 2 "players/bob.json cannot be read" tp status
holds "and back it comes" tp player restore bob
check "as it was" 0 "bob@example.org" tp player list
check "nothing to restore" 1 "is there and can be read" tp player restore bob
check "nobody to restore" 66 "the registry's journal does not have players/nobody1.json" tp player restore nobody1
holds "bob is no other" cmp kept.json orion/players/bob.json
check "what was there is kept" 0 "{" cat orion/registry/bob.json.before
rm -f orion/registry/bob.json.before
sed 's/^{/{"clan": "red",/' kept.json >orion/players/bob.json
cp orion/players/bob.json newer.json
check "a newer Turnpost's file is not written over" 65 "players/bob.json: \"clan\" is not known to this Turnpost" tp player restore bob
holds "it is as it was" cmp newer.json orion/players/bob.json
check "nor is that advised by run" 65 "bob is left out, their mails and turns wait, the others go on. The file stays as it is" tp run
check "nor by doctor" 78 "made by a newer Turnpost" tp doctor
tp doctor >said 2>&1 || true
holds "not at all" bash -c '! grep -q "player restore bob" said'
rm orion/players/bob.json
mkdir orion/players/bob.json
check "a file that nobody can read is not, either" 74 "players/bob.json is not a plain file" tp player restore bob
check "and what is to be done is said" 74 "put it aside" tp player restore bob
rmdir orion/players/bob.json
sed 's/bob@example.org/bobby@example.org/; s/,$//' kept.json >orion/players/bob.json
cp orion/players/bob.json half.json
check "a file that is half edited" 0 "bob <bob@example.org> is as the registry's journal has it" tp player restore bob
also "is compared" "the file did not hold the address bob@example.org"
also "where it is kept is said" "what stood there is in"
grep -q "cannot be read" out err && shouts=1 || shouts=0
holds "without a word of the damage that is mended" test "$shouts" = 0
holds "and kept" cmp half.json orion/registry/bob.json.before
head -c 5000000 /dev/zero >orion/players/bob.json
holds "one that is too large to be read" tp player restore bob
holds "is kept, too" test "$(stat -c %s orion/registry/bob.json.before.2)" = 5000000
holds "beside the first" cmp half.json orion/registry/bob.json.before
tp player address dora bob@example.org --at-once 2>/dev/null
echo x >orion/players/bob.json
check "an address that somebody else has now" 0 "dora has the same address" tp player restore bob
tp player address dora dora@example.net --at-once >/dev/null
cp orion/keys/bob.pub kept.pub
echo 'ssh-ed25519 AAAA' >orion/keys/bob.pub
check "damaged keys" 65 "bob is left out, their mails and turns wait, the others go on. Mend the file, or run: turnpost player restore bob" tp run
check "doctor names them" 78 "Mend it, or take what the registry's journal has: turnpost player restore bob" tp doctor
check "status, too" 2 "keys/bob.pub line 1" tp status
check "are restored, too" 0 "the keys of bob are as the registry's journal has them" tp player restore bob
holds "as they were" cmp kept.pub orion/keys/bob.pub
holds "and kept" grep -q AAAA orion/registry/bob.pub.before
rm orion/keys/bob.pub
check "keys that are gone" 65 "keys/bob.pub is missing" tp run
holds "come back" tp player restore bob
cat out err >before
grep -q "is missing" before && shouts=1 || shouts=0
holds "without a word of what is mended" test "$shouts" = 0
holds "just so" cmp kept.pub orion/keys/bob.pub
printf '' >orion/keys/bob.pub
check "a file without a key" 65 "keys/bob.pub holds no key; bob is left out" tp run
check "comes back, too" 0 "the keys of bob are as the registry's journal has them" tp player restore bob
holds "as it was" cmp kept.pub orion/keys/bob.pub
cp orion/keys/bob.pub orion/keys/bob-old.pub
check "a copy of it beside it" 0 "the key in bob.pub stands in bob-old.pub, too, which no player has the name of; take that away" tp run
rm orion/keys/bob-old.pub
cp orion/keys/dora.pub kept.dora
cp orion/keys/bob.pub orion/keys/dora.pub
check "a key in two files" 65 "keys/bob.pub holds no key that is not in the file of another player, too; bob is left out" tp run
check "is not given to either" 1 "this key is dora's already; two players may not share a key; if it is in their file by mistake" tp player restore bob
holds "until the wrong one is restored" tp player restore dora
holds "to what it was" cmp kept.dora orion/keys/dora.pub
holds "and all is well" tp run
rm -f orion/keys/bob.pub orion/players/bob.json
check "player and keys" 0 "bob <bob@example.org> and their keys are as the registry's journal has them" tp player restore bob
holds "both" cmp kept.pub orion/keys/bob.pub
holds "both of them" cmp kept.json orion/players/bob.json
mv orion/players/bob.json kept.json
mkdir guest
ssh-keygen -q -t ed25519 -N "" -C guest -f guest/id
check "nobody is entered over their keys" 1 "keys/bob.pub is there, but there is no player bob" tp player add bob new@example.org guest/id.pub
mv orion/keys/bob.pub kept.pub
check "nor over what the journal has" 1 "the registry's journal has a player bob, whose files are gone" tp player add bob new@example.org guest/id.pub
mv kept.pub orion/keys/bob.pub
mv kept.json orion/players/bob.json
tp new gc-7 galaxy-command --seats alice,bob >/dev/null
mv orion/players/bob.json kept.json
check "a player who is gone" 65 "bob has a seat in game gc-7, which is running, and there is no players/bob.json" tp run
check "nobody is entered in their place" 1 "bob has a seat in game gc-7, which is running, and players/bob.json is gone; to have them back, run: turnpost player restore bob" tp player add bob new@example.org guest/id.pub
for damage in "rm -f orion/catalog.sqlite*" "cp newer.json orion/catalog.sqlite"; do
    bash -c "$damage"
    check "nor without the catalog: $damage" 1 "bob has a seat in game gc-7" tp player add bob new@example.org guest/id.pub
done
mv kept.json orion/players/bob.json
for damage in "rm -f orion/catalog.sqlite*" "cp newer.json orion/catalog.sqlite"; do
    bash -c "$damage"
    check "nobody with a seat is taken out without it: $damage" 1 "bob has a seat in game gc-7, which is running" tp player remove bob
done
cp orion/games/gc-7/journal.jsonl kept.jsonl
echo x >orion/games/gc-7/journal.jsonl
rm -f orion/catalog.sqlite* orion/games/gc-7/state.json
check "nor while a game cannot be read" 65 "there are games that cannot be read" tp player remove bob
mv kept.jsonl orion/games/gc-7/journal.jsonl
mv orion/players/bob.json kept.json
check "all of which the next run makes good" 65 "bob has a seat in game gc-7" tp run
check "doctor, too" 78 "there is no players/bob.json. Mend it, or take what the registry's journal has" tp doctor
mv kept.json orion/players/bob.json
check "all is well once more" 0 "each with a key" tp doctor

cp orion/players/alice.json orion/players/alice-old.json
check "a copy of a player's file" 0 "players/alice-old.json holds the player alice, and nobody is called alice-old (a copy?); take it away" tp run
check "doctor names it, too" 0 "(a copy?); take it away" tp doctor
tp status >said 2>&1 || true
holds "it is no trouble" bash -c '! grep -q alice-old said'
rm orion/players/alice-old.json

mv orion/registry/journal.jsonl kept.registry
check "the registry's journal is gone" 65 "registry/journal.jsonl is gone or empty" tp run
check "and doctor says so" 78 "if it is lost for good, make this league again from a copy of itself" tp doctor
mv kept.registry orion/registry/journal.jsonl
holds "until it is back" tp run

# ---- a damaged invitation -----------------------------------------------------------------------------------------
tp invite >/dev/null
token=$(ls -t orion/tokens/i*.json | head -1)
cp "$token" kept.token
echo '{' >"$token"
check "a damaged invitation is named" 78 "cannot be read" tp doctor
also "by its file" "$(basename "$token")"
cp kept.token "$token"
holds "and all is well" tp doctor

# ---- a backup that was made in the middle of a commit -----------------------------------------------------------
holds "a backup of a game" tp backup stored
printf '{"game":"half' >>stored/games/gc-7/journal.jsonl
cp stored/games/gc-7/*.jsonl "$work/"
check "half a record" 2 "the journal ends in the middle of it" tp audit journal.jsonl
check "is cut" 0 "" tp restore stored again
check "what is left is sound" 1 "again/games/gc-7: sound" tp audit again/games/gc-7
holds "its league goes on" tp run --league again
check "and has it in its log" 0 "again/games/gc-7: proved" tp audit again/games/gc-7
rm -rf stored again
tp new gc-8 galaxy-command --seats robot:x,robot:y >/dev/null
holds "a backup of a game that is over" tp backup stored
last=$(grep -n '"type":"close"' stored/games/gc-8/journal.jsonl | tail -1 | cut -d: -f1)
head -n "$last" orion/games/gc-8/journal.jsonl >stored/games/gc-8/journal.jsonl
cp stored/games/gc-8/*.jsonl "$work/"
check "a close without its turn" 2 "\"turn\" must follow and is missing" tp audit journal.jsonl
check "is cut, with all that the same commit played" 0 "it is cut back to record 3," tp restore stored again
check "and is sound" 1 "again/games/gc-8: sound" tp audit again/games/gc-8
holds "its cache, which knew more, is gone" test ! -e again/games/gc-8/state.json
holds "the next run plays the turn again" tp run --league again
check "to its end" 0 "gc-8: proved" tp audit again/games/gc-8
rm -rf again
# Copied by other means, the journal before the cache: it lacks whole commits.
head -n 3 orion/games/gc-8/journal.jsonl >stored/games/gc-8/journal.jsonl
cp orion/games/gc-8/state.json stored/games/gc-8/
check "a cache that knows more than the journal" 0 "knows of committed records after record 3, and its journal does not hold them" tp restore stored again
holds "does not stop the game" tp run --league again
check "which goes on" 0 "gc-8: proved" tp audit again/games/gc-8
rm -rf stored again

# ---- players without keys --------------------------------------------------------------------------------
check "a league of keys takes nobody without one" 1 '"[league] trust = mail"' tp player add zoe zoe@example.net
tp init keyless --address orders@example.org >/dev/null
# no name server is asked here: what doctor says of them is in e2e/doctor.py
sed -i -e 's/^#moderators =.*/moderators = mona/' -e 's/^#root_key =.*/root_key =/' \
    -e 's/^#server =.*/server = 127.0.0.1@1/' -e '/^\[dns\]/,/^\[out/s/^#timeout =.*/timeout = 1/' keyless/league.ini
check "a moderator needs a key" 1 "name their key file" tp player add mona mona@example.net --league keyless
check "add without a key" 0 "their mail provider vouches for them" tp player add zoe zoe@example.net --league keyless
check "list" 0 "0 keys, by mail" tp player list --league keyless
check "show as JSON" 0 '"trust": "mail"' tp player show zoe --json --league keyless
check "doctor calls it no damage" 75 "ok       players    1; 1 of them play by mail, without a key" tp doctor --league keyless
check "and has something to say where keys alone count" 0 "1 without a key: nothing that they send can be accepted" \
    bash -c "sed -i 's/^trust = mail/trust = signed/' keyless/league.ini; '$program' doctor --league keyless; sed -i 's/^trust = signed/trust = mail/' keyless/league.ini"
rm keyless/players/zoe.json
check "restore" 0 "zoe <zoe@example.net> is as the registry's journal has it" tp player restore zoe --league keyless
holds "as they were" grep -q '"trust": "mail"' keyless/players/zoe.json
holds "a run leaves nobody out" bash -c "test -z \"\$('$program' run --league keyless 2>&1 >/dev/null)\""
holds "a backup has them" bash -c "'$program' backup stored --league keyless && test -e stored/players/zoe.json"
check "a key" 0 "Replaced the keys of zoe" tp player key zoe dora.pub --league keyless --at-once
holds "and they are like others" bash -c "! grep -q trust keyless/players/zoe.json"
check "doctor sees that" 75 "ok       players    1, each with a key" tp doctor --league keyless
check "an invitation by mail" 0 "" tp invite --to yan@example.net --league keyless
holds "says where an answer goes" grep -q "^Reply-To: orders+invite\.$(tail -1 out)@example.org" -r keyless/spool/new
check "not to a player" 1 "is the address of the player zoe" tp invite --to zoe@example.net --league keyless
check "one at a time" 1 "without --count" tp invite --to yan@example.net --count 2 --league keyless
rm -rf keyless stored

# ---- the order page ----------------------------------------------------------------------------------------------
tp init paged --name "Orion & Sons" --address orders@example.org >/dev/null
page_url() { sed -i "s|^#* *page_url = *.*|page_url = $1|" paged/league.ini; }
check "a page without an address" 78 "[league] page_url = https://play.example.org/" tp page out-page --league paged
holds "writes nothing" test ! -e out-page -a ! -e paged/registry/page.json
page_url http://play.example.org/
check "an address without https" 78 '[league] page_url: "http://play.example.org/" must begin with https://' tp page out-page --league paged
page_url https://play.example.org:8443/
check "an address with a port" 78 "without a port" tp status --league paged
page_url https://play.example.org/
check "doctor says that it is not there" 0 "warning  page       mails link to https://play.example.org/, but the page was never written" \
    bash -c "'$program' doctor --league paged || true"
check "a page" 0 "page 1, " tp page out-page --league paged
holds "the registry has its digest" python3 - paged out-page <<'END'
import hashlib, json, pathlib, sys
league, page = map(pathlib.Path, sys.argv[1:])
version = json.loads((page / "version.json").read_text())
record = json.loads((league / "registry/journal.jsonl").read_text().splitlines()[-1])
assert record["what"] == "page" and record["by"] == "operator" and record["files"]["registry/page.json"] == json.loads((league / "registry/page.json").read_text())
assert record["files"]["registry/page.json"] == {"version": 1, "sha256": version["sha256"], "url": "https://play.example.org/"}
lines = "".join(f"{hashlib.sha256((page / f['file']).read_bytes()).hexdigest()}  {f['file']}\n" for f in version["files"])
assert hashlib.sha256(lines.encode()).hexdigest() == version["sha256"]
files = {p.relative_to(page).as_posix() for p in page.rglob("*") if p.is_file() and not p.name.startswith(".")}
assert files == {f["file"] for f in version["files"]} | {"version.json"}, files
league_json = json.loads((page / "league.json").read_text())
assert league_json["key"] == " ".join((league / "keys/league.pub").read_text().split()[:2])
assert league_json["application"] == "play.example.org" and league_json["verified"] is True and league_json["address"] == "orders@example.org"
assert {r["file"] for r in league_json["rulesets"]} == {f for f in files if f.startswith("words/")}
assert "Orion &amp; Sons" in (page / "index.html").read_text() and league_json["league"] == "Orion & Sons"
verbs = [v["verb"] for v in json.loads((page / "forms.json").read_text())["verbs"]]
assert "register" in verbs and "press" in verbs and "orders" not in verbs and len(set(verbs)) == len(verbs)
END
holds "sha256sum says the same" bash -c "cd out-page && python3 -c 'import json; v=json.load(open(\"version.json\")); print(\"\\n\".join(f[\"sha256\"]+\"  \"+f[\"file\"] for f in v[\"files\"]))' | sha256sum -c --quiet"
cp paged/registry/journal.jsonl before-page
check "the same once more" 0 "page 1, 0 files written, 0 removed" tp page out-page --league paged
holds "makes no record" cmp before-page paged/registry/journal.jsonl
check "somewhere else" 0 "page 1, " tp page other-page --league paged
holds "is the same bytes" diff -r -x '.turnpost-site*' out-page other-page
echo x >>out-page/page.js && rm out-page/page.css
check "a file that was changed is written again" 0 "page 1, 2 files written, 0 removed" tp page out-page --league paged
holds "as it was" diff -r -x '.turnpost-site*' out-page other-page
sed -i 's|^#* *page_verified = .*|page_verified = no|' paged/league.ini
check "doctor says that it has to be written again" 0 "page 1, which mails name, is not the one that this program and league.ini make" \
    bash -c "'$program' doctor --league paged || true"
check "another page" 0 "page 2, " tp page out-page --league paged
"$program" daemon --league paged 2>/dev/null &
daemon=$!
holds "a daemon works" bash -c "for i in {1..100}; do '$program' status --league paged >/dev/null; flock -n paged/lock true || exit 0; sleep 0.1; done; exit 1"
sed -i 's|^page_verified = no|page_verified = yes|' paged/league.ini
check "a page beside a daemon" 0 "page 3, " tp page out-page --league paged
page_url https://play.example.net/
check "whose league.ini is older" 75 "the daemon still has the old [league] page_url" tp page out-page --league paged
kill -HUP $daemon
holds "until it is read again" bash -c "for i in {1..50}; do '$program' page out-page --league paged && exit 0; sleep 0.1; done; exit 1"
kill $daemon && wait $daemon
page_url https://play.example.org/
check "and back" 0 "page 5, " tp page out-page --league paged
"$program" daemon --league paged 2>/dev/null &
daemon=$!
holds "a daemon works again" bash -c "for i in {1..100}; do flock -n paged/lock true || exit 0; sleep 0.1; done; exit 1"
sed -i 's|^page_verified = yes|page_verified = no|' paged/league.ini
check "another page beside it" 0 "page 6, " tp page out-page --league paged
kill $daemon && wait $daemon
holds "its record names the request" bash -c "tail -1 paged/registry/journal.jsonl | grep -q '\"request\":'"
cp paged/registry/page.json kept-page && rm paged/registry/page.json paged/registry/applied
holds "the journal has it" bash -c "'$program' run --league paged && cmp kept-page paged/registry/page.json"
holds "so has a backup" bash -c "'$program' backup stored-page --league paged && cmp kept-page stored-page/registry/page.json"
mkdir sited && printf 'turnpost-site 1\n00000000000000000000000000000000 game/a\tgames/a.html\n' >sited/.turnpost-site
cp -r out-page other-page-now
check "nor a site over it" 1 "holds the order page" tp site out-page --league paged
holds "which stays" diff -r -x '.turnpost-site*' out-page other-page-now
mkdir -p homepage && echo "somebody's own" >homepage/index.html
check "not over files of others" 1 "homepage/index.html is there, and turnpost has not written it" tp page homepage --league paged
holds "which stay" bash -c "grep -qx \"somebody's own\" homepage/index.html && test ! -e homepage/page.js"
check "not into the league's site" 1 "a folder and a host name of its own" tp page sited --league paged
holds "doctor compares what is served with what was written" python3 "$root/tests/commands/served.py" "$program" paged out-page
page_url https://example.github.io/page/
check "a host that others write on, too" 0 "is not alone on its host" bash -c "'$program' doctor --league paged || true"
holds "the web servers send one policy" bash -c "cat '$root'/cron/turnpost-page.{nginx,caddy,apache} | grep -o \"default-src 'none'[^\\\"]*\" | sort -u | wc -l | grep -qx 1"
check "audit names the page of a passkey" 0 "Key made in the page at orders.example.org: seats 1, 2, 3. Anyone who serves that page" tp audit "$root/games/keys-p256"
holds "and not of another key" bash -c "! '$program' audit '$root/games/galaxy-command' | grep 'made in the page'"
mkdir paged/games/keys-p256 && cp "$root"/games/keys-p256/* paged/games/keys-p256/
page_url https://orders.example.org/
check "by the operator, where it is theirs" 0 "Key made in the page at orders.example.org, by the operator: seats 1, 2, 3." tp audit keys-p256 --league paged
holds "as JSON" bash -c "'$program' audit keys-p256 --json --league paged | python3 -c 'import json,sys; assert json.load(sys.stdin)[\"pages\"] == {\"elsewhere.example.net\": [3], \"orders.example.org\": [1, 2, 3]}'"
check "log names it" 0 "made in the page at orders.example.org" tp log keys-p256 --league paged
check "explain names it" 0 "made in the page at orders.example.org" tp explain keys-p256 1 --league paged
holds "and the page has it, too, but what only a header can say" python3 - "$root" out-page <<'END'
import html, pathlib, re, sys
root, page = map(pathlib.Path, sys.argv[1:])
parts = lambda text: {part.strip() for part in html.unescape(text).split(";") if part.strip()}
header = parts(re.search(r'Content-Security-Policy "([^"]*)"', (root / "cron/turnpost-page.nginx").read_text())[1])
meta = parts(re.search(r'http-equiv="Content-Security-Policy"\s+content="([^"]*)"', (page / "index.html").read_text())[1])
assert header - meta == {"frame-ancestors 'none'"} and not meta - header, (header, meta)
END
rm -rf paged out-page other-page stored-page sited

# ---- --quiet: nothing when all is well, everything when it is not -------------------------------------------------
# silent COMMAND...: it is done, and prints nothing.
silent() {
    asked="$asked $1"
    holds "$* --quiet" tp "$@" --quiet
    holds "$* --quiet says nothing" test ! -s out -a ! -s err
}
asked=''
(
    cd "$work" && mkdir hush && cd hush && tp init league && sed -i 's/^trust = mail$/trust = signed/' league/league.ini && tp keygen other && printf '#turnpost prefs\nhtml: no\n#end\n' >prefs && echo Hello >words
) >/dev/null
export TURNPOST_LEAGUE=$work/hush/league
cd hush
silent keygen key
silent init second --name Quiet --address orders@example.org
silent player add anna anna@example.org key.pub
silent player key anna other.pub --at-once
silent player address anna anna@example.net --at-once
silent player list
silent player show anna
silent new gc-1 galaxy-command --seats anna,robot
silent new gc-2 galaxy-command --seats robot,robot
joins gc-1 other anna@example.net
silent run
for command in games status mail suspicion audit fairness clock; do silent $command; done
silent site pages
silent show gc-1
silent preview gc-1
silent log gc-1
silent explain gc-2 1
silent diff gc-2 1 2
silent draw gc-2 -o board.svg
silent publish gc-2
silent moderate gc-1 pause --reason "A test"
silent announce words --title Hello
silent sign prefs --key key
silent verify prefs
silent simulate galaxy-command --games 1
silent compete list
rm -r league/games/gc-2
silent game forget gc-2
silent backup copy
silent restore copy third
sed -i "s/^#\\{0,1\\}ratings = .*/ratings = signed/; s|^#\\{0,1\\}page_url *=.*|page_url = https://play.example.org/|" league/league.ini
silent run
silent ratings
silent page order-page
# What needs more than this: a mailbox with mails of the league, a state, a database, or somebody else's league; or stays.
holds "all commands were asked" test -z "$(printf '%s\n' $commands | grep -vxE "$(echo $asked invite doctor receipt-check try store witness daemon | tr ' ' '|')")"
holds "the words of an invitation are what it makes" bash -c "'$program' invite --quiet | grep -qxE '[0-9a-z]{26}'"
check "a signed text, too" 0 "#turnpost prefs" piped prefs sign - --key key --quiet
check "and a picture" 0 "<svg" tp draw gc-1 --quiet
check "what is wrong is shown" 1 "BAD" bash -c "echo html: yes >>prefs; '$program' verify prefs --quiet"
check "with all that there is to it" 78 "page_url" bash -c "sed -i 's/^page_url/#page_url/' league/league.ini; '$program' page order-page --quiet"
check "a pipe that is closed early is no news" 0 "Turnpost plays" bash -c "'$program' --help | head -1"
cd "$work"
export TURNPOST_LEAGUE=$work/orion
holds "paths that are no files" python3 "$root/tests/commands/paths.py" "$program" hush/league
rm -rf hush

# ---- who reads makes nothing: not even a folder that is missing --------------------------------------------------
tp init bare --name Bare --address bare@example.org >/dev/null
rm -rf bare/games bare/competitions bare/spool
find bare | sort >before
for reading in status doctor games "games --json" ratings "show x" "log x" "explain x 1" "audit x" "draw x" "diff x 1 2" "preview x" "publish x" \
    suspicion fairness mail "mail list" "compete list" "compete show x" "player list" "player show x" "store status" "clock" "site pages"; do
    "$program" $reading --league bare >out 2>err </dev/null || true
    find bare | sort >after
    holds "$reading makes nothing" cmp before after
done
rm -rf bare pages

# ---- a catalog of a newer program --------------------------------------------------------------------------------
python3 -c 'import sqlite3; sqlite3.connect("orion/catalog.sqlite").execute("PRAGMA user_version=99")'
check "a newer catalog" 65 "(its version 99;" tp run
check "is left as it is" 65 "made by a newer Turnpost" tp status
rm orion/catalog.sqlite*
holds "until somebody removes it" tp run

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
