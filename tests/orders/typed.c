/* What people type into answers, line by line; and that whatever is not understood stores nothing. */
#include "orders/typed.h"

#include "orders/mock.h"
#include "mail/replies.h"

static const char *const suggestions[] = {"explore near", "build", NULL};
static const char *const names[] = {"anna", "Anna Example", NULL};
static const struct typed_game one[] = {{"gc-1", &command_language, suggestions, NULL}};
static const struct typed_game two[] = {{"gc-1", &command_language, suggestions, NULL},
                                        {"gs-2", &supremacy_language, NULL, NULL}};
static const struct typed_game ships[] = {{"gc-1", &command_language, suggestions, "ship"}};
static const struct typed_by by_ships = {ships, 1, names};
static const struct typed_by by_one = {one, 1, names}, by_two = {two, 2, names}, by_none = {NULL, 0, names};

static const char *const kinds[] = {"nothing", "orders", "picks", "command",
                                    "press",   "asks",   "held",  "UNSURE"};
static const char *const is[] = {"?",    "",      "greeting", "form",    "order",  "edited",
                                 "pick", "press", "final",    "wish",    "ok",     "undo",
                                 "stop", "join",  "vacation", "digest",  "extend", "show",
                                 "help", "rules", "status",   "deadline"};
static const char *const doubts[] = {"",    "no line", "short", "parted", "question", "order",
                                     "odd", "folded",  "game",  "number", "mixed"};

static void tell_line(struct str *out, const struct typed_line *line)
{
    if (line->is == TYPED_IS_BLANK)
        return;
    str_addf(out, " | %s%s%s", is[line->is], line->doubt ? "!" : "", doubts[line->doubt]);
    if (line->is == TYPED_IS_PRESS)
        str_addf(out, "(%.*s)", (int)line->name.len, line->name.p);
    if (line->number)
        str_addf(out, " %d", line->number);
    if (line->text.len && line->is != TYPED_IS_UNKNOWN)
        str_addf(out, " %.*s", (int)line->text.len, line->text.p);
    if (line->game == 1)
        str_adds(out, " @gs-2");
}

/* "orders | order build | greeting" */
static void expect(const struct typed_by *by, const char *text, const char *want)
{
    struct typed typed;
    struct str told = STR_INIT;
    typed_read(slice_of(text), by, &typed);
    str_adds(&told, kinds[typed.kind]);
    if (typed.resigns)
        str_adds(&told, " resigns");
    for (size_t i = 0; i < typed.count; i++)
        tell_line(&told, &typed.lines[i]);
    ck_assert_msg(strcmp(told.p, want) == 0, "\"%s\": %s, want %s", text, told.p, want);
    ck_assert_int_eq(typed.command != TYPED_IS_BLANK, typed.kind == TYPED_COMMAND);
    str_release(&told);
    typed_release(&typed);
}

