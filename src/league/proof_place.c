#include "league/proof_place.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"

#define TAG_BYTES 6
#define ROW       32                                            /* bytes of `extra` a line */
#define MOST      (78 + PROOF_EXTRA_MOST / ROW * (2 * ROW + 2)) /* of what follows PROOF_PLACE */

static void make_tag(char tag[2 * TAG_BYTES + 1], const struct proof_place *place,
                     const unsigned char master[32])
{
    unsigned char bytes[crypto_generichash_BYTES];
    char what[80];
    const int len = snprintf(what, sizeof what, "turnpost/place %s %lld %lld", place->name,
                             (long long)place->seq, (long long)place->time);
    crypto_generichash_state st;
    crypto_generichash_init(&st, master, 32, sizeof bytes);
    crypto_generichash_update(&st, (const unsigned char *)what, (unsigned long long)len);
    crypto_generichash_update(&st, place->extra, place->extra_len);
    crypto_generichash_final(&st, bytes, sizeof bytes);
    hex_to(tag, bytes, TAG_BYTES);
}

void proof_place_write(struct str *out, const struct proof_place *place, const unsigned char master[32])
{
    char tag[2 * TAG_BYTES + 1];
    make_tag(tag, place, master);
    str_addf(out, PROOF_PLACE "%s %lld %08llx %s", place->name, (long long)place->seq,
             (unsigned long long)place->time, tag);
    for (size_t at = 0; at < place->extra_len; at += ROW) {
        str_addc(out, '\n');
        hex_encode(out, place->extra + at, ROW);
    }
    str_adds(out, "]\n");
}

/* "gc-17 8 6b0c1c34 0123456789ab": what is in the brackets, with lines of `extra` after it or none. */
static bool read_place(struct slice words, struct proof_place *place, const unsigned char master[32])
{
    char ours[2 * TAG_BYTES + 1];
    unsigned char seconds[4];
    struct slice name, time, tag, word;
    place->extra_len = 0;
    if (!slice_word(&words, &name) || name.len >= sizeof place->name || !slice_number(&words, &place->seq) ||
        !slice_word(&words, &time) || !hex_decode(seconds, sizeof seconds, time) ||
        !slice_word(&words, &tag) || tag.len != 2 * TAG_BYTES)
        return false;
    while (slice_word(&words, &word)) {
        if (place->extra_len + ROW > PROOF_EXTRA_MOST ||
            !hex_decode(place->extra + place->extra_len, ROW, word))
            return false;
        place->extra_len += ROW;
    }
    (void)snprintf(place->name, sizeof place->name, "%.*s", (int)name.len, name.p);
    place->time = get_be32(seconds);
    make_tag(ours, place, master);
    return sodium_memcmp(tag.p, ours, 2 * TAG_BYTES) == 0;
}

bool proof_place_next(struct slice *text, struct slice *before, struct proof_place *place,
                      const unsigned char master[32])
{
    for (size_t from = 0; from < text->len;) {
        const size_t found = slice_find(slice_sub(*text, from, text->len), PROOF_PLACE);
        if (found == (size_t)-1)
            return false;
        const size_t at = from + found;
        from = at + strlen(PROOF_PLACE);
        const struct slice rest = slice_sub(*text, from, MOST);
        const char *end = memchr(rest.p, ']', rest.len);
        if (!end || !read_place((struct slice){rest.p, (size_t)(end - rest.p)}, place, master))
            continue;
        *before = slice_sub(*text, 0, at);
        *text = slice_sub(*text, from + (size_t)(end - rest.p) + 1, text->len);
        return true;
    }
    return false;
}
