#include "orders/script.h"

#include "orders/mock.h"
#include "suite.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static struct script *parse(const char *body, const struct language *language)
{
    return script_parse(slice_of(body), language);
}

/* No line of the body is bad. */
static void all_good(const char *body, const struct language *language)
{
    struct script *script = parse(body, language);
    ck_assert_uint_gt(script_line_count(script), 0);
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        ck_assert_msg(line->kind != LINE_BAD, "line %d \"%.*s\": %s", line->number, (int)line->text.len,
                      line->text.p, mock_why(line));
    }
    script_free(script);
}

/* Why the one line of this body is not understood. */
static void one_bad(const char *body, const struct language *language, const char *why)
{
    struct script *script = parse(body, language);
    ck_assert_uint_eq(script_line_count(script), 1);
    const struct script_line *line = script_line(script, 0);
    ck_assert_msg(line->kind == LINE_BAD, "\"%s\" was taken", body);
    ck_assert_str_eq(mock_why(line), why);
    ck_assert_uint_eq(script_errors(script), 1);
    script_free(script);
}

/* ---- the examples of the four games ---- */

static const struct {
    const struct language *language;
    const char *body;
} examples[] = {
    {&command_language, "EXPLORE FAR OR CONQUER BEST OR BIDE\nIF WEALTH < 3 SWAP METAL\n"
                        "RESEARCH BANKING OR CAPITAL\nBUILD\n"},
    {&command_language, "IF MILITARY >= 2 EXPLORE ELSE BIDE\nIF FAIL BUILD ELSE RESEARCH COMMERCE\n"},
    {&command_language,
     "ALWAYS AUTO\nEXPLORE NEAR 1;CONQUER EPS;CONQUER N3;CONQUER SIRIUS\nRESEARCH FORWARD\n"
     "RES BANK\nSWAP 2 METAL FOR WEALTH\nSWAP METAL\nRESEARCH ROBOTS\nTURN 3"},
    {&command_language,
     "IF METAL>=2 BUILD\nIF ALIGNED EPS AND NOT FAIL RESEARCH X\n"
     "IF CHANCE VEGA >= 4 CONQUER VEGA\nIF HAVE BANKING RESEARCH CAPITAL\nBUILD IF METAL >= 2"},
    {&supremacy_language,
     "DRAW\nIF HAVE SECTOR BUILD SECTOR\nBUILD FLEET AT HOME\nPLAY QUOTAS\n"
     "IF FLEETS >= 4 ATTACK ANNA S1 WITH ALL USING TACTICAL F1 OR ATTACK BEN S2 WITH ALL\nMOVE F1 HOME\n"
     "RESEARCH PICK FIREPOWER\nWHEN ATTACKED AT HOME PLAY PEACE\nWHEN ATTACKED AT HOME DEFEND ALL\n"
     "WHEN PLAYED ASSASSINATION ON ME COUNTER\n"},
    {&supremacy_language,
     "KEEP COMMAND FLEET SECTOR LEADER RESEARCH\nPREFER firepower jump\nBUILD LEADER ON HOME\n"
     "ATTACK B S1 WITH F1\nRESEARCH CATCHUP JUMP\nRESEARCH DIRECT JUMP\nPLAY INITIATIVE\n"
     "OFFER ANNA GIVE 1 fleet GET 5 credits UNTIL 9\nACCEPT 2\nDECLINE 3\nWITHDRAW 1\n"},
    {&supremacy_language,
     "WHEN ATTACKED DEFEND ALL\nWHEN ATTACKED BY BEN AT S2 DEFEND F1 F3 RETREAT S1\nWHEN ATTACKED PLAY "
     "AMBUSH\n"
     "WHEN ATTACKED PLAY TACTICAL H IF ODDS <= 50\nWHEN PLAYED SPY BY BEN ON ME COUNTER KEEP 2\n"
     "WHEN AMBUSHED PLAY SURPRISE\nWHEN PEACE ATTACK BEN S2 WITH ALL\nWHEN COUNTERED PLAY AGAIN\n"
     "WHEN CONQUER TAKE\nWHEN CONQUER LEAVE\nWHEN OFFERED 5 credits FOR fleet ACCEPT FROM ANNA\n"
     "IF LEVEL JUMP >= 2 RESEARCH\nIF CARDS > 4 DISCARD RESEARCH"},
    {&contract_language, "MOVE GCC\nSHIP S8 PLACE SUADI\nREPEAT SHIP BEST\nBUY CARGO POD\n"},
    {&contract_language,
     "SWAP 3 METAL FUEL\nMOVE ORVANE FUEL AUTO\nTRADE\nIF AFFORD TRADE TRADE\nSTORE 1 CRYSTAL\n"
     "COLLECT CRYSTAL METAL\nKEEP CRYSTAL FUEL METAL FOOD\n"},
    {&contract_language,
     "ALWAYS SHIP BEST OR TRADE\nALWAYS COLLECT\nCHOOSE SHIP SWIFT OR STEADFAST\n"
     "IF TRADE SUADI = T14 TRADE\nSHIP S4 OR SHIP BEST\nIF SHIPMENT 1 = S4 SHIP 1\n"
     "IF AVAILABLE CARGO POD BUY CARGO POD\nIF LEFT TRADES < 3 TRADE 2\nWHEN GIFT TAKE\n"
     "COLLECT SUADI METAL\nMOVE ORVANE VIA KESTRA FUEL 1\nPLACE ANY SUADI\nWHEN GIFT REFUSE\n"
     "REPEAT TRADE\nLOAD 2 METAL\nBUY ION THRUSTER"},
    {&farmer_language,
     "PICK 1\nMOVE SOLIS\nDROP 2\nMOVE OCCUS\nCOLLECT ALL\nQUEST\nMOVE SCORIA\nLIFT ALL\nFIGHT\n"
     "MOVE HOME\nLOCK ALL\nCONVERT GLITTERAL GLITTULUM\nSTORE ALL\n"},
    {&farmer_language,
     "MOVE SOLIS VERDANE RUBRA HOME\nIF ENEMY <= 2 STEPS FROM SOLIS PICK 2\n"
     "IF TOP RUBRA = DARK DROP 2\nFIGHT PUSH ANTICLOCKWISE\nLOCK SUNPOD SUN CAKE\nPLANT SUNPOD\n"
     "UPROOT SUNPOD\nHARVEST ALL SHIP\nPARTNER CASIOPIA\nHOLD GLITTULUM\nSTAY\nTURN 7"},
};

