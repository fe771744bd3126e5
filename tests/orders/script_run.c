#include "orders/script.h"

#include "orders/mock.h"
#include "suite.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static struct script *parse(const char *body, const struct language *language)
{
    return script_parse(slice_of(body), language);
}

static void calls(const char *body, const struct language *language, const char *values, const char *log)
{
    struct mock mock = MOCK_INIT;
    mock.values = values;
    mock_play(&mock, body, language, 5);
    ck_assert_str_eq(mock.log.p, log);
    mock_release(&mock);
}

/* ---- what is called with which words ---- */

static const struct {
    const struct language *language;
    const char *body, *values, *log;
} called[] = {
    {&command_language, "BUILD;res BANK;EXPLORE the NEAR, 2", "", "explore near 2; build; research bank; "},
    {&command_language, "IF METAL>=2 BUILD", "metal=2", "build; "},
    {&command_language, "IF METAL>=2 BUILD", "metal=1", ""},
    {&command_language, "IF metal is at least two THEN BUILD", "metal=2", "build; "},
    {&command_language, "IF METAL is more than 2 BUILD", "metal=2", ""},
    {&command_language, "IF METAL \xE2\x89\xA4 2 BUILD", "metal=2", "build; "},
    {&command_language, "IF METAL >= 2 AND WEALTH < 3, SWAP METAL", "metal=2|wealth=2", "swap metal; "},
    {&command_language, "IF MIL > 1 BUILD", "military=2", "build; "},
    {&command_language, "IF ALIGNED EPS AND NOT FAIL RESEARCH X", "aligned eps=1", "research x; "},
    {&command_language, "IF NOT ALIGNED EPS RESEARCH X", "aligned eps=1", ""},
    {&command_language, "IF CHANCE VEGA >= 4 CONQUER VEGA", "chance vega=4", "conquer vega; "},
    {&command_language, "IF TURN >= 5 BUILD", "", "build; "},
    {&command_language, "IF TURN > 5 BUILD ELSE BIDE", "", "bide; "},
    {&command_language, "IF METAL > 1 BUILD ELSE IF WEALTH > 1 BIDE ELSE PASS", "metal=0|wealth=2", "bide; "},
    {&command_language, "IF METAL > 1 BUILD ELSE IF WEALTH > 1 BIDE ELSE PASS", "metal=0|wealth=0", "pass; "},
    {&command_language, "please build to the military", "", "build military; "},
    {&command_language, "BUILD IF METAL > 1", "metal=2", "build; "},
    {&command_language, "BUILD IF METAL > 1 ELSE BIDE", "metal=1", "bide; "},
    {&command_language, "IF METAL > 1 REPEAT 2 BUILD", "metal=2", "build; build; "},
    {&command_language, "IF CHANCE VEGA AND METAL > 1 BUILD", "metal=2", ""},
    {&supremacy_language, "BUILD FLEET AT S1", "", "build fleet at s1; "},
    {&supremacy_language, "MOVE F1 TO HOME", "", "move f1 home; "},
    {&supremacy_language, "IF LEVEL FIRE POWER >= 2 RESEARCH", "level fire power=2", "research; "},
    {&contract_language, "IF AFFORD TRADE TRADE", "afford trade=1", "trade; "},
    {&contract_language, "IF AFFORD SHIP BEST THEN SHIP BEST", "afford ship best=1", "ship best; "},
    {&contract_language, "IF TRADE SUADI = T14 TRADE", "trade suadi = t14=1", "trade; "},
    {&contract_language, "IF TRADE SUADI = T14 TRADE", "trade suadi=1", ""},
    {&contract_language, "SWAP 3 METAL = FUEL", "", "swap 3 metal fuel; "},
    {&contract_language, "COLLECT; TRADE; KEEP FUEL", "", "keep fuel; trade; collect; "},
    {&contract_language, "CHOOSE SHIP SWIFT OR STEADFAST", "", "choose ship swift; "},
    {&farmer_language, "IF ENEMY <= 2 STEPS FROM SOLIS PICK 2", "enemy steps solis=2", "pick 2; "},
    {&farmer_language, "IF TOP RUBRA = DARK DROP 2", "top rubra = dark=1", "drop 2; "},
    {&farmer_language, "1. DROP 2\n- DROP 3\n* DROP 4", "", "drop 3; drop 4; "},
};

