/* What doctor says of games whose clock has failed. */
#include "commands/doctor.h"
#include "commands/findings.h"
#include "batch/stuck.h"
#include "house/house.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, (const char *const[]){"anna", "robot"});
}

static void end(void)
{
    house_close(&house);
}

static bool found(const char *words)
{
    struct findings findings = {0};
    bool is = false;
    doctor_games(&findings, &house.league);
    for (size_t i = 0; i < findings.count; i++)
        is |= findings.list[i].state == FINDING_FAILED && strstr(findings.list[i].text, words);
    ck_assert(is == findings.lasting);
    findings_release(&findings);
    return is;
}

START_TEST(a_game_that_rests_is_named_with_its_reason)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    ck_assert(!found("gc-1"));
    (void)err_set(&why, ERR_UNSOUND, "our own audit would refuse record 9 (turn)");
    ck_ok(stuck_game(&house.batch, "gc-1", &why, &err), err);
    ck_assert(
        found("game gc-1 stands still, and is tried again every ten minutes: our own audit would refuse "
              "record 9 (turn)"));
    ck_ok(stuck_game_mended(&house.batch, "gc-1", &err), err);
    ck_assert(!found("gc-1"));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_game_that_rests_is_named_with_its_reason);
}
TEST_MAIN("commands/doctor_games", cases)
