/* What every suite shares. A suite is one file, one program: its TEST_MAIN names the suite and its cases,
 * each of which runs in a process of its own.
 *
 *     START_TEST(adds) { ... } END_TEST
 *     static void cases(TCase *tc) { tcase_add_test(tc, adds); }
 *     TEST_MAIN("base/str", cases)
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <check.h>
#pragma GCC diagnostic pop
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "luck.h"

#define ck_slice_eq(part, text)                                                                          \
    do {                                                                                                 \
        struct slice got_ = (part);                                                                      \
        const char *want_ = (text);                                                                      \
        ck_assert_msg(slice_eq(got_, want_), "got \"%.*s\", want \"%s\"", (int)got_.len, got_.p, want_); \
    } while (0)
#define ck_ok(call, err) ck_assert_msg((call) == 0, "%s", (err).text)

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif
/* How much more time things may take in a build that watches itself (SUITE_mcdc, SUITE_cov in the Makefile). */
#ifndef SLOWER
#define SLOWER (SANITIZED ? 10 : 1)
#endif

/* Suites of random games, or of each damage to a file, take some of them; `make many` (MANY=1) takes more. */
#define FEW (!getenv("MANY"))

/* check writes into a file where each assertion stands that holds, to say after which one a test has crashed. The sanitizers'
 * own traces say that, so their build spares itself millions of writes. */
#if SANITIZED
#define _mark_point(file, line) ((void)0)
#endif

/* No suite leans on what governments decide, nor on where it runs: time zones are those of tests/zones (base/zone.c has
 * their rules), unless TZDIR says otherwise. */
static inline bool suite_zones(void)
{
    char *zones = realpath("tests/zones", NULL);
    if (!zones)
        (void)fprintf(stderr, "suites are run from the folder that holds tests/\n");
    bool set = zones && setenv("TZDIR", zones, 0) == 0;
    free(zones);
    return set;
}

static inline int suite_run(const char *name, void (*add_cases)(TCase *), bool together)
{
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    luck_open();
    if (!suite_zones())
        return EXIT_FAILURE;
    /* This ends a case that hangs, not one on a busy machine. */
    const unsigned seconds = getenv("CK_DEFAULT_TIMEOUT") ? 7200 : 240;
    Suite *suite = suite_create(name);
    TCase *tc = tcase_create("cases");
    tcase_set_timeout(tc, seconds);
    add_cases(tc);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    if (together && !getenv("CK_FORK")) {
        srunner_set_fork_status(runner, CK_NOFORK);
        (void)alarm(10 * seconds);
    }
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    if (failed && srunner_fork_status(runner) == CK_NOFORK) {
        (void)fflush(stdout);
        _exit(EXIT_FAILURE); /* what cases that fail leave allocated is no leak worth telling */
    }
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A suite is a program; and, compiled with SUITE_TOGETHER, one of many in a program (suites.c), which is linked once where
 * the programs are linked two hundred times. There it says at the start that it exists; it runs itself, with its own luck. */
struct suite {
    const char *name;
    int (*run)(void);
    const struct suite *next;
};
#ifdef SUITE_TOGETHER
extern const struct suite *suites;
#define SUITE(title, cases, all)                                 \
    static int suite_itself(void)                                \
    {                                                            \
        return suite_run(title, cases, all);                     \
    }                                                            \
    __attribute__((constructor)) static void suite_is_here(void) \
    {                                                            \
        static struct suite me = {title, suite_itself, NULL};    \
        me.next = suites;                                        \
        suites = &me;                                            \
    }
#else
#define SUITE(title, cases, all)             \
    int main(void)                           \
    {                                        \
        return suite_run(title, cases, all); \
    }
#endif

#define TEST_MAIN(name, add_cases) SUITE(name, add_cases, false)

/* For tables of many small cases, where a process for each takes longer than the case: all in one. A leak is found at
 * its end; CK_FORK=yes, a process a case again, shows whose it is, and what comes after one that crashes. */
#define TEST_MAIN_TOGETHER(name, add_cases) SUITE(name, add_cases, true)

/* For suites that have a function of their own in the place of the program's or a library's: never with others in one program. */
#define TEST_MAIN_ALONE(name, add_cases) TEST_MAIN(name, add_cases)

#endif