static const struct {
    const char *text, *want;
} texts[] = {
    /* orders */
    {"build\n", "orders | order build"},
    {"Explore far or bide.\nBuild\n", "orders | order Explore far or bide. | order Build"},
    {"Hello!\n\nexplore far\n\nThanks,\nAnna\n",
     "orders | greeting | order explore far | greeting | greeting"},
    {"- build\n* swap metal\n", "orders | order build | order swap metal"},
    {"build\xC2\xA0 military\n", "orders | order build military"},
    {"research \xE2\x80\x9C"
     "banking\xE2\x80\x9D\n",
     "orders | order research \xE2\x80\x9C"
     "banking\xE2\x80\x9D"},
    {"if metal >= 3 swap metal else bide\n", "orders | order if metal >= 3 swap metal else bide"},
    {"if metal >= 3\nswap metal\nendif\n", "orders | order if metal >= 3 | order swap metal | order endif"},
    {"always bide\n", "orders | order always bide"},
    {"say all Well played; again?\n", "orders | order say all Well played; again?"},
    {"status\n", "asks | order status"},
    {"resign\n", "orders resigns | order resign"},
    {"build\nend\nresign\n", "orders | order build"},
    {"build\nEnd.\nblah blah\n", "orders | order build"},
    {"build\n#end\nblah blah\n", "orders | order build"},
    {"build\nfinal: yes\n", "orders | order build | final"},
    {"Build\nFinal.\n", "orders | order Build | final"},
    {"1\nfinal : yes\n", "picks | pick 1 | final"},
    {"final\n", "UNSURE | final!mixed"},
    {"ok\nfinal\n", "UNSURE | ok!mixed | final!mixed"},
    {"undo\nfinal\n", "UNSURE | undo!mixed | final!mixed"},
    {"[ ] build military\nfinal\n", "UNSURE | edited!mixed build military | final!mixed"},
    {"build\nfinal: no\n", "UNSURE | order build | ?!no line"},
    {"build\nfinal answer\n", "UNSURE | order build | ?!no line"},
    {"ok falcon\nship: swift\n", "UNSURE | ok falcon | ?!no line"}, /* nobody joins here */
    /* what is none */
    {"Bu\n", "UNSURE | ?!no line"},
    {"Please help\n", "UNSURE | ?!no line"},
    {"please build\n", "UNSURE | ?!no line"},
    {"build\nI think bob is weak\n", "UNSURE | order build | ?!no line"},
    {"explore far or bu\n", "UNSURE | ?!short"},
    {"if metal >= 3 exp far\n", "UNSURE | ?!short"},
    {"build; bide\n", "UNSURE | ?!parted"},
    {"build?\n", "UNSURE | ?!question"},
    {"build\nturn 7\nbuild\n", "UNSURE | order build | ?!order | order build"},
    {"if metal >= 3\nswap metal\n", "UNSURE | ?!order | ?!order"},
    {"endif\n", "UNSURE | ?!order"},
    {"repeat\n", "UNSURE | ?!order"},
    {"> build\n", "UNSURE | ?!no line"},
    {"|| build\n", "UNSURE | ?!no line"},
    {"# build\n", "UNSURE | ?!no line"},
    {"#turnpost orders\nbuild\n#end\n", "UNSURE | ?!no line | order build"},
    {"bui\xE2\x80\xAEld\n", "UNSURE | ?!odd"},
    {"build \xE2\x80\x8F\n", "UNSURE | ?!odd"},
    {"build\x07\n", "UNSURE | ?!odd"},
    {"build \xFF\n", "UNSURE | ?!odd"},
    {"b\xD1\x83ild\n", "UNSURE | ?!no line"}, /* a Cyrillic letter */
    {"\xE2\x80\x9C"
     "build\xE2\x80\x9D\n",
     "UNSURE | ?!no line"},
    {"1. build\n", "UNSURE | ?!no line"},
    {"On Monday bob wrote:\nbuild\n", "UNSURE | ?!no line | order build"},
    /* commands */
    {"ok", "command | ok"},
    {"OK.\n\nAnna", "command | ok | greeting"},
    {"ok falcon", "command | ok falcon"},
    {"ok I will do that", "UNSURE | ?!no line"},
    {"Undo!", "command | undo"},
    {"undo it", "UNSURE | ?!no line"},
    {"stop", "command | stop"},
    {"Stop attacking me", "UNSURE | ?!no line"},
    {"join", "command | join"},
    {"vacation 2026-12-01 to 2026-12-10", "command | vacation 2026-12-01 to 2026-12-10"},
    {"extend 24", "command | extend 24"},
    {"Extend", "command | extend"},
    {"extend it by two days", "UNSURE | ?!no line"},
    {"digest daily 20:00", "command | digest daily 20:00"},
    {"ok\nundo", "UNSURE | ok!mixed | undo!mixed"},
    {"ok\nbuild", "UNSURE | ok!mixed | order!mixed build"},
    /* questions, which go with everything */
    {"help", "asks | order help"},
    {"Help!", "asks | order Help"},
    {"help?", "asks | order help"},
    {"help build", "asks | order help"},
    {"help me with this", "UNSURE | ?!no line"},
    {"rules", "asks | order rules"},
    {"Rules galaxy-command", "asks | rules galaxy-command"},
    {"status gc-2", "asks | status gc-2"},
    {"standing", "asks | order standing"},
    {"show", "asks | show"},
    {"Show gc-1?", "asks | show gc-1"},
    {"show me the map", "UNSURE | ?!no line"},
    {"map", "asks | show"},
    {"Board.", "asks | show"},
    {"deadline?", "asks | deadline"},
    {"When is the deadline?", "asks | deadline"},
    {"when is the deadline", "asks | deadline"},
    {"map\nhelp\nThanks", "asks | show | order help | greeting"},
    {"build\nhelp", "orders | order build | order help"},
    {"help\n1\nmap", "picks | order help | pick 1 | show"},
    {"ok\nhelp\ndeadline?", "command | ok | order help | deadline"},
    {"press bob: hi\nrules", "press | press(bob) hi | order rules"},
    {"[x] explore near\nhelp", "held | edited explore near | order help"},
    {"ok?", "UNSURE | ?!no line"},
    {"ok\nundo\nhelp", "UNSURE | ok!mixed | undo!mixed | order help"},
    {"final\nhelp", "UNSURE | final!mixed | order help"},
    /* press */
    {"press bob: Shall we? ;-)", "press | press(bob) Shall we? ;-)"},
    {"Press all: hi\nbuild", "orders | press(all) hi | order build"},
    {"press bob: hi\nok", "command | press(bob) hi | ok"},
    {"press bob", "UNSURE | ?!no line"},
    {"press bob:", "UNSURE | ?!no line"},
    {"press: hi", "UNSURE | ?!no line"},
    {"press bob: hi\xE2\x80\xAE", "UNSURE | ?!odd"},
    /* numbers */
    {"1", "picks | pick 1"},
    {"1.\n2\n", "picks | pick 1 | pick 2"},
    {"3", "UNSURE | ?!number"},
    {"0", "UNSURE | ?!number"},
    {"99999999999999999999", "UNSURE | ?!no line"},
    {"1\nbuild", "UNSURE | pick!mixed 1 | order!mixed build"},
    /* the form */
    {"[ ] explore near\n[ ] build\n", "nothing | form explore near | form build"},
    {"  1 [ ] explore near\n  2 [ ] build\n", "nothing | form explore near | form build"},
    {"* 2 [ ] build\n", "nothing | form build"},
    {"1 [ ] build\n", "nothing | form build"}, /* of another mail, maybe */
    {"1 [x] explore near\n2 [ ] build\n", "held | edited explore near | form build"},
    {"1 [ ] explore far\n", "held | edited explore far"},
    {"1 [ ] explore near (unknown system, 2 of 6)\n", "nothing | form explore near"},
    {"1 [x] explore near (unknown system, 2 of 6)\n", "held | edited explore near"},
    {"1 [ ] explore near\n   (unknown system,\n   2 of 6)\n2 [ ] build\n   (resign)\n",
     "nothing | form explore near | form build"},
    {"1 [x] explore near\n   (unknown system)\n", "held | edited explore near"},
    {"1 [ ] explore near\n   (unknown system,\nbuild\n", "UNSURE | form explore near | ?!no line"},
    {"1 [ ] explore near\n   (unknown)\nxyzzy\n", "UNSURE | form explore near | ?!no line"},
    {"(build)\n", "UNSURE | ?!no line"},
    {"build\n(or not)\n", "UNSURE | order build | ?!no line"},
    {"9 [ ] build\n", "UNSURE | ?!no line"},
    {"1 explore near\n", "UNSURE | ?!no line"},
    {"[1] explore near\n", "held | edited explore near"},
    {"[] Explore  near\n", "nothing | form Explore near"},
    {"[x] explore near\n[ ] build\n", "held | edited explore near | form build"},
    {"[ ] explore far\n", "held | edited explore far"},
    {"[ ] who knows\n", "UNSURE | ?!no line"},
    {"[x] explore near\nbuild\n", "held | edited explore near | order build"},
    {"[x] turn 3\n", "UNSURE | ?!order"},
    /* nothing */
    {"", "nothing"},
    {"\n\nHallo,\n\nViele Gr\xC3\xBC\xC3\x9F"
     "e\nAnna Example\n",
     "nothing | greeting | greeting | greeting"},
    {"Hi bob\n", "UNSURE | ?!no line"},
};

