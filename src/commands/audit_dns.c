#include "commands/audit_dns.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/mem.h"
#include "base/reason.h"
#include "game/vouched.h"
#include "trust/dkim.h"

/* ---- from the journal ---- */

static struct domain_key *find_key(struct domain_keys *keys, const struct vouched *vouched)
{
    for (size_t i = 0; i < keys->count; i++) {
        struct domain_key *key = &keys->list[i];
        if (strcmp(key->domain, vouched->domain) == 0 && strcmp(key->selector, vouched->selector) == 0 &&
            memcmp(key->key, vouched->key, sizeof key->key) == 0)
            return key;
    }
    keys->list = mem_grow(keys->list, keys->count, &keys->cap, sizeof *keys->list);
    struct domain_key *key = &keys->list[keys->count++];
    *key = (struct domain_key){.now = KEY_NOT_ASKED};
    memcpy(key->domain, vouched->domain, sizeof key->domain);
    memcpy(key->selector, vouched->selector, sizeof key->selector);
    memcpy(key->key, vouched->key, sizeof key->key);
    return key;
}

void domain_keys_note(struct domain_keys *keys, const struct record *record)
{
    struct vouched vouched;
    const json_t *json = json_object_get(record->json, "vouched");
    json_int_t seat = json_integer_value(json_object_get(record->json, "seat"));
    if (!json || !vouched_read(json, &vouched) || seat < 0 || seat > SEATS_MAX)
        return;
    struct domain_key *key = find_key(keys, &vouched);
    key->orders[seat] +=
        strcmp(record->type, "orders") == 0; /* other texts of players are vouched for as well */
    key->last = record->time;
}

void domain_keys_release(struct domain_keys *keys)
{
    free(keys->list);
    *keys = (struct domain_keys){NULL, 0, 0};
}

/* ---- from the DNS ---- */

static enum key_now compare(const struct domain_key *key, const struct dns_answer *answer)
{
    struct dkim_key published;
    json_t *refusal = NULL;
    switch (answer->found) {
    case DNS_NONE: return KEY_GONE;
    case DNS_FORGED: return KEY_FORGED;
    case DNS_LATER: return KEY_LATER;
    case DNS_SEVERAL: return KEY_OTHER;
    case DNS_FOUND: break;
    }
    bool same = dkim_key_read(slice_str(&answer->text), &published, &refusal) == OUTCOME_DONE &&
                memcmp(published.digest, key->key, sizeof key->key) == 0;
    reason_clear(&refusal);
    return same ? KEY_SAME : KEY_OTHER;
}

int domain_keys_ask(struct domain_keys *keys, const struct dns_way *way, struct err *err)
{
    struct resolver *resolver;
    if (!keys->count)
        return 0;
    if (resolver_open(way, &resolver, err))
        return -1;
    for (size_t i = 0; i < keys->count; i++) {
        struct domain_key *key = &keys->list[i];
        struct dns_answer answer = DNS_ANSWER_INIT;
        struct dkim_claim claim = {.kind = DKIM_RSA};
        char name[DKIM_KEY_NAME];
        memcpy(claim.from.domain, key->domain, sizeof claim.from.domain);
        memcpy(claim.selector, key->selector, sizeof claim.selector);
        dkim_key_name(name, &claim);
        resolver_text(resolver, name, NULL, clock_system(), &answer);
        key->now = compare(key, &answer);
        key->secure = answer.secure;
        dns_answer_release(&answer);
    }
    resolver_close(resolver);
    return 0;
}

/* ---- levels ---- */

/* The orders of a seat, by who vouches for them. */
struct levels {
    int64_t keys, dnssec, seen, league;
};

static struct levels levels_of(const struct domain_keys *keys, const struct audit_result *result, int seat)
{
    struct levels levels = {.keys = result->orders[seat].keys, .league = result->orders[seat].mails};
    for (size_t i = 0; i < keys->count; i++) {
        const struct domain_key *key = &keys->list[i];
        if (key->now != KEY_SAME)
            continue;
        *(key->secure ? &levels.dnssec : &levels.seen) += key->orders[seat];
        levels.league -= key->orders[seat];
    }
    return levels;
}

