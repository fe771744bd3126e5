/* What the resolver remembers, and what it lets be asked: bounds, without any server. */
#include "dns/memory.h"

#include <stdio.h>

#include "suite.h"

#include "base/mem.h"

#define NOW ((int64_t)DNS_WINDOW * 1000)

static struct dns_memory *fresh(void)
{
    return mem_alloc(sizeof(struct dns_memory));
}

static void drop(struct dns_memory *memory)
{
    memory_release(memory);
    free(memory);
}

static void keep_of(struct dns_memory *memory, const struct dns_question *question, int64_t ttl,
                    enum dns_found found)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    answer.found = found;
    answer.secure = true;
    str_adds(&answer.text, question->name);
    memory_keep(memory, question, ttl, &answer);
    dns_answer_release(&answer);
}

/* Each name in a domain of its own. */
static void keep(struct dns_memory *memory, const char *name, int64_t now, int64_t ttl, enum dns_found found)
{
    keep_of(memory, &(struct dns_question){name, name, now}, ttl, found);
}

static bool charge(struct dns_memory *memory, const char *domain, int64_t now)
{
    return memory_charge(memory, &(struct dns_question){"never.found", domain, now}) > 0;
}

/* Asks and waits, for as long as it may: so many milliseconds. */
static int64_t wait(struct dns_memory *memory, const char *name, const char *domain, int64_t now)
{
    const struct dns_question question = {name, domain, now};
    int64_t time = memory_charge(memory, &question);
    if (time)
        memory_waited(memory, &question, time);
    return time;
}

static bool recalls(const struct dns_memory *memory, const char *name, int64_t now)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    bool found = memory_recall(memory, name, now, &answer);
    if (found)
        ck_assert_str_eq(answer.text.p, name);
    ck_assert_int_eq(answer.secure, found);
    dns_answer_release(&answer);
    return found;
}

START_TEST(for_as_long_as_the_domain_says)
{
    static const struct {
        enum dns_found found;
        int64_t ttl, kept;
    } rows[] = {{DNS_FOUND, 300, 300},       {DNS_NONE, 300, 300},           {DNS_FOUND, 0, DNS_LEAST},
                {DNS_FORGED, -5, DNS_LEAST}, {DNS_FOUND, 1 << 30, DNS_MOST}, {DNS_LATER, 1 << 30, DNS_AGAIN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dns_memory *memory = fresh();
        keep(memory, "a", NOW, rows[i].ttl, rows[i].found);
        ck_assert(recalls(memory, "a", NOW + rows[i].kept - 1));
        ck_assert(!recalls(memory, "a", NOW + rows[i].kept));
        ck_assert(!recalls(memory, "b", NOW));
        ck_assert(!recalls(memory, "a", NOW - DNS_MOST - 1)); /* a clock that was put back */
        drop(memory);
    }
}
END_TEST

START_TEST(the_first_to_end_makes_room)
{
    struct dns_memory *memory = fresh();
    char name[20];
    for (int i = 0; i < DNS_KEPT + 10; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        keep(memory, name, NOW, 1000 + i, DNS_FOUND);
    }
    ck_assert(!recalls(memory, "n9", NOW));
    ck_assert(recalls(memory, "n10", NOW));
    ck_assert(recalls(memory, name, NOW));
    keep(memory, "n10", NOW, 5000, DNS_FOUND); /* in its own place */
    ck_assert(recalls(memory, "n11", NOW));
    ck_assert(recalls(memory, "n10", NOW + 4999));
    drop(memory);
}
END_TEST

START_TEST(questions_are_counted)
{
    struct dns_memory *memory = fresh();
    char name[20];
    size_t all = 0;
    for (int i = 0; i < 2 * DNS_DOMAIN; i++)
        all += charge(memory, "a.test", NOW);
    ck_assert_uint_eq(all, DNS_DOMAIN);
    for (int i = 0; i < 2 * DNS_ALL; i++) {
        (void)snprintf(name, sizeof name, "n%d.test", i % 300);
        all += charge(memory, name, NOW + DNS_WINDOW - 1);
    }
    ck_assert_uint_eq(all, DNS_ALL);
    ck_assert(charge(memory, "a.test", NOW + DNS_WINDOW));
    for (int i = 0; i < DNS_COUNTED + 10; i++) {
        (void)snprintf(name, sizeof name, "m%d.test", i);
        all += charge(memory, name, NOW + DNS_WINDOW);
    }
    ck_assert_uint_eq(all, DNS_ALL + DNS_COUNTED - 1);
    drop(memory);
}
END_TEST

/* 30 forged mails with selectors that nobody has, at a provider that players have: a key that was found before is
 * asked for all the same, one that was not is not. */
START_TEST(a_known_name_is_asked_for_again)
{
    static const struct {
        enum dns_found then;
        bool welcome, free;
    } rows[] = {{DNS_FOUND, false, true},  {DNS_NONE, false, false},  {DNS_NONE, true, false},
                {DNS_FORGED, true, false}, {DNS_LATER, false, false}, {DNS_LATER, true, true}};
    const char *domain = "Mail.test";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dns_memory *memory = fresh();
        struct dns_question key = {"key._domainkey.mail.test", "mail.test", NOW};
        memory_welcome(memory, &domain, rows[i].welcome);
        keep_of(memory, &key, DNS_LEAST, DNS_FOUND);
        keep_of(memory, &key, DNS_LEAST, rows[i].then);
        for (int k = 0; k < (rows[i].welcome ? DNS_PLAYERS : DNS_DOMAIN); k++)
            ck_assert(charge(memory, "mail.test", NOW));
        ck_assert(!charge(memory, "mail.test", NOW));
        ck_assert(!recalls(memory, key.name, NOW + DNS_LEAST));
        for (int k = 0; k < 2; k++)
            ck_assert_msg(!memory_charge(memory, &key) == !rows[i].free, "row %zu", i);
        drop(memory);
    }
}
END_TEST

