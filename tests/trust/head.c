#include "trust/head.h"

#include "suite.h"

#define ARMOR "-----BEGIN SSH SIGNATURE-----\nx\n-----END SSH SIGNATURE-----\n"
#define HEX   "0707070707070707070707070707070707070707070707070707070707070707"

/* Is a head line with this number one? *seq is what it says. */
static bool claims(const char *number, int64_t *seq)
{
    struct str text = STR_INIT;
    struct head_claim claim;
    str_addf(&text, "head: gc-17 %s " HEX "\n" ARMOR, number);
    struct slice rest = slice_str(&text);
    bool found = head_next(&rest, &claim);
    *seq = found ? claim.seq : 0;
    str_release(&text);
    return found;
}

START_TEST(numbers)
{
    int64_t seq;
    ck_assert(claims("1", &seq) && seq == 1);
    ck_assert(claims("9999999999", &seq) && seq == 9999999999);
    ck_assert(!claims("0", &seq) && !claims("01", &seq) && !claims("1x", &seq) && !claims("-1", &seq));
}
END_TEST

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
    tcase_add_test(tc, numbers);
    tcase_add_test(tc, numbers_without_end);
}
TEST_MAIN("trust/head", cases)