START_TEST(examples_of_the_games_parse)
{
    all_good(examples[_i].body, examples[_i].language);
}
END_TEST

/* ---- lines that are not understood ---- */

static const struct {
    const struct language *language;
    const char *body, *why;
} bad[] = {
    {&command_language, "EXPOLRE", "verb_meant word=\"EXPOLRE\" meant=explore"},
    {&command_language, "FLY HOME",
     "verb_unknown word=\"FLY\" list=explore, conquer, bide, pass, swap, build, research"},
    {&command_language, "B", "ambiguous_verb word=\"B\" list=bide, build"},
    {&contract_language, "ST", "ambiguous_verb word=\"ST\" list=stay, store"},
    {&command_language, "STAT", "verb_meant word=\"STAT\" meant=status"},
    {&command_language, "3 METAL", "order_expected word=\"3\""},
    {&command_language, "please", "no_order"},
    {&command_language, "IF METAL >= 2 BILD", "verb_meant word=\"BILD\" meant=build"},
    {&command_language, "IF METL >= 2 BUILD", "condition_meant word=\"METL\" meant=metal"},
    {&command_language, "IF X BUILD",
     "condition_unknown word=\"X\" list=ok, fail, have, turn, metal, wealth, military, year, round, aligned, "
     "chance"},
    {&command_language, "IF", "ends_for_condition"},
    {&command_language, "IF METAL BUILD", "needs_comparison word=metal"},
    {&command_language, "IF METAL 2 > 1 BUILD", "needs_comparison_next word=metal"},
    {&command_language, "IF METAL >= FEW BUILD", "no_number word=metal other=\"FEW\""},
    {&command_language, "IF METAL != 2 BUILD", "needs_comparison_next word=metal"},
    {&command_language, "IF METAL > -1 BUILD", "no_number word=metal other=\"-1\""},
    {&command_language, "IF ALIGNED", "needs_args word=aligned args=<system>"},
    {&command_language, "IF CHANCE >= 4 CONQUER X", "needs_args word=chance args=<system>"},
    {&command_language, "IF TURN 3 BUILD", "needs_turn_comparison"},
    {&command_language, "IF HAVE BUILD", "unclosed_meant meant=build"},
    {&command_language, "IF !OK BUILD", "condition_meant word=\"!OK\" meant=ok"},
    {&command_language, "IF OK OR FAIL BUILD", "conditions_or"},
    {&command_language, "IF OK THEN ELSE BIDE", "order_missing"},
    {&command_language, "IF OK BUILD ELSE", "ends_for_order"},
    {&command_language, "BUILD ELSE BIDE", "else_without_if"},
    {&command_language, "BUILD OR", "ends_for_order"},
    {&command_language, "BUILD THEN BIDE", "then_place"},
    {&command_language, "IF OK BUILD IF FAIL", "one_if"},
    {&command_language, "BUILD IF OK BIDE", "after_condition"},
    {&command_language, "REPEAT 0 BUILD", "repeat_needs"},
    {&command_language, "REPEAT BUILD OR BIDE", "repeat_or"},
    {&command_language, "WHEN ATTACKED BIDE", "no_when"},
    {&supremacy_language, "WHEN",
     "when_needs list=attacked, played, ambushed, peace, countered, conquer, offered"},
    {&supremacy_language, "WHEN ATTAKED DEFEND ALL", "trigger_meant word=\"ATTAKED\" meant=attacked"},
    {&supremacy_language, "WHEN ATTACKED AT HOME", "no_answer"},
    {&supremacy_language, "DEFEND ALL", "answer_only word=\"DEFEND\""},
    {&supremacy_language, "ALWAYS DEFEND ALL", "answer_only word=\"DEFEND\""},
    {&command_language, "ALWAYS", "ends_for_order"},
    {&command_language, "ALWAYS IF OK", "ends_for_order"},
    {&command_language, "ALWAYS SAY ALL HI", "line_start word=\"SAY\""},
    {&command_language, "SAY ALL", "say_needs"},
    {&command_language, "RESIGN NOW", "alone word=resign"},
    {&command_language, "TURN", "turn_needs"},
    {&command_language, "CANCEL", "cancel_takes"},
    {&command_language, "CANCEL BUILD", "cancel_takes"},
    {&command_language, "ENDIF", "endif_without_block"},
    {&command_language, "ELSE BIDE", "else_alone"},
};

