#include "batch/confirm.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "batch/batch.h"

#define DAY    ((int64_t)86400)
#define OLDEST 400 /* days: none is valid for longer */

/* With its length before it, so that no two lists of fields are the same bytes. */
static void add_field(crypto_generichash_state *state, const void *bytes, size_t len)
{
    unsigned char size[4];
    put_le32(size, (uint32_t)len);
    crypto_generichash_update(state, size, sizeof size);
    crypto_generichash_update(state, bytes, len);
}

static void add_small(crypto_generichash_state *state, const char *text)
{
    char small[PLAYER_ADDRESS];
    size_t len = strnlen(text, sizeof small);
    for (size_t i = 0; i < len; i++)
        small[i] = ascii_lower(text[i]);
    add_field(state, small, len);
}

/* Not by its text: everything that a key format has beside the point is proved too. */
static void add_key(crypto_generichash_state *state, const struct pubkey *key)
{
    unsigned char kind[4];
    put_le32(kind, (uint32_t)key->kind);
    add_field(state, kind, sizeof kind);
    add_field(state, key->point, sizeof key->point);
    add_field(state, key->id, sizeof key->id);
    add_field(state, key->application, strnlen(key->application, sizeof key->application));
    if (!sodium_is_zero(key->y,
                        sizeof key->y)) /* else words are what they were before there were keys on P-256 */
        add_field(state, key->y, sizeof key->y);
}

static void word_of_day(char word[TOKEN_TEXT], const struct league *league, const struct confirm *what,
                        int64_t day)
{
    crypto_generichash_state state;
    unsigned char key[32], mac[TOKEN_BYTES], numbers[8];
    crypto_kdf_derive_from_key(key, sizeof key, 1, "tp-words", league->master);
    crypto_generichash_init(&state, key, sizeof key, sizeof mac);
    put_le32(numbers, (uint32_t)what->use);
    put_le32(numbers + 4, (uint32_t)day);
    add_field(&state, numbers, sizeof numbers);
    add_field(&state, league->key.point, sizeof league->key.point);
    add_small(&state, what->player);
    add_small(&state, what->address);
    if (what->key)
        add_key(&state, what->key);
    crypto_generichash_final(&state, mac, sizeof mac);
    token_write(word, mac);
    sodium_memzero(key, sizeof key);
    sodium_memzero(&state, sizeof state);
}

void confirm_word(char word[TOKEN_TEXT], const struct league *league, const struct confirm *what, int64_t now)
{
    word_of_day(word, league, what, now / DAY);
}

void confirm_short(char word[CONFIRM_SHORT], const struct league *league, const struct confirm *what,
                   int64_t now)
{
    char whole[TOKEN_TEXT];
    word_of_day(whole, league, what, now / DAY);
    memcpy(word, whole, CONFIRM_SHORT - 1);
    word[CONFIRM_SHORT - 1] = '\0';
}

/* A no is good for as long as what it is against waits, whatever [league] token_expire says. */
static bool is_no(enum confirm_use use)
{
    return use == CONFIRM_VETO || use == CONFIRM_MOVE || use == CONFIRM_LEAVE;
}

/* Is it the beginning, of `len` characters, of a word that is not too old? */
static bool is_good(const struct batch *batch, const struct confirm *what, const char *given, size_t len)
{
    const struct outside *outside = &batch->outside;
    const int64_t expire = batch->league->config.league.token_expire;
    char own[TOKEN_TEXT];
    bool good = false;
    for (int64_t day = batch->now / DAY; day > batch->now / DAY - OLDEST; day--) {
        if (!is_no(what->use) && elapsed_end(outside, day * DAY, (day + 1) * DAY + expire) <= batch->now)
            break;
        word_of_day(own, batch->league, what, day);
        good |= sodium_memcmp(own, given, len) == 0;
    }
    return good;
}

bool confirm_good(const struct batch *batch, const struct confirm *what, struct slice word)
{
    char given[TOKEN_TEXT];
    return token_read(given, word) && is_good(batch, what, given, sizeof given);
}

bool confirm_short_good(const struct batch *batch, const struct confirm *what, struct slice word)
{
    char given[CONFIRM_SHORT];
    if (word.len != sizeof given - 1)
        return false;
    for (size_t i = 0; i < word.len; i++)
        given[i] = ascii_lower(word.p[i]);
    return is_good(batch, what, given, sizeof given - 1);
}

int batch_token(const struct batch *batch, const char *name, json_t **document, struct err *err)
{
    int64_t expires = 0;
    if (registry_log_token(&batch->log, name, document, err))
        return -1;
    const char *text = json_string_value(json_object_get(*document, "expires"));
    bool dated = text && clock_parse(slice_of(text), &expires);
    if (dated && !elapsed_over(&batch->outside, expires - batch->league->config.league.token_expire, expires,
                               batch->now))
        return 0;
    json_decref(*document);
    *document = NULL;
    return 0;
}
