#include "orders/script.h"

#include "orders/mock.h"
#include "suite.h"

static void update(struct str *standing, const char *mail)
{
    struct script *script = script_parse(slice_of(mail), &supremacy_language);
    standing_update(standing, script, &supremacy_language);
    script_free(script);
}

START_TEST(lines_come_into_force)
{
    struct str standing = STR_INIT;
    update(
        &standing,
        "DRAW\nwhen attacked at home play peace\nSAY ALL hi\n  ALWAYS BUILD SECTOR or PASS ;ALWAYS DRAW\n");
    ck_assert_str_eq(standing.p,
                     "when attacked at home play peace\nALWAYS BUILD SECTOR or PASS\nALWAYS DRAW\n");
    update(&standing, "DRAW\nBUILD FLEET");
    ck_assert_str_eq(standing.p,
                     "when attacked at home play peace\nALWAYS BUILD SECTOR or PASS\nALWAYS DRAW\n");
    str_release(&standing);
}
END_TEST

START_TEST(a_trigger_is_replaced_as_a_whole)
{
    struct str standing = STR_INIT;
    update(
        &standing,
        "WHEN ATTACKED DEFEND ALL\nWHEN ATTACKED AT HOME PLAY PEACE\nWHEN PEACE ATTACK BEN S2\nALWAYS DRAW");
    update(&standing, "WHEN ATT BY BEN DEFEND HERE\nWHEN ATTACKED DEFEND NONE\n");
    ck_assert_str_eq(standing.p, "WHEN PEACE ATTACK BEN S2\nALWAYS DRAW\nWHEN ATT BY BEN DEFEND HERE\n"
                                 "WHEN ATTACKED DEFEND NONE\n");
    update(&standing, "ALWAYS PASS\nALWAYS MOVE F1 HOME");
    ck_assert_str_eq(standing.p,
                     "WHEN PEACE ATTACK BEN S2\nWHEN ATT BY BEN DEFEND HERE\nWHEN ATTACKED DEFEND NONE\n"
                     "ALWAYS PASS\nALWAYS MOVE F1 HOME\n");
    str_release(&standing);
}
END_TEST

static const struct {
    const char *mail, *left;
} cancels[] = {
    {"CANCEL WHEN ATTACKED", "WHEN PEACE ATTACK BEN\nALWAYS DRAW\n"},
    {"cancel when pea", "WHEN ATTACKED DEFEND ALL\nALWAYS DRAW\n"},
    {"CANCEL WHEN", "ALWAYS DRAW\n"},
    {"CANCEL ALWAYS", "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\n"},
    {"CANCEL ALL", ""},
    {"CANCEL ALL\nWHEN CONQUER LEAVE", "WHEN CONQUER LEAVE\n"},
    {"WHEN CONQUER LEAVE\nCANCEL ALL\nALWAYS PASS", "ALWAYS PASS\n"},
    /* lines that are not understood change nothing */
    {"WHEN ATTACKED DEFND ALL", "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\nALWAYS DRAW\n"},
    {"ALWAYS NONSENSE", "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\nALWAYS DRAW\n"},
    {"CANCEL WHEN XYZ", "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\nALWAYS DRAW\n"},
    {"IF OK\nWHEN ATTACKED DEFEND NONE\nENDIF",
     "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\nALWAYS DRAW\n"},
    {"CANCEL", "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\nALWAYS DRAW\n"},
};

START_TEST(cancelling)
{
    struct str standing = STR_INIT;
    update(&standing, "WHEN ATTACKED DEFEND ALL\nWHEN PEACE ATTACK BEN\nALWAYS DRAW");
    update(&standing, cancels[_i].mail);
    ck_assert_str_eq(standing.p, cancels[_i].left);
    str_release(&standing);
}
END_TEST

START_TEST(missed_turns)
{
    struct str body = STR_INIT;
    standing_always(
        &body,
        slice_of("ALWAYS IF CREDITS >= 10 BUILD SECTOR ELSE PASS\nWHEN PEACE ATTACK BEN\nalways draw\n"),
        &supremacy_language);
    ck_assert_str_eq(body.p, "IF CREDITS >= 10 BUILD SECTOR ELSE PASS\ndraw\n");
    struct mock mock = MOCK_INIT;
    mock.values = "credits=9";
    mock_play(&mock, body.p, &supremacy_language, 3);
    ck_assert_str_eq(mock.log.p, "pass; draw; ");
    mock_release(&mock);
    str_clear(&body);
    standing_always(&body, slice_of("WHEN PEACE ATTACK BEN\n"), &supremacy_language);
    standing_always(&body, slice_of(""), &supremacy_language);
    ck_assert_str_eq(body.p, "");
    standing_always(&body, slice_of("ALWAYS AUTO\n"), &supremacy_language);
    ck_assert_str_eq(body.p, "AUTO\n");
    struct script *script = script_parse(slice_str(&body), &supremacy_language);
    ck_assert_int_eq(script_line(script, 0)->kind, LINE_COMMON);
    ck_assert_str_eq(script_line(script, 0)->verb, "auto");
    script_free(script);
    str_release(&body);
}
END_TEST

START_TEST(standing_orders_stay_bounded)
{
    static const char *const triggers[] = {"ATTACKED", "PEACE", "AMBUSHED"};
    struct str standing = STR_INIT;
    struct str mail = STR_INIT;
    for (int t = 0; t < 3; t++) {
        str_clear(&mail);
        for (int i = 0; i < 150; i++)
            str_addf(&mail, "WHEN %s MOVE F1 S%d\n", triggers[t], i);
        update(&standing, mail.p);
    }
    struct script *script = script_parse(slice_str(&standing), &supremacy_language);
    ck_assert_uint_eq(script_line_count(script), SCRIPT_LINES);
    ck_assert_uint_eq(script_errors(script), 0);
    ck_assert_str_eq(script_line(script, 0)->trigger, "peace");
    ck_slice_eq(script_line(script, 0)->rest, "MOVE F1 S100");
    ck_slice_eq(script_line(script, SCRIPT_LINES - 1)->rest, "MOVE F1 S149");
    script_free(script);
    str_release(&mail);
    str_release(&standing);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, lines_come_into_force);
    tcase_add_test(tc, a_trigger_is_replaced_as_a_whole);
    tcase_add_loop_test(tc, cancelling, 0, sizeof cancels / sizeof *cancels);
    tcase_add_test(tc, missed_turns);
    tcase_add_test(tc, standing_orders_stay_bounded);
}

TEST_MAIN_TOGETHER("orders/standing", cases)
