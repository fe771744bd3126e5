/* People who have only a mailbox, in a league that believes mail domains. */
#ifndef TESTS_HOUSE_ONLY_MAIL_H
#define TESTS_HOUSE_ONLY_MAIL_H

#include "base/json.h"
#include "batch/budget.h"
#include "game/vouched.h"
#include "dns/resolver.h"
#include "base/mem.h"
#include "house/domain.h"
#include "house/house.h"
#include "game/game_seats.h"
#include "league/token.h"
#include "league/registry_sealing.h"
#include "petitions/keyless.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct domain domain;

static inline void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = mona\nplayer_invites = 2");
    house_player(&house, "mona");
    domain_open(&domain, 5);
    house.by_mail = true;
}

/* As the next run finds it; the name server has been asked already. */
static inline void restart(void)
{
    struct err err = ERR_INIT;
    house_restart(&house);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    resolver_tell(house.league.resolver, "mail._domainkey.example.net", domain.record.p, clock_system());
}

/* Mail domains are believed, and anybody may come, or only who is invited. */
static inline void believes(const char *registration)
{
    char lines[64];
    (void)snprintf(lines, sizeof lines, "trust = mail\nregistration = %s", registration);
    house_option(&house, "[league]", lines);
    restart();
}

static inline void end(void)
{
    house_close(&house);
    domain_close(&domain);
}

/* A mail that the domain of its sender signs, below what a server on its way has put on top of it. */
static inline enum intake_fate post_below(const char *above, const char *from, const char *to,
                                          const char *subject, const char *text)
{
    struct str body = STR_INIT;
    for (const char *c = text; *c; c++)
        str_addf(&body, "%s%c", *c == '\n' ? "\r" : "", *c);
    if (!body.len || body.p[body.len - 1] != '\n')
        str_adds(&body, "\r\n"); /* signed as it is: no empty line at its end */
    str_clear(&house.last_raw);
    str_adds(&house.last_raw, above);
    house_travelled(&house.last_raw);
    house.mails++;
    const char *at = strrchr(from, '@');
    char local[PLAYER_ADDRESS];
    (void)snprintf(local, sizeof local, "%.*s", (int)(at - from), from);
    domain_letter(
        &domain,
        &(struct domain_letter){local, at + 1, to, subject, house.now + house.mails, body.p, NULL, 0},
        &house.last_raw);
    str_release(&body);
    return house_raw(&house, slice_str(&house.last_raw));
}

static inline enum intake_fate post_from(const char *from, const char *to, const char *subject,
                                         const char *text)
{
    return post_below("", from, to, subject, text);
}

/* It was written to Eve, who has sent it on to that address of ours; the domain has signed To, or not. */
static inline void pass_on(const char *to, const char *subject, const char *text)
{
    static const char *const fields[] = {"Delivered-To", "X-Original-To", "Envelope-To", "Cc"};
    for (int i = 0; i < 8; i++) {
        char above[200];
        domain.signs_to = i % 2;
        (void)snprintf(above, sizeof above, "%s: %s\r\n", fields[i / 2], to);
        (void)post_below(above, "zoe@example.net", "eve@example.net", subject, text);
    }
    domain.signs_to = false;
}

static inline enum intake_fate post(const char *name, const char *to, const char *subject, const char *text)
{
    char from[PLAYER_ADDRESS];
    (void)snprintf(from, sizeof from, "%s@example.net", name);
    return post_from(from, to, subject, text);
}

static inline const struct player *find(const char *name)
{
    return registry_find(&house.batch.registry, name);
}

