#include "game/vouched.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"

#define MEMBERS 8 /* and perhaps the box */

static const char *const ways[] = {[LEARNED_LEAGUE] = "league", [LEARNED_DNSSEC] = "dnssec"};

json_t *vouched_json(const struct mail_proof *proof, int64_t now, const unsigned char evidence[SEAL_BYTES])
{
    char sent[CLOCK_TEXT], arrived[CLOCK_TEXT];
    clock_utc(sent, proof->sent);
    clock_utc(arrived, proof->arrived > now ? now : proof->arrived > 0 ? proof->arrived : 1);
    return json_pack("{s:s,s:i,s:s,s:o,s:o,s:s,s:s,s:s}", "arrived", arrived, "cutter", proof->cutter,
                     "domain", proof->domain, "evidence", json_hex(evidence, 32), "key",
                     json_hex(proof->key, 32), "learned", ways[proof->learned], "selector", proof->selector,
                     "sent", sent);
}

int64_t vouched_written(int64_t sent, int64_t arrived, int64_t named)
{
    int64_t written = sent < arrived ? sent : arrived;
    return written > named ? written : named;
}

static const char *text_of(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

static bool read_learned(const char *word, enum mail_learned *learned)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(word, ways[i]) == 0) {
            *learned = (enum mail_learned)i;
            return true;
        }
    return false;
}

bool vouched_read(const json_t *json, struct vouched *vouched)
{
    struct slice domain = slice_of(text_of(json, "domain")), selector = slice_of(text_of(json, "selector"));
    const json_t *cutter = json_object_get(json, "cutter");
    const json_t *box = json_object_get(json, "box");
    struct str bytes = STR_INIT;
    bool boxed = !box || (json_is_string(box) && base64_decode(&bytes, slice_of(json_string_value(box))));
    str_release(&bytes);
    if (!boxed || json_object_size(json) != MEMBERS + (box != NULL) ||
        !domain_copy(vouched->domain, domain, false) || !slice_eq(domain, vouched->domain) ||
        !domain_copy(vouched->selector, selector, true) || !slice_eq(selector, vouched->selector))
        return false;
    vouched->boxed = box != NULL;
    vouched->cutter = (int)json_integer_value(cutter);
    return json_is_integer(cutter) && json_integer_value(cutter) >= 1 &&
           json_integer_value(cutter) <= INT32_MAX &&
           read_learned(text_of(json, "learned"), &vouched->learned) &&
           hex_decode(vouched->key, 32, slice_of(text_of(json, "key"))) &&
           hex_decode(vouched->evidence, SEAL_BYTES, slice_of(text_of(json, "evidence"))) &&
           clock_parse(slice_of(text_of(json, "arrived")), &vouched->arrived) && vouched->arrived > 0 &&
           clock_parse(slice_of(text_of(json, "sent")), &vouched->sent) && vouched->sent > 0;
}

#define KEY_DIGITS 16 /* by which people compare it */

json_t *vouched_facts(const json_t *json)
{
    return json_pack("{s:s,s:s,s:o,s:b}", "domain", text_of(json, "domain"), "selector",
                     text_of(json, "selector"), "key",
                     json_text(slice_sub(slice_of(text_of(json, "key")), 0, KEY_DIGITS)), "dnssec",
                     strcmp(text_of(json, "learned"), ways[LEARNED_DNSSEC]) == 0);
}

json_t *vouched_sealed(struct sealed_set *set, const unsigned char key[32], const struct sealed_place *place,
                       const struct mail_proof *proof, int64_t now, size_t most)
{
    unsigned char seal[SEAL_BYTES];
    struct str payload = STR_INIT, box = STR_INIT;
    const bool kept = proof->raw.len <= most;
    str_adds(&payload, "{\"record\":");
    json_write_text(&payload, proof->record);
    str_adds(&payload, "}\n");
    str_addslice(&payload, proof->raw);
    seal_put(set, key, place, slice_str(&payload), seal, kept ? &box : NULL);
    json_t *json = vouched_json(proof, now, seal);
    if (kept)
        json_object_set_new(json, "box", json_stringn(box.p, box.len));
    str_release(&payload);
    str_release(&box);
    return json;
}

bool vouched_mail(struct slice payload, struct str *record, struct slice *raw)
{
    struct err ignored = ERR_INIT;
    struct slice rest = payload, line;
    json_t *json = slice_line(&rest, &line) ? json_read(line, "evidence", &ignored) : NULL;
    const json_t *text = json_object_get(json, "record");
    const bool good = json_is_string(text) && json_object_size(json) == 1;
    if (good)
        str_add(record, json_string_value(text), json_string_length(text));
    *raw = rest;
    json_decref(json);
    return good;
}

static void put_evidence(struct str *out, const struct mail_proof *proof)
{
    str_adds(out, "{\"mail\":\"");
    base64_encode_long(out, proof->raw.p, proof->raw.len);
    str_adds(out, "\",\"record\":");
    json_write_text(out, proof->record);
    str_addc(out, '}');
}

bool vouched_whole(json_t *record, const struct mail_proof *proof, int64_t now, size_t most)
{
    unsigned char digest[SEAL_BYTES];
    struct str payload = STR_INIT;
    struct err ignored = ERR_INIT; /* we wrote it */
    bool fits = proof->raw.len <= most;
    put_evidence(&payload, proof);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)payload.p, payload.len, NULL, 0);
    json_object_set_new(record, "vouched", vouched_json(proof, now, digest));
    if (fits)
        json_object_set_new(record, "evidence", json_read(slice_str(&payload), "evidence", &ignored));
    str_release(&payload);
    return fits;
}