START_TEST(errors_are_for_players)
{
    one_bad(bad[_i].body, bad[_i].language, bad[_i].why);
}
END_TEST

START_TEST(error_texts_are_safe_to_show)
{
    one_bad("\x1b[31mred", &command_language,
            "verb_unknown word=\"[31mred\" list=explore, conquer, bide, pass, swap, build, research");
    struct script *script =
        parse("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xE2\x80", &command_language);
    ck_assert(slice_starts(slice_of(mock_why(script_line(script, 0))),
                           "verb_unknown word=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" list="));
    script_free(script);
}
END_TEST

/* ---- lines and their kinds ---- */

START_TEST(lines_know_themselves)
{
    struct script *script =
        parse("# a note\n\n  say all: Hello; how are you?\nBUILD ; BIDE ; # done ; PASS\n"
              "WHEN ATTACKED BY ANNA AT HOME: PLAY PEACE OR DEFEND ALL\nALWAYS PASS\nHELP MOVE\n"
              "IF OK\nMOVE F1 HOME\nENDIF\nTURN 7\nCANCEL WHEN PEACE\nstatus\n---\nTRY\nRESIGN",
              &supremacy_language);
    static const struct {
        enum script_line_kind kind;
        int number;
        const char *verb, *rest;
    } want[] = {{LINE_COMMON, 1, "say", "all: Hello; how are you?"},
                {LINE_ORDERS, 2, "build", ""},
                {LINE_BAD, 2, NULL, ""},
                {LINE_WHEN, 3, "play", "PLAY PEACE OR DEFEND ALL"},
                {LINE_ALWAYS, 4, "pass", "PASS"},
                {LINE_COMMON, 5, "help", "MOVE"},
                {LINE_BLOCK, 6, NULL, ""},
                {LINE_ORDERS, 7, "move", ""},
                {LINE_BLOCK, 8, NULL, ""},
                {LINE_COMMON, 9, "turn", "7"},
                {LINE_COMMON, 10, "cancel", "WHEN PEACE"},
                {LINE_COMMON, 11, "status", ""},
                {LINE_COMMON, 13, "try", ""},
                {LINE_COMMON, 14, "resign", ""}};
    ck_assert_uint_eq(script_line_count(script), sizeof want / sizeof *want);
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        ck_assert_msg(line->kind == want[i].kind, "line %zu has kind %d: %s", i, (int)line->kind,
                      mock_why(line));
        ck_assert_int_eq(line->number, want[i].number);
        ck_assert_pstr_eq(line->verb, want[i].verb);
        ck_slice_eq(line->rest, want[i].rest);
    }
    ck_assert_str_eq(script_line(script, 3)->trigger, "attacked");
    struct args args = script_trigger_args(script, 3);
    struct str text = STR_INIT;
    args_text(&text, &args);
    ck_assert_str_eq(text.p, "by anna at home");
    ck_slice_eq(script_line(script, 7)->text, "MOVE F1 HOME");
    str_release(&text);
    script_free(script);
}
END_TEST

START_TEST(limits_hold)
{
    struct str body = STR_INIT;
    for (int i = 0; i < 200; i++)
        str_adds(&body, "BIDE\n");
    struct script *script = parse(body.p, &command_language);
    ck_assert_uint_eq(script_line_count(script), 200);
    ck_assert_uint_eq(script_errors(script), 0);
    script_free(script);
    str_adds(&body, ",\nIF OK\n");
    script = parse(body.p, &command_language);
    ck_assert_uint_eq(script_line_count(script), 200);
    ck_assert_str_eq(mock_why(script_line(script, 199)), "many_lines most=200");
    script_free(script);

    str_clear(&body);
    str_adds(&body, "BUILD");
    for (int i = 1; i < 80; i++)
        str_adds(&body, " x");
    all_good(body.p, &command_language);
    str_adds(&body, " x");
    one_bad(body.p, &command_language, "long_line most=80");
    str_clear(&body);
    str_adds(&body, "SAY ALL");
    for (int i = 0; i < 500; i++)
        str_adds(&body, " word");
    all_good(body.p, &command_language);

    str_clear(&body);
    for (int i = 0; i < 30000; i++)
        str_adds(&body, ";!,");
    script = parse(body.p, &command_language);
    ck_assert_uint_eq(script_line_count(script), 0);
    script_free(script);
    script = parse("", &command_language);
    ck_assert_uint_eq(script_line_count(script), 0);
    script_free(script);
    str_release(&body);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, examples_of_the_games_parse, 0, COUNT(examples));
    tcase_add_loop_test(tc, errors_are_for_players, 0, COUNT(bad));
    tcase_add_test(tc, error_texts_are_safe_to_show);
    tcase_add_test(tc, lines_know_themselves);
    tcase_add_test(tc, limits_hold);
}

TEST_MAIN_TOGETHER("orders/script", cases)
