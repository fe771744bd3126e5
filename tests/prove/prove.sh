#!/bin/bash
# Proves with CBMC what tests/prove/*.c say of the program's smallest readers, for all inputs up to their bounds; and that each proof
# notices a fault: prove.sh [NAME ...], proofs' files.
set -u
cd "$(dirname "$0")/../.." || exit 2
command -v cbmc >/dev/null || { echo "make prove needs CBMC 6, which is in Debian 13 (apt-get install cbmc)." >&2; exit 1; }
place=$(mktemp -d) passed=0 failed=0
trap 'rm -rf "$place"' EXIT
declare -A of=(
    [dates]='src/base/date.c'
    [wire]='src/trust/wire.c src/base/encode.c src/base/str.c src/base/mem.c'
    [numbers]='src/base/str.c src/base/encode.c src/base/clock.c src/base/mem.c'
    [text]='src/base/utf8.c src/base/str.c src/base/mem.c'
    [base64]='src/base/encode.c src/base/str.c src/base/mem.c'
)

# holds SRC FILE PROOF: does it, with that folder's sources?
holds() {
    local files=()
    for file in ${of[$2]}; do files+=("$1/${file#src/}"); done
    cbmc -D_GNU_SOURCE "-I$1" -Itests "tests/prove/$2.c" "${files[@]}" --function "$3" --unwind 20 --unwinding-assertions \
        --bounds-check --pointer-check --signed-overflow-check --div-by-zero-check --drop-unused-functions >"$place/log" 2>&1
}

# said GOOD WHAT SECONDS
said() {
    if [ "$1" = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    printf '  %-5s %-36s %3d s  %s\n' "$([ "$1" = 1 ] && echo ok || echo FAIL)" "$2" "$3" "${4:-}"
}

for name in "${@:-${!of[@]}}"; do
    for proof in $(grep -o '\bproof_[a-z0-9_]*' "tests/prove/$name.c"); do
        began=$SECONDS
        if holds src "$name" "$proof"; then
            said 1 "$proof" $((SECONDS - began))
        else
            said 0 "$proof" $((SECONDS - began)) "$(grep -m1 -E 'FAILURE$|error' "$place/log")"
        fi
    done
done
# Faults, each of which the proof beside it must notice.
while read -r name proof file change; do
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    began=$SECONDS
    rm -rf "$place/src" && cp -a src "$place/src" && sed -i "$change" "$place/$file"
    cmp -s "$file" "$place/$file" && { said 0 "$proof" 0 "$file has nothing to change"; continue; }
    holds "$place/src" "$name" "$proof" && { said 0 "$proof" $((SECONDS - began)) "does not notice $change"; continue; }
    grep -q '^VERIFICATION FAILED' "$place/log" && said 1 "$proof" $((SECONDS - began)) "notices $change" ||
        said 0 "$proof" $((SECONDS - began)) "$(tail -1 "$place/log")"
done <<'FAULTS'
dates proof_dates_are_read src/base/date.c s/part\[1\] > 12/part[1] > 13/
dates proof_dates_are_read src/base/date.c s/year % 400 == 0/year % 500 == 0/
wire proof_wire_stays_inside src/trust/wire.c s/wire->rest.len < len/wire->rest.len + 1 < len/
wire proof_wire_reads_what_it_wrote src/base/encode.c s/24 - 8 \* i/8 * i/
numbers proof_numbers_are_words_of_digits src/base/str.c s/#define NUMBER_DIGITS 15/#define NUMBER_DIGITS 16/
numbers proof_numbers_are_what_they_say src/base/str.c s/= \*number \* 10 +/= *number * 8 +/
numbers proof_durations_are_bounded src/base/clock.c s/sum > 0 \&\& sum <= most/sum > 0/
numbers proof_hex_digits src/base/encode.c s/<= 'f'/<= 'g'/
numbers proof_words_of_four_bytes src/base/encode.c s/(uint32_t)in\[3\] << 24/(uint32_t)in[2] << 24/
text proof_printable_by_eight src/base/eight.h s/bytes - EIGHT_ONES \* ' '/bytes - EIGHT_ONES * '!'/
text proof_utf8_has_one_form src/base/utf8.c s/cp < least\[bytes\] ||//
text proof_code_points_are_read_again src/base/utf8.c s/first\[\] = {0, 0, 0xC0, 0xE0/first[] = {0, 0, 0xC0, 0xF0/
text proof_cut_before_a_character src/base/utf8.c s/while (most \&\& is_tail(s.p\[most\]))/while (most \&\& is_tail(s.p[most - 1]))/
base64 proof_encoded_as_by_the_rfc src/base/encode.c s/three >> 12 . 63U/three >> 13 \& 63U/
base64 proof_decoded_as_a_whole src/base/encode.c s/str_cut(out, out->len);/out->len++;/
base64 proof_decoded_to_its_length src/base/encode.c s/ \&\& got == len;/;/
FAULTS
echo "prove: $passed passed, $failed failed"
[ $failed = 0 ]
