/* Bytes as hex and base64 (shim/sodium.h). */
#include "sodium.h"

#include <stdbool.h>
#include <string.h>

int sodium_memcmp(const void *one, const void *other, size_t len)
{
    return memcmp(one, other, len) ? -1 : 0;
}

int sodium_is_zero(const unsigned char *bytes, size_t len)
{
    unsigned char any = 0;
    for (size_t i = 0; i < len; i++)
        any |= bytes[i];
    return !any;
}

void sodium_memzero(void *bytes, size_t len)
{
    memset(bytes, 0, len);
}

char *sodium_bin2hex(char *out, size_t most, const unsigned char *in, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    if (most <= 2 * len)
        __builtin_trap();
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[2 * len] = '\0';
    return out;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Whole bytes only; nothing is passed over (`ignore` is NULL wherever we call it). */
int sodium_hex2bin(unsigned char *out, size_t most, const char *in, size_t len, const char *ignore,
                   size_t *got, const char **end)
{
    size_t count = 0;
    (void)ignore;
    (void)end;
    while (2 * count + 1 < len && count < most) {
        int high = digit_of(in[2 * count]), low = digit_of(in[2 * count + 1]);
        if (high < 0 || low < 0)
            break;
        out[count++] = (unsigned char)(high << 4 | low);
    }
    *got = count;
    return 2 * count == len ? 0 : -1;
}

static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static bool is_url(int variant)
{
    return variant == sodium_base64_VARIANT_URLSAFE_NO_PADDING;
}

size_t sodium_base64_encoded_len(size_t len, int variant)
{
    size_t rest = len % 3;
    return len / 3 * 4 + (!rest ? 0 : is_url(variant) ? rest + 1 : 4) + 1;
}

static char sign_of(uint32_t six, int variant)
{
    return six < 62 ? signs[six] : (is_url(variant) ? "-_" : "+/")[six - 62];
}

char *sodium_bin2base64(char *out, size_t most, const unsigned char *in, size_t len, int variant)
{
    char *to = out;
    if (most < sodium_base64_encoded_len(len, variant))
        __builtin_trap();
    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i < 3 ? len - i : 3;
        uint32_t three =
            (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) | (left > 2 ? in[i + 2] : 0);
        for (size_t j = 0; j <= left; j++)
            *to++ = sign_of(three >> (18 - 6 * j) & 63, variant);
        for (size_t j = left; j < 3 && !is_url(variant); j++)
            *to++ = '=';
    }
    *to = '\0';
    return out;
}

static int six_of(char c, int variant)
{
    const char *found = c ? strchr(signs, c) : NULL;
    if (found)
        return (int)(found - signs);
    return c == (is_url(variant) ? '-' : '+') ? 62 : c == (is_url(variant) ? '_' : '/') ? 63 : -1;
}

/* The bits that are left over must be zeros, and the padding that of the variant. `*end` is where it ends. */
int sodium_base642bin(unsigned char *out, size_t most, const char *in, size_t len, const char *ignore,
                      size_t *got, const char **end, int variant)
{
    size_t at = 0, count = 0;
    uint32_t bits = 0;
    unsigned held = 0;
    int six;
    bool good = true;
    (void)ignore;
    for (; good && at < len && (six = six_of(in[at], variant)) >= 0; at++) {
        bits = (bits << 6 | (uint32_t)six) & 0xFFFF;
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        if (count >= most)
            good = false;
        else
            out[count++] = (unsigned char)(bits >> held);
    }
    good = good && held <= 4 && !(bits & ((1U << held) - 1));
    for (unsigned padding = is_url(variant) ? 0 : held / 2; good && padding; padding--) {
        good = at < len && in[at] == '=';
        at += good;
    }
    *got = good ? count : 0;
    *end = in + at;
    return good ? 0 : -1;
}