START_TEST(a_text_means_what_it_says)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(&by_one, texts[i].text, texts[i].want);
}
END_TEST

/* In the middle of any good text, one line that is none of ours: nothing counts. */
START_TEST(one_bad_line_spoils_all)
{
    static const char *const bad[] = {
        "I will attack bob",        "bu",          "explore fr;", "> resign", "[ ] xyzzy", "12",
        "On Mon, 3 Nov bob wrote:", "see you at 5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            struct str text = STR_INIT;
            struct typed typed;
            str_addf(&text, "%s\n%s", bad[k], texts[i].text);
            typed_read(slice_str(&text), &by_one, &typed);
            ck_assert_msg(typed.kind == TYPED_UNSURE, "%s: %s", text.p, kinds[typed.kind]);
            typed_release(&typed);
            str_release(&text);
        }
    }
}
END_TEST

START_TEST(who_joins_may_wish)
{
    expect(&by_ships, "ok falcon\nship: swift, steadfast.\n", "command | ok falcon | wish swift, steadfast");
    expect(&by_ships, "Ship: Swift\n\nOk falcon\nAnna\n", "command | wish Swift | ok falcon | greeting");
    expect(&by_ships, "ship: swift\n", "UNSURE | wish!mixed swift");
    expect(&by_ships, "ok falcon\nship: swift\nship: steadfast\n",
           "UNSURE | ok!mixed falcon | wish!mixed swift | wish!mixed steadfast");
    expect(&by_ships, "ok falcon\nship swift\n", "UNSURE | ok falcon | ?!no line");
    expect(&by_ships, "ok falcon\nship:\n", "UNSURE | ok falcon | ?!no line");
    expect(&by_ships, "build\nship: swift\n", "UNSURE | order!mixed build | wish!mixed swift");
}
END_TEST

