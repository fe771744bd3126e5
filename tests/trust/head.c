/* The signed line under the league's mails, found again in saved ones. */
#include <time.h>

#include "suite.h"

#include "trust/head.h"

#define HEX   "4f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a63"
#define ARMOR "-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----"

START_TEST(the_signature_below_counts)
{
    struct slice text =
        slice_of("head: gc-1 3 " HEX "\n" ARMOR "\n> head: gc-2 4 " HEX "\n> \n> " ARMOR "\n");
    struct head_claim claim;
    ck_assert(head_next(&text, &claim));
    ck_assert_str_eq(claim.line, "head: gc-1 3 " HEX "\n");
    ck_slice_eq(claim.armor, ARMOR);
    ck_assert(head_next(&text, &claim));
    ck_assert_str_eq(claim.line, "head: gc-2 4 " HEX "\n");
    ck_assert_int_eq(claim.seq, 4);
    ck_slice_eq(claim.armor, ARMOR);
    ck_assert(!head_next(&text, &claim));
}
END_TEST

/* A line without a signature does not get that of the next one. */
START_TEST(each_has_its_own)
{
    struct slice text =
        slice_of("head: gc-1 3 " HEX "\n> head: gc-2 4 " HEX "\n" ARMOR "\nhead: " HEX "\n" ARMOR "\n");
    struct head_claim claim;
    ck_assert(head_next(&text, &claim));
    ck_assert_str_eq(claim.game, "gc-2");
    ck_assert(!head_next(&text, &claim));
}
END_TEST

START_TEST(only_numbers_of_records)
{
    static const char *const bad[] = {"0", "03", "-1", "12345678901", "99999999999999999999999", "1x"};
    struct str line = STR_INIT;
    struct head_claim claim;
    str_addf(&line, "head: gc-1 %s %s\n%s\n", bad[_i], HEX, ARMOR);
    struct slice text = slice_str(&line);
    ck_assert(!head_next(&text, &claim));
    str_release(&line);
}
END_TEST

/* Four megabytes took 36 s. */
START_TEST(many_without_a_signature_cost_little)
{
    static const char *const lines[] = {
        "head: gc-1 3 " HEX "\n", "head: gc-1 3 " HEX "\n-----BEGIN SSH SIGNATURE-----\n",
        "> head: gc-1 3 " HEX "\n", "head: gc-1 3 " HEX "\n-----END SSH SIGNATURE-----\n"};
    struct str all = STR_INIT;
    struct head_claim claim;
    while (all.len < 4 << 20)
        str_adds(&all, lines[_i]);
    struct slice text = slice_str(&all);
    clock_t start = clock();
    ck_assert(!head_next(&text, &claim));
    ck_assert_uint_eq(text.len, 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 2, "took %.1f s", seconds);
    str_release(&all);
}
END_TEST

/* Is a head line with this number one? *seq is what it says. */
static bool claims(const char *number, int64_t *seq)
{
    struct str text = STR_INIT;
    struct head_claim claim;
    str_addf(&text, "head: gc-17 %s " HEX "\n" ARMOR "\n", number);
    struct slice rest = slice_str(&text);
    bool found = head_next(&rest, &claim);
    *seq = found ? claim.seq : 0;
    str_release(&text);
    return found;
}

/* However long: a number that fits nowhere is none, and is not computed (sanitizer build). */
START_TEST(numbers_without_end)
{
    int64_t seq;
    struct str digits = STR_INIT;
    for (int i = 0; i < 4000; i++) {
        str_addc(&digits, '9');
        ck_assert_msg(claims(digits.p, &seq) == (i < 10), "%d digits", i + 1);
    }
    str_release(&digits);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_signature_below_counts);
    tcase_add_test(tc, each_has_its_own);
    tcase_add_loop_test(tc, only_numbers_of_records, 0, 6);
    tcase_add_test(tc, numbers_without_end);
    tcase_add_test(tc, many_without_a_signature_cost_little);
}
TEST_MAIN_TOGETHER("trust/head", cases)