/* Where an answer to the question goes that was mailed to that person. */
static inline void reply_to(const char *name, char address[PLAYER_ADDRESS])
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char to[PLAYER_ADDRESS];
    (void)snprintf(to, sizeof to, "%s@example.net", name);
    *address = '\0';
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        size_t at = slice_find(slice_str(&mail.mail), "\nReply-To: ");
        if (strcmp(mail.envelope_to, to) == 0 && at != (size_t)-1) {
            const char *value = mail.mail.p + at + strlen("\nReply-To: ");
            value += *value == '<';
            if (!str_starts(value, HOUSE_ADDRESS))
                (void)snprintf(address, PLAYER_ADDRESS, "%.*s", (int)strcspn(value, "> \r\n"), value);
        }
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    ck_assert_msg(*address, "no mail to %s says where an answer goes", name);
}

/* Two mails and one word typed. */
static inline void join(const char *name)
{
    char to[PLAYER_ADDRESS], subject[64];
    (void)snprintf(subject, sizeof subject, "register %s", name);
    (void)post(name, HOUSE_ADDRESS, subject, "");
    reply_to(name, to);
    (void)post(name, to, "Re: One step more", "Ok.\n\n> answer this mail with the one word\n>\n> ok");
    ck_assert_ptr_nonnull(find(name));
    house_empty_spool(&house);
}

/* The last record of the registry, with what it seals. The caller releases it. */
static inline void last_record(struct record *record)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    bool erased;
    ck_ok(store_read(house.batch.log.store, REGISTRY_GAME, STORE_BEGIN, &lines, &err), err);
    const char *begin = memrchr(lines.p, '\n', lines.len - 1);
    begin = begin ? begin + 1 : lines.p;
    ck_ok(record_parse((struct slice){begin, lines.len - (size_t)(begin - lines.p)}, record, &err), err);
    ck_assert(!slice_str(&lines).p ||
              !strstr(begin, "\"evidence\":{\"mail\"")); /* nothing of it in the clear */
    ck_ok(registry_unseal(house.dir, record->json, &erased, &err), err);
    ck_assert(!erased);
    str_release(&lines);
}

/* What stands for a signature in the record is a mail that its domain has signed. */
static inline void proves(const json_t *fields, const char *from)
{
    const json_t *evidence = json_object_get(fields, "evidence");
    struct vouched vouched;
    struct dkim_claims claims;
    struct dkim_key key;
    struct str mail = STR_INIT, payload = STR_INIT;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    unsigned char digest[32];
    ck_assert(vouched_read(json_object_get(fields, "vouched"), &vouched));
    const char *text = json_string_value(json_object_get(evidence, "mail"));
    const char *record = json_string_value(json_object_get(evidence, "record"));
    ck_assert(text && record && base64_decode(&mail, slice_of(text)));
    json_write(&payload, evidence);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)payload.p, payload.len, NULL, 0);
    ck_assert_mem_eq(digest, vouched.evidence, sizeof digest);
    ck_assert_int_eq(dkim_read(slice_str(&mail), house.now, &work, &claims, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_key_read(slice_of(record), &key, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_holds(&claims.list[0], &key, &refusal), OUTCOME_DONE);
    ck_assert_str_eq(claims.list[0].from.domain, vouched.domain);
    ck_assert_str_eq(claims.list[0].from.local, from);
    ck_assert_mem_eq(key.digest, vouched.key, 32);
    str_release(&mail);
    str_release(&payload);
}

static inline void print_of(const char *name, char print[KEY_FINGERPRINT])
{
    struct pubkey key;
    secret_public(house_key(&house, name), &key);
    pubkey_fingerprint(print, &key);
}

/* The text that asks for it, signed by that key, in a mail from the address. */
static inline void ask_key(const char *from)
{
    char print[KEY_FINGERPRINT], text[200];
    struct str body = STR_INIT;
    print_of("zoe", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: zoe\nadd: %s\n#end\n", print);
    house_sign(&house, "zoe", text, &body);
    (void)post_from(from, HOUSE_ADDRESS, "my key", body.p);
    str_release(&body);
}

static inline size_t count_keys(const char *name)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    return keyring_of(&house.batch.keyring, name, keys);
}

#endif