/* Whatever strangers have asked, the domains of players may ask; each for itself. */
START_TEST(players_domains_count_for_themselves)
{
    static const char *const domains[] = {"c.test", "B.test", "a.test"};
    struct dns_memory *memory = fresh();
    char name[20];
    memory_welcome(memory, domains, 3);
    for (int i = 0; i < DNS_ALL; i++) {
        (void)snprintf(name, sizeof name, "n%d.test", i % 300);
        ck_assert(charge(memory, name, NOW));
    }
    ck_assert(!charge(memory, "new.test", NOW));
    for (int i = 0; i < DNS_PLAYERS; i++)
        ck_assert(charge(memory, "b.test", NOW));
    ck_assert(!charge(memory, "b.test", NOW));
    memory_welcome(memory, domains, 2); /* somebody has left; nobody's count begins anew */
    ck_assert(!charge(memory, "b.test", NOW));
    ck_assert(charge(memory, "c.test", NOW));
    ck_assert(!charge(memory, "a.test", NOW));
    ck_assert(charge(memory, "b.test", NOW + DNS_WINDOW));
    memory_waited(memory, &(struct dns_question){"n.b.test", "b.test", NOW}, (int64_t)DNS_PLAYERS * DNS_SLOW);
    ck_assert(!charge(memory, "b.test", NOW + DNS_WINDOW + DNS_PLAYERS_FILL)); /* costs itself alone */
    ck_assert(charge(memory, "c.test", NOW + DNS_WINDOW + DNS_PLAYERS_FILL));
    ck_assert(charge(memory, "new.test", NOW + DNS_WINDOW));
    drop(memory);
}
END_TEST

/* 2,000 domains whose servers are silent, before a player's mail: the two purses are all that is waited. */
START_TEST(waiting_comes_out_of_two_purses)
{
    static const char *const domains[] = {"a.test", "b.test"};
    struct dns_memory *memory = fresh();
    char name[20];
    int64_t all = 0, half = DNS_PLAYERS_WAIT / 2;
    memory_welcome(memory, domains, 2);
    keep_of(memory, &(struct dns_question){"key.b.test", "b.test", NOW}, 1, DNS_FOUND);
    for (int i = 0; i < 2000; i++) {
        (void)snprintf(name, sizeof name, "n%d.test", i);
        all += wait(memory, name, name, NOW);
    }
    ck_assert_int_eq(all, DNS_OTHERS_WAIT);
    for (all = 0; charge(memory, "a.test", NOW);)
        all += wait(memory, "forged.a.test", "a.test", NOW);
    ck_assert_int_eq(all, half); /* selectors that anybody can make up leave half of it */
    ck_assert_int_eq(wait(memory, "key.b.test", "b.test", NOW), half);
    ck_assert_int_eq(wait(memory, "key.b.test", "b.test", NOW), 0);
    ck_assert_int_eq(wait(memory, "key.b.test", "b.test", NOW + DNS_PLAYERS_FILL / 10),
                     DNS_PLAYERS_WAIT / 10);
    ck_assert_int_eq(wait(memory, "new.test", "new.test", NOW + DNS_OTHERS_FILL / 10), DNS_OTHERS_WAIT / 10);
    ck_assert_int_eq(wait(memory, "new.test", "new.test", NOW - 5), 0); /* the clock was put back */
    ck_assert_int_eq(wait(memory, "new.test", "new.test", NOW - 5 + DNS_OTHERS_FILL), DNS_OTHERS_ONCE);
    drop(memory);
}
END_TEST

