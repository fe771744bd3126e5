/* Competitions in a house: made as `turnpost compete new` makes them, and worked on as a round of work does. */
#ifndef TESTS_HOUSE_COMPETE_H
#define TESTS_HOUSE_COMPETE_H

#include "batch/competing.h"
#include "compete/ranking.h"
#include "house/house.h"
#include "work/work.h"

#define HOUSE_WEEK (7 * DAY_SECONDS)

/* How many mails in the spool have these words in their subject or text. */
static inline int house_mails_with(struct house *h, const char *words)
{
    struct str told;
    int count = 0;
    (void)house_mails(h, NULL, &told);
    for (const char *at = told.p; (at = strstr(at, words)) != NULL; at += strlen(words))
        count++;
    str_release(&told);
    return count;
}

/* Short words for both mails of a competition, whatever the league's own templates say. */
static inline void house_compete_words(struct house *h)
{
    static const char *const words[][2] = {
        {"compete_round.subject.txt", "{{competition}} round {{round}}\n"},
        {"compete_round.txt", "PAIRING {{you}} {{game}} {{#bye}}BYE{{/bye}}\n"},
        {"compete_end.subject.txt", "{{competition}} is over\n"},
        {"compete_end.txt",
         "OVER {{you}} {{#groups}}{{#rows}}{{place}}. {{name}} {{points}}, {{/rows}}{{/groups}}\n"}};
    struct err err = ERR_INIT;
    char *dir = house_path(h, "templates/common");
    ck_ok(file_mkdirs(dir, 0755, &err), err);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *path = path_join(dir, words[i][0]);
        ck_ok(file_write_soft(path, slice_of(words[i][1]), 0644, &err), err);
        free(path);
    }
    free(dir);
}

/* Entries for a week; rounds of four weeks, with three days between them. */
static inline void house_calendar(const struct house *h, int64_t (*rounds)[2], int count)
{
    int64_t at = h->now + HOUSE_WEEK + DAY_SECONDS;
    for (int i = 0; i < count; i++, at += 4 * HOUSE_WEEK + 3 * DAY_SECONDS) {
        rounds[i][0] = at;
        rounds[i][1] = at + 4 * HOUSE_WEEK;
    }
}

/* One of `rounds` rounds by that ruleset, with what else `how` says. */
static inline void house_compete(struct house *h, const char *name, const char *ruleset, int rounds,
                                 struct new_competition how)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct competition c;
    int64_t times[COMPETE_ROUNDS][2];
    struct schedule clock;
    schedule_init(&clock);
    clock.length = DAY_SECONDS;
    house_calendar(h, times, rounds);
    how.name = name;
    how.ruleset = ruleset_newest(ruleset);
    how.nonce[0] = 5;
    how.entries_until = h->now + HOUSE_WEEK;
    how.protest = HOUSE_WEEK;
    how.rounds = (const int64_t(*)[2])times;
    how.round_count = rounds;
    how.bye = how.kind == COMPETE_DUPLICATE ? 0 : 2;
    how.zone = "UTC";
    if (!how.clock)
        how.clock = &clock;
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    if (strcmp(ruleset, "galactic-contract") == 0)
        how.options[0] = 1; /* short */
    if (strcmp(ruleset, "galactic-supremacy") == 0)
        how.options[2] = 1; /* one round */
    h->batch.now = h->now;
    competing_step(&h->batch, &step);
    ck_ok(compete_create(&step, &c, &how, &err), err);
    competing_take(competing_add(&h->batch, &c), &step);
    compete_step_release(&step);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

static inline struct competition *house_competition(struct house *h, const char *name)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    ck_ok(competing_find(&h->batch, name, &entry, &err), err);
    return &entry->c;
}

/* What a mail with the signed text leads to in a record: "by", "text", "mail" and "signed". New reference. */
static inline json_t *house_evidence(struct house *h, const char *name, const char *exact)
{
    char hex[65];
    unsigned char digest[32];
    struct str text = STR_INIT;
    crypto_generichash_state st;
    house_headed(h, exact, &text);
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, (const unsigned char *)name, strlen(name));
    crypto_generichash_update(&st, (const unsigned char *)text.p, text.len);
    crypto_generichash_final(&st, digest, 32);
    hex_to(hex, digest, 32);
    json_t *json = json_pack("{s:s,s:s,s:{s:s,s:o}}", "by", name, "text", hex, "signed", "text", text.p,
                             "signature", sits_signature(house_key(h, name), slice_str(&text)));
    crypto_generichash(digest, sizeof digest, digest, sizeof digest, NULL, 0); /* as if of a mail */
    hex_to(hex, digest, 32);
    json_object_set_new(json, "mail", json_string(hex));
    str_release(&text);
    return json;
}

/* The text of an entry, each time another one. */
static inline void house_entry_words(struct house *h, struct str *text, const char *verb,
                                     const char *competition)
{
    static int mails;
    char print[KEY_FINGERPRINT], day[DATE_TEXT];
    league_fingerprint(&h->league, print);
    date_text(day, h->now / DAY_SECONDS);
    str_addf(text, "#turnpost %s\ncompetition: %s\nleague: %s\ndate: %s\nseq: %d\n#end\n", verb, competition,
             print, day, ++mails);
}

/* What a mail with it, signed by the player, leads to in a record. New reference. */
static inline json_t *house_entry_text(struct house *h, const char *name, const char *verb,
                                       const char *competition)
{
    struct str text = STR_INIT;
    house_entry_words(h, &text, verb, competition);
    json_t *json = house_evidence(h, name, text.p);
    str_release(&text);
    return json;
}

/* The same of a player without a key, for whom a mail domain vouches. New reference. */
static inline json_t *house_entry_said(struct house *h, struct batch_competition *entry, const char *verb,
                                       const char *name)
{
    struct str text = STR_INIT, raw = STR_INIT;
    struct domain from = {.signs_to = false};
    struct dkim_claims claims;
    house_entry_words(h, &text, verb, entry->c.name);
    domain_open(&from, 1);
    domain_mail(&from, name, h->now, "ok\r\n", &raw);
    const struct mail_proof proof = domain_proof(&from, &raw, h->now, &claims);
    json_t *evidence = sits_marks(name, slice_str(&text));
    json_object_set_new(evidence, "said", json_text(slice_str(&text)));
    competing_vouch(&h->batch, entry, evidence, &proof);
    domain_close(&from);
    str_release(&text);
    str_release(&raw);
    return evidence;
}

/* A player enters or confirms by a text of their own, or is withdrawn by the operator. */
static inline void house_entry(struct house *h, const char *name, const char *type, const char *player)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    struct pubkey keys[KEYS_PER_PLAYER];
    h->batch.now = h->now;
    ck_ok(competing_find(&h->batch, name, &entry, &err), err);
    json_t *evidence = strcmp(type, "withdraw") == 0 ? json_pack("{s:s}", "by", "operator")
                       : keyring_of(&h->batch.keyring, player, keys)
                           ? house_entry_text(h, player, type, name)
                           : house_entry_said(h, entry, type, player);
    competing_step(&h->batch, &step);
    ck_ok(compete_entry(&step, &entry->c, type, player, evidence, &err), err);
    competing_take(entry, &step);
    compete_step_release(&step);
    json_decref(evidence);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

/* A round of work without mail. */
static inline void house_work(struct house *h, int64_t now)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    h->now = now;
    ck_ok(batch_round(&h->batch, now, &err), err);
    ck_ok(work_clock(&h->batch, &sum, &err), err);
    ck_ok(batch_round_done(&h->batch, &err), err);
}

#endif