START_TEST(orders_get_their_words)
{
    calls(called[_i].body, called[_i].language, called[_i].values, called[_i].log);
}
END_TEST

START_TEST(have_lists_go_on_behind_and)
{
    struct mock mock = MOCK_INIT;
    mock.have = "2 metal 1 fuel|sector";
    mock.values = "metal=5";
    mock_play(&mock,
              "IF HAVE 2 METAL AND 1 FUEL TRADE\nIF HAVE 2 METAL AND 1 FUEL AND METAL > 4 TRADE 2\n"
              "IF HAVE 2 METAL AND NOT OK TRADE 3",
              &contract_language, 1);
    ck_assert_str_eq(mock.log.p, "trade; trade 2; ");
    str_clear(&mock.log);
    mock_play(&mock, "IF HAVE SECTOR BUILD SECTOR\nIF HAVE FLEET BUILD FLEET", &supremacy_language, 1);
    ck_assert_str_eq(mock.log.p, "build sector; ");
    mock_release(&mock);
}
END_TEST

/* ---- fate of lines ---- */

START_TEST(first_alternative_not_refused_counts)
{
    struct mock mock = MOCK_INIT;
    mock.refuse = "explore far|research banking|research capital";
    mock_play(&mock, "EXPLORE FAR OR CONQUER BEST OR BIDE\nRESEARCH BANKING OR CAPITAL", &command_language,
              1);
    ck_assert_str_eq(mock.log.p, "explore far!; conquer best; research banking!; research capital!; ");
    ck_assert_str_eq(mock.told.p, "1 done CONQUER BEST; 2 refused RESEARCH CAPITAL (mock_refused); ");
    mock_release(&mock);
}
END_TEST

START_TEST(alternatives_across_phases)
{
    struct mock mock = MOCK_INIT;
    mock_play(&mock, "BUILD OR EXPLORE", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "explore; ");
    str_clear(&mock.log);
    mock.refuse = "explore";
    mock_play(&mock, "BUILD OR EXPLORE", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "explore!; build; ");
    ck_assert_str_eq(mock.told.p, "1 done EXPLORE; 1 done BUILD; ");
    mock_release(&mock);
}
END_TEST

START_TEST(failed_is_not_refused)
{
    struct mock mock = MOCK_INIT;
    mock.fail = "explore";
    mock_play(&mock, "EXPLORE OR BIDE\nIF FAIL BUILD ELSE RESEARCH COMMERCE\nIF OK RESEARCH X",
              &command_language, 1);
    ck_assert_str_eq(mock.log.p, "explore; build; ");
    ck_assert_str_eq(mock.told.p, "1 failed EXPLORE; 2 done BUILD; 3 skipped IF OK RESEARCH X; ");
    mock_release(&mock);
}
END_TEST

START_TEST(ok_and_fail_before_any_die)
{
    struct mock mock = MOCK_INIT;
    mock_play(&mock, "BIDE\nIF OK BUILD\nIF FAIL BUILD\nIF NOT OK RESEARCH X", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "bide; research x; ");
    mock_release(&mock);
}
END_TEST

START_TEST(ok_after_a_die)
{
    struct mock mock = MOCK_INIT;
    mock.roll = "explore";
    mock_play(&mock, "EXPLORE\nBUILD\nIF OK RESEARCH X", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "explore; build; research x; ");
    mock_release(&mock);
}
END_TEST

START_TEST(unknown_conditions_refuse)
{
    struct mock mock = MOCK_INIT;
    mock_play(&mock, "IF ALIGNED XYZ BUILD ELSE BIDE\nIF NOT ALIGNED XYZ BUILD\nIF HAVE UNKNOWN BUILD",
              &command_language, 1);
    ck_assert_str_eq(mock.log.p, "");
    ck_assert_str_eq(mock.told.p, "1 refused IF ALIGNED XYZ BUILD ELSE BIDE (unknown_condition); "
                                  "2 refused IF NOT ALIGNED XYZ BUILD (unknown_condition); "
                                  "3 refused IF HAVE UNKNOWN BUILD (unknown_condition); ");
    mock_release(&mock);
}
END_TEST

