/* Mails that wait for their domain's key: what is counted, and for whom. */
#include "house/quoted.h"

/* The name servers do not answer any more. */
static void lose_key(void)
{
    struct err err = ERR_INIT;
    resolver_close(house.league.resolver);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
}

/* Anybody can write mails in Anna's name, "show" and the like: as many of them as wait, her answer to a mail of ours, which only
 * she could write, waits beside them. */
START_TEST(forged_mails_take_no_room)
{
    struct ours ours;
    int kept = 0;
    (void)write_plain("show", "");
    read_ours(&ours);
    lose_key();
    for (int i = 0; i < 30; i++)
        kept += write_mail(HOUSE_ADDRESS, "show", "", NULL) == INTAKE_KEPT;
    ck_assert_int_eq(kept, 20);
    ck_assert_int_eq(answer_ours(&ours, "build"), INTAKE_KEPT);
    for (int i = 0; i < 30; i++)
        kept += answer_ours(&ours, "build") == INTAKE_KEPT;
    ck_assert_int_eq(kept, 20 + 19);
    str_release(&ours.text);
}
END_TEST

/* A mail that is looked at in each run is counted once, and given up after three days. */
START_TEST(each_is_counted_once)
{
    struct ours ours;
    struct str first = STR_INIT;
    (void)write_plain("show", "");
    read_ours(&ours);
    lose_key();
    ck_assert_int_eq(answer_ours(&ours, "build"), INTAKE_KEPT);
    str_addslice(&first, slice_str(&mail));
    for (int i = 0; i < 50; i++)
        ck_assert_int_eq(house_raw(&house, slice_str(&first)), INTAKE_KEPT);
    ck_assert_int_eq(answer_ours(&ours, "explore near"), INTAKE_KEPT);
    house.arrived = house.now;
    house.now += 3 * 86400 + 1;
    house_empty_spool(&house);
    ck_assert_int_ne(house_raw(&house, slice_str(&first)), INTAKE_KEPT);
    house_told(&house, NULL, 1, "does not wait any longer");
    str_release(&first);
    str_release(&ours.text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, forged_mails_take_no_room);
    tcase_add_test(tc, each_is_counted_once);
}
TEST_MAIN("intake/limits", cases)
