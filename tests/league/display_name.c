/* What players want to be called, and the name that is proposed beside it. */
#include "suite.h"

#include "base/utf8.h"
#include "league/player.h"

static const struct {
    const char *wish, *name, *display; /* display NULL: it is refused */
} rows[] = {
    {"Jürgen", "juergen", "Jürgen"},
    {"Ju\xCC\x88rgen", "juergen", "Jürgen"},
    {"  José \xC2\xA0 María ", "jose-maria", "José María"},
    {"Łukasz Nowak", "lukasz-nowak", "Łukasz Nowak"},
    {"anna", "anna", "anna"},
    {"Seán O’Brien", "sean-obrien", "Seán O'Brien"},
    {"J. R. Müller", "j-r-mueller", "J. R. Müller"},
    {"Nguyê\xCC\x83n", "nguyen", "Nguyễn"},
    {"李小龙", "", "李小龙"},
    {"Владимир", "", "Владимир"},
    {"प्रिया", "", "प्रिया"},
    {"Maximiliane Alexandra Elisabeth", "maximiliane-alexandra-elisabeth", "Maximiliane Alexandra Elisabeth"},
    {"Maximiliane Alexandra Elisabeth Sophie", "maximiliane-alexandra-elisabeth",
     "Maximiliane Alexandra Elisabeth Sophie"},
    {"1234567890123456789012345678901234567890a", NULL, NULL}, /* 41 */
    {"bob (anna)", "bob-anna", NULL},
    {"bob\xE2\x80\xAE", "bob", NULL},
    {"bob\xE2\x80\x8B", "bob", NULL},
    {"b\x01ob", "bob", NULL},
    {"a\xCC\xB3nna", "anna", NULL}, /* a mark that joins no letter */
    {"\xFF", "", NULL},
    {"", "", NULL},
    {"...", "", NULL},
    {"Moderator", "moderator", NULL},
    {"The league", "the-league", NULL},
    {"The Moderat0rs", "the-moderat0rs", NULL},
    {"Moderato Cantabile", "moderato-cantabile", "Moderato Cantabile"},
    {"P2", "p2", NULL},
    {"<b>bob</b>", "bbobb", NULL},
};

START_TEST(each)
{
    char name[PLAYER_NAME], display[PLAYER_DISPLAY];
    struct err err = ERR_INIT;
    const struct slice wish = slice_of(rows[_i].wish);
    (void)player_name_suggest(name, wish);
    if (rows[_i].name)
        ck_assert_str_eq(name, rows[_i].name);
    int rc = player_display_read(display, wish, &err);
    ck_assert_msg((rc == 0) == (rows[_i].display != NULL), "%s: %s", rows[_i].wish, err.text);
    ck_assert_str_eq(display, rows[_i].display ? rows[_i].display : "");
    if (rc)
        return;
    char again[PLAYER_DISPLAY];
    ck_ok(player_display_read(again, slice_of(display), &err), err);
    ck_assert_str_eq(again, display);
}
END_TEST

/* As long as it may be, of the longest characters. */
START_TEST(the_longest)
{
    struct str wish = STR_INIT;
    char display[PLAYER_DISPLAY];
    struct err err = ERR_INIT;
    for (int i = 0; i < 40; i++)
        str_adds(&wish, "龙");
    ck_ok(player_display_read(display, slice_str(&wish), &err), err);
    ck_assert_uint_eq(strlen(display), 120);
    str_adds(&wish, "龙");
    ck_assert_int_ne(player_display_read(display, slice_str(&wish), &err), 0);
    ck_assert_str_eq(display, "");
    str_release(&wish);
}
END_TEST

/* What is a letter with its mark stays as it is, and so does the mark that joins nothing. */
START_TEST(composed)
{
    static const char *const pairs[][2] = {{"e\xCC\x81", "é"},
                                           {"a\xCC\xA3\xCC\x82", "ậ"},
                                           {"q\xCC\x81", "q\xCC\x81"},
                                           {"é", "é"},
                                           {"\xCC\x81", "\xCC\x81"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct str out = STR_INIT;
        utf8_compose(&out, slice_of(pairs[i][0]));
        ck_assert_str_eq(out.p, pairs[i][1]);
        str_release(&out);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, each, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, the_longest);
    tcase_add_test(tc, composed);
}
TEST_MAIN_TOGETHER("league/display_name", cases)
