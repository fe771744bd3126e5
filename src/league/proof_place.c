#include "league/proof_place.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"

#define TAG_BYTES 6
#define LINE_MOST 78

static void make_tag(char tag[2 * TAG_BYTES + 1], const struct proof_place *place,
                     const unsigned char master[32])
{
    unsigned char bytes[crypto_generichash_BYTES];
    char what[80];
    const int len = snprintf(what, sizeof what, "turnpost/place %s %lld %lld", place->name,
                             (long long)place->seq, (long long)place->time);
    crypto_generichash(bytes, sizeof bytes, (const unsigned char *)what, (unsigned long long)len, master, 32);
    hex_to(tag, bytes, TAG_BYTES);
}

void proof_place_write(struct str *out, const struct proof_place *place, const unsigned char master[32])
{
    char tag[2 * TAG_BYTES + 1];
    make_tag(tag, place, master);
    str_addf(out, PROOF_PLACE "%s %lld %08llx %s =]\n", place->name, (long long)place->seq,
             (unsigned long long)place->time, tag);
}

/* "gc-17 8 6b0c1c34 0123456789ab =": what stands in the brackets. */
static bool read_place(struct slice words, struct proof_place *place, const unsigned char master[32])
{
    char ours[2 * TAG_BYTES + 1];
    unsigned char seconds[4];
    struct slice name, time, tag, sign;
    if (!slice_word(&words, &name) || name.len >= sizeof place->name || !slice_number(&words, &place->seq) ||
        !slice_word(&words, &time) || !hex_decode(seconds, sizeof seconds, time) ||
        !slice_word(&words, &tag) || tag.len != 2 * TAG_BYTES || !slice_word(&words, &sign) || words.len)
        return false;
    (void)snprintf(place->name, sizeof place->name, "%.*s", (int)name.len, name.p);
    place->time = get_be32(seconds);
    place->quoted = slice_eq(sign, "=3D");
    make_tag(ours, place, master);
    return (place->quoted || slice_eq(sign, "=")) && sodium_memcmp(tag.p, ours, 2 * TAG_BYTES) == 0;
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
        const struct slice rest = slice_sub(*text, from, LINE_MOST);
        const char *end = memchr(rest.p, ']', rest.len);
        if (!end || !read_place((struct slice){rest.p, (size_t)(end - rest.p)}, place, master))
            continue;
        *before = slice_sub(*text, 0, at);
        *text = slice_sub(*text, from + (size_t)(end - rest.p) + 1, text->len);
        return true;
    }
    return false;
}
