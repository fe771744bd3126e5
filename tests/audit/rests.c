/* On whose word a game rests, in the words that a player reads. */
#include <stdio.h>
#include <string.h>

#include "audit/audit.h"
#include "suite.h"

static struct audit_result result;

static void begin(void)
{
    memset(&result, 0, sizeof result);
    result.records = 40;
    result.joined = 2;
    result.witnesses.count = 1;
    memcpy(result.witnesses.name[0], "carol", sizeof "carol");
    result.word[AUDIT_KEYS] = 1; /* whose the witness's key is */
}

static void first(enum audit_kind kind, int64_t count, const char *player)
{
    result.word[kind] += count;
    result.first_word[kind] = (struct audit_first){.seq = 12, .seat = *player ? 2 : 0, .turn = 3};
    (void)snprintf(result.first_word[kind].player, sizeof result.first_word[kind].player, "%s", player);
}

static void changes(enum audit_kind kind, int seat, const char *player)
{
    struct audit_changed *changed = kind == AUDIT_KEYS ? &result.changed_keys : &result.changed_mailboxes;
    struct audit_first *one = &changed->list[changed->count++];
    *one = (struct audit_first){.seq = 10 + seat, .seat = seat};
    (void)snprintf(one->player, sizeof one->player, "%s", player);
    result.word[kind]++;
}

static void by_mail(int seat, const char *player, const char *domain)
{
    struct audit_orders *orders = &result.orders[seat];
    orders->mails = 4;
    (void)snprintf(orders->player, sizeof orders->player, "%s", player);
    (void)snprintf(orders->domain, sizeof orders->domain, "%s", domain);
    result.word[AUDIT_DOMAIN] += 4;
}

/* All that is said. */
static void must_say(const char *page, const char *const *lines)
{
    json_t *rests = audit_rests(&result, page);
    size_t count = 0;
    for (; lines[count]; count++) {
        const char *got = json_string_value(json_array_get(rests, count));
        ck_assert_msg(got && strcmp(got, lines[count]) == 0, "got \"%s\", want \"%s\"", got ? got : "nothing",
                      lines[count]);
    }
    ck_assert_uint_eq(json_array_size(rests), count);
    json_decref(rests);
}
#define SAYS(page, ...) must_say(page, (const char *const[]){__VA_ARGS__, NULL})
#define WITNESS                                                                                       \
    "Witness: carol. Nobody knew the dice of a turn before it was closed, unless they work with the " \
    "operator. Ask them "                                                                             \
    "whether the key is theirs: the operator says so."

START_TEST(what_a_good_game_rests_on)
{
    begin();
    SAYS(NULL, WITNESS);
    result.witnesses.count = result.witnesses.quorum = 2;
    result.word[AUDIT_KEYS] = 2;
    memcpy(result.witnesses.name[1], "dave", sizeof "dave");
    SAYS(NULL, "Witnesses: carol, dave (all must agree). Nobody knew the dice of a turn before it was "
               "closed, unless they work with "
               "the operator. Ask each whether the keys are theirs: the operator says so.");
    result.records = 0; /* nothing was proved, so nothing rests on anything */
    must_say(NULL, (const char *const[]){NULL});
}
END_TEST

START_TEST(orders_by_mail)
{
    begin();
    by_mail(2, "bob", "b.test");
    SAYS(NULL, "bob's orders rest on the word of a mail provider, b.test.", WITNESS);
    by_mail(3, "cleo", "c.test");
    SAYS(NULL, "The orders of bob (b.test) and cleo (c.test) rest on the word of their mail providers.",
         WITNESS);
    by_mail(1, "alice", "a.test");
    result.counts.mails_sealed = 1;
    result.word[AUDIT_AGREED] = 2;
    SAYS(NULL,
         "The orders of alice (a.test), bob (b.test) and cleo (c.test) rest on the word of their mail "
         "providers.",
         "Evidence withheld: 1 mail is sealed here. That the orders are what the mails say, the operator "
         "says.",
         "2 mails do not say by themselves what was ordered (\"ok\", a number): the operator says what was "
         "meant.",
         WITNESS);
    begin();
    first(AUDIT_DOMAIN, 1, "");
    SAYS(NULL, "1 text rests on the word of mail providers, first record 12.", WITNESS);
}
END_TEST

