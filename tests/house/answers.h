/* A league in which anna has only a mailbox, and answers its mails in a game with bob, gc-1. */
#ifndef TESTS_HOUSE_ANSWERS_H
#define TESTS_HOUSE_ANSWERS_H

#include "house/domain.h"
#include "house/house.h"

#include "dns/resolver.h"
#include "mail/reply.h"
#include "play/replies.h"

static struct house house;
static struct domain domain;
static struct str mail;                    /* the last one */
static const struct schedule *table_clock; /* of gc-1; NULL: a day a turn */

/* Anna has only a mailbox, bob has a key. */
static inline void begin(void)
{
    struct err err = ERR_INIT;
    struct player anna;
    const char *const names[] = {"anna", "bob"};
    house_open(&house);
    domain_open(&domain, 1);
    str_init(&mail);
    house.league.config.league.trust = TRUST_MAIL;
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    resolver_tell(house.league.resolver, "mail._domainkey.mail.test", domain.record.p, clock_system());
    player_init(&anna);
    anna.by_mail = true;
    anna.html = false;
    (void)snprintf(anna.name, sizeof anna.name, "anna");
    (void)snprintf(anna.address, sizeof anna.address, "anna@mail.test");
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "register", .player = &anna}, &err),
          err);
    house_player(&house, "bob");
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = table_clock ? 0 : 86400,
                                    .clock = table_clock,
                                    .missed_robot = 3,
                                    .typo_wait = true,
                                    .by_mail = true},
                  names);
    house_empty_spool(&house);
}

static inline void end(void)
{
    house_close(&house);
    domain_close(&domain);
    str_release(&mail);
}

static inline struct reply_place place_of(struct game *game)
{
    struct reply_place place;
    ck_assert(reply_place_now(&place, game, 1));
    return place;
}

static inline const char *orders_now(void)
{
    return house_find(&house, "gc-1")->seat[1].orders.text.p;
}

static inline bool is_in(void)
{
    return house_find(&house, "gc-1")->seat[1].orders.in;
}

/* How many mails of the spool go to bob, or to anna; the words are in them. */
static inline void told(int to_bob, int to_all, const char *words)
{
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), to_bob);
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), to_all);
    ck_assert_msg(house_says(mails.p, words), "not told \"%s\" but:\n%s", words, mails.p);
    str_release(&mails);
    house_empty_spool(&house);
}

static inline void nobody_is_told(void)
{
    struct str mails;
    ck_assert_msg(house_mails(&house, NULL, &mails) == 0, "told:\n%s", mails.p);
    str_release(&mails);
}

/* Its journal is damaged, say: for this batch. */
static inline void lose_game(const char *id)
{
    struct err err = ERR_INIT;
    struct batch_game *entry;
    ck_ok(batch_game(&house.batch, id, &entry, &err), err);
    entry->broken = true;
}

#endif
