#include "league/reply_token.h"

#include <sodium.h>
#include <string.h>

#include "league/token.h"

static const char kdf_context[crypto_kdf_CONTEXTBYTES] = {'t', 'p', '-', 'r', 'e', 'p', 'l', 'y'};

/* Each part with its length before it, so that no two places are hashed alike. */
static void add(crypto_generichash_state *state, const void *bytes, size_t len)
{
    unsigned char number[4];
    for (int i = 0; i < 4; i++)
        number[i] = (unsigned char)(len >> 8 * i);
    crypto_generichash_update(state, number, sizeof number);
    crypto_generichash_update(state, bytes, len);
}

static void add_number(crypto_generichash_state *state, int value)
{
    unsigned char number[4];
    for (int i = 0; i < 4; i++)
        number[i] = (unsigned char)((unsigned)value >> 8 * i);
    add(state, number, sizeof number);
}

void reply_token(char text[REPLY_TOKEN_TEXT], const unsigned char master[32], enum reply_word word,
                 const struct reply_place *place)
{
    unsigned char key[32], mac[crypto_generichash_BYTES];
    crypto_generichash_state state;
    crypto_kdf_derive_from_key(key, sizeof key, (uint64_t)word, kdf_context, master);
    crypto_generichash_init(&state, key, sizeof key, sizeof mac);
    add(&state, place->game, strlen(place->game));
    add_number(&state, place->turn);
    add(&state, place->head, HEAD_BYTES);
    add_number(&state, place->seat);
    add(&state, place->player, strlen(place->player));
    add_number(&state, place->seq);
    add(&state, place->also.p, place->also.len);
    crypto_generichash_final(&state, mac, sizeof mac);
    token_letters(text, REPLY_TOKEN_TEXT - 1, mac, sizeof mac);
    sodium_memzero(key, sizeof key);
}

bool reply_token_is(struct slice text, const unsigned char master[32], enum reply_word word,
                    const struct reply_place *place)
{
    char want[REPLY_TOKEN_TEXT], got[REPLY_TOKEN_TEXT];
    if (text.len != REPLY_TOKEN_TEXT - 1)
        return false;
    for (size_t i = 0; i < text.len; i++)
        got[i] = ascii_lower(text.p[i]);
    reply_token(want, master, word, place);
    bool is = sodium_memcmp(want, got, REPLY_TOKEN_TEXT - 1) == 0;
    sodium_memzero(want, sizeof want);
    return is;
}

bool reply_detail_in(struct slice address, const char *own, char separator, struct slice *detail)
{
    const char *at = strrchr(own, '@');
    size_t local = at ? (size_t)(at - own) : 0, domain = at ? strlen(at) : 0;
    if (!at || address.len <= local + 1 + domain || address.p[local] != separator)
        return false;
    size_t end = address.len - domain; /* of separator and detail */
    *detail = slice_sub(address, local + 1, end - local - 1);
    return strncasecmp(address.p, own, local) == 0 && slice_caseeq(slice_sub(address, end, domain), at);
}

bool reply_token_in(struct slice address, const char *own, char separator, struct slice *token)
{
    return reply_detail_in(address, own, separator, token) && token->len == REPLY_TOKEN_TEXT - 1;
}

void reply_token_address(struct str *out, const char *own, char separator, const char *token)
{
    const char *at = strrchr(own, '@');
    str_addf(out, "%.*s%c%s%s", (int)(at - own), own, separator, token, at);
}