/* The gravest comes first. */
START_TEST(what_the_operator_did_alone)
{
    begin();
    result.lost = 1;
    changes(AUDIT_KEYS, 2, "bob");
    changes(AUDIT_MAILBOX, 2, "bob");
    first(AUDIT_INTERVENTION, 2, "");
    first(AUDIT_MISSED, 1, "bob");
    first(AUDIT_DEADLINE, 1, "");
    first(AUDIT_SIGNATURE, 3, "");
    first(AUDIT_ACT, 1, "");
    SAYS(NULL,
         "The league lost records of this game 1 time, and its turn was drawn anew. What they were, only its "
         "log "
         "and players' mails show: turnpost audit --log, receipt-check.",
         "bob in seat 2 plays with another key from record 12 on. It was asked for seven days before, and "
         "nobody of that seat said no.",
         "bob in seat 2 answers from another mailbox from record 12 on.",
         "The operator alone intervened 2 times (first record 12).",
         "bob missed turn 3 by somebody's word or by a clock that was moved (record 12).", WITNESS,
         "1 deadline was moved for a reason that only the operator knows (record 12).",
         "1 act of moderators is sealed here, so that they did it the operator says (first record 12).",
         "3 texts are signed by keys that the game does not know, of moderators or of people without a seat "
         "(first record "
         "12): whose they are, the operator says.");
}
END_TEST

/* Each seat whose keys or mailbox somebody else has changed is named, in one line. */
START_TEST(every_seat_that_was_changed_is_named)
{
    begin();
    changes(AUDIT_KEYS, 1, "anna");
    changes(AUDIT_KEYS, 2, "bob");
    changes(AUDIT_KEYS, 4, "dora");
    changes(AUDIT_MAILBOX, 2, "bob");
    changes(AUDIT_MAILBOX, 3, "carl");
    SAYS(NULL,
         "anna in seat 1 (from record 11 on), bob in seat 2 (from record 12 on) and dora in seat 4 (from "
         "record 14 on) "
         "play with other keys. They were asked for seven days before, and nobody of these seats said no.",
         "bob in seat 2 (from record 12 on) and carl in seat 3 (from record 13 on) answer from other "
         "mailboxes.",
         WITNESS);
}
END_TEST

START_TEST(the_deal_and_the_dice)
{
    static const char choice[] =
        "No witness: the operator could leave out a text before the dice were known, and with a friend at "
        "the table choose dice.";
    begin();
    result.witnesses.count = 0;
    result.word[AUDIT_KEYS] = 0;
    SAYS(NULL, choice);
    result.joined = 0;
    first(AUDIT_DEAL, 1, ""); /* robots alone */
    SAYS(NULL, "The operator alone dealt: no player's text is in the draw.", choice);
    result.word[AUDIT_DEAL] = 0;
    result.joined = 2;
    memcpy(result.competition, "spring", sizeof "spring");
    SAYS(NULL, "The deal is that of competition spring: audit that as well.", choice);
    begin();
    result.witnesses.absent[0] = 2;
    result.witnesses.absent[1] = 5;
    result.witnesses.absent_count = 2;
    SAYS(NULL, WITNESS,
         "Turns 2, 5 were played without one of the witnesses, after a day: without that answer the operator "
         "knew two results and could choose.");
}
END_TEST

START_TEST(keys_that_a_page_made)
{
    begin();
    memcpy(result.orders[1].pages[0], "a.test", sizeof "a.test");
    memcpy(result.orders[2].pages[0], "a.test", sizeof "a.test");
    SAYS("b.test", WITNESS,
         "Key made in the page at a.test: seats 1, 2. Anyone who serves that page could show one player "
         "another "
         "one.");
    SAYS(
        "a.test", WITNESS,
        "Key made in the page at a.test, by the operator: seats 1, 2. Anyone who serves that page could show "
        "one player another one.");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, what_a_good_game_rests_on);
    tcase_add_test(tc, orders_by_mail);
    tcase_add_test(tc, what_the_operator_did_alone);
    tcase_add_test(tc, every_seat_that_was_changed_is_named);
    tcase_add_test(tc, the_deal_and_the_dice);
    tcase_add_test(tc, keys_that_a_page_made);
}

TEST_MAIN("audit/rests", cases)