START_TEST(a_condition_is_decided_once)
{
    struct mock mock = MOCK_INIT;
    mock.values = "metal=3";
    mock_play(&mock, "IF METAL > 2 BUILD OR EXPLORE", &command_language, 1);
    ck_assert_int_eq(mock.asked, 1);
    mock.refuse = "explore";
    mock.asked = 0;
    mock_play(&mock, "IF METAL > 2 BUILD OR EXPLORE OR SWAP METAL", &command_language, 1);
    ck_assert_int_eq(mock.asked, 1);
    mock_release(&mock);
}
END_TEST

START_TEST(repeats)
{
    struct mock mock = MOCK_INIT;
    mock.refuse_later = "trade";
    mock_play(&mock, "REPEAT TRADE\nREPEAT 3 STORE\nREPEAT SHIP BEST OR TRADE", &contract_language, 1);
    ck_assert_str_eq(mock.log.p, "trade; trade!; store; store; store; ");
    ck_assert_str_eq(mock.told.p, "1 done TRADE; 2 done STORE; 3 refused REPEAT SHIP BEST OR TRADE; ");
    str_clear(&mock.log);
    str_clear(&mock.told);
    mock.calls = 0;
    mock_play(&mock, "REPEAT STORE;REPEAT 99 STORE;REPEAT ALL STORE", &contract_language, 1);
    ck_assert_int_eq(mock.calls, 150);
    str_clear(&mock.log);
    str_clear(&mock.told);
    mock.fail = "ship";
    mock.refuse = "buy";
    mock_play(&mock, "REPEAT SHIP 1\nREPEAT BUY POD\nIF OK TRADE ELSE REPEAT TWO times MOVE X",
              &contract_language, 1);
    ck_assert_str_eq(mock.log.p, "ship 1; buy pod!; move x; move x; ");
    ck_assert_str_eq(mock.told.p, "1 failed SHIP 1; 2 refused BUY POD (mock_refused); 3 done MOVE X; ");
    mock_release(&mock);
}
END_TEST

START_TEST(open_lines_are_told_at_the_end)
{
    struct mock mock = MOCK_INIT;
    struct script *script = parse("BUILD\nEXPLORE OR RESEARCH X\nNONSENSE", &command_language);
    struct script_listener listener = {mock_line, &mock};
    struct script_run *run = script_run_new(script, &command_language, &mock, 1, &listener);
    mock.refuse = "explore";
    script_run_phase(run, 0);
    ck_assert_str_eq(mock.told.p, "3 refused NONSENSE; ");
    script_run_free(run);
    ck_assert_str_eq(mock.told.p, "3 refused NONSENSE; 1 skipped BUILD; 2 refused EXPLORE (mock_refused); ");
    script_free(script);
    script_free(NULL);
    script_run_free(NULL);
    mock_release(&mock);
}
END_TEST

/* ---- blocks ---- */

