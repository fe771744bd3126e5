#include "league/token.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"

#define TOKEN_PREFIX "turnpost/token" /* with its NUL */
#define HASH_BYTES   16

static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";

void token_letters(char *text, size_t count, const unsigned char *bytes, size_t len)
{
    unsigned int bits = 0;
    int have = 0;
    size_t from = 0;
    for (size_t at = 0; at < count; at++) {
        if (have < 5) {
            bits = bits << 8 | (from < len ? bytes[from] : 0);
            from++;
            have += 8;
        }
        have -= 5;
        text[at] = letters[bits >> have & 31];
    }
    text[count] = '\0';
}

void token_write(char text[TOKEN_TEXT], const unsigned char bytes[TOKEN_BYTES])
{
    token_letters(text, TOKEN_TEXT - 1, bytes, TOKEN_BYTES);
}

void token_new(char text[TOKEN_TEXT])
{
    unsigned char bytes[TOKEN_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    token_write(text, bytes);
    sodium_memzero(bytes, sizeof bytes);
}

void token_name_of(char name[TOKEN_NAME], char kind, struct slice text)
{
    unsigned char hash[HASH_BYTES];
    char hex[2 * HASH_BYTES + 1];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)TOKEN_PREFIX, sizeof TOKEN_PREFIX);
    crypto_generichash_update(&state, (const unsigned char *)text.p, text.len);
    crypto_generichash_final(&state, hash, sizeof hash);
    hex_to(hex, hash, sizeof hash);
    (void)snprintf(name, TOKEN_NAME, "%c%.31s", kind, hex);
}

bool token_read(char token[TOKEN_TEXT], struct slice text)
{
    size_t len = 0;
    text = slice_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (c == '-')
            continue;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c == '\0' || !strchr(letters, c) || len == TOKEN_TEXT - 1)
            return false;
        token[len++] = c;
    }
    token[len] = '\0';
    return len == TOKEN_TEXT - 1;
}

bool token_name(char name[TOKEN_NAME], char kind, struct slice text)
{
    char token[TOKEN_TEXT];
    if (!token_read(token, text))
        return false;
    token_name_of(name, kind, slice_of(token));
    return true;
}

void token_set_expiry(json_t *document, int64_t now, int64_t seconds)
{
    char text[CLOCK_TEXT];
    clock_utc(text, now + seconds);
    json_object_set_new(document, "expires", json_string(text));
}
