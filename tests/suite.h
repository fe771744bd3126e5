/* What every suite shares. A suite is one file, one program: its TEST_MAIN names the suite and its cases.
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
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"

#define ck_slice_eq(part, text)                                                                          \
    do {                                                                                                 \
        struct slice got_ = (part);                                                                      \
        const char *want_ = (text);                                                                      \
        ck_assert_msg(slice_eq(got_, want_), "got \"%.*s\", want \"%s\"", (int)got_.len, got_.p, want_); \
    } while (0)
#define ck_ok(call, err) ck_assert_msg((call) == 0, "%s", (err).text)

/* Suites that play many games play fewer of them in the sanitizer build. */
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

#define TEST_MAIN(name, add_cases)                                       \
    int main(void)                                                       \
    {                                                                    \
        if (sodium_init() < 0)                                           \
            return EXIT_FAILURE;                                         \
        Suite *suite = suite_create(name);                               \
        TCase *tc = tcase_create("cases");                               \
        tcase_set_timeout(tc, getenv("CK_DEFAULT_TIMEOUT") ? 7200 : 60); \
        add_cases(tc);                                                   \
        suite_add_tcase(suite, tc);                                      \
        SRunner *runner = srunner_create(suite);                         \
        srunner_run_all(runner, CK_ENV);                                 \
        int failed = srunner_ntests_failed(runner);                      \
        srunner_free(runner);                                            \
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;                     \
    }

#endif