static const struct {
    const char *body, *values, *log;
    size_t errors;
} blocks[] = {
    {"IF METAL > 1\nEXPLORE\nBUILD\nENDIF\nRESEARCH X", "metal=2", "explore; build; research x; ", 0},
    {"IF METAL > 1 THEN\nEXPLORE\nBUILD\nEND IF\nRESEARCH X", "metal=1", "research x; ", 0},
    {"IF METAL > 1; EXPLORE; ELSE; BIDE; ENDIF; BUILD", "metal=1", "bide; build; ", 0},
    {"IF METAL > 1; EXPLORE; ELSE; BIDE; ENDIF; BUILD", "metal=2", "explore; build; ", 0},
    {"IF METAL > 1\nIF WEALTH > 1\nBUILD\nENDIF\nBIDE\nENDIF", "metal=2|wealth=1", "bide; ", 0},
    {"IF METAL > 1\nIF WEALTH > 1\nBUILD\nELSE\nPASS\nENDIF\nBIDE\nENDIF", "metal=1|wealth=1", "", 0},
    /* an unknown condition is no condition: neither part is carried out */
    {"IF ALIGNED XY\nBUILD\nELSE\nPASS\nENDIF\nBIDE", "", "bide; ", 0},
    /* not closed: nothing after it */
    {"EXPLORE\nIF METAL > 1\nBUILD\nRESEARCH X", "metal=2", "explore; ", 3},
    {"EXPLORE\nIF METAL > 1\nBUILD\nELSE\nRESEARCH X", "metal=2", "explore; ", 4},
    {"IF METAL > 1\nIF WEALTH > 1\nBUILD\nENDIF\nEXPLORE", "metal=2|wealth=2", "", 5},
    /* a bad condition with an ENDIF is a block; without one it is a line */
    {"IF METL > 1\nBUILD\nENDIF\nEXPLORE", "metal=2", "explore; ", 2},
    {"IF METL > 1\nBUILD\nELSE\nRESEARCH X\nENDIF\nEXPLORE", "metal=2", "explore; ", 4},
    {"IF METL > 1 BUILD\nEXPLORE", "metal=2", "explore; ", 1},
    {"IF METL > 1\nEXPLORE", "metal=2", "explore; ", 1},
    {"IF METAL > 1\nIF WELTH > 1 BUILD\nEXPLORE\nENDIF", "metal=2", "explore; ", 1},
    {"IF METL BUILD\nEXPLORE\nENDIF\nRESEARCH X", "metal=2", "research x; ", 2},
    {"IF METAL > 1\nIF WELTH BUILD\nEXPLORE\nENDIF\nBIDE\nENDIF\nBUILD", "metal=2", "bide; build; ", 2},
    /* ELSE on a line of its own with an order after it would turn the sense of the block round */
    {"IF METAL > 1\nBUILD\nELSE BIDE\nENDIF\nEXPLORE", "metal=2", "explore; ", 3},
    {"IF METAL > 1\nBUILD\nELSE\nBIDE\nELSE\nPASS\nENDIF\nEXPLORE", "metal=2", "explore; ", 6},
    {"ENDIF\nBUILD", "", "build; ", 1},
    {"BIDE\nELSE\nBUILD", "", "bide; ", 2},
    {"IF METAL > 1 BIDE\nELSE\nBUILD\nENDIF\nRESEARCH X", "metal=2", "bide; research x; ", 2},
    /* the IF itself is misspelt */
    {"BIDE\nIFF METAL > 1\nBUILD\nENDIF\nRESEARCH X", "metal=1", "bide; research x; ", 3},
    {"BIDE\nIFF METAL > 1\nBUILD\nELSE\nPASS\nENDIF\nRESEARCH X", "metal=1", "bide; research x; ", 4},
    {"IF METAL > 1\nBIDE\nENDIF\nBUILD\nENDIF", "metal=2", "bide; build; ", 1},
    {"IF METAL > 1\nSAY ALL hi\nALWAYS BIDE\nBUILD\nENDIF", "metal=2", "build; ", 2},
    {"IF METAL > 1\nBUILD\nENDIF BIDE", "metal=2", "build; ", 1},
};

START_TEST(blocks_hold_together)
{
    struct mock mock = MOCK_INIT;
    struct script *script = parse(blocks[_i].body, &command_language);
    ck_assert_msg(script_errors(script) == blocks[_i].errors, "%s: %zu errors", blocks[_i].body,
                  script_errors(script));
    script_free(script);
    mock.values = blocks[_i].values;
    mock_play(&mock, blocks[_i].body, &command_language, 1);
    ck_assert_msg(strcmp(mock.log.p, blocks[_i].log) == 0, "%s\ncalled: %s", blocks[_i].body, mock.log.p);
    mock_release(&mock);
}
END_TEST

START_TEST(a_block_is_decided_in_its_first_phase)
{
    struct mock mock = MOCK_INIT;
    mock.fail = "explore";
    /* BUILD is of a later phase, but the block has a SWAP before it; EXPLORE failed by then. */
    mock_play(&mock, "IF FAIL\nBUILD\nSWAP METAL\nENDIF\nEXPLORE", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "explore; swap metal; build; ");
    str_clear(&mock.log);
    /* Here the block's first phase is the action itself, and the block comes before it. */
    mock_play(&mock, "IF FAIL\nBUILD\nBIDE\nENDIF\nEXPLORE", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "explore; ");
    str_clear(&mock.log);
    mock_play(&mock, "IF NOT OK\nBUILD\nELSE\nBIDE\nENDIF", &command_language, 1);
    ck_assert_str_eq(mock.log.p, "build; ");
    mock_release(&mock);
}
END_TEST

START_TEST(depth_is_limited)
{
    struct str body = STR_INIT;
    for (int depth = 7; depth <= 9; depth++) {
        str_clear(&body);
        for (int i = 0; i < depth; i++)
            str_adds(&body, "IF TURN > 0\n");
        str_adds(&body, "BUILD\n");
        for (int i = 0; i < depth; i++)
            str_adds(&body, "ENDIF\n");
        calls(body.p, &command_language, "", depth < 9 ? "build; " : "");
    }
    str_release(&body);
}
END_TEST

