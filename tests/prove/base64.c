/* base64: our own encoder writes what RFC 4648 says; and whatever libsodium's decoder does within what it promises, ours writes no byte
 * outside of its room, takes a text as a whole or not at all, and leaves what was there before. */
#include "prove/prove.h"

#include <sodium.h>

#include "base/encode.h"

/* libsodium's, by its documentation: at most `most` bytes and their number, where it stopped, and -1 if it did so before the end of the
 * text; its digits may be any. */
static bool decoded_all;
static size_t decoded;
int sodium_base642bin(unsigned char *bin, size_t most, const char *text, size_t text_len, const char *ignore,
                      size_t *len, const char **end, int variant)
{
    (void)ignore;
    (void)variant;
    const size_t got = any_size(most), read = any_size(text_len);
    ASSUME(got <= text_len / 4 * 3 + 3);
    for (size_t i = 0; i < got; i++)
        bin[i] = (unsigned char)nondet_int();
    *len = decoded = got;
    *end = text + read;
    const bool fails = nondet_int() != 0;
    decoded_all = !fails && read == text_len;
    return fails ? -1 : 0;
}

size_t sodium_base64_encoded_len(size_t len, int variant)
{
    (void)variant;
    return (len + 2) / 3 * 4 + 1;
}

/* By RFC 4648, with padding, where it is ours that is proved: it may be called for the last one or two bytes. */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static char sign_at(const unsigned char *bin, size_t len, size_t at)
{
    const size_t bit = at * 6, byte = bit / 8;
    if (byte >= len)
        return '=';
    const unsigned pair = (unsigned)bin[byte] << 8 | (byte + 1 < len ? bin[byte + 1] : 0U);
    return alphabet[pair >> (10 - bit % 8) & 63U];
}
char *sodium_bin2base64(char *out, size_t most, const unsigned char *bin, size_t len, int variant)
{
    (void)variant;
    size_t at = 0;
    for (; at < (len + 2) / 3 * 4; at++)
        out[at] = sign_at(bin, len, at);
    HOLDS(at < most);
    out[at] = '\0';
    return out;
}

void proof_encoded_as_by_the_rfc(void)
{
    for (size_t len = 0; len <= 7; len++) {
        unsigned char bytes[7];
        struct str out = STR_INIT;
        str_addc(&out, '>');
        base64_encode_long(&out, bytes, len);
        HOLDS(out.len == 1 + (len + 2) / 3 * 4 && out.p[0] == '>' && out.p[out.len] == '\0');
        for (size_t i = 0; i + 1 < out.len; i++)
            HOLDS(out.p[1 + i] == sign_at(bytes, len, i));
        str_release(&out);
    }
}

static bool has_high(const char *text, size_t len)
{
    bool high = false;
    for (size_t i = 0; i < len; i++)
        high |= ((unsigned char)text[i] & 0x80U) != 0;
    return high;
}

void proof_decoded_as_a_whole(void)
{
    char text[9];
    const size_t len = any_size(sizeof text);
    struct str out = STR_INIT;
    str_addc(&out, '>');
    const bool took = base64_decode(&out, (struct slice){text, len});
    HOLDS(took == (!len || (!has_high(text, len) && decoded_all)));
    HOLDS(out.len >= 1 && out.len < out.cap && out.p[0] == '>' && out.p[out.len] == '\0');
    HOLDS(took || out.len == 1);
    str_release(&out);
}

void proof_decoded_to_its_length(void)
{
    char text[9];
    unsigned char room[5];
    const size_t len = any_size(sizeof text), want = any_size(sizeof room);
    const bool took = base64_decode_to(room, want, (struct slice){text, len});
    HOLDS(!took || (len ? decoded_all && decoded == want && !has_high(text, len) : !want));
}
