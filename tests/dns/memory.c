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

static void keep(struct dns_memory *memory, const char *name, int64_t now, int64_t ttl, enum dns_found found)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    answer.found = found;
    answer.secure = true;
    str_adds(&answer.text, name);
    memory_keep(memory, name, now, ttl, &answer);
    dns_answer_release(&answer);
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
        all += memory_charge(memory, "a.test", NOW);
    ck_assert_uint_eq(all, DNS_DOMAIN);
    for (int i = 0; i < 2 * DNS_ALL; i++) {
        (void)snprintf(name, sizeof name, "n%d.test", i % 300);
        all += memory_charge(memory, name, NOW + DNS_WINDOW - 1);
    }
    ck_assert_uint_eq(all, DNS_ALL);
    ck_assert(memory_charge(memory, "a.test", NOW + DNS_WINDOW));
    for (int i = 0; i < DNS_COUNTED + 10; i++) {
        (void)snprintf(name, sizeof name, "m%d.test", i);
        all += memory_charge(memory, name, NOW + DNS_WINDOW);
    }
    ck_assert_uint_eq(all, DNS_ALL + DNS_COUNTED - 1);
    drop(memory);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, for_as_long_as_the_domain_says);
    tcase_add_test(tc, the_first_to_end_makes_room);
    tcase_add_test(tc, questions_are_counted);
}
TEST_MAIN("dns/memory", cases)