/* ---- folded lines ---- */

#define LONG52 "explore far or conquer one or conquer two or conquer"

static const struct {
    const char *text, *want;
} folds[] = {
    /* "else" may have been parted from what it belongs to, or a condition from its order */
    {LONG52 " sol or\nbide\n", "UNSURE | ?!folded | ?!folded"},
    {"if metal >= 3 and wealth >= 3 and military >= 3 then bide else\nbuild\n",
     "UNSURE | ?!folded | ?!folded"},
    {LONG52 " sol\n\nbide\n", "orders | order " LONG52 " sol | order bide"},
    {"press bob: shall we attack the one who has grown so much since\nspring?\n",
     "press | press(bob) shall we attack the one who has grown so much since spring?"},
    {"press bob: shall we attack the one who has grown so much since\nspring and who never answers letters "
     "of "
     "mine, not even of\nthanks\n\nbuild\n",
     "orders | press(bob) shall we attack the one who has grown so much since spring and who never answers "
     "letters of mine, not even of thanks | order build"},
    {"press bob: shall we attack the one who has grown so much, and\nbuild\n",
     "UNSURE | ?!folded | ?!folded"},
    {"press bob: shall we attack\nthe one who has grown so much since\n",
     "UNSURE | press(bob) shall we attack | ?!no line"},
    {"say bob shall we attack the one who has grown so much since\nspring?\n",
     "orders | order say bob shall we attack the one who has grown so much since spring?"},
};

START_TEST(folded_lines_are_joined_or_asked_about)
{
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
        expect(&by_one, folds[i].text, folds[i].want);
}
END_TEST

/* ---- digests ---- */