static void add_ahead(struct str *out, const struct audit_orders *orders)
{
    if (!orders->ahead)
        return;
    str_addf(out, ", of which came before the time in their Date: %lld, by up to ", (long long)orders->ahead);
    duration_add(out, orders->ahead_most);
}

static void add_seat(struct str *out, const struct domain_keys *keys, const struct audit_result *result,
                     int seat)
{
    const struct levels levels = levels_of(keys, result, seat);
    str_addf(out, "- seat %d: %lld by key; by mail: %lld", seat, (long long)levels.keys,
             (long long)result->orders[seat].mails);
    if (levels.dnssec)
        str_addf(out, ", of which DNSSEC proves the key now: %lld", (long long)levels.dnssec);
    if (levels.seen)
        str_addf(out, ", of which the domain publishes the key now, without DNSSEC: %lld",
                 (long long)levels.seen);
    if (levels.league)
        str_addf(out, ", of which the key rests on the league's word alone: %lld", (long long)levels.league);
    add_ahead(out, &result->orders[seat]);
    str_adds(out, "\n");
}

static const struct {
    const char *name, *words;
} now[] = {
    [KEY_NOT_ASKED] = {"not-asked", "not compared (--dns asks the domain)"},
    [KEY_SAME] = {"same", "published now"},
    [KEY_OTHER] = {"other", "another key is published in its place now: domains change their keys, or there "
                            "never was this one"},
    [KEY_GONE] = {"gone",
                  "no key is published there now: domains take their old keys away, or there never was "
                  "one"},
    [KEY_FORGED] = {"forged", "what the DNS says contradicts DNSSEC: ask again from elsewhere"},
    [KEY_LATER] = {"later", "the name servers do not answer: ask again"},
};

static void add_domain(struct str *out, const struct domain_key *key)
{
    char hex[65], last[CLOCK_TEXT];
    hex_to(hex, key->key, sizeof key->key);
    clock_utc(last, key->last);
    str_addf(out, "- %s under %s, key %.16s..., last used on %.10s: %s", key->domain, key->selector, hex,
             last, now[key->now].words);
    if (key->now == KEY_SAME)
        str_adds(out, key->secure ? ", and DNSSEC proves it"
                                  : "; DNSSEC does not prove it, so it is the word of your name servers");
    str_adds(out, "\n");
}

void domain_keys_text(struct str *out, const struct domain_keys *keys, const struct audit_result *result)
{
    if (!keys->count)
        return;
    str_adds(out, "Orders by who vouches for them:\n");
    for (int seat = 1; seat <= result->seats; seat++)
        if (result->orders[seat].keys + result->orders[seat].mails)
            add_seat(out, keys, result, seat);
    str_adds(out, "Keys of mail domains:\n");
    for (size_t i = 0; i < keys->count; i++)
        add_domain(out, &keys->list[i]);
}

json_t *domain_keys_json(const struct domain_keys *keys, const struct audit_result *result)
{
    json_t *seats = json_array(), *domains = json_array();
    for (int seat = 1; seat <= result->seats; seat++) {
        const struct levels levels = levels_of(keys, result, seat);
        const struct audit_orders *orders = &result->orders[seat];
        json_array_append_new(seats,
                              json_pack("{s:i,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "seat", seat, "key",
                                        (json_int_t)levels.keys, "mail", (json_int_t)orders->mails, "dnssec",
                                        (json_int_t)levels.dnssec, "seen", (json_int_t)levels.seen, "league",
                                        (json_int_t)levels.league, "ahead", (json_int_t)orders->ahead,
                                        "ahead_most", (json_int_t)orders->ahead_most));
    }
    for (size_t i = 0; i < keys->count; i++) {
        const struct domain_key *key = &keys->list[i];
        char hex[65], last[CLOCK_TEXT];
        hex_to(hex, key->key, sizeof key->key);
        clock_utc(last, key->last);
        json_array_append_new(domains,
                              json_pack("{s:s,s:s,s:s,s:s,s:b,s:s}", "domain", key->domain, "selector",
                                        key->selector, "key", hex, "now", now[key->now].name, "dnssec",
                                        key->now == KEY_SAME && key->secure, "last", last));
    }
    return json_pack("{s:o,s:o}", "levels", seats, "domains", domains);
}
