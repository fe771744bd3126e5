#include "base/encode.h"

#include <sodium.h>
#include <string.h>

void hex_to(char *out, const void *bytes, size_t len)
{
    sodium_bin2hex(out, 2 * len + 1, bytes, len);
}

void hex_encode(struct str *out, const void *bytes, size_t len)
{
    str_reserve(out, 2 * len);
    hex_to(out->p + out->len, bytes, len);
    out->len += 2 * len;
}

/* libsodium also accepts capitals. */
static bool is_capital(char c)
{
    return c >= 'A' && c <= 'F';
}

bool hex_decode(void *out, size_t len, struct slice text)
{
    size_t got = 0;
    for (size_t i = 0; i < text.len; i++)
        if (is_capital(text.p[i]))
            return false;
    return text.len == 2 * len && sodium_hex2bin(out, len, text.p, text.len, NULL, &got, NULL) == 0 &&
           got == len;
}

int hex_digit(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

static void encode_variant(struct str *out, const void *bytes, size_t len, int variant)
{
    size_t max = sodium_base64_encoded_len(len, variant);
    str_reserve(out, max);
    (void)sodium_bin2base64(out->p + out->len, max, bytes, len, variant);
    out->len += strlen(out->p + out->len);
}

void base64_encode(struct str *out, const void *bytes, size_t len)
{
    encode_variant(out, bytes, len, sodium_base64_VARIANT_ORIGINAL);
}

void base64_encode_long(struct str *out, const void *bytes, size_t len)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *in = bytes;
    size_t whole = len - len % 3;
    str_reserve(out, len / 3 * 4 + 4);
    char *to = out->p + out->len;
    for (size_t i = 0; i < whole; i += 3) {
        uint32_t three = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];
        *to++ = signs[three >> 18];
        *to++ = signs[three >> 12 & 63U];
        *to++ = signs[three >> 6 & 63U];
        *to++ = signs[three & 63U];
    }
    out->len = (size_t)(to - out->p);
    *to = '\0';
    if (whole < len)
        base64_encode(out, in + whole, len - whole);
}

void base64url_encode(struct str *out, const void *bytes, size_t len)
{
    encode_variant(out, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* libsodium's comparison also accepts some bytes above 0x7F as digits of the alphabet. */
static bool is_ascii(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] >= 0x80)
            return false;
    return true;
}

bool base64_decode(struct str *out, struct slice text)
{
    size_t max = text.len / 4 * 3 + 3;
    size_t len = 0;
    const char *end = NULL;
    if (!text.len)
        return true;
    if (!is_ascii(text))
        return false;
    str_reserve(out, max);
    if (sodium_base642bin((unsigned char *)out->p + out->len, max, text.p, text.len, NULL, &len, &end,
                          sodium_base64_VARIANT_ORIGINAL) != 0 ||
        end != text.p + text.len) {
        str_cut(out, out->len);
        out->p[out->len] = '\0';
        return false;
    }
    out->len += len;
    out->p[out->len] = '\0';
    return true;
}

static bool decode_exact(void *out, size_t len, struct slice text, int variant)
{
    size_t got = 0;
    const char *end = NULL;
    if (!text.len)
        return len == 0;
    return is_ascii(text) && sodium_base642bin(out, len, text.p, text.len, NULL, &got, &end, variant) == 0 &&
           end == text.p + text.len && got == len;
}

bool base64_decode_to(void *out, size_t len, struct slice text)
{
    return decode_exact(out, len, text, sodium_base64_VARIANT_ORIGINAL);
}

bool base64url_decode(void *out, size_t len, struct slice text)
{
    return decode_exact(out, len, text, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

void put_le32(unsigned char out[4], uint32_t v)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(v >> (8 * i));
}

uint32_t get_le32(const unsigned char in[4])
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

void put_be32(unsigned char out[4], uint32_t v)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(v >> (24 - 8 * i));
}

uint32_t get_be32(const unsigned char in[4])
{
    return (uint32_t)in[3] | (uint32_t)in[2] << 8 | (uint32_t)in[1] << 16 | (uint32_t)in[0] << 24;
}