static const struct {
    const char *text, *want;
} digests[] = {
    {"gc-1: build\ngs-2: draw\n", "orders | order build | order draw @gs-2"},
    {"GS-2:\ndraw\nresearch\n\ngc-1: build\ndraw\n",
     "orders | order draw @gs-2 | order research @gs-2 | order build | order draw @gs-2"},
    {"build\n", "UNSURE | ?!game"},
    {"gc-1: draw\n", "UNSURE | ?!no line"},
    {"gx-9: build\n", "UNSURE | ?!game"},
    {"gc-1: 2\n", "picks | pick 2"},
    {"gs-2: 1\n", "UNSURE | ?!number @gs-2"},
    {"gs-2: resign\ngc-1: build\n", "orders resigns | order resign @gs-2 | order build"},
    {"ok\n", "command | ok"},
    {"gs-2: press bob: hi: there\n", "press | press(bob) hi: there @gs-2"},
};

START_TEST(digests_name_the_game)
{
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++)
        expect(&by_two, digests[i].text, digests[i].want);
    expect(&by_two, "help\n", "asks | help");
    expect(&by_two, "gc-1: help\ngs-2: map\n", "asks | order help | show @gs-2");
    expect(&by_none, "stop\n", "command | stop");
    expect(&by_none, "help\nrules gc-1\n", "asks | help | rules gc-1");
    expect(&by_none, "build\n", "UNSURE | ?!no line");
}
END_TEST

/* ---- the whole ---- */

START_TEST(limits_are_kept)
{
    struct str text = STR_INIT;
    struct typed typed;
    for (int i = 0; i < TYPED_LINES; i++)
        str_adds(&text, "build\n");
    typed_read(slice_str(&text), &by_one, &typed);
    ck_assert_int_eq(typed.kind, TYPED_ORDERS);
    typed_release(&typed);
    str_adds(&text, "\n");
    typed_read(slice_str(&text), &by_one, &typed);
    ck_assert_int_eq(typed.kind, TYPED_UNSURE);
    typed_release(&typed);
    str_clear(&text);
    str_adds(&text, "say bob ");
    for (int i = 0; i < TYPED_BYTES; i++)
        str_addc(&text, 'x');
    expect(&by_one, text.p, "UNSURE | ?!odd");
    str_release(&text);
}
END_TEST

/* The replies of real mail programs, as the cutter leaves them. */
static void see_mail(const char *name, struct slice raw, const json_t *want)
{
    struct str text = STR_INIT, orders = STR_INIT, told = STR_INIT;
    const struct typed_game game = {"gc-1", &command_language, suggestions, NULL};
    struct typed typed;
    (void)raw;
    replies_lines(&text, want, "typed");
    replies_lines(&orders, want, "orders");
    typed_read(slice_str(&text), &(struct typed_by){&game, 1, names}, &typed);
    for (size_t i = 0; i < typed.count; i++)
        if (typed.lines[i].is == TYPED_IS_ORDER && typed.kind == TYPED_ORDERS)
            str_addf(&told, "%.*s\n", (int)typed.lines[i].text.len, typed.lines[i].text.p);
    const char *means = replies_text(want, "means");
    const char *kind = typed.kind == TYPED_UNSURE ? "unsure" : kinds[typed.kind];
    ck_assert_msg(strcmp(kind, means) == 0, "%s: %s, want %s", name, kind, means);
    ck_assert_msg(strcmp(told.p, orders.p) == 0, "%s: %s, want %s", name, told.p, orders.p);
    typed_release(&typed);
    str_release(&text);
    str_release(&orders);
    str_release(&told);
}

START_TEST(replies_of_real_programs_are_understood)
{
    replies_each(see_mail);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, who_joins_may_wish);
    tcase_add_test(tc, a_text_means_what_it_says);
    tcase_add_test(tc, one_bad_line_spoils_all);
    tcase_add_test(tc, folded_lines_are_joined_or_asked_about);
    tcase_add_test(tc, digests_name_the_game);
    tcase_add_test(tc, limits_are_kept);
    tcase_add_test(tc, replies_of_real_programs_are_understood);
}
TEST_MAIN("orders/typed", cases)