/* One stranger's domain that is slow does not use up what all others have. */
START_TEST(a_slow_domain_leaves_time_to_others)
{
    struct dns_memory *memory = fresh();
    char name[20];
    int64_t all = 0;
    for (int i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof name, "n%d.slow.test", i);
        all += wait(memory, name, "slow.test", NOW);
    }
    ck_assert_int_le(all, DNS_OTHERS_WAIT / 2);
    ck_assert(charge(memory, "new.test", NOW));
    drop(memory);
}
END_TEST

/* cron begins a process every few minutes: each goes on where the one before it has stopped. */
START_TEST(the_next_process_goes_on)
{
    static const char *const domains[] = {"b.test", "c.test"};
    const struct dns_question key = {"key.b.test", "b.test", NOW};
    struct dns_memory *memory = fresh(), *next = fresh();
    struct str kept = STR_INIT, again = STR_INIT;
    struct err err = ERR_INIT;
    char name[20];
    memory_welcome(memory, domains, 2);
    keep_of(memory, &key, 1, DNS_FOUND);
    keep_of(memory, &(struct dns_question){"key.c.test", "c.test", NOW}, 1, DNS_FOUND);
    keep_of(memory, &(struct dns_question){"key.c.test", "c.test", NOW}, 1, DNS_LATER);
    keep(memory, "stranger", NOW, DNS_MOST, DNS_FOUND);
    for (int i = 0; i < DNS_DOMAIN; i++)
        ck_assert(charge(memory, "all.test", NOW));
    for (int i = 0; i < DNS_PLAYERS; i++)
        ck_assert(charge(memory, "b.test", NOW));
    for (int i = 0; i < 20; i++) {
        (void)snprintf(name, sizeof name, "n%d.test", i);
        (void)wait(memory, name, name, NOW);
    }
    memory_write(memory, &kept);
    memory_welcome(next, domains, 2);
    ck_ok(memory_read(next, slice_str(&kept), &err), err);
    memory_write(next, &again);
    ck_assert_str_eq(again.p, kept.p);
    ck_assert(!strstr(kept.p, "stranger"));
    ck_assert(!charge(next, "new.test", NOW));
    ck_assert(
        !charge(next, "all.test", NOW + DNS_OTHERS_FILL)); /* all of its questions were asked in this hour */
    ck_assert(charge(next, "new.test", NOW + DNS_OTHERS_FILL));
    ck_assert(!charge(next, "b.test", NOW));
    ck_assert(memory_charge(next, &key) > 0); /* it is known, and its answer is not */
    struct dns_answer answer = DNS_ANSWER_INIT;
    ck_assert(!memory_recall(next, key.name, NOW, &answer));
    ck_assert(memory_recall(next, "key.c.test", NOW + DNS_AGAIN - 1, &answer)); /* it rests */
    ck_assert_int_eq(answer.found, DNS_LATER);
    ck_assert(!memory_recall(next, "key.c.test", NOW + DNS_AGAIN, &answer));
    dns_answer_release(&answer);
    ck_assert_int_eq(memory_read(next, slice_of("{\"all\":1}"), &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    str_release(&kept);
    str_release(&again);
    drop(memory);
    drop(next);
}
END_TEST

/* More domains than are counted: those of players have their places. */
START_TEST(players_domains_are_always_counted)
{
    const char *domain = "b.test";
    struct dns_memory *memory = fresh();
    char name[20];
    memory_welcome(memory, &domain, 1);
    for (int i = 0; i < DNS_COUNTED; i++) {
        (void)snprintf(name, sizeof name, "n%d.test", i);
        ck_assert(charge(memory, name, NOW));
    }
    ck_assert(!charge(memory, "one.more", NOW));
    ck_assert(charge(memory, "b.test", NOW));
    drop(memory);
}
END_TEST

/* Who makes room: answers that nobody waits for, then strangers' keys, never a player's for a stranger's. */
START_TEST(players_keys_make_room_last)
{
    const char *domain = "b.test";
    struct dns_memory *memory = fresh();
    const struct dns_question key = {"key.b.test", "b.test", NOW};
    char name[20];
    memory_welcome(memory, &domain, 1);
    keep_of(memory, &key, DNS_LEAST, DNS_FOUND);
    keep(memory, "stranger", NOW, DNS_LEAST + 1, DNS_FOUND);
    for (int i = 0; i < 2 * DNS_KEPT; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        keep(memory, name, NOW, 1000, DNS_NONE);
    }
    ck_assert(recalls(memory, "stranger", NOW));
    for (int i = 0; i < 2 * DNS_KEPT; i++) {
        (void)snprintf(name, sizeof name, "m%d", i);
        keep(memory, name, NOW, 1000, DNS_FOUND);
    }
    ck_assert(!recalls(memory, "stranger", NOW));
    ck_assert(recalls(memory, key.name, NOW));
    drop(memory);
}
END_TEST

/* A domain that answers whatever it is asked drives out its own names only, also one of a player. */
START_TEST(a_domain_has_few_known_names)
{
    static const char *const domains[] = {"b.test", "wild.test"};
    struct dns_memory *memory = fresh();
    char name[30];
    memory_welcome(memory, domains, 2);
    keep_of(memory, &(struct dns_question){"key.b.test", "b.test", NOW}, DNS_LEAST, DNS_FOUND);
    for (int i = 0; i < 2 * DNS_KEPT; i++) {
        (void)snprintf(name, sizeof name, "n%d.wild.test", i);
        keep_of(memory, &(struct dns_question){name, "wild.test", NOW}, 1000 + i, DNS_FOUND);
    }
    ck_assert(recalls(memory, "key.b.test", NOW));
    for (int i = 2 * DNS_KEPT - DNS_NAMES - 1; i < 2 * DNS_KEPT; i++) {
        (void)snprintf(name, sizeof name, "n%d.wild.test", i);
        ck_assert_int_eq(recalls(memory, name, NOW), i >= 2 * DNS_KEPT - DNS_NAMES);
    }
    drop(memory);
}
END_TEST

/* A known name whose servers are silent is asked again in a minute, in two, in four ..., at last in about an hour. */
START_TEST(silence_is_asked_less_and_less)
{
    const char *domain = "b.test";
    struct dns_memory *memory = fresh();
    struct dns_question key = {"key.b.test", "b.test", NOW};
    memory_welcome(memory, &domain, 1);
    keep_of(memory, &key, 1, DNS_FOUND);
    for (int i = 0; i < DNS_TWICE + 3; i++) {
        int64_t pause = (int64_t)DNS_AGAIN << (i > DNS_TWICE ? DNS_TWICE : i);
        keep_of(memory, &key, 1, DNS_LATER);
        ck_assert(recalls(memory, key.name, key.now + pause - 1));
        ck_assert(!recalls(memory, key.name, key.now + pause));
        key.now += pause;
    }
    keep_of(memory, &key, 1, DNS_FOUND);
    keep_of(memory, &key, 1, DNS_LATER);
    ck_assert(!recalls(memory, key.name, key.now + DNS_AGAIN));
    drop(memory);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, for_as_long_as_the_domain_says);
    tcase_add_test(tc, the_first_to_end_makes_room);
    tcase_add_test(tc, questions_are_counted);
    tcase_add_test(tc, a_known_name_is_asked_for_again);
    tcase_add_test(tc, players_domains_count_for_themselves);
    tcase_add_test(tc, waiting_comes_out_of_two_purses);
    tcase_add_test(tc, a_slow_domain_leaves_time_to_others);
    tcase_add_test(tc, the_next_process_goes_on);
    tcase_add_test(tc, players_domains_are_always_counted);
    tcase_add_test(tc, players_keys_make_room_last);
    tcase_add_test(tc, a_domain_has_few_known_names);
    tcase_add_test(tc, silence_is_asked_less_and_less);
}
TEST_MAIN_TOGETHER("dns/memory", cases)