START_TEST(a_broken_block_says_why)
{
    struct script *script = parse("IF ALIGNED EPS BILD\nBIDE", &command_language);
    ck_assert_str_eq(mock_why(script_line(script, 0)), "unclosed_meant meant=build");
    ck_assert_str_eq(mock_why(script_line(script, 1)), "in_broken_block line=1");
    script_free(script);
}
END_TEST

START_TEST(a_game_may_take_a_common_word)
{
    static const struct verb verbs[] = {V(pass, "", "", 0, 0),
                                        {"auto", "", "help", "", 0, 0, run_bide},
                                        {"status", "", "help", "", 0, 0, run_build},
                                        V_END};
    static const struct language own = {verbs, NULL, NULL, NULL, 1, NULL};
    calls("AUTO\nSTATUS\nPA", &own, "", "bide; build; pass; ");
    struct script *script = parse("ALWAYS AUTO\nIF HAVE X PASS\nWHEN X PASS\nSTATU\nIF METAL > 2 PASS", &own);
    ck_assert_int_eq(script_line(script, 0)->kind, LINE_ALWAYS);
    ck_assert_str_eq(mock_why(script_line(script, 1)), "no_have");
    ck_assert_str_eq(mock_why(script_line(script, 2)), "no_when");
    ck_assert_int_eq(script_line(script, 3)->kind, LINE_ORDERS);
    ck_assert_str_eq(mock_why(script_line(script, 4)),
                     "condition_unknown word=\"METAL\" list=ok, fail, turn");
    script_free(script);
}
END_TEST

/* ---- reactions and events ---- */

START_TEST(reactions)
{
    struct mock mock = MOCK_INIT;
    struct refusal why;
    struct script *script = parse("WHEN ATTACKED AT HOME PLAY PEACE OR DEFEND ALL\n"
                                  "WHEN ATTACKED IF ODDS <= 50 PLAY AMBUSH ELSE DEFEND HERE\n"
                                  "WHEN PLAYED SPY IF TURN > 9 COUNTER\nWHEN PEACE IF ODDS > 1 ATTACK BEN",
                                  &supremacy_language);
    ck_assert_uint_eq(script_errors(script), 0);
    mock.refuse = "play peace|defend";
    mock.values = "odds=60";
    ck_assert_int_eq(script_react(script, 0, &supremacy_language, &mock, 4, &why), ORDER_REFUSED);
    ck_assert_str_eq(why.param[0].text, "defend all");
    ck_assert_int_eq(script_react(script, 1, &supremacy_language, &mock, 4, &why), ORDER_REFUSED);
    mock.refuse = "";
    mock.fail = "defend";
    ck_assert_int_eq(script_react(script, 1, &supremacy_language, &mock, 4, &why), ORDER_FAILED);
    ck_assert_int_eq(script_react(script, 2, &supremacy_language, &mock, 9, &why), ORDER_SKIPPED);
    ck_assert_int_eq(script_react(script, 2, &supremacy_language, &mock, 10, &why), ORDER_DONE);
    mock.values = "";
    ck_assert_int_eq(script_react(script, 3, &supremacy_language, &mock, 4, &why), ORDER_REFUSED);
    ck_assert(slice_eq(why.reason, "unknown_condition"));
    ck_assert_str_eq(why.param[0].text, "ODDS > 1");
    ck_assert_str_eq(mock.log.p, "play peace!; defend all!; defend here!; defend here; counter; ");
    script_free(script);
    mock_release(&mock);
}
END_TEST

START_TEST(trigger_arguments_end_at_an_order)
{
    static const char *const lines[][2] = {{"WHEN OFFERED DRAW FOR FLEET ACCEPT 2", "draw for fleet"},
                                           {"WHEN ATTACKED DEFEND F1", ""},
                                           {"WHEN ATTACKED BY ANNA THEN DEFEND F1", "by anna"},
                                           {"WHEN ATTACKED BY ANNA IF OK DEFEND F1", "by anna"},
                                           {"WHEN PLAYED SPY REPEAT 2 DEFEND F1", "spy"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct script *script = parse(lines[i][0], &supremacy_language);
        struct str text = STR_INIT;
        ck_assert_int_eq(script_line(script, 0)->kind, LINE_WHEN);
        struct args args = script_trigger_args(script, 0);
        args_text(&text, &args);
        ck_assert_str_eq(text.p, lines[i][1]);
        str_release(&text);
        script_free(script);
    }
}
END_TEST

START_TEST(standing_lines_do_not_run)
{
    calls("ALWAYS PASS\nWHEN ATTACKED DEFEND ALL\nSAY ALL hello\nDRAW", &supremacy_language, "", "draw; ");
}
END_TEST

START_TEST(keep_lists_are_taken_up_first)
{
    calls("DRAW\nKEEP COMMAND\nIF TURN = 5 PREFER JUMP", &supremacy_language, "",
          "keep command; prefer jump; draw; ");
}
END_TEST

static struct script_run *running;
static int running_line;

static void line_seen(void *arg, const struct script_line *line, enum order_result result,
                      const struct refusal *why, struct slice order)
{
    (void)arg;
    (void)result;
    (void)why;
    (void)order;
    ck_assert_ptr_eq(script_run_line(running), line);
    running_line = line->number;
}

START_TEST(the_running_line_is_known)
{
    struct mock mock = MOCK_INIT;
    struct script *script = parse("BIDE\nBIDE\nBUILD", &command_language);
    struct script_listener listener = {line_seen, NULL};
    running = script_run_new(script, &command_language, &mock, 1, &listener);
    ck_assert_ptr_null(script_run_line(running));
    script_run_phase(running, 0);
    ck_assert_int_eq(running_line, 2);
    ck_assert_ptr_null(script_run_line(running));
    script_run_free(running);
    ck_assert_int_eq(running_line, 3);
    script_free(script);
    mock_release(&mock);
}
END_TEST

START_TEST(refusals_keep_their_parameters)
{
    struct refusal why;
    ck_assert_int_eq(no(&why, "too_poor cost=%d what=%s", 4,
                        "0123456789012345678901234567890123456789012345678901234567890\xC3\xA9zz"),
                     ORDER_REFUSED);
    ck_assert(slice_eq(why.reason, "too_poor"));
    ck_assert_int_eq(why.params, 2);
    ck_assert(slice_eq(why.param[0].name, "cost"));
    ck_assert(!why.param[0].is_text);
    ck_assert_int_eq(why.param[0].number, 4);
    ck_assert(slice_eq(why.param[1].name, "what"));
    ck_assert_str_eq(why.param[1].text,
                     "0123456789012345678901234567890123456789012345678901234567890\xC3\xA9");
    (void)no(&why, "other");
    ck_assert_int_eq(why.params, 0);
    (void)no(&why, "other t=%s", "012345678901234567890123456789012345678901234567890123456789012\xC3\xA9");
    ck_assert_uint_eq(strlen(why.param[0].text), 63);
    (void)no(&why, "other t=%s", "01234567890123456789012345678901234567890123456789012345678901\xC3\xA9");
    ck_assert_uint_eq(strlen(why.param[0].text), 62);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, orders_get_their_words, 0, COUNT(called));
    tcase_add_test(tc, have_lists_go_on_behind_and);
    tcase_add_test(tc, first_alternative_not_refused_counts);
    tcase_add_test(tc, alternatives_across_phases);
    tcase_add_test(tc, failed_is_not_refused);
    tcase_add_test(tc, ok_and_fail_before_any_die);
    tcase_add_test(tc, ok_after_a_die);
    tcase_add_test(tc, unknown_conditions_refuse);
    tcase_add_test(tc, a_condition_is_decided_once);
    tcase_add_test(tc, repeats);
    tcase_add_test(tc, open_lines_are_told_at_the_end);
    tcase_add_loop_test(tc, blocks_hold_together, 0, COUNT(blocks));
    tcase_add_test(tc, a_block_is_decided_in_its_first_phase);
    tcase_add_test(tc, depth_is_limited);
    tcase_add_test(tc, a_broken_block_says_why);
    tcase_add_test(tc, a_game_may_take_a_common_word);
    tcase_add_test(tc, reactions);
    tcase_add_test(tc, trigger_arguments_end_at_an_order);
    tcase_add_test(tc, standing_lines_do_not_run);
    tcase_add_test(tc, keep_lists_are_taken_up_first);
    tcase_add_test(tc, the_running_line_is_known);
    tcase_add_test(tc, refusals_keep_their_parameters);
}

TEST_MAIN_TOGETHER("orders/script_run", cases)
